"""What library functions write over, and what is drawn at random: right, or refused with the user's line; it was wrong."""
import contextlib
import functools
import operator
import random

import numpy as np
import pytest

import tangent
from tangent.errors import TangentError
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])


def second_becomes_twice_the_first(a):
    a[1] = a[0] * 2


@contextlib.contextmanager
def scaled(a, c):
    a *= c
    yield
    a /= c


@contextlib.contextmanager
def pushed(items, v):
    items.append(v)
    yield
    items.pop()


def list_repeated_in_place(x):
    xs = [x[0], x[1]]
    xs *= 2
    return xs[2] * xs[3] + xs[0]


def partial_for_its_effect(x):
    y = x * 1.0
    u = functools.partial(second_becomes_twice_the_first, y)
    u()
    return np.sum(y)


def view_by_einsum(x):
    a = x.reshape(1, 3) * 1.0
    t = np.einsum('ij->ji', a)
    a[0, 0] = a[0, 1] * 3
    return np.sum(t)


def tuple_times_array(x):
    return ((x[0], x[1]) * x[:2])[0]


def array_times_list(x):
    return np.sum(np.array([1.0, 2.0]) * [x[0], x[1]])


def array_times_list_in_place(x):
    y = x[:2] * 1.0
    y *= [x[1], x[2]]
    return np.sum(y)


def sum_of_parts_into_an_array(x):
    y = np.zeros(3)
    np.add.accumulate(x, out=y)
    return np.sum(y)


def manager_writes_into_an_array(x):
    y = x * 1.0
    with scaled(y, 2.0):
        s = np.sum(y)
    return s


def manager_writes_into_a_list(x):
    items = [x[0]]
    with pushed(items, x[1]):
        s = items[0] * items[-1]
    return s


def dict_updated_in_place(x):
    d = {'a': x[0]}
    e = d
    e |= {'a': x[1]}
    return d['a']


def update_by_a_function(x):
    y = x * 1.0
    z = operator.iadd(y, x)
    y *= 2
    return np.sum(z)


def two_names_updated(x):
    y = x * 1.0
    z = y
    z += x
    y *= 2
    return np.sum(z)


def two_names_updated_in_turn(x):
    y = x * 1.0
    z = y
    y *= 2
    z += x
    return np.sum(y * y)


RIGHT = [list_repeated_in_place, partial_for_its_effect, view_by_einsum, tuple_times_array, array_times_list,
         array_times_list_in_place, sum_of_parts_into_an_array, manager_writes_into_an_array, manager_writes_into_a_list,
         dict_updated_in_place, update_by_a_function, two_names_updated, two_names_updated_in_turn]


def not_a_number_in_place(x):
    y = np.array([np.nan, 0.0, 0.0]) + x
    np.nan_to_num(y, copy=False)
    return np.sum(y * x)


def median_in_place(x):
    y = x * 1.0
    return np.median(y, overwrite_input=True) + y[0]


def percentile_in_place(x):
    y = x * 1.0
    return np.percentile(y, 30, overwrite_input=True) * y[0]


def permutation(x):
    return np.random.permutation(x)[0] ** 2


REFUSED = [not_a_number_in_place, median_in_place, percentile_in_place, permutation]


def shuffled_array(x):
    y = x * 1.0
    np.random.default_rng(3).shuffle(y)
    return y[0] + 2 * y[1] + 3 * y[2]


def shuffled_list(x):
    y = [x[0], x[1], x[2]]
    random.Random(1).shuffle(y)
    return y[0] + 2 * y[1] + 3 * y[2]


def normal_of_a_generator(x):
    return np.random.default_rng(3).normal(x[0], 1.0) * 2


def changed_after_the_return(a):
    try:
        return a
    finally:
        a[0] = 3 * a[1]


def test_finally_changes_what_is_returned():
    def program(x):
        return np.sum(changed_after_the_return(x * 1.0))

    with pytest.raises(TangentError, match=r'test_overwritten.py:\d+: finally blocks that change what is returned'):
        tangent.grad(program)(X)
    np.testing.assert_allclose(MODES['forward'](program), differences(program, (X,), (0,))[0], atol=1e-6)


MODES = {'reverse': lambda f: tangent.grad(f)(X), 'forward': lambda f: np.array([tangent.jvp(f)(X, e) for e in np.eye(3)])}


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', RIGHT)
def test_right(f, mode):
    np.testing.assert_allclose(MODES[mode](f), differences(f, (X,), (0,))[0], atol=1e-6)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', REFUSED)
def test_refused_with_the_line(f, mode):
    with pytest.raises(TangentError, match=r'test_overwritten.py:\d+: '):
        MODES[mode](f)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', [shuffled_array, shuffled_list, normal_of_a_generator])
def test_random_methods(f, mode):
    try:
        found = MODES[mode](f)
    except NotImplementedError:
        return
    np.testing.assert_allclose(found, differences(f, (X,), (0,))[0], atol=1e-6)


def test_flags_of_scipy():
    """What stands in no name may be written over."""
    linalg = pytest.importorskip('scipy.linalg')

    def solved(x):
        b = x * 2.0
        return np.sum(linalg.solve(2 * np.eye(3), b, overwrite_b=True)) + np.sum(b)

    def fresh(x):
        return np.sum(linalg.solve(2 * np.eye(3), x * 2.0, overwrite_b=True))

    with pytest.raises(TangentError, match='leave overwrite_b out'):
        tangent.grad(solved)(X)
    np.testing.assert_allclose(tangent.grad(fresh)(X), np.ones(3))
