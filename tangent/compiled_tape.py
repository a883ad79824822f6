"""The tape inside Numba-compiled code: one contiguous stack of values of one type, found by what is pushed.

    size | capacity | item 0 | item 1 | ...

The block is counted by references, as lists are, and grows by doubling, in a function of its own, so that pushing stays short
enough to be inlined. The type of the items is that of what the first `append` pushes, as for a list.
"""
from __future__ import annotations

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
from numba.extending import lower_builtin, models, register_model, type_callable

from tangent.stack import Tape

FIRST = 32                  # items that the first allocation holds
SIZE, CAPACITY = range(2)
HEADER = 16                 # bytes before the first item, for any alignment that items have


class TapeType(types.Type):
    """The type of a tape of items of type `dtype`, which is undefined until something is pushed."""

    mutable = True

    def __init__(self, dtype):
        self.dtype = types.unliteral(dtype)
        super().__init__(f'Tape({self.dtype})')

    @property
    def key(self):
        return self.dtype

    def is_precise(self):
        return self.dtype.is_precise()

    def unify(self, typingctx, other):
        if isinstance(other, TapeType):
            found = typingctx.unify_pairs(self.dtype, other.dtype)
            return None if found is None else TapeType(found)
        return None


@register_model(TapeType)
class TapeModel(models.OpaqueModel):
    """A pointer to what counts the references to the memory, and knows where that is."""

    def has_nrt_meminfo(self):
        return True

    def get_nrt_meminfo(self, builder, value):
        return value


# Types

@type_callable(Tape)
def _type_tape(context):
    return lambda: TapeType(types.undefined)


@infer_getattr
class TapeAttribute(AttributeTemplate):
    key = TapeType

    @bound_function('tape.append')
    def resolve_append(self, tape, args, keywords):
        item, = args
        dtype = self.context.unify_pairs(tape.dtype, types.unliteral(item))
        if dtype is None:
            return None
        return signature(types.none, dtype, recvr=TapeType(dtype))

    @bound_function('tape.pop')
    def resolve_pop(self, tape, args, keywords):
        return None if args or not tape.is_precise() else signature(tape.dtype, recvr=tape)

    @bound_function('tape.copy')
    def resolve_copy(self, tape, args, keywords):
        return None if args or not tape.is_precise() else signature(tape, recvr=tape)


@infer_global(len)
@infer_global(bool)
class TapeLength(AbstractTemplate):
    def generic(self, args, keywords):
        if len(args) == 1 and isinstance(args[0], TapeType):
            return signature(types.boolean if self.key is bool else types.intp, *args)
        return None


# Code

class Block:
    """The memory of a tape at `base`, in code that is being made."""

    def __init__(self, context, builder, t, base):
        self.context, self.builder, self.t = context, builder, t
        self.model = context.data_model_manager[t.dtype]
        self.item = self.model.get_data_type()
        self.header = builder.bitcast(base, ir.PointerType(cgutils.intp_t))
        items = cgutils.gep_inbounds(builder, self.header, 2)
        self.items = builder.bitcast(items, ir.PointerType(self.item))

    def load(self, place):
        return self.builder.load(cgutils.gep_inbounds(self.builder, self.header, place))

    def store(self, place, value):
        self.builder.store(value, cgutils.gep_inbounds(self.builder, self.header, place))

    def put(self, index, value):
        self.builder.store(self.model.as_data(self.builder, value), self.builder.gep(self.items, [index]))

    def get(self, index):
        return self.model.from_data(self.builder, self.builder.load(self.builder.gep(self.items, [index])))


def block(context, builder, t, value):
    return Block(context, builder, t, context.nrt.meminfo_data(builder, value))


def push(context, builder, t, tape, value):
    now = block(context, builder, t, tape)
    size = now.load(SIZE)
    with builder.if_then(builder.icmp_unsigned('==', size, now.load(CAPACITY)), likely=False):
        each = context.get_constant(types.intp, context.get_abi_sizeof(now.item))
        room = builder.call(grow(builder.module), [tape, context.nrt.meminfo_data(builder, tape), each])
        with builder.if_then(cgutils.is_null(builder, room), likely=False):
            context.call_conv.return_user_exc(builder, MemoryError, ('no memory for the tape',))
    context.nrt.incref(builder, t.dtype, value)
    now = block(context, builder, t, tape)
    now.put(size, value)
    now.store(SIZE, builder.add(size, size.type(1)))


def pop(context, builder, t, tape):
    now = block(context, builder, t, tape)
    size = now.load(SIZE)
    with builder.if_then(builder.icmp_unsigned('==', size, size.type(0)), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ('pop from an empty tape',))
    last = builder.sub(size, size.type(1))
    now.store(SIZE, last)
    return now.get(last)


def grow(module):
    """The function that doubles the room of a tape; it takes the tape, its memory and the bytes of an item."""
    word, pointer = cgutils.intp_t, cgutils.voidptr_t
    function = cgutils.get_or_insert_function(module, ir.FunctionType(pointer, [pointer, pointer, word]), 'tangent_tape_grow')
    if not function.is_declaration:
        return function
    function.linkage = 'linkonce_odr'
    for attribute in 'noinline', 'cold':
        function.attributes.add(attribute)
    tape, base, each = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    capacity = cgutils.gep_inbounds(builder, builder.bitcast(base, ir.PointerType(word)), CAPACITY)
    after = builder.shl(builder.load(capacity), word(1))
    reallocate = cgutils.get_or_insert_function(module, ir.FunctionType(pointer, [pointer, word]),
                                                'NRT_MemInfo_varsize_realloc')
    room = builder.call(reallocate, [tape, builder.add(word(HEADER), builder.mul(after, each))])
    with builder.if_then(cgutils.is_not_null(builder, room), likely=True):
        builder.store(after, cgutils.gep_inbounds(builder, builder.bitcast(room, ir.PointerType(word)), CAPACITY))
    builder.ret(room)
    return function


def destructor(context, module, t):
    """The function that lets go of what a tape still holds; None where its items hold no references."""
    if not context.data_model_manager[t.dtype].contains_nrt_meminfo():
        return None
    name = context.mangler('tangent_tape_free', (t,))
    function = cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t]), name)
    if function.is_declaration:
        function.linkage = 'linkonce_odr'
        builder = ir.IRBuilder(function.append_basic_block())
        now = Block(context, builder, t, function.args[0])
        with cgutils.for_range(builder, now.load(SIZE)) as loop:
            context.nrt.decref(builder, t.dtype, now.get(loop.index))
        builder.ret_void()
    return function


@lower_builtin(Tape)
def _make(context, builder, sig, args):
    t = sig.return_type
    each = context.get_abi_sizeof(context.data_model_manager[t.dtype].get_data_type())
    size = context.get_constant(types.intp, HEADER + FIRST * each)
    free = destructor(context, builder.module, t)
    if free is None:
        tape = context.nrt.meminfo_new_varsize(builder, size)
    else:
        tape = context.nrt.meminfo_new_varsize_dtor(builder, size, builder.bitcast(free, cgutils.voidptr_t))
    now = block(context, builder, t, tape)
    now.store(SIZE, cgutils.intp_t(0))
    now.store(CAPACITY, cgutils.intp_t(FIRST))
    return imputils.impl_ret_new_ref(context, builder, t, tape)


@lower_builtin('tape.copy', TapeType)
def _copy(context, builder, sig, args):
    t, = sig.args
    old = block(context, builder, t, args[0])
    size = old.load(SIZE)
    new = _make(context, builder, sig, ())
    with cgutils.for_range(builder, size) as loop:
        push(context, builder, t, new, block(context, builder, t, args[0]).get(loop.index))
    return new


@lower_builtin('tape.append', TapeType, types.Any)
def _append(context, builder, sig, args):
    push(context, builder, sig.args[0], *args)
    return context.get_dummy_value()


@lower_builtin('tape.pop', TapeType)
def _pop(context, builder, sig, args):
    return imputils.impl_ret_new_ref(context, builder, sig.return_type, pop(context, builder, sig.args[0], *args))


@lower_builtin(len, TapeType)
def _len(context, builder, sig, args):
    return block(context, builder, sig.args[0], *args).load(SIZE)


@lower_builtin(bool, TapeType)
def _bool(context, builder, sig, args):
    size = block(context, builder, sig.args[0], *args).load(SIZE)
    return builder.icmp_unsigned('!=', size, size.type(0))
