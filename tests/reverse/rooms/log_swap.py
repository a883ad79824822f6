import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = x * 1.0
    y[0], y[2] = y[2], y[0]
    return y[0] * 3.0 + y[2]


# --- optimized
def f_primal(_stack, x):
    y = x * 1.0
    t2 = y[2]
    t4 = y[0]
    old = before(y, 0)
    y[0] = t2
    old2 = before(y, 2)
    y[2] = t4
    t6 = y[0]
    t7 = t6 * 3.0
    t8 = y[2]
    t9 = t7 + t8
    _stack.append((x, y, t2, t4, old, old2, t6, t7, t8))
    return t9


def f_adjoint(_grads, _stack, bf):
    bx = None
    x, y, t2, t4, old, old2, t6, t7, t8 = _stack.pop()
    # Grad of: return y[0] * 3.0 + y[2]
    by = _grads.give_item(y, 2, t8, unbroadcast(bf, t8))
    bt = unbroadcast(bf, t7)
    by = _grads.give_item(y, 0, t6, unbroadcast(bt * 3.0, t6), by)
    # Grad of: y[0], y[2] = y[2], y[0]
    bt4 = _grads.give(t4, _grads.undo_item(y, 2, old2, t4))
    bt2 = _grads.give(t2, _grads.undo_item(y, 0, old, t2))
    bt4 = _grads.take_from(t4, bt4, y)
    if bt4 is not None:
        by = _grads.give_item(y, 0, t4, bt4, by)
    bt2 = _grads.take_from(t2, bt2, y)
    if bt2 is not None:
        by = _grads.give_item(y, 2, t2, bt2, by)
    # Grad of: y = x * 1.0
    by = _grads.take(y, by)
    if by is not None:
        bx = _grads.give(x, unbroadcast(by * 1.0, x))
    return bx


def dfdx(x, bf=1.0):
    # Initialize the tape
    _stack = []
    f = f_primal(_stack, x)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(f, bf))
    return _grads.result(x, bx)
