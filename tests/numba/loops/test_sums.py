"""Products of vectors as loops that add up, and products that stay as they are."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close

numba = pytest.importorskip('numba', reason='Numba is not installed')


def parts(a, i, j):
    return np.dot(a[i, :j], a[j, :j])


def part_of_one(a, i, j):
    a[i, j] -= 2.0 * (a[i, :j] @ a[:j, j]) + a[i, :] @ a[:, j]
    return a[i, j]


def the_other_way_round(a, i, j):
    s = np.dot(np.flip(a[i, :j]), a[j, :j])
    return s * np.dot(a[i, 1:j + 1], a[i, :j])


def in_a_loop(a, i, j):
    total = 0.0
    for k in range(j):
        total += np.dot(a[k, :k], a[i, :k]) * np.sin(total)
    return total


@pytest.mark.parametrize('f, count', [(parts, 1), (part_of_one, 2), (the_other_way_round, 2), (in_a_loop, 1)])
@pytest.mark.parametrize('dtype', ['float64', 'float32'])
def test_products_of_vectors_are_loops(f, count, dtype):
    a = np.random.default_rng(0).normal(size=(7, 7)).astype(dtype)
    fast = tangent.lower(numba.njit(f))
    text = tangent.source(fast, a, 2, 3)
    assert text.count('empty_sum(') == count and not any(word in text for word in ('dot_rows', 'np.dot(', '@'))
    for i, j in (2, 3), (6, 6), (1, 0), (0, 1):
        right = f(a.copy(), i, j)
        np.testing.assert_allclose(fast(a.copy(), i, j), right, rtol=1e-5 if dtype == 'float32' else 1e-13)


def unequal(a, b):
    return np.dot(a[1:], b)


def test_lengths_are_looked_at():
    made = tangent.lower(numba.njit(unequal))
    assert made(np.ones(4), np.ones(3)) == 3.0
    assert made(np.ones(1), np.ones(0)) == 0.0
    with pytest.raises(ValueError):
        made(np.ones(4), np.ones(4))
    with pytest.raises(ValueError):
        made(np.ones(4), np.ones(1))


def matrices(a, b):
    return np.sum(np.dot(a, a) @ b[0])


def perhaps(a, b):
    return np.dot(a[0], b[0]) if a.shape[0] > 0 else 0.0


def of_complex_numbers(a, b):
    z = a[0] * 1j
    return np.dot(z, z).real


@pytest.mark.parametrize('f', [perhaps, of_complex_numbers, matrices])
def test_other_products_stay(f):
    a, b = np.random.default_rng(0).normal(size=(2, 3, 3))
    fast = tangent.lower(numba.njit(f))
    assert 'empty_sum' not in str(tangent.source(fast, a, b))
    assert fast(a, b) == pytest.approx(f(a, b))
    if f is perhaps:
        assert fast(a[:0], b[:0]) == 0.0


@numba.njit
def scale(a):
    a *= 2.0
    return 1.0


def after_a_change(a, b):
    s = scale(a) * np.dot(a[0], b[0])
    return s


def test_what_changes_arrays_runs_first():
    a, b = np.random.default_rng(0).normal(size=(2, 3, 3))
    fast = tangent.lower(numba.njit(after_a_change))
    assert fast(a.copy(), b) == pytest.approx(2 * a[0] @ b[0])


def triangle(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
    return np.sum(a * a)


def test_gradients_with_products_of_vectors():
    a = np.random.default_rng(1).normal(size=(6, 6)) * 0.5
    fast, plain = tangent.grad(numba.njit(triangle))(a), tangent.grad(triangle)(a)
    np.testing.assert_allclose(fast, plain, rtol=1e-11, atol=1e-13)


def after_another(a, b, c):
    c[1:] = a[1:] + b[1:]
    s = np.dot(c, a)
    return s


def test_what_comes_before_is_checked_before():
    fast = tangent.lower(numba.njit(after_another))
    a, c = np.arange(3.0), np.zeros(3)
    assert fast(a, np.ones(3), c) == pytest.approx(8.0)
    text = tangent.source(fast, a, a, c)
    assert text.index('check_equal(') < text.index('for ')
    c = np.zeros(3)
    with pytest.raises(ValueError):
        fast(a, np.ones(4), c)
    assert not c.any()


def used_further(a, b):
    s = np.dot(a[1:], b[:-1])
    b[:] += s * a
    return np.sum(b)


def test_what_is_made_of_a_product_is_a_number():
    fast = tangent.lower(numba.njit(used_further))
    a, b = np.arange(5.0), np.ones(5)
    assert tangent.source(fast, a, b).count('for ') == 2
    assert fast(a, b.copy()) == pytest.approx(used_further(a, b))


@numba.njit
def shifted(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += np.tanh(a[i, i])
    t = np.clip(a, 0.2, 0.6) + s
    return np.sum(t * t)


def test_sums_of_whole_arrays_are_made_where_these_are():
    a = np.random.RandomState(1).rand(5, 5)
    text = tangent.source(tangent.grad(shifted), a)
    assert text.count('for j in') == 1 and 'empty_sum' in text and text.count('np.empty') == 1
    for given in (a, a.T, a[:0], np.asfortranarray(a)):
        assert_close(tangent.grad(shifted)(given), tangent.grad(shifted, jit=False)(given), 1e-12)


@numba.njit
def summed_twice(x, y):
    s = np.sum(x * y)
    t = x * s
    u = np.sum(t)
    return s * u + np.sum(t * y)


def test_what_reads_a_sum_waits_for_it():
    x, y = np.random.RandomState(2).rand(2, 6)
    for wrt in 0, 1:
        assert_close(tangent.grad(summed_twice, wrt)(x, y), tangent.grad(summed_twice, wrt, jit=False)(x, y), 1e-12)


@numba.njit
def cut(x, low, high):
    t = np.clip(x * 2.0, low, high)
    return t - 0.5


def test_clip_is_as_numpy_has_it():
    x = np.array([np.nan, np.inf, -np.inf, -0.0, 0.3, 0.9])
    for low, high in (0.1, 0.7), (0.7, 0.1), (0, 1), (-1, np.nan):
        np.testing.assert_array_equal(tangent.lower(cut)(x, low, high), np.clip(x * 2.0, low, high) - 0.5)


@numba.njit
def sums_amid(x, y):
    for i in range(x.shape[0]):
        y[i] = np.sum(x[i] * x[i]) * y[i] + np.sum(y)
    y[0] += np.sum(x) * np.sum(y * y)
    return np.sum(y) + y[1]


def sums_that_may_wait(x, n):
    r = [np.sum(x * x) * i for i in range(n)]
    return n > 0 and np.sum(x * x) + 1.0, r, np.sum(x[:0] * x[:0]) + np.sum(x * x) * len(r)


def test_sums_amid_arithmetic_are_loops():
    x, y = np.random.RandomState(2).rand(4, 3), np.random.RandomState(3).rand(4)
    for one, other in zip(*(tangent.grad(sums_amid, (0, 1), jit=jit)(x, y) for jit in (True, False)), strict=True):
        assert_close(one, other, 1e-12)
    assert 'y[i] = total * y[i] + total2' in tangent.source(tangent.lower(sums_amid), x, y)
    x = x[0]
    for n in 0, 3:
        made = tangent.lower(sums_that_may_wait)
        for one, other in zip(made(x, n), sums_that_may_wait(x, n), strict=True):
            assert_close(one, other, 1e-12)
