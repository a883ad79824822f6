# ruff: noqa: B007
import numpy as np

ARGS = ((1.416, np.array([-0.629, 0.565, 0.88])),)
WRT = (0,)
ANALYTIC = False


def f(w):
    for i in range(1, 4):
        while 1:
            return i + w[0]
