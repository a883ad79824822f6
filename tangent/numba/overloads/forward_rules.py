"""The tangents of the rule tables inside Numba-compiled code: those that are not made of functions that Numba has."""
from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import overload

from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import gradient_dtype, is_array, is_none, ranks
from tangent.numba.overloads.linalg import over_gaps
from tangent.numba.overloads.rules import absent, real_only
from tangent.runtime.functions import elementwise, linalg, numeric, products, real


@overload(elementwise.push_extreme)
def _push_extreme(y, values, tangents):
    push, share = elementwise.push_extreme, elementwise.share
    if not isinstance(values, types.BaseTuple):
        number = gradient_dtype(y).type

        def of_items(y, values, tangents):
            count, total = number(0), number(0)
            for k in range(len(values)):
                if values[k] == y:
                    count += 1
                    total += tangents[k]
            return total / count
        return of_items
    if len(values) == 1:
        return lambda y, values, tangents: push(y, values[0], tangents[0])
    terms = [f'tangents[{k}] * share(values[{k}], y, values)' for k in range(len(values)) if not is_none(tangents[k])]
    return loops.build(f'def impl(y, values, tangents):\n    return {" + ".join(terms) or "0.0 * y"}', share=share)


@overload(numeric.push_cumprod)
def _push_cumprod(da, a, y, axis=None):
    if not is_array(a) or not (absent(axis) or a.ndim == 1):
        return None

    def impl(da, a, y, axis=None):
        flat, moved, out = a.ravel(), da.ravel(), np.empty_like(y)
        for k in range(flat.size):
            out[k] = out[k - 1] * flat[k] + y[k - 1] * moved[k] if k else moved[k]
        return out
    return impl


@overload(products.push_cholesky)
def _push_cholesky(da, y):
    real_only(y)

    def impl(da, y):
        whole = symmetric(da)
        inner = np.linalg.solve(y, np.linalg.solve(y, whole).T.copy())
        return np.dot(y, np.tril(inner) - 0.5 * np.diag(np.diag(inner)))
    return impl if ranks(da, y) == (2, 2) else None


def lower_triangle(m):
    return np.tril(m) + np.tril(m, -1).T


symmetric = loops.jit(lower_triangle)      # the matrix of which a function reads the lower triangle


@overload(linalg.push_eigh)
def _push_eigh(da, y, upper=False):
    real_only(y[1])
    if not isinstance(upper, (bool, types.Omitted)):
        return None

    def impl(da, y, upper=False):
        w, v = y
        inner = np.dot(v.T, np.dot(symmetric(da), v))
        return np.diag(inner).copy(), np.dot(v, over_gaps(inner, w))
    return impl


@overload(linalg.push_eigvalsh)
def _push_eigvalsh(da, a, UPLO='L'):
    real_only(a)
    if not isinstance(UPLO, (str, types.Omitted)):
        return None

    def impl(da, a, UPLO='L'):
        v = np.linalg.eigh(a)[1]
        return np.sum(v * np.dot(symmetric(da), v), axis=0)
    return impl


@overload(real.push_logdet)
def _push_logdet(da, a):
    real_only(a)
    return (lambda da, a: np.trace(np.dot(np.linalg.inv(a), da))) if ranks(da, a) == (2, 2) else None
