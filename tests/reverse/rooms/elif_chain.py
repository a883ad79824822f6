"""One of several formulas."""


def f(x):
    if x < -1:
        y = -x
    elif x < 1:
        y = x * x
    else:
        y = 2 * x - 1
    return y * y


ARGS = 0.4,


# --- normal
def f(x):
    c = x < -1
    if c:
        y = -x
        y5 = y
    else:
        c2 = x < 1
        if c2:
            y2 = x * x
            y4 = y2
        else:
            t = 2 * x
            y3 = t - 1
            y4 = y3
        y5 = y4
    t2 = y5 * y5
    return t2


# --- reverse
def dfdx(x, by_times_y=1.0):
    c = x < -1
    if c:
        y = -x
        y5 = y
    else:
        c2 = x < 1
        if c2:
            y2 = x * x
            y4 = y2
        else:
            t = 2 * x
            y3 = t - 1
            y4 = y3
        y5 = y4
    t2 = y5 * y5

    by_times_y = check_dims(t2, by_times_y)
    # Grad of: return y * y
    by = 2 * by_times_y * y5
    # Grad of: if x < -1:
    if c:
        # Grad of: y = -x
        bx2 = -by
    else:
        # Grad of: elif x < 1:
        if c2:
            # Grad of: y = x * x
            bx = 2 * by * x
        else:
            # Grad of: y = 2 * x - 1
            bx = by * 2
        bx2 = bx
    bx3 = bx2
    return bx3


# --- optimized
def dfdx(x, by_times_y=1.0):
    if x < -1:
        y = -x
    elif x < 1:
        y = x * x
    else:
        y = 2 * x - 1

    by_times_y = check_dims(y * y, by_times_y)
    # Grad of: return y * y
    by = 2 * by_times_y * y
    # Grad of: if x < -1:
    if x < -1:
        # Grad of: y = -x
        bx = -by
    elif x < 1:
        # Grad of: y = x * x
        bx = 2 * by * x
    else:
        # Grad of: y = 2 * x - 1
        bx = 2 * by
    return bx
