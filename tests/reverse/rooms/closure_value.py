ARGS = 0.7, 1.3


def scaled(a):
    return lambda t: a * t * t


def f(x, w):
    g = scaled(w)
    return g(x) + g(1.0)


# --- normal
def f(x, w):
    g = scaled(w)
    t = g(x)
    t2 = g(1.0)
    t3 = t + t2
    return t3


# --- normal
def scaled(a):
    t = functools.partial(fn, a=a)
    return t


# --- reverse
def scaled_primal(a, bscaled=1.0):
    t = functools.partial(fn, a=a)
    split_here(t)
    # Grad of: return lambda t: a * t * t
    ba = captured(bscaled, "a", a)
    return ba


# --- reverse
def dfdxdw(x, w, bf=1.0):
    g, scaled_saved = scaled_primal(w)
    t, g_back2 = pullback(g, (0,), captured=True)(x)
    t2, g_back = pullback(g, captured=True)(1.0)
    t3 = t + t2

    bf = check_dims(t3, bf, t, t2)
    # Grad of: return g(x) + g(1.0)
    bg = g_back(bf)
    bg2, bx = g_back2(bf)
    bg3 = add_grad(bg, bg2)
    # Grad of: g = scaled(w)
    bw = scaled_adjoint(bg3, scaled_saved)
    # Grad of: return g(x) + g(1.0)
    bx2 = bx
    # Grad of: g = scaled(w)
    bw2 = bw
    return astype(bx2, x), astype(bw2, w)


# --- optimized
def fn(t, *, a):
    return a * t * t


def scaled_primal(a):
    return functools.partial(fn, a=a), a


def scaled_adjoint(bscaled, a):
    # Grad of: return lambda t: a * t * t
    return captured(bscaled, "a", a)


def dfdxdw(x, w, bf=1.0):
    g, scaled_saved = scaled_primal(w)
    t, g_back = pullback(g, (0,), captured=True)(x)
    t2, g_back2 = pullback(g, captured=True)(1.0)

    bf = check_dims(t + t2, bf, t, t2)
    # Grad of: return g(x) + g(1.0)
    bg = g_back2(bf)
    bg2, bx = g_back(bf)
    bg2 = add_grad(bg, bg2)
    # Grad of: g = scaled(w)
    bw = scaled_adjoint(bg2, scaled_saved)
    return astype(bx, x), astype(bw, w)
