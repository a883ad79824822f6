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


@pytest.mark.parametrize('name', CASES)
def test_tangent_through_the_operator(name):
    case = CASES[name]
    assert_close(tangent.jvp(case)(X, V), differences(case, (X,), (0,))[0] @ V)


def test_jacobians_of_jacobians():
    second = tangent.jacobian(tangent.jacobian(f))(X)
    assert second.shape == (3, 3, 3)
    assert_close(second, tangent.hessian(f)(X))


def test_jacobians_of_jacobians_of_jacobians():
    third = tangent.jacobian(tangent.jacobian(tangent.jacobian(f)))(X)
    assert third.shape == (3, 3, 3, 3)
    assert_close(third, np.stack([differences(lambda x, i=i, j=j, k=k: tangent.hessian(f)(x)[i, j, k], (X,), (0,))[0]
                                  for i in range(3) for j in range(3) for k in range(3)]).reshape(3, 3, 3, 3), 1e-5)


def test_a_function_that_cannot_be_differentiated_again_says_so():
    with pytest.raises(TypeError, match='cannot be differentiated again'):
        tangent.grad(lambda x: np.sum(tangent.jacobian(lambda y: {'a': y})(x)['a']))(X)


class Boxed:
    def __init__(self, a):
        self.a = a

    def __add__(self, other):
        return Boxed(self.a + other.a)


def test_a_list_that_is_joined_and_repeated_is_no_number():
    """Where a class in sight has `+`, it becomes a call of `operator.add`, whose operands need not be numbers."""
    def f(x):
        xs = [x, x * x]
        w = np.array((xs * 3)[:3]) * 1.0                   # 2 x + x ** 2
        ys = xs + [x]                                      # 2 x + x ** 2
        return np.sum(w) + sum(ys)

    assert tangent.grad(f)(0.5) == pytest.approx(6.0)


def test_a_copy_of_a_list_that_is_repeated_is_a_list():
    def f(x):
        xs = [x, x * x]
        w = np.array((xs * 3)[:3]) * 1.0                   # 2 x + x ** 2
        xs[0] = xs[-1]
        return np.sum(w) + xs[0]

    assert tangent.grad(f)(0.5) == pytest.approx(4.0)


def test_an_array_that_is_only_given_as_out_is_the_functions_own():
    given = np.array([1.0, 2.0])

    def f(x, v):
        np.add(v, v, out=v)
        return x * sum(v) + Boxed(x).a

    assert tangent.grad(f)(3.0, given) == pytest.approx(7.0)
    np.testing.assert_array_equal(given, [1.0, 2.0])
