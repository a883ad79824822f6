"""Listing 1 of the paper: a function of one number."""


def f(x):
    return x * x


ARGS = 3.0,


# --- normal
def f(x):
    t = x * x
    return t


# --- reverse
def dfdx(x, bx_times_x=1.0):
    t = x * x
    bx_times_x = check_dims(t, bx_times_x)
    # Grad of: return x * x
    bx = 2 * bx_times_x * x
    return bx


# --- optimized
def dfdx(x, bx_times_x=1.0):
    bx_times_x = check_dims(x * x, bx_times_x)
    # Grad of: return x * x
    return 2 * bx_times_x * x
