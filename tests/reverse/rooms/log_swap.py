import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = x * 1.0
    y[0], y[2] = y[2], y[0]
    return y[0] * 3.0 + y[2]


# --- optimized
def f_primal(_log, x):
    y = x * 1.0
    _log.append((1, (x, y)))
    t2 = y[2]
    _log.append((2, (t2, y)))
    t4 = y[0]
    _log.append((3, (t4, y)))
    old = before(y, 0)
    y[0] = t2
    _log.append((4, (old, t2, y)))
    old2 = before(y, 2)
    y[2] = t4
    _log.append((5, (old2, t4, y)))
    t6 = y[0]
    t7 = t6 * 3.0
    t8 = y[2]
    t9 = t7 + t8
    _log.append((6, (t6, t7, t8, y)))
    return t9


def f_adjoint(_grads, _log, bf):
    by = bx = bt2 = bt4 = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: y = x * 1.0
            x, y = saved
            by = _grads.take(y, by)
            if by is not None:
                bx = _grads.give(x, unbroadcast(by * 1.0, x), bx)
        elif step == 2:
            # Grad of: y[0], y[2] = y[2], y[0]
            t2, y = saved
            bt2 = _grads.take_from(t2, bt2, y)
            if bt2 is not None:
                by = _grads.give_item(y, 2, t2, bt2, by)
        elif step == 3:
            # Grad of: y[0], y[2] = y[2], y[0]
            t4, y = saved
            bt4 = _grads.take_from(t4, bt4, y)
            if bt4 is not None:
                by = _grads.give_item(y, 0, t4, bt4, by)
        elif step == 4:
            # Grad of: y[0], y[2] = y[2], y[0]
            old, t2, y = saved
            bt2 = _grads.give(t2, _grads.undo_item(y, 0, old, t2), bt2)
        elif step == 5:
            # Grad of: y[0], y[2] = y[2], y[0]
            old2, t4, y = saved
            bt4 = _grads.give(t4, _grads.undo_item(y, 2, old2, t4), bt4)
        elif step == 6:
            # Grad of: return y[0] * 3.0 + y[2]
            t6, t7, t8, y = saved
            if bf is not None:
                by = _grads.give_item(y, 2, t8, unbroadcast(bf, t8), by)
                bt = unbroadcast(bf, t7)
                by = _grads.give_item(y, 0, t6, unbroadcast(bt * 3.0, t6), by)
    return bx


def dfdx(x, bf=1.0):
    # Initialize the tape
    _log = []
    f = f_primal(_log, x)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _log, first_seed(f, bf))
    return _grads.result(x, bx)
