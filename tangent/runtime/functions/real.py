"""Run-time functions for rules that hold for real numbers only: those of functions whose result is always real.

The rules differentiate through complex numbers as through real ones, without conjugating. In a derivative made for real
numbers (see `analysis.complexity`) a gradient must never arrive at a complex number: every way from one to a real number leads
through a function of this module (or of `seeds`), which refuses it.
"""
import functools

import numpy as np

from tangent.errors import ComplexNotImplementedError
from tangent.runtime.array_api import LATER, as_array, beside, size_of
from tangent.runtime.broadcast import cast, results_like, unbroadcast, unreduce_like
from tangent.runtime.fields import dtype_of, is_object, refuse_object
from tangent.runtime.zeros import init_grad

SIGN_AND_LOGDET = np.linalg.slogdet(np.eye(1))
WAY_OUT = 'annotate the parameter of your function as complex (z: complex), so that its derivative is made for complex numbers'


def is_complex(x):
    """Whether `x` is a complex number, or an array of them."""
    return isinstance(x, complex) or getattr(dtype_of(x), 'kind', None) == 'c'


def refuse_complex(x, what):
    """Raise if `x` is complex; `what` says how it comes in.

    Raises
    ------
    ComplexNotImplementedError
    """
    if is_complex(x):
        raise ComplexNotImplementedError(f'{what} is complex: this derivative was made for real numbers; {WAY_OUT}')


def for_real_numbers(function):
    """The function, which refuses complex arrays among its arguments; for others it is `__wrapped__`."""
    @functools.wraps(function)
    def checked(*args, **keywords):
        for a in args:
            for part in a if isinstance(a, tuple) else (a,):
                refuse_complex(part, 'An array in linear algebra or statistics')
        return function(*args, **keywords)
    return checked


def spread_real(d, x, axis=None, keepdims=False):
    """As `unreduce_like`, in the dtype of the real and imaginary parts of `x`."""
    return unreduce_like(d, np.real(x), axis, keepdims)


def sign(x):
    """The derivative of `abs(x)`: -1, 0 or 1."""
    if type(x) is float:
        return 1.0 if x > 0 else -1.0 if x < 0 else 0.0 * x
    if type(x) in LATER:
        return LATER[type(x)](sign, x)
    refuse_complex(x, 'The argument of abs')
    if is_object(x):
        refuse_object(x)
    return np.sign(x)


def unreal(d, x):
    """The gradient of `x`, from that of `x.real` or `numpy.conj(x)`, which are `x` itself."""
    refuse_complex(x, 'A value whose real part or conjugate is taken')
    return unbroadcast(d, x)


def unimag(d, x):
    """The gradient of `x`, from that of its imaginary part, or of its angle: 0, or steps between 0 and pi."""
    refuse_complex(x, 'A value whose imaginary part or angle is taken')
    return init_grad(x)


def centred(a, axis=None):
    """`a` less its mean over `axis`."""
    a = as_array(a)
    refuse_complex(a, 'An array whose variance is taken')
    return a - np.mean(a, axis=axis, keepdims=True) if size_of(a) else a * 1.0


def nancentred(a, axis=None):
    """`a` less its mean over `axis`, which takes no notice of nan; 0 there."""
    refuse_complex(a, 'An array whose variance is taken')
    return np.where(np.isnan(a), 0, a - np.nanmean(a, axis=axis, keepdims=True)) if size_of(a) else a * 1.0


def push_logdet(da, a):
    """The tangent of the logarithm in `numpy.linalg.slogdet(a)`; inf where `a` is singular."""
    refuse_complex(a, 'A matrix whose slogdet is taken')
    found = np.trace(inverse_or_inf(a) @ da, axis1=-2, axis2=-1)
    return np.where(np.isnan(found) & ~np.isnan(np.linalg.slogdet(a)[1]), np.inf, found)[()]


def push_sign_and_logdet(da, a):
    """The tangent of `numpy.linalg.slogdet(a)`."""
    moved = push_logdet(da, a)
    return results_like(SIGN_AND_LOGDET, np.zeros_like(moved), moved)


def unslogdet(d, a):
    """The gradient of `a`, from that of the logarithm in `numpy.linalg.slogdet(a)`; inf where `a` is singular."""
    refuse_complex(a, 'A matrix whose slogdet is taken')
    return cast(np.expand_dims(d, (-1, -2)) * np.swapaxes(inverse_or_inf(a), -1, -2), a)


def inverse_or_inf(a):
    """The inverse of each of the matrices, inf for those that are singular."""
    a = as_array(a)
    singular = (np.linalg.slogdet(a)[0] == 0)[..., None, None]
    return np.where(singular, np.inf, np.linalg.inv(np.where(singular, beside(np.eye(a.shape[-1]), a), a)))
