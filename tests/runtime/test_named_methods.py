"""Methods that Python has for its operators, called by their names; `_asdict` of records, and iterators in several."""
import collections
import itertools
import typing

import numpy as np
import pytest

import tangent

Pair = collections.namedtuple('Pair', 'a b')


class Point(typing.NamedTuple):
    a: float
    b: float = 2.0


def of_numbers(x):
    return x.__mul__(x).__add__(2.0 * x) * x.__rsub__(3.0) + x.__neg__() / x.__pow__(2) - x.__truediv__(x.__rtruediv__(2.0)).__abs__()


def of_arrays(x):
    v = np.array([x, 2.0])
    return np.sum(v.__mul__(v)) + v.__matmul__(v) * v.__rpow__(2.0)[1] + v.__sub__(x).__pos__()[1] * v.__len__()


def of_lists(x):
    xs = [x, x * x]
    return sum(xs) / xs.__len__() * xs.__getitem__(1)


def of_integers(x):
    n = 2
    product = n.__mul__(x)                       # which integers leave to floats
    return x.__rmul__(n) if product is NotImplemented else 0.0 * x


def as_dict(x):
    pair = Pair(x, x * x)
    return pair._asdict()['b'] * pair._asdict()['a'] + sum(Point(a=x)._asdict().values()) * x


def as_keywords(x):
    return (lambda a, b: a * b)(**Pair(x, x * x)._asdict())


def in_pairs(x):
    first, second = itertools.tee([x, x * x, x ** 3])
    next(second)
    return sum(a * b for a, b in zip(first, second))


@pytest.mark.parametrize('f', [of_numbers, of_arrays, of_lists, of_integers, as_dict, as_keywords, in_pairs])
def test_by_name(f):
    wanted = (f(3.0 + 1e-5) - f(3.0 - 1e-5)) / 2e-5
    df, forward = tangent.grad(f), tangent.jvp(f)
    for _ in range(4):
        assert df(3.0) == pytest.approx(wanted, rel=1e-6)
        assert forward(3.0, 1.0) == pytest.approx(wanted, rel=1e-6)
