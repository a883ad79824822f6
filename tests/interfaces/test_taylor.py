"""Taylor coefficients: closed forms, sums of the series, and forward mode used again and again."""
import math

import numpy as np
import pytest
import scipy.special

import tangent
from tangent.interfaces.jacobians import taylor

M = np.array([[1.0, 0.2], [0.3, 2.0]])
ORDER = 10


def through_a_loop(x):
    y = np.exp(np.sin(x))
    for _ in range(3):
        y = np.tanh(y * x) + x
    return y


def helper(a, b):
    return a / (1.0 + b * b)


def through_calls_and_branches(x):
    y = helper(x, np.cos(x))
    if y > 10.0:
        return x
    while y < 1.0:
        y = y * 1.5 + helper(y, x)
    return y


def through_arrays(x):
    v = np.stack([x, x * x, 1.0 + x])
    v[1] = np.sin(v[0]) * v[2]
    return np.sum(v[1:] * np.array([2.0, 3.0])) + v @ v + np.concatenate([v, v]).reshape(2, 3).T.sum(axis=0)[1]


def through_matrices(x):
    return np.linalg.inv(M * x + M @ M).sum() + np.linalg.solve(M * x + M, np.stack([x, x]))[0]


def through_python(x):
    """`math` and lists of numbers: series do not go there, forward mode does."""
    return math.exp(x) * np.array([x, x * x]).sum()


SCALARS = [np.sin, np.cos, np.exp, np.log, np.sqrt, np.tanh, np.arctan, np.arcsin, np.sinh, np.log1p, np.cbrt, np.square,
           scipy.special.erf, scipy.special.expit, scipy.special.j0, lambda x: x ** 2.5, lambda x: 2.0 ** x, lambda x: abs(x) / (1 + x),
           lambda x: np.hypot(x, 2.0) + np.arctan2(x, 1 + x), lambda x: np.where(x > 0.1, np.sin(x), x), through_a_loop,
           through_calls_and_branches, through_arrays, through_matrices]


@pytest.mark.parametrize('f', SCALARS)
def test_the_series_sums_to_the_function(f):
    found = tangent.taylor(f, 0.4, 1.0, ORDER)
    assert len(found) == ORDER + 1
    for t in (0.02, -0.02):
        assert sum(c * t ** k for k, c in enumerate(found)) == pytest.approx(f(0.4 + t), rel=1e-11)


@pytest.mark.parametrize('f', [through_a_loop, through_calls_and_branches, through_arrays, through_matrices])
def test_series_and_forward_mode_agree(f, monkeypatch):
    by_series = tangent.taylor(f, 0.4, 1.0, 4)

    def nothing(*args):
        raise taylor.NoSeries
    monkeypatch.setattr(taylor, 'coefficients', nothing)
    np.testing.assert_allclose(by_series, tangent.taylor(f, 0.4, 1.0, 4), rtol=1e-10)


def test_what_series_cannot_go_through_is_left_to_forward_mode():
    found = tangent.taylor(through_python, 0.4, 1.0, 4)
    assert sum(c * 1e-2 ** k for k, c in enumerate(found)) == pytest.approx(through_python(0.41), rel=1e-9)


def test_high_orders_are_cheap_and_exact():
    found = tangent.taylor(lambda x: np.exp(np.sin(x)) / (1 - x), 0.0, 1.0, 40)
    contour = np.exp(2j * np.pi * np.arange(256) / 256) * 0.9                       # Cauchy's integral formula
    expected = np.fft.fft(np.exp(np.sin(contour)) / (1 - contour)).real / 256 / 0.9 ** np.arange(256)
    np.testing.assert_allclose(found, expected[:41], rtol=1e-9)


def test_directions_and_containers():
    def f(d):
        return {'a': d['x'] @ d['x'], 'b': (np.exp(d['y']), 3.0)}
    x, v = np.array([1.0, 2.0]), np.array([0.5, -1.0])
    found = tangent.taylor(f, {'x': x, 'y': 0.0}, {'x': v, 'y': 2.0}, 3)
    np.testing.assert_allclose([c['a'] for c in found], [x @ x, 2 * x @ v, v @ v, 0.0])
    np.testing.assert_allclose([c['b'][0] for c in found], [1.0, 2.0, 2.0, 4 / 3])
    assert [c['b'][1] for c in found] == [3.0, 0.0, 0.0, 0.0]


def test_arrays_that_are_updated_in_place():
    def f(x):
        out = np.zeros(3)
        for i in range(3):
            out[i] = x[i] * x[i - 1]
        x *= 2.0
        return out + x
    x, v = np.array([1.0, 2.0, 3.0]), np.ones(3)
    found = tangent.taylor(f, x, v, 3)
    np.testing.assert_allclose(found[2], [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(x, [1.0, 2.0, 3.0])


def test_dtypes():
    found = tangent.taylor(np.sin, np.float32([0.5]), np.float32([1.0]), 5)
    assert {c.dtype for c in found} == {np.dtype(np.float32)}
    np.testing.assert_allclose(found[5], np.cos(0.5) / 120, rtol=1e-5)
