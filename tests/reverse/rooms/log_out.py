import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = np.empty(3)
    np.multiply(x, x, out=y)
    np.add(y, x, out=y)
    return np.sum(y)


# --- optimized
def f_primal(_stack, x):
    y = np.empty(3)
    record = recorded((0, 1, "out"), np.multiply, x, x, out=y)[1]
    record2 = recorded((0, 1, "out"), np.add, y, x, out=y)[1]
    t = np.sum(y)
    _stack.append((record, x, y, record2))
    return t


def f_adjoint(_grads, _stack, bf):
    record, x, y, record2 = _stack.pop()
    # Grad of: return np.sum(y)
    by2 = _grads.give(y, unreduce_like(bf, y))
    # Grad of: np.add(y, x, out=y)
    by3, bx4, by4 = record2.back(_grads)
    by2 = _grads.give(y, by3, by2)
    bx3 = _grads.give(x, bx4)
    by2 = _grads.give(y, by4, by2)
    # Grad of: np.multiply(x, x, out=y)
    bx, bx2, by = record.back(_grads)
    bx3 = _grads.give(x, bx, bx3)
    bx3 = _grads.give(x, bx2, bx3)
    by2 = _grads.give(y, by, by2)
    return bx3


def dfdx(x, bf=1.0):
    # Initialize the tape
    _stack = []
    f = f_primal(_stack, x)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(f, bf))
    return _grads.result(x, bx)
