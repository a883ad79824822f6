ARGS = 0.7,


def while_walrus(x):
    """Newton's method, until the step is small."""
    y = 1.0
    while abs(step := (y * y - x) / (2 * y)) > 1e-3:
        y = y - step
    return y


# --- normal
def while_walrus(x):
    """Newton's method, until the step is small."""
    y = 1.0
    y2 = y
    while True:
        stop = False
        t = y2 * y2
        t2 = t - x
        t3 = 2 * y2
        step = t2 / t3
        c = abs(step) > 0.001
        if c:
            y3 = y2 - step
            y4 = y3
            stop3 = stop
        else:
            stop2 = True
            y4 = y2
            stop3 = stop2
        y2 = y4
        if stop3:
            break
    return y2


# --- reverse
def dwhile_walrusdx(x, by=1.0):
    _stack = Stack()
    "Newton's method, until the step is small."
    y = 1.0
    y2 = y
    count = 0
    while True:
        stop = False
        t = y2 * y2
        t2 = t - x
        t3 = 2 * y2
        step = t2 / t3
        c = abs(step) > 0.001
        if c:
            y3 = y2 - step
            y4 = y3
            stop3 = stop
        else:
            stop2 = True
            y4 = y2
            stop3 = stop2
        push(_stack, t3, "_1")
        push(_stack, step, "_2")
        push(_stack, c, "_3")
        push(_stack, y2, "_4")
        y2 = y4
        count += 1
        if stop3:
            break

    by = check_dims(y2, by, x)
    by2 = by
    # Grad of: while abs(step := (y * y - x) / (2 * y)) > 1e-3:
    bx = init_grad(x)
    for _ in range(count):
        y2 = pop(_stack, "_4")
        c = pop(_stack, "_3")
        step = pop(_stack, "_2")
        t3 = pop(_stack, "_1")
        if c:
            # Grad of: y = y - step
            by3 = by2
            bstep = -by2
        else:
            by3 = by2
            bstep = init_grad(step)
        bt3 = -bstep * step / t3
        bt2 = bstep / t3
        bx -= bt2
        by2 = by3 + bt3 * 2 + 2 * bt2 * y2
    bx2 = bx
    return bx2


# --- optimized
def dwhile_walrusdx(x, by=1.0):
    y = 1.0
    # Initialize the tape
    _stack = []
    while True:
        step = (y * y - x) / (2 * y)
        c = abs(step) > 0.001
        _stack.append((step, c, y))
        if c:
            y = y - step
        else:
            break

    by = check_dims(y, by, x)
    # Grad of: while abs(step := (y * y - x) / (2 * y)) > 1e-3:
    bx = init_grad(x)
    while _stack:
        step, c, y = _stack.pop()
        t = 2 * y
        if c:
            # Grad of: y = y - step
            bstep = -by
        else:
            bstep = init_grad(step)
        bt = bstep / t
        bx -= bt
        by = by - 2 * (bstep * step / t) + 2 * bt * y
    return bx
