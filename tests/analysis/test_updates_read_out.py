"""`x += v` on what may be an array that has other names: in the structured text where nobody reads these any more."""
import numpy as np
import pytest

import tangent
from tests.tools.judge import check_every_text

ON = False


def halved(a, always=False):
    """As libraries scale what they are given: its argument, where that is an array."""
    b = np.asarray(a)
    if always or ON:
        b /= 2.0
    return b


def halved_copy(a):
    a = np.asarray(a).copy()
    a /= 2.0
    return a


def chosen(value, default):
    return default if value is None else value


def as_floats(a, dtype=None):
    dtype = chosen(dtype, np.float64)
    return np.asarray(a, dtype)


def scaled_by_kind(a, dtype=None):
    dtype = chosen(dtype, np.float64)
    a = as_floats(a, dtype)
    if ON:
        a *= as_floats(100.0)
    return a


def between(a, always):
    return halved(a, always) * 3.0


def stored(items, y):
    items.append(y)
    return 0.0


class Holder:
    pass


# Nobody reads what else holds the array

def given_to_a_callee(x):
    y = np.sin(x)
    return np.sum(halved(y) ** 2)


def updated_by_a_callee(x):
    y = np.sin(x)
    return np.sum(halved(y, True) ** 2)


def handed_on(x):
    y = np.sin(x)
    return np.sum(between(y, True) ** 2)


def through_conversions(x):
    y = np.sin(x)
    return np.sum(scaled_by_kind(scaled_by_kind(y) * 2.0) ** 2)


def of_a_copy(x):
    y = np.sin(x)
    return np.sum(halved_copy(y) * y)


def made_anew_in_each_trip(x):
    t = 0.0
    for i in range(3):
        y = np.sin(x) * (i + 1)
        t = t + np.sum(halved(y, True) ** 2)
    return t


def read_before(x):
    y = np.exp(x)
    s = np.sum(y * y)
    t = halved(y, True)
    return np.sum(t) * s


def other_name_read_before(x):
    y = np.exp(x)
    w = y
    z = w * 2.0
    y += 1.0
    return np.sum(y * z)


def view_read_before(x):
    y = np.exp(x)
    v = y[1:]
    s = np.sum(v)
    y += 1.0
    return np.sum(y) * s


def read_in_a_callee_before(x):
    return read_before(np.cos(x))


def kept_behind(x):
    return np.prod(sums_of_rows([x[0], x[1]], [[1.0, x[2]], [0.5, 1.0]]))


def kept_behind_as_arrays(x):
    first, second = sums_of_rows([x, 2.0 * x], [[1.0, x[2]], [0.5, 1.0]])
    return np.sum(first * second)


def sums_of_rows(xs, rows):
    sums = []
    for row in rows:
        total = 0.0
        for k in range(len(xs)):
            total += row[k] * xs[k]
        sums.append(total)
    return [sums[i] * xs[i] + sums[0] for i in range(len(xs))]


# Somebody does

def running_sum(xs):
    sums, total = [], 0.0
    for x in xs:
        total += x
        sums.append(total)
    return sums


def kept_between(x):
    return np.sum(np.prod(running_sum([x, 2.0 * x, x * x]), axis=0))


def updated_once_more(xs):
    sums = []
    for x in xs:
        total = 0.0
        total += x
        sums.append(total)
        total += x
    return sums


def kept_before_the_last(x):
    return np.sum(np.prod(updated_once_more([x, 2.0 * x, x * x]), axis=0))


def first_parts(xs):
    parts = []
    for x in xs:
        total = x * 0.0
        part = total[:1]
        for _ in range(2):
            total += x
        parts.append(part)
    return parts


def part_named_before(x):
    return np.sum(np.prod(first_parts([x, 2.0 * x, x * x]), axis=0))


def called_with_what_was_bound(xs):
    last = None
    for x in xs:
        total = x * 1.0
        last = lambda: total  # noqa: B023, E731
        total += x
    return last()


def kept_by_a_function_inside(x):
    return np.sum(called_with_what_was_bound([x, x * x]))


def read_behind(x):
    y = np.sin(x)
    w = halved(y, True)
    return np.sum(w * y)


def other_name_read_behind(x):
    y = np.sin(x)
    w = y
    return np.sum(between(y, True) ** 2) + w[0]


def view_read_behind(x):
    y = np.exp(x)
    v = y[1:]
    s = np.sum(v)
    v += 1.0
    return np.sum(y) * s


def given_twice(x):
    y = np.sin(x)
    return np.sum(halved(y, True) * y)


def read_again_by_the_caller(x):
    y = np.cos(x)
    return read_before(y) * np.sum(y)


def in_each_trip(x):
    y = np.sin(x)
    t = 0.0
    for _ in range(3):
        t = t + np.sum(halved(y, True) ** 2)
    return t


def in_a_comprehension(x):
    y = np.sin(x)
    return sum(np.sum(halved(y, True)) for _ in range(3))


def bound_in_the_first_trip(x):
    t = 0.0
    for i in range(3):
        if i == 0:
            y = np.sin(x)
        t = t + np.sum(halved(y, True) ** 2)
    return t


def named_in_each_trip(x):
    a = np.sin(x)
    t = 0.0
    for _ in range(3):
        b = np.asarray(a)
        b += 1.0
        t = t + np.sum(b * b)
    return t


def named_in_a_branch_of_each_trip(x):
    a = np.sin(x)
    for i in range(3):
        b = a if i < 5 else x * 2.0
        b += 1.0
    return np.sum(b * b)


def held_by_an_object(x):
    holder, y = Holder(), np.sin(x)
    holder.value = y
    w = halved(y, True)
    return np.sum(w * holder.value)


def held_by_a_list_of_a_callee(x):
    items, y = [], np.sin(x)
    t = stored(items, y)
    w = halved(y, True)
    return np.sum(w * items[0]) + t


def held_by_a_function_inside(x):
    y = np.sin(x)
    total = lambda: np.sum(y)  # noqa: E731
    w = halved(y, True)
    return np.sum(w) * total()


def held_by_a_view_made_before(x):
    y = np.exp(x)
    r = np.broadcast_to(y, (2, 3))
    s = np.sum(r)
    t = halved(y, True)
    return np.sum(t) * s * np.sum(r)


def updated_again(x):
    y = np.exp(x)
    t = halved(y, True)
    u = halved(t, True)
    return np.sum(u * t)


STRUCTURED = [given_to_a_callee, updated_by_a_callee, handed_on, through_conversions, of_a_copy, made_anew_in_each_trip,
              read_before, other_name_read_before, view_read_before, read_in_a_callee_before, kept_behind, kept_behind_as_arrays]
OTHERS = [read_behind, other_name_read_behind, view_read_behind, given_twice, read_again_by_the_caller, in_each_trip,
          in_a_comprehension, bound_in_the_first_trip, named_in_each_trip, named_in_a_branch_of_each_trip, held_by_an_object,
          held_by_a_list_of_a_callee, held_by_a_function_inside, held_by_a_view_made_before, updated_again, kept_between,
          kept_before_the_last, part_named_before, kept_by_a_function_inside]
X = np.array([0.7, 1.3, 0.4])


@pytest.mark.parametrize('f', STRUCTURED + OTHERS)
def test_right_in_every_text(f):
    check_every_text(f, X)


@pytest.mark.parametrize('f', STRUCTURED)
def test_structured(f):
    assert '_grads' not in tangent.source(tangent.grad(f))


@pytest.mark.parametrize('f', STRUCTURED)
def test_right_twice(f):
    v, h = np.array([0.6, -0.8, 0.3]), 1e-5
    wanted = (tangent.grad(f)(X + h * v) - tangent.grad(f)(X - h * v)) / (2 * h)
    np.testing.assert_allclose(tangent.hvp(f)(X, v), wanted, rtol=1e-6)
    np.testing.assert_allclose(tangent.grad(lambda x: np.sum(tangent.grad(f)(x) * v))(X), wanted, rtol=1e-6)


def test_in_a_loop_under_numba():
    numba = pytest.importorskip('numba', reason='Numba is not installed')
    df = tangent.grad(numba.njit(loop_of_names))
    right = tangent.grad(loop_of_names)(X)
    np.testing.assert_allclose(df(X), right, rtol=1e-12)
    np.testing.assert_allclose(right, 2.0 * np.cos(X) * (3.0 * np.sin(X) + 6.0), rtol=1e-12)


def loop_of_names(x):
    a = np.sin(x)
    t = 0.0
    for _ in range(3):
        b = a
        b += 1.0
        t += np.sum(b * b)
    return t
