"""Functions of SciPy's in the functions of which they are made; see `substitutes`."""
from __future__ import annotations

import numpy as np
import scipy.linalg

from tangent.errors import ArgumentError


def solve_toeplitz(c_or_cr, b, check_finite=True):
    if isinstance(c_or_cr, tuple):
        c, r = c_or_cr
        return np.linalg.solve(scipy.linalg.toeplitz(c, r), b)
    return np.linalg.solve(scipy.linalg.toeplitz(c_or_cr), b)


def solve_circulant(c, b, singular='raise', tol=None, caxis=-1, baxis=0, outaxis=0):
    if singular != 'raise' or np.ndim(c) != 1 or baxis != 0 or outaxis != 0:
        raise ArgumentError('solve_circulant: only one row c, and b along its first axis, has a derivative rule')
    return np.linalg.solve(scipy.linalg.circulant(c), b)


def solve_continuous_lyapunov(a, q):
    return scipy.linalg.solve_sylvester(a, a.T, q)


def cdist(XA, XB, metric='euclidean', *, out=None):
    between = np.expand_dims(XA, 1) - np.expand_dims(XB, 0)
    return lengths(between, metric)


def pdist(X, metric='euclidean', *, out=None):
    first, second = np.triu_indices(len(X), 1)
    return lengths(X[first] - X[second], metric)


def lengths(between, metric):
    """The lengths of differences; the derivative of a length of 0 is 0."""
    if metric == 'sqeuclidean':
        return np.sum(between ** 2, axis=-1)
    if metric == 'cityblock':
        return np.sum(np.abs(between), axis=-1)
    if metric == 'chebyshev':
        return np.max(np.abs(between), axis=-1)
    if metric != 'euclidean':
        raise ArgumentError(f'the metric {metric!r} has no derivative rule; known are euclidean, sqeuclidean, cityblock and '
                            'chebyshev')
    square = np.sum(between ** 2, axis=-1)
    none = square == 0
    return np.where(none, 0.0, np.sqrt(np.where(none, 1.0, square)))
