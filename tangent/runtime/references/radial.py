"""Interpolation by radial functions and by one polynomial, in plain NumPy; see `substitutes_interpolate`."""
from __future__ import annotations

import dataclasses

import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.references.interpolate import column, floats, place, to_axis


@dataclasses.dataclass
class Radial:
    """`scipy.interpolate.RBFInterpolator` of all points."""
    y: object
    weights: object
    kernel: str
    epsilon: object
    powers: object
    tail: tuple

    def __call__(self, x):
        x = floats(x)
        rows = np.concatenate([radial(self.epsilon * distances(x, self.y), self.kernel), monomials(x, self.powers)], axis=1)
        return np.reshape(rows @ self.weights, (len(x),) + self.tail)


def distances(x, y):
    """The distances of all pairs."""
    return safe_root(np.sum((np.expand_dims(x, 1) - np.expand_dims(y, 0)) ** 2, axis=2))


def safe_root(square):
    """The square root, whose derivative is taken for 0 at 0."""
    none = square == 0
    return np.where(none, 0.0, np.sqrt(np.where(none, 1.0, square)))


FREE = ('linear', 'thin_plate_spline', 'cubic', 'quintic')              # kernels that need no epsilon
KERNELS = (*FREE, 'multiquadric', 'inverse_multiquadric', 'inverse_quadratic', 'gaussian')


def radial(r, kernel):
    if kernel == 'linear':
        return -r
    if kernel == 'thin_plate_spline':
        return r ** 2 * np.log(np.where(r == 0, 1.0, r))
    if kernel == 'cubic':
        return r ** 3
    if kernel == 'quintic':
        return -r ** 5
    if kernel == 'multiquadric':
        return -np.sqrt(r ** 2 + 1)
    if kernel == 'inverse_multiquadric':
        return 1 / np.sqrt(r ** 2 + 1)
    if kernel == 'inverse_quadratic':
        return 1 / (r ** 2 + 1)
    return np.exp(-r ** 2)


def monomials(x, powers):
    columns = [np.ones(len(x)) for _ in powers[:1]]
    for power in powers[1:]:
        column_ = np.ones(len(x))
        for d in power:
            column_ = column_ * x[:, d]
        columns.append(column_)
    return np.stack(columns, axis=1) if len(columns) else np.zeros((len(x), 0))


def powers_of(rank, degree):
    """Which coordinates are multiplied in each monomial up to a degree."""
    found = [()] if degree >= 0 else []
    last = found
    for _ in range(degree):
        last = [(*p, d) for p in last for d in range(p[-1] if p else 0, rank)]
        found = found + last
    return found


LEAST = {'multiquadric': 0, 'linear': 0, 'thin_plate_spline': 1, 'cubic': 1, 'quintic': 2}


def rbf(y, d, neighbors=None, smoothing=0.0, kernel='thin_plate_spline', epsilon=None, degree=None):
    if neighbors is not None:
        raise ArgumentError('RBFInterpolator: neighbors has no derivative rule')
    if kernel not in KERNELS:
        raise ValueError(f'`kernel` must be one of {KERNELS}.')
    if epsilon is None and kernel not in FREE:
        raise ValueError(f'`epsilon` must be specified if `kernel` is not one of {FREE}.')
    y, d = floats(y), floats(d)
    size = 1.0 if epsilon is None else epsilon
    order = max(LEAST.get(kernel, -1), 0) if degree is None else degree
    powers = powers_of(np.shape(y)[1], order)
    matrix = radial(size * distances(y, y), kernel) + np.diag(np.broadcast_to(smoothing, (len(y),)))
    terms = monomials(y, powers)
    none = np.zeros((len(powers), len(powers)))
    whole = np.concatenate([np.concatenate([matrix, terms], axis=1), np.concatenate([terms.T, none], axis=1)])
    flat = np.reshape(d, (len(y), -1))
    right = np.concatenate([flat, np.zeros((len(powers), np.shape(flat)[1]))])
    return Radial(y, np.linalg.solve(whole, right), kernel, size, powers, np.shape(d)[1:])


# One polynomial through all points

@dataclasses.dataclass
class Newton:
    """The polynomial through the points: `BarycentricInterpolator` and `KroghInterpolator` of points that differ."""
    x: object
    c: object
    axis: int = 0

    def __call__(self, t):
        t = floats(t)
        more = (1,) * (np.ndim(self.c) - 1)
        total = np.zeros(np.shape(t) + np.shape(self.c)[1:])
        for m in range(len(self.x) - 1, -1, -1):
            total = total * np.reshape(t - self.x[m], np.shape(t) + more) + self.c[m]
        return to_axis(total, np.ndim(t), self.axis)


def newton_form(xi, yi, axis=0):
    x, c = floats(xi), np.moveaxis(floats(yi), axis, 0)
    if len(np.unique(x)) != len(x):
        raise ArgumentError('the polynomial through points that coincide has no derivative rule')
    found = [c[0]]
    for m in range(1, len(x)):
        c = np.diff(c, axis=0) / column(x[m:] - x[:-m], c)
        found.append(c[0])
    return Newton(x, np.stack(found), place(axis, yi))


def barycentric(xi, yi=None, axis=0, *, wi=None, rng=None):
    return newton_form(xi, yi, axis)


def polynomial_through(xi, yi, x, der=0, axis=0):
    if der != 0:
        raise ArgumentError('der other than 0 has no derivative rule')
    return newton_form(xi, yi, axis)(x)


def radial_of(made):
    degree = int(np.max(np.sum(made.powers, axis=1))) if len(made.powers) else -1
    if made.neighbors is not None:
        raise ArgumentError('RBFInterpolator: neighbors has no derivative rule')
    d = np.reshape(made.d, (len(made.y), *made.d_shape))
    return rbf(made.y, d, None, made.smoothing, made.kernel, made.epsilon, degree)
