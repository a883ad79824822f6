"""Jacobians and products with the Hessian of functions that Numba compiles, against those of the plain functions."""
import math

import numpy as np
import pytest

import tangent

numba = pytest.importorskip('numba')


def rosenbrock(x):
    total = 0.0
    for i in range(x.shape[0] - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def outer(x, y):
    out = np.empty((x.shape[0], y.shape[0]))
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            out[i, j] = math.sin(x[i]) * y[j] ** 2
    return out


def powers(t, n):
    out = np.empty(n)
    for k in range(n):
        out[k] = t ** k
    return out


X, Y = np.array([0.3, -0.7, 1.1]), np.array([2.0, 0.5])


@pytest.mark.share(2)
@pytest.mark.parametrize('mode', [None, 'forward', 'reverse'])
@pytest.mark.parametrize('f, args, wrt', [(outer, (X, Y), 0), (outer, (X, Y), 'y'), (powers, (0.7, 4), 0), (rosenbrock, (X,), 0),
                                          (lambda t: t * t, (3.0,), 0)])
def test_jacobian_is_compiled(f, args, wrt, mode):
    jacobian = tangent.jacobian(numba.njit(f), wrt, mode=mode)
    assert isinstance(jacobian, numba.core.registry.CPUDispatcher)
    found = jacobian(*args)
    np.testing.assert_allclose(found, tangent.jacobian(f, wrt, mode=mode)(*args), rtol=1e-13)
    np.testing.assert_array_equal(jacobian.py_func(*args), found)          # what the text says, uncompiled


def test_hvp_is_compiled_and_can_be_called_from_compiled_code():
    product = tangent.hvp(numba.njit(rosenbrock))
    assert isinstance(product, numba.core.registry.CPUDispatcher)
    expected = tangent.hessian(rosenbrock)(X) @ np.ones(3)
    np.testing.assert_allclose(numba.njit(lambda x: product(x, np.ones(3)))(X), expected, rtol=1e-12)
    assert 'def hvp_of_rosenbrock(x, vector):' in tangent.source(product)


def test_hessian_as_the_jacobian_of_a_gradient():
    f = numba.njit(lambda x: np.sum(np.exp(x) * x))
    found = tangent.jacobian(tangent.grad(f))(X)
    np.testing.assert_allclose(found, np.diag(np.exp(X) * (X + 2)), rtol=1e-12)


def test_several_arguments_and_defaults_go_through_python():
    f = numba.njit(lambda x, y, n=2: x[0] ** n * y)
    for found, expected in zip(tangent.jacobian(f, (0, 1))(X, 3.0), ([1.8, 0, 0], 0.09)):
        np.testing.assert_allclose(found, expected, rtol=1e-13)
    np.testing.assert_allclose(tangent.hvp(f)(X, 3.0, 2, np.ones(3)), [6.0, 0, 0], rtol=1e-13)


def test_jacobian_of_complex_numbers_says_what_to_do():
    jacobian = tangent.jacobian(numba.njit(lambda z: z * z))
    with pytest.raises(numba.core.errors.TypingError, match='f.py_func'):
        jacobian(np.array([1j, 2.0]))


def factor(a):
    return np.linalg.cholesky(a)


@pytest.mark.parametrize('n', [1, 5, 70])
def test_gradient_of_a_factor_is_solved_for_in_blocks(n):
    rng = np.random.default_rng(n)
    a, seed = rng.normal(size=(n, n)), rng.normal(size=(n, n))
    a = a @ a.T + n * np.eye(n)
    found = tangent.func.vjp(numba.njit(factor), a)[1](seed)
    np.testing.assert_allclose(found, tangent.func.vjp(factor, a)[1](seed), rtol=1e-11, atol=1e-13)
