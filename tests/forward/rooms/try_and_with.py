import numpy as np

ARGS = 0.7,


def f(x):
    try:
        y = x / 0
    except ZeroDivisionError:
        y = x * x
    with np.errstate(divide='ignore'):
        z = np.log(y) * x
    return z


# --- split
def f(x):
    try:
        y = x / 0
    except ZeroDivisionError:
        y = x * x
    with np.errstate(divide="ignore"):
        t = np.log(y)
        z = t * x
    return z


# --- forward
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    try:
        y = x / 0
        dy = dx / 0
    except ZeroDivisionError:
        y = x * x
        dy = 2 * dx * x
    with np.errstate(divide="ignore"):
        t = np.log(y)
        dt = dy / y
        z = t * x
        dz = dt * x + dx * t
    return dz


# --- optimized
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    try:
        y = x / 0
        dy = dx / 0
    except ZeroDivisionError:
        y = x * x
        dy = 2 * dx * x
    with np.errstate(divide="ignore"):
        t = np.log(y)
        z = t * x
        dz = dy / y * x + dx * t
    return dz
