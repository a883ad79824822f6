"""Derivatives of solutions of differential equations and of integrals: exact solutions, differences, and JAX."""
import math

import numpy as np
import pytest
from scipy import integrate
from scipy.linalg import expm, expm_frechet

import tangent
from tangent import errors

TIMES = np.linspace(0.0, 2.0, 5)
W = np.array([1.0, -2.0])
START = np.array([1.0, 0.5])
TIGHT = {'rtol': 1e-10, 'atol': 1e-12}


def lotka(t, y, a, b):
    return [a * y[0] - b * y[0] * y[1], -y[1] + y[0] * y[1]]


def with_args(a, b, y0):
    sol = integrate.solve_ivp(lotka, (0, 2), y0, t_eval=TIMES, args=(a, b), **TIGHT)
    return np.sum(sol.y[0] * sol.y[1])


def with_closure(a, b, y0):
    def f(t, y):
        return np.array([a * y[0] - b * y[0] * y[1], -y[1] + y[0] * y[1] * np.cos(t)])
    return W @ integrate.solve_ivp(f, (0.0, a), y0, method='DOP853', **TIGHT).y[:, -1]


def with_odeint(a, b, y0):
    states = integrate.odeint(lambda y, t: np.array(lotka(t, y, a, b)), y0, TIMES * b, rtol=1e-11, atol=1e-12)
    return np.sum(states ** 2)


def with_odeint_args(a, b, y0):
    return np.sum(integrate.odeint(lotka, y0, TIMES, (a, b), tfirst=True, rtol=1e-11, atol=1e-12)[-1] * W)


def backward_in_time(a, b, y0):
    return W @ integrate.solve_ivp(lotka, [b, 0.0], y0, args=(a, b), **TIGHT).y[:, -1]


def with_list_of_numbers(a, b, y0):
    return integrate.solve_ivp(lotka, (0, 1), [a, y0[0]], args=[b, y0[1]], **TIGHT).y[1, -1]


def with_exponential(a, b, y0):
    """Stiff: the fast component falls off a thousand times as fast as the slow one."""
    def f(t, y):
        return np.array([-1000.0 * a * (y[0] - y[1] * b), -y[1]])
    return W @ integrate.solve_ivp(f, (0.0, 1.0), y0, method='Radau', rtol=1e-8, atol=1e-11).y[:, -1]


PROBLEMS = [with_args, with_closure, with_odeint, with_odeint_args, backward_in_time, with_list_of_numbers]
AT = 1.1, 0.7, START
DIRECTION = 1.0, 2.0, np.array([0.3, -1.0])


def moved(f, t):
    """`f` at `t` along the direction."""
    return f(*(x + t * d for x, d in zip(AT, DIRECTION)))


def slope(f, h=1e-3):
    return (8 * (moved(f, h) - moved(f, -h)) - (moved(f, 2 * h) - moved(f, -2 * h))) / (12 * h)


def row(parts):
    return np.concatenate([np.ravel(p) for p in parts])


@pytest.mark.parametrize('f', PROBLEMS)
def test_first_derivatives_in_both_modes(f):
    df = tangent.grad(f, (0, 1, 2))(*AT)
    assert row(df) @ row(DIRECTION) == pytest.approx(slope(f), rel=1e-6, abs=1e-7)
    assert tangent.jvp(f, (0, 1, 2))(*AT, *DIRECTION) == pytest.approx(slope(f), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize('k, f', enumerate([with_args, with_closure, backward_in_time]))
def test_second_derivatives_in_every_mix(k, f, in_turn):
    df = tangent.grad(f, (0, 1, 2))
    expected = slope(lambda *args: row(df(*args)), 1e-3)
    for twice in in_turn([lambda: tangent.hvp(f, (0, 1, 2))(*AT, DIRECTION),
                          lambda: tangent.vjp(df, (0, 1, 2))(*AT, 1.0, DIRECTION),
                          lambda: tangent.grad(tangent.jvp(f, (0, 1, 2)), (0, 1, 2))(*AT, *DIRECTION)], k):
        np.testing.assert_allclose(row(twice()), expected, rtol=1e-4, atol=1e-4)


def test_the_adjoint_equation_is_solved_once_for_all_arguments():
    def f(a, y0):
        return integrate.solve_ivp(decay, (0.0, 1.0), y0, args=(a,)).y[0, -1]
    assert tangent.source(tangent.grad(f, (0, 1))).count('unsolve_ivp(') == 1


def decay(t, y, a):
    return -a * y


@pytest.mark.parametrize('method', ['RK23', 'RK45', 'DOP853', 'Radau', 'BDF', 'LSODA'])
def test_every_method(method):
    def f(a, y0, t):
        return integrate.solve_ivp(decay, (0.0, t), y0, method, args=(a,), rtol=1e-7, atol=1e-9).y[0, -1]
    found = tangent.grad(f, (0, 1, 2))(0.5, np.ones(1), 2.0)
    np.testing.assert_allclose(row(found), math.exp(-1) * np.array([-2.0, 1.0, -0.5]), rtol=1e-6)


def test_second_derivatives_reverse_over_reverse():
    def f(a):
        sol = integrate.solve_ivp(lambda t, y: -a * y * y, (0.0, 1.0), np.ones(1), rtol=1e-10, atol=1e-12)
        return sol.y[0, -1]                                                                     # 1 / (1 + a)
    df = tangent.grad(f)
    assert df(0.5) == pytest.approx(-1.5 ** -2, rel=1e-8)
    assert tangent.grad(df)(0.5) == pytest.approx(2 * 1.5 ** -3, rel=1e-7)


def test_a_stiff_equation():
    df = tangent.grad(with_exponential, (0, 1, 2))(*AT)
    np.testing.assert_allclose(df[1], W[0] * 1100 / 1099 * 0.5 * math.exp(-1), rtol=1e-6)          # exact but for exp(-1100)
    np.testing.assert_allclose(df[2], [0.0, math.exp(-1) * (0.7 * 1100 / 1099 - 2)], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize('rtol', [1e-3, 1e-6, 1e-9])
def test_the_derivative_is_about_as_good_as_the_solution(rtol):
    """The exact gradient of `w @ expm(A t) @ y0`; the error of the gradient stays below ten tolerances."""
    a = np.array([[-0.5, 2.0], [-2.0, -0.1]])

    def f(a, y0, t):
        return W @ integrate.solve_ivp(lambda t, y: a @ y, (0.0, t), y0, rtol=rtol, atol=rtol).y[:, -1]
    da, dy0, dt = tangent.grad(f, (0, 1, 2))(a, START, 3.0)
    exact = np.array([[W @ expm_frechet(3 * a, 3 * np.eye(4)[2 * i + j].reshape(2, 2))[1] @ START for j in (0, 1)]
                      for i in (0, 1)])
    for found, expected in [(da, exact), (dy0, W @ expm(3 * a)), (dt, W @ a @ expm(3 * a) @ START)]:
        assert np.max(np.abs(found - expected)) <= 10 * rtol * np.max(np.abs(expected))


def test_the_times_have_derivatives():
    def f(times, ends):
        sol = integrate.solve_ivp(lambda t, y: np.array([math.cos(t)]), ends, np.zeros(1), t_eval=times, **TIGHT)
        return sol.y[0] @ np.array([1.0, 3.0]) + np.sum(sol.t ** 2)
    times = np.array([0.5, 1.5])
    dtimes, dends = tangent.grad(f, (0, 1))(times, (0.25, 2.0))
    np.testing.assert_allclose(dtimes, np.cos(times) * [1.0, 3.0] + 2 * times, rtol=1e-8)
    np.testing.assert_allclose(dends, [-4 * math.cos(0.25), 0.0], rtol=1e-8)
    np.testing.assert_allclose(tangent.jvp(f, (0, 1))(times, (0.25, 2.0), np.ones(2), (1.0, 1.0)),
                               np.sum(dtimes) - 4 * math.cos(0.25), rtol=1e-8)


def test_parameters_in_containers():
    def f(params, y0):
        def rate(t, y):
            return params['out'] @ np.tanh(params['in'] @ y + params['b'] * t)
        return np.sum(integrate.solve_ivp(rate, (0, 1), y0, **TIGHT).y[:, -1] ** 2)
    rng = np.random.default_rng(1)
    params = {'in': rng.normal(size=(4, 2)), 'b': rng.normal(size=4), 'out': rng.normal(size=(2, 4))}
    tangent.check_grads(f, (params, START), order=1, modes=('rev', 'fwd'))


def test_as_jax():
    jax = pytest.importorskip('jax')
    ode = pytest.importorskip('jax.experimental.ode')
    with jax.enable_x64(True):
        def g(a, b, y0):
            states = ode.odeint(lambda y, t: jax.numpy.stack(lotka(t, y, a, b)), y0, TIMES, rtol=1e-10, atol=1e-10)
            return jax.numpy.sum(states[:, 0] * states[:, 1])
        theirs = jax.grad(g, (0, 1, 2))(*map(jax.numpy.asarray, AT))
    np.testing.assert_allclose(row(tangent.grad(with_args, (0, 1, 2))(*AT)), row(theirs), rtol=1e-6)


def test_what_is_refused():
    def event(t, y):
        return y[0] - 2

    def with_event(a):
        return integrate.solve_ivp(lambda t, y: a * y, (0, 2), np.ones(1), events=event).y[0, -1]

    def unfinished(a):
        return integrate.solve_ivp(lambda t, y: a * y * y, (0, 2), np.ones(1)).y[0, -1]

    def complex_states(a):
        return np.abs(integrate.solve_ivp(lambda t, y: 1j * a * y, (0, 2), np.ones(1, complex)).y[0, -1])
    with pytest.raises(errors.ArgumentError, match='events'):
        tangent.grad(with_event)(1.0)
    with pytest.raises(errors.UnsolvedError, match='has not reached the end'):
        tangent.grad(unfinished)(1.0)
    with pytest.raises(errors.ComplexNotImplementedError, match='complex states'):
        tangent.grad(complex_states)(1.0)


# Integrals

def by_closure(a, b, y):
    return integrate.quad(lambda x: np.exp(-a * x) * np.sin(b * x) * y[0], 0.1, y[1])[0]


def gauss(x, a, b):
    return math.exp(-a * x * x) * math.cos(b * x)


def over_everything(a, b, y):
    value, error = integrate.quad(gauss, -np.inf, np.inf, args=(a, b))
    return value * y[0]


def singular_at_the_end(a, b, y):
    return integrate.quad(lambda x, s: x ** s / math.sqrt(x), 0, b, args=a, points=[0.3])[0] + y[0]


@pytest.mark.parametrize('f', [by_closure, over_everything, singular_at_the_end])
def test_integrals(f):
    df = tangent.grad(f, (0, 1, 2))
    assert row(df(*AT)) @ row(DIRECTION) == pytest.approx(slope(f), rel=1e-7)
    assert tangent.jvp(f, (0, 1, 2))(*AT, *DIRECTION) == pytest.approx(slope(f), rel=1e-7)
    second = slope(lambda *args: row(df(*args)), 1e-2)
    np.testing.assert_allclose(row(tangent.vjp(df, (0, 1, 2))(*AT, 1.0, DIRECTION)), second, rtol=1e-5, atol=1e-6)


def test_an_integral_of_an_integral():
    def inner(x, a):
        return integrate.quad(lambda y: math.exp(-a * x * y), 0.0, x)[0]

    def f(a):
        return integrate.quad(inner, 0.0, 1.0, args=(a,))[0]
    h = 1e-4
    assert tangent.grad(f)(0.7) == pytest.approx((f(0.7 + h) - f(0.7 - h)) / (2 * h), rel=1e-6)


def test_weights_are_refused():
    def f(a):
        return integrate.quad(lambda x: math.exp(a * x), 0, 1, weight='cos', wvar=3.0)[0]
    with pytest.raises(errors.ArgumentError, match='weight'):
        tangent.grad(f)(1.0)
