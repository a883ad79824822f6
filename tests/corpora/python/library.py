"""Libraries in pure Python that nobody wrote for us."""
import colorsys
import math
import statistics
from decimal import Decimal
from fractions import Fraction

import numpy as np

from tests.tools.registry import program


@program('colorsys', 0.3, 0.7, 0.5)
def to_hsv(r, g, b):
    h, s, v = colorsys.rgb_to_hsv(r, g, b)
    return h + 2 * s + 3 * v


@program('colorsys', 0.3, 0.7, 0.5)
def from_hsv(h, s, v):
    r, g, b = colorsys.hsv_to_rgb(h, s, v)
    return r + 2 * g + 3 * b


@program('colorsys', 0.3, 0.75, 0.5)
def through_hls(r, g, b):
    h, lightness, s = colorsys.rgb_to_hls(r, g, b)
    r2, g2, b2 = colorsys.hls_to_rgb(h + 0.1, lightness * 0.9, s)
    return r2 * g2 + b2


@program('colorsys', 0.3, 0.7, 0.5)
def to_yiq(r, g, b):
    y, i, q = colorsys.rgb_to_yiq(r, g, b)
    return y * i + q ** 2


@program('statistics', [0.3, 0.9, 1.4, 0.2])
def mean(xs):
    return statistics.mean(xs) ** 2


@program('statistics', [0.3, 0.9, 1.4, 0.2])
def fmean(xs):
    return statistics.fmean(xs) ** 2


@program('statistics', [0.3, 0.9, 1.4, 0.2])
def variance(xs):
    return statistics.variance(xs) + statistics.pvariance(xs)


@program('statistics', [0.3, 0.9, 1.4, 0.2])
def stdev(xs):
    return statistics.stdev(xs)


@program('statistics', [0.3, 0.9, 1.4, 0.2])
def geometric_mean(xs):
    return statistics.geometric_mean(xs)


@program('statistics', [0.3, 0.9, 1.4, 0.2])
def harmonic_mean(xs):
    return statistics.harmonic_mean(xs)


@program('statistics', [0.3, 0.9, 1.4, 0.2, 0.5])
def median(xs):
    return statistics.median(xs) ** 2


@program('statistics', [0.3, 0.9, 1.4, 0.2], [1.0, 2.0, 2.5, 0.7])
def regression(xs, ys):
    slope, intercept = statistics.linear_regression(xs, ys)
    return slope * intercept


@program('statistics', [0.3, 0.9, 1.4, 0.2], [1.0, 2.0, 2.5, 0.7])
def correlation(xs, ys):
    return statistics.correlation(xs, ys)


@program('statistics', 0.4, 1.2)
def normal_dist(mu, sigma):
    d = statistics.NormalDist(mu, sigma)
    return d.pdf(0.3) + d.zscore(1.0)


@program('Fraction', Fraction(1, 3), Fraction(2, 5))
def fractions(x, y):
    return x * x / y + 3 * x - y ** 2


@program('Fraction', Fraction(1, 3))
def fraction_polynomial(x):
    total = Fraction(0)
    for k in range(4):
        total = total * x + k
    return total


@program('complex numbers', 0.4, 1.2)
def complex_parts(x, y):
    z = complex(x, y)
    w = z * z + 2j * z
    return w.real * w.imag + abs(z) ** 2


@program('string formatting beside', 0.4)
def formatted(x):
    text = f'{x:.3f}' + str(x) + repr(x) + '%g' % x
    return x * len(text[:5])


@program('rounding and integers', 2.7)
def integer_parts(x):
    n = int(x)
    k = math.floor(x) + round(x)
    return x ** n + k * x


@program('scipy-like: own golden section', 0.4)
def golden_section(a):
    def f(t):
        return (t - a) ** 2 + 0.1 * t
    return f(a * 2) + f(0.0)


@program('numpy poly in Python', np.array([1.0, 0.5, 0.2]), 0.4)
def polyval(p, x):
    return np.polyval(p, x)


@program('Decimal beside', 0.4)
def decimal_beside(x):
    n = Decimal('2.5')
    return x * float(n)
