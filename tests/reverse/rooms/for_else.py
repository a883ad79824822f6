ARGS = 0.3, [1.0, 2.0, 3.0]


def f(x, limits):
    for limit in limits:
        if x * 2.0 > limit:
            y = x * limit
            break
    else:
        y = x * x
    return y


# --- normal
def f(x, limits):
    broken = False
    broken2 = broken
    y = 0.0
    for i in range(len(limits)):
        limit = limits[i]
        stop = False
        c = x * 2.0 > limit
        if c:
            y2 = x * limit
            broken3 = True
            stop2 = True
            y3 = y2
            broken4 = broken3
            stop3 = stop2
        else:
            y3 = y
            broken4 = broken2
            stop3 = stop
        y = y3
        broken2 = broken4
        if stop3:
            break
    c2 = not broken2
    if c2:
        y4 = x * x
        y5 = y4
    else:
        y5 = y
    return y5


# --- reverse
def dfdxdlimits(x, limits, by=1.0):
    _stack = Stack()
    broken = False
    broken2 = broken
    y = 0.0
    count = 0
    for i in range(len(limits)):
        limit = limits[i]
        stop = False
        c = x * 2.0 > limit
        if c:
            y2 = x * limit
            broken3 = True
            stop2 = True
            y3 = y2
            broken4 = broken3
            stop3 = stop2
        else:
            y3 = y
            broken4 = broken2
            stop3 = stop
        push(_stack, limit, "_1")
        push(_stack, c, "_2")
        push(_stack, y, "_3")
        y = y3
        broken2 = broken4
        count += 1
        if stop3:
            break
    c2 = not broken2
    if c2:
        y4 = x * x
        y5 = y4
    else:
        y5 = y

    by = check_number(y5, by)
    # Grad of: for limit in limits:
    if c2:
        # Grad of: y = x * x
        bx = 2 * by * x
        by2 = init_grad(y)
    else:
        bx = init_grad(x)
        by2 = by
    by3 = by2
    blimits = init_grad(limits)
    bx2 = copy(bx)
    for i in range(count - 1, -1, -1):
        y = pop(_stack, "_3")
        c = pop(_stack, "_2")
        limit = pop(_stack, "_1")
        # Grad of: if x * 2.0 > limit:
        if c:
            # Grad of: y = x * limit
            bx2 += by3 * limit
            blimit = by3 * x
            by4 = init_grad(y)
        else:
            blimit = init_grad(limit)
            by4 = by3
        # Grad of: for limit in limits:
        blimits[i] += blimit
        # Grad of: if x * 2.0 > limit:
        by3 = by4
    bx3 = bx2
    blimits2 = blimits
    return bx3, astype(blimits2, limits)


# --- optimized
def dfdxdlimits(x, limits, by=1.0):
    broken = False
    y = 0.0
    # Initialize the tape
    count = 0
    _stack = []
    for i in range(len(limits)):
        _stack.append(y)
        limit = limits[i]
        count += 1
        if x * 2.0 > limit:
            y = x * limit
            broken = True
            break
    if not broken:
        y2 = x * x
    else:
        y2 = y

    by = check_number(y2, by)
    # Grad of: for limit in limits:
    if not broken:
        # Grad of: y = x * x
        bx = 2 * by * x
        by = init_grad(y)
    else:
        bx = init_grad(x)
    blimits = init_grad(limits)
    for i in range(count - 1, -1, -1):
        y2 = _stack.pop()
        limit = limits[i]
        # Grad of: if x * 2.0 > limit:
        if 2.0 * x > limit:
            # Grad of: y = x * limit
            bx += by * limit
            blimit = by * x
            by = init_grad(y2)
        else:
            blimit = init_grad(limit)
        # Grad of: for limit in limits:
        blimits[i] += blimit
    return bx, astype(blimits, limits)
