"""The raw form of a branch in a loop."""


def f(x, n):
    y = x
    for i in range(n):
        if y > 1:
            y = y / 2
        else:
            y = y * y * x
    return y


ARGS = 0.9, 4
WRT = 'x',
OPTIONS = {'optimized': False}


# --- normal
def f(x, n):
    y = x
    y2 = y
    for i in range(n):
        c = y2 > 1
        if c:
            y3 = y2 / 2
            y5 = y3
        else:
            t = y2 * y2
            y4 = t * x
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
            y3 = y2 / 2
            y5 = y3
        else:
            t = y2 * y2
            y4 = t * x
            y5 = y4
            push(_stack, t, "_1")
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
            # Grad of: y = y / 2
            by3 = by2 / 2
        else:
            t = pop(_stack, "_1")
            # Grad of: y = y * y * x
            bt = by2 * x
            by3 = 2 * bt * y2
            bx += by2 * t
        by2 = by3
    # Grad of: y = x
    bx2 = bx + by2
    return bx2


# --- raw
def dfdx(x, n, by=1.0):
    # Beginning of forward pass
    # Initialize the tape
    _stack = Stack()
    y = x
    y2 = y
    for i in range(n):
        c = y2 > 1
        if c:
            y3 = y2 / 2
            y5 = y3
        else:
            t = y2 * y2
            y4 = t * x
            y5 = y4
            push(_stack, t, "_1")
        push(_stack, c, "_2")
        push(_stack, y2, "_3")
        y2 = y5

    # Beginning of backward pass
    by = check_dims(y2, by)
    by2 = by
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        y2 = pop(_stack, "_3")
        c = pop(_stack, "_2")
        # Grad of: if y > 1:
        if c:
            # Grad of: y = y / 2
            by3 = by2 / 2
        else:
            t = pop(_stack, "_1")
            # Grad of: y = y * y * x
            bt = by2 * x
            by3 = 2 * bt * y2
            bx += by2 * t
        by2 = by3
    # Grad of: y = x
    bx2 = bx + by2
    return bx2
