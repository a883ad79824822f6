import numpy as np

ARGS = np.array([0.3, 0.5]), np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([0.5, -0.6])
WRT = 'w', 'b'


def f(x, w, b):
    h = np.maximum(np.dot(w, x) + b, 0.0)
    return np.sum(h ** 2) / h.size


# --- split
def f(x, w, b):
    t = np.dot(w, x)
    t2 = t + b
    h = np.maximum(t2, 0.0)
    t3 = h**2
    t4 = np.sum(t3)
    t5 = t4 / h.size
    return t5


# --- forward
def dfdwdb(x, w, b, dw, db):
    dw = check_tangent(w, dw)
    db = check_tangent(b, db)
    t = np.dot(w, x)
    dt = np.dot(dw, x)
    t2 = t + b
    dt2 = dt + db
    h = np.maximum(t2, 0.0)
    dh = dt2 * balanced_eq(t2, h, 0.0)
    t3 = h**2
    dt3 = 2 * dh * h
    t4 = np.sum(t3)
    dt4 = np.sum(dt3)
    t5 = t4 / h.size
    dt5 = dt4 / h.size
    return dt5


# --- optimized
def dfdwdb(x, w, b, dw, db):
    dw = check_tangent(w, dw)
    db = check_tangent(b, db)
    t = np.dot(w, x) + b
    h = np.maximum(t, 0.0)
    dh = (np.dot(dw, x) + db) * balanced_eq(t, h, 0.0)
    return np.sum(2 * dh * h) / h.size
