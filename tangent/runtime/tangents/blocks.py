"""Any number of directions, eight at a time: how functions that Numba compiles go through them; here as CPython runs it.

Eight numbers are what a processor works on at once. The last eight are filled up with zeros.

    moved = push(x, eight_of(x, dx, k))                the tangents dx[k:k + 8]
    put_eight(found, k, moved)                         found[k:k + 8] = moved
    put_eight_columns(jx, k, push(x, unit_eight(x, k)))        those along the numbers k, ..., k + 7 of x
"""
import numpy as np

from tangent.runtime.broadcast import gradient_dtype
from tangent.runtime.pytree import filled, leaves

__all__ = ['eight_of', 'one_of', 'put_eight', 'put_eight_columns', 'put_one', 'room_for_eights', 'room_for_ones', 'unit_eight']
EIGHT = 8


def eight_of(x, dx, k):
    """Eight of the tangents of `x`, from number `k` on."""
    parts = [np.asarray(part)[k:k + EIGHT] for part in leaves(dx)]
    return filled(x, [np.concatenate([p, np.zeros((EIGHT - len(p), *p.shape[1:]), p.dtype)]) for p in parts])


def one_of(x, dx, k):
    """One of the tangents of `x`, zero where there are no more."""
    parts = map(np.asarray, leaves(dx))
    return filled(x, [part[k] if k < len(part) else np.zeros(part.shape[1:], part.dtype) for part in parts])


def unit_eight(x, k):
    """Tangents of `x` in eight directions: along each of its numbers from `k` on."""
    unit = np.zeros((EIGHT, np.size(x)), gradient_dtype(np.asarray(x)))
    for lane, place in enumerate(range(k, min(k + EIGHT, np.size(x)))):
        unit[lane, place] = 1
    return unit.reshape(EIGHT, *np.shape(x))


def room_for_eights(moved, count):
    """Room for the tangents of a result in so many directions, of which these are the first eight."""
    return filled(moved, [np.empty((count, *part.shape[1:]), part.dtype) for part in leaves(moved)])


def room_for_ones(moved, count):
    """The same, of which this is the first."""
    return filled(moved, [np.empty((count, *np.shape(part)), np.asarray(part).dtype) for part in leaves(moved)])


def put_eight(found, k, moved):
    for into, part in zip(leaves(found), leaves(moved)):
        into[k:k + EIGHT] = part[:len(into) - k]


def put_one(found, k, moved):
    for into, part in zip(leaves(found), leaves(moved)):
        into[k:k + 1] = part                             # nothing where there are no directions


def put_eight_columns(found, k, moved):
    """Eight columns of a Jacobian, from number `k` on, or as many as are left."""
    columns = found.reshape(len(found), -1)[:, k:k + EIGHT]
    whole = np.concatenate([np.reshape(part, (EIGHT, -1)) for part in leaves(moved)], axis=1)
    columns[...] = whole[:columns.shape[1]].T
