"""Functions of samples from `scipy.stats`, in plain NumPy; see `table`.

Values that are nan are passed on, as SciPy does by default; other policies are refused.
"""
import dataclasses
from typing import NamedTuple

import numpy as np
import scipy.special
import scipy.stats

from tangent.errors import ArgumentError


class Test(NamedTuple):
    statistic: object
    pvalue: object


class Line(NamedTuple):
    slope: object
    intercept: object
    rvalue: object
    pvalue: object
    stderr: object


def plain(name, nan_policy='propagate', alternative='two-sided'):
    if nan_policy != 'propagate' or alternative != 'two-sided':
        raise ArgumentError(f'scipy.stats.{name}: only nan_policy="propagate" and alternative="two-sided" have a derivative '
                            'rule')


def samples_axis(axis):
    """The axis of the samples, once `samples_of` has put them in one row."""
    return 0 if axis is None else axis


def samples_of(a, axis):
    """The samples: all in one row for no axis."""
    return np.ravel(a) if axis is None else np.asarray(a)


def central(a, order, axis, keepdims=False):
    """A moment about the mean."""
    return np.mean(product(a - np.mean(a, axis=axis, keepdims=True), order), axis=axis, keepdims=keepdims)


def product(x, count):
    """`x ** count`."""
    total = np.ones_like(x)
    for _ in range(count):
        total = total * x
    return total


def weighted(a, axis, weights, keepdims):
    """The mean, with weights where there are any."""
    if weights is None:
        return np.mean(a, axis=axis, keepdims=keepdims)
    return np.average(a, axis=axis, weights=weights, keepdims=keepdims)


def moment(a, order=1, axis=0, nan_policy='propagate', *, center=None, keepdims=False):
    plain('moment', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    center = np.mean(a, axis=axis, keepdims=True) if center is None else center
    return np.mean(product(a - center, order), axis=axis, keepdims=keepdims)


def skew(a, axis=0, bias=True, nan_policy='propagate', *, keepdims=False):
    plain('skew', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    n = np.shape(a)[axis]
    found = central(a, 3, axis, keepdims) / central(a, 2, axis, keepdims) ** 1.5
    return found if bias else found * np.sqrt((n - 1.0) * n) / (n - 2.0)


def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy='propagate', *, keepdims=False):
    plain('kurtosis', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    n = np.shape(a)[axis]
    found = central(a, 4, axis, keepdims) / central(a, 2, axis, keepdims) ** 2
    if not bias:
        found = ((n ** 2 - 1.0) * found - 3 * (n - 1) ** 2.0) / ((n - 2.0) * (n - 3.0)) + 3.0
    return found - 3 if fisher else found


def variation(a, axis=0, nan_policy='propagate', ddof=0, *, keepdims=False):
    plain('variation', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / np.mean(a, axis=axis, keepdims=keepdims)


def trim_mean(a, proportiontocut, axis=0, *, nan_policy='propagate', keepdims=False):
    plain('trim_mean', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    size = np.shape(a)[axis]
    cut = int(proportiontocut * size)
    return np.mean(np.take(np.sort(a, axis=axis), np.arange(cut, size - cut), axis=axis), axis=axis, keepdims=keepdims)


def sem(a, axis=0, ddof=1, nan_policy='propagate', *, keepdims=False):
    plain('sem', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / np.sqrt(np.shape(a)[axis])


def zscore(a, axis=0, ddof=0, nan_policy='propagate'):
    return zmap(a, a, axis, ddof, nan_policy)


def zmap(scores, compare, axis=0, ddof=0, nan_policy='propagate'):
    plain('zscore', nan_policy)
    return (scores - np.mean(compare, axis=axis, keepdims=True)) / np.std(compare, axis=axis, ddof=ddof, keepdims=True)


def gzscore(a, *, axis=0, ddof=0, nan_policy='propagate'):
    return zscore(np.log(a), axis, ddof, nan_policy)


def gmean(a, axis=0, dtype=None, weights=None, nan_policy='propagate', *, keepdims=False):
    plain('gmean', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    return np.exp(weighted(np.log(a), axis, weights, keepdims))


def hmean(a, axis=0, dtype=None, *, weights=None, nan_policy='propagate', keepdims=False):
    plain('hmean', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    return 1.0 / weighted(1.0 / a, axis, weights, keepdims)


def pmean(a, p, *, axis=0, dtype=None, weights=None, nan_policy='propagate', keepdims=False):
    plain('pmean', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    if is_zero(p):
        return gmean(a, axis, weights=weights, keepdims=keepdims)
    return weighted(a ** p, axis, weights, keepdims) ** (1 / p)


def is_zero(p):
    """Whether a power is that of the geometric mean."""
    return p == 0


def gstd(a, axis=0, ddof=1, *, keepdims=False, nan_policy='propagate'):
    plain('gstd', nan_policy)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    return np.exp(np.std(np.log(a), axis=axis, ddof=ddof, keepdims=keepdims))


def iqr(x, axis=None, rng=(25, 75), scale=1.0, nan_policy='propagate', interpolation='linear', keepdims=False):
    plain('iqr', nan_policy)
    low = np.percentile(x, rng[0], axis=axis, method=interpolation, keepdims=keepdims)
    return (np.percentile(x, rng[1], axis=axis, method=interpolation, keepdims=keepdims) - low) / scale


def median_abs_deviation(x, axis=0, center=np.median, scale=1.0, nan_policy='propagate', *, keepdims=False):
    plain('median_abs_deviation', nan_policy)
    if center is not np.median or isinstance(scale, str):
        raise ArgumentError('scipy.stats.median_abs_deviation: only the median for center, and numbers for scale, have a '
                            'derivative rule')
    x = samples_of(x, axis)
    axis = samples_axis(axis)
    return np.median(np.abs(x - np.median(x, axis=axis, keepdims=True)), axis=axis, keepdims=keepdims) / scale


def entropy(pk, qk=None, base=None, axis=0, *, nan_policy='propagate', keepdims=False):
    plain('entropy', nan_policy)
    pk = pk / np.sum(pk, axis=axis, keepdims=True)
    if qk is None:
        found = np.sum(scipy.special.entr(pk), axis=axis, keepdims=keepdims)
    else:
        found = np.sum(scipy.special.rel_entr(pk, qk / np.sum(qk, axis=axis, keepdims=True)), axis=axis, keepdims=keepdims)
    return found if base is None else found / np.log(base)


def by_beta(r, n):
    """The probability of a correlation that is as large."""
    return 2 * scipy.special.betainc(n / 2 - 1, n / 2 - 1, 0.5 * (1 - np.abs(r)))


def pearsonr(x, y, *, alternative='two-sided', method=None, axis=0):
    plain('pearsonr', alternative=alternative)
    if method is not None:
        raise ArgumentError('scipy.stats.pearsonr: method has no derivative rule')
    x = x - np.mean(x, axis=axis, keepdims=True)
    y = y - np.mean(y, axis=axis, keepdims=True)
    r = np.sum(x * y, axis=axis) / np.sqrt(np.sum(x * x, axis=axis) * np.sum(y * y, axis=axis))
    return Test(r, by_beta(r, np.shape(x)[axis]))


def linregress(x, y, alternative='two-sided', *, axis=0, nan_policy='propagate'):
    plain('linregress', nan_policy, alternative)
    n = np.shape(x)[axis]
    dx, dy = x - np.mean(x, axis=axis, keepdims=True), y - np.mean(y, axis=axis, keepdims=True)
    xx, xy, yy = np.sum(dx * dx, axis=axis), np.sum(dx * dy, axis=axis), np.sum(dy * dy, axis=axis)
    slope, r = xy / xx, xy / np.sqrt(xx * yy)
    error = np.sqrt((1 - r ** 2) * yy / xx / (n - 2))
    return Line(slope, np.mean(y, axis=axis) - slope * np.mean(x, axis=axis), r, by_beta(r, n), error)


def tails(t, df):
    """The probability of a value of t that is as far from 0."""
    return 2 * scipy.special.stdtr(df, -np.abs(t))


def ttest_1samp(a, popmean, axis=0, nan_policy='propagate', alternative='two-sided', *, keepdims=False):
    plain('ttest_1samp', nan_policy, alternative)
    a = samples_of(a, axis)
    axis = samples_axis(axis)
    n = np.shape(a)[axis]
    t = (np.mean(a, axis=axis, keepdims=keepdims) - popmean) / (np.std(a, axis=axis, ddof=1, keepdims=keepdims) / np.sqrt(n))
    return Test(t, tails(t, n - 1.0))


def ttest_rel(a, b, axis=0, nan_policy='propagate', alternative='two-sided', *, keepdims=False):
    return ttest_1samp(a - b, 0.0, axis, nan_policy, alternative, keepdims=keepdims)


def ttest_ind(a, b, *, axis=0, equal_var=True, nan_policy='propagate', alternative='two-sided', trim=0, method=None):
    plain('ttest_ind', nan_policy, alternative)
    if trim or method is not None:
        raise ArgumentError('scipy.stats.ttest_ind: trim and method have no derivative rule')
    n, m = np.shape(a)[axis], np.shape(b)[axis]
    va, vb = np.var(a, axis=axis, ddof=1), np.var(b, axis=axis, ddof=1)
    if equal_var:
        df, size = n + m - 2.0, ((n - 1) * va + (m - 1) * vb) / (n + m - 2.0) * (1 / n + 1 / m)
    else:
        size = va / n + vb / m
        df = size ** 2 / ((va / n) ** 2 / (n - 1) + (vb / m) ** 2 / (m - 1))
    t = (np.mean(a, axis=axis) - np.mean(b, axis=axis)) / np.sqrt(size)
    return Test(t, tails(t, df))


def boxcox_llf(lmb, data, *, axis=0, keepdims=False, nan_policy='propagate'):
    plain('boxcox_llf', nan_policy)
    logs = np.log(data)
    spread = np.var(scipy.special.boxcox(data, lmb), axis=axis, keepdims=keepdims)
    return (lmb - 1) * np.sum(logs, axis=axis, keepdims=keepdims) - np.shape(data)[axis] / 2 * np.log(spread)


def wasserstein_distance(u_values, v_values, u_weights=None, v_weights=None):
    if u_weights is not None or v_weights is not None:
        raise ArgumentError('scipy.stats.wasserstein_distance: weights have no derivative rule')
    every = np.sort(np.concatenate([u_values, v_values]))
    gaps = np.abs(share_below(u_values, every) - share_below(v_values, every))
    return np.sum(gaps * np.diff(every))


def share_below(values, points):
    """Which part of the values is no larger than each point but the last."""
    return np.searchsorted(np.sort(values), points[:-1], 'right') / len(values)


@dataclasses.dataclass
class Kernels:
    """`scipy.stats.gaussian_kde`: the data, their weights, the covariance of a kernel."""
    data: object
    weights: object
    covariance: object

    def evaluate(self, points):
        return np.exp(logs(self, points))

    def pdf(self, x):
        return np.exp(logs(self, x))

    def logpdf(self, x):
        return logs(self, x)

    def __call__(self, points):
        return np.exp(logs(self, points))


def logs(kernels, x):
    """The logarithm of an estimated density."""
    points = np.reshape(x, (len(kernels.data), -1))
    apart = np.expand_dims(points, 2) - np.expand_dims(kernels.data, 1)
    solved = np.linalg.solve(kernels.covariance, np.reshape(apart, (len(kernels.data), -1)))
    size = np.sum(apart * np.reshape(solved, apart.shape), axis=0)
    constant = np.linalg.slogdet(2 * np.pi * kernels.covariance)[1]
    return scipy.special.logsumexp(-0.5 * size, axis=1, b=kernels.weights) - 0.5 * constant


def gaussian_kde(dataset, bw_method=None, weights=None):
    data = np.atleast_2d(dataset)
    d, n = data.shape
    weights = np.full(n, 1.0 / n) if weights is None else weights / np.sum(weights)
    size = 1 / np.sum(weights ** 2)
    if bw_method is None or bw_method == 'scott':
        factor = size ** (-1.0 / (d + 4))
    elif bw_method == 'silverman':
        factor = (size * (d + 2.0) / 4.0) ** (-1.0 / (d + 4))
    elif callable(bw_method):
        raise ArgumentError('scipy.stats.gaussian_kde: a function for bw_method has no derivative rule; give a number')
    else:
        factor = bw_method
    rest = data - np.reshape(data @ weights, (d, 1))
    covariance = (rest * weights) @ rest.T / (1 - np.sum(weights ** 2))
    return Kernels(data, weights, covariance * factor ** 2)


FUNCTIONS = (moment, skew, kurtosis, variation, trim_mean, sem, zscore, zmap, gzscore, gmean, hmean, pmean, gstd, iqr,
             median_abs_deviation, entropy, pearsonr, linregress, ttest_1samp, ttest_rel, ttest_ind, boxcox_llf,
             wasserstein_distance, gaussian_kde)
TABLE = {getattr(scipy.stats, f.__name__): f for f in FUNCTIONS}
