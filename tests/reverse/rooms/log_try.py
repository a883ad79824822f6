import math

ARGS = 0.3,


def f(x):
    try:
        y = x * 2.0
        z = math.log(x - 1.0)
    except ValueError:
        z = y * x
    return z + y


# --- optimized
def f_primal(_stack, x):
    done = raised = 0
    try:
        y = x * 2.0
        _stack.append(y)
        done = 1
        t3 = x - 1.0
        z = math.log(t3)
        _stack.append((t3, z))
        done = 2
    except ValueError:
        raised = 1
        z = y * x
        _stack.append(y)
        _stack.append(z)
    t5 = z + y
    _stack.append((y, z))
    _stack.append((done, raised, x, t5))
    return t5


def f_adjoint(_grads, _stack, bz_plus_y):
    bz = by = bx = None
    done, raised, x, t5 = _stack.pop()
    # Grad of: return z + y
    bt5 = _grads.give(t5, bz_plus_y)
    y, z = _stack.pop()
    bt5 = _grads.take_full(t5, bt5)
    if bt5 is not None:
        bt2, bt3 = unjoin(bt5, z, y)
        bz = _grads.give(z, bt2)
        by = _grads.give(y, bt3)
    if raised:
        z = _stack.pop()
        # Grad of: z = y * x
        y = _stack.pop()
        bz2 = _grads.take(z, bz)
        bz = None
        if bz2 is not None:
            by = _grads.give(y, unbroadcast(bz2 * x, y), by)
            bx = _grads.give(x, unbroadcast(bz2 * y, x))
    if done >= 2:
        # Grad of: z = math.log(x - 1.0)
        t3, z = _stack.pop()
        bz3 = _grads.take(z, bz)
        if bz3 is not None:
            bt = unbroadcast(bz3 / t3, t3)
            bx = _grads.give(x, unbroadcast(bt, x), bx)
    if done >= 1:
        # Grad of: y = x * 2.0
        y = _stack.pop()
        by = _grads.take(y, by)
        if by is not None:
            bx = _grads.give(x, unbroadcast(by * 2.0, x), bx)
    return bx


def dfdx(x, bz_plus_y=1.0):
    # Initialize the tape
    _stack = []
    z_plus_y = f_primal(_stack, x)
    bz_plus_y = check_number(cost(z_plus_y), bz_plus_y)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(z_plus_y, bz_plus_y))
    return _grads.result(x, bx)
