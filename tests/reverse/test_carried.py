"""Loops that carry what has another shape each time, or give it away: gradients beside differences."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close, differences


def turned(x):
    for _ in range(3):
        x = x[::-1]
    return np.sum(x * np.arange(5.0))


def overwritten_by_another_shape(x,y):
    z = y*2.0
    for _ in range(2):
        z = np.sin(x)
    return np.sum(z)*np.sum(y)


def overwritten_by_a_number(x,y):
    x = x*2.0
    for _ in range(2):
        x = np.sum(y)
    return x*2.0


def two_views(x):
    y = x
    for _ in range(3):
        y = x[::-1]
        x = y[None]
    return np.sum(y*y)


def ever_shorter(x):
    for _ in range(2):
        x = x[1:]
    return np.sum(x*x)


def shorter_by_the_counter(x):
    for i in range(2):
        x = x[i:]
    return np.sum(x*x)


def first_of_the_first(x):
    for _ in range(2):
        x = x[0]
    return x*x


def nested_dicts(d):
    for _ in range(2):
        d = d['n']
    return d['v']**2


def columns(y):
    for _ in range(2):
        y = y[:, :2]
    return np.sum(y*y)


def sum_of_a_rest(x):
    for _ in range(2):
        x = x[1:]
    return np.sum(x)


def product_of_a_part(x, w):
    for _ in range(3):
        x = w @ x[:3]
    return np.sum(x)


def outer_of_each(xs, x):
    y = x
    for e in xs:
        y = np.outer(e, x)
    return np.sum(y)


A = np.arange(5.0) / 7 + 0.3
PROGRAMS = [
    (turned, (A,), (0,)), (overwritten_by_another_shape, (A, A[:1]), (0, 1)), (overwritten_by_another_shape, (A[:3], A), (0, 1)),
    (overwritten_by_a_number, (A, A), (0, 1)), (two_views, (A,), (0,)), (ever_shorter, (A,), (0,)), (shorter_by_the_counter, (A,), (0,)),
    (first_of_the_first, (np.outer(A, A),), (0,)), (columns, (np.outer(A, A),), (0,)), (sum_of_a_rest, (A,), (0,)),
    (product_of_a_part, (A, np.ones((4, 3))), (0, 1)), (outer_of_each, ([A[:3], A[:2]], A), (1,))]


@pytest.mark.parametrize('f, args, wrt', PROGRAMS, ids=[f'{f.__name__}{len(args[0])}' for f, args, _ in PROGRAMS])
def test_gradient(f, args, wrt):
    df = tangent.grad(f, wrt=wrt)
    expected = differences(f, args, wrt)
    for _ in range(3):
        found = df(*args)
        assert_close(list(found) if isinstance(found, tuple) else [found], expected)


def test_gradient_of_nested_dicts():
    tree = {'v': 1.0, 'n': {'v': 2.0, 'n': {'v': 3.0, 'n': None}}}
    assert tangent.grad(nested_dicts)(tree) == {'v': 0.0, 'n': {'v': 0.0, 'n': {'v': 6.0, 'n': None}}}
