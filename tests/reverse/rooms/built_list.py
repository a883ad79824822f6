import numpy as np

ARGS = 0.3, 4


def f(x, n):
    ys = []
    for i in range(n):
        ys.append(np.sin(i * x))
    return sum(ys)


# --- normal
def f(x, n):
    ys = []
    for i in range(n):
        t = i * x
        t2 = np.sin(t)
        ys.append(t2)
    t3 = sum(ys)
    return t3


# --- reverse
def dfdx(x, n, bf=1.0):
    _stack = Stack()
    ys = []
    for i in range(n):
        t = i * x
        t2 = np.sin(t)
        ys.append(t2)
        push(_stack, t, "_1")
    t3 = sum(ys)

    bf = check_dims(t3, bf)
    # Grad of: return sum(ys)
    bys = unsum(bf, ys)
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        t = pop(_stack, "_1")
        # Grad of: ys.append(np.sin(i * x))
        bt2 = bys.pop()
        bt = bt2 * np.cos(t)
        bx += bt * i
    bx2 = bx
    return bx2


# --- optimized
def dfdx(x, n, bf=1.0):
    ys = []
    for i in range(n):
        ys.append(np.sin(i * x))

    bf = check_dims(sum(ys), bf)
    # Grad of: return sum(ys)
    bys = unsum(bf, ys)
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        # Grad of: ys.append(np.sin(i * x))
        bt = bys.pop() * np.cos(i * x)
        bx += bt * i
    return bx
