import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def square_into(src, dst):
    dst[:] = src * src


def f(x):
    y = np.empty(3)
    square_into(x, y)
    return np.sum(x * y)


# --- optimized
def f_primal(_log, x):
    y = np.empty(3)
    call(_log, (1, x, y), (0, 1), square_into, x, y)
    t = x * y
    _log.append((2, (t, x, y)))
    t2 = np.sum(t)
    _log.append((3, t))
    return t2


def f_adjoint(_grads, _log, bf):
    bx2 = by2 = bt = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: square_into(x, y)
            record, x, y = saved
            bx, by = record.back(_grads)
            bx2 = _grads.give(x, bx, bx2)
            by2 = _grads.give(y, by, by2)
        elif step == 2:
            # Grad of: return np.sum(x * y)
            t, x, y = saved
            bt = _grads.take(t, bt)
            if bt is not None:
                bx2 = _grads.give(x, unbroadcast(bt * y, x), bx2)
                by2 = _grads.give(y, unbroadcast(bt * x, y), by2)
        elif step == 3:
            # Grad of: return np.sum(x * y)
            t = saved
            if bf is not None:
                bt = _grads.give(t, unreduce_like(bf, t), bt)
    return bx2


def dfdx(x, bf=1.0):
    # Initialize the tape
    _log = []
    f = f_primal(_log, x)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _log, first_seed(f, bf))
    return _grads.result(x, bx)
