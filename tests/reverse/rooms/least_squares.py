"""Least squares with a ridge."""
import numpy as np


def f(w, a, b, ridge):
    r = np.dot(a, w) - b
    return 0.5 * np.dot(r, r) + ridge * np.dot(w, w)


ARGS = np.array([0.1, -0.2]), np.array([[1.0, 2.0], [3.0, 4.0], [0.5, -1.0]]), np.array([1.0, -1.0, 1.0]), 0.1
WRT = 'w', 'ridge'


# --- normal
def f(w, a, b, ridge):
    t = np.dot(a, w)
    r = t - b
    t2 = np.dot(r, r)
    t3 = 0.5 * t2
    t4 = np.dot(w, w)
    t5 = ridge * t4
    t6 = t3 + t5
    return t6


# --- reverse
def dfdwdridge(w, a, b, ridge, bf=1.0):
    t = np.dot(a, w)
    r = t - b
    t2 = np.dot(r, r)
    t3 = 0.5 * t2
    t4 = np.dot(w, w)
    t5 = ridge * t4
    t6 = t3 + t5

    bf = check_dims(t6, bf, ridge, t2, t4)
    # Grad of: return 0.5 * np.dot(r, r) + ridge * np.dot(w, w)
    bt4 = bf * ridge
    bt2 = bf * 0.5
    br = dot_left(bt2, r, r) + dot_right(bt2, r, r)
    # Grad of: r = np.dot(a, w) - b
    bt = unbroadcast(br, t)
    bw = dot_left(bt4, w, w) + dot_right(bt4, w, w) + dot_right(bt, a, w)
    # Grad of: return 0.5 * np.dot(r, r) + ridge * np.dot(w, w)
    bridge = bf * t4
    return astype(bw, w), bridge


# --- optimized
def dfdwdridge(w, a, b, ridge, bf=1.0):
    t = np.dot(a, w)
    r = t - b
    t2 = np.dot(r, r)
    t3 = np.dot(w, w)

    bf = check_dims(0.5 * t2 + ridge * t3, bf, ridge, t2, t3)
    # Grad of: return 0.5 * np.dot(r, r) + ridge * np.dot(w, w)
    bt3 = bf * ridge
    bt2 = 0.5 * bf
    br = dot_left(bt2, r, r) + dot_right(bt2, r, r)
    # Grad of: r = np.dot(a, w) - b
    bt = unbroadcast(br, t)
    bw = dot_left(bt3, w, w) + dot_right(bt3, w, w) + dot_right(bt, a, w)
    # Grad of: return 0.5 * np.dot(r, r) + ridge * np.dot(w, w)
    return astype(bw, w), bf * t3
