"""A loop that leaves some trips out."""


def f(x, n):
    y = 1.0
    for i in range(n):
        if i % 3 == 0:
            continue
        y = y * x + i
    return y


ARGS = 1.2, 7
WRT = 'x',


# --- normal
def f(x, n):
    y = 1.0
    y2 = y
    for i in range(n):
        c = i % 3 == 0
        if c:
            pass
            y4 = y2
        else:
            t = y2 * x
            y3 = t + i
            y4 = y3
        y2 = y4
    return y2


# --- reverse
def dfdx(x, n, by=1.0):
    _stack = Stack()
    y = 1.0
    y2 = y
    for i in range(n):
        c = i % 3 == 0
        if c:
            pass
            y4 = y2
        else:
            t = y2 * x
            y3 = t + i
            y4 = y3
        push(_stack, c, "_1")
        push(_stack, y2, "_2")
        y2 = y4

    by = check_dims(y2, by, x)
    by2 = by
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        y2 = pop(_stack, "_2")
        c = pop(_stack, "_1")
        # Grad of: if i % 3 == 0:
        if c:
            by3 = by2
        else:
            # Grad of: y = y * x + i
            by3 = by2 * x
            bx += by2 * y2
        by2 = by3
    bx2 = bx
    return bx2


# --- optimized
def dfdx(x, n, by=1.0):
    y = 1.0
    # Initialize the tape
    _stack = []
    for i in range(n):
        _stack.append(y)
        if i % 3 != 0:
            y = y * x + i

    by = check_dims(y, by, x)
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(n - 1, -1, -1):
        y = _stack.pop()
        # Grad of: if i % 3 == 0:
        if i % 3 != 0:
            # Grad of: y = y * x + i
            bx += by * y
            by = by * x
    return bx
