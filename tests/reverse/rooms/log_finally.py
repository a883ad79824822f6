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
    done = raised = 0
    try:
        _log = []
        _stack.append(_log)
        done = 1
        for i in range(n):
            t2 = x**i
            old = total
            kept = kept2(total)
            total += t2
            _log.append((4, (i, kept, old, t2, total, x)))
            if total > 1.2:
                raise OverflowError
    except OverflowError:
        raised = 1
        t = total * 2.0
        _stack.append(total)
        total = t
        _stack.append(t)
    finally:
        t3 = total + x
        _stack.append(total)
        total = t3
        _stack.append(t3)
    _stack.append(total)
    _stack.append((done, raised, x))
    return total


def f_adjoint(_grads, _stack, btotal):
    bx = None
    done, raised, x = _stack.pop()
    # Grad of: return total
    total = _stack.pop()
    btotal2 = _grads.give(total, btotal)
    t3 = _stack.pop()
    # Grad of: total = total + x
    bt3 = btotal2
    btotal2 = None
    total = _stack.pop()
    bt3 = _grads.take(t3, bt3)
    if bt3 is not None:
        btotal2 = _grads.give(total, unbroadcast(bt3, total))
        bx = _grads.give(x, unbroadcast(bt3, x))
    if raised:
        t = _stack.pop()
        # Grad of: total = total * 2.0
        bt = btotal2
        btotal2 = None
        total = _stack.pop()
        bt = _grads.take(t, bt)
        if bt is not None:
            btotal2 = _grads.give(total, unbroadcast(bt * 2.0, total))
    if done >= 1:
        for step, saved in reversed(_stack.pop()):
            if step == 4:
                # Grad of: total += x ** i
                i, kept, old, t2, total, x = saved
                btotal2, bt2 = _grads.undo_update("+", total, old, kept, t2, btotal2)
                if bt2 is not None:
                    bx = _grads.give(x, unbroadcast(bt2 * dpower_dx(x, i), x), bx)
    return bx


def dfdx(x, n, btotal=1.0):
    # Initialize the tape
    _stack = []
    total = f_primal(_stack, x, n)
    btotal = check_number(cost(total), btotal)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(total, btotal))
    return _grads.result(x, bx)
