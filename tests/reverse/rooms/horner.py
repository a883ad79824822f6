"""A polynomial by Horner's scheme."""


def f(x, c):
    y = 0.0
    for a in c:
        y = y * x + a
    return y


import numpy as np

ARGS = 0.7, np.array([1.0, -2.0, 3.0])


# --- normal
def f(x, c):
    y = 0.0
    y2 = y
    for i in range(len(c)):
        a = c[i]
        t = y2 * x
        y3 = t + a
        y2 = y3
    return y2


# --- reverse
def dfdxdc(x, c, by=1.0):
    _stack = Stack()
    y = 0.0
    y2 = y
    for i in range(len(c)):
        a = c[i]
        t = y2 * x
        y3 = t + a
        push(_stack, y2, "_1")
        y2 = y3

    by = check_number(y2, by)
    by2 = by
    # Grad of: for a in c:
    bc = init_grad(c)
    bx = init_grad(x)
    for i in range(len(c) - 1, -1, -1):
        y2 = pop(_stack, "_1")
        # Grad of: y = y * x + a
        bx += by2 * y2
        # Grad of: for a in c:
        bc[i] += by2
        # Grad of: y = y * x + a
        by2 = by2 * x
    bx2 = bx
    bc2 = bc
    return bx2, astype(bc2, c)


# --- optimized
def dfdxdc(x, c, by=1.0):
    y = 0.0
    # Initialize the tape
    _stack = []
    for i in range(len(c)):
        _stack.append(y)
        a = c[i]
        y = y * x + a

    by = check_number(y, by)
    # Grad of: for a in c:
    bc = init_grad(c)
    bx = init_grad(x)
    for i in range(len(c) - 1, -1, -1):
        y = _stack.pop()
        # Grad of: y = y * x + a
        bx += by * y
        # Grad of: for a in c:
        bc[i] += by
        # Grad of: y = y * x + a
        by = by * x
    return bx, astype(bc, c)
