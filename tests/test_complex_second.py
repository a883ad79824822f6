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
