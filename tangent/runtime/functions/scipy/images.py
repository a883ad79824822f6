"""Run-time functions for rules about `scipy.ndimage`, whose linear filters read a window around each element."""
import numpy as np
import scipy.signal

from tangent.errors import ArgumentError
from tangent.runtime.broadcast import cast
from tangent.runtime.functions.elementwise import unpad

BORDERS = {'reflect': 'symmetric', 'grid-mirror': 'symmetric', 'mirror': 'reflect', 'nearest': 'edge', 'wrap': 'wrap',
           'grid-wrap': 'wrap', 'constant': 'constant', 'grid-constant': 'constant'}     # SciPy's name -> NumPy's, for padding


def reach(a, radius, axis=None):
    """How far a filter reads along each axis of `a`."""
    rank = np.ndim(a)
    if axis is None:
        return tuple(int(np.ceil(r)) for r in np.broadcast_to(radius, rank))
    return tuple(int(np.ceil(radius)) if k == axis % rank else 0 for k in range(rank))


def gaussian_reach(sigma, truncate=4.0, radius=None):
    """How far a Gaussian filter reads."""
    return np.asarray(sigma) * truncate + 1 if radius is None else np.asarray(radius)


def unfiltered(d, a, operation, mode, radius):
    """The gradient of `a`, from that of `operation(a, mode=mode)`, a linear filter that reads so far along each axis.

    What it makes of a single 1 tells its weights; with these `d` goes back into `a` with its border, and from the border
    to where the border was copied from.
    """
    if mode not in BORDERS:
        raise ArgumentError(f'scipy.ndimage: mode={mode!r} has no derivative rule; known are {", ".join(BORDERS)}')
    a, d = np.asarray(a), np.asarray(d)
    one = np.zeros([2 * r + 1 for r in radius], a.dtype if a.dtype.kind in 'fc' else float)
    one[tuple(radius)] = 1
    weights = np.flip(operation(one, mode='constant'))
    if not a.size:
        return np.zeros_like(one, shape=a.shape)
    whole = scipy.signal.convolve(d, weights, 'full')
    return cast(unpad(whole, a, [(r, r) for r in radius], mode=BORDERS[mode]), a)


def unweighted(d, a, weights, operation, mode, radius):
    """The gradient of `a`, from that of `operation(a, weights, mode=mode)`."""
    return unfiltered(d, a, lambda image, mode: operation(image, weights, mode=mode), mode, radius)


def unweights(d, a, weights, operation, mode, radius, cval=0.0):
    """The gradient of the weights, from that of `operation(a, weights, mode=mode, cval=cval)`, which is linear in them."""
    weights = np.asarray(weights)
    out = np.zeros(weights.shape, np.result_type(d, 0.0))
    for place in np.ndindex(weights.shape):
        one = np.zeros(weights.shape)
        one[place] = 1
        out[place] = np.sum(d * operation(a, one, mode=mode, cval=cval))
    return cast(out, weights)
