"""Listing 6: the raw form, with every operation on the tape and its identifier."""
import numpy as np


def f(x, n):
    for i in range(n):
        x = np.sin(x) * x
    return x


ARGS = 1.3, 4
WRT = 'x',
OPTIONS = {'optimized': False}


# --- normal
def f(x, n):
    x2 = x
    for i in range(n):
        t = np.sin(x2)
        x3 = t * x2
        x2 = x3
    return x2


# --- reverse
def dfdx(x, n, bx=1.0):
    _stack = Stack()
    x2 = x
    for i in range(n):
        t = np.sin(x2)
        x3 = t * x2
        push(_stack, t, "_1")
        push(_stack, x2, "_2")
        x2 = x3

    bx = check_dims(x2, bx)
    bx2 = bx
    # Grad of: for i in range(n):
    for i in range(n - 1, -1, -1):
        x2 = pop(_stack, "_2")
        t = pop(_stack, "_1")
        # Grad of: x = np.sin(x) * x
        bt = bx2 * x2
        bx2 = bx2 * t + bt * np.cos(x2)
    bx3 = bx2
    return bx3


# --- raw
def dfdx(x, n, bx=1.0):
    # Beginning of forward pass
    # Initialize the tape
    _stack = Stack()
    x2 = x
    for i in range(n):
        t = np.sin(x2)
        x3 = t * x2
        push(_stack, t, "_1")
        push(_stack, x2, "_2")
        x2 = x3

    # Beginning of backward pass
    bx = check_dims(x2, bx)
    bx2 = bx
    # Grad of: for i in range(n):
    for i in range(n - 1, -1, -1):
        x2 = pop(_stack, "_2")
        t = pop(_stack, "_1")
        # Grad of: x = np.sin(x) * x
        bt = bx2 * x2
        bx2 = bx2 * t + bt * np.cos(x2)
    bx3 = bx2
    return bx3
