"""Large arrays on large pages, as NumPy asks for them on Linux, and the allocator of compiled code does not.

A page of 4 KB is made when it is first touched, which takes longer than to fill it: arrays beyond the last cache are made of
pages of 2 MB where the system has them. `machine.passes.pages` asks for them where emitted functions make arrays.
"""
import sys

import numpy as np
from llvmlite import ir as llvm
from numba.core import cgutils, types
from numba.extending import intrinsic, register_jitable

LEAST = 1 << 22             # bytes: what NumPy calls large
PAGE = 1 << 12
ADVICE = 14                 # MADV_HUGEPAGE


@intrinsic
def on_large_pages(typing_context, a):
    """Tell the system that large pages suit an array, of which nothing has been touched yet."""
    def codegen(context, builder, signature, args):
        array = context.make_array(a)(context, builder, args[0])
        size = builder.mul(array.nitems, array.itemsize)
        word, number = size.type, llvm.IntType(32)
        if not sys.platform.startswith('linux'):
            return context.get_dummy_value()
        with builder.if_then(builder.icmp_unsigned('>=', size, word(LEAST)), likely=False):
            kind = llvm.FunctionType(number, [word, word, number])
            advise = cgutils.get_or_insert_function(builder.module, kind, 'madvise')
            start = builder.ptrtoint(array.data, word)
            first = builder.and_(builder.add(start, word(PAGE - 1)), word(-PAGE))
            builder.call(advise, [first, builder.sub(size, builder.sub(first, start)), number(ADVICE)])
        return context.get_dummy_value()
    return (types.none(a), codegen) if isinstance(a, types.Array) else None


@register_jitable
def cleared(a):
    """Fill an array with zeros, of which nothing has been touched yet."""
    on_large_pages(a)
    a[...] = 0


@register_jitable
def zeros(shape, dtype):
    """As `np.zeros`."""
    made = np.empty(shape, dtype)
    cleared(made)
    return made


@register_jitable
def copied(x):
    """A copy of an array whose elements follow each other, last axis first."""
    made = np.empty(x.shape, x.dtype)
    on_large_pages(made)
    old, new = x.ravel(), made.ravel()
    for k in range(old.size):
        new[k] = old[k]
    return made
