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
    for p in powers(x, 3):
        t = p * x
        total = total + t
    return total


# --- split
def powers(x, n):
    y = 1.0
    for _ in range(n):
        y = y * x
        yield y


# --- forward
def powers_tangent(x, n, dx):
    y = 1.0
    dy = 0.0
    for _ in range(n):
        dy = dy * x + dx * y
        y = y * x
        yield y, dy


# --- forward
def dfdx(x, dx):
    dx = check_tangent(x, dx)
    total = 0
    dtotal = 0
    for p, dp in powers_tangent(x, 3, dx):
        t = p * x
        dt = dp * x + dx * p
        total = total + t
        dtotal = dtotal + dt
    return dtotal


# --- optimized
def powers_tangent(x, n, dx):
    y = 1.0
    dy = 0.0
    for _ in range(n):
        dy = dy * x + dx * y
        y = y * x
        yield y, dy


def dfdx(x, dx):
    dx = check_tangent(x, dx)
    dtotal = 0
    for p, dp in powers_tangent(x, 3, dx):
        dtotal = dtotal + (dp * x + dx * p)
    return dtotal
