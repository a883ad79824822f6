"""The value and the gradient of a sum of squares."""
import numpy as np


def f(x, scale):
    return scale * np.sum(x * x) / 2


ARGS = np.array([1.0, 2.0, 3.0]), 2.0
WRT = 'x',
OPTIONS = {'preserve_result': True}


# --- normal
def f(x, scale):
    t = x * x
    t2 = np.sum(t)
    t3 = scale * t2
    t4 = t3 / 2
    return t4


# --- reverse
def dfdx(x, scale, bf=1.0):
    t = x * x
    t2 = np.sum(t)
    t3 = scale * t2
    t4 = t3 / 2
    f2 = t4

    bf = check_dims(f2, bf, t2)
    # Grad of: return scale * np.sum(x * x) / 2
    bt3 = bf / 2
    bt2 = bt3 * scale
    bt = unreduce_like(bt2, t)
    bx = 2 * bt * x
    return bx, f2


# --- optimized
def dfdx(x, scale, bf=1.0):
    t = np.sum(x * x)
    t2 = scale * t / 2
    bf = check_dims(t2, bf, t)
    # Grad of: return scale * np.sum(x * x) / 2
    return 2 * unreduce_like(bf / 2 * scale, x) * x, t2
