"""A conditional expression."""


def f(x, y):
    return x * y if x > y else x - y


ARGS = 1.3, 0.7


# --- normal
def f(x, y):
    c = x > y
    if c:
        t = x * y
    else:
        t = x - y
    return t


# --- reverse
def dfdxdy(x, y, bf=1.0):
    c = x > y
    if c:
        t = x * y
    else:
        t = x - y

    bf = check_dims(t, bf, x, y)
    # Grad of: return x * y if x > y else x - y
    if c:
        bx = bf * y
        by = bf * x
    else:
        bx = bf
        by = -bf
    bx2 = bx
    by2 = by
    return bx2, by2


# --- optimized
def dfdxdy(x, y, bf=1.0):
    if x > y:
        t = x * y
    else:
        t = x - y

    bf = check_dims(t, bf, x, y)
    # Grad of: return x * y if x > y else x - y
    if x > y:
        bx = bf * y
        by = bf * x
    else:
        bx = bf
        by = -bf
    return bx, by
