"""Helpers of the rules as functions for devices: of numbers, in arithmetic alone, compiled where a kernel calls them."""
import math


def sign(x):
    """-1, 0 or 1."""
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


def by_squares(x, y):
    """x / (x**2 + y**2), and 0 at the origin."""
    d = x * x + y * y
    return x / d if d > 0 else 0.0


def safe_divide(x, y):
    """x / y, and 0 where y is 0."""
    return x / y if y != 0 else 0.0


def quotient(x, y):
    """x / y; inf or nan where y is 0."""
    return x / y


def balanced_eq(x, z, y):
    """The derivative of `z = max(x, y)` by x: 1 where x is z, 0.5 at a tie, else 0."""
    if x != z:
        return 0.0
    return 0.5 if y == z else 1.0


def dpower_dx(x, y):
    """The derivative of `x ** y` by x; 0 where y is 0."""
    return y * math.pow(x, y - 1.0) if y != 0 else 0.0


def dpower_dy(x, y, z):
    """The derivative of `z = x ** y` by y; at `x = 0` it is 0, and nan where z is infinite."""
    return z * math.log(x if x != 0 else 1.0)


def digamma(x):
    """The derivative of log(gamma(x)): reflection, recurrence up to 6, asymptotic series (Abramowitz and Stegun, 6.3)."""
    found = 0.0
    if x < 0.5:
        found = -math.pi / math.tan(math.pi * x)
        x = 1.0 - x
    while x < 6.0:
        found -= 1.0 / x
        x += 1.0
    r = 1.0 / (x * x)
    series = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * (691 / 32760 - r / 12))))))
    return found + math.log(x) - 0.5 / x - series
