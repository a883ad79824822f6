import numpy as np

ARGS = 0.7, 1.3
WRT = 'x', 'w'


def f(x, w):
    y = np.tanh(w * x)      # the value
    return y * np.sin(y) - x / w


# --- split
def f(x, w):
    t = w * x
    y = np.tanh(t)  # the value
    t2 = np.sin(y)
    t3 = y * t2
    t4 = x / w
    t5 = t3 - t4
    return t5


# --- forward
def dfdxdw(x, w, dx, dw):
    dx = check_tangent(x, dx)
    dw = check_tangent(w, dw)
    t = w * x
    dt = dw * x + dx * w
    y = np.tanh(t)  # the value
    dy = dt * (1 - y * y)
    t2 = np.sin(y)
    dt2 = dy * np.cos(y)
    t3 = y * t2
    dt3 = dy * t2 + dt2 * y
    t4 = x / w
    dt4 = dx / w - dw * t4 / w
    t5 = t3 - t4
    dt5 = dt3 - dt4
    return dt5


# --- optimized
def dfdxdw(x, w, dx, dw):
    dx = check_tangent(x, dx)
    dw = check_tangent(w, dw)
    y = np.tanh(w * x)  # the value
    dy = (dw * x + dx * w) * (1 - y * y)
    dt = dx / w - dw * (x / w) / w
    return dy * np.sin(y) + dy * np.cos(y) * y - dt
