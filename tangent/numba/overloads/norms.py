"""Norms, eigenvalues of real matrices that have real ones, and plain forms of helpers, inside Numba-compiled code."""
from __future__ import annotations

import numpy as np
from numba.extending import overload

from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import is_array, is_number, ranks
from tangent.numba.overloads.decompositions import zero_or
from tangent.numba.overloads.linalg import over_gaps
from tangent.numba.overloads.rules import _nancentred, absent, real_only
from tangent.runtime.api import init_grad, unbroadcast
from tangent.runtime.functions import linalg, plain


@overload(plain.nancentred)
def _plain_nancentred(a, axis=None):
    return _nancentred(a, axis)


@overload(plain.norm_slope)
def _plain_norm_slope(x, ord=None, axis=None):
    return _norm_slope(x, ord, axis)


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


# Eigenvalues: Numba refuses real matrices that have others than real ones

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
