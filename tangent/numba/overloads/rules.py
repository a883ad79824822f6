"""The run-time functions of the rule tables inside Numba-compiled code: those whose primal Numba can compile.

As in `overloads.core`, types choose the code; what is not overloaded here is refused by Numba with its own message.
"""
import functools
import math

import numba
import numpy as np
from numba.core import types
from numba.core.errors import TypingError

from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import (
    absent,
    as_written,
    gradient_dtype,
    is_array,
    is_leaf,
    is_number,
    ranks,
    stands_for,
)
from tangent.numba.overloads.optional import overload
from tangent.runtime.api import add_at, init_grad, unbroadcast, unreduce_like
from tangent.runtime.cast import check_element
from tangent.runtime.functions import containers, custom, elementwise, plain, real
from tangent.runtime.functions.numpy import numeric

# Values at edges: as ufuncs, so that they take numbers and arrays in any mixture

@numba.vectorize
def ratio(x, y):
    return x / y if y != 0 else 0.0


@numba.vectorize
def share_of_squares(x, y):
    size = np.hypot(x, y)
    return x / size / size if size != 0 else 0.0


@numba.vectorize
def slope_of_sinc(x, n):
    if abs(x) < 0.5 * n:
        total = 0.0
        for k in range((n + 1) // 2, 12 + 3 * n):
            factor = math.pi ** (2 * k) / (math.gamma(2.0 * k - n + 1) * (2 * k + 1))
            total += (factor if k % 2 == 0 else -factor) * x ** (2 * k - n)
        return total
    found = np.sin(math.pi * x) / (math.pi * x)
    for k in range(1, n + 1):
        found = (math.pi ** (k - 1) * np.sin(math.pi * x + k * math.pi / 2) - k * found) / x
    return found


@numba.vectorize
def power_dx(x, y):
    return y * (x * 1.0) ** (y - 1) if y != 0 else 0.0


@numba.vectorize
def power_dy(x, y, z):
    return z * np.log(x if x != 0 else x + 1.0)


stands_for(real.sign, lambda x: np.sign(x))
stands_for(real.unslogdet, lambda d, a: d * np.linalg.inv(a).T)
stands_for(elementwise.safe_divide, lambda x, y: ratio(x, y))
stands_for(numeric.sinc_slope, lambda x, n=1: slope_of_sinc(x, n))
stands_for(numeric.by_squares, lambda x, y: share_of_squares(x, y), complex_too=True)
stands_for(elementwise.dpower_dx, lambda x, y: power_dx(x, y), complex_too=True)
stands_for(elementwise.dpower_dy, lambda x, y, z: power_dy(x, y, z), complex_too=True)
stands_for(real.unreal, lambda d, x: unbroadcast(d, x))
stands_for(real.unimag, lambda d, x: init_grad(x))


def of_all(a, axis=None):
    """Whether something is of all elements of an array, as types tell."""
    return is_array(a) and absent(axis)


stands_for(real.centred, lambda a, axis=None: a - np.mean(a), when=of_all)
stands_for(plain.centred, lambda a, axis=None: a - np.mean(a), complex_too=True, when=of_all)
for nancentred in plain.nancentred, real.nancentred:
    stands_for(nancentred, lambda a, axis=None: np.where(np.isnan(a), 0.0, a - np.nanmean(a)), when=of_all)


@overload(custom.of_rule)
def _of_rule(found):
    if not isinstance(found, types.BaseTuple) or len(found) != 2:
        raise TypingError('the rule of a custom_jvp has to return a pair, the value and its tangent')
    return lambda found: found


@overload(custom.fitting)
def _fitting(g, x, name, k):
    if is_array(x) and is_array(g):
        return lambda g, x, name, k: unbroadcast(g, x)
    if is_array(x) or is_array(g):
        raise TypingError('the rule of a function made a gradient that is a number for an array, or an array for a number')
    return lambda g, x, name, k: g


as_written(elementwise.digamma)


# Extrema, sums and products

@functools.partial(stands_for, elementwise.ties, complex_too=True,
                   when=lambda a, y, axis=None, keepdims=False: of_all(a, axis) and is_number(y))
def _ties(a, y, axis=None, keepdims=False):
    equal = a == y
    return unbroadcast(equal / np.sum(equal), a)


@overload(elementwise.share)
def _share(x, y, values):
    if isinstance(values, types.BaseTuple):
        count = ' + '.join(f'(values[{i}] == y)' for i in range(len(values)))
        return loops.build(f'def impl(x, y, values):\n    return (x == y) / (0.0 + {count})')

    def impl(x, y, values):
        count = 0.0
        for value in values:
            count += value == y
        return (x == y) / count
    return impl


@overload(elementwise.unextreme)
def _unextreme(d, y, values):
    share, ties = elementwise.share, elementwise.ties
    if isinstance(values, types.BaseTuple):
        items = ''.join(f'd * share(values[{i}], y, values), ' for i in range(len(values)))
        return loops.build(f'def impl(d, y, values):\n    return ({items})', share=share)
    if is_array(values):
        return lambda d, y, values: d * ties(values, y)
    return lambda d, y, values: [d * share(value, y, values) for value in values]


@overload(elementwise.unsum)
def _unsum(d, values):
    if isinstance(values, types.BaseTuple):
        items = ''.join(f'unbroadcast(d, values[{i}]), ' for i in range(len(values)))
        return loops.build(f'def impl(d, values):\n    return ({items})', unbroadcast=unbroadcast)
    if is_array(values):
        return lambda d, values: unreduce_like(d, values, 0)
    return lambda d, values: [unbroadcast(d, value) for value in values]


@overload(elementwise.product_of_others)
def _product_of_others(a, axis=None):
    if not is_array(a) or not absent(axis):
        return None
    number = gradient_dtype(a).type

    def impl(a, axis=None):
        flat = a.ravel()
        out = np.ones(flat.size, number)
        for i in range(1, flat.size):
            out[i] = out[i - 1] * flat[i - 1]
        after = number(1)
        for i in range(flat.size - 1, -1, -1):
            out[i] *= after
            after *= flat[i]
        return out.reshape(a.shape)
    return impl


@overload(elementwise.uncumsum)
def _uncumsum(d, a, axis=None):
    if not is_array(a) or not (absent(axis) or a.ndim == 1):
        return None
    number = gradient_dtype(a).type

    def impl(d, a, axis=None):
        out = np.empty(a.size, number)
        owed = number(0)
        for i in range(a.size - 1, -1, -1):
            owed += d[i]
            out[i] = owed
        return out.reshape(a.shape)
    return impl


@overload(elementwise.uncumprod)
def _uncumprod(d, a, y, axis=None):
    if not is_array(a) or not (absent(axis) or a.ndim == 1):
        return None
    number = gradient_dtype(a).type

    def impl(d, a, y, axis=None):
        flat = a.ravel()
        out = np.empty(flat.size, number)
        owed = number(0)
        for i in range(flat.size - 1, -1, -1):
            owed += d[i]
            out[i] = owed * y[i - 1] if i else owed
            owed *= flat[i]
        return out.reshape(a.shape)
    return impl


# Orders, joining, picking

@overload(elementwise.unsort)
def _unsort(d, a, axis=-1):
    if not is_array(a) or a.ndim != 1:
        return None
    number = gradient_dtype(a).type

    def impl(d, a, axis=-1):
        out = np.empty(a.size, number)
        out[np.argsort(a, kind='mergesort')] = d
        return out
    return impl


@functools.partial(stands_for, elementwise.middle, complex_too=True, when=of_all)
def _middle(a, axis=None):
    order = np.argsort(a.ravel(), kind='mergesort')
    out = np.zeros(a.size)
    out[order[(a.size - 1) // 2]] += 0.5
    out[order[a.size // 2]] += 0.5
    return out.reshape(a.shape)


stands_for(elementwise.untake, lambda d, a, indices, axis=None: add_at(init_grad(a.ravel()), indices, d).reshape(a.shape),
           complex_too=True, when=lambda d, a, indices, axis=None: is_array(a) and (absent(axis) or a.ndim == 1))


@overload(elementwise.unrepeat)
def _unrepeat(d, a, repeats, axis=None):
    if not is_array(a) or not isinstance(repeats, types.Integer) or not (absent(axis) or a.ndim == 1):
        return None
    number = gradient_dtype(a).type

    def impl(d, a, repeats, axis=None):
        out = np.zeros(a.size, number)
        for i in range(d.size):
            out[i // repeats] += d[i]
        return out.reshape(a.shape)
    return impl


@overload(elementwise.undiff)
def _undiff(d, a, n=1, axis=-1):
    if not is_array(a) or a.ndim != 1 and (a.ndim != 2 or not isinstance(axis, types.Omitted) and axis != -1):
        return None
    row = ':, ' if a.ndim == 2 else ''
    shape = '(d.shape[0], d.shape[1] + 1)' if a.ndim == 2 else 'd.size + 1'
    return loops.build(f"""def impl(d, a, n=1, axis=-1):
    for _ in range(n):
        longer = np.zeros({shape}, d.dtype)
        longer[{row}1:] += d
        longer[{row}:-1] -= d
        d = longer
    return unbroadcast(d, a)""", unbroadcast=unbroadcast)


@overload(elementwise.unconcatenate, prefer_literal=True)
def _unconcatenate(d, arrays, axis=0):
    place = axis if isinstance(axis, int) else getattr(axis, 'literal_value', getattr(axis, 'value', None))
    if not isinstance(arrays, types.BaseTuple) or not isinstance(place, int) or not is_array(d):
        return None
    lines, end = ['def impl(d, arrays, axis=0):', f'    others = max(1, d.size // max(1, d.shape[{place}]))'], '0'
    skip = ':, ' * (place % d.ndim)
    for i, array in enumerate(arrays):
        own = f'arrays[{i}].shape[{place}]' if array.ndim == d.ndim else f'arrays[{i}].size // others'      # rows of vstack
        lines += [f'    start{i} = {end}', f'    end{i} = start{i} + {own}']
        end = f'end{i}'
    pieces = [f'd[{skip}start{i}:end{i}]' for i in range(len(arrays))]
    pieces = [p if a.ndim == d.ndim else f'np.ascontiguousarray({p}).reshape(arrays[{i}].shape)'
              for i, (p, a) in enumerate(zip(pieces, arrays))]
    parts = ''.join(f'unbroadcast({p}, arrays[{i}]), ' for i, p in enumerate(pieces))
    return loops.build('\n'.join([*lines, f'    return ({parts})']), unbroadcast=unbroadcast)


@overload(elementwise.unarray)
def _unarray(d, x, dtype=None):
    if isinstance(dtype, types.NumberClass) and isinstance(dtype.dtype, types.Integer) and is_leaf(x):
        return lambda d, x, dtype=None: init_grad(x)
    if not absent(dtype) and not (isinstance(dtype, types.NumberClass) and isinstance(dtype.dtype, types.Float)):
        return None
    if is_leaf(x):
        return lambda d, x, dtype=None: unbroadcast(d, x)
    unarray = elementwise.unarray
    if isinstance(x, types.BaseTuple):
        items = ''.join(f'unarray(d[{i}], x[{i}]), ' for i in range(len(x)))
        return loops.build(f'def impl(d, x, dtype=None):\n    return ({items})', unarray=unarray)
    return lambda d, x, dtype=None: [unarray(d[i], x[i]) for i in range(len(x))]


@overload(elementwise.undiag)
def _undiag(d, v, k=0):
    if is_array(v) and v.ndim == 1:
        return lambda d, v, k=0: unbroadcast(np.diag(d, k), v)
    return lambda d, v, k=0: _on_diagonal(d, v, k)


@numba.njit
def _on_diagonal(d, a, offset):
    out = init_grad(a)
    row, column = max(-offset, 0), max(offset, 0)
    for i in range(min(a.shape[0] - row, a.shape[1] - column)):
        out[row + i, column + i] = d[i]
    return out


stands_for(elementwise.undiagonal, lambda d, a, offset=0, axis1=0, axis2=1: _on_diagonal(d, a, offset), complex_too=True,
           when=lambda d, a, offset=0, axis1=0, axis2=1: ranks(a) == (2,))
stands_for(elementwise.untrace,
           lambda d, a, offset=0, axis1=0, axis2=1: _on_diagonal(np.full(min(a.shape), d), a, offset), complex_too=True)


@overload(containers.joined_part)
def _joined_part(d, x, other, last):
    if is_leaf(x):
        return lambda d, x, other, last: unbroadcast(d, x)
    if isinstance(x, types.List) and isinstance(other, types.List):
        return lambda d, x, other, last: d[len(other):] if last else d[:len(x)]
    if isinstance(x, types.BaseTuple) and isinstance(other, types.BaseTuple):
        before, size = len(other), len(x)
        return lambda d, x, other, last: d[before:] if last else d[:size]
    return None


stands_for(containers.unrepeated, lambda d, x, n: unbroadcast(d * n, x), complex_too=True,
           when=lambda d, x, n: is_leaf(x) and is_leaf(n))


@overload(check_element)
def _check_element(x):
    if not is_number(x):
        raise TypingError(f'x += v is taken for x = x + v, as for numbers, where x has another name, too; here it is '
                          f'{x}: write x = x + v, or work on a copy')
    return lambda x: None
