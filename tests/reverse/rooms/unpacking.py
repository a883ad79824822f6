"""A point as a tuple."""


def f(point, k):
    x, y = point
    return k * x * y


ARGS = (1.3, 0.7), 2.0


# --- normal
def f(point, k):
    x, y = point
    t = k * x
    t2 = t * y
    return t2


# --- reverse
def dfdpointdk(point, k, bf=1.0):
    x, y = point
    t = k * x
    t2 = t * y

    bf = check_number(t2, bf)
    # Grad of: return k * x * y
    bt = bf * y
    bx = bt * k
    by = bf * t
    # Grad of: x, y = point
    bpoint = init_grad(point)
    bpoint[0] += bx
    bpoint[1] += by
    # Grad of: return k * x * y
    bk = bt * x
    return astype(bpoint, point), bk


# --- optimized
def dfdpointdk(point, k, bf=1.0):
    x, y = point
    t = k * x
    bf = check_number(t * y, bf)
    # Grad of: return k * x * y
    bt = bf * y
    bx = bt * k
    by = bf * t
    # Grad of: x, y = point
    bpoint = init_grad(point)
    bpoint[0] += bx
    bpoint[1] += by
    # Grad of: return k * x * y
    return astype(bpoint, point), bt * x
