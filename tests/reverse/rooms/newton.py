"""Newton's method for the square root."""


def f(a, tolerance):
    x = a
    while abs(x * x - a) > tolerance:
        x = x - (x * x - a) / (2 * x)
    return x


ARGS = 2.3, 1e-8
WRT = 'a',


# --- normal
def f(a, tolerance):
    x = a
    x2 = x
    while abs(x2 * x2 - a) > tolerance:
        t = x2 * x2
        t2 = t - a
        t3 = 2 * x2
        t4 = t2 / t3
        x3 = x2 - t4
        x2 = x3
    return x2


# --- reverse
def dfda(a, tolerance, bx=1.0):
    _stack = Stack()
    x = a
    x2 = x
    count = 0
    while abs(x2 * x2 - a) > tolerance:
        t = x2 * x2
        t2 = t - a
        t3 = 2 * x2
        t4 = t2 / t3
        x3 = x2 - t4
        push(_stack, t3, "_1")
        push(_stack, t4, "_2")
        push(_stack, x2, "_3")
        x2 = x3
        count += 1

    bx = check_dims(x2, bx)
    bx2 = bx
    # Grad of: while abs(x * x - a) > tolerance:
    ba = init_grad(a)
    for _ in range(count):
        x2 = pop(_stack, "_3")
        t4 = pop(_stack, "_2")
        t3 = pop(_stack, "_1")
        # Grad of: x = x - (x * x - a) / (2 * x)
        bt4 = -bx2
        bt3 = -bt4 * t4 / t3
        bt2 = bt4 / t3
        ba -= bt2
        bx2 = bx2 + bt3 * 2 + 2 * bt2 * x2
    # Grad of: x = a
    ba2 = ba + bx2
    return ba2


# --- optimized
def dfda(a, tolerance, bx=1.0):
    x = a
    # Initialize the tape
    _stack = []
    while abs(x * x - a) > tolerance:
        t = (x * x - a) / (2 * x)
        _stack.append((t, x))
        x = x - t

    bx = check_dims(x, bx)
    # Grad of: while abs(x * x - a) > tolerance:
    ba = init_grad(a)
    while _stack:
        t, x = _stack.pop()
        t2 = 2 * x
        # Grad of: x = x - (x * x - a) / (2 * x)
        bt = -bx
        bt2 = bt / t2
        ba -= bt2
        bx = bx - 2 * (bt * t / t2) + 2 * bt2 * x
    # Grad of: x = a
    return ba + bx
