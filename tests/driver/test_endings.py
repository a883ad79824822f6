"""Texts for known kinds that end with branches: each of them returns; gradients that begin as zeros do so in one line."""
import math
import re

import numpy as np
import pytest

import tangent
from tangent.driver import variants


def taxed(x, y):
    if x < 0:
        return 0.0
    elif x < 1:
        return x * y
    return x + y


def one_name(x, y):
    if x > 1:
        z = x * y
    else:
        z = math.sin(x)
    return z * y


def larger(x, y):
    if x > y:
        return x
    return y


def inside_each_other(x, y):
    if x > 1:
        if y > 0:
            return x * y * y
        return -x
    return y * y * x + math.exp(x)


def huber(x, y):
    r = abs(x - y)
    return 0.5 * r * r if r < 1 else r - 0.5


def after_a_loop(x, y):
    total = 0.0
    for _ in range(3):
        if x > 0.5:
            total = total + x
        else:
            total = total - y
        x = x * 0.6
    if total > 0:
        return total * x
    return total * y


def out_of_a_loop(x, y):
    for i in range(5):
        if x * i > 2:
            return x * i * y
    return y


def two_names(x, y):
    if x > 1:
        a = x * x
        b = y
    else:
        a = y
        b = x * y
    return a * b


def or_raises(x, y):
    if x > 5:
        raise ValueError('big')
    if x > 1:
        return x
    else:
        return 3.0


def leaf(x, k):
    if x > k:
        return k * x
    return x * x


def of_a_callee(x, y):
    return leaf(x, y) * leaf(y, 0.5)


PROGRAMS = [taxed, one_name, larger, inside_each_other, huber, after_a_loop, out_of_a_loop, two_names, or_raises, of_a_callee]


@pytest.mark.parametrize('wrt', [(0, 1), (0,), (1,)])
@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f, wrt):
    h = 1e-6
    df = tangent.grad(f, wrt=wrt)
    for x, y in ((1.3, 0.7), (0.4, 0.7), (-0.5, -0.3), (2.3, -1.7)):
        slopes = (f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)
        expected = np.array([slopes[k] for k in wrt])
        for found in (df(x, y), variants.specialised(df, (x, y))(x, y)):
            assert np.array(found) == pytest.approx(expected if len(wrt) > 1 else expected[0], rel=1e-5, abs=1e-8)


def test_each_branch_returns():
    text = tangent.source(tangent.grad(taxed, wrt=(0, 1)), 0.5, 2.0)
    body = text[text.index('    # Grad of: if'):]
    assert body == (
        '    # Grad of: if x < 0:\n    if x < 0:\n        return 0.0, 0.0\n'
        '    elif x < 1:\n        # Grad of: return x * y\n        return btaxed * y, btaxed * x\n'
        '    else:\n        # Grad of: return x + y\n        return btaxed, btaxed\n')


def test_zeros_begin_together():
    def g(a, b, c, n):
        y = 0.0
        for k in range(n):
            y = y * a + b * k + c
        return y
    text = tangent.source(tangent.grad(g, wrt=(0, 1, 2)), 1.0, 2.0, 3.0, 4)
    assert re.search(r'^    b\w = b\w = b\w = 0\.0$', text, re.MULTILINE) and text.count('= 0.0') == 2
