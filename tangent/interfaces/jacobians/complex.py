"""Complex derivatives from two real ones: along 1 and along 1j, of the real and of the imaginary part."""
import numpy as np

from tangent import errors
from tangent.runtime.pytree import leaves

NOT_ONE = ('a complex result that is no holomorphic function of a complex argument has no one complex derivative: '
           'differentiate its real and its imaginary part')
SLACK = 1e-6               # how far, in parts of their size, two derivatives of a holomorphic function may be apart


def column(y, along, turned):
    """The derivative of `y` by a complex number, from its tangents along 1 and along 1j.

    Raises
    ------
    ComplexNotImplementedError
        If both are complex and `y` is not holomorphic.
    """
    if not np.iscomplexobj(y):
        return np.asarray(along) + 1j * np.asarray(turned)
    return holomorphic(np.asarray(along), np.asarray(turned) / 1j)


def row(x, real, imaginary):
    """The derivative of a complex number by `x`, from the gradients of its real and of its imaginary part."""
    if not np.iscomplexobj(x):
        return np.asarray(real) + 1j * np.asarray(imaginary)
    return np.conj(holomorphic(np.asarray(real), np.asarray(imaginary) / 1j))


def holomorphic(one, other):
    """The derivative of a holomorphic function, found in two ways.

    Raises
    ------
    ComplexNotImplementedError
        If they are not the same.
    """
    with np.errstate(invalid='ignore'):
        apart = np.abs(one - other) > SLACK * (np.abs(one) + np.abs(other))
    if np.any(apart):
        raise errors.ComplexNotImplementedError(NOT_ONE)
    return one


def second(one, turned):
    """The second derivative of a holomorphic function, from its conjugate and that of 1j times it."""
    return holomorphic(one, 1j * turned)


def second_by_real(real, imaginary):
    """The second derivative of a complex number by real ones, from those of its real and of its imaginary part."""
    if np.iscomplexobj(real):
        raise errors.ComplexNotImplementedError('the result is complex, and what it is differentiated by: holomorphic=True '
                                                'gives the second complex derivative of a holomorphic function')
    return np.asarray(real) + 1j * np.asarray(imaginary)


def refuse_real(value):
    """Raise for a result that is real: it is no holomorphic function, unless it is constant."""
    if not any(map(np.iscomplexobj, leaves(value))):
        raise errors.ComplexNotImplementedError(f'the result is real; {NOT_ONE}')
