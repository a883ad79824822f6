"""Listing 9: code put into the backward pass."""
import tangent
from tangent import insert_grad_of


@tangent.tangent
def f(x, y):
    z = x * y
    with insert_grad_of(z) as dz:
        print('gradient of z:', dz)
        if dz > 10:
            dz = 10
    return z * z


ARGS = 1.3, 0.7


# --- normal
def f(x, y):
    z = x * y
    z2 = z
    t = z2 * z2
    return t


# --- reverse
def dfdxdy(x, y, bz_times_z=1.0):
    z = x * y
    z2 = z
    t = z2 * z2

    bz_times_z = check_dims(t, bz_times_z, x, y)
    # Grad of: return z * z
    bz2 = 2 * bz_times_z * z2
    # Grad of: with insert_grad_of(z) as dz:
    bz = bz2
    # Inserted code
    print("gradient of z:", bz)
    if bz > 10:
        bz = 10
    # Grad of: z = x * y
    bx = bz * y
    by = bz * x
    return bx, by


# --- optimized
def dfdxdy(x, y, bz_times_z=1.0):
    z = x * y
    bz_times_z = check_dims(z * z, bz_times_z, x, y)
    # Grad of: return z * z
    bz = 2 * bz_times_z * z
    # Inserted code
    print("gradient of z:", bz)
    if bz > 10:
        bz = 10
    # Grad of: z = x * y
    return bz * y, bz * x
