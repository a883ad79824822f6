"""Interpolation and sparse products of SciPy's: objects that exist already, refusals, and that nothing is claimed without a sample."""
import re

import numpy as np
import pytest

import tangent

si = pytest.importorskip('scipy.interpolate')

RNG = np.random.default_rng(0)
X = np.array([0.0, 0.7, 1.5, 2.6, 3.0, 4.1, 5.0])
Y, YY, T = RNG.normal(size=7), RNG.normal(size=(7, 2)), np.array([0.2, 1.13, 2.0])
PLANE = np.stack([X, np.sin(2 * X)], axis=1)
POINTS = np.stack([T, 0.1 * T + 0.02], axis=1)

MADE = [
    (si.PPoly(RNG.normal(size=(3, 6)), X), T), (si.CubicSpline(X, YY.T, axis=1), T), (si.PchipInterpolator(X, Y), T),
    (si.Akima1DInterpolator(X, Y), T), (si.CubicHermiteSpline(X, Y, Y), T), (si.make_interp_spline(X, YY), T),
    (si.UnivariateSpline(X, Y, s=0.5), T), (si.InterpolatedUnivariateSpline(X, Y), T), (si.interp1d(X, Y), T),
    (si.interp1d(X, YY.T, kind='cubic'), T), (si.interp1d(X, Y, fill_value='extrapolate'), T + 4),
    (si.interp1d(X, Y, bounds_error=False, fill_value=(0.0, 1.0)), T + 4),
    (si.RegularGridInterpolator((X, X[:5]), RNG.normal(size=(7, 5))), POINTS), (si.LinearNDInterpolator(PLANE, YY), POINTS),
    (si.NearestNDInterpolator(PLANE, Y), POINTS), (si.RBFInterpolator(PLANE, YY), POINTS),
    (si.RBFInterpolator(PLANE, Y, kernel='gaussian', epsilon=0.5), POINTS),
]


def squares(made, t):
    return np.sum(made(t) ** 2)


@pytest.mark.parametrize('made, at', MADE, ids=[type(m).__name__ for m, _ in MADE])
def test_what_exists_already_is_a_function_of_the_points(made, at):
    def f(t):
        return np.sum(made(t) ** 2)
    h = 1e-6
    along = (f(at + h) - f(at - h)) / (2 * h)
    for g in (f, lambda t: squares(made, t)):
        np.testing.assert_allclose(np.sum(tangent.grad(g)(at)), along, 1e-6, 1e-6)
        np.testing.assert_allclose(tangent.jvp(g)(at, np.ones_like(at)), along, 1e-6, 1e-6)


SPLINE, SMOOTH = si.CubicSpline(X, Y), si.UnivariateSpline(X, Y, s=0.5)
GRID = si.RectBivariateSpline(X[:5], X, RNG.normal(size=(5, 7)))


@pytest.mark.parametrize('f', [
    lambda t: SPLINE.integrate(0.1, t), lambda t: SPLINE.derivative()(t) * SPLINE(t, 2), lambda t: SPLINE.antiderivative()(t),
    lambda t: SMOOTH.integral(0.1, t), lambda t: SMOOTH(t, nu=1) + SMOOTH.derivative(2)(t), lambda t: GRID.ev(t, 2 * t) * t,
    lambda t: np.sum(GRID([t, 2 * t], [0.5 * t])), lambda t: si.splev(t, si.splrep(X, Y)), lambda t: SPLINE.x[2] * t,
])
def test_methods_of_what_exists_already(f):
    h = 1e-5
    along = (f(1.3 + h) - f(1.3 - h)) / (2 * h)
    assert tangent.grad(f)(1.3) == pytest.approx(along, 1e-7) == tangent.jvp(f)(1.3, 1.0)


def test_a_spline_is_linear_in_its_data():
    """The gradient of a value by the data are the values of the cardinal splines there."""
    at = 1.9
    df = tangent.grad(lambda y: si.CubicSpline(X, y)(at))
    np.testing.assert_allclose(df(Y), [si.CubicSpline(X, e)(at) for e in np.eye(7)], 1e-12, 1e-14)


def test_splines_in_loops_and_branches():
    def f(x, y, n):
        total = 0.0
        for k in range(n):
            made = si.CubicSpline(x, y * (k + 1.0)) if k % 2 else si.PchipInterpolator(x, y)
            total = total + made(0.3 + k) ** 2
        return total
    dx, dy = tangent.grad(f, wrt=(0, 1))(X, Y, 4)
    v, w = RNG.normal(size=7), RNG.normal(size=7)
    h = 1e-6
    along = (f(X + h * v, Y + h * w, 4) - f(X - h * v, Y - h * w, 4)) / (2 * h)
    assert dx @ v + dy @ w == pytest.approx(along, 1e-6)
    assert tangent.jvp(f, wrt=(0, 1))(X, Y, 4, v, w) == pytest.approx(along, 1e-6)


@pytest.mark.parametrize('f, told', [
    (lambda y: si.UnivariateSpline(X, y)(1.0), 'knots are found by a search'),
    (lambda y: si.splev(1.0, si.splrep(X, y, s=0.1)), 'knots are found by a search'),
    (lambda y: si.griddata(PLANE, y, POINTS, method='cubic')[0], 'linear and nearest'),
    (lambda y: si.RegularGridInterpolator((X,), y, method='cubic')([1.0])[0], 'linear and nearest'),
    (lambda y: si.RBFInterpolator(PLANE, y, neighbors=3)(POINTS)[0], 'neighbors'),
    (lambda y: si.KroghInterpolator([0.0, 0.0, 1.0], y[:3])(0.5), 'coincide'),
    (lambda y: si.CubicSpline(X, y, extrapolate='periodic').integrate(0.0, y[0]), 'periodic'),
])
def test_what_has_no_derivative_is_an_error(f, told):
    for df in (lambda: tangent.grad(f)(Y), lambda: tangent.jvp(f)(Y, Y)):
        with pytest.raises(tangent.errors.TangentError, match=told):
            df()


def test_errors_are_those_of_scipy():
    with pytest.raises(ValueError, match='outside the interpolation range'):
        tangent.grad(lambda t: si.interp1d(X, Y)(t))(7.0)
    assert np.isnan(tangent.grad(lambda y: si.Akima1DInterpolator(X, y)(7.0))(Y)).sum() in (0, 7)


@pytest.mark.parametrize('metric', ['euclidean', 'sqeuclidean', 'cityblock', 'chebyshev'])
def test_distances_of_all_pairs(metric):
    distance = pytest.importorskip('scipy.spatial.distance')
    a, b, w, h = RNG.normal(size=(3, 2)), RNG.normal(size=(4, 2)), RNG.normal(size=(3, 2)), 1e-6
    for f in (lambda a: np.sum(distance.cdist(a, b, metric) ** 3), lambda a: np.sum(distance.pdist(a, metric) ** 3)):
        along = (f(a + h * w) - f(a - h * w)) / (2 * h)
        assert np.sum(tangent.grad(f)(a) * w) == pytest.approx(along, 1e-6) == tangent.jvp(f)(a, w)
    assert not np.isnan(tangent.grad(lambda a: np.sum(distance.cdist(a, a, metric)))(a)).any()
    with pytest.raises(tangent.errors.ArgumentError, match='cosine'):
        tangent.grad(lambda a: np.sum(distance.cdist(a, b, 'cosine')))(a)


def test_every_substitute_has_a_sample():
    from tangent.runtime.references.table import SUBSTITUTES
    from tests.corpora.samples import rule_samples_scipy_data
    texts = ' '.join(sample.text for g in rule_samples_scipy_data.GENERATORS for sample in g())
    claimed = {f.__name__ for f in SUBSTITUTES if (getattr(f, '__module__', None) or '').startswith('scipy.interpolate')}
    assert claimed and claimed <= set(re.findall(r'\w+', texts))
