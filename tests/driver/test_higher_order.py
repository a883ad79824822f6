"""Derivatives of derivatives, in every mix of the modes.

Over the corpus, the four ways to the Hessian of `seed . f` along `v` have to agree: forward over reverse, reverse over
reverse, reverse over forward, and (along a second direction) forward over forward.
"""
import copy
import functools
import itertools

import numpy as np
import pytest

import tangent
from tests.forward.test_forward import CASES, tangents_of
from tests.tools.checking import numbers, random_like
from tests.tools.texts import define

INPUT_DERIVATIVE = tangent.INPUT_DERIVATIVE


def by_name(df, case, *more):
    """The arguments of a derivative of a derivative: those of the function by position, seeds and tangents by name."""
    code = df.__code__
    count = code.co_argcount
    values = [v for group in more for v in group]
    names = code.co_varnames[count - len(values):count]
    return df(*copy.deepcopy(case.args), **dict(zip(names, copy.deepcopy(values))))


def dot(found, tangents, wrt):
    found = [found] if len(wrt) == 1 else found
    return sum(np.dot(numbers(g), numbers(t)) for g, t in zip(found, tangents, strict=True))


def row(found, wrt):
    found = [found] if len(wrt) == 1 else found
    return np.concatenate([numbers(g) for g in found])


@pytest.mark.share(9)
@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
@pytest.mark.parametrize('case', CASES, ids=lambda c: c.label)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_corpus(case, optimized):
    if case.function.__name__ == 'while_true_return':
        pytest.xfail('reverse over reverse: what the tape holds is None in one iteration and a number in another')
    wrt, options = case.wrt, {'wrt': case.wrt, 'optimized': optimized}
    v, u = tangents_of(case), [random_like(case.args[p], seed=p + 7) for p in case.wrt]
    seed = random_like(case.function(*copy.deepcopy(case.args)))
    back, push = tangent.vjp(case.function, **options), tangent.jvp(case.function, **options)
    forward_over_reverse = row(by_name(tangent.jvp(back, **options), case, [seed], v), wrt)
    reverse_over_reverse = row(by_name(tangent.vjp(back, **options), case, [seed], [v[0] if len(v) == 1 else tuple(v)]), wrt)
    reverse_over_forward = row(by_name(tangent.vjp(push, **options), case, v, [seed]), wrt)
    twice = by_name(tangent.jvp(push, **options), case, v, u)
    np.testing.assert_allclose(forward_over_reverse, reverse_over_reverse, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(forward_over_reverse, reverse_over_forward, rtol=1e-8, atol=1e-8)
    along = np.dot(forward_over_reverse, np.concatenate([numbers(x) for x in u]))
    np.testing.assert_allclose(np.dot(numbers(twice), numbers(seed)), along, rtol=1e-8, atol=1e-8)


def power_sine(x):
    return x ** 3 * np.sin(x)


def loop(x):
    y = x
    for _ in range(4):
        y = np.sin(y * x) + y
    return y


def while_loop(x):
    y = x
    while y < 20:
        y = y * x
    return y


def helper(x, y):
    return x * y * y


def calls(x):
    return helper(x, x * x)


def branches(x):
    y = x * x
    z = y * x if y > 1 else np.exp(y)
    for i in range(3):
        if i > 1:
            z = z * y
        else:
            z = z + x
    return z


def derivative(f, mode, optimized):
    if mode == 'G':
        return tangent.grad(f, optimized=optimized)
    return tangent.autodiff(f, mode='forward', optimized=optimized, input_derivative=INPUT_DERIVATIVE.DefaultOne)


@pytest.mark.share(5)
@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
@pytest.mark.parametrize('modes', [''.join(m) for n in (2, 3) for m in itertools.product('GJ', repeat=n)])
@pytest.mark.parametrize('f', [power_sine, loop, while_loop, calls, branches], ids=lambda f: f.__name__)
def test_any_mix_to_third_order(f, modes, optimized):
    """The last mode against differences of the derivative before."""
    if f is branches and not optimized and modes in ('GGG', 'GGJ'):
        pytest.xfail('the second gradient has the log form, whose run time cannot be differentiated')
    for mode in modes:
        before, f = f, derivative(f, mode, optimized)
    np.testing.assert_allclose(f(1.3), (before(1.3 + 1e-5) - before(1.3 - 1e-5)) / 2e-5, rtol=1e-5)


def network(x, w, v):
    h = np.tanh(np.dot(w, x))
    return np.sum(v * h ** 2) + np.sum(np.exp(-x) * x)


def test_hessian_vector_products_against_jax():
    jax = pytest.importorskip('jax')
    jax.config.update('jax_enable_x64', True)
    jnp = jax.numpy
    x, u = np.array([0.3, -0.5, 0.8]), np.array([1.0, 2.0, -1.0])
    w, v = np.arange(6.0).reshape(2, 3) / 5, np.array([0.7, -1.2])

    def same(x):
        return jnp.sum(v * jnp.tanh(jnp.dot(w, x)) ** 2) + jnp.sum(jnp.exp(-x) * x)
    right = jax.hessian(same)(x) @ u
    np.testing.assert_allclose(tangent.jvp(tangent.grad(network))(x, w, v, 1.0, u), right, rtol=1e-10)
    np.testing.assert_allclose(tangent.grad(tangent.jvp(network))(x, w, v, u), right, rtol=1e-10)
    np.testing.assert_allclose(tangent.vjp(tangent.grad(network))(x, w, v, 1.0, u), right, rtol=1e-10)


def test_a_rebound_callee_is_followed_in_second_derivatives():
    module = define(
        'def g(x):\n    return x ** 3\n\ndef h(x):\n    return x ** 4\n\ndef f(x):\n    return g(x) * 2\n')
    second = tangent.jvp(tangent.grad(module.f))
    assert second(2.0, 1.0, 1.0) == pytest.approx(24.0)
    module.g = module.h
    assert second(2.0, 1.0, 1.0) == pytest.approx(96.0)


def test_what_wraps_a_derivative_is_another_function():
    """`functools.wraps` copies what a derivative has in its `__dict__`: the wrapper was taken for it."""
    df = tangent.grad(lambda x: np.sin(x) * x)

    @functools.wraps(df)
    def scaled(x):
        return 3.0 * df(x)

    def used(x):
        return scaled(x) * x
    slope, curvature = np.cos(0.7) * 0.7 + np.sin(0.7), 2 * np.cos(0.7) - 0.7 * np.sin(0.7)
    expected = 3 * (curvature * 0.7 + slope)
    assert tangent.grad(used)(0.7) == pytest.approx(expected)
    assert tangent.jvp(used)(0.7, 1.0) == pytest.approx(expected)
    assert tangent.grad(scaled)(0.7) == pytest.approx(3 * curvature)
    assert scaled(0.7) == pytest.approx(3 * slope)
