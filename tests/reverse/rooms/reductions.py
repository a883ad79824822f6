"""Sums, means and maxima along axes."""
import numpy as np


def f(x):
    m = np.mean(x, axis=0)
    s = np.sum(x * x, axis=1)
    return np.sum(m) * np.max(s)


ARGS = np.array([[1.0, 2.0, 3.0], [0.5, 0.2, 0.1]]),


# --- normal
def f(x):
    m = np.mean(x, axis=0)
    t = x * x
    s = np.sum(t, axis=1)
    t2 = np.sum(m)
    t3 = np.max(s)
    t4 = t2 * t3
    return t4


# --- reverse
def dfdx(x, bf=1.0):
    m = np.mean(x, axis=0)
    t = x * x
    s = np.sum(t, axis=1)
    t2 = np.sum(m)
    t3 = np.max(s)
    t4 = t2 * t3

    bf = check_scalar(bf)
    # Grad of: return np.sum(m) * np.max(s)
    bt3 = bf * t2
    bt2 = bf * t3
    bs = bt3 * ties(s, t3)
    # Grad of: s = np.sum(x * x, axis=1)
    bt = unreduce_like(bs, t, axis=1)
    # Grad of: return np.sum(m) * np.max(s)
    bm = unreduce_like(bt2, m)
    # Grad of: m = np.mean(x, axis=0)
    bx = 2 * bt * x + unreduce_like(bm / array_size(x, axis=0), x, axis=0)
    return bx


# --- optimized
def dfdx(x, bf=1.0):
    m = np.mean(x, axis=0)
    s = np.sum(x * x, axis=1)
    t = np.max(s)

    bf = check_scalar(bf)
    # Grad of: return np.sum(m) * np.max(s)
    bs = bf * np.sum(m) * ties(s, t)
    # Grad of: s = np.sum(x * x, axis=1)
    bt = unreduce_like(bs, x, axis=1)
    # Grad of: return np.sum(m) * np.max(s)
    bm = unreduce_like(bf * t, m)
    # Grad of: m = np.mean(x, axis=0)
    return 2 * bt * x + unreduce_like(bm / array_size(x, axis=0), x, axis=0)
