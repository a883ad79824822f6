"""Comments, docstrings and checks of the user's stay."""
import numpy as np


def f(x, scale=2.0):
    """A scaled norm."""
    assert x.ndim == 1, 'a vector, please'
    # squares first
    y = x * x
    total = np.sum(y)  # a number
    return scale * np.sqrt(total)


ARGS = np.array([1.0, 2.0, 3.0]),


# --- normal
def f(x, scale=2.0):
    """A scaled norm."""
    assert x.ndim == 1, "a vector, please"
    # squares first
    y = x * x
    total = np.sum(y)  # a number
    t = np.sqrt(total)
    t2 = scale * t
    return t2


# --- reverse
def dfdx(x, scale=2.0, bf=1.0):
    """A scaled norm."""
    assert x.ndim == 1, "a vector, please"
    # squares first
    y = x * x
    total = np.sum(y)  # a number
    t = np.sqrt(total)
    t2 = scale * t

    bf = check_dims(t2, bf, total)
    # Grad of: return scale * np.sqrt(total)
    bt = bf * scale
    btotal = bt / (2 * t)
    # Grad of: total = np.sum(y)
    by = unreduce_like(btotal, y)
    # Grad of: y = x * x
    bx = 2 * by * x
    return bx


# --- optimized
def dfdx(x, scale=2.0, bf=1.0):
    assert x.ndim == 1, "a vector, please"
    # squares first
    y = x * x
    total = np.sum(y)  # a number
    t = np.sqrt(total)

    bf = check_dims(scale * t, bf, total)
    # Grad of: return scale * np.sqrt(total)
    btotal = bf * scale / (2 * t)
    # Grad of: y = x * x
    return 2 * unreduce_like(btotal, y) * x
