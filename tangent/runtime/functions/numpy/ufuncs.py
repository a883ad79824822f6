"""Run-time functions for the methods of ufuncs: outer, reduce, reduceat."""
import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.array_api import as_array, counted, peer
from tangent.runtime.broadcast import cast, gradient_dtype, unreduce_like
from tangent.runtime.functions.elementwise import null_times, product_of_others, ties


def outer_left(a, b):
    """`a` with an axis of length 1 for each axis of `b`, so that it meets all of `b` when broadcast."""
    return np.reshape(a, np.shape(a) + (1,) * np.ndim(b))


def _log_share(part, y, axis):
    return np.exp(part - np.expand_dims(y, axis))


def _log2_share(part, y, axis):
    return np.exp2(part - np.expand_dims(y, axis))


def _leg_share(part, y, axis):
    whole = np.expand_dims(y, axis)
    return np.where(whole == 0, 0, part / np.where(whole == 0, 1, whole))


def _sign(part, y, axis):
    first = counted(part.shape[axis], part) == 0
    signs = np.reshape(np.where(first, 1.0, -1.0), [-1 if k == axis % part.ndim else 1 for k in range(part.ndim)])
    return np.broadcast_to(signs, part.shape)


# What a reduction changes by each element of what is reduced, for the ufuncs that have a rule
COEFFICIENTS = {
    'add': lambda part, y, axis: 1.0,
    'subtract': _sign,
    'multiply': lambda part, y, axis: product_of_others(part, axis),
    **dict.fromkeys(['maximum', 'minimum', 'fmax', 'fmin'], lambda part, y, axis: ties(part, y, axis)),
    'logaddexp': _log_share, 'logaddexp2': _log2_share, 'hypot': _leg_share,
}


def reduce_slope(array, y, name, axis=0, keepdims=False):
    """The derivative of `y = numpy.<name>.reduce(array, axis, keepdims=keepdims)` by each element of `array`."""
    array = as_array(array)
    if axis is not None and np.ndim(axis) and len(axis) != 1:
        raise ArgumentError(f'numpy.{name}.reduce: several axes have no derivative rule; reduce one after the other')
    at = 0 if axis is None else int(np.ravel(axis)[0])
    rows = np.ravel(array) if axis is None else array
    y = np.reshape(y, rows.shape[:at % rows.ndim] + rows.shape[at % rows.ndim + 1:])
    return np.reshape(COEFFICIENTS[name](rows, y, at), array.shape if name != 'add' else ())


def _segments(array, indices, axis):
    """(place in the result, the elements of `array` along the axis of which it is made), as `reduceat` has them."""
    size = np.shape(array)[axis]
    ends = [*[int(k) for k in indices[1:]], size]
    for place, (start, stop) in enumerate(zip([int(k) for k in indices], ends)):
        yield place, (slice(start, stop) if start < stop else slice(start, start + 1 or None))


def _at(axis, piece):
    return (slice(None),) * axis + (piece,)


def unreduceat(d, array, indices, y, name, axis=0):
    """The gradient of `array`, from that of `y = numpy.<name>.reduceat(array, indices, axis)`."""
    d, array, y = as_array(d), as_array(array), as_array(y)
    axis = axis % array.ndim
    out = np.zeros(array.shape, gradient_dtype(array), like=peer(array))
    for place, piece in _segments(array, indices, axis):
        part = array[_at(axis, piece)]
        slope = COEFFICIENTS[name](part, y[_at(axis, place)], axis)
        out[_at(axis, piece)] += cast(np.expand_dims(d[_at(axis, place)], axis) * slope, out)
    return out


def push_reduceat(da, array, indices, y, name, axis=0):
    """The tangent of `y = numpy.<name>.reduceat(array, indices, axis)`."""
    array, y = as_array(array), as_array(y)
    axis = axis % array.ndim
    found = []
    for place, piece in _segments(array, indices, axis):
        slope = COEFFICIENTS[name](array[_at(axis, piece)], y[_at(axis, place)], axis)
        found.append(np.sum(null_times(slope, da[_at(axis, piece)]), axis))
    return np.stack(found, axis)


def spread_reduced(d, array, y, name, axis=0, keepdims=False):
    """The gradient of `array`, from that of `y = numpy.<name>.reduce(array, axis, keepdims=keepdims)`."""
    return unreduce_like(d, array, axis, keepdims) * reduce_slope(array, y, name, axis, keepdims)
