"""Listing 2: names on a straight line."""


def f(x):
    a = x * x
    b = x * a
    c = a + b
    return c


ARGS = 1.3,


# --- normal
def f(x):
    a = x * x
    b = x * a
    c = a + b
    return c


# --- reverse
def dfdx(x, bc=1.0):
    a = x * x
    b = x * a
    c = a + b

    bc = check_dims(c, bc)
    # Grad of: b = x * a
    ba = bc + bc * x
    # Grad of: a = x * x
    bx = bc * a + 2 * ba * x
    return bx


# --- optimized
def dfdx(x, bc=1.0):
    a = x * x
    b = x * a
    c = a + b

    bc = check_dims(c, bc)
    # Grad of: a = x * x
    return bc * a + 2 * (bc + bc * x) * x
