"""Run-time functions for rules about moments, quantiles, running extrema and histograms."""
from __future__ import annotations

import math

import numpy as np

from tangent.runtime.array_api import as_array, beside, counted, open_grid, peer
from tangent.runtime.broadcast import cast, gradient_dtype
from tangent.runtime.functions.real import for_real_numbers


def dual(x):
    """The complex conjugate of `x`; `x` itself where it is real."""
    return np.conj(x) if np.iscomplexobj(x) else x


def deviations_of(a, axis=None, ddof=0, where=True, mean=None, correction=None):
    """What each element of `a` lies above the mean, over the degrees of freedom of the variance; 0 where it is left out."""
    a = as_array(a)
    ddof = ddof if correction is None else correction
    chosen = np.broadcast_to(beside(as_array(where), a), a.shape)
    count = np.sum(chosen, axis=axis, keepdims=True)
    if mean is None:
        mean = np.sum(a if where is True else np.where(chosen, a, 0), axis=axis, keepdims=True) / count
    with np.errstate(divide='ignore', invalid='ignore'):
        return cast(np.where(chosen, a - mean, 0) / np.maximum(count - ddof, 0), a)


@for_real_numbers
def deviations(a, axis=None, ddof=0, where=True, mean=None, correction=None):
    """As `deviations_of`, of real numbers."""
    return deviations_of(a, axis, ddof, where, mean, correction)


# Lanes: the axes of a reduction, moved to the end and joined into one

def _axes(a, axis):
    return tuple(range(np.ndim(a))) if axis is None else (axis,) if np.ndim(axis) == 0 else tuple(axis)


def _lanes(a, axis):
    """(`a` as rows, one for each lane; the function that brings rows back into the shape of `a`)."""
    a = as_array(a)
    axes = _axes(a, axis)
    back = list(range(-len(axes), 0))
    moved = np.moveaxis(a, axes, back)
    lead = moved.ndim - len(axes)
    rows = moved.reshape(moved.shape[:lead] + (math.prod(moved.shape[lead:]),))
    return rows, lambda found: np.moveaxis(np.reshape(found, moved.shape), back, axes)


def _reduced(d, a, axis, keepdims, lead):
    """The array `d` of the results of a reduction, `lead` further axes in front, without the axes that were kept."""
    return np.squeeze(d, tuple(lead + k % np.ndim(a) for k in _axes(a, axis))) if keepdims else as_array(d)


# Running extrema

def _record_places(array, y, axis):
    """Along the axis, the index at which each running extremum was reached."""
    size = np.shape(array)[axis]
    steps = np.reshape(counted(size, array), [-1 if k == axis % np.ndim(array) else 1 for k in range(np.ndim(array))])
    new = np.equal(array, y)
    first = np.take(new, [0], axis) | True
    changed = np.concatenate([first, np.diff(y, axis=axis) != 0], axis)
    return np.maximum.accumulate(np.where(new & changed, steps, 0), axis)


def unrecord(d, array, y, axis=0):
    """The gradient of `array`, from that of `y = numpy.maximum.accumulate(array, axis)`: the first of equals has it."""
    places = _record_places(array, y, axis)
    out = np.zeros(np.shape(array), gradient_dtype(array), like=peer(array))
    grid = open_grid(np.shape(array), array)
    grid[axis] = places
    np.add.at(out, tuple(grid), d)
    return out


def push_record(da, array, y, axis=0):
    """The tangent of `y = numpy.maximum.accumulate(array, axis)`."""
    return np.take_along_axis(da, _record_places(array, y, axis), axis)


# Histograms

def binned(weights, k, n):
    """The sums of the weights whose numbers are 0, 1 ... n - 1."""
    found = np.zeros(n, np.result_type(weights, float), like=peer(weights))
    np.add.at(found, k, np.ravel(weights))
    return found
