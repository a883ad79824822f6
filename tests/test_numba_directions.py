"""Several directions at once in functions that Numba compiles: what one direction gives, for each of them."""
import math

import numpy as np
import pytest

import tangent
from tangent import directions_eight

numba = pytest.importorskip('numba')
X, W = np.linspace(0.3, 1.7, 11), np.array([0.8, -1.2])


@numba.njit
def turned(angle, out):
    """Writes into its second argument."""
    out[0, 0] = math.cos(angle)
    out[0, 1] = -math.sin(angle)
    out[1, 0] = math.sin(angle)
    out[1, 1] = math.cos(angle)


@numba.njit
def chain(x, w):
    """Loops, branches, calls that write, early values, rows that are copied."""
    n = x.shape[0]
    turn, rows = np.empty((2, 2)), np.zeros((n, 2))
    for i in range(n):
        turned(x[i], turn)
        before = w if i == 0 else rows[i - 1]
        for k in range(2):
            rows[i, k] = turn[k, 0] * before[0] + turn[k, 1] * before[1]
        if rows[i, 0] > 0.5:
            scale = x[i] / w[0]
        else:
            scale = 2.0
        rows[i, 1] *= scale
        rows[i, 0] += x[0] * 0.25
    last = np.empty(2)
    last[:] = rows[n - 1]
    return rows, last, np.sqrt(rows[0, 0] * rows[0, 0] + 1.0)


@numba.njit
def number(t):
    y = t
    for _ in range(4):
        y = math.sin(y) * t
    return y, y * y


@numba.njit
def still(x):
    return np.ones(3), 2.0 * x[0]


@numba.njit
def single(x):
    found = np.empty(x.shape[0], np.float32)
    for i in range(x.shape[0]):
        found[i] = x[i] * x[i] * np.float32(0.5)
    return found


@numba.njit
def spread(x, w):
    total = 0.0
    for v in x:
        total += v * v
    return np.full(3, total) * w[0] + np.cos(w[1])


def flat(found):
    return np.concatenate([flat(part) for part in found]) if isinstance(found, tuple) else np.ravel(found)


CASES = [(chain, (0, 1), (X, W)), (chain, 'w', (X, W)), (number, 0, (0.7,)), (still, 0, (X,)), (spread, (0, 1), (X, W))]


def compiled_in_eights(dispatcher):
    """Whether the text that Numba compiled is the one that takes eight directions at a time."""
    before, called = dispatcher.py_func.retyped, []
    dispatcher.py_func.retyped = lambda args: called.append(args) or before(args)
    return called


@pytest.mark.parametrize('function, wrt, args', CASES)
def test_jacobian(function, wrt, args):
    jacobian = tangent.jacobian(function, wrt, mode='forward')
    fallen = compiled_in_eights(jacobian)
    expected = tangent.jacobian(function.py_func, wrt)(*args)
    found = jacobian(*args)
    np.testing.assert_allclose(flat(found), flat(expected), rtol=1e-13, atol=1e-15)
    assert not fallen
    np.testing.assert_allclose(flat(jacobian.py_func(*args)), flat(found), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize('count', [0, 1, 8, 9, 20])
def test_any_number_of_directions(count):
    push = tangent.jvp(chain, (0, 1), batched=True, preserve_result=True)
    rng = np.random.default_rng(count)
    tangents = rng.normal(size=(count, 11)), rng.normal(size=(count, 2))
    found, value = push(X, W, *tangents)
    assert [part.shape for part in found] == [(count, 11, 2), (count, 2), (count,)]
    one = tangent.jvp(chain, (0, 1))
    for k in range(count):
        for part, expected in zip(found, one(X, W, tangents[0][k], tangents[1][k])):
            np.testing.assert_allclose(part[k], expected, rtol=1e-12, atol=1e-14)
    for part, expected in zip(value, chain(X, W)):
        np.testing.assert_array_equal(part, expected)
