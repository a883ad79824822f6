import numpy as np

ARGS = np.array([0.3, 0.7]), np.array([1.1, 0.2])


def nested_comprehension(u, v):
    """The outer product, row by row."""
    rows = [[a * b for b in v] for a in u]
    return sum(sum(row) * k for k, row in enumerate(rows, 1))


# --- normal
def nested_comprehension(u, v):
    """The outer product, row by row."""
    rows = []
    for i in range(len(u)):
        a = u[i]
        items = []
        for i2 in range(len(v)):
            b = v[i2]
            t = a * b
            items.append(t)
        rows.append(items)
    total = 0
    total2 = total
    for i3 in range(len(rows)):
        k = 1 + i3
        row = rows[i3]
        t2 = sum(row)
        t3 = t2 * k
        total3 = total2 + t3
        total2 = total3
    return total2


# --- reverse
def dnested_comprehensiondudv(u, v, bnested_comprehension=1.0):
    _stack = Stack()
    "The outer product, row by row."
    rows = []
    for i in range(len(u)):
        a = u[i]
        items = []
        for i2 in range(len(v)):
            b = v[i2]
            t = a * b
            items.append(t)
            push(_stack, b, "_3")
        rows.append(items)
        push(_stack, a, "_4")
    total = 0
    total2 = total
    for i3 in range(len(rows)):
        k = 1 + i3
        row = rows[i3]
        t2 = sum(row)
        t3 = t2 * k
        total3 = total2 + t3
        push(_stack, k, "_1")
        push(_stack, row, "_2")
        total2 = total3

    bnested_comprehension = check_number(total2, bnested_comprehension)
    btotal = bnested_comprehension
    # Grad of: return sum(sum(row) * k for k, row in enumerate(rows, 1))
    brows = init_grad(rows)
    for i3 in range(len(rows) - 1, -1, -1):
        row = pop(_stack, "_2")
        k = pop(_stack, "_1")
        bt2 = btotal * k
        brow = unsum(bt2, row)
        brows = add_at(brows, i3, brow)
    # Grad of: rows = [[a * b for b in v] for a in u]
    bu = init_grad(u)
    bv = init_grad(v)
    for i in range(len(u) - 1, -1, -1):
        a = pop(_stack, "_4")
        bitems = brows.pop()
        ba = init_grad(a)
        for i2 in range(len(v) - 1, -1, -1):
            b = pop(_stack, "_3")
            bt = bitems.pop()
            bb = unbroadcast(bt * a, b)
            ba += unbroadcast(bt * b, a)
            bv[i2] += bb
        bu[i] += ba
    bu2 = bu
    bv2 = bv
    return astype(bu2, u), astype(bv2, v)


# --- optimized
def dnested_comprehensiondudv(u, v, bnested_comprehension=1.0):
    rows = []
    for i in range(len(u)):
        a = u[i]
        items = []
        for i2 in range(len(v)):
            b = v[i2]
            items.append(a * b)
        rows.append(items)
    total = 0
    # Initialize the tape
    _stack = []
    for i3 in range(len(rows)):
        k = 1 + i3
        row = rows[i3]
        _stack.append(row)
        total = total + sum(row) * k

    bnested_comprehension = check_number(total, bnested_comprehension)
    # Grad of: return sum(sum(row) * k for k, row in enumerate(rows, 1))
    brows = init_grad(rows)
    for i3 in range(len(rows) - 1, -1, -1):
        row = _stack.pop()
        k = 1 + i3
        brow = unsum(bnested_comprehension * k, row)
        brows = add_at(brows, i3, brow)
    # Grad of: rows = [[a * b for b in v] for a in u]
    bu = init_grad(u)
    bv = init_grad(v)
    for i in range(len(u) - 1, -1, -1):
        a = u[i]
        bitems = brows.pop()
        ba = init_grad(a)
        for i2 in range(len(v) - 1, -1, -1):
            b = v[i2]
            bt = bitems.pop()
            bb = unbroadcast(bt * a, b)
            ba += unbroadcast(bt * b, a)
            bv[i2] += bb
        bu[i] += ba
    return astype(bu, u), astype(bv, v)
