"""Functions of NumPy and helpers of ours that serve all directions in one call: what `each_direction` finds in `RULES`."""
import string

import numpy as np

from tangent.runtime import add, broadcast, seeds
from tangent.runtime import cast as fit
from tangent.runtime.broadcast import cast, gradient_dtype, shape_of
from tangent.runtime.functions.numpy import products
from tangent.runtime.tangents import zeros
from tangent.runtime.tangents.batched import Directions, aligned, axes_behind, elementwise
from tangent.runtime.tangents.parts import RULES, each_direction, one_by_one


def rule(*functions):
    """Register how the functions act on `Directions`; NotImplemented leaves it to one direction at a time."""
    def register(implementation):
        RULES.update(dict.fromkeys(functions, implementation))
        return implementation
    return register


def is_directions(x):
    return isinstance(x, Directions) and len(x.d) > 0


# About the shape

for about in [np.shape, np.ndim, np.size, np.result_type, np.iscomplexobj, np.isrealobj, broadcast.shape_of]:
    RULES[about] = lambda *args, about=about: about(*(np.empty(a.shape, a.dtype) if isinstance(a, Directions) else a
                                                      for a in args))


@rule(np.reshape)
def _reshape(a, shape=None, order='C', **more):
    if not is_directions(a) or order != 'C' or more or shape is None:
        return NotImplemented
    shape = (shape,) if not isinstance(shape, (tuple, list)) else tuple(shape)
    return Directions(a.d.reshape(len(a.d), *shape))


@rule(np.ravel)
def _ravel(a, order='C'):
    if not is_directions(a) or order != 'C':
        return NotImplemented
    flat = a.d.reshape(len(a.d), -1)
    return Directions(flat if a.d[0].flags.c_contiguous else flat.copy())          # otherwise NumPy's is a copy, too


@rule(np.transpose)
def _transpose(a, axes=None):
    behind = tuple(range(a.ndim, 0, -1)) if axes is None else tuple(k % a.ndim + 1 for k in axes)
    return Directions(a.d.transpose(0, *behind))


@rule(np.swapaxes)
def _swapaxes(a, axis1, axis2):
    return Directions(np.swapaxes(a.d, *axes_behind((axis1, axis2), a.ndim)))


@rule(np.moveaxis)
def _moveaxis(a, source, destination):
    return Directions(np.moveaxis(a.d, axes_behind(source, a.ndim), axes_behind(destination, a.ndim)))


@rule(np.expand_dims)
def _expand_dims(a, axis):
    return Directions(np.expand_dims(a.d, axes_behind(axis, a.ndim)))


@rule(np.squeeze)
def _squeeze(a, axis=None):
    axis = tuple(k for k, n in enumerate(a.shape) if n == 1) if axis is None else axis
    return Directions(np.squeeze(a.d, axes_behind(axis, a.ndim)))


@rule(np.broadcast_to)
def _broadcast_to(array, shape, subok=False):
    if not isinstance(array, Directions):
        return NotImplemented
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    return Directions(np.broadcast_to(aligned(array, len(shape)), (len(array.d), *shape)))


@rule(np.zeros_like)
def _zeros_like(a, dtype=None, **more):
    return NotImplemented if more else type(a)(np.zeros_like(a.d, dtype=dtype))


@rule(np.copy, fit.copy)
def _copy(a, *args, **more):
    return a.copy() if isinstance(a, Directions) and not args and not more else NotImplemented


# Several arrays as one

def alike(parts):
    """The arrays of tangents with the axis of directions in front of all of them; None where there is none."""
    count = next((len(p.d) for p in parts if is_directions(p)), None)
    if count is None:
        return None
    return [p.d if isinstance(p, Directions) else np.broadcast_to(p, (count, *np.shape(p))) for p in parts]


@rule(np.concatenate)
def _concatenate(arrays, axis=0, **more):
    found = alike(arrays) if isinstance(arrays, (tuple, list)) and not more and axis is not None else None
    return NotImplemented if found is None else Directions(np.concatenate(found, axes_behind(axis, found[0].ndim - 1)))


@rule(np.stack)
def _stack(arrays, axis=0, **more):
    found = alike(arrays) if isinstance(arrays, (tuple, list)) and not more else None
    return NotImplemented if found is None else Directions(np.stack(found, axes_behind(axis, found[0].ndim)))


@rule(np.array)
def _array(object, dtype=None):
    if isinstance(object, Directions):
        return Directions(object.d.astype(dtype or object.dtype))
    if not isinstance(object, (list, tuple)):
        return NotImplemented
    parts = [_array(p) if isinstance(p, (list, tuple)) else p for p in object]
    if any(p is NotImplemented for p in parts):
        return NotImplemented
    found = alike(parts)
    if found is None:
        return np.array(parts, dtype) if not any(isinstance(p, Directions) for p in parts) else NotImplemented
    return Directions(np.stack(found, 1).astype(dtype, copy=False) if dtype is not None else np.stack(found, 1))


@rule(np.asarray)
def _asarray(a, dtype=None):
    return a if isinstance(a, Directions) and dtype in (None, a.dtype) else NotImplemented


@rule(np.where)
def _where(condition, x, y):
    return elementwise(np.where, (condition, x, y), {})


# Along axes

for along_axes in [np.sum, np.mean, np.prod, np.max, np.min, np.nansum, np.nanmean]:
    @rule(along_axes)
    def _reduced(a, axis=None, *, function=along_axes, **more):
        if not is_directions(a) or not more.keys() <= {'keepdims'}:
            return NotImplemented
        return Directions(function(a.d, axis=axes_behind(axis, a.ndim), **more))

for along_one in [np.cumsum, np.diff, np.flip, np.sort]:
    @rule(along_one)
    def _along(a, *args, function=along_one, **more):
        axis = more.get('axis')
        return Directions(function(a.d, axis=axes_behind(axis, a.ndim))) if is_directions(a) and not args and \
            isinstance(axis, int) and len(more) == 1 else NotImplemented

for of_matrices in [np.triu, np.tril]:
    @rule(of_matrices)
    def _triangle(m, k=0, *, function=of_matrices):
        return Directions(function(m.d, k)) if m.ndim >= 2 else NotImplemented


@rule(np.take)
def _take(a, indices, axis=None, **more):
    if not is_directions(a) or isinstance(indices, Directions) or more:
        return NotImplemented
    d = a.d.reshape(len(a.d), -1) if axis is None else a.d
    return Directions(np.take(d, indices, 1 if axis is None else axes_behind(axis, a.ndim)))


# Products of which one factor moves

@rule(np.matmul)
def _matmul(a, b, **more):
    if more or isinstance(a, Directions) and isinstance(b, Directions):
        return NotImplemented
    if isinstance(a, Directions):
        if not np.ndim(b):
            return NotImplemented
        if a.ndim == 2 and np.ndim(b) <= 2 and a.size and len(a.d):        # one product of matrices
            flat = a.d.reshape(-1, a.shape[-1]) @ b
            return Directions(flat.reshape(len(a.d), a.shape[0], *np.shape(b)[1:]))
        if a.ndim == 1 and np.ndim(b) > 2:
            return NotImplemented
        return Directions(np.matmul(aligned(a, np.ndim(b) if a.ndim > 1 else 1), b))
    if not np.ndim(a) or not b.ndim:
        return NotImplemented
    if b.ndim == 1:
        return Directions(b.d @ np.transpose(a)) if np.ndim(a) <= 2 else NotImplemented
    return Directions(np.matmul(a, aligned(b, np.ndim(a) if np.ndim(a) > 1 else b.ndim)))


@rule(np.dot)
def _dot(a, b, out=None):
    if out is None and 1 <= np.ndim(a) <= 2 and 1 <= np.ndim(b) <= 2:
        return _matmul(a, b)
    if out is None and (not np.ndim(a) or not np.ndim(b)):
        return elementwise(np.multiply, (a, b), {})
    return NotImplemented


@rule(np.outer)
def _outer(a, b, out=None):
    if np.ndim(a) != 1 or np.ndim(b) != 1 or out is not None:
        return NotImplemented
    return a[:, None] * b if isinstance(a, Directions) else each_direction(np.multiply, np.asarray(a)[:, None], b)


@rule(np.einsum)
def _einsum(subscripts, *operands, **more):
    if not isinstance(subscripts, str) or '->' not in subscripts or '.' in subscripts or more.get('out') is not None:
        return NotImplemented
    given, result = subscripts.replace(' ', '').split('->')
    new = next((c for c in string.ascii_letters if c not in subscripts), None)
    if new is None or not all(isinstance(x, (Directions, np.ndarray)) for x in operands):
        return NotImplemented
    moving = [isinstance(x, Directions) for x in operands]
    terms = [new + t if m else t for t, m in zip(given.split(','), moving)]
    arrays = [x.d if m else x for x, m in zip(operands, moving)]
    return Directions(np.einsum(f'{",".join(terms)}->{new}{result}', *arrays, **more))


@rule(np.linalg.solve)
def _solve(a, b):
    if isinstance(a, Directions) or np.ndim(a) != 2 or not is_directions(b) or b.ndim > 2:
        return NotImplemented
    columns = np.moveaxis(b.d, 0, -1)                          # all right sides at once
    found = np.linalg.solve(a, columns.reshape(len(columns), -1)).reshape(columns.shape)
    return Directions(np.ascontiguousarray(np.moveaxis(found, -1, 0)))


# Helpers of ours

@rule(broadcast.unreduce_like)
def _unreduce_like(array, original_array, axis=None, keepdims=False, where=True):
    if not is_directions(array) or where is not True or isinstance(original_array, Directions):
        return NotImplemented
    shape, d = shape_of(original_array), cast(array, original_array).d
    if axis is None and not keepdims:
        d = d.reshape(len(d), *[1] * len(shape))
    elif not keepdims:
        d = np.expand_dims(d, axes_behind(axis, len(shape)))
    return Directions(np.broadcast_to(d, (len(d), *shape)).copy())


@rule(fit.astype)
def _astype(b, x):
    if not isinstance(b, Directions) or shape_of(x) != b.shape or isinstance(x, (Directions, list, tuple, dict)):
        return NotImplemented
    return b if gradient_dtype(x) in (None, b.dtype) else cast(b, x)


@rule(seeds.check_dims, zeros.check_tangent)
def _check_dims(y, by, *leaves):
    return _astype(by, y) if not leaves and isinstance(by, Directions) and not isinstance(y, Directions) else NotImplemented


@rule(add.add_at)
def _add_at(bx, index, v):
    if isinstance(bx, Directions):
        place = bx[index]
        v = broadcast.unbroadcast(v, place)
        if add.is_basic(index):
            bx[index] = place + v
        else:
            np.add.at(bx, index, v)
        return bx
    return add.add_at(bx, index, v) if isinstance(bx, (list, dict)) else NotImplemented


@rule(zeros.overwrite)
def _overwrite(d, value):
    if isinstance(d, Directions) and (d.ndim or d.held):
        d[...] = value
        return d
    return NotImplemented if isinstance(d, np.ndarray) else value


@rule(zeros.sort_both)
def _sort_both(xs, dxs, *at, axis=-1, kind=None, key=None, reverse=False):
    if not isinstance(xs, np.ndarray):
        return zeros.sort_both(xs, dxs, key=key, reverse=reverse)         # a list of tangents
    axis = at[0] if at else axis
    order = np.argsort(xs, axis=axis, kind='stable')
    xs[...] = np.take_along_axis(xs, order, axis)
    dxs[...] = one_by_one(np.take_along_axis, (dxs, order, axis))
    return None


@rule(products.matmul_left, products.dot_left)
def _left(g, a, b):
    if isinstance(a, Directions) or np.ndim(a) != 2 or np.ndim(b) != 2:
        return NotImplemented
    return _matmul(g, np.swapaxes(b, 0, 1))


@rule(products.matmul_right, products.dot_right)
def _right(g, a, b):
    if isinstance(b, Directions) or np.ndim(a) != 2 or np.ndim(b) != 2:
        return NotImplemented
    return _matmul(np.swapaxes(a, 0, 1), g)
