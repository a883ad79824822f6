"""Nothing to do."""


def f(x):
    return x


ARGS = 1.3,


# --- normal
def f(x):
    return x


# --- reverse
def dfdx(x, bx=1.0):
    bx = check_dims(x, bx)
    bx2 = bx
    return bx2


# --- optimized
def dfdx(x, bx=1.0):
    return check_dims(x, bx)
