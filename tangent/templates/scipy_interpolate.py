"""`scipy.interpolate`: splines are made and evaluated in plain NumPy, by `substitutes_interpolate`."""
import scipy.interpolate as si

from tangent import substitutes_interpolate as plain
from tangent import substitutes_splines as splines
from tangent.substitutes import STAND_INS, SUBSTITUTES
from tangent.templates.declare import constant, general

constant('interval(x)', 'knot_span(x)', 'check_points(x)', 'check_exact(x)')
TWO = '(1, 1), bands'
general('y = tridiagonal(bands, right)', f'unsolve_banded(d[y], {TWO}, right, y)[0]', f'unsolve_banded(d[y], {TWO}, right, y)[1]',
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
    **{getattr(si, name): getattr(splines, name)
       for name in 'make_interp_spline make_lsq_spline splrep splev splint splder splantider'.split()},
})
STAND_INS.update(dict.fromkeys([si.PPoly, si.CubicSpline, si.CubicHermiteSpline, si.PchipInterpolator, si.Akima1DInterpolator],
                               plain.pieces_of))
STAND_INS.update(dict.fromkeys([si.UnivariateSpline, si.InterpolatedUnivariateSpline, si.LSQUnivariateSpline], splines.fitpack_of))
STAND_INS.update({si.BSpline: splines.basis_of, si.RectBivariateSpline: splines.surface_of})
