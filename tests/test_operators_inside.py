"""Operators inside differentiated code: `jacobian`, `hvp`, `make_vjp` ... are themselves differentiated."""
import numpy as np
import pytest

import tangent
from tangent import func
from tests.checking import assert_close, differences

X, V = np.array([0.3, -0.4, 1.2]), np.array([1.0, 0.5, -0.2])


def f(x):
    return np.sin(x) * x[0]


def scalar(x):
    return np.sum(np.sin(x) * x ** 2)


J, H, P, B, F = (tangent.jacobian(f), tangent.hessian(scalar), tangent.hvp(scalar), tangent.make_vjp(f), tangent.make_jvp(f))

CASES = {
    'made outside': lambda x: np.sum(np.sin(J(x))),
    'made inside': lambda x: np.sum(np.sin(tangent.jacobian(f)(x))),
    'of a lambda': lambda x: np.sum(tangent.jacobian(lambda y: np.sin(y) * y[1])(x)),
    'over a closure': lambda x: np.sum(tangent.jacobian(lambda y: np.sin(y * x[0]) * x)(V)),
    'hessian': lambda x: np.sum(np.sin(H(x))),
    'hessian inside': lambda x: np.sum(np.sin(tangent.hessian(scalar)(x))),
    'hvp': lambda x: np.sum(np.sin(P(x, V))),
    'hvp inside': lambda x: np.sum(np.sin(tangent.hvp(scalar)(V, x))),
    'make_vjp': lambda x: np.sum(B(x)[0](V) * B(x)[1]),
    'make_vjp inside': lambda x: np.sum(tangent.make_vjp(f)(V)[0](x) ** 2),
    'make_jvp inside': lambda x: np.sum(tangent.make_jvp(f)(x)(V)[1] ** 2),
    'make_jvp': lambda x: np.sum(F(x)(V)[1] ** 2),
    'func.vjp': lambda x: np.sum(func.vjp(f, x)[1](V)[0] ** 2),
    'func.jvp': lambda x: np.sum(func.jvp(f, (x,), (V,))[1] ** 2),
    'grad': lambda x: np.sum(tangent.grad(scalar)(x) ** 2),
    'value_and_grad': lambda x: tangent.value_and_grad(scalar)(x)[0] + np.sum(tangent.value_and_grad(scalar)(x)[1] ** 2),
    'elementwise_grad': lambda x: np.sum(tangent.elementwise_grad(np.tanh)(x) ** 2),
}


@pytest.mark.parametrize('name', CASES)
def test_gradient_through_the_operator(name):
    case = CASES[name]
    assert_close(tangent.grad(case)(X), differences(case, (X,), (0,))[0])


@pytest.mark.parametrize('name', [pytest.param(n, marks=[pytest.mark.xfail(strict=False)] * (n == 'over a closure'))
                                  for n in CASES])
def test_tangent_through_the_operator(name):
    case = CASES[name]
    assert_close(tangent.jvp(case)(X, V), differences(case, (X,), (0,))[0] @ V)


def test_jacobians_of_jacobians():
    second = tangent.jacobian(tangent.jacobian(f))(X)
    assert second.shape == (3, 3, 3)
    assert_close(second, tangent.hessian(f)(X))


@pytest.mark.xfail(strict=False, reason='what a way back has saved is not followed a third time')
def test_jacobians_of_jacobians_of_jacobians():
    assert tangent.jacobian(tangent.jacobian(tangent.jacobian(f)))(X).shape == (3, 3, 3, 3)


def test_a_function_that_cannot_be_differentiated_again_says_so():
    with pytest.raises(TypeError, match='cannot be differentiated again'):
        tangent.grad(lambda x: np.sum(tangent.jacobian(lambda y: {'a': y})(x)['a']))(X)
