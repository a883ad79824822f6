import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = x * 2.0
    v = y[1:]
    v[0] = x[0] * x[1]
    return np.sum(y * y)


# --- optimized
def f_primal(_stack, x):
    y = x * 2.0
    v = y[1:]
    t3 = x[0]
    t4 = x[1]
    t5 = t3 * t4
    old = before(v, 0)
    v[0] = t5
    t6 = y * y
    t7 = np.sum(t6)
    _stack.append((x, y, v, old, t3, t4, t5, t6))
    return t7


def f_adjoint(_grads, _stack, bf):
    bx = None
    x, y, v, old, t3, t4, t5, t6 = _stack.pop()
    # Grad of: return np.sum(y * y)
    bt = unreduce_like(bf, t6)
    by = _grads.give(y, unbroadcast(2 * bt * y, y))
    # Grad of: v[0] = x[0] * x[1]
    bt5 = _grads.undo_item(v, 0, old, t5)
    if bt5 is not None:
        bx = _grads.give_item(x, 1, t4, unbroadcast(bt5 * t3, t4))
        bx = _grads.give_item(x, 0, t3, unbroadcast(bt5 * t4, t3), bx)
    # Grad of: v = y[1:]
    bv = _grads.take_slice(v, None, y)
    if bv is not None:
        by = _grads.give_item(y, slice(1, None), v, bv, by)
    # Grad of: y = x * 2.0
    by = _grads.take(y, by)
    if by is not None:
        bx = _grads.give(x, unbroadcast(by * 2.0, x), bx)
    return bx


def dfdx(x, bf=1.0):
    # Initialize the tape
    _stack = []
    f = f_primal(_stack, x)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(f, bf))
    return _grads.result(x, bx)
