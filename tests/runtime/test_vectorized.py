"""Functions made by numba.vectorize: their text is of numbers, and was run on whole arrays; signatures that cut were not looked at."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

numba = pytest.importorskip('numba')

X = np.array([0.3, 0.7, 1.1])


@numba.vectorize
def cubed(x):
    return x * x * x


@numba.vectorize
def bent(x, y):
    if x > y:
        return x * x * y
    return y + x


@numba.vectorize(['float32(float32, float32)', 'float64(float64, float64)'])
def with_signatures(x, y):
    if x > y:
        return x * x * y
    return y + x


@numba.vectorize(['int64(float64)'])
def cut(x):
    return x * 2


@numba.guvectorize(['(float64[:], float64[:])'], '(n)->(n)')
def rows(x, out):
    for i in range(len(x)):
        out[i] = x[i] * x[i]


class Kept:
    def keep(self, value):
        self.value = value


def of_an_array(x):
    return np.sum(cubed(x) * x)


def with_a_branch(x):
    return np.sum(bent(x, 0.5) * x)


def broadcast(x):
    return np.sum(with_signatures(x[:, None], x))


def of_a_number(x):
    return with_signatures(x[0], 0.2) * cubed(x[1]) + sum(map(cubed, list(x)))


def in_the_log_form(x):
    kept = Kept()
    keep = kept.keep
    keep(bent(x, 0.5))
    return np.sum(kept.value * x)


@pytest.mark.parametrize('f', [of_an_array, with_a_branch, broadcast, of_a_number, in_the_log_form])
def test_right(f):
    wanted = differences(f, (X,), (0,))[0]
    value, found = tangent.value_and_grad(f)(X)
    np.testing.assert_allclose(value, f(X))
    np.testing.assert_allclose(found, wanted, atol=1e-6)
    np.testing.assert_allclose(tangent.jvp(f)(X, X), wanted @ X, atol=1e-6)


def cut_by_its_signature(x):
    return cut(x[0]) * x[0]


def of_rows(x):
    return np.sum(rows(x))


def into_an_array(x):
    return np.sum(cubed(x, out=np.empty(3)))


@pytest.mark.parametrize('f', [cut_by_its_signature, of_rows, into_an_array])
def test_refused(f):
    for df in tangent.grad(f), lambda x: tangent.jvp(f)(x, x):
        with pytest.raises(tangent.errors.TangentError, match='test_vectorized'):
            df(X)


def by_a_signature(x):
    return np.vectorize(lambda a, b: a @ b, signature='(n),(n)->()')(x, x)


def by_what_is_excluded(x):
    return np.sum(np.vectorize(lambda a, k: a ** k, excluded=[1])(x, 2))


@pytest.mark.parametrize('f', [by_a_signature, by_what_is_excluded])
def test_options_of_numpys_are_refused(f):
    """Those of objects that the function makes without a derivative were not looked at: raw errors."""
    for df in tangent.grad(f), lambda x: tangent.jvp(f)(x, x):
        with pytest.raises(tangent.errors.TangentError, match='test_vectorized.*numpy.vectorize'):
            df(X)
