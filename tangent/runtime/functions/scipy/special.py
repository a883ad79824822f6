"""Run-time functions for rules about special functions: those with several values, elliptic ones, Voigt's profile."""
import numpy as np
import scipy.special

from tangent.runtime.broadcast import unbroadcast


def untuple(d, slopes, x):
    """The gradient of `x`, from those of the values of a function that works element by element."""
    total = 0.0
    for k in range(len(slopes)):
        if d[k] is not None:
            total = total + d[k] * slopes[k]
    return unbroadcast(total + 0 * x, x)


def push_tuple(dx, slopes):
    """The tangents of the values of a function that works element by element."""
    found = []
    for slope in slopes:
        found.append(slope * dx)
    return tuple(found)


def add_tuples(one, two):
    """The sums of the tangents by two arguments."""
    found = []
    for a, b in zip(one, two):
        found.append(a + b)
    return tuple(found)


def elliptic_rest(phi, m):
    """The integral of sin(t)**2 / sqrt(1 - m sin(t)**2) from 0 to phi, `(F - E) / m`; near m = 0 by its series."""
    near = np.abs(m) < 0.01
    few, many = np.where(near, m, 0), np.where(near, 0.5, m)
    sine = np.sin(phi)
    power, part, factor, series = sine, phi, 1.0, 0.0
    for k in range(9):
        part = (part * (2 * k + 1) - np.cos(phi) * power) / (2 * k + 2)
        series = series + factor * part
        power, factor = power * sine ** 2, factor * few * (2 * k + 1) / (2 * k + 2)
    whole = (scipy.special.ellipkinc(phi, many) - scipy.special.ellipeinc(phi, many)) / many
    return np.where(near, series, whole)[()]


def ellipkinc_slope(phi, m, y):
    """The derivative of `y = scipy.special.ellipkinc(phi, m)` by m."""
    return (y - elliptic_rest(phi, m) - np.sin(phi) * np.cos(phi) / np.sqrt(1 - m * np.sin(phi) ** 2)) / (2 * (1 - m))


def amplitude_slope(y, u, m):
    """The derivative of the amplitude of `y = scipy.special.ellipj(u, m)` by m (DLMF 22.16)."""
    return y[2] / (2 * (1 - m)) * (elliptic_rest(y[3], m) - u + y[0] * y[1] / y[2])


def voigt_slope(x, sigma, gamma):
    """The derivatives of `scipy.special.voigt_profile(x, sigma, gamma)` by x and by gamma."""
    z = (x + 1j * gamma) / (sigma * np.sqrt(2))
    slope = 2j / np.sqrt(np.pi) - 2 * z * scipy.special.wofz(z)
    scale = 2 * np.sqrt(np.pi) * sigma ** 2
    return slope.real / scale, -slope.imag / scale


# Incomplete gamma and beta functions, by their parameters: their series (DLMF 8.7.1, 8.17.8) term by term

def gamma_terms(a, x):
    """How many terms of the series of the incomplete gamma function count: their size falls once n exceeds x."""
    largest = float(np.max(np.where(np.isfinite(x), x, 0), initial=1.0))
    return int(largest + 12 * np.sqrt(largest) + 40)


def gammainc_slope(a, x):
    """The derivative of `scipy.special.gammainc(a, x)` by a."""
    none = np.logical_or(x == 0, np.isinf(x))
    point = np.where(none, 1.0, x)
    term = np.exp(a * np.log(point) - point - scipy.special.gammaln(a + 1))
    level = np.log(point) - scipy.special.digamma(a + 1)
    total = term * level
    for n in range(1, gamma_terms(a, x)):
        term = term * point / (a + n)
        level = level - 1 / (a + n)
        total = total + term * level
    return np.where(none, 0.0, total)[()]


def beta_terms(a, b, x):
    """How many terms of the series of the incomplete beta function count."""
    steps, term = 0, np.ones(np.shape(a + b + x))
    while np.any(term > 1e-18) and steps < 20000:
        term = term * x * (a + b + steps) / (a + 1 + steps)
        steps += 1
    return steps


def betainc_slopes(a, b, x):
    """The derivatives of `scipy.special.betainc(a, b, x)` by a and by b."""
    turn = x > (a + 1) / (a + b + 2)
    p, q, z = np.where(turn, b, a), np.where(turn, a, b), np.where(turn, 1 - x, x)
    none = z == 0
    z = np.where(none, 0.5, z)
    first = np.exp(p * np.log(z) + q * np.log1p(-z) - scipy.special.betaln(p, q)) / p
    level = np.log(z) - 1 / p - scipy.special.digamma(p) + scipy.special.digamma(p + q)
    term, both, one, by_p, by_q = 1.0, 0.0, 0.0, level, np.log1p(-z) - scipy.special.digamma(q) + scipy.special.digamma(p + q)
    total, sum_p, sum_q = 1.0, 0.0, 0.0
    for n in range(beta_terms(p, q, z)):
        both, one = both + 1 / (p + q + n), one + 1 / (p + 1 + n)
        term = term * z * (p + q + n) / (p + 1 + n)
        total, sum_p, sum_q = total + term, sum_p + term * (both - one), sum_q + term * both
    by_p, by_q = first * (by_p * total + sum_p), first * (by_q * total + sum_q)
    by_a, by_b = np.where(turn, -by_q, by_p), np.where(turn, -by_p, by_q)
    return np.where(none, 0.0, by_a)[()], np.where(none, 0.0, by_b)[()]


def stdtr_slope(df, t):
    """The derivative of `scipy.special.stdtr(df, t)` by df."""
    x = df / (df + t * t)
    power = np.exp(-np.log1p(t * t / df) * (df / 2) - scipy.special.betaln(df / 2, 0.5))
    return -np.sign(t) / 2 * (betainc_slopes(df / 2, 0.5, x)[0] / 2 + power * np.abs(t) / (df * np.sqrt(df + t * t)))


def fdtr_slopes(dfn, dfd, x):
    """The derivatives of `scipy.special.fdtr(dfn, dfd, x)` by its degrees of freedom."""
    share = dfn * x / (dfn * x + dfd)
    inner = np.exp(np.log(share) * (dfn / 2) + np.log1p(-share) * (dfd / 2) - scipy.special.betaln(dfn / 2, dfd / 2))
    by_a, by_b = betainc_slopes(dfn / 2, dfd / 2, share)
    return by_a / 2 + inner / dfn, by_b / 2 - inner / dfd
