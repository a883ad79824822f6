ARGS = 0.3, 0.8


def total(*terms):
    return sum(terms) * terms[0]


def f(x, y):
    return total(x, y, x * y)


# --- normal
def f(x, y):
    t = x * y
    t2 = total(x, y, t)
    return t2


# --- normal
def total(*terms):
    t = sum(terms)
    t2 = terms[0]
    t3 = t * t2
    return t3


# --- reverse
def total_primal(*terms, btotal=1.0):
    t = sum(terms)
    t2 = terms[0]
    t3 = t * t2

    split_here(t3)
    # Grad of: return sum(terms) * terms[0]
    bt2 = unbroadcast(btotal * t, t2)
    bt = unbroadcast(btotal * t2, t)
    bterms = init_grad(terms)
    bterms = add_grad(bterms, unsum(bt, terms))
    bterms[0] += bt2
    return bterms


# --- reverse
def dfdxdy(x, y, bf=1.0):
    t = x * y
    t2, total_saved = total_primal(x, y, t)
    bf = check_dims(t2, bf)
    # Grad of: return total(x, y, x * y)
    bterms = total_adjoint(bf, total_saved)
    bt = bterms[2]
    bx = bterms[0] + unbroadcast(bt * y, x)
    by = bterms[1] + unbroadcast(bt * x, y)
    return astype(bx, x), astype(by, y)


# --- optimized
def total_primal(*terms):
    t = sum(terms)
    t2 = terms[0]
    return t * t2, (terms, t, t2)


def total_adjoint(btotal, saved):
    terms, t, t2 = saved
    # Grad of: return sum(terms) * terms[0]
    bterms = init_grad(terms)
    bterms = add_grad(bterms, unsum(unbroadcast(btotal * t2, t), terms))
    bterms[0] += unbroadcast(btotal * t, t2)
    return bterms


def dfdxdy(x, y, bf=1.0):
    t, total_saved = total_primal(x, y, x * y)
    bf = check_dims(t, bf)
    # Grad of: return total(x, y, x * y)
    bterms = total_adjoint(bf, total_saved)
    bt = bterms[2]
    bx = bterms[0] + unbroadcast(bt * y, x)
    by = bterms[1] + unbroadcast(bt * x, y)
    return astype(bx, x), astype(by, y)
