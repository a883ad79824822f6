"""The gradient beside the value, of the first of two results."""
import numpy as np


def f(x):
    norm = np.sqrt(np.sum(x * x))
    return norm, x / norm


ARGS = np.array([3.0, 4.0]),
OPTIONS = {'preserve_result': True}


# --- normal
def f(x):
    t = x * x
    t2 = np.sum(t)
    norm = np.sqrt(t2)
    t3 = x / norm
    t4 = norm, t3
    return t4


# --- reverse
def dfdx(x, bf=1.0):
    t = x * x
    t2 = np.sum(t)
    norm = np.sqrt(t2)
    t3 = x / norm
    t4 = norm, t3
    f2 = t4

    bf = check_scalar(bf)
    # Grad of: norm = np.sqrt(np.sum(x * x))
    bt2 = bf / (2 * norm)
    bt = unreduce_like(bt2, t)
    bx = 2 * bt * x
    return bx, f2


# --- optimized
def dfdx(x, bf=1.0):
    norm = np.sqrt(np.sum(x * x))
    bf = check_scalar(bf)
    # Grad of: norm = np.sqrt(np.sum(x * x))
    return 2 * (bf / (2 * norm)) * x, (norm, x / norm)
