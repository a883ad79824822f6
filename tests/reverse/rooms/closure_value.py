ARGS = 0.7, 1.3


def scaled(a):
    return lambda t: a * t * t


def f(x, w):
    g = scaled(w)
    return g(x) + g(1.0)


# --- normal
def f(x, w):
    t = g(x, w=w)
    t2 = g(1.0, w=w)
    t3 = t + t2
    return t3


# --- normal
def g(t, *, w):
    t2 = w * t
    t3 = t2 * t
    return t3


# --- reverse
def g_primal(t, bg=1.0, *, w):
    t2 = w * t
    t3 = t2 * t
    split_here(t3)
    # Grad of: lambda t: a * t * t
    bt2 = bg * t
    bw = unbroadcast(bt2 * t, w)
    return bw


# --- normal
def g(t, *, w):
    t2 = w * t
    t3 = t2 * t
    return t3


# --- reverse
def g_primal2(t, bg=1.0, *, w):
    t2 = w * t
    t3 = t2 * t
    split_here(t3)
    # Grad of: lambda t: a * t * t
    bt2 = bg * t
    bt = unbroadcast(bg * t2, t) + unbroadcast(bt2 * w, t)
    bw = unbroadcast(bt2 * t, w)
    return bt, bw


# --- reverse
def dfdxdw(x, w, bf=1.0):
    t, g_saved2 = g_primal2(x, w=w)
    t2, g_saved = g_primal(1.0, w=w)
    t3 = t + t2

    bf = check_dims(t3, bf, t, t2)
    # Grad of: return g(x) + g(1.0)
    bw = g_adjoint(bf, g_saved)
    bx, bw2 = g_adjoint2(bf, g_saved2)
    bx2 = bx
    bw3 = add_grad(bw, bw2)
    return astype(bx2, x), astype(bw3, w)


# --- optimized
def g_primal(t, *, w):
    return w * t * t, (t, w)


def g_adjoint(bg, saved):
    t, w = saved
    # Grad of: lambda t: a * t * t
    return unbroadcast(bg * t * t, w)


def g_primal2(t, *, w):
    t2 = w * t
    return t2 * t, (t, w, t2)


def g_adjoint2(bg, saved):
    t, w, t2 = saved
    # Grad of: lambda t: a * t * t
    bt2 = bg * t
    bt = unbroadcast(bg * t2, t) + unbroadcast(bt2 * w, t)
    return bt, unbroadcast(bt2 * t, w)


def dfdxdw(x, w, bf=1.0):
    t, g_saved = g_primal2(x, w=w)
    t2, g_saved2 = g_primal(1.0, w=w)
    bf = check_dims(t + t2, bf, t, t2)
    # Grad of: return g(x) + g(1.0)
    bw = g_adjoint(bf, g_saved2)
    bx, bw2 = g_adjoint2(bf, g_saved)
    return astype(bx, x), astype(add_grad(bw, bw2), w)
