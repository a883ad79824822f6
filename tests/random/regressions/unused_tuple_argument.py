import numpy as np

ARGS = ((1.339, np.array([-1.037, 1.279, 1.169])), 1.624)
WRT = (0, 1)
ANALYTIC = False


def f(x, u):
    return 0.0
