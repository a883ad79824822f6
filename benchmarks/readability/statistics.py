"""Likelihoods and losses over arrays of data, and over series."""
import numpy as np

from benchmarks.readability import Program


def normal_loglik(mu, sigma, x):
    z = (x - mu) / sigma
    return -0.5 * np.sum(z ** 2) - len(x) * np.log(sigma)


def normal_loglik_adjoint(mu, sigma, x, bf=1.0):
    z = (x - mu) / sigma
    bmu = bf * np.sum(z) / sigma
    bsigma = bf * (np.sum(z ** 2) - len(x)) / sigma
    return bmu, bsigma


def logistic_regression(w, b, x, y):
    z = x @ w + b
    return np.sum(np.log1p(np.exp(z)) - y * z)


def logistic_regression_adjoint(w, b, x, y, bf=1.0):
    z = x @ w + b
    bz = bf * (1 / (1 + np.exp(-z)) - y)
    return x.T @ bz, np.sum(bz)


def cross_entropy(logits, labels):
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    logp = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(logp[np.arange(len(labels)), labels])


def cross_entropy_adjoint(logits, labels, bf=1.0):
    e = np.exp(logits - np.max(logits, axis=1, keepdims=True))
    blogits = e / np.sum(e, axis=1, keepdims=True)
    blogits[np.arange(len(labels)), labels] -= 1
    return bf * blogits / len(labels)


def ridge(w, x, y, strength):
    residual = x @ w - y
    return 0.5 * np.mean(residual ** 2) + 0.5 * strength * np.sum(w ** 2)


def ridge_adjoint(w, x, y, strength, bf=1.0):
    residual = x @ w - y
    bw = bf * (x.T @ residual / len(y) + strength * w)
    bstrength = 0.5 * bf * np.sum(w ** 2)
    return bw, bstrength


def mixture(logits, means, log_scales, x):
    """The log-likelihood of a mixture of normal distributions."""
    z = (x[:, None] - means) / np.exp(log_scales)
    weights = logits - np.log(np.sum(np.exp(logits)))
    parts = weights - log_scales - 0.5 * z ** 2
    top = np.max(parts, axis=1)
    return np.sum(top + np.log(np.sum(np.exp(parts - top[:, None]), axis=1)))


def mixture_adjoint(logits, means, log_scales, x, bf=1.0):
    scales = np.exp(log_scales)
    z = (x[:, None] - means) / scales
    prior = np.exp(logits) / np.sum(np.exp(logits))
    parts = np.log(prior) - log_scales - 0.5 * z ** 2
    e = np.exp(parts - np.max(parts, axis=1, keepdims=True))
    bparts = bf * e / np.sum(e, axis=1, keepdims=True)
    bweights = np.sum(bparts, axis=0)
    blogits = bweights - prior * np.sum(bweights)
    bmeans = np.sum(bparts * z, axis=0) / scales
    blog_scales = np.sum(bparts * (z ** 2 - 1), axis=0)
    return blogits, bmeans, blog_scales


def garch(omega, alpha, beta, returns):
    """The negative log-likelihood of GARCH(1, 1)."""
    variance = np.var(returns)
    total = 0.0
    for r in returns:
        total += 0.5 * (np.log(variance) + r ** 2 / variance)
        variance = omega + alpha * r ** 2 + beta * variance
    return total


def garch_adjoint(omega, alpha, beta, returns, bf=1.0):
    variances = [np.var(returns)]
    for r in returns[:-1]:
        variances.append(omega + alpha * r ** 2 + beta * variances[-1])
    bomega = balpha = bbeta = bvariance = 0.0
    for r, variance in zip(returns[::-1], reversed(variances)):
        bomega += bvariance
        balpha += bvariance * r ** 2
        bbeta += bvariance * variance
        bvariance = bvariance * beta + 0.5 * bf * (1 - r ** 2 / variance) / variance
    return bomega, balpha, bbeta


def holt(alpha, beta, series):
    """The squared errors of forecasts by double exponential smoothing."""
    level, trend = series[0], 0.0
    total = 0.0
    for y in series[1:]:
        error = y - level - trend
        total += error ** 2
        level = level + trend + alpha * error
        trend = trend + alpha * beta * error
    return total


def holt_adjoint(alpha, beta, series, bf=1.0):
    level, trend = series[0], 0.0
    errors = []
    for y in series[1:]:
        error = y - level - trend
        errors.append(error)
        level = level + trend + alpha * error
        trend = trend + alpha * beta * error
    balpha = bbeta = blevel = btrend = 0.0
    for error in reversed(errors):
        balpha += (blevel + btrend * beta) * error
        bbeta += btrend * alpha * error
        berror = 2 * bf * error + alpha * blevel + alpha * beta * btrend
        btrend += blevel - berror
        blevel -= berror
    return balpha, bbeta


def correlation(x, y):
    dx = x - np.mean(x)
    dy = y - np.mean(y)
    return np.sum(dx * dy) / np.sqrt(np.sum(dx ** 2) * np.sum(dy ** 2))


def correlation_adjoint(x, y, bf=1.0):
    dx = x - np.mean(x)
    dy = y - np.mean(y)
    xx, yy, xy = np.sum(dx ** 2), np.sum(dy ** 2), np.sum(dx * dy)
    scale = bf / np.sqrt(xx * yy)
    bx = scale * (dy - xy / xx * dx)
    by = scale * (dx - xy / yy * dy)
    return bx, by


def autoregression(a, b, x):
    """The squared residuals of a series that follows its last two values."""
    residual = x[2:] - a * x[1:-1] - b * x[:-2]
    return np.sum(residual ** 2)


def autoregression_adjoint(a, b, x, bf=1.0):
    bresidual = 2 * bf * (x[2:] - a * x[1:-1] - b * x[:-2])
    ba = -np.sum(bresidual * x[1:-1])
    bb = -np.sum(bresidual * x[:-2])
    bx = np.zeros_like(x)
    bx[2:] += bresidual
    bx[1:-1] -= a * bresidual
    bx[:-2] -= b * bresidual
    return ba, bb, bx


PROGRAMS = [
    Program(normal_loglik, normal_loglik_adjoint, (0, 1), lambda rng: (0.1, 1.3, rng.normal(size=100))),
    Program(logistic_regression, logistic_regression_adjoint, (0, 1), lambda rng: (
        rng.normal(size=4), 0.2, rng.normal(size=(50, 4)), rng.integers(0, 2, 50).astype(float))),
    Program(cross_entropy, cross_entropy_adjoint, (0,), lambda rng: (rng.normal(size=(20, 5)), rng.integers(0, 5, 20))),
    Program(ridge, ridge_adjoint, (0, 3), lambda rng: (rng.normal(size=4), rng.normal(size=(50, 4)), rng.normal(size=50), 0.3)),
    Program(mixture, mixture_adjoint, (0, 1, 2), lambda rng: (
        rng.normal(size=3), rng.normal(size=3), 0.3 * rng.normal(size=3), rng.normal(size=50))),
    Program(garch, garch_adjoint, (0, 1, 2), lambda rng: (0.1, 0.15, 0.7, rng.normal(size=40))),
    Program(holt, holt_adjoint, (0, 1), lambda rng: (0.5, 0.3, np.cumsum(rng.normal(size=40)))),
    Program(correlation, correlation_adjoint, (0, 1), lambda rng: (rng.normal(size=50), rng.normal(size=50))),
    Program(autoregression, autoregression_adjoint, (0, 1, 2), lambda rng: (0.5, 0.2, rng.normal(size=50))),
]
