"""Twins written out in the function that calls them: the gradient is the same, and what is not understood stays a call."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close

numba = pytest.importorskip('numba')

X = np.linspace(0.5, 1.5, 6)
A = np.random.RandomState(0).rand(3, 4)


@numba.njit
def kept(x, k):
    t = 0.0
    for i in range(x.shape[0]):
        t = t * k + np.sin(x[i])
    y = x * t
    return y


@numba.njit
def outer(x, k):
    t = kept(x, k)
    return np.exp(t) * k


@numba.njit
def nested(x, k):
    t = outer(x, k)
    return np.sum(t * t)


@numba.njit
def writes(x, y):
    t = x[1:] * y[:-1]
    x[1:] += t
    y[:] = y * x


@numba.njit
def in_place(x):
    y = 2.0 * x
    writes(x, y)
    return np.sum(x * y)


@numba.njit
def twice(x):
    return np.sum(kept(x, 0.3) * kept(x, 0.2))


@numba.njit
def power(x, n):
    if n == 0:
        return np.ones_like(x)
    return x * power(x, n - 1)


@numba.njit
def recursive(x):
    t = power(x, 3)
    return np.sum(t)


@numba.njit(error_model='numpy')
def divides(x):
    y = 1.0 / x
    return y[0]


@numba.njit
def other_options(x):
    return divides(x) * 2.0


@numba.njit
def rebinds(x, k):
    k = k * 2.0
    x = x * k
    k = k + 1.0
    return x * k


@numba.njit
def names(x, k):
    k = k + 1.0
    x = rebinds(x, k)
    k = k * 3.0
    return np.sum(x) * k


CASES = [(nested, (X, 0.5)), (in_place, (X,)), (twice, (X,)), (recursive, (X,)), (other_options, (X,)), (names, (X, 0.7))]


def compiled(f, args, wrt=0):
    """The text that Numba compiles."""
    return tangent.source(tangent.grad(f, wrt), *args)


@pytest.mark.parametrize(('f', 'args'), CASES, ids=lambda c: getattr(c, '__name__', ''))
def test_gradients_are_those_of_python(f, args):
    assert_close(tangent.grad(f)(*args), tangent.grad(f, jit=False)(*args), 1e-12)


@pytest.mark.parametrize(('f', 'args', 'stays'), [
    (nested, (X, 0.5), False), (in_place, (X,), False), (names, (X, 0.7), False), (twice, (X,), True), (recursive, (X,), True),
    (other_options, (X,), True)], ids=lambda c: getattr(c, '__name__', ''))
def test_what_stands_once_is_written_out(f, args, stays):
    found = compiled(f, args)
    assert ('_primal(' in found) == stays and ('saved' in found) == stays




def test_names_of_two_modules(tmp_path, monkeypatch):
    (tmp_path / 'one_scale.py').write_text('import numba\nimport math as np\nscale, t2 = 3.0, 5.0\n'
                                           '@numba.njit\ndef scaled(x):\n    t = x * scale\n    return t * t * np.sin(t2)\n')
    (tmp_path / 'two_scale.py').write_text('import numba\nimport numpy as np\nfrom one_scale import scaled\nscale = 7.0\n'
                                           '@numba.njit\ndef loss(x):\n    t = x * scale\n    y = scaled(t)\n'
                                           '    return np.sum(y * y) * scale\n')
    monkeypatch.syspath_prepend(tmp_path)
    from two_scale import loss
    assert '_primal(' not in compiled(loss, (X,))
    assert_close(tangent.grad(loss)(X), tangent.grad(loss, jit=False)(X), 1e-12)


def test_the_arguments_stay_as_they_are():
    given = X.copy()
    tangent.grad(in_place)(given)
    assert np.array_equal(given, X)


def test_second_derivatives():
    v = np.ones_like(X)
    assert_close(tangent.hvp(nested)(X, 0.5, v), tangent.hvp(nested.py_func)(X, 0.5, v), 1e-9)
