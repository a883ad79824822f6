"""`scipy.interpolate`: splines are made and evaluated in plain NumPy, by `substitutes_interpolate`."""
import scipy.interpolate as si

from tangent import substitutes_interpolate as plain
from tangent.substitutes import STAND_INS, SUBSTITUTES
from tangent.templates.declare import constant, general

constant('interval(x)')
TWO = '(1, 1), bands'
general('y = tridiagonal(bands, right)', f'unsolve_banded(d[y], {TWO}, right, y)[0]', f'unsolve_banded(d[y], {TWO}, right, y)[1]',
        forward='tridiagonal(bands, d[right] - banded_product((1, 1), d[bands], y))')

SUBSTITUTES.update({
    si.PPoly: plain.ppoly,
    si.CubicSpline: plain.cubic_spline,
    si.CubicHermiteSpline: plain.cubic_hermite,
    si.PchipInterpolator: plain.pchip,
    si.pchip_interpolate: plain.pchip_interpolate,
    si.Akima1DInterpolator: plain.akima,
})
STAND_INS.update(dict.fromkeys([si.PPoly, si.CubicSpline, si.CubicHermiteSpline, si.PchipInterpolator, si.Akima1DInterpolator],
                               plain.pieces_of))
