"""Derivatives of derivatives that go through complex numbers, in both modes, against differences of the first ones."""
import numpy as np
import pytest

import tangent

RNG = np.random.default_rng(0)
X, V = RNG.normal(size=3), RNG.normal(size=3)
Z, W = X + 1j * RNG.normal(size=3), V + 1j * RNG.normal(size=3)

REAL = [
    lambda x: np.sum(np.abs(np.fft.fft(x)) ** 2),
    lambda x: np.sum(np.abs(np.fft.rfft(x ** 2)) ** 3),
    lambda x: np.sum(np.fft.irfft(x + 0j) ** 3),
    lambda x: np.sum(np.real(np.fft.fftn(x ** 2) * np.conj(np.fft.fftn(x)))),
    lambda x: np.sum(np.abs(np.exp(1j * x) - 2) ** 3),
    lambda x: np.sum(np.angle(x + 1j * x ** 2)),
    lambda x: np.linalg.norm(x * (1 + 1j) * x),
    lambda x: np.var(x * 1j * x),
    lambda x: np.sum((np.exp(1j * x) * x).imag ** 2),
]


def quartic(z: complex):
    return np.sum(np.abs(z) ** 4)


def cubes(z: complex):
    return np.sum(np.abs(z ** 3) ** 2)


def squares(z):
    return np.sum(np.abs(z) ** 2)


def spread(z):
    return np.std(z)


def distances(z):
    return np.sum(np.abs(z - 1.0) ** 3)


def length(z):
    return np.linalg.norm(z, 3)


CASES = [(f, X, V) for f in REAL] + [(f, Z, W) for f in (quartic, cubes, squares, spread, distances, length)]


@pytest.mark.parametrize('mode', [tangent.vjp, tangent.jvp])
@pytest.mark.parametrize(('f', 'at', 'step'), CASES)
def test_second_derivative(f, at, step, mode):
    df, h = tangent.grad(f), 1e-6
    right = (df(at + h * step) - df(at - h * step)) / (2 * h)
    np.testing.assert_allclose(mode(df)(at, 1.0, step), right, 1e-5, 1e-6)      # the Hessian is symmetric


def test_root_of_a_matrix_with_an_eigenvalue_below_zero():
    """All blocks that the derivative of a function of matrices is read off have that eigenvalue, on the cut, more than once."""
    linalg = pytest.importorskip('scipy.linalg')
    rng = np.random.RandomState(1)
    b, v, weights = rng.randn(3, 3), rng.rand(3, 3), np.arange(9.0).reshape(3, 3)
    a = (b + b.T) / 2
    assert np.min(np.linalg.eigvalsh(a)) < 0

    def f(a: complex):
        return np.sum(np.abs(linalg.sqrtm(0.5 * (a + a.T))) ** 2 * weights)

    def along(a: complex):
        return tangent.jvp(f)(a, v)

    def moved(h):
        return f(a + h * v)

    slope = (moved(1e-5) - moved(-1e-5)) / 2e-5
    curvature = (moved(1e-4) - 2 * moved(0) + moved(-1e-4)) / 1e-8
    assert np.sum(tangent.grad(f)(a) * v) == pytest.approx(slope, rel=1e-6)
    assert tangent.jvp(f)(a, v) == pytest.approx(slope, rel=1e-6)
    assert np.sum(tangent.grad(along)(a) * v) == pytest.approx(curvature, rel=1e-4)
