"""What loops in place of array expressions ask for when running: where slices end, and what has to be so."""
import numpy as np

from tangent.errors import AliasError, ShapeError
from tangent.runtime.api import unbroadcast

LENGTHS = ('Arrays or slices of different lengths meet in a statement that was made into loops; if a length of 1 is to be '
           "spread over a longer one, leave the statement as it is: use jit={'loops': False}")
SHARED = ('Arrays share memory, and what is written into one would be seen in the other within a loop: pass a copy of one, '
          "or use tangent.lower(f, apart=False), or jit={'loops': False}")

BROADCAST = 'operands could not be broadcast together'


def ends(low, high, size):
    """The positions at which the slice `low:high` of an axis of `size` elements begins and ends: each from 0 to `size`."""
    start = 0 if low is None else low + size if low < 0 else low
    stop = size if high is None else high + size if high < 0 else high
    return min(max(start, 0), size), min(max(stop, 0), size)


def dot_rows(a, b):
    """The product of two vectors."""
    return np.dot(a, b)


def dot_at(a, b, index):
    """The product of a vector and the elements of another that an array of integers names."""
    return np.dot(a, b[index])


def joint(one, other):
    """The length of a sum of vectors of these lengths, as NumPy spreads them.

    Raises
    ------
    ValueError
        If they differ and none of them is 1.
    """
    if one != other and one != 1 and other != 1:
        raise ValueError(BROADCAST)
    return other if one == 1 else one


def spread(x, *lengths):
    """An array of these lengths: itself, or one that repeats what it has one of.

    Raises
    ------
    ValueError
        If it has another number of elements along some axis.
    """
    return x if x.shape == lengths else np.broadcast_to(x, lengths).copy()


def unspread(b, *lengths):
    """The gradient of `x`, of these lengths, from that of `spread(x, ...)`."""
    return b if b.shape == lengths else unbroadcast(b, np.empty(lengths, b.dtype))


def check_equal(one, other):
    """See to it that two lengths are equal.

    Raises
    ------
    ShapeError
        If they are not. (NumPy would raise as well, unless one of the lengths is 1.)
    """
    if one != other:
        raise ShapeError(LENGTHS)


def check_disjoint(a, b):
    """See to it that two arrays, of which one is written into, share no memory.

    Raises
    ------
    AliasError
        If they might.
    """
    if np.may_share_memory(a, b):
        raise AliasError(SHARED)


FUNCTIONS = check_disjoint, check_equal, dot_at, dot_rows, ends, joint, spread, unspread
