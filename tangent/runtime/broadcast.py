"""Undoing what NumPy does to shapes: broadcasting and reductions."""
import importlib
import numbers

import numpy as np

from tangent.errors import ArgumentTypeError, RegistrationError, ShapeError
from tangent.runtime.array_api import (
    PRODUCTS,
    as_array,
    chunks,
    filled,
    is_array,
    is_chunked,
    is_foreign,
    is_product_kind,
    is_sparse,
    is_unmasked,
    peer,
)
from tangent.runtime.fields import dtype_of, is_object, refuse_object
from tangent.runtime.zeros import FLOAT64, ZeroGrad, is_record, real_dtype

FLOATS = frozenset([float, np.float64])
HARMLESS = {float, int, np.float64, np.ndarray, list, tuple}       # classes whose * is that of the rules

UNBROADCASTERS: dict = {}
UNREDUCERS: dict = {}
SHAPE_FUNCTIONS: dict = {}
SHAPE_CHECKERS: dict = {}


WAYS_OUT = {
    np.matrix: 'its * is a product of matrices, and what is taken of it keeps two axes; pass numpy.asarray(x), and write @',
    np.ma.MaskedArray: 'what is masked would have a gradient; pass the data, and use numpy.where with the mask, or where=',
}


def refuse_kind(x):
    """Refuse an array of a class whose arithmetic is another than that of the rules.

    Raises
    ------
    ArgumentTypeError
    """
    if not is_unmasked(x):
        raise ArgumentTypeError(f'a {type(x).__name__} has no gradient: {WAYS_OUT[type(x)]}')
    return x.shape


def refuse_kinds(frame):
    """Refuse such an array among the variables of a running derivative, and sparse matrices that it multiplies by `*`."""
    for value in frame.f_locals.values():
        kind = type(value)
        if kind in WAYS_OUT:
            refuse_kind(value)
        if kind not in HARMLESS:
            if not is_product_kind(kind):
                HARMLESS.add(kind)
            else:
                refuse_products(frame)


def refuse_products(frame):
    """Refuse arguments of a derivative that are such matrices, if it takes their products for those of numbers."""
    code, values = frame.f_code, frame.f_locals
    known = PRODUCTS.get(id(code))
    if known is None or known[0]() is not code:
        return
    matrices = [n for n in code.co_varnames[:code.co_argcount + code.co_kwonlyargcount] if is_product_kind(type(values.get(n)))]
    for name in known[1](matrices):
        kind = type(values[name]).__name__
        raise ArgumentTypeError(f'{name} is a {kind}, whose *, / and ** are products of matrices, and the function uses them: '
                                f'write @, or pass a sparse array ({kind.replace("_matrix", "_array")})')


SHAPE_FUNCTIONS.update(dict.fromkeys(WAYS_OUT, refuse_kind))


def shape_of(x):
    """The shape of anything: () for what has none."""
    if type(x) in SHAPE_FUNCTIONS:
        return SHAPE_FUNCTIONS[type(x)](x)
    if isinstance(x, (list, tuple)):
        return np.shape(x) if peer(*x) is None else (len(x), *shape_of(x[0]))
    return getattr(x, 'shape', ())


def gradient_dtype(x):
    """The dtype that a gradient of `x` has, None where it is not an array's (a number of a third party's kind)."""
    if dtype_of(x) is not None:
        if type(x) in WAYS_OUT:
            refuse_kind(x)
        dtype = real_dtype(x.dtype)
        return None if dtype is None or dtype.kind == 'O' else dtype
    if isinstance(x, (list, tuple)):
        return gradient_dtype(as_array(x))
    return None


def is_plain_object(x):
    """Whether `x` is an object of a class for which nobody has registered how its gradients are shaped."""
    return is_object(x) and type(x) not in SHAPE_FUNCTIONS and type(x) not in UNBROADCASTERS and type(x) not in UNREDUCERS


def results_like(y, *parts):
    """Several results as a tuple of the type of `y`, whose fields may have names."""
    return type(y)(*parts) if hasattr(y, '_fields') else parts


def cast(b, x):
    """The gradient `b` in the dtype of `x`; the imaginary part goes where `x` is real."""
    dtype = gradient_dtype(x)
    if dtype is None:
        if is_plain_object(x) or is_plain_object(b):
            refuse_object(x if is_plain_object(x) else b)
        real = isinstance(x, (float, int)) and (isinstance(b, complex) or dtype_of(b) is not None and
                                                b.dtype.kind == 'c')
        b = b.real if real else b
        narrow = type(x) in (float, int) and isinstance(b, (np.floating, np.ndarray)) and b.dtype.kind == 'f'
        return np.float64(b) if narrow and not isinstance(b, float) else b
    if dtype_of(b) is None:
        return dtype.type(b.real if dtype.kind == 'f' and isinstance(b, complex) else b)
    if b.dtype == dtype:
        return b
    return (b.real if b.dtype.kind == 'c' and dtype.kind == 'f' else b).astype(dtype)


def unbroadcast(b, x):
    """The gradient of `x`, given the gradient `b` of what `x` was broadcast to.

    Parameters
    ----------
    b : number or array
    x : object
        A number, array, list or any object; what has no shape counts as rank 0.

    Returns
    -------
    number or array
        `b` summed over the axes that broadcasting added or stretched, in the dtype of `x`; `b` itself when nothing is
        to be done. A `b` smaller than `x` (the same for all elements) is broadcast up.

    Raises
    ------
    ShapeError
        If broadcasting cannot have made the shape of `b` from the shape of `x`.

    Examples
    --------
    >>> unbroadcast(np.ones((2, 3)), np.zeros(3))
    array([2., 2., 2.])
    """
    if type(b) is np.ndarray is type(x):
        dtype = b.dtype
        if dtype is x.dtype and (dtype is FLOAT64 or dtype.kind in 'fcO'):
            shape, full = x.shape, b.shape
            if shape == full:
                return b
            if shape and shape == full[1:]:
                return np.add.reduce(b, 0)
            if shape and shape[-1] == 1 and shape[:-1] == full[:-1]:
                return np.add.reduce(b, -1, None, None, True)
    elif type(b) in FLOATS and type(x) in FLOATS:
        return b
    return _unbroadcast(b, x)


def _unbroadcast(b, x):
    if type(b) in UNBROADCASTERS:
        return UNBROADCASTERS[type(b)](b, x)
    if b is None or type(b) is ZeroGrad:
        return b
    if is_sparse(b) or is_sparse(x):
        return importlib.import_module('tangent.runtime.functions.scipy.sparse').sparse_unbroadcast(b, x)
    if isinstance(b, (list, tuple)):
        if isinstance(x, (list, tuple)) and len(b) != len(x):
            refuse_joined(x)
        if isinstance(x, (list, tuple)) and len(b) == len(x) and not all(isinstance(v, numbers.Number) for v in x):
            return [unbroadcast(part, v) for part, v in zip(b, x)]       # a container: part by part
        b = as_array(b)
    if isinstance(b, dict) and isinstance(x, dict):
        return {key: unbroadcast(part, x[key]) for key, part in b.items()}
    shape, full = shape_of(x), shape_of(b)
    if shape != full:
        b = _resize(b, full, shape, x)
    if shape == () and type(b) is np.ndarray and not isinstance(x, np.ndarray):
        b = b[()]                        # a number for a number
    return cast(b, x)


def refuse_joined(x):
    raise ShapeError(f'a sequence of length {len(x)} was joined with another, or repeated, where the text does not show that '
                     'it is one: write [*a, *b] for a + b, and a loop for a * n')


def _resize(b, full, shape, x):
    """`b`, of shape `full`, summed down or broadcast up to `shape`."""
    if is_chunked(b) and chunks().same_shape(full, shape):
        return b
    rank = max(len(full), len(shape))
    have = (1,) * (rank - len(full)) + full
    want = (1,) * (rank - len(shape)) + shape
    if any(n != m and n != 1 and m != 1 for n, m in zip(have, want)):
        raise ShapeError(f'Shape mismatch: a gradient of shape {full} for a value of shape {shape}')
    if not shape:
        return b.sum()
    if not full:
        return _fill(shape, b, x)
    axes = tuple(axis for axis in range(rank) if want[axis] == 1 != have[axis])
    b = b.reshape(have)
    if axes:
        b = b.sum(axis=axes, keepdims=True)
    b = b.reshape(b.shape[rank - len(shape):])
    return b if b.shape == shape else _stretch(b, shape, x)


def _fill(shape, value, like=None):
    """A fresh array full of one number: `numpy.full`, faster where the number is the usual one."""
    if is_chunked(like) and like.shape == shape:
        return chunks().filled(value, like)
    if type(value) not in FLOATS or is_foreign(like):
        return filled(shape, value, like=peer(value, like))
    out = np.empty(shape)
    out.fill(value)
    return out


def _stretch(b, shape, like=None):
    """A fresh array of `shape` that holds `b`, broadcast."""
    if is_chunked(b, like):
        return chunks().stretched(b, shape, like)
    out = np.empty(shape, b.dtype) if type(b) is np.ndarray else np.empty(shape, b.dtype, like=peer(b))
    out[...] = b
    return out


def unreduce(array, shape, axis=None, keepdims=False):
    """Undo a sum: give each summed element the gradient of the sum.

    Parameters
    ----------
    array : number or array
        The gradient of the sum.
    shape : tuple of int
        The shape of what was summed.
    axis : None, int or tuple of int
    keepdims : bool
        As they were given to the sum.

    Returns
    -------
    number or array
        Of shape `shape`, fresh and writeable.

    Examples
    --------
    >>> unreduce(np.array([1., 2.]), (2, 3), axis=1)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if type(array) in UNREDUCERS:
        return UNREDUCERS[type(array)](array, shape, axis, keepdims)
    return _spread(array, shape, axis, keepdims)


def unreduce_like(array, original_array, axis=None, keepdims=False, where=True):
    """Undo a sum over `original_array`, or those of its elements `where`: as `unreduce`, in its shape and (float) dtype.

    Parameters
    ----------
    array : number or array
        The gradient of the sum.
    original_array : array
        What was summed.
    axis : None, int or tuple of int
    keepdims : bool
    where : bool or array of bool
        As they were given to the sum.

    Returns
    -------
    array
        Of the shape of `original_array`, fresh and writeable; float64 for integers.

    Examples
    --------
    >>> tangent.unreduce_like(2.0, numpy.zeros((1, 3)))
    array([[2., 2., 2.]])
    """
    if where is not True:
        return np.where(where, unreduce_like(array, original_array, axis, keepdims), 0)
    if type(original_array) is np.ndarray and original_array.dtype is FLOAT64:
        if type(array) in FLOATS and original_array.ndim:
            return _fill(original_array.shape, array)
        if type(array) is np.ndarray and array.dtype is FLOAT64 and array.ndim:
            if axis is not None and not keepdims:
                array = array.reshape(_kept(original_array.shape, axis)) if type(axis) is int else np.expand_dims(array, axis)
            return _stretch(array, original_array.shape)
    if hasattr(type(array), 'settled'):            # what is owed to what a task gives
        return array.spread(original_array, axis, keepdims)
    array = cast(array, original_array)
    if is_foreign(original_array) and np.ndim(array) == 0:
        return _fill(shape_of(original_array), array, original_array)
    if is_chunked(original_array, array) and type(array) not in UNREDUCERS:
        return _spread(array, shape_of(original_array), axis, keepdims, original_array)
    found = unreduce(array, shape_of(original_array), axis, keepdims)
    return _unbroadcast(found, original_array) if is_sparse(original_array) else found


def _spread(array, shape, axis, keepdims, like=None):
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    if not shape:
        return array.copy() if is_array(array) else array
    if np.ndim(array) == 0:
        return _fill(shape, array, like)
    if axis is not None and not keepdims:
        array = chunks().expanded(array, axis) if is_chunked(array) else \
            array.reshape(_kept(shape, axis)) if type(axis) is int else np.expand_dims(array, axis)
    return _stretch(array, shape, like)


def _kept(shape, axis):
    """The shape after a reduction over the axis that keeps it."""
    shape = list(shape)
    shape[axis] = 1
    return shape


def shapes_match(a, b):
    """Whether `a` and `b` have the same structure and, leaf by leaf, the same shapes.

    Lists and tuples match each other, dicts match dicts with the same keys.

    Parameters
    ----------
    a, b : object

    Returns
    -------
    bool

    Examples
    --------
    >>> tangent.shapes_match([1.0, numpy.zeros(3)], (2.0, numpy.ones(3)))
    True
    """
    if (type(a), type(b)) in SHAPE_CHECKERS:
        return bool(SHAPE_CHECKERS[type(a), type(b)](a, b))
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(shapes_match, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(shapes_match(value, b[key]) for key, value in a.items())
    if is_record(a) and is_record(b):
        return type(a) is type(b) and shapes_match(vars(a), vars(b))
    if any(isinstance(v, (tuple, list, dict)) for v in (a, b)):
        return False
    return shape_of(a) == shape_of(b)


def _register(table, key, function, what):
    if key in table:
        raise RegistrationError(f'{what} for {key!r} is already registered: {table[key]!r}')
    table[key] = function


def register_unbroadcast(t, unbroadcaster):
    """Register `unbroadcaster(b, x)` for gradients `b` of type `t`; see `unbroadcast`.

    Parameters
    ----------
    t : type
    unbroadcaster : callable

    Raises
    ------
    RegistrationError
        If the type has one already.

    Examples
    --------
    >>> class Price:
    ...     def __init__(self, cents):
    ...         self.cents = cents

    >>> tangent.utils.register_unbroadcast(Price, lambda b, x: Price(b.cents % 7))
    >>> tangent.unbroadcast(Price(9), Price(0)).cents
    2
    """
    _register(UNBROADCASTERS, t, unbroadcaster, 'unbroadcast')


def register_unreduce(t, unreducer):
    """Register `unreducer(array, shape, axis, keepdims)` for gradients of type `t`; see `unreduce`.

    Parameters
    ----------
    t : type
    unreducer : callable

    Raises
    ------
    RegistrationError
        If the type has one already.

    Examples
    --------
    >>> class Price:
    ...     def __init__(self, cents):
    ...         self.cents = cents

    >>> tangent.utils.register_unreduce(Price, lambda array, shape, axis, keepdims: [array] * shape[0])
    >>> len(tangent.unreduce(Price(1), (3,)))
    3
    """
    _register(UNREDUCERS, t, unreducer, 'unreduce')


def register_shape_function(t, shape_function):
    """Register `shape_function(x)`, the shape (a tuple) of a value of type `t`.

    Parameters
    ----------
    t : type
    shape_function : callable

    Raises
    ------
    RegistrationError
        If the type has a shape function already.

    Examples
    --------
    >>> class Price:
    ...     def __init__(self, cents):
    ...         self.cents = cents

    >>> tangent.utils.register_shape_function(Price, lambda x: ())
    """
    _register(SHAPE_FUNCTIONS, t, shape_function, 'A shape function')


def register_shape_checker(left_type, right_type, shape_checker):
    """Register `shape_checker(a, b)`: whether values of these two types have the same shape.

    Parameters
    ----------
    left_type, right_type : type
    shape_checker : callable

    Raises
    ------
    RegistrationError
        If that pair of types has a checker already.

    Examples
    --------
    >>> class Price:
    ...     def __init__(self, cents):
    ...         self.cents = cents

    >>> tangent.utils.register_shape_checker(Price, Price, lambda a, b: True)
    >>> tangent.shapes_match(Price(1), Price(2))
    True
    """
    _register(SHAPE_CHECKERS, (left_type, right_type), shape_checker, 'A shape checker')
