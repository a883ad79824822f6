"""Jacobians, Hessians, their products, sparse Jacobians, Taylor coefficients."""
import functools
import pickle
import sys

import numpy as np
import pytest
import scipy.sparse

import tangent
from tests.tools.checking import assert_close

X, W = np.array([0.3, -0.4, 1.2]), np.array([[0.7, 0.1, -0.5], [1.0, 0.2, 0.3]])
MODES = pytest.mark.parametrize('mode', [None, 'forward', 'reverse'])


def layer(x, w):
    return np.tanh(w @ x)


def wide(x):
    return np.outer(x, x[:2])


def number(x):
    return np.sum(np.sin(x) * x ** 2)


def model(params, scale=2.0):
    return {'out': params['w'] * params['b'] * scale, 'norm': np.sum(params['w'] ** 2)}


def two_inputs(x, y):
    return np.sum(x ** 2 * y[0] + x * y[1])


def band(x):
    y = x * x
    return y[1:-1] * x[:-2] - np.sin(x[2:])


def shrinking(x):                   # fewer results than arguments, each argument in one of them
    return np.sum(np.reshape(x * x, (5, -1)), axis=1)


def by_differences(f, x, step=1e-6):
    columns = []
    for k in range(x.size):
        d = np.zeros(x.size)
        d[k] = step
        d = d.reshape(x.shape)
        columns.append((np.ravel(f(x + d)) - np.ravel(f(x - d))) / (2 * step))
    return np.array(columns).T.reshape(np.shape(f(x)) + x.shape)


@MODES
def test_shape_is_output_then_input(mode):
    found = tangent.jacobian(layer, wrt=1, mode=mode)(X, W)
    assert found.shape == (2, 2, 3)
    assert_close(found, by_differences(lambda w: layer(X, w), W), tolerance=1e-8)
    assert_close(tangent.jacobian(wide, mode=mode)(X), by_differences(wide, X), tolerance=1e-8)


@MODES
def test_numbers(mode):
    assert tangent.jacobian(lambda x: x ** 2, mode=mode)(3.0) == 6.0
    assert_close(tangent.jacobian(number, mode=mode)(X), tangent.grad(number)(X))
    assert_close(tangent.jacobian(lambda x: np.array([x, x ** 2, 1.0]), mode=mode)(2.0), np.array([1.0, 4.0, 0.0]))


@MODES
def test_containers_in_and_out(mode):
    found = tangent.jacobian(model, mode=mode)({'w': X, 'b': 2.0})
    assert_close(found, {'out': {'w': 4.0 * np.eye(3), 'b': 2.0 * X}, 'norm': {'w': 2 * X, 'b': 0.0}})


@MODES
def test_several_arguments(mode):
    by_x, by_w = tangent.jacobian(layer, wrt=('x', 1), mode=mode)(X, W)
    assert_close(by_x, tangent.jacobian(layer)(X, W))
    assert_close(by_w, tangent.jacobian(layer, argnums=1)(X, W))
    one, = tangent.jacobian(layer, argnums=(0,), mode=mode)(X, W)
    assert_close(one, by_x)


def test_float32_stays():
    found = tangent.jacobian(wide)(X.astype(np.float32))
    assert found.dtype == np.float32


@pytest.mark.parametrize('f, count', [(lambda x: calls.append(1) or x[:1] * 1.0, 1), (lambda x: calls.append(1) or x * 1.0, 3)])
def test_the_cheaper_mode_is_chosen(f, count):
    """One pass for each number on the smaller side; the function itself runs once more to see its shape."""
    del calls[:]
    tangent.jacobian(f)(X)
    assert len(calls) <= count + 1


calls = []


def test_forward_and_reverse_of_func():
    assert_close(tangent.func.jacfwd(layer)(X, W), tangent.func.jacrev(layer)(X, W))
    assert_close(tangent.func.jacfwd(tangent.func.jacrev(number))(X), tangent.hessian(number)(X))


def test_progress(capfd):
    assert_close(tangent.jacobian(wide, progress=True)(X), tangent.jacobian(wide)(X))
    assert 'jacobian' in capfd.readouterr().err


def test_progress_without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, 'tqdm', None)
    with pytest.raises(tangent.TangentError, match='pip install tqdm'):
        tangent.jacobian(wide, progress=True)(X)


def test_what_makes_no_sense():
    with pytest.raises(tangent.TangentError, match='mode'):
        tangent.jacobian(wide, mode='sideways')
    with pytest.raises(TypeError, match='which is a str: only numbers'):
        tangent.jacobian(lambda x: 1.0)('text')


# Hessians

def test_hessian():
    found = tangent.hessian(number)(X)
    assert_close(found, np.diag(-np.sin(X) * X ** 2 + 4 * np.cos(X) * X + 2 * np.sin(X)))


def test_hessian_of_an_array():
    found = tangent.hessian(wide)(X)
    assert found.shape == (3, 2, 3, 3)
    assert_close(found, by_differences(tangent.jacobian(wide), X), tolerance=1e-8)


def test_hessian_blocks():
    y = np.array([2.0, 3.0])
    (xx, xy), (yx, yy) = tangent.hessian(two_inputs, argnums=(0, 1))(X, y)
    assert_close([xx, xy, yx, yy], [np.diag(np.full(3, 4.0)), np.stack([2 * X, np.ones(3)], 1),
                                    np.stack([2 * X, np.ones(3)]), np.zeros((2, 2))])


def test_hvp():
    v = np.array([1.0, -1.0, 0.5])
    assert_close(tangent.hvp(number)(X, v), tangent.hessian(number)(X) @ v)
    y, u = np.array([2.0, 3.0]), np.array([0.3, 0.4])
    by_x, by_y = tangent.hvp(two_inputs, wrt=(0, 1))(X, y, (v, u))
    assert_close([by_x, by_y], [4 * v + 2 * X * u[0] + u[1], np.array([2 * X @ v, np.sum(v)])])
    assert_close(tangent.hessian_vector_product(number)(X, v), tangent.hvp(number)(X, v))


def carried(x, n):
    s = 0.0
    for i in range(n):
        s = np.sin(s + x[i]) * x[i]
    return s


def test_hvp_through_a_loop():
    v = np.array([1.0, -1.0, 0.5])
    expected = by_differences(lambda x: tangent.grad(carried)(x, 3), X) @ v
    assert_close(tangent.hvp(carried)(X, 3, v), expected, tolerance=1e-8)


def test_gauss_newton():
    v = np.array([1.0, -1.0, 0.5])
    J = tangent.jacobian(layer)(X, W)
    assert_close(tangent.gauss_newton(layer)(X, W, v), J.T @ (J @ v))
    H = tangent.hessian(number)(layer(X, W))
    assert_close(tangent.gauss_newton(layer, number)(X, W, v), J.T @ (H @ (J @ v)))


# Sparse

def test_a_given_pattern():
    x = np.linspace(0.1, 1.0, 20)
    pattern = scipy.sparse.diags([1.0, 1.0, 1.0], [0, 1, 2], (18, 20))
    found = tangent.jacobian(band, sparsity=pattern)(x)
    assert scipy.sparse.issparse(found) and found.nnz == 3 * 18
    assert_close(found.toarray(), tangent.jacobian(band)(x))
    assert_close(tangent.jacobian(band, sparsity=pattern.toarray(), mode='reverse')(x).toarray(), tangent.jacobian(band)(x))


def test_a_detected_pattern():
    x = np.linspace(0.1, 1.0, 20)
    found = tangent.jacobian(band, sparsity='detect')(x)
    assert found.nnz == 3 * 18
    assert_close(found.toarray(), tangent.jacobian(band)(x))


def counted(x):
    calls.append(1)
    return band(x)


def test_few_passes_are_made():
    del calls[:]
    pattern = scipy.sparse.diags([1.0, 1.0, 1.0], [0, 1, 2], (198, 200))
    tangent.jacobian(counted, sparsity=pattern)(np.linspace(0.1, 1.0, 200))
    assert len(calls) == 1                            # along three colours, and a direction to check
    del calls[:]
    tangent.jacobian(counted, sparsity='detect')(np.linspace(0.1, 1.0, 200))
    assert len(calls) < 80


def test_rows_are_coloured_where_that_is_cheaper():
    x = np.linspace(0.1, 1.0, 50)
    found = tangent.jacobian(shrinking, sparsity='detect')(x)
    assert_close(found.toarray(), tangent.jacobian(shrinking)(x))
    assert found.nnz == 50


def test_a_pattern_that_misses_a_nonzero_is_found_out():
    pattern = scipy.sparse.diags([1.0, 1.0], [0, 1], (18, 20))
    with pytest.raises(ValueError, match='outside of the sparsity pattern'):
        tangent.jacobian(band, sparsity=pattern)(np.linspace(0.1, 1.0, 20))


def switched(x, k):
    return x * x if k else x[::-1] * 2.0


def test_a_pattern_that_changes_is_detected_anew():
    df = tangent.jacobian(switched, sparsity='detect')
    for k in (1, 0, 1):
        assert_close(df(X, k).toarray(), tangent.jacobian(switched)(X, k))


def test_patterns_of_the_wrong_shape():
    with pytest.raises(ValueError, match='pattern has 4 columns'):
        tangent.jacobian(band, sparsity=np.eye(4))(np.linspace(0.1, 1.0, 20))
    with pytest.raises(tangent.TangentError, match="'detect'"):
        tangent.jacobian(band, sparsity='guess')
    with pytest.raises(tangent.TangentError, match='one argument'):
        tangent.jacobian(layer, (0, 1), sparsity='detect')


# Taylor

def test_taylor_coefficients():
    assert_close(tangent.taylor(np.exp, 0.0, 2.0, 4), [1.0, 2.0, 2.0, 8 / 6, 16 / 24])
    t = 0.01
    found = tangent.taylor(number, X, np.ones(3), 3)
    assert abs(sum(c * t ** k for k, c in enumerate(found)) - number(X + t)) < 1e-7
    with pytest.raises(ValueError, match='order'):
        tangent.taylor(np.exp, 0.0, 1.0, -1)


def test_every_row_of_a_function_that_writes_into_its_argument():
    """The way back puts old values back into what it writes into: the next row has to begin with the new ones again."""
    def products(x):
        for i in range(1, x.shape[0]):
            x[i] *= x[i - 1]
        return x[1:]
    x = np.array([0.3, 0.44, 0.58])
    expected = [[x[1], x[0], 0.0], [x[1] * x[2], x[0] * x[2], x[0] * x[1]]]
    np.testing.assert_allclose(tangent.jacobian(products, mode='reverse')(x), expected, rtol=1e-14)
    np.testing.assert_array_equal(x, [0.3, 0.44, 0.58])


def spring(a, x, b=2.0, *, k=1.0):
    return a * x * x * b * k + np.sin(x)


def pairs(a, *xs, **more):
    return a * xs[0] * xs[1] * more.get('s', 1.0)


class Spring:
    def force(self, x, k=1.0):
        return k * x ** 3


PARTIALS = {                   # a functools.partial, the lambda in its place, arguments
    'a position': (functools.partial(spring, 3.0), lambda x: spring(3.0, x), (X,)),
    'keywords': (functools.partial(spring, 3.0, b=5.0, k=0.5), lambda x: spring(3.0, x, 5.0, k=0.5), (X,)),
    'what comes behind': (functools.partial(spring, x=X), lambda a: spring(a, X), (2.0,)),
    'of a partial': (functools.partial(functools.partial(spring, 3.0), k=0.5), lambda x: spring(3.0, x, k=0.5), (X,)),
    'any number': (functools.partial(pairs, 3.0, s=2.0), lambda x, y: pairs(3.0, x, y, s=2.0), (X, 2 * X)),
    'a method': (functools.partial(Spring().force, k=2.0), lambda x: 2.0 * x ** 3, (X,)),
    'a rule': (functools.partial(np.tensordot, axes=1), lambda x, y: np.tensordot(x, y, axes=1), (X, 2 * X)),
    'a rule, by position': (functools.partial(np.multiply, X), lambda y: X * y, (2 * X,)),
}


@pytest.mark.parametrize('name', PARTIALS)
def test_functions_may_be_partials(name):
    partial, plain, args = PARTIALS[name]
    value, direction = plain(*args), tuple(0.5 * a for a in args)
    for operator in (tangent.jacobian, tangent.jacfwd, tangent.jacrev, tangent.hessian, tangent.elementwise_grad):
        assert_close(operator(partial)(*args), operator(plain)(*args))
    assert_close(tangent.func.jvp(partial, args, direction), tangent.func.jvp(plain, args, direction))
    assert_close(tangent.func.vjp(partial, *args)[1](value), tangent.func.vjp(plain, *args)[1](value))
    assert_close(tangent.gauss_newton(partial)(*args, direction[0]), tangent.gauss_newton(plain)(*args, direction[0]))


def test_what_is_made_of_partials():
    partial = functools.partial(spring, 3.0)
    assert_close(tangent.jacobian(partial, wrt='b')(X, 2.0), 3.0 * X * X)
    assert_close(tangent.hvp(functools.partial(two_inputs, y=X))(W[0], X), 2 * X * X[0])
    assert_close(tangent.grad(lambda c: np.sum(tangent.jacobian(functools.partial(spring, c))(X)))(3.0), np.sum(4 * X))
    assert_close(tangent.taylor(partial, 1.0, 1.0, 3), tangent.taylor(lambda x: spring(3.0, x), 1.0, 1.0, 3))
    assert 'def jacobian_of_spring(x, b=2.0' in tangent.source(tangent.jacobian(partial))
    assert 'def dfdx(' in tangent.export_source(tangent.elementwise_grad(functools.partial(lambda a, x: a * x, 2.0))).replace('fn', 'f')
    assert_close(tangent.grad(functools.partial(tangent.checkpoint(two_inputs), y=X))(X), 2 * X * X[0] + X[1])
    assert_close(tangent.grad(functools.partial(two_inputs, X), jit=True)(X), np.array([np.sum(X * X), np.sum(X), 0.0]))
    for refused in (lambda: tangent.jacobian(functools.partial(spring, 1, 2, 3, 4)), lambda: tangent.checkpoint(partial)):
        with pytest.raises(tangent.TangentError, match='functools.partial'):
            refused()
    again = pickle.loads(pickle.dumps(tangent.jacobian(partial)))
    assert_close(again(X), tangent.jacobian(partial)(X))


def test_coefficients_of_a_function_with_more_parameters():
    def scaled(x, b=2.0, *, k=3.0):
        return x ** 3 * b * k
    assert_close(tangent.taylor(scaled, 1.0, 1.0, 3), [6.0, 18.0, 18.0, 6.0])


class Weights:
    def __init__(self):
        self.w = np.array([2.0, 3.0, 5.0])

    def energy(self, x):
        return self.w * x * x


weights = Weights()


def energy(*x):
    return np.sum(weights.energy(*x))


def test_the_vector_of_a_product_may_be_the_argument_itself():
    """The log form knows arrays by identity."""
    assert_close(tangent.hvp(energy)(X, X), 2 * weights.w * X)           # was twice that
    gradient = tangent.grad(lambda x: energy(x))
    assert_close(tangent.jvp(gradient)(X, 1.0, X), 2 * weights.w * X)
    assert_close(tangent.vjp(gradient)(X, 1.0, X), 2 * weights.w * X)
