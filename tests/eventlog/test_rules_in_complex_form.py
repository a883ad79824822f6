"""Functions of SciPy's with a rule, called from functions in complex form, which followed their text to a ufunc without one."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

special = pytest.importorskip('scipy.special')


def handed_on(*args, **keywords):
    from scipy.special import lambertw
    return lambertw(*args, **keywords)


def summed(*args, **keywords):
    return special.logsumexp(*args, **keywords)


def real_part(x):
    try:
        y = float(handed_on(1.15 * x).real)
    except OverflowError:
        y = 1.0
    return y * x


def imaginary_part(x):
    try:
        y = summed(np.array([1.0, 2.0]) * x + np.array([1j, 2j]) * x ** 2).imag
    except OverflowError:
        y = 1.0
    return y * x


def complex_logsumexp(x):
    return special.logsumexp(np.array([1.0, 2.0]) * x + 1j * x ** 2).real * x


@pytest.mark.parametrize('f', [real_part, imaginary_part, complex_logsumexp])
def test_right(f):
    wanted = differences(f, (1.3,), (0,))[0]
    np.testing.assert_allclose(tangent.grad(f)(1.3), wanted, rtol=1e-6)
    np.testing.assert_allclose(tangent.jvp(f)(1.3, 1.0), wanted, rtol=1e-6)
