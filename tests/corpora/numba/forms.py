# ruff: noqa - programs as people write them
"""Forms of Python and NumPy that Numba takes: containers, functions as values, layouts, slices, masks, options."""
import functools
import math
from collections import namedtuple

import numba as nb
import numpy as np
from numba import njit, prange, types
from numba.typed import Dict, List

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)
R = np.random.RandomState(7)
V = R.randn(5)
M = R.randn(4, 5)
T3 = R.randn(2, 3, 4)


# Functions as values

@njit
def square(x):
    return x * x


@njit
def cube(x):
    return x ** 3


@njit
def apply_twice(f, x):
    return f(f(x))


@njit
def function_argument(x):
    return apply_twice(square, x) + apply_twice(cube, x)


case(function_argument, 0.8)


@njit
def chosen_function(x, n):
    if n > 2:
        f = square
    else:
        f = cube
    return f(x) * 2.0


case(chosen_function, 0.8, 3)


@njit
def integrate(f, a, b, n):
    h = (b - a) / n
    s = 0.0
    for i in range(n):
        s += f(a + (i + 0.5) * h)
    return s * h


@njit
def quadrature(a, b):
    return integrate(math.sin, a, b, 4) if False else integrate(square, a, b, 6) + integrate(cube, a, b, 3)


case(quadrature, 0.2, 1.4)


@njit
def with_lambda(x):
    return apply_twice(lambda t: t * t + 1.0, x)


case(with_lambda, 0.8)


def make_power(n):
    @njit
    def power(x):
        r = 1.0
        for _ in range(n):
            r *= x
        return r
    return power


power3, power4 = make_power(3), make_power(4)


@njit
def from_factory(x):
    return power3(x) + power4(x)


case(from_factory, 0.8)
case(power3, 0.8)


def make_newton(f, df):
    @njit
    def newton(x, a):
        for _ in range(20):
            x = x - (f(x) - a) / df(x)
        return x
    return newton


newton_cube = make_newton(cube, njit(lambda x: 3.0 * x * x))
case(newton_cube, 1.2, 2.0, wrt=[(1,)])


@njit
def inner_closure(x, k):
    def shifted(y):
        return y * k + x

    total = 0.0
    for i in range(3):
        total += shifted(i * x)
    return total


case(inner_closure, 0.8, 1.3)


@njit
def keyword_call(x):
    return scaled(y=x, factor=2.0) + scaled(x, factor=x) + scaled(x)


@njit
def scaled(y, factor=3.0):
    return y * y * factor


case(keyword_call, 0.8)


# Containers

@njit
def reflected_list(xs):
    s = 0.0
    for x in xs:
        s += x * x
    return s + xs[0]


case(reflected_list, [0.5, 1.5, -0.3])


@njit
def list_of_arrays(a):
    parts = [a[:2], a[2:] * 2.0]
    s = 0.0
    for p in parts:
        s += np.sum(p * p)
    return s


case(list_of_arrays, V)


@njit
def typed_list_inside(x):
    l = List()
    for i in range(4):
        l.append(x * i)
    s = 0.0
    for v in l:
        s += v * v
    return s + l[2]


case(typed_list_inside, 0.8)


@njit
def typed_dict_inside(x):
    d = Dict()
    for i in range(4):
        d[i] = x * i
    s = 0.0
    for k in d:
        s += d[k] * d[k]
    return s


case(typed_dict_inside, 0.8)


@njit
def dict_of_names(x, y):
    d = {'a': x, 'b': y * x}
    d['c'] = d['a'] * d['b']
    return d['c'] + d['a']


case(dict_of_names, 0.8, 0.5)


@njit
def list_pop_insert(x):
    stack = [x, 2.0 * x, x * x]
    s = 0.0
    while len(stack) > 0:
        v = stack.pop()
        s += v * s + v
    return s


case(list_pop_insert, 0.8)


@njit
def comprehension(xs):
    sq = [x * x for x in xs if x > 0]
    return sum(sq) + max(sq)


case(comprehension, V)


@njit
def nested_tuples(p):
    (a, b), c = p
    return a * b + c


case(nested_tuples, ((0.5, 0.7), 1.1))


@njit
def tuple_results(x):
    def pair(t):
        return t * t, t + 1.0
    a, b = pair(x)
    c, _ = pair(b)
    return a * c


case(tuple_results, 0.8)


@njit
def zip_enumerate(a, b):
    s = 0.0
    for i, (x, y) in enumerate(zip(a, b)):
        s += (i + 1) * x * y
    return s


case(zip_enumerate, V, R.randn(5))


State = namedtuple('State', 'pos vel n')


@njit
def advance(s, dt):
    return State(s.pos + dt * s.vel, s.vel - dt * s.pos, s.n + 1)


@njit
def record_of_arrays(pos, vel, dt):
    s = State(pos, vel, 0)
    while s.n < 3:
        s = advance(s, dt)
    return np.sum(s.pos ** 2) + s.n


case(record_of_arrays, R.randn(3), R.randn(3), 0.1)


# Layouts

@njit
def any_layout(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s += a[i, j] ** 2 * (i + 2 * j)
    return s + np.sum(a[:, 0] * a[:, -1])


case(any_layout, M)
case(any_layout, np.asfortranarray(M))
case(any_layout, R.randn(8, 10)[::2, ::2])
case(any_layout, M[::-1, ::-1])
case(any_layout, M.T)


@njit
def zero_dim(a):
    return a[()] * a[()] + 1.0


case(zero_dim, np.array(0.7))


@njit
def three_dim(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += np.sum(a[i, :, 1:] * a[i, :, :-1])
    return s + a[0, 1, 2] ** 2


case(three_dim, T3)


@njit
def flat_ravel(a):
    s = 0.0
    for v in a.flat:
        s += v * v
    r = a.ravel()
    f = a.flatten()
    return s + r[3] * f[2] + a.reshape(-1)[1]


case(flat_ravel, M)


@njit
def nditer_ndindex(a):
    s = 0.0
    for idx in np.ndindex(a.shape):
        s += a[idx] ** 2
    for i, v in np.ndenumerate(a):
        s += v * i[0]
    return s


case(nditer_ndindex, M)


@njit
def transposes(a):
    b = a.T @ a
    c = np.ascontiguousarray(a.T)
    return np.trace(b) + np.sum(c[1] * c[2]) + np.sum(np.transpose(a)[0])


case(transposes, M)


# Slices, masks, index arrays

@njit
def masked(a):
    b = a.copy()
    b[a < 0] = 0.1
    return np.sum(b[b > 0.2] ** 2) + np.sum(np.where(a > 0, a * a, -a))


case(masked, V)


@njit
def fancy(a, idx):
    return np.sum(a[idx] ** 2) + np.sum(a[idx[:2]])


case(fancy, V, np.array([0, 2, 2, 4]))


@njit
def slice_writes(a):
    b = np.zeros((3, 5))
    b[0] = a
    b[1, 1:4] = a[:3] * 2
    b[2, ::2] = a[::2]
    b[:, 0] += a[0]
    b[1:, -1] *= 1.5
    return np.sum(b * b)


case(slice_writes, V)


@njit
def negative_strides(a):
    return np.sum(a[::-1] * a) + np.sum(a[3:0:-1] ** 2) + a[-2]


case(negative_strides, V)


@njit
def views_of_rows(a):
    row = a[1]
    row[2] = row[0] * row[1]
    a[0] += row
    return np.sum(a * a)


case(views_of_rows, M)


@njit
def fill_helper(out, x):
    for i in range(out.shape[0]):
        out[i] = x * (i + 1)


@njit
def effects_across_calls(x):
    buf = np.empty(4)
    fill_helper(buf, x)
    fill_helper(buf[1:], x * x)
    return np.sum(buf ** 2)


case(effects_across_calls, 0.8)


@njit
def swap_rows(a):
    a = a.copy()
    for k in range(a.shape[0] - 1):
        for j in range(a.shape[1]):
            a[k, j], a[k + 1, j] = a[k + 1, j], a[k, j]
    return np.sum(a * np.arange(a.size).reshape(a.shape))


case(swap_rows, M)


@njit
def gauss_pivot(A, b):
    n = len(b)
    A = A.copy()
    x = b.copy()
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[p, k]):
                p = i
        if p != k:
            for j in range(n):
                t = A[k, j]
                A[k, j] = A[p, j]
                A[p, j] = t
            x[k], x[p] = x[p], x[k]
        for i in range(k + 1, n):
            m = A[i, k] / A[k, k]
            for j in range(k, n):
                A[i, j] -= m * A[k, j]
            x[i] -= m * x[k]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] -= A[i, j] * x[j]
        x[i] /= A[i, i]
    return np.sum(x ** 2)


case(gauss_pivot, R.randn(4, 4), R.randn(4))


# Numbers of other kinds

@njit
def float32_loop(x):
    s = np.float32(0.0)
    for v in x:
        s += v * v * np.float32(0.5)
    return s


@njit
def complex_array(z):
    w = np.exp(z) * np.conj(z)
    return np.sum(np.abs(w) ** 2) + np.sum(w.real)


@njit
def integer_array(k):
    s = 0.0
    for i in range(k.size):
        s += math.sqrt(k[i]) * k[i]
    return s


case(integer_array, np.array([1, 2, 3]), wrt=[(0,)])


@njit
def bool_flags(a, flags):
    s = 0.0
    for i in range(a.size):
        if flags[i]:
            s += a[i] ** 2
        else:
            s -= a[i]
    return s


case(bool_flags, V, np.array([True, False, True, True, False]))


# Control

@njit
def while_true_many_exits(x):
    n = 0
    while True:
        n += 1
        x = x * 0.7 + 0.1
        if x < 0.4:
            return x * n
        if n > 10:
            break
        if n % 3 == 0:
            continue
        x *= 1.1
    return -x


case(while_true_many_exits, 1.9)


@njit
def raises_on_bad(x):
    if x <= 0:
        raise ValueError('x must be positive')
    if not math.isfinite(x):
        raise OverflowError
    assert x < 100, 'too big'
    return math.log(x)


case(raises_on_bad, 1.3)


@njit
def raising_helper(x):
    if x < 0:
        raise ValueError
    return math.sqrt(x)


@njit
def calls_raising(x):
    total = 0.0
    for i in range(3):
        total += raising_helper(x + i)
    return total


case(calls_raising, 0.3)


@njit
def for_else(x, n):
    for i in range(n):
        x = x * x
        if x > 50:
            break
    else:
        x = x + 1.0
    return x


case(for_else, 1.1, 3)
case(for_else, 2.1, 5)


@njit
def unreachable_none(x, flag=None):
    y = x * x
    if flag is not None:
        y = y * flag
    return y


case(unreachable_none, 0.8)
case(unreachable_none, 0.8, 2.0)


@njit
def try_except(x):
    try:
        y = raising_helper(x)
    except Exception:
        y = -x
    return y * 2.0


case(try_except, 0.8)


@njit
def generator_sum(x):
    s = 0.0
    for v in squares_of(x, 4):
        s += v
    return s


@njit
def squares_of(x, n):
    for i in range(n):
        yield x * x * i


case(generator_sum, 0.8)


# Options

@njit(parallel=True, fastmath=True)
def parallel_dots(a, b):
    s = 0.0
    for i in prange(a.shape[0]):
        s += np.dot(a[i], b)
    return s


case(parallel_dots, M, R.randn(5))


@njit(boundscheck=True)
def checked(a, i):
    return a[i] * a[-1]


case(checked, V, 2)


@njit(inline='always')
def inlined(x, y):
    return x * y + math.sin(x)


@njit
def uses_inlined(x):
    return inlined(x, 2.0) * inlined(2.0, x)


case(uses_inlined, 0.8)


@njit('float64(float64[:], float64[:, ::1])')
def signed(v, m):                       # loops: a signature has it compiled wherever the file is imported
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += m[i, j] * v[j]
    return s * v[0]


case(signed, V, M.copy())


@njit([(nb.float64[:],), (nb.float32[:],)])
def several_signatures(v):
    s = 0.0
    for e in v:
        s += e * e
    return s


case(several_signatures, V)


@njit(locals={'s': nb.float64})
def with_locals(x, n):
    s = 0
    for i in range(n):
        s += x * i
    return s * s


case(with_locals, 0.8, 4)


@nb.vectorize
def rel_diff(x, y):
    return 2 * (x - y) / (x + y)


@njit
def uses_vectorized(a, b):
    return np.sum(rel_diff(a, b) ** 2)


case(uses_vectorized, np.abs(V) + 1, np.abs(R.randn(5)) + 1)


@nb.guvectorize([(nb.float64[:], nb.float64, nb.float64[:])], '(n),()->(n)')
def g_scale(x, y, res):
    for i in range(x.shape[0]):
        res[i] = x[i] * y


@njit
def uses_guvectorized(a):
    r = np.empty_like(a)
    g_scale(a, 2.0, r)
    return np.sum(r * r)


case(uses_guvectorized, V)


@nb.experimental.jitclass([('k', nb.float64)])
class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x * x


@njit
def uses_jitclass(x):
    s = Spring(2.0)
    return s.energy(x)


case(uses_jitclass, 0.8)


@njit
def object_mode(x):
    with nb.objmode(y='float64'):
        y = float(np.sin(x))
    return y * x


case(object_mode, 0.8)


@njit
def structured(rec):
    s = 0.0
    for r in rec:
        s += r.a * r.b
    return s


@njit
def literal_unroll_loop(x):
    s = 0.0
    for k in nb.literal_unroll((1, 2.5, 3)):
        s += k * x * x
    return s


case(literal_unroll_loop, 0.8)


@njit
def star_args(*xs):
    s = 0.0
    for x in xs:
        s += x * x
    return s


case(star_args, 0.8, 0.5, wrt=[(0, 1)])


@njit
def unpack_array(a):
    x, y, z = a[0], a[1], a[2]
    p, q = a.shape[0], a.ndim
    return x * y * z * p + q


case(unpack_array, V)


@njit
def string_option(x, kind):
    if kind == 'square':
        return x * x
    elif kind == 'cube':
        return x ** 3
    raise ValueError('unknown kind')


case(string_option, 0.8, 'cube')


@njit
def match_statement(x, k):
    match k:
        case 0:
            y = x
        case 1:
            y = x * x
        case _:
            y = x ** 3
    return y


case(match_statement, 0.8, 1)


@njit
def random_inside(x, seed):
    np.random.seed(seed)
    s = 0.0
    for _ in range(4):
        s += x * np.random.normal(0.0, 1.0)
    return s * s


case(random_inside, 0.8, 42)


@njit
def prints(x):
    y = x * x
    print('y is', y)
    return y


case(prints, 0.8)


@njit
def planes(a):
    for i in range(a.shape[0]):
        plane = a[i]
        for j in range(1, plane.shape[0]):
            row = plane[j]
            row[0] = row[1] * plane[j - 1, 2]
            row += 0.5 * a[0, 0]
    return np.sum(a ** 2)


case(planes, T3)


@njit
def thrice_swapped(u, f, n):
    new = u.copy()
    old = u.copy()
    for _ in range(n):
        for i in range(1, len(u) - 1):
            new[i] = 0.5 * (old[i - 1] * f + old[i + 1])
        tmp = old
        old = new
        new = tmp
    return np.sum(old * old) + new[1]


case(thrice_swapped, V, 0.7, 3)


@njit
def given_arrays_swapped(a, b):
    for k in range(3):
        for i in range(1, a.shape[0] - 1):
            b[i] = a[i] + 0.1 * a[i - 1] * a[i + 1]
        a, b = b, a
    return a[2] * b[1]


case(given_arrays_swapped, V, R.randn(5))


@njit
def given_function(f, x, n):
    s = 0.0
    for i in range(n):
        s += f(x * i)
    return s


case(given_function, square, 0.8, 4, wrt=[(1,)])


Economy = namedtuple('Economy', 'alpha beta delta')


@njit
def growth(m, k0, n):
    k = k0
    u = 0.0
    for t in range(n):
        y = k ** m.alpha
        c = (1 - m.alpha * m.beta) * y
        k = y - c + (1 - m.delta) * k * 0.1
        u += m.beta ** t * math.log(c)
    return u


case(growth, Economy(0.33, 0.95, 0.1), 1.2, 4)


@njit
def less_a_part(p, x):
    s = x
    for i in range(p[0].shape[0]):
        s += (1 - p[1]) * s * p[0][i]
    return s


case(less_a_part, (np.array([0.3, 0.7]), 0.2), 1.1)
