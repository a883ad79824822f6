ARGS = 0.3, 4


def f(x, n):
    ys = [x]
    for _ in range(n):
        ys.append(ys[-1] * x + 1.0)
    return ys[-1]


# --- normal
def f(x, n):
    ys = [x]
    for _ in range(n):
        t = ys[-1]
        t2 = t * x
        t3 = t2 + 1.0
        ys.append(t3)
    t4 = ys[-1]
    return t4


# --- reverse
def dfdx(x, n, bf=1.0):
    _stack = Stack()
    ys = [x]
    for _ in range(n):
        t = ys[-1]
        t2 = t * x
        t3 = t2 + 1.0
        ys.append(t3)
        push(_stack, t, "_1")
    t4 = ys[-1]

    bf = check_dims(t4, bf)
    # Grad of: return ys[-1]
    bys = init_grad(ys)
    bys = add_at(bys, -1, bf)
    # Grad of: for _ in range(n):
    bx = init_grad(x)
    for _ in range(n - 1, -1, -1):
        t = pop(_stack, "_1")
        # Grad of: ys.append(ys[-1] * x + 1.0)
        bt3 = bys.pop()
        bt = unbroadcast(bt3 * x, t)
        bx += unbroadcast(bt3 * t, x)
        bys[-1] += bt
    # Grad of: ys = [x]
    bx2 = bx + bys[0]
    return astype(bx2, x)


# --- optimized
def dfdx(x, n, bf=1.0):
    ys = [x]
    # Initialize the tape
    _stack = []
    for _ in range(n):
        t = ys[-1]
        ys.append(t * x + 1.0)
        _stack.append(t)

    bf = check_dims(ys[-1], bf)
    # Grad of: return ys[-1]
    bys = init_grad(ys)
    bys = add_at(bys, -1, bf)
    # Grad of: for _ in range(n):
    bx = init_grad(x)
    for _ in range(n - 1, -1, -1):
        t = _stack.pop()
        # Grad of: ys.append(ys[-1] * x + 1.0)
        bt = bys.pop()
        bx += unbroadcast(bt * t, x)
        bys[-1] += unbroadcast(bt * x, t)
    # Grad of: ys = [x]
    return astype(bx + bys[0], x)
