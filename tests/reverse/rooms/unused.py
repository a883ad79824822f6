"""What does not reach the result is left out of the gradient, not its effects."""


def f(x, y):
    z = x * y
    w = z + 1
    print('w is', w)
    return x - y


ARGS = 1.3, 0.7


# --- normal
def f(x, y):
    z = x * y
    w = z + 1
    print("w is", w)
    t = x - y
    return t


# --- reverse
def dfdxdy(x, y, bx_minus_y=1.0):
    z = x * y
    w = z + 1
    print("w is", w)
    t = x - y

    bx_minus_y = check_dims(t, bx_minus_y, x, y)
    # Grad of: return x - y
    bx = bx_minus_y
    by = -bx_minus_y
    return bx, by


# --- optimized
def dfdxdy(x, y, bx_minus_y=1.0):
    z = x * y
    w = z + 1
    print("w is", w)

    bx_minus_y = check_dims(x - y, bx_minus_y, x, y)
    # Grad of: return x - y
    return bx_minus_y, -bx_minus_y
