"""Adding gradients."""
import collections

import numpy as np

from tangent.errors import ArgumentTypeError, RegistrationError
from tangent.runtime.array_api import add_into, as_array, beside, chunks, counted, filled, is_array, is_chunked, peer
from tangent.runtime.broadcast import unbroadcast
from tangent.runtime.fields import is_gradient, is_object, refuse_object
from tangent.runtime.zeros import FieldsGrad, TupleGrad, ZeroGrad, is_record, rebuild_dict, rebuild_record, rebuild_tuple

ADDERS: dict = {}
SEQUENCES = (tuple, list, collections.deque)
NUMBERS = frozenset([float, np.float64, np.ndarray, int, complex, np.float32])


def add_grad(left, right):
    """The sum of two gradients of the same value, fresh.

    None and `ZeroGrad` are neutral; containers are added part by part. Further types are registered with
    `register_add_grad`.

    Parameters
    ----------
    left, right : object
        Gradients of one value: of its structure and shapes.

    Returns
    -------
    object
        Of the same structure; shares no memory with either, but where one of them is neutral.

    Examples
    --------
    >>> add_grad([1.0, None], [2.0, 3.0])
    [3.0, 3.0]
    """
    if type(left) in NUMBERS and type(right) in NUMBERS:
        return left + right
    if left is None or type(left) is ZeroGrad:
        return right if right is not None else left
    if right is None or type(right) is ZeroGrad:
        return left
    adder = ADDERS.get((type(left), type(right)))
    return adder(left, right) if adder else _add_parts(left, right)


def _add_parts(left, right):
    if isinstance(left, SEQUENCES) or isinstance(right, SEQUENCES):
        _check_lengths(left, right)
        if isinstance(left, FieldsGrad) and isinstance(right, FieldsGrad):
            return FieldsGrad(map(_add_fields, left.unmade(), right.unmade()), left._kind)
        parts = map(add_grad, left, right)
        for side in (left, right):
            if isinstance(side, TupleGrad):
                return TupleGrad(parts, side._kind)
            if isinstance(side, collections.deque):
                return collections.deque(parts, side.maxlen)
        return rebuild_tuple(type(left), parts) if isinstance(left, tuple) else list(parts)
    if isinstance(left, dict) and isinstance(right, dict):
        only_right = {key: value for key, value in right.items() if key not in left}
        return rebuild_dict(left, add_grad, right) | only_right
    if is_record(left) and is_record(right):
        return rebuild_record(left, add_grad, right)
    if not is_gradient(left) and not is_gradient(right):
        for side in (left, right):
            if is_object(side):
                refuse_object(side, 'added up as a gradient')
    return left + right


def _add_fields(left, right):
    """The sum of two fields of which each may not have been made yet, fresh."""
    if type(left) is ZeroGrad or type(right) is ZeroGrad:
        one = right if type(left) is ZeroGrad else left
        return one.copy() if is_array(one) else one
    return add_grad(left, right)


def _check_lengths(left, right):
    if not (hasattr(left, '__len__') and hasattr(right, '__len__') and len(left) == len(right)):
        raise ArgumentTypeError(f'Gradients of different structure cannot be added: {left!r} and {right!r}')


SUMMED: set = set()             # classes for whose gradients a sum has been registered


def register_add_grad(left_type, right_type, add_grad_function):
    """Register the sum of a gradient of type `left_type` and one of type `right_type`.

    Parameters
    ----------
    left_type, right_type : type
    add_grad_function : callable
        From two gradients to their sum.

    Raises
    ------
    RegistrationError
        If that pair of types has a sum already.

    Examples
    --------
    >>> class Price:
    ...     def __init__(self, cents):
    ...         self.cents = cents

    >>> tangent.utils.register_add_grad(Price, Price, lambda a, b: Price(a.cents + b.cents))
    >>> tangent.add_grad(Price(2), Price(3)).cents
    5
    """
    key = (left_type, right_type)
    if key in ADDERS:
        raise RegistrationError(f'Types {key} already mapped to {ADDERS[key]!r}')
    ADDERS[key] = add_grad_function
    SUMMED.update(t for t in key if t.__module__.partition('.')[0] not in ('builtins', 'numpy', 'tangent'))


def register_all_add_grad(add_grad_function, arg_types, exclude=(), ignore_existing=False):
    """Register one sum for all pairs of types in `arg_types`.

    Parameters
    ----------
    add_grad_function : callable
    arg_types : sequence of type
    exclude : collection of (type, type)
        Pairs to leave out.
    ignore_existing : bool
        Leave registered pairs as they are, in place of refusing them.

    Raises
    ------
    RegistrationError
        If a pair of types has a sum already.

    Examples
    --------
    >>> class Price:
    ...     def __init__(self, cents):
    ...         self.cents = cents

    >>> tangent.utils.register_all_add_grad(lambda a, b: Price(a.cents + b.cents), [Price])
    >>> tangent.add_grad(Price(2), Price(3)).cents
    5
    """
    for left in arg_types:
        for right in arg_types:
            if (left, right) not in exclude and not (ignore_existing and (left, right) in ADDERS):
                register_add_grad(left, right, add_grad_function)


def add_at(bx, index, v):
    """`bx[index] += v`, where an element that is named twice gets both contributions.

    Parameters
    ----------
    bx : array, list or dict
        An owned gradient; changed in place.
    index : object
        Any index that `bx` takes.
    v : object
        The gradient of `x[index]`; summed or broadcast to the shape of `bx[index]` where it differs.

    Returns
    -------
    object
        `bx`.

    Examples
    --------
    >>> tangent.utils.add_at(numpy.zeros(3), [0, 0, 2], 1.0)
    array([2., 0., 1.])
    """
    if is_chunked(bx):
        return bx if v is None else chunks().add_at(bx, index, as_array(v) if isinstance(v, list) else v)
    if is_array(bx):
        part = bx[index]
        if v is None:                        # the gradient of what has none
            return bx
        v = as_array(v) if isinstance(v, list) else v
        v = unbroadcast(v, part)
        if is_basic(index):
            bx[index] = part + v
        else:
            add_into(bx, _as_arrays(index, bx), v)
    elif isinstance(bx, tuple):              # as it came from outside
        return rebuild_tuple(type(bx), add_at(list(bx), index, v))
    elif isinstance(bx, list) and isinstance(index, slice):
        bx[index] = map(add_grad, bx[index], v)
    elif hasattr(type(bx), 'settled'):             # what is owed to a task's value, of which no shape is known
        bx.add_at(index, v)
    elif hasattr(type(bx), 'add_at'):        # a persistent array
        bx.add_at(index, unbroadcast(np.asarray(v) if isinstance(v, list) else v, bx[index]))
    elif isinstance(bx, dict):
        bx[index] = add_grad(bx.get(index), v)
    elif isinstance(bx, (int, float, complex)):            # of a number: `x[()]`, `x[..., None]`, a mask
        bx = add_grad(bx, np.sum(unbroadcast(v, np.asarray(bx)[index])))
    else:
        bx[index] = add_grad(bx[index], v)
    return bx


def last_at(b, index):
    """The gradient of `v` in `x[index] = v`, of that of `x`: an element named twice holds what was written last.

    Parameters
    ----------
    b : array, list or dict
        The gradient of `x`, of its shape.
    index : object
        Any index that `x` takes.

    Returns
    -------
    number or array
        Of the shape of `x[index]`.

    Examples
    --------
    >>> tangent.utils.last_at(numpy.array([1.0, 2.0]), [0, 0])
    array([0., 1.])
    """
    if is_chunked(b):
        return chunks().last_at(b, index)
    found = b[index]
    if is_basic(index) or getattr(found, 'ndim', 0) == 0:
        return found.copy() if is_array(found) else found
    order = counted(found.size, found).reshape(found.shape)
    last = filled(b.shape, -1, like=peer(b))
    last[index] = order
    return np.where(last[index] == order, found, 0)


def unlast_at(g, b, index):
    """The gradient of `b` in `last_at(b, index)`.

    Parameters
    ----------
    g : number or array
        The gradient of the result, of the shape of `b[index]`.
    b : array
    index : object

    Returns
    -------
    array
        Of the shape of `b`.

    Examples
    --------
    >>> tangent.utils.unlast_at(numpy.array([5.0, 7.0]), numpy.zeros(2), [0, 0])
    array([7., 0.])
    """
    found = np.zeros_like(b)
    found[index] = g
    return found


def is_basic(index):
    """Whether `index` names no element twice: made of integers, slices, ... and None."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(p is None or p is Ellipsis or isinstance(p, (slice, np.integer)) or type(p) is int for p in parts)


def _as_arrays(index, x=None):
    """`index` with its lists as arrays, of the library of `x`; an empty list is an index too."""
    if isinstance(index, tuple):
        return tuple([_as_arrays(part, x) for part in index])
    if isinstance(index, list):
        return beside(as_array(index) if index else np.empty(0, int), x)
    return index
