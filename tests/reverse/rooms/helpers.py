"""Helpers called by helpers."""
import math


def square(x):
    return x * x


def distance(x, y):
    return math.sqrt(square(x) + square(y))


def f(x, y):
    return distance(x, y) * square(x)


ARGS = 1.3, 0.7


# --- normal
def f(x, y):
    t = distance(x, y)
    t2 = square(x)
    t3 = t * t2
    return t3


# --- normal
def square(x):
    t = x * x
    return t


# --- reverse
def square_primal(x, bx_times_x=1.0):
    t = x * x
    split_here(t)
    # Grad of: return x * x
    bx = 2 * bx_times_x * x
    return bx


# --- normal
def distance(x, y):
    t = square(x)
    t2 = square(y)
    t3 = t + t2
    t4 = math.sqrt(t3)
    return t4


# --- reverse
def distance_primal(x, y, bdistance=1.0):
    t, square_saved2 = square_primal(x)
    t2, square_saved = square_primal(y)
    t3 = t + t2
    t4 = math.sqrt(t3)

    split_here(t4)
    # Grad of: return math.sqrt(square(x) + square(y))
    bt3 = quotient(bdistance, 2 * t4)
    bt2 = unbroadcast(bt3, t2)
    by = square_adjoint(bt2, square_saved)
    bt = unbroadcast(bt3, t)
    bx = square_adjoint(bt, square_saved2)
    bx2 = bx
    by2 = by
    return bx2, by2


# --- reverse
def dfdxdy(x, y, bf=1.0):
    t, distance_saved = distance_primal(x, y)
    t2, square_saved = square_primal(x)
    t3 = t * t2

    bf = check_dims(t3, bf, t, t2)
    # Grad of: return distance(x, y) * square(x)
    bt2 = bf * t
    bx = square_adjoint(bt2, square_saved)
    bt = bf * t2
    bx2, by = distance_adjoint(bt, distance_saved)
    bx3 = add_grad(bx, bx2)
    by2 = by
    return astype(bx3, x), astype(by2, y)


# --- optimized
def square_primal(x):
    return x * x, x


def square_adjoint(bx_times_x, x):
    # Grad of: return x * x
    return 2 * bx_times_x * x


def distance_primal(x, y):
    t, square_saved = square_primal(x)
    t2, square_saved2 = square_primal(y)
    t3 = math.sqrt(t + t2)
    return t3, (t, square_saved, t2, square_saved2, t3)


def distance_adjoint(bdistance, saved):
    t, square_saved, t2, square_saved2, t3 = saved
    # Grad of: return math.sqrt(square(x) + square(y))
    bt = quotient(bdistance, 2 * t3)
    by = square_adjoint(unbroadcast(bt, t2), square_saved2)
    return square_adjoint(unbroadcast(bt, t), square_saved), by


def dfdxdy(x, y, bf=1.0):
    t, distance_saved = distance_primal(x, y)
    t2, square_saved = square_primal(x)
    bf = check_dims(t * t2, bf, t, t2)
    # Grad of: return distance(x, y) * square(x)
    bx = square_adjoint(bf * t, square_saved)
    bx2, by = distance_adjoint(bf * t2, distance_saved)
    return astype(add_grad(bx, bx2), x), astype(by, y)
