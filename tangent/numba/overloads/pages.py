"""Large arrays on large pages, as NumPy asks for them on Linux, and the allocator of compiled code does not.

A page of 4 KB is made when it is first touched, which takes longer than to fill it: arrays beyond the last cache are made of
pages of 2 MB where the system has them. `machine.pages` puts `empty` and `zeros` in the place of NumPy's.
"""
from __future__ import annotations

import sys

import numpy as np
from llvmlite import ir as llvm
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, register_jitable

from tangent.numba.overloads.optional import overload

LEAST = 1 << 22             # bytes: what NumPy calls large
PAGE = 1 << 12
ADVICE = 14                 # MADV_HUGEPAGE


@intrinsic
def on_large_pages(typing_context, a):
    """The array, of which the system is told that large pages suit it; nothing of it has been touched yet."""
    def codegen(context, builder, signature, args):
        array = context.make_array(a)(context, builder, args[0])
        size = builder.mul(array.nitems, array.itemsize)
        word, number = size.type, llvm.IntType(32)
        if not sys.platform.startswith('linux'):
            return impl_ret_borrowed(context, builder, a, args[0])
        with builder.if_then(builder.icmp_unsigned('>=', size, word(LEAST)), likely=False):
            kind = llvm.FunctionType(number, [word, word, number])
            advise = cgutils.get_or_insert_function(builder.module, kind, 'madvise')
            start = builder.ptrtoint(array.data, word)
            first = builder.and_(builder.add(start, word(PAGE - 1)), word(-PAGE))
            builder.call(advise, [first, builder.sub(size, builder.sub(first, start)), number(ADVICE)])
        return impl_ret_borrowed(context, builder, a, args[0])
    return (a(a), codegen) if isinstance(a, types.Array) else None


def empty(shape, dtype=np.float64):
    """As `np.empty`."""
    return np.empty(shape, dtype)


def zeros(shape, dtype=np.float64):
    """As `np.zeros`."""
    return np.zeros(shape, dtype)


@overload(empty)
def _empty(shape, dtype=np.float64):
    if is_default(dtype):
        return lambda shape, dtype=np.float64: on_large_pages(np.empty(shape))
    return lambda shape, dtype=np.float64: on_large_pages(np.empty(shape, dtype))


@overload(zeros)
def _zeros(shape, dtype=np.float64):
    def impl(shape, dtype=np.float64):
        made = empty(shape, dtype)
        made[...] = 0
        return made

    def of_numbers(shape, dtype=np.float64):
        made = empty(shape)
        made[...] = 0.0
        return made
    return of_numbers if is_default(dtype) else impl


def is_default(dtype):
    return isinstance(dtype, types.Omitted) or dtype is np.float64


@register_jitable
def copied(x):
    """A copy of an array whose elements follow each other, last axis first."""
    made = on_large_pages(np.empty(x.shape, x.dtype))
    old, new = x.ravel(), made.ravel()
    for k in range(old.size):
        new[k] = old[k]
    return made
