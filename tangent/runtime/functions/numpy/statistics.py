"""Run-time functions for rules about moments, quantiles, running extrema and histograms."""
import math

import numpy as np

from tangent.runtime.array_api import (
    add_into,
    as_array,
    beside,
    chunks,
    counted,
    filled,
    is_chunked,
    open_grid,
    peer,
    refuse_chunks,
)
from tangent.runtime.broadcast import cast, gradient_dtype
from tangent.runtime.functions.elementwise import ties
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


# Quantiles

SLOPES = {'linear': -1, 'hazen': 0, 'weibull': 1, 'median_unbiased': 1 / 3, 'normal_unbiased': 1 / 4,
          'interpolated_inverted_cdf': 0}      # method -> how much longer than the lane the range of the index is


def _neighbours(rows, q, nan, method):
    """The order of each row, and the index of the lower neighbour and the share of the upper one (q's axes first)."""
    order = np.argsort(rows, axis=-1, kind='stable')
    counts = np.sum(~np.isnan(rows), axis=-1) if nan else filled(rows.shape[:-1], rows.shape[-1], like=peer(rows))
    q = beside(as_array(q, float), rows)
    at = np.zeros(q.shape + counts.shape, like=peer(rows))
    for n in np.unique(counts):
        place = np.quantile(counted(float(n), rows), q, method=method) if n else np.zeros(q.shape, like=peer(rows))
        at[..., counts == n] = np.reshape(place, q.shape + (1,))
    lower = np.minimum(np.floor(at).astype(int), np.maximum(counts - 2, 0))
    return order, lower, np.clip(at - lower, 0, 1), counts


def _weights(rows, q, nan, method):
    """(indices into the rows, weights) of the two elements of which each quantile is made (q's axes first)."""
    order, lower, share, counts = _neighbours(rows, q, nan, method)
    upper = np.minimum(lower + 1, np.maximum(counts - 1, 0))
    pick = np.stack([np.take_along_axis(np.broadcast_to(order, lower.shape + order.shape[-1:]), k[..., None], -1)[..., 0]
                     for k in (lower, upper)], -1)
    return pick, np.stack([1 - share, share], -1)


def refuse_weighted(a, weights):
    if weights is not None:
        refuse_chunks('a weighted quantile', 'leave out the weights, or compute it of a NumPy array', a)


def unquantile(d, a, q, y, axis, keepdims, nan, method='linear', weights=None):
    """The gradient of `a`, from that of `y = numpy.quantile(a, q, axis, keepdims=keepdims, method=method)`."""
    refuse_weighted(a, weights)
    if is_chunked(a):
        return chunks().unquantile(d, a, q, axis, keepdims, nan, method)
    lead = np.ndim(q)
    rows, back = _lanes(a, axis)
    if not np.size(rows):
        return np.zeros_like(a, dtype=gradient_dtype(a))
    d = _reduced(d, a, axis, keepdims, lead)
    if weights is not None:
        values = _reduced(y, a, axis, keepdims, lead)
        coefficient = ties(np.broadcast_to(rows, np.shape(q) + rows.shape), values, axis=-1)
        return cast(back(np.sum(d[..., None] * coefficient, axis=tuple(range(lead)))), a)
    pick, share = _weights(rows, q, nan, method)
    return cast(back(_scattered(rows, pick, d[..., None] * share, lead)), a)


def _scattered(rows, pick, owed, lead):
    """Rows of zeros with what is owed (`lead` axes in front) added at the places picked."""
    out = np.zeros(rows.shape, np.result_type(owed, gradient_dtype(rows)), like=peer(rows))
    flat_pick, flat = (np.moveaxis(np.reshape(v, (-1,) + v.shape[lead:]), 0, -1).reshape(v.shape[lead:-1] + (-1,))
                       for v in (pick, owed))
    grid = open_grid(rows.shape[:-1], rows)
    add_into(out, (*(g[..., None] for g in grid), flat_pick), flat)
    return out


def unquantile_level(d, a, q, axis, keepdims, nan, method='linear'):
    """The gradient of `q`, from that of `numpy.quantile(a, q, axis, keepdims=keepdims, method=method)`."""
    lead = np.ndim(q)
    slope = _level_slope(a, q, axis, nan, method)
    return cast(np.sum(_reduced(d, a, axis, keepdims, lead) * slope, axis=tuple(range(lead, slope.ndim)))[()], q)


def _level_slope(a, q, axis, nan, method, by=None):
    """How the quantile of each lane changes with the level; the elements are in the order of `by`."""
    values, _ = _lanes(a, axis)
    rows = values if by is None else _lanes(by, axis)[0]
    order, lower, share, counts = _neighbours(rows, q, nan, method)
    pick, _ = _weights(rows, q, nan, method)
    ends = np.take_along_axis(np.broadcast_to(values, lower.shape + rows.shape[-1:]), pick, -1)
    return _level_steps(lower, share, counts, method) * (ends[..., 1] - ends[..., 0])


def _level_steps(lower, share, counts, method):
    """How the share of the upper neighbour changes with the level."""
    if method not in SLOPES:
        return np.zeros_like(share)
    inside = (lower + share > 0) & (lower + share < counts - 1) | (method == 'linear')
    return (counts + SLOPES[method]) * inside


def push_quantile(da, dq, a, q, y, axis, keepdims, nan, method='linear', weights=None):
    """The tangent of `y = numpy.quantile(a, q, axis, keepdims=keepdims, method=method)`."""
    refuse_weighted(a, weights)
    if is_chunked(a):
        if is_chunked(dq) or np.any(dq):
            refuse_chunks('a quantile by its level', 'give levels without a derivative', a)
        return chunks().push_quantile(da, a, q, y, axis=axis, keepdims=keepdims, nan=nan, method=method)
    rows, _ = _lanes(a, axis)
    moved, _ = _lanes(np.broadcast_to(da, np.shape(a)), axis)
    lead = np.ndim(q)
    if not np.size(rows):
        return y * 0.0
    if weights is not None:
        values = _reduced(y, a, axis, keepdims, lead)
        found = np.sum(moved * ties(np.broadcast_to(rows, np.shape(q) + rows.shape), values, axis=-1), axis=-1)
    else:
        pick, share = _weights(rows, q, nan, method)
        found = np.sum(np.take_along_axis(np.broadcast_to(moved, pick.shape[:-1] + moved.shape[-1:]), pick, -1) * share, -1)
        if np.any(dq):
            slope = _level_slope(a, q, axis, nan, method)
            found = found + np.reshape(beside(as_array(dq), slope), np.shape(dq) + (1,) * (slope.ndim - lead)) * slope
    return cast(np.reshape(found, np.shape(y))[()], y)


# Derivatives of these: the slope by the level is linear in the values whose differences it has, in the order of `by`

def push_level(dq, a, q, axis, keepdims, nan, method='linear', by=None):
    """The tangent of `numpy.quantile(by, q, axis, ...)` by its level along `dq`, with the values `a` in place of `by`."""
    slope = _level_slope(a, q, axis, nan, method, by)
    found = np.reshape(beside(as_array(dq), slope), np.shape(dq) + (1,) * (slope.ndim - np.ndim(dq))) * slope
    return np.reshape(found, _reduced_shape(a, q, axis, keepdims))[()]


def level_of_slope(g, da, a, q, axis, keepdims, nan, method='linear'):
    """For each level, the sum of `g` times the slopes that the values `da` have in the order of `a`."""
    lead = np.ndim(q)
    slope = _level_slope(np.broadcast_to(da, np.shape(a)), q, axis, nan, method, a)
    return cast(np.sum(_reduced(g, a, axis, keepdims, lead) * slope, axis=tuple(range(lead, slope.ndim)))[()], q)


def unquantile_turned(g, dq, a, q, y, axis, keepdims, nan, method='linear'):
    """The tangent of `unquantile(g, a, q, ...)` where the level moves by `dq`."""
    lead = np.ndim(q)
    rows, back = _lanes(a, axis)
    order, lower, share, counts = _neighbours(rows, q, nan, method)
    pick, _ = _weights(rows, q, nan, method)
    dq = beside(as_array(dq), lower)
    steps = _level_steps(lower, share, counts, method) * np.reshape(dq, np.shape(dq) + (1,) * (lower.ndim - np.ndim(dq)))
    owed = _reduced(g, a, axis, keepdims, lead) * steps
    return cast(back(_scattered(rows, pick, np.stack([-owed, owed], -1), lead)), a)


def _reduced_shape(a, q, axis, keepdims):
    axes = [k % np.ndim(a) for k in _axes(a, axis)]
    return np.shape(q) + tuple(1 if k in axes else n for k, n in enumerate(np.shape(a)) if keepdims or k not in axes)


# Running extrema

def record_places(array, y, axis=0):
    """Along the axis, the index at which each running extremum `y` was reached: that of the first of equals."""
    size = np.shape(array)[axis]
    steps = np.reshape(counted(size, array), [-1 if k == axis % np.ndim(array) else 1 for k in range(np.ndim(array))])
    new = np.equal(array, y)
    first = np.take(new, [0], axis) | True
    changed = np.concatenate([first, np.diff(y, axis=axis) != 0], axis)
    return np.maximum.accumulate(np.where(new & changed, steps, 0), axis)


# Covariances

def _observations(m, y, rowvar):
    """The variables as rows: of `m`, and of `y` below them."""
    parts = [np.atleast_2d(v) for v in ((m,) if y is None else (m, y))]
    parts = [p if rowvar or p.shape[0] == 1 else p.T for p in parts]
    return np.concatenate(parts, axis=0), parts[0].shape[0]


def _weighting(x, bias, ddof, fweights, aweights):
    """(weight of each observation, what the sum of products is divided by), as `numpy.cov` has it."""
    ddof = (0 if bias else 1) if ddof is None else ddof
    w = filled(x.shape[1], 1.0, like=peer(x)) if fweights is None else beside(as_array(fweights, float), x)
    aweights = aweights if aweights is None else beside(as_array(aweights), x)
    w = w if aweights is None else w * aweights
    total = np.sum(w)
    rest = total - ddof if aweights is None else total - ddof * np.sum(w * aweights) / total
    return w, np.maximum(rest, 0)


def _centred(x, w):
    return x - (np.sum(x * w, axis=1) / np.sum(w))[:, None]


def _like(found, m, rowvar):
    """The part of the gradient that is of `m`."""
    whole = np.atleast_2d(m)
    found = found if rowvar or whole.shape[0] == 1 else found.T
    return cast(np.reshape(found, np.shape(m)), m)


@for_real_numbers
def uncov(d, m, y, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    """The gradients of `m` and `y`, from that of `numpy.cov(m, y, ...)`."""
    x, rows = _observations(m, y, rowvar)
    w, total = _weighting(x, bias, ddof, fweights, aweights)
    x = _centred(x, w)
    d = np.reshape(d, (len(x), len(x)))
    found = (d + dual(d).T) @ dual(x) * w / total
    return _like(found[:rows], m, rowvar), None if y is None else _like(found[rows:], y, rowvar)


@for_real_numbers
def push_cov(dm, dy, m, y, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    """The tangent of `numpy.cov(m, y, ...)`."""
    x, _ = _observations(m, y, rowvar)
    dx, _ = _observations(dm, None if y is None else np.broadcast_to(dy, np.shape(y)), rowvar)
    w, total = _weighting(x, bias, ddof, fweights, aweights)
    half = _centred(dx, w) * w @ dual(_centred(x, w)).T / total
    return np.squeeze(half + dual(half).T)[()]


# Histograms

def _bins(a, edges):
    """The bin of each element, -1 outside."""
    k = np.searchsorted(edges, a, side='right') - 1
    k = np.where(a == edges[-1], len(edges) - 2, k)
    return np.where((a >= edges[0]) & (a <= edges[-1]), k, -1)


def unhistogram(d, a, edges, weights, density=None):
    """The gradient of `weights`, from that of the first result of `numpy.histogram(a, ..., density, weights)`."""
    k = _bins(beside(as_array(a), edges), edges)
    if density:
        counts = np.histogram(a, edges, weights=weights)[0]
        d = d / np.diff(edges) / np.sum(counts) - np.sum(d * counts / np.diff(edges)) / np.sum(counts) ** 2
    return cast(np.where(k >= 0, as_array(d)[k], 0), weights)


def histogram_of(dg, a, edges, weights, density=None):
    """The gradient of `d`, from that of `unhistogram(d, a, edges, weights, density)`."""
    found = np.histogram(a, edges, weights=dg)[0]
    if not density:
        return found
    counts = np.histogram(a, edges, weights=weights)[0]
    total = np.sum(counts)
    return (found - counts * np.sum(found) / total) / np.diff(edges) / total


def unhistogram_turned(dweights, d, a, edges, weights, density=None):
    """The tangent of `unhistogram(d, a, edges, weights, density)` where the weights move."""
    if not density:
        return np.zeros_like(weights)
    d, counts = d / np.diff(edges), np.histogram(a, edges, weights=weights)[0]
    moved, total = np.histogram(a, edges, weights=dweights)[0], np.sum(counts)
    turned = -d * np.sum(moved) / total ** 2 - np.sum(d * moved) / total ** 2 \
        + 2 * np.sum(d * counts) * np.sum(moved) / total ** 3
    k = _bins(beside(as_array(a), edges), edges)
    return cast(np.where(k >= 0, turned[k], 0), weights)


def push_histogram(y, a, dweights, weights, density=None):
    """The tangent of `y = numpy.histogram(a, ..., density, weights)`."""
    edges = y[1]
    moved = np.histogram(a, edges, weights=dweights)[0]
    if density:
        total = np.sum(np.histogram(a, edges, weights=weights)[0])
        moved = moved / np.diff(edges) / total - y[0] * np.sum(moved) / total
    return moved, np.zeros_like(edges)
