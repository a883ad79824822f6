"""The tapes of a parallel loop inside Numba-compiled code: one for each part of the loop, in memory of its own.

    count |  header of tape 0 | header of tape 1 | ...        each as in `machine.tape`

Headers lie so far apart that no two threads write into one line of the cache.
"""
import numpy as np
from llvmlite import ir
from numba.core import cgutils, imputils, types
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    bound_function,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import intrinsic, lower_builtin, overload, register_jitable, register_model, type_callable
from numba.np.ufunc import parallel

from tangent.numba.machine.tape import Block, StackType, TapeModel, let_go, new_function, pop, push, start
from tangent.numba.options import get_num_threads
from tangent.runtime.tape import Tapes, empty_sum, in_pairs, portion

APART = 128                 # bytes from one header to the next
SLOTS = 64                  # blocks kept for the next tapes made at the same place


class TapesType(StackType):
    """The type of several tapes of items of one type."""


register_model(TapesType)(TapeModel)
register_jitable(in_pairs)
register_jitable(portion)


# Types

@type_callable(Tapes)
def _type_tapes(context):
    return lambda count: TapesType(types.undefined) if isinstance(count, types.Integer) else None


@infer_getattr
class TapesAttribute(AttributeTemplate):
    key = TapesType

    @bound_function('tapes.append')
    def resolve_append(self, tapes, args, keywords):
        part, item = args
        dtype = self.context.unify_pairs(tapes.dtype, types.unliteral(item))
        if dtype is None or not isinstance(part, types.Integer):
            return None
        return signature(types.none, types.intp, dtype, recvr=TapesType(dtype))

    @bound_function('tapes.pop')
    def resolve_pop(self, tapes, args, keywords):
        return None if len(args) != 1 or not tapes.is_precise() else signature(tapes.dtype, types.intp, recvr=tapes)


@infer_global(len)
class TapesLength(AbstractTemplate):
    def generic(self, args, keywords):
        return signature(types.intp, *args) if len(args) == 1 and isinstance(args[0], TapesType) else None


@overload(get_num_threads)
def _get_num_threads():
    return lambda: number_of_threads()


@intrinsic
def number_of_threads(context):
    """As loops over prange ask for it."""
    parallel._launch_threads()

    def code(context, builder, sig, args):
        function = ir.FunctionType(cgutils.intp_t, ())
        return builder.call(cgutils.get_or_insert_function(builder.module, function, 'get_num_threads'), ())
    return types.intp(), code


@overload(empty_sum)
def _empty_sum(total):
    if isinstance(total, types.Array):
        return lambda total: np.zeros_like(total)
    kind = total.cast_python_value(0)
    return lambda total: kind


# Code

def base(context, builder, tapes):
    """The address of the count, as a pointer to words."""
    return builder.bitcast(context.nrt.meminfo_data(builder, tapes), ir.PointerType(cgutils.intp_t))


def block(context, builder, t, first, part):
    """The tape of one part; `part` counts from 0."""
    words = cgutils.intp_t(APART // 8)
    return Block(context, builder, t, builder.gep(first, [builder.mul(words, builder.add(part, part.type(1)))]))


def destructor(context, module, t):
    word, pointer = cgutils.intp_t, cgutils.voidptr_t
    name = context.mangler('tangent_tapes_free', (t,))
    function, builder = new_function(module, name, ir.VoidType(), pointer, word, pointer)
    if builder is None:
        return function
    first = builder.bitcast(function.args[0], ir.PointerType(word))
    with cgutils.for_range(builder, builder.load(first)) as loop:
        let_go(block(context, builder, t, first, loop.index), module)
    builder.ret_void()
    return function


@lower_builtin(Tapes, types.Integer)
def _make(context, builder, sig, args):
    t, word = sig.return_type, cgutils.intp_t
    count = context.cast(builder, args[0], sig.args[0], types.intp)
    size = builder.mul(builder.add(count, word(1)), word(APART))
    tapes = context.nrt.meminfo_alloc_dtor(builder, size, destructor(context, builder.module, t))
    first = base(context, builder, tapes)
    builder.store(count, first)
    kept = ir.ArrayType(word, SLOTS)
    slots = ir.GlobalVariable(builder.module, kept, builder.module.get_unique_name('tangent_tapes_spare'))
    slots.linkage, slots.initializer = 'internal', ir.Constant(kept, [0] * SLOTS)
    with cgutils.for_range(builder, count) as loop:
        now = block(context, builder, t, first, loop.index)
        start(now, builder.gep(slots, [word(0), builder.urem(loop.index, word(SLOTS))]))
    return imputils.impl_ret_new_ref(context, builder, t, tapes)


@lower_builtin('tapes.append', TapesType, types.Integer, types.Any)
def _append(context, builder, sig, args):
    tapes, part, value = args
    push(block(context, builder, sig.args[0], base(context, builder, tapes), part), value)
    return context.get_dummy_value()


@lower_builtin('tapes.pop', TapesType, types.Integer)
def _pop(context, builder, sig, args):
    tapes, part = args
    item = pop(block(context, builder, sig.args[0], base(context, builder, tapes), part))
    return imputils.impl_ret_new_ref(context, builder, sig.return_type, item)


@lower_builtin(len, TapesType)
def _len(context, builder, sig, args):
    return builder.load(base(context, builder, *args))
