"""The tape inside Numba-compiled code: one contiguous stack of values of one type, found by what is pushed.

    header:  data | size | capacity | spare | owner | item 0 | ...           data:  item 0 | item 1 | ...

The header is counted by references, as lists are. That of a tape which is handed to nobody (`LocalTape`) is a variable of
the function, so that the compiler sees that a push changes no array; its `owner` is a header that is counted, which knows
what is to be given back at the end. The first few items lie behind the header that is counted. Then the data grows by
doubling, in a function of its own, so that pushing stays short enough to be inlined. A block that is not too large is kept
where it was asked for (`spare`), for the next call: fresh memory costs more than what is written into it. The type of the
items is that of what the first `append` pushes, as for a list.
"""
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

from tangent.runtime.tape import LocalTape, Tape

FIRST = 32                  # items that the first allocation holds
DATA, SIZE, CAPACITY, SPARE, OWNER = range(5)
HEADER = 40                 # bytes
INSIDE = 256                # bytes behind the header, for the first items
LIMIT = 2 ** 25             # bytes of the largest block that is kept for the next tape made at the same place


class StackType(types.Type):
    """The type of what holds items of type `dtype`, which is undefined until something is pushed."""

    mutable = True

    def __init__(self, dtype):
        self.dtype = types.unliteral(dtype)
        super().__init__(f'{type(self).__name__[:-4]}({self.dtype})')

    @property
    def key(self):
        return self.dtype

    def is_precise(self):
        return self.dtype.is_precise()

    def unify(self, typingctx, other):
        if type(other) is type(self):
            found = typingctx.unify_pairs(self.dtype, other.dtype)
            return None if found is None else type(self)(found)
        return None


class TapeType(StackType):
    """The type of a tape."""


class LocalTapeType(TapeType):
    """The type of a tape that the function which makes it hands to nobody."""


@register_model(TapeType)
class TapeModel(models.OpaqueModel):
    """A pointer to what counts the references to the memory, and knows where that is."""

    def has_nrt_meminfo(self):
        return True

    def get_nrt_meminfo(self, builder, value):
        return value


@register_model(LocalTapeType)
class LocalTapeModel(models.StructModel):
    """What counts the references to the data, and the address of the header."""

    def __init__(self, manager, t):
        super().__init__(manager, t, [('owner', types.MemInfoPointer(types.voidptr)), ('header', types.voidptr)])


# Types

@type_callable(Tape)
def _type_tape(context):
    return lambda: TapeType(types.undefined)


@type_callable(LocalTape)
def _type_local_tape(context):
    return lambda: LocalTapeType(types.undefined)


@infer_getattr
class TapeAttribute(AttributeTemplate):
    key = TapeType

    @bound_function('tape.append')
    def resolve_append(self, tape, args, keywords):
        item, = args
        dtype = self.context.unify_pairs(tape.dtype, types.unliteral(item))
        if dtype is None:
            return None
        return signature(types.none, dtype, recvr=type(tape)(dtype))

    @bound_function('tape.pop')
    def resolve_pop(self, tape, args, keywords):
        return None if args or not tape.is_precise() else signature(tape.dtype, recvr=tape)

    @bound_function('tape.copy')
    def resolve_copy(self, tape, args, keywords):
        return None if args or not tape.is_precise() or isinstance(tape, LocalTapeType) else signature(tape, recvr=tape)


@infer_global(len)
@infer_global(bool)
class TapeLength(AbstractTemplate):
    def generic(self, args, keywords):
        if len(args) == 1 and isinstance(args[0], TapeType):
            return signature(types.boolean if self.key is bool else types.intp, *args)
        return None


# Code

class Block:
    """A tape whose header is at `header`, in code that is being made."""

    def __init__(self, context, builder, t, header):
        self.context, self.builder, self.t = context, builder, t
        self.model = context.data_model_manager[t.dtype]
        self.item = self.model.get_data_type()
        self.header = builder.bitcast(header, ir.PointerType(cgutils.intp_t))

    def field(self, place):
        return cgutils.gep_inbounds(self.builder, self.header, place)

    def load(self, place):
        return self.builder.load(self.field(place))

    def store(self, place, value):
        self.builder.store(value, self.field(place))

    def at(self, index):
        items = self.builder.inttoptr(self.load(DATA), ir.PointerType(self.item))
        return self.builder.gep(items, [index])

    def put(self, index, value):
        self.builder.store(self.model.as_data(self.builder, value), self.at(index))

    def get(self, index):
        return self.model.from_data(self.builder, self.builder.load(self.at(index)))


def block(context, builder, t, value):
    if isinstance(t, LocalTapeType):
        return Block(context, builder, t, cgutils.create_struct_proxy(t)(context, builder, value).header)
    return Block(context, builder, t, context.nrt.meminfo_data(builder, value))


def push(now, value):
    context, builder, t = now.context, now.builder, now.t
    size = now.load(SIZE)
    with builder.if_then(builder.icmp_unsigned('==', size, now.load(CAPACITY)), likely=False):
        each = cgutils.intp_t(context.get_abi_sizeof(now.item))
        with builder.if_then(builder.not_(builder.call(grow(builder.module), [now.header, each])), likely=False):
            context.call_conv.return_user_exc(builder, MemoryError, ('no memory for the tape',))
    context.nrt.incref(builder, t.dtype, value)
    now.put(size, value)
    now.store(SIZE, builder.add(size, size.type(1)))


def pop(now):
    context, builder = now.context, now.builder
    size = now.load(SIZE)
    if context.enable_boundscheck:             # else as for arrays; a way out in a loop costs more than the pop itself
        with builder.if_then(builder.icmp_unsigned('==', size, size.type(0)), likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ('pop from an empty tape',))
    last = builder.sub(size, size.type(1))
    now.store(SIZE, last)
    return now.get(last)


def new_function(module, name, result, *arguments):
    """(a function of the module, code to be written into it, or None if it is there already)."""
    function = cgutils.get_or_insert_function(module, ir.FunctionType(result, arguments), name)
    if not function.is_declaration:
        return function, None
    function.linkage = 'linkonce_odr'
    return function, ir.IRBuilder(function.append_basic_block())


def runtime(module, name, result, *arguments):
    return cgutils.get_or_insert_function(module, ir.FunctionType(result, arguments), name)


def grow(module):
    """The function that doubles the room of a tape, at first with the block kept from an earlier one; whether it could."""
    word, pointer = cgutils.intp_t, cgutils.voidptr_t
    function, builder = new_function(module, 'tangent_tape_grow', ir.IntType(1), ir.PointerType(word), word)
    if builder is None:
        return function
    for attribute in 'noinline', 'cold':
        function.attributes.add(attribute)
    header, each = function.args
    function.linkage = 'internal'                # so that it is seen to keep no address of a header
    data, size, capacity, spare, owner = (cgutils.gep_inbounds(builder, header, k)
                                          for k in (DATA, SIZE, CAPACITY, SPARE, OWNER))
    free = runtime(module, 'NRT_Free', ir.VoidType(), pointer)
    old, held = builder.load(data), builder.mul(builder.load(size), each)
    first = builder.or_(builder.icmp_unsigned('==', old, word(0)), builder.icmp_unsigned('==', old, inside(builder, header)))

    def moved(block, room):
        """Go on with the items in another block."""
        with builder.if_then(builder.icmp_unsigned('!=', old, word(0))):
            cgutils.raw_memcpy(builder, block, builder.inttoptr(old, pointer), held, 1, align=8)
        with builder.if_then(builder.not_(first)):
            builder.call(free, [builder.inttoptr(old, pointer)])
        new = builder.ptrtoint(block, word)
        for place, value in (data, new), (capacity, room):
            builder.store(value, place)
        with builder.if_then(builder.icmp_unsigned('!=', builder.load(owner), word(0))):
            counted = builder.inttoptr(builder.load(owner), ir.PointerType(word))
            for place, value in (DATA, new), (CAPACITY, room):
                builder.store(value, cgutils.gep_inbounds(builder, counted, place))
        builder.ret(ir.IntType(1)(1))

    with builder.if_then(first):
        slot = builder.inttoptr(builder.load(spare), ir.PointerType(word))
        kept = builder.atomic_rmw('xchg', slot, word(0), 'acq_rel')
        with builder.if_then(builder.icmp_unsigned('!=', kept, word(0))):
            bytes_ = builder.load(builder.inttoptr(kept, ir.PointerType(word)))      # its first word says how many
            room = builder.udiv(bytes_, each)
            with builder.if_then(builder.icmp_unsigned('>', room, builder.load(size))):
                moved(builder.inttoptr(kept, pointer), room)
            builder.call(free, [builder.inttoptr(kept, pointer)])
    there = builder.load(capacity)
    after = builder.select(builder.icmp_unsigned('<', there, word(FIRST)), word(FIRST), builder.shl(there, word(1)))
    block = builder.call(runtime(module, 'NRT_Allocate', pointer, word), [builder.mul(after, each)])
    with builder.if_then(cgutils.is_null(builder, block), likely=False):
        builder.ret(ir.IntType(1)(0))
    moved(block, after)
    return function


def inside(builder, header):
    """The address of the first items, which lie behind the header that is counted."""
    own, owner = builder.ptrtoint(header, cgutils.intp_t), builder.load(cgutils.gep_inbounds(builder, header, OWNER))
    counted = builder.select(builder.icmp_unsigned('==', owner, owner.type(0)), own, owner)
    return builder.add(counted, counted.type(HEADER))


def destructor(context, module, t):
    """The function that is called when nobody holds a tape any more."""
    word, pointer = cgutils.intp_t, cgutils.voidptr_t
    name = context.mangler('tangent_tape_free', (t,))
    function, builder = new_function(module, name, ir.VoidType(), pointer, word, pointer)
    if builder is None:
        return function
    let_go(Block(context, builder, t, function.args[0]), module)
    builder.ret_void()
    return function


def let_go(now, module):
    """Code that lets go of what a tape still holds, and gives its memory back, or keeps it for the next one."""
    context, builder, t = now.context, now.builder, now.t
    word, pointer = cgutils.intp_t, cgutils.voidptr_t
    if now.model.contains_nrt_meminfo():
        with cgutils.for_range(builder, now.load(SIZE)) as loop:
            context.nrt.decref(builder, t.dtype, now.get(loop.index))
    data = now.load(DATA)
    room = builder.mul(now.load(CAPACITY), word(context.get_abi_sizeof(now.item)))
    free = runtime(module, 'NRT_Free', ir.VoidType(), pointer)
    outside = builder.icmp_unsigned('!=', data, inside(builder, now.header))
    with builder.if_then(builder.and_(outside, builder.icmp_unsigned('!=', data, word(0)))):
        keep = builder.and_(builder.icmp_unsigned('>=', room, word(8)), builder.icmp_unsigned('<=', room, word(LIMIT)))
        with builder.if_else(keep) as (kept, freed):
            with kept:
                builder.store(room, builder.inttoptr(data, ir.PointerType(word)))
                slot = builder.inttoptr(now.load(SPARE), ir.PointerType(word))
                other = builder.atomic_rmw('xchg', slot, data, 'acq_rel')
                with builder.if_then(builder.icmp_unsigned('!=', other, word(0))):
                    builder.call(free, [builder.inttoptr(other, pointer)])
            with freed:
                builder.call(free, [builder.inttoptr(data, pointer)])


def new_slot(module):
    """A word of the module, for the block that the last tape made at one place leaves behind."""
    slot = ir.GlobalVariable(module, cgutils.intp_t, module.get_unique_name('tangent_tape_spare'))
    slot.linkage, slot.initializer = 'internal', cgutils.intp_t(0)
    return slot


def room_of(context, t):
    """How many items lie behind the header: a tape of a few needs no other block."""
    return min(FIRST, INSIDE // context.get_abi_sizeof(context.data_model_manager[t.dtype].get_data_type()))


def counted_header(context, builder, t):
    """What is counted for a tape: its header, and room for a few items behind it."""
    each = context.get_abi_sizeof(context.data_model_manager[t.dtype].get_data_type())
    size = context.get_constant(types.uintp, HEADER + room_of(context, t) * each)
    return context.nrt.meminfo_alloc_dtor(builder, size, destructor(context, builder.module, t))


@lower_builtin(Tape)
def _make(context, builder, sig, args):
    t = sig.return_type
    tape = counted_header(context, builder, t)
    now = block(context, builder, t, tape)
    start(now, new_slot(builder.module))
    begin_inside(now)
    return imputils.impl_ret_new_ref(context, builder, t, tape)


def begin_inside(now):
    """The first items lie behind the header."""
    now.store(DATA, inside(now.builder, now.header))
    now.store(CAPACITY, cgutils.intp_t(room_of(now.context, now.t)))


def start(now, slot, owner=None):
    """An empty tape."""
    for place in DATA, SIZE, CAPACITY:
        now.store(place, cgutils.intp_t(0))
    now.store(SPARE, now.builder.ptrtoint(slot, cgutils.intp_t))
    now.store(OWNER, cgutils.intp_t(0) if owner is None else now.builder.ptrtoint(owner, cgutils.intp_t))


@lower_builtin(LocalTape)
def _make_local(context, builder, sig, args):
    t = sig.return_type
    counted = TapeType(t.dtype)
    owner, slot = counted_header(context, builder, counted), new_slot(builder.module)
    there = context.nrt.meminfo_data(builder, owner)
    now = Block(context, builder, counted, there)
    start(now, slot)
    tape = cgutils.create_struct_proxy(t)(context, builder)
    tape.owner, tape.header = owner, there
    if not now.model.contains_nrt_meminfo():
        header = cgutils.alloca_once(builder, ir.ArrayType(cgutils.intp_t, HEADER // 8))
        tape.header = builder.bitcast(header, cgutils.voidptr_t)
        now = Block(context, builder, t, header)
        start(now, slot, there)
    begin_inside(now)
    return imputils.impl_ret_new_ref(context, builder, t, tape._getvalue())


@lower_builtin('tape.copy', TapeType)
def _copy(context, builder, sig, args):
    t, = sig.args
    old = block(context, builder, t, args[0])
    size = old.load(SIZE)
    new = _make(context, builder, sig, ())
    with cgutils.for_range(builder, size) as loop:
        push(block(context, builder, t, new), block(context, builder, t, args[0]).get(loop.index))
    return new


@lower_builtin('tape.append', TapeType, types.Any)
def _append(context, builder, sig, args):
    tape, value = args
    push(block(context, builder, sig.args[0], tape), value)
    return context.get_dummy_value()


@lower_builtin('tape.pop', TapeType)
def _pop(context, builder, sig, args):
    return imputils.impl_ret_new_ref(context, builder, sig.return_type, pop(block(context, builder, sig.args[0], *args)))


@lower_builtin(len, TapeType)
def _len(context, builder, sig, args):
    return block(context, builder, sig.args[0], *args).load(SIZE)


@lower_builtin(bool, TapeType)
def _bool(context, builder, sig, args):
    size = block(context, builder, sig.args[0], *args).load(SIZE)
    return builder.icmp_unsigned('!=', size, size.type(0))
