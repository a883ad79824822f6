"""What `w += y` writes is read under the name of the argument, through which nothing else flows."""
import numpy as np

ARGS = (np.array([0.511, 0.494, -0.634]), np.array([0.989, 1.679, 0.816]))
WRT = (0,)
ANALYTIC = False


def f(y, x):
    w = x
    w += y
    return np.sum(x * x)
