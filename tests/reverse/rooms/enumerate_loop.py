"""Elements with their numbers."""
import numpy as np


def f(xs, w):
    s = 0.0
    for i, x in enumerate(xs):
        s += w ** i * x
    return s


ARGS = np.array([1.0, 2.0, 3.0]), 0.9


# --- normal
def f(xs, w):
    s = 0.0
    s2 = s
    for i in range(len(xs)):
        x = xs[i]
        t = w**i
        t2 = t * x
        s3 = s2 + t2
        s2 = s3
    return s2


# --- reverse
def dfdxsdw(xs, w, bs=1.0):
    _stack = Stack()
    s = 0.0
    s2 = s
    for i in range(len(xs)):
        x = xs[i]
        t = w**i
        t2 = t * x
        s3 = s2 + t2
        push(_stack, x, "_1")
        push(_stack, t, "_2")
        s2 = s3

    bs = check_number(s2, bs)
    bs2 = bs
    # Grad of: for i, x in enumerate(xs):
    bxs = init_grad(xs)
    bw = init_grad(w)
    for i in range(len(xs) - 1, -1, -1):
        t = pop(_stack, "_2")
        x = pop(_stack, "_1")
        # Grad of: s += w ** i * x
        bt = bs2 * x
        bx = bs2 * t
        bw += bt * dpower_dx(w, i)
        # Grad of: for i, x in enumerate(xs):
        bxs[i] += bx
    bxs2 = bxs
    bw2 = bw
    return astype(bxs2, xs), bw2


# --- optimized
def dfdxsdw(xs, w, bs=1.0):
    s = 0.0
    # Initialize the tape
    _stack = []
    for i in range(len(xs)):
        x = xs[i]
        t = w**i
        _stack.append(t)
        s = s + t * x

    bs = check_number(s, bs)
    # Grad of: for i, x in enumerate(xs):
    bxs = init_grad(xs)
    bw = init_grad(w)
    for i in range(len(xs) - 1, -1, -1):
        t = _stack.pop()
        x = xs[i]
        # Grad of: s += w ** i * x
        bx = bs * t
        bw += bs * x * dpower_dx(w, i)
        # Grad of: for i, x in enumerate(xs):
        bxs[i] += bx
    return astype(bxs, xs), bw
