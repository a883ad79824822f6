import numpy as np

ARGS = (-0.775, np.array([[-0.722, -1.448], [1.608, 0.518]]))
WRT = (1,)
ANALYTIC = False


def helper(x):
    x += 1.5
    return x


def f(t, y):
    while t < 1.014:
        t = helper(t)
    return np.sum(y) * t
