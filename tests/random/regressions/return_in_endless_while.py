import numpy as np

ARGS = (np.array([0.595, -0.524, 1.071]),)
WRT = (0,)
ANALYTIC = False


def f(t):
    total = [t @ np.array([1.686, 1.156, 1.29]), 0.661, 0]
    while True:
        return sum(total)
