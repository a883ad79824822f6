"""What functions return is not memory in which their adjoints put back what was there before a write."""
import numpy as np
import pytest

import tangent

X = np.array([0.5, 1.5, 0.7])


def powers(u):
    a = u.copy()
    for _ in range(2):
        for i in range(1, a.shape[0]):
            a[i] = a[i] * a[i - 1]
    return a


def multiplied(a, n):
    for i in range(1, n):
        a[i] = a[i] * a[i - 1]


def by_a_callee(u):
    a = u * 1.0
    multiplied(a, 3)
    multiplied(a, 2)
    return a


def used_after_its_adjoint(x):
    w = powers(np.maximum(x, x))
    t = np.outer(x, w)
    return np.sum(t * t)


def written_by_a_callee(x):
    w = by_a_callee(np.sin(x))
    t = np.outer(x, w)
    return np.sum(t * t)


def doubled(u):
    a = np.zeros(3)
    for i in range(3):
        a[i] = 2.0 * u[i]
    return a


def nothing_put_back(x):
    w = doubled(x)
    return np.sum(w * w * x)


FUNCTIONS = [used_after_its_adjoint, written_by_a_callee, nothing_put_back]


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients(f):
    slopes = [(f(X + step) - f(X - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(tangent.grad(f)(X), slopes, rtol=1e-7)


@pytest.mark.parametrize('f', [powers, by_a_callee, doubled], ids=lambda f: f.__name__)
@pytest.mark.parametrize('motion', ['joint', 'split'])
def test_values(f, motion):
    df = tangent.autodiff(f, preserve_result=True, motion=motion)
    gradient, value = df(X, np.ones(3)) if motion == 'joint' else df(X, init_grad=np.ones(3))
    np.testing.assert_array_equal(value, f(X))
    np.testing.assert_allclose(gradient, tangent.vjp(f)(X, np.ones(3)), rtol=1e-14)


def test_a_copy_is_made_only_where_something_is_put_back():
    assert 'return copy(a)' in tangent.source(tangent.grad(used_after_its_adjoint))
    assert 'return copy' not in tangent.source(tangent.grad(nothing_put_back))
