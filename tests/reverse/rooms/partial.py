import functools

ARGS = 0.7, 1.3


def affine(a, b, x):
    return a * x + b


def f(x, w):
    g = functools.partial(affine, w, 2.0)
    return g(x) * g(w)


# --- normal
def f(x, w):
    g = functools.partial(affine, w, 2.0)
    t = g(x)
    t2 = g(w)
    t3 = t * t2
    return t3


# --- reverse
def dfdxdw(x, w, bf=1.0):
    g = functools.partial(affine, w, 2.0)
    t, g_back2 = pullback(g, (0,), captured=True)(x)
    t2, g_back = pullback(g, (0,), captured=True)(w)
    t3 = t * t2

    bf = check_dims(t3, bf, t, t2)
    # Grad of: return g(x) * g(w)
    bt2 = bf * t
    bg, bw = g_back(bt2)
    bt = bf * t2
    bg2, bx = g_back2(bt)
    bg3 = add_grad(bg, bg2)
    bx2 = bx
    # Grad of: g = functools.partial(affine, w, 2.0)
    bw2 = add_grad(bw, captured(bg3, -2, w))
    return astype(bx2, x), astype(bw2, w)


# --- optimized
def dfdxdw(x, w, bf=1.0):
    g = functools.partial(affine, w, 2.0)
    t, g_back = pullback(g, (0,), captured=True)(x)
    t2, g_back2 = pullback(g, (0,), captured=True)(w)

    bf = check_dims(t * t2, bf, t, t2)
    # Grad of: return g(x) * g(w)
    bg, bw = g_back2(bf * t)
    bg2, bx = g_back(bf * t2)
    bg2 = add_grad(bg, bg2)
    # Grad of: g = functools.partial(affine, w, 2.0)
    bw = add_grad(bw, captured(bg2, -2, w))
    return astype(bx, x), astype(bw, w)
