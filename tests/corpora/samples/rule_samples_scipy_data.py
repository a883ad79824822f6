"""Samples of SciPy's interpolation, as functions of data, points and knots; see `rule_samples_made`."""
import numpy as np

from tests.rules.scipy.test_scipy import VALUES
from tests.tools.sampling import Sample

RNG = np.random.default_rng(1)
POINTS = {**VALUES, 'xs': np.array([0.0, 0.7, 1.5, 2.6, 3.0, 4.1, 5.0]), 'ys': np.array([0.3, -1.0, 0.5, 2.0, 1.7, -0.4, 0.9]),
          'ts': np.array([0.2, 1.13, 2.02, 2.83, 4.6, 3.3]), 'Y': RNG.normal(size=(7, 2)), 'YY': RNG.normal(size=(2, 7, 3))}
PLANE = 'numpy.stack([xs, numpy.sin(2 * xs)], axis=1)'

CALLS = """
CubicSpline(xs, ys)(ts)
CubicSpline(xs, Y)(ts)
CubicSpline(xs, YY, axis=1, bc_type='natural')(ts)
CubicSpline(xs, ys, bc_type='clamped')(ts, 1)
CubicSpline(xs, ys - s, bc_type=((1, 0.5), (2, 0.3)))(ts, nu=2)
CubicSpline(xs, numpy.concatenate([ys[:-1], ys[:1]]), bc_type='periodic')(ts + 4)
CubicSpline(xs[:3], ys[:3])(ts)
CubicSpline(xs[:2], ys[:2])(ts)
CubicSpline(xs, ys).derivative()(ts)
CubicSpline(xs, ys).integrate(0.3, 4.2)
CubicSpline(xs, Y).antiderivative(2)(ts)
PchipInterpolator(xs, ys)(ts)
PchipInterpolator(xs, Y)(ts)
Akima1DInterpolator(xs, ys)(ts)
Akima1DInterpolator(xs, Y, method='makima')(ts)
CubicHermiteSpline(xs, ys, 1.2*ys)(ts)
PPoly(q, xs[:4])(ts)
pchip_interpolate(xs, ys, ts)
make_interp_spline(xs, ys)(ts)
make_interp_spline(xs, Y, k=2)(ts, 1)
make_interp_spline(xs, YY, k=5, axis=1)(ts)
make_interp_spline(xs, ys, k=1)(ts)
make_interp_spline(xs, ys, bc_type='natural')(ts)
BSpline(numpy.linspace(0, 8, 9) + 0.1 * x, ys[:6], 2)(ts * 0.7)
BSpline(numpy.linspace(0, 5, 9), Y[:5], 3)(ts, nu=1)
BSpline(numpy.linspace(-1, 6, 9), YY, 1, axis=1)(ts, extrapolate='periodic')
BSpline(numpy.linspace(0, 5, 9), ys[:5], 3).derivative()(ts)
BSpline(numpy.linspace(0, 5, 9), ys[:5], 3).integrate(s, r)
make_lsq_spline(xs, ys, [-0.5, -0.2, -0.1, 2.1, 5.1, 5.2, 5.7], k=2)(ts)
splev(ts, interpolate.splrep(xs, ys))
splev(ts + 1, interpolate.splrep(xs, ys, k=4, s=0), ext=3)
splev(ts, interpolate.splder(interpolate.splrep(xs, ys)))
splint(0.4, 3.9, interpolate.splrep(xs, ys))
splev(ts, interpolate.splantider(interpolate.splrep(xs, ys)))
InterpolatedUnivariateSpline(xs, ys)(ts)
InterpolatedUnivariateSpline(xs, ys, k=2)(ts, 1)
UnivariateSpline(xs, ys, s=0).derivative()(ts)
UnivariateSpline(xs, ys, s=0).integral(0.2, s)
LSQUnivariateSpline(xs, ys, [2.5])(ts)
RectBivariateSpline(xs[:5], xs[:6], numpy.outer(ys[:5], ys[:6] + s))(ts[:1], ts[:1])
RectBivariateSpline(xs[:5], xs[:6], numpy.outer(ys[:5], ys[:6] + s)).ev(ts[:3], 0.7 * ts[:3])
RectBivariateSpline(xs[:5], xs[:6], numpy.outer(ys[:5], ys[:6]), kx=2, ky=1)(0.2 + u[:1], u, dx=1)
interp1d(xs, ys)(ts)
interp1d(xs, YY, axis=1, kind='cubic')(ts)
interp1d(xs[::-1], ys, fill_value='extrapolate')(ts + 1)
interp1d(xs, ys, bounds_error=False, fill_value=(1.0, 2.0))(ts + 1)
interp1d(xs, ys, kind='quadratic')(ts)
interp1d(xs, ys, kind='nearest')(ts + 0.01)
interp1d(xs, Y, kind='previous', axis=0)(ts)
interp1d(xs, ys, kind='next')(ts)
interp1d(xs, ys, 'zero')(ts)
interp1d(xs, ys, 'slinear')(ts)
RegularGridInterpolator((xs[:5], xs[:4] + 0.1 * s), numpy.outer(ys[:5], ys[:4]))(0.53 + numpy.stack([u, w], axis=1))
RegularGridInterpolator((xs[:5], xs[:4]), numpy.outer(ys[:5], ys[:4]), bounds_error=False, fill_value=None)(q[:, :2] + 1.43)
RegularGridInterpolator((xs[:5], xs[:4]), numpy.outer(ys[:5], ys[:4]), method='nearest')(0.53 + numpy.stack([u, w], axis=1))
interpn((xs[:5], xs[:4]), numpy.outer(ys[:5], ys[:4]), (u + 0.03, w + 0.44))
griddata(PLANE, Y, numpy.stack([ts[:3], 0.2 * w], axis=1))
griddata(xs, ys, ts)
griddata((xs, numpy.cos(2 * xs)), ys, (ts[:3], 0.2 * w), method='nearest')
LinearNDInterpolator(PLANE, ys)(ts[:3], 0.2 * w)
NearestNDInterpolator(PLANE, ys)(ts[:3], 0.2 * w)
RBFInterpolator(PLANE, ys)(h[:, :2])
RBFInterpolator(PLANE, Y, kernel='gaussian', epsilon=s, smoothing=0.1)(h[:, :2])
RBFInterpolator(PLANE, ys, kernel='quintic', degree=1)(h[:, :2])
BarycentricInterpolator(xs, ys)(ts)
KroghInterpolator(xs, Y)(ts)
barycentric_interpolate(xs[:4], ys[:4], ts)
krogh_interpolate(xs[:4], ys[:4], ts)
""".strip().splitlines()


def interpolation():
    """Splines, grids and scattered points."""
    for text in CALLS:
        yield Sample(f'interpolate.{text.replace("PLANE", PLANE)}', POINTS, exact=1e-11, smooth=1e-5,
                     without=('long', 'complex', 'numpy.longdouble'))


MORE = '''
linalg.solve_banded((1, 2), numpy.vstack([0.1 * x[:7], 0.2 * x[2:], 2 + ys, 0.3 * x[1:8]]), ys)
linalg.solve_banded((1, 1), q, h)
linalg.solveh_banded(numpy.array([[1.0, 1.0, 1.0], [5.0, 6.0, 7.0]]) + 0.3 * q[:2], h)
linalg.solveh_banded(numpy.array([[5.0, 6.0, 7.0], [1.0, 1.0, 1.0]]) + 0.3 * q[:2], v, lower=True)
linalg.solve_toeplitz(p + 1, h)
linalg.solve_toeplitz((p + 3, v), v)
linalg.solve_circulant(p, v)
linalg.solve_continuous_lyapunov(q, h)
stats.norm.ppf(u, 0.1, r)
stats.expon.ppf(u, 0.1, r)
stats.logistic.ppf(u)
stats.laplace.ppf(u)
stats.cauchy.ppf(u)
stats.gumbel_r.ppf(u, s)
stats.gumbel_l.ppf(u)
stats.halfnorm.ppf(u)
stats.rayleigh.ppf(u)
stats.maxwell.ppf(u)
stats.uniform.ppf(u)
stats.invgamma.logpdf(p, r, 0.1, r)
stats.invgamma.pdf(p, r)
special.owens_t(v, s)
special.powm1(p, s)
special.gdtr(1.5, 2.5, p)
special.spherical_jn(2, p)
special.spherical_yn(1, p)
'''.strip().splitlines()
MORE += [f'stats.{name}.{f}(p, {at}, r)' for name, at in [('halfnorm', 0.1), ('rayleigh', 0.1), ('maxwell', 0.1), ('uniform', '0.5 * p')]
         for f in 'logpdf pdf cdf sf logcdf logsf'.split()]


def more():
    """Equations, distributions and special functions."""
    for text in MORE:
        yield Sample(text, POINTS, exact=1e-11, smooth=1e-5, without=('long', 'complex', 'numpy.longdouble'))


GENERATORS = [interpolation, more]
