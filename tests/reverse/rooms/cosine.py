"""Cosine similarity."""
import numpy as np


def cosine(x, y):
    return np.dot(x, y) / (np.linalg.norm(x) * np.linalg.norm(y))


ARGS = np.array([1.0, 2.0]), np.array([0.5, -0.3])


# --- normal
def cosine(x, y):
    t = np.dot(x, y)
    t2 = np.linalg.norm(x)
    t3 = np.linalg.norm(y)
    t4 = t2 * t3
    t5 = t / t4
    return t5


# --- reverse
def dcosinedxdy(x, y, bcosine=1.0):
    t = np.dot(x, y)
    t2 = np.linalg.norm(x)
    t3 = np.linalg.norm(y)
    t4 = t2 * t3
    t5 = t / t4

    bcosine = check_dims(t5, bcosine, t2, t3)
    # Grad of: return np.dot(x, y) / (np.linalg.norm(x) * np.linalg.norm(y))
    bt4 = -bcosine * t5 / t4
    bt3 = bt4 * t2
    bt2 = bt4 * t3
    bt = bcosine / t4
    bx = bt2 * safe_divide(x, t2) + dot_left(bt, x, y)
    by = bt3 * safe_divide(y, t3) + dot_right(bt, x, y)
    return astype(bx, x), astype(by, y)


# --- optimized
def dcosinedxdy(x, y, bcosine=1.0):
    t = np.linalg.norm(x)
    t2 = np.linalg.norm(y)
    t3 = t * t2
    t4 = np.dot(x, y) / t3

    bcosine = check_dims(t4, bcosine, t, t2)
    # Grad of: return np.dot(x, y) / (np.linalg.norm(x) * np.linalg.norm(y))
    bt3 = -bcosine * t4 / t3
    bt = bcosine / t3
    bx = bt3 * t2 * safe_divide(x, t) + dot_left(bt, x, y)
    by = bt3 * t * safe_divide(y, t2) + dot_right(bt, x, y)
    return astype(bx, x), astype(by, y)
