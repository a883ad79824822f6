"""Joining, picking and spacing inside Numba-compiled code: the gradients of what NumPy makes of several arrays."""
import functools

import numpy as np
from numba.core import types

from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import absent, as_written, is_array, is_leaf, is_number, ranks, stands_for
from tangent.numba.overloads.optional import overload
from tangent.runtime.api import init_grad, unbroadcast
from tangent.runtime.array_api import beside, counted
from tangent.runtime.functions import elementwise
from tangent.runtime.functions.numpy import arrays as helpers_arrays
from tangent.runtime.functions.numpy import numeric

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

@functools.partial(stands_for, numeric.unlinspace, complex_too=True, when=lambda d, start, stop, num=50, endpoint=True: ranks(
    d, start, stop) == (1, 0, 0) and (known(endpoint) is True or isinstance(endpoint, types.Omitted)))
def _unlinspace(d, start, stop, num=50, endpoint=True):
    total = 0.0
    for k in range(d.size):
        total += d[k] * (start + (stop - start) * (k / max(d.size - 1, 1)))
    return total


@overload(numeric.push_arange)
def _push_arange(y, dstart, stop, dstep):
    if ranks(dstart, dstep) != (0, 0):
        return None
    if absent(stop):
        return lambda y, dstart, stop, dstep: np.zeros(y.size)
    return lambda y, dstart, stop, dstep: dstart + dstep * np.arange(y.size)


as_written(numeric.unvander, numeric.push_vander, numeric.slopes_of_powers, numeric.exponents)
stands_for(beside, lambda x, *values: x)
stands_for(counted, lambda n, *values: np.arange(n))


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


@functools.partial(stands_for, elementwise.unselect, complex_too=True,
                   when=lambda d, conditions, choices: isinstance(choices, types.List))
def _unselect(d, conditions, choices):
    free = conditions[0] | True
    found = []
    for k in range(len(choices)):
        found.append(unbroadcast(np.where(free & conditions[k], d, 0.0), choices[k]))
        free = free & ~conditions[k]
    return found


# Lines through points: nodes may lie upon each other

@DIVIDING
def piece(x, xp):
    """(number of the piece, which part of it lies behind) of a number between nodes."""
    k = min(max(np.searchsorted(xp, x, side='right') - 1, 0), xp.size - 2)
    return k, min(max((x - xp[k]) / (xp[k + 1] - xp[k]), 0.0), 1.0)


@DIVIDING
def slope_at(x, xp, fp):
    if not (x >= xp[0] and x < xp[-1]):
        return 0.0
    k = piece(x, xp)[0]
    return (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k])


@overload(numeric.interp_slope)
def _interp_slope(x, xp, fp, left=None, right=None, period=None):
    if not all(map(absent, (left, right, period))) or ranks(xp, fp) != (1, 1):
        return None
    if is_number(x):
        return lambda x, xp, fp, left=None, right=None, period=None: slope_at(x, xp, fp)

    def impl(x, xp, fp, left=None, right=None, period=None):
        out = init_grad(x).ravel()
        flat = x.ravel()
        for i in range(out.size):
            out[i] = slope_at(flat[i], xp, fp)
        return out.reshape(x.shape)
    return impl


@DIVIDING
def fp_at(d, x, xp, fp, out):
    k, part = piece(x, xp)
    out[k] += d * (1 - part)
    out[k + 1] += d * part


@DIVIDING
def xp_at(d, x, xp, fp, out):
    if x >= xp[0] and x <= xp[-1]:
        k, part = piece(x, xp)
        slope = d * (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k])
        out[k] -= slope * (1 - part)
        out[k + 1] -= slope * part


def overload_nodes(function, at, options, like):
    """Overload a gradient of `numpy.interp` that adds, for each number that is looked up, to the two nodes beside it."""
    start = f'def impl(d, x, xp, fp, {options}):\n    out = init_grad({like})\n'
    number, several = (loops.build(start + rest, at=at, init_grad=init_grad) for rest in ("""    at(d, x, xp, fp, out)
    return out""", """    flat, owed = x.ravel(), d.ravel()
    for i in range(flat.size):
        at(owed[i], flat[i], xp, fp, out)
    return out"""))

    @overload(function)
    @functools.wraps(number)
    def choose(d, x, xp, fp, *rest, **options):
        if not all(map(absent, (*rest, *options.values()))) or ranks(xp, fp) != (1, 1) or is_array(d) != is_array(x):
            return None
        return number if is_number(x) else several


overload_nodes(numeric.uninterp, fp_at, 'left=None, right=None, period=None', 'fp')
overload_nodes(numeric.uninterp_nodes, xp_at, 'period=None', 'xp')


@overload(numeric.push_interp)
def _push_interp(dx, dxp, dfp, dleft, dright, x, xp, fp, left=None, right=None, period=None):
    if not all(map(absent, (left, right, period))) or ranks(xp, fp) != (1, 1):
        return None
    slope, moved = (f'{name}[k] * (1 - part) + {name}[k + 1] * part' if is_array(t) else '0.0'
                    for name, t in (('dxp', dxp), ('dfp', dfp)))
    one = f"""def one(dx, dxp, dfp, x, xp, fp):
    k, part = piece(x, xp)
    slope = slope_at(x, xp, fp)
    return dx * slope + ({moved}) - slope * ({slope})"""
    namespace = {'piece': piece, 'slope_at': slope_at}
    exec(one, namespace)                    # our own text, made of which arguments have tangents
    at = DIVIDING(namespace['one'])
    if is_number(x):
        return lambda dx, dxp, dfp, dleft, dright, x, xp, fp, left=None, right=None, period=None: at(dx, dxp, dfp, x, xp, fp)
    which = 'flat_dx[i]' if is_array(dx) else '0.0'
    text = f"""def impl(dx, dxp, dfp, dleft, dright, x, xp, fp, left=None, right=None, period=None):
    flat, out = x.ravel(), np.empty(x.size)
    {'flat_dx = dx.ravel()' if is_array(dx) else ''}
    for i in range(flat.size):
        out[i] = at({which}, dxp, dfp, flat[i], xp, fp)
    return out.reshape(x.shape)"""
    return loops.build(text, at=at)


# Orders and weights

stands_for(elementwise.sort_order, lambda a, axis=-1: np.argsort(a, kind='mergesort'), complex_too=True,
           when=lambda a, axis=-1: ranks(a) == (1,))


@functools.partial(stands_for, helpers_arrays.partition_order, complex_too=True, when=lambda a, y, axis=-1: ranks(a) == (1,))
def _partition_order(a, y, axis=-1):
    out = np.empty(a.size, np.intp)
    out[np.argsort(y, kind='mergesort')] = np.argsort(a, kind='mergesort')
    return out


stands_for(numeric.shares, lambda a, weights, axis=None: weights / np.sum(weights), complex_too=True,
           when=lambda a, weights, axis=None: absent(axis) and ranks(a) == ranks(weights))
stands_for(numeric.unaverage, lambda d, a, y, weights, axis=None, keepdims=False: unbroadcast(
    d * (a - y) / np.sum(weights), weights), complex_too=True, when=lambda d, a, y, weights, axis=None, keepdims=False: absent(
        axis) and ranks(a) == ranks(weights) and ranks(d) == (0,))


@overload(numeric.push_average)
def _push_average(da, dw, a, y, weights, axis=None, keepdims=False):
    if not absent(axis) or not is_array(da):
        return None
    if absent(weights):
        return lambda da, dw, a, y, weights, axis=None, keepdims=False: np.mean(da)
    if is_array(dw):
        return lambda da, dw, a, y, weights, axis=None, keepdims=False: np.sum(da * weights + dw * (a - y)) / np.sum(weights)
    return lambda da, dw, a, y, weights, axis=None, keepdims=False: np.sum(da * weights) / np.sum(weights)
