"""Nothing depends on the argument."""


def f(x):
    y = 2.0
    return y * 3


ARGS = 1.3,


# --- normal
def f(x):
    y = 2.0
    t = y * 3
    return t


# --- reverse
def dfdx(x, bf=1.0):
    y = 2.0
    t = y * 3
    bf = check_scalar(bf)
    bx = zero_gradient(x)
    return bx


# --- optimized
def dfdx(x, bf=1.0):
    check_scalar(bf)
    return zero_gradient(x)
