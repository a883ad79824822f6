"""A loop in a loop."""
import numpy as np


def f(a, x):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            s += x[i] * a[i, j] * x[j]
    return s


ARGS = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0.5, 0.2])
WRT = 'x',


# --- normal
def f(a, x):
    s = 0.0
    s2 = s
    for i in range(len(x)):
        s3 = s2
        for j in range(len(x)):
            t = x[i]
            t2 = t * a[i, j]
            t3 = x[j]
            t4 = t2 * t3
            s4 = s3 + t4
            s3 = s4
        s2 = s3
    return s2


# --- reverse
def dfdx(a, x, bs=1.0):
    _stack = Stack()
    s = 0.0
    s2 = s
    for i in range(len(x)):
        s3 = s2
        for j in range(len(x)):
            t = x[i]
            t2 = t * a[i, j]
            t3 = x[j]
            t4 = t2 * t3
            s4 = s3 + t4
            push(_stack, t2, "_1")
            push(_stack, t3, "_2")
            s3 = s4
        s2 = s3

    bs = check_number(s2, bs)
    bs2 = bs
    # Grad of: for i in range(len(x)):
    bx = init_grad(x)
    for i in range(len(x) - 1, -1, -1):
        bs3 = bs2
        # Grad of: for j in range(len(x)):
        for j in range(len(x) - 1, -1, -1):
            t3 = pop(_stack, "_2")
            t2 = pop(_stack, "_1")
            # Grad of: s += x[i] * a[i, j] * x[j]
            bt3 = bs3 * t2
            bt2 = bs3 * t3
            bt = bt2 * a[i, j]
            bx[j] += bt3
            bx[i] += bt
        bs2 = bs3
    bx2 = bx
    return astype(bx2, x)


# --- optimized
def dfdx(a, x, bs=1.0):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            s = s + x[i] * a[i, j] * x[j]

    bs = check_number(s, bs)
    # Grad of: for i in range(len(x)):
    bx = init_grad(x)
    for i in range(len(x) - 1, -1, -1):
        # Grad of: for j in range(len(x)):
        for j in range(len(x) - 1, -1, -1):
            # Grad of: s += x[i] * a[i, j] * x[j]
            bx[j] += bs * (x[i] * a[i, j])
            bx[i] += bs * x[j] * a[i, j]
    return astype(bx, x)
