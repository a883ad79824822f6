"""Checks of arguments and seeds inside Numba-compiled code; what types tell is refused while Numba compiles."""
import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, register_jitable

from tangent.errors import AliasError, ShapeError
from tangent.numba.machine.extents import overlapping
from tangent.numba.overloads.core import by_parts, is_array, is_leaf, is_none, is_number
from tangent.numba.overloads.optional import overload
from tangent.numba.overloads.pages import copied
from tangent.runtime.cast import array_copy, check_apart, check_floats, shared
from tangent.runtime.seeds import WAY_OUT, check_dims, check_number, check_pair, check_scalar

MIXED = 'Shape mismatch between a return value of one element and the numbers it is made from: return its element'
MISMATCH = 'Shape mismatch between return value and seed derivative'
NOT_SCALAR = f'{MISMATCH}: {WAY_OUT}'


@overload(check_dims)
def _check_dims(y, by, *leaves):
    if is_array(y) and y.ndim and any(getattr(t, 'ndim', 0) != y.ndim for t in leaves):
        return refuse_mixed
    check = register_jitable(seed_check(y, by))
    return lambda y, by, *leaves: check(y, by)


@overload(check_pair)
def _check_pair(y):
    if not isinstance(y, types.BaseTuple) or len(y) != 2:
        raise TypingError(f'has_aux: the result is of type {y}, and has to be a pair: the number to differentiate, and one '
                          'thing more')
    return lambda y: y


@overload(check_number)
def _check_number(y, by):
    if is_array(y) and y.ndim:
        return refuse_seed
    return seed_check(y, by)


def refuse_mixed(y, by, *leaves):
    if y.size >= 0:
        raise ShapeError(MIXED)
    return y


def seed_check(y, by):
    """The function that checks a seed of these types."""
    if isinstance(y, (types.Boolean, types.NoneType, types.UnicodeType)):
        raise TypingError(f'The result is of type {y}: it has no gradient')
    if isinstance(getattr(y, 'dtype', y), types.Complex):
        raise TypingError('The result is complex: derivatives through complex numbers are not supported yet')
    if is_none(by):
        return lambda y, by: by
    if isinstance(y, types.BaseTuple) and isinstance(by, types.BaseTuple) and len(y) == len(by):
        return by_parts(check_dims, by, 'y', 'by')
    if is_array(y) and is_array(by) and y.ndim == by.ndim:
        return check_shapes
    if not is_leaf(y) or not is_leaf(by) or is_array(by) and by.ndim:
        raise TypingError(f'{MISMATCH}: {y} and {by}')
    if is_number(y) or y.ndim == 0:
        return (lambda y, by: by[()]) if is_array(by) else (lambda y, by: by)
    return fill_seed if y.ndim == 1 else refuse_seed


def check_shapes(y, by):
    if y.shape != by.shape:
        raise ShapeError(MISMATCH)
    return by


def fill_seed(y, by):
    if y.shape[0] != 1:
        raise ShapeError(NOT_SCALAR)
    return np.full(1, by)


def refuse_seed(y, by):
    if y.size >= 0:                 # always; Numba must see a path that returns
        raise ShapeError(NOT_SCALAR)
    return by


@overload(check_scalar)
def _check_scalar(by):
    if not is_number(by) and not (is_array(by) and by.ndim == 0):
        raise TypingError(f'{MISMATCH}: a number and {by}')
    return (lambda by: by[()]) if is_array(by) else (lambda by: by)


@infer_global(check_apart)
class TypeApart(AbstractTemplate):
    key, prefer_literal = check_apart, True

    def generic(self, args, keywords):
        return signature(types.none, *args) if isinstance(args[0], types.StringLiteral) else None


@lower_builtin(check_apart, types.StringLiteral, types.VarArg(types.Any))
def _check_apart(context, builder, sig, args):
    """Written in machine code, which reads where arrays lie and takes no references to them."""
    names, *arrays = sig.args
    count = len(names.literal_value.partition(' | ')[0].split(', '))
    told = names.literal_value.replace(' | ', ', ').split(', ')
    for k, j, shares in overlapping(context, builder, arrays, args[1:], count):
        with builder.if_then(shares, likely=False):
            context.call_conv.return_user_exc(builder, AliasError, (shared(told[k], told[j]),))
    return context.get_dummy_value()


@overload(check_floats)
def _check_floats(x):
    if isinstance(getattr(x, 'dtype', None), (types.Integer, types.Boolean)):
        raise TypingError('Values with a derivative are written into an array of integers, which cuts off their fraction')
    return lambda x: x


@overload(array_copy)
def _array_copy(x, axes=None):
    if not is_array(x):
        raise TypingError(f'The derivative was made for a function that writes into an array; {x} was given')
    if isinstance(x.dtype, (types.Integer, types.Boolean)):
        raise TypingError('The function writes into an array of integers, which would cut off derivatives: pass floats')
    if isinstance(getattr(axes, 'literal_value', axes), int) and getattr(axes, 'literal_value', axes) != x.ndim:
        raise TypingError(f'The function writes to elements by {axes} indices, but the array has {x.ndim} axes')
    return (lambda x, axes=None: copied(x)) if x.layout == 'C' else lambda x, axes=None: x.copy()
