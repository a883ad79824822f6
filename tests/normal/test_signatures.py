"""Signatures that a function asks for to choose what it hands on: they have no derivative, but for defaults that have one."""
import copy
import functools
import inspect

import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])


def line(x):
    return 3 * x


def power(x, n=3, scale=1.5):
    return scale * x ** n


def known_of(function, **given):
    given = copy.copy(given)
    for key in list(given):
        if key not in list(inspect.signature(function).parameters.keys()):
            given.pop(key)
    return given


def chosen(x, function, **given):
    return function(x, **known_of(function, **given))


def handed_to_what_knows_it(x):
    return chosen(x[0], line, n=4) + chosen(x[1], power, n=4, scale=x[2], other=x[0])


class Options:
    def __init__(self, **given):
        self.given = given

    def known_of(self, function):
        given = copy.copy(self.given)
        for key in set(given.keys()) - set(inspect.signature(function).parameters):
            given.pop(key)
        return given


def kept_in_an_object(x):
    options = Options(n=4, scale=x[2] * x[0], other=x[1])
    given = options.known_of(power)
    return power(x[0], **given) * len(given)


def test_right_in_both_modes():
    wanted = differences(handed_to_what_knows_it, (X,), (0,))[0]
    np.testing.assert_allclose(tangent.grad(handed_to_what_knows_it)(X), wanted, atol=1e-6)
    np.testing.assert_allclose(tangent.jvp(handed_to_what_knows_it)(X, X), wanted @ X, atol=1e-6)


def test_right_with_sets_of_names():
    wanted = differences(kept_in_an_object, (X,), (0,))[0]
    np.testing.assert_allclose(tangent.grad(kept_in_an_object)(X), wanted, atol=1e-6)
    with pytest.raises(tangent.errors.ForwardNotImplementedError, match='test_signatures'):
        tangent.jvp(kept_in_an_object)(X, X)


def default_of(function):
    return inspect.signature(function).parameters['scale'].default


def default_of_a_partial(x):
    return default_of(functools.partial(power, scale=x[0] * x[1])) * x[2]


def default_of_a_function_inside(x):
    def inside(y, scale=x[0] * x[1]):
        return y * scale
    return default_of(inside) * x[2]


@pytest.mark.parametrize('f', [default_of_a_partial, default_of_a_function_inside])
def test_refused(f):
    for df in tangent.grad(f), lambda x: tangent.jvp(f)(x, x):
        with pytest.raises(tangent.errors.ArgumentError, match='test_signatures'):
            df(X)


def test_default_of_a_function_of_the_module():
    def f(x):
        return default_of(power) * x[2] * x[0]
    np.testing.assert_allclose(tangent.grad(f)(X), differences(f, (X,), (0,))[0], atol=1e-6)
