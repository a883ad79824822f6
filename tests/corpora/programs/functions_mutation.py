"""Functions that write in place, each in one way: the cases of `tests/reverse/test_mutation.py`."""
import collections
import functools

import numpy as np

CASES = []
X = np.array([0.3, -0.7, 1.1, 0.4])
Y = np.array([1.2, 0.5, -0.4, 0.9])
M = np.array([[0.3, -0.7, 1.1], [0.4, 0.9, -0.2], [1.3, 0.1, 0.6]])


def case(*args):
    def note(f):
        CASES.append((f, args))
        return f
    return note


def out(*arrays):
    """A number that depends on every element of the arrays in another way."""
    total = 0.0
    for a in arrays:
        total = total + np.sum(np.sin(a) * (a + 0.5)) + np.sum(a * a)
    return total


# Items and slices of an argument

@case(X, 0.7)
def item(x, v):
    x[1] = v * v
    return out(x)


@case(X)
def item_of_itself(x):
    x[1] = x[0] * x[1]
    x[0] = x[1] * x[2]
    return out(x)


@case(X, Y)
def item_negative(x, y):
    x[-1] = y[0] * x[-1]
    return out(x)


@case(X, Y)
def slice_of(x, y):
    x[1:3] = y[:2] * x[2:]
    return out(x)


@case(M, Y[:2])
def slices_broadcast(m, v):
    m[1:, ::2] = v
    return out(m)


@case(M, 0.3)
def number_broadcast(m, v):
    m[:, 1] = v
    return out(m)


@case(M, Y[:3])
def column_of_row(m, v):
    m[:, 1:] = v[:, None]
    return out(m)


@case(X, Y)
def mask(x, y):
    x[x > 0] = y[x > 0] * 2
    return out(x)


@case(X, 0.7)
def mask_number(x, v):
    x[x > 0.35] = v
    return out(x)


@case(X)
def mask_augmented(x):
    x[x > 0] **= 2
    x[x < 0] *= x[0]
    return out(x)


@case(X, Y)
def fancy(x, y):
    x[[2, 0]] = y[:2]
    return out(x)


@case(X, Y)
def fancy_repeated(x, y):
    x[[2, 0, 2]] = y[:3]
    return out(x)


@case(X, Y)
def fancy_repeated_augmented(x, y):
    x[[2, 0, 2]] += y[:3]
    return out(x)


@case(X)
def fancy_read_repeated(x):
    y = x[[0, 0, 1]]
    y[1] = y[0] * y[2]
    return out(x, y)


@case(M, 0.7)
def pairs(m, v):
    m[[0, 1], [1, 2]] = v * m[[1, 2], [0, 0]]
    return out(m)


@case(M, Y[:2])
def augmented_pairs(m, v):
    m[0, 1] += v[0]
    m[1, 1] -= v[1] * m[0, 1]
    m[2, 1] *= m[1, 1]
    m[2, 2] /= 2 + m[1, 1] ** 2
    m[2, 0] **= 2
    return out(m)


@case(X)
def ellipsis_(x):
    x[...] = x * 2
    x[:] = x * x
    return out(x)


@case(X)
def shifted(x):
    x[1:] = x[:-1]
    return out(x)


@case(X)
def shifted_back(x):
    x[:-1] = x[1:]
    return out(x)


@case(X)
def shifted_added(x):
    x[1:] += x[:-1]
    return out(x)


@case(X)
def shifted_multiplied(x):
    x[1:] *= x[:-1]
    return out(x)


@case(X)
def shifted_divided(x):
    x[:-1] /= 2.0 + x[1:]
    return out(x)


@case(X)
def reversed_into_itself(x):
    x[:] = x[::-1]
    x[::-1] *= x
    return out(x)


@case(np.arange(1.0, 5.0))
def integers_power(x):
    x **= 2
    x[1:] **= 1.5
    x %= 2.9
    return out(x)


@case(X, 0.3)
def new_axis(x, v):
    x[np.newaxis, 1:] = v * x[None, :-1]
    return out(x)


@case(np.array(0.7), 0.4)
def rank_zero(x, v):
    x[()] = x * v
    x += v
    return out(x)


# Names against objects

@case(X, Y)
def augmented_name(x, y):
    x += y
    x *= y
    x -= 0.3
    x /= 2.0
    return out(x)


@case(X, Y)
def augmented_and_rebound(x, y):
    z = x
    x = x + y
    z += y
    return out(x, z)


@case(X, Y)
def alias_sees_update(x, y):
    z = x
    x += y
    return out(z)


@case(X)
def twice_itself(x):
    x += x
    x *= x
    return out(x)


@case(X, Y)
def swapped_names(a, b):
    for _ in range(3):
        a, b = b, a
        a[0] = b[1] * a[0]
    return out(a)


@case(X)
def swapped_items(a):
    a[0], a[2] = a[2], a[0]
    a[1], a[2] = a[2] * a[1], a[1]
    return out(a)


@case(M)
def swapped_rows(m):
    m[[0, 2]] = m[[2, 0]]
    m[:, [0, 1]] = m[:, [1, 0]]
    return out(m)


@case(M)
def swapped_row_copies(m):
    m[0], m[1] = m[1].copy(), m[0].copy()
    return out(m)


@case(M)
def swapped_row_views(m):
    m[0], m[1] = m[1], m[0]       # NumPy's trap: the second write reads what the first has written
    return out(m)


# Arrays of one's own

@case(X)
def empty_filled(x):
    y = np.empty(4)
    for i in range(4):
        y[i] = x[i] * x[3 - i]
    return out(y)


@case(X)
def empty_like_filled(x):
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, 4):
        y[i] = y[i - 1] * x[i]
    return out(y)


@case(X)
def ndarray_filled(x):
    y = np.ndarray((2, 4), dtype=np.float64)
    y[0] = x
    y[1] = y[0] * x
    return out(y)


@case(X)
def full_overwritten_twice(x):
    y = np.full(4, 0.5)
    y[1:3] = x[:2]
    y[2:] = x[2:] * y[1:3]
    return out(y)


@case(X)
def scalar_buffer(x):
    best = np.zeros(1)
    for i in range(len(x)):
        best[0] = np.tanh(best[0] * x[i] + 0.3)
    return best[0]


@case(X, 3)
def ping_pong(u, n):
    v = np.zeros_like(u)
    for _ in range(n):
        v[1:-1] = u[1:-1] * (u[2:] + u[:-2])
        u, v = v, u
    return out(u, v)


@case(X)
def ping_pong_list(u):
    buffers = [u, np.zeros_like(u)]
    for t in range(3):
        a, b = buffers[t % 2], buffers[1 - t % 2]
        b[1:] = a[:-1] * a[1:]
    return out(*buffers)


# out= and functions that write

@case(X, Y)
def ufunc_out(x, y):
    np.multiply(x, y, out=x)
    np.exp(x, x)
    np.add(x, x, out=(y,))
    return out(x, y)


@case(X, Y)
def ufunc_out_where(x, y):
    np.sqrt(np.abs(x), out=y, where=x > 0)
    return out(x, y)


@case(X, Y)
def ufunc_out_slice(x, y):
    np.multiply(x[1:], y[1:], out=x[:-1])
    np.tanh(x[::2], out=x[::2])
    return out(x, y)


@case(X, Y)
def out_returned(x, y):
    z = np.subtract(x, y, out=np.empty_like(x))
    z[0] *= 2.0
    return out(np.negative(z, out=z))


@case(M, Y[:3])
def product_out(m, v):
    w, p = np.empty(3), np.zeros((3, 3))
    np.dot(m, v, out=w)
    np.matmul(m, m, out=p)
    v[:] = w
    m.dot(p, out=p[:, :].copy())
    return out(w, p, v)


@case(M, X[:3])
def reductions_out(m, v):
    np.sum(m, axis=0, out=v)
    m.sum(axis=1, out=m[0])
    np.cumsum(v, out=v)
    np.cumprod(m[1], out=m[2])
    m.mean(axis=0, out=m[:, 0])
    np.max(m, axis=0, out=m[1])
    return out(m, v)


@case(M, X[:3])
def others_out(m, v):
    np.clip(m, -0.5, 0.8, out=m)
    np.take(m, [2, 0, 1], axis=0, out=m.copy())
    np.einsum('ij,j->i', m, v, out=v.copy())
    np.concatenate([v[1:], v[:1]], out=m[0])
    np.outer(v, v, out=m)
    return out(m, v)


@case(X, 0.7)
def fill(x, v):
    y = x * x
    y[1:].fill(v * v)
    return out(x, y)


@case(X)
def sort(x):
    x.sort()
    return out(x * np.arange(4.0))


@case(M)
def sort_axis(m):
    m.sort(axis=0)
    m[0].sort()
    return out(m * np.arange(3.0))


@case(X)
def partition(x):
    x.partition(1)
    return out(x[:1])


@case(M)
def partition_axis(m):
    m.partition(1, axis=1)
    return out(m[:, 1])


@case(X, Y)
def put(x, y):
    np.put(x, [0, 2, 2], y[:3])
    x.put([1], y[3])
    np.put(x, [3, 0], 0.5 * y[0])
    return out(x)


@case(M, X[:3])
def put_along_axis(m, v):
    np.put_along_axis(m, np.array([[2], [0], [1]]), v[:, None], axis=1)
    return out(m)


@case(X, Y)
def add_at(x, y):
    np.add.at(x, [0, 2, 2, 1], y)
    np.subtract.at(x, [0, 0], y[:2])
    np.add.at(x, 1, y[2])
    return out(x)


@case(X, Y)
def multiply_at(x, y):
    np.multiply.at(x, [0, 2, 2, 1], y)
    return out(x)


@case(X, Y)
def divide_at(x, y):
    np.divide.at(x, [0, 2, 2, 1], y)
    return out(x)


@case(X, Y)
def extreme_at(x, y):
    np.maximum.at(x, [0, 2, 2, 1], y)
    np.minimum.at(x, [3, 3], y[:2])
    return out(x)


@case(X)
def unary_at(x):
    np.negative.at(x, [0, 1])
    return out(x)


@case(M)
def add_at_pairs(m):
    h = np.zeros((2, 2))
    np.add.at(h, ([0, 1, 0], [1, 1, 1]), m[0])
    return out(h)


@case(X, Y)
def copyto(x, y):
    np.copyto(x[1:], y[1:] * 2)
    np.copyto(x, y, where=y > 0.7)
    np.copyto(x[:1], 0.3)
    return out(x)


@case(M, Y[:3], 0.4)
def fill_diagonal(m, v, s):
    np.fill_diagonal(m, v)
    p = m * m
    np.fill_diagonal(p, s)
    return out(m, p)


@case(M, Y)
def place_and_putmask(m, y):
    np.place(m, m > 0.5, y[:2])
    np.putmask(m, m < 0, m * 2)
    return out(m)


@case(M, 0.3)
def flat_items(m, v):
    m.flat[4] = v
    m.flat[::2] *= 2.0
    m.flat[[0, 1]] = m.flat[1] * v
    m.flat[0] += m[1, 1]
    return out(m)


@case(M, X[:3])
def flat_all(m, v):
    m.T.flat[...] = 0.1 * m.ravel()
    m.flat = v
    m[1, 1] = v[0]
    return out(m)


@case(X)
def new_shape(x):
    y = x * 2.0
    y.shape = (2, 2)
    y[0, 1] = y[1, 0] * x[0]
    y[1] *= y[0]
    y.shape = -1
    return out(y * np.arange(4.0))


@case(M, 0.3)
def diagonal_view(m, v):
    m.reshape(-1)[::4] += v
    np.einsum('ii->i', m)[:] *= 2.0
    return out(m)


@case(X)
def rolled(x):
    x[:] = np.roll(x, 1)
    x[0] = 0.0
    return out(x)


@case(X, Y)
def where_(x, y):
    x[:] = np.where(x > y, x * 2, y)
    return out(x)


# Views

@case(X)
def view_written(x):
    y = x * 2
    z = y
    z[0] = 5.0 * x[1]
    return out(y)


@case(X)
def slice_written(x):
    y = x * 2
    v = y[1:]
    v[0] = 7.0 * x[0]
    return out(y, v)


@case(M)
def reshaped_written(m):
    r = m.reshape(-1)
    r[3] = 0.0
    r[4] = r[0] * r[1]
    return out(m)


@case(M)
def transposed_written(m):
    m.T[0] = m[1]
    m.T[1, 2] = m[0, 0] ** 2
    return out(m)


@case(M)
def view_of_view(m):
    v = m[1:]
    w = v[:, 1:]
    u = w.T
    u[0] *= v[0, 0]
    v[0] = 0.5
    m[2, 2] = u[1, 0] * w[1, 1]
    return out(m, v, w, u)


@case(M)
def ravel_written(m):
    np.ravel(m)[1:3] = m[2, :2] * m[1, :2]
    m.ravel('F')[0] = 100.0        # a copy: no effect
    return out(m)


@case(M)
def rows_written(m):
    for row in m:
        row[:] = row[::-1] * row[0]
    return out(m)


@case(M)
def rows_numbered(m):
    for i, row in enumerate(m):
        row[i] = row.sum()
        row *= 0.5 + i
    return out(m)


@case(M, X[:3])
def rows_zipped(m, v):
    for row, a in zip(m, v):
        row -= a
        row[0] = a * row[1]
    return out(m)


@case(M)
def rows_of_transpose(m):
    for column in m.T:
        column /= np.sqrt(column @ column)
    return out(m)


@case(M)
def swapped_axes(m):
    np.swapaxes(m, 0, 1)[0, 1:] = m[0, 1:] * 2
    np.moveaxis(m, 0, 1)[2] += m[1]
    m[None][0, 1] *= m[0]
    return out(m)


@case(M)
def splits_written(m):
    a, b = np.split(m, [1])
    a[0] = b[0] * b[1]
    b[1, :] = a[0]
    return out(m)


@case(M)
def unpacked_rows_written(m):
    a, b, c = m
    a += b
    c[:] = a * b
    return out(m)


@case(np.array([1.0, 2.0, 3.0]))
def broadcast_read(x):
    m = np.zeros((2, 3))
    b = np.broadcast_to(x, (2, 3))
    m[:] = b * b
    m[0] = x
    return out(m)


@case(X)
def diag_view_read(x):
    m = np.outer(x, x)
    d = np.diagonal(m)
    m[0, 0] = 3.0 * x[1]
    return out(m) + out(d.copy())


@case(M)
def condition_on_view(m):
    v = m[0] if m[0, 0] > 0 else m[1]
    v[0] = m[2, 2] * 2
    return out(m)


# Calls

def write_square(src, dst):
    dst[:] = src ** 2


def halve(v):
    v *= 0.5


def first_doubled(v):
    v[0] *= 2.0
    return v[0]


def tail_of(v):
    v[0] = v[1] * 0.5
    return v[1:]


def through(v, w):
    write_square(v, w)
    halve(w[1:])
    return None


def recursive(v, n):
    if n > 0:
        v[n] += v[n - 1] * v[n]
        recursive(v, n - 1)


def recursive_halves(v):
    if len(v) > 1:
        recursive_halves(v[:len(v) // 2])
        recursive_halves(v[len(v) // 2:])
        v[0] = v[0] * v[-1]


def either(a, b, flag):
    return a if flag else b


@case(X, Y)
def call_for_effect(x, y):
    write_square(x, y)
    return out(x, y)


@case(X)
def call_with_slice(x):
    write_square(x[:2], x[2:])
    halve(x[1:3])
    return out(x)


@case(X)
def call_with_both_the_same(x):
    write_square(x, x)
    return out(x)


@case(X)
def call_with_overlap(x):
    write_square(x[1:], x[:-1])
    return out(x)


@case(X, Y)
def call_returns_something_else(x, y):
    a = first_doubled(x)
    return out(x) * a + out(y)


@case(X)
def call_returns_view(x):
    t = tail_of(x)
    t *= 2.0
    x[3] = t[0] * t[1]
    return out(x, t)


@case(X, Y)
def call_of_call(x, y):
    through(x, y)
    return out(y)


@case(X)
def call_recursive(x):
    recursive(x, 3)
    return out(x)


@case(X)
def call_recursive_views(x):
    recursive_halves(x)
    return out(x)


@case(X, Y, True)
def call_chooses(x, y, flag):
    z = either(x, y, flag)
    z[0] = x[1] * y[1]
    return out(x, y)


@case(X, Y)
def call_unknown(x, y):
    functions = [halve, first_doubled, lambda v: write_square(v, y)]
    for f in functions:
        f(x)
    return out(x, y)


@case(X)
def call_partial(x):
    y = np.zeros(4)
    g = functools.partial(write_square, dst=y)
    g(x)
    g(y * x)
    return out(x, y)


@case(X)
def closure_writes(x):
    y = np.zeros(4)

    def note(i, v):
        y[i] = v * x[i]
    for i in range(4):
        note(i, x[3 - i])
    return out(y)


def call_with(v, f):
    f(v)


@case(X)
def lambda_writes(x):
    y = x * 1.0
    call_with(y, lambda v: v.__setitem__(0, x[1] * x[2]))
    call_with(y, lambda v: v.sort())
    return out(y * np.arange(4.0))


@case(X, Y)
def keyword_out(x, y):
    write_square(dst=y, src=x)
    write_square(x, dst=x) if x[0] > 9.0 else np.add(x, y, out=x)
    None if x[1] > 9.0 else halve(y)
    return out(x, y)


@case(X)
def default_buffer(x):
    def step(v, scratch=None):
        scratch = np.empty_like(v) if scratch is None else scratch
        scratch[:] = v * v
        v += scratch
        return scratch
    s = step(x)
    return out(x, step(x, s))


def kernel(A, B, n):
    for _ in range(n):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A[1:-1] = B[1:-1] * B[:-2]


@case(X, Y)
def kernel_called_for_effect(a, b):
    kernel(a, b, 2)
    return out(a, b)


@case(X)
def args_of_star(x):
    pair = [x, x * 2.0]
    write_square(*pair)
    through(**{'v': pair[1], 'w': pair[0]})
    return out(x, pair[1])


# Containers and objects

@case(X, Y)
def arrays_in_list(x, y):
    xs = [x, y]
    xs[0][1] = xs[1][2] * 2
    for v in xs:
        v *= 0.5
    xs[1] = xs[0]
    xs[1][0] = 3.0 * y[0]
    return out(x, y)


@case(X, Y)
def arrays_in_dict(x, y):
    state = {'a': x, 'b': y}
    state['a'][0] = state['b'][1] ** 2
    state['b'] += state['a']
    state['a'], state['b'] = state['b'], state['a']
    for key in state:
        state[key][1:] *= 2.0
    return out(state['a'], x)


@case([X, Y])
def list_given(xs):
    xs[0][0] = xs[1][1] * 2
    xs[1] = xs[1] * xs[0]
    return out(*xs)


@case({'a': X, 'b': M})
def dict_given(table):
    table['b'][0] *= table['a'][:3]
    table['c'] = table['a'] * 2.0
    table['a'][0] = table['c'][1]
    return out(table['a'], table['b'], table['c'])


class State:
    def __init__(self, u):
        self.u = u
        self.history = []

    def set(self, k, v):
        self.u[k] = v

    def step(self, dt):
        self.u += dt * np.sin(self.u)
        self.u[0] = self.u[-1] * 0.5
        self.history.append(self.u.copy())

    def swap(self, other):
        self.u, other.u = other.u, self.u

    def __setitem__(self, k, v):
        self.u[k] = v * 2.0

    def __getitem__(self, k):
        return self.u[k]

    def __iadd__(self, v):
        self.u += v
        return self


@case(X, 0.2)
def object_steps(x, dt):
    s = State(x)
    for k in range(3):
        s.step(dt)
        s.set(k, s.u[k] * dt)
    return out(x, s.u, s.history[1])


@case(X, Y)
def object_with_items(x, y):
    s, t = State(x), State(y)
    s[0] = t[1]
    s[1:] = y[1:]
    s += y
    s.swap(t)
    s.u[2] = 0.3 * t.u[1]
    return out(x, y, s.u)


@case(X)
def attribute_array(x):
    class_like = State(np.zeros(4))
    class_like.u[1:] = x[:-1]
    class_like.u[0] += class_like.u[3]
    alias = class_like.u
    alias *= x
    return out(class_like.u)


@case(X)
def deque_of_arrays(x):
    d = collections.deque([x.copy(), x * 2.0], maxlen=2)
    for _ in range(3):
        v = d[0] * d[1]
        v[0] = 0.5
        d.append(v)
        d[0][1] *= 1.5
    return out(*d)


@case(X)
def list_of_rows_to_array(x):
    rows = [x * k for k in range(1, 4)]
    rows[1][2] = rows[0][1] * 2
    m = np.array(rows)
    m[0] = rows[2]
    rows[2][:] = 0.0
    return out(m, rows[1])


@case(M)
def list_of_views(m):
    rows = [r for r in m]
    rows[0][1] = rows[2][0] * 3
    rows.reverse()
    rows[0][:] += rows[1]
    return out(m)


@case(X, Y)
def passive_arrays_keep_their_identity(x, y):
    y[3] = 0.5
    table = {'x': x * 1.0}
    table['y'] = y
    xs = [x * 2.0]
    xs.append(y)
    y[0] = 5.0
    [x, y][1][1] += 2.0
    {'a': y}['a'][2] = 3.0
    return np.sum(table['x']) * np.sum(table['y']) + np.sum(xs[0] * xs[1]) + np.sum(x)


passive_arrays_keep_their_identity.wrt = (0,)


@case(X, Y)
def passive_factors_change_later(x, y):
    z = [x * 1.0][0]
    z *= y
    z[1:] *= y[1:]
    z[0] *= y[2]
    y[2] = 7.0
    y += 1.0
    return out(z)


passive_factors_change_later.wrt = (0,)


# Control flow around writes

@case(X)
def written_in_branches(x):
    for i in range(4):
        if x[i] > 0.35:
            x[i] = x[i - 1] * 2
        elif i == 0:
            x[i] += 1.0
        else:
            continue
        x[i] *= x[i]
    return out(x)


@case(X)
def written_until(x):
    n = 0
    while np.sum(x * x) > 0.3:
        x *= 0.7
        x[n % 4] *= 0.9
        n += 1
        if n > 6:
            break
    return out(x) * n


@case(X)
def written_then_raises(x):
    y = x.copy()
    try:
        y[0] = x[1] * 2
        y[7] = 1.0
    except IndexError:
        y[1] = y[0] * x[0]
    finally:
        y *= x
    return out(y)


@case(X)
def early_return(x):
    for i in range(4):
        x[i] = x[i] ** 2
        if x[i] > 1:
            return out(x)
    return x[0]


@case(X)
def overwritten_before_read(x):
    y = x * 2
    y[:] = 3.0
    return out(y) + x[0]


@case(X)
def read_then_overwritten(x):
    y = np.sin(x)
    a = y[1]
    b = y * x
    y[1] = 0.0
    y[:] = x
    return out(y, b) * a


@case(M)
def triangular_solve(m):
    b = m[0].copy()
    for i in range(3):
        for j in range(i):
            b[i] -= m[i, j] * b[j]
        b[i] /= m[i, i] + 2.0
    return out(b)


@case(M)
def gauss(m):
    a = m + 2.0 * np.eye(3)
    for k in range(3):
        a[k + 1:, k] /= a[k, k]
        a[k + 1:, k + 1:] -= np.outer(a[k + 1:, k], a[k, k + 1:])
    return out(a)


@case(X)
def comprehension_reads_buffer(x):
    y = np.zeros(4)
    y[1:] = x[1:]
    s = sum([v * v for v in y])
    y[:] = 1.0
    return s + out(y)


@case(X, 2)
def counted(x, n):
    count = np.zeros(3, dtype=int)
    for v in x:
        k = int(v > 0) + n % 2
        count[k] += 1
        x[count[k] % 4] += v * 0.5
    return out(x)


@case(X)
def through_numpy_copy(x):
    y = np.array(x)
    z = np.asarray(y)
    w = np.array(y, copy=True)
    z[0] = 9.0 * x[1]
    return out(y, w)


@case(np.array([0.3, -0.7, 1.1, 0.4], dtype=np.float64), X)
def astype_copies(x, y):
    z = x.astype(float)
    z[0] = y[1] ** 2
    w = x.astype(float, copy=False)
    w[1] = y[2] ** 2
    return out(x, z, w)


# Complex numbers

Z = np.array([0.3 + 0.4j, -0.7 + 0.2j, 1.1 - 0.5j])


@case(X)
def complex_buffer(x):
    z = np.zeros(4, dtype=complex)
    z[:] = np.exp(1j * x)
    z[1:] *= z[:-1] * x[1:]
    z[0] += 0.5j
    return out(z.real, z.imag)


@case(X, Y)
def parts_assigned(x, y):
    z = np.zeros(4, dtype=complex)
    z.real = x * y
    z.imag = np.sin(y)
    z *= z
    return out(z.real) + np.sum(np.abs(z))


@case(X, Y)
def parts_written(x, y):
    z = np.zeros(4, dtype=complex)
    z.real[1:] = x[:-1]
    z.imag[...] = y
    z.imag[0] *= z.real[1]
    z.imag += z.real
    return out(np.abs(z * z), z.imag)


@case(X)
def complex_aliases(x):
    z = x * (1.0 + 0.5j)
    w = z[1:]
    w[0] = z[3] * z[0]
    np.multiply(z, w[0], out=z)
    np.conjugate(z, out=z)
    return out(np.abs(w)) + np.sum((z * 1j).real)


def butterfly(a, b, w):
    for k in range(2):
        u, v = a[k], a[k + 2] * w
        b[2 * k] = u + v
        b[2 * k + 1] = u - v


@case(X)
def complex_calls(x):
    a = x.astype(complex)
    b = np.empty_like(a)
    for k in range(2):
        butterfly(a, b, np.exp(-1j * np.pi * k / 2))
        a, b = b, a
    return out(np.abs(a) ** 2)


@case(Z, X[:3])
def complex_argument(z, x):
    z[0] = z[1] * x[0]
    z[1:] += 1j * x[1:]
    z **= 2
    return out(z.real, z.imag)


@case(Z)
def complex_at(z):
    h = np.zeros(2, dtype=complex)
    np.add.at(h, [0, 1, 0], z * z)
    return np.sum(np.abs(h) ** 2)
