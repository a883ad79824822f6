"""Jacobians of compiled functions by several arguments, of tuples, and into arrays that are given."""
import math

import numpy as np
import pytest

import tangent

numba = pytest.importorskip('numba')


@numba.njit
def pair(x, w, k):
    """Two numbers, by a vector and a number."""
    t = x[0] * math.sin(w) + x[1] * math.cos(w)
    if t > 0.0:
        t = t * x[2] / w
    return t * w * k, x[0] / w


@numba.njit
def mixed(x, a):
    return a @ x, x[0] * a[0, 1]


@numba.njit
def looped(x, w):
    """What it keeps on its way is used up on the way back."""
    y = 1.0
    n = 0
    while y < 10.0 and n < 5:
        y = y * x[n % 2] + math.sin(y * w)
        n += 1
    return y, y * w


@numba.njit
def callee(x):
    return x * x


@numba.njit
def calls(x, w):
    return callee(x[0]) * w, callee(x[1] * w)


@numba.njit
def few(x, w):
    """More numbers out than in."""
    y = np.empty((2, 3))
    for i in range(2):
        for j in range(3):
            y[i, j] = x[0] ** (i + 1) * w + j * x[1]
    return y


X, A = np.array([0.7, 1.3, -0.4]), np.arange(6.0).reshape(2, 3) + 0.5
CASES = [(pair, (0, 1), (X, 0.8, 2.0)), (pair, (0, 1), (-X, 0.8, 2.0)), (pair, 1, (X, 0.8, 2.0)), (mixed, (0, 1), (X, A)),
         (looped, (0, 1), (X[:2] + 1, 0.3)), (calls, ('w', 'x'), (X, 0.8)), (few, (0, 1), (X[:2].copy(), 0.3))]


def flat(found):
    return np.concatenate([flat(part) for part in found]) if isinstance(found, tuple) else np.ravel(found)


def shapes(found):
    return tuple(map(shapes, found)) if isinstance(found, tuple) else np.shape(found)


@pytest.mark.share(2)
@pytest.mark.parametrize('mode', ['reverse', 'forward', None])
@pytest.mark.parametrize('function, wrt, args', CASES)
def test_as_in_python(function, wrt, args, mode):
    if function is few and mode == 'forward':
        pytest.skip('compiled above, by the default')
    expected = tangent.jacobian(function.py_func, wrt)(*args)
    found = tangent.jacobian(function, wrt, mode=mode)(*args)
    assert shapes(found) == shapes(expected)
    np.testing.assert_allclose(flat(found), flat(expected), rtol=1e-12, atol=1e-14)


def test_callable_from_compiled_code():
    rows = tangent.jacobian(pair, (0, 1), mode='reverse')

    @numba.njit
    def norm(x):
        (a, b), (c, d) = rows(x, 0.8, 2.0)
        return np.sum(a * a) + b * b + np.sum(c * c) + d * d
    expected = tangent.jacobian(pair.py_func, (0, 1))(X, 0.8, 2.0)
    assert norm(X) == pytest.approx(np.sum(flat(expected) ** 2), rel=1e-12)


@pytest.mark.parametrize('function, wrt, args', [CASES[0], CASES[1], CASES[3], CASES[4]])
def test_into_given_arrays(function, wrt, args):
    expected = tangent.jacobian(function.py_func, wrt)(*args)
    found = tangent.jacobian(function, wrt, out=True)
    count = flat(function.py_func(*args)).size
    arrays = [np.full((count, *np.shape(x)), np.nan) for x in args[:2]]
    for _ in range(2):                                     # nothing of the time before is left in them
        assert found(*args, *arrays) is None
        ends = np.cumsum([0] + [np.size(y) for y in function.py_func(*args)])
        parts = tuple(tuple(j[a:b] for j in arrays) for a, b in zip(ends, ends[1:]))
        np.testing.assert_allclose(flat(parts), flat(expected), rtol=1e-12, atol=1e-14)


def test_one_way_forward_for_all_rows():
    text = tangent.source(tangent.jacobian(pair, (0, 1), mode='reverse'))
    assert text.count('= math.sin(w)') == 1 and 'for row in range(' in text and 'init_grad(x)' not in text


def test_arrays_that_do_not_fit():
    fill = tangent.jacobian(pair, (0, 1), out=True)
    good = np.zeros((2, 3)), np.zeros(2)
    x = X.copy()
    both = np.zeros((4, 3))
    for wrong in [(np.zeros((3, 3)), good[1]), (np.zeros((2, 2)), good[1]), (good[0], np.zeros(3)),
                  (both[:2], both[1, :2])]:
        with pytest.raises(tangent.errors.ArgumentError, match='share no memory'):
            fill(x, 0.8, 2.0, *wrong)
        assert all(np.all(w == 0) for w in wrong)
    whole = np.zeros((3, 3))
    with pytest.raises(tangent.errors.ArgumentError, match='share no memory'):
        fill(whole[1], 0.8, 2.0, whole[:2], good[1])
    with pytest.raises(Exception, match='shape'):
        fill(x, 0.8, 2.0, np.zeros(6), good[1])
    with pytest.raises(tangent.errors.ArgumentError, match='out=True'):
        tangent.jacobian(pair.py_func, (0, 1), out=True)


def test_the_same_uncompiled():
    with pytest.MonkeyPatch.context() as patch:
        fill = tangent.jacobian(pair, (0, 1), out=True)
        patch.setattr(numba.config, 'DISABLE_JIT', 1)
        plain = fill.py_func
        good = np.zeros((2, 3)), np.zeros(2)
        plain(X, 0.8, 2.0, *good)
    expected = tangent.jacobian(pair.py_func, (0, 1))(X, 0.8, 2.0)
    np.testing.assert_allclose(np.concatenate([flat((good[0][k], good[1][k])) for k in range(2)]), flat(expected))


@pytest.mark.parametrize('rows', [1, 5, 40])
def test_rows_are_zero_before_they_are_made(rows):
    """In matrices that are small (all rows at once) and large (one at a time), and again in the same arrays."""
    def every_other(x, n):
        out = np.empty(n)
        for k in range(n):
            out[k] = x[k] * x[k + 1]
        return out
    compiled = numba.njit(every_other)
    x = np.linspace(0.5, 1.5, 41)
    expected = np.zeros((rows, 41))
    for k in range(rows):
        expected[k, k], expected[k, k + 1] = x[k + 1], x[k]
    np.testing.assert_allclose(tangent.jacobian(compiled, mode='reverse')(x, rows), expected, rtol=1e-14)
    found = np.full((rows, 41), np.nan)
    for _ in range(2):
        tangent.jacobian(compiled, out=True)(x, rows, found)
        np.testing.assert_allclose(found, expected, rtol=1e-14)
