"""Signals and statistics inside Numba-compiled code: windows, areas, quantiles and covariances of vectors."""
from __future__ import annotations

from numba.core import types
from numba.extending import overload

from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.arrays import known
from tangent.numba.overloads.core import ranks
from tangent.numba.overloads.rules import real_only
from tangent.runtime.api import init_grad
from tangent.runtime.functions import products

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


FIRST = {'valid': '0', 'same': '-(short.size // 2)', 'full': '1 - short.size'}


@overload(products.uncorrelate, prefer_literal=True)
def _uncorrelate(d, a, v, mode='valid'):
    real_only(a)
    real_only(v)
    if ranks(d, a, v) != (1, 1, 1) or known(mode) not in FIRST:
        return None
    return loops.build(f"""def impl(d, a, v, mode='valid'):
    ba, bv = init_grad(a), init_grad(v)
    turned = v.size > a.size                # NumPy slides the shorter one, and turns the result round
    long, short, blong, bshort = (v, a, bv, ba) if turned else (a, v, ba, bv)
    first = {FIRST[known(mode)]}
    for i in range(d.size):
        owed = d[d.size - 1 - i] if turned else d[i]
        for j in range(max(0, -i - first), min(short.size, long.size - i - first)):
            blong[i + first + j] += owed * short[j]
            bshort[j] += owed * long[i + first + j]
    return ba, bv""", init_grad=init_grad)


