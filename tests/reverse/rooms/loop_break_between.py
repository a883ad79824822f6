"""A break in the middle of a loop."""


def f(x, n):
    y = 1.0
    for i in range(n):
        y = y * x
        if y > 5:
            break
        y = y + 0.1
    return y


ARGS = 1.7, 10
WRT = 'x',


# --- normal
def f(x, n):
    y = 1.0
    y2 = y
    for i in range(n):
        stop = False
        y3 = y2 * x
        c = y3 > 5
        if c:
            stop2 = True
            stop3 = stop2
            y5 = y3
        else:
            y4 = y3 + 0.1
            stop3 = stop
            y5 = y4
        y2 = y5
        if stop3:
            break
    return y2


# --- reverse
def dfdx(x, n, by=1.0):
    _stack = Stack()
    y = 1.0
    y2 = y
    count = 0
    for i in range(n):
        stop = False
        y3 = y2 * x
        c = y3 > 5
        if c:
            stop2 = True
            stop3 = stop2
            y5 = y3
        else:
            y4 = y3 + 0.1
            stop3 = stop
            y5 = y4
        push(_stack, c, "_1")
        push(_stack, y2, "_2")
        y2 = y5
        count += 1
        if stop3:
            break

    by = check_dims(y2, by, x)
    by2 = by
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(count - 1, -1, -1):
        y2 = pop(_stack, "_2")
        c = pop(_stack, "_1")
        # Grad of: if y > 5:
        if c:
            by3 = by2
        else:
            # Grad of: y = y + 0.1
            by3 = by2
        # Grad of: y = y * x
        bx += by3 * y2
        by2 = by3 * x
    bx2 = bx
    return bx2


# --- optimized
def dfdx(x, n, by=1.0):
    y = 1.0
    # Initialize the tape
    _stack = []
    for i in range(n):
        _stack.append(y)
        y = y * x
        if y > 5:
            break
        y = y + 0.1

    by = check_dims(y, by, x)
    # Grad of: for i in range(n):
    bx = init_grad(x)
    while _stack:
        y = _stack.pop()
        # Grad of: y = y * x
        bx += by * y
        by = by * x
    return bx
