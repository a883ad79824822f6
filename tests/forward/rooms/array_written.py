import numpy as np

ARGS = np.array([0.3, 0.5, 0.8]),


def f(x):
    y = np.zeros(4)
    y[1:] = x * x
    y[0] = y[1] * y[2]
    y[2:] *= x[0]
    x[0] = 0.0
    return y.sum() + x[0] * x[1]


# --- split
def f(x):
    y = np.zeros(4)
    t = x * x
    y[1:] = t
    t2 = y[1]
    t3 = y[2]
    t4 = t2 * t3
    y[0] = t4
    t5 = x[0]
    y[2:] *= t5
    x[0] = 0.0
    t6 = y.sum()
    t7 = x[0]
    t8 = x[1]
    t9 = t7 * t8
    t10 = t6 + t9
    return t10


# --- forward
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    dx = copy_along(dx, x)
    x = copy_alike(x)
    y = np.zeros(4)
    dy = init_grad(y)
    t = x * x
    dt = 2 * dx * x
    dy[1:] = dt
    y[1:] = t
    t2 = y[1]
    dt2 = dy[1]
    t3 = y[2]
    dt3 = dy[2]
    t4 = t2 * t3
    dt4 = dt2 * t3 + dt3 * t2
    dy[0] = dt4
    y[0] = t4
    t5 = x[0]
    dt5 = dx[0]
    dy[2:] *= t5
    dy[2:] += y[2:] * dt5
    y[2:] *= t5
    dx[0] = 0.0
    x[0] = 0.0
    t6 = y.sum()
    dt6 = np.sum(dy)
    t7 = x[0]
    dt7 = dx[0]
    t8 = x[1]
    dt8 = dx[1]
    t9 = t7 * t8
    dt9 = dt7 * t8 + dt8 * t7
    t10 = t6 + t9
    dt10 = dt6 + dt9
    return dt10


# --- optimized
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    dx = copy_along(dx, x)
    x = copy_alike(x)
    y = np.zeros(4)
    dy = init_grad(y)
    dy[1:] = 2 * dx * x
    y[1:] = x * x
    t = y[1]
    t2 = y[2]
    dy[0] = dy[1] * t2 + dy[2] * t
    y[0] = t * t2
    t3 = x[0]
    dy[2:] *= t3
    dy[2:] += y[2:] * dx[0]
    y[2:] *= t3
    dx[0] = 0.0
    x[0] = 0.0
    return np.sum(dy) + (dx[0] * x[1] + dx[1] * x[0])
