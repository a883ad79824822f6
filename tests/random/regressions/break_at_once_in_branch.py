# ruff: noqa: B007
import numpy as np

ARGS = (np.array([0.3, 0.1]), 1.577)
WRT = (0, 1)
ANALYTIC = True


def f(x, total):
    for e, i in zip([1.621, 0.319, total], range(2)):
        if i:
            for j, v in enumerate([x[0], 0.963, total]):
                total += e * v
                break
    return total
