# ruff: noqa: B007
import numpy as np

ARGS = ((1.007, np.array([-0.42, 0.992, -1.675])),)
WRT = (0,)
ANALYTIC = False


def helper(c):
    return 1.5, c


def f(y):
    for j in range(3, 0, -1):
        y = helper(c=1)
    return y[0]
