"""Norms, eigenvalues, singular values, factors and inverses of real matrices inside Numba-compiled code.

Most are compiled as `runtime.functions.numpy.linalg` writes them; here stand the forms that Numba has of what they ask for.
"""
import functools
import inspect

import numpy as np

from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import absent, as_written, is_array, is_none, is_number, real_only, stands_for
from tangent.numba.overloads.optional import overload
from tangent.runtime.api import init_grad, unbroadcast
from tangent.runtime.array_api import as_array
from tangent.runtime.broadcast import cast, results_like
from tangent.runtime.functions import plain, real
from tangent.runtime.functions.numpy import linalg
from tangent.runtime.functions.numpy.statistics import dual

stands_for(as_array, lambda x, dtype=None: x)
stands_for(cast, lambda b, x: unbroadcast(b, x))
stands_for(dual, lambda x: x)
stands_for(linalg.first_columns, lambda m, k: m[:, :k].copy())
stands_for(linalg.other_columns, lambda m, k: m[:, k:].copy())
stands_for(linalg.first_rows, lambda m, k: m[:k].copy())
stands_for(linalg.unit_matrix, lambda m: np.eye(m.shape[-1]))
stands_for(linalg.solved, lambda r, b: np.linalg.solve(r, b))
stands_for(linalg.imaginary_part, lambda v: np.zeros_like(v))
stands_for(linalg.diagonal_of, lambda m: np.diag(m))
stands_for(linalg.eigh_of, lambda a, UPLO: np.linalg.eigh(a))
stands_for(linalg.thin_svd, lambda a, hermitian=False: np.linalg.svd(a, False))
stands_for(linalg.rounding_of, lambda w: len(w) * np.finfo(w.dtype).eps * (np.max(np.abs(w)) if len(w) else 0.0))
stands_for(linalg.refuse_phases, lambda turned, size, what: None)
stands_for(linalg.turn, lambda dv, v: 0.0)
stands_for(linalg.turned_back, lambda bv, v: 0.0)
stands_for(linalg.unqr, lambda d, a, y, mode='reduced': linalg.qr_gradient(d, a, y))
stands_for(linalg.push_qr, lambda da, a, y, mode='reduced': linalg.qr_tangent(da, a, y))
stands_for(real.push_logdet, lambda da, a: np.trace(np.dot(np.linalg.inv(a), da)))
stands_for(real.push_sign_and_logdet, lambda da, a: (0.0, np.trace(np.dot(np.linalg.inv(a), da))))
as_written(linalg.from_triangle, linalg.to_triangle, linalg.scaled, linalg.over_gaps, linalg.by_largest,
           linalg.diagonal_matrix, linalg.uneigh, linalg.push_eigh, linalg.uneigvalsh, linalg.push_eigvalsh, linalg.uneig,
           linalg.push_eig, linalg.uneigvals, linalg.push_svd, linalg.qr_gradient, linalg.qr_tangent,
           linalg.push_cholesky, linalg.unpinv, linalg.push_pinv, linalg.unlstsq,
           linalg.push_lstsq, linalg.moved_values)


ROWS = 32                                       # that are solved for together, before a product with all those that are known


@loops.jit
def solve_transposed(y, s):
    """Put the solution of `y.T @ x = s`, for a lower triangle, in the place of `s`, from the last rows on."""
    stop = len(y)
    while stop > 0:
        start = max(stop - ROWS, 0)
        if stop < len(y):
            s[start:stop] -= np.dot(np.ascontiguousarray(y[stop:, start:stop]).T, s[stop:])
        for i in range(stop - 1, start - 1, -1):
            for k in range(i + 1, stop):
                for j in range(s.shape[1]):
                    s[i, j] -= y[k, i] * s[k, j]
            size = y[i, i]
            for j in range(s.shape[1]):
                s[i, j] /= size
        stop = start


@functools.partial(stands_for, linalg.idle_pairs, complex_too=True)
def _idle_pairs(bv):
    idle = np.empty(bv.shape, np.bool_)
    for i in range(len(bv)):
        for j in range(len(bv)):
            idle[i, j] = not (np.any(bv[:, i]) or np.any(bv[:, j]))
    return idle


@functools.partial(stands_for, linalg.uncholesky)
def _uncholesky(d, y):
    """In the place of one array, with products left to BLAS: what is between is symmetric, as the gradient is."""
    s = np.ascontiguousarray(np.dot(y.T, d))
    for i in range(len(y)):
        for j in range(i + 1):
            s[i, j] *= 0.5
            s[j, i] = s[i, j]
    solve_transposed(y, s)
    s = s.T.copy()
    solve_transposed(y, s)
    for i in range(len(y)):
        for j in range(i):
            s[i, j] *= 2.0
        s[i, i + 1:] = 0.0
    return s


stands_for(results_like, lambda y, *parts: parts, complex_too=True)


@overload(linalg.H)
def _transposed(m):
    """In an order that BLAS takes."""
    real_only(m)
    return (lambda m: m.T.copy()) if m.layout == 'A' else lambda m: m.T


@overload(linalg.as_columns)
def _as_columns(b):
    return (lambda b: b.copy().reshape((-1, 1))) if b.ndim == 1 else lambda b: b


@overload(linalg.part, prefer_literal=True)
def _part(d, k, y):
    k = k.literal_value
    return loops.build(f'def impl(d, k, y):\n    return {f"np.zeros_like(y[{k}])" if is_none(d[k]) else f"d[{k}]"}')


@overload(linalg.unsvd)
def _unsvd(d, a, y, hermitian=False):
    real_only(a)
    return of_values if is_none(d[0]) and is_none(d[2]) else inspect.unwrap(linalg.unsvd)


def of_values(d, a, y, hermitian=False):
    """Where only the values have gradients: there is much less to compile."""
    k = y[1].size
    return unbroadcast(np.dot(y[0][:, :k].copy() * d[1], y[2][:k].copy()), a)


# Norms

@overload(plain.norm_slope)
@overload(linalg.norm_slope)
def _norm_slope(x, ord=None, axis=None):
    real_only(x)
    if not is_array(x) or x.ndim > 2 or not absent(axis):
        return None
    if x.ndim == 1 and is_number(ord):
        return slope_of_vector
    if x.ndim == 2 and is_number(ord):
        return slope_of_matrix
    return None


def slope_of_vector(x, ord=None, axis=None):
    size, out = np.abs(x), init_grad(x)
    if ord == 0 or x.size == 0:
        return out
    if ord == np.inf or ord == -np.inf:
        share = size == (np.max(size) if ord > 0 else np.min(size))
        return np.sign(x) * (share / np.sum(share))
    if ord == 1:
        return np.sign(x) + out
    norm = np.linalg.norm(x, ord)
    if norm != 0:
        for i in range(x.size):
            out[i] = np.sign(x[i]) * (size[i] / norm) ** (ord - 1) if size[i] != 0 or ord >= 1 else 0.0
    return out


def slope_of_matrix(x, ord=None, axis=None):
    out = init_grad(x)
    if abs(ord) == 2:
        u, s, vh = np.linalg.svd(x, False)
        share = s == (s[0] if ord > 0 else s[-1])
        return np.dot(u * (share / np.sum(share)), vh) if s[0] != 0 else out
    sums = np.sum(np.abs(x), axis=0) if abs(ord) == 1 else np.sum(np.abs(x), axis=1)
    chosen = sums == (np.max(sums) if ord > 0 else np.min(sums))
    count = np.sum(chosen)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if chosen[j if abs(ord) == 1 else i]:
                out[i, j] = np.sign(x[i, j]) / count
    return out


# Condition numbers

@loops.jit
def weights_of_cond(y, s):
    weights = np.zeros_like(s)
    weights[0] += 1 / s[-1]
    weights[-1] -= y / s[-1]
    return weights


@functools.partial(stands_for, linalg.uncond, when=lambda d, x, y, p=None: absent(p))
def _uncond(d, x, y, p=None):
    u, s, vh = np.linalg.svd(x, False)
    return unbroadcast(np.dot(u * (d * weights_of_cond(y, s)), vh), x)


@functools.partial(stands_for, linalg.push_cond, when=lambda dx, x, y, p=None: absent(p))
def _push_cond(dx, x, y, p=None):
    u, s, vh = np.linalg.svd(x, False)
    return np.sum(np.dot(u * weights_of_cond(y, s), vh) * dx)
