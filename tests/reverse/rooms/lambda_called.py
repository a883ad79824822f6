import numpy as np

ARGS = 0.7, 1.3


def f(x, w):
    g = lambda t: np.tanh(w * t)
    return g(x) + g(2.0 * x)


# --- normal
def f(x, w):
    t = g(x, w=w)
    t2 = 2.0 * x
    t3 = g(t2, w=w)
    t4 = t + t3
    return t4


# --- normal
def g(t, *, w):
    t2 = w * t
    t3 = np.tanh(t2)
    return t3


# --- reverse
def g_primal(t, bg=1.0, *, w):
    t2 = w * t
    t3 = np.tanh(t2)
    split_here(t3)
    # Grad of: np.tanh(w * t)
    bt2 = bg * (1 - t3 * t3)
    bt = unbroadcast(bt2 * w, t)
    bw = unbroadcast(bt2 * t, w)
    return bt, bw


# --- reverse
def dfdxdw(x, w, bf=1.0):
    t, g_saved2 = g_primal(x, w=w)
    t2 = 2.0 * x
    t3, g_saved = g_primal(t2, w=w)
    t4 = t + t3

    bf = check_dims(t4, bf, t, t3)
    # Grad of: return g(x) + g(2.0 * x)
    bt2, bw = g_adjoint(bf, g_saved)
    bx, bw2 = g_adjoint(bf, g_saved2)
    bx2 = bt2 * 2.0 + bx
    bw3 = add_grad(bw, bw2)
    return astype(bx2, x), astype(bw3, w)


# --- optimized
def g_primal(t, *, w):
    t2 = np.tanh(w * t)
    return t2, (t, w, t2)


def g_adjoint(bg, saved):
    t, w, t2 = saved
    # Grad of: np.tanh(w * t)
    bt = bg * (1 - t2 * t2)
    return unbroadcast(bt * w, t), unbroadcast(bt * t, w)


def dfdxdw(x, w, bf=1.0):
    t, g_saved = g_primal(x, w=w)
    t2, g_saved2 = g_primal(2.0 * x, w=w)
    bf = check_dims(t + t2, bf, t, t2)
    # Grad of: return g(x) + g(2.0 * x)
    bt, bw = g_adjoint(bf, g_saved2)
    bx, bw2 = g_adjoint(bf, g_saved)
    bw2 = add_grad(bw, bw2)
    return astype(2.0 * bt + bx, x), astype(bw2, w)
