"""A loop that adds what it can compute again."""


def f(x, n):
    y = 0.0
    for i in range(n):
        y = y + x ** i / (i + 1)
    return y


ARGS = 0.7, 5
WRT = 'x',


# --- normal
def f(x, n):
    y = 0.0
    y2 = y
    for i in range(n):
        t = x**i
        t2 = t / (i + 1)
        y3 = y2 + t2
        y2 = y3
    return y2


# --- reverse
def dfdx(x, n, by=1.0):
    y = 0.0
    y2 = y
    for i in range(n):
        t = x**i
        t2 = t / (i + 1)
        y3 = y2 + t2
        y2 = y3

    by = check_dims(y2, by, x)
    by2 = by
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        # Grad of: y = y + x ** i / (i + 1)
        bt = by2 / (i + 1)
        bx += bt * dpower_dx(x, i)
    bx2 = bx
    return bx2


# --- optimized
def dfdx(x, n, by=1.0):
    y = 0.0
    for i in range(n):
        y = y + x**i / (i + 1)

    by = check_dims(y, by, x)
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        # Grad of: y = y + x ** i / (i + 1)
        bx += by / (i + 1) * dpower_dx(x, i)
    return bx
