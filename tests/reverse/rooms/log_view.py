import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = x * 2.0
    v = y[1:]
    v[0] = x[0] * x[1]
    return np.sum(y * y)


# --- optimized
def f_primal(_log, x):
    y = x * 2.0
    _log.append((1, (x, y)))
    v = y[1:]
    _log.append((2, (v, y)))
    t3 = x[0]
    t4 = x[1]
    t5 = t3 * t4
    old = before(v, 0)
    v[0] = t5
    _log.append((3, (old, t3, t4, t5, v, x)))
    t6 = y * y
    _log.append((4, (t6, y)))
    t7 = np.sum(t6)
    _log.append((5, t6))
    return t7


def f_adjoint(_grads, _log, bf):
    by = bx = bv = bt6 = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: y = x * 2.0
            x, y = saved
            by = _grads.take(y, by)
            if by is not None:
                bx = _grads.give(x, unbroadcast(by * 2.0, x), bx)
        elif step == 2:
            # Grad of: v = y[1:]
            v, y = saved
            bv = _grads.take_slice(v, bv, y)
            if bv is not None:
                by = _grads.give_item(y, slice(1, None), v, bv, by)
        elif step == 3:
            # Grad of: v[0] = x[0] * x[1]
            old, t3, t4, t5, v, x = saved
            bt5 = _grads.undo_item(v, 0, old, t5)
            if bt5 is not None:
                bx = _grads.give_item(x, 1, t4, unbroadcast(bt5 * t3, t4), bx)
                bx = _grads.give_item(x, 0, t3, unbroadcast(bt5 * t4, t3), bx)
        elif step == 4:
            # Grad of: return np.sum(y * y)
            t6, y = saved
            bt6 = _grads.take(t6, bt6)
            if bt6 is not None:
                by = _grads.give(y, unbroadcast(2 * bt6 * y, y), by)
        elif step == 5:
            # Grad of: return np.sum(y * y)
            t6 = saved
            if bf is not None:
                bt6 = _grads.give(t6, unreduce_like(bf, t6), bt6)
    return bx


def dfdx(x, bf=1.0):
    # Initialize the tape
    _log = []
    f = f_primal(_log, x)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _log, first_seed(f, bf))
    return _grads.result(x, bx)
