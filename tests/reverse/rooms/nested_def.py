import numpy as np

ARGS = 0.7, 1.3


def f(x, w):
    def g(t):
        return np.sin(w * t)
    return g(x) * w


# --- normal
def f(x, w):
    t = g(x, w=w)
    t2 = t * w
    return t2


# --- normal
def g(t, *, w):
    t2 = w * t
    t3 = np.sin(t2)
    return t3


# --- reverse
def g_primal(t, bg=1.0, *, w):
    t2 = w * t
    t3 = np.sin(t2)
    split_here(t3)
    # Grad of: return np.sin(w * t)
    bt2 = bg * np.cos(t2)
    bt = unbroadcast(bt2 * w, t)
    bw = unbroadcast(bt2 * t, w)
    return bt, bw


# --- reverse
def dfdxdw(x, w, bf=1.0):
    t, g_saved = g_primal(x, w=w)
    t2 = t * w
    bf = check_dims(t2, bf, t, w)
    # Grad of: return g(x) * w
    bt = bf * w
    bx, bw = g_adjoint(bt, g_saved)
    bx2 = bx
    bw2 = bf * t + bw
    return astype(bx2, x), bw2


# --- optimized
def g_primal(t, *, w):
    t2 = w * t
    return np.sin(t2), (t, w, t2)


def g_adjoint(bg, saved):
    t, w, t2 = saved
    # Grad of: return np.sin(w * t)
    bt2 = bg * np.cos(t2)
    return unbroadcast(bt2 * w, t), unbroadcast(bt2 * t, w)


def dfdxdw(x, w, bf=1.0):
    t, g_saved = g_primal(x, w=w)
    bf = check_dims(t * w, bf, t, w)
    # Grad of: return g(x) * w
    bx, bw = g_adjoint(bf * w, g_saved)
    return astype(bx, x), bf * t + bw
