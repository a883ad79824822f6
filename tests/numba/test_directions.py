"""Several directions at once in functions that Numba compiles: what one direction gives, for each of them."""
import math
import os
import subprocess
import sys

import numpy as np
import pytest

import tangent

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


@pytest.mark.share(2)
@pytest.mark.parametrize('function, wrt, args', CASES)
def test_jacobian(function, wrt, args):
    jacobian = tangent.jacobian(function, wrt, mode='forward')
    fallen = compiled_in_eights(jacobian)
    expected = tangent.jacobian(function.py_func, wrt)(*args)
    found = jacobian(*args)
    np.testing.assert_allclose(flat(found), flat(expected), rtol=1e-13, atol=1e-15)
    assert not fallen
    np.testing.assert_allclose(flat(jacobian.py_func(*args)), flat(found), rtol=1e-13, atol=1e-15)


@pytest.mark.share(2)
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


@numba.njit
def whole(x, w):
    """Arithmetic on whole arrays, slices that overlap, sums, products and choices."""
    y = np.exp(x) * w[0] - x / w[1]
    y[1:] += 0.5 * y[:-1]
    y[::2] *= w[0]
    y = np.where(y > 1.0, y, 2.0 * y) + np.mean(x)
    table = y.reshape(1, 11) * np.ones((3, 1)) + np.arange(3.0).reshape(3, 1)
    table[1] = np.maximum(x, 0.9)
    total = 0.0
    for row in table:
        total += np.dot(row, row)
    return table.T @ np.array([1.0, -2.0, 0.5]), np.sum(table, axis=0)[::3] * total, np.concatenate((x[:2], w))


@numba.njit
def below(x, n):
    """Calls itself."""
    if n == 0:
        return x[0] * 2.0
    return below(x, n - 1) * math.sin(x[n]) + float(x[n])


@numba.njit
def scaled(x):
    """Writes into its argument."""
    for i in range(1, x.shape[0]):
        x[i] *= x[i - 1]
    return x[1:]


@numba.njit
def summed(x):
    return np.cumsum(x) * 2.0


@pytest.mark.parametrize('function, wrt, args', [(whole, 0, (X, W)), (below, 0, (X, 6)), (scaled, 0, (X,))])
def test_arrays_recursion_and_written_arguments(function, wrt, args):
    before = [np.copy(a) for a in args]
    jacobian = tangent.jacobian(function, wrt, mode='forward')
    fallen = compiled_in_eights(jacobian)
    found = jacobian(*args)
    assert not fallen
    for a, b in zip(args, before):
        np.testing.assert_array_equal(a, b)
    expected = tangent.jacobian(function.py_func, wrt, mode='reverse')(*before)
    np.testing.assert_allclose(flat(found), flat(expected), rtol=1e-12, atol=1e-13)


def test_what_cannot_be_made_in_eights_is_made_one_by_one():
    jacobian, push = tangent.jacobian(summed, mode='forward'), tangent.jvp(summed, batched=True)
    fallen = compiled_in_eights(jacobian), compiled_in_eights(push)
    np.testing.assert_allclose(jacobian(X), 2 * np.tri(11), rtol=1e-14)
    np.testing.assert_allclose(push(X, np.eye(11)), 2 * np.tri(11).T, rtol=1e-14)
    assert all(fallen)


def test_numbers_of_single_precision_stay_so():
    x, push = X.astype(np.float32), tangent.jvp(single, batched=True)
    found = push(x, np.eye(11, dtype=np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.diag(x), rtol=1e-6)


def test_directions_of_numbers_and_tuples():
    @numba.njit
    def pair(t, both):
        return t * both[0], (both[1], 3.0)
    both = X[:3], 2.0
    found = tangent.jvp(pair, (0, 1), batched=True)(0.5, both, np.arange(2.0), (np.ones((2, 3)), np.array([4.0, 5.0])))
    np.testing.assert_allclose(found[0], np.arange(2.0)[:, None] * X[:3] + 0.5, rtol=1e-15)
    np.testing.assert_array_equal(found[1][0], [4.0, 5.0])
    np.testing.assert_array_equal(found[1][1], [0.0, 0.0])


def test_shapes_are_checked():
    push = tangent.jvp(chain, (0, 1), batched=True)
    for tangents in (np.ones((3, 10)), np.ones((3, 2))), (np.ones((3, 11)), np.ones((2, 2))):
        with pytest.raises(tangent.errors.ShapeError, match='several directions'):
            push(X, W, *tangents)
    with pytest.raises(numba.core.errors.TypingError, match='several directions|count_directions'):
        push(X, W, np.ones(11), np.ones(2))
    with pytest.raises(tangent.errors.ArgumentError, match='jit=False'):
        tangent.jvp(numba.njit(lambda x, n=2: x * n), batched=True)


def test_division_by_zero_is_what_it_is_for_one_direction():
    def ratio(x):
        return 1.0 / x[0] if x[0] > 5.0 else x[1] / (x[0] - 1.0)
    at = np.array([1.0, 2.0])
    for push, seed in (tangent.jvp(numba.njit(ratio)), np.ones(2)), (tangent.jvp(numba.njit(ratio), batched=True), np.ones((3, 2))):
        with pytest.raises(ZeroDivisionError):
            push(at, seed)
    ieee = numba.njit(error_model='numpy')(ratio)
    one, found = tangent.jvp(ieee), tangent.jvp(ieee, batched=True)(at, np.eye(2))
    np.testing.assert_array_equal(found, [one(at, row) for row in np.eye(2)])
    assert not np.isfinite(found).any()


def test_called_from_compiled_code_and_differentiated_again():
    push = tangent.jvp(chain, 'w', batched=True)

    @numba.njit
    def first(w):
        return push(X, w, np.eye(2))[1]
    np.testing.assert_allclose(first(W).T, tangent.jacobian(chain, 'w', mode='forward')(X, W)[1], rtol=1e-12)
    cube = tangent.jvp(numba.njit(lambda x: x ** 3), batched=True)
    found = tangent.jvp(lambda x: cube(x, np.eye(2)))(W, np.array([1.0, 0.0]))
    np.testing.assert_allclose(found, [[6.0 * W[0], 0.0], [0.0, 0.0]], rtol=1e-12)


def test_the_text_says_it():
    text = tangent.source(tangent.jacobian(chain, 'w', mode='forward'))
    assert 'for k in range(0, numbers_in(w), 8):' in text and 'put_eight_columns(jw, k, push(x, w, unit_eight(w, k)))' in text


PROGRAM = """import numba, numpy, tangent

@numba.njit(cache=True)
def eights(x):
    return x * x[0]

@numba.njit(cache=True)
def ones(x):
    return numpy.cumsum(x)

x = numpy.array([2.0, 3.0])
for f in eights, ones:
    jacobian = tangent.jacobian(f, mode='forward')
    print(jacobian(x).tolist(), sum(jacobian.stats.cache_hits.values()))
"""


def test_machine_code_on_disk(tmp_path):
    file = tmp_path / 'program.py'
    file.write_text(PROGRAM)
    env = {**os.environ, 'TANGENT_CACHE_DIR': str(tmp_path / 'texts'), 'NUMBA_CACHE_DIR': str(tmp_path / 'code')}
    for hits in 0, 1:
        found = subprocess.run([sys.executable, str(file)], env=env, capture_output=True, text=True, check=True)
        assert found.stdout.splitlines() == [f'[[4.0, 0.0], [3.0, 2.0]] {hits}', f'[[1.0, 0.0], [1.0, 1.0]] {hits}']
        assert 'not kept' not in found.stderr
