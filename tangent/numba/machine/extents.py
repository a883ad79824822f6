"""What loops over slices call, inside Numba-compiled code: ends of slices, products of rows, whether arrays share memory."""
from numba.core import cgutils, types
from numba.extending import intrinsic, register_jitable
from numba.np.numpy_support import as_dtype

from tangent.errors import AliasError
from tangent.numba.overloads.optional import overload
from tangent.runtime.functions.extents import (
    SHARED,
    check_disjoint,
    check_equal,
    dot_at,
    dot_rows,
    ends,
    joint,
    spread,
    unspread,
)

register_jitable(check_equal)
register_jitable(joint)
register_jitable(spread)
register_jitable(unspread)


@overload(ends)
def _ends(low, high, size):
    first = (lambda low, size: 0) if isinstance(low, (types.NoneType, types.Omitted)) else clipped
    last = (lambda high, size: size) if isinstance(high, (types.NoneType, types.Omitted)) else clipped
    first, last = register_jitable(first), register_jitable(last)
    return lambda low, high, size: (first(low, size), last(high, size))


def clipped(bound, size):
    return min(max(bound + size if bound < 0 else bound, 0), size)


@overload(dot_rows, jit_options={'fastmath': {'reassoc', 'contract', 'nsz'}})
def _dot_rows(a, b):
    zero = as_dtype(a.dtype).type(0)

    def impl(a, b):
        if a.shape[0] != b.shape[0]:
            raise ValueError('incompatible array sizes for np.dot(a, b) (vector * vector)')
        total = zero
        for k in range(a.shape[0]):
            total += a[k] * b[k]
        return total
    return impl


@overload(dot_at)
def _dot_at(a, b, index):
    zero = as_dtype(a.dtype).type(0)

    def impl(a, b, index):
        if a.shape[0] != index.shape[0]:
            raise ValueError('incompatible array sizes for np.dot(a, b) (vector * vector)')
        total = zero
        for k in range(a.shape[0]):
            total += a[k] * b[index[k]]
        return total
    return impl


@overload(check_disjoint)
def _check_disjoint(a, b):
    def impl(a, b):
        if overlap(a, b):
            raise AliasError(SHARED)
    return impl


@intrinsic
def overlap(typing_context, a, b):
    """Whether the memory from the first to the last element of two arrays has something in common."""
    def codegen(context, builder, signature, args):
        (low, high), (start, end) = (span(context, builder, t, value) for t, value in zip(signature.args, args))
        return builder.and_(builder.icmp_unsigned('<', low, end), builder.icmp_unsigned('<', start, high))
    return types.boolean(a, b), codegen


def span(context, builder, t, value):
    """The first address of the elements of an array, and the one behind them; twice 0 where there are none.

    That is machine code, which takes no reference to the array: in calls of small functions these would take the time.
    """
    array, nothing = context.make_array(t)(context, builder, value), context.get_constant(types.intp, 0)
    low = builder.ptrtoint(array.data, nothing.type)
    if t.layout in 'CF':
        high = builder.add(low, builder.mul(array.nitems, array.itemsize))
        empty = builder.icmp_signed('==', array.nitems, nothing)
        return [builder.select(empty, nothing, end) for end in (low, high)]
    high, empty = builder.add(low, array.itemsize), cgutils.false_bit
    for size, stride in zip(*(cgutils.unpack_tuple(builder, part, t.ndim) for part in (array.shape, array.strides))):
        step = builder.mul(stride, builder.sub(size, size.type(1)))
        back = builder.icmp_signed('<', step, nothing)
        low = builder.select(back, builder.add(low, step), low)
        high = builder.select(back, high, builder.add(high, step))
        empty = builder.or_(empty, builder.icmp_signed('==', size, nothing))
    return [builder.select(empty, nothing, end) for end in (low, high)]


def overlapping(context, builder, kinds, values, count):
    """(position, other position, whether they share memory) for the first `count` arrays, with each other and the others."""
    found = [span(context, builder, t, value) if isinstance(t, types.Array) else None for t, value in zip(kinds, values)]
    for k, mine in enumerate(found[:count]):
        for j, other in enumerate(found):
            if (j > k or j >= count) and mine and other:
                yield k, j, builder.and_(builder.icmp_unsigned('<', mine[0], other[1]),
                                         builder.icmp_unsigned('<', other[0], mine[1]))
