"""The finite differences of `tangent check`, against gradients written by hand."""
import collections

import numpy as np
import pytest

from tangent.errors import ArgumentError, ArgumentTypeError, ShapeError
from tangent.interfaces.tools import finite_differences

Point = collections.namedtuple('Point', 'x y')


def errors(func, gradient, *args, wrt=(0,)):
    return [row.error for row in finite_differences.compare(func, gradient, args, finite_differences.positions(func, wrt))]


@pytest.mark.parametrize('func, gradient, args', [
    (lambda x: x ** 3, lambda x: 3 * x ** 2, (1.5,)),
    (lambda x: x ** 3, lambda x: 3 * x ** 2, (2,)),
    (lambda x: np.sum(np.sin(x)), np.cos, (np.linspace(-3, 3, 7),)),
    (lambda x: np.sum(x * x), lambda x: 2 * x, (np.arange(3),)),
    (lambda x: np.sum(x * x), lambda x: 2 * x, (np.ones((0, 2)),)),
    (lambda x: 1e8 * x, lambda x: 1e8, (3e4,)),
    (lambda x: (x * x, 'and more'), lambda x: 2 * x, (1.5,)),
    (lambda z: abs(z) ** 2, lambda z: 2 * z, (1 + 2j,)),
    (lambda p: p.x * p.y, lambda p: Point(p.y, p.x), (Point(2.0, 3.0),)),
    (lambda p: p['a'] * p['b'][0], lambda p: {'a': p['b'][0], 'b': [p['a']]}, ({'a': 2.0, 'b': [3.0]},)),
])
def test_right_gradients_are_right(func, gradient, args):
    assert all(e < 1e-8 for e in errors(func, gradient, *args))


@pytest.mark.parametrize('wrong', [lambda x: 2 * x + 1e-3, lambda x: 0 * x, lambda x: x * np.nan])
def test_wrong_gradients_are_wrong(wrong):
    assert min(errors(lambda x: np.sum(x * x), wrong, np.ones(3))) > 1e-4


def test_the_worst_entry_is_shown():
    def gradient(x):
        g = 2 * x
        g[1, 0] += 7
        return g
    row, = finite_differences.compare(lambda x: np.sum(x * x), gradient, [np.ones((2, 2))], [(0, 'x')])
    assert row.place == 'x[1, 0]'
    assert (row.checked, row.size, row.derivative) == (4, 4, 9)
    assert row.difference == pytest.approx(2)


def test_of_a_large_array_some_entries_are_checked():
    row, = finite_differences.compare(lambda x: np.sum(x * x), lambda x: 2 * x, [np.ones(12345)], [(0, 'x')])
    assert row.checked <= finite_differences.MOST
    assert row.size == 12345


def test_the_arguments_are_left_alone():
    def func(x):
        x[0] = 5.0
        return np.sum(x * x)
    x = np.ones(3)
    assert max(errors(func, lambda x: np.array([0.0, 2.0, 2.0]), x)) < 1e-8
    assert list(x) == [1, 1, 1]


def test_several_arguments_by_name_and_position():
    found = finite_differences.compare(lambda x, y: x * y * y, lambda x, y: (2 * x * y, y * y), [2.0, 3.0],
                                finite_differences.positions(lambda x, y: 0, ('y', 0)))
    assert [row.place for row in found] == ['y', 'x']
    assert max(row.error for row in found) < 1e-8


def test_refusals():
    with pytest.raises(ArgumentError, match="no argument 'z'"):
        finite_differences.positions(lambda x: x, ('z',))
    with pytest.raises(ArgumentError, match='no value is given'):
        errors(lambda x, y: x, lambda x, y: 1.0, 1.0, wrt=(1,))
    with pytest.raises(ArgumentTypeError, match='not a number'):
        errors(lambda x: 1.0, lambda x: 1.0, 'text')
    with pytest.raises(ShapeError, match='not a number'):
        errors(lambda x: x, lambda x: x, np.ones(3))
    with pytest.raises(ShapeError, match='gradient by x'):
        errors(lambda x: np.sum(x), lambda x: 1.0, np.ones(3))
