ARGS = 0.3, 4


def powers(x, n):
    y = x
    try:
        for _ in range(n):
            yield y
            y = y * x
    finally:
        y = 0.0


def f(x, n):
    total = 0.0
    for p in powers(x, n):
        total += p
    return total


# --- normal
def f(x, n):
    total = 0.0
    total2 = total
    t = powers(x, n)
    for i in range(len(t)):
        p = t[i]
        total3 = total2 + p
        total2 = total3
    return total2


# --- optimized
def f_primal(_stack, x, n):
    total = 0.0
    t, record = recorded((0,), powers, x, n)
    count = 0
    for i, p in enumerate(t):
        count += 1
        old = total
        kept = kept2(total)
        total += p
        _stack.append((i, p, kept, old, total))
    _stack.append(total)
    _stack.append((record, x, count, t))
    return total


def f_adjoint(_grads, _stack, btotal):
    bt2 = None
    record, x, count, t = _stack.pop()
    # Grad of: return total
    total = _stack.pop()
    btotal2 = _grads.give(total, btotal)
    for _ in range(count):
        i, p, kept, old, total = _stack.pop()
        # Grad of: total += p
        btotal2, bt3 = _grads.undo_update("+", total, old, kept, p, btotal2)
        bp2 = _grads.give(p, bt3)
        # Grad of: for p in powers(x, n):
        bp = _grads.take_from(p, bp2, t)
        bt2 = _grads.give_item(t, i, p, bp, bt2)
    # Grad of: for p in powers(x, n):
    bt, bt2 = record.take(_grads, bt2)
    (bx,) = record.back(_grads, bt)
    bx2 = _grads.give(x, bx)
    return bx2


def dfdx(x, n, btotal=1.0):
    x, n = each_its_own(x, n)
    # Initialize the tape
    _stack = []
    total = f_primal(_stack, x, n)
    btotal = check_number(cost(total), btotal)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(total, btotal))
    return _grads.result(x, bx)
