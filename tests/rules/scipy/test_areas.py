"""Integrals over areas."""
import pytest

import tangent
from tests.tools.checking import assert_close

integrate = pytest.importorskip('scipy.integrate')


def over_a_rectangle(s, r):
    return integrate.dblquad(lambda y, x: x * y * s, 0.0, 1.0, 0.0, r)[0]


def test_the_integrand_and_an_end():
    """It is s * r**2 / 4."""
    assert_close(tangent.grad(over_a_rectangle, wrt=(0, 1))(0.7, 1.9), (1.9 ** 2 / 4, 0.7 * 1.9 / 2), 1e-8)
