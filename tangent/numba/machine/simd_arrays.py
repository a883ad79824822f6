"""Arrays of tangents in several directions inside Numba-compiled code, see `machine.simd`."""
import operator

import numpy as np
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, overload, register_jitable
from numba.np import arrayobj

from tangent.numba.machine.extents import overlap
from tangent.numba.machine.simd import FORMS, WIDTH, Simd, linear
from tangent.numba.overloads import loop_nests as loops

BROADCAST = 'operands could not be broadcast together'


@lower_builtin(operator.setitem, types.Buffer, types.Any, Simd)
def _store(context, builder, sig, args):
    """One vector into its place; else what Numba does for arrays of anything."""
    t, index, value = sig.args
    kinds, places = (index.types, cgutils.unpack_tuple(builder, args[1])) if isinstance(index, types.BaseTuple) \
        else ((index,), (args[1],))
    if not isinstance(t.dtype, Simd) or len(kinds) != t.ndim or not all(isinstance(k, types.Integer) for k in kinds):
        return arrayobj.setitem_array(context, builder, sig, args)
    array = arrayobj.make_array(t)(context, builder, args[0])
    kinds, places = arrayobj.normalize_indices(context, builder, kinds, places)
    ptr, _, _ = arrayobj.basic_indexing(context, builder, t, array, kinds, places, boundscheck=context.enable_boundscheck)
    context.data_model_manager[t.dtype].store(builder, context.cast(builder, args[2], value, t.dtype), ptr)
    return context.get_dummy_value()


@intrinsic
def zeros_of(typing_context, shape, kind):
    """Zero tangents in an array of this shape, or for a number if that is `()`; `kind` is their type, or tangents of it."""
    vector = kind if isinstance(kind, Simd) else kind.instance_type
    if not len(shape):
        return vector(shape, kind), lambda context, builder, sig, args: context.get_constant_null(vector)

    def codegen(context, builder, sig, args):
        extents = cgutils.unpack_tuple(builder, args[0], len(shape))
        return allocated(context, builder, sig.return_type, extents)
    return types.Array(vector, len(shape), 'C')(shape, kind), codegen


@intrinsic
def zeros(typing_context, x, kind):
    """The zero tangents of an array, or of a number."""
    vector = kind if isinstance(kind, Simd) else kind.instance_type
    if not isinstance(x, types.Array):
        return vector(x, kind), lambda context, builder, sig, args: context.get_constant_null(vector)

    def codegen(context, builder, sig, args):
        shape = cgutils.unpack_tuple(builder, arrayobj.make_array(x)(context, builder, args[0]).shape, x.ndim)
        return allocated(context, builder, sig.return_type, shape)
    return types.Array(vector, x.ndim, 'C')(x, kind), codegen


def allocated(context, builder, t, shape):
    """An array of zeros, each in a line of the cache of its own."""
    array = arrayobj.make_array(t)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(t.dtype))
    step, strides = context.get_constant(types.intp, size), []
    for extent in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, extent)
    meminfo = context.nrt.meminfo_alloc_aligned(builder, step, size)
    data = builder.bitcast(context.nrt.meminfo_data(builder, meminfo), context.get_data_type(t.dtype).as_pointer())
    arrayobj.populate_array(array, data=data, shape=cgutils.pack_array(builder, shape, ty=step.type),
                            strides=cgutils.pack_array(builder, strides, ty=step.type),
                            itemsize=context.get_constant(types.intp, size), meminfo=meminfo)
    cgutils.memset(builder, data, step, 0)
    return array._getvalue()


@intrinsic
def numbers(typing_context, x):
    """A view of an array of tangents as an array of numbers, with an axis of directions behind."""
    found = types.Array(x.dtype.dtype, x.ndim + 1, 'A' if x.layout == 'F' else x.layout)

    def codegen(context, builder, sig, args):
        old, new = arrayobj.make_array(x)(context, builder, args[0]), arrayobj.make_array(found)(context, builder)
        size, number = (context.get_constant(types.intp, n) for n in (WIDTH, x.dtype.dtype.bitwidth // 8))
        axes = [[*cgutils.unpack_tuple(builder, part, x.ndim), last]
                for part, last in ((old.shape, size), (old.strides, number))]
        data = builder.bitcast(old.data, context.get_data_type(found.dtype).as_pointer())
        arrayobj.populate_array(new, data=data, shape=cgutils.pack_array(builder, axes[0]),
                                strides=cgutils.pack_array(builder, axes[1]), itemsize=number, meminfo=old.meminfo)
        return arrayobj.impl_ret_borrowed(context, builder, found, new._getvalue())
    return found(x), codegen


def spread_like(d, x):
    """An implementation of `broadcast_like` for tangents in several directions, of these types."""
    if not isinstance(x, types.Array):
        return (lambda d, x: d) if isinstance(d, Simd) else (lambda d, x: d[()]) if d.ndim == 0 else None
    if isinstance(d, Simd):
        def full(d, x):
            found = zeros(x, d)
            found[...] = d
            return found
        return full
    resize = loops.resize(d.ndim, x.ndim, d.dtype, same, zeros)
    return (lambda d, x: d if d.shape == x.shape else resize(d, x)) if d.ndim == x.ndim else lambda d, x: resize(d, x)


@register_jitable
def same(value):
    return value


# Arithmetic, element by element: Numba makes loops of its array expressions; those in place are these

def dtype_of(t):
    return t.dtype if isinstance(t, types.Array) else t


def binary(name, function):
    @infer_global(function)
    class Operation(AbstractTemplate):
        def generic(self, args, keywords):
            ranks = [t.ndim for t in args if isinstance(t, types.Array)]
            found = linear(list(map(dtype_of, args)), name) if ranks and len(args) == 2 and not keywords else None
            return found and signature(types.Array(found, max(ranks), 'C'), *args)

        def get_impl_key(self, sig):
            """Of an array and one number with directions Numba makes no array expression."""
            return (name, 'one') if any(isinstance(t, Simd) for t in sig.args) else super().get_impl_key(sig)


def with_one(name, symbol):
    def code(context, builder, sig, args):
        rank = sig.return_type.ndim
        axes = [f'i{axis}' for axis in range(rank)]
        array = 'a' if isinstance(sig.args[0], types.Array) else 'b'
        one, other = (loops.element(n, axes) if n == array else n for n in 'ab')
        body = loops.nest([f'{array}.shape[{axis}]' for axis in range(rank)],
                          f'{loops.element("found", axes)} = {one} {symbol} {other}')
        impl = loops.build(f'def impl(a, b):\n    found = zeros({array}, kind)\n{body}\n    return found', zeros=zeros,
                           kind=sig.return_type.dtype)
        return context.compile_internal(builder, impl, sig, args)
    lower_builtin((name, 'one'), types.Array, Simd)(code)
    lower_builtin((name, 'one'), Simd, types.Array)(code)


def unary(function):
    @infer_global(function)
    class Sign(AbstractTemplate):
        def generic(self, args, keywords):
            known = len(args) == 1 and isinstance(args[0], types.Array) and isinstance(args[0].dtype, Simd)
            return signature(types.Array(args[0].dtype, args[0].ndim, 'C'), *args) if known else None


def in_place(name, symbol, function):
    @overload(function, target='cpu')                  # asked before Numba's own, which fails with an error here
    def change(a, b):
        if not isinstance(a, types.Array) or a.ndim < getattr(b, 'ndim', 0) or linear([a.dtype, dtype_of(b)], name) != a.dtype:
            return None
        axes = [f'i{axis}' for axis in range(a.ndim)]
        lines = [f'    step{k} = 0 if b.shape[{k}] == 1 else 1' for k in range(getattr(b, 'ndim', 0))]
        lines += [f'    if b.shape[{k}] != 1 and b.shape[{k}] != a.shape[{k + a.ndim - b.ndim}]:\n        raise ValueError(why)'
                  for k in range(len(lines))]
        other = loops.element('b', [f'{axis} * step{k}' for k, axis in enumerate(axes[a.ndim - b.ndim:])]) \
            if isinstance(b, types.Array) else 'b'
        body = loops.nest([f'a.shape[{axis}]' for axis in range(a.ndim)], f'{loops.element("a", axes)} {symbol}= {other}')
        each = register_jitable(loops.build('\n'.join(['def impl(a, b):', *lines, body]), why=BROADCAST))
        if not isinstance(b, types.Array) or not isinstance(b.dtype, Simd):
            def apart(a, b):
                each(a, b)
                return a
            return apart

        def impl(a, b):
            if overlap(a, b):
                each(a, b.copy())
            else:
                each(a, b)
            return a
        return impl


for operation, (plain, changing, ufunc) in FORMS.items():
    symbol = {'add': '+', 'sub': '-', 'mul': '*', 'truediv': '/'}[operation]
    binary(operation, plain)
    binary(operation, ufunc)
    with_one(operation, symbol)
    in_place(operation, symbol, changing)
for sign in operator.neg, operator.pos, np.negative, np.positive:
    unary(sign)
