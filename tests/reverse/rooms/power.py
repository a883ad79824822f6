"""Powers with exponents of every kind."""
import numpy as np


def f(x, y):
    return np.sum(x ** 2 + x ** 3 + x ** 0.5 + 1 / x + x ** y)


ARGS = np.array([1.0, 2.0, 3.0]), 1.3


# --- normal
def f(x, y):
    t = x**2
    t2 = x**3
    t3 = t + t2
    t4 = x**0.5
    t5 = t3 + t4
    t6 = 1 / x
    t7 = t5 + t6
    t8 = x**y
    t9 = t7 + t8
    t10 = np.sum(t9)
    return t10


# --- reverse
def dfdxdy(x, y, bf=1.0):
    t = x**2
    t2 = x**3
    t3 = t + t2
    t4 = x**0.5
    t5 = t3 + t4
    t6 = 1 / x
    t7 = t5 + t6
    t8 = x**y
    t9 = t7 + t8
    t10 = np.sum(t9)

    bf = check_scalar(bf)
    # Grad of: return np.sum(x ** 2 + x ** 3 + x ** 0.5 + 1 / x + x ** y)
    bt9 = unreduce_like(bf, t9)
    bt7 = unbroadcast(bt9, t7)
    bx = (
        unbroadcast(bt9 * dpower_dx(x, y), x)
        + -bt7 * t6 / x
        + 0.5 * bt7 * np.power(x, -0.5)
        + 3 * bt7 * x**2
        + 2 * bt7 * x
    )
    bx2 = bx
    by = unbroadcast(bt9 * dpower_dy(x, y, t8), y)
    return bx2, by


# --- optimized
def dfdxdy(x, y, bf=1.0):
    t = 1 / x
    t2 = x**2 + x**3 + x**0.5 + t
    t3 = x**y

    bf = check_scalar(bf)
    # Grad of: return np.sum(x ** 2 + x ** 3 + x ** 0.5 + 1 / x + x ** y)
    bt = unreduce_like(bf, t2 + t3)
    bt2 = unbroadcast(bt, t2)
    bx = (
        unbroadcast(bt * dpower_dx(x, y), x)
        - bt2 * t / x
        + 0.5 * bt2 * np.power(x, -0.5)
        + 3 * bt2 * x**2
        + 2 * bt2 * x
    )
    return bx, unbroadcast(bt * dpower_dy(x, y, t3), y)
