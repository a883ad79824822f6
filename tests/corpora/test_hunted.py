"""Wrong derivatives that programs of many kinds have shown: each function here was silently wrong, or a raw error, once.

All are checked in the same way: reverse and forward mode against differences, second derivatives in all mixes against
differences of the gradient.
"""
import sys

import numpy as np
import pytest

import tangent
from tests.corpora.hunted import hunted, hunted_cells, hunted_keys, hunted_operators, hunted_order, hunted_results  # noqa: F401 (they register)
from tests.corpora.hunted.hunting import FOUND
from tests.random.random_programs import Outcome
from tests.tools import orders
from tests.tools.judge import judge
from tests.tools.texts import define


@pytest.mark.parametrize('entry, mixes', FOUND, ids=[e.name for e, _ in FOUND])
def test_right(entry, mixes):
    assert judge(entry) == Outcome('right')
    along = orders.directions(entry, 1), orders.directions(entry, 2)
    known = {}
    for mix in mixes:
        order = len(mix)
        if order not in known:
            known[order] = orders.expected(entry, 2, along) if order == 2 else along_first(entry, along)
        assert orders.found(entry, mix, along) == pytest.approx(known[order], rel=orders.CLOSE[order])


def along_first(entry, along):
    gradients = orders.many(entry, tangent.grad(entry.function, wrt=entry.wrt)(*entry.make()))
    return orders.inner(entry, gradients, along[0])


def grown(xs, x):
    xs.append(x * 2)
    return len(xs)


def by_a_function_inside(x):
    xs = []

    def key(k):
        xs.append(x * k)
        return -k
    return sorted([1, 2, 3], key=key)[0] * sum(xs)


def by_a_lambda(x):
    xs = []
    return max([1, 2, 3], key=lambda k: grown(xs, x * k)) * sum(xs)


def by_sort(x):
    xs, seen = [x, 2 * x], []
    xs.sort(key=lambda v: seen.append(v) or -v)
    return sum(seen) * xs[0]


@pytest.mark.parametrize('f', [by_a_function_inside, by_a_lambda, by_sort])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_orders_that_write_are_refused(f, derivative):
    with pytest.raises(tangent.errors.TangentError, match='not supported'):
        derivative(f)(0.7, 1.0)


def one_iterator_twice(x):
    it = iter([x, 2 * x, x * x, x * 3])
    return sum(a * b * b for a, b in zip(it, it))


def one_iterator_under_two_names(x):
    it = iter([x, 2 * x, x * x, x * 3])
    same, s = it, 0.0
    for a, b in zip(it, same):                        # noqa: B007 it is taken all the same
        s += b * b
    return s


def groups(x):
    s = 0.0
    for a, b in zip(*[iter([x, 2 * x, x * x, x * 3])] * 2):
        s += a * b * b
    return s


@pytest.mark.parametrize('f', [one_iterator_twice, one_iterator_under_two_names, groups])
def test_one_iterator_that_a_loop_goes_through_twice(f):
    """Each value is taken once: forward mode takes their tangents in the same order, the log form refuses it."""
    assert tangent.jvp(f)(0.7, 1.0) == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rel=1e-8)
    with pytest.raises(tangent.errors.AliasError, match='stands twice'):
        tangent.grad(f)(0.7)


def test_an_iterator_is_gone_through_again_after_nothing_was_left():
    def f(x):
        it, s = iter([x, x * x]), 0.0
        for a in it:
            s += a * a
        for a in it:
            s += 100 * a
        for a in it:
            s += 100 * a
        return s
    assert tangent.grad(f)(0.7) == pytest.approx(2 * 0.7 + 4 * 0.7 ** 3)


def behind_the_first_axes(x, k):
    lead = (slice(None),) * k
    y = x * 1.0
    y[(*lead, 0)] = x[(*lead, 1)] * 3
    return np.sum(y[(*lead, slice(1, None))] ** 2) + np.sum(y ** 3)


def test_stars_in_indices():
    x, d = np.arange(6.0).reshape(2, 3) + 0.5, np.ones((2, 3))
    slope = (behind_the_first_axes(x + 1e-6 * d, 1) - behind_the_first_axes(x - 1e-6 * d, 1)) / 2e-6
    assert np.sum(tangent.grad(behind_the_first_axes)(x, 1)) == pytest.approx(slope, rel=1e-7)
    assert tangent.jvp(behind_the_first_axes)(x, 1, d) == pytest.approx(slope, rel=1e-7)


@pytest.mark.skipif(sys.version_info < (3, 11), reason='x[*lead, 1:] is syntax of Python 3.11')
def test_stars_beside_slices():
    f = define('def f(x, lead):\n    return np.sum(x[*lead, 1:] ** 2)\n', np=np).f
    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(tangent.grad(f)(x, (slice(None),)), 2 * x * [0, 1, 1])
    assert tangent.jvp(f)(x, (slice(None),), np.ones((2, 3))) == pytest.approx(2 * np.sum(x[:, 1:]))


@pytest.mark.parametrize('function, values', [
    (hunted.of_two, [3, 5]), (hunted.of_two, [np.int64(3), np.int64(5)]),
    (hunted.of_arrays, [np.array([3, 4]), np.array([5, 6])])])
def test_integers_given_by_a_star_are_numbers(function, values):
    """Arrays of integers had no gradient behind a star, in reverse mode: SciPy's densities at integer parameters use that."""
    def f(values, call):
        return hunted.with_all(call, values)
    found = tangent.grad(f)(values, function)
    wanted = tangent.grad(f)([v * 1.0 for v in values], function)
    for a, b in zip(found, wanted):
        np.testing.assert_allclose(a, b)


def reshaped(m, v):
    r = v.reshape(3, 1) * m
    v[0] = 5.0
    return np.sum(r * r)


def raveled(m, v):
    r = np.ravel(v) * m
    v[:2] = 5.0
    return np.sum(r * r)


def multiplied_as_a_row(m, v):
    r = np.dot(v.reshape(1, 3), m)[0]
    v[2] = 7.0
    return r * r


def seven(v):
    v[0] = 7.0


def changed_by_a_callee(m, v):
    r = v.reshape(3, 1) * m
    seven(v)
    return np.sum(r * r)


def changed_in_a_loop(m, v):
    t = 0.0
    for k in range(3):
        t += np.sum((v.reshape(3, 1) * m) ** 2)
        v[k] = 2.0
    return t


@pytest.mark.parametrize('f', [reshaped, raveled, multiplied_as_a_row, changed_by_a_callee, changed_in_a_loop])
def test_views_without_a_derivative_whose_array_changes_later(f):
    """`v.reshape(3, 1)` shares the memory of `v`: the adjoint read what was written there afterwards."""
    m, v, h = np.array([0.3, 0.7, 1.1]), np.array([0.9, 1.7, 2.1]), 1e-6
    expected = [(f(m + h * e, v.copy()) - f(m - h * e, v.copy())) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(tangent.grad(f)(m, v.copy()), expected, rtol=1e-6)
    np.testing.assert_allclose(tangent.grad(f, wrt=(0, 1))(m, v.copy())[0], expected, rtol=1e-6)
