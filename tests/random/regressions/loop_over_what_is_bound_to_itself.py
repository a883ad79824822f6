import numpy as np

ARGS = (0.3, np.array([0.917, -1.093, 0.935]))
WRT = (0, 1)
ANALYTIC = False


def f(y, w):
    for _ in w:
        pass
    w = w
    with np.errstate(all='ignore'):
        y = y * w[0]
    g = (lambda a: lambda q: q * 1.5)(y)
    return np.sum(w * w) * y + g(y)
