ARGS = 0.3,


def f(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v
    add(x)
    add(2.0 * x)
    return total


# --- normal
def f(x):
    total_cell = [0.0]
    t = add(x, total_cell=total_cell)
    t2 = 2.0 * x
    t3 = add(t2, total_cell=total_cell)
    t4 = total_cell[0]
    return t4


# --- normal
def add(v, *, total_cell):
    result2 = None
    pass
    t = total_cell[0]
    t2 = v * v
    t3 = t + t2
    old = total_cell[0]
    total_cell[0] = t3
    return result2


# --- reverse
def add_primal(v, badd=1.0, btotal_cell=1.0, *, total_cell):
    result2 = None
    pass
    t = total_cell[0]
    t2 = v * v
    t3 = t + t2
    old = total_cell[0]
    total_cell[0] = t3

    split_here()
    # Grad of: total = total + v * v
    bt3 = btotal_cell[0]
    btotal_cell[0] = init_grad(old)
    bt2 = unbroadcast(bt3, t2)
    bt = unbroadcast(bt3, t)
    bv = 2 * bt2 * v
    btotal_cell[0] += bt
    return bv


# --- reverse
def dfdx(x, btotal=1.0):
    total_cell = [0.0]
    add_saved2 = add_primal(x, total_cell=total_cell)
    t = None
    t2 = 2.0 * x
    add_saved = add_primal(t2, total_cell=total_cell)
    t3 = None
    t4 = total_cell[0]

    btotal = check_dims(t4, btotal)
    # Grad of: return total
    btotal_cell = init_grad(total_cell)
    btotal_cell = add_at(btotal_cell, 0, btotal)
    # Grad of: add(2.0 * x)
    bt2 = add_adjoint(add_saved, btotal_cell)
    # Grad of: add(x)
    bx = add_adjoint(add_saved2, btotal_cell)
    bx2 = bt2 * 2.0 + bx
    return astype(bx2, x)


# --- optimized
def add_primal(v, *, total_cell):
    t = total_cell[0]
    t2 = v * v
    old = total_cell[0]
    total_cell[0] = t + t2
    return v, t, t2, old


def add_adjoint(saved, btotal_cell):
    v, t, t2, old = saved
    # Grad of: total = total + v * v
    bt = btotal_cell[0]
    btotal_cell[0] = init_grad(old)
    bv = 2 * unbroadcast(bt, t2) * v
    btotal_cell[0] += unbroadcast(bt, t)
    return bv


def dfdx(x, btotal=1.0):
    total_cell = [0.0]
    add_saved = add_primal(x, total_cell=total_cell)
    add_saved2 = add_primal(2.0 * x, total_cell=total_cell)

    btotal = check_dims(total_cell[0], btotal)
    # Grad of: return total
    btotal_cell = init_grad(total_cell)
    btotal_cell = add_at(btotal_cell, 0, btotal)
    # Grad of: add(2.0 * x)
    bt = add_adjoint(add_saved2, btotal_cell)
    # Grad of: add(x)
    bx = add_adjoint(add_saved, btotal_cell)
    return astype(2.0 * bt + bx, x)
