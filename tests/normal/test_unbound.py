"""Names that a branch leaves unbound: where Python raises there is no derivative, and no value either."""
import numpy as np
import pytest

import tangent


def returned(x):
    if x > 0:
        y = x
    return y * 2


def chained(x):
    if x > 10:
        y = x
    elif x > 5:
        y = x * 2
    z = x + 1
    return y * z


def one_of_two(x):
    if x > 0:
        y, z = x, x * 2
    else:
        z = x
    return y * z


def asked(x):
    if x > 0:
        y = x
    if y > 1:
        return y * x
    return x


def correlated(x):
    if x > 0:
        y = x * 3
    if x > 0:
        return y
    return x


def guarded(x):
    if x > 0:
        y = x
    return y * 2 if x > 0 else x


def bound_before(x):
    y = 1.0
    if x > 0:
        y = x
    return y * x


def in_a_loop(x):
    for i in range(3):
        if i == 0:
            y = x
        x = x * y
    return x


def leaves(x):
    if x > 0:
        y = x
    else:
        return x * 7
    return y * x


@pytest.mark.parametrize('f', [returned, chained, one_of_two, asked])
def test_what_python_raises_is_raised(f):
    for derivative in (tangent.grad(f), tangent.value_and_grad(f), tangent.jvp(f)):
        for _ in range(3):                                    # also in the text for known kinds
            with pytest.raises(UnboundLocalError):
                derivative(-1.0, 1.0)
    difference = (f(7.0 + 1e-6) - f(7.0 - 1e-6)) / 2e-6
    assert tangent.grad(f)(7.0) == pytest.approx(difference, rel=1e-6)


@pytest.mark.parametrize('f', [correlated, guarded, bound_before, in_a_loop, leaves])
def test_what_python_does_not_raise_is_not(f):
    for x in (-1.0, 7.0):
        difference = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        np.testing.assert_allclose(tangent.grad(f)(x), difference, rtol=1e-5)
    assert 'UnboundLocalError' not in tangent.source(tangent.grad(f))


def test_under_numba():
    numba = pytest.importorskip('numba')
    for f in (returned, chained):
        with pytest.raises(UnboundLocalError):
            tangent.grad(numba.njit(f))(-1.0)
        assert tangent.grad(numba.njit(f))(7.0) == pytest.approx(tangent.grad(f)(7.0))
