"""Listing 3: a branch on the sign."""


def f(x):
    if x > 0:
        return x * x
    else:
        return -3 * x


ARGS = 1.3,


# --- normal
def f(x):
    c = x > 0
    if c:
        result = x * x
        result3 = result
    else:
        result2 = -3 * x
        result3 = result2
    return result3


# --- reverse
def dfdx(x, bf=1.0):
    c = x > 0
    if c:
        result = x * x
        result3 = result
    else:
        result2 = -3 * x
        result3 = result2

    bf = check_dims(result3, bf)
    # Grad of: if x > 0:
    if c:
        # Grad of: return x * x
        bx = 2 * bf * x
    else:
        # Grad of: return -3 * x
        bx = bf * -3
    bx2 = bx
    return bx2


# --- optimized
def dfdx(x, bf=1.0):
    if x > 0:
        result = x * x
    else:
        result = -3 * x

    bf = check_dims(result, bf)
    # Grad of: if x > 0:
    if x > 0:
        # Grad of: return x * x
        bx = 2 * bf * x
    else:
        # Grad of: return -3 * x
        bx = -3 * bf
    return bx
