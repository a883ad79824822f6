"""One name, several values."""


def f(x, y):
    x = x * y
    x = x * x
    y += x
    return x * y


ARGS = 1.3, 0.7


# --- normal
def f(x, y):
    x2 = x * y
    x3 = x2 * x2
    y2 = y + x3
    t = x3 * y2
    return t


# --- reverse
def dfdxdy(x, y, bx_times_y=1.0):
    x2 = x * y
    x3 = x2 * x2
    y2 = y + x3
    t = x3 * y2

    bx_times_y = check_dims(t, bx_times_y, x, y)
    # Grad of: return x * y
    by = bx_times_y * x3
    # Grad of: y += x
    bx = bx_times_y * y2 + by
    # Grad of: x = x * x
    bx2 = 2 * bx * x2
    # Grad of: x = x * y
    bx3 = bx2 * y
    by2 = by + bx2 * x
    return bx3, by2


# --- optimized
def dfdxdy(x, y, bx_times_y=1.0):
    x2 = x * y
    x3 = x2 * x2
    y2 = y + x3

    bx_times_y = check_dims(x3 * y2, bx_times_y, x, y)
    # Grad of: return x * y
    by = bx_times_y * x3
    # Grad of: y += x
    bx = bx_times_y * y2 + by
    # Grad of: x = x * x
    bx = 2 * bx * x2
    # Grad of: x = x * y
    return bx * y, by + bx * x
