"""Flags that choose between the forms of a rule, as literals and held in variables."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close

linalg = pytest.importorskip('scipy.linalg')

MATRIX = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.0]])
WEIGHTS = np.arange(9.0).reshape(3, 3) / 4


def scipy_cholesky(a, flag):
    return np.sum(linalg.cholesky(a, lower=flag) * WEIGHTS)


def numpy_cholesky(a, flag):
    return np.sum(np.linalg.cholesky(a, upper=flag) * WEIGHTS)


def scipy_eigh(a, flag):
    found = linalg.eigh(a, eigvals_only=flag)
    values = found if flag else found[0]
    return np.sum(values * WEIGHTS[1])


def scipy_svd(a, flag):
    found = linalg.svd(a, compute_uv=flag)
    values = found[1] if flag else found
    return np.sum(values * WEIGHTS[1])


def numpy_svd(a, flag):
    found = np.linalg.svd(a, compute_uv=flag)
    values = found[1] if flag else found
    return np.sum(values * WEIGHTS[1])


def symmetric(i, j, h=1e-6):
    step = np.zeros((3, 3))
    step[i, j] += h
    step[j, i] += h
    return step


@pytest.mark.parametrize('flag', [True, False])
@pytest.mark.parametrize('f', [scipy_cholesky, numpy_cholesky, scipy_eigh, scipy_svd, numpy_svd], ids=lambda f: f.__name__)
def test_a_flag_in_a_variable(f, flag):
    """The form for the flag's default was taken: the gradient of a lower factor was that of an upper one."""
    gradient = tangent.grad(f)(MATRIX, flag)
    for i in range(3):
        for j in range(i, 3):
            step = symmetric(i, j)
            along = (f(MATRIX + step, flag) - f(MATRIX - step, flag)) / 2e-6
            assert_close(np.sum(gradient * step) / 1e-6, along, 1e-6)
            assert_close(tangent.jvp(f)(MATRIX, flag, step / 1e-6), along, 1e-6)
