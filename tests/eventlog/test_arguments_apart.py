"""One array given for two arguments: each has its own gradient, whatever form the derivative has."""
import numpy as np
import pytest

import tangent

X = np.array([0.5, 0.9, 1.3])


def product(x, y):
    held = [1.0, [x, y]]

    def double():
        held[1][0] = held[1][0] * 2.0
    double()
    return np.sum(held[1][0] * held[1][1])


def calls_product(x, y):
    return product(x, y) * 1.0


def doubled_in_place(x, y):
    x[0] = x[0] * 2.0
    return np.sum(x * y)


def starred(*xs, **more):
    held = [1.0, [xs[0], more['y']]]

    def double():
        held[1][0] = held[1][0] * 2.0
    double()
    return np.sum(held[1][0] * held[1][1])


def squared(v):
    return np.sum(v * v)


def kept_map(x):
    found = map(squared, [x, x * x])
    return sum(found)


@pytest.mark.parametrize('f', [product, calls_product])
def test_each_argument_has_its_own_gradient(f):
    """The table of gradients knows arrays by identity: both had the sum."""
    assert tangent.grad(f)(X, X) == pytest.approx(2 * X)
    assert np.array(tangent.grad(f, wrt=(0, 1))(X, X)) == pytest.approx(np.array([2 * X, 2 * X]))
    assert np.array(tangent.func.vjp(f, X, X)[1](1.0)) == pytest.approx(np.array([2 * X, 2 * X]))


def test_arguments_of_stars():
    assert tangent.grad(starred)(X, y=X) == pytest.approx(2 * X)
    assert np.array(tangent.grad(lambda *xs: product(*xs), wrt=(0, 1))(X, X)) == pytest.approx(np.array([2 * X, 2 * X]))


def test_views_of_one_array():
    assert tangent.grad(product)(X, X[::-1]) == pytest.approx(2 * X[::-1])
    whole = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert tangent.grad(product)(whole[:, 0], whole[:, 1]) == pytest.approx(2 * whole[:, 1])


def test_what_is_written_into_one_and_seen_in_the_other_is_refused():
    derivative = tangent.grad(doubled_in_place, wrt=(0, 1))
    x = X.copy()
    with pytest.raises(tangent.errors.AliasError, match='x and y share memory'):
        derivative(x, x)
    assert x == pytest.approx(X)
    assert derivative(x, X)[0] == pytest.approx([1.0, 0.9, 1.3])


def test_a_direction_that_is_the_point():
    """The gradient of the direction was added to that of the point."""
    assert tangent.hvp(kept_map)(X, X) == pytest.approx(2 * X + 12 * X ** 3)
