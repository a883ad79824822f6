"""A branch on what the loop computes."""
import math


def f(x, n):
    y = x
    for i in range(n):
        if y > 1:
            y = math.sqrt(y)
        else:
            y = y * x + 1
    return y


ARGS = 0.9, 6
WRT = 'x',


# --- normal
def f(x, n):
    y = x
    y2 = y
    for i in range(n):
        c = y2 > 1
        if c:
            y3 = math.sqrt(y2)
            y5 = y3
        else:
            t = y2 * x
            y4 = t + 1
            y5 = y4
        y2 = y5
    return y2


# --- reverse
def dfdx(x, n, by=1.0):
    _stack = Stack()
    y = x
    y2 = y
    for i in range(n):
        c = y2 > 1
        if c:
            y3 = math.sqrt(y2)
            y5 = y3
            push(_stack, y3, "_1")
        else:
            t = y2 * x
            y4 = t + 1
            y5 = y4
        push(_stack, c, "_2")
        push(_stack, y2, "_3")
        y2 = y5

    by = check_dims(y2, by)
    by2 = by
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        y2 = pop(_stack, "_3")
        c = pop(_stack, "_2")
        # Grad of: if y > 1:
        if c:
            y3 = pop(_stack, "_1")
            # Grad of: y = math.sqrt(y)
            by3 = quotient(by2, 2 * y3)
        else:
            # Grad of: y = y * x + 1
            by3 = by2 * x
            bx += by2 * y2
        by2 = by3
    # Grad of: y = x
    bx2 = bx + by2
    return bx2


# --- optimized
def dfdx(x, n, by=1.0):
    y = x
    # Initialize the tape
    _stack = []
    _stack2 = []
    for i in range(n):
        _stack2.append(y)
        if y > 1:
            y = math.sqrt(y)
            _stack.append(y)
        else:
            y = y * x + 1

    by = check_dims(y, by)
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        y = _stack2.pop()
        # Grad of: if y > 1:
        if y > 1:
            y = _stack.pop()
            # Grad of: y = math.sqrt(y)
            by = quotient(by, 2 * y)
        else:
            # Grad of: y = y * x + 1
            bx += by * y
            by = by * x
    # Grad of: y = x
    return bx + by
