"""Functions that capture what they need, inner functions, lambdas, functions as arguments."""
import math

import numpy as np

from benchmarks.readability import Program


def of_decay(times, counts):
    """A loss that has captured its data, and its adjoint."""
    def decay(amplitude, lifetime, background):
        expected = amplitude * np.exp(-times / lifetime) + background
        return np.sum(expected - counts * np.log(expected))

    def decay_adjoint(amplitude, lifetime, background, bf=1.0):
        shape = np.exp(-times / lifetime)
        bexpected = bf * (1 - counts / (amplitude * shape + background))
        bamplitude = np.sum(bexpected * shape)
        blifetime = np.sum(bexpected * amplitude * shape * times) / lifetime ** 2
        return bamplitude, blifetime, np.sum(bexpected)
    return decay, decay_adjoint


def orbit(x, v, mass, h, steps):
    """Leapfrog steps; the acceleration is a function inside."""
    def acceleration(x):
        return -mass * x / np.sum(x ** 2) ** 1.5

    for _ in range(steps):
        v = v + h * acceleration(x)
        x = x + h * v
    return 0.5 * np.sum(v ** 2) - mass / np.sqrt(np.sum(x ** 2))


def orbit_adjoint(x, v, mass, h, steps, bf=1.0):
    before = []
    for _ in range(steps):
        before.append(x)
        v = v - h * mass * x / np.sum(x ** 2) ** 1.5
        x = x + h * v
    r = np.sqrt(np.sum(x ** 2))
    bx, bv, bmass = bf * mass * x / r ** 3, bf * v, -bf / r
    for x in reversed(before):
        bv = bv + h * bx
        r = np.sqrt(np.sum(x ** 2))
        along = np.sum(bv * x)
        bmass -= h * along / r ** 3
        bx = bx - h * mass * (bv / r ** 3 - 3 * along * x / r ** 5)
    return bx, bv, bmass


def barrier(x, width, height):
    """A potential that is a lambda, and its slope by differences."""
    potential = lambda y: height * math.exp(-(y / width) ** 2) + 0.5 * y * y
    return potential(x) + 0.1 * (potential(x + 0.5) - potential(x - 0.5))


def barrier_adjoint(x, width, height, bf=1.0):
    bx = bwidth = bheight = 0.0
    for y, by in (x, bf), (x + 0.5, 0.1 * bf), (x - 0.5, -0.1 * bf):
        bell = math.exp(-(y / width) ** 2)
        bheight += by * bell
        bbell = by * height * bell
        bwidth += bbell * 2 * y ** 2 / width ** 3
        bx += by * y - bbell * 2 * y / width ** 2
    return bx, bwidth, bheight


def simpson(f, a, b, n):
    h = (b - a) / n
    total = f(a) + f(b)
    for k in range(1, n):
        total += (4 if k % 2 else 2) * f(a + k * h)
    return total * h / 3


def arc_length(amplitude, frequency, end):
    """The length of a sine wave, integrated by a function that takes functions."""
    def speed(x):
        return math.sqrt(1 + (amplitude * frequency * math.cos(frequency * x)) ** 2)
    return simpson(speed, 0.0, end, 20)


def arc_length_adjoint(amplitude, frequency, end, bf=1.0):
    n = 20
    h = end / n
    bamplitude = bfrequency = bend = total = 0.0
    for k in range(n + 1):
        weight = 1 if k in (0, n) else 4 if k % 2 else 2
        x = k * h
        cosine, sine = math.cos(frequency * x), math.sin(frequency * x)
        slope = amplitude * frequency * cosine
        speed = math.sqrt(1 + slope ** 2)
        total += weight * speed
        bslope = bf * weight * h / 3 * slope / speed
        bamplitude += bslope * frequency * cosine
        bfrequency += bslope * amplitude * (cosine - frequency * x * sine)
        bend -= bslope * amplitude * frequency ** 2 * sine * k / n
    bend += bf * total / (3 * n)
    return bamplitude, bfrequency, bend


def made(rng):
    times = np.linspace(0.0, 5.0, 30)
    return of_decay(times, rng.poisson(20 * np.exp(-times / 2) + 3))


PROGRAMS = [
    Program(*made(np.random.default_rng(1)), (0, 1, 2), lambda rng: (18.0 + rng.random(), 2.2, 2.5)),
    Program(orbit, orbit_adjoint, (0, 1, 2), lambda rng: (
        np.array([1.0, 0.1]), np.array([0.0, 0.9 + 0.1 * rng.random()]), 1.0, 0.05, 20)),
    Program(barrier, barrier_adjoint, (0, 1, 2), lambda rng: (rng.random(), 0.8, 2.0)),
    Program(arc_length, arc_length_adjoint, (0, 1, 2), lambda rng: (1.0 + rng.random(), 2.0, 3.0)),
]
