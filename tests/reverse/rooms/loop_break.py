"""A loop that ends early."""


def f(x, n):
    y = x
    for i in range(n):
        y = y * x
        if y > 5:
            break
    return y


ARGS = 1.7, 10
WRT = 'x',


# --- normal
def f(x, n):
    y = x
    y2 = y
    for i in range(n):
        stop = False
        y3 = y2 * x
        if y3 > 5:
            stop2 = True
            stop3 = stop2
        else:
            stop3 = stop
        y2 = y3
        if stop3:
            break
    return y2


# --- reverse
def dfdx(x, n, by=1.0):
    _stack = Stack()
    y = x
    y2 = y
    count = 0
    for i in range(n):
        stop = False
        y3 = y2 * x
        if y3 > 5:
            stop2 = True
            stop3 = stop2
        else:
            stop3 = stop
        push(_stack, y2, "_1")
        y2 = y3
        count += 1
        if stop3:
            break

    by = check_dims(y2, by)
    by2 = by
    # Grad of: for i in range(n):
    bx = init_grad(x)
    for i in range(count - 1, -1, -1):
        y2 = pop(_stack, "_1")
        # Grad of: y = y * x
        bx += by2 * y2
        by2 = by2 * x
    # Grad of: y = x
    bx2 = bx + by2
    return bx2


# --- optimized
def dfdx(x, n, by=1.0):
    y = x
    # Initialize the tape
    _stack = []
    for i in range(n):
        _stack.append(y)
        y = y * x
        if y > 5:
            break

    by = check_dims(y, by)
    # Grad of: for i in range(n):
    bx = init_grad(x)
    while _stack:
        y = _stack.pop()
        # Grad of: y = y * x
        bx += by * y
        by = by * x
    # Grad of: y = x
    return bx + by
