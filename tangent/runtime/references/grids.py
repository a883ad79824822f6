"""Interpolation on lines, grids and scattered points in plain NumPy; see `interpolate`."""
import dataclasses
import importlib

import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.references.interpolate import floats, place, to_axis
from tangent.runtime.references.splines import basis_sum, make_interp_spline


@dataclasses.dataclass
class Line:
    """`scipy.interpolate.interp1d`: x and y sorted, the axis of the points first.

    spline : knots, coefficients and degree, or None
    """
    x: object
    y: object
    kind: str
    axis: int
    bounds_error: bool
    below: object
    above: object
    spline: object

    def __call__(self, t):
        t = floats(t)
        low, high = t < self.x[0], t > self.x[-1]
        if self.bounds_error and np.any(low | high):
            raise ValueError('A value in x_new is outside the interpolation range.')
        found = on_line(self.x, self.y, t, self.kind) if self.spline is None else \
            basis_sum(self.spline[0], self.spline[1], self.spline[2], t, 0, 0, 0)
        more = np.shape(t) + (1,) * (np.ndim(self.y) - 1)
        if not isinstance(self.below, str):
            found = np.where(np.reshape(low, more), self.below, np.where(np.reshape(high, more), self.above, found))
        return to_axis(found, np.ndim(t), self.axis)


def on_line(x, y, t, kind):
    at = line_place(x, t, kind)
    if kind != 'linear':
        return y[at]
    share = np.reshape((t - x[at]) / (x[at + 1] - x[at]), np.shape(t) + (1,) * (np.ndim(y) - 1))
    return y[at] + share * (y[at + 1] - y[at])


def line_place(x, t, kind):
    """Number of the value that a point takes, or of the piece in which it lies."""
    last = len(x) - 1
    if kind == 'linear':
        return np.clip(np.searchsorted(x, t) - 1, 0, last - 1)
    if kind == 'previous':
        return np.clip(np.searchsorted(x, t, side='right') - 1, 0, last)
    if kind == 'next':
        return np.clip(np.searchsorted(x, t, side='left'), 0, last)
    middle = (x[1:] + x[:-1]) / 2
    return np.clip(np.searchsorted(middle, t, side='right' if kind == 'nearest-up' else 'left'), 0, last)


SPLINES = {'zero': 0, 'slinear': 1, 'quadratic': 2, 'cubic': 3}


def degree_of(kind):
    return kind if isinstance(kind, int) else SPLINES.get(kind)


def interp1d(x, y, kind='linear', axis=-1, copy=True, bounds_error=None, fill_value=np.nan, assume_sorted=False):
    a, b = floats(x), np.moveaxis(floats(y), axis, 0)
    if not assume_sorted:
        order = np.argsort(a, kind='mergesort')
        a, b = a[order], b[order]
    if np.ndim(a) != 1 or len(a) != len(b):
        raise ValueError('x and y arrays must be equal in length along interpolation axis.')
    degree = degree_of(kind)
    if kind == 'zero' or kind == 0:
        kind, degree = 'previous', None
    if degree is None and kind not in ('linear', 'nearest', 'nearest-up', 'previous', 'next'):
        raise NotImplementedError(f'{kind} is unsupported: Use fitpack routines for other types.')
    spline = None if degree is None else knots_of(make_interp_spline(a, b, degree))
    filled = not isinstance(fill_value, float) or not np.isnan(fill_value)
    strict = not filled if bounds_error is None else bounds_error
    below, above = fill_value if isinstance(fill_value, tuple) else (fill_value, fill_value)
    return Line(a, b, str(kind), place(axis, y), strict, below, above, spline)


def knots_of(spline):
    return spline.t, spline.c, spline.k


# Grids

@dataclasses.dataclass
class Grid:
    """`scipy.interpolate.RegularGridInterpolator`, of the methods linear and nearest."""
    points: tuple
    values: object
    method: str
    bounds_error: bool
    fill_value: object

    def __call__(self, xi, method=None, nu=None):
        if nu is not None:
            raise ArgumentError('RegularGridInterpolator: nu has no derivative rule')
        return on_grid(self.points, self.values, xi, method or self.method, self.bounds_error, self.fill_value)


def on_grid(points, values, xi, method, bounds_error, fill_value):
    if method not in ('linear', 'nearest'):
        raise ArgumentError(f'interpolation on a grid: method={method!r} has no derivative rule; known are linear and nearest')
    rank = len(points)
    where = as_points(xi, rank)
    out = np.zeros(np.shape(where)[:-1], bool)
    places, shares = [], []
    for d in range(rank):
        x, t = floats(points[d]), where[..., d]
        if bounds_error and np.any((t < x[0]) | (t > x[-1])):
            raise ValueError(f'One of the requested xi is out of bounds in dimension {d}')
        out = out | (t < x[0]) | (t > x[-1])
        at = line_place(x, t, 'linear')
        places.append(at)
        shares.append((t - x[at]) / (x[at + 1] - x[at]))
    more = np.shape(out) + (1,) * (np.ndim(values) - rank)
    if method == 'nearest':
        found = values[nearest_corner(places, shares)]
    else:
        found = 0.0
        for corner in range(2 ** rank):
            weight, index = 1.0, ()
            for d in range(rank):
                up = corner >> d & 1
                weight = weight * (shares[d] if up else 1 - shares[d])
                index = index + (places[d] + up,)
            found = found + np.reshape(weight, more) * values[index]
    if not bounds_error and fill_value is not None:
        found = np.where(np.reshape(out, more), fill_value, found)
    return found


def nearest_corner(places, shares):
    return tuple(np.where(s <= 0.5, at, at + 1) for at, s in zip(places, shares))


def as_points(xi, rank):
    """The points in one array, their coordinates last."""
    if isinstance(xi, tuple):
        return np.stack(np.broadcast_arrays(*[floats(x) for x in xi]), axis=-1)
    xi = floats(xi)
    if rank == 1 and np.ndim(xi) == 1 and len(xi) != 1:
        return np.expand_dims(xi, -1)
    return np.reshape(xi, (1, rank)) if np.ndim(xi) == 1 else xi


def regular_grid(points, values, method='linear', bounds_error=True, fill_value=np.nan, *, solver=None, solver_args=None):
    return Grid(tuple(points), floats(values), method, bounds_error, fill_value)


def interpn(points, values, xi, method='linear', bounds_error=True, fill_value=np.nan):
    return on_grid(tuple(points), floats(values), xi, method, bounds_error, fill_value)


# Scattered points

@dataclasses.dataclass
class Triangles:
    """`scipy.interpolate.LinearNDInterpolator`: linear on the simplices that Delaunay's triangulation of the points gives."""
    points: object
    values: object
    simplices: object
    fill_value: object

    def __call__(self, *args):
        return on_triangles(self.points, self.values, self.simplices, args, self.fill_value)


def on_triangles(points, values, simplices, args, fill_value):
    where = given_points(args, np.shape(points)[1])
    flat = np.reshape(where, (-1, np.shape(points)[1]))
    at = simplex_of(points, flat)
    corners = points[simplices[at]]
    sides = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
    rest = np.linalg.solve(sides, np.expand_dims(flat - corners[:, 0], 2))[:, :, 0]
    shares = np.concatenate([1 - np.sum(rest, axis=1, keepdims=True), rest], axis=1)
    heights = values[simplices[at]]
    found = np.sum(np.reshape(shares, np.shape(shares) + (1,) * (np.ndim(values) - 1)) * heights, axis=1)
    found = np.where(np.reshape(at < 0, (-1,) + (1,) * (np.ndim(values) - 1)), fill_value, found)
    return np.reshape(found, np.shape(where)[:-1] + np.shape(values)[1:])


def given_points(args, rank):
    first = args[0] if len(args) == 1 else args
    if isinstance(first, tuple):
        return np.stack(np.broadcast_arrays(*[floats(x) for x in first]), axis=-1)
    first = floats(first)
    return np.expand_dims(first, -1) if rank == 1 and np.ndim(first) < 2 else first


def triangulated(points):
    """The simplices of a triangulation."""
    return importlib.import_module('scipy.spatial').Delaunay(points).simplices


def simplex_of(points, where):
    return importlib.import_module('scipy.spatial').Delaunay(points).find_simplex(where)


def nearest_of(points, where):
    """The number of the point that is nearest."""
    return importlib.import_module('scipy.spatial').cKDTree(points).query(where)[1]


def linear_nd(points, values, fill_value=np.nan, rescale=False):
    if rescale:
        raise ArgumentError('rescale=True has no derivative rule: scale the points first')
    check_plain(points)
    a = given_points((points,), 2)
    return Triangles(a, floats(values), triangulated(a), fill_value)


def check_plain(points):
    if hasattr(points, 'simplices'):
        raise ArgumentError('a triangulation in place of points has no derivative rule: give its points')


@dataclasses.dataclass
class Nearest:
    """`scipy.interpolate.NearestNDInterpolator`."""
    points: object
    values: object

    def __call__(self, *args):
        return self.values[nearest_of(self.points, given_points(args, np.shape(self.points)[1]))]


def nearest_nd(x, y, rescale=False, tree_options=None):
    if rescale:
        raise ArgumentError('rescale=True has no derivative rule: scale the points first')
    return Nearest(given_points((x,), 2), floats(y))


def griddata(points, values, xi, method='linear', fill_value=np.nan, rescale=False):
    check_plain(points)
    points = given_points((points,), 1)
    if np.shape(points)[1] == 1:
        return interp1d(points[:, 0], values, method, 0, True, False, fill_value)(given_points((xi,), 1)[..., 0])
    if method == 'nearest':
        return nearest_nd(points, values, rescale)(xi)
    if method != 'linear':
        raise ArgumentError(f'griddata: method={method!r} has no derivative rule; known are linear and nearest')
    return linear_nd(points, values, fill_value, rescale)(xi)


# Radial functions

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


# What exists already

def line_of(made):
    spline = getattr(made, '_spline', None)
    below = above = 'extrapolate' if made._extrapolate else made.fill_value
    if isinstance(below, tuple):
        below, above = made.fill_value
    kind = made._kind if made._kind in ('linear', 'nearest', 'nearest-up', 'previous', 'next') else 'spline'
    if kind != 'spline':
        order = np.moveaxis(np.asarray(made.y), made.axis, 0)
        return Line(made.x, order, kind, made.axis % np.ndim(made.y), bool(made.bounds_error), below, above, None)
    order = np.moveaxis(np.asarray(made.y), made.axis, 0)
    rows = spline.t, np.reshape(spline.c, (-1,) + np.shape(order)[1:]), spline.k
    return Line(made.x, order, kind, made.axis % np.ndim(made.y), bool(made.bounds_error), below, above, rows)


def grid_of(made):
    return Grid(tuple(made.grid), made.values, made.method, made.bounds_error, made.fill_value)


def triangles_of(made):
    if made.tri is None or getattr(made, 'scale', None) is not None:
        raise ArgumentError('a LinearNDInterpolator with rescale=True has no derivative rule')
    return Triangles(made.points, np.reshape(made.values, (len(made.points),) + made.values_shape), made.tri.simplices,
                     made.fill_value)


def nearest_of_points(made):
    return Nearest(made.points, made.values)


def radial_of(made):
    degree = int(np.max(np.sum(made.powers, axis=1))) if len(made.powers) else -1
    if made.neighbors is not None:
        raise ArgumentError('RBFInterpolator: neighbors has no derivative rule')
    d = np.reshape(made.d, (len(made.y), *made.d_shape))
    return rbf(made.y, d, None, made.smoothing, made.kernel, made.epsilon, degree)
