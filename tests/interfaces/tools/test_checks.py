"""`check_grads` finds wrong derivatives of both modes and both orders, and says which argument and what both numbers are."""
import re

import numpy as np
import pytest

import tangent
from tangent import check_grads
from tangent.errors import CheckError, ShapeError

X, W = np.array([0.3, -0.4, 1.2]), np.array([[0.7, 0.1, -0.5], [1.0, 0.2, 0.3]])


def layer(x, w):
    return np.tanh(w @ x)


def loop(x, n):
    for _ in range(n):
        x = np.sin(x) * x
    return x


def model(params, scale=2.0):
    return {'out': params['w'] * params['b'] * scale, 'norm': [np.sum(params['w'] ** 2)]}


@tangent.primitive
def wrong_vjp(x):
    return np.sin(x)


tangent.defvjp(wrong_vjp, lambda ans, x: lambda g: g * np.cos(x) * np.array([1.0, 1.1, 1.0]))
tangent.defjvp(wrong_vjp, lambda g, ans, x: g * np.cos(x))


@tangent.primitive
def wrong_jvp(x):
    return np.sin(x)


tangent.defvjp(wrong_jvp, lambda ans, x: lambda g: g * np.cos(x))
tangent.defjvp(wrong_jvp, lambda g, ans, x: g * np.cos(x) + 0.01)


@tangent.primitive
def cosine(x):
    return np.cos(x)


tangent.defvjp(cosine, lambda ans, x: lambda g: g * np.sin(x))        # the sign is wrong


@tangent.primitive
def sine(x):
    return np.sin(x)


tangent.defvjp(sine, lambda ans, x: lambda g: g * cosine(x))          # right, but its derivative is not


@tangent.primitive
def wrong_shape(x, w):
    return x * w


tangent.defvjp(wrong_shape, lambda ans, x, w: lambda g: g * w, lambda ans, x, w: lambda g: np.sum(g * x))


def uses(function):
    def use(x):
        return function(x) * 2.0
    return use


@pytest.mark.parametrize('modes', [('rev',), ('fwd',), ('rev', 'fwd'), 'reverse'])
def test_right_derivatives_pass(modes):
    check_grads(layer, (X, W), order=2, modes=modes)
    check_grads(loop, (X, 3), modes=modes)
    check_grads(model, ({'w': X, 'b': 2.0},), modes=modes)


def test_the_form_of_autograd():
    check_grads(layer, modes=['rev', 'fwd'], order=2)(X, W)
    check_grads(layer, (0, 1), order=1)(X, W)
    check_grads(np.sum, order=1)(W, axis=0)


def test_only_what_is_asked_for_is_checked():
    halves = lambda x, w: x * 1.0 + wrong_vjp(w)  # noqa: E731
    check_grads(halves, 0, order=1)(X, X)
    with pytest.raises(CheckError, match='by w'):
        check_grads(halves, 1, order=1)(X, X)


def test_a_wrong_gradient_is_named_with_both_numbers():
    with pytest.raises(AssertionError) as caught:
        check_grads(uses(wrong_vjp), (X,), modes=['rev'])
    assert 'gradient of use by x[1]' in str(caught.value)
    shown = re.match(r'.* is (.*), but finite differences give (.*) \(off by (.*), 0.1 of it; the step is 6.1e-06\)', str(caught.value))
    given, right, off = map(float, shown.groups())
    assert abs(given / right - 1.1) < 1e-6 and abs(given - right) == pytest.approx(abs(off), rel=0.01)


def test_a_wrong_tangent_is_found():
    check_grads(uses(wrong_jvp), (X,), order=1, modes=['rev'])
    with pytest.raises(CheckError, match=r'tangent of use\[(\d)\] by x\[\1\]'):
        check_grads(uses(wrong_jvp), (X,), order=1, modes=['fwd'])


def test_a_wrong_second_derivative_is_found():
    check_grads(lambda x: sine(x) * 2.0, (X,), order=1, modes=['rev'])
    with pytest.raises(CheckError, match='gradient of the gradient'):
        check_grads(lambda x: sine(x) * 2.0, (X,), order=2, modes=['rev'])


def test_a_gradient_of_the_wrong_shape_is_refused():
    with pytest.raises(ShapeError, match='wrong_shape .* argument 1'):
        check_grads(lambda x, w: wrong_shape(x, w) * 1.0, (X, X), order=1, modes=['rev'])


def test_float32_has_wider_tolerances():
    check_grads(layer, (X.astype(np.float32), W.astype(np.float32)), order=1)


def test_complex_numbers():
    check_grads(lambda z: z * z * 2.0, (X + 1j * X[::-1],), order=1)


@pytest.mark.parametrize('call, message', [
    (lambda: check_grads(layer, (X, W), modes=['sideways']), 'modes'),
    (lambda: check_grads(layer, X), 'tuple'),
    (lambda: check_grads(lambda n: n * 2, ('text',)), 'nothing can be checked')])
def test_what_makes_no_sense(call, message):
    with pytest.raises(tangent.TangentError, match=message):
        call()
