"""Arrays that compiled functions return and that are written into afterwards."""
import numpy as np
import pytest

import tangent
from tests.reverse.test_results_apart import X, used_after_its_adjoint

numba = pytest.importorskip('numba')
V = np.array([0.3, 0.7, 1.1])


@numba.njit
def start(v, n):
    m = np.zeros((n, len(v)))
    for i in range(n):
        m[i] = np.exp(v * (i + 1))
    return m


@numba.njit
def step(m, k):
    for i in range(1, len(m)):
        m[i, k] = np.sin(m[i - 1, k]) * m[i, k]


@numba.njit
def exponentials(v):
    return np.exp(v)


@numba.njit
def behind(v):
    return v[1:]


@numba.njit
def one_of_two(v):
    return v if v[0] > 0 else v * 2


@numba.njit
def changed(v):
    a = exponentials(v)
    a[1:] = a[1:] * 2
    return np.sum(a * a)


@numba.njit
def changed_by_a_callee(v):
    m = start(v, 4)
    for k in range(3):
        step(m, k)
    m2 = start(m[1], 3)
    m2[0] += m[0]
    m2[1, 1:] *= m2[0, 1:]
    return np.sum(m * m) + np.sum(m2)


@numba.njit
def changed_view(v):
    w = v * 1.0
    a = behind(w)
    a[0] = a[0] * 3
    return np.sum(w * w)


@numba.njit
def changed_argument(v):
    w = v * 1.0
    a = one_of_two(w)
    a[0] = a[0] * 3
    return np.sum(w * w)


@pytest.mark.parametrize('f', [changed, changed_by_a_callee])
def test_a_result_of_its_own(f):
    h = 1e-6
    expected = [(f.py_func(V + h * e) - f.py_func(V - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(tangent.grad(f)(V), expected, rtol=1e-6)


@pytest.mark.parametrize('f', [changed_view, changed_argument])
def test_a_result_that_shares_memory_with_an_argument(f):
    with pytest.raises(tangent.errors.TangentParseError, match='write into an array'):
        tangent.grad(f)(V)


@numba.njit
def softmax(x):
    shape = (x.shape[0], 1)
    top = np.empty(shape, dtype=x.dtype)
    for i in range(x.shape[0]):
        top[i, 0] = np.max(x[i])
    e = np.exp(x - top)
    return e / np.reshape(np.sum(e, axis=-1), shape)


@numba.njit
def perceptron(x, w, b):
    return np.sum(softmax(x @ w + b) ** 2)


def test_what_a_callee_kept_may_have_been_spread():
    """`unbroadcast(b, top)` in the adjoint of `softmax` is a sum: as a loop of equal lengths it was a ShapeError."""
    r = np.random.default_rng(0)
    args = r.normal(size=(8, 3)), r.normal(size=(3, 5)), r.normal(size=5)
    wrt = 0, 1, 2
    for x, y in zip(tangent.grad(perceptron, wrt)(*args), tangent.grad(perceptron.py_func, wrt)(*args)):
        np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-12)


@numba.njit
def carried_from_trip_to_trip(v, s):
    for i in range(len(v)):
        for _ in range(i):
            s += v[i] + s * 0.2
    return np.sum(v) + s + (0.686 - s) * 0.5


def test_an_adjoint_that_is_carried_runs_backwards():
    """A loop that adds to an array and changes a number, too, ran forwards: gradients were those of another order."""
    v = np.array([-1.5, -0.5, 1.4, 0.7])
    for x, y in zip(tangent.grad(carried_from_trip_to_trip, (0, 1))(v, 0.6),
                    tangent.grad(carried_from_trip_to_trip.py_func, (0, 1))(v, 0.6)):
        np.testing.assert_allclose(x, y, rtol=1e-12)


@numba.njit
def elements_of_rows(v):
    m = np.zeros((4, 4, 4))
    m[1] = np.outer(v, v)
    m[2, 1] = v
    m[0, 0, 1:] = m[1, 2, :-1] * m[1, 2][2]
    t = np.zeros(4)
    t[1:] = m[1][2][:-1] * m[2][1][3] * m[1, 2][1] + m[0][0][1:]
    return np.sum(t * t)


def test_elements_of_rows_beside_slices():
    """`m[1, 2][2]` is one number: in a loop over the slices it became `m[1, 2, i][2]`."""
    v = np.array([1.4, -0.4, -1.2, 0.4])
    np.testing.assert_allclose(tangent.grad(elements_of_rows)(v), tangent.grad(elements_of_rows.py_func)(v), rtol=1e-12)


def test_what_adjoints_put_back_is_not_the_memory_of_results():
    found = tangent.grad(used_after_its_adjoint, jit=True)(X)
    np.testing.assert_allclose(found, tangent.grad(used_after_its_adjoint)(X), rtol=1e-12)
