"""Parts of tapes as arrays: what loops keep there, and loops whose pushes and pops stay."""
import math

import numpy as np
import pytest

numba = pytest.importorskip('numba', reason='Numba is not installed')

import tangent  # noqa: E402
from tangent.runtime.tape import LocalTape  # noqa: E402


def numbers(n, m):
    tape, total = LocalTape(), 0.0
    for k in range(n):
        part = tape.room(max(k - 1, 0), 0.0)
        for i in range(k - 1):
            part[i] = k + 0.5 * i
    for k in range(n - 1, -1, -1):
        part = tape.part(max(k - 1, 0))
        for i in range(k - 2, -1, -1):
            total = 0.9 * total + part[i] * (k - m)
    return total + len(tape)


def pairs(n, m):
    tape, total = LocalTape(), 0.0
    for k in range(n):
        part = tape.room(max(k, 0), (0.0, 0.0))
        for i in range(k):
            part[i, 0] = k
            part[i, 1] = m * i
    for k in range(n - 1, -1, -1):
        part = tape.part(max(k, 0))
        for i in range(k):
            total = 0.9 * total + part[k - 1 - i, 0] * (part[k - 1 - i, 1] - m)
    return total + len(tape)


@pytest.mark.parametrize('f', [numbers, pairs])
@pytest.mark.parametrize('n', [0, 1, 2, 7, 70])
def test_parts_in_compiled_code(f, n):
    assert numba.njit(f)(n, 3) == pytest.approx(f(n, 3), rel=1e-13)


def part_that_outlives_its_tape(n):
    tape, total = LocalTape(), 0.0
    part = tape.room(n, 0.0)
    for i in range(n):
        part[i] = i + 1.0
    again = tape.part(n)
    other = np.full(n, -1.0)                        # memory that would be the tape's, were that given back by now
    for i in range(n):
        total += again[i] - other[i]
    return total


def test_a_part_keeps_its_tape():
    """The tape was given back after its last mention, while its part was read: gradients of 2,500 points began with garbage."""
    compiled = numba.njit(part_that_outlives_its_tape)
    for n in (1, 40, 2500, 300_000):
        for _ in range(3):
            assert compiled(n) == part_that_outlives_its_tape(n)


@numba.njit(boundscheck=True)
def too_many(n):
    tape = LocalTape()
    tape.room(n, 0.0)[0] = 1.0
    return tape.part(n + 1)[0]


def test_a_part_that_is_not_there():
    with pytest.raises(IndexError):
        too_many(3)


@numba.njit
def smoothed(x, steps):
    y = x.copy()
    for k in range(steps):
        for i in range(1, y.shape[0] - 1):
            y[i] = y[i] * (y[i - 1] + 0.3 * y[i + 1]) * 0.7
        for i in range(y.shape[0] - 1, k, -1):
            y[i] = y[i] * y[i] * 0.5 + y[i - 1]
    return np.sum(y * y)


@numba.njit
def powers(x, n):
    y = x
    s = 0.0
    for i in range(n):
        s += math.exp(0.1 * y) * i
        y = y * 0.9 + y * y * 0.01
    for _ in range(n - 1, 2, -1):
        y = y * y * 0.1 + x
    return s * y


@numba.njit
def with_short_loops(x, n):
    y = x.copy()
    for _ in range(n):
        for i in range(3):
            y[i] = y[i] * y[i] * 0.3
    return np.sum(y)


@numba.njit
def in_steps(x, n):
    y = x.copy()
    for i in range(0, n, 2):
        y[i] = y[i] * y[i] * 0.3
    return np.sum(y)


@numba.njit
def in_branches(x, n):
    y = x.copy()
    for i in range(n):
        if y[i] > 0.0:
            y[i] = y[i] * y[i] * 0.3
    return np.sum(y)


@numba.njit
def until(x, n):
    y = x.copy()
    i = 0
    while i < n:
        y[i] = y[i] * y[i] * 0.3
        i += 1
    return np.sum(y)


@numba.njit
def single(x, n):
    y = x.copy()
    for i in range(n):
        y[i] = y[i] * y[i] * x[0]
    return np.sum(y)


GIVEN = np.random.default_rng(0).normal(size=9)


@pytest.mark.parametrize('f, args', [(smoothed, (GIVEN, 3)), (powers, (0.4, 30))])
def test_loops_that_keep_what_they_overwrite(f, args):
    fast, plain = tangent.grad(f), tangent.grad(f, jit=False)
    text = tangent.source(fast, *args)
    assert '.room(' in text and '.part(' in text and '.pop(' not in text
    for n in args[1], 0, 1, 5:
        found = fast(args[0], n)
        np.testing.assert_allclose(found, plain(args[0], n), rtol=1e-11, atol=1e-13)
    if f is smoothed:
        np.testing.assert_allclose(fast(GIVEN[:1], 2), plain(GIVEN[:1], 2), rtol=1e-11)


@pytest.mark.parametrize('f', [with_short_loops, in_steps, in_branches, until])
def test_pushes_and_pops_that_stay(f):
    fast, plain = tangent.grad(f), tangent.grad(f, jit=False)
    assert '.room(' not in tangent.source(fast, GIVEN, 7)
    np.testing.assert_allclose(fast(GIVEN, 7), plain(GIVEN, 7), rtol=1e-11)


def test_single_precision_stays():
    x = GIVEN.astype('float32')
    fast, plain = tangent.grad(single), tangent.grad(single, jit=False)
    assert '.room(' not in tangent.source(fast, x, 7)
    np.testing.assert_allclose(fast(x, 7), plain(x, 7), rtol=1e-4)


def test_a_loop_far_longer_than_the_first_block():
    fast = tangent.grad(powers)
    step = 1e-6
    for n in 1000, 10, 3000:
        expected = (powers(0.4 + step, n) - powers(0.4 - step, n)) / (2 * step)
        assert fast(0.4, n) == pytest.approx(expected, rel=1e-5)
