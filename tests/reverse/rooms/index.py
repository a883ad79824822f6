"""Elements and rows."""
import numpy as np


def f(x, k):
    return x[0] * x[k] + np.sum(x[1:3])


ARGS = np.array([1.0, 2.0, 3.0, 4.0]), 3
WRT = 'x',


# --- normal
def f(x, k):
    t = x[0]
    t2 = x[k]
    t3 = t * t2
    t4 = x[1:3]
    t5 = np.sum(t4)
    t6 = t3 + t5
    return t6


# --- reverse
def dfdx(x, k, bf=1.0):
    t = x[0]
    t2 = x[k]
    t3 = t * t2
    t4 = x[1:3]
    t5 = np.sum(t4)
    t6 = t3 + t5

    bf = check_dims(t6, bf, t, t2, t5)
    # Grad of: return x[0] * x[k] + np.sum(x[1:3])
    bt4 = unreduce_like(bf, t4)
    bt2 = bf * t
    bt = bf * t2
    bx = init_grad(x)
    bx = add_at(bx, slice(1, 3), bt4)
    bx = add_at(bx, k, bt2)
    bx[0] += bt
    return astype(bx, x)


# --- optimized
def dfdx(x, k, bf=1.0):
    t = np.sum(x[1:3])
    bf = check_dims(x[0] * x[k] + t, bf, x[0], x[k], t)
    # Grad of: return x[0] * x[k] + np.sum(x[1:3])
    bx = init_grad(x)
    bx = add_at(bx, slice(1, 3), unreduce_like(bf, x[1:3]))
    bx = add_at(bx, k, bf * x[0])
    bx[0] += bf * x[k]
    return astype(bx, x)
