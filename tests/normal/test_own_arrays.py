"""Arrays under a name that holds one here and another there: structured where nobody else sees the writes, right everywhere."""
import heapq
import types

import numpy as np
import pytest

import tangent
from tests.tools.checking import differences
from tests.tools.judge import check_every_text

X = np.array([0.5, 0.9, 1.3])
SHARED = np.array([1.0, 2.0, 3.0])


def step(u, k):
    return u + 0.1 * np.sin(u) * k


def clamped(u):
    u[0] = 1.0
    return u + 0.1 * np.sin(u)


def same(u):
    return u


def twice(u):
    v = u * 2.0
    return v, v


def both(u):
    return u * 2.0, np.sin(u)


def written(u, s):
    u[0] = s
    return u


class Box:
    pass


# In structured text

def scaled_behind_a_write(u, n):
    v = np.copy(u)
    for _ in range(n):
        v[0] += 2.0 * u[1]
        v *= 0.8
    return np.sum(v * u)


def scaled_behind_a_write_of_what_is_given(u, n):
    for _ in range(n):
        u[0] += 2.0 * u[1]
        u *= 0.8
        u[1] = np.sin(u[0])
    return np.sum(u * u)


def scaled_behind_a_write_in_a_branch(u, n):
    v, kept, w = np.copy(u), [], u
    for i in range(n):
        if i > 0:
            v[0] += 2.0 * u[1]
            kept.append(v.copy())
        v *= u[2]
        v[1] = v[0] * 0.5
    return np.sum(v * w) + np.sum(kept[0])


def scaled_under_another_name(u, n):
    v = np.copy(u)
    w = v
    for _ in range(n):
        v[0] += 2.0 * u[1]
        v *= 0.8
    return np.sum(w * u)


def boundary_of_what_a_function_gives(u, n):
    for _ in range(n):
        u = step(u, 0.3)
        u[0] = 1.0
    return np.sum(u * u)


def boundary_in_each_step(u, n):
    for _ in range(n):
        u = u + 0.1 * np.sin(u)
        u[0] = 1.0
    return np.sum(u * u)


def two_buffers(u0, n):
    u = u0.copy()
    un = np.empty_like(u)
    for _ in range(n):
        un[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        un[0] = un[-1] = 0.0
        u, un = un, u
    return np.sum(u * u)


def two_buffers_by_a_third_name(u0, n):
    u, un = u0.copy(), np.zeros(u0.size)
    for k in range(n):
        un[1:] = u[:-1] * u0[1:]
        un[0] = k * u0[0]
        t = u
        u = un
        un = t
    return np.sum(u * un)


def three_buffers(x, n):
    a, b, c = x * 1.0, x * 2.0, x * 3.0
    for _ in range(n + 3):
        a[0] = b[1] * 0.5
        b[2] = c[0] * x[0]
        a, b, c = b, c, a
    return np.sum(a * b * b - c)


def before_and_behind_the_loop(u0, n):
    u = u0.copy()
    u[0] = 1.0
    for _ in range(n):
        u = u + 0.1 * np.sin(u)
    u[-1] = 2.0
    return np.sum(u * u)


def behind_a_branch(x, n):
    if x[0] > 0:
        a = x * 2.0
    else:
        a = np.sin(x)
    a[1] = a[0] * n
    return np.sum(a * a)


def made_anew_at_the_end_of_a_trip(u, n):
    v = np.zeros(u.size)
    for _ in range(n):
        v[1:-1] += u[1:-1]
        u = np.sin(v) + u
        v = np.ones(u.size)
    return np.sum(u * u)


def in_a_callee(x, n):
    u = x.copy()
    for _ in range(n):
        u = clamped(u)
    return np.sum(u)


def inverse_with_a_new_corner(x, n):
    a = np.outer(x, x)
    a += np.eye(3)
    a = np.linalg.inv(a)
    a[0, 0] = n
    return np.sum(a * x)


def parts_of_what_a_function_gives(x, n):
    a, b = both(x)
    a[0] = x[1] * n
    b[1] = a[0]
    return np.sum(a * b)


def listed_and_made_anew(x, n):
    u, out = x * 1.0, []
    for k in range(n):
        u[0] = x[1] * k
        out.append(u)
        u = u + 0.1
    return np.sum(np.array(out) ** 2)


def rows_of_a_history(x, n):
    history = np.zeros((n, 3))
    u = x * 1.0
    for k in range(n):
        history[k] = u
        u = np.sin(u)
        u[0] = history[k, 1] * x[0]
    return np.sum(history) + np.sum(u)


def of_an_array_from_outside(x, n):
    g = SHARED
    for _ in range(n):
        g = g * x
        g[0] = 1.0
    return np.sum(g * SHARED)


def reshaped(x, n):
    q = np.array(x, dtype=np.float64).reshape((-1, 1))
    small = q < 0.7
    q[~small] *= np.sqrt(x[0])
    q[small] = x[1] * x[1]
    return np.sum(q ** 3)


def reshaped_in_each_step(x, n):
    total = 0.0
    for k in range(n):
        t = x * (k + 1.0)
        q = t.reshape((3, 1))
        q[0] *= x[1]
        total = total + np.sum(q * q)
    return total


class Filter:
    def __init__(self, n, mu):
        self.mu = mu
        self.w = np.zeros(n)

    def adapt(self, d, x):
        e = d - np.dot(self.w, x)
        self.w += self.mu * e * x


def adapted(x, n):
    f = Filter(3, x[0])
    for k in range(n):
        f.adapt(k + 1.0, x)
    return np.sum(f.w ** 2)


def powers(d0, c):
    d = d0
    for k in range(len(c)):
        c[k] = d * (1.0 + k * d0)
        d *= d0


def filled_from_a_number(x, n):
    """`d *= d0` changes no number of the caller's."""
    c = np.zeros(n)
    powers(x[0], c)
    powers(x[1] * 0.5, c[1:].copy())
    return np.sum(c * x)


def list_filled_from_a_number(x, n):
    c = list(range(n))
    powers(x[0], c)
    return c[0] * x[1] + c[1] * c[2]


def zeros(shape, dtype=None):
    return np.zeros(shape, np.float64 if dtype is None else dtype)


def table(s, n):
    a = zeros((n, n))
    a[0, 0] = s
    a[1, 0] = 2.0 * s
    return a


def made_by_functions(x, n):
    r = x ** 2 - x
    d = zeros(r.shape)
    d[r < 0] = np.sqrt(-r[r < 0])
    a = table(x[0], n)
    a[1, 1] = x[1] * a[1, 0]
    a[0] += d
    return np.sum(d) + np.sum(r) + np.sum(a * a)


STRUCTURED = [f for f in list(globals().values()) if isinstance(f, types.FunctionType) and f.__module__ == __name__
              and f not in (HELPERS := [step, clamped, same, twice, both, written, powers, zeros, table])]


# Seen under another name

def reshaped_and_read(x, n):
    t = x * 2.0
    q = t.reshape((3, 1))
    q[0] *= x[1]
    return np.sum(q ** 2) + np.sum(t * t)


def reshaped_again_and_again(x, n):
    total, t = 0.0, x * 2.0
    for _ in range(n):
        q = t.reshape((3, 1))
        q[0] *= x[1]
        total = total + np.sum(q ** 2)
    return total


def reshaped_argument(x, n):
    q = np.asarray(x).reshape((3, 1)) if n < 0 else np.ravel(x * 1.0).reshape((3, 1))
    q[1] = x[0]
    return np.sum(q * q)


def adapted_and_held(x, n):
    f = Filter(3, x[0])
    held = f.w
    for k in range(n):
        f.adapt(k + 1.0, x)
    return np.sum(f.w ** 2) + np.sum(held * x)


def adapted_in_place_of_an_argument(x, n):
    f = Filter(3, x[0])
    f.w = x * 1.0
    v = f.w[1:]
    for k in range(n):
        f.adapt(k + 1.0, np.ones(3))
    return np.sum(f.w ** 2) + np.sum(v * v)


def adapted_and_listed(x, n):
    f, rows = Filter(3, x[0]), []
    for k in range(n):
        f.adapt(k + 1.0, x)
        rows.append(f.w)
    return sum(np.sum(r * x) for r in rows)


def listed_and_written(x, n):
    u, out = x * 1.0, []
    for k in range(n):
        out.append(u)
        u[0] = x[1] * k
        if k > 1:
            u = u * 2.0
    return np.sum(np.array(out) ** 2)


def another_name_in_each_trip(x, n):
    u = x * 1.0
    w = u
    for k in range(n):
        w = u
        u[0] = x[1] * (k + 1)
        u = u * w
    return np.sum(u * w)


def view_from_before(x, n):
    u = x * 1.0
    r = u[1:]
    for k in range(n):
        u[1] = x[0] * k
        s = r * 2.0
        u = u + s[0]
    return np.sum(u) + np.sum(r * r)


def given_back_as_it_is(x, n):
    u = x * 1.0
    v = u
    u = same(u)
    u[0] = n * x[1]
    return np.sum(u * v)


def one_branch_gives_another_name(x, n):
    b = x * 2.0
    if x[0] > 0:
        a = b
    else:
        a = x * 1.0
    a[0] = n * x[2]
    return np.sum(a * b)


def held_by_an_object(x, n):
    o, u = Box(), x * 1.0
    for _ in range(n):
        o.u = u
        u = u * 1.5
        u[1] = x[0]
    u[2] = 1.0
    return np.sum(o.u * u)


def held_by_a_dict(x, n):
    d, u = {}, x * 1.0
    for k in range(n):
        d[k] = u
        u = same(u)
        u[0] = u[0] * x[1]
    return np.sum(d[0] * d[n - 1])


def one_array_under_two_names(x, n):
    a, b = twice(x)
    a[0] = x[1] * n
    return np.sum(a * b)


def chained(x, n):
    a = b = x * 1.0
    for _ in range(n):
        a = a * 1.1
        a[0] = b[1]
        b = a
    b[0] = x[2] * 3
    return np.sum(a * b)


def swapped_now_and_then(x, n):
    a, b = x * 1.0, x * 2.0
    for k in range(n + 3):
        a[0] = b[1] * 0.5
        b[2] = a[0] * x[0]
        if k % 2:
            a, b = b, a
    return np.sum(a * b * b)


def one_array_to_begin_with(x, n):
    a = x * 1.0
    b = a
    for _ in range(n + 3):
        a[0] = b[1] * 0.5 * x[1]
        a, b = b, a * 1.1
    return np.sum(a * b * b)


def written_by_a_callee_that_gives_it_back(x, n):
    u = x * 1.0
    v = u
    for k in range(n):
        v = u
        u = written(u, x[1] * (k + 1))
    return np.sum(u * v)


def rows_gone_through(x, n):
    a = np.outer(x, x)
    for row in a:
        row[0] = x[1]
    r = a[0]
    for k in range(n):
        r[k] = r[k] * x[2]
        r = a[(k + 1) % 3]
    return np.sum(a ** 2)


def the_last_trip_under_two_names(x, n):
    u, t = x * 1.0, 0.0
    for k in range(n + 2):
        un = u.copy()
        un[1:] = u[:-1] * x[1]
        if k == 2:
            un = un * x[0]
            un[0] = x[2]
        t = t + un[0]
        u = un
    u[1] = t
    return np.sum(u * un)


def transposed(x, n):
    u = x.reshape(3, 1) * np.ones((1, 2))
    v = u.T
    for k in range(n):
        u[0, 1] = x[1] * k
        w = v * 1.0
        u = u * 1.5
    u[0, 0] = 1.0
    return np.sum(u) + np.sum(v * w.sum())


def row_of_what_is_bound_anew(x, n):
    u = np.zeros((2, 3))
    for k in range(n):
        r = u[k % 2]
        r[:] = x * k
        u = u * 1.1
        u[0] = x
    return np.sum(u * r)


def added_to_a_list(x, n):
    u, out = x * 1.0, []
    for k in range(n):
        u[0] = x[1] * k
        out += [u]
        u = same(u)
    return sum(np.sum(v ** 2) for v in out)


def joined_to_a_list(x, n):
    u, out = x * 1.0, []
    for k in range(n):
        u[0] = x[1] * k
        out = out + [u]
        u = same(u)
    return sum(np.sum(v ** 2) for v in out)


def joined_to_a_tuple(x, n):
    u, out = x * 1.0, ()
    for k in range(n):
        u[0] = x[1] * k
        out = out + (u,)
        u = same(u)
    return sum(np.sum(v ** 2) for v in out)


def pushed_on_a_heap(x, n):
    u, h = x * 1.0, []
    for k in range(n):
        u[0] = x[1] * k
        heapq.heappush(h, (k, u))
        u = same(u)
    return sum(np.sum(v ** 2) for _, v in h)


def set_by_name(x, n):
    u, o, t, name = x * 1.0, Box(), 0.0, 'u'
    for k in range(n):
        setattr(o, name, u)
        u = same(u)
        u[0] = x[1] * k
        t = t + np.sum(o.u * u)
    return t


def bound_on_one_path(x, n):
    t = np.sum(x)
    if n > 5:
        u = x * 2.0
    if n > 5:
        u[0] = x[1]
        t = t + np.sum(u * u)
    return t


def bound_by_the_trip_before(x, n):
    t = 0.0
    for k in range(n):
        if k > 0:
            u[0] = x[1] * k                                # noqa: F821 the trip before has bound it
            t = t + np.sum(u * u)                          # noqa: F821
        u = x * k                                          # noqa: F841
    return t


def bound_in_a_loop_that_may_not_run(x, n):
    t = np.sum(x * x)
    for k in range(n - 3):
        u = x * k
    if n > 3:
        u[0] = x[1]
        t = t + np.sum(u)
    return t


def updated(u, c):
    d = u
    for k in range(len(c)):
        c[k] = np.sum(d * (1.0 + k))
        d *= 1.5


def filled_from_an_array(x, n):
    """`d *= 1.5` changes the caller's array."""
    c, u = np.zeros(n), x * 1.0
    updated(u, c)
    return np.sum(c * x) + np.sum(u * u)


def filled_from_a_row(x, n):
    c, u = np.zeros(n), np.outer(x, x)
    updated(u[1], c)
    return np.sum(c * x) + np.sum(u * u)


def chained_in_a_callee(s, n):
    y = z = np.zeros(n)
    y[0] = s
    return z


def bound_to_two_names_at_once(x, n):
    """What is written under one name is read under the other: its gradient was zero."""
    return np.sum(chained_in_a_callee(x[0], n) * x[1])


def one_of_two(s, n):
    a = b = np.zeros(n)
    b[1] = s
    return a, b


def pair_of_one_array(x, n):
    a, b = one_of_two(x[0], n)
    a[0] = x[0] * x[1]
    return np.sum(b * x) + a[1]


def viewed(u):
    v = u[1:]
    return v


def view_that_a_function_gives(x, n):
    u = x * 1.0
    a = viewed(u)
    a[0] = x[0] * n
    return np.sum(u * x) + np.sum(a)


ALIASED = [f for f in list(globals().values()) if isinstance(f, types.FunctionType) and f.__module__ == __name__
           and f not in (*HELPERS, updated, chained_in_a_callee, one_of_two, viewed, *STRUCTURED)]


@pytest.mark.parametrize('f', [*STRUCTURED, *ALIASED], ids=lambda f: f.__name__)
def test_right_in_every_text(f):
    check_every_text(f, X, 3)
    np.testing.assert_array_equal(SHARED, [1.0, 2.0, 3.0])


@pytest.mark.parametrize('f', STRUCTURED, ids=lambda f: f.__name__)
def test_structured(f):
    assert '_grads' not in tangent.source(tangent.grad(f))


def test_the_array_is_copied_where_it_is_bound():
    text = tangent.source(tangent.grad(boundary_of_what_a_function_gives))
    assert 'u2 = step(u, 0.3)\n        u2 = u2.copy()\n' in text


def test_a_loop_that_seldom_binds_it_anew_copies_nothing():
    """A copy on each trip would cost the length of the array for each element."""
    def seldom(x, n):
        v = np.zeros(x.size)
        for k in range(n):
            v[k] = x[k]
            if k == 2:
                v = np.ones(x.size) * x
        return np.sum(v * v * x)
    np.testing.assert_allclose(tangent.grad(seldom)(X, 3), differences(seldom, (X, 3), (0,))[0], atol=1e-6)
    assert '.copy()' not in tangent.source(tangent.grad(seldom))


# Rows and parts of arrays under names of their own, and loops over rows: structured where kinds are known

def clamp(v, s):
    v[0] = s * v[1]


def rows_updated(x, n):
    a = np.outer(x, x)
    for k, r in enumerate(a):
        r *= x[k]
        r[k] += 1.0
    return np.sum(a * a)


def rows_in_two_loops(x, n):
    a = np.outer(x, x)
    for r in a:
        r[0] = x[1]
    for r in a:
        r[1] = r[0] * x[2]
    return np.sum(a * a)


def rows_up_to_one(x, n):
    a = np.outer(x, x)
    for k, r in enumerate(a):
        if k == 2:
            break
        r[0] = x[1] * r[1]
    return np.sum(a * a)


def row_of_two_names(x, n):
    a = np.outer(x, x)
    r = a[1]
    s = r
    r[0] = x[2]
    s[1] = x[0] * 2
    return np.sum(a * a) + np.sum(r * s)


def row_from_the_end_and_part(x, n):
    a = np.outer(x, x)
    r = a[-1]
    r[:] = r * x[0]
    q = a[1:]
    q[0] = q[1] * x
    return np.sum(a * a)


def transposed_written(x, n):
    a = np.outer(x, x)
    a.T[0, 1] = x[0]
    a.T[1] += x
    a.T[:, 2] = x * x
    return np.sum(a * a * x)


def row_in_while(x, n):
    a = np.outer(x, x)
    k = 0
    while k < 3:
        r = a[k]
        r[0] = r[1] * x[2]
        k += 1
    return np.sum(a * a)


def rows_of_none(x, n):
    a = np.zeros((0, 3))
    for r in a:
        r[0] = x[0]
    return np.sum(a) + np.sum(x * x)


def row_behind_its_loop(x, n):
    a = np.outer(x, x)
    for r in a:
        r[0] = x[1]
    r[2] = x[2]
    return np.sum(a * a)


def array_bound_anew_in_its_loop(x, n):
    a = np.outer(x, x)
    for r in a:
        a = a * 1.5
        r[0] = x[1]
    return np.sum(a * a)


def number_of_the_row_changed(x, n):
    a = np.outer(x, x)
    for k, r in enumerate(a):
        k = 2 - k
        r[k] = x[1] * r[1]
    return np.sum(a * a)


def rows_kept_in_a_list(x, n):
    a = np.outer(x, x)
    out = []
    for r in a:
        out.append(r)
        r[0] = x[1]
    return np.sum(out[0] * out[1] * a[2])


def index_bound_anew(x, n):
    a = np.outer(x, x)
    i = 0
    r = a[i]
    i = 2
    r[0] = x[2] * i
    return np.sum(a * a)


def row_by_mask(x, n):
    a = np.outer(x, x)
    for r in a:
        r[r > 0.5] = x[0]
    return np.sum(a * a)


def rows_of_rows(x, n):
    a = np.outer(x, x).reshape(3, 3, 1) * np.ones(2)
    for m in a:
        for r in m:
            r[0] = r[1] * x[0]
    return np.sum(a * a)


def row_written_by_a_call(x, n):
    a = np.outer(x, x)
    for r in a:
        clamp(r, x[1])
    return np.sum(a * a)


def row_read_by_a_function_later(x, n):
    a = np.outer(x, x)
    i = 0
    r = a[i]
    first = lambda: r[0] * x[1]
    i = 2
    r[0] = x[2] * i
    return first() * np.sum(a)


ROWS = [rows_updated, rows_in_two_loops, rows_up_to_one, row_of_two_names, row_from_the_end_and_part, transposed_written,
        row_in_while, rows_of_none]
OTHER_ROWS = [row_behind_its_loop, array_bound_anew_in_its_loop, number_of_the_row_changed, rows_kept_in_a_list,
              index_bound_anew, row_by_mask, rows_of_rows, row_written_by_a_call, row_read_by_a_function_later]


@pytest.mark.parametrize('f', [*ROWS, *OTHER_ROWS], ids=lambda f: f.__name__)
def test_rows_are_right_in_every_text(f):
    check_every_text(f, X, 3)


@pytest.mark.parametrize('f', ROWS, ids=lambda f: f.__name__)
def test_rows_are_elements_of_their_array(f):
    assert '_grads' not in tangent.source(tangent.grad(f), X, 3)


# Calls that change an array

def sorts(x, n):
    a = x * x
    a.sort()
    return a[0] * 2 + a[2]


def sort_rows(x, n):
    a = np.outer(x, x[::-1])
    for r in a:
        r.sort()
    return np.sum(a * x)


def sort_axis(x, n):
    a = np.outer(x, x + 1)
    a.sort(axis=0)
    a.sort(0, kind='stable')
    return np.sum(a[0] * a[2])


def sort_twice(x, n):
    a = x * 1.0
    for k in range(3):
        a.sort()
        a[k] = a[0] * x[k]
    return np.sum(a * x)


def diagonal(x, n):
    a = np.outer(x, x)
    np.fill_diagonal(a, x[0] * x[1])
    return np.sum(a * a)


def diagonal_wide(x, n):
    a = np.outer(x, np.concatenate([x, x]))
    np.fill_diagonal(a, x[0])
    b = np.outer(np.concatenate([x, x]), x)
    np.fill_diagonal(b, x[1])
    return np.sum(a * a) + np.sum(b * b)


def scatter(x, n):
    a = x * x
    i = [0, 0, 2]
    np.add.at(a, i, x * a)
    return np.sum(a * a)


def scatter_matrix(x, n):
    a = np.outer(x, x)
    r, c = np.array([0, 0, 1]), np.array([1, 1, 2])
    np.add.at(a, (r, c), x)
    np.subtract.at(a, (0, c), x[0])
    return np.sum(a * a)


def scatter_rows(x, n):
    a = np.outer(x, x)
    r = np.array([0, 0, 1])
    np.add.at(a, r, x)
    return np.sum(a * a)


def scatter_loop(x, n):
    K = np.zeros((4, 4))
    for e in range(3):
        i = [e, e + 1]
        k = x[e] * np.array([[1.0, -1.0], [-1.0, 1.0]])
        np.add.at(K, np.ix_(i, i), k)
    return np.sum(np.linalg.inv(K + np.eye(4)) * K)


def scatter_mask(x, n):
    a = x * x
    m = x > 0.7
    np.add.at(a, m, x[m])
    np.add.at(a, 1, x[0])
    return np.sum(a * a)


def scatter_row(x, n):
    a = np.outer(x, x)
    k = 1
    np.add.at(a, k, x * a[1])
    a[1] *= 2.0
    return np.sum(a * a)


def scatter_index_changed(x, n):
    a = x * x
    i = np.array([0, 0, 2])
    np.add.at(a, i, x * a)
    i[0] = 1
    i += 0
    np.add.at(a, i, x * a)
    return np.sum(a * a)


def scatter_int(x, n):
    a = np.array([1, 2, 3])
    np.add.at(a, [0, 0], 2)
    return np.sum(x * a)


def scatter_float_into_int(x, n):
    a = np.zeros(3)
    b = np.array([0, 1, 1])
    np.add.at(a, b, x)
    c = a[b]
    np.add.at(c, b, a)
    return np.sum(c * c * a)


def copy_where(x, n):
    a = x * 2
    np.copyto(a, x ** 3, where=x > 0.7)
    np.copyto(a, x[0], where=a > 1.1)
    np.copyto(a[1:], x[:2], where=[True, False])
    return np.sum(a * a)


def fills(x, n):
    a = np.outer(x, x)
    a[1].fill(x[2])
    a[:, 0].fill(x[0] * x[1])
    return np.sum(a * a)


def diagonal_array(x, n):
    a = np.outer(x, x)
    np.fill_diagonal(a, x)
    return np.sum(a * a)


def diagonal_wrap(x, n):
    a = np.outer(x, x)
    np.fill_diagonal(a, x * x, wrap=True)
    return np.sum(a * a)


def sort_alias(x, n):
    a = x * 1.0
    b = a
    a.sort()
    return np.sum(a * x * b)


def rows_that_are_added_to(x, n):
    a = np.outer(x, x)
    for r in a:
        np.add.at(r, [0, 0], x[:2])
    return np.sum(a * a)


def parts_that_are_added_to(x, n):
    a = np.outer(x, x)
    r, b = a[1], a[1:]
    np.add.at(r, [0, 0, 2], x)
    np.subtract.at(b, ([0, 0], [1, 1]), x[0])
    return np.sum(a * a)


CHANGED = [sorts, sort_rows, sort_axis, sort_twice, diagonal, diagonal_wide, scatter, scatter_matrix, scatter_rows,
           scatter_loop, scatter_mask, scatter_row, scatter_index_changed, scatter_int, scatter_float_into_int, copy_where,
           fills]


@pytest.mark.parametrize('f', [*CHANGED, rows_that_are_added_to, parts_that_are_added_to, diagonal_array, diagonal_wrap, sort_alias], ids=lambda f: f.__name__)
def test_changing_calls_are_right_in_every_text(f):
    check_every_text(f, X, 3)


@pytest.mark.parametrize('f', CHANGED, ids=lambda f: f.__name__)
def test_changing_calls_are_writes(f):
    assert '_grads' not in tangent.source(tangent.grad(f), X, 3)


def test_what_is_added_at_places_named_twice_stays_a_call():
    text = tangent.source(tangent.grad(scatter_rows), X, 3)
    assert 'np.add.at(a, r, x)' in text and 'last_at' not in text


# Views of other shapes, which are kept in step

def six(x):
    return np.concatenate([x, x * x])


def another_shape(x, n):
    y = six(x) * 2.0
    z = y.reshape(2, 3)
    z[0] *= x[1]
    return np.sum(y ** 2)


def parts_of_parameters(x, n):
    p = six(x) * 1.0
    w, b = p[:4].reshape(2, 2), p[4:]
    for _ in range(n):
        w -= 0.1 * np.outer(b, b)
        b *= 0.5 + w[0, 0]
    return np.sum(p ** 2) + np.sum(w)


def halves(x, n):
    y = six(x) * 1.0
    low, high = np.split(y, 2)
    low += high
    first, rest = np.split(y, [1])
    rest[...] = first * low[0]
    return np.sum(y * y[::-1])


def blocks(x, n):
    m = np.zeros((4, 4))
    top, end = m[:2, :2], m[2:, 2:]
    top[...] = x[0]
    end[...] = np.outer(x[:2], x[1:])
    return np.sum(m @ m)


def turned_and_flat(x, n):
    m = np.outer(x, x)
    t, flat = m.swapaxes(0, 1), m.reshape(-1)
    t[0] = x ** 2
    flat[4:6] = t[0, 0] * x[1]
    m[2] += flat[0]
    return np.sum(m * t) + flat[5]


def a_view_of_a_view(x, n):
    y = six(x) * 1.0
    w = y[:4].reshape(2, 2)
    if n > 0:
        w[0] = x[1] * n
        y *= x[2]
    w -= w[0].copy()
    flat = w.reshape(-1)
    flat -= flat[3]
    return np.sum(w * w) + flat[0] * y[1]


def two_views_in_a_loop(x, n):
    y = np.outer(x[:2], x)
    a, b = y.reshape(6), y.reshape(-1)
    total = 0.0
    for _ in range(n):
        a[:2] = x[0] * x[:2]
        b *= 0.7
        total += np.sum(a * a)
    return total + np.sum(y)


def another_name(x, n):
    y = x * x
    z = np.asarray(y)
    z[0] = y[1] * y[2]
    return np.sum(y)


def element_by_element(x, n):
    y = six(x) * 1.0
    z = y.reshape(2, 3)
    for i in range(1, 6):
        y[i] += 0.5 * y[i - 1] * z[0, 0]
    return np.sum(z * z)


def not_in_order(x, n):
    m = np.outer(x, x).T
    flat = m.ravel()                        # a copy
    flat[1] = x[0]
    return np.sum(m * m) + np.sum(flat)


def in_order_or_not(x, n):
    m = np.asfortranarray(np.outer(x, x)) * 1.0
    flat = m.ravel()
    flat[1] = x[0]
    return np.sum(m * m) + np.sum(flat)


def handed_out(x, n):
    y = six(x) * 1.0
    z = y.reshape(2, 3)
    kept = [z]
    z[0] = x[0]
    return np.sum(y) + np.sum(kept[0] ** 2)


VIEWS = [another_shape, parts_of_parameters, halves, blocks, turned_and_flat, a_view_of_a_view, two_views_in_a_loop, another_name]


@pytest.mark.parametrize('f', [*VIEWS, element_by_element, not_in_order, in_order_or_not, handed_out], ids=lambda f: f.__name__)
def test_views_of_other_shapes_are_right_in_every_text(f):
    check_every_text(f, X, 3)


@pytest.mark.parametrize('f', VIEWS, ids=lambda f: f.__name__)
def test_views_of_other_shapes_are_kept_in_step(f):
    gradient = tangent.grad(f)
    for _ in range(4):
        gradient(X, 3)
    assert '_grads' not in tangent.source(gradient, X, 3)


def test_arrays_are_put_in_step_behind_the_loop():
    """Not for each element in it: where that would be, the text stays as it was."""
    def filled(x, n):
        y = np.zeros((2, 3))
        z = y.reshape(6)
        for i in range(6):
            z[i] = x[i % 3] * n
        return np.sum(y @ y.T)
    assert 'z.reshape(y.shape)' in text_of_kinds(filled) and 'z[...]' not in text_of_kinds(filled)
    assert '_grads' in text_of_kinds(element_by_element)


def text_of_kinds(f):
    gradient = tangent.grad(f)
    for _ in range(4):
        gradient(X, 3)
    return tangent.source(gradient, X, 3)
