import numpy as np

ARGS = (0.3, np.array([0.917, -1.093, 0.935]), np.asarray(-1.3))
WRT = (0, 1, 2)
ANALYTIC = False


def f(y, w, x):
    table = {'p': 0.95, 'q': y, 'r': 2}
    table['p'] *= x
    table['q'] *= w
    table['r'] *= x
    return table['p'] * y + np.sum(table['q']) + np.sum(table['r'] * w)
