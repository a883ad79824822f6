import numpy as np

ARGS = {'w': np.array([0.3, 0.8]), 'layers': [0.5, (1.5, 2.0)]},


def f(params):
    a, (b, c) = params['layers']
    return np.sum(params['w'] * a) * b + c


# --- normal
def f(params):
    t = params["layers"]
    a, t2 = t
    b, c = t2
    t3 = params["w"]
    t4 = t3 * a
    t5 = np.sum(t4)
    t6 = t5 * b
    t7 = t6 + c
    return t7


# --- reverse
def dfdparams(params, bf=1.0):
    t = params["layers"]
    a, t2 = t
    b, c = t2
    t3 = params["w"]
    t4 = t3 * a
    t5 = np.sum(t4)
    t6 = t5 * b
    t7 = t6 + c

    bf = check_number(t7, bf)
    # Grad of: return np.sum(params['w'] * a) * b + c
    bt5 = bf * b
    bt4 = unreduce_like(bt5, t4)
    bt3 = unbroadcast(bt4 * a, t3)
    bb = bf * t5
    ba = unbroadcast(bt4 * t3, a)
    # Grad of: a, (b, c) = params['layers']
    bt2 = init_grad(t2)
    bt2[0] += bb
    bt2[1] += bf
    bt = init_grad(t)
    bt[0] += ba
    bt = add_at(bt, 1, bt2)
    # Grad of: return np.sum(params['w'] * a) * b + c
    bparams = init_grad(params)
    bparams["w"] += bt3
    # Grad of: a, (b, c) = params['layers']
    bparams = add_at(bparams, "layers", bt)
    return astype(bparams, params)


# --- optimized
def dfdparams(params, bf=1.0):
    a, t = params["layers"]
    b, c = t
    t2 = params["w"] * a
    t3 = np.sum(t2)

    bf = check_number(t3 * b + c, bf)
    # Grad of: return np.sum(params['w'] * a) * b + c
    bt2 = unreduce_like(bf * b, t2)
    bb = bf * t3
    ba = unbroadcast(bt2 * params["w"], a)
    # Grad of: a, (b, c) = params['layers']
    bt = init_grad(t)
    bt[0] += bb
    bt[1] += bf
    bt3 = init_grad(params["layers"])
    bt3[0] += ba
    bt4 = add_at(bt3, 1, bt)
    # Grad of: return np.sum(params['w'] * a) * b + c
    bparams = init_grad(params)
    bparams["w"] += unbroadcast(bt2 * a, params["w"])
    # Grad of: a, (b, c) = params['layers']
    bparams = add_at(bparams, "layers", bt4)
    return astype(bparams, params)
