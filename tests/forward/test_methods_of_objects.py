"""Methods and attributes of the user's objects that are named like those of arrays.

`policy.argmax()` was taken for the index of an array's greatest element, and `box.size` for the number of its elements: their
gradients were zero in both modes.
"""
import dataclasses
import types
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import tangent
from tangent.errors import TangentError
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])


class Policy:
    def __init__(self, weight):
        self.weight = weight

    def argmax(self):
        return self.weight * 3

    def all(self):
        return self.weight * 2

    def sum(self):
        return self.weight * self.weight

    def round(self):
        return self.weight * 5

    def copy(self):
        return Policy(self.weight)

    def tolist(self):
        return [self.weight, self.weight]

    def mean(self):
        return np.array([1.0, 2.0]) * self.weight


class Running:
    def __init__(self):
        self.n, self.mean, self.squares = 0, 0.0, 0.0

    def push(self, v):
        self.n += 1
        self.mean += (v - self.mean) / self.n
        self.squares += v * v

    def var(self):
        return self.squares / self.n - self.mean ** 2


def make(v):
    return Policy(v)


def ask(p):
    return p.sum() + p.argmax()


def constant_of_arrays(x):
    return Policy(x[0]).argmax()


def of_a_name(x):
    p = make(x[0])
    return p.all() + p.round() * x[1]


def of_an_argument(x):
    return ask(make(x[1]))


def copies(x):
    p = make(x[0])
    return p.copy().sum() * p.sum()


def lists(x):
    return sum(make(x[0]).tolist()) + np.sum(make(x[1]).mean())


def among_others(x):
    return sum(p.sum() for p in [make(v) for v in x])


def statistics(x):
    r = Running()
    for v in x:
        r.push(v)
    return r.mean + r.var()


def of_arrays(x):
    y = x * 2
    index = y.argmax()
    return y.sum() * x.mean().sum() + x[index] + x.copy().sum() + (x.all() + x.round()).sum() * x[0] + sum(x.tolist())


@pytest.mark.parametrize('function', [constant_of_arrays, of_a_name, of_an_argument, copies, lists, among_others, statistics,
                                      of_arrays], ids=lambda f: f.__name__)
def test_methods_that_arrays_have_too(function):
    want = differences(function, (X,), (0,))[0]
    assert np.allclose(tangent.grad(function)(X), want, atol=1e-5)
    found = [tangent.jvp(function)(X, d) for d in np.eye(3)]
    assert np.allclose(found, want, atol=1e-5)


class Box:
    def __init__(self, side):
        self.size, self.T = side, side * 2
        self.shape = (side, side * 3)


@dataclass
class State:
    T: float
    size: float = 1.0


Pair = namedtuple('Pair', 'size T')


def box(v):
    return Box(v)


def twice(x):
    return x * 2


def size_of_a_call(x):
    return box(x[0]).size * Box(x[1]).size


def size_of_elements(x):
    boxes, s = [box(v) for v in x], 0.0
    for b in boxes:
        s += b.size * b.T
    return s + boxes[0].size + boxes[2].shape[1]


def shape(x):
    b = box(x[0])
    p, q = b.shape
    return p * q * x[1]


def size_of_records(x):
    s, p = State(x[0], x[1]), Pair(x[1], x[2])
    return s.T * s.size + p.size * p.T + Pair(x[0], 1.0).size


def size_of_a_namespace(x):
    s = types.SimpleNamespace(size=x[0], T=x[1])
    return s.size * s.T


def size_in_a_dict(x):
    d = {'a': box(x[0]), 'b': box(x[1])}
    d['a'].size = d['a'].size * x[2]
    return d['a'].size * d['b'].T


def size_of_arrays(x):
    return np.sum(x * x) / twice(x).size * twice(x).shape[0] + (x * x).sum() / x.size


@pytest.mark.parametrize('function', [size_of_a_call, size_of_elements, shape, size_of_records, size_of_a_namespace,
                                      size_in_a_dict, size_of_arrays], ids=lambda f: f.__name__)
def test_attributes_that_arrays_have_too(function):
    want = differences(function, (X,), (0,))[0]
    assert np.allclose(tangent.grad(function)(X), want, atol=1e-5)
    found = [tangent.jvp(function)(X, d) for d in np.eye(3)]
    assert np.allclose(found, want, atol=1e-5)


class Above:
    def __init__(self, w):
        self.w = w

    def f(self, x):
        return x * self.w


class Below(Above):
    def f(self, x):
        return x * 100

    def taken(self, x):
        return {0: super().f, 1: self.f}[0](x)


def test_what_super_finds_is_called():
    def f(x):
        return Below(x).taken(x)
    x = 0.7
    assert tangent.jvp(f)(x, 1.0) == tangent.grad(f)(x) == 2 * x


class Entries:
    def __init__(self, *args, **named):
        if args:
            self.q = self.checked(args)
        elif 'axis' in named:
            try:
                axis = self.checked(named['axis'])
            except ValueError:
                raise TypeError('an axis is made of numbers') from None
            self.q = axis
        else:
            entries = [named[k] for k in sorted(named)]
            self.q = self.checked(entries)

    def checked(self, numbers):
        return np.asarray([float(e) for e in numbers])


@pytest.mark.parametrize('make', [lambda x: Entries(x[0], x[1] * x[2]), lambda x: Entries(b=x[0], a=x[1] * x[2]),
                                  lambda x: Entries(axis=x)])
def test_comprehensions_of_what_has_no_derivative_beside_what_has(make):
    """What is written into under one name was passive under another: the list of it was refused."""
    def f(x):
        made = make(x)
        return made.q[0] * made.q[1]
    want = differences(f, (X,), (0,))[0]
    assert np.allclose([tangent.jvp(f)(X, d) for d in np.eye(3)], want, atol=1e-5)
    assert np.allclose(tangent.grad(f)(X), want, atol=1e-5)


# What a class does when an attribute is deleted, and what draws at random

class Kept:
    def __init__(self, x):
        self.x = x

    def __delattr__(self, name):
        object.__setattr__(self, name, self.x * 3)


class Squared:
    def __init__(self, x):
        self.held = x

    @property
    def x(self):
        return self.held

    @x.deleter
    def x(self):
        self.held = self.held * self.held


@dataclasses.dataclass
class Record:
    a: float
    b: list


def deleted_by_code(x):
    kept = Kept(x * x)
    del kept.x
    return kept.x * x


def deleted_by_a_property(x):
    squared = Squared(x)
    del squared.x
    return squared.x * x


def drawn_around(rng, mean):
    return rng.normal(mean, 1.0)


def drawn_by_a_parameter(x):
    return drawn_around(np.random.default_rng(1), x) * x


def parts_of_a_dataclass(x):
    pair = Record(x * x, [x, 2.0 * x])
    return dataclasses.asdict(pair)['b'][1] * x + dataclasses.astuple(pair)[0]


def test_what_a_class_does_when_an_attribute_is_deleted():
    assert all(abs(tangent.jvp(deleted_by_code)(0.7, 1.0) - 9 * 0.7 ** 2) < 1e-12 for _ in range(4))
    with pytest.raises(TangentError, match='test_methods_of_objects.py'):
        tangent.jvp(deleted_by_a_property)(0.7, 1.0)


def test_draws_by_a_parameter_with_a_derivative_are_refused_in_every_mode():
    for derivative in (lambda: tangent.grad(drawn_by_a_parameter)(0.7), lambda: tangent.jvp(drawn_by_a_parameter)(0.7, 1.0),
                       lambda: tangent.grad(tangent.jvp(drawn_by_a_parameter))(0.7, 1.0)):
        with pytest.raises(TangentError, match='draws at random'):
            derivative()


def test_dataclasses_as_dicts_and_tuples():
    assert all(abs(tangent.jvp(parts_of_a_dataclass)(0.7, 1.0) - 6 * 0.7) < 1e-12 for _ in range(4))
    assert abs(tangent.grad(parts_of_a_dataclass)(0.7) - 6 * 0.7) < 1e-12
