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
def f_primal(_log, x):
    # Initialize the tape
    total_cell = cell_of(lambda: total)
    total = 0.0
    _log.append((1, total_cell))

    def add(v):
        nonlocal total
        total = total + v * v

    call(_log, (2, add, x), ('self', 0), add, x)
    t = 2.0 * x
    _log.append((3, (t, x)))
    call(_log, (4, add, t), ('self', 0), add, t)
    _log.append((5, (total, total_cell)))
    return total


def f_adjoint(_grads, _log, btotal):
    badd2 = bx2 = bt = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: total = 0.0
            total_cell = saved
            _grads.take_cell(total_cell)
        elif step == 2:
            # Grad of: add(x)
            record, add, x = saved
            badd, bx = record.back(_grads)
            badd2 = _grads.give(add, badd, badd2)
            bx2 = _grads.give(x, bx, bx2)
        elif step == 3:
            # Grad of: add(2.0 * x)
            t, x = saved
            bt = _grads.take(t, bt)
            if bt is not None:
                bx2 = _grads.give(x, unbroadcast(bt * 2.0, x), bx2)
        elif step == 4:
            # Grad of: add(2.0 * x)
            record2, add, t = saved
            badd3, bt2 = record2.back(_grads)
            badd2 = _grads.give(add, badd3, badd2)
            bt = _grads.give(t, bt2, bt)
        elif step == 5:
            # Grad of: return total
            total, total_cell = saved
            _grads.give_part(total_cell, 'value', total, btotal)
    return bx2


def dfdx(x, btotal=1.0):
    # Initialize the tape
    _log = []
    total = f_primal(_log, x)
    btotal = check_number(cost(total), btotal)
    _grads = Gradients()
    bx = f_adjoint(_grads, _log, first_seed(total, btotal))
    return _grads.result(x, bx)
