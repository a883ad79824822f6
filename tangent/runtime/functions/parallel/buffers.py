"""Buffers of messages: which elements of an array a message is made of."""
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


def places(x, part, times=1):
    """The numbers of the elements, in the order of the message, of a part (count, datatype) of an array.

    `times` is how many such parts stand one after the other, as the blocks of all processes do.
    """
    x = np.asarray(x)
    count, at, kind = count_and_kind(part)
    if kind is None or kind.is_predefined:
        check_kind(kind, x)
        count = x.size - at if count is None else count * times
        return all_inside(np.arange(at, at + count), x)
    for each in parts_of_kind(kind):
        check_kind(each, x)
    low, extent = kind.Get_extent()
    start, (true_low, true_extent) = at * extent, kind.Get_true_extent()
    if extent <= 0 or true_low < 0:
        raise errors.ArgumentTypeError('datatypes with an extent or a lower bound below zero have no derivative rule')
    count = (x.nbytes - start) // extent if count is None else count * times
    end = start + (count - 1) * extent + true_low + true_extent if count else start
    words = np.dtype(np.int64 if x.itemsize % 8 == 0 else f'i{x.itemsize}')
    each = x.itemsize // words.itemsize
    numbers = np.repeat(np.arange(max(-(-max(end, start + count * extent) // x.itemsize), x.size)), each)
    found = np.empty(count * kind.Get_size() // words.itemsize, words)
    kind.Pack(memoryview(numbers.astype(words)).cast('B')[start:start + count * extent], found, 0, MPI.COMM_SELF)
    return all_inside(found[::each].astype(int), x)


def all_inside(numbers, x):
    """The numbers of elements, which have to be those of the array."""
    if numbers.size and (numbers.min() < 0 or numbers.max() >= x.size):
        raise errors.ArgumentError(f'the message is made of more elements than the {x.size} of its array')
    return numbers


def count_and_kind(part):
    """(count, displacement, datatype) of what stands beside an array; None for a count that is not said."""
    *counts, kind = part if part and isinstance(part[-1], (MPI.Datatype, str)) else (*part, None)
    if len(counts) == 1 and isinstance(counts[0], (tuple, list)):
        counts = counts[0]
    count, at = (*counts, None, None)[:2]
    return count, at or 0, MPI.Datatype.fromcode(kind) if isinstance(kind, str) else kind


def parts_of_kind(kind):
    """The predefined datatypes of which a derived one is made."""
    if kind.is_predefined:
        return [kind]
    first, _, given = kind.decode()
    inner = given['datatypes'] if first == MPI.DATATYPE_NULL else [first]
    return [part for each in inner for part in parts_of_kind(each)]


def check_kind(kind, x):
    """Refuse a datatype that is not that of the elements of the array."""
    if kind is not None and kind.Get_size() != x.itemsize:
        raise errors.ArgumentTypeError(f'a message of {kind.Get_name()} from an array of {x.dtype} has no derivative rule: '
                                       'give it the datatype of the array, and the count in its elements')


def taken(b, part):
    """The elements of a part of an array."""
    return np.ascontiguousarray(b) if not part else np.ravel(b)[places(b, part)]


def spread(b, part, values, like=None, times=1):
    """The array with other values in a part of it."""
    found = np.array(b)
    found.reshape(-1)[places(found if like is None else like, part, times)] = values
    return found


def summed_up(x, part, values, times=1):
    """Zeros with values in a part of them, as a gradient: where elements are sent twice both count."""
    found = np.zeros(np.shape(x), values.dtype)
    np.add.at(found.reshape(-1), places(x, part, times), values)
    return found


# Of collective messages: a part of an array as an array, and back

def picked(x, part, times=1):
    """The elements of a part of an array in one row; None where there is no array."""
    return None if x is None else np.ravel(contiguous(x))[places(x, part, times)]


def picked_back(b, x, part, times=1):
    """The adjoint of `picked`."""
    return None if x is None else summed_up(x, part, np.asarray(b), times)


def with_picked(x, part, values, times=1):
    """The array with what a message has brought into a part of it."""
    return None if x is None else spread(x, part, values, times=times)


def without_picked(b, x, part, times=1):
    """The gradient of what is left of the array there."""
    return None if x is None or b is None else spread(b, part, 0, x, times)
