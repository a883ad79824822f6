"""Arrays that are made and written into in each branch, and read after it under one name."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close


def powers(x, t, c):
    if c:
        w = np.zeros(3)
        w[:2] += x
        w[:1] += x[1] * w[:1]
    else:
        w = np.zeros(3)
        w[1:] += x
        w[1:] += x[1] * w[:2]
    return np.sum(np.power(w, t))


@pytest.mark.parametrize('c', [True, False])
def test_what_is_owed_in_terms_of_them_is_computed_before_they_are_set_back(c):
    x, t = np.array([1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    bx, bt = tangent.grad(powers, wrt=(0, 1))(x, t, c)
    for k in range(3):
        step = 1e-6 * np.eye(3)[k]
        assert_close(bt[k], (powers(x, t + step, c) - powers(x, t - step, c)) / 2e-6, 1e-6)
    for k in range(2):
        step = 1e-6 * np.eye(2)[k]
        assert_close(bx[k], (powers(x + step, t, c) - powers(x - step, t, c)) / 2e-6, 1e-6)
