ARGS = 0.3, 3


def f(x, n):
    total = 0.0
    try:
        for i in range(n):
            total += x ** i
            if total > 1.2:
                raise OverflowError
    except OverflowError:
        total = total * 2.0
    finally:
        total = total + x
    return total


# --- optimized
def f_primal(_stack, x, n):
    total = 0.0
    _log = []
    try:
        for i in range(n):
            t2 = x ** i
            old = total
            kept = kept2(total)
            total += t2
            _log.append((4, (i, kept, old, t2, total, x)))
            if total > 1.2:
                raise OverflowError
    except OverflowError:
        t = total * 2.0
        _log.append((2, (t, total)))
        total = t
        _log.append((3, None))
    finally:
        t3 = total + x
        _log.append((5, (t3, total, x)))
        total = t3
        _log.append((6, None))
    _stack.append(_log)
    _stack.append(total)
    return total


def f_adjoint(_grads, _stack, btotal):
    btotal2 = bt = bx = bt3 = None
    # Grad of: return total
    total = _stack.pop()
    btotal2 = _grads.give(total, btotal, btotal2)
    for step, saved in reversed(_stack.pop()):
        if step == 2:
            # Grad of: total = total * 2.0
            t, total = saved
            bt = _grads.take(t, bt)
            if bt is not None:
                btotal2 = _grads.give(total, unbroadcast(bt * 2.0, total), btotal2)
        elif step == 3:
            # Grad of: total = total * 2.0
            btotal3 = btotal2
            btotal2 = None
            bt = add_parts(bt, btotal3)
        elif step == 4:
            # Grad of: total += x ** i
            i, kept, old, t2, total, x = saved
            btotal2, bt2 = _grads.undo_update('+', total, old, kept, t2, btotal2)
            if bt2 is not None:
                bx = _grads.give(x, unbroadcast(bt2 * dpower_dx(x, i), x), bx)
        elif step == 5:
            # Grad of: total = total + x
            t3, total, x = saved
            bt3 = _grads.take(t3, bt3)
            if bt3 is not None:
                btotal2 = _grads.give(total, unbroadcast(bt3, total), btotal2)
                bx = _grads.give(x, unbroadcast(bt3, x), bx)
        elif step == 6:
            # Grad of: total = total + x
            btotal4 = btotal2
            btotal2 = None
            bt3 = add_parts(bt3, btotal4)
    # Grad of: total = 0.0
    btotal2 = None
    return bx


def dfdx(x, n, btotal=1.0):
    # Initialize the tape
    _stack = []
    total = f_primal(_stack, x, n)
    btotal = check_number(cost(total), btotal)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(total, btotal))
    return _grads.result(x, bx)
