ARGS = 0.7, 3


def f(x, n):
    y = x
    while True:
        y = y * x
        n -= 1
        if n == 0:
            return y


# --- split
def f(x, n):
    y = x
    while True:
        y = y * x
        n -= 1
        if n == 0:
            return y


# --- forward
def dfdx(x, n, dx):
    dx = check_tangent(x, dx)
    y = x
    dy = dx
    while True:
        dy = dy * x + dx * y
        y = y * x
        n -= 1
        if n == 0:
            return copy(dy)


# --- optimized
def dfdx(x, n, dx):
    dx = check_tangent(x, dx)
    y = x
    dy = dx
    while True:
        dy = dy * x + dx * y
        y = y * x
        n -= 1
        if n == 0:
            return copy(dy)
