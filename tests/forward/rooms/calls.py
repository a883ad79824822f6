import numpy as np

ARGS = 0.7,


def square(v, scale=1.0):
    return scale * v * v


def f(x):
    return square(np.exp(x)) + square(x, scale=x)


# --- split
def f(x):
    t = np.exp(x)
    t2 = square(t)
    t3 = square(x, scale=x)
    t4 = t2 + t3
    return t4


# --- split
def square(v, scale=1.0):
    t = scale * v
    t2 = t * v
    return t2


# --- forward
def square_tangent(v, scale=1.0, dv=None):
    t = scale * v
    dt = dv * scale
    t2 = t * v
    dt2 = dt * v + dv * t
    return t2, dt2


# --- split
def square(v, scale=1.0):
    t = scale * v
    t2 = t * v
    return t2


# --- forward
def square_tangent2(v, scale=1.0, dv=None, dscale=None):
    t = scale * v
    dt = dscale * v + dv * scale
    t2 = t * v
    dt2 = dt * v + dv * t
    return t2, dt2


# --- forward
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    t = np.exp(x)
    dt = dx * t
    t2, dt2 = square_tangent(t, dv=dt)
    t3, dt3 = square_tangent2(x, scale=x, dv=dx, dscale=dx)
    t4 = t2 + t3
    dt4 = dt2 + dt3
    return dt4


# --- optimized
def square_tangent(v, scale=1.0, dv=None):
    t = scale * v
    return t * v, dv * scale * v + dv * t


def square_tangent2(v, scale=1.0, dv=None, dscale=None):
    t = scale * v
    dt = (dscale * v + dv * scale) * v + dv * t
    return t * v, dt


def dfdx(x, dx):
    dx = check_tangent(x, dx)
    t = np.exp(x)
    t2, dt2 = square_tangent(t, dv=dx * t)
    t3, dt3 = square_tangent2(x, scale=x, dv=dx, dscale=dx)
    return dt2 + dt3
