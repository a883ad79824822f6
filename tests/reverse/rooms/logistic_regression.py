"""The loss of a logistic regression."""
import numpy as np


def loss(w, b, x, y):
    z = x @ w + b
    return np.mean(np.log1p(np.exp(-y * z))) + 0.5 * np.sum(w * w)


ARGS = (np.array([0.1, -0.2]), 0.3, np.array([[1.0, 2.0], [3.0, 4.0], [0.5, -1.0]]), np.array([1.0, -1.0, 1.0]))
WRT = 'w', 'b'


# --- normal
def loss(w, b, x, y):
    t = x @ w
    z = t + b
    t2 = -y * z
    t3 = np.exp(t2)
    t4 = np.log1p(t3)
    t5 = np.mean(t4)
    t6 = w * w
    t7 = np.sum(t6)
    t8 = 0.5 * t7
    t9 = t5 + t8
    return t9


# --- reverse
def dlossdwdb(w, b, x, y, bloss=1.0):
    t = x @ w
    z = t + b
    t2 = -y * z
    t3 = np.exp(t2)
    t4 = np.log1p(t3)
    t5 = np.mean(t4)
    t6 = w * w
    t7 = np.sum(t6)
    t8 = 0.5 * t7
    t9 = t5 + t8

    bloss = check_scalar(bloss)
    # Grad of: return np.mean(np.log1p(np.exp(-y * z))) + 0.5 * np.sum(w * w)
    bt7 = bloss * 0.5
    bt6 = unreduce_like(bt7, t6)
    bt4 = unreduce_like(bloss / array_size(t4), t4)
    bt3 = bt4 / (1 + t3)
    bt2 = bt3 * t3
    bz = unbroadcast(bt2 * -y, z)
    # Grad of: z = x @ w + b
    bt = unbroadcast(bz, t)
    bw = 2 * bt6 * w + matmul_right(bt, x, w)
    bb = unbroadcast(bz, b)
    return astype(bw, w), bb


# --- optimized
def dlossdwdb(w, b, x, y, bloss=1.0):
    t = x @ w
    z = t + b
    t2 = np.exp(-y * z)

    bloss = check_scalar(bloss)
    # Grad of: return np.mean(np.log1p(np.exp(-y * z))) + 0.5 * np.sum(w * w)
    bz = unbroadcast(bloss / array_size(t2) / (1 + t2) * t2 * -y, z)
    # Grad of: z = x @ w + b
    bw = 2 * (0.5 * bloss) * w + matmul_right(unbroadcast(bz, t), x, w)
    return astype(bw, w), unbroadcast(bz, b)
