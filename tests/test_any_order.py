"""Derivatives of derivatives through what is known only when running: functions as values, methods, objects, effects."""
import numpy as np
import pytest

import tangent


class Accumulator:
    def __init__(self, total):
        self.total = total

    def add(self, x):
        self.total = self.total + x * self.total
        return self.total


def apply(f, x):
    return f(x) * x


def closures(x):
    w = x * x
    return apply(lambda y: y * y * w, x) + apply(np.sin, x)


def objects(x):
    acc = Accumulator(x * 2)
    y = acc.add(x)
    return y * acc.total * x


def functions_in_a_list(x):
    for f in [np.sin, np.exp]:
        x = f(x) * x
    return x


def starred(x):
    g = [lambda *a, k=1.0: a[0] * a[1] * k]
    xs = [x, x * x]
    return g[0](*xs) + g[0](x, 2.0, k=x)


def scale(a, x):
    a[0] = x * a[1]
    a[1:] += x * x


def effects(x):
    a = np.ones(3) * x
    scale(a, x)
    scale(a, a[1])
    return a[0] * a[2]


def method_as_value(x):
    acc = Accumulator(x)
    add = acc.add
    return apply(add, x * x) + acc.total


FUNCTIONS = [closures, objects, functions_in_a_list, starred, effects]


def derivative(f, mode):
    if mode == 'G':
        return tangent.grad(f)
    return tangent.autodiff(f, mode='forward', input_derivative=tangent.INPUT_DERIVATIVE.DefaultOne)


@pytest.mark.parametrize('modes', ['JG', 'JJ', 'JJG'])
@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_over_forward_mode(f, modes):
    for mode in modes:
        before, f = f, derivative(f, mode)
    np.testing.assert_allclose(f(1.3), (before(1.3 + 1e-5) - before(1.3 - 1e-5)) / 2e-5, rtol=1e-6)
