"""Softmax, weighted."""
import numpy as np


def f(x, w):
    e = np.exp(x - np.max(x))
    return np.sum(w * e / np.sum(e))


ARGS = np.array([1.0, 2.0, 0.5]), np.array([0.1, 0.4, 0.2])
WRT = 'x',


# --- normal
def f(x, w):
    t = np.max(x)
    t2 = x - t
    e = np.exp(t2)
    t3 = w * e
    t4 = np.sum(e)
    t5 = t3 / t4
    t6 = np.sum(t5)
    return t6


# --- reverse
def dfdx(x, w, bf=1.0):
    t = np.max(x)
    t2 = x - t
    e = np.exp(t2)
    t3 = w * e
    t4 = np.sum(e)
    t5 = t3 / t4
    t6 = np.sum(t5)

    bf = check_scalar(bf)
    # Grad of: return np.sum(w * e / np.sum(e))
    bt5 = unreduce_like(bf, t5)
    bt4 = unbroadcast(-bt5 * t5 / t4, t4)
    bt3 = bt5 / t4
    be = unreduce_like(bt4, e) + unbroadcast(bt3 * w, e)
    # Grad of: e = np.exp(x - np.max(x))
    bt2 = be * e
    bt = unbroadcast(-bt2, t)
    bx = bt2 + bt * ties(x, t)
    return bx


# --- optimized
def dfdx(x, w, bf=1.0):
    t = np.max(x)
    e = np.exp(x - t)
    t2 = np.sum(e)
    t3 = w * e / t2

    bf = check_scalar(bf)
    # Grad of: return np.sum(w * e / np.sum(e))
    bt3 = unreduce_like(bf, t3)
    bt2 = unbroadcast(-bt3 * t3 / t2, t2)
    be = unreduce_like(bt2, e) + unbroadcast(bt3 / t2 * w, e)
    # Grad of: e = np.exp(x - np.max(x))
    bt = be * e
    return bt + unbroadcast(-bt, t) * ties(x, t)
