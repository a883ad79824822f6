"""Run-time functions for rules about functions that pick, place, join and difference elements.

Many of them move elements and do nothing else. Applied to the numbers of the elements they tell where each went.
"""
import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.array_api import (
    add_into,
    as_array,
    beside,
    chunks,
    counted,
    is_array,
    is_chunked,
    peer,
    refuse_chunks,
    size_of,
)
from tangent.runtime.broadcast import cast, gradient_dtype, results_like, unbroadcast
from tangent.runtime.functions.elementwise import own, unarray, undiff


def numbered(x, start=0):
    """The numbers of the elements of `x`, in its shape, counted from `start`."""
    return np.arange(start, start + np.size(x), like=peer(x)).reshape(np.shape(x))


def gathered(d, places, x):
    """The gradient of `x`, from that of a result whose elements are the elements of `x` number `places` (-1: none)."""
    out = np.zeros(np.size(x), gradient_dtype(x) if gradient_dtype(x) is not None else np.result_type(d), like=peer(d))
    places, d = np.ravel(places), np.ravel(d)
    found = places >= 0
    add_into(out, places[found], cast(d[found], out))
    return cast(np.reshape(out, np.shape(x))[()], x)


def unwindow(d, x, window_shape, axis=None):
    """The gradient of `x`, from that of `sliding_window_view(x, window_shape, axis)`: each place in a window is a slice."""
    rank = np.ndim(x)
    axes = range(rank) if axis is None else [k % rank for k in np.ravel(axis)]
    out = np.zeros(np.shape(x), d.dtype, like=peer(d))
    for place in np.ndindex(*np.ravel(window_shape)):
        start = [sum(p for k, p in zip(axes, place) if k == n) for n in range(rank)]
        out[tuple(slice(s, s + n) for s, n in zip(start, np.shape(d)))] += d[(..., *place)]
    return cast(out, x)


def strided_places(x, shape=None, strides=None):
    """The numbers of the elements of `x` that stand in `as_strided(x, shape, strides)`, by their addresses.

    Raises
    ------
    ArgumentError
        If that reads memory between the elements of `x`, or beyond them.
    """
    def addresses(shape, strides):
        steps = [np.arange(n) * step for n, step in zip(shape, strides)]
        return sum(np.ix_(*steps), np.zeros(shape, int))

    owned = addresses(x.shape, x.strides).ravel()
    read = addresses(x.shape if shape is None else tuple(np.ravel(shape)), x.strides if strides is None else strides)
    order = np.argsort(owned, kind='stable')
    places = order[np.searchsorted(owned, read, sorter=order).clip(0, max(len(owned) - 1, 0))] if len(owned) else read
    if len(owned) < 1 <= read.size or not np.array_equal(owned[places], read):
        raise ArgumentError('as_strided reads memory that is no element of its argument, which has no derivative: give it the '
                            'array that the memory belongs to, or use numpy.lib.stride_tricks.sliding_window_view')
    return places


def unstrided(d, x, shape=None, strides=None):
    """The gradient of `x`, from that of `as_strided(x, shape, strides)`."""
    return gathered(d, strided_places(x, shape, strides), x)


def push_strided(dx, x, shape=None, strides=None):
    """The tangent of `as_strided(x, shape, strides)`; a view of `dx` where that has the strides of `x`."""
    places = strided_places(x, shape, strides)
    if np.shape(dx) == np.shape(x) and dx.strides == x.strides:
        return np.lib.stride_tricks.as_strided(dx, shape, strides)
    found = np.ravel(dx)[places]
    found.flags.writeable = False                  # what is written into it would not be in `dx`
    return found


def _of(places, start, x):
    """Places among those of `x`, whose elements are counted from `start`."""
    inside = (places >= start) & (places < start + np.size(x))
    return np.where(inside, places - start, -1)


def uninsert(d, arr, obj, values, axis=None):
    """The gradients of `arr` and `values`, from that of `numpy.insert(arr, obj, values, axis)`."""
    if is_chunked(d):
        return chunks().uninsert(d, arr, obj, values, axis)
    places = np.insert(numbered(arr), obj, numbered(values, np.size(arr)), axis)
    return gathered(d, _of(places, 0, arr), arr), gathered(d, _of(places, np.size(arr), values), values)


def unblock(d, arrays):
    """The gradients of the arrays of `numpy.block(arrays)`, nested as they are."""
    if is_chunked(d):
        return chunks().unblock(d, arrays)
    count = [0]

    def number(a):
        if isinstance(a, list):
            return [number(v) for v in a]
        count[0] += np.size(a)
        return numbered(a, count[0] - np.size(a))

    def back(a, numbers):
        if isinstance(a, list):
            return [back(*pair) for pair in zip(a, numbers)]
        start = int(np.min(numbers)) if np.size(a) else 0
        return gathered(d, _of(places, start, a), a)
    numbers = number(arrays)
    places = np.block(numbers)
    return back(arrays, numbers)


def unchoose(d, a, choices, k, mode='raise'):
    """The gradient of choice number `k`, from that of `numpy.choose(a, choices, mode=mode)`."""
    refuse_chunks('numpy.choose', 'use numpy.where', a, d)
    chosen = np.choose(beside(as_array(a), d), counted(len(choices), d), mode=mode)
    return unbroadcast(np.where(chosen == k, d, 0), choices[k])


def unchoices(d, a, choices, mode='raise'):
    """The gradients of all choices; see `unchoose`."""
    if is_array(choices):
        return np.stack([unchoose(d, a, choices, k, mode) for k in range(len(choices))])
    return [unchoose(d, a, choices, k, mode) for k in range(len(choices))]


def untake_folded(d, a, indices, axis, mode):
    """The gradient of `a`, from that of `numpy.take(a, indices, axis, mode=mode)`."""
    return gathered(d, np.take(numbered(a), indices, axis, mode=mode), a)


def partition_order(a, y, axis=-1):
    """The permutation that makes `y = numpy.partition(a, ..., axis)` of `a`, for `take_along_axis`."""
    order = np.argsort(a, axis=axis, kind='stable')
    ranks = np.argsort(np.argsort(y, axis=axis, kind='stable'), axis=axis, kind='stable')
    return np.take_along_axis(order, ranks, axis)


def first_places(a, axis=None):
    """Where in the flat array (or along the axis) each of the values of `numpy.unique(a, axis=axis)` comes first."""
    refuse_chunks('numpy.unique', 'its size is not known before it is computed', a)
    return np.unique(a, return_index=True, axis=axis)[1]


def places_of(a, values):
    """Where in the flat array each of the values comes first; all of them are there."""
    flat = np.ravel(a)
    order = np.argsort(flat, kind='stable')
    return order[np.searchsorted(flat, values, sorter=order)]


def zero_or(d, a):
    """The gradient `d` of `a`, zeros where there is none."""
    return np.zeros(np.shape(a), like=peer(a)) if d is None else d


def first_part(d):
    """The gradient of the first result of several, or of the only one."""
    return d[0] if isinstance(d, (list, tuple)) else d


def with_first_part(y, dy):
    """The tangent of results of which only the first has one: `y` may be a tuple, whose others are indices."""
    if not isinstance(y, tuple):
        return dy
    return results_like(y, dy, *(np.zeros(np.shape(v), like=peer(v)) for v in y[1:]))


def _drawn(a, b, y):
    """(places of the results in the flat arrays `a` and `b` one after the other; what comes first counts)."""
    return places_of(np.concatenate([np.ravel(a), np.ravel(b)]), y[0] if isinstance(y, tuple) else y)


def unsets(d, a, b, y):
    """The gradients of `a` and `b`, from that of the sorted array `y` of some of their elements."""
    whole = np.zeros(np.size(a) + np.size(b), np.result_type(d, 0.0), like=peer(d))
    add_into(whole, _drawn(a, b, y), d)
    first, second = whole[:np.size(a)].copy(), whole[np.size(a):].copy()
    return cast(np.reshape(first, np.shape(a)), a), cast(np.reshape(second, np.shape(b)), b)


def push_sets(da, db, a, b, y):
    """The tangent of the sorted array `y` of some of the elements of `a` and `b`."""
    moved = np.concatenate([np.ravel(np.broadcast_to(da, np.shape(a))), np.ravel(np.broadcast_to(db, np.shape(b)))])
    return with_first_part(y, moved[_drawn(a, b, y)])


def kept_places(a, trim='fb', axis=None):
    """The numbers of the elements of `a` that `numpy.trim_zeros(a, trim, axis)` keeps."""
    return numbered(a)[kept_slices(a, trim, axis)]


def push_trimmed(da, a, trim='fb', axis=None):
    """The tangent of what it keeps: a part of the array itself, as the value is."""
    return da[kept_slices(a, trim, axis)] if is_array(da) else np.take(da, kept_places(a, trim, axis))


def kept_slices(a, trim, axis):
    there, trim = np.nonzero(a), trim.lower()
    kept = [slice(None)] * np.ndim(a)
    for k in range(np.ndim(a)) if axis is None else [k % np.ndim(a) for k in np.atleast_1d(axis)]:
        start, stop = (int(np.min(there[k])), int(np.max(there[k])) + 1) if there[k].size else (0, 0)
        kept[k] = slice(start if 'f' in trim or not stop else None, stop if 'b' in trim or not stop else None)
    return tuple(kept)


def moved_back(d, x):
    """The gradient of `x`, from that of a copy of it that is an array of another library: back where `x` is."""
    if peer(d) is not None and peer(x) is None:
        d = d.get() if hasattr(d, 'get') else np.asarray(d)
    return unarray(beside(d, x), x)


# Differences

def undiff_joined(d, a, n, axis, prepend, append):
    """The gradients of `a`, `prepend` and `append`, from that of `numpy.diff(a, n, axis, prepend, append)`."""
    shape = np.shape(a)
    parts = [_strip(v, shape, axis, a) if v is not None else None for v in (prepend, a, append)]
    sizes = [0 if p is None else p.shape[axis] for p in parts]
    whole = undiff(d, np.concatenate([p for p in parts if p is not None], axis), n, axis)
    ends = np.cumsum([0, *sizes]).tolist()
    pieces = [whole[(slice(None),) * (axis % np.ndim(whole)) + (slice(*pair),)] for pair in zip(ends, ends[1:])]
    found = [None if v is None else own(unbroadcast(piece, v), d) for piece, v in zip(pieces, (prepend, a, append))]
    return found[1], found[0], found[2]


def _strip(v, shape, axis, like):
    """What `numpy.diff` joins to an array of this shape: a number becomes a strip of width 1."""
    v = beside(as_array(v), like)
    if v.ndim == 0:
        v = np.broadcast_to(v, [1 if k == axis % len(shape) else n for k, n in enumerate(shape)])
    return v


def push_diff(da, dprepend, dappend, a, prepend, append, n, axis):
    """The tangent of `numpy.diff(a, n, axis, prepend, append)`."""
    ends = {name: np.broadcast_to(beside(as_array(dv), a), np.shape(v)) for name, v, dv in
            (('prepend', prepend, dprepend), ('append', append, dappend)) if v is not None}
    return np.diff(da, n, axis, **ends)


def rediff(parts, a, n, axis, prepend, append):
    """The gradient of `d`, from those of the results of `undiff_joined(d, a, n, axis, prepend, append)`."""
    da, dprepend, dappend = (0.0 if part is None else part for part in parts)
    return push_diff(np.broadcast_to(da, np.shape(a)), dprepend, dappend, a, prepend, append, n, axis)


def unediff(d, ary, to_end, to_begin):
    """The gradients of the arguments of `numpy.ediff1d(ary, to_end, to_begin)`."""
    first = 0 if to_begin is None else size_of(to_begin)
    middle = max(size_of(ary) - 1, 0)
    ends = [None if v is None else own(cast(np.reshape(part, np.shape(v)), v), d)
            for v, part in ((to_end, d[first + middle:]), (to_begin, d[:first]))]
    return own(cast(np.reshape(undiff(d[first:first + middle], np.ravel(ary)), np.shape(ary)), ary), d), *ends


def push_ediff(dary, dend, dbegin, to_end, to_begin):
    """The tangent of `numpy.ediff1d(ary, to_end, to_begin)`."""
    end, begin = (None if v is None else np.broadcast_to(beside(as_array(dv), dary), np.shape(v))
                  for v, dv in ((to_end, dend), (to_begin, dbegin)))
    return np.ediff1d(dary, end, begin)


def _steps_of(f, varargs, axis):
    """(axes, spacing along each) of `numpy.gradient(f, *varargs, axis=axis)`."""
    axes = range(np.ndim(f)) if axis is None else [axis] if np.ndim(axis) == 0 else axis
    axes = [k % np.ndim(f) for k in axes]
    return axes, list(varargs) * (len(axes) if len(varargs) == 1 else 1) or [1.0] * len(axes)


def ungradient(d, f, varargs, axis=None, edge_order=1):
    """The gradient of `f`, from that of `numpy.gradient(f, *varargs, axis=axis, edge_order=edge_order)`."""
    axes, spacings = _steps_of(f, varargs, axis)
    parts = list(d) if isinstance(d, (list, tuple)) else [d]
    total = sum(_ungradient(as_array(part), k, h, edge_order) for part, k, h in zip(parts, axes, spacings))
    return cast(total, f)


def _ungradient(d, axis, spacing, edge_order):
    """The adjoint of differences along one axis: each reads three neighbours, told apart by their numbers modulo 3."""
    if is_chunked(d):
        return chunks().ungradient(d, axis, spacing, edge_order)
    size = d.shape[axis]
    spacing, steps = beside(as_array(spacing, float), d) if np.ndim(spacing) else spacing, counted(size, d)
    first = np.clip(steps - 1, 0, max(size - 3, 0))
    moved = np.moveaxis(d, axis, 0)
    out = np.zeros_like(moved)
    for r in range(3):
        mask = (steps % 3 == r).astype(float)
        coefficient = np.gradient(mask, spacing, edge_order=edge_order)
        column = np.minimum(first + (r - first) % 3, size - 1)
        add_into(out, column, moved * np.reshape(coefficient, (-1,) + (1,) * (d.ndim - 1)))
    return np.moveaxis(out, 0, axis)


def gradient_of(df, varargs, axis=None, edge_order=1):
    """The tangent of `numpy.gradient(f, *varargs, axis=axis, edge_order=edge_order)`."""
    return np.gradient(df, *varargs, axis=axis, edge_order=edge_order)


# Running sums that begin with the neutral element

def without_first(d, axis=None, include_initial=False):
    """`d` without its first element along the axis, where that is the neutral one."""
    return np.delete(d, 0, 0 if axis is None else axis) if include_initial else d


def with_first(t, axis=None, include_initial=False):
    """`t` with a zero put before it along the axis."""
    at = 0 if axis is None else axis % np.ndim(t)
    return np.pad(t, [(int(k == at), 0) for k in range(np.ndim(t))]) if include_initial else t
