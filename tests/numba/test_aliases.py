"""`y = x[i]; y += v` in compiled functions: numbers there, as a guard sees to while Numba compiles."""
import numpy as np
import pytest

import tangent
from tangent.errors import AliasError
from tangent.runtime.api import check_element
from tangent.runtime.tape import Tape

numba = pytest.importorskip('numba')


def chain(a, v):
    total = 0.0
    for row in range(v.shape[0]):
        y = v[row]
        for column in range(row):
            y += a[column] * v[column]
        total += y * y
    return total


def test_an_element_that_is_added_to_is_a_number():
    a, v = np.array([0.5, -1.0, 2.0]), np.array([1.0, 3.0, -2.0])
    compiled = tangent.grad(numba.njit(chain), (0, 1))
    assert 'check_element(y)' in tangent.source(compiled)
    for found, expected in zip(compiled(a, v), tangent.grad(chain, (0, 1))(a, v)):
        np.testing.assert_allclose(found, expected, rtol=1e-14)
    for found, expected in zip(compiled.py_func(a, v), compiled(a, v)):            # as it runs uncompiled
        np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_a_row_that_is_added_to():
    """As Numba knows that it is a row, what is added to it is added to the array."""
    def rows(x):
        total = 0.0
        for i in range(x.shape[0]):
            y = x[i]
            y += 1.0
            total += np.sum(y * x[i])
        return total

    np.testing.assert_array_equal(tangent.grad(numba.njit(rows))(np.ones((2, 3))), np.full((2, 3), 4.0))
    with pytest.raises(AliasError, match='2 axes'):
        check_element(np.ones((2, 3)))


def test_elements_of_a_loop_are_guarded_in_its_body():
    def total(x):
        found = 0.0
        for y in x:
            y += 2.0 * x[0]
            found += y * y
        return found

    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(tangent.grad(numba.njit(total))(x), tangent.grad(total)(x), rtol=1e-14)


def test_a_tape_is_checked_where_bounds_are():
    def pops(n):
        tape = Tape()
        tape.append(1.0)
        total = 0.0
        for _ in range(n):
            total += tape.pop()
        return total

    with pytest.raises(IndexError, match='empty tape'):
        numba.njit(boundscheck=True)(pops)(2)


def test_arguments_that_share_memory_are_refused():
    def f(a, b):
        for i in range(a.shape[0]):
            a[i] = a[i] * b[0]
        return np.sum(a)

    df, x = tangent.grad(numba.njit(f)), np.array([1.0, 2.0, 3.0])
    for args in (x, x), (x, x[::-1]), (x[:2], x[1:]):
        with pytest.raises(AliasError, match='share memory'):
            df(*args)
    np.testing.assert_array_equal(df(x, x.copy()), [1.0, 1.0, 1.0])
