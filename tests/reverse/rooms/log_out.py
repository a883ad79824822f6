import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = np.empty(3)
    np.multiply(x, x, out=y)
    np.add(y, x, out=y)
    return np.sum(y)


# --- optimized
def f_primal(_log, x):
    y = np.empty(3)
    call(_log, (1, x, y), (0, 1, 'out'), np.multiply, x, x, out=y)
    call(_log, (2, x, y), (0, 1, 'out'), np.add, y, x, out=y)
    t = np.sum(y)
    _log.append((3, y))
    return t


def f_adjoint(_grads, _log, bf):
    bx3 = by2 = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: np.multiply(x, x, out=y)
            record, x, y = saved
            bx, bx2, by = record.back(_grads)
            bx3 = _grads.give(x, bx, bx3)
            bx3 = _grads.give(x, bx2, bx3)
            by2 = _grads.give(y, by, by2)
        elif step == 2:
            # Grad of: np.add(y, x, out=y)
            record2, x, y = saved
            by3, bx4, by4 = record2.back(_grads)
            by2 = _grads.give(y, by3, by2)
            bx3 = _grads.give(x, bx4, bx3)
            by2 = _grads.give(y, by4, by2)
        elif step == 3:
            # Grad of: return np.sum(y)
            y = saved
            if bf is not None:
                by2 = _grads.give(y, unreduce_like(bf, y), by2)
    return bx3


def dfdx(x, bf=1.0):
    # Initialize the tape
    _log = []
    f = f_primal(_log, x)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _log, first_seed(f, bf))
    return _grads.result(x, bx)
