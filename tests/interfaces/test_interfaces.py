"""Argument styles and results of the interfaces: those of google/tangent, JAX and torch.func, and autograd."""
import collections

import numpy as np
import pytest

import tangent
from tangent import func
from tests.tools.checking import assert_close

X, W = np.array([0.3, -0.4, 1.2]), np.array([0.7, 0.1, -0.5])
Pair = collections.namedtuple('Pair', 'left right')


def loss(x, w):
    return np.sum(np.tanh(w * x))


def loss_and_parts(x, w):
    y = np.tanh(w * x)
    return np.sum(y), {'y': y}


def calls_pair(x, w):
    both = loss_and_parts(x, w)
    return both


def pair_by_branch(x, flag):
    if flag:
        return x * x, 'square'
    return x + x, 'double'


def stack_of_sines(x, n):
    for _ in range(n):
        x = np.sin(x) * x
    return x


def model(params, scale=2.0):
    return {'out': params['w'] * params['b'] * scale, 'norm': np.sum(params['w'] ** 2)}


def by_hand(x, w):
    slope = 1 - np.tanh(w * x) ** 2
    return slope * w, slope * x


# Which arguments

def test_wrt_has_the_rules_of_tangent():
    assert_close(tangent.grad(loss)(X, W), by_hand(X, W)[0])
    assert_close(tangent.grad(loss, wrt=(1,))(X, W), by_hand(X, W)[1])
    assert_close(tangent.grad(loss, wrt='w')(X, W), by_hand(X, W)[1])
    assert isinstance(tangent.grad(loss, wrt=(0, 'w'))(X, W), tuple)


@pytest.mark.parametrize('key', ['argnums', 'argnum'])
def test_argnums_and_argnum_give_a_tuple_for_a_tuple(key):
    assert isinstance(tangent.grad(loss, **{key: 0})(X, W), np.ndarray)
    one, = tangent.grad(loss, **{key: (1,)})(X, W)
    assert_close(one, by_hand(X, W)[1])
    both = tangent.grad(loss, **{key: [0, -1]})(X, W)
    assert type(both) is tuple
    assert_close(list(both), list(by_hand(X, W)))


@pytest.mark.parametrize('make', [tangent.value_and_grad, tangent.vjp, tangent.elementwise_grad, tangent.jacobian,
                                  tangent.hessian, tangent.make_vjp], ids=lambda f: f.__name__)
def test_every_operator_takes_all_three(make):
    for style in ({'wrt': 'w'}, {'argnums': (1,)}, {'argnum': -1}):
        assert callable(make(loss, **style))
    with pytest.raises(tangent.TangentError, match='give one of'):
        make(loss, 1, argnums=0)


@pytest.mark.parametrize('style, message', [
    ({'argnums': ()}, 'argnums is empty'), ({'argnum': 2}, 'position 2'), ({'argnums': -3}, 'before the first'),
    ({'wrt': 'z'}, "names 'z'"), ({'argnums': True}, 'positions and names')])
def test_arguments_that_make_no_sense(style, message):
    with pytest.raises(tangent.TangentError, match=message):
        tangent.grad(loss, **style)


@pytest.mark.parametrize('make, place', [(tangent.vjp, 'tangent.func.vjp'), (tangent.jvp, 'tangent.func.jvp')])
@pytest.mark.parametrize('given', [X, 2.0, (X, W)], ids=['array', 'float', 'tuple'])
def test_arguments_in_place_of_positions(make, place, given):
    with pytest.raises(TypeError, match=place):
        make(loss, given)


# Auxiliary results

def test_has_aux():
    g, aux = tangent.grad(loss_and_parts, has_aux=True)(X, W)
    assert_close(g, by_hand(X, W)[0])
    assert_close(aux['y'], np.tanh(X * W))
    (value, aux), (gx, gw) = tangent.value_and_grad(loss_and_parts, argnums=(0, 1), has_aux=True)(X, W)
    assert_close([value, gx, gw], [loss(X, W), *by_hand(X, W)])
    assert set(aux) == {'y'}


def test_aux_of_a_pair_that_comes_from_a_call():
    g, aux = tangent.grad_and_aux(calls_pair, argnum=1)(X, W)
    assert_close(g, by_hand(X, W)[1])
    assert_close(aux['y'], np.tanh(X * W))


def test_aux_of_pairs_in_branches():
    df = tangent.grad(pair_by_branch, has_aux=True)
    assert df(3.0, True) == (6.0, 'square')
    assert df(3.0, False) == (2.0, 'double')


def test_what_is_no_pair_is_refused():
    with pytest.raises(TypeError, match='has to be a pair'):
        tangent.grad(loss, has_aux=True)(X, W)
    with pytest.raises(tangent.TangentError, match='returns 3 values'):
        tangent.grad(lambda x: (x * x, x, x), has_aux=True)
    with pytest.raises(tangent.TangentError, match='preserve_result'):
        tangent.grad(loss_and_parts, has_aux=True, preserve_result=True)


# Forms of JAX and PyTorch

def test_func_vjp():
    value, pullback = func.vjp(loss, X, W)
    assert_close([value, *pullback(2.0)], [loss(X, W), *(2 * g for g in by_hand(X, W))])
    assert_close(list(pullback(1.0)), list(by_hand(X, W)))
    assert isinstance(func.vjp(np.sin, X)[1](X), tuple)


def test_func_vjp_has_aux():
    value, pullback, aux = func.vjp(loss_and_parts, X, W, has_aux=True)
    assert_close([value, *pullback(1.0)], [loss(X, W), *by_hand(X, W)])
    assert_close(aux['y'], np.tanh(X * W))


def test_func_jvp():
    value, tangent_ = func.jvp(loss, (X, W), (W, X))
    gx, gw = by_hand(X, W)
    assert_close([value, tangent_], [loss(X, W), gx @ W + gw @ X])
    with pytest.raises(TypeError, match='tuple'):
        func.jvp(loss, X, W)
    with pytest.raises(ValueError, match='2 primals and 1 tangents'):
        func.jvp(loss, (X, W), (X,))


def test_func_linearize():
    value, push = func.linearize(loss, X, W)
    assert_close([value, push(W, X)], [loss(X, W), func.jvp(loss, (X, W), (W, X))[1]])


# Forms of autograd

def test_make_vjp_goes_back_as_often_as_asked():
    back, value = tangent.make_vjp(stack_of_sines)(X, 3)
    assert_close(value, stack_of_sines(X, 3))
    first, second = back(np.ones(3)), back(np.ones(3))
    assert_close(first, second)
    assert_close(first, tangent.elementwise_grad(stack_of_sines)(X, 3))
    assert_close(back(2 * np.ones(3)), 2 * first)


def written(x, n):
    y = np.zeros(3)
    for i in range(n):
        y[i] = x[i] * x[0]
    return y


def test_make_vjp_of_a_function_that_writes():
    back, value = tangent.make_vjp(written)(X, 3)
    assert_close(value, X * X[0])
    assert_close(back(np.ones(3)), back(np.ones(3)))
    assert_close(back(np.ones(3)), np.array([2 * X[0] + X[1] + X[2], X[0], X[0]]))


def test_make_jvp():
    value, pushed = tangent.make_jvp(loss, argnum=(0, 1))(X, W)((W, X))
    assert_close([value, pushed], list(func.jvp(loss, (X, W), (W, X))))
    assert_close(tangent.make_jvp(np.sin)(X)(W)[1], np.cos(X) * W)


def test_elementwise_grad():
    assert_close(tangent.elementwise_grad(np.tanh)(X), 1 - np.tanh(X) ** 2)
    assert_close(tangent.elementwise_grad(tangent.elementwise_grad(np.sin))(X), -np.sin(X))


def test_grad_named_and_multigrad_dict():
    assert_close(tangent.grad_named(loss, 'w')(X, W), by_hand(X, W)[1])
    found = tangent.multigrad_dict(loss)(X, W)
    assert_close([found['x'], found['w']], list(by_hand(X, W)))


def test_products_with_jacobians():
    assert_close(tangent.vector_jacobian_product(np.sin)(X, W), np.cos(X) * W)
    hvp, gradient = tangent.make_hvp(lambda x: np.sum(x ** 3))(X)
    assert_close([gradient, hvp(W)], [3 * X ** 2, 6 * X * W])
    assert_close(tangent.make_ggnvp(np.sin)(X)(W), np.cos(X) ** 2 * W)


# Containers

def test_containers_everywhere():
    params = {'w': X, 'b': 2.0}
    value, back = func.vjp(model, params)
    seed = {'out': np.ones(3), 'norm': 0.5}
    g, = back(seed)
    assert_close(g, {'w': np.full(3, 4.0) + X, 'b': np.sum(X) * 2})
    pushed = func.jvp(model, (params,), ({'w': W, 'b': 0.0},))[1]
    assert_close(pushed, {'out': 4.0 * W, 'norm': 2 * X @ W})


def test_namedtuples():
    g = tangent.grad(lambda p: np.sum(p.left * p.right))(Pair(X, W))
    assert type(g) is Pair
    assert_close([g.left, g.right], [W, X])


def test_lists_of_tuples():
    g = tangent.value_and_grad(lambda ps: np.sum(ps[0][0] * ps[1][1]), argnums=0)([(X, 1.0), (2.0, W)])[1]
    assert_close(g, [(W, 0.0), (0.0, X)])


# Functions that are rules

@pytest.mark.parametrize('f, slope', [(np.tanh, lambda x: 1 - np.tanh(x) ** 2), (np.sin, np.cos), (np.square, lambda x: 2 * x)])
def test_gradients_of_numpys_own_functions(f, slope):
    assert_close(tangent.grad(f)(0.4), slope(0.4))
    assert_close(tangent.jvp(f)(X, W), slope(X) * W)


def test_gradient_of_numpys_sum():
    assert_close(tangent.grad(np.sum)(X), np.ones(3))


# Keyword-only and starred arguments

def with_keyword(y, *, s=2.0):
    return np.sum(y ** 3) * s


def starred(*xs):
    return xs[0] ** 3 * xs[1]


def test_keyword_only_arguments_reach_second_derivatives():
    x, v = np.array([1.0, 2.0]), np.array([1.0, 0.5])
    assert_close(tangent.hessian(with_keyword)(x, s=3.0), np.diag(18 * x))
    for product in (tangent.hvp(with_keyword), tangent.hessian_vector_product(with_keyword)):
        assert_close(product(x, v, s=3.0), 18 * x * v)
        assert_close(product(x, v), 12 * x * v)
    assert_close(tangent.make_hvp(with_keyword)(x, s=3.0)[0](v), 18 * x * v)
    assert_close(tangent.hessian(with_keyword, wrt=('y', 's'))(x, s=3.0)[0][1], 3 * x ** 2)


def test_second_derivatives_of_starred_functions():
    assert_close(tangent.hvp(starred)(2.0, 3.0, 1.0), 36.0)
    assert_close(list(tangent.hvp(starred, wrt=(0, 1))(2.0, 3.0, (1.0, 0.0))), [36.0, 12.0])
    assert_close(tangent.hessian(starred)(2.0, 3.0), 36.0)
    assert_close(tangent.hessian(starred, argnums=(1,))(2.0, 3.0), ((0.0,),))


# Complex results, and arguments that have no derivative

def squared(z):
    return z * z


def squared_complex(z: complex):
    return z * z


def length_squared(z):
    return np.abs(z) ** 2


def imaginary_power(x):
    return np.exp(1j * x)


def test_elementwise_grad_is_for_real_results():
    """As with autograd: of complex elements there is no sum that could have a gradient."""
    z = np.array([1 + 2j, 0.5 - 1j])
    for f, x in ((squared, z), (squared_complex, z), (imaginary_power, np.array([0.3]))):
        with pytest.raises(TypeError, match='holomorphic_grad'):
            tangent.elementwise_grad(f)(x)
    assert_close(tangent.elementwise_grad(length_squared)(z), 2 * z)
    assert_close(tangent.holomorphic_grad(squared)(z), 2 * z)


@pytest.mark.parametrize('value', [True, np.array([True]), 'a'], ids=str)
def test_what_has_no_derivative_is_named(value):
    for derivative in (lambda: tangent.make_vjp(with_keyword)(value), lambda: tangent.jvp(with_keyword)(value, 1.0),
                       lambda: tangent.jacobian(with_keyword)(value), lambda: func.vjp(with_keyword, value)):
        with pytest.raises(TypeError, match=r'\by\b'):
            derivative()


def test_defaults_of_keyword_only_arguments():
    x = np.array([1.0, 2.0])
    assert_close(tangent.jacobian(with_keyword, wrt='s')(x), 9.0)
    assert_close(tangent.make_vjp(with_keyword, wrt='s')(x)[0](1.0), 9.0)
    assert_close(tangent.hvp(with_keyword, wrt='s')(x, 1.0), 0.0)


def test_a_flag_is_asked_for_no_gradient():
    """Where the text does not need its value it went on, and gave a number."""
    with pytest.raises(TypeError, match='gradient of x, which is a bool'):
        tangent.grad(lambda x: x * 2.0)(True)


def test_a_seed_of_several_results_may_leave_some_out():
    assert tangent.vjp(lambda x, y: (x * y, x + y), wrt=(0, 1))(2.0, 3.0, (1.0, None)) == (3.0, 2.0)
