"""A gradient that goes to several variables is written into for none of them."""
import numpy as np
import pytest

import tangent


def looped(y):
    s = 0.0
    for i in range(len(y)):
        s += y[i] * y[i]
    return s


def added(x):
    a, b = np.sin(x), np.cos(x)
    y = a + b
    s = 0.0
    for i in range(len(x)):
        s += y[i] * y[i]
    return s + 3 * a[0] * b[1] + 2 * b[0]


def subtracted(x):
    a, b = np.sin(x), np.cos(x)
    y = a - b
    s = 0.0
    for i in range(len(x)):
        s += y[i] * y[i]
    return s + 3 * a[0] * b[1] + 2 * b[0]


def in_a_branch(x):
    a, b = np.sin(x), np.cos(x)
    if x[0] > 0:
        y = a - b
        s = y[1] * 2
    else:
        y = a
        s = y[2]
    z = a - b
    for i in range(len(x)):
        s += z[i] * y[i]
    return s + 3 * a[0] * b[1]


def through_a_callee(x):
    a, b = np.sin(x), np.cos(x)
    y = b - a
    return looped(y) + looped(a) * b[0] + a[1]


@pytest.mark.parametrize('function', [added, subtracted, in_a_branch, through_a_callee])
def test_gradient_of_two(function):
    x, step = np.array([0.3, 0.7, 1.1]), 1e-6
    for start in x, -x:
        expected = [(function(start + e) - function(start - e)) / (2 * step) for e in np.eye(3) * step]
        np.testing.assert_allclose(tangent.grad(function)(start), expected, rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(tangent.grad(function, optimized=False)(start), expected, rtol=1e-7, atol=1e-8)


def chosen(x):
    y = x * x
    if x[0] > 0:
        s = y[0] * y[1]
    else:
        s = y[2]
    return s * y[1] + 3 * y[2]


def test_gradient_after_a_branch_has_one_array():
    """What both paths have made is gone on with."""
    df = tangent.grad(chosen)
    assert df.source.count('init_grad(y)') == 1
    x, step = np.array([0.3, 0.7, 1.1]), 1e-6
    for start in x, -x:
        expected = [(chosen(start + e) - chosen(start - e)) / (2 * step) for e in np.eye(3) * step]
        np.testing.assert_allclose(df(start), expected, rtol=1e-7)
