"""The run time of forward mode inside Numba-compiled code, and tangents of rules that Numba has no functions for."""
import functools

import numpy as np
from numba.core import types
from numba.core.errors import TypingError

from tangent.errors import ShapeError
from tangent.numba.machine.simd import has_simd
from tangent.numba.machine.simd_arrays import spread_like
from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import absent, by_parts, gradient_dtype, is_array, is_leaf, is_none, stands_for
from tangent.numba.overloads.optional import overload
from tangent.runtime.api import init_grad, unbroadcast
from tangent.runtime.functions import elementwise
from tangent.runtime.functions.numpy import numeric
from tangent.runtime.tangents import zeros

MISMATCH = 'Shape mismatch between argument value and its tangent'


@overload(zeros.check_tangent)
def _check_tangent(x, dx):
    check, zero = zeros.check_tangent, zeros.zero_tangent
    if isinstance(x, types.BaseTuple):
        if isinstance(dx, types.BaseTuple) and len(dx) == len(x):
            return by_parts(check, x, 'x', 'dx')
        raise TypingError(f'{MISMATCH}: {x} and {dx}')
    if isinstance(x, types.List) and isinstance(dx, types.List):
        return lambda x, dx: [check(x[k], dx[k]) for k in range(len(x))]
    if isinstance(dx, types.NoneType):
        return lambda x, dx: zero(x)
    if not is_leaf(x) or not is_leaf(dx) or isinstance(x, types.Boolean) or is_array(x) != is_array(dx) \
            or getattr(x, 'ndim', 0) != getattr(dx, 'ndim', 0):
        raise TypingError(f'{MISMATCH}: {x} and {dx}')
    return check_same if is_array(x) else lambda x, dx: unbroadcast(dx, x)


def check_same(x, dx):
    if x.shape != dx.shape:
        raise ShapeError(MISMATCH)
    return unbroadcast(dx, x)


@overload(zeros.zero_tangent)
def _zero_tangent(x):
    zero = zeros.zero_tangent
    if isinstance(x, types.BaseTuple):
        return by_parts(zero, x, 'x')
    if isinstance(x, types.List):
        return lambda x: [zero(v) for v in x]
    return (lambda x: init_grad(x)) if is_leaf(x) else lambda x: None


@overload(zeros.grown_like)
@overload(zeros.broadcast_like)
def _broadcast_like(d, x):
    if has_simd(d):
        return spread_like(d, x)
    if not is_leaf(d) or not is_leaf(x):
        return lambda d, x: d
    return lambda d, x: unbroadcast(d, x)


@overload(zeros.overwrite)
def _overwrite(d, value):
    if not is_array(d):
        return lambda d, value: value

    def impl(d, value):
        d[...] = value
        return d
    return impl


@overload(zeros.float_array)
def _float_array(dx, dtype=None):
    if isinstance(dx, (types.List, types.UniTuple)) and isinstance(dx.dtype, types.Float) and absent(dtype):
        return lambda dx, dtype=None: np.array(dx)
    if isinstance(dtype, types.NumberClass) and isinstance(dtype.dtype, types.Integer) and is_leaf(dx):
        return lambda dx, dtype=None: init_grad(dx)
    if not is_leaf(dx) or not isinstance(dtype, (types.Omitted, types.NoneType)) and dtype is not None:
        return None
    number = gradient_dtype(dx)
    return lambda dx, dtype=None: np.array(dx, number)


stands_for(zeros.float_asarray, lambda dx, dtype=None: dx, complex_too=True, when=lambda dx, dtype=None: is_array(dx))
stands_for(zeros.conjugate_beside, lambda dx, x, y: np.conj(dx), complex_too=True)


@overload(zeros.array_beside)
def _array_beside(dx, x, y, dtype=None):
    if not is_array(dx):
        return None
    number = gradient_dtype(dx)
    if is_array(x) and (x.layout, x.dtype) == (y.layout, y.dtype):                  # then Numba gives the array itself
        return lambda dx, x, y, dtype=None: dx
    return lambda dx, x, y, dtype=None: dx.astype(number)


@overload(elementwise.push_extreme)
def _push_extreme(y, values, tangents):
    push, share = elementwise.push_extreme, elementwise.share
    if not isinstance(values, types.BaseTuple):
        number = gradient_dtype(y).type

        def of_items(y, values, tangents):
            count, total = number(0), number(0)
            for k in range(len(values)):
                if values[k] == y:
                    count += 1
                    total += tangents[k]
            return total / count
        return of_items
    if len(values) == 1:
        return lambda y, values, tangents: push(y, values[0], tangents[0])
    terms = [f'tangents[{k}] * share(values[{k}], y, values)' for k in range(len(values)) if not is_none(tangents[k])]
    return loops.build(f'def impl(y, values, tangents):\n    return {" + ".join(terms) or "0.0 * y"}', share=share)


@functools.partial(stands_for, numeric.push_cumprod, complex_too=True,
                   when=lambda da, a, y, axis=None: is_array(a) and (absent(axis) or a.ndim == 1))
def _push_cumprod(da, a, y, axis=None):
    flat, moved = a.ravel(), da.ravel()
    out = np.empty(y.shape, moved.dtype)
    for k in range(flat.size):
        out[k] = out[k - 1] * flat[k] + y[k - 1] * moved[k] if k else moved[k]
    return out
