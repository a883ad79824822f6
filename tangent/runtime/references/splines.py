"""B-splines of SciPy's in plain NumPy: as functions of knots, coefficients, data and points; see `interpolate`."""
import dataclasses
import importlib

import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.references.interpolate import check_points, column, cubic_spline, data, floats, place, to_axis


@dataclasses.dataclass
class Basis:
    """A sum of B-splines: `scipy.interpolate.BSpline`, and the splines of FITPACK.

    ext : what is outside: 0 the polynomial goes on, 1 zeros, 2 an error, 3 the value at the end, 4 nan, 'periodic'
    """
    t: object
    c: object
    k: int
    ext: object = 0
    axis: int = 0

    def __call__(self, x, nu=0, extrapolate=None, ext=None):
        beyond = ext if ext is not None else self.ext if extrapolate is None else outside_of(extrapolate)
        return basis_sum(self.t, self.c, self.k, x, nu, beyond, self.axis)

    def derivative(self, nu=1, n=None):
        t, c, k = derived_basis(self.t, self.c, self.k, nu if n is None else n)
        return Basis(t, c, k, self.ext, self.axis)

    def antiderivative(self, nu=1, n=None):
        t, c, k = integrated_basis(self.t, self.c, self.k, nu if n is None else n)
        return Basis(t, c, k, self.ext, self.axis)

    def integrate(self, a, b, extrapolate=None):
        if self.ext == 'periodic' or extrapolate == 'periodic':
            raise ArgumentError('integrate: the integral of a periodic spline has no derivative rule')
        return basis_integral(self.t, self.c, self.k, a, b, extrapolate is None or extrapolate)

    def definite(self, a, b):
        return basis_integral(self.t, self.c, self.k, a, b, False)

    integral = definite              # FITPACK's name, which another function of ours has

    def get_coeffs(self):
        return self.c


def outside_of(extrapolate):
    return extrapolate if extrapolate == 'periodic' else 0 if extrapolate else 4


def knot_span(t, k, x):
    """The number of the last knot at or before each point, among those where splines of degree k are complete."""
    return np.clip(np.searchsorted(t, x, side='right') - 1, k, len(t) - k - 2)


def local_basis(t, k, x, at):
    """The k + 1 B-splines that are not 0 at each point, by the recursion of de Boor and Cox."""
    found = [np.ones_like(x)]
    for d in range(1, k + 1):
        total = []
        carried = np.zeros_like(x)
        for j in range(d):
            right, left = t[at + j + 1], t[at + j + 1 - d]
            share = found[j] / (right - left)
            total.append(carried + share * (right - x))
            carried = share * (x - left)
        total.append(carried)
        found = total
    return found


def basis_sum(t, c, k, x, nu, ext, axis):
    x = floats(x)
    n = len(t) - k - 1
    first, last = t[k], t[n]
    if ext == 'periodic':
        x = first + np.mod(x - first, last - first)
    out = (x < first) | (x > last) | np.isnan(x)
    if ext == 2 and np.any(out):
        raise ValueError('points outside of the spline')
    if ext == 3:
        x = np.where(x < first, first, np.where(x > last, last, x))
    if nu > k:
        return to_axis(np.zeros(np.shape(x) + np.shape(c)[1:]), np.ndim(x), axis)
    t, c, k = derived_basis(t, c, k, nu)
    at = knot_span(t, k, x)
    shares = local_basis(t, k, x, at)
    more = (1,) * (np.ndim(c) - 1)
    total = 0.0
    for j in range(k + 1):
        total = total + np.reshape(shares[j], np.shape(x) + more) * c[at - k + j]
    if ext in (1, 4):
        total = np.where(np.reshape(out, np.shape(x) + more), 0.0 if ext == 1 else np.nan, total)
    return to_axis(total, np.ndim(x), axis)


def derived_basis(t, c, k, nu):
    """Knots, coefficients and degree of the derivative."""
    if nu > k:
        raise ValueError('a derivative of higher order than the degree of the spline')
    c = c[:len(t) - k - 1]
    for _ in range(nu):
        steps = t[k + 1:-1] - t[1:-k - 1]
        flat = steps == 0
        steps = column(np.where(flat, 1.0, steps), c)
        c = np.where(column(flat, c), 0.0, k * np.diff(c, axis=0) / steps)
        t, k = t[1:-1], k - 1
    return t, c, k


def integrated_basis(t, c, k, nu):
    """Knots, coefficients and degree of the antiderivative that is 0 at the first knot."""
    c = c[:len(t) - k - 1]
    for _ in range(nu):
        steps = column((t[k + 1:] - t[:-k - 1]) / (k + 1), c)
        c = np.concatenate([np.zeros_like(c[:1]), np.cumsum(c * steps, axis=0)])
        t = np.concatenate([t[:1], t, t[-1:]])
        k = k + 1
    return t, c, k


def basis_integral(t, c, k, a, b, extrapolate):
    n = len(t) - k - 1
    if not extrapolate:
        a, b = np.clip(a, t[k], t[n]), np.clip(b, t[k], t[n])
    t, c, k = integrated_basis(t, c, k, 1)
    return basis_sum(t, c, k, b, 0, 0, 0) - basis_sum(t, c, k, a, 0, 0, 0)


def interpolation_knots(x, k):
    """The knots that SciPy takes: as many as there are points, none next to an end."""
    if k == 0:
        return np.concatenate([x, x[-1:]])
    if k % 2:
        inner = x[(k + 1) // 2:len(x) - (k + 1) // 2]
    else:
        inner = ((x[1:] + x[:-1]) / 2)[k // 2:len(x) - 1 - k // 2]
    return np.concatenate([np.repeat(x[:1], k + 1), inner, np.repeat(x[-1:], k + 1)])


def interpolation_coefficients(t, k, x, y):
    """The coefficients of the spline that has the values y at the points x: banded equations."""
    at = knot_span(t, k, x)
    shares = np.stack(local_basis(t, k, x, at), axis=1)
    columns = np.expand_dims(at - k, 1) + np.arange(k + 1)
    rows = k + np.expand_dims(np.arange(len(x)), 1) - columns
    n = len(x)
    if np.any((rows < 0) | (rows > 2 * k)):
        raise ValueError('the points and the knots do not go together')
    bands = np.bincount(np.ravel(rows * n + columns), weights=np.ravel(shares), minlength=(2 * k + 1) * n)
    found = banded(k, np.reshape(bands, (2 * k + 1, n)), np.reshape(y, (n, -1)))
    return np.reshape(found, np.shape(y))


def banded(k, bands, right):
    return importlib.import_module('scipy.linalg').solve_banded((k, k), bands, right)


def bspline(t, c, k, extrapolate=True, axis=0):
    return Basis(floats(t), np.moveaxis(floats(c), axis, 0), k, outside_of(extrapolate), place(axis, c))


def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    a, b = data(x, y, axis, 'make_interp_spline')
    if bc_type is not None and not (isinstance(bc_type, str) and bc_type == 'not-a-knot') and k > 1:
        return with_conditions(x, y, k, t, bc_type, axis)
    if k == 0:
        return Basis(np.concatenate([a, a[-1:]]), b, 0, 0, place(axis, y))
    knots = interpolation_knots(a, k) if t is None else floats(t)
    return Basis(knots, interpolation_coefficients(knots, k, a, b), k, 0, place(axis, y))


def with_conditions(x, y, k, t, bc_type, axis):
    """A cubic spline with conditions at its ends; those of other degrees have no rule."""
    if k != 3 or t is not None:
        raise ArgumentError(f'make_interp_spline: bc_type={bc_type!r} with k={k} has no derivative rule: use k=3 and no knots')
    pair = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
    return cubic_spline(x, y, axis, tuple(single_condition(c) for c in pair))


def single_condition(condition):
    if isinstance(condition, str) or condition is None:
        return condition or 'not-a-knot'
    if len(condition) != 1:
        raise ArgumentError('make_interp_spline: several conditions at one end have no derivative rule')
    return condition[0]


def make_lsq_spline(x, y, t, k=3, w=None, axis=0, check_finite=True, *, method='qr'):
    a, b = data(x, y, axis, 'make_lsq_spline')
    t = floats(t)
    n = len(t) - k - 1
    matrix = basis_sum(t, np.eye(n), k, a, 0, 0, 0)
    right = np.reshape(b, (len(b), -1))
    if w is not None:
        matrix, right = np.expand_dims(w, 1) * matrix, np.expand_dims(w, 1) * right
    found = np.linalg.solve(matrix.T @ matrix, matrix.T @ right)
    return Basis(t, np.reshape(found, (n,) + np.shape(b)[1:]), k, 0, place(axis, y))


# FITPACK

def check_exact(s, w, name):
    """Refuse smoothing: its knots are chosen by a search."""
    if s is not None and np.any(s != 0) or s is None and name != 'splrep' or s is None and w is not None:
        raise ArgumentError(f'{name}: a smoothing spline has no derivative by its data, as its knots are found by a search; '
                            'interpolate (s=0), or give knots to make_lsq_spline')


def splrep(x, y, w=None, xb=None, xe=None, k=3, task=0, s=None, t=None, full_output=0, per=0, quiet=1):
    if task != 0 or t is not None or per or full_output or xb is not None or xe is not None:
        raise ArgumentError('splrep: only splrep(x, y, w, k=k, s=s) has a derivative rule')
    check_exact(s, w, 'splrep')
    a, b = floats(x), floats(y)
    check_points(a, b, 'splrep')
    knots = interpolation_knots(a, k)
    found = interpolation_coefficients(knots, k, a, b)
    return knots, np.concatenate([found, np.zeros(k + 1)]), k


def splev(x, tck, der=0, ext=0):
    return tck(x, der, None, ext) if isinstance(tck, Basis) else fitpack(tck)(x, der, None, ext)


def fitpack(tck):
    t, c, k = tck
    return Basis(t, c[:len(t) - k - 1], k)


def padded(spline):
    return spline.t, np.concatenate([spline.c, np.zeros(spline.k + 1)]), spline.k


def splint(a, b, tck, full_output=0):
    return tck.definite(a, b) if isinstance(tck, Basis) else fitpack(tck).definite(a, b)


def splder(tck, n=1):
    return tck.derivative(n) if isinstance(tck, Basis) else padded(fitpack(tck).derivative(n))


def splantider(tck, n=1):
    return tck.antiderivative(n) if isinstance(tck, Basis) else padded(fitpack(tck).antiderivative(n))


EXT = {'extrapolate': 0, 'zeros': 1, 'raise': 2, 'const': 3}


def interpolated_spline(x, y, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
    if any(b is not None for b in bbox):
        raise ArgumentError('bbox other than [None, None] has no derivative rule')
    a, b = floats(x), floats(y)
    check_points(a, b, 'InterpolatedUnivariateSpline')
    knots = interpolation_knots(a, k)
    return Basis(knots, interpolation_coefficients(knots, k, a, b), k, EXT.get(ext, ext))


def univariate_spline(x, y, w=None, bbox=(None, None), k=3, s=None, ext=0, check_finite=False):
    check_exact(s, w, 'UnivariateSpline')
    return interpolated_spline(x, y, None, bbox, k, ext)


def lsq_spline(x, y, t, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
    if any(b is not None for b in bbox):
        raise ArgumentError('bbox other than [None, None] has no derivative rule')
    a, b = floats(x), floats(y)
    knots = np.concatenate([np.repeat(a[:1], k + 1), floats(t), np.repeat(a[-1:], k + 1)])
    made = make_lsq_spline(a, b, knots, k, w)
    return Basis(knots, made.c, k, EXT.get(ext, ext))


@dataclasses.dataclass
class Surface:
    """A spline on a rectangle: `scipy.interpolate.RectBivariateSpline`."""
    tx: object
    ty: object
    c: object
    kx: int
    ky: int

    def __call__(self, x, y, dx=0, dy=0, grid=True):
        if not grid:
            return at_points(self, x, y, dx, dy)
        x, y = floats(x), floats(y)
        rows = basis_sum(self.tx, self.c, self.kx, x, dx, 3, 0)
        return np.moveaxis(basis_sum(self.ty, np.moveaxis(rows, -1, 0), self.ky, y, dy, 3, 0), 0, -1)

    def ev(self, xi, yi, dx=0, dy=0):
        return at_points(self, xi, yi, dx, dy)


def at_points(surface, xi, yi, dx, dy):
    xi, yi = np.broadcast_arrays(floats(xi), floats(yi))
    xi, yi = inside_of(surface.tx, xi), inside_of(surface.ty, yi)
    tx, c, kx = derived_basis(surface.tx, surface.c, surface.kx, dx)
    ty, c, ky = derived_basis(surface.ty, np.transpose(c), surface.ky, dy)
    at_x, at_y = knot_span(tx, kx, xi), knot_span(ty, ky, yi)
    in_x, in_y = local_basis(tx, kx, xi, at_x), local_basis(ty, ky, yi, at_y)
    total = 0.0
    for i in range(kx + 1):
        for j in range(ky + 1):
            total = total + in_x[i] * in_y[j] * c[at_y - ky + j, at_x - kx + i]
    return total


def inside_of(t, x):
    return np.where(x < t[0], t[0], np.where(x > t[-1], t[-1], x))


def rectangle_spline(x, y, z, bbox=(None, None, None, None), kx=3, ky=3, s=0, maxit=20):
    if s != 0 or any(b is not None for b in bbox):
        raise ArgumentError('RectBivariateSpline: a smoothing spline, or a bbox, has no derivative rule; use s=0')
    x, y, z = floats(x), floats(y), floats(z)
    tx, ty = interpolation_knots(x, kx), interpolation_knots(y, ky)
    rows = interpolation_coefficients(tx, kx, x, z)
    return Surface(tx, ty, np.transpose(interpolation_coefficients(ty, ky, y, np.transpose(rows))), kx, ky)


# Splines that exist already

def basis_of(spline):
    return Basis(spline.t, spline.c if spline.axis == 0 else spline.c, spline.k, outside_of(spline.extrapolate), spline.axis)


def fitpack_of(spline):
    t, c, k = spline._eval_args
    return Basis(t, c[:len(t) - k - 1], k, spline.ext)


def surface_of(spline):
    tx, ty, c = spline.tck
    kx, ky = spline.degrees
    return Surface(tx, ty, np.reshape(c, (len(tx) - kx - 1, len(ty) - ky - 1)), kx, ky)
