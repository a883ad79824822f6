"""Callees that raise: what they had written, and what the exception carries, is differentiated, or refused in forward mode.

Of a callee that raised nothing was known on the way back: what it had written before, and the values in its exception, were
taken for constants.
"""
import contextlib

import numpy as np
import pytest

import tangent
from tangent.errors import TangentParseError
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])


class Pair(Exception):
    def __init__(self, v, w):
        super().__init__(v)
        self.w = w


class Scaled(ValueError):
    def __init__(self, v, k=2.0):
        self.v = v * k


class Triple(Pair):
    def __init__(self, v):
        super().__init__(v * v, v)
        self.z = v


class Plain(Exception):
    def twice(self):
        return self.args[0] * 2


def raises_pair(v):
    raise Pair(v * 2, v * 3)


def raises_scaled(v):
    raise Scaled(v, k=v)


def raises_triple(v):
    raise Triple(v)


def raises_plain(*values):
    raise Plain(*values)


def own_fields(x):
    try:
        raises_pair(x[0])
    except Pair as e:
        return e.w * e.args[0]


def keywords(x):
    try:
        raises_scaled(x[0])
    except ValueError as e:
        return e.v * e.args[0]


def inherited(x):
    try:
        raises_triple(x[0])
    except Pair as e:
        return e.w * e.args[0] * e.z * x[1]


def unpacked(x):
    try:
        raises_plain(x[0], x[1])
    except Plain as e:
        a, b = e.args
        return a * b * b


def method_of_the_exception(x):
    try:
        raises_plain(x[0] * x[0])
    except Plain as e:
        return e.twice() * x[1]


def raised_here(x):
    try:
        if x[0] > 0:
            raise Pair(x[0], x[1])
    except Pair as e:
        return e.w * e.args[0]


def in_a_loop(x):
    s = 0.0
    for v in x:
        try:
            if v > 0.5:
                raise Plain(v)
            s += v
        except Plain as e:
            s += e.args[0] * e.args[0]
    return s


def from_another(x):
    try:
        try:
            raises_plain(x[0], x[1])
        except Plain as e:
            raise Pair(e.args[1], x[2]) from e
    except Pair as f:
        return f.w * f.args[0] + f.__cause__.args[0]


class Sum:
    def __init__(self):
        self.s, self.squares = 0.0, []

    def add(self, v):
        self.s = self.s + v
        self.squares.append(v * v)
        if v > 1:
            raise OverflowError('too big', v)
        self.s = self.s * 2


def method_that_has_written(x):
    total = Sum()
    for v in x:
        try:
            total.add(v)
        except OverflowError as e:
            total.s = total.s * e.args[1]
    return total.s + sum(total.squares)


class Checked:
    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, v):
        if v < 0:
            raise ValueError(v)
        self._v = v * 2


def setter(x):
    c = Checked()
    c.v = x[0]
    try:
        c.v = -x[2]
    except ValueError as e:
        c.v = c.v + x[1] - e.args[0]
    return c.v


CARRIED = [own_fields, keywords, inherited, unpacked, method_of_the_exception, raised_here, in_a_loop, from_another,
           method_that_has_written, setter]


def add_and_double(y, v):
    y += v
    if v > 1:
        raise ValueError
    y *= 2


def array_that_has_been_written(x):
    y = x * 1.0
    for v in x:
        try:
            add_and_double(y, v)
        except ValueError:
            y = y * 3
    return np.sum(y * x)


def multiply_and_set(y, i):
    y[0] = y[0] * y[1]
    y[i] = 1.0


def array_that_was_too_short(x):
    y = x * 1.0
    try:
        multiply_and_set(y, 7)
    except IndexError:
        pass
    return y[0] * x[2]


def list_that_has_been_written(x):
    y = [x[0], x[1]]
    try:
        multiply_and_set(y, 7)
    except IndexError:
        pass
    return y[0] * x[2]


def closure_that_has_written(x):
    d = {'a': x[0]}

    def g(k):
        d['a'] = d['a'] * x[1]
        return d[k]

    try:
        g('zz')
    except KeyError:
        d['a'] = d['a'] + 1
    return d['a']


def suppressed(x):
    y = [x[0], x[1]]
    with contextlib.suppress(RuntimeError):
        y[0] = y[0] * 3
        raise RuntimeError(y[0])
    return y[0] * y[1]


def root(v):
    if v <= 0:
        raise ValueError(v)
    return np.sqrt(v)


def fallback(x):
    try:
        return root(x[0] - 1)
    except ValueError:
        return root(x[1]) * x[0]


def uncaught(x):
    return root(x[0]) * root(x[1])


WRITTEN = [array_that_has_been_written, array_that_was_too_short, list_that_has_been_written, closure_that_has_written,
           suppressed, fallback, uncaught]


@pytest.mark.parametrize('function', CARRIED + WRITTEN, ids=lambda f: f.__name__)
def test_reverse(function):
    assert np.allclose(tangent.grad(function)(X), differences(function, (X,), (0,))[0], atol=1e-5)


@pytest.mark.parametrize('function', CARRIED + WRITTEN, ids=lambda f: f.__name__)
def test_forward(function):
    found = [tangent.jvp(function)(X, d) for d in np.eye(3)]
    assert np.allclose(found, differences(function, (X,), (0,))[0], atol=1e-5)


class Doubling:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


class Squared:
    def __set_name__(self, owner, name):
        self.name = '_' + name

    def __get__(self, thing, kind=None):
        return getattr(thing, self.name) * 2

    def __set__(self, thing, value):
        setattr(thing, self.name, value * value)


class Described:
    v = Squared()

    def __init__(self, v):
        self.v = v


def by_setattr(x):
    s = Doubling()
    s.k = x[0]
    s.k = s.k * x[1]
    return s.k


def by_descriptor(x):
    d = Described(x[0])
    d.v = d.v * x[1]
    return d.v


class Table:
    def __init__(self, items):
        self.items = items

    def __getattr__(self, name):
        if name in self.items:
            return self.items[name]
        raise AttributeError(name)


def by_getattr(x):
    t = Table({'u': x[0], 'w': x[1]})
    return t.u * t.w + getattr(t, 'missing', x[2]) * t.u


@pytest.mark.parametrize('function', [by_setattr, by_descriptor, by_getattr])
def test_code_that_an_attribute_runs(function):
    want = differences(function, (X,), (0,))[0]
    assert np.allclose(tangent.grad(function)(X), want, atol=1e-5)
    assert np.allclose([tangent.jvp(function)(X, d) for d in np.eye(3)], want, atol=1e-5)


class Moments:
    def __init__(self):
        self.s = 0.0

    def step(self, v):
        self.s = self.s + v * v
        return v


def method_given_to_map(x):
    m = Moments()
    total = sum(map(m.step, x))
    return m.s * total


def test_methods_that_write_and_are_given_to_map():
    assert np.allclose(tangent.grad(method_given_to_map)(X), differences(method_given_to_map, (X,), (0,))[0], atol=1e-5)


def kept_in_an_exit_stack(x):
    with contextlib.ExitStack() as stack:
        y = [x[0]]
        stack.callback(y.append, x[1])
    return sum(y)


def test_exit_stacks_are_refused():
    with pytest.raises(TangentParseError, match='exit stacks with callbacks'):
        tangent.grad(kept_in_an_exit_stack)(X)
