import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1:] = x[:2]
    return np.sum(y * y)


# --- normal
def f(x):
    y = np.zeros(3)
    t = x[0]
    t2 = x[1]
    t3 = t * t2
    old = y[0]
    y[0] = t3
    t4 = x[:2]
    old2 = copy(y[1:])
    y[1:] = t4
    t5 = y * y
    t6 = np.sum(t5)
    return t6


# --- reverse
def dfdx(x, bf=1.0):
    y = np.zeros(3)
    t = x[0]
    t2 = x[1]
    t3 = t * t2
    old = y[0]
    y[0] = t3
    t4 = x[:2]
    old2 = copy(y[1:])
    y[1:] = t4
    t5 = y * y
    t6 = np.sum(t5)

    bf = check_scalar(bf)
    # Grad of: return np.sum(y * y)
    bt5 = unreduce_like(bf, t5)
    by = 2 * bt5 * y
    y[1:] = old2
    # Grad of: y[1:] = x[:2]
    bt4 = copy(by[1:])
    by[1:] = 0
    bt4_2 = unbroadcast(bt4, t4)
    y[0] = old
    # Grad of: y[0] = x[0] * x[1]
    bt3 = by[0]
    by[0] = 0
    bt2 = bt3 * t
    bt = bt3 * t2
    # Grad of: y[1:] = x[:2]
    bx = init_grad(x)
    bx[:2] += bt4_2
    # Grad of: y[0] = x[0] * x[1]
    bx[1] += bt2
    bx[0] += bt
    return bx


# --- optimized
def dfdx(x, bf=1.0):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1:] = x[:2]

    bf = check_scalar(bf)
    # Grad of: return np.sum(y * y)
    by = 2 * bf * y
    # Grad of: y[1:] = x[:2]
    bt = copy(by[1:])
    by[1:] = 0
    # Grad of: y[0] = x[0] * x[1]
    bt2 = by[0]
    by[0] = 0
    # Grad of: y[1:] = x[:2]
    bx = init_grad(x)
    bx[:2] += unbroadcast(bt, x[:2])
    # Grad of: y[0] = x[0] * x[1]
    bx[1] += bt2 * x[0]
    bx[0] += bt2 * x[1]
    return bx
