import tangent

ARGS = 0.3,


def g(y):
    return y * y * y


def f(x):
    return x * tangent.grad(g)(x)


# --- normal
def f(x):
    t = tangent.grad(g)
    t2 = t(x)
    t3 = x * t2
    return t3


# --- reverse
def dfdx(x, bf=1.0):
    t = tangent.grad(g)
    t2, t_back = pullback(t, (0,))(x)
    t3 = x * t2

    bf = check_dims(t3, bf, t2, x)
    # Grad of: return x * tangent.grad(g)(x)
    bt2 = bf * x
    bx = t_back(bt2)
    bx2 = bf * t2 + bx
    return bx2


# --- optimized
def dfdx(x, bf=1.0):
    t, t_back = pullback(tangent.grad(g), (0,))(x)
    bf = check_dims(x * t, bf, t, x)
    # Grad of: return x * tangent.grad(g)(x)
    bx = t_back(bf * x)
    return bf * t + bx
