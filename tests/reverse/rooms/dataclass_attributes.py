import dataclasses


@dataclasses.dataclass
class Point:
    x: float
    y: float


ARGS = Point(0.3, 0.8), 2.0
WRT = 'p',


def f(p, s):
    return s * p.x * p.y


# --- normal
def f(p, s):
    t = p.x
    t2 = s * t
    t3 = p.y
    t4 = t2 * t3
    return t4


# --- reverse
def dfdp(p, s, bf=1.0):
    t = p.x
    t2 = s * t
    t3 = p.y
    t4 = t2 * t3

    bf = check_dims(t4, bf, t, t3)
    # Grad of: return s * p.x * p.y
    bt3 = bf * t2
    bt2 = bf * t3
    bt = bt2 * s
    bp = init_grad(p)
    bp.y += bt3
    bp.x += bt
    return astype(bp, p)


# --- optimized
def dfdp(p, s, bf=1.0):
    t = p.x
    t2 = s * t
    t3 = p.y

    bf = check_dims(t2 * t3, bf, t, t3)
    # Grad of: return s * p.x * p.y
    bp = init_grad(p)
    bp.y += bf * t2
    bp.x += bf * t3 * s
    return astype(bp, p)
