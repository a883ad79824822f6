ARGS = 0.7,


def f(x):
    return x


# --- split
def f(x):
    return x


# --- forward
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    return copy(dx)


# --- optimized
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    return copy(dx)
