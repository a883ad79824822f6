import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def square_into(src, dst):
    dst[:] = src * src


def f(x):
    y = np.empty(3)
    square_into(x, y)
    return np.sum(x * y)


# --- normal
def f(x):
    y = np.empty(3)
    t = square_into(x, y)
    t2 = x * y
    t3 = np.sum(t2)
    return t3


# --- normal
def square_into(src, dst):
    result2 = None
    t = src * src
    old = copy(dst[:])
    dst[:] = t
    return result2


# --- reverse
def square_into_primal(src, dst, bsquare_into=1.0, bdst=1.0):
    result2 = None
    t = src * src
    old = copy(dst[:])
    dst[:] = t
    split_here()
    dst[:] = old

    # Grad of: dst[:] = src * src
    bt = copy(bdst[:])
    bdst[:] = 0
    bsrc = unbroadcast(2 * bt * src, src)
    return bsrc


# --- reverse
def dfdx(x, bf=1.0):
    y = np.empty(3)
    square_into_saved = square_into_primal(x, y)
    t = None
    t2 = x * y
    t3 = np.sum(t2)

    bf = check_scalar(bf)
    # Grad of: return np.sum(x * y)
    bt2 = unreduce_like(bf, t2)
    by = unbroadcast(bt2 * x, y)
    bx = unbroadcast(bt2 * y, x)
    # Grad of: square_into(x, y)
    bx2 = square_into_adjoint(square_into_saved, by)
    bx3 = bx + bx2
    return astype(bx3, x)


# --- optimized
def square_into_primal(src, dst):
    dst[:] = src * src
    return src


def square_into_adjoint(src, bdst):
    # Grad of: dst[:] = src * src
    bt = copy(bdst[:])
    bdst[:] = 0
    return unbroadcast(2 * bt * src, src)


def dfdx(x, bf=1.0):
    y = np.empty(3)
    square_into_saved = square_into_primal(x, y)
    bf = check_scalar(bf)
    # Grad of: return np.sum(x * y)
    bt = unreduce_like(bf, x * y)
    by = unbroadcast(bt * x, y)
    bx = unbroadcast(bt * y, x)
    # Grad of: square_into(x, y)
    return astype(bx + square_into_adjoint(square_into_saved, by), x)
