"""Rosenbrock's function, with slices."""
import numpy as np


def rosen(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) ** 2.0)


ARGS = np.array([1.3, 0.7, 0.8, 1.9]),


# --- normal
def rosen(x):
    t = x[1:]
    t2 = x[:-1]
    t3 = t2**2.0
    t4 = t - t3
    t5 = t4**2.0
    t6 = 100.0 * t5
    t7 = 1 - t2
    t8 = t7**2.0
    t9 = t6 + t8
    t10 = np.sum(t9)
    return t10


# --- reverse
def drosendx(x, brosen=1.0):
    t = x[1:]
    t2 = x[:-1]
    t3 = t2**2.0
    t4 = t - t3
    t5 = t4**2.0
    t6 = 100.0 * t5
    t7 = 1 - t2
    t8 = t7**2.0
    t9 = t6 + t8
    t10 = np.sum(t9)

    brosen = check_scalar(brosen)
    # Grad of: return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) * ...
    bt9 = unreduce_like(brosen, t9)
    bt7 = 2.0 * bt9 * t7
    bt5 = bt9 * 100.0
    bt4 = 2.0 * bt5 * t4
    bt3 = -bt4
    bt2 = -bt7 + 2.0 * bt3 * t2
    bx = init_grad(x)
    bx[:-1] += bt2
    bx[1:] += bt4
    return bx


# --- optimized
def drosendx(x, brosen=1.0):
    t = x[1:] - x[:-1] ** 2.0
    t2 = 1 - x[:-1]
    brosen = check_scalar(brosen)
    # Grad of: return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) * ...
    bt = unreduce_like(brosen, 100.0 * t**2.0 + t2**2.0)
    bt2 = 2.0 * (100.0 * bt) * t
    bx = init_grad(x)
    bx[:-1] += -2.0 * bt2 * x[:-1] - 2.0 * bt * t2
    bx[1:] += bt2
    return bx
