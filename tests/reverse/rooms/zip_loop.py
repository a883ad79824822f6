"""Two sequences side by side."""
import numpy as np


def f(xs, ys):
    s = 0.0
    for x, y in zip(xs, ys):
        s = s + (x - y) ** 2
    return s


ARGS = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.2, 0.1])


# --- normal
def f(xs, ys):
    s = 0.0
    s2 = s
    for i in range(min(len(xs), len(ys))):
        x = xs[i]
        y = ys[i]
        t = x - y
        t2 = t**2
        s3 = s2 + t2
        s2 = s3
    return s2


# --- reverse
def dfdxsdys(xs, ys, bs=1.0):
    _stack = Stack()
    s = 0.0
    s2 = s
    for i in range(min(len(xs), len(ys))):
        x = xs[i]
        y = ys[i]
        t = x - y
        t2 = t**2
        s3 = s2 + t2
        push(_stack, t, "_1")
        s2 = s3

    bs = check_number(s2, bs)
    bs2 = bs
    # Grad of: for x, y in zip(xs, ys):
    bxs = init_grad(xs)
    bys = init_grad(ys)
    for i in range(min(len(xs), len(ys)) - 1, -1, -1):
        t = pop(_stack, "_1")
        # Grad of: s = s + (x - y) ** 2
        bt = 2 * bs2 * t
        by = -bt
        # Grad of: for x, y in zip(xs, ys):
        bys[i] += by
        bxs[i] += bt
    bxs2 = bxs
    bys2 = bys
    return astype(bxs2, xs), astype(bys2, ys)


# --- optimized
def dfdxsdys(xs, ys, bs=1.0):
    s = 0.0
    for i in range(min(len(xs), len(ys))):
        x = xs[i]
        y = ys[i]
        s = s + (x - y) ** 2

    bs = check_number(s, bs)
    # Grad of: for x, y in zip(xs, ys):
    bxs = init_grad(xs)
    bys = init_grad(ys)
    for i in range(min(len(xs), len(ys)) - 1, -1, -1):
        # Grad of: s = s + (x - y) ** 2
        bt = 2 * bs * (xs[i] - ys[i])
        by = -bt
        # Grad of: for x, y in zip(xs, ys):
        bys[i] += by
        bxs[i] += bt
    return astype(bxs, xs), astype(bys, ys)
