import numpy as np

ARGS = np.array([0.3, 0.5, 0.8]), np.array([1.0, 2.0, 3.0])


def f(xs, ws):
    total = 0.0
    for i, (x, w) in enumerate(zip(xs, ws)):
        if x > 0.7:
            continue
        total += w * x ** 2 + i
    return total


# --- split
def f(xs, ws):
    total = 0.0
    for i, (x, w) in enumerate(zip(xs, ws)):
        if x > 0.7:
            continue
        t = x**2
        t2 = w * t
        t3 = t2 + i
        total += t3
    return total


# --- forward
def dfdxs(xs, ws, dxs):
    dxs = check_tangent(xs, dxs)
    total = 0.0
    dtotal = 0.0
    for i, (x, w, dx) in enumerate(zip(xs, ws, dxs)):
        if x > 0.7:
            continue
        t = x**2
        dt = 2 * dx * x
        t2 = w * t
        dt2 = dt * w
        t3 = t2 + i
        dt3 = dt2
        dtotal += dt3
        total += t3
    return dtotal


# --- optimized
def dfdxs(xs, ws, dxs):
    dxs = check_tangent(xs, dxs)
    dtotal = 0.0
    for i, (x, w, dx) in enumerate(zip(xs, ws, dxs)):
        if x > 0.7:
            continue
        dtotal += 2 * dx * x * w
    return dtotal
