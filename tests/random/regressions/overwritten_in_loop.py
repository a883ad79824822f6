# ruff: noqa: B007
import numpy as np

ARGS = (1.423, np.array([1.086, -1.195, 0.326]))
WRT = (0, 1)
ANALYTIC = False


def f(w, x):
    for i, e in enumerate(x):
        w = 2.0
    return w
