# ruff: noqa - programs as people write them
"""Kernels as libraries have them: economics, statistics, distances between points, orbits, signals."""
import functools
import math

import numpy as np
from numba import jit, njit, prange
import numba as nb

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)


def R(seed=0):
    return np.random.RandomState(seed)


@njit
def hamilton_filter(y, mu, sigma, P, xi0):
    T_, K = y.shape[0], mu.shape[0]
    xi = np.copy(xi0)
    loglik = 0.0
    eta = np.zeros(K)
    for t in range(T_):
        pred = P.T @ xi
        for k in range(K):
            eta[k] = np.exp(-0.5 * ((y[t] - mu[k]) / sigma[k])**2) / (np.sqrt(2 * np.pi) * sigma[k])
        joint = pred * eta
        f = joint.sum()
        loglik += np.log(f)
        xi = joint / f
    return loglik


case(hamilton_filter, R().randn(6), np.array([-1., 1]), np.array([.5, .9]), np.array([[.9, .1], [.2, .8]]), np.array([.5, .5]))


@njit(nogil=True)
def garch_recursion(parameters, fresids, sresids, sigma2, p, o, q, nobs, backcast, var_bounds):
    for t in range(nobs):
        loc = 0
        sigma2[t] = parameters[loc]
        loc += 1
        for j in range(p):
            if (t - 1 - j) < 0:
                sigma2[t] += parameters[loc] * backcast
            else:
                sigma2[t] += parameters[loc] * fresids[t - 1 - j]
            loc += 1
        for j in range(o):
            if (t - 1 - j) < 0:
                sigma2[t] += parameters[loc] * 0.5 * backcast
            else:
                sigma2[t] += (parameters[loc] * fresids[t - 1 - j] * (sresids[t - 1 - j] < 0))
            loc += 1
        for j in range(q):
            if (t - 1 - j) < 0:
                sigma2[t] += parameters[loc] * backcast
            else:
                sigma2[t] += parameters[loc] * sigma2[t - 1 - j]
            loc += 1
        if sigma2[t] < var_bounds[t, 0]:
            sigma2[t] = var_bounds[t, 0]
        elif sigma2[t] > var_bounds[t, 1]:
            if not np.isinf(sigma2[t]):
                sigma2[t] = var_bounds[t, 1] + np.log(sigma2[t] / var_bounds[t, 1])
            else:
                sigma2[t] = var_bounds[t, 1] + 1000
    return sigma2


@njit
def garch_ll(parameters, resids, var_bounds):
    nobs = resids.shape[0]
    sigma2 = np.zeros(nobs)
    garch_recursion(parameters, resids**2, np.sign(resids), sigma2, 1, 1, 1, nobs, np.mean(resids**2), var_bounds)
    return -0.5 * np.sum(np.log(2 * np.pi) + np.log(sigma2) + resids**2 / sigma2)


def ga(n): r = R(3).randn(n); return (np.array([.05, .1, .05, .8]), r, np.column_stack((np.full(n, .01), np.full(n, 1.05))))


case(garch_ll, *ga(8), wrt=[(0, 1)])


@njit
def kalman_loglike(y, F, H, Q, Rm, x0, P0):
    n = y.shape[0]
    x = x0.copy()
    P = P0.copy()
    ll = 0.0
    for t in range(n):
        x = F @ x
        P = F @ P @ F.T + Q
        v = y[t] - H @ x
        S = H @ P @ H.T + Rm
        Si = np.linalg.inv(S)
        K = P @ H.T @ Si
        x = x + K @ v
        P = P - K @ H @ P
        sign, logdet = np.linalg.slogdet(S)
        ll += -0.5 * (len(v) * np.log(2 * np.pi) + logdet + v @ Si @ v)
    return ll


def kf(n, k, m): return (R().randn(n, m), .5*np.eye(k)+.1*R(1).randn(k, k), R(2).randn(m, k), np.eye(k), np.eye(m), np.zeros(k), np.eye(k))


case(kalman_loglike, *kf(3, 2, 1))


@njit
def log_post(q, X, y):
    eta = X @ q
    return np.sum(y * eta - np.log1p(np.exp(eta))) - 0.5 * np.sum(q * q)


@njit
def grad_log_post(q, X, y):
    eta = X @ q
    p = 1 / (1 + np.exp(-eta))
    return X.T @ (y - p) - q


@njit
def hmc_traj(q, p, X, y, eps, L):
    q, p = q.copy(), p.copy()
    p += 0.5 * eps * grad_log_post(q, X, y)
    for i in range(L):
        q += eps * p
        if i != L - 1:
            p += eps * grad_log_post(q, X, y)
    p += 0.5 * eps * grad_log_post(q, X, y)
    return log_post(q, X, y) - 0.5 * np.dot(p, p)


def hm(n, k): return (R().randn(k), R(1).randn(k), R(2).randn(n, k), (R(3).rand(n) > .5).astype(float), 0.1, 4)


case(hmc_traj, *hm(5, 2))


@njit
def rw_metropolis(x0, noise, logu, scale):
    x = x0
    s = 0.0
    lp = -0.5 * x * x
    for k in range(noise.shape[0]):
        prop = x + scale * noise[k]
        lpp = -0.5 * prop * prop
        if logu[k] < lpp - lp:
            x, lp = prop, lpp
        s += x
    return s / noise.shape[0]


case(rw_metropolis, 0.3, R().randn(8), np.log(R(1).rand(8)), 0.7)


@njit
def _norm_logpdf(x, mu, sigma):
    z = (x - mu) * (1 / sigma)
    return -0.5 * (z * z) - np.log(sigma) - 0.5 * np.log(2 * np.pi)


@njit
def _t_logpdf(x, df, loc, scale):
    z = (x - loc) / scale
    k = 0.5 * (df + 1)
    y = math.lgamma(k) - math.lgamma(0.5 * df) - 0.5 * np.log(df * np.pi) - np.log(scale)
    return y - k * np.log(1 + z * z / df)


@njit
def _voigt_like(x, gamma, sigma):
    return np.exp(-x**2 / (2 * sigma**2)) / (1 + (x / gamma)**2)


@njit
def _crystalball_density(z, beta, m):
    if z < -beta:
        n = m - 1
        A = (m / beta)**m * np.exp(-0.5 * beta**2)
        return A * (m / beta - beta - z)**(-m)
    return np.exp(-0.5 * z**2)


@njit(parallel=True)
def crystalball_nll(x, beta, m, loc, scale):
    C = m / beta / (m - 1) * np.exp(-0.5 * beta**2)
    D = np.sqrt(0.5 * np.pi) * (1 + math.erf(beta * np.sqrt(0.5)))
    r = np.empty_like(x)
    for i in prange(len(x)):
        r[i] = _crystalball_density((x[i] - loc) / scale, beta, m) / (scale * (C + D))
    return -np.sum(np.log(r))


case(crystalball_nll, R().randn(8)*2, 0.9, 2.5, .1, 1.2)


@njit
def mixture_nll(x, f, mu, sigma, df, loc, scale):
    s = 0.0
    for xi in x:
        s -= np.log(f * np.exp(_norm_logpdf(xi, mu, sigma)) + (1 - f) * np.exp(_t_logpdf(xi, df, loc, scale)) + 0.1 * _voigt_like(xi, .3, .4))
    return s


case(mixture_nll, R().randn(8), .4, .1, 1.1, 3.0, .2, .8)


@njit
def sabr_vol(F, K, T_, alpha, beta, rho, nu):
    if abs(F - K) < 1e-12:
        FKb = F**(1 - beta)
        return alpha / FKb * (1 + T_ * ((1 - beta)**2 / 24 * alpha**2 / FKb**2 + rho * beta * nu * alpha / (4 * FKb) + (2 - 3 * rho**2) / 24 * nu**2))
    lnFK = math.log(F / K)
    FK = (F * K)**((1 - beta) / 2)
    z = nu / alpha * FK * lnFK
    x = math.log((math.sqrt(1 - 2 * rho * z + z * z) + z - rho) / (1 - rho))
    a = alpha / (FK * (1 + (1 - beta)**2 / 24 * lnFK**2 + (1 - beta)**4 / 1920 * lnFK**4))
    b = 1 + T_ * ((1 - beta)**2 / 24 * alpha**2 / FK**2 + rho * beta * nu * alpha / (4 * FK) + (2 - 3 * rho**2) / 24 * nu**2)
    return a * z / x * b


@njit
def sabr_fit(params, F, strikes, vols, T_):
    alpha, beta, rho, nu = params
    e = 0.0
    for i in range(strikes.size):
        e += (sabr_vol(F, strikes[i], T_, alpha, beta, rho, nu) - vols[i])**2
    return e


case(sabr_fit, np.array([.2, .5, -.3, .4]), .03, np.linspace(.02, .0405, 5), np.full(5, .3), 2.0)


@njit
def ytm(price, coupons, times, guess=0.05):
    y = guess
    for _ in range(50):
        f = -price
        df = 0.0
        for c, t in zip(coupons, times):
            d = (1 + y)**(-t)
            f += c * d
            df -= t * c * d / (1 + y)
        step = f / df
        y -= step
        if abs(step) < 1e-12:
            break
    return y


case(ytm, 95.0, np.array([5., 5, 105]), np.array([1., 2, 3]))


@njit
def cusum(x, threshold, drift):
    gp, gn = np.zeros(x.size), np.zeros(x.size)
    alarms = []
    for i in range(1, x.size):
        s = x[i] - x[i - 1]
        gp[i] = max(gp[i - 1] + s - drift, 0)
        gn[i] = max(gn[i - 1] - s - drift, 0)
        if gp[i] > threshold or gn[i] > threshold:
            alarms.append(i)
            gp[i], gn[i] = 0, 0
    return np.sum(gp * gp) + np.sum(gn) * (len(alarms) + 1)


case(cusum, R().randn(8), 1.5, .05, wrt=[(0, 2)])


@njit(fastmath=True)
def cosine(x, y):
    result = 0.0
    norm_x = 0.0
    norm_y = 0.0
    for i in range(x.shape[0]):
        result += x[i] * y[i]
        norm_x += x[i] * x[i]
        norm_y += y[i] * y[i]
    if norm_x == 0.0 and norm_y == 0.0:
        return 0.0
    elif norm_x == 0.0 or norm_y == 0.0:
        return 1.0
    else:
        return 1.0 - (result / np.sqrt(norm_x * norm_y))


@njit(fastmath=True)
def correlation(x, y):
    mu_x = 0.0
    mu_y = 0.0
    norm_x = 0.0
    norm_y = 0.0
    dot_product = 0.0
    for i in range(x.shape[0]):
        mu_x += x[i]
        mu_y += y[i]
    mu_x /= x.shape[0]
    mu_y /= x.shape[0]
    for i in range(x.shape[0]):
        shifted_x = x[i] - mu_x
        shifted_y = y[i] - mu_y
        norm_x += shifted_x**2
        norm_y += shifted_y**2
        dot_product += shifted_x * shifted_y
    if norm_x == 0.0 and norm_y == 0.0:
        return 0.0
    elif dot_product == 0.0:
        return 1.0
    else:
        return 1.0 - (dot_product / np.sqrt(norm_x * norm_y))


@njit()
def minkowski(x, y, p=2):
    result = 0.0
    for i in range(x.shape[0]):
        result += (np.abs(x[i] - y[i])) ** p
    return result ** (1.0 / p)


@njit()
def bray_curtis(x, y):
    numerator = 0.0
    denominator = 0.0
    for i in range(x.shape[0]):
        numerator += np.abs(x[i] - y[i])
        denominator += np.abs(x[i] + y[i])
    if denominator > 0.0:
        return float(numerator) / denominator
    else:
        return 0.0


@njit()
def canberra(x, y):
    result = 0.0
    for i in range(x.shape[0]):
        denominator = np.abs(x[i]) + np.abs(y[i])
        if denominator > 0:
            result += np.abs(x[i] - y[i]) / denominator
    return result


@njit(fastmath=True)
def hellinger(x, y):
    result = 0.0
    l1_norm_x = 0.0
    l1_norm_y = 0.0
    for i in range(x.shape[0]):
        result += np.sqrt(x[i] * y[i])
        l1_norm_x += x[i]
        l1_norm_y += y[i]
    if l1_norm_x == 0 and l1_norm_y == 0:
        return 0.0
    elif l1_norm_x == 0 or l1_norm_y == 0:
        return 1.0
    else:
        return np.sqrt(1 - result / np.sqrt(l1_norm_x * l1_norm_y))


@njit()
def haversine(x, y):
    if x.shape[0] != 2:
        raise ValueError("haversine is only defined for 2 dimensional data")
    sin_lat = np.sin(0.5 * (x[0] - y[0]))
    sin_long = np.sin(0.5 * (x[1] - y[1]))
    result = np.sqrt(sin_lat**2 + np.cos(x[0]) * np.cos(y[0]) * sin_long**2)
    return 2.0 * np.arcsin(result)


@njit(fastmath=True)
def wasserstein_1d(x, y, p=1):
    x_sum = 0.0
    y_sum = 0.0
    for i in range(x.shape[0]):
        x_sum += x[i]
        y_sum += y[i]
    x_cdf = x / x_sum
    y_cdf = y / y_sum
    for i in range(1, x_cdf.shape[0]):
        x_cdf[i] += x_cdf[i - 1]
        y_cdf[i] += y_cdf[i - 1]
    return minkowski(x_cdf, y_cdf, p)


@njit(fastmath=True)
def jensen_shannon_divergence(x, y):
    result = 0.0
    l1_norm_x = 0.0
    l1_norm_y = 0.0
    dim = x.shape[0]
    for i in range(dim):
        l1_norm_x += x[i]
        l1_norm_y += y[i]
    l1_norm_x += 1e-8 * dim
    l1_norm_y += 1e-8 * dim
    pdf_x = (x + 1e-8) / l1_norm_x
    pdf_y = (y + 1e-8) / l1_norm_y
    m = 0.5 * (pdf_x + pdf_y)
    for i in range(dim):
        result += 0.5 * (pdf_x[i] * np.log(pdf_x[i] / m[i]) + pdf_y[i] * np.log(pdf_y[i] / m[i]))
    return result


@njit
def all_distances(x, y):
    return (cosine(x, y) + correlation(x, y) * minkowski(x, y, 3) + bray_curtis(x, y) + canberra(x, y) + hellinger(x, y) + haversine(x[:2], y[:2])
            + wasserstein_1d(x, y) + jensen_shannon_divergence(x, y))


case(all_distances, R().rand(5)+.1, R(1).rand(5)+.1)


@jit(nopython=True)
def newton_kepler(M, ecc, tol=1.48e-08, maxiter=50):
    E0 = M + ecc * np.sin(M)
    p0 = E0
    for _ in range(maxiter):
        fval = p0 - ecc * np.sin(p0) - M
        fder = 1 - ecc * np.cos(p0)
        newton_step = fval / fder
        p = p0 - newton_step
        if abs(p - p0) < tol:
            return p
        p0 = p
    return np.nan


case(newton_kepler, 0.7, 0.3)


@jit(nopython=True)
def localmax_interp(x):
    best = 0.0
    for i in range(1, len(x) - 1):
        if x[i - 1] < x[i] >= x[i + 1]:
            a = x[i + 1] + x[i - 1] - 2 * x[i]
            b = (x[i + 1] - x[i - 1]) / 2
            if abs(b) < abs(a):
                best += i - b / a
    return best


case(localmax_interp, R().randn(8))
