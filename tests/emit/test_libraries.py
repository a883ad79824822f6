"""What functions of public packages do with flags, classes and keywords; see the corpus of packages."""
import abc
import io

import numpy as np
import pytest
from scipy import optimize

import tangent
from tests.tools.judge import check_every_text

V = np.array([0.6, 0.9, 1.7])


class Frame:
    def __init__(self, data, index):
        self.data, self.index = data, index


class Own(abc.ABC):  # noqa: B024
    """A class to which others are said to belong."""


class Hooked(abc.ABC):  # noqa: B024
    @classmethod
    def __subclasshook__(cls, other):
        return other is int


# A class of a library that is abstract says what is an instance of it

def told(x, day):
    out = {}
    out['direct'] = x[0] * np.cos(x[1]) * day
    out['all'] = out['direct'] * x[2]
    if isinstance(day, io.IOBase):
        out = Frame(out, index=day)
    return out


def of_an_abstract_class(x):
    r = told(x, 150)
    return r['direct'] + r['all']


def test_no_frame_is_made_of_a_number():
    df = tangent.grad(of_an_abstract_class)
    check_every_text(of_an_abstract_class, V)
    for _ in range(4):
        df(V)
    text = tangent.source(df, V)
    assert 'Frame' not in text and '_grads' not in text


def scaled(x, kind):
    return x * 2.0 if isinstance(kind, Own) else x * 5.0 if isinstance(kind, Hooked) else x * 3.0


def of_the_users(x):
    return np.sum(scaled(x, 1) * x)


def test_abstract_classes_of_the_users_are_asked():
    df = tangent.grad(of_the_users)
    for _ in range(4):
        np.testing.assert_allclose(df(V), 10.0 * V)
    Own.register(int)
    for _ in range(4):
        np.testing.assert_allclose(df(V), 4.0 * V)


# Flags in an array that is like another

def flags_like_the_argument(x):
    high = np.full_like(x, False, dtype=bool)
    np.greater_equal(np.abs(x), 0.8, where=~np.isnan(x), out=high)
    return np.sum(np.where(high, x ** 2, np.sin(x)))


def flags_set_by_index(x):
    high = np.full_like(a=x, fill_value=0, dtype='bool')
    high[1:] = x[1:] > 1.0
    return np.sum(np.where(high, x ** 2, np.sin(x)))


def flags_of_a_number(x):
    return np.sum(x) * flags_like_the_argument(x[1])


def filled_with_a_derivative(x):
    y = np.full_like(x, x[0] * x[1])
    y[2] = x[2]
    return np.sum(y ** 2)


def filled_and_written(x):
    y = np.full_like(x, 2.0)
    y[0] = x[1]
    y[1] *= x[0]
    return np.sum(y ** 2)


@pytest.mark.parametrize('f', [flags_like_the_argument, flags_set_by_index, flags_of_a_number, filled_with_a_derivative,
                               filled_and_written], ids=lambda f: f.__name__)
def test_only_what_it_is_filled_with_has_a_derivative(f):
    check_every_text(f, V)


def test_values_in_an_array_of_flags_are_refused():
    def f(x):
        y = np.full_like(x, False, dtype=bool)
        y[0] = x[1]
        return np.sum(x * y)

    df = tangent.grad(f)
    for _ in range(4):
        with pytest.raises(tangent.errors.ArgumentTypeError, match='array of bool'):
            df(V)


# Keywords beside a dict of such

class Settings:
    pass


def keywords_twice(x):
    settings = Settings()
    settings.kept, settings.a = {'tol': 1e-12}, x[0]
    settings.a = settings.a * 2.0
    if x[1] > 5.0:
        settings.kept['maxiter'] = x[1]
    return optimize.newton(func=lambda y, a, b: y ** 2 * a - b, x0=1.0, fprime=lambda y, a, b: 2 * y * a,
                           args=(settings.a, x[1]), **settings.kept) * x[2]


def test_each_keyword_is_asked_for_once():
    df = tangent.grad(keywords_twice)
    for _ in range(4):
        x = V[:]
        y = np.sqrt(x[1] / (2 * x[0]))
        np.testing.assert_allclose(df(x), [-0.5 * y / x[0] * x[2], 0.5 * y / x[1] * x[2], y])


# Integers that say what is to be done

def by_order(t, a, b, order=0):
    if order == 0:
        return a - b / t
    elif order in (1, -1):
        return a * t ** order
    elif order == 2:
        return [a, t]
    raise ValueError(order)


def usual_order(x):
    return by_order(x[0], x[1], x[2]) + by_order(x[1], 2.0, 3.0, 1) * by_order(x[2], x[0], 1.0, order=-1)


def said(y, flag):
    if flag == 1:
        y = y * 2.0
    return y if flag is True else y * 5.0


def one_and_true(x):
    return said(x[0], True) + said(x[1], 1) * x[2] + said(x[2], 0) + said(x[2], False)


def counted(y, n):
    while n != 0:
        y, n = y * y, n - 1
    return y if n == 0 else y * 100.0


def bound_anew(y, mode):
    if mode == 1:
        mode = 2
    if mode != 2:
        y = y * 3.0
    for mode in range(2):
        if mode == 1:
            y = y * 7.0
    return y


def counters(x):
    return counted(x[0], 2) + bound_anew(x[1], 1) * x[2] + bound_anew(x[2], 0)


def inner(y, n):
    return y * 3.0 if n == 2 else y ** 2 if n == 3 else y


def outer(y, n=2):
    return inner(y, n) + inner(y, n + 1) * y


def handed_on(x):
    return outer(x[0]) + outer(x[1], 3) * outer(x[2], 0)


@pytest.mark.parametrize('f', [usual_order, one_and_true, counters, handed_on], ids=lambda f: f.__name__)
def test_integers_that_are_asked_for(f):
    check_every_text(f, V)


def test_the_branch_that_is_taken_stands_alone():
    df = tangent.grad(usual_order)
    for _ in range(4):
        df(V)
    text = tangent.source(df, V)
    assert 'order ==' not in text and 'raise' not in text


def test_an_integer_that_is_given_is_asked():
    def f(x, order):
        return by_order(x, 2.0, x, order)

    df = tangent.grad(f)
    for order, wanted in [(0, 0.0), (1, 2.0), (-1, -2.0 / 9.0), (1, 2.0), (0, 0.0)] * 2:
        np.testing.assert_allclose(df(3.0, order), wanted)
