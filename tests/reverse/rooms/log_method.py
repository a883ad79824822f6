import numpy as np


class Layer:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return np.tanh(self.w * x)


ARGS = Layer(0.7), 1.3


def f(layer, x):
    return layer.forward(layer.forward(x))


# --- optimized
def f_primal(_stack, layer, x):
    t2, record = recorded(("self", 0), layer.forward, x)
    t, record2 = recorded(("self", 0), layer.forward, t2)
    _stack.append((record, layer, x, record2, t2, t))
    return t


def f_adjoint(_grads, _stack, bf):
    record, layer, x, record2, t2, t = _stack.pop()
    # Grad of: return layer.forward(layer.forward(x))
    bt3 = _grads.give(t, bf)
    bt, bt3 = record2.take(_grads, bt3)
    blayer3, bt2_3 = record2.back(_grads, bt)
    blayer2 = _grads.give(layer, blayer3)
    bt2_2 = _grads.give(t2, bt2_3)
    bt2, bt2_2 = record.take(_grads, bt2_2)
    blayer, bx = record.back(_grads, bt2)
    blayer2 = _grads.give(layer, blayer, blayer2)
    bx2 = _grads.give(x, bx)
    return bx2


def dfdx(layer, x, bf=1.0):
    _kept = Kept((layer,), (x,))
    # Initialize the tape
    _stack = []
    f = f_primal(_stack, layer, x)
    _kept.look()
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _stack, first_seed(f, bf))
    _kept.leave()
    return _grads.result(x, bx)
