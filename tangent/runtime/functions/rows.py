"""Rows of containers of arrays, and what is stacked of rows: what the loops call that `tangent.vmap` writes.

An axis stands for every array of a value, None for what all rows have in common; a container of axes has the structure of
the value, or of its outer part.
"""
import collections
import copy as _copy
import dataclasses

import numpy as np

from tangent.errors import ArgumentTypeError, ShapeError
from tangent.runtime.add import add_grad
from tangent.runtime.api import copy, init_grad
from tangent.runtime.facts import helper
from tangent.runtime.fields import fields
from tangent.runtime.objects import GRADIENTS, is_object
from tangent.runtime.pytree import flattened, leaves
from tangent.runtime.zeros import ZeroGrad, is_record, rebuild_tuple


@helper(view='values', sequence=True)
def rows_of(values, axes=0, size=None):
    """The rows of a container of arrays: a list of containers of its structure, one for each place on the axes.

    Raises
    ------
    ShapeError
        If the axes have different lengths, or none, or there is none.
    """
    lengths: dict = {} if size is None else {size: 'axis_size'}
    apart = lengths_of(values, axes, lengths)
    if not lengths:
        raise ShapeError('vmap: no argument has an axis to go along: in_axes is None for all of them')
    if len(lengths) > 1:
        raise ShapeError('vmap: the axes to go along have different lengths: ' + ', '.join(
            f'{length} in {shape}' for length, shape in lengths.items()))
    return apart(common_length(*lengths))


@helper(numba=True, harmless=True)
def common_length(*lengths):
    """The length of all the axes to go along.

    Raises
    ------
    ShapeError
        If it is not one, or 0.
    """
    for length in lengths:
        if length != lengths[0]:
            raise ShapeError('vmap: the axes to go along have different lengths')
        if length == 0:
            raise ShapeError('vmap: the axis to go along has length 0, so that nobody knows what the results look like')
    return lengths[0]


def lengths_of(value, axes, lengths):
    """Enter the lengths of the axes of a value; gives a function of their number that makes the rows."""
    if axes is None:
        return lambda count: [value] * count
    if isinstance(value, ZeroGrad):
        value = value.materialize()
    parts, rebuilt = split(value)
    if parts is not None:
        made = [lengths_of(part, axis, lengths) for part, axis in zip(parts, axes_of(axes, value, parts))]
        return lambda count: [rebuilt(row) for row in zip(*(of(count) for of in made))] if made else [value] * count
    if value is None or isinstance(value, (str, bytes)) or callable(value):
        return lambda count: [value] * count
    if not isinstance(axes, (int, np.integer)) or isinstance(axes, bool):
        raise ArgumentTypeError(f'vmap: an axis is {axes!r}, and has to be a number, None, or a container like the value, '
                                f'which is a {type(value).__name__}')
    if not hasattr(value, '__array_function__') or np.ndim(value) == 0:
        raise ShapeError(f'vmap: {value!r:.60} has no axis to go along: give an array, or None in in_axes for what is the same '
                         'in each call')
    if not -value.ndim <= axes < value.ndim:
        raise ShapeError(f'vmap: an array of shape {value.shape} has no axis {axes}')
    lengths.setdefault(value.shape[axes], f'an array of shape {value.shape}')
    return lambda count: [copy(row) for row in np.moveaxis(value, axes, 0)]


def split(value):
    """(the parts of a container, a function that puts the like together); (None, None) for what is none."""
    if isinstance(value, tuple):
        return list(value), lambda parts: rebuild_tuple(type(value), parts)
    if isinstance(value, list):
        return list(value), list
    if isinstance(value, dict):
        return list(value.values()), lambda parts: dict_like(value, parts)
    if isinstance(value, collections.deque):
        return list(value), lambda parts: collections.deque(parts, value.maxlen)
    names = names_in(value)
    if names is None:
        return None, None
    return [getattr(value, name) for name in names], lambda parts: like(value, dict(zip(names, parts)))


def dict_like(value, parts):
    """A dict of the same kind and keys with other values."""
    made = {} if type(value) is dict else _copy.copy(value)
    made.update(zip(value, parts))
    return made


def names_in(value):
    """The names of what a dataclass, an object or the gradient of one holds; None for all else."""
    if is_record(value):
        return [f.name for f in dataclasses.fields(value)]
    if isinstance(value, GRADIENTS):
        return list(vars(value))
    return list(fields(value)) if is_object(value) and not callable(getattr(value, '__float__', None)) else None


def like(record, parts):
    """A dataclass, an object, or the gradient of one, with other fields."""
    made = object.__new__(type(record))
    if isinstance(record, GRADIENTS):
        for name in ('__of__', '__primal__', '__parts__'):
            if hasattr(record, name):
                object.__setattr__(made, name, getattr(record, name))
    for name, part in parts.items():
        object.__setattr__(made, name, part)
    return made


def axes_of(axes, value, parts):
    """The axes for each of the parts of a container."""
    if axes is None or isinstance(axes, (int, np.integer)):
        return [axes] * len(parts)
    found, _ = split(axes)
    if isinstance(axes, dict):
        found = [axes[key] for key in value] if isinstance(value, dict) and axes.keys() == value.keys() else None
    if found is None or isinstance(value, dict) > isinstance(axes, dict) or len(found) != len(parts):
        raise ArgumentTypeError(f'vmap: the axes {axes!r} do not have the structure of what they are for, a '
                                f'{type(value).__name__} of {len(parts)} parts')
    return found


def unrows(g, values, axes=0):
    """The gradient of the values whose rows have the gradients `g`."""
    if axes is None:
        total = init_grad(values)
        for row in g:
            total = add_grad(total, row)
        return total
    parts, rebuilt = split(values)
    if parts is None:
        return np.stack([as_leaf(row) for row in g], axis=axes) if has_gradient(values) else init_grad(values)
    columns = list(zip(*(parts_of(row, values, len(parts)) for row in g)))
    return rebuilt([unrows(column, part, axis) for column, part, axis in zip(columns, parts, axes_of(axes, values, parts))])


def parts_of(g, value, count):
    """The parts of a gradient of a container."""
    if isinstance(g, ZeroGrad):
        g = g.materialize()
    if g is None:
        return [None] * count
    if isinstance(value, dict):
        return [g.get(key) for key in value]
    names = names_in(value)
    return list(g) if names is None else [getattr(g, name) for name in names]


def as_leaf(g):
    return g.materialize() if isinstance(g, ZeroGrad) else g


def has_gradient(value):
    return getattr(getattr(value, 'dtype', None), 'kind', None) in tuple('fcOiub')


@helper(fresh=True)
def stack_rows(rows, axes=0, check=True):
    """One container of arrays of many that are alike: numbers and arrays are stacked along a new axis.

    check : refuse rows that differ in what has no axis

    Raises
    ------
    ShapeError
        If the rows have different structures or shapes, or differ where they may not.
    """
    first = rows[0]
    if axes is None:
        if check and any(not _same(first, row) for row in rows):
            raise ShapeError('vmap: out_axes is None for a result that is not the same in all calls: give it an axis')
        return copy(first)
    parts, rebuilt = split(first)
    if parts is None:
        return of_leaves([as_leaf(row) for row in rows], axes)
    for row in rows:
        if not alike_rows(first, row):
            raise ShapeError(f'vmap: the results of two calls differ in structure: {first!r:.80} and {row!r:.80}')
    columns = zip(*(parts_of(row, first, len(parts)) for row in rows))
    return rebuilt([stack_rows(column, axis, check) for column, axis in zip(columns, axes_of(axes, first, parts))])


def of_leaves(rows, axis):
    first = rows[0]
    if isinstance(first, (bool, int, float, complex, np.generic)) or hasattr(first, '__array_function__'):
        if any(row is None for row in rows):
            raise ArgumentTypeError('vmap: some calls return a number or an array, and others None: let all of them return one')
        shapes = {np.shape(row) for row in rows}
        if len(shapes) > 1:
            raise ShapeError(f'vmap: the results of two calls differ in shape: {" and ".join(map(str, list(shapes)[:2]))}')
        if not -1 - np.ndim(first) <= axis <= np.ndim(first):
            raise ShapeError(f'vmap: results of shape {np.shape(first)} cannot be stacked along a new axis {axis}')
        return np.stack(rows, axis=axis)
    if all(row is first or row == first for row in rows):
        return first
    raise ArgumentTypeError(f'vmap: results of type {type(first).__name__} that differ from call to call have no array to '
                            'stand in: return numbers, arrays, or containers of them')


def alike_rows(first, row):
    if isinstance(first, dict):
        return isinstance(row, dict) and row.keys() == first.keys()
    if isinstance(first, (tuple, list, collections.deque)):
        return isinstance(row, (tuple, list, collections.deque)) and len(row) == len(first)
    return type(row) is type(first)


def _same(a, b):
    return np.array_equal(flattened(a), flattened(b), equal_nan=True) if leaves(a) else a == b


def unstack_rows(g, rows, axes=0):
    """The gradients of rows, from that of what they were stacked to; of what all have in common the first has the gradient."""
    if axes is None:
        return [copy(g), *(init_grad(row) for row in rows[1:])]
    if isinstance(g, ZeroGrad) or g is None:
        return [init_grad(row) for row in rows]
    parts, rebuilt = split(rows[0])
    if parts is None:
        return [copy(row) for row in np.moveaxis(np.asarray(g), axes, 0)] if leaves(rows[0]) else [init_grad(r) for r in rows]
    columns = zip(*(parts_of(row, rows[0], len(parts)) for row in rows))
    each = parts_of(g, rows[0], len(parts))
    made = [unstack_rows(*a) for a in zip(each, columns, axes_of(axes, rows[0], parts))]
    return [rebuilt(row) for row in zip(*made)] if made else [init_grad(row) for row in rows]
