"""What a value is: a number, or an array of how many axes and of what shape; and what comes of calculating with it."""
from typing import NamedTuple

import numpy as np

from tangent.numba.loops.affine import atom


class Kind(NamedTuple):
    """rank : number of axes, 0 for a number
    dtype : name of the NumPy dtype, or None
    shape : for each axis a Form, or None
    parts : kinds of what a tuple holds
    """
    rank: int
    dtype: str | None
    shape: tuple = ()
    parts: tuple | None = None


INT, FLOAT, BOOL = Kind(0, 'int64'), Kind(0, 'float64'), Kind(0, 'bool')
SAME = (np.linalg.cholesky, np.triu, np.tril)              # which make of a matrix another one of its shape


def many(what, kind):
    """A tape or a list of values of one kind."""
    return Kind(0, what, (), (kind,))


def shaped(name, rank, dtype):
    """An array of which nothing is known but how many axes it has."""
    return Kind(rank, dtype, tuple(atom(f'{name}.shape[{k}]') for k in range(rank)))


def joined(one, other):
    """The kind of a name that is bound twice."""
    if one is None or other is None or one.parts != other.parts or one.rank != other.rank:
        return None
    dtype = one.dtype if one.dtype == other.dtype else None if one.rank or None in (one.dtype, other.dtype) \
        else str(np.result_type(one.dtype, other.dtype))
    return Kind(one.rank, dtype, tuple(a if a == b else None for a, b in zip(one.shape, other.shape)), one.parts)


def broadcast(kinds, least=None):
    """The kind of what is calculated element by element; an axis is known where all operands have the same one."""
    if not kinds or any(k is None for k in kinds):
        return None
    rank = max(k.rank for k in kinds)
    same = [k for k in kinds if k.rank == rank]
    shape = tuple(f if all(k.shape[axis - rank] == f for k in kinds if k.rank >= rank - axis) else None
                  for axis, f in enumerate(same[0].shape))
    dtypes = [k.dtype for k in kinds] + ([least] if least else [])
    if None in dtypes:
        return Kind(rank, None, shape)
    arrays = {k.dtype for k in kinds if k.rank}
    if rank and arrays - {'float64', 'int64', 'bool', 'complex128'}:       # machines differ in what they make of numbers here
        return Kind(rank, arrays.pop() if len(arrays) == 1 and len(same) == len(kinds) else None, shape)
    return Kind(rank, str(np.result_type(*dtypes)), shape)


def product(left, right):
    """The kind of `left @ right`."""
    if left is None or right is None or not left.rank or not right.rank or max(left.rank, right.rank) > 2:
        return None
    dtype = left.dtype if left.dtype == right.dtype else None
    shape = {(1, 1): (), (2, 1): left.shape[:1], (1, 2): right.shape[1:], (2, 2): left.shape[:1] + right.shape[1:]}
    found = shape[left.rank, right.rank]
    return Kind(len(found), dtype, tuple(found))


def elementwise(found):
    """Whether a function works element by element, and is the same for numbers."""
    return found is np.where or isinstance(found, np.ufunc) and found.nout == 1 and found.nin <= 2 and found.signature is None


def result_of(found):
    return 'float64' if isinstance(found, np.ufunc) and found.nin == 1 and found.types and not any(
        t.startswith(('l->l', 'q->q')) for t in found.types) else None


def valued(found, kind):
    """The kind of what a function works out of numbers of this kind, where that differs: tests, sizes of complex numbers."""
    types = [t for t in getattr(found, 'types', ()) if 'O' not in t]
    if kind is None or not types:
        return kind
    if all(t.endswith('?') for t in types):
        return kind._replace(dtype='bool')
    return kind._replace(dtype='float64') if kind.dtype == 'complex128' and 'D->d' in types else kind
