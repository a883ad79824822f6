# ruff: noqa: B007
import numpy as np

ARGS = (-1.663, np.array([[1.642, -0.328, -1.212], [1.357, 0.972, 0.544], [-0.581, -0.752, 1.029]]))
WRT = (0, 1)
ANALYTIC = True


def f(w, value):
    z = value
    for i in range(3):
        value = value * w
    z = z @ value
    return np.sum(z)
