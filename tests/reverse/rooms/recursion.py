"""A function that calls itself."""


def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


ARGS = 1.3, 4
WRT = 'x',


# --- normal
def power(x, n):
    c = n == 0
    if c:
        result = 1.0
        result3 = result
    else:
        t = power(x, n - 1)
        result2 = x * t
        result3 = result2
    return result3


# --- normal
def power(x, n):
    c = n == 0
    if c:
        result = 1.0
        result3 = result
    else:
        t = power(x, n - 1)
        result2 = x * t
        result3 = result2
    return result3


# --- reverse
def power_primal(x, n, bpower=1.0):
    c = n == 0
    if c:
        result = 1.0
        result3 = result
    else:
        t, power_saved = power_primal(x, n - 1)
        result2 = x * t
        result3 = result2

    split_here(result3)
    # Grad of: if n == 0:
    if c:
        bx2 = init_grad(x)
    else:
        # Grad of: return x * power(x, n - 1)
        bt = unbroadcast(bpower * x, t)
        bx = power_adjoint(bt, power_saved)
        bx2 = unbroadcast(bpower * t, x) + bx
    bx3 = bx2
    return bx3


# --- reverse
def dpowerdx(x, n, bpower=1.0):
    c = n == 0
    if c:
        result = 1.0
        result3 = result
    else:
        t, power_saved = power_primal(x, n - 1)
        result2 = x * t
        result3 = result2

    bpower = check_number(result3, bpower)
    # Grad of: if n == 0:
    if c:
        bx2 = init_grad(x)
    else:
        # Grad of: return x * power(x, n - 1)
        bt = bpower * x
        bx = power_adjoint(bt, power_saved)
        bx2 = bpower * t + bx
    bx3 = bx2
    return bx3


# --- optimized
def power_primal(x, n):
    t = None
    power_saved = None
    if n == 0:
        result = 1.0
    else:
        t, power_saved = power_primal(x, n - 1)
        result = x * t
    return result, (x, n, t, power_saved)


def power_adjoint(bpower, saved):
    x, n, t, power_saved = saved
    # Grad of: if n == 0:
    if n == 0:
        bx = init_grad(x)
    else:
        # Grad of: return x * power(x, n - 1)
        bx = power_adjoint(unbroadcast(bpower * x, t), power_saved)
        bx = unbroadcast(bpower * t, x) + bx
    return bx


def dpowerdx(x, n, bpower=1.0):
    if n == 0:
        result = 1.0
    else:
        t, power_saved = power_primal(x, n - 1)
        result = x * t

    bpower = check_number(result, bpower)
    # Grad of: if n == 0:
    if n == 0:
        bx = init_grad(x)
    else:
        # Grad of: return x * power(x, n - 1)
        bx = power_adjoint(bpower * x, power_saved)
        bx = bpower * t + bx
    return bx
