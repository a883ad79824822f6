import numpy as np

ARGS = (1.323, 1.141)
WRT = (0, 1)
ANALYTIC = True
MAY_BE_REFUSED = True


def helper(c, x):
    x += c
    return x


def f(w, u):
    z = {'a': u, 'b': np.array([w, 0.701, u])}['b']
    v = helper(z, z)
    return np.sum(v) + np.sum(z) * u
