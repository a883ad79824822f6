import numpy as np

ARGS = np.array([0.3, 0.8, 1.4]),


def f(x):
    y = x * 2.0
    z = y
    z[0] = x[1] * x[2]
    return np.sum(y * y)


# --- optimized
def f_primal(_stack, x):
    y = x * 2.0
    z = y
    t2 = x[1]
    t3 = x[2]
    t4 = t2 * t3
    old = before(z, 0)
    z[0] = t4
    t5 = y * y
    t6 = np.sum(t5)
    _stack.append((x, y, old, t2, t3, t4, z, t5))
    return t6


def f_adjoint(_grads, _stack, bf):
    bx = None
    x, y, old, t2, t3, t4, z, t5 = _stack.pop()
    # Grad of: return np.sum(y * y)
    bt = unreduce_like(bf, t5)
    by = _grads.give(y, unbroadcast(2 * bt * y, y))
    # Grad of: z[0] = x[1] * x[2]
    bt4 = _grads.undo_item(z, 0, old, t4)
    if bt4 is not None:
        bx = _grads.give_item(x, 2, t3, unbroadcast(bt4 * t2, t3))
        bx = _grads.give_item(x, 1, t2, unbroadcast(bt4 * t3, t2), bx)
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
