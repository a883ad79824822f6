"""The run time inside Numba-compiled code: one overload for each helper that emitted code calls.

Types choose the code while Numba compiles, so a call that has nothing to do costs nothing. Semantics are those of the
functions overloaded. Where ranks decide how many loops there are, the loops are written as text by `loop_nests`.
"""
import functools
import inspect

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.np.numpy_support import as_dtype

from tangent.numba.options import add_field, add_item, backwards, put_field
from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.optional import overload
from tangent.numba.overloads.pages import copied, zeros
from tangent.runtime import api
from tangent.runtime.api import (
    add_at,
    add_grad,
    astype,
    copy,
    copy_alike,
    copy_along,
    init_grad,
    shapes_match,
    unbroadcast,
    zero_gradient,
)
from tangent.runtime.functions.lists import own_gradient, own_parts, writeable
from tangent.runtime.functions.real import WAY_OUT
from tangent.runtime.zeros import FLOAT64

ODD_INDICES = types.EllipsisType, types.NoneType


def is_number(t):
    return isinstance(t, (types.Number, types.Boolean))


def is_array(t):
    return isinstance(t, types.Array)


def is_leaf(t):
    return is_number(t) or is_array(t)


def ranks(*arguments):
    return tuple(t.ndim if is_array(t) else 0 for t in arguments)


def is_none(t):
    return isinstance(t, types.NoneType)


def gradient_dtype(t):
    """The NumPy dtype of the gradient of a number or array of Numba type `t`."""
    dtype = t.dtype if isinstance(t, types.Array) else t
    return as_dtype(dtype) if isinstance(dtype, (types.Float, types.Complex)) else FLOAT64


def drops_imaginary(b, x):
    return gradient_dtype(b).kind == 'c' and gradient_dtype(x).kind == 'f'


def by_parts(function, kind, *arguments):
    """An implementation that makes a tuple of type `kind` of what `function` makes of each part of some arguments.

    Arguments whose name has a star in front are the same for all parts; those with a default are not handed on.
    """
    names = [name.lstrip('*') for name in arguments]
    items = ''.join(f'function({", ".join(n if a != n else f"{n}[{i}]" for a, n in zip(arguments, names) if "=" not in n)}), '
                    for i in range(len(kind)))
    made = f'{"kind" if hasattr(kind, "instance_class") else ""}({items})'
    return loops.build(f'def impl({", ".join(names)}):\n    return {made}', function=function,
                       kind=getattr(kind, 'instance_class', None))


def real_only(t):
    """Refuse a complex type, as the run time refuses complex values."""
    if isinstance(getattr(t, 'dtype', t), types.Complex):
        raise TypingError('derivatives through complex numbers are not supported yet: a complex value becomes real')


def stands_for(function, impl, complex_too=False, when=None):
    """Let `impl` stand for a function of the run time in compiled code, whatever the types are.

    when : says of the types of the arguments whether it does
    """
    @overload(function)
    @functools.wraps(impl)
    def choose(*args, **keywords):
        for t in () if complex_too else (*args, *keywords.values()):
            for kind in t.types if isinstance(t, types.BaseTuple) else (t,):
                real_only(kind)
        return impl if when is None or when(*args, **keywords) else None
    return impl


def absent(argument):
    """Whether an optional argument is not given, or given as None."""
    return argument is None or is_none(argument) or isinstance(argument, types.Omitted) and argument.value is None


def as_written(*functions):
    """Compile functions of the run time from their own source, of real numbers alone; what they call is overloaded, too.

    Texts for complex numbers call what is behind the wrappers: where a matrix is real, so is what they compute.
    """
    for function in functions:
        plain = inspect.unwrap(function)
        for name in {function, plain}:
            stands_for(name, plain)


@overload(init_grad)
def _init_grad(obj, allow_lazy_initializer=False):
    if is_array(obj):
        dtype = gradient_dtype(obj)
        return lambda obj, allow_lazy_initializer=False: zeros(obj.shape, dtype)
    if isinstance(obj, types.NumpyFlatType):
        dtype = gradient_dtype(obj.array_type)
        return lambda obj, allow_lazy_initializer=False: np.zeros(len(obj), dtype)
    if is_number(obj):
        zero = gradient_dtype(obj).type(0)
        return lambda obj, allow_lazy_initializer=False: zero
    if is_none(obj):
        return lambda obj, allow_lazy_initializer=False: None
    if isinstance(obj, types.List):
        return lambda obj, allow_lazy_initializer=False: [init_grad(item) for item in obj]
    if isinstance(obj, types.UniTuple) and len(obj):        # a list, for the sake of `bx[i] += v`, as in CPython
        items = ', '.join(f'init_grad(obj[{i}])' for i in range(len(obj)))
        return loops.build(f'def impl(obj, allow_lazy_initializer=False):\n    return [{items}]', init_grad=init_grad)
    if isinstance(obj, types.BaseTuple):
        return by_parts(init_grad, obj, 'obj', 'allow_lazy_initializer=False')
    return None


stands_for(zero_gradient, lambda x, *read: init_grad(x), complex_too=True)


@overload(add_grad)
def _add_grad(left, right):
    if is_none(left):
        return lambda left, right: right
    if is_none(right):
        return lambda left, right: left
    if is_leaf(left) and is_leaf(right):
        return lambda left, right: left + right
    if isinstance(left, types.BaseTuple) and isinstance(right, types.BaseTuple) and len(left) == len(right):
        return by_parts(add_grad, left, 'left', 'right')
    if isinstance(left, types.List) and isinstance(right, types.List):
        return lambda left, right: [add_grad(a, b) for a, b in zip(left, right)]
    if isinstance(left, types.List) and isinstance(right, types.UniTuple):
        return lambda left, right: [add_grad(left[i], right[i]) for i in range(len(right))]
    if isinstance(left, types.UniTuple) and isinstance(right, types.List):
        return lambda left, right: [add_grad(left[i], right[i]) for i in range(len(left))]
    return None


@overload(unbroadcast)
def _unbroadcast(b, x):
    if is_none(b) or isinstance(b, types.BaseTuple):
        return lambda b, x: b
    if not is_leaf(b) or not is_leaf(x):
        return None
    dtype = gradient_dtype(x)
    scalar = loops.scalar_cast(drops_imaginary(b, x), dtype)
    if is_number(x):
        if is_number(b):
            return (lambda b, x: b) if gradient_dtype(b) == dtype and isinstance(b, (types.Float, types.Complex)) \
                else (lambda b, x: scalar(b))
        if b.ndim == 0:
            return lambda b, x: scalar(b[()])
        return lambda b, x: scalar(b.sum())
    if is_number(b):
        return lambda b, x: np.full(x.shape, scalar(b), dtype)
    resize = loops.resize(b.ndim, x.ndim, dtype, scalar)
    if b.ndim == x.ndim and as_dtype(b.dtype) == dtype:
        return lambda b, x: b if b.shape == x.shape else resize(b, x)
    return lambda b, x: resize(b, x)


@overload(api.unreduce)
def _unreduce(array, shape, axis=None, keepdims=False):
    if isinstance(shape, types.Integer):
        return lambda array, shape, axis=None, keepdims=False: api.unreduce(array, (shape,), axis, keepdims)
    if not isinstance(shape, types.BaseTuple):
        return None
    if len(shape) == 0:
        return lambda array, shape, axis=None, keepdims=False: array
    dtype = gradient_dtype(array)
    if is_number(array):
        return lambda array, shape, axis=None, keepdims=False: np.full(shape, array, dtype)
    if not is_array(array):
        return None
    if isinstance(axis, types.Omitted):
        axis = types.none if axis.value is None else types.intp
    given = 'none' if axis is None or is_none(axis) else 'int' if isinstance(axis, types.Integer) else 'tuple'
    spread = loops.spread(array.ndim, len(shape), given, dtype)
    return lambda array, shape, axis=None, keepdims=False: spread(array, shape, axis)


@overload(api.unreduce_like)
def _unreduce_like(array, original_array, axis=None, keepdims=False):
    if is_number(original_array):
        return lambda array, original_array, axis=None, keepdims=False: unbroadcast(array, original_array)
    if not is_array(original_array):
        return None
    return lambda array, original_array, axis=None, keepdims=False: unbroadcast(
        api.unreduce(array, original_array.shape, axis, keepdims), original_array)


@overload(astype)
def _astype(b, x):
    if is_none(b):
        return lambda b, x: astype(init_grad(x), x)
    if is_leaf(x):
        if isinstance(getattr(x, 'dtype', x), types.Complex):
            raise TypingError(f'An argument is complex: this derivative was made for real numbers; {WAY_OUT}')
        return lambda b, x: unbroadcast(b, x)
    if isinstance(x, types.BaseTuple) and isinstance(b, (types.BaseTuple, types.List)):
        return by_parts(astype, x, 'b', 'x')
    if isinstance(x, types.List) and isinstance(b, (types.List, types.UniTuple, types.Array)):
        return lambda b, x: [astype(b[i], x[i]) for i in range(len(x))]
    return None


@overload(copy)
def _copy(x):
    if is_array(x):
        return (lambda x: copied(x)) if x.layout == 'C' and x.ndim > 0 else lambda x: x.copy()
    if isinstance(x, types.BaseTuple):
        return by_parts(copy, x, 'x')
    if isinstance(x, types.List):
        return lambda x: [copy(item) for item in x]
    return lambda x: x


@overload(add_field, prefer_literal=True)
def _add_field(record, name, value):
    return with_field(record, name, 'add_grad(record[{}], value)')


@overload(put_field, prefer_literal=True)
def _put_field(record, name, value):
    return with_field(record, name, 'value')


def with_field(record, name, new):
    """The function that makes a record anew, of which one field is what the text `new` says."""
    if not isinstance(record, types.BaseNamedTuple) or not isinstance(name, types.StringLiteral):
        return None
    items = ''.join(f'{new.format(k)}, ' if field == name.literal_value else f'record[{k}], '
                    for k, field in enumerate(record.fields))
    return loops.build(f'def impl(record, name, value):\n    return kind({items})', add_grad=add_grad,
                       kind=record.instance_class)


@overload(add_item, prefer_literal=True)
def _add_item(bx, index, v):
    return added_to_part(bx, index) if isinstance(bx, types.BaseTuple) else add_to_place


def added_to_part(bx, index):
    """The function that makes a tuple in which more is owed to one part; None where it is not known which."""
    if not isinstance(index, types.IntegerLiteral):
        return None
    place = index.literal_value % len(bx)
    items = ''.join(f'add_grad(bx[{k}], v), ' if k == place else f'bx[{k}], ' for k in range(len(bx)))
    made = f'kind({items})' if isinstance(bx, types.BaseNamedTuple) else f'({items})'
    return loops.build(f'def impl(bx, index, v):\n    return {made}', add_grad=add_grad,
                       kind=getattr(bx, 'instance_class', None))


def add_to_place(bx, index, v):
    bx[index] += v
    return bx


@functools.partial(stands_for, backwards, complex_too=True)
def _backwards(start, stop, step):
    count = max((stop - start + step - (1 if step > 0 else -1)) // step, 0)
    return range(start + (count - 1) * step, start - step, -step)


@overload(own_parts)
def _own_parts(gradient):
    if isinstance(gradient, types.UniTuple) and len(gradient):
        items = ', '.join(f'copy(gradient[{k}])' for k in range(len(gradient)))
        return loops.build(f'def impl(gradient):\n    return [{items}]', copy=copy)
    return lambda gradient: copy(gradient)


stands_for(own_gradient, lambda b: copy(b), complex_too=True)
stands_for(writeable, lambda b: b, complex_too=True)
stands_for(copy_alike, lambda x: copy(x), complex_too=True)
stands_for(copy_along, lambda d, x: copy(d), complex_too=True)


@overload(shapes_match)
def _shapes_match(a, b):
    if is_array(a) and is_array(b) and a.ndim == b.ndim:
        return lambda a, b: a.shape == b.shape
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple) and len(a) == len(b):
        test = ' and '.join(f'shapes_match(a[{i}], b[{i}])' for i in range(len(a))) or 'True'
        return loops.build(f'def impl(a, b):\n    return {test}', shapes_match=shapes_match)
    same = all(is_number(t) or is_array(t) and t.ndim == 0 for t in (a, b))
    return lambda a, b: same


@overload(add_at, prefer_literal=True)
def _add_at(bx, index, v):
    if isinstance(bx, types.BaseTuple):
        return added_to_part(bx, index)
    if isinstance(bx, types.List):
        return add_to_item
    if not is_array(bx) or not is_leaf(v):
        return None
    kinds = index.types if isinstance(index, types.BaseTuple) else (index,)
    if any(is_array(k) for k in kinds):
        return _add_at_arrays(bx, index, kinds, v)
    points = sum(isinstance(k, types.Integer) for k in kinds)
    return add_to_element if points == bx.ndim else add_to_view


def add_to_item(bx, index, v):
    bx[index] = add_grad(bx[index], v)
    return bx


def add_to_element(bx, index, v):
    bx[index] += unbroadcast(v, bx[index])
    return bx


def add_to_view(bx, index, v):
    view = bx[index]
    view += unbroadcast(v, view)
    return bx


def _add_at_arrays(bx, index, kinds, v):
    """Indices with arrays: one element (or view) after the other, so that repeated ones get every contribution."""
    arrays = [k for k in kinds if is_array(k)]
    if any(isinstance(k.dtype, types.Boolean) for k in arrays):
        return loops.add_masked(add_at, unbroadcast, index.ndim, bx.ndim, is_array(v)) if is_array(index) \
            else loops.add_where(add_at, [is_array(k) and isinstance(k.dtype, types.Boolean) for k in kinds])
    if any(k.ndim != arrays[0].ndim for k in arrays) or any(isinstance(k, ODD_INDICES) for k in kinds):
        return None
    if all(is_array(k) or isinstance(k, types.Integer) for k in kinds):
        return loops.add_gathered(add_at, unbroadcast, [is_array(k) for k in kinds], is_array(index), arrays[0].ndim,
                                  bx.ndim, is_array(v))
    if len(arrays) == 1 == arrays[0].ndim and all(isinstance(k, (types.Array, types.SliceType)) for k in kinds):
        return loops.add_across(add_at, unbroadcast, kinds.index(arrays[0]), len(kinds), bx.ndim, is_array(v))
    return None


@overload(api.array_size)
def _array_size(x, axis=None):
    if is_number(x):
        return lambda x, axis=None: 1
    if isinstance(axis, types.Integer):
        return lambda x, axis=None: max(x.shape[axis], 1)
    if axis is None or is_none(axis) or isinstance(axis, types.Omitted):
        return lambda x, axis=None: max(x.size, 1)
    size = ' * '.join(f'x.shape[axis[{i}]]' for i in range(len(axis))) or '1'
    return loops.build(f'def impl(x, axis=None):\n    return max({size}, 1)')


stands_for(api.balanced_eq, lambda x, z, y: (x == z) / (1.0 + (y == z)), complex_too=True)


@overload(api.grad_dot)
def _grad_dot(dy, x1, x2):
    if 0 in ranks(x1, x2):
        return lambda dy, x1, x2: unbroadcast(dy * x2, x1)
    return {(1, 1): lambda dy, x1, x2: dy * x2, (2, 1): lambda dy, x1, x2: np.outer(dy, x2),
            (1, 2): lambda dy, x1, x2: np.dot(x2, dy), (2, 2): lambda dy, x1, x2: np.dot(dy, x2.T)}.get(ranks(x1, x2))
