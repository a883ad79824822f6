"""Functions of numbers: formulas, loops, branches."""
import math

import numpy as np

from benchmarks.readability import Program


def gaussian_logpdf(x, mu, sigma):
    z = (x - mu) / sigma
    return -0.5 * z * z - math.log(sigma) - 0.5 * math.log(2 * math.pi)


def gaussian_logpdf_adjoint(x, mu, sigma, bf=1.0):
    z = (x - mu) / sigma
    bx = -bf * z / sigma
    bsigma = bf * (z * z - 1) / sigma
    return bx, -bx, bsigma


def normal_cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def black_scholes(spot, strike, rate, sigma, time):
    """The price of a European call."""
    spread = sigma * math.sqrt(time)
    d1 = (math.log(spot / strike) + (rate + 0.5 * sigma ** 2) * time) / spread
    d2 = d1 - spread
    return spot * normal_cdf(d1) - strike * math.exp(-rate * time) * normal_cdf(d2)


def normal_pdf(x):
    return math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)


def black_scholes_adjoint(spot, strike, rate, sigma, time, bf=1.0):
    root = math.sqrt(time)
    spread = sigma * root
    d1 = (math.log(spot / strike) + (rate + 0.5 * sigma ** 2) * time) / spread
    d2 = d1 - spread
    paid = strike * math.exp(-rate * time)
    bpaid = -bf * normal_cdf(d2)
    bd2 = -bf * paid * normal_pdf(d2)
    bd1 = bf * spot * normal_pdf(d1) + bd2
    bspread = -bd2 - bd1 * d1 / spread
    btop = bd1 / spread
    bspot = bf * normal_cdf(d1) + btop / spot
    brate = btop * time - bpaid * paid * time
    bsigma = btop * sigma * time + bspread * root
    btime = btop * (rate + 0.5 * sigma ** 2) - bpaid * paid * rate + bspread * sigma / (2 * root)
    return bspot, brate, bsigma, btime


def van_der_waals(volume, temperature, a, b):
    """The pressure of a mole of gas."""
    return 8.314 * temperature / (volume - b) - a / volume ** 2


def van_der_waals_adjoint(volume, temperature, a, b, bf=1.0):
    free = volume - b
    btemperature = bf * 8.314 / free
    bb = btemperature * temperature / free
    ba = -bf / volume ** 2
    bvolume = -bb - 2 * ba * a / volume
    return bvolume, btemperature, ba, bb


def lennard_jones(r, epsilon, sigma):
    s6 = (sigma / r) ** 6
    return 4 * epsilon * (s6 * s6 - s6)


def lennard_jones_adjoint(r, epsilon, sigma, bf=1.0):
    s6 = (sigma / r) ** 6
    bepsilon = 4 * bf * (s6 * s6 - s6)
    bs6 = 4 * bf * epsilon * (2 * s6 - 1)
    bsigma = 6 * bs6 * s6 / sigma
    br = -6 * bs6 * s6 / r
    return br, bepsilon, bsigma


def haversine(lat1, lon1, lat2, lon2):
    """The distance of two places on Earth in kilometres; degrees are in radians."""
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(h))


def haversine_adjoint(lat1, lon1, lat2, lon2, bf=1.0):
    s = math.sin((lon2 - lon1) / 2) ** 2
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * s
    bh = bf * 6371.0 / math.sqrt(h * (1 - h))
    along = bh * math.sin(lat2 - lat1) / 2
    blat1 = -along - bh * math.sin(lat1) * math.cos(lat2) * s
    blat2 = along - bh * math.cos(lat1) * math.sin(lat2) * s
    blon2 = bh * math.cos(lat1) * math.cos(lat2) * math.sin(lon2 - lon1) / 2
    return blat1, -blon2, blat2, blon2


def logistic_growth(p, rate, capacity, h, steps):
    """A population after some steps of Euler's method."""
    for _ in range(steps):
        p = p + h * rate * p * (1 - p / capacity)
    return p


def logistic_growth_adjoint(p, rate, capacity, h, steps, bf=1.0):
    before = []
    for _ in range(steps):
        before.append(p)
        p = p + h * rate * p * (1 - p / capacity)
    bp, brate, bcapacity = bf, 0.0, 0.0
    for p in reversed(before):
        brate += bp * h * p * (1 - p / capacity)
        bcapacity += bp * h * rate * (p / capacity) ** 2
        bp += bp * h * rate * (1 - 2 * p / capacity)
    return bp, brate, bcapacity


def root(x):
    """The square root, by Newton's method."""
    y = 1.0
    while abs(y * y - x) > 1e-9:
        y = 0.5 * (y + x / y)
    return y


def root_adjoint(x, bf=1.0):
    y, before = 1.0, []
    while abs(y * y - x) > 1e-9:
        before.append(y)
        y = 0.5 * (y + x / y)
    bx, by = 0.0, bf
    for y in reversed(before):
        bx += 0.5 * by / y
        by = 0.5 * by * (1 - x / y ** 2)
    return bx


def polynomial(coefficients, x):
    """Horner's scheme, the highest power first."""
    y = 0.0
    for c in coefficients:
        y = y * x + c
    return y


def polynomial_adjoint(coefficients, x, bf=1.0):
    y, before = 0.0, []
    for c in coefficients:
        before.append(y)
        y = y * x + c
    bcoefficients = np.zeros(len(coefficients))
    bx, by = 0.0, bf
    for k in reversed(range(len(coefficients))):
        bcoefficients[k] = by
        bx += by * before[k]
        by *= x
    return bcoefficients, bx


def income_tax(income, allowance, low, high):
    """Nothing up to the allowance, then two rates."""
    taxed = income - allowance
    if taxed <= 0:
        return 0.0
    elif taxed < 40.0:
        return low * taxed
    else:
        return low * 40.0 + high * (taxed - 40.0)


def income_tax_adjoint(income, allowance, low, high, bf=1.0):
    taxed = income - allowance
    if taxed <= 0:
        return 0.0, 0.0, 0.0, 0.0
    elif taxed < 40.0:
        return bf * low, -bf * low, bf * taxed, 0.0
    else:
        return bf * high, -bf * high, bf * 40.0, bf * (taxed - 40.0)


def drag(speed, diameter, viscosity):
    """The drag of a sphere; what its coefficient is depends on the Reynolds number."""
    reynolds = speed * diameter / viscosity
    if reynolds < 1.0:
        coefficient = 24.0 / reynolds
    elif reynolds < 1000.0:
        coefficient = 24.0 / reynolds * (1.0 + 0.15 * reynolds ** 0.687)
    else:
        coefficient = 0.44
    area = math.pi * diameter ** 2 / 4
    return 0.5 * coefficient * area * speed ** 2


def drag_adjoint(speed, diameter, viscosity, bf=1.0):
    reynolds = speed * diameter / viscosity
    if reynolds < 1.0:
        coefficient = 24.0 / reynolds
        slope = -24.0 / reynolds ** 2
    elif reynolds < 1000.0:
        coefficient = 24.0 / reynolds * (1.0 + 0.15 * reynolds ** 0.687)
        slope = -24.0 / reynolds ** 2 - 24.0 * 0.15 * 0.313 * reynolds ** -1.313
    else:
        coefficient = 0.44
        slope = 0.0
    area = math.pi * diameter ** 2 / 4
    breynolds = 0.5 * bf * slope * area * speed ** 2
    bspeed = bf * coefficient * area * speed + breynolds * diameter / viscosity
    bdiameter = 0.25 * bf * coefficient * math.pi * diameter * speed ** 2 + breynolds * speed / viscosity
    bviscosity = -breynolds * reynolds / viscosity
    return bspeed, bdiameter, bviscosity


def cooling(temperature, k):
    """What a warm body loses to a room of 20 degrees, by conduction and a little by radiation."""
    return -k * (temperature - 20.0) - 1e-9 * temperature ** 4


def runge_kutta(temperature, k, h, steps):
    for _ in range(steps):
        k1 = cooling(temperature, k)
        k2 = cooling(temperature + 0.5 * h * k1, k)
        k3 = cooling(temperature + 0.5 * h * k2, k)
        k4 = cooling(temperature + h * k3, k)
        temperature = temperature + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return temperature


def cooling_adjoint(temperature, k, bf):
    return bf * (-k - 4e-9 * temperature ** 3), -bf * (temperature - 20.0)


def runge_kutta_adjoint(temperature, k, h, steps, bf=1.0):
    before = []
    for _ in range(steps):
        t1 = temperature
        k1 = cooling(t1, k)
        t2 = t1 + 0.5 * h * k1
        k2 = cooling(t2, k)
        t3 = t1 + 0.5 * h * k2
        k3 = cooling(t3, k)
        t4 = t1 + h * k3
        k4 = cooling(t4, k)
        before.append((t1, t2, t3, t4))
        temperature = t1 + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    btemperature, bk = bf, 0.0
    for t1, t2, t3, t4 in reversed(before):
        part = btemperature * h / 6
        bt4, b4 = cooling_adjoint(t4, k, part)
        bt3, b3 = cooling_adjoint(t3, k, 2 * part + bt4 * h)
        bt2, b2 = cooling_adjoint(t2, k, 2 * part + bt3 * 0.5 * h)
        bt1, b1 = cooling_adjoint(t1, k, part + bt2 * 0.5 * h)
        btemperature += bt1 + bt2 + bt3 + bt4
        bk += b1 + b2 + b3 + b4
    return btemperature, bk


PROGRAMS = [
    Program(gaussian_logpdf, gaussian_logpdf_adjoint, (0, 1, 2), lambda rng: (rng.normal(), 0.3, 1.2)),
    Program(black_scholes, black_scholes_adjoint, (0, 2, 3, 4), lambda rng: (100.0 + rng.normal(), 95.0, 0.03, 0.2, 0.5)),
    Program(van_der_waals, van_der_waals_adjoint, (0, 1, 2, 3), lambda rng: (2.0 + rng.random(), 300.0, 0.36, 0.043)),
    Program(lennard_jones, lennard_jones_adjoint, (0, 1, 2), lambda rng: (1.0 + rng.random(), 0.8, 1.1)),
    Program(haversine, haversine_adjoint, (0, 1, 2, 3), lambda rng: (0.8 + 0.1 * rng.random(), 0.15, 0.7, -1.3)),
    Program(logistic_growth, logistic_growth_adjoint, (0, 1, 2), lambda rng: (1.0 + rng.random(), 0.8, 10.0, 0.1, 30)),
    Program(root, root_adjoint, (0,), lambda rng: (5.0 + rng.random(),)),
    Program(polynomial, polynomial_adjoint, (0, 1), lambda rng: (rng.normal(size=8), 0.7)),
    Program(income_tax, income_tax_adjoint, (0, 1, 2, 3), lambda rng: (70.0 + rng.random(), 11.0, 0.2, 0.42)),
    Program(drag, drag_adjoint, (0, 1, 2), lambda rng: (2.0 + rng.random(), 0.1, 0.01)),
    Program(runge_kutta, runge_kutta_adjoint, (0, 1), lambda rng: (90.0 + rng.random(), 0.3, 0.1, 20)),
]
