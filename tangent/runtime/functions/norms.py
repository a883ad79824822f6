"""Run-time functions for rules about norms of vectors and matrices, for any kind of number: minimum-norm subgradients."""
from __future__ import annotations

import numpy as np

from tangent.runtime.array_api import as_array
from tangent.runtime.broadcast import cast
from tangent.runtime.functions.real import for_real_numbers


def direction(x):
    """`x` over its size, 0 at 0."""
    size = np.abs(x)
    return np.where(size == 0, 0, x / np.where(size == 0, 1, size))


def _share(equal, axis=None):
    return equal / np.sum(equal, axis=axis, keepdims=True)


def thin_svd(a, hermitian=False):
    return np.linalg.svd(a, full_matrices=False, **({'hermitian': True} if hermitian else {}))


def vector_slope_of(x, ord=2, axis=None):
    """The derivative of a vector norm over all axes named, conjugated (minimum-norm subgradient)."""
    x = as_array(x)
    x = x.astype(float) if x.dtype.kind in 'iub' else x
    size = np.abs(x)
    if ord == 0:
        return np.zeros_like(x)
    if ord in (np.inf, -np.inf):
        extreme = (np.max if ord > 0 else np.min)(size, axis=axis, keepdims=True)
        return cast(direction(x) * _share(size == extreme, axis), x)
    if ord == 1:
        return direction(x)
    norm = np.sum(size ** ord, axis=axis, keepdims=True) ** (1 / ord)
    return cast(direction(x) * np.where(norm == 0, 0, size / np.where(norm == 0, 1, norm)) ** (ord - 1), x)


def matrix_slope_of(x, ord='fro'):
    """The derivative of a norm of the matrices `x`, conjugated (minimum-norm subgradient)."""
    x = as_array(x)
    if x.size == 0:
        return np.zeros_like(x)
    if ord in (None, 'fro'):
        return vector_slope_of(x, 2, (-2, -1))
    if ord in (1, -1, np.inf, -np.inf):
        sums = np.sum(np.abs(x), axis=-2 if abs(ord) == 1 else -1, keepdims=True)
        extreme = (np.max if ord > 0 else np.min)(sums, axis=(-2, -1), keepdims=True)
        return cast(direction(x) * _share(sums == extreme, (-2, -1)), x)
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return cast((u * singular_weights(s, ord, max(x.shape))[..., None, :]) @ vh, x)


@for_real_numbers
def vector_slope(x, ord=2, axis=None):
    """As `vector_slope_of`, of real numbers."""
    return vector_slope_of(x, ord, axis)


@for_real_numbers
def matrix_slope(x, ord='fro'):
    """As `matrix_slope_of`, of real numbers."""
    return matrix_slope_of(x, ord)


def singular_weights(s, ord, size):
    """The derivative of a matrix norm by each singular value, of a matrix of at most that many rows and columns."""
    if ord == 'nuc':
        return np.where(s > np.finfo(s.dtype).eps * size * s[..., :1], 1, 0 * s)
    equal = (s == (s[..., :1] if ord == 2 else s[..., -1:])).astype(s.dtype)
    return np.where(s[..., :1] == 0, 0, equal / np.sum(equal, axis=-1, keepdims=True))
