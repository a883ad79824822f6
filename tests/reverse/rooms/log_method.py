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
def f_primal(_log, layer, x):
    t2 = call(_log, (1, layer, x), ('self', 0), layer.forward, x)
    t = call(_log, (2, layer, t2), ('self', 0), layer.forward, t2)
    _log.append((3, t))
    return t


def f_adjoint(_grads, _log, bf):
    bt2_2 = blayer2 = bx2 = bt3 = None
    for step, saved in reversed(_log):
        if step == 1:
            # Grad of: return layer.forward(layer.forward(x))
            record, layer, x = saved
            bt2, bt2_2 = record.take(_grads, bt2_2)
            blayer, bx = record.back(_grads, bt2)
            blayer2 = _grads.give(layer, blayer, blayer2)
            bx2 = _grads.give(x, bx, bx2)
        elif step == 2:
            # Grad of: return layer.forward(layer.forward(x))
            record2, layer, t2 = saved
            bt, bt3 = record2.take(_grads, bt3)
            blayer3, bt2_3 = record2.back(_grads, bt)
            blayer2 = _grads.give(layer, blayer3, blayer2)
            bt2_2 = _grads.give(t2, bt2_3, bt2_2)
        elif step == 3:
            # Grad of: return layer.forward(layer.forward(x))
            t = saved
            bt3 = _grads.give(t, bf, bt3)
    return bx2


def dfdx(layer, x, bf=1.0):
    _kept = Kept((layer,), (x,))
    # Initialize the tape
    _log = []
    f = f_primal(_log, layer, x)
    _kept.look()
    bf = check_number(cost(f), bf)
    _grads = Gradients()
    bx = f_adjoint(_grads, _log, first_seed(f, bf))
    _kept.leave()
    return _grads.result(x, bx)
