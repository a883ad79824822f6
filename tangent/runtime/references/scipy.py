"""Functions of SciPy's in the functions of which they are made; see `table`."""
import numpy as np
import scipy

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


# Special functions

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


# Integrals over areas, as integrals of integrals

def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-08, epsrel=1.49e-08):
    def inner(x):
        low = gfun(x) if callable(gfun) else gfun
        high = hfun(x) if callable(hfun) else hfun
        return scipy.integrate.quad(lambda y: func(y, x, *args), low, high, epsabs=epsabs, epsrel=epsrel)[0]
    return scipy.integrate.quad(inner, a, b, epsabs=epsabs, epsrel=epsrel)


def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    y = np.swapaxes(y, axis, -1)
    steps = dx if x is None else np.diff(x) if np.ndim(x) == 1 else np.diff(np.swapaxes(x, axis, -1))
    found = np.cumsum(0.5 * steps * (y[..., 1:] + y[..., :-1]), axis=-1)
    if initial is not None:
        found = np.concatenate([initial + np.zeros_like(y[..., :1]), found], axis=-1)
    return np.swapaxes(found, axis, -1)


# Signals

def correlate(in1, in2, mode='full', method='auto'):
    return scipy.signal.convolve(in1, np.conj(np.flip(in2)), mode)
