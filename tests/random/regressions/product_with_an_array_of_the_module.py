import numpy as np

ARGS = (0.3, np.array([0.917, -1.093, 0.935]))
WRT = (0,)
ANALYTIC = False
WEIGHTS = np.array([0.5, 1.0, 1.7])


def f(w, value):
    held = np.dot(value, WEIGHTS)
    return held + w * 0.5
