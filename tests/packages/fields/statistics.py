"""Statistics, survival and economics."""
import numpy as np

from tests.packages.registry import load, package

gamma = load('autograd_gamma')
lifelines = load('lifelines')
of_lifelines = package('lifelines', 'lifelines')
empyrical = load('empyrical')
of_empyrical = package('empyrical-reloaded', 'empyrical')
nashpy = load('nashpy')
of_nashpy = package('nashpy', 'nashpy')
allantools = load('allantools')
of_allantools = package('allantools', 'allantools')
uncertainties, umath = load('uncertainties'), load('uncertainties.umath')
lineshapes, cost = load('lmfit.lineshapes'), load('iminuit.cost')
of_lmfit, of_iminuit = package('lmfit', 'lmfit.lineshapes'), package('iminuit', 'iminuit.cost')
of_uncertainties = package('uncertainties', 'uncertainties')
T = np.array([1.0, 3.0, 2.5, 4.0])
E = np.array([1, 0, 1, 1])


@of_lifelines(3.0, 1.2)
def weibull(v):
    f = lifelines.WeibullFitter()
    return np.sum(f._cumulative_hazard(v, T))


@of_lifelines(3.0, 1.2)
def weibull_likelihood(v):
    f = lifelines.WeibullFitter()
    return np.sum(f._log_hazard(v, T) * E - f._cumulative_hazard(v, T))


@of_lifelines(1.0, 0.8)
def log_normal(v):
    return np.sum(lifelines.LogNormalFitter()._cumulative_hazard(v, T))


@of_lifelines(2.0, 1.5)
def log_logistic(v):
    return np.sum(lifelines.LogLogisticFitter()._cumulative_hazard(v, T))


@of_lifelines(2.0)
def exponential(x):
    return np.sum(lifelines.ExponentialFitter()._cumulative_hazard([x], T))


@of_lifelines(0.8, 0.7, 1.2)
def generalized_gamma(v):
    return np.sum(lifelines.GeneralizedGammaFitter()._cumulative_hazard(v, T))


@of_lifelines(0.8, 0.7, 1.2)
def piecewise_exponential(v):
    return np.sum(lifelines.PiecewiseExponentialFitter([2.0, 3.5])._cumulative_hazard(v, T))


@of_lifelines(2.0, 1.2)
def incomplete_gamma(v):
    return gamma.gammainc(2.3, v[1]) + gamma.gammaincc(1.4, v[0])


@of_empyrical(0.01, -0.02, 0.03, 0.015)
def sharpe(v):
    return empyrical.sharpe_ratio(v)


@of_empyrical(0.01, -0.02, 0.03, 0.015)
def sortino(v):
    return empyrical.sortino_ratio(v)


@of_empyrical(0.01, -0.02, 0.03, 0.015)
def draw_down(v):
    return empyrical.max_drawdown(v)


@of_empyrical(0.01, -0.02, 0.03, 0.015)
def annual_numbers(v):
    return empyrical.annual_return(v) + empyrical.annual_volatility(v)


@of_empyrical(0.01, -0.02, 0.03, 0.015)
def alpha_and_beta(v):
    return empyrical.beta(v, np.array([0.02, -0.01, 0.01, 0.005])) + empyrical.alpha(v, np.array([0.02, -0.01, 0.01, 0.005]))


@of_empyrical(0.01, -0.02, 0.03, 0.015)
def cumulated(v):
    return empyrical.cum_returns_final(v) + np.sum(empyrical.cum_returns(v))


@of_empyrical(0.01, -0.02, 0.03, 0.015)
def omega(v):
    return empyrical.omega_ratio(v) + empyrical.tail_ratio(v)


@of_nashpy(1.0, -1.0, 0.5, 2.0)
def payoff(v):
    g = nashpy.Game(v.reshape(2, 2), v.reshape(2, 2).T)
    return np.sum(g[np.array([0.3, 0.7]), np.array([0.4, 0.6])] * np.array([1.0, 2.0]))


@of_nashpy(0.3, 0.7)
def replicator(v):
    return np.sum(nashpy.learning.replicator_dynamics.get_derivative_of_fitness(v, 0.0, np.array([[3.0, 2.0], [4.0, 1.0]])) ** 2)


@of_allantools(0.3, 0.7, 0.2, 0.9, 0.4, 0.1)
def allan_deviation(v):
    return np.sum(allantools.adev(v, rate=1.0, data_type='phase', taus=[1.0, 2.0])[1])


@of_allantools(0.3, 0.7, 0.2, 0.9, 0.4, 0.1)
def overlapping_deviation(v):
    return np.sum(allantools.oadev(v, rate=1.0, data_type='freq', taus=[1.0, 2.0])[1])


@of_uncertainties(0.7, 1.3)
def propagated_error(v):
    a, b = uncertainties.ufloat(v[0], 0.1), uncertainties.ufloat(v[1], 0.2)
    c = a * b + b ** 2
    return c.nominal_value


@of_uncertainties(0.7, 1.3)
def standard_deviation(v):
    a, b = uncertainties.ufloat(v[0], 0.1), uncertainties.ufloat(v[1], 0.2)
    c = a * umath.sin(b) + b / a
    return c.std_dev


@of_allantools(0.1, 0.4, 0.3, 0.8, 0.5, 0.2, 0.9, 0.1)
def modified_and_hadamard(v):
    return allantools.mdev(v, rate=1.0, data_type='freq', taus=[1.0, 2.0])[1][0] \
        + allantools.hdev(v, rate=1.0, data_type='freq', taus=[1.0])[1][0]


@of_empyrical(0.01, 0.03, -0.02, 0.04)
def downside(v):
    return empyrical.downside_risk(v) + empyrical.calmar_ratio(v) + empyrical.stability_of_timeseries(v)


@of_empyrical(0.01, 0.03, -0.02, 0.04)
def captured(v):
    market = np.array([0.02, 0.01, -0.01, 0.03])
    return empyrical.capture(v, market) + empyrical.excess_sharpe(v, market) + empyrical.value_at_risk(v, 0.3)


@of_lmfit(0.7, 1.3, 0.4)
def line_shapes(v):
    x = np.linspace(-1.0, 1.0, 5)
    return np.sum(lineshapes.voigt(x, v[0], v[1], v[2]) + lineshapes.pvoigt(x, v[0], v[1], v[2]) + lineshapes.skewed_gaussian(
        x, v[0], v[1], v[2], 0.3) + lineshapes.breit_wigner(x, v[0], v[1], v[2]) + lineshapes.expgaussian(x, v[0], v[1], v[2], 0.6))


@of_iminuit(0.3, 0.4)
def cost_of_least_squares(v):
    line = cost.LeastSquares(np.array([1.0, 2.0, 3.0]), np.array([1.1, 1.8, 3.3]), 0.1, lambda x, a, b: a + b * x)
    return line(v[0], v[1])


@of_iminuit(0.3, 1.4)
def cost_of_likelihood(v):
    bell = cost.UnbinnedNLL(np.array([1.0, 2.0, 3.0]), lambda x, m, s: np.exp(-0.5 * ((x - m) / s) ** 2) / s / 2.5066)
    return bell(v[0], v[1])
