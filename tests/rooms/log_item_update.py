import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = x * 1.0
    for i in range(1, 3):
        y[i] += y[i - 1] * x[i]
    return np.sum(y)


# --- optimized
def f_primal(_log, x):
    y = x * 1.0
    _log.append((1, (x, y)))
    for i in range(1, 3):
        t2 = y[i - 1]
        t3 = x[i]
        t4 = t2 * t3
        old = before_update(y, i)
        y[i] += t4
        _log.append((2, (i, old, t2, t3, t4, x, y)))
    t5 = np.sum(y)
    _log.append((3, y))
    return t5


def f_adjoint(_grads, _log, bf):
    by = bx = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: y = x * 1.0
            x, y = saved
            by = _grads.take(y, by)
            if by is not None:
                bx = _grads.give(x, unbroadcast(by * 1.0, x), bx)
        elif step == 2:
            # Grad of: y[i] += y[i - 1] * x[i]
            i, old, t2, t3, t4, x, y = saved
            bt4 = _grads.undo_item_update('+', y, i, old, t4)
            if bt4 is not None:
                bx = _grads.give_item(x, i, t3, unbroadcast(bt4 * t2, t3), bx)
                by = _grads.give_item(y, i - 1, t2, unbroadcast(bt4 * t3, t2), by)
        elif step == 3:
            # Grad of: return np.sum(y)
            y = saved
            if bf is not None:
                by = _grads.give(y, unreduce_like(bf, y), by)
    return bx


def dfdx(x, bf=1.0):
    # Initialize the tape
    _log = []
    f = f_primal(_log, x)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _log, first_seed(f, bf))
    return _grads.result(x, bx)
