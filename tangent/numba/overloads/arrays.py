"""Joining, picking and spacing inside Numba-compiled code: the gradients of what NumPy makes of several arrays."""
from __future__ import annotations

import functools

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import is_array, is_leaf, is_number, ranks
from tangent.numba.overloads.rules import absent
from tangent.runtime import array_api
from tangent.runtime.api import init_grad, unbroadcast
from tangent.runtime.functions import elementwise, numeric
from tangent.runtime.references import numpy as references

DIVIDING = functools.partial(loops.jit, error_model='numpy')      # of which a division by 0 is no error


def known(argument):
    """The value of an argument that the text gives or leaves out, else None."""
    for name in ('literal_value', 'value'):
        if hasattr(argument, name):
            return getattr(argument, name)
    return argument if isinstance(argument, (bool, int, str)) else None


# Joining

@overload(elementwise.unconcatenate)
def _unappended(d, arrays, axis=0):
    """Of arrays that are laid flat before they are joined."""
    if not absent(axis) or not isinstance(arrays, types.BaseTuple) or ranks(d) != (1,):
        return None
    lines, start, parts = ['def impl(d, arrays, axis=0):', '    end0 = 0'], 'end0', []
    for k, array in enumerate(arrays):
        size, end = f'arrays[{k}].size' if is_array(array) else '1', f'end{k + 1}'
        lines.append(f'    {end} = {start} + {size}')
        parts.append(f'unbroadcast(d[{start}:{end}].reshape(arrays[{k}].shape), arrays[{k}])' if is_array(array)
                     else f'unbroadcast(d[{start}], arrays[{k}])')
        start = end
    return loops.build('\n'.join([*lines, f'    return ({", ".join(parts)},)']), unbroadcast=unbroadcast)


@overload(elementwise.unhstack)
def _unhstack(d, arrays):
    if not isinstance(arrays, types.BaseTuple) or not is_array(d):
        return None
    text = f'def impl(d, arrays):\n    return unconcatenate(d, arrays, {min(1, d.ndim - 1)})'
    return loops.build(text, unconcatenate=elementwise.unconcatenate)


@overload(elementwise.unstack, prefer_literal=True)
def _unstack(d, arrays, axis=0):
    place = known(axis)
    if not isinstance(arrays, types.BaseTuple) or not isinstance(place, int) or not is_array(d):
        return None
    skip = ':, ' * (place % d.ndim)
    parts = ''.join(f'unbroadcast(d[{skip}{k}], arrays[{k}]), ' for k in range(len(arrays)))
    return loops.build(f'def impl(d, arrays, axis=0):\n    return ({parts})', unbroadcast=unbroadcast)


# Spacing

@overload(numeric.unlinspace)
def _unlinspace(d, start, stop, num=50, endpoint=True):
    if ranks(d, start, stop) != (1, 0, 0) or known(endpoint) is not True and not isinstance(endpoint, types.Omitted):
        return None

    def impl(d, start, stop, num=50, endpoint=True):
        total = 0.0
        for k in range(d.size):
            total += d[k] * (start + (stop - start) * (k / max(d.size - 1, 1)))
        return total
    return impl


@overload(numeric.push_arange)
def _push_arange(y, dstart, stop, dstep):
    if ranks(dstart, dstep) != (0, 0):
        return None
    if absent(stop):
        return lambda y, dstart, stop, dstep: np.zeros(y.size)
    return lambda y, dstart, stop, dstep: dstart + dstep * np.arange(y.size)


@overload(numeric.unvander)
def _unvander(d, x, increasing=False):
    def impl(d, x, increasing=False):
        out = init_grad(x)
        last = d.shape[1] - 1
        for i in range(x.size):
            for j in range(d.shape[1]):
                k = j if increasing else last - j
                if k:
                    out[i] += d[i, j] * k * x[i] ** (k - 1)
        return out
    return impl if ranks(d, x) == (2, 1) else None


@overload(numeric.push_vander)
def _push_vander(dx, x, y, increasing=False):
    def impl(dx, x, y, increasing=False):
        out = np.zeros_like(y)
        for i in range(x.size):
            for j in range(y.shape[1]):
                k = j if increasing else y.shape[1] - 1 - j
                if k:
                    out[i, j] = dx[i] * k * x[i] ** (k - 1)
        return out
    return impl if ranks(dx, x) == (1, 1) else None


# Picking

@overload(elementwise.untake_along_axis, prefer_literal=True)
def _untake_along_axis(d, a, indices, axis=-1):
    place = known(axis)
    if not isinstance(place, int) or ranks(d, a, indices) not in ((1, 1, 1), (2, 2, 2)):
        return None
    if a.ndim == 1:
        target, nest = 'out[indices[i]]', '    for i in range(d.size):\n        {} += d[i]'
    else:
        target = 'out[indices[i, j], j]' if place % 2 == 0 else 'out[i, indices[i, j]]'
        nest = '    for i in range(d.shape[0]):\n        for j in range(d.shape[1]):\n            {} += d[i, j]'
    text = 'def impl(d, a, indices, axis=-1):\n    out = init_grad(a)\n' + nest.format(target) + '\n    return out'
    return loops.build(text, init_grad=init_grad)


@overload(elementwise.unitem)
def _unitem(d, a, args):
    if not is_number(d) or not isinstance(args, types.BaseTuple) or len(args) > 1:
        return None
    if len(args):
        def at_place(d, a, args):
            out = init_grad(a).ravel()
            out[args[0]] = d
            return out.reshape(a.shape)
        return at_place if is_array(a) else None
    return (lambda d, a, args: unbroadcast(d, a)) if is_leaf(a) else None


@overload(elementwise.unselect)
def _unselect(d, conditions, choices):
    if not isinstance(choices, (types.List, types.BaseTuple)):
        return None
    if isinstance(choices, types.BaseTuple):
        return None

    def impl(d, conditions, choices):
        free = conditions[0] | True
        found = []
        for k in range(len(choices)):
            found.append(unbroadcast(np.where(free & conditions[k], d, 0.0), choices[k]))
            free = free & ~conditions[k]
        return found
    return impl


# Orders

@overload(elementwise.sort_order)
def _sort_order(a, axis=-1):
    return (lambda a, axis=-1: np.argsort(a, kind='mergesort')) if ranks(a) == (1,) else None


# What references of NumPy's functions ask for

@overload(references.parted)
def _parted(a, kth, axis):
    def impl(a, kth, axis):
        out = np.empty(a.size, np.intp)
        out[np.argsort(np.partition(a, kth), kind='mergesort')] = np.argsort(a, kind='mergesort')
        return out
    return impl if ranks(a) == (1,) else None


@overload(references.whole)
def _whole(at, last, greatest):
    if is_number(at):
        return lambda at, last, greatest: last if np.isnan(greatest) else min(max(int(np.floor(at)), 0), max(last - 1, 0))

    def impl(at, last, greatest):
        low = np.minimum(np.maximum(np.floor(at).astype(np.int64), 0), max(last - 1, 0))
        return np.full_like(low, last) if np.isnan(greatest) else low
    return impl


@overload(references.piece)
def _piece(x, xp):
    return lambda x, xp: np.minimum(np.maximum(np.searchsorted(xp, x, side='right') - 1, 0), xp.size - 2)


register_jitable(references.as_rows)


@overload(references.matrix_shape)
def _matrix_shape(c):
    return lambda c: c.shape


@overload(array_api.as_array)
def _as_array(x, dtype=None):
    return (lambda x, dtype=None: x) if is_leaf(x) else lambda x, dtype=None: np.asarray(x)


@overload(array_api.beside)
def _beside(x, *values):
    return lambda x, *values: x


@overload(array_api.counted)
def _counted(n, *values):
    return lambda n, *values: np.arange(n)


@overload(np.ndim)
def _ndim(a):
    rank = getattr(a, 'ndim', 0)
    return lambda a: rank


@overload(np.shape)
def _shape(a):
    return (lambda a: ()) if is_number(a) else None


