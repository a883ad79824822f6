import numpy as np

ARGS = np.array([0.3, 0.5]), np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([0.5, -0.6])


def f(x, w, b):
    h = np.dot(w, x) + b        # b may be of any shape
    return np.mean(np.tanh(h)) + np.sum(x + w)


# --- split
def f(x, w, b):
    t = np.dot(w, x)
    h = t + b  # b may be of any shape
    t2 = np.tanh(h)
    t3 = np.mean(t2)
    t4 = x + w
    t5 = np.sum(t4)
    t6 = t3 + t5
    return t6


# --- forward
def dfdx(x, w, b, dx):
    dx = check_tangent(x, dx)
    t = np.dot(w, x)
    dt = np.dot(w, dx)
    h = t + b  # b may be of any shape
    dh = dt
    t2 = np.tanh(h)
    dt2 = dh * (1 - t2 * t2)
    t3 = np.mean(t2)
    dt3 = np.mean(dt2)
    t4 = x + w
    dt4 = dx
    t5 = np.sum(t4)
    dt5 = np.sum(broadcast_like(dt4, t4))
    t6 = t3 + t5
    dt6 = dt3 + dt5
    return dt6


# --- optimized
def dfdx(x, w, b, dx):
    dx = check_tangent(x, dx)
    h = np.dot(w, x) + b  # b may be of any shape
    t = np.tanh(h)
    dt = np.sum(broadcast_like(dx, x + w))
    return np.mean(np.dot(w, dx) * (1 - t * t)) + dt
