"""Returns in the middle."""
import math


def f(x, y):
    if x > y:
        return x * y
    z = math.sin(x)
    if z > 0.5:
        return z * y
    return z - y


ARGS = 0.8, 1.7


# --- normal
def f(x, y):
    c = x > y
    if c:
        result = x * y
        result5 = result
    else:
        z = math.sin(x)
        c2 = z > 0.5
        if c2:
            result2 = z * y
            result4 = result2
        else:
            result3 = z - y
            result4 = result3
        result5 = result4
    return result5


# --- reverse
def dfdxdy(x, y, bf=1.0):
    c = x > y
    if c:
        result = x * y
        result5 = result
    else:
        z = math.sin(x)
        c2 = z > 0.5
        if c2:
            result2 = z * y
            result4 = result2
        else:
            result3 = z - y
            result4 = result3
        result5 = result4

    bf = check_dims(result5, bf, x, y)
    # Grad of: if x > y:
    if c:
        # Grad of: return x * y
        bx = bf * y
        by2 = bf * x
    else:
        # Grad of: if z > 0.5:
        if c2:
            # Grad of: return z * y
            bz = bf * y
            by = bf * z
        else:
            # Grad of: return z - y
            bz = bf
            by = -bf
        # Grad of: z = math.sin(x)
        bx = bz * math.cos(x)
        # Grad of: if z > 0.5:
        by2 = by
    bx2 = bx
    by3 = by2
    return bx2, by3


# --- optimized
def dfdxdy(x, y, bf=1.0):
    if x > y:
        result = x * y
    else:
        z = math.sin(x)
        if z > 0.5:
            result = z * y
        else:
            result = z - y

    bf = check_dims(result, bf, x, y)
    # Grad of: if x > y:
    if x > y:
        # Grad of: return x * y
        bx = bf * y
        by = bf * x
    else:
        # Grad of: if z > 0.5:
        if z > 0.5:
            # Grad of: return z * y
            bz = bf * y
            by = bf * z
        else:
            # Grad of: return z - y
            bz = bf
            by = -bf
        # Grad of: z = math.sin(x)
        bx = bz * math.cos(x)
    return bx, by
