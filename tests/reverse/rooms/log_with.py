import contextlib

ARGS = 0.3,


def f(x):
    y = x
    with contextlib.suppress(ZeroDivisionError):
        if x > 0.0:
            y = y * x
            y = y / 0
    return y * x


# --- optimized
def f_primal(_stack, x):
    y = x
    done = 0
    with contextlib.suppress(ZeroDivisionError):
        _log = []
        _stack.append(_log)
        done = 1
        if x > 0.0:
            t = y * x
            _log.append((2, (t, x, y)))
            y = t
            _log.append((3, None))
            t2 = y / 0
            _log.append((4, (t2, y)))
            y = t2
            _log.append((5, None))
    t3 = y * x
    _stack.append(y)
    _stack.append((done, x))
    return t3


def f_adjoint(_grads, _stack, by_times_x):
    bt = bt2 = None
    done, x = _stack.pop()
    # Grad of: return y * x
    y = _stack.pop()
    by = _grads.give(y, unbroadcast(by_times_x * x, y))
    bx = _grads.give(x, unbroadcast(by_times_x * y, x))
    if done >= 1:
        for step, saved in reversed(_stack.pop()):
            if step == 2:
                # Grad of: y = y * x
                t, x, y = saved
                bt = _grads.take(t, bt)
                if bt is not None:
                    by = _grads.give(y, unbroadcast(bt * x, y), by)
                    bx = _grads.give(x, unbroadcast(bt * y, x), bx)
            elif step == 3:
                # Grad of: y = y * x
                bt = add_parts(bt, by)
                by = None
            elif step == 4:
                # Grad of: y = y / 0
                t2, y = saved
                bt2 = _grads.take(t2, bt2)
                if bt2 is not None:
                    by = _grads.give(y, unbroadcast(bt2 / 0, y), by)
            elif step == 5:
                # Grad of: y = y / 0
                bt2 = add_parts(bt2, by)
                by = None
    # Grad of: y = x
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
