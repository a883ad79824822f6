ARGS = 0.3,


def f(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v
    add(x)
    add(2.0 * x)
    return total


# --- optimized
def f_primal(_stack, x):
    total_cell = cell_of(lambda: total)
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v

    record = recorded(("self", 0), add, x)[1]
    t = 2.0 * x
    record2 = recorded(("self", 0), add, t)[1]
    _stack.append(total)
    _stack.append((total_cell, record, add, x, t, record2))
    return total


def f_adjoint(_grads, _stack, btotal):
    bx2 = None
    total_cell, record, add, x, t, record2 = _stack.pop()
    # Grad of: return total
    total = _stack.pop()
    _grads.give_part(total_cell, "value", total, btotal)
    # Grad of: add(2.0 * x)
    badd3, bt2 = record2.back(_grads)
    badd2 = _grads.give(add, badd3)
    bt = _grads.give(t, bt2)
    bt = _grads.take(t, bt)
    if bt is not None:
        bx2 = _grads.give(x, unbroadcast(bt * 2.0, x))
    # Grad of: add(x)
    badd, bx = record.back(_grads)
    badd2 = _grads.give(add, badd, badd2)
    bx2 = _grads.give(x, bx, bx2)
    # Grad of: total = 0.0
    _grads.take_cell(total_cell)
    return bx2


def dfdx(x, btotal=1.0):
    # Initialize the tape
    _stack = []
    total = f_primal(_stack, x)
    btotal = check_number(cost(total), btotal)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(total, btotal))
    return _grads.result(x, bx)
