import types

import numpy as np

ARGS = types.SimpleNamespace(w=0.3, b=0.8), 1.4
WRT = 'model',


def f(model, x):
    return np.tanh(model.w * x + model.b)


# --- normal
def f(model, x):
    t = model.w
    t2 = t * x
    t3 = model.b
    t4 = t2 + t3
    t5 = np.tanh(t4)
    return t5


# --- reverse
def dfdmodel(model, x, bf=1.0):
    t = model.w
    t2 = t * x
    t3 = model.b
    t4 = t2 + t3
    t5 = np.tanh(t4)

    bf = check_dims(t5, bf, t, t3)
    # Grad of: return np.tanh(model.w * x + model.b)
    bt4 = bf * (1 - t5 * t5)
    bt = bt4 * x
    bmodel = init_grad(model)
    bmodel.b += bt4
    bmodel.w += bt
    return astype(bmodel, model)


# --- optimized
def dfdmodel(model, x, bf=1.0):
    t = model.w
    t2 = model.b
    t3 = np.tanh(t * x + t2)

    bf = check_dims(t3, bf, t, t2)
    # Grad of: return np.tanh(model.w * x + model.b)
    bt = bf * (1 - t3 * t3)
    bmodel = init_grad(model)
    bmodel.b += bt
    bmodel.w += bt * x
    return astype(bmodel, model)
