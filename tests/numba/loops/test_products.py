"""Loops from products of vectors, from sums that go where integers say, from what lies on tapes; and where that is not right."""
import numpy as np
import pytest

import tangent
from benchmarks.polybench import loss_of
from benchmarks.polybench.sizes import TABLE
from tests.numba.loops.test_lower import function

numba = pytest.importorskip('numba', reason='Numba is not installed')


def compiled_and_plain(name, size=7):
    """The gradient of a kernel's sum of squares, compiled and as Python; where the first comes from is a function of its own."""
    work = TABLE[name]
    given = work.arguments(size)
    calls = [tangent.grad(loss_of(work.function, tuple(given), work.results, 'np.sum({0} * {0})', wrap), argnums=work.wrt(given))
             for wrap in (numba.njit, None)]
    return [call(*given.values()) for call in calls]


@pytest.mark.parametrize('name', ['durbin', 'gramschmidt', 'spmv'])
def test_kernels_that_call_kernels(name):
    for one, other in zip(*compiled_and_plain(name), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-11)


def lowered(f, *args):
    """The text of a function with loops for these arguments."""
    made = tangent.lower(f, *args)
    return made, made.source


def rows(a, b):
    for i in range(a.shape[0]):
        a[i, i] -= np.dot(a[i, :i], a[:i, i]) + a[i, :] @ b


def test_products_of_vectors():
    a, b = np.random.RandomState(0).rand(5, 5), np.arange(5.0)
    made, text = lowered(rows, a, b)
    assert text.count('dot_rows') == 2
    right = a.copy()
    rows(right, b)
    made(a, b)
    np.testing.assert_allclose(a, right, rtol=1e-14)
    with pytest.raises(ValueError):
        made(a, np.ones(4))


def matrices(a, b):
    a[:] = np.dot(a, a) + np.outer(a @ b, b)


def test_other_products_stay():
    a, b = np.random.RandomState(0).rand(3, 3), np.arange(3.0)
    made = tangent.lower(matrices, a, b)
    right = a.copy()
    matrices(right, b)
    made(a, b)
    np.testing.assert_allclose(a, right, rtol=1e-14)


def test_products_of_single_precision():
    a = np.random.RandomState(0).rand(4, 4).astype(np.float32)
    right, given = a.copy(), a.copy()
    rows(right, np.ones(4, np.float32))
    tangent.lower(numba.njit(rows))(given, np.ones(4, np.float32))
    np.testing.assert_allclose(given, right, rtol=1e-5)


def turned(y, a):
    y[:-1] += a * np.flip(y[:-1])
    y[1:] = np.flip(y[1:]) - 1.0


def test_vectors_the_other_way_round_overlap():
    y = np.random.RandomState(0).rand(7)
    right = y.copy()
    turned(right, 0.5)
    tangent.lower(turned, y.copy(), 0.5)(y, 0.5)
    np.testing.assert_allclose(y, right, rtol=1e-14)


def gathered(x, index, y):
    y[:] = 2.0 * x[index]
    x[index] = 0.0


def gathered_from_itself(x, index):
    x[:] = x[index] + 1.0


def test_what_integers_choose():
    x, index = np.random.RandomState(0).rand(5), np.array([3, -1, 0, 3, 2])
    for f, args in (gathered, (x, index, np.zeros(5))), (gathered_from_itself, (x, index)):
        given, right = [a.copy() for a in args], [a.copy() for a in args]
        f(*right)
        tangent.lower(f, *args)(*given)
        for one, other in zip(given, right):
            np.testing.assert_allclose(one, other, rtol=1e-14)


def chosen(x, index, v):
    s = 0.0
    for _ in range(2):
        s += v @ x[index]
        s += np.sum(x[index] * v * s)
    return s


def test_sums_go_where_integers_say():
    args = np.random.RandomState(0).rand(4), np.array([3, 1, 1, 3, -4]), np.random.RandomState(1).rand(5)
    for one, other in zip(tangent.grad(numba.njit(chosen), (0, 2))(*args), tangent.grad(chosen, (0, 2))(*args)):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def levinson(r):
    y = r.copy()
    for k in range(1, r.shape[0]):
        y[:k] += r[k] * np.flip(y[:k])
        y[k] = y[k - 1] * r[k]
    return np.sum(y * y)


def test_parts_of_arrays_on_the_tape():
    """What is on the tape shares memory with what is restored from it."""
    r = np.random.RandomState(0).rand(6)
    np.testing.assert_allclose(tangent.grad(numba.njit(levinson))(r), tangent.grad(levinson)(r), rtol=1e-12)


def test_positions_that_were_used_are_inside():
    a = np.eye(4) + 1.0
    text = tangent.lower(inside, a).source
    assert 'ends(' not in text and 'for j in range(i)' in text
    assert 'ends(' in tangent.lower(unknown, a).source


def inside(a):
    for i in range(a.shape[0]):
        a[i, i] += 1.0
        a[i, :i] *= a[i, i]


def unknown(a):
    for i in range(a.shape[0]):
        a[i, :i] *= 2.0


def maybe(a, n):
    for i in range(a.shape[0]):
        if n > 3:
            a[i, n] += 1.0
        a[i, :n] *= 2.0


def test_positions_in_branches_tell_nothing():
    a = np.ones((3, 2))
    made = tangent.lower(maybe, a, 3)
    made(a, 3)
    np.testing.assert_array_equal(a, np.full((3, 2), 2.0))
    right = np.ones((3, 5))
    made(right, 3)
    np.testing.assert_array_equal(right, [[2.0, 2.0, 2.0, 1.0, 1.0]] * 3)



def sparse_row(a, x, cols, i, j):
    return np.dot(a[i:j], x[cols[i:j]])


def test_products_with_what_an_index_names_are_loops():
    a, x, cols = np.arange(6.0), np.linspace(0.5, 1.5, 4), np.array([3, 0, -1, 2, 2, 1])
    made = tangent.lower(numba.njit(sparse_row))
    text = tangent.source(made, a, x, cols, 1, 4)
    assert 'dot_at' not in text and 'x[cols[' in text
    for i, j in (1, 4), (0, 6), (-3, -1), (2, 2), (4, 99):
        np.testing.assert_allclose(made(a, x, cols, i, j), sparse_row(a, x, cols, i, j))
    with pytest.raises(ValueError):
        made(a, x, cols[:5], 0, 6)


def layer(a, b, x):
    a[:] = np.linalg.cholesky(a) + np.triu(a, 1)
    c = np.tanh(a @ b) * 0.5 + b
    return np.sum(c * c) + np.sum(a @ x)


def test_gradients_of_products_of_matrices_are_products_of_matrices():
    r = np.random.RandomState(0)
    a, b, x = r.rand(4, 4), r.rand(4, 4), r.rand(4)
    for given in [(a @ a.T + np.eye(4), b, x), (a @ a.T + np.eye(4), np.asfortranarray(b), b[:, 1])]:
        for one, other in zip(tangent.grad(numba.njit(layer), (0, 1, 2))(*given), tangent.grad(layer, (0, 1, 2))(*given), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-10)
    text = tangent.source(tangent.grad(numba.njit(layer), (0, 1, 2)), *given)
    assert 'dot_left' not in text and 'dot_right' not in text and 'np.dot(a2_2.T, bt2, part2)' in text


@pytest.mark.parametrize('call', ['np.multiply(y, x, a)', 'np.multiply(y, x, out=a)', 'np.cumsum(y, None, None, a)'])
def test_what_is_told_where_to_write_is_that_array(call):
    text = f"""def f(x, y):
    a = x * 2.0
    c = {call}
    c[1:] = y[:-1] * 3.0
    b = a * x
    c[1:] = a[:-1]
    return a * x + b
"""
    f, x, y = function(text, f'<told {call}>'), *np.random.RandomState(0).rand(2, 4)
    np.testing.assert_allclose(tangent.lower(f)(x, y), f(x, y), rtol=1e-12)
