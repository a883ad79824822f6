"""The run time of derivatives in complex form inside Numba-compiled code, and of those that need not conjugate."""
import numba
import numpy as np
from numba.core import types
from numba.core.errors import TypingError

from tangent.numba.overloads.checks import _check_scalar, check_shapes
from tangent.numba.overloads.core import by_parts, gradient_dtype, is_array, is_leaf, is_none, ranks, stands_for
from tangent.numba.overloads.optional import overload
from tangent.numba.overloads.rules import ratio
from tangent.runtime.api import astype, init_grad, unbroadcast
from tangent.runtime.functions import complex, elementwise, plain
from tangent.runtime.seeds import check_dims, check_ones


def is_complex(t):
    return isinstance(getattr(t, 'dtype', t), types.Complex)


@numba.vectorize
def direction(x):
    size = abs(x)
    return x / size if size else 0 * x


@numba.vectorize
def times_unless_null(y, v):
    return y * v if y != 0 else 0 * y


overload(plain.check_scalar)(_check_scalar)
stands_for(plain.safe_divide, lambda x, y: ratio(x, y), complex_too=True)
stands_for(elementwise.null_times, lambda y, v: times_unless_null(y, v), complex_too=True)


@overload(plain.unit_of)
def _unit_of(x):
    return (lambda x: direction(x)) if is_complex(x) else lambda x: np.sign(x)


@overload(complex.unit)
def _unit(x):
    return (lambda x: np.conj(direction(x))) if is_complex(x) else lambda x: np.sign(x)


@overload(complex.real)
def _real(d):
    return (lambda d: d.real) if is_complex(d) else lambda d: d


real, unit = complex.real, complex.unit


stands_for(complex.unabs, lambda d, x: real(d) * unit(x), complex_too=True)
stands_for(complex.push_abs, lambda dx, x: real(dx * unit(x)), complex_too=True)
stands_for(complex.unreal, lambda d, x: unbroadcast(real(d), x), complex_too=True)


@overload(complex.unimaginary)
def _unimaginary(d, x):
    return (lambda d, x: unbroadcast(-1j * real(d), x)) if is_complex(x) else lambda d, x: init_grad(x)


stands_for(complex.unconj, lambda d, x: unbroadcast(np.conj(d), x), complex_too=True)


@overload(complex.unangle)
def _unangle(d, z, deg=False):
    if not is_complex(z):
        return lambda d, z, deg=False: init_grad(z)
    return lambda d, z, deg=False: unbroadcast(real(d) * (180 / np.pi if deg else 1) * ratio(-1j, z), z)


stands_for(complex.push_angle, lambda dz, z, deg=False: (180 / np.pi if deg else 1) * np.imag(ratio(dz, z + 0j)),
           complex_too=True)


# The two ends

@overload(complex.check_real)
def _check_real(y, by, *leaves):
    if is_complex(y):
        raise TypingError(f'The result is complex: {complex.HOLOMORPHIC}')
    return lambda y, by, *leaves: check_dims(y, by)


@overload(complex.conjugated)
def _conjugated(y, by):
    conjugated = complex.conjugated
    if is_none(by):
        return lambda y, by: by
    if isinstance(y, types.BaseTuple) and isinstance(by, types.BaseTuple) and len(y) == len(by):
        return by_parts(conjugated, by, 'y', 'by')
    if not is_complex(y):
        return lambda y, by: check_dims(y, by)
    if ranks(y) != ranks(by):
        raise TypingError(f'Shape mismatch between return value and seed derivative: {y} and {by}')
    if is_array(y):
        return lambda y, by: np.conj(check_shapes_of(y, by))
    return lambda y, by: by.conjugate()


check_shapes_of = numba.njit(check_shapes)


@overload(complex.as_gradient)
def _as_gradient(b, x):
    as_gradient = complex.as_gradient
    if isinstance(x, types.BaseTuple):
        return by_parts(as_gradient, x, 'b', 'x')
    if is_leaf(x) and gradient_dtype(x).kind == 'c':
        return (lambda b, x: init_grad(x)) if is_none(b) else lambda b, x: np.conj(unbroadcast(b, x))
    return lambda b, x: astype(b, x)


@overload(complex.unconjugated)
def _unconjugated(d, b, x):
    return (lambda d, b, x: unbroadcast(np.conj(d), b)) if is_complex(x) else lambda d, b, x: unbroadcast(real(d), b)


@overload(check_ones)
def _check_ones(y, by):
    if isinstance(getattr(y, 'dtype', y), types.Complex):
        raise TypingError('The result is complex: the sum of its elements has no gradient')
    return lambda y, by: unbroadcast(by, y)
