import math

ARGS = 0.3,


def f(x):
    y = z = x
    try:
        if x > 0.0:
            y = x * 2.0
            z = math.log(x - 1.0)
    except ValueError:
        z = y * x
    return z + y


# --- optimized
def f_primal(_stack, x):
    t = x
    y = t
    z = t
    done = raised = 0
    try:
        _log = []
        _stack.append(_log)
        done = 1
        if x > 0.0:
            y = x * 2.0
            _log.append((5, (x, y)))
            t4 = x - 1.0
            z = math.log(t4)
            _log.append((6, (t4, x, z)))
    except ValueError:
        raised = 1
        z = y * x
        _stack.append(y)
        _stack.append(z)
    t6 = z + y
    _stack.append((y, z))
    _stack.append((done, raised, x, t6))
    return t6


def f_adjoint(_grads, _stack, bz_plus_y):
    bx = by = bz = None
    done, raised, x, t6 = _stack.pop()
    # Grad of: return z + y
    bt6 = _grads.give(t6, bz_plus_y)
    y, z = _stack.pop()
    bt6 = _grads.take_full(t6, bt6)
    if bt6 is not None:
        bt3, bt4 = unjoin(bt6, z, y)
        bz = _grads.give(z, bt3)
        by = _grads.give(y, bt4)
    if raised:
        z = _stack.pop()
        # Grad of: z = y * x
        y = _stack.pop()
        bz2 = _grads.take(z, bz)
        bz = None
        if bz2 is not None:
            by = _grads.give(y, unbroadcast(bz2 * x, y), by)
            bx = _grads.give(x, unbroadcast(bz2 * y, x))
    if done >= 1:
        for step, saved in reversed(_stack.pop()):
            if step == 5:
                # Grad of: y = x * 2.0
                x, y = saved
                by2 = _grads.take(y, by)
                by = None
                if by2 is not None:
                    bx = _grads.give(x, unbroadcast(by2 * 2.0, x), bx)
            elif step == 6:
                # Grad of: z = math.log(x - 1.0)
                t4, x, z = saved
                bz3 = _grads.take(z, bz)
                bz = None
                if bz3 is not None:
                    bt2 = unbroadcast(bz3 / t4, t4)
                    bx = _grads.give(x, unbroadcast(bt2, x), bx)
    # Grad of: y = z = x
    bt = bz
    bt = add_parts(bt, by)
    bx = add_parts(bx, bt)
    return bx


def dfdx(x, bz_plus_y=1.0):
    # Initialize the tape
    _stack = []
    z_plus_y = f_primal(_stack, x)
    bz_plus_y = check_number(cost(z_plus_y), bz_plus_y)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(z_plus_y, bz_plus_y))
    return _grads.result(x, bx)
