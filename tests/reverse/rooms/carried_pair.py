"""Two values that go around together."""


def f(x, n):
    a, b = x, 1.0
    for _ in range(n):
        a, b = b, a * b + x
    return a * b


ARGS = 0.8, 5
WRT = 'x',


# --- normal
def f(x, n):
    a = x
    b = 1.0
    a2 = a
    b2 = b
    for _ in range(n):
        a3 = b2
        t = a2 * b2
        b3 = t + x
        a2 = a3
        b2 = b3
    t2 = a2 * b2
    return t2


# --- reverse
def dfdx(x, n, ba_times_b=1.0):
    _stack = Stack()
    a = x
    b = 1.0
    a2 = a
    b2 = b
    for _ in range(n):
        a3 = b2
        t = a2 * b2
        b3 = t + x
        push(_stack, a2, "_1")
        push(_stack, b2, "_2")
        a2 = a3
        b2 = b3
    t2 = a2 * b2

    ba_times_b = check_dims(t2, ba_times_b, x)
    # Grad of: return a * b
    ba = ba_times_b * b2
    bb = ba_times_b * a2
    ba2 = ba
    bb2 = bb
    # Grad of: for _ in range(n):
    bx = init_grad(x)
    for _ in range(n - 1, -1, -1):
        b2 = pop(_stack, "_2")
        a2 = pop(_stack, "_1")
        # Grad of: a, b = b, a * b + x
        bx += bb2
        ba3 = bb2 * b2
        bb3 = bb2 * a2 + ba2
        ba2 = ba3
        bb2 = bb3
    # Grad of: a, b = x, 1.0
    bx2 = bx + ba2
    return bx2


# --- optimized
def dfdx(x, n, ba_times_b=1.0):
    a = x
    b = 1.0
    # Initialize the tape
    _stack = []
    for _ in range(n):
        _stack.append((a, b))
        b2 = a * b + x
        a = b
        b = b2

    ba_times_b = check_dims(a * b, ba_times_b, x)
    # Grad of: return a * b
    ba = ba_times_b * b
    bb = ba_times_b * a
    # Grad of: for _ in range(n):
    bx = init_grad(x)
    for _ in range(n - 1, -1, -1):
        a, b2 = _stack.pop()
        # Grad of: a, b = b, a * b + x
        bx += bb
        bb2 = bb * a + ba
        ba = bb * b2
        bb = bb2
    # Grad of: a, b = x, 1.0
    return bx + ba
