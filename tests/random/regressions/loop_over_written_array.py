# ruff: noqa: B007
import numpy as np

ARGS = (np.array([-1.355, 0.324, -0.841]), np.array([1.555, -0.749, -0.997]))
WRT = (0, 1)
ANALYTIC = False
MAY_BE_REFUSED = True


def f(value, u):
    for i, e in enumerate(u):
        for k, v in enumerate(value):
            value += np.array([v, 0.713, e])
    return np.sum(value)
