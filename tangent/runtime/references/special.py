"""Special functions in those of which they are made; see `substitutes`."""
from __future__ import annotations

import numpy as np
import scipy.special

from tangent.errors import ArgumentError


def diric(x, n):
    """The limits at multiples of 2 pi are the ends of series, whose second term holds for the derivative."""
    turns = np.round(np.asarray(x) / (2 * np.pi))
    rest = x - 2 * np.pi * turns
    near = np.abs(rest) < 1e-4
    far = np.where(near, 1.0, rest)
    sign = np.where(turns * (n - 1) % 2 == 0, 1.0, -1.0)
    series = 1 - (n * n - 1) * rest ** 2 / 24 + (n * n - 1) * (3 * n * n - 7) * rest ** 4 / 5760
    return (sign * np.where(near, series, np.sin(n * far / 2) / (n * np.sin(far / 2))))[()]


def agm(a, b):
    """Gauss's mean of two positive numbers."""
    if np.any(np.asarray(a) <= 0) or np.any(np.asarray(b) <= 0):
        raise ArgumentError('scipy.special.agm has a derivative rule for positive numbers only')
    return np.pi / 4 * (a + b) / scipy.special.ellipk(((a - b) / (a + b)) ** 2)


FUNCTIONS = diric, agm
TABLE = {getattr(scipy.special, f.__name__): f for f in FUNCTIONS if hasattr(scipy.special, f.__name__)}
