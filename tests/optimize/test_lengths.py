# ruff: noqa: B007
"""Lengths that the text names (`x[k:]` and `x[:-k]`), sums that begin with a number, lists made of arrays: each program by
differences, in the text for all and in that for known kinds."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

X = np.cos(np.arange(7.0) * 1.3)


def two_ends(x, k):
    return np.sum(x[k:] * x[:-k])


def bound_anew(x, k):
    k = k + 1
    return np.sum(x[k:] * x[:-k])


def counted_up(x, k):
    s = 0.0
    for j in range(2):
        s = s + np.sum(x[k:] * x[:-k])
        k = k + 1
    return s


def product(x, y, k):
    return np.sum(x * y[k:])


def handed_on(x, k):
    return product(x[k:], x, k) + product(x[1:], x, 1)


def window(x, y, k):
    return np.sum(x * y[k:])


def of_one_element(x, k):
    return window(x[k:k + 1], x, k)


def differences_twice(x, k):
    y = x[k:] - x[:-k]
    z = y[k:] * y[:-k] if len(y) > abs(k) else y
    return np.sum(z ** 2)


def cut_again(x, k):
    y = x[k:]
    return np.sum(y[1:] * x[:-k][1:])


def written_into(x, k):
    y = x.copy()
    y[k:] += x[:-k]
    y[:-k] *= 2.0
    return np.sum(y ** 2)


def added_up(xs):
    t = 0.0
    for x in xs:
        t = t + x
    return np.sum(t ** 2)


def sums_of_lists(x, k):
    return added_up([x, x[::-1] * 2]) + added_up([x * 1.0])


def no_trip(x, k):
    t = 0.0
    for i in range(k):
        t = t + x * i
    return np.sum(t * x)


def some_trips(x, k):
    t = 0
    for i in range(3):
        if i != k:
            t = t + x[:, None] * x
    return np.sum(t * x)


def numbers_and_arrays(x, k):
    t = 1.0
    for i in range(3):
        t = t * x
    u = 0.0
    for i in range(2):
        u = u + np.sum(x)
        u = u * x[0]
    return np.sum(t) * u


def rows(x, k):
    out = []
    for i in range(3):
        row = []
        for j in range(2):
            row.append(x[i] * x[j])
        out.append(max(row))
        row.append(2.0)
        out.append(sum(row))
    return np.sum(np.array(out) ** 2) + max(out)


def a_list_of_an_array(x, k):
    h = list(x)
    h.append(x[0] * x[1])
    h[2] = h[2] * h[3]
    g = h[1:]
    return sum(h) * sum(g)


def joined_with_numbers(x, k):
    h = [x[0], x]
    return np.sum(np.concatenate([x, h[1], [x[2]]])) * h[0]


def another_name(x, k):
    h = list(x)
    m = h
    m.append(1.0)
    h[0] = h[0] * 2
    return sum(m) * len(h)


PROGRAMS = [two_ends, bound_anew, counted_up, handed_on, of_one_element, differences_twice, cut_again, written_into,
            sums_of_lists, no_trip, some_trips, numbers_and_arrays, rows, a_list_of_an_array, joined_with_numbers,
            another_name]


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_right(f):
    for k in (1, 2, 3, -1, -2):
        try:
            wanted = differences(f, (X, k), (0,))[0]
        except (ValueError, IndexError):                # lengths that do not fit
            continue
        gradient = tangent.grad(f)
        for _ in range(3):
            np.testing.assert_allclose(gradient(X, k), wanted, atol=1e-6)


def slice(a, b):                                        # noqa: A001
    return [b, a, b]


def a_name_of_pythons(x, k):
    y = np.sin(x)
    return np.sum(y[slice(0, 2)] * y[1:4] * y[k])


def test_a_function_of_that_name_is_the_users():
    wanted, gradient = differences(a_name_of_pythons, (X, 2), (0,))[0], tangent.grad(a_name_of_pythons)
    for _ in range(3):
        np.testing.assert_allclose(gradient(X, 2), wanted, atol=1e-6)
