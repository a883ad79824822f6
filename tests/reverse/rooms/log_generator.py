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
    total2 = total
    t = powers(x, n)
    for i in range(len(t)):
        p = t[i]
        total3 = total2 + p
        total2 = total3
    return total2


# --- optimized
def f_primal(_log, x, n):
    total = 0.0
    _log.append((1, None))
    t = call(_log, (2, x), (0,), powers, x, n)
    for i, p in enumerate(t):
        _log.append((3, (i, p, t)))
        old = total
        kept = kept2(total)
        total += p
        _log.append((4, (kept, old, p, total)))
    _log.append((5, total))
    return total


def f_adjoint(_grads, _log, btotal):
    btotal2 = bt2 = bx2 = bp2 = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: total = 0.0
            btotal2 = None
        elif step == 2:
            # Grad of: for p in powers(x, n):
            record, x = saved
            bt, bt2 = record.take(_grads, bt2)
            (bx,) = record.back(_grads, bt)
            bx2 = _grads.give(x, bx, bx2)
        elif step == 3:
            # Grad of: for p in powers(x, n):
            i, p, t = saved
            bp = _grads.take_from(p, bp2, t)
            bp2 = None
            bt2 = _grads.give_item(t, i, p, bp, bt2)
        elif step == 4:
            # Grad of: total += p
            kept, old, p, total = saved
            btotal2, bt3 = _grads.undo_update('+', total, old, kept, p, btotal2)
            bp2 = _grads.give(p, bt3, bp2)
        elif step == 5:
            # Grad of: return total
            total = saved
            btotal2 = _grads.give(total, btotal, btotal2)
    return bx2


def dfdx(x, n, btotal=1.0):
    # Initialize the tape
    _log = []
    total = f_primal(_log, x, n)
    btotal = check_number(cost(total), btotal)
    _grads = Gradients()
    bx = f_adjoint(_grads, _log, first_seed(total, btotal))
    return _grads.result(x, bx)
