"""`scipy.interpolate`: splines are made and evaluated in plain NumPy, by `references`."""
import scipy.interpolate as si

from tangent.runtime.references import grids, splines
from tangent.runtime.references import interpolate as plain
from tangent.runtime.references.table import STAND_INS, SUBSTITUTES
from tangent.templates.language.declare import constant, general

constant(*(f'{name}(x)' for name in '''interval knot_span check_points check_exact line_place nearest_corner triangulated
    simplex_of nearest_of powers_of degree_of check_plain'''.split()))
TWO = '(1, 1), bands'
general('y = tridiagonal(bands, right)', f'unsolve_banded(d[y], {TWO}, right, y)[0]',
        f'unsolve_banded(d[y], {TWO}, right, y)[1]',
        forward='tridiagonal(bands, d[right] - banded_product((1, 1), d[bands], y))')
general('y = banded(k, bands, right)', None, 'unsolve_banded(d[y], (k, k), bands, right, y)[0]',
        'unsolve_banded(d[y], (k, k), bands, right, y)[1]',
        forward='banded(k, bands, d[right] - banded_product((k, k), d[bands], y))')

SUBSTITUTES.update({
    si.PPoly: plain.ppoly,
    si.CubicSpline: plain.cubic_spline,
    si.CubicHermiteSpline: plain.cubic_hermite,
    si.PchipInterpolator: plain.pchip,
    si.pchip_interpolate: plain.pchip_interpolate,
    si.Akima1DInterpolator: plain.akima,
    si.BSpline: splines.bspline,
    si.InterpolatedUnivariateSpline: splines.interpolated_spline,
    si.UnivariateSpline: splines.univariate_spline,
    si.LSQUnivariateSpline: splines.lsq_spline,
    si.RectBivariateSpline: splines.rectangle_spline,
    si.interp1d: grids.interp1d,
    si.RegularGridInterpolator: grids.regular_grid,
    si.interpn: grids.interpn,
    si.griddata: grids.griddata,
    si.LinearNDInterpolator: grids.linear_nd,
    si.NearestNDInterpolator: grids.nearest_nd,
    si.RBFInterpolator: grids.rbf,
    si.BarycentricInterpolator: plain.barycentric,
    si.KroghInterpolator: plain.newton_form,
    si.barycentric_interpolate: plain.polynomial_through,
    si.krogh_interpolate: plain.polynomial_through,
    **{getattr(si, name): getattr(splines, name)
       for name in 'make_interp_spline make_lsq_spline splrep splev splint splder splantider'.split()},
})
PIECES = si.PPoly, si.CubicSpline, si.CubicHermiteSpline, si.PchipInterpolator, si.Akima1DInterpolator
FITPACK = si.UnivariateSpline, si.InterpolatedUnivariateSpline, si.LSQUnivariateSpline
STAND_INS.update({
    **dict.fromkeys(PIECES, plain.pieces_of),
    **dict.fromkeys(FITPACK, splines.fitpack_of),
    si.BSpline: splines.basis_of,
    si.RectBivariateSpline: splines.surface_of,
    si.interp1d: grids.line_of,
    si.RegularGridInterpolator: grids.grid_of,
    si.LinearNDInterpolator: grids.triangles_of,
    si.NearestNDInterpolator: grids.nearest_of_points,
    si.RBFInterpolator: grids.radial_of,
})
