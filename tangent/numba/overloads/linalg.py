"""Norms, eigenvalues, singular values, factors and inverses of real matrices inside Numba-compiled code: the formulas of
`runtime.functions.numpy.linalg`."""
from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

from tangent.errors import ArgumentError
from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import is_array, is_none, is_number, ranks
from tangent.numba.overloads.rules import absent, real_only
from tangent.runtime.api import init_grad, unbroadcast
from tangent.runtime.functions import plain
from tangent.runtime.functions.numpy import linalg, products

FULL = ('numpy.linalg.svd: the vectors that full_matrices=True adds are not determined and have no derivative; '
        'use full_matrices=False')


def default(argument):
    """Whether an argument is left out, or given as False."""
    return argument is False or isinstance(argument, types.Omitted) or getattr(argument, 'literal_value', None) is False


@loops.jit
def zero_or(d, like):
    return np.zeros_like(like) if d is None else d


@register_jitable
def lower(m):
    """The gradient of the lower triangle from which symmetric matrices are made, from that of these."""
    return np.tril(m + m.T, -1) + np.diag(np.diag(m))


@register_jitable
def over_gaps(m, w):
    """The elements of `m` over the differences `w[j] - w[i]`, 0 on the diagonal."""
    out = np.zeros_like(m)
    for i in range(w.size):
        for j in range(w.size):
            if i != j and m[i, j] != 0:
                out[i, j] = np.divide(m[i, j], w[j] - w[i])
    return out


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


# Eigenvalues

@overload(linalg.uneigvalsh)
def _uneigvalsh(d, a, UPLO='L'):
    real_only(a)
    if not isinstance(UPLO, (str, types.Omitted)):
        return None

    def impl(d, a, UPLO='L'):
        v = np.linalg.eigh(a)[1]
        return unbroadcast(lower(np.dot(v * d, v.T)), a)
    return impl


@overload(linalg.uneigh)
def _uneigh(d, y, upper=False):
    real_only(y[1])
    if not isinstance(upper, (bool, types.Omitted)):
        return None
    none = [isinstance(part, types.NoneType) for part in d]
    if none == [False, True]:
        return lambda d, y, upper=False: lower(np.dot(y[1] * d[0], y[1].T))
    if none == [True, False]:
        return lambda d, y, upper=False: lower(np.dot(np.dot(y[1], over_gaps(np.dot(y[1].T, d[1]), y[0])), y[1].T))

    def impl(d, y, upper=False):
        w, v = y
        return lower(np.dot(np.dot(v, np.diag(d[0]) + over_gaps(np.dot(v.T, d[1]), w)), v.T))
    return impl


# Numba refuses real matrices that have other eigenvalues than real ones

@loops.jit
def eig_adjoint(bw, bv, w, v):
    pulled = np.dot(v.T, bv)
    pulled = pulled - np.dot(v.T, v) * np.diag(pulled)
    return np.linalg.solve(v.T, np.dot(np.diag(bw) + over_gaps(pulled, w), v.T))


@overload(linalg.uneigvals)
def _uneigvals(d, a):
    real_only(a)

    def impl(d, a):
        v = np.linalg.eig(a)[1]
        return unbroadcast(np.linalg.solve(v.T, np.dot(np.diag(d), v.T)), a)
    return impl if ranks(d, a) == (1, 2) else None


@overload(linalg.uneig)
def _uneig(d, a, y):
    real_only(a)
    if ranks(a) != (2,):
        return None
    return lambda d, a, y: unbroadcast(eig_adjoint(zero_or(d[0], y[0]), zero_or(d[1], y[1]), y[0], y[1]), a)


@overload(linalg.push_eig)
def _push_eig(da, y):
    real_only(y[1])

    def impl(da, y):
        w, v = y
        inner = np.linalg.solve(v, np.dot(da, v))
        dv = np.dot(v, over_gaps(inner, w))
        return np.diag(inner).copy(), dv - v * np.sum(v * dv, axis=0)
    return impl if ranks(da) == (2,) else None


# Singular values

@loops.jit
def svd_adjoint(bu, bs, bvh, u, s, vh):
    k = s.size
    if u.shape[1] > k:
        if np.any(bu[:, k:] != 0):
            raise ArgumentError(FULL)
        u, bu = u[:, :k].copy(), bu[:, :k].copy()
    if vh.shape[0] > k:
        if np.any(bvh[k:] != 0):
            raise ArgumentError(FULL)
        vh, bvh = vh[:k].copy(), bvh[:k].copy()
    left, right = np.dot(u.T, bu), np.dot(vh, bvh.T)
    squares = s * s
    inner = over_gaps(left - left.T, squares) * s + s.reshape((-1, 1)) * over_gaps(right - right.T, squares) + np.diag(bs)
    found = np.dot(np.dot(u, inner), vh)
    if u.shape[0] > k and np.any(bu != 0):
        outer = bu / s
        found = found + np.dot(outer - np.dot(u, np.dot(u.T, outer)), vh)
    if vh.shape[1] > k and np.any(bvh != 0):
        outer = bvh / s.reshape((-1, 1))
        found = found + np.dot(u, outer - np.dot(np.dot(outer, vh.T), vh))
    return found


@overload(linalg.unsvd)
def _unsvd(d, a, y, hermitian=False):
    real_only(a)
    if ranks(a) != (2,) or not default(hermitian):
        return None
    if is_none(d[0]) and is_none(d[2]):
        def of_values(d, a, y, hermitian=False):
            k = y[1].size
            return unbroadcast(np.dot(y[0][:, :k] * d[1], y[2][:k]), a)
        return of_values
    return lambda d, a, y, hermitian=False: unbroadcast(svd_adjoint(
        zero_or(d[0], y[0]), zero_or(d[1], y[1]), zero_or(d[2], y[2]), y[0], y[1], y[2]), a)


@overload(linalg.push_svd)
def _push_svd(da, a, y, hermitian=False):
    real_only(a)
    if ranks(da, a) != (2, 2) or not default(hermitian):
        return None

    def impl(da, a, y, hermitian=False):
        u, s, vh = y
        k = s.size
        if u.shape[1] > k or vh.shape[0] > k:
            raise ArgumentError('numpy.linalg.svd: full_matrices=True has no derivative; use full_matrices=False')
        inner = np.dot(np.dot(u.T, da), vh.T)
        column, squares = s.reshape((-1, 1)), s * s
        du = np.dot(u, over_gaps(inner * s + column * inner.T, squares))
        dv = np.dot(vh.T, over_gaps(column * inner + inner.T * s, squares))
        if u.shape[0] > k:
            outer = np.dot(da, vh.T) / s
            du = du + outer - np.dot(u, np.dot(u.T, outer))
        if vh.shape[1] > k:
            across = np.dot(da.T, u) / s
            dv = dv + across - np.dot(vh.T, np.dot(vh, across))
        return du, np.diag(inner).copy(), dv.T.copy()
    return impl


# Factors

@overload(products.uncholesky)
def _uncholesky(d, y):
    real_only(y)

    def impl(d, y):
        inner = np.tril(np.dot(y.T, d))
        inner = 0.5 * (inner + np.tril(inner, -1).T)
        half = np.linalg.solve(y.T, inner)
        return lower(np.linalg.solve(y.T, half.T.copy()).T)
    return impl if ranks(d, y) == (2, 2) else None


@overload(linalg.unqr)
def _unqr(d, a, y, mode='reduced'):
    real_only(a)
    if ranks(a) != (2,) or not isinstance(mode, (str, types.Omitted, types.StringLiteral, types.UnicodeType)):
        return None

    def impl(d, a, y, mode='reduced'):
        q, r = y
        rows = min(a.shape[0], a.shape[1])
        bq, br = zero_or(d[0], q), zero_or(d[1], r)
        beyond, r1 = br[:, rows:].copy(), r[:, :rows].copy()
        bq = bq + np.dot(a[:, rows:].copy(), beyond.T)
        inner = np.triu(np.dot(br[:, :rows].copy(), r1.T) - np.dot(q.T, bq))
        inner = inner + inner.T - np.diag(np.diag(inner))
        found = np.empty(a.shape)
        found[:, :rows] = np.linalg.solve(r1, (bq + np.dot(q, inner)).T.copy()).T
        found[:, rows:] = np.dot(q, beyond)
        return unbroadcast(found, a)
    return impl


@overload(linalg.push_qr)
def _push_qr(da, a, y, mode='reduced'):
    real_only(a)
    if ranks(da, a) != (2, 2):
        return None

    def impl(da, a, y, mode='reduced'):
        q, r = y
        rows = min(a.shape[0], a.shape[1])
        r1 = r[:, :rows].copy()
        outer = np.linalg.solve(r1.T.copy(), da[:, :rows].T.copy()).T.copy()
        inner = np.dot(q.T, outer)
        turn = np.tril(inner, -1)
        turn = turn - turn.T
        dq, dr = outer - np.dot(q, inner - turn), np.empty_like(r)
        dr[:, :rows] = np.dot(inner - turn, r1)
        dr[:, rows:] = np.dot(dq.T, a[:, rows:].copy()) + np.dot(q.T, da[:, rows:].copy())
        return dq, dr
    return impl


# Inverses

@loops.jit
def pinv_adjoint(d, a, y):
    left, right = np.eye(a.shape[0]) - np.dot(a, y), np.eye(a.shape[1]) - np.dot(y, a)
    straight = np.dot(np.dot(y.T, d), y.T)
    over = np.dot(np.dot(np.dot(left, d.T), y), y.T)
    return over + np.dot(np.dot(np.dot(y.T, y), d.T), right) - straight


@loops.jit
def pinv_tangent(da, a, y):
    left, right = np.eye(a.shape[0]) - np.dot(a, y), np.eye(a.shape[1]) - np.dot(y, a)
    straight = np.dot(np.dot(y, da), y)
    over = np.dot(np.dot(np.dot(y, y.T), da.T), left)
    return over + np.dot(np.dot(np.dot(right, da.T), y.T), y) - straight


@overload(linalg.unpinv)
def _unpinv(d, a, y, hermitian=False):
    real_only(a)
    if ranks(d, a) != (2, 2) or not default(hermitian):
        return None
    return lambda d, a, y, hermitian=False: unbroadcast(pinv_adjoint(d, a, y), a)


@overload(linalg.push_pinv)
def _push_pinv(da, a, y, hermitian=False):
    real_only(a)
    if ranks(da, a) != (2, 2) or not default(hermitian):
        return None
    return lambda da, a, y, hermitian=False: pinv_tangent(da, a, y)


@loops.jit
def lstsq_adjoint(bx, bresiduals, bs, a, b, x):
    """The gradients of `a` and of the columns `b`, from those of the solution, the residuals and the singular values."""
    inverse = np.linalg.pinv(a)
    ba, bb = pinv_adjoint(np.dot(bx, b.T), a, inverse), np.dot(inverse.T, bx)
    if bresiduals.size:
        rest = 2 * (b - np.dot(a, x)) * bresiduals
        ba, bb = ba - np.dot(rest, x.T), bb + rest
    if np.any(bs != 0):
        u, _, vh = np.linalg.svd(a, False)
        ba = ba + np.dot(u * bs, vh)
    return ba, bb


@overload(linalg.unlstsq)
def _unlstsq(d, a, b, y):
    real_only(a)
    if ranks(a, b) == (2, 1):
        def of_vector(d, a, b, y):
            ba, bb = lstsq_adjoint(zero_or(d[0], y[0]).reshape((-1, 1)), zero_or(d[1], y[1]), zero_or(d[3], y[3]), a,
                                   b.copy().reshape((-1, 1)), y[0].copy().reshape((-1, 1)))
            return unbroadcast(ba, a), unbroadcast(bb[:, 0].copy(), b)
        return of_vector

    def of_columns(d, a, b, y):
        ba, bb = lstsq_adjoint(zero_or(d[0], y[0]), zero_or(d[1], y[1]), zero_or(d[3], y[3]), a, b, y[0])
        return unbroadcast(ba, a), unbroadcast(bb, b)
    return of_columns if ranks(a, b) == (2, 2) else None


@overload(linalg.push_lstsq)
def _push_lstsq(da, db, a, b, y):
    real_only(a)
    if ranks(da, db) != ranks(a, b) or ranks(a, b) not in ((2, 1), (2, 2)):
        return None

    def impl(da, db, a, b, y):
        inverse = np.linalg.pinv(a)
        rest = (b - np.dot(a, y[0])) * (db - np.dot(da, y[0]))
        u, _, vh = np.linalg.svd(a, False)
        dx = np.dot(pinv_tangent(da, a, inverse), b) + np.dot(inverse, db)
        return dx, np.zeros_like(y[1]) + 2 * np.sum(rest, axis=0), 0, np.sum(u.T * np.dot(vh, da.T), axis=1)
    return impl


# Condition numbers

@loops.jit
def weights_of_cond(y, s):
    weights = np.zeros_like(s)
    weights[0] += 1 / s[-1]
    weights[-1] -= y / s[-1]
    return weights


@overload(linalg.uncond)
def _uncond(d, x, y, p=None):
    real_only(x)
    if not absent(p):
        return None

    def impl(d, x, y, p=None):
        u, s, vh = np.linalg.svd(x, False)
        return unbroadcast(np.dot(u * (d * weights_of_cond(y, s)), vh), x)
    return impl


@overload(linalg.push_cond)
def _push_cond(dx, x, y, p=None):
    real_only(x)
    if not absent(p):
        return None

    def impl(dx, x, y, p=None):
        u, s, vh = np.linalg.svd(x, False)
        return np.sum(np.dot(u * weights_of_cond(y, s), vh) * dx)
    return impl
