"""`with` statements that say how NumPy and Python report what they meet: structured, and entered again for the adjoint."""
import types
import warnings

import numpy as np
import pytest

import tangent
from tests.tools.checking import differences
from tests.tools.judge import check_every_text

X = np.array([0.5, 0.9, 1.3])
def logarithm_of_what_may_be_zero(x, n):
    with np.errstate(all='ignore'):
        y = np.log(x) * x
    return np.sum(y)


def returned_from_inside(x, n):
    with np.errstate(divide='ignore', invalid='ignore'):
        return np.sum(np.where(x > 0.6, np.log(x), x * x))


def in_a_loop_that_carries(x, n):
    s = 0.0
    for _ in range(n):
        with np.errstate(all='ignore'):
            y = np.log(x) * x
            z = 1/(y+s)
        s = s + np.sum(np.where(x > 0, y * z, 0.0))
    return s


def around_a_loop_that_writes(x, n):
    y = np.zeros(3)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        for k in range(n):
            y[k] = np.sqrt(x[k]) * y[k-1] + x[0]
            if y[k] > 100:
                break
    return np.sum(y * x)


def nested_with_an_early_return(x, n):
    with np.errstate(all='ignore'), np.printoptions(precision=3):
        if x[0] > 3:
            return np.sum(x)
        t = x * 2
        with np.errstate(divide='raise'):
            u = t * x / x[1]
    v = u + t
    return np.sum(v * v)


def in_a_loop_that_goes_on(x, n):
    t = 0.0
    for k in range(n):
        with np.errstate(all='ignore'):
            if k == 1:
                continue
            t = t + np.sum(np.log(x)) * k
            x = x * 1.1
    return t


def logistic(x):
    with np.errstate(over='ignore'):
        e = np.exp(x)
        return e / (1+e)


def in_a_callee(x, n):
    u = x
    for _ in range(n):
        u = logistic(u) * x
    return np.sum(u)


def two_and_a_name_bound_in_both(x, n):
    with np.errstate(all='ignore'):
        a = x * 3
    with np.errstate(all='ignore'):
        b = a * x
        a = np.sin(b)
    return np.sum(a * b)


def around_a_list(x, n):
    out = []
    with np.errstate(all='ignore'):
        for v in x:
            out.append(v * v*x[0])
    return out[0] * out[1]+out[2]


def around_a_dict(x, n):
    d = {'a': x}
    with np.errstate(all='ignore'):
        d['b'] = d['a'] * 2
        x = x + d['b']
    return np.sum(x * d['b'])


def with_nothing_in_it(x, n):
    with np.errstate(all='ignore'):
        pass
    with np.errstate(all='ignore'):
        m = len(x)
    return np.sum(x) * m


def left_by_a_loop(x, n):
    i = 0
    with np.errstate(all='ignore'):
        while i < n:
            x = x * np.cos(x)
            i += 1
            if i == 2:
                return np.sum(x)
    return np.sum(x * x)


PROGRAMS = [f for f in list(globals().values()) if isinstance(f, types.FunctionType) and f.__module__ == __name__
            and f is not logistic]


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_right_in_every_mode(f):
    assert '_grads' not in tangent.source(tangent.grad(f))
    check_every_text(f, X, 3)
    expected = differences(f, (X, 3), (0,))[0]
    np.testing.assert_allclose(tangent.autodiff(f, motion='split')(X, 3, 1.0), expected, atol=1e-6)


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_second_order(f):
    v = np.array([0.3, -0.2, 0.5])
    along = (tangent.grad(f)(X + 1e-5 * v, 3) - tangent.grad(f)(X - 1e-5 * v, 3)) / 2e-5
    np.testing.assert_allclose(tangent.hvp(f)(X, 3, v), along, atol=1e-4)
    np.testing.assert_allclose(tangent.grad(lambda x: np.dot(tangent.grad(f)(x, 3), v))(X), along, atol=1e-4)


def test_the_adjoint_reports_what_the_function_does():
    def quiet(x):
        with np.errstate(all='ignore'):
            y = np.sqrt(x)
        return np.sum(np.where(x > 0, y, 0.0))

    def loud(x):
        with np.errstate(divide='raise'):
            y = np.sqrt(x)
        return np.sum(y)
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        tangent.grad(quiet)(np.array([0.0, 4.0]))
    with pytest.raises(FloatingPointError):
        tangent.grad(loud)(np.array([0.0, 4.0]))


def test_filters_are_set_again():
    text = tangent.source(tangent.grad(around_a_loop_that_writes))
    assert text.count('with warnings.catch_warnings():\n        warnings.simplefilter("ignore")\n') == 2


def test_what_is_known_when_running_has_the_log_form():
    def told(x, how):
        with np.errstate(divide=how):
            y = np.log(x)
        return np.sum(y)
    np.testing.assert_allclose(tangent.grad(told)(X, 'ignore'), 1 / X)
