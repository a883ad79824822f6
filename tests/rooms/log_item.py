import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1:] = x[:2]
    return np.sum(y * y)


# --- optimized
def f_primal(_log, x):
    y = np.zeros(3)
    t = x[0]
    t2 = x[1]
    t3 = t * t2
    old = before(y, 0)
    y[0] = t3
    _log.append((1, (old, t, t2, t3, x, y)))
    t4 = x[:2]
    old2 = before(y, slice(1, None))
    y[1:] = t4
    _log.append((2, (old2, t4, x, y)))
    t5 = y * y
    _log.append((3, (t5, y)))
    t6 = np.sum(t5)
    _log.append((4, t5))
    return t6


def f_adjoint(_grads, _log, bf):
    bx = bt5 = by = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: y[0] = x[0] * x[1]
            old, t, t2, t3, x, y = saved
            bt3 = _grads.undo_item(y, 0, old, t3)
            if bt3 is not None:
                bx = _grads.give_item(x, 1, t2, unbroadcast(bt3 * t, t2), bx)
                bx = _grads.give_item(x, 0, t, unbroadcast(bt3 * t2, t), bx)
        elif step == 2:
            # Grad of: y[1:] = x[:2]
            old2, t4, x, y = saved
            bt4 = _grads.undo_item(y, slice(1, None), old2, t4)
            if bt4 is not None:
                bx = _grads.give_item(x, slice(None, 2), t4, bt4, bx)
        elif step == 3:
            # Grad of: return np.sum(y * y)
            t5, y = saved
            bt5 = _grads.take(t5, bt5)
            if bt5 is not None:
                by = _grads.give(y, unbroadcast(2 * bt5 * y, y), by)
        elif step == 4:
            # Grad of: return np.sum(y * y)
            t5 = saved
            if bf is not None:
                bt5 = _grads.give(t5, unreduce_like(bf, t5), bt5)
    return bx


def dfdx(x, bf=1.0):
    # Initialize the tape
    _log = []
    f = f_primal(_log, x)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _log, first_seed(f, bf))
    return _grads.result(x, bx)
