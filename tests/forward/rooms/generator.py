ARGS = 0.7,


def powers(x, n):
    y = 1.0
    for _ in range(n):
        y = y * x
        yield y


def f(x):
    return sum([p * x for p in powers(x, 3)])


# --- split
def f(x):
    total = 0
    y = 1.0
    for _ in range(3):
        y = y * x
        p = y
        t = p * x
        total = total + t
    return total


# --- forward
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    total = 0
    dtotal = 0
    y = 1.0
    dy = 0.0
    for _ in range(3):
        dy = dy * x + dx * y
        y = y * x
        p = y
        dp = dy
        t = p * x
        dt = dp * x + dx * p
        total = total + t
        dtotal = dtotal + dt
    return dtotal


# --- optimized
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    dtotal = 0
    y = 1.0
    dy = 0.0
    for _ in range(3):
        dy = dy * x + dx * y
        y = y * x
        dtotal = dtotal + (dy * x + dx * y)
    return dtotal
