"""Signals and statistics inside Numba-compiled code: windows, areas, quantiles and covariances of vectors."""
import numpy as np
from numba.core import types

from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.arrays import known
from tangent.numba.overloads.core import absent, as_written, is_array, is_none, is_number, ranks, real_only
from tangent.numba.overloads.optional import overload
from tangent.runtime.api import init_grad
from tangent.runtime.functions.numpy import numeric, products, statistics

# Windows

BEFORE = {'full': '0', 'same': '(min(a.size, v.size) - 1) // 2', 'valid': 'min(a.size, v.size) - 1'}


@overload(products.unconvolve, prefer_literal=True)
def _unconvolve(d, a, v, mode='full'):
    if ranks(d, a, v) != (1, 1, 1) or known(mode) not in BEFORE:
        return None
    conjugate = '.conjugate()' if isinstance(v.dtype, types.Complex) else ''
    real = '.real' if isinstance(d.dtype, types.Complex) and not isinstance(a.dtype, types.Complex) else ''
    return loops.build(f"""def impl(d, a, v, mode='full'):
    out = init_grad(a)
    before = {BEFORE[known(mode)]}
    for i in range(d.size):
        for j in range(max(0, i + before + 1 - a.size), min(v.size, i + before + 1)):
            out[i + before - j] += (d[i] * v[j]{conjugate}){real}
    return out""", init_grad=init_grad)


as_written(products.uncorrelate)


# Areas

@overload(numeric.untrapezoid)
def _untrapezoid(d, y, x, dx, axis):
    if ranks(d, y) != (0, 1) or not (is_none(x) or ranks(x) == (1,)) or not is_number(dx):
        return None
    if is_none(x):
        def evenly(d, y, x, dx, axis):
            by, bdx = init_grad(y), 0.0
            for i in range(y.size - 1):
                by[i] += 0.5 * d * dx
                by[i + 1] += 0.5 * d * dx
                bdx += 0.5 * d * (y[i] + y[i + 1])
            return by, None, bdx
        return evenly

    def between(d, y, x, dx, axis):
        by, bx = init_grad(y), init_grad(x)
        for i in range(y.size - 1):
            half, height = 0.5 * d * (x[i + 1] - x[i]), 0.5 * d * (y[i] + y[i + 1])
            by[i] += half
            by[i + 1] += half
            bx[i] -= height
            bx[i + 1] += height
        return by, bx, 0.0
    return between


@overload(numeric.push_trapezoid)
def _push_trapezoid(dy, dx, dstep, y, x, step, axis):
    if ranks(y) != (1,) or not (is_none(x) or ranks(x) == (1,)):
        return None
    width, moved = ('step', 'dstep') if is_none(x) else ('(x[i + 1] - x[i])', '(dx[i + 1] - dx[i])' if is_array(dx) else '0.0')
    height = '(dy[i] + dy[i + 1])' if is_array(dy) else '0.0'
    return loops.build(f"""def impl(dy, dx, dstep, y, x, step, axis):
    total = 0.0
    for i in range(y.size - 1):
        total += 0.5 * ({height} * {width} + (y[i] + y[i + 1]) * {moved})
    return total""")


# Quantiles of all elements

@loops.jit
def place_of(values, q):
    """(the order of the elements, nan last, how many are numbers, the lower neighbour, the share of the upper one)."""
    order = np.argsort(values, kind='mergesort')
    count = values.size - np.sum(np.isnan(values))
    at = q * (count - 1)
    low = max(min(int(np.floor(at)), count - 2), 0)
    return order, count, low, min(max(at - low, 0.0), 1.0)


@loops.jit
def give_quantile(d, values, q, out):
    order, count, low, share = place_of(values, q)
    out[order[low]] += d * (1 - share)
    out[order[min(low + 1, max(count - 1, 0))]] += d * share


@loops.jit
def take_quantile(moved, values, q):
    order, count, low, share = place_of(values, q)
    return moved[order[low]] * (1 - share) + moved[order[min(low + 1, max(count - 1, 0))]] * share


@loops.jit
def slope_by_level(values, q):
    order, count, low, share = place_of(values, q)
    return (count - 1) * (values[order[min(low + 1, max(count - 1, 0))]] - values[order[low]])


@loops.jit
def slopes_by_level(values, levels):
    return np.array([slope_by_level(values, q) for q in levels])


def plain_quantile(axis, method, weights):
    return absent(axis) and absent(weights) and (known(method) == 'linear' or isinstance(method, types.Omitted))


@overload(statistics.unquantile, prefer_literal=True)
def _unquantile(d, a, q, y, axis, keepdims, nan, method='linear', weights=None):
    if not plain_quantile(axis, method, weights) or not is_array(a) or ranks(q) not in ((0,), (1,)) or ranks(d) != ranks(q):
        return None
    real_only(a)
    number = is_number(q)

    def impl(d, a, q, y, axis, keepdims, nan, method='linear', weights=None):
        flat = a.ravel()
        out = init_grad(flat)
        if number:
            give_quantile(d, flat, q, out)
        else:
            for k in range(q.size):
                give_quantile(d[k], flat, q[k], out)
        return out.reshape(a.shape)
    return impl


@overload(statistics.unquantile_level, prefer_literal=True)
def _unquantile_level(d, a, q, axis, keepdims, nan, method='linear'):
    if not plain_quantile(axis, method, None) or not is_array(a) or ranks(d, q) not in ((0, 0), (1, 1)):
        return None
    if is_number(q):
        return lambda d, a, q, axis, keepdims, nan, method='linear': d * slope_by_level(a.ravel(), q)
    return lambda d, a, q, axis, keepdims, nan, method='linear': d * slopes_by_level(a.ravel(), q)


@overload(statistics.push_quantile, prefer_literal=True)
def _push_quantile(da, dq, a, q, y, axis, keepdims, nan, method='linear', weights=None):
    if not plain_quantile(axis, method, weights) or not is_array(a) or not is_array(da):
        return None
    if is_number(q):
        return lambda da, dq, a, q, y, axis, keepdims, nan, method='linear', weights=None: \
            take_quantile(da.ravel(), a.ravel(), q) + (dq * slope_by_level(a.ravel(), q) if dq != 0 else 0.0)
    if ranks(q) != (1,):
        return None

    def several(da, dq, a, q, y, axis, keepdims, nan, method='linear', weights=None):
        out = dq * slopes_by_level(a.ravel(), q)
        for k in range(q.size):
            out[k] += take_quantile(da.ravel(), a.ravel(), q[k])
        return out
    return several


# Covariances: of the rows or columns of a matrix, or of two vectors

@loops.jit
def centred_rows(x):
    out = np.empty(x.shape)
    for i in range(x.shape[0]):
        out[i] = x[i] - np.mean(x[i])
    return out


def rows_of(m, y, rowvar):
    """The text of the matrix of which `numpy.cov` takes the rows, or None where that is not known."""
    if ranks(m, y) == (1, 1):
        return 'np.vstack((m, y))'
    if ranks(m) != (2,) or not absent(y):
        return None
    return {True: 'm', False: 'm.T.copy()'}.get(known(rowvar))


@overload(statistics.uncov, prefer_literal=True)
def _uncov(d, m, y, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    real_only(m)
    rows = rows_of(m, y, rowvar)
    if rows is None or ranks(d) != (2,) or not absent(fweights) or not absent(aweights):
        return None
    rest = '(0 if bias else 1)' if absent(ddof) else 'ddof'
    back = 'found[0], found[1]' if ranks(m) == (1,) else 'found.T.copy(), None' if '.T' in rows else 'found, None'
    return loops.build(f"""def impl(d, m, y, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    x = centred_rows({rows})
    found = np.dot(d + d.T, x) / max(x.shape[1] - {rest}, 0.0)
    return {back}""", centred_rows=centred_rows)


@overload(statistics.push_cov, prefer_literal=True)
def _push_cov(dm, dy, m, y, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    real_only(m)
    rows = rows_of(m, y, rowvar)
    if rows is None or not is_array(dm) or not absent(fweights) or not absent(aweights):
        return None
    rest = '(0 if bias else 1)' if absent(ddof) else 'ddof'
    moved = rows.replace('m', 'dm', 1) if ranks(m) == (2,) else f'np.vstack((dm, {"dy" if is_array(dy) else "0.0 * y"}))'
    return loops.build(f"""def impl(dm, dy, m, y, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    x, dx = centred_rows({rows}), centred_rows({moved})
    half = np.dot(dx, x.T) / max(x.shape[1] - {rest}, 0.0)
    return half + half.T""", centred_rows=centred_rows)
