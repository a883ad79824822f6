# ruff: noqa: B007
import numpy as np

ARGS = ([0.483, 0.408, 0.56], np.array([0.3, 0.1, 0.7]))
WRT = (1, 0)
ANALYTIC = False


def f(value, v):
    s = 0.0
    for e, i in zip(value, range(2)):
        s = s + e * e * i
    for e, i in zip(v, range(2)):
        s = s + e * e + i
    return s
