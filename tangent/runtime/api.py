"""The run time: what emitted code calls. It knows arrays and never sees a syntax tree.

Everything here can be called by hand, and is kept under these names for scripts written for google/tangent.
"""
import math
import numbers
import operator

import numpy as np

from tangent.errors import ArgumentTypeError
from tangent.runtime.add import add_at, add_grad, last_at, register_add_grad, register_all_add_grad, unlast_at
from tangent.runtime.array_api import chunks
from tangent.runtime.broadcast import (
    register_shape_checker,
    register_shape_function,
    register_unbroadcast,
    register_unreduce,
    shapes_match,
    unbroadcast,
    unreduce,
    unreduce_like,
)
from tangent.runtime.cast import (
    array_copy,
    astype,
    check_apart,
    check_element,
    check_floats,
    copy,
    copy_alike,
    copy_along,
    zero_gradient,
)
from tangent.runtime.fields import is_object_type, only_reads
from tangent.runtime.objects import ObjectGrad  # noqa: F401 (for texts)
from tangent.runtime.seeds import check_dims, check_number, check_ones, check_pair, check_scalar
from tangent.runtime.tape import Stack, pop, pop_stack, push, push_stack
from tangent.runtime.zeros import ONES, TupleGrad, ZeroGrad, exotic, init_grad, own_number, register_init_grad

__all__ = [
    'Stack', 'TupleGrad', 'ZeroGrad', 'add_at', 'add_grad', 'array_size', 'astype', 'balanced_eq', 'check_dims',
    'array_copy', 'check_apart', 'check_element', 'check_floats', 'check_number', 'check_ones', 'check_pair',
    'check_scalar', 'copy', 'copy_alike', 'copy_along',
    'last_at', 'grad_dot', 'init_grad', 'pop', 'pop_stack', 'push', 'push_stack', 'register_add_grad', 'register_all_add_grad',
    'only_reads', 'unlast_at', 'register_grad_type', 'register_init_grad', 'register_shape_checker', 'register_shape_function',
    'register_unbroadcast', 'register_unreduce', 'shapes_match', 'unbroadcast', 'unreduce', 'unreduce_like', 'zero_gradient',
]


def register_grad_type(kind, zero, one=None, add=None, shape=None, fit=None):
    """Teach derivatives a type of a third party's, whose values are numbers, or arrays, of an arithmetic of their own.

    Parameters
    ----------
    kind : type
    zero : callable
        From a value to its zero gradient.
    one : callable, optional
        From a value to the gradient 1 of it; for `grad` of a function whose result is of this type.
    add : callable, optional
        The sum of two gradients; by default `+`.
    shape : callable, optional
        From a value to its shape; by default (), as of a number.
    fit : callable, optional
        From a gradient and the value it belongs to, to the gradient in the form that users get; by default as it is.

    Raises
    ------
    RegistrationError
        If derivatives know that type already.

    Notes
    -----
    A type without a shape is registered as a `numbers.Number`, too.

    Examples
    --------
    >>> class Price:
    ...     def __init__(self, cents):
    ...         self.cents = cents
    >>> register_grad_type(Price, zero=lambda x: Price(0))
    >>> init_grad(Price(5)).cents
    0
    """
    register_init_grad(kind, zero)
    register_add_grad(kind, kind, add or operator.add)
    register_shape_function(kind, shape or (lambda x: ()))
    register_unbroadcast(kind, fit or (lambda b, x: b))
    if shape is None:
        numbers.Number.register(kind)
        is_object_type.cache_clear()
    if one is not None:
        ONES[kind] = one


def array_size(x, axis=None):
    """How many elements a reduction of `x` over `axis` (None, int or tuple of int) takes together; at least 1.

    Parameters
    ----------
    x : number or array
    axis : None, int or tuple of int

    Returns
    -------
    int

    Examples
    --------
    >>> tangent.array_size(numpy.zeros((2, 3)), axis=1)
    3
    """
    shape = np.shape(x)
    if axis is None:
        size = math.prod(shape) or 1
        return size if size == size else chunks().count(x)
    if not isinstance(axis, (tuple, list)):
        axis = (axis,)
    size = 1
    for a in axis:
        size *= shape[a]
    return max(size, 1) if size == size else chunks().count(x, axis)


NARROW = frozenset(map(np.dtype, ('float16', 'float32', 'longdouble'))) - {np.dtype(float)}


def balanced_eq(x, z, y):
    """The derivative of `z = maximum(x, y)` (or minimum) with respect to `x`: 1 where x == z, 0.5 at a tie, else 0.

    Parameters
    ----------
    x, z, y : number or array
        Of shapes that broadcast together.

    Returns
    -------
    number or array
        Of their common shape, in the dtype of `z`.

    Raises
    ------
    ArgumentTypeError
        If they are lists or tuples.

    Examples
    --------
    >>> tangent.balanced_eq(numpy.array([1.0, 2.0, 3.0]), numpy.array([2.0, 2.0, 3.0]), 2.0)
    array([0. , 0.5, 1. ])
    """
    if isinstance(z, (list, tuple)):
        raise ArgumentTypeError('the larger of two lists or tuples has no derivative as max(a, b): write max([a, b])')
    one = exotic(x)
    if one is not None:
        return own_number(one, 1) * (x == z) / (1 + (y == z))
    narrow = getattr(z, 'dtype', None) in NARROW            # there it stays: 1.0 and flags make a float64
    return (x == z) / ((z.dtype.type(1) if narrow else 1.0) + (y == z))


def grad_dot(dy, x1, x2):
    """The gradient of `x1` in `numpy.dot(x1, x2)`, given the gradient `dy` of the product.

    Parameters
    ----------
    dy : number or array
        Of the shape of `numpy.dot(x1, x2)`.
    x1, x2 : number or array

    Returns
    -------
    number or array
        Of the shape of `x1`.

    Examples
    --------
    >>> tangent.grad_dot(1.0, numpy.zeros(2), numpy.array([3.0, 4.0]))
    array([3., 4.])
    """
    if np.ndim(x1) == 0 or np.ndim(x2) == 0:
        return unbroadcast(dy * x2, x1)
    if np.ndim(x2) == 1:
        return np.multiply.outer(dy, x2)
    # the axes of dy are those of x1 without its last, then those of x2 without its last but one
    kept = np.ndim(x2) - 1
    axes = (*range(np.ndim(x2) - 2), np.ndim(x2) - 1)
    return np.tensordot(dy, x2, (tuple(range(np.ndim(dy) - kept, np.ndim(dy))), axes))
