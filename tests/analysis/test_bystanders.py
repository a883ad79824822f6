"""Classes in sight whose objects do not come where they could run code: the text stays structured; and where they do come."""
from math import pi

import numpy as np
import pytest

import tangent
from tests.analysis import bystanders
from tests.tools.checking import differences

GIVEN = {'given_object': (bystanders.Vec(1.5, 1.0),), 'given_list': ([bystanders.Vec(1.5, 1.0)],)}


@pytest.mark.parametrize('function', bystanders.FREE, ids=lambda f: f.__name__)
def test_stay_structured(function):
    assert '_grads' not in tangent.grad(function).source


@pytest.mark.parametrize('function', bystanders.FREE + bystanders.REACHED, ids=lambda f: f.__name__)
def test_right_or_refused(function):
    args = GIVEN.get(function.__name__, ())
    value = lambda x: bystanders.afresh(function)(x, *args)  # noqa: E731
    expected = (value(1.7 + 1e-6) - value(1.7 - 1e-6)) / 2e-6
    for make in (tangent.grad, lambda f: lambda *a: tangent.jvp(f, wrt=(0,))(*a, 1.0)):
        try:
            derivative = make(function)
            for _ in range(4):                                     # texts for known kinds are made for the third call
                bystanders.afresh(function)
                np.testing.assert_allclose(derivative(1.7, *args), expected, rtol=1e-6)
        except tangent.TangentError:
            assert function.__name__ in bystanders.REFUSED


def test_functions_named_as_methods():
    derivative = tangent.grad(bystanders.with_namesakes, wrt=(1,))
    v, f = bystanders.Vec(2.0, 1.0), bystanders.with_namesakes
    expected = (f(v, 1.5 + 1e-6) - f(v, 1.5 - 1e-6)) / 2e-6
    assert all(np.isclose(derivative(v, 1.5), expected) for _ in range(4))
    assert 'norm(3.0) + scaled(2.0, 3.0)' in tangent.source(tangent.grad(f), v, 1.5)


# Operators that write into what they are given: beside numbers and arrays of which the kinds are known they do not run

SEEN = []


class Meter:
    def __init__(self, gain=1.0):
        self.gain, self.count = gain, 0

    def __mul__(self, other):
        self.count += 1
        if isinstance(other, np.ndarray):
            other[0] = self.gain
        return other * self.gain

    __rmul__ = __add__ = __radd__ = __truediv__ = __pow__ = __mul__
    __array_ufunc__ = None

    def __getitem__(self, key):
        SEEN.append(key)
        return self.gain

    def __lt__(self, other):
        self.gain = other
        return True


def gauge(n):
    return Meter() if n > 5 else n


def gauged(x, y):
    """What names the class, and is never called where all is known."""
    return float((x * Meter(2.0)) * y)


def elements(v, n):
    if n < 0:
        return gauged(v[0], v[1])
    return v[0] * v[1] / (v[0] + 2.0) + n * v[1]


def rows(v, n):
    if n < 0:
        return gauged(v[0], v[1])
    m = v * v[1] + 1.0
    return np.sum(np.sqrt(m)) * m[0]


def drag(re, rough=0.1):
    """What `re` and `rough` are is known from the call."""
    f = 64.0 / re * pi
    return f + rough * re


def laminar(re):
    return 16.0 / re


def law(v, n):
    if n < 0:
        return gauged(v[0], v[1])
    a, b = drag(v[0], v[1]), drag(re=v[1] * n)
    c = laminar(v[0])
    root = (1.0 + a) ** 0.3                     # which may be complex
    return (a + b) * c * root


PLAIN = [elements, rows, law]


# Where an object comes

def multiplied(v, n):
    u = v * 1.0
    w = u * Meter(2.0)
    return np.sum(u * v) + np.sum(w)


def multiplied_from_the_left(v, n):
    u, meter = v * 1.0, Meter(v[1])
    w = meter * u
    return np.sum(u * v) + np.sum(w)


def behind_a_function(v, n):
    u = v * 1.0
    w = u * gauge(n + 5)
    return np.sum(u * v) + np.sum(w)


def in_one_of_two_branches(v, n):
    u, k = v * 1.0, 2.0
    if n > 1:
        k = Meter(v[0])
    w = k * u
    return np.sum(u * v) + np.sum(w)


def looked_up(v, n):
    meter = Meter(v[0])
    t = meter[v * 1.0]
    return t * np.sum(SEEN.pop() * v)


def compared(v, n):
    meter = Meter(v[0])
    if meter < v[1]:
        return meter.gain * v[0]
    return v[0]


def scaled(u, k):
    w = k * u
    return np.sum(u) + np.sum(w)


def given_to_another(v, n):
    """The same function is given a number first, then an object."""
    return scaled(v * 2.0, 3.0) + scaled(v * 1.0, Meter(2.0))


METERED = [multiplied, multiplied_from_the_left, behind_a_function, in_one_of_two_branches, looked_up, compared, given_to_another]


V = np.array([0.7, 1.3])


@pytest.mark.parametrize('function', PLAIN, ids=lambda f: f.__name__)
def test_operators_that_write_do_not_run_where_all_is_known(function):
    """Any operator was taken for a method of theirs: the functions of packages that import mpmath were in the log form."""
    assert '_grads' not in tangent.source(tangent.grad(function), V, 3)


@pytest.mark.parametrize('function', PLAIN + METERED, ids=lambda f: f.__name__)
def test_operators_that_write_are_right_or_refused(function):
    expected = differences(function, (V, 3), (0,))[0]
    for make in (tangent.grad, lambda f: lambda v, n: np.array([tangent.jvp(f, wrt=(0,))(v, n, e) for e in np.eye(2)])):
        try:
            derivative = make(function)
            for _ in range(4):
                np.testing.assert_allclose(derivative(V.copy(), 3), expected, rtol=1e-5, atol=1e-7)
        except tangent.TangentError:
            assert function in METERED
