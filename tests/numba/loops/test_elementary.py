"""Exponentials in compiled loops are arithmetic of ours: as exact as NumPy's, and left alone where trips wait for each other."""
import re

import numpy as np
import pytest

numba = pytest.importorskip('numba')

import tangent  # noqa: E402
from tangent.numba.machine.compile import Compiler  # noqa: E402

SPECIAL = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 709.782712893384, 709.7827128933841, -745.1332191019411, -745.2, 1e308,
                    -1e308, 5e-324])


def each(x):
    found = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        found[i] = np.exp(x[i])
    return found


def in_turn(x):
    y = x[0]
    for _ in range(x.shape[0]):
        y = np.exp(-y)
    return y


def while_small(x):
    i, total = 0, 0.0
    while total < 3.0:
        total = total + np.exp(x[i] + total)
        i = i + 1
    return total


def of_single_precision(x):
    found = np.empty(x.shape[0], np.float32)
    for i in range(x.shape[0]):
        found[i] = np.exp(np.float32(x[i]))
    return found


def compiled(f):
    return numba.njit(pipeline_class=Compiler)(f)


def calls_the_library(f):
    made = compiled(f)
    made(np.linspace(0.0, 1.0, 9))
    text, = made.inspect_llvm().values()
    return re.search(r'@(llvm\.exp\.f64|exp)\(', text) is not None


@pytest.mark.parametrize('least, most', [(-1.0, 1.0), (-40.0, 40.0), (-708.0, 709.7), (-745.1, -708.0), (-1e-9, 1e-9)])
def test_exponentials_are_right_to_the_last_place(least, most):
    x = np.random.RandomState(3).uniform(least, most, 200000)
    right = np.exp(x.astype(np.longdouble))
    assert np.max(np.abs(compiled(each)(x) - right) / np.spacing(right.astype(float))) < 1.02


def test_exponentials_of_infinities_nan_and_bounds_are_those_of_numpy():
    with np.errstate(over='ignore'):
        np.testing.assert_array_equal(compiled(each)(SPECIAL), np.exp(SPECIAL))


def test_exponentials_of_single_precision_stay_there():
    x = np.linspace(-3.0, 3.0, 17)
    found = compiled(of_single_precision)(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.exp(x), rtol=3e-7)


@pytest.mark.parametrize('f, library', [(each, False), (in_turn, True), (while_small, True)])
def test_the_library_is_called_where_trips_wait_for_each_other(f, library):
    assert calls_the_library(f) == library
    x = np.linspace(0.0, 1.0, 9)
    np.testing.assert_allclose(compiled(f)(x), f(x), rtol=1e-14)


def shares(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        e = np.exp(x[i] - np.max(x[i]))
        out[i] = e / np.sum(e)
    return np.sum(out * out)


def largest(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        total += w[i] * np.max(x[i])
    return total


@pytest.mark.parametrize('f, args', [(shares, ()), (largest, (np.array([2.0, -1.0, 0.5]),))])
@pytest.mark.parametrize('rows', [np.arange(12.0).reshape(3, 4) / 7, np.zeros((3, 4)), np.array([[1.0, 2.0, 2.0, 0.0]] * 3),
                                  np.array([[np.nan, 1.0, 2.0, 3.0]] * 3)])
def test_the_largest_of_a_row_share_a_gradient(f, args, rows):
    plain, ours = tangent.grad(f), tangent.grad(numba.njit(f))
    for _ in range(4):
        np.testing.assert_allclose(ours(rows, *args), plain(rows, *args), rtol=1e-13, atol=1e-14)
