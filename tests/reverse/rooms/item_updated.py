import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = x * 1.0
    for i in range(1, 3):
        y[i] += y[i - 1] * x[i]
    return np.sum(y)


# --- normal
def f(x):
    y = x * 1.0
    for i in range(1, 3):
        t = y[i - 1]
        t2 = x[i]
        t3 = t * t2
        old = copy(y[i])
        y[i] += t3
    t4 = np.sum(y)
    return t4


# --- reverse
def dfdx(x, bf=1.0):
    _stack = Stack()
    y = x * 1.0
    for i in range(1, 3):
        t = y[i - 1]
        t2 = x[i]
        t3 = t * t2
        old = copy(y[i])
        y[i] += t3
        push(_stack, t2, "_1")
        push(_stack, old, "_2")
    t4 = np.sum(y)

    bf = check_scalar(bf)
    # Grad of: return np.sum(y)
    by = unreduce_like(bf, y)
    # Grad of: for i in range(1, 3):
    bx = init_grad(x)
    for i in range(2, 0, -1):
        old = pop(_stack, "_2")
        t2 = pop(_stack, "_1")
        y[i] = old
        # Grad of: y[i] += y[i - 1] * x[i]
        bt3 = copy(by[i])
        t = y[i - 1]
        bt2 = unbroadcast(bt3 * t, t2)
        bt = unbroadcast(bt3 * t2, t)
        bx[i] += bt2
        by[i - 1] += bt
    # Grad of: y = x * 1.0
    bx2 = bx + by * 1.0
    return bx2


# --- optimized
def dfdx(x, bf=1.0):
    y = x * 1.0
    for i in range(1, 3):
        y[i] += y[i - 1] * x[i]

    bf = check_scalar(bf)
    # Grad of: return np.sum(y)
    by = unreduce_like(bf, y)
    # Grad of: for i in range(1, 3):
    bx = init_grad(x)
    for i in range(2, 0, -1):
        # Grad of: y[i] += y[i - 1] * x[i]
        bt = copy(by[i])
        t = y[i - 1]
        bx[i] += unbroadcast(bt * t, x[i])
        by[i - 1] += unbroadcast(bt * x[i], t)
    # Grad of: y = x * 1.0
    return bx + 1.0 * by
