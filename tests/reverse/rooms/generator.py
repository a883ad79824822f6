ARGS = 0.3, 4


def powers(x, n):
    y = x
    for _ in range(n):
        yield y
        y = y * x


def f(x, n):
    total = 0.0
    for p in powers(x, n):
        total += p
    return total


# --- normal
def f(x, n):
    total = 0.0
    y = x
    total2 = total
    y2 = y
    for _ in range(n):
        p = y2
        total3 = total2 + p
        y3 = y2 * x
        total2 = total3
        y2 = y3
    return total2


# --- reverse
def dfdx(x, n, btotal=1.0):
    _stack = Stack()
    total = 0.0
    y = x
    total2 = total
    y2 = y
    for _ in range(n):
        p = y2
        total3 = total2 + p
        y3 = y2 * x
        push(_stack, y2, "_1")
        total2 = total3
        y2 = y3

    btotal = check_dims(total2, btotal, x)
    btotal2 = btotal
    # Grad of: for _ in range(n):
    by = init_grad(y2)
    bx = init_grad(x)
    for _ in range(n - 1, -1, -1):
        y2 = pop(_stack, "_1")
        # Grad of: y = y * x
        bx += by * y2
        # Grad of: for p in powers(x, n)
        by2 = by * x + btotal2
        by = by2
    # Grad of: y = x
    bx2 = bx + by
    return bx2


# --- optimized
def dfdx(x, n, btotal=1.0):
    total = 0.0
    y = x
    # Initialize the tape
    _stack = []
    for _ in range(n):
        _stack.append(y)
        total = total + y
        y = y * x

    btotal = check_dims(total, btotal, x)
    # Grad of: for _ in range(n):
    by = init_grad(y)
    bx = init_grad(x)
    for _ in range(n - 1, -1, -1):
        y = _stack.pop()
        # Grad of: y = y * x
        bx += by * y
        # Grad of: for p in powers(x, n)
        by = by * x + btotal
    # Grad of: y = x
    return bx + by
