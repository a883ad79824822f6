"""Run-time functions of derivatives in complex form (see `analysis.complexity`): gradients come and go conjugated.

The gradient that comes to a function with a real result is real; an imaginary part that it has by now is dropped.
"""
import numpy as np

from tangent.errors import ShapeError
from tangent.runtime import cast as fit
from tangent.runtime import seeds
from tangent.runtime.array_api import as_array
from tangent.runtime.broadcast import cast, results_like, shape_of, unbroadcast
from tangent.runtime.functions import elementwise, plain
from tangent.runtime.functions import real as helpers_real
from tangent.runtime.functions.numpy import linalg, statistics
from tangent.runtime.functions.numpy.statistics import dual
from tangent.runtime.functions.real import is_complex
from tangent.runtime.zeros import gradient_like, init_grad, rebuilt

HOLOMORPHIC = 'a complex number has a gradient only through a real one made of it: use tangent.holomorphic_grad for the ' \
              'derivative of a holomorphic function, tangent.vjp with a seed of your own, or return the real part'

# Those that refuse complex numbers in derivatives for real ones, as they are behind that
for _module, _names in ((linalg, '''uneigh uneigvalsh unsvd unsvdvals uncond unlstsq push_eigh
                         push_eigvalsh push_svd push_svdvals push_cond push_lstsq unpinv unqr push_pinv push_qr uneig push_eig
                         uneigvals unmulti_dot'''),
                        (statistics, 'uncov push_cov')):
    for _name in _names.split():
        _plain = getattr(getattr(_module, _name, None), '__wrapped__', None)
        if _plain is not None:
            _plain.__module__ = __name__
            globals()[_name] = _plain
centred, nancentred, safe_divide, deviations = plain.centred, plain.nancentred, plain.safe_divide, plain.deviations
norm_slope, vector_slope, matrix_slope = plain.norm_slope, plain.vector_slope, plain.matrix_slope


def real(d):
    """The real part of a gradient."""
    return d.real if is_complex(d) else d


def unit(x):
    """The derivative of `abs(x)`, conjugated."""
    return np.conj(linalg.direction(x))[()] if is_complex(x) else helpers_real.sign(x)


def unabs(d, x):
    """The gradient of `x`, from that of `abs(x)`."""
    return real(d) * unit(x)


def push_abs(dx, x):
    """The tangent of `abs(x)`."""
    return real(dx * unit(x))


def unsign(d, x, y):
    """The gradient of `x`, from that of `y = numpy.sign(x)`, which is `x / abs(x)` for complex numbers."""
    if not is_complex(x):
        return init_grad(x)
    return 1j * np.imag(d * y) * np.conj(y) * safe_divide(1.0, np.abs(x))


def push_sign(dx, x, y):
    """The tangent of `y = numpy.sign(x)`."""
    if not is_complex(x):
        return init_grad(x)
    return 1j * np.imag(dx * np.conj(y)) * y * safe_divide(1.0, np.abs(x))


def unreal(d, x):
    """The gradient of `x`, from that of its real part."""
    return unbroadcast(real(d), x)


def unimaginary(d, x):
    """The gradient of `x`, from that of its imaginary part."""
    return unbroadcast(-1j * real(d), x) if is_complex(x) else init_grad(x)


def unconj(d, x):
    """The gradient of `x`, from that of its conjugate."""
    return unbroadcast(np.conj(d), x)


def unangle(d, z, deg=False):
    """The gradient of `z`, from that of `numpy.angle(z, deg)`."""
    if not is_complex(z):
        return init_grad(z)
    return cast(real(d) * (180 / np.pi if deg else 1) * safe_divide(-1j, z), z)


def push_angle(dz, z, deg=False):
    """The tangent of `numpy.angle(z, deg)`."""
    return (180 / np.pi if deg else 1) * np.imag(safe_divide(dz, z + 0j))


def spread(d, coefficient, x, axis=None, keepdims=False):
    """The gradient of `x`, from that of a real reduction of it whose derivative is the coefficient."""
    return cast(helpers_real.spread_real(real(d), x, axis, keepdims) * dual(coefficient), x)


def push_spread(dx, coefficient, axis=None, keepdims=False):
    """The tangent of a real reduction whose derivative is the coefficient."""
    return np.sum(np.real(dx * dual(coefficient)), axis=axis, keepdims=keepdims)


def unslogdet_parts(d, a, y):
    """The gradient of `a`, from that of `y = numpy.linalg.slogdet(a)`."""
    dsign = 0 if d[0] is None else as_array(d[0])
    dlog = 0 if d[1] is None else real(as_array(d[1]))
    owed = dlog + (1j * np.imag(dsign * y[0]) if is_complex(a) else 0)
    return cast(np.expand_dims(owed, (-1, -2)) * np.swapaxes(np.linalg.inv(a), -1, -2), a)


def push_slogdet(da, a, y):
    """The tangent of `numpy.linalg.slogdet(a)`."""
    moved = np.trace(np.linalg.solve(a, da), axis1=-2, axis2=-1)
    return results_like(y, 1j * y[0] * np.imag(moved) if is_complex(a) else np.zeros_like(y[0]), np.real(moved))


def unarray(d, x, dtype=None):
    """The gradient of `x`, from that of `numpy.array(x, dtype)`: nested as `x` is; 0 through integers."""
    if isinstance(x, (list, tuple)):
        return gradient_like(x, [unarray(d[k], x[k], dtype) for k in range(len(x))])
    elementwise.refuse_flat(x)
    kept = dtype is None or np.dtype(dtype).kind in 'fcO'
    d = real(d) if dtype is not None and np.dtype(dtype).kind == 'f' else d
    return elementwise.own(cast(d if kept else np.zeros_like(d), x), d)


# The two ends

def check_real(y, by, *leaves):
    """As `check_dims`, for a result that has to be real.

    Raises
    ------
    ShapeError
        If it is complex.
    """
    if is_complex(y):
        raise ShapeError(f'The result is complex: {HOLOMORPHIC}')
    return seeds.check_dims(y, by, *leaves)


def conjugated(y, by):
    """The seed of the result `y`, which may be complex, conjugated."""
    if isinstance(y, (tuple, list)) and isinstance(by, (tuple, list)) and len(y) == len(by):
        return [conjugated(v, b) for v, b in zip(y, by)]
    if not is_complex(y):
        return None if by is None else seeds.check_dims(y, by)
    if by is not None and shape_of(y) != shape_of(by):
        raise ShapeError(f'Shape mismatch between return value ({seeds.described(y)}) and seed derivative '
                         f'({seeds.described(by)})')
    return None if by is None else np.conj(by)


def unconj_seed(d, by):
    """The gradient of `by`, from that of `conjugated(y, by)`."""
    if isinstance(by, (tuple, list)):
        return [unconj_seed(*parts) for parts in zip(d, by)]
    return None if d is None or by is None else unconj(d, by)


def unconjugated(d, b, x):
    """The gradient of `b`, from that of `as_gradient(b, x)`."""
    if isinstance(x, (tuple, list)):
        return [unconjugated(*parts) for parts in zip(d, b, x)]
    return None if d is None else unbroadcast(np.conj(d) if is_complex(x) else real(d), b)


def as_gradient(b, x):
    """The gradient `b` in the structure and dtype of the argument `x`, as people get it: `dL/dx + 1j * dL/dy`."""
    return conjugate(fit.astype(b, x), x)


def conjugate(b, x):
    """A gradient of `x` with all its numbers conjugated."""
    made = rebuilt(x, lambda value, part: conjugate(part, value), b)
    if made is not None:
        return made
    if type(x) in fit.FITTERS:
        return fit.FITTERS[type(x)](np.conjugate(b), x)
    return np.conjugate(b) if is_complex(b) else b
