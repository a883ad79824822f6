"""Rosenbrock's function, with slices."""
import numpy as np


def rosen(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) ** 2.0)


ARGS = np.array([1.3, 0.7, 0.8, 1.9]),


# --- normal
def rosen(x):
    t = x[1:]
    t2 = x[:-1]
    t3 = t2 ** 2.0
    t4 = t - t3
    t5 = t4 ** 2.0
    t6 = 100.0 * t5
    t7 = x[:-1]
    t8 = 1 - t7
    t9 = t8 ** 2.0
    t10 = t6 + t9
    t11 = np.sum(t10)
    return t11


# --- reverse
def drosendx(x, brosen=1.0):
    t = x[1:]
    t2 = x[:-1]
    t3 = t2 ** 2.0
    t4 = t - t3
    t5 = t4 ** 2.0
    t6 = 100.0 * t5
    t7 = x[:-1]
    t8 = 1 - t7
    t9 = t8 ** 2.0
    t10 = t6 + t9
    t11 = np.sum(t10)

    check_scalar(brosen)
    # Grad of: return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) * ...
    bt10 = unreduce_like(brosen, t10)
    bt9 = unbroadcast(bt10, t9)
    bt8 = 2.0 * bt9 * t8
    bt7 = -bt8
    bt6 = unbroadcast(bt10, t6)
    bt5 = bt6 * 100.0
    bt4 = 2.0 * bt5 * t4
    bt3 = unbroadcast(-bt4, t3)
    bt2 = 2.0 * bt3 * t2
    bt = unbroadcast(bt4, t)
    bx = init_grad(x)
    bx[:-1] += bt7
    bx[:-1] += bt2
    bx[1:] += bt
    return bx


# --- optimized
def drosendx(x, brosen=1.0):
    t = x[:-1] ** 2.0
    t2 = x[1:] - t
    t3 = 100.0 * t2 ** 2.0
    t4 = 1 - x[:-1]
    t5 = t4 ** 2.0

    check_scalar(brosen)
    # Grad of: return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) * ...
    bt = unreduce_like(brosen, t3 + t5)
    bt2 = 2.0 * (100.0 * unbroadcast(bt, t3)) * t2
    bx = init_grad(x)
    bx[:-1] += -2.0 * unbroadcast(bt, t5) * t4
    bx[:-1] += 2.0 * unbroadcast(-bt2, t) * x[:-1]
    bx[1:] += unbroadcast(bt2, x[1:])
    return bx
