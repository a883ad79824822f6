"""The functions of `statistics`, in arithmetic that can be differentiated.

The standard library adds up exact ratios of integers, through which no derivative flows. These compute the same in the
arithmetic of the data: floats in floats, fractions exactly.
"""
import math
import statistics
from statistics import LinearRegression, StatisticsError


def mean(data):
    data = list(data)
    if len(data) < 1:
        raise StatisticsError('mean requires at least one data point')
    return sum(data) / len(data)


def fmean(data, weights=None):
    data = list(data)
    if len(data) < 1:
        raise StatisticsError('fmean requires at least one data point')
    if weights is None:
        return math.fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError('data and weights must be the same length')
    total = 0.0
    for x, w in zip(data, weights):
        total = total + x * w
    return total / math.fsum(weights)


def geometric_mean(data):
    data = list(data)
    total = 0.0
    for x in data:
        if x <= 0:
            raise StatisticsError('No negative inputs allowed')
        total = total + math.log(x)
    return math.exp(total / len(data))


def harmonic_mean(data, weights=None):
    data = list(data)
    weights = [1] * len(data) if weights is None else list(weights)
    if len(data) < 1 or len(weights) != len(data):
        raise StatisticsError('harmonic_mean requires at least one data point, and as many weights')
    if min(data) < 0:
        raise StatisticsError('harmonic mean does not support negative values')
    if min(data) == 0:
        return 0 * sum(data)
    total, top = 0, 0
    for x, w in zip(data, weights):
        total = total + w / x
        top = top + w
    return top / total


def squares(data, center):
    """The sum of the squared distances from the center."""
    total = 0
    for x in data:
        total = total + (x - center) * (x - center)
    return total


def variance(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError('variance requires at least two data points')
    center = sum(data) / len(data) if xbar is None else xbar
    return squares(data, center) / (len(data) - 1)


def pvariance(data, mu=None):
    data = list(data)
    if len(data) < 1:
        raise StatisticsError('pvariance requires at least one data point')
    center = sum(data) / len(data) if mu is None else mu
    return squares(data, center) / len(data)


def stdev(data, xbar=None):
    return math.sqrt(variance(data, xbar))


def pstdev(data, mu=None):
    return math.sqrt(pvariance(data, mu))


def mean_stdev(data):
    data = list(data)
    return sum(data) / len(data), stdev(data)


def products(x, y):
    """The sum of the products of the distances from the means."""
    if len(x) != len(y) or len(x) < 2:
        raise StatisticsError('both inputs must have the same number of data points, and at least two')
    xbar = sum(x) / len(x)
    ybar = sum(y) / len(y)
    total = 0.0
    for a, b in zip(x, y):
        total = total + (a - xbar) * (b - ybar)
    return total


def covariance(x, y, /):
    x, y = list(x), list(y)
    return products(x, y) / (len(x) - 1)


def correlation(x, y, /, *, method='linear'):
    if method != 'linear':
        raise ValueError('the correlation of ranks has no derivative')
    x, y = list(x), list(y)
    return products(x, y) / math.sqrt(products(x, x) * products(y, y))


def linear_regression(x, y, /, *, proportional=False):
    x, y = list(x), list(y)
    if proportional:
        top, bottom = 0.0, 0.0
        for a, b in zip(x, y):
            top = top + a * b
            bottom = bottom + a * a
        return LinearRegression(slope=top / bottom, intercept=0.0)
    slope = products(x, y) / products(x, x)
    return LinearRegression(slope=slope, intercept=sum(y) / len(y) - slope * (sum(x) / len(x)))


FUNCTIONS = (mean, fmean, geometric_mean, harmonic_mean, variance, pvariance, stdev, pstdev, covariance, correlation,
             linear_regression)
TABLE = {getattr(statistics, f.__name__): f for f in FUNCTIONS}
if hasattr(statistics, '_mean_stdev'):               # what NormalDist.from_samples calls
    TABLE[statistics._mean_stdev] = mean_stdev
