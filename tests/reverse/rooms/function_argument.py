import numpy as np

ARGS = np.sin, 0.7
WRT = 'x',


def f(g, x):
    return g(x) * g(2.0 * x)


# --- normal
def f(g, x):
    t = g(x)
    t2 = 2.0 * x
    t3 = g(t2)
    t4 = t * t3
    return t4


# --- reverse
def dfdx(g, x, bf=1.0):
    t, g_back2 = pullback(g, (0,))(x)
    t2 = 2.0 * x
    t3, g_back = pullback(g, (0,))(t2)
    t4 = t * t3

    bf = check_dims(t4, bf, t, t3)
    # Grad of: return g(x) * g(2.0 * x)
    bt3 = bf * t
    bt2 = g_back(bt3)
    bt = bf * t3
    bx = g_back2(bt)
    bx2 = bt2 * 2.0 + bx
    return astype(bx2, x)


# --- optimized
def dfdx(g, x, bf=1.0):
    t, g_back = pullback(g, (0,))(x)
    t2, g_back2 = pullback(g, (0,))(2.0 * x)
    bf = check_dims(t * t2, bf, t, t2)
    # Grad of: return g(x) * g(2.0 * x)
    return astype(2.0 * g_back2(bf * t) + g_back(bf * t2), x)
