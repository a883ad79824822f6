"""Decompositions inside Numba-compiled code: the gradients of real matrices."""
from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

from tangent.numba.overloads.core import gradient_dtype, is_array, is_leaf, ranks
from tangent.numba.overloads.rules import absent, real_only
from tangent.runtime.api import unbroadcast
from tangent.runtime.functions import elementwise, linalg, products


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


@overload(products.uncholesky)
def _uncholesky(d, y):
    real_only(y)

    def impl(d, y):
        inner = np.tril(np.dot(y.T, d))
        inner = 0.5 * (inner + np.tril(inner, -1).T)
        half = np.linalg.solve(y.T, inner)
        return lower(np.linalg.solve(y.T, half.T.copy()).T)
    return impl if ranks(d, y) == (2, 2) else None


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


@overload(products.uncross)
def _uncross(d, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if ranks(d, a, b) != (1, 1, 1) or not absent(axis):
        return None
    return lambda d, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None: (np.cross(b, d), np.cross(d, a))


@overload(products.unkron, prefer_literal=True)
def _unkron(d, a, b, which):
    number = gradient_dtype(a).type
    which = getattr(which, 'literal_value', which)
    if ranks(a, b) != (2, 2) or which not in (0, 1):
        return None
    first = which == 0

    def impl(d, a, b, which):
        out = np.zeros_like(a if first else b)
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                for k in range(b.shape[0]):
                    for m in range(b.shape[1]):
                        owed = number(d[i * b.shape[0] + k, j * b.shape[1] + m])
                        if first:
                            out[i, j] += owed * b[k, m]
                        else:
                            out[k, m] += owed * a[i, j]
        return out
    return impl


@overload(elementwise.unouter)
def _unouter(d, a):
    return (lambda d, a: unbroadcast(d.sum(axis=1), a)) if ranks(d, a) == (2, 1) and is_leaf(a) else None


@overload(elementwise.untile)
def _untile(d, a, reps):
    if not is_array(a) or a.ndim != 1 or not is_array(d) or d.ndim != 1:
        return None
    return lambda d, a, reps: unbroadcast(d.reshape((d.size // a.size, a.size)).sum(axis=0), a)
