"""A rule that asks for a value that has a name already reads that name, where it means one value."""
import math

import numpy as np
import pytest

import tangent


def both(x):
    s, c = math.sin(x), math.cos(x)
    return s * c * s


def in_branches(x):
    if x > 0.5:
        s, c = math.sin(x), math.cos(x)
        y = s + c * s
    else:
        y = math.sin(x)
    return y * math.cos(x)


def carried(x):
    t = x
    for _ in range(4):
        t = math.sin(t) + 0.1 * t
    c = math.cos(t)
    return t * c


def carried_both(x):
    t = x
    for _ in range(4):
        c = math.cos(t)
        t = math.sin(t) * c + 0.1 * t
    return t * math.cos(t)


def test_the_name_is_read():
    text = tangent.source(tangent.grad(both))
    body = ''.join(line for line in text.splitlines() if not line.strip().startswith('#'))
    assert body.count('math.cos(') == 1 and body.count('math.sin(') == 1


@pytest.mark.parametrize('function', [both, in_branches, carried, carried_both])
@pytest.mark.parametrize('x', [0.3, 0.8])
def test_numbers(function, x):
    e = 1e-6
    assert tangent.grad(function)(x) == pytest.approx((function(x + e) - function(x - e)) / (2 * e), rel=1e-8)


def written(x):
    y = x.copy()
    c = np.cos(y)
    y[0] = 5.0 * x[1]
    s = np.sin(y)
    return np.sum(c * s)


def seen_elsewhere(x):
    y = x * 1.0
    v = y[1:]
    c = np.cos(v)
    y[2] = 5.0 * x[0]
    s = np.sin(y[1:])
    w = np.sin(v)
    return np.sum(c * s) + np.sum(w)


def in_a_loop(x):
    total = 0.0
    for i in range(len(x)):
        c = np.cos(x)
        total += np.sum(np.sin(x) * c) * x[i]
    return total


@pytest.mark.parametrize('function', [written, seen_elsewhere, in_a_loop])
def test_arrays(function):
    x, e = np.array([0.3, 0.7, 1.1]), 1e-6
    expected = [(function(x + d) - function(x - d)) / (2 * e) for d in np.eye(3) * e]
    np.testing.assert_allclose(tangent.grad(function)(x), expected, rtol=1e-7)
