import numpy as np

ARGS = [0.3, 0.8, 1.4],


def f(xs):
    return sum(map(np.sin, xs))


# --- normal
def f(xs):
    total = 0
    total2 = total
    for i in range(len(xs)):
        item = xs[i]
        t = np.sin(item)
        total3 = total2 + t
        total2 = total3
    return total2


# --- reverse
def dfdxs(xs, bf=1.0):
    _stack = Stack()
    total = 0
    total2 = total
    for i in range(len(xs)):
        item = xs[i]
        t = np.sin(item)
        total3 = total2 + t
        push(_stack, item, "_1")
        total2 = total3

    bf = check_number(total2, bf)
    btotal = bf
    # Grad of: return sum(map(np.sin, xs))
    bxs = init_grad(xs)
    for i in range(len(xs) - 1, -1, -1):
        item = pop(_stack, "_1")
        bitem = btotal * np.cos(item)
        bxs[i] += bitem
    bxs2 = bxs
    return astype(bxs2, xs)


# --- optimized
def dfdxs(xs, bf=1.0):
    total = 0
    for i in range(len(xs)):
        item = xs[i]
        total = total + np.sin(item)

    bf = check_number(total, bf)
    # Grad of: return sum(map(np.sin, xs))
    bxs = init_grad(xs)
    for i in range(len(xs) - 1, -1, -1):
        item = xs[i]
        bitem = bf * np.cos(item)
        bxs[i] += bitem
    return astype(bxs, xs)
