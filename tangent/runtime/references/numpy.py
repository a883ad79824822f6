"""Functions of NumPy's in terms of others, through which they are differentiated; see `table`.

Those that call functions of the user's, and those whose formulas are shorter than their derivatives. Calls are differentiated
through what `pruned` makes of these: with what is decided by arguments that are not given, or by flags, decided.
"""
from __future__ import annotations

import types

import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.array_api import as_array, beside, counted, is_array, peer
from tangent.runtime.functions.statistics import binned


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    moved = np.moveaxis(as_array(arr), axis, -1)
    rows = np.reshape(moved, (-1, moved.shape[-1]))
    found = []
    for k in range(len(rows)):
        found.append(func1d(rows[k], *args, **kwargs))
    whole = np.stack(found)
    inner = np.shape(whole)[1:]
    whole = np.reshape(whole, moved.shape[:-1] + inner)
    at = axis % np.ndim(arr)
    first = np.ndim(arr) - 1
    order = list(range(at)) + list(range(first, first + len(inner))) + list(range(at, first))
    return np.transpose(whole, order)


def apply_over_axes(func, a, axes):
    whole = as_array(a)
    rank = np.ndim(a)
    for axis in list(np.atleast_1d(axes)):
        found = func(whole, int(axis) % rank)
        whole = found if np.ndim(found) == rank else np.expand_dims(found, int(axis) % rank)
    return whole


def piecewise(x, condlist, funclist, *args, **kw):
    x = as_array(x)
    conditions = [np.broadcast_to(as_array(c, bool), x.shape) for c in places(condlist, x)]
    if len(funclist) == len(conditions) + 1:
        conditions = conditions + [~np.any(np.stack(conditions), axis=0)]
    whole = np.zeros_like(x)
    for k in range(len(conditions)):
        f = funclist[k]
        value = f(x, *args, **kw) if callable(f) else f
        whole = np.where(conditions[k], value, whole)
    return whole


def places(condlist, x):
    """The conditions of `numpy.piecewise` as a list."""
    alone = np.isscalar(condlist) or not (isinstance(condlist[0], list) or is_array(condlist[0])) and x.ndim != 0
    return [condlist] if alone else list(condlist)


def kaiser(M, beta):
    if M == 1:
        return np.ones(1)
    middle = (M - 1) / 2.0
    inside = 1 - ((np.arange(M) - middle) / middle) ** 2.0
    return np.i0(beta * np.sqrt(inside)) / np.i0(beta)


# Quantiles: between two neighbours in order

def quantile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, weights=None):
    if axis is None and weights is None:
        values = np.ravel(a)
        last = len(values) - 1
        found = between(values, np.multiply(q, last) if method == 'linear' else level(q, last, method), last)
        return np.reshape(found, np.shape(q) + (1,) * np.ndim(a)) if keepdims else found
    rows = rows_of(a, axis)
    if weights is None:
        last = rows.shape[-1] - 1
        q_row = np.ravel(q)
        found = between_rows(rows, np.multiply(q_row, last) if method == 'linear' else level(q_row, last, method), last)
    else:
        found = np.take_along_axis(rows, weighted_places(a, q, axis, weights), -1)
    return np.reshape(np.moveaxis(found, -1, 0), reduced_shape(a, q, axis, keepdims))[()]


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, weights=None):
    if axis is None and weights is None:
        values = np.ravel(a)
        last = np.sum(~np.isnan(values)) - 1
        found = between(values, np.multiply(q, last) if method == 'linear' else level(q, last, method), last)
        return np.reshape(found, np.shape(q) + (1,) * np.ndim(a)) if keepdims else found
    rows = rows_of(a, axis)
    if weights is None:
        last = np.sum(~np.isnan(rows), axis=-1, keepdims=True) - 1
        q_row = np.ravel(q)
        found = between_rows(rows, np.multiply(q_row, last) if method == 'linear' else level(q_row, last, method), last)
    else:
        found = np.take_along_axis(rows, weighted_places(a, q, axis, weights), -1)
    return np.reshape(np.moveaxis(found, -1, 0), reduced_shape(a, q, axis, keepdims))[()]


def percentile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, weights=None):
    return quantile(a, np.divide(q, 100), axis, None, False, method, keepdims, weights)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, weights=None):
    return nanquantile(a, np.divide(q, 100), axis, None, False, method, keepdims, weights)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    return nanquantile(a, 0.5, axis, None, False, 'linear', keepdims, None)


def rows_of(a, axis):
    """The lanes of a reduction as rows; for no axis there is one."""
    axes = axes_of(a, axis)
    moved = np.moveaxis(as_array(a), axes, tuple(range(-len(axes), 0)))
    return np.reshape(moved, moved.shape[:moved.ndim - len(axes)] + (-1,))


def between(values, at, last):
    """What stands at a place between the values in order; the last of them has the number `last`, and nan comes behind."""
    order = np.argsort(values, kind='mergesort')
    low = whole(at, last, values[order[last]])
    lower = np.take(values, order[low])
    return lower + (np.take(values, order[np.minimum(low + 1, last)]) - lower) * (at - low)


def between_rows(rows, at, last):
    """As `between`, for each of several rows."""
    order = np.argsort(rows, kind='mergesort')
    ends = np.broadcast_to(last, rows.shape[:-1] + (1,))
    low = whole(at, ends, np.take_along_axis(rows, np.take_along_axis(order, ends, -1), -1))
    lower = np.take_along_axis(rows, np.take_along_axis(order, low, -1), -1)
    upper = np.take_along_axis(rows, np.take_along_axis(order, np.minimum(low + 1, ends), -1), -1)
    return lower + (upper - lower) * (at - low)


# method -> how the place of a level q among n values is made: (n + first) * q + second
LEVELS = {'hazen': (0, -0.5), 'weibull': (1, -1), 'median_unbiased': (1 / 3, -2 / 3), 'normal_unbiased': (1 / 4, -5 / 8),
          'interpolated_inverted_cdf': (0, -1)}


def level(q, last, method):
    """The place among values in order that belongs to a level, by another method than the usual one."""
    if method in LEVELS:
        return np.clip(np.multiply(q, last + 1 + LEVELS[method][0]) + LEVELS[method][1], 0, last)
    return steps(q, last, method)


# What no derivative flows through

def axes_of(a, axis):
    return tuple(range(np.ndim(a))) if axis is None else (axis,) if np.ndim(axis) == 0 else tuple(axis)


def whole(at, last, greatest):
    """The number of the lower neighbour of a place; the last one, where the greatest value is nan."""
    low = np.clip(np.floor(at).astype(int), 0, np.maximum(last - 1, 0))
    return np.where(np.isnan(greatest), last, low)[()]


def steps(q, last, method):
    """The place that belongs to a level, by a method that changes it in steps."""
    q, last = np.broadcast_arrays(q, last)
    found = np.zeros(q.shape)
    for n in np.unique(last):
        found[last == n] = np.quantile(np.arange(n + 1.0), q[last == n], method=method)
    return found[()]


def weighted_places(a, q, axis, weights):
    """Which element of each row is its quantile with weights."""
    found = np.quantile(a, np.ravel(q), axis=axis, weights=weights, method='inverted_cdf')
    return np.argmax(np.expand_dims(rows_of(a, axis), -2) == np.expand_dims(np.moveaxis(found, 0, -1), -1), -1)


def reduced_shape(a, q, axis, keepdims):
    axes = [k % np.ndim(a) for k in axes_of(a, axis)]
    return np.shape(q) + tuple(1 if k in axes else n for k, n in enumerate(np.shape(a)) if keepdims or k not in axes)


# Means, covariances, areas

def average(a, axis=None, weights=None, returned=False, keepdims=False):
    if returned:
        raise ArgumentError('numpy.average: returned=True has no derivative rule')
    w = weights if axis is None else spread_weights(weights, a, axis)
    return np.sum(np.multiply(a, w), axis=axis, keepdims=keepdims) / np.sum(w, axis=axis, keepdims=keepdims)


def spread_weights(weights, a, axis):
    """The weights along some axes, in the rank of `a`."""
    if np.shape(weights) == np.shape(a):
        return as_array(weights)
    axes = [k % np.ndim(a) for k in axes_of(a, axis)]
    order = np.argsort(axes)
    shape = [n if k in axes else 1 for k, n in enumerate(np.shape(a))]
    return np.broadcast_to(np.reshape(np.transpose(weights, order), shape), np.shape(a))


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None):
    c = covariances(m, y, rowvar, bias, ddof, fweights, aweights)
    return np.reshape(c, matrix_shape(c))


def corrcoef(x, y=None, rowvar=True):
    c = covariances(x, y, rowvar, False, None, None, None)
    scale = np.sqrt(np.real(np.diag(c)))
    return np.reshape(c / np.outer(scale, scale), matrix_shape(c))


def covariances(m, y, rowvar, bias, ddof, fweights, aweights):
    x = variables(m, y, rowvar)
    free = (0 if bias else 1) if ddof is None else ddof
    if fweights is None and aweights is None:
        x = x - np.sum(x, 1).reshape(-1, 1) / x.shape[1]
        return np.dot(x, np.conj(x).T) / max(x.shape[1] - free, 0)
    w = np.ones(x.shape[1]) if fweights is None else as_array(fweights, float)
    if aweights is None:
        rest = np.sum(w) - free
    else:
        w = w * aweights
        rest = np.sum(w) - free * np.sum(w * aweights) / np.sum(w)
    x = x - np.reshape(np.sum(x * w, 1) / np.sum(w), (-1, 1))
    return np.dot(x * w, np.conj(x).T) / np.maximum(rest, 0)


def variables(m, y, rowvar):
    """Observations of which each row is a variable."""
    if y is None:
        return as_rows(np.atleast_2d(m), rowvar)
    return np.concatenate((as_rows(np.atleast_2d(m), rowvar), as_rows(np.atleast_2d(y), rowvar)))


def as_rows(x, rowvar):
    return x if rowvar else np.copy(x.T) if len(x) != 1 else x


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.moveaxis(as_array(y), axis, -1)
    heights = (y[..., 1:] + y[..., :-1]) / 2
    areas = heights * (dx if x is None else np.diff(np.moveaxis(as_array(x), axis if np.ndim(x) > 1 else 0, -1)))
    return np.dot(areas, np.ones(areas.shape[-1], areas.dtype))


def interp(x, xp, fp, left=None, right=None, period=None):
    x, xp, fp = beside(as_array(x), xp, fp), beside(as_array(xp), x, fp), beside(as_array(fp), x, xp)
    if period is not None:
        order = np.argsort(xp % np.abs(period))
        turned = (xp % np.abs(period))[order]
        turned = np.concatenate((turned[-1:] - np.abs(period), turned, turned[:1] + np.abs(period)))
        return on_line(x % np.abs(period), turned, fp[np.concatenate((order[-1:], order, order[:1]))])
    found = on_line(x, xp, fp)
    if left is not None:
        found = np.where(x < xp[0], left, found)
    if right is not None:
        found = np.where(x > xp[-1], right, found)
    return found


def on_line(x, xp, fp):
    """What stands at x on the line through points; at a node the piece to its right counts, outside no piece."""
    k = piece(x, xp)
    outside = (x < xp[0]) | (x >= xp[-1])
    width = np.where(outside, 1.0, np.take(xp, k + 1) - np.take(xp, k))
    share = np.where(outside, x >= xp[-1], (x - np.take(xp, k)) / width)
    return np.take(fp, k) + (np.take(fp, k + 1) - np.take(fp, k)) * share


def piece(x, xp):
    """The number of the piece of a line through points."""
    return np.clip(np.searchsorted(xp, x, side='right') - 1, 0, len(xp) - 2)


def matrix_shape(c):
    """The shape in which covariances come: that of a number where there is one variable."""
    return c.shape if len(c) != 1 else ()


# Places, padding, differences

def partition(a, kth, axis=-1, kind='introselect', order=None):
    if axis is None:
        return partition(np.ravel(a), kth, 0, kind, order)
    return np.take_along_axis(as_array(a), parted(a, kth, axis), axis)


def parted(a, kth, axis):
    """The permutation with which `numpy.partition` does its work."""
    order, found = np.argsort(a, axis=axis, kind='stable'), np.partition(a, kth, axis)
    ranks = np.argsort(np.argsort(found, axis=axis, kind='stable'), axis=axis, kind='stable')
    return np.take_along_axis(order, ranks, axis)


def histogram(a, bins=10, range=None, density=None, weights=None):
    k, edges = bins_of(a, bins, range)
    counts = binned(weights, k, len(edges))[1:]
    if density:
        counts = counts / np.diff(edges) / np.sum(counts)
    return counts, edges


def bins_of(a, bins, range):
    """(one more than the number of the bin of each element, 0 outside; the edges)."""
    edges, a = np.histogram_bin_edges(a, bins, range), np.ravel(a)
    k = np.where(a == edges[-1], len(edges) - 1, np.searchsorted(edges, a, side='right'))
    return np.where((a >= edges[0]) & (a <= edges[-1]), k, 0), edges


def diff(a, n=1, axis=-1, prepend=None, append=None):
    whole = as_array(a)
    if prepend is not None:
        whole = np.concatenate((strip(prepend, whole, axis), whole), axis)
    if append is not None:
        whole = np.concatenate((whole, strip(append, whole, axis)), axis)
    return np.diff(whole, n, axis)


def strip(v, like, axis):
    """What is joined to an array: a number becomes a strip of width 1."""
    return as_array(v) if np.ndim(v) else np.broadcast_to(v, np.shape(np.take(like, [0], axis)))


def ediff1d(ary, to_end=None, to_begin=None):
    found = np.diff(np.ravel(ary))
    if to_begin is not None:
        found = np.concatenate((np.ravel(to_begin), found))
    if to_end is not None:
        found = np.concatenate((found, np.ravel(to_end)))
    return found


def pad(array, pad_width, mode='constant', constant_values=None, end_values=0, stat_length=None, reflect_type='even'):
    array = as_array(array)
    if mode == 'constant' and constant_values is None:
        return np.pad(array, pad_width)
    if mode in ('edge', 'reflect', 'symmetric', 'wrap') and reflect_type == 'even':
        return np.take(array, np.pad(np.reshape(counted(array.size, array), array.shape), pad_width, mode))
    widths = pairs(pad_width, array.ndim)
    lengths = pairs(stat_length, array.ndim) if stat_length is not None else [(None, None)] * array.ndim
    for axis in range(array.ndim):
        before, after = int(widths[axis][0]), int(widths[axis][1])
        if mode in ('reflect', 'symmetric'):
            matrix = np.pad(np.eye(array.shape[axis], like=peer(array)), ((before, after), (0, 0)), mode, reflect_type='odd')
            array = np.moveaxis(np.tensordot(matrix, array, (1, axis)), 0, axis)
            continue
        if mode == 'constant':
            low, high = pair(constant_values, array.ndim, axis)
            parts = filled(low, array, before, axis), array, filled(high, array, after, axis)
        elif mode == 'linear_ramp':
            low, high = pair(end_values, array.ndim, axis)
            parts = (ramp(low, np.take(array, [0], axis), before, axis), array,
                     np.flip(ramp(high, np.take(array, [-1], axis), after, axis), axis))
        else:
            low, high = read_by(array, axis, lengths[axis])
            parts = (np.repeat(statistic(mode, np.take(array, low, axis), axis), before, axis), array,
                     np.repeat(statistic(mode, np.take(array, high, axis), axis), after, axis))
        array = np.concatenate(parts, axis)
    return array


def pair(value, rank, axis):
    """What an argument of `numpy.pad` says of the two ends of an axis."""
    if isinstance(value, dict):
        found = value[axis] if axis in value else value[axis - rank] if axis - rank in value else 0
        return np.broadcast_to(as_array(found), (2,))
    return np.broadcast_to(as_array(value), (rank, 2))[axis]


def filled(value, array, width, axis):
    return np.broadcast_to(value, strip_shape(array, width, axis))


def strip_shape(array, width, axis):
    return tuple(width if k == axis else n for k, n in enumerate(np.shape(array)))


def ramp(end, edge, width, axis):
    """Numbers that run from the end to the edge, which is not reached."""
    share = np.reshape(counted(width, edge) / max(width, 1), [-1 if k == axis else 1 for k in range(np.ndim(edge))])
    return end * (1 - share) + edge * share


def read_by(array, axis, lengths):
    """Which elements along the axis the strips before and after it are made of."""
    size = array.shape[axis]
    first, last = (size if n is None else min(int(n), size) for n in lengths)
    return counted(first, array), counted(size, array)[size - last:]


def statistic(mode, part, axis):
    if mode == 'maximum':
        return np.max(part, axis=axis, keepdims=True)
    if mode == 'minimum':
        return np.min(part, axis=axis, keepdims=True)
    if mode == 'mean':
        return np.mean(part, axis=axis, keepdims=True)
    if mode == 'median':
        return np.median(part, axis=axis, keepdims=True)
    raise ArgumentError(f'numpy.pad: mode {mode!r} has no derivative rule; those that have one are {", ".join(MODES)}')


MODES = ('constant', 'edge', 'reflect', 'symmetric', 'wrap', 'linear_ramp', 'maximum', 'minimum', 'mean', 'median')


def pairs(value, rank):
    """`((before, after), ...)` for each axis, as `numpy.pad` reads its arguments."""
    if isinstance(value, dict):
        return [tuple(np.broadcast_to(value.get(k, value.get(k - rank, 0)), 2)) for k in range(rank)]
    return [(found[0], found[1]) for found in np.broadcast_to(as_array(value), (rank, 2))]


TABLE = {getattr(np, f.__name__): f for f in (
    apply_along_axis, apply_over_axes, piecewise, kaiser, quantile, nanquantile, percentile, nanpercentile, nanmedian, cov,
    corrcoef, interp, partition, histogram)}
TABLE |= {getattr(np, name): trapezoid for name in ('trapezoid', 'trapz') if hasattr(np, name)}
KEYED = {np.average: (average, {'weights'}), np.diff: (diff, {'prepend', 'append'}),
         np.ediff1d: (ediff1d, {'to_end', 'to_begin'}),
         np.pad: (pad, {'mode', 'constant_values', 'end_values', 'stat_length', 'reflect_type'})}
FUNCTIONS = frozenset(f for f in list(globals().values()) if isinstance(f, types.FunctionType) and f.__module__ == __name__)
