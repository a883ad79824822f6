"""Listing 4: a loop whose trips depend on the value."""


def f(x, limit):
    y = x
    while y < limit:
        y = y * x
    return y


ARGS = 1.7, 10.0
WRT = 'x',


# --- normal
def f(x, limit):
    y = x
    y2 = y
    while y2 < limit:
        y3 = y2 * x
        y2 = y3
    return y2


# --- reverse
def dfdx(x, limit, by=1.0):
    _stack = Stack()
    y = x
    y2 = y
    count = 0
    while y2 < limit:
        y3 = y2 * x
        push(_stack, y2, "_1")
        y2 = y3
        count += 1

    by = check_dims(y2, by)
    by2 = by
    # Grad of: while y < limit:
    bx = init_grad(x)
    for _ in range(count):
        y2 = pop(_stack, "_1")
        # Grad of: y = y * x
        bx += by2 * y2
        by2 = by2 * x
    # Grad of: y = x
    bx2 = bx + by2
    return bx2


# --- optimized
def dfdx(x, limit, by=1.0):
    y = x
    # Initialize the tape
    _stack = []
    while y < limit:
        _stack.append(y)
        y = y * x

    by = check_dims(y, by)
    # Grad of: while y < limit:
    bx = init_grad(x)
    while _stack:
        y = _stack.pop()
        # Grad of: y = y * x
        bx += by * y
        by = by * x
    # Grad of: y = x
    return bx + by
