"""Sums of products of two vectors are one loop nest, whatever NumPy makes of their lengths; large arrays are on large pages."""
import numpy as np
import pytest

import tangent
from tangent.errors import AliasError

numba = pytest.importorskip('numba')


def made(x, y, u, v):
    t = np.outer(x, y) * 2.0 - np.outer(u, v)
    return np.sum(t * t)


def into(a, x, y, u, v):
    a += np.outer(x, y) + np.outer(u, v)
    return np.sum(np.sin(a))


def itself(a, x):
    a += np.outer(a[:, 0], a[0]) + np.outer(x, x)
    return np.sum(a * a)


def products(a, p, q):
    return np.sum((a @ p) ** 2) + np.sum((q @ a) ** 2)


def repeated(a, x, y, k):
    part = x[:1]
    for i in range(k):
        part[:] = part * 2.0
        a += np.outer(x, y[i]) + np.outer(x, x)
    return np.sum(a)


def vectors(*lengths, dtype=float, seed=0):
    r = np.random.RandomState(seed)
    return tuple(r.rand(*np.atleast_1d(n)).astype(dtype) for n in lengths)


def compared(function, args, rtol=1e-10):
    """The gradient by all arguments, compiled, is that of CPython."""
    wrt = tuple(range(len(args)))
    expected = tangent.grad(function, wrt)(*args)
    found = tangent.grad(numba.njit(function), wrt)(*args)
    for a, b in zip(expected, found):
        assert a.shape == b.shape and a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)


@pytest.mark.parametrize('function, cases', [
    (made, [vectors(3, 4, 3, 4), vectors(0, 4, 0, 4), vectors(1, 1, 1, 1)]),
    (into, [vectors((3, 4), 3, 4, 3, 4), vectors((0, 4), 0, 4, 0, 4)]),
    (products, [vectors((3, 4), 4, 3), vectors((1, 4), 4, 1), vectors((3, 1), 1, 3)])])
def test_compiled_sums_of_products_are_cpythons(function, cases):
    for args in cases:
        compared(function, args)


def test_one_element_is_repeated():
    lowered = [(tangent.lower(f), f) for f in (made, into)]
    lowered.append((tangent.lower(numba.njit(into)), into))
    for lengths in (1, 4, 3, 4), (3, 1, 1, 4), (3, 0, 1, 0), (1, 0, 0, 1), (1, 4, 3, 1), (1, 1, 1, 1):
        args = vectors(*lengths)
        a, = vectors(np.broadcast_shapes(lengths[:2], lengths[2:]))
        for function, plain in lowered:
            first = () if plain is made else (a,)
            assert function(*map(np.copy, first), *args) == pytest.approx(plain(*map(np.copy, first), *args), rel=1e-12)


def test_one_element_that_has_been_changed_before():
    a, x, y = vectors((3, 4), 1, (2, 4))
    assert tangent.lower(repeated)(a.copy(), x.copy(), y, 2) == pytest.approx(repeated(a.copy(), x.copy(), y, 2), rel=1e-12)


def test_lengths_that_do_not_fit_are_refused():
    for compiled in tangent.lower(into), tangent.lower(numba.njit(into)):
        for lengths in ((3, 4), 2, 4, 3, 4), ((3, 4), 3, 4, 3, 5), ((1, 4), 3, 4, 1, 4):
            with pytest.raises(ValueError):
                compiled(*vectors(*lengths))
    with pytest.raises(ValueError):
        tangent.lower(made)(*vectors(2, 4, 3, 4))


def test_parts_of_what_is_written():
    for a, x in (vectors((4, 4), 4), vectors((1, 1), 1)):
        assert tangent.lower(itself)(a.copy(), x) == pytest.approx(itself(a.copy(), x), rel=1e-12)


def test_memory_that_is_shared():
    a, x, y = vectors((3, 3), 3, 3)
    with pytest.raises(AliasError):
        tangent.lower(into)(a, a[0], y, x, y)
    gradient = tangent.grad(numba.njit(into), (0, 1, 2, 3, 4))
    for one, other in zip(tangent.grad(into, (0, 1, 2, 3, 4))(a, x, y, x, x), gradient(a, x, y, x, x)):
        np.testing.assert_allclose(one, other)


def test_no_matrix_is_made_on_the_way():
    def two(x, y, u, v):
        t = np.outer(x, y) + np.outer(u, v)
        return t
    args = vectors(3, 4, 3, 4)
    lowered = tangent.lower(two)
    lowered(*args)
    text = lowered.source
    assert 't[i, j] = spread[i] * ' in text and text.count('for ') == 2


@pytest.mark.parametrize('order', ['C', 'F'])
def test_large_arrays(order):
    """Above 4 MB memory is asked for in another way."""
    def f(a, x, y):
        a *= 2.0
        b = np.zeros(a.shape, a.dtype)
        for i in range(a.shape[0]):
            b[i] = a[i] * x
        a += np.outer(y, x)
        return np.sum(b * a)
    a, x, y = vectors((900, 1100), 1100, 900)
    dtype, rtol = (np.float64, 1e-10) if order == 'F' else (np.float32, 1e-4)
    compared(f, (np.asarray(a.astype(dtype), order=order), x.astype(dtype), y.astype(dtype)), rtol)


def changed(a, x):
    """Called where something is returned."""
    a *= 2.0
    return np.sum(a * x)


def whole(a, b, x):
    y, z = a @ x, b @ x
    return y + z, 2.0 * a, changed(a, x), -a


def test_what_is_returned_is_calculated_in_order():
    """One row is spread over others; and what is made after a call that writes is made of what is there then."""
    row, b, x = vectors((1, 3), (4, 3), 3)
    lowered = tangent.lower(whole)
    for a in row, np.repeat(row, 4, 0):
        for one, other in zip(whole(a.copy(), b, x), lowered(a.copy(), b, x)):
            np.testing.assert_allclose(one, other, rtol=1e-12)
    assert 'made[i] = ' in lowered.source and ', changed(a, x), -a' in lowered.source


def pair(a, p, q):
    return q @ a, a @ p


def of_a_pair(a, p, q):
    value = pair(a, p, q)
    return np.sum(value[0] ** 2) + np.sum(value[1] ** 2)


def test_gradients_of_pairs(monkeypatch):
    monkeypatch.setitem(globals(), 'pair', numba.njit(pair))
    compared(of_a_pair, vectors((3, 4), 4, 3))


def shifted(x, y):
    return x, 2.0 * y


def of_shifted(x, y):
    u, v = shifted(x, y)
    w = u * v + v
    return np.sum(w * w)


def test_results_of_calls_are_known_and_may_be_arguments(monkeypatch):
    """Emitted functions say of what kind their results are; these may be memory of what they are given."""
    monkeypatch.setitem(globals(), 'shifted', numba.njit(shifted))
    x, row, column = vectors((3, 4), (1, 4), (3, 1))
    gradient, expected = (tangent.grad(f, (0, 1)) for f in (numba.njit(of_shifted), of_shifted))
    for args in (x, x), (x, x[::-1].copy()), (x, row), (column, row), (row, x):
        for one, other in zip(gradient(*args), expected(*args)):
            np.testing.assert_allclose(one, other, rtol=1e-12)
    found = gradient(x, x)
    assert not np.shares_memory(found[0], found[1]) and not np.shares_memory(found[0], x)
