# ruff: noqa: B007
import numpy as np

ARGS = (np.array([1.636, 0.605, 0.759]),)
WRT = (0,)
ANALYTIC = True
MAY_BE_REFUSED = True


def helper(c, by):
    by *= c
    return by


def f(x):
    for i, e in enumerate([0.333, 0.5]):
        e += helper(e, x)
    return np.sum(x)
