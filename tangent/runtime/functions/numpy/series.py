"""Run-time functions for polynomials as series, and for linear operations along an axis."""
import functools

import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.array_api import as_array, beside, peer
from tangent.runtime.broadcast import cast
from tangent.runtime.functions.numpy.polynomials import aligned

WIDEST = 8192


@functools.singledispatch
def _named(operation):
    return getattr(operation, '__name__', repr(operation))


@_named.register
def _(operation: functools.partial):
    return _named(operation.func)


def unalong(d, a, operation, axis=-1):
    """The gradient of `a`, from that of `operation(a, axis=axis)`, which is linear along one axis.

    The matrix of the operation is that of its columns: it is applied to the identity once.

    Raises
    ------
    ArgumentError
        If that would take more memory than is sensible.
    """
    a, d = as_array(a), as_array(d)
    size = a.shape[axis]
    if size > WIDEST:
        raise ArgumentError(f'{_named(operation)}: the derivative takes the matrix of the whole operation, and {size} elements '
                            f'along the axis are too many ({WIDEST} at most)')
    matrix = operation(beside(np.eye(size, dtype=a.dtype if a.dtype.kind in 'fc' else float), a), axis=0)
    if not a.size or not matrix.size:
        return np.zeros(a.shape, np.result_type(a, float), like=peer(a))
    return cast(np.moveaxis(np.tensordot(matrix, d, (0, axis)), 0, axis) if matrix.ndim == 2
                else np.expand_dims(d, axis) * np.reshape(matrix, [-1 if k == axis % a.ndim else 1 for k in range(a.ndim)]), a)


def unalong_each(d, a, operation, axes=None):
    """The gradient of `a`, from that of `operation` along one axis after the other, which changes no length."""
    for axis in range(np.ndim(a)) if axes is None else np.ravel(axes).tolist():
        d = unalong(d, a, operation, axis)
    return d


def along_each(a, operation, axes=None):
    """`operation` along one axis after the other."""
    for axis in range(np.ndim(a)) if axes is None else np.ravel(axes).tolist():
        a = operation(a, axis=axis)
    return a


# Polynomials by their coefficients, the lowest power first

def low(d, c):
    """What `d`, a series that may be shorter or longer, has for the coefficients `c`."""
    return cast(aligned(as_array(d)[::-1], c)[::-1].copy(), c)


def unmultiplied(d, a, b):
    """The gradient of `a`, from that of the product of the polynomials `a` and `b`."""
    a, b = np.atleast_1d(a), np.atleast_1d(b)
    full = low(d, np.zeros(len(a) + len(b) - 1, np.result_type(d)))
    return cast(np.correlate(full, np.conj(b), 'valid'), a)


def undivided(d, a, b, y, divide, multiply):
    """The gradients of `a` and `b`, from that of `y = divide(a, b)`: (quotient, rest).

    As `a = quotient * b + rest`, the tangents are quotient and rest of `da - quotient * db`, a linear function of it.
    """
    a, b = np.atleast_1d(a), np.atleast_1d(b)
    owed = np.zeros(len(a), np.result_type(a, b, 0.0))
    for k in range(len(a)):
        unit = np.zeros(len(a))
        unit[k] = 1
        owed[k] = sum(_met(part, moved, multiply) for part, moved in zip(d, divide(unit, b)) if part is not None)
    turned = np.array([-_met(owed, multiply(y[0], unit), multiply) for unit in np.eye(len(b))])
    return cast(owed, a), cast(turned, b)


def _met(owed, moved, multiply):
    """The product of two polynomials' coefficients, power by power."""
    if multiply is np.polymul:
        owed, moved = as_array(owed)[::-1], as_array(moved)[::-1]
    size = min(len(owed), len(moved))
    return np.sum(as_array(owed)[:size] * moved[:size])


def push_divided(da, db, a, b, y, divide, multiply, subtract):
    """The tangent of `y = divide(a, b)`."""
    moved = subtract(np.broadcast_to(da, np.shape(a)), multiply(y[0], np.broadcast_to(db, np.shape(b))))
    found = divide(moved, b)
    return tuple(aligned(v, w) if multiply is np.polymul else low(v, w) for v, w in zip(found, y))
