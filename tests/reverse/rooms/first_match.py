ARGS = [0.3, 0.7, 1.1], 0.5


def first_match(xs, limit):
    """The first element above a limit."""
    return next(x * limit for x in xs if x > limit)


# --- normal
def first_match(xs, limit):
    """The first element above a limit."""
    broken = False
    broken2 = broken
    first = 0.0
    for i in range(len(xs)):
        x = xs[i]
        stop = False
        c = x > limit
        if c:
            first2 = x * limit
            broken3 = True
            stop2 = True
            first3 = first2
            broken4 = broken3
            stop3 = stop2
        else:
            first3 = first
            broken4 = broken2
            stop3 = stop
        first = first3
        broken2 = broken4
        if stop3:
            break
    if not broken2:
        raise StopIteration
    return first


# --- reverse
def dfirst_matchdxsdlimit(xs, limit, bfirst_match=1.0):
    _stack = Stack()
    "The first element above a limit."
    broken = False
    broken2 = broken
    first = 0.0
    count = 0
    for i in range(len(xs)):
        x = xs[i]
        stop = False
        c = x > limit
        if c:
            first2 = x * limit
            broken3 = True
            stop2 = True
            first3 = first2
            broken4 = broken3
            stop3 = stop2
        else:
            first3 = first
            broken4 = broken2
            stop3 = stop
        push(_stack, x, "_1")
        push(_stack, c, "_2")
        push(_stack, first, "_3")
        first = first3
        broken2 = broken4
        count += 1
        if stop3:
            break
    if not broken2:
        raise StopIteration

    bfirst_match = check_number(first, bfirst_match)
    bfirst = bfirst_match
    # Grad of: return next(x * limit for x in xs if x > limit)
    bxs = init_grad(xs)
    blimit = init_grad(limit)
    for i in range(count - 1, -1, -1):
        first = pop(_stack, "_3")
        c = pop(_stack, "_2")
        x = pop(_stack, "_1")
        if c:
            bx = bfirst * limit
            blimit += bfirst * x
            bfirst2 = init_grad(first)
        else:
            bx = init_grad(x)
            bfirst2 = bfirst
        bxs[i] += bx
        bfirst = bfirst2
    bxs2 = bxs
    blimit2 = blimit
    return astype(bxs2, xs), blimit2


# --- optimized
def dfirst_matchdxsdlimit(xs, limit, bfirst_match=1.0):
    broken = False
    first = 0.0
    # Initialize the tape
    count = 0
    _stack = []
    for i in range(len(xs)):
        _stack.append(first)
        x = xs[i]
        count += 1
        if x > limit:
            first = x * limit
            broken = True
            break
    if not broken:
        raise StopIteration

    bfirst_match = check_number(first, bfirst_match)
    bfirst = bfirst_match
    # Grad of: return next(x * limit for x in xs if x > limit)
    bxs = init_grad(xs)
    blimit = init_grad(limit)
    for i in range(count - 1, -1, -1):
        first = _stack.pop()
        x = xs[i]
        if x > limit:
            bx = bfirst * limit
            blimit += bfirst * x
            bfirst = init_grad(first)
        else:
            bx = init_grad(x)
        bxs[i] += bx
    return astype(bxs, xs), blimit
