"""Run-time functions for the rule of `numpy.pad`, which pads one axis after the other, each as the mode says."""
import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.array_api import as_array, beside, counted, filled, peer, refuse_chunks
from tangent.runtime.broadcast import cast
from tangent.runtime.functions.elementwise import middle, ties, untake

COPIES = ('edge', 'reflect', 'symmetric', 'wrap')
STATISTICS = {'maximum': np.max, 'minimum': np.min, 'mean': np.mean, 'median': np.median}


def _pairs(value, rank):
    """`((before, after), ...)` for each axis, as `numpy.pad` reads its arguments."""
    if isinstance(value, dict):
        return [tuple(np.broadcast_to(value.get(k, value.get(k - rank, 0)), 2)) for k in range(rank)]
    return [(pair[0], pair[1]) for pair in np.broadcast_to(as_array(value), (rank, 2))]


def _stages(a, pad_width, mode, options):
    """For each axis that is padded: (axis, before, after, options of that axis, the array before it is padded)."""
    rank = np.ndim(a)
    widths = _pairs(pad_width, rank)
    each = {name: _pairs(value, rank) for name, value in options.items() if name in ('constant_values', 'end_values')}
    lengths = _pairs(options['stat_length'], rank) if options.get('stat_length') is not None else [(None, None)] * rank
    found, array = [], as_array(a)
    for axis in range(rank):
        before, after = (int(n) for n in widths[axis])
        own = {name: pairs[axis] for name, pairs in each.items()}
        own['stat_length'] = lengths[axis]
        found.append((axis, before, after, own, array))
        if mode in ('maximum', 'minimum', 'median'):       # what is read depends on the values
            array = _pad_axis(array, axis, before, after, mode, options, own)
        else:
            shape = list(array.shape)
            shape[axis] += before + after
            array = np.broadcast_to(np.zeros((), array.dtype, like=peer(array)), shape)
    return found


def _pad_axis(array, axis, before, after, mode, options, own):
    kept = {name: value for name, value in options.items() if name == 'reflect_type'}
    for name in ('constant_values', 'end_values'):
        if name in own:
            kept[name] = [own[name] if k == axis else (0, 0) for k in range(array.ndim)]
    if own['stat_length'][0] is not None and mode in STATISTICS:
        kept['stat_length'] = own['stat_length']
    return np.pad(array, [(before, after) if k == axis else (0, 0) for k in range(array.ndim)], mode, **kept)


def _cut(array, axis, start, stop):
    return array[(slice(None),) * axis + (slice(start, stop),)]


def _summed(array, axis):
    return np.sum(array, axis=axis, keepdims=True)


def unpad_any(d, a, pad_width, mode='constant', **options):
    """(the gradient of `a`, of constant_values, of end_values), from that of `numpy.pad(a, pad_width, mode, **options)`."""
    if options.get('reflect_type') == 'odd':
        refuse_chunks('numpy.pad with reflect_type="odd"', 'use another mode', a)
    known = (*COPIES, *STATISTICS, 'constant', 'linear_ramp')
    if mode not in known:
        raise ArgumentError(f'numpy.pad: mode {mode!r} has no derivative rule; those that have one are {", ".join(known)}')
    d = as_array(d)
    rank = np.ndim(a)
    given = options.get('constant_values' if mode == 'constant' else 'end_values', 0)
    ends = np.zeros((rank, 2), d.dtype, like=peer(d))
    for axis, before, after, own, array in reversed(_stages(a, pad_width, mode, options)):
        size = array.shape[axis]
        left, inner, right = (_cut(d, axis, *ends_) for ends_ in
                              ((0, before), (before, before + size), (before + size, before + size + after)))
        if mode == 'constant':
            ends[axis, 0], ends[axis, 1] = np.sum(left), np.sum(right)
            d = inner
        elif mode == 'linear_ramp':
            d, (ends[axis, 0], ends[axis, 1]) = _unramp(left, inner, right, axis)
        elif mode in STATISTICS:
            d = inner + _unstatistic(left, array, axis, mode, own['stat_length'][0], False) \
                + _unstatistic(right, array, axis, mode, own['stat_length'][1], True)
        elif options.get('reflect_type', 'even') == 'odd' and mode in ('reflect', 'symmetric'):
            matrix = np.pad(beside(np.eye(size), d), ((before, after), (0, 0)), mode, reflect_type='odd')
            d = np.moveaxis(np.tensordot(matrix, d, (0, axis)), 0, axis)
        else:
            d = untake(d, np.broadcast_to(np.zeros((), d.dtype, like=peer(d)), array.shape),
                       np.pad(counted(size, d), (before, after), mode), axis)
    return cast(d.copy(), a), *[_of_pairs(ends, given, rank) for _ in range(2)]


def _unramp(left, inner, right, axis):
    """The adjoint of ramps that run from the end values to the edges."""
    inner = inner.copy()
    found = []
    for part, at, turned in ((left, 0, False), (right, -1, True)):
        width = part.shape[axis]
        share = counted(width, part) / max(width, 1)            # of the edge; the rest is the end value's
        share = np.reshape(share[::-1] if turned else share, [-1 if k == axis else 1 for k in range(part.ndim)])
        found.append(np.sum(part * (1 - share)))
        place = (slice(None),) * axis + (slice(at, at + 1 or None),)
        inner[place] += _summed(part * share, axis)
    return inner, found


def _unstatistic(part, array, axis, mode, length, turned):
    """The adjoint of a strip that holds a statistic of the elements beside it."""
    size = array.shape[axis]
    length = size if length is None else min(int(length), size)
    start, stop = (size - length, size) if turned else (0, length)
    read = _cut(array, axis, start, stop)
    if mode == 'mean':
        weights = np.ones_like(read, dtype=float) / length
    elif mode == 'median':
        weights = middle(read, axis)
    else:
        weights = ties(read, STATISTICS[mode](read, axis=axis, keepdims=True), axis, True)
    out = np.zeros(array.shape, part.dtype, like=peer(part))
    out[(slice(None),) * axis + (slice(start, stop),)] = weights * _summed(part, axis)
    return out


def _of_pairs(found, given, rank):
    """The gradient of an argument that `numpy.pad` spreads over the ends of all axes."""
    if isinstance(given, dict):
        return {k: found[k] if np.ndim(v) else np.sum(found[k]) for k, v in given.items()}
    shape = np.shape(given)
    full = (1,) * (2 - len(shape)) + shape
    axes = tuple(k for k in range(2) if full[k] == 1)
    return cast(np.reshape(np.sum(found, axis=axes, keepdims=True), shape)[()], given) if rank else found


def repad(parts, a, pad_width, mode='constant', **options):
    """The gradient of `d`, from those of the results of `unpad_any(d, a, pad_width, mode, **options)`."""
    given = [0 if part is None else part for part in parts]
    return push_pad(given[0] + np.zeros(np.shape(a), like=peer(a)), given[1], given[2], a, pad_width, mode, **options)


def push_pad(da, dconstant, dend, a, pad_width, mode='constant', **options):
    """The tangent of `numpy.pad(a, pad_width, mode, **options)`."""
    if mode in COPIES:
        return np.pad(da, pad_width, mode, **options)
    if mode == 'constant':
        return np.pad(da, pad_width, mode, constant_values=dconstant)
    if mode in ('linear_ramp', 'mean'):
        kept = {'end_values': dend} if mode == 'linear_ramp' else {k: v for k, v in options.items() if k == 'stat_length'}
        return np.pad(da, pad_width, mode, **kept)
    for axis, before, after, own, array in _stages(a, pad_width, mode, options):
        strips = []
        for width, length, turned in ((before, own['stat_length'][0], False), (after, own['stat_length'][1], True)):
            one = filled([1 if k == axis else n for k, n in enumerate(array.shape)], 1.0, like=peer(array))
            moved = _summed(da * _unstatistic(one, array, axis, mode, length, turned), axis)
            strips.append(np.repeat(moved, width, axis))
        da = np.concatenate([strips[0], da, strips[1]], axis)
    return da
