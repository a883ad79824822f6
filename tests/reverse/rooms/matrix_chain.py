"""A product of matrices."""
import numpy as np


def f(a, b, c):
    return np.trace(a @ b @ c)


ARGS = np.eye(2) + 0.1, np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.5, 0.2], [0.1, 0.9]])


# --- normal
def f(a, b, c):
    t = a @ b
    t2 = t @ c
    t3 = np.trace(t2)
    return t3


# --- reverse
def dfdadbdc(a, b, c, bf=1.0):
    t = a @ b
    t2 = t @ c
    t3 = np.trace(t2)

    bf = check_dims(t3, bf)
    # Grad of: return np.trace(a @ b @ c)
    bt2 = untrace(bf, t2)
    bt = matmul_left(bt2, t, c)
    ba = matmul_left(bt, a, b)
    bb = matmul_right(bt, a, b)
    bc = matmul_right(bt2, t, c)
    return astype(ba, a), astype(bb, b), astype(bc, c)


# --- optimized
def dfdadbdc(a, b, c, bf=1.0):
    t = a @ b
    t2 = t @ c
    bf = check_dims(np.trace(t2), bf)
    # Grad of: return np.trace(a @ b @ c)
    bt2 = untrace(bf, t2)
    bt = matmul_left(bt2, t, c)
    ba = matmul_left(bt, a, b)
    bb = matmul_right(bt, a, b)
    bc = matmul_right(bt2, t, c)
    return astype(ba, a), astype(bb, b), astype(bc, c)
