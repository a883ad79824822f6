"""What autograd's own tests ask for, written down from memory over plain NumPy: closures and lambdas by the hundred.

Its real tests run with `python -m tests.tools.autograd_shim path/to/autograd/tests`.
"""
import numpy as np
import pytest

import tangent
from tangent import grad, jacobian, make_vjp
from tests.tools import autograd_shim
from tests.tools.autograd_shim.testing import check_equivalent, check_grads, combo_check, nd

rs = np.random.RandomState(0)
MATRIX, VECTOR = rs.randn(3, 2), rs.randn(4)
TENSOR, COMPLEX = rs.randn(2, 3, 2), rs.randn(3, 2) + 1j * rs.randn(3, 2)

# Functions of one array, each checked in both modes, and in second order

UNARY = {
    'dot with itself': lambda x: np.dot(x.T, x),
    'dot with a number': lambda x: np.dot(x, 2.0),
    'outer': lambda x: np.outer(x, x),
    'max': np.max,
    'max along an axis': lambda x: np.max(x, axis=1),
    'max with dimensions kept': lambda x: np.max(x, axis=(0, 1), keepdims=True),
    'sum of three': lambda x: np.sum(x, axis=(0, 1)) * 3.0,
    'index': lambda x: x[1],
    'slice': lambda x: x[::-1, 1],
    'index by a list': lambda x: x[[0, 1, 1]],
    'index by a mask': lambda x: x[np.array([True, False, True])],
    'index twice': lambda x: x[[0, 1, 2]][1],
    'vector transposed': lambda x: np.transpose(x) * 2.0,
    'reshape method': lambda x: x.reshape((2, 3)),
    'reshape call': lambda x: np.reshape(x, (2, 3), order='C'),
    'ravel': np.ravel,
    'flatten': lambda x: x.flatten(),
    'simple append list': lambda x: np.append([x[0, 0], x[1, 1]], x[2, 0]),
    'simple concatenate': lambda x: np.concatenate((x, x * 2.0)),
    'concatenate axis 1': lambda x: np.concatenate((x, x, x), axis=1),
    'vstack': lambda x: np.vstack((x, x)),
    'hstack': lambda x: np.hstack([x, x * x]),
    'stack': lambda x: np.stack([x, x * x], axis=1),
    'array of arrays': lambda x: np.array([x, x * 2.0]),
    'array from numbers': lambda x: np.array([x[0, 0], x[1, 1] ** 2]),
    'roll': lambda x: np.roll(x, 1, axis=0),
    'rollaxis': lambda x: np.rollaxis(x, 1),
    'moveaxis': lambda x: np.moveaxis(x, 0, 1),
    'expand_dims': lambda x: np.expand_dims(x, 1),
    'squeeze': lambda x: np.squeeze(x[:, :1]),
    'tile': lambda x: np.tile(x, (2, 3)),
    'repeat': lambda x: np.repeat(x, 2, axis=1),
    'kron': lambda x: np.kron(x, x),
    'tril': lambda x: np.tril(x, k=-1),
    'triu': np.triu,
    'diag': lambda x: np.diag(x[:2], k=1),
    'trace': np.trace,
    'clip': lambda x: np.clip(x, -0.5, 0.6),
    'where': lambda x: np.where(x > 0.0, x * x, 2.0 * x),
    'cumsum': lambda x: np.cumsum(x, axis=1),
    'var': lambda x: np.var(x, axis=0, ddof=1),
    'std': np.std,
    'mean': lambda x: np.mean(x, axis=1, keepdims=True),
    'prod': np.prod,
    'sort': lambda x: np.sort(x, axis=0),
    'tensordot': lambda x: np.tensordot(x, x, axes=([0], [0])),
    'einsum': lambda x: np.einsum('ij,kj->ik', x, x),
    'matmul operator': lambda x: x @ x.T,
    'flipud': np.flipud,
    'pad': lambda x: np.pad(x, 1, 'constant'),
    'diff': lambda x: np.diff(x, axis=0),
    'log of sum of exponentials': lambda x: np.log(np.sum(np.exp(x), axis=1)),
    'power of a broadcast': lambda x: (x ** 2) ** np.array([1.0, 0.5]),
    'iteration': lambda x: np.array([np.sum(row ** 2) for row in x]),
    'sum builtin': lambda x: sum([np.sum(row) for row in x]),
    'fanout': lambda x: x + x * x + np.sin(x + x * x),
    'constant part': lambda x: x * 0.0 + 3.0,
    'norm': np.linalg.norm,
    'determinant': lambda x: np.linalg.det(x.T @ x),
    'inverse': lambda x: np.linalg.inv(x.T @ x + np.eye(2)),
    'solve': lambda x: np.linalg.solve(x.T @ x + np.eye(2), x.T),
    'slogdet': lambda x: np.linalg.slogdet(x.T @ x)[1],
}


@pytest.mark.parametrize('k, name', list(enumerate(UNARY)), ids=UNARY)
def test_functions_of_one_array(k, name, in_turn):
    """In second order one of the modes each, in turn."""
    twice = in_turn(['fwd', 'rev'], k)
    check_grads(UNARY[name], modes=twice)(MATRIX)
    check_grads(UNARY[name], modes=[mode for mode in ('fwd', 'rev') if mode not in twice], order=1)(MATRIX)


SCALAR = {
    'abs': (abs, 1.1), 'sin': (lambda x: 3.0 * np.sin(x), 1.1), 'sign': (np.sign, 1.1), 'exp': (np.exp, 1.1),
    'log': (np.log, 1.1), 'log2': (np.log2, 1.1), 'log1p': (np.log1p, 1.1), 'expm1': (np.expm1, 1.1), 'cosh': (np.cosh, 1.1),
    'arccosh': (np.arccosh, 1.2), 'arctanh': (np.arctanh, 0.2), 'sqrt': (np.sqrt, 10.0), 'sinc': (np.sinc, 1.3),
    'reciprocal': (np.reciprocal, 0.7), 'power': (lambda x: np.power(x, 3.5), 1.2), 'exponent': (lambda x: 3.0 ** x, 0.4),
    'rpow': (lambda x: x ** x, 1.3), 'mod': (lambda x: np.mod(x, 2.0), 3.3), 'negative': (lambda x: -x, 1.0),
    'truediv': (lambda x: 2.0 / x, 1.5), 'radd': (lambda x: 1 + x, 1.5), 'maximum': (lambda x: np.maximum(x, 0.5), 1.1),
    'deg2rad': (np.deg2rad, 1.0), 'square': (np.square, 3.0), 'floor': (np.floor, 1.2),
}


@pytest.mark.parametrize('name', SCALAR)
def test_functions_of_a_number(name):
    f, x = SCALAR[name]
    check_grads(f)(x)


BINARY = {
    'add': lambda x, y: x + y, 'subtract': lambda x, y: x - y, 'multiply': lambda x, y: x * y, 'divide': lambda x, y: x / y,
    'power': lambda x, y: x ** y, 'arctan2': np.arctan2, 'hypot': np.hypot, 'maximum': np.maximum, 'logaddexp': np.logaddexp,
    'dot': lambda x, y: np.dot(np.atleast_1d(x).ravel()[:1], np.atleast_1d(y).ravel()[:1]),
}


@pytest.mark.parametrize('name', BINARY)
def test_functions_of_two_with_broadcasting(name):
    pool = [0.6, rs.rand(2) + 0.4, rs.rand(3, 2) + 0.3, rs.rand(1, 2) + 0.5]
    other = [0.7, rs.rand(2) + 0.45, rs.rand(3, 2) + 0.35, rs.rand(1, 2) + 0.55]
    combo_check(BINARY[name], (0, 1), order=1)(pool, other)


COMPLEX_FUNCTIONS = {
    'real': lambda z: np.real(z) * 2.0, 'imag': lambda z: np.imag(z) * 2.0, 'conjugate': lambda z: np.conj(z) * z,
    'product': lambda z: z * z, 'exp': lambda z: np.exp(z), 'sum of squares': lambda z: np.sum(np.abs(z) ** 2),
    'fft': lambda z: np.fft.fft(z, axis=0), 'angle': np.angle, 'quotient': lambda z: 1.0 / z,
}


@pytest.mark.parametrize('name', COMPLEX_FUNCTIONS)
def test_functions_of_complex_numbers(name):
    check_grads(COMPLEX_FUNCTIONS[name], order=1)(COMPLEX)


def test_absolute_value_of_complex_numbers_in_second_order():
    check_grads(np.abs)(COMPLEX)


# Graphs: closures, nested gradients, names that are captured

def test_gradient_of_a_gradient():
    assert np.allclose(grad(grad(lambda x: np.exp(2 * x)))(0.3), 4 * np.exp(0.6))
    assert np.allclose(grad(grad(grad(np.sin)))(0.3), -np.cos(0.3))


def test_enclosing_scope_reference():
    def fun(x):
        inner_fun = lambda y: x * y  # noqa: E731
        return x * grad(inner_fun)(2.0)
    check_grads(fun)(1.0)


def test_enclosing_scope_reference_2():
    def fun(x):
        inner_fun = lambda y: y * x * y  # noqa: E731
        return x * grad(inner_fun)(2.0)
    check_grads(fun)(1.0)


def test_mutating_outgrad():
    def fun(a):
        b = a + 1.0
        c = b + 1.5
        d = a + b
        e = d + c
        return e
    check_grads(fun)(VECTOR)


def test_assignment_is_differentiated():
    """autograd raises an error here."""
    def fun(a, b):
        a = a * 1.0
        a[1] = b
        return a
    check_grads(fun, (0, 1), order=1)(VECTOR, 3.0)


def test_perturbations_are_not_confused():
    f = lambda x: x * grad(lambda y: x + y)(1.0)  # noqa: E731
    assert grad(f)(1.0) == 1.0
    g = lambda x: x * grad(lambda y: x * y)(1.0)  # noqa: E731
    assert grad(g)(4.0) == 8.0


def test_third_derivative_with_other_arguments():
    fun = lambda x, y: np.sin(np.sin(x) + np.sin(y))  # noqa: E731
    df = grad(fun)
    ddf = grad(df, 1)
    dddf = grad(ddf)
    expected = (nd(lambda x, y: float(ddf(x, y)), 0.4, 0.7)[0])
    assert abs(dddf(0.4, 0.7) - expected) < 1e-6


@pytest.mark.parametrize('keep', [(0,), (1,), (0, 1)])
def test_arrays_of_one_element_are_results(keep):
    fun = lambda x: np.sum(np.sin(x), axis=keep, keepdims=True)  # noqa: E731
    x = rs.randn(*(3 if k in keep else 1 for k in (0, 1)))
    assert np.allclose(grad(fun)(x), np.cos(x))


def test_jacobians():
    A = rs.randn(1, 3)
    fun = lambda x: np.sum(np.sin(x), axis=1, keepdims=True)  # noqa: E731
    assert np.allclose(grad(fun)(A), jacobian(fun)(A))
    scalar_funs = [lambda x: np.sum(x ** 3), lambda x: np.prod(np.sin(x) + np.sin(x))]
    x = rs.randn(5)
    jac = jacobian(lambda x: np.array([f(x) for f in scalar_funs]))(x)
    assert np.allclose(jac, np.vstack([grad(f)(x) for f in scalar_funs]))


# Containers

def test_tuples_lists_and_dicts():
    def fun(inputs):
        return np.sum(np.sin(inputs[0])) + np.sum(np.cos(inputs[1]['a']))
    check_grads(fun)((VECTOR, {'a': MATRIX}))
    check_grads(fun)([VECTOR, {'a': MATRIX}])


def test_made_inside():
    def fun(x):
        d = {'item_1': x, 'item_2': x * 2.0}
        return np.sum(d['item_1'] * d['item_2'])
    check_grads(fun)(VECTOR)


def test_iteration_over_a_dict():
    def fun(input_dict):
        total = 0.0
        for k in sorted(input_dict):
            total = total + np.sum(np.sin(input_dict[k])) * input_dict[k][0]
        return total
    check_grads(fun, order=1)({'a': VECTOR, 'b': VECTOR * 2.0})


# Wrappers

def test_make_vjp_and_values():
    back, value = make_vjp(lambda x: np.sin(x) * x)(VECTOR)
    check_equivalent(value, np.sin(VECTOR) * VECTOR)
    check_equivalent(back(VECTOR), (np.cos(VECTOR) * VECTOR + np.sin(VECTOR)) * VECTOR)


def test_hessian_tensor_products():
    fun = lambda a: np.sum(np.sin(a))  # noqa: E731
    a, V = rs.randn(5, 4, 3), rs.randn(5, 4, 3)
    H = tangent.hessian(fun)(a)
    check_equivalent(np.tensordot(H, V, axes=3), tangent.hessian_tensor_product(fun)(a, V))


def test_tensor_jacobian_products_of_a_smaller_tensor():
    fun = lambda a: np.roll(np.sin(a), 1)  # noqa: E731
    a, V = rs.randn(5, 4, 3), rs.randn(5, 4)
    J = jacobian(fun)(a)
    check_equivalent(np.tensordot(V, J, axes=2), tangent.tensor_jacobian_product(fun)(a, V))


def test_flatten():
    row, undo = autograd_shim.flatten((VECTOR, [MATRIX, 2.0]))
    assert row.shape == (VECTOR.size + MATRIX.size + 1,)
    assert np.allclose(undo(row)[1][0], MATRIX)


def test_the_modules_of_the_shim():
    names = autograd_shim.modules()
    assert names['autograd.numpy'] is np
    assert callable(names['autograd']['grad']) and callable(names['autograd.test_util']['check_grads'])
