import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = np.empty(3)
    np.multiply(x, x, out=y)
    np.add(y, x, out=y)
    return np.sum(y)


# --- normal
def f(x):
    y = np.empty(3)
    t = np.multiply(x, x)
    old = copy(y[...])
    y[...] = t
    t2 = np.add(y, x)
    old2 = copy(y[...])
    y[...] = t2
    t3 = np.sum(y)
    return t3


# --- reverse
def dfdx(x, bf=1.0):
    y = np.empty(3)
    t = np.multiply(x, x)
    old = copy(y[...])
    y[...] = t
    t2 = np.add(y, x)
    old2 = copy(y[...])
    y[...] = t2
    t3 = np.sum(y)

    bf = check_scalar(bf)
    # Grad of: return np.sum(y)
    by = unreduce_like(bf, y)
    y[...] = old2
    # Grad of: np.add(y, x, out=y)
    bt2 = copy(by[...])
    by[...] = 0
    bt2_2 = unbroadcast(bt2, t2)
    by += unbroadcast(bt2_2, y)
    y[...] = old
    # Grad of: np.multiply(x, x, out=y)
    bt = copy(by[...])
    by[...] = 0
    bt3 = unbroadcast(bt, t)
    bx = unbroadcast(bt2_2, x) + 2 * bt3 * x
    return bx


# --- optimized
def dfdx(x, bf=1.0):
    y = np.empty(3)
    t = np.multiply(x, x)
    old = copy(y[...])
    y[...] = t
    t2 = np.add(y, x)
    old2 = copy(y[...])
    y[...] = t2

    bf = check_scalar(bf)
    # Grad of: return np.sum(y)
    by = unreduce_like(bf, y)
    y[...] = old2
    # Grad of: np.add(y, x, out=y)
    bt2 = copy(by[...])
    by[...] = 0
    bt2_2 = unbroadcast(bt2, t2)
    by += unbroadcast(bt2_2, y)
    y[...] = old
    # Grad of: np.multiply(x, x, out=y)
    bt = copy(by[...])
    by[...] = 0
    return unbroadcast(bt2_2, x) + 2 * unbroadcast(bt, t) * x
