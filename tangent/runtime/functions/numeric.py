"""Run-time functions for rules about means, interpolation and polynomials."""
from __future__ import annotations

import math

import numpy as np

from tangent.runtime.array_api import as_array, beside, counted, peer
from tangent.runtime.broadcast import cast
from tangent.runtime.functions.elementwise import safe_divide


def by_squares(x, y):
    """`x / (x * x + y * y)`, whose squares neither overflow nor vanish; 0 where both are 0."""
    size = np.hypot(x, y)
    return safe_divide(safe_divide(x, size), size)


def sinc_slope(x, n=1):
    """The n-th derivative of `numpy.sinc(x)`.

    Near 0 by its series, else by `x s(n) + n s(n-1) = pi**(n-1) sin(pi x + n pi/2)`.
    """
    x = as_array(x)
    near = np.abs(x) < 0.5 * n
    small, large = np.where(near, x, 0), np.where(near, 1, x)
    series, found = 0 * small, np.sinc(large)
    for k in range(-(-n // 2), 12 + 3 * n):
        factor = (-1) ** k * math.pi ** (2 * k) / (math.factorial(2 * k - n) * (2 * k + 1))
        series = series + factor * small ** (2 * k - n)
    for k in range(1, n + 1):
        found = (math.pi ** (k - 1) * np.sin(math.pi * large + k * math.pi / 2) - k * found) / large
    return np.where(near, series, found)[()]


def bessel(x, order):
    """The modified Bessel function of the first kind of an integer order: what the derivatives of `numpy.i0` are made of.

    The trapezoidal rule on the integral of `exp(x * cos(t)) * cos(order * t)` over a period, which is exact to rounding.
    """
    size = np.abs(as_array(x, float))
    summed = np.where(size < 800, size, 800.0)           # above that the result is inf
    count = int(48 + 10 * math.sqrt(float(np.max(summed)) if size.size else 0.0)) + 2 * abs(order)
    angles = 2 * np.pi * counted(count, size) / count
    scaled = np.mean(np.exp(summed[..., None] * (np.cos(angles) - 1)) * np.cos(order * angles), axis=-1)
    return cast((scaled * np.exp(size) * np.where(as_array(x) < 0, (-1.0) ** order, 1.0))[()], x)


def push_arange(y, dstart, stop, dstep):
    """The tangent of `y = numpy.arange(start, stop, step)`: where `stop` is None the start is 0."""
    return np.zeros(len(y), like=peer(y)) if stop is None else dstart + dstep * counted(len(y), y)


def _exponents(x, columns, increasing):
    return counted(columns, x) if increasing else counted(columns, x)[::-1]


def unvander(d, x, increasing=False):
    """The gradient of `x`, from that of `numpy.vander(x, N, increasing)`."""
    k = _exponents(d, np.shape(d)[-1], increasing)
    return cast(np.sum(d * k * beside(as_array(x), k)[:, None] ** np.maximum(k - 1, 0), axis=-1), x)


def push_vander(dx, x, y, increasing=False):
    """The tangent of `y = numpy.vander(x, N, increasing)`."""
    k = _exponents(x, np.shape(y)[-1], increasing)
    return k * as_array(x)[:, None] ** np.maximum(k - 1, 0) * as_array(dx)[:, None]


def unlinspace(d, start, stop, num=50, endpoint=True):
    """The sum of the elements of `d` times the numbers from `start` to `stop`, which are as many."""
    return np.tensordot(beside(np.linspace(start, stop, num, endpoint), d), d, 1)


def push_cumprod(da, a, y, axis=None):
    """The tangent of `y = numpy.cumprod(a, axis)`."""
    at = 0 if axis is None else axis
    da, a = (np.ravel(da), np.ravel(a)) if axis is None or np.ndim(a) == 0 else (da, a)
    da, a, y = (np.moveaxis(v, at, 0) for v in (da, a, y))
    out = np.empty_like(y)
    for k in range(len(a)):
        out[k] = out[k - 1] * a[k] + y[k - 1] * da[k] if k else da[k]
    return np.moveaxis(out, 0, at)
