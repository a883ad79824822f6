ARGS = [0.3, 0.8, 1.4],


def f(xs):
    first, *rest = xs
    return first * sum(rest)


# --- normal
def f(xs):
    first, *rest = xs
    t = sum(rest)
    t2 = first * t
    return t2


# --- reverse
def dfdxs(xs, bf=1.0):
    first, *rest = xs
    t = sum(rest)
    t2 = first * t

    bf = check_number(t2, bf)
    # Grad of: return first * sum(rest)
    bt = bf * first
    bfirst = bf * t
    brest = unsum(bt, rest)
    # Grad of: first, *rest = xs
    bxs = init_grad(xs)
    bxs[0] += bfirst
    bxs = add_at(bxs, slice(1, None), brest)
    return astype(bxs, xs)


# --- optimized
def dfdxs(xs, bf=1.0):
    first, *rest = xs
    t = sum(rest)
    bf = check_number(first * t, bf)
    # Grad of: return first * sum(rest)
    bfirst = bf * t
    brest = unsum(bf * first, rest)
    # Grad of: first, *rest = xs
    bxs = init_grad(xs)
    bxs[0] += bfirst
    bxs = add_at(bxs, slice(1, None), brest)
    return astype(bxs, xs)
