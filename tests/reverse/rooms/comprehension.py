import numpy as np

ARGS = [0.3, 0.8, 1.4],


def f(xs):
    ys = [x * x for x in xs if x > 0.5]
    return sum(ys) * len(ys)


# --- normal
def f(xs):
    ys = []
    for i in range(len(xs)):
        x = xs[i]
        c = x > 0.5
        if c:
            t = x * x
            ys.append(t)
    t2 = sum(ys)
    t3 = t2 * len(ys)
    return t3


# --- reverse
def dfdxs(xs, bf=1.0):
    _stack = Stack()
    ys = []
    for i in range(len(xs)):
        x = xs[i]
        c = x > 0.5
        if c:
            t = x * x
            ys.append(t)
        push(_stack, x, "_1")
        push(_stack, c, "_2")
    t2 = sum(ys)
    t3 = t2 * len(ys)

    bf = check_dims(t3, bf)
    # Grad of: return sum(ys) * len(ys)
    bt2 = bf * len(ys)
    bys = unsum(bt2, ys)
    # Grad of: ys = [x * x for x in xs if x > 0.5]
    bxs = init_grad(xs)
    for i in range(len(xs) - 1, -1, -1):
        c = pop(_stack, "_2")
        x = pop(_stack, "_1")
        if c:
            bt = bys.pop()
            bx = 2 * bt * x
        else:
            bx = init_grad(x)
        bxs[i] += bx
    bxs2 = bxs
    return astype(bxs2, xs)


# --- optimized
def dfdxs(xs, bf=1.0):
    ys = []
    for i in range(len(xs)):
        x = xs[i]
        if x > 0.5:
            ys.append(x * x)

    bf = check_dims(sum(ys) * len(ys), bf)
    # Grad of: return sum(ys) * len(ys)
    bys = unsum(bf * len(ys), ys)
    # Grad of: ys = [x * x for x in xs if x > 0.5]
    bxs = init_grad(xs)
    for i in range(len(xs) - 1, -1, -1):
        x = xs[i]
        if x > 0.5:
            bx = 2 * bys.pop() * x
        else:
            bx = init_grad(x)
        bxs[i] += bx
    return astype(bxs, xs)
