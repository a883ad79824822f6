# ruff: noqa - programs as people write them
"""Numbers: root finding, series, quadrature, finance, recursion."""
import cmath
import functools
import math

import numba as nb
import numpy as np
from numba import float64, int64, jit, njit

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)


@njit
def kepler_E(M, e):
    E = M if e < 0.8 else math.pi
    for it in range(50):
        dE = (E - e * math.sin(E) - M) / (1.0 - e * math.cos(E))
        E -= dE
        if abs(dE) < 1e-13:
            break
    return E


case(kepler_E, 0.9, 0.3)
case(kepler_E, 0.9, 0.85)


@njit(float64(float64, float64, float64))
def lennard_jones(r, eps, sigma):
    sr6 = (sigma / r) ** 6
    return 4.0 * eps * (sr6 * sr6 - sr6)


case(lennard_jones, 1.2, 0.9, 1.05)


@njit(cache=False, fastmath=True)
def horner(c, x):
    acc = 0.0
    for k in range(len(c) - 1, -1, -1):
        acc = acc * x + c[k]
    return acc


case(horner, np.array([1.0, -0.5, 0.3, 2.0]), 0.7)


@njit
def bisect(a, lo, hi):
    # root of x**3 + x - a
    flo = lo ** 3 + lo - a
    while hi - lo > 1e-3:
        mid = 0.5 * (lo + hi)
        fm = mid ** 3 + mid - a
        if fm == 0:
            return mid
        if (fm > 0) == (flo > 0):
            lo, flo = mid, fm
        else:
            hi = mid
    x = 0.5 * (lo + hi)
    for _ in range(3):
        x = x - (x ** 3 + x - a) / (3 * x ** 2 + 1)
    return x


case(bisect, 1.7, 0.0, 2.0, wrt=[(0,)])


@njit
def secant(a):
    x0, x1 = 1.0, 2.0
    f0 = x0 * math.exp(x0) - a
    for i in range(100):
        f1 = x1 * math.exp(x1) - a
        if abs(f1) < 1e-14 or f1 == f0:
            break
        x2 = x1 - f1 * (x1 - x0) / (f1 - f0)
        x0 = x1
        f0 = f1
        x1 = x2
    else:
        x1 = -1.0
    return x1


case(secant, 3.0)


@njit
def norm_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@njit
def black_scholes(S, K, T, r, sigma, call=True):
    d1 = (math.log(S / K) + (r + 0.5 * sigma ** 2) * T) / (sigma * math.sqrt(T))
    d2 = d1 - sigma * math.sqrt(T)
    if call:
        return S * norm_cdf(d1) - K * math.exp(-r * T) * norm_cdf(d2)
    else:
        return K * math.exp(-r * T) * norm_cdf(-d2) - S * norm_cdf(-d1)


case(black_scholes, 100.0, 95.0, 0.5, 0.03, 0.25)
case(black_scholes, 100.0, 95.0, 0.5, 0.03, 0.25, False)


# from the CUDA sample, in Numba's own examples
A1, A2, A3, A4, A5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
RSQRT2PI = 0.39894228040143267793994605993438


@njit
def cnd(d):
    K = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    ret_val = (RSQRT2PI * math.exp(-0.5 * d * d) *
               (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5))))))
    if d > 0:
        ret_val = 1.0 - ret_val
    return ret_val


@njit
def bs_portfolio(stockPrice, optionStrike, optionYears, Riskfree, Volatility):
    callResult = np.empty_like(stockPrice)
    putResult = np.empty_like(stockPrice)
    for i in range(stockPrice.shape[0]):
        S = stockPrice[i]
        X = optionStrike[i]
        T = optionYears[i]
        R = Riskfree
        V = Volatility
        sqrtT = math.sqrt(T)
        d1 = (math.log(S / X) + (R + 0.5 * V * V) * T) / (V * sqrtT)
        d2 = d1 - V * sqrtT
        cndd1 = cnd(d1)
        cndd2 = cnd(d2)
        expRT = math.exp((-1. * R) * T)
        callResult[i] = (S * cndd1 - X * expRT * cndd2)
        putResult[i] = (X * expRT * (1.0 - cndd2) - S * (1.0 - cndd1))
    return callResult.sum() + 0.5 * putResult.sum()


case(bs_portfolio, np.array([20.0, 25.0, 28.0]), np.array([22.0, 24.0, 30.0]), np.array([0.5, 1.0, 2.0]), 0.02, 0.3)


@njit
def implied_vol(price, S, K, T):
    vol = 0.5
    for i in range(20):
        d1 = (math.log(S / K) + 0.5 * vol * vol * T) / (vol * math.sqrt(T))
        d2 = d1 - vol * math.sqrt(T)
        model = S * norm_cdf(d1) - K * norm_cdf(d2)
        vega = S * math.exp(-0.5 * d1 * d1) / math.sqrt(2 * math.pi) * math.sqrt(T)
        diff = price - model
        if math.fabs(diff) < 1e-12:
            return vol
        vol = vol + diff / vega
    return vol


case(implied_vol, 12.0, 100.0, 98.0, 0.75)


@njit
def binomial_american_put(S0, K, r, sigma, T, N):
    dt = T / N
    u = math.exp(sigma * math.sqrt(dt))
    d = 1.0 / u
    q = (math.exp(r * dt) - d) / (u - d)
    disc = math.exp(-r * dt)
    V = np.zeros(N + 1)
    for j in range(N + 1):
        V[j] = max(0.0, K - S0 * u ** j * d ** (N - j))
    for i in np.arange(N - 1, -1, -1):
        for j in range(0, i + 1):
            S = S0 * u ** j * d ** (i - j)
            V[j] = disc * (q * V[j + 1] + (1 - q) * V[j])
            V[j] = max(V[j], K - S)
    return V[0]


case(binomial_american_put, 36.1, 40.0, 0.06, 0.2, 1.0, 8, wrt=[(0, 1)])


@njit
def simpson(a, b, n):
    h = (b - a) / n
    s = math.exp(-a * a) + math.exp(-b * b)
    for i in range(1, n, 2):
        x = a + i * h
        s += 4 * math.exp(-x * x)
    for i in range(2, n - 1, 2):
        x = a + i * h
        s += 2 * math.exp(-x * x)
    return s * h / 3


case(simpson, 0.1, 1.3, 20)


@njit
def adaptive_simpson(a, b, eps, depth):
    c = (a + b) / 2
    h = b - a
    d = (a + c) / 2
    e = (c + b) / 2
    fa, fb, fc, fd, fe = math.sin(a) / a, math.sin(b) / b, math.sin(c) / c, math.sin(d) / d, math.sin(e) / e
    s1 = h / 6 * (fa + 4 * fc + fb)
    s2 = h / 12 * (fa + 4 * fd + 2 * fc + 4 * fe + fb)
    if depth <= 0 or abs(s2 - s1) <= 15 * eps:
        return s2 + (s2 - s1) / 15
    return adaptive_simpson(a, c, eps / 2, depth - 1) + adaptive_simpson(c, b, eps / 2, depth - 1)


case(adaptive_simpson, 0.5, 3.0, 1e-6, 8, wrt=[(0, 1)])


@njit
def agm(a, g):
    while True:
        a1 = 0.5 * (a + g)
        g = math.sqrt(a * g)
        a = a1
        if abs(a - g) < 1e-14:
            return a


case(agm, 1.0, 0.6)


@njit
def gamma_lanczos(z):
    g = 7
    c = (0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
         12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7)
    if z < 0.5:
        return math.pi / (math.sin(math.pi * z) * gamma_lanczos(1 - z))
    z -= 1
    x = c[0]
    for i in range(1, g + 2):
        x += c[i] / (z + i)
    t = z + g + 0.5
    return math.sqrt(2 * math.pi) * t ** (z + 0.5) * math.exp(-t) * x


case(gamma_lanczos, 3.3)
case(gamma_lanczos, 0.2)


@njit
def bessel_j0(x):
    term = 1.0
    total = 1.0
    k = 1
    while abs(term) > 1e-16:
        term *= -(x * x) / (4.0 * k * k)
        total += term
        k += 1
    return total


case(bessel_j0, 2.5)


@njit
def continued_fraction(x, n):
    f = 0.0
    for k in range(n, 0, -1):
        f = k * x / (1 + f)
    return 1 / (1 + f)


case(continued_fraction, 0.4, 15)


@njit
def mandelbrot_smooth(cr, ci, maxiter):
    z = complex(0.0, 0.0)
    c = complex(cr, ci)
    for n in range(maxiter):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 100.0:
            return n + 1 - math.log(math.log(abs(z))) / math.log(2.0)
    return 0.0


case(mandelbrot_smooth, 0.4, 0.45, 60)


@njit
def julia_distance(zx, zy, cx, cy, n):
    dx, dy = 1.0, 0.0
    for i in range(n):
        dx, dy = 2 * (zx * dx - zy * dy), 2 * (zx * dy + zy * dx)
        zx, zy = zx * zx - zy * zy + cx, 2 * zx * zy + cy
        if zx * zx + zy * zy > 1e4:
            break
    r = math.hypot(zx, zy)
    return r * math.log(r) / math.hypot(dx, dy)


case(julia_distance, 0.9, 0.8, 0.3, 0.5, 12)


@njit
def lorenz_end(x, y, z, sigma, rho, beta, dt, steps):
    for _ in range(steps):
        dx = sigma * (y - x)
        dy = x * (rho - z) - y
        dz = x * y - beta * z
        x, y, z = x + dt * dx, y + dt * dy, z + dt * dz
    return x * x + y - z


case(lorenz_end, 1.0, 1.1, 0.9, 10.0, 28.0, 2.6, 0.005, 40, wrt=[(0, 1, 2, 3, 4, 5)])


@njit
def logistic_map(r, x, n):
    lyap = 0.0
    for i in range(n):
        x = r * x * (1 - x)
        lyap += math.log(abs(r * (1 - 2 * x)))
    return lyap / n


case(logistic_map, 3.2, 0.31, 8)


@njit
def ackermann_like(m, n, x):
    if m == 0:
        return x * 0.1 + n
    if n == 0:
        return math.sin(ackermann_like(m - 1, 1, x))
    return ackermann_like(m - 1, n - 1, x * 1.1) + math.cos(x)


case(ackermann_like, 2, 3, 0.7)


@njit
def fib_memo_free(x, n):
    return x if n <= 1 else 0.5 * (fib_memo_free(x, n - 1) + math.sin(fib_memo_free(x, n - 2)))


case(fib_memo_free, 0.7, 6)


@njit
def reflect(x):
    try_count = 0
    while not (0.0 <= x <= 1.0):
        if x < 0.0:
            x = -x
        elif x > 1.0:
            x = 2.0 - x
        try_count += 1
        if try_count > 10:
            raise RuntimeError('no convergence')
    return x * x


case(reflect, 5.3)
case(reflect, -0.3)


@jit(nopython=True, nogil=True)
def complex_quadratic(a, b, c):
    disc = cmath.sqrt(b * b - 4 * a * c + 0j)
    r1 = (-b + disc) / (2 * a)
    r2 = (-b - disc) / (2 * a)
    return abs(r1) + (r1 * r2).real


case(complex_quadratic, 1.0, 0.5, 2.0)


@njit
def impedance(f, R, L, C):
    w = 2 * np.pi * f
    Z = R + 1j * w * L + 1 / (1j * w * C)
    return abs(Z) ** 2 + np.angle(Z)


case(impedance, 0.7, 1.2, 0.3, 0.9)


@njit
def sigmoid(x):
    if x >= 0:
        z = math.exp(-x)
        return 1 / (1 + z)
    z = math.exp(x)
    return z / (1 + z)


@njit
def focal_loss(logit, target, gamma=2.0, alpha=0.25):
    p = sigmoid(logit)
    pt = p if target == 1 else 1.0 - p
    a = alpha if target == 1 else 1 - alpha
    return -a * (1 - pt) ** gamma * math.log(pt)


case(focal_loss, 0.4, 1)
case(focal_loss, -0.4, 0, 1.5)


@njit
def huber(r, delta):
    a = abs(r)
    if a <= delta:
        return 0.5 * r ** 2
    return delta * (a - 0.5 * delta)


@njit
def piecewise(x):
    if x < -1:
        y = -x - 1
    elif x < 0:
        y = x ** 2
    elif x < 1:
        return x
    else:
        y = 1 + math.log(x)
    return y + huber(x, 1.0)


for point in (-2.3, -0.4, 0.6, 1.7):
    case(piecewise, point)


@njit
def gcd_weighted(x, a, b):
    while b:
        a, b = b, a % b
        x = x * 0.9 + a
    return x ** 2


case(gcd_weighted, 0.3, 48, 18)


@njit
def collatz_energy(n, x):
    e = 0.0
    while n != 1:
        if n & 1:
            n = 3 * n + 1
            e += x * math.sqrt(n)
        else:
            n >>= 1
            x *= 0.97
            continue
        e *= 1.01
    return e


case(collatz_energy, 7, 0.6)


@njit
def trig_identity(theta):
    s, c = np.sin(theta), np.cos(theta)
    t = np.arctan2(s, c)
    return t * np.hypot(s, c) + math.degrees(theta) * 1e-3 + np.deg2rad(theta) + math.copysign(theta, -1.0)


case(trig_identity, 0.6)


@njit
def exponential_integral(x):
    s = 0.0
    fact = 1
    for k in range(1, 15):
        fact *= k
        s += x ** k / (k * fact)
    return 0.5772156649015329 + math.log(x) + s


case(exponential_integral, 0.8)


@njit
def sqrt_int_input(n):
    return math.sqrt(n) * n / 3


case(sqrt_int_input, 7, wrt=[(0,)])


@njit(error_model='numpy')
def safe_ratio(a, b):
    r = a / b
    if np.isnan(r) or np.isinf(r):
        return 0.0
    return math.log1p(r * r)


case(safe_ratio, 0.5, 0.7)
