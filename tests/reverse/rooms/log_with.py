import contextlib

ARGS = 0.3,


def f(x):
    y = x
    with contextlib.suppress(ZeroDivisionError):
        y = y * x
        y = y / 0
    return y * x


# --- optimized
def f_primal(_stack, x):
    y = x
    _log = []
    with contextlib.suppress(ZeroDivisionError):
        t = y * x
        _log.append((2, (t, x, y)))
        y = t
        _log.append((3, None))
        t2 = y / 0
        _log.append((4, (t2, y)))
        y = t2
        _log.append((5, None))
    _stack.append(_log)
    t3 = y * x
    _stack.append(y)
    _stack.append(x)
    return t3


def f_adjoint(_grads, _stack, by_times_x):
    by2 = bx = bt = bt2 = None
    x = _stack.pop()
    # Grad of: return y * x
    y = _stack.pop()
    if by_times_x is not None:
        by2 = _grads.give(y, unbroadcast(by_times_x * x, y), by2)
        bx = _grads.give(x, unbroadcast(by_times_x * y, x), bx)
    for step, saved in reversed(_stack.pop()):
        if step == 2:
            # Grad of: y = y * x
            t, x, y = saved
            bt = _grads.take(t, bt)
            if bt is not None:
                by2 = _grads.give(y, unbroadcast(bt * x, y), by2)
                bx = _grads.give(x, unbroadcast(bt * y, x), bx)
        elif step == 3:
            # Grad of: y = y * x
            by3 = by2
            by2 = None
            bt = add_parts(bt, by3)
        elif step == 4:
            # Grad of: y = y / 0
            t2, y = saved
            bt2 = _grads.take(t2, bt2)
            if bt2 is not None:
                by2 = _grads.give(y, unbroadcast(bt2 / 0, y), by2)
        elif step == 5:
            # Grad of: y = y / 0
            by4 = by2
            by2 = None
            bt2 = add_parts(bt2, by4)
    # Grad of: y = x
    by = by2
    by2 = None
    bx = add_parts(bx, by)
    return bx


def dfdx(x, by_times_x=1.0):
    # Initialize the tape
    _stack = []
    y_times_x = f_primal(_stack, x)
    by_times_x = check_number(cost(y_times_x), by_times_x)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(y_times_x, by_times_x))
    return _grads.result(x, bx)
