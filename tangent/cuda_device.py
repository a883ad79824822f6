"""Helpers of the rules as functions for devices: of numbers, in arithmetic alone, compiled where a kernel calls them."""


def sign(x):
    """-1, 0 or 1."""
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


def by_squares(x, y):
    """x / (x**2 + y**2), and 0 at the origin."""
    d = x * x + y * y
    return x / d if d > 0 else 0.0
