import numpy as np

ARGS = (np.array([1.385, 1.28, 1.378]), 1.125)
WRT = (0, 1)
ANALYTIC = False


def helper(x):
    x += x
    return x


def f(u, value):
    w, e = 1.5, helper(x=value)
    e = value * u[0]
    return e * w
