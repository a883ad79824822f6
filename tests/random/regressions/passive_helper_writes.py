import numpy as np

ARGS = (np.array([-1.245, -0.649, 0.787]), 1.509)
WRT = (1,)
ANALYTIC = False
MAY_BE_REFUSED = True


def helper(y):
    y *= y
    return 1.5 + y[0]


def f(w, x):
    k = 1.5 * x
    k -= helper(y=w)
    g, a = k * x, helper(y=w)  # noqa: F841
    return g
