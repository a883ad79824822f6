"""Functions that write into what their arguments share or hold, or give back a part of one (`normal.inlined.procedures`); lists
and dicts of arrays that are given, and changed in place. All are structured where kinds are known, but for those marked."""
import numpy as np

from tests.tools.registry import other, program

X = np.array([0.3, 0.8, 1.4, 0.5])
A = np.array([[0.3, 0.8, 1.1], [1.4, 0.5, 0.2], [0.9, 0.7, 0.6]])


def both(u, v):
    u[0] = v[1] * 2
    return np.sum(u * v)


@program('given and changed', X)
def one_array_given_twice(x):
    y = x * 1.0
    return both(y, y)


@program('given and changed', X)
def two_views_of_one_given(x):
    y = x * 1.0
    return both(y[1:], y[:-1])


def first_row(a):
    return a[0]


@program('given and changed', A)
def a_row_given_back(a):
    b = a * 1.0
    row = first_row(b)
    row *= 2
    row[0] = row[1] * row[2]
    return np.sum(b ** 2)


def interior(u):
    "The inner points."
    return u[1:-1]


@program('given and changed', X)
def the_inner_points_given_back(x):
    u = x * 1.0
    for k in range(3):
        v = interior(u)
        v += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u ** 2)


def square_into(s, d):
    for i in range(len(s)):
        d[i] = s[i] ** 2


@program('given and changed', X)
def into_itself(x):
    square_into(x, x)
    square_into(x, x)
    return np.sum(x)


def sgd(ps, gs, lr=0.1):
    """One step."""
    for q, g in zip(ps, gs):
        q -= lr * g


@program('given and changed', X)
def a_step_of_descent(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    for k in range(3):
        sgd(ps, [np.cos(q) for q in ps])
    return np.sum(ps[0] * ps[1])


def adam(ps, gs, state, t, lr=0.1, b1=0.9, b2=0.99):
    m, v = state
    for k in range(len(ps)):
        m[k] = b1 * m[k] + (1 - b1) * gs[k]
        v[k] = b2 * v[k] + (1 - b2) * gs[k] ** 2
        mh = m[k] / (1 - b1 ** t)
        vh = v[k] / (1 - b2 ** t)
        ps[k] -= lr * mh / (np.sqrt(vh) + 1e-8)


@program('given and changed', X)
@other
def a_step_with_state_in_a_pair(x):
    ps = [x[:2] * 1.0, x[2:] * 1.0]
    state = ([np.zeros_like(q) for q in ps], [np.zeros_like(q) for q in ps])
    for t in range(1, 4):
        gs = [2 * q for q in ps]
        adam(ps, gs, state, t)
    return np.sum(ps[0] * ps[1])


def upd_dict(params, grads, lr):
    for k in params:
        params[k] -= lr * grads[k]


@program('given and changed', X)
def a_step_for_a_dict(x):
    ps = {'w': x[:2] * 1.0, 'b': x[2:] * 1.0}
    for t in range(1, 4):
        gs = {k: np.sin(v) for k, v in ps.items()}
        upd_dict(ps, gs, 0.1)
    return np.sum(ps['w'] * ps['b'])


def train(ps, n):
    for k in range(n):
        for q in ps:
            q -= 0.1 * np.sin(q)
    return np.sum(ps[0]) + np.sum(ps[1] ** 2)


@program('given and changed', X, A)
def trained_by_a_function(x, a):
    return train([x * 1.0, a * 1.0], 3)


@program('given and changed', X)
def names_that_clash(x):
    k = x * 1.0
    q = x * 2.0
    ps = [k * 2, q * 3]
    sgd(ps, [q, k], lr=0.2)
    return np.sum(ps[0] * ps[1] * k)


def default_buffer(v, out=None):
    if out is None:
        out = np.zeros_like(v)
    out[:] = v * 2
    return out


@program('given and changed', X)
def a_buffer_or_none(x):
    y = np.zeros(4)
    z = default_buffer(x, y)
    w = default_buffer(x)
    z[0] += 1.0
    return np.sum(y * w)


def count(n, u):
    n += 1
    u[0] = n * u[1]
    return n


def first_row2(u):
    return u[2:]


@program('given and changed', X)
def a_number_counted_on(x):
    u = x * 1.0
    n = 2.0
    m = count(n, u)
    v = first_row2(u)
    v[0] = m
    return np.sum(u ** 2) * n


def noisy(u, log):
    log.append(1)
    u[0] = 2.0 * u[1]
    return u[1:]


@program('given and changed', X)
def what_it_notes_elsewhere(x):
    u = x * 1.0
    log = []
    v = noisy(u, log)
    v *= 2
    return np.sum(u ** 2) * len(log)


def early(u):
    if u[0] > 1:
        return u[1:]
    return u[:-1]


@program('given and changed', X)
@other
def two_ways_out(x):
    u = x * 1.0
    v = early(u)
    v *= 2
    return np.sum(u ** 2)


def rec(u, n):
    if n > 0:
        u[0] += u[1]
        rec(u, n - 1)
    return u


@program('given and changed', X)
@other
def called_by_itself(x):
    u = x * 1.0
    v = rec(u, 3)
    v[1] *= 2
    return np.sum(u ** 2)


def rebinding(u, k):
    u = u * 2
    u[0] = k
    k = k + 1
    return u[1:]


@program('given and changed', X)
def parameters_bound_anew(x):
    u = x * 1.0
    k = 3.0
    v = rebinding(u, k)
    v *= 2
    return np.sum(u ** 2) + np.sum(v) * k


def upd_num(k, u):
    k += 1
    u += k
    return u


@program('given and changed', X)
def updates_of_a_number_and_an_array(x):
    u = x * 1.0
    k = 3.0
    v = upd_num(k, u)
    v *= 2
    return np.sum(u ** 2) * k


def comp(u):
    s = sum(u[k] for k in range(3))
    w = [u[k] * 2 for k in range(2)]
    u[0] = s * w[0]
    return u[1:]


@program('given and changed', X)
def comprehensions_inside(x):
    k = x * 1.0
    v = comp(k)
    v *= 2
    return np.sum(k ** 2)


def defaults(u, c=2.0, *, d=3.0):
    u[0] = c * d * u[1]
    return u[1:]


@program('given and changed', X)
def with_defaults(x):
    u = x * 1.0
    v = defaults(u, d=4.0)
    v *= 2
    return np.sum(u ** 2)


@program('given and changed', X)
def called_in_a_loop(x):
    u = x * 1.0
    t = 0.0
    for i in range(3):
        v = defaults(u, float(i))
        v *= 1.5
        t += np.sum(v ** 2)
    return t


@program('given and changed', X)
def bound_to_what_was_given(x):
    u = x * 1.0
    u = defaults(u)
    u *= 2
    return np.sum(u ** 2)


def order(a, b):
    b[0] = a
    return b[1:]


@program('given and changed', X)
def arguments_in_their_order(x):
    u = x * 1.0
    v = order(b=u, a=u[0] * u[1])
    v *= 2
    return np.sum(u ** 2)


class C:
    pass


def attr(u, c):
    c.last = u
    u *= 2
    return u[1:]


@program('given and changed', X)
@other
def kept_in_an_object(x):
    c = C()
    u = x * 1.0
    v = attr(u, c)
    v *= 3
    return np.sum(c.last ** 2)


def two(u):
    u[0] = u[1] * 2
    return u[:2], u[2:]


@program('given and changed', X)
@other
def two_parts_given_back(x):
    u = x * 1.0
    a, b = two(u)
    a *= 2
    b += a
    return np.sum(u ** 2)


def fill2(a, b):
    a[:] = b[:-1] * 2
    b[0] = a[1]


@program('given and changed', X)
def an_array_and_a_part_of_it(x):
    u = x * 1.0
    fill2(u[1:], u)
    return np.sum(u ** 2)


def shadow(u):
    np = 2.0
    u *= np
    return u[1:]


@program('given and changed', X)
def a_name_that_hides_a_module(x):
    u = x * 1.0
    v = shadow(u)
    v *= 2
    return np.sum(u ** 2)


@program('given and changed', [X, X * 2])
def a_list_that_is_given(ps):
    for k in range(3):
        for q in ps:
            q -= 0.1 * np.sin(q)
    return np.sum(ps[0] * ps[1] ** 2)


@program('given and changed', {'w': X, 'b': A})
def a_dict_that_is_given(ps):
    for k in range(3):
        for n in ps:
            ps[n] -= 0.1 * np.sin(ps[n])
    return np.sum(ps['w']) + np.sum(ps['b'] ** 2)


@program('given and changed', [X, A], X * 2)
def a_list_beside_an_array(ps, v):
    for k in range(3):
        ps[0] += v * 0.5
    return np.sum(ps[0] * v) + np.sum(ps[1])


@program('given and changed', [X, A], [X * 2, A * 0.3])
def two_lists(ps, gs):
    for q, g in zip(ps, gs):
        q -= g * q
    return np.sum(ps[0] * gs[0]) + np.sum(ps[1])


@program('given and changed', [X, A])
@other
def an_element_kept(ps):
    w = ps[0]
    for q in ps:
        q *= 2.0
    return np.sum(w * ps[0])


def loss(ps):
    return np.sum(ps[0] ** 2) * np.sum(ps[1])


@program('given and changed', [X, A])
def given_and_handed_on(ps):
    for q in ps:
        q *= 2.0
    return loss(ps)


def scale(ps):
    for q in ps:
        q *= 2.0


@program('given and changed', [X, A])
def changed_by_a_function(ps):
    scale(ps)
    return loss(ps)
