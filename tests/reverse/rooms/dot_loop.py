"""A product of vectors, element by element."""


def f(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s


import numpy as np

ARGS = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.2, 0.1])


# --- normal
def f(x, y):
    s = 0.0
    s2 = s
    for i in range(len(x)):
        t = x[i]
        t2 = y[i]
        t3 = t * t2
        s3 = s2 + t3
        s2 = s3
    return s2


# --- reverse
def dfdxdy(x, y, bs=1.0):
    _stack = Stack()
    s = 0.0
    s2 = s
    for i in range(len(x)):
        t = x[i]
        t2 = y[i]
        t3 = t * t2
        s3 = s2 + t3
        push(_stack, t, "_1")
        push(_stack, t2, "_2")
        s2 = s3

    bs = check_number(s2, bs)
    bs2 = bs
    # Grad of: for i in range(len(x)):
    bx = init_grad(x)
    by = init_grad(y)
    for i in range(len(x) - 1, -1, -1):
        t2 = pop(_stack, "_2")
        t = pop(_stack, "_1")
        # Grad of: s += x[i] * y[i]
        bt2 = bs2 * t
        bt = bs2 * t2
        by[i] += bt2
        bx[i] += bt
    bx2 = bx
    by2 = by
    return astype(bx2, x), astype(by2, y)


# --- optimized
def dfdxdy(x, y, bs=1.0):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * y[i]

    bs = check_number(s, bs)
    # Grad of: for i in range(len(x)):
    bx = init_grad(x)
    by = init_grad(y)
    for i in range(len(x) - 1, -1, -1):
        # Grad of: s += x[i] * y[i]
        by[i] += bs * x[i]
        bx[i] += bs * y[i]
    return astype(bx, x), astype(by, y)
