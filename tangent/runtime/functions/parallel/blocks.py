"""Functions of the user's that Dask calls for each chunk (`map_blocks`): their adjoints are called for each chunk, too.

An argument that is the same for all chunks (a number, a plain array, an array of one chunk) is owed a sum over them, by a tree.
"""
import functools
import types

import dask.array as da
import numpy as np
from dask.utils import has_keyword

from tangent.errors import ArgumentTypeError
from tangent.runtime import captures
from tangent.runtime.fields import is_object
from tangent.runtime.functions.parallel.chunks import as_chunks
from tangent.runtime.functions.parallel.opened import Opened
from tangent.runtime.functions.parallel.tasks import (
    Attribute,
    Shipped,
    as_they_are,
    is_zero,
    moving,
    of_object,
    outwards,
    part_of,
    plain,
    shifted,
)

FUNCTIONS = types.FunctionType, functools.partial
OWN = 'name token dtype chunks drop_axis new_axis enforce_ndim meta'.split()


def outer_axes(arrays, drop_axis=None, new_axis=None):
    """(for each array the numbers of its axes; those of the result), as `map_blocks` has them: aligned at the last."""
    rank = max(a.ndim for a in arrays)
    own = [tuple(range(a.ndim))[::-1] for a in arrays]
    out = list(range(rank))[::-1]
    if drop_axis is not None:
        dropped = [k % rank for k in np.atleast_1d(drop_axis)]
        out = [i for k, i in enumerate(out) if k not in dropped]
    for n, k in enumerate([] if new_axis is None else sorted(np.atleast_1d(new_axis).tolist())):
        out.insert(k, rank + n)
    return own, out


def pull_map_blocks(engine, wanted, f, *args, **keywords):
    given = {k: v for k, v in keywords.items() if k not in OWN}
    refuse_places(f, given)
    value = da.map_blocks(as_they_are(f), *map(as_they_are, args), **as_they_are(keywords))
    wanted = engine.asked(f, shifted(wanted, 1), args, given)
    arrays = [a for a in args if isinstance(a, da.Array)]
    own, out = outer_axes(arrays, keywords.get('drop_axis'), keywords.get('new_axis'))

    def back(g):
        if is_zero(g):
            return {}
        axes = iter(own)
        pairs = [(a, next(axes) if isinstance(a, da.Array) else None) for a in args]
        found = all_gone_back(engine, f, (pairs, given, out), wanted, as_chunks(g, value))
        return outwards(found, 1)
    return value, back


def refuse_places(f, given):
    """Refuse functions that Dask tells which block they are given: their adjoints are not told."""
    if any(k in given or has_keyword(f, k) for k in ('block_info', 'block_id')) or not callable(f):
        raise ArgumentTypeError('map_blocks of a function that asks for its block (block_id, block_info) has no derivative: '
                                'give it what it needs of that as an array with one element for each block')


def all_gone_back(engine, f, call, wanted, g):
    """Place -> gradient, from that of the value, for a call of `f` on each chunk."""
    pairs, given, out = call
    opened = Opened(f, [a for a, _ in pairs], given, wanted)
    f, given, wanted = opened.function, opened.keywords, opened.wanted
    pairs = [(a, None) for a in opened.args[:len(opened.args) - len(pairs)]] + pairs
    for a, axes in pairs:
        for k, i in enumerate(axes or ()):
            if i not in out and a.numblocks[k] > 1:
                raise ArgumentTypeError(f'map_blocks drops axis {k} of an array that has {a.numblocks[k]} chunks along it: '
                                        'rechunk that axis to one')
    blocks = [x for a, axes in pairs for x in (a if isinstance(a, da.Array) else as_they_are(a), axes)]
    every = da.blockwise(
        engine.block_adjoint, tuple(out), Shipped(f), None, tuple(wanted), None, as_they_are(given), None, len(pairs), None,
        *blocks, g, tuple(out), concatenate=True, align_arrays=False, dtype=object, meta=np.empty((0,) * len(out), object),
        adjust_chunks=dict.fromkeys(out, lambda n: 1))
    first = ['f'] if 'f' in wanted else []
    found = {k: of_value(every, (place,), *(pairs[k] if isinstance(k, int) else (given[k], None)), out)
             for place, k in enumerate([*first, *(k for k in wanted if k != 'f')]) if k != 'f'}
    if first:
        found['f'] = of_value(every, (0,), captures.environment(f), None, out)
    return opened.closed(found)


def of_value(every, path, x, axes, out):
    """The gradient of one argument, in its structure."""
    x = x.__self__ if isinstance(x, types.MethodType) else captures.environment(x) if isinstance(x, FUNCTIONS) else x
    if is_object(x):
        return of_object(x, {n: of_value(every, (*path, Attribute(n)), v, None, out) for n, v in moving(x).items()})
    if isinstance(x, dict):
        return {k: of_value(every, (*path, k), v, None, out) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return [of_value(every, (*path, k), v, None, out) for k, v in enumerate(x)]
    return of_argument(every, path, x, axes, out)


def of_argument(every, path, a, axes, out):
    """The gradient of one argument, from those of each chunk."""
    axes = axes if axes is not None else tuple(range(1000, 1000 + np.ndim(a)))
    chunked = [i for i in out if i in axes and a.numblocks[axes.index(i)] > 1]
    whole = [i for i in axes if i not in chunked]
    order = [axes.index(i) for i in [*chunked, *whole]]
    shape = np.shape(a)
    sizes = {i: a.chunks[axes.index(i)] for i in chunked}
    found = da.blockwise(
        pick, (*out, *(2000 + i for i in whole)), every, tuple(out), path=path, order=order, at=[i in chunked for i in out],
        new_axes={2000 + i: shape[axes.index(i)] for i in whole}, dtype=float, align_arrays=False,
        adjust_chunks={i: sizes[i] for i in chunked}, meta=np.empty((0,) * (len(out) + len(whole))))
    lost = tuple(k for k, i in enumerate(out) if i not in chunked)
    found = found.sum(axis=lost) if lost else found
    return da.transpose(found, np.argsort(order).tolist()) if np.ndim(a) > 1 else found


def pick(every, path, order, at):
    """The gradient of one argument out of those of a chunk, with an axis of length 1 for each along which it is the same."""
    found = np.transpose(np.asarray(part_of(every.reshape(-1)[0], path), float), order)
    return found[tuple(slice(None) if here else None for here in at)]


def push_map_blocks(engine, args, tangents, keywords, dkeywords):
    f, *args = args
    given = {k: v for k, v in keywords.items() if k not in OWN}
    refuse_places(f, given)
    value = da.map_blocks(f, *args, **keywords)
    moved = [k for k, t in enumerate(tangents[1:]) if t is not None]
    how = {k: v for k, v in keywords.items() if k in OWN and k not in ('name', 'token')}
    more = {f'd_{k}': v for k, v in dkeywords.items() if v is not None and k in given}
    how = {'dtype': value.dtype, 'meta': value._meta, **how}
    along = [as_chunks(tangents[k + 1], args[k]) if isinstance(args[k], da.Array) else tangents[k + 1] for k in moved]
    return value, da.map_blocks(engine.block_tangent, *args, *along, shipped=Shipped(f, True), moved=tuple(moved), given=given,
                                more=more, df=plain(tangents[0]), **how)


def pull_method(engine, wanted, x, f, *args, **keywords):
    """`x.map_blocks(f, ...)`: the array comes first."""
    swapped = {0: 1, 1: 0}
    value, back = pull_map_blocks(engine, [swapped.get(k, k) for k in wanted], f, x, *args, **keywords)
    return value, lambda g: {swapped.get(k, k): part for k, part in back(g).items()}


def push_method(engine, args, tangents, keywords, dkeywords):
    x, f, *args = args
    dx, df, *rest = tangents
    return push_map_blocks(engine, [f, x, *args], [df, dx, *rest], keywords, dkeywords)
