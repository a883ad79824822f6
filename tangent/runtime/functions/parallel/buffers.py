"""Buffers of messages: which elements of an array a message is made of."""
from __future__ import annotations

import numpy as np
from mpi4py import MPI

from tangent import errors


def contiguous(x):
    """The array, which has to have its rows one after the other: messages are made of the memory as it is."""
    if not isinstance(x, (np.ndarray, np.generic)):
        raise errors.ArgumentTypeError(
            f'a message with capital letters is sent from an array, not from a {type(x).__name__}: give comm the array '
            'itself, or write a list of array, count and datatype in the call')
    if x.dtype.hasobject or x.dtype.names:
        raise errors.ArgumentTypeError(f'an array of {x.dtype} is sent by the methods in small letters')
    if x.ndim > 1 and x.flags.f_contiguous and not x.flags.c_contiguous:
        raise errors.ArgumentTypeError('an array in the order of Fortran is sent as its transposed one: send x.T, or a copy '
                                       'in the order of C')
    return x


def message(x, part):
    """What mpi4py is given for an array."""
    return [contiguous(x), *part] if part else contiguous(x)


def floating(dtype):
    """The dtype of the gradient of an array."""
    return dtype if dtype.kind in 'fc' else np.dtype(float)


def places(x, part):
    """The numbers of the elements, in the order of the message, of a part (count, datatype) of an array."""
    numbers = np.arange(np.size(x)).astype(np.asarray(x).dtype)
    *counts, kind = part if isinstance(part[-1], MPI.Datatype) else (*part, None)
    if kind is None or kind.is_predefined:
        count, at = counted(counts, numbers.size)
        return np.arange(at, at + count)
    count, at = counted(counts, None)
    count = numbers.nbytes // kind.Get_extent()[1] if count is None else count
    spanned = np.zeros(-(-count * kind.Get_extent()[1] // numbers.itemsize), numbers.dtype)
    spanned[:numbers.size - at] = numbers[at:at + spanned.size]
    found = np.empty(count * kind.Get_size() // numbers.itemsize, numbers.dtype)
    kind.Pack(spanned, found, 0, MPI.COMM_SELF)
    return found.astype(int)


def counted(counts, whole):
    """(count, displacement) of a part that says one, both or none."""
    if len(counts) == 1 and isinstance(counts[0], (tuple, list)):
        counts = counts[0]
    return (counts[0] if counts and counts[0] is not None else whole), (counts[1] if len(counts) > 1 else 0)


def taken(b, part):
    """The elements of a part of an array."""
    return np.ascontiguousarray(b) if not part else np.ravel(b)[places(b, part)]


def spread(b, part, values, like=None):
    """The array with other values in a part of it."""
    found = np.array(b)
    found.reshape(-1)[places(found if like is None else like, part)] = values
    return found
