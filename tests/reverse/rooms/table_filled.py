ARGS = 0.7, 5


def table_filled(x, n):
    """Dynamic programming: each entry is made from the two before it."""
    table = [1.0] * n
    table[1] = x
    for i in range(2, n):
        table[i] = 2 * x * table[i - 1] - table[i - 2]
    return table[-1]


# --- normal
def table_filled(x, n):
    """Dynamic programming: each entry is made from the two before it."""
    table = [1.0] * n
    old = table[1]
    table[1] = x
    for i in range(2, n):
        t = 2 * x
        t2 = table[i - 1]
        t3 = t * t2
        t4 = table[i - 2]
        t5 = t3 - t4
        old2 = table[i]
        table[i] = t5
    t6 = table[-1]
    return t6


# --- reverse
def dtable_filleddx(x, n, btable_filled=1.0):
    _stack = Stack()
    "Dynamic programming: each entry is made from the two before it."
    table = [1.0] * n
    old = table[1]
    table[1] = x
    for i in range(2, n):
        t = 2 * x
        t2 = table[i - 1]
        t3 = t * t2
        t4 = table[i - 2]
        t5 = t3 - t4
        old2 = table[i]
        table[i] = t5
        push(_stack, t, "_1")
        push(_stack, t2, "_2")
        push(_stack, t3, "_3")
        push(_stack, t4, "_4")
        push(_stack, old2, "_5")
    t6 = table[-1]

    btable_filled = check_dims(t6, btable_filled)
    # Grad of: return table[-1]
    btable = init_grad(table)
    btable = add_at(btable, -1, btable_filled)
    # Grad of: for i in range(2, n):
    bx = init_grad(x)
    for i in range(n - 1, 1, -1):
        old2 = pop(_stack, "_5")
        t4 = pop(_stack, "_4")
        t3 = pop(_stack, "_3")
        t2 = pop(_stack, "_2")
        t = pop(_stack, "_1")
        # Grad of: table[i] = 2 * x * table[i - 1] - table[i - 2]
        bt5 = btable[i]
        btable[i] = init_grad(old2)
        bt4 = unbroadcast(-bt5, t4)
        bt3 = unbroadcast(bt5, t3)
        bt2 = unbroadcast(bt3 * t, t2)
        bt = unbroadcast(bt3 * t2, t)
        btable[i - 2] += bt4
        btable[i - 1] += bt2
        bx += bt * 2
    # Grad of: table[1] = x
    bx2 = btable[1]
    btable[1] = init_grad(old)
    bx3 = bx + bx2
    return astype(bx3, x)


# --- optimized
def dtable_filleddx(x, n, btable_filled=1.0):
    table = [1.0] * n
    old = table[1]
    table[1] = x
    # Initialize the tape
    _stack = []
    for i in range(2, n):
        t = 2 * x
        t2 = table[i - 1]
        t3 = t * t2
        t4 = table[i - 2]
        old2 = table[i]
        table[i] = t3 - t4
        _stack.append((t, t2, t3, t4, old2))

    btable_filled = check_dims(table[-1], btable_filled)
    # Grad of: return table[-1]
    btable = init_grad(table)
    btable = add_at(btable, -1, btable_filled)
    # Grad of: for i in range(2, n):
    bx = init_grad(x)
    for i in range(n - 1, 1, -1):
        t, t2, t3, t4, old2 = _stack.pop()
        # Grad of: table[i] = 2 * x * table[i - 1] - table[i - 2]
        bt = btable[i]
        btable[i] = init_grad(old2)
        bt3 = unbroadcast(bt, t3)
        bt2 = unbroadcast(bt3 * t, t2)
        bt4 = unbroadcast(bt3 * t2, t)
        btable[i - 2] += unbroadcast(-bt, t4)
        btable[i - 1] += bt2
        bx += 2 * bt4
    # Grad of: table[1] = x
    bx2 = btable[1]
    btable[1] = init_grad(old)
    return astype(bx + bx2, x)
