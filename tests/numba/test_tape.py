"""Tapes and loops in machine code: what is pushed comes back, memory is given back, and what LLVM is told is true."""
import numpy as np
import pytest

import tangent

numba = pytest.importorskip('numba', reason='Numba is not installed')
from numba.core import types  # noqa: E402
from numba.core.runtime import _nrt_python, rtsys  # noqa: E402

from tangent.numba.machine.compile import Compiler  # noqa: E402
from tangent.numba.machine.passes import ranges  # noqa: E402
from tangent.runtime.tape import LocalTape, Tape  # noqa: E402


def numbers(kind):
    def f(n):
        tape, total = kind(), 0.0
        for i in range(n):
            tape.append((i, 0.5 * i))
        for k in range(n // 2):
            i, half = tape.pop()
            total += i * half - k
        for i in range(3):
            tape.append((i, 1.0))
        while tape:
            i, half = tape.pop()
            total -= i * half
        return total
    return f


def arrays(kind):
    def f(n):
        tape, total = kind(), 0.0
        for i in range(n):
            tape.append(np.full(3, i * 1.0))
        for _ in range(n // 2):
            total += tape.pop()[1]
        if n > 90:
            raise ValueError('too many')
        return total
    return f


@pytest.mark.parametrize('kind', [Tape, LocalTape])
@pytest.mark.parametrize('program', [numbers, arrays])
def test_tapes(kind, program):
    f = program(kind)
    compiled = numba.njit(f)
    for n in 0, 1, 31, 32, 33, 64, 65, 80:
        assert compiled(n) == f(n)


@pytest.mark.parametrize('kind', [Tape, LocalTape])
def test_memory_is_given_back(kind):
    few, many = numba.njit(numbers(kind)), numba.njit(arrays(kind))

    def run():
        few(1000)
        many(80)
        with pytest.raises(ValueError):
            many(100)
    run()
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(20):
        run()
    after = rtsys.get_allocation_stats()
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free > 0
    assert abs(after.alloc - before.alloc - (after.free - before.free)) <= 2          # blocks that are kept for the next call


def test_two_tapes_made_at_one_place_are_two():
    @numba.njit
    def inner(x, n):
        tape = LocalTape()
        tape.append(x)
        below = inner(x + 1.0, n - 1) if n > 0 else 0.0
        return tape.pop() + 10.0 * below
    assert inner(1.0, 2) == 1 + 10 * (2 + 10 * 3)




def test_tapes_that_are_handed_over_are_counted():
    @numba.njit
    def callee(x, n):
        total = 0.0
        for _ in range(n):
            total = np.sin(total + x)
        return total

    @numba.njit
    def caller(x, n):
        return callee(x, n) * callee(2.0 * x, n)
    text = tangent.source(tangent.grad(caller))
    assert '= Tape()' in text and '= LocalTape()' not in text
    assert '= LocalTape()' in tangent.source(tangent.grad(callee))
    assert tangent.grad(caller)(0.3, 5) == pytest.approx(tangent.grad(caller, jit=False)(0.3, 5))


# What LLVM is told of the variables of loops

def down(x, n):
    total = 0.0
    for i in range(n - 1, -1, -1):
        total = 2 * total + x[i]
    return total


def down_to_another(x, n):
    total = 0.0
    for i in range(n):
        for j in range(n - 1, i, -1):
            total += x[j] * i
        for j in range(i + 1, n):
            total -= x[j]
    return total


def below_zero(x, n):
    """Indices that count from the end."""
    total = 0.0
    for i in range(n - 1, -4, -1):
        total = 2 * total + x[i]
    for i in range(-3, 2):
        total = 2 * total + x[i]
    for i in range(n - 5, n):
        total = 3 * total + x[i]
    for k in range(n):
        for i in range(n - 1, k - 3, -2):
            total = 2 * total + x[i - 1]
    return total


def told_of(f):
    """How many variables of loops are told to be not negative."""
    told = []
    insert = ranges.told
    ranges.told = lambda scope, s: told.append(s.target.name) or insert(scope, s)
    try:
        compiled = numba.njit(pipeline_class=Compiler)(f)
        compiled.compile((types.float64[:], types.intp))
    finally:
        ranges.told = insert
    return compiled, len(told)


@pytest.mark.parametrize('f, count', [(down, 1), (down_to_another, 2), (below_zero, 0)])
def test_what_is_told_is_true(f, count):
    compiled, told = told_of(f)
    assert told == count
    x = np.random.default_rng(0).normal(size=5)
    for n in 0, 1, 4, 5:
        assert compiled(x, n) == pytest.approx(f(x, n))


def means_in_rings(data, radius, npt):
    out, most = np.zeros(npt), radius.max()
    for i in range(npt):
        ring = np.logical_and(most * i / npt <= radius, np.logical_not(radius >= most * (i + 1) / npt))
        out[i] = data[ring].mean()
    return np.sum(out * out)


def masks_of_what_changes(x, n):
    """Where the array that is compared has changed by then, the masks stay on the tape."""
    total = 0.0
    for i in range(n):
        mask = np.logical_and(x > 0.1 * i, x < 2.0)
        x[mask] = x[mask] * 1.5
        total = total + x[0] * x[1]
    return total


def test_masks_are_compared_again():
    rng = np.random.default_rng(0)
    data, radius = rng.normal(size=40), rng.uniform(size=40)
    tangent.check_grads(means_in_rings, (data, radius, 4), order=1)
    df = tangent.grad(numba.njit(means_in_rings))
    np.testing.assert_allclose(df(data, radius, 4), tangent.grad(means_in_rings)(data, radius, 4), rtol=1e-13)
    assert 'Tape' not in tangent.source(df, data, radius, 4)
    x = np.array([0.3, 0.7, 1.1])
    expected = tangent.grad(masks_of_what_changes)(x, 4)
    tangent.check_grads(masks_of_what_changes, (x, 4), order=1)
    np.testing.assert_allclose(tangent.grad(numba.njit(masks_of_what_changes))(x, 4), expected, rtol=1e-13)
