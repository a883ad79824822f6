"""Interpolation of SciPy's in plain NumPy: what its splines are made of, as functions of data and of points.

A spline is an object of a class here in place of SciPy's: its numbers are fields, so that derivatives flow through it, and
so do those of splines that exist already, whose stand-ins are made with `table.standing_in`.
"""
import dataclasses
import importlib
import math

import numpy as np

from tangent.errors import ArgumentError


@dataclasses.dataclass
class Pieces:
    """A piecewise polynomial: `scipy.interpolate.PPoly` and what is made of it.

    On the piece from `x[i]` on its value is the sum over m of `c[m, i] * (t - x[i])**(k - m)`.
    """
    c: object
    x: object
    extrapolate: object = True
    axis: int = 0

    def __call__(self, t, nu=0, extrapolate=None):
        return piecewise(self.c, self.x, t, nu, self.extrapolate if extrapolate is None else extrapolate, self.axis)

    def derivative(self, nu=1):
        return Pieces(derived(self.c, nu), self.x, self.extrapolate, self.axis)

    def antiderivative(self, nu=1):
        return Pieces(integrated(self.c, self.x, nu), self.x, self.extrapolate, self.axis)

    def integrate(self, a, b, extrapolate=None):
        whole = Pieces(integrated(self.c, self.x, 1), self.x, self.extrapolate, self.axis)
        beyond = self.extrapolate if extrapolate is None else extrapolate
        if beyond == 'periodic':
            raise ArgumentError('integrate: the integral of a periodic spline has no derivative rule')
        return whole(b, 0, beyond) - whole(a, 0, beyond)


def falling(power, count):
    """power * (power - 1) * ... of so many factors."""
    return math.prod(range(power - count + 1, power + 1))


def interval(x, t):
    """The number of the piece in which each point lies; those outside belong to the outermost."""
    return np.clip(np.searchsorted(x, t, side='right') - 1, 0, len(x) - 2)


def piecewise(c, x, t, nu, extrapolate, axis):
    t = np.asarray(t)
    period = extrapolate == 'periodic'
    if period:
        t = x[0] + np.mod(t - x[0], x[-1] - x[0])
    at = interval(x, t)
    h = np.reshape(t - x[at], np.shape(t) + (1,) * (np.ndim(c) - 2))
    order = len(c)
    total = np.zeros(np.shape(t) + np.shape(c)[2:])
    for m in range(max(order - nu, 0)):
        total = total * h + c[m][at] * falling(order - 1 - m, nu)
    if not extrapolate:
        outside = (t < x[0]) | (t > x[-1]) | np.isnan(t)
        total = np.where(np.reshape(outside, np.shape(t) + (1,) * (np.ndim(c) - 2)), np.nan, total)
    return to_axis(total, np.ndim(t), axis)


def to_axis(total, points, axis):
    """An array whose first axes are those of the points, with these moved to where the axis of the data was."""
    if axis == 0 or points == np.ndim(total):
        return total
    return np.moveaxis(total, list(range(points)), list(range(axis, axis + points)))


def derived(c, nu):
    if nu < 0:
        raise ArgumentError('derivative: nu has to be at least 0; use antiderivative')
    order = len(c)
    if order <= nu:
        return np.zeros_like(c[:1])
    factors = np.array([falling(order - 1 - m, nu) for m in range(order - nu)], float)
    return c[:order - nu] * np.reshape(factors, (-1,) + (1,) * (np.ndim(c) - 1))


def integrated(c, x, nu):
    for _ in range(nu):
        order = len(c)
        factors = np.array([1 / (order - m) for m in range(order)])
        c = np.concatenate([c * np.reshape(factors, (-1,) + (1,) * (np.ndim(c) - 1)), np.zeros_like(c[:1])])
        h = np.reshape(np.diff(x), (-1,) + (1,) * (np.ndim(c) - 2))
        ends = np.zeros_like(c[0])
        for m in range(len(c)):
            ends = ends * h + c[m]
        before = np.concatenate([np.zeros_like(ends[:1]), np.cumsum(ends, axis=0)[:-1]])
        c = np.concatenate([c[:-1], np.expand_dims(before, 0)])
    return c


# From values to pieces

def floats(x):
    x = np.asarray(x)
    return x if x.dtype.kind in 'fc' else x.astype(float)


def data(x, y, axis, name):
    """The abscissas and the values, the axis of the points first; errors are SciPy's."""
    x, y = floats(x), np.moveaxis(floats(y), axis, 0)
    check_points(x, y, name)
    return x, y


def check_points(x, y, name):
    if np.ndim(x) != 1 or len(x) != len(y) or len(x) < 2 or not np.all(np.diff(x) > 0):
        raise ValueError(f'{name}: the abscissas have to increase, and there has to be a value for each of at least two')


def column(h, y):
    """The numbers of a row, shaped so that each goes with one point of y."""
    return np.reshape(h, (-1,) + (1,) * (np.ndim(y) - 1))


def hermite_coefficients(x, y, slopes):
    """The pieces that have these values and slopes at their ends."""
    h = column(np.diff(x), y)
    rise = np.diff(y, axis=0) / h
    bend = (slopes[:-1] + slopes[1:] - 2 * rise) / h
    return np.stack([bend / h, (rise - slopes[:-1]) / h - bend, slopes[:-1], y[:-1]])


def ppoly(c, x, extrapolate=None, axis=0):
    return Pieces(floats(c), floats(x), beyond(extrapolate), axis)


def beyond(extrapolate, bc_type=None):
    if extrapolate is None:
        return 'periodic' if isinstance(bc_type, str) and bc_type == 'periodic' else True
    return extrapolate


def place(axis, y):
    return axis % np.ndim(y)


def cubic_hermite(x, y, dydx, axis=0, extrapolate=None):
    a, b = data(x, y, axis, 'CubicHermiteSpline')
    slopes = np.moveaxis(floats(dydx), axis, 0)
    return Pieces(hermite_coefficients(a, b, slopes), a, beyond(extrapolate), place(axis, y))


def cubic_spline(x, y, axis=0, bc_type='not-a-knot', extrapolate=None):
    a, b = data(x, y, axis, 'CubicSpline')
    slopes = spline_slopes(a, b, conditions(bc_type))
    return Pieces(hermite_coefficients(a, b, slopes), a, beyond(extrapolate, bc_type), place(axis, y))


NAMED = {'clamped': (1, 0.0), 'natural': (2, 0.0)}


def conditions(bc_type):
    """The condition at each end: 'not-a-knot', 'periodic', or (which derivative, its value)."""
    pair = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
    return [NAMED.get(c, c) if isinstance(c, str) else c for c in pair]


def spline_slopes(x, y, ends):
    """The slopes that make the second derivative continuous (de Boor, A Practical Guide to Splines, chapter IV)."""
    n = len(x)
    h = np.diff(x)
    rise = np.diff(y, axis=0) / column(h, y)
    first, last = ends
    if isinstance(first, str) and first == 'periodic':
        return periodic_slopes(h, rise)
    if n == 2:
        first = (1, rise[0]) if isinstance(first, str) else first
        last = (1, rise[0]) if isinstance(last, str) else last
    if n == 3 and isinstance(first, str) and isinstance(last, str):
        bend = (rise[1] - rise[0]) / (h[0] + h[1])                        # a parabola
        return np.stack([rise[0] - bend * h[0], rise[0] + bend * h[0], rise[1] + bend * h[1]])
    zero = np.zeros(1)
    inner = 3 * (column(h[1:], y) * rise[:-1] + column(h[:-1], y) * rise[1:])
    start, main_0, above_0 = end_condition(first, h, rise, False)
    stop, main_1, below_1 = end_condition(last, h, rise, True)
    above = np.concatenate([np.reshape(above_0, 1), h[:-1]])
    main = np.concatenate([np.reshape(main_0, 1), 2 * (h[:-1] + h[1:]), np.reshape(main_1, 1)])
    below = np.concatenate([h[1:], np.reshape(below_1, 1)])
    bands = np.stack([np.concatenate([zero, above]), main, np.concatenate([below, zero])])
    right = np.concatenate([np.expand_dims(start, 0), inner, np.expand_dims(stop, 0)])
    return solved_banded(bands, right)


def end_condition(condition, h, rise, last):
    """(right side, diagonal, beside it) of the equation at one end."""
    if last:
        h, rise = h[::-1], rise[::-1]
    if isinstance(condition, str):
        if condition != 'not-a-knot':
            raise ValueError(f'bc_type={condition!r} is not known')
        both = h[0] + h[1]
        return ((h[0] + 2 * both) * h[1] * rise[0] + h[0] * h[0] * rise[1]) / both, h[1], both
    order, value = condition
    if order == 1:
        return value * np.ones_like(rise[0]), np.ones(()), np.zeros(())
    sign = -1.0 if last else 1.0
    return 3 * h[0] * rise[0] - sign * 0.5 * value * h[0] * h[0], 2 * h[0], h[0]


def periodic_slopes(h, rise):
    n = len(h)
    if n == 1:
        return np.concatenate([rise, rise])
    before = np.concatenate([h[-1:], h[:-1]])
    rise_before = np.concatenate([rise[-1:], rise[:-1]])
    matrix = np.diag(2 * (before + h)) + np.expand_dims(h, 1) * np.roll(np.eye(n), 1, axis=0) \
        + np.expand_dims(before, 1) * np.roll(np.eye(n), -1, axis=0)
    found = np.linalg.solve(matrix, np.reshape(3 * (column(h, rise) * rise_before + column(before, rise) * rise), (n, -1)))
    found = np.reshape(found, np.shape(rise))
    return np.concatenate([found, found[:1]])


def solved_banded(bands, right):
    """The solution of the tridiagonal equations, for right sides of any shape."""
    flat = np.reshape(right, (len(right), -1))
    return np.reshape(tridiagonal(bands, flat), np.shape(right))


def tridiagonal(bands, right):
    return importlib.import_module('scipy.linalg').solve_banded((1, 1), bands, right)


def pchip(x, y, axis=0, extrapolate=None):
    a, b = data(x, y, axis, 'PchipInterpolator')
    return Pieces(hermite_coefficients(a, b, monotone_slopes(a, b)), a, beyond(extrapolate), place(axis, y))


def monotone_slopes(x, y):
    """The slopes of Fritsch and Butland: harmonic means, 0 where the data turn."""
    h = column(np.diff(x), y)
    rise = np.diff(y, axis=0) / h
    if len(x) == 2:
        return np.concatenate([rise, rise])
    turns = np.sign(rise[1:]) * np.sign(rise[:-1]) <= 0
    one, two = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    left, right = np.where(turns, 1.0, rise[:-1]), np.where(turns, 1.0, rise[1:])
    inner = np.where(turns, 0.0, (one + two) / (one / left + two / right))
    return np.concatenate([np.expand_dims(monotone_end(h[0], h[1], rise[0], rise[1]), 0), inner,
                           np.expand_dims(monotone_end(h[-1], h[-2], rise[-1], rise[-2]), 0)])


def monotone_end(h0, h1, rise0, rise1):
    """The slope at an end by three points, which keeps the shape."""
    slope = ((2 * h0 + h1) * rise0 - h0 * rise1) / (h0 + h1)
    turned = np.sign(slope) != np.sign(rise0)
    steep = (np.sign(rise0) != np.sign(rise1)) & (np.abs(slope) > 3.0 * np.abs(rise0))
    return np.where(turned, 0.0, np.where(steep, 3.0 * rise0, slope))


def akima(x, y, axis=0, *, method='akima', extrapolate=None):
    a, b = data(x, y, axis, 'Akima1DInterpolator')
    return Pieces(hermite_coefficients(a, b, akima_slopes(a, b, method)), a, False if extrapolate is None else extrapolate,
                  place(axis, y))


def akima_slopes(x, y, method):
    """Akima's slopes: the mean of the rises on both sides, weighted by how much those on the other side change."""
    rise = np.diff(y, axis=0) / column(np.diff(x), y)
    if len(x) == 2:
        return np.concatenate([rise, rise])
    m1 = 2 * rise[0] - rise[1]
    m0 = 2 * m1 - rise[0]
    p1 = 2 * rise[-1] - rise[-2]
    p2 = 2 * p1 - rise[-1]
    m = np.concatenate([np.stack([m0, m1]), rise, np.stack([p1, p2])])
    change = np.abs(np.diff(m, axis=0))
    if method not in ('akima', 'makima'):
        raise NotImplementedError(f'`method`={method} is unsupported.')
    if method == 'makima':
        change = change + np.abs(m[1:] + m[:-1]) / 2
    right, left = change[2:], change[:-2]
    both = right + left
    flat = both <= 1e-9 * np.max(both, initial=-np.inf)                  # the slopes around do not change
    shares = np.where(flat, 1.0, both)
    return np.where(flat, 0.5 * (m[3:] + m[:-3]), (right * m[1:-2] + left * m[2:-1]) / shares)


def pchip_interpolate(xi, yi, x, der=0, axis=0):
    return pchip(xi, yi, axis)(x, der)


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


# Splines that exist already

def pieces_of(spline):
    """The stand-in for a piecewise polynomial of SciPy's."""
    return Pieces(spline.c, spline.x, spline.extrapolate, spline.axis)
