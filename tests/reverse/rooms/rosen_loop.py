"""Rosenbrock's function, element by element."""
import numpy as np


def rosen(x):
    s = 0.0
    for i in range(len(x) - 1):
        s += 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1 - x[i]) ** 2
    return s


ARGS = np.array([1.3, 0.7, 0.8, 1.9]),


# --- normal
def rosen(x):
    s = 0.0
    s2 = s
    for i in range(len(x) - 1):
        t = x[i + 1]
        t2 = x[i]
        t3 = t2 * t2
        t4 = t - t3
        t5 = t4**2
        t6 = 100.0 * t5
        t7 = 1 - t2
        t8 = t7**2
        t9 = t6 + t8
        s3 = s2 + t9
        s2 = s3
    return s2


# --- reverse
def drosendx(x, bs=1.0):
    _stack = Stack()
    s = 0.0
    s2 = s
    for i in range(len(x) - 1):
        t = x[i + 1]
        t2 = x[i]
        t3 = t2 * t2
        t4 = t - t3
        t5 = t4**2
        t6 = 100.0 * t5
        t7 = 1 - t2
        t8 = t7**2
        t9 = t6 + t8
        s3 = s2 + t9
        push(_stack, t2, "_1")
        push(_stack, t4, "_2")
        push(_stack, t7, "_3")
        s2 = s3

    bs = check_number(s2, bs)
    bs2 = bs
    # Grad of: for i in range(len(x) - 1):
    bx = init_grad(x)
    for i in range(len(x) - 2, -1, -1):
        t7 = pop(_stack, "_3")
        t4 = pop(_stack, "_2")
        t2 = pop(_stack, "_1")
        # Grad of: s += 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1 - x[i]) ** 2
        bt7 = 2 * bs2 * t7
        bt5 = bs2 * 100.0
        bt4 = 2 * bt5 * t4
        bt3 = -bt4
        bt2 = -bt7 + 2 * bt3 * t2
        bx[i] += bt2
        bx[i + 1] += bt4
    bx2 = bx
    return astype(bx2, x)


# --- optimized
def drosendx(x, bs=1.0):
    s = 0.0
    for i in range(len(x) - 1):
        s = s + (100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1 - x[i]) ** 2)

    bs = check_number(s, bs)
    # Grad of: for i in range(len(x) - 1):
    bx = init_grad(x)
    bt = 100.0 * bs
    for i in range(len(x) - 2, -1, -1):
        t = x[i]
        # Grad of: s += 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1 - x[i]) ** 2
        bt2 = 2 * bt * (x[i + 1] - t * t)
        bx[i] += -2 * bt2 * t - 2 * bs * (1 - t)
        bx[i + 1] += bt2
    return astype(bx, x)
