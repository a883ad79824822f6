"""Functions for `tests/corpora/test_hunted.py`: what NumPy and callees write into arrays that they are given,
and indices of single numbers."""
import functools
import typing

import numpy as np

from tests.corpora.hunted.hunting import found

V = np.array([0.7, 1.3, 0.4])


# Into an array

@found(V, mixes=('f', 'rf'))
def into_an_array_made_there(x):
    y = np.multiply(x, x, out=np.empty(3))
    return np.sum(y * x)


@found(V, mixes=('f',))
def into_a_tuple_of_one(x):
    b = np.empty(3)
    bs = (b,)
    return np.sum(np.multiply(x, x, out=(b,)) * b) + np.sum(np.multiply(x, b, out=bs) * b)


@found(V, mixes=('f',))
def inside_of_an_expression(x):
    y = x * 1.0
    z = y[0] + np.sum(np.multiply(y, y, out=y)) + y[0]
    return z * x[1] + np.sum(x * y + np.add(np.multiply(y, y, out=y), y, out=y) * y)


@found(V, mixes=('f',))
def inside_of_a_test(x):
    y = x * 1.0
    if np.sum(np.multiply(y, y, out=y)) > 0.1 and np.sum(np.multiply(y, x, out=y)) > 0.1:
        return np.sum(y * x)
    return y[0]


@found(V, mixes=('f',))
def inside_of_a_comprehension(x):
    b = np.zeros(3)
    return np.sum([np.sum(np.multiply(x, v, out=b)) for v in x]) * b[0]


@found(V, mixes=('f',))
def a_copy_by_an_index_is_no_part_of_the_array(x):
    b, i = np.zeros(3), [0, 1]
    y = np.multiply(x[:2], x[1:], out=b[i])
    return np.sum(b) + np.sum(y * y)


@found(V, mixes=('f',))
def an_array_in_a_list(x):
    bs = [np.zeros(3), np.zeros(3)]
    same = bs[1]
    np.multiply(x, x, out=bs[1])
    return np.sum(same * x)


def added(x, y, out=None):
    return np.add(x, y, out=out)


@found(V, mixes=('f',))
def an_array_that_may_be_none(x):
    b, total = np.zeros(3), None
    added(x, x * x, b)
    for _ in range(2):
        total = np.add(b, x if total is None else total, out=total)
    return np.sum(total * b * added(x, x))


@found(V, mixes=('f',))
def by_a_lambda_called_at_once(x):
    b = np.zeros(3)
    (lambda z: np.multiply(z, z, out=b))(x)
    return np.sum(b * x)


@found(V, mixes=('f',))
def several_values_into_several_arrays(x):
    a, b, c = np.empty(3), np.empty(3), np.empty(3)
    np.modf(x * 3.1, a, b)
    f, _ = np.modf(x * 2.3, out=(None, c))
    return np.sum(a * x + f * c)


@found(V, mixes=('f',))
def by_place_in_methods(x):
    m, a, b, c = np.outer(x, x), np.zeros(3), np.zeros(()), np.zeros(3)
    m.dot(x, a)
    x.dot(x, out=b)
    m.sum(0, None, c)
    return np.sum(a * c) * b + x.clip(0.5, max=1.0, out=c) @ a


@found(V, mixes=('f',))
def by_methods_of_ufuncs(x):
    a, b, c = np.zeros(3), np.zeros(()), np.zeros((3, 3))
    np.multiply.accumulate(x, 0, None, a)
    np.add.reduce(a * x, out=b)
    np.multiply.outer(x, a, out=c)
    return np.sum(c @ a) * b + np.add.reduce(a * a, where=x > 0.5, initial=x[1])


@found(V, mixes=('f',))
def by_functions_known_when_running(x):
    b = np.zeros(3)
    for f in [np.sin, np.exp]:
        f(x, out=b)
        x = x + b
    functools.partial(np.multiply, x, out=b)(x)
    return np.sum(b * x)


# Where a mask says so: what it leaves out is nan, or infinite

@found(V, mixes=('f', 'rf', 'ff'))
def powers_where_they_are(x):
    r = np.abs(x - np.array([0.7, 0.0, 0.0]) * (x[0] / 0.7))
    p = np.power(r, -1.5, out=r.copy(), where=r > 1e-9)
    return np.sum(p[1:] * x[1:])


@found(V, mixes=('f', 'rf'))
def elsewhere_what_was_there(x):
    b = x * 2.0
    np.sqrt(x - 0.5, out=b, where=x > 0.5)
    return np.sum(b * x)


@found(V, mixes=('f',))
def a_mask_of_fewer_axes(x):
    a = np.outer(x, x)
    np.multiply(a, x, out=a, where=x > 0.5)
    np.divide(x, x[0], out=a, where=a > 0.6)
    return np.sum(a * x)


@found(V, mixes=('f',))
def a_mask_over_parts(x):
    b, m = np.zeros((3, 3)), x > 0.5
    np.multiply(x, x, out=b[:, 1], where=m)
    np.sin(b[1], out=b[1], where=b[1] > 0.5)
    m[:] = True
    return np.sum(b * x) + np.sum(np.clip(x, None, 1.0, out=b[0], where=[True, True, False]) * x)


def called(f, x, out, mask):
    return f(x, out=out, where=mask)


@found(V, mixes=('f',))
def a_mask_known_when_running(x):
    b, c = x * 2.0, np.zeros(3)
    with np.errstate(divide='ignore'):
        np.divide(x, c, out=c, where=c > 0)
        np.divide(x[0], x, c, where=x > 1)
    return np.sum(b * x * c)


@found(V, mixes=('f',))
def true_is_no_mask(x):
    return np.sum(np.log(x, where=True, out=None) * np.multiply(x, x, None))


# Indices that numbers of NumPy's have

@found(V, mixes=('f', 'rf', 'rr', 'ff'))
def axes_of_a_number(x):
    v = x[0][..., np.newaxis] * x[1][None] * x[2][()] * np.dot(x, x)[x[0] > 0.1]
    return np.sum(v * v) * x[1]


@found(V, mixes=('f',))
def a_number_with_an_axis_that_is_written(x):
    s = np.sum(x * x)[..., None]
    s[0] = s[0] * x[1]
    return s[0] * x[0]


# After an operation whose adjoint reads its own result: `a = np.exp(v)` needs what `a` was before `sweep(a)` wrote into it

W = np.array([0.3, 0.7, 1.1])


def sweep(m):
    for i in range(1, len(m)):
        m[i] = np.tanh(m[i - 1] + m[i])


def double(m):
    m[1:] = m[1:] * 2


def doubled(m):
    m[1:] = m[1:] * 2
    return m


def powers(v):
    a = np.exp(v)
    double(a)
    return a


@found(W, mixes=('f', 'rf'))
def result_of_exp(v):
    a = np.exp(v)
    sweep(a)
    return np.sum(a)


@found(W, mixes=('f',))
def result_of_a_quotient(v):
    a = v / (v + 1)
    double(a)
    return np.sum(a)


@found(W, mixes=('f',))
def result_changed_three_times(v):
    a = np.exp(v)
    for _ in range(3):
        double(a)
    return np.sum(a * a)


@found(W, mixes=('f',))
def result_changed_by_one_of_two(v):
    a = np.tanh(v)
    if v[0] > 0:
        double(a)
    else:
        sweep(a)
    return np.sum(a * a)


@found(W, mixes=('f',))
def result_of_a_callee(v):
    b = powers(v)
    sweep(b)
    return np.sum(b)


@found(W, mixes=('f',))
def result_changed_by_a_function_inside(v):
    a = np.sqrt(v)

    def change(k):
        a[k] = a[k] * 2
    change(1)
    return np.sum(a)


@found(W, mixes=('f',))
def inverse_changed(v):
    m = np.linalg.inv(np.outer(v, v) + 2 * np.eye(3))
    double(m)
    return np.sum(m)


@found(W, mixes=('f',))
def result_changed_and_handed_back(v):
    a = np.exp(v)
    b = doubled(a)
    return np.sum(a * b)


# One callee that writes, and has no plain form, of two others

def put_somewhere(out, k, v):
    try:
        out[k] = v
    except IndexError:
        out[0] = v


def product_in_its_place(d, k):
    out = np.zeros(3)
    put_somewhere(out, k, d[0] * d[1])
    return out


def part_in_its_place(d, k):
    out = np.ones(3)
    put_somewhere(out, k, d[1])
    return out * d


@found(V)
def two_callers_of_one_that_writes(v):
    return np.sum((product_in_its_place(v, 1) + part_in_its_place(v, 5)) * part_in_its_place(v, 2))


# Into all of an array, by its attribute

@found(V)
def by_flat_what_is_made_of_it(v):
    d = np.ones(3) * v[1]
    d.flat = v * d
    return np.sum(d * d)


# An array that is made of `.flat` is a view where NumPy can make one

class Keeps:
    def __init__(self, a):
        self.a = a


@found(V)
def array_of_flat(v):
    a = v * v
    b = np.array(a.flat)
    a[0] = v[1] * 3.0
    return np.sum(b * a)


@found(V)
def array_of_flat_in_an_object(v):
    a = v * v
    k = Keeps(np.array(a.flat))
    a[0] = v[1] * 3.0
    return np.sum(k.a * a)


@found(V)
def written_into_part_of_an_array_of_flat(v):
    a = v * v
    b = [np.array(a.flat)[1:]]
    b[0][0] = v[0] * 3.0
    return np.sum(a * v)


@found(V)
def array_of_flat_of_what_is_transposed(v):
    a = np.outer(v, v)
    b = [np.array(a.T.flat)]
    a[0, 1] = v[0] * 3.0
    return np.sum(b[0] * a.ravel())


# Lists that are made of arrays: their slices are lists of their own, and what a callee does with them is not what it does with arrays

@found(V, mixes=('f', 'rf'))
def slices_of_a_list_that_is_made_of_an_array(x):
    q = list(x * 2)
    q[1:] = [-v for v in q[1:]]
    r = sorted(x * 3)
    r[:2] = [r[1], r[0] * q[1]]
    return q[1] * q[2] + q[0] * r[0] * r[1]


def summed_and_read(q):
    q[0] = q[1] * q[2]
    r = q[1:]
    return np.sum(q) * r[0] * r[1]


def ordered(q):
    if isinstance(q, np.ndarray):
        q[...] = np.sort(q)
    else:
        q[:] = sorted(q)
    return q[0] * q[1]


@found(V, mixes=('f', 'rf'))
def lists_given_to_what_takes_slices_of_them(x):
    q, r, a = list(x * 2), sorted(x * 2), x * 3
    y = summed_and_read(q) + summed_and_read(a)
    z = ordered(r) + ordered(a)
    return y * z * q[1] * r[0]


@found(V, mixes=('f',))
def a_list_of_arrays_that_numpy_makes(x):
    q = np.split(x * 2, 3)
    q[0] = q[1] * q[2]
    return q[0][0] * q[1][0]


@found(V, mixes=('f', 'rf', 'fr'))
def a_list_in_an_order_by_a_key(x):
    q = list(x * 1.0)
    q.sort(key=lambda v: (v > 1, -v))
    return q[0] * q[1] ** 2 + q[2]


# Arguments by name of what writes

@found(V, mixes=('f', 'rf'))
def arguments_by_name_of_what_writes(x):
    a = np.outer(x, x)
    np.copyto(src=x, dst=a[0], where=[True, False, True])
    np.put(a, v=x[1], ind=[4])
    np.fill_diagonal(a=a, val=x[1] * x[0])
    np.put_along_axis(arr=a, indices=np.array([[1], [0], [1]]), values=x[:, np.newaxis] * 5.0, axis=1)
    np.place(arr=a, mask=a < 0.3, vals=[x[0], x[1]])
    np.putmask(a, mask=a > 3, values=x)
    return np.sum(a * np.arange(9.0).reshape(3, 3))


@found(V, mixes=())
def arguments_by_name_of_methods_that_write(x):
    a, f = np.outer(x, x), np.put
    f(a, [4], mode='wrap', v=x[0])
    a.put(values=[x[0]], indices=[2])
    np.copyto(a[1:], x, 'same_kind', a[1:] > 0.5)
    return np.sum(a * np.arange(9.0).reshape(3, 3))


# Tuples, of which a rule gives a gradient into whose parts a loop adds

@found((0.7, 1.3, 0.4), mixes=('f', 'rf'))
def a_tuple_that_a_loop_reads_beside_its_neighbours(x):
    total = 0.0
    for a, b in zip(x, x[1:]):
        total += a * b
    return total * max(x) * sum(x)


@found((0.7, 1.3, 0.4), mixes=('f', 'rf'))
def a_tuple_that_is_sorted_behind_a_loop(x):
    total = 0.0
    for a, b in zip(x, x[1:]):
        total += a * b
    return total * sorted(x)[0] + total * list(x)[1] * (x + x)[4]


# Tuples that a loop goes through, and that are given to functions as a whole

class Triple(typing.NamedTuple):
    a: float
    b: float
    c: float


@found(np.array([0.7, 1.3, 0.4]))
def columns_in_a_loop_and_their_largest(x):
    rows = [(x[0], x[1]), (x[1] * x[2], x[2]), (x[0], 2.0)]
    a, b = zip(*rows)
    return sum(p * q for p, q in zip(a, b)) + max(a)


@found(np.array([0.7, 1.3, 0.4]))
def tuple_in_a_loop_and_its_sum(x):
    a = (x[0], x[1], x[2] * x[0])
    return sum(p * p for p in a) * sum(a) * a[1]


@found(np.array([0.7, 1.3, 0.4]))
def tuple_in_a_loop_and_as_an_array(x):
    a = tuple(x * x)
    return sum(p * p for p in a) * np.sum(np.array(a) ** 2) + len(list(a)) * list(a)[1]


@found(np.array([0.7, 1.3, 0.4]))
def namedtuple_in_a_loop_and_its_mean(x):
    t, s = Triple(*x), 0.0
    for v in t:
        s = s + v * v
    return s * max(t) + min(t) + t.b * np.mean(t)


@found(np.array([0.7, 1.3, 0.4]))
def tuples_of_a_dict_in_loops_and_their_extremes(x):
    d, s = {'a': (x[0], x[1]), 'b': (x[2], x[0])}, 0.0
    for name, t in d.items():
        for v in t:
            s = s + v * v * len(name)
        s = s + max(t)
    return s + max(d['a']) * min(d['b'])


# What a random writer of programs with views has found

PLACES = np.array([0, 2])
TABLE = np.array([[1.0, 2.0, 3.0], [0.5, 0.2, 0.1], [0.7, 0.4, 0.9]])


@found(V)
def all_of_a_transposed_matrix_is_written(x):
    w = np.outer(x, x + 1.0)
    w.T[...] = w.T * x[0]
    return np.sum(w * TABLE)


@found(V)
def all_of_a_transposed_oblong_is_written(x):
    w = np.outer(x[:2], x)
    w.T[...] = w.T * x[0]
    return np.sum(w * TABLE[:2])


@found(V)
def rows_of_a_transposed_matrix_by_a_list_of_places(x):
    w = np.outer(x, x + 1.0)
    w.T[PLACES] = w.T[PLACES] * x[0]
    w.T[[0, 1], 1:] += x[0] * w.T[[2, 1], :2]
    u = w.T
    u[PLACES] *= x[1]
    return np.sum(w * TABLE)


@found(V)
def an_array_by_its_dtype_is_the_array(x):
    w = x * x
    b = np.asarray(w, dtype=float)
    b[0] -= b[1] * 2
    c = np.asanyarray(w, dtype=np.float64)
    c[2] *= x[0]
    return w @ x


@found(V)
def an_array_in_another_order_is_another(x):
    w = np.outer(x, x + 1.0)
    b = np.ascontiguousarray(w.T)
    b[0] *= 2
    c = np.asfortranarray(w)
    c[1] *= x[0]
    d = np.require(w.T, requirements='C')
    d[2] = x
    return np.sum(w * TABLE) + np.sum(b * TABLE) + np.sum(c * d)


@found(V)
def every_second_element_in_a_row_is_another_array(x):
    w = x * x
    b = np.ascontiguousarray(w[::2])
    b[0] *= 3
    c = np.ascontiguousarray(w)
    c[1] *= x[0]
    return w @ x + b @ b


@found(V, 0.8)
def a_number_copied_into_an_array_of_a_list(x, y):
    w = [x * 1.0, x * x]
    u = w[0]
    np.copyto(w[0], y)
    np.copyto(w[1], x[::-1] * y)
    return np.sum(w[0]) * x[0] + u[1] * x[1] + w[1] @ x


@found(V, 0.8)
def a_number_copied_into_an_array_of_a_dict(x, y):
    w = {(0, 1): x * 1.0}
    u = w[0, 1]
    np.copyto(w[0, 1], y)
    np.copyto(w[0, 1][1:], x[:2])
    np.copyto(w[0, 1], y * y, where=x > 1)
    return np.sum(w[0, 1].reshape(3, 1) * x) + u @ x


@found(V, 0.8)
def products_where_a_mask_says_beside_a_real_part(x, y):
    b = np.zeros(3)
    b[1:] += y
    np.multiply(b, y, out=b, where=b > 0.2)
    w = x
    w[-1:] = 1.0
    part = w.real
    return np.sum(b * x) + part[0] * w[1]


@found(V)
def a_number_spread_over_what_it_is_written_into(x):
    b = x * 2.0
    np.sin(x.mean(), out=b)
    c = np.outer(x, x)
    np.cos(b[0] * x, out=c, where=c > 0.3)
    return np.sum(b * x) + np.sum(c * x)


@found(V)
def the_conjugate_of_an_array_is_the_array(x):
    w = x * x
    b = w.conj()
    b[0] *= x[1]
    w.conjugate()[1] = x[0]
    c = np.conj(w)
    c[2] = x[0]
    return w @ x + c @ b


@found(V)
def what_is_left_without_zeros_is_a_part(x):
    w = np.concatenate([[0.0], x * x, [0.0]])
    b = np.trim_zeros(w)
    b[0] *= x[1]
    return np.sum(w ** 2) + b @ x


@found(1.3)
def an_array_without_axes_stays_one(x):
    out = np.asarray(np.log(x))
    with np.errstate(all='ignore'):
        out += np.sin(x) * x
    out *= x
    out[x < 0] = -np.inf
    return out[()]


@found(0.4)
def a_mask_of_what_has_no_axes(x):
    out, scale = np.zeros_like(x), 2.0
    out += x * x
    masked = (x < 0.5) & np.isfinite(x)
    out[masked] = x * x * scale
    return float(out) + out[()]
