"""A variance by hand."""
import numpy as np


def f(x):
    d = x - np.mean(x)
    return np.sum(d ** 2) / x.size


ARGS = np.array([1.0, 2.0, 4.0]),


# --- normal
def f(x):
    t = np.mean(x)
    d = x - t
    t2 = d**2
    t3 = np.sum(t2)
    t4 = t3 / x.size
    return t4


# --- reverse
def dfdx(x, bf=1.0):
    t = np.mean(x)
    d = x - t
    t2 = d**2
    t3 = np.sum(t2)
    t4 = t3 / x.size

    bf = check_scalar(bf)
    # Grad of: return np.sum(d ** 2) / x.size
    bt3 = bf / x.size
    bt2 = unreduce_like(bt3, t2)
    bd = 2 * bt2 * d
    # Grad of: d = x - np.mean(x)
    bt = unbroadcast(-bd, t)
    bx = bd + unreduce_like(bt / array_size(x), x)
    return bx


# --- optimized
def dfdx(x, bf=1.0):
    t = np.mean(x)
    d = x - t
    bf = check_scalar(bf)
    # Grad of: return np.sum(d ** 2) / x.size
    bd = 2 * (bf / x.size) * d
    # Grad of: d = x - np.mean(x)
    return bd + unreduce_like(unbroadcast(-bd, t) / array_size(x), x)
