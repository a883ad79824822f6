"""What helpers do with arrays in chunks, Dask's: lazily, and chunk by chunk.

    if is_chunked(d, a):                                # in the helper itself
        return chunks().untake(d, a, indices, axis)

A helper that writes into an array it has made, or asks for values, cannot do so here: nothing may be computed, and no task may
hold more than the primal's do. What is here says the same in operations on chunks. The gradient of an array has its chunks.
"""
import functools
import math

import dask
import dask.array as da
import numpy as np
from dask.array.core import BlockView, IndexCallable, common_blockdim

from tangent.errors import ArgumentTypeError
from tangent.runtime.add import is_basic
from tangent.runtime.array_api import KNOWN, refuse_chunks
from tangent.runtime.broadcast import cast, gradient_dtype, unbroadcast
from tangent.runtime.functions import elementwise
from tangent.runtime.functions.elementwise import uncumsum
from tangent.runtime.functions.numpy import statistics
from tangent.runtime.nan_safe import each_leaf
from tangent.runtime.zeros import init_grad as zeros_of


class Accumulator(da.Array):
    """The gradient of an array while it is being summed: `bx[:, None] += v` has an index that Dask cannot write to."""

    __slots__ = ()

    def __setitem__(self, index, value):
        parts, new = split_index(index, self.ndim)
        if new:
            value = value[tuple(0 if k in new else slice(None) for k in range(np.ndim(value)))]
        super().__setitem__(*forwards(parts, value, self.shape))

    blocks = partitions = property(lambda self: Blocks(self))
    vindex = property(lambda self: Points(self._vindex))


class Unwritten:
    def __setitem__(self, index, value):
        raise ArgumentTypeError('x.blocks, x.partitions and x.vindex of an array with a derivative are not supported: write '
                                'slices and indices of the array itself')


class Blocks(Unwritten, BlockView):
    """Chunks of a gradient."""


class Points(Unwritten, IndexCallable):
    """Elements of a gradient."""


KNOWN[Accumulator] = True


def zeros(x, dtype=None):
    """The zero gradient of `x`, in its chunks; elements can be written."""
    return writeable(da.zeros_like(x, dtype=dtype or gradient_dtype(x)))


def like(x):
    """A lazy array of the shape and dtype of a plain one."""
    return writeable(da.zeros(x.shape, dtype=gradient_dtype(x), chunks=x.shape))


def writeable(x):
    """A copy of `x`, as one that is being summed."""
    return Accumulator(x.dask, x.name, x.chunks, meta=x._meta, shape=x.shape)


def plain(x):
    """An array of Dask's own class, as users get it."""
    return da.Array(x.dask, x.name, x.chunks, meta=x._meta, shape=x.shape) if type(x) is Accumulator else x


def init_grad(x, allow_lazy_initializer=False):
    """The zero gradient of a value in a program with arrays in chunks: those of plain arrays may be owed what is lazy."""
    return each_leaf(zeros_of(x, allow_lazy_initializer), lambda g: like(g) if type(g) is np.ndarray and is_owed(g) else g)


def is_owed(g):
    return g.ndim > 0 and g.dtype.kind in 'fc'


def known(x):
    """Whether the sizes of all chunks are known."""
    return not any(np.isnan(n) for sizes in x.chunks for n in sizes)


def same_shape(a, b):
    """Whether two shapes are the same, where some of their sizes are not known."""
    return len(a) == len(b) and all(n == m or n != n and m != m for n, m in zip(a, b))


def as_chunks(b, x):
    """The array `b` in the chunks of `x`, which has its shape."""
    if not isinstance(b, da.Array):
        b = da.from_array(np.asarray(b), chunks=x.chunks) if known(x) else da.asarray(b)
    b = plain(b)
    return b if b.chunks == x.chunks or b.ndim != x.ndim or not known(x) or not known(b) else b.rechunk(x.chunks)


def filled(value, x):
    """An array in shape, floating dtype and chunks of `x` that is one number all over, which may have to be computed."""
    dtype = gradient_dtype(x)
    if not known(x):
        value = da.asarray(value) if isinstance(value, da.Array) else value
        return da.map_blocks(full_block, x, value, dtype=dtype, meta=np.empty((0,) * x.ndim, dtype))
    if isinstance(value, da.Array):
        return da.broadcast_to(value.reshape(()).astype(dtype), x.shape, chunks=x.chunks)
    return da.full(x.shape, np.asarray(value).astype(dtype)[()], dtype=dtype, chunks=x.chunks)


def count(x, axis=None):
    """How many elements a reduction takes together, where sizes are not known before they are computed."""
    axes = range(x.ndim) if axis is None else [k % x.ndim for k in np.atleast_1d(axis)]
    kept = math.prod(n for k, n in enumerate(x.shape) if k not in axes)
    if kept != kept:
        return math.prod(x.shape[k] for k in axes)
    return da.maximum(filled(1.0, x).sum() / max(kept, 1), 1)


def full_block(block, value):
    return np.full_like(block, value, dtype=np.result_type(block, np.float32))


def stretched(b, shape, like=None):
    """`b` broadcast to the shape, in the chunks of `like` where that has it."""
    b = da.asarray(b)
    if isinstance(like, da.Array) and same_shape(like.shape, shape) and not known(like):
        return filled(1.0, like) * b
    fits = like is not None and isinstance(like, da.Array) and like.shape == tuple(shape) and known(like)
    if not fits:
        return da.broadcast_to(b, shape)
    offset = like.ndim - b.ndim
    b = b.rechunk({k: like.chunks[k + offset] for k in range(b.ndim) if b.shape[k] != 1})
    return da.broadcast_to(b, shape, chunks=like.chunks)


def expanded(b, axis):
    """`numpy.expand_dims`, where sizes need not be known."""
    axes = np.atleast_1d(axis)
    axes = [k % (b.ndim + len(axes)) for k in axes]
    return b[tuple(None if k in axes else slice(None) for k in range(b.ndim + len(axes)))]


def become(x, y):
    """Write `y` over all of `x`, which keeps its chunks; an array in chunks is a graph, and gets another."""
    y = as_chunks(y.astype(x.dtype), x)
    x.dask, x._name, x._chunks, x._meta = y.dask, y.name, y.chunks, y._meta
    return x


# Indexing

def is_one(x):
    """Whether an array is in one chunk."""
    return x.npartitions == 1 and known(x)


def is_mask(index):
    return getattr(getattr(index, 'dtype', None), 'kind', None) == 'b' and index.ndim > 0


def split_index(index, rank):
    """(index without `None` and `...`: a slice, an int or an array for each axis; axes of the result that `None` made)."""
    parts = list(index) if isinstance(index, tuple) else [index]
    if any(is_mask(p) and p.ndim > 1 for p in parts):
        raise ArgumentTypeError('a mask of several axes picks elements of an array in chunks: use numpy.where(mask, x, 0), '
                                'whose gradient has chunks')
    used = sum(p is not None and p is not Ellipsis for p in parts)
    dots = next((k for k, p in enumerate(parts) if p is Ellipsis), len(parts))
    parts[dots:dots + 1] = [slice(None)] * (rank - used)
    new, at = [], 0
    for p in parts:
        if p is None:
            new.append(at)
        at += not isinstance(p, (int, np.integer))
    return [p for p in parts if p is not None], new


def forwards(parts, value, shape):
    """(the index with slices that go forwards, the value turned to match)."""
    kept = [k for k, p in enumerate(parts) if not isinstance(p, (int, np.integer))]
    turned = list(parts)
    for k in kept:
        if isinstance(parts[k], slice) and (parts[k].step or 1) < 0:
            places = range(*parts[k].indices(shape[k]))
            turned[k] = slice(places[-1], places[0] + 1, -parts[k].step) if places else slice(0, 0)
            axis = np.ndim(value) - len(kept) + kept.index(k)
            value = np.flip(value, axis) if axis >= 0 and np.shape(value)[axis] > 1 else value
    return tuple(turned), value


def placed(v, index, x):
    """Zeros in shape and chunks of `x`, with `v` added at an index: the gradient of `x` in `x[index]`."""
    if is_one(x) and not is_basic(index):
        return placed_whole(v, index, x)
    parts, new = split_index(index, x.ndim)
    v = da.asarray(v)
    if new:
        v = v[tuple(0 if k in new else slice(None) for k in range(v.ndim))]
    fancy = [k for k, p in enumerate(parts) if not isinstance(p, (int, np.integer, slice))]
    if not fancy:
        return set_in(zeros(x), tuple(parts), v)
    if len(fancy) > 1:
        raise ArgumentTypeError('several arrays of indices pick elements of an array in chunks: index one axis after the other')
    axis, = fancy
    picked = parts[axis]
    if is_mask(picked) and isinstance(picked, da.Array):
        return masked(v, picked, x, axis)
    rest = tuple(slice(None) if k == axis else p for k, p in enumerate(parts))
    at = axis - sum(isinstance(p, (int, np.integer)) for p in parts[:axis])
    if isinstance(picked, list):
        picked = np.asarray(picked, dtype=None if picked else int)
    inner = da.empty_like(x)[rest]
    picked = np.nonzero(picked)[0] if is_mask(picked) else picked
    if picked.ndim > 1:
        v = v.reshape(v.shape[:at] + (-1,) + v.shape[at + picked.ndim:])
        picked = picked.ravel()
    if picked.ndim == 0:                    # an integer that is not known yet
        v, picked = da.expand_dims(v, at), picked.reshape(1)
    found = scattered(v, picked, inner, at)
    return found if rest == (slice(None),) * x.ndim else set_in(zeros(x), rest, found)


def set_in(out, index, v):
    out[index] = cast(v, out)
    return out


def scattered(d, picked, a, axis=0):
    """The gradient of `a` from that of `take(a, picked, axis)`: each chunk of it gathers from all chunks of `d`.

    A sum over a leading axis, one for each chunk of `d` along the axis, is what Dask adds up by a tree.
    """
    n, chunks = a.shape[axis], a.chunks[axis]
    d = d.rechunk({k: a.chunks[k] for k in range(a.ndim) if k != axis and known(a)})
    if not known(d):
        raise ArgumentTypeError('elements of an array in chunks are picked by an index of unknown size: use numpy.where')
    picked = da.asarray(picked)
    picked = da.where(picked < 0, picked + n, picked).rechunk((d.chunks[axis],))
    given, own = a.ndim, a.ndim + 1
    left, right = list(range(a.ndim)), list(range(a.ndim))
    left[axis], right[axis] = given, own
    dtype = np.result_type(d.dtype, gradient_dtype(a))
    parts = da.blockwise(
        scatter_block, (given, *right), d, left, picked, (given,), da.arange(n, chunks=(chunks,)), (own,), axis=axis,
        dtype=dtype, adjust_chunks={given: lambda size: 1}, align_arrays=False, meta=np.empty((0,) * (a.ndim + 1), dtype))
    return cast(parts.sum(axis=0), a)


def scatter_block(d, picked, own, axis):
    shape = list(d.shape)
    shape[axis] = len(own)
    out = np.zeros(shape, d.dtype)
    if len(own):
        here = np.nonzero((picked >= own[0]) & (picked <= own[-1]))[0]
        np.add.at(out, (slice(None),) * axis + (picked[here] - own[0],), np.take(d, here, axis))
    return out[None]


def masked(v, mask, a, axis):
    """The gradient of `a` from that of `a[mask]`, whose chunks have sizes that are not known before they are computed."""
    if axis or a.ndim > 1 and v.ndim != a.ndim:
        raise ArgumentTypeError('a mask picks along another axis than the first: move that to the front')
    sizes = common_blockdim([a.chunks[0], mask.chunks[0]])              # in these Dask has picked
    letters = list(range(a.ndim))
    dtype = gradient_dtype(a)
    found = da.blockwise(masked_block, letters, a.rechunk({0: sizes}), letters, v, letters, mask.rechunk((sizes,)), letters[:1],
                         dtype=dtype, align_arrays=False, meta=np.empty((0,) * a.ndim, dtype))
    return found.rechunk(a.chunks) if known(a) else found


def masked_block(a, v, mask):
    out = np.zeros(a.shape, v.dtype)
    out[mask] = v
    return out


def add_at(bx, index, v):
    """`bx[index] += v`: see `runtime.add.add_at`."""
    if is_one(bx) and not is_basic(index):
        return become(bx, bx + placed_whole(v, index, bx))
    return become(bx, bx + placed(unbroadcast(v, bx[index]), index, bx))


def placed_whole(v, index, x):
    """The same for an array in one chunk: there any index will do."""
    found = dask.delayed(place_block, pure=False)(v, index, x.shape, gradient_dtype(x))
    return da.from_delayed(found, x.shape, meta=np.empty((0,) * x.ndim, gradient_dtype(x)))


def place_block(v, index, shape, dtype):
    out = np.zeros(shape, dtype)
    np.add.at(out, index, unbroadcast(v, out[index]))
    return out


def last_at(b, index):
    """The gradient of `v` in `x[index] = v`: see `runtime.add.last_at`."""
    parts, _ = split_index(index, b.ndim)
    for p in parts:
        if isinstance(p, (list, np.ndarray)) and np.asarray(p).dtype != bool and len(set(np.ravel(p).tolist())) < np.size(p):
            raise ArgumentTypeError('an element of an array in chunks is written twice by one assignment: write it once')
    return b[index]


# Helpers that pick and join

def unconcatenate(d, arrays, axis=0):
    d = da.ravel(d) if axis is None else d
    axis = 0 if axis is None else axis % d.ndim
    whole = np.concatenate([[0], np.cumsum([extent(a, axis, d) for a in arrays])]).tolist()
    pieces = [d[(slice(None),) * axis + (slice(start, stop),)] for start, stop in zip(whole, whole[1:])]
    return [cast(p.reshape(np.shape(a)) if p.shape != np.shape(a) else p, a) for p, a in zip(pieces, arrays)]


def extent(a, axis, d):
    """How long an array is along the axis of what it was joined into."""
    others = int(np.prod([n for k, n in enumerate(d.shape) if k != axis]))
    return getattr(a, 'size', 1) // max(others, 1)


def untake(d, a, indices, axis=None):
    if axis is None:
        return untake(d, da.ravel(a), indices, 0).reshape(a.shape)
    return placed(d, (slice(None),) * (axis % a.ndim) + (indices,), a)


def unrepeat(d, a, repeats, axis=None):
    if axis is None:
        return unrepeat(d, da.ravel(a), repeats, 0).reshape(a.shape)
    n, axis = a.shape[axis], axis % a.ndim
    picked = da.arange(n * repeats, chunks=(d.chunks[axis],)) // repeats if np.ndim(repeats) == 0 and known(d) else \
        np.repeat(np.arange(n), np.broadcast_to(repeats, n))
    return scattered(d, picked, a, axis)


def unpad(d, a, pad_width, mode='constant'):
    widths = np.broadcast_to(pad_width, (a.ndim, 2)).tolist()
    for axis, (width, n) in enumerate(zip(widths, a.shape)):
        if width != [0, 0]:
            sizes = (*d.chunks[:axis], a.chunks[axis], *d.chunks[axis + 1:])
            like = da.empty(d.shape[:axis] + (n,) + d.shape[axis + 1:], chunks=sizes)
            d = d.rechunk({axis: max(a.chunks[axis])})
            whole = np.pad(np.arange(n), width, mode)
            picked = da.concatenate([whole[:width[0]], da.arange(n, chunks=(a.chunks[axis],)), whole[width[0] + n:]])
            d = scattered(d, picked, like, axis)
    return cast(d, a)


def undiagonal(d, a, offset=0, axis1=0, axis2=1):
    moved = da.moveaxis(da.empty_like(a, dtype=gradient_dtype(a)), (axis1, axis2), (-2, -1))
    rows, columns = moved.shape[-2:]
    before, count = max(-offset, 0), max(min(rows - max(-offset, 0), columns - max(offset, 0)), 0)
    d = da.broadcast_to(da.asarray(d), (*moved.shape[:-2], count))
    d = da.pad(d, [(0, 0)] * (d.ndim - 1) + [(before, rows - before - count)]).rechunk(moved.chunks[:-1])
    on = da.arange(columns, chunks=(moved.chunks[-1],)) - da.arange(rows, chunks=(moved.chunks[-2],))[:, None] == offset
    return cast(da.moveaxis(da.where(on, d[..., None], 0), (-2, -1), (axis1, axis2)), a)


def unblock(d, arrays):
    def size(a, axis):
        if not isinstance(a, list):
            shape = (1,) * (d.ndim - np.ndim(a)) + np.shape(a)
            return shape[axis]
        return sum(size(v, axis) for v in a) if d.ndim + axis == joins(a) else size(a[0], axis)

    def joins(a):
        """The axis along which a list is joined: the innermost lists along the last."""
        depth = 0
        while isinstance(a, list):
            a, depth = a[0], depth + 1
        return d.ndim - depth

    def back(a, part):
        if not isinstance(a, list):
            return cast(part.reshape(np.shape(a)), a)
        axis, at, found = joins(a), 0, []
        for v in a:
            n = size(v, axis - d.ndim)
            found.append(back(v, part[(slice(None),) * axis + (slice(at, at + n),)]))
            at += n
        return found
    return back(arrays, d)


def uninsert(d, arr, obj, values, axis=None):
    if axis is None:
        arr_, axis = da.ravel(arr), 0
    else:
        arr_ = arr
    n = arr_.shape[axis]
    single = np.ndim(obj) == 0
    places = None if single else np.insert(np.arange(n), obj, np.full(len(obj), -1))
    if single:
        count = d.shape[axis] - n
        start = int(obj) % (n + 1) if obj >= 0 else int(obj) + n
        places = np.concatenate([np.arange(start), np.full(count, -1), np.arange(start, n)])
    cut = (slice(None),) * axis
    kept, new = d[(*cut, np.nonzero(places >= 0)[0])], d[(*cut, np.nonzero(places < 0)[0])]
    extra = tuple(range(new.ndim - np.ndim(values))) if np.ndim(values) < new.ndim else ()
    new = new.sum(axis=extra) if extra else new
    stretch = tuple(k for k, m in enumerate(np.shape(values)) if m == 1 != new.shape[k])
    new = new.sum(axis=stretch, keepdims=True) if stretch else new
    return cast(kept.reshape(np.shape(arr)), arr), cast(new.reshape(np.shape(values)), values)


def ones_along(x, axis):
    """As many ones as an axis is long, in its chunks."""
    return da.ones(x.shape[axis], chunks=(x.chunks[axis],))


def diagonals(found, mine, unique):
    """`found`, with an axis for each letter of `unique`, spread over `mine`, where letters repeat: zero off the diagonals."""
    lead = [mine.index(c) for c in unique]
    out = da.transpose(found, [unique.index(c) for c in sorted(unique, key=mine.index)])
    out = out[tuple(slice(None) if k in lead else None for k in range(len(mine)))]
    for k, c in enumerate(mine):
        first = mine.index(c)
        if k != first:
            n, sizes = out.shape[first], out.chunks[first]
            places = da.arange(n, chunks=(sizes,))
            along = [places.reshape([n if j == at else 1 for j in range(len(mine))]) for at in (first, k)]
            out = da.where(along[0] == along[1], out, 0)
    return out


# Running products, orders: the primal has an axis whole where it sorts

def uncumprod(d, a, y, axis=None):
    at, flat = (0, da.ravel(a)) if axis is None else (axis, a)
    zero = flat == 0
    first = zero & (da.cumsum(zero, at) == 1)
    others = da.cumprod(da.where(first, 1, flat), at)          # as if the first zero were not there
    at_zero = da.where(first, uncumsum(d * others, flat, at), 0)
    found = da.where(zero, at_zero, uncumsum(d * y, flat, at) / da.where(zero, 1, flat))
    return cast(found.reshape(a.shape), a)


def per_lane(function, axis, a, *arrays):
    """`function(block of a, blocks of the arrays)`, with the axes of a reduction whole; the arrays have length 1 along them."""
    axes = range(a.ndim) if axis is None else [k % a.ndim for k in np.atleast_1d(axis)]
    a = a.rechunk(dict.fromkeys(axes, -1))
    dtype = gradient_dtype(a)
    return da.map_blocks(function, a, *[as_lanes(v, a, axes) for v in arrays], dtype=dtype, chunks=a.chunks,
                         meta=np.empty((0,) * a.ndim, dtype))


def as_lanes(v, a, axes):
    return v.rechunk([(1,) if k in axes else sizes for k, sizes in enumerate(a.chunks)])


def middle(a, axis=None):
    return per_lane(functools.partial(elementwise.middle, axis=axis), axis, a)


def unquantile(d, a, q, axis, keepdims, nan, method):
    if np.ndim(q):
        return functools.reduce(np.add, [unquantile(d[k], a, level, axis, keepdims, nan, method) for k, level in enumerate(q)])
    if a.ndim == 1:
        refuse_chunks('a percentile along the only axis, which Dask approximates,', 'add an axis: x[None], axis=1', a)
    axes = tuple(range(a.ndim)) if axis is None else tuple(k % a.ndim for k in np.atleast_1d(axis))
    d = d if keepdims else da.expand_dims(d, axes)
    return cast(per_lane(functools.partial(quantile_block, q=q, axis=axes, nan=nan, method=method), axis, a, d), a)


def push_quantile(dx, a, q, y, **how):
    """The tangent of a quantile: the weights of the elements of which it is made are those of its gradient."""
    if np.ndim(q):
        return da.stack([push_quantile(dx, a, level, y[k], **how) for k, level in enumerate(q)])
    weights = unquantile(filled(1.0, y), a, q, **how)
    return cast((weights * dx).sum(axis=how['axis'], keepdims=how['keepdims']), y)


def quantile_block(a, d, q, axis, nan, method):
    return statistics.unquantile(d, a, q, None, axis, True, nan, method)


def ungradient(d, axis, h, edge_order):
    """The adjoint of `numpy.gradient` along one axis: what the differences in the middle and at both ends owe."""
    if np.ndim(h) or edge_order != 1:
        refuse_chunks('numpy.gradient with several spacings or edges of second order', 'write differences of slices', d)

    def part(start, stop):
        return (slice(None),) * axis + (slice(start, stop),)

    middle, out = d[part(1, -1)] / (2 * h), zeros(d)
    for places, v in [((2, None), middle), ((None, -2), -middle), ((1, 2), d[part(0, 1)] / h), ((0, 1), -d[part(0, 1)] / h),
                      ((-1, None), d[part(-1, None)] / h), ((-2, -1), -d[part(-1, None)] / h)]:
        out[part(*places)] += v
    return out


# The largest elements: each of the results goes back to the elements that equal it

def untopk(d, a, y, axis=-1):
    """The gradient of `a`, from that of `y = dask.array.topk(a, k, axis)`."""
    parts = [shares(a, y, place, axis) * da.expand_dims(da.take(d, place, axis), axis) for place in range(y.shape[axis])]
    return cast(sum(parts[1:], parts[0]), a)


def push_topk(dx, a, y, axis=-1):
    """The tangent of `y = dask.array.topk(a, k, axis)`."""
    return cast(da.stack([(shares(a, y, place, axis) * dx).sum(axis=axis) for place in range(y.shape[axis])], axis), y)


def shares(a, y, place, axis):
    """Where `a` has the value that stands at a place of `y`, 1 over how often it has."""
    equal = a == da.expand_dims(da.take(y, place, axis), axis)
    return equal / equal.sum(axis=axis, keepdims=True)
