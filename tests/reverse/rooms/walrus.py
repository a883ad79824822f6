import math

ARGS = 0.3,


def f(x):
    while (y := math.exp(x)) < 10.0:
        x = x + y
    return y


# --- normal
def f(x):
    x2 = x
    while True:
        stop = False
        y2 = math.exp(x2)
        c = y2 < 10.0
        if c:
            x3 = x2 + y2
            x4 = x3
            stop3 = stop
        else:
            stop2 = True
            x4 = x2
            stop3 = stop2
        y = y2
        x2 = x4
        if stop3:
            break
    return y


# --- reverse
def dfdx(x, by=1.0):
    _stack = Stack()
    x2 = x
    count = 0
    while True:
        stop = False
        y2 = math.exp(x2)
        c = y2 < 10.0
        if c:
            x3 = x2 + y2
            x4 = x3
            stop3 = stop
        else:
            stop2 = True
            x4 = x2
            stop3 = stop2
        push(_stack, y2, "_1")
        push(_stack, c, "_2")
        y = y2
        x2 = x4
        count += 1
        if stop3:
            break

    by = check_dims(y, by)
    by2 = by
    # Grad of: while (y := math.exp(x)) < 10.0:
    bx = init_grad(x2)
    for _ in range(count):
        c = pop(_stack, "_2")
        y2 = pop(_stack, "_1")
        by3 = by2
        # Grad of: while (y := math.exp(x)) < 10.0:
        if c:
            # Grad of: x = x + y
            bx2 = bx
            by3 = by3 + bx
        else:
            bx2 = bx
        bx3 = bx2 + by3 * y2
        by2 = init_grad(by2)
        bx = bx3
    bx4 = bx
    return bx4


# --- optimized
def dfdx(x, by=1.0):
    # Initialize the tape
    _stack = []
    while True:
        y = math.exp(x)
        _stack.append(y)
        if y < 10.0:
            x = x + y
        else:
            break

    by = check_dims(y, by)
    # Grad of: while (y := math.exp(x)) < 10.0:
    bx = init_grad(x)
    while _stack:
        y = _stack.pop()
        by2 = by
        # Grad of: while (y := math.exp(x)) < 10.0:
        if y < 10.0:
            # Grad of: x = x + y
            by2 = by + bx
        by = init_grad(by)
        bx = bx + by2 * y
    return bx
