class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


ARGS = 0.3, 0.8


def f(a, b):
    v = Vector(a, b) + Vector(b, 1.0)
    return v.x * v.y


# --- normal
def f(a, b):
    made_x = a
    made_y = b
    made2_x = b
    made2_y = 1.0
    t = Vector_add(made_x, made_y, made2_x, made2_y)
    v_x, v_y = t
    t2 = v_x * v_y
    return t2


# --- normal
def Vector_add(x, y, other_x, other_y):
    made_x = x + other_x
    made_y = y + other_y
    t = made_x, made_y
    return t


# --- reverse
def Vector_add_primal(x, y, other_x, other_y, bVector_add=1.0):
    made_x = x + other_x
    made_y = y + other_y
    t = made_x, made_y

    split_here(t)
    # Grad of: return Vector(self.x + other.x, self.y + other.y)
    bmade_y = bVector_add[1]
    bmade_x = bVector_add[0]
    bx = unbroadcast(bmade_x, x)
    by = unbroadcast(bmade_y, y)
    bother_x = unbroadcast(bmade_x, other_x)
    return bx, by, bother_x


# --- reverse
def dfdadb(a, b, bf=1.0):
    made_x = a
    made_y = b
    made2_x = b
    made2_y = 1.0
    t, Vector_add_saved = Vector_add_primal(made_x, made_y, made2_x, made2_y)
    v_x, v_y = t
    t2 = v_x * v_y

    bf = check_number(t2, bf)
    # Grad of: return v.x * v.y
    bv_x = bf * v_y
    bv_y = bf * v_x
    # Grad of: v = Vector(a, b) + Vector(b, 1.0)
    bt = bv_x, bv_y
    bmade_x, bmade_y, bmade2_x = Vector_add_adjoint(bt, Vector_add_saved)
    ba = bmade_x
    bb = add_grad(bmade2_x, bmade_y)
    return astype(ba, a), astype(bb, b)


# --- optimized
def Vector_add_primal(x, y, other_x, other_y):
    made_x = x + other_x
    made_y = y + other_y
    return (made_x, made_y), (x, y, other_x)


def Vector_add_adjoint(bVector_add, saved):
    x, y, other_x = saved
    # Grad of: return Vector(self.x + other.x, self.y + other.y)
    bmade_y = bVector_add[1]
    bmade_x = bVector_add[0]
    bother_x = unbroadcast(bmade_x, other_x)
    return unbroadcast(bmade_x, x), unbroadcast(bmade_y, y), bother_x


def dfdadb(a, b, bf=1.0):
    made2_y = 1.0
    t, Vector_add_saved = Vector_add_primal(a, b, b, made2_y)
    v_x, v_y = t

    bf = check_number(v_x * v_y, bf)
    # Grad of: return v.x * v.y
    bv_x = bf * v_y
    bv_y = bf * v_x
    # Grad of: v = Vector(a, b) + Vector(b, 1.0)
    bmade_x, bmade_y, bmade2_x = Vector_add_adjoint((bv_x, bv_y), Vector_add_saved)
    return astype(bmade_x, a), astype(add_grad(bmade2_x, bmade_y), b)
