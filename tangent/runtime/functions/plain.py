"""Run-time functions of rules that make reals of complex numbers, for derivatives through which gradients of complex
numbers pass as they are: they give `dL/dx + 1j * dL/dy`, what people get.

Each stands for the one of the same name in `helpers_real`, `helpers` or `helpers_linalg`, and is that for real numbers.
"""
import numpy as np

from tangent.runtime.array_api import size_of
from tangent.runtime.caller import caller
from tangent.runtime.functions import real
from tangent.runtime.functions.numpy import linalg, statistics
from tangent.runtime.functions.numpy.linalg import direction
from tangent.runtime.seeds import checked_scalar


def check_scalar(by):
    """The seed to use for a result that is known to be a number; see `seeds.check_scalar`."""
    return checked_scalar(by, caller())


def unit_of(x):
    """The derivative of `abs(x)`: a number of size 1, or 0. That of a real number is constant, but not this."""
    return direction(x)[()] if real.is_complex(x) else real.sign(x)


sign = unit_of


def safe_divide(x, y):
    """`x / y`, and 0 where `y` is 0."""
    zero = np.equal(y, 0)
    return np.where(zero, 0, x / np.where(zero, 1, y))[()]


def centred(a, axis=None):
    """`a` less its mean over `axis`."""
    return a - np.mean(a, axis=axis, keepdims=True) if size_of(a) else a * 1.0


def nancentred(a, axis=None):
    """`a` less its mean over `axis`, which takes no notice of nan; 0 there."""
    return np.where(np.isnan(a), 0, a - np.nanmean(a, axis=axis, keepdims=True)) if size_of(a) else a * 1.0


# Those that refuse complex numbers in derivatives for real ones, as they are behind that
norm_slope, vector_slope, matrix_slope, deviations = (
    f.__wrapped__ for f in (linalg.norm_slope, linalg.vector_slope, linalg.matrix_slope, statistics.deviations))
for _function in norm_slope, vector_slope, matrix_slope, deviations:
    _function.__module__ = __name__
