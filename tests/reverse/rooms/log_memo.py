ARGS = 0.3, 5


def f(x, n):
    memo = {0: 1.0, 1: x}
    for k in range(2, n + 1):
        if k not in memo:
            memo[k] = memo[k - 1] * x + memo[k - 2]
    return memo[n]


# --- normal
def f(x, n):
    memo = {0: 1.0, 1: x}
    for k in range(2, n + 1):
        c = k not in memo
        if c:
            t = memo[k - 1]
            t2 = t * x
            t3 = memo[k - 2]
            t4 = t2 + t3
            old = memo.get(k, 0.0)
            memo[k] = t4
    t5 = memo[n]
    return t5


# --- reverse
def dfdx(x, n, bf=1.0):
    _stack = Stack()
    memo = {0: 1.0, 1: x}
    for k in range(2, n + 1):
        c = k not in memo
        if c:
            t = memo[k - 1]
            t2 = t * x
            t3 = memo[k - 2]
            t4 = t2 + t3
            old = memo.get(k, 0.0)
            memo[k] = t4
            push(_stack, t, "_1")
            push(_stack, t2, "_2")
            push(_stack, t3, "_3")
            push(_stack, old, "_4")
        push(_stack, c, "_5")
    t5 = memo[n]

    bf = check_dims(t5, bf)
    # Grad of: return memo[n]
    bmemo = init_grad(memo)
    bmemo = add_at(bmemo, n, bf)
    # Grad of: for k in range(2, n + 1):
    bx = init_grad(x)
    for k in range(n, 1, -1):
        c = pop(_stack, "_5")
        # Grad of: if k not in memo:
        if c:
            old = pop(_stack, "_4")
            t3 = pop(_stack, "_3")
            t2 = pop(_stack, "_2")
            t = pop(_stack, "_1")
            # Grad of: memo[k] = memo[k - 1] * x + memo[k - 2]
            bt4 = bmemo[k]
            bmemo[k] = init_grad(old)
            bt3 = unbroadcast(bt4, t3)
            bt2 = unbroadcast(bt4, t2)
            bt = unbroadcast(bt2 * x, t)
            bmemo[k - 2] += bt3
            bmemo[k - 1] += bt
            bx += unbroadcast(bt2 * t, x)
    # Grad of: memo = {0: 1.0, 1: x}
    bx2 = bx + bmemo[1]
    return astype(bx2, x)


# --- optimized
def dfdx(x, n, bf=1.0):
    memo = {0: 1.0, 1: x}
    # Initialize the tape
    _stack = []
    _stack2 = []
    for k in range(2, n + 1):
        c = k not in memo
        _stack2.append(c)
        if c:
            t = memo[k - 1]
            t2 = t * x
            t3 = memo[k - 2]
            old = memo.get(k, 0.0)
            memo[k] = t2 + t3
            _stack.append((t, t2, t3, old))

    bf = check_dims(memo[n], bf)
    # Grad of: return memo[n]
    bmemo = init_grad(memo)
    bmemo = add_at(bmemo, n, bf)
    # Grad of: for k in range(2, n + 1):
    bx = init_grad(x)
    for k in range(n, 1, -1):
        c = _stack2.pop()
        # Grad of: if k not in memo:
        if c:
            t, t2, t3, old = _stack.pop()
            # Grad of: memo[k] = memo[k - 1] * x + memo[k - 2]
            bt = bmemo[k]
            bmemo[k] = init_grad(old)
            bt2 = unbroadcast(bt, t2)
            bt3 = unbroadcast(bt2 * x, t)
            bmemo[k - 2] += unbroadcast(bt, t3)
            bmemo[k - 1] += bt3
            bx += unbroadcast(bt2 * t, x)
    # Grad of: memo = {0: 1.0, 1: x}
    return astype(bx + bmemo[1], x)
