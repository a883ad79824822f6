class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


ARGS = 0.3, 0.8


def f(a, b):
    v = Vector(a, b) + Vector(b, 1.0)
    return v.x * v.y


# --- optimized
def f_primal(_stack, a, b):
    t, record = recorded((0, 1), Vector, a, b)
    t2, record2 = recorded((0,), Vector, b, 1.0)
    v, record3 = recorded((0, 1), operator.add, t, t2)
    t3 = v.x
    t4 = v.y
    t5 = t3 * t4
    _stack.append((record, a, b, record2, record3, t, t2, t3, t4, v))
    return t5


def f_adjoint(_grads, _stack, bf):
    bt2 = ba2 = bb2 = bt2_3 = bv2 = None
    record, a, b, record2, record3, t, t2, t3, t4, v = _stack.pop()
    # Grad of: return v.x * v.y
    if bf is not None:
        bv2 = _grads.give_attribute(v, 'y', t4, unbroadcast(bf * t3, t4), bv2)
        bv2 = _grads.give_attribute(v, 'x', t3, unbroadcast(bf * t4, t3), bv2)
    # Grad of: v = Vector(a, b) + Vector(b, 1.0)
    bv, bv2 = record3.take(_grads, bv2)
    bt3, bt2_4 = record3.back(_grads, bv)
    bt2 = _grads.give(t, bt3, bt2)
    bt2_3 = _grads.give(t2, bt2_4, bt2_3)
    bt2_2, bt2_3 = record2.take(_grads, bt2_3)
    (bb3,) = record2.back(_grads, bt2_2)
    bb2 = _grads.give(b, bb3, bb2)
    bt, bt2 = record.take(_grads, bt2)
    ba, bb = record.back(_grads, bt)
    ba2 = _grads.give(a, ba, ba2)
    bb2 = _grads.give(b, bb, bb2)
    return ba2, bb2


def dfdadb(a, b, bf=1.0):
    # Initialize the tape
    _stack = []
    f = f_primal(_stack, a, b)
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    ba, bb = f_adjoint(_grads, _stack, first_seed(f, bf))
    return _grads.result(a, ba), _grads.result(b, bb)
