"""Functions that write into what they are given."""
import numpy as np

from tests.tools.registry import program

X = np.array([0.3, 0.8, 1.4, 0.5])
A = np.array([[0.3, 0.8, 1.1], [1.4, 0.5, 0.2], [0.9, 0.7, 0.6]])


def square_into(src, dst):
    for i in range(len(src)):
        dst[i] = src[i] ** 2


@program('returns nothing', X)
def kernel_call(x):
    y = np.zeros(4)
    square_into(x, y)
    return np.sum(y * x)


@program('returns nothing', X)
def kernel_on_argument(x):
    square_into(x, x)
    square_into(x, x)
    return np.sum(x)


def normalise(v):
    v /= np.sum(v)


@program('returns nothing', X)
def augmented_argument(x):
    y = x * 1.0
    normalise(y)
    return np.sum(y ** 2)


def shift_and_sum(v):
    v[1:] = v[:-1] * 2
    return np.sum(v)


@program('returns something else', X)
def returns_something(x):
    y = x * x
    s = shift_and_sum(y)
    return s * y[3]


def tail_doubled(v):
    v[0] = v[-1] * v[1]
    return v[1:]


@program('returns a view', X)
def returns_view(x):
    y = x * 1.0
    t = tail_doubled(y)
    t *= 2
    return np.sum(y ** 2)


def outer_kernel(a, b):
    for i in range(a.shape[0]):
        inner_kernel(a[i], b[i], 2.0)


def inner_kernel(src, dst, scale):
    dst[:] = np.sin(src) * scale
    src[0] = 0.5


@program('several levels', A)
def through_levels(a):
    b = np.empty((3, 3))
    c = a * 1.0
    outer_kernel(c, b)
    return np.sum(b ** 2) + np.sum(c ** 2)


def smooth(v, n):
    if n == 0:
        return
    v[1:-1] = (v[:-2] + v[2:]) / 2 * v[1:-1]
    smooth(v, n - 1)


@program('recursion', X)
def recursive_effect(x):
    y = x * 1.0
    smooth(y, 3)
    return np.sum(y)


class Grid:
    def __init__(self, u):
        self.u = u
        self.steps = 0

    def step(self, dt):
        self.u[1:-1] += dt * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2])
        self.steps += 1

    def set(self, k, v):
        self.u[k] = v


@program('method', X)
def method_effect(x):
    grid = Grid(x * 1.0)
    for _ in range(3):
        grid.step(0.1)
    grid.set(0, grid.u[1] ** 2)
    return np.sum(grid.u ** 2) * grid.steps


@program('method on an argument', make=lambda: (Grid(X.copy()),))
def method_effect_on_argument(grid):
    grid.step(0.1)
    grid.set(2, grid.u[0] * grid.u[1])
    return np.sum(grid.u ** 2)


@program('known only at run time', X)
def kernel_from_list(x):
    y = np.zeros(4)
    for kernel in [square_into, lambda s, d: np.add(s, d, out=d)]:
        kernel(x, y)
    return np.sum(y)


@program('known only at run time', make=lambda: (square_into, X.copy()), wrt=(1,))
def kernel_argument(kernel, x):
    y = np.ones(4)
    kernel(x, y)
    return np.sum(y * x)


def add_to_list(out, v):
    out.append(v * v)


@program('lists', [0.3, 0.8])
def list_effect(xs):
    out = []
    for x in xs:
        add_to_list(out, x)
    return out[0] * out[1]


def fill_dict(d, v):
    d['a'] = v
    d['b'] = d['a'] * v


@program('dicts', 0.3)
def dict_effect(x):
    d = {}
    fill_dict(d, x)
    return d['a'] + d['b']


def swap(a, i, j):
    a[i], a[j] = a[j], a[i]


@program('swap', X)
def swap_helper(x):
    y = x * 1.0
    swap(y, 0, 3)
    swap(y, 1, 0)
    return np.sum(y * np.arange(4.0))


def bubble_sort(a):
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                swap(a, j, j + 1)


@program('sorting', X)
def bubble(x):
    y = x.copy()
    bubble_sort(y)
    return np.sum(y * np.arange(4.0))


def maybe_write(v, flag):
    if flag:
        v[0] = v[1] * 3
    return v


@program('conditional effect', X)
def conditional_effect(x):
    y = x * 1.0
    for k in range(3):
        y = maybe_write(y, k == 1)
        y = y * 1.5
    return np.sum(y)


@program('closure writes', X)
def closure_writes(x):
    y = np.zeros(4)

    def put(k, v):
        y[k] = v
    for k in range(4):
        put(k, x[k] * (y[k - 1] + 1))
    return np.sum(y)


def rotate(state):
    state['u'], state['v'] = state['v'], state['u']


@program('containers', X)
def container_effect(x):
    state = {'u': x * 1.0, 'v': x ** 2}
    rotate(state)
    state['u'][0] = 2.0
    return np.sum(state['u'] * x) + np.sum(state['v'])


def default_buffer(v, out=None):
    if out is None:
        out = np.zeros_like(v)
    out[:] = v * 2
    return out


@program('optional out', X)
def optional_out(x):
    y = np.zeros(4)
    z = default_buffer(x, y)
    w = default_buffer(x)
    z[0] += 1.0
    return np.sum(y * w)


@program('part of an array given', A)
def slice_given(a):
    b = a * 1.0
    normalise(b[0])
    normalise(b[:, 1])
    square_into(b[1], b[2])
    return np.sum(b ** 2)


@program('passive array written', X)
def work_array(x):
    work = np.zeros(4)
    total = 0.0
    for k in range(2):
        square_into(x * (k + 1), work)
        total += np.sum(work)
    return total


def accumulate(total, v):
    total += v
    return total


@program('number or array', X)
def number_or_array(x):
    s = accumulate(0.0, np.sum(x))
    y = np.zeros(4)
    accumulate(y, x)
    return s * np.sum(y)


@program('generator writes', X)
def generator_writes(x):
    y = x * 1.0

    def steps():
        for k in range(3):
            y[k] = y[k + 1] * y[k]
            yield y[k]
    return sum(steps()) + np.sum(y)
