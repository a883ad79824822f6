ARGS = 0.3, 0.8


def scaled(x, **options):
    return x * options['scale']


def f(x, y):
    return scaled(x, scale=y)


# --- normal
def f(x, y):
    t = scaled(x, scale=y)
    return t


# --- normal
def scaled(x, **options):
    t = options["scale"]
    t2 = x * t
    return t2


# --- reverse
def scaled_primal(x, bscaled=1.0, **options):
    t = options["scale"]
    t2 = x * t
    split_here(t2)
    # Grad of: return x * options['scale']
    bt = unbroadcast(bscaled * x, t)
    bx = unbroadcast(bscaled * t, x)
    boptions = init_grad(options)
    boptions["scale"] += bt
    return bx, boptions


# --- reverse
def dfdxdy(x, y, bf=1.0):
    t, scaled_saved = scaled_primal(x, scale=y)
    bf = check_dims(t, bf)
    # Grad of: return scaled(x, scale=y)
    bx, boptions = scaled_adjoint(bf, scaled_saved)
    bx2 = bx
    by = boptions["scale"]
    return astype(bx2, x), astype(by, y)


# --- optimized
def scaled_primal(x, **options):
    return x * options["scale"], (x, options)


def scaled_adjoint(bscaled, saved):
    x, options = saved
    # Grad of: return x * options['scale']
    boptions = init_grad(options)
    boptions["scale"] += unbroadcast(bscaled * x, options["scale"])
    return unbroadcast(bscaled * options["scale"], x), boptions


def dfdxdy(x, y, bf=1.0):
    t, scaled_saved = scaled_primal(x, scale=y)
    bf = check_dims(t, bf)
    # Grad of: return scaled(x, scale=y)
    bx, boptions = scaled_adjoint(bf, scaled_saved)
    return astype(bx, x), astype(boptions["scale"], y)
