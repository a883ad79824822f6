"""Huber's loss, with `where`."""
import numpy as np


def huber(x, delta):
    a = np.abs(x)
    return np.sum(np.where(a < delta, 0.5 * x ** 2, delta * (a - 0.5 * delta)))


ARGS = np.array([1.0, -0.2, 3.0]), 1.5
WRT = 'x',


# --- normal
def huber(x, delta):
    a = np.abs(x)
    t = x**2
    t2 = 0.5 * t
    t3 = a - 0.5 * delta
    t4 = delta * t3
    t5 = np.where(a < delta, t2, t4)
    t6 = np.sum(t5)
    return t6


# --- reverse
def dhuberdx(x, delta, bhuber=1.0):
    a = np.abs(x)
    t = x**2
    t2 = 0.5 * t
    t3 = a - 0.5 * delta
    t4 = delta * t3
    t5 = np.where(a < delta, t2, t4)
    t6 = np.sum(t5)

    bhuber = check_scalar(bhuber)
    # Grad of: return np.sum(np.where(a < delta, 0.5 * x ** 2, delta * (a - 0.5 * de ...
    bt5 = unreduce_like(bhuber, t5)
    bt4 = np.where(a < delta, 0, bt5)
    bt3 = bt4 * delta
    bt2 = unbroadcast(np.where(a < delta, bt5, 0), t2)
    bt = bt2 * 0.5
    ba = unbroadcast(bt3, a)
    # Grad of: a = np.abs(x)
    bx = 2 * bt * x + ba * sign(x)
    return bx


# --- optimized
def dhuberdx(x, delta, bhuber=1.0):
    a = np.abs(x)
    t = 0.5 * x**2
    t2 = np.where(a < delta, t, delta * (a - 0.5 * delta))

    bhuber = check_scalar(bhuber)
    # Grad of: return np.sum(np.where(a < delta, 0.5 * x ** 2, delta * (a - 0.5 * de ...
    bt2 = unreduce_like(bhuber, t2)
    bt = 0.5 * unbroadcast(np.where(a < delta, bt2, 0), t)
    ba = unbroadcast(np.where(a < delta, 0, bt2) * delta, a)
    # Grad of: a = np.abs(x)
    return 2 * bt * x + ba * sign(x)
