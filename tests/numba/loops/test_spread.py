"""Arguments that meet element by element: spread over each other as NumPy does it, their gradients added up, in common loops."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close

numba = pytest.importorskip('numba')

R = np.random.RandomState(3)


@numba.njit
def mixed(x, y, a):
    t = np.clip(x, 0.3, 0.7)
    z = t * a + y * x - 0.5
    return np.sum(z * z)


@numba.njit
def three(x, y, z, a):
    return np.sum((x + y) / z * a)


@numba.njit
def halves(x, y, a):
    t = x * a
    return np.sum(t) * np.sum(t + y)


@numba.njit
def fills(x):
    x[:] = 2.0


@numba.njit
def changed(x, y, a):
    t = x * a + y
    fills(y)
    return np.sum(t * (x * y))


@numba.njit
def also_whole(x, y, a):
    t = x * a + y
    return np.sum(t * t) * np.sum(x) + x[0, 0] * y[-1, -1]


def arrays(*shapes, dtype='float64'):
    return [R.rand(*s).astype(dtype) for s in shapes]


SHAPES = [((3, 4), (3, 4)), ((1, 4), (3, 4)), ((3, 4), (3, 1)), ((3, 1), (1, 4)), ((1, 1), (3, 4)), ((5,), (5,)), ((1,), (5,)),
          ((0, 4), (1, 4)), ((0,), (0,))]


def check(f, args, wrt=(0, 1), tolerance=1e-12):
    found, expected = (tangent.grad(f, wrt, jit=jit)(*args) for jit in (True, False))
    for one, other in zip(found, expected):
        assert one.shape == other.shape and one.dtype == other.dtype
        assert_close(one, other, tolerance)


@pytest.mark.share(2)
@pytest.mark.parametrize('shapes', SHAPES, ids=str)
def test_as_numpy_spreads_them(shapes):
    check(mixed, (*arrays(*shapes), 0.5))


def test_lengths_that_do_not_fit():
    with pytest.raises(ValueError, match='broadcast'):
        tangent.grad(mixed, (0, 1))(*arrays((2, 3), (3, 3)), 0.5)


def test_loops_are_common():
    text = tangent.source(tangent.grad(mixed, (0, 1)), *arrays((3, 4), (3, 4)), 0.5)
    assert text.count('for i in') == 1 and text.count('np.empty') == 2


def test_three_arguments():
    check(three, (*arrays((3, 1), (1, 4), (3, 4)), 0.5), (0, 1, 2))


@numba.njit
def ranks(x, y):
    t = x * y
    return np.sum(t * t) + np.sum(t)


def test_vectors_over_matrices_of_one_column():
    args = arrays((3, 1), (4,))
    assert tangent.value_and_grad(ranks, (0, 1))(*args)[0] == pytest.approx(ranks(*args), rel=1e-12)
    check(ranks, args)
    check(ranks, arrays((3, 4), (4,)))


def test_float32():
    check(mixed, (*arrays((1, 4), (3, 4), dtype='float32'), np.float32(0.5)), tolerance=1e-5)


def test_two_precisions():
    x, y = arrays((3, 4), (1, 4))
    check(mixed, (x.astype('float32'), y, 0.5), tolerance=1e-5)


def test_rows_that_are_not_neighbours_and_may_not_be_written():
    x, y = arrays((4, 3), (3, 8))
    y = y[:, ::2]
    y.flags.writeable = False
    check(mixed, (x.T, y, 0.5))
    check(mixed, (x.T[:1], y, 0.5))


def test_one_array_twice():
    x, = arrays((3, 4))
    check(mixed, (x, x, 0.5))


@pytest.mark.filterwarnings('ignore:invalid value')
def test_what_is_no_number():
    x, y = arrays((3, 4), (1, 4))
    x[0, 0], x[1, 1], y[0, 2] = np.nan, np.inf, -np.inf
    found, expected = (tangent.grad(mixed, (0, 1), jit=jit)(x, y, 0.5) for jit in (True, False))
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, 1e-12)


@pytest.mark.share(2)
@pytest.mark.parametrize('f', [halves, changed, also_whole], ids=lambda f: f.__name__)
@pytest.mark.parametrize('shapes', [((3, 4), (3, 4)), ((1, 4), (3, 4)), ((3, 4), (3, 1))], ids=str)
def test_what_is_read_elsewhere_too(f, shapes):
    x, y = arrays(*shapes)
    try:
        expected = tangent.grad(f, (0, 1), jit=False)(x, y, 0.5)
    except tangent.errors.TangentError:
        pytest.skip('refused')
    try:
        found = tangent.grad(f, (0, 1))(x, y, 0.5)
    except tangent.errors.ShapeError:
        assert shapes[0] != shapes[1]                # refused, with the way out
        return
    assert_close(found, expected, 1e-12)
