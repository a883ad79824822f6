"""Run-time functions for rules about polynomials, whose coefficients NumPy lists from the highest power down."""
import numpy as np

from tangent.runtime.array_api import as_array, at_least_1d, beside, counted, peer
from tangent.runtime.broadcast import cast


def _powers(x, count):
    """The powers of `x` from the highest down, along a last axis."""
    return as_array(x)[..., None] ** counted(count, x)[::-1]


def _slopes(p, *others):
    """The coefficients of the derivative of a polynomial (CuPy has no `polyder`)."""
    p = beside(as_array(p), *others)
    return p[:-1] * counted(len(p), p)[:0:-1]


def polynomial_slope(p, x):
    """The derivative of `numpy.polyval(p, x)` by `x`."""
    return np.polyval(cast(_slopes(p, x), p), x) if len(p) > 1 else np.zeros_like(x)


def unpolyval(d, p, x):
    """The gradient of `p`, from that of `numpy.polyval(p, x)`."""
    count = len(p)
    return cast(np.sum((as_array(d)[..., None] * _powers(beside(as_array(x), p), count)).reshape(-1, count), axis=0), p)


def aligned(d, p):
    """What `d`, a polynomial, has for the coefficients of `p`: powers correspond, and those that it lacks are 0."""
    size, d = np.size(p), at_least_1d(d)
    d = d[len(d) - size:] if len(d) >= size else np.concatenate([np.zeros(size - len(d), d.dtype, like=peer(d)), d])
    return cast(np.reshape(d.copy(), np.shape(p)), p)


def unpolymul(d, a, b):
    """The gradient of `a`, from that of `numpy.polymul(a, b)`, which drops leading zeros."""
    a, b = at_least_1d(a), at_least_1d(b)
    full = aligned(d, np.zeros(len(a) + len(b) - 1, np.result_type(d), like=peer(d)))
    return cast(np.correlate(full, np.conj(b), 'valid'), a)


def unpolyder(d, p, m=1):
    """The gradient of `p`, from that of `numpy.polyder(p, m)`."""
    for k in range(m):
        factors = np.arange(len(p) - m + k + 1)[::-1]
        d = np.concatenate([d, [0]])[:len(factors)] * factors
    return cast(np.concatenate([d, np.zeros(len(p) - len(d))]) if len(d) < len(p) else d, p)


def unpolyint(d, p, m=1):
    """The gradient of `p`, from that of `numpy.polyint(p, m)`."""
    for _ in range(m):
        d = d[:-1] / np.arange(len(d) - 1, 0, -1)
    return cast(d, p)


def unroots(d, p, y):
    """The gradient of `p`, from that of `y = numpy.roots(p)`, of roots that are simple."""
    p = as_array(p)
    slopes = np.polyval(_slopes(p), y)
    return cast(-np.sum((d / slopes)[:, None] * _powers(y, len(p)), axis=0), p)


def push_roots(dp, p, y):
    """The tangent of `y = numpy.roots(p)`."""
    return -np.polyval(dp, y) / np.polyval(_slopes(p), y)


def _slopes_of_matrix(a):
    """The derivatives of the coefficients of the characteristic polynomial of a matrix, but for the first: minus those of
    its adjugate (Faddeev and LeVerrier)."""
    coefficients, found = np.poly(a), []
    for c in coefficients[:-1]:
        found.append(a @ found[-1] + c * np.eye(len(a)) if found else np.eye(len(a)))
    return found


def unpoly(d, zeros):
    """The gradient of the zeros, or of the matrix, from that of `numpy.poly(zeros)`."""
    if np.ndim(zeros) == 2:
        return cast(-sum(g * m.T for g, m in zip(d[1:], _slopes_of_matrix(as_array(zeros)))), zeros)
    rest = [-np.poly(np.delete(zeros, k)) for k in range(len(zeros))]
    return cast(as_array([np.sum(d[1:] * np.atleast_1d(r)) for r in rest]), zeros)


def push_poly(dzeros, zeros):
    """The tangent of `numpy.poly(zeros)`."""
    if np.ndim(zeros) == 2:
        return np.array([0.0, *(-np.sum(m.T * dzeros) for m in _slopes_of_matrix(as_array(zeros)))])
    moved = sum(dz * -np.atleast_1d(np.poly(np.delete(zeros, k))) for k, dz in enumerate(dzeros))
    return np.concatenate([np.zeros_like(moved[:1]), moved])
