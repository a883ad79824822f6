"""The cost of k-means."""
import numpy as np


def cost(points, centres):
    d = np.sum(points ** 2, axis=1, keepdims=True) + np.sum(centres ** 2, axis=1) - 2 * points @ centres.T
    return np.sum(np.min(d, axis=1))


ARGS = np.array([[1.0, 2.0], [3.0, 4.0], [0.5, -1.0]]), np.array([[0.0, 0.1], [3.0, 3.0]])
WRT = 'centres',


# --- normal
def cost(points, centres):
    t = np.sum(points**2, axis=1, keepdims=True)
    t2 = centres**2
    t3 = np.sum(t2, axis=1)
    t4 = t + t3
    t5 = centres.T
    t6 = 2 * points @ t5
    d = t4 - t6
    t7 = np.min(d, axis=1)
    t8 = np.sum(t7)
    return t8


# --- reverse
def dcostdcentres(points, centres, bcost=1.0):
    t = np.sum(points**2, axis=1, keepdims=True)
    t2 = centres**2
    t3 = np.sum(t2, axis=1)
    t4 = t + t3
    t5 = centres.T
    t6 = 2 * points @ t5
    d = t4 - t6
    t7 = np.min(d, axis=1)
    t8 = np.sum(t7)

    bcost = check_scalar(bcost)
    # Grad of: return np.sum(np.min(d, axis=1))
    bt7 = unreduce_like(bcost, t7)
    bd = unreduce_like(bt7, d, axis=1) * ties(d, t7, axis=1)
    # Grad of: d = np.sum(points ** 2, axis=1, keepdims=True) + np.sum(centres ** 2, ...
    bt6 = unbroadcast(-bd, t6)
    bt5 = matmul_right(bt6, 2 * points, t5)
    bt4 = unbroadcast(bd, t4)
    bt3 = unbroadcast(bt4, t3)
    bt2 = unreduce_like(bt3, t2, axis=1)
    bcentres = bt5.T + 2 * bt2 * centres
    return astype(bcentres, centres)


# --- optimized
def dcostdcentres(points, centres, bcost=1.0):
    t = np.sum(centres**2, axis=1)
    t2 = np.sum(points**2, axis=1, keepdims=True) + t
    t3 = 2 * points @ centres.T
    d = t2 - t3
    t4 = np.min(d, axis=1)

    bcost = check_scalar(bcost)
    # Grad of: return np.sum(np.min(d, axis=1))
    bd = unreduce_like(unreduce_like(bcost, t4), d, axis=1) * ties(d, t4, axis=1)
    # Grad of: d = np.sum(points ** 2, axis=1, keepdims=True) + np.sum(centres ** 2, ...
    bt = matmul_right(unbroadcast(-bd, t3), 2 * points, centres.T)
    bt2 = unreduce_like(unbroadcast(unbroadcast(bd, t2), t), centres, axis=1)
    return astype(bt.T + 2 * bt2 * centres, centres)
