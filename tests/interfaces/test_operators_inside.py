"""Operators inside differentiated code: `jacobian`, `hvp`, `make_vjp` ... are themselves differentiated."""
import numpy as np
import pytest

import tangent
from tangent import func
from tests.tools.checking import assert_close, differences

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


def scaled(y, s=2.0):
    return np.sin(y) * s * y[0]


def scaled_sum(y, s=2.0):
    return np.sum(np.sin(y) * s * y ** 2)


def only(y, *, s=2.0):
    return np.sum(np.sin(y) * s * y ** 2)


def two(y, z):
    return np.sin(y) * z ** 2


def sum_of_two(y, z):
    return np.sum(two(y, z))


D = tangent.jacobian(scaled)
T = tangent.jacobian(two, argnums=(1,))
M = tangent.make_vjp(two, (0, 1))
L = tangent.hvp(only)

MORE = {
    'of a gradient': lambda x: np.sum(tangent.jacobian(tangent.grad(lambda y: np.sum(y ** 3 * x)))(x) ** 2),
    'defaults': lambda x: np.sum(tangent.jacobian(scaled)(x) ** 2) + np.sum(D(x) ** 2),
    'defaults that are given': lambda x: np.sum(D(x, x[0]) ** 2) + np.sum(D(x, s=x[1]) ** 2),
    'by name': lambda x: np.sum(tangent.jacobian(scaled, wrt='s')(x, x[0]) ** 2),
    'by two': lambda x: sum([np.sum(j ** 2) for j in tangent.jacobian(two, wrt=(0, 1))(x, x)]),
    'a tuple of one': lambda x: np.sum(T(x, x)[0] ** 2) + np.sum(tangent.jacobian(two, argnum=(1,))(x, x)[0] ** 2),
    'hessian, defaults': lambda x: np.sum(tangent.hessian(scaled_sum)(x) ** 2) + np.sum(tangent.hessian(scaled_sum)(x, s=x[0])),
    'hessian by two': lambda x: np.sum(tangent.hessian(sum_of_two, argnums=(0, 1))(x, x)[0][1] ** 2),
    'hvp, defaults': lambda x: np.sum(tangent.hvp(scaled_sum)(x, V) ** 2) + np.sum(tangent.hvp(scaled_sum)(x, V, s=x[0])),
    'hvp, keyword-only': lambda x: np.sum(tangent.hvp(only)(x, V, s=x[0]) ** 2) + np.sum(L(x, V, s=x[1])),
    'hvp by two': lambda x: np.sum(tangent.hvp(sum_of_two, wrt=(0, 1))(x, x, (V, x))[1] ** 2),
    'make_vjp by two': lambda x: np.sum(M(x, x)[0](V)[0] * M(x, V)[0](x)[1]),
    'make_vjp, defaults': lambda x: np.sum(tangent.make_vjp(scaled)(x)[0](V) ** 2),
    'make_jvp, defaults': lambda x: np.sum(tangent.make_jvp(scaled)(x)(V)[1] ** 2),
    'make_hvp': lambda x: np.sum(tangent.make_hvp(scaled_sum)(x)[0](V) * tangent.make_hvp(scaled_sum)(x)[1]),
    'make_ggnvp': lambda x: np.sum(tangent.make_ggnvp(scaled)(x)(V) ** 2),
    'gauss_newton': lambda x: np.sum(tangent.gauss_newton(scaled, wrt='y')(x, V) ** 2),
    'tensor_jacobian_product': lambda x: np.sum(tangent.tensor_jacobian_product(two)(x, V, x) ** 2),
    'grad_named': lambda x: np.sum(tangent.grad_named(sum_of_two, 'z')(x, x) ** 2),
    'multigrad_dict': lambda x: np.sum(tangent.multigrad_dict(sum_of_two)(x, x)['z'] ** 2),
    'func.vjp by two': lambda x: np.sum(func.vjp(two, x, x)[1](V)[1] ** 2) + np.sum(func.vjp(scaled, x)[1](V)[0]),
    'func.vjp, aux': lambda x: np.sum(func.vjp(lambda y: (y * y * x, y * x), x, has_aux=True)[1](V)[0] ** 2),
    'func.jvp, aux': lambda x: np.sum(np.stack(func.jvp(lambda y: (y * y * x, y * x), (x,), (V,), has_aux=True)) ** 2),
    'func.linearize': lambda x: np.sum(func.linearize(two, x, x)[1](V, x) ** 2),
    'func.jacrev': lambda x: np.sum(func.jacrev(two, argnums=1)(x, x) ** 2) + np.sum(func.jacfwd(two, argnums=(0,))(x, x)[0]),
    'func.grad': lambda x: np.sum(func.grad(sum_of_two, argnums=(0, 1))(x, x)[1] ** 2),
}


@pytest.mark.parametrize('name', MORE)
def test_arguments_of_operators(name):
    case = MORE[name]
    expected = differences(case, (X,), (0,))[0]
    assert_close(tangent.grad(case)(X), expected)
    assert_close(tangent.jvp(case)(X, V), expected @ V)


@pytest.mark.parametrize('case, message', [
    (lambda x: tangent.taylor(np.sin, x, 1.0, 2)[2], 'taylor'),
    (lambda x: tangent.holomorphic_grad(lambda z: z * z)(x), 'holomorphic_grad'),
    (lambda x: np.sum(tangent.jacobian(lambda p: p['a'] * x)({'a': x})['a']), 'let the function take arrays'),
    (lambda x: tangent.jacobian(lambda y: y * x, sparsity=np.eye(1))(x), 'takes no options')])
def test_operators_that_have_no_derivative_say_so(case, message):
    for derivative in (lambda: tangent.grad(case)(0.7), lambda: tangent.jvp(case)(0.7, 1.0)):
        with pytest.raises(tangent.TangentError, match=message):
            derivative()


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
