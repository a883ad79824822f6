import collections

Point = collections.namedtuple('Point', 'x y')
ARGS = 0.3, 0.8


def f(a, b):
    p = Point(a * b, y=b)
    return p.x * p.y


# --- normal
def f(a, b):
    t = a * b
    p = Point(t, y=b)
    t2 = p.x
    t3 = p.y
    t4 = t2 * t3
    return t4


# --- reverse
def dfdadb(a, b, bf=1.0):
    t = a * b
    p = Point(t, y=b)
    t2 = p.x
    t3 = p.y
    t4 = t2 * t3

    bf = check_dims(t4, bf, t2, t3)
    # Grad of: return p.x * p.y
    bt3 = bf * t2
    bt2 = bf * t3
    bp = init_grad(p)
    bp.y += bt3
    bp.x += bt2
    # Grad of: p = Point(a * b, y=b)
    bt = bp[0]
    ba = unbroadcast(bt * b, a)
    bb = bp[1] + unbroadcast(bt * a, b)
    return ba, astype(bb, b)


# --- optimized
def dfdadb(a, b, bf=1.0):
    p = Point(a * b, y=b)
    t = p.x
    t2 = p.y

    bf = check_dims(t * t2, bf, t, t2)
    # Grad of: return p.x * p.y
    bp = init_grad(p)
    bp.y += bf * t
    bp.x += bf * t2
    # Grad of: p = Point(a * b, y=b)
    bt = bp[0]
    bb = bp[1] + unbroadcast(bt * a, b)
    return unbroadcast(bt * b, a), astype(bb, b)
