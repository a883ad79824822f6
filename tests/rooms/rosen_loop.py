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
        t3 = x[i]
        t4 = t2 * t3
        t5 = t - t4
        t6 = t5 ** 2
        t7 = 100.0 * t6
        t8 = x[i]
        t9 = 1 - t8
        t10 = t9 ** 2
        t11 = t7 + t10
        s3 = s2 + t11
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
        t3 = x[i]
        t4 = t2 * t3
        t5 = t - t4
        t6 = t5 ** 2
        t7 = 100.0 * t6
        t8 = x[i]
        t9 = 1 - t8
        t10 = t9 ** 2
        t11 = t7 + t10
        s3 = s2 + t11
        push(_stack, t2, '_1')
        push(_stack, t3, '_2')
        push(_stack, t5, '_3')
        push(_stack, t9, '_4')
        s2 = s3

    bs = check_number(s2, bs)
    bs2 = bs
    # Grad of: for i in range(len(x) - 1):
    bx = init_grad(x)
    for i in range(len(x) - 2, -1, -1):
        t9 = pop(_stack, '_4')
        t5 = pop(_stack, '_3')
        t3 = pop(_stack, '_2')
        t2 = pop(_stack, '_1')
        # Grad of: s += 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1 - x[i]) ** 2
        bt9 = 2 * bs2 * t9
        bt8 = -bt9
        bt6 = bs2 * 100.0
        bt5 = 2 * bt6 * t5
        bt4 = -bt5
        bt3 = bt4 * t2
        bt2 = bt4 * t3
        bx[i] += bt8 + bt3 + bt2
        bx[i + 1] += bt5
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
        # Grad of: s += 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1 - x[i]) ** 2
        bt2 = 2 * bt * (x[i + 1] - x[i] * x[i])
        bt3 = -bt2
        bx[i] += bt3 * x[i] - 2 * bs * (1 - x[i]) + bt3 * x[i]
        bx[i + 1] += bt2
    return astype(bx, x)
