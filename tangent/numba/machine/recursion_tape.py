"""What recursive functions keep for their adjoints, inside Numba-compiled code: values of many types in one block of memory.

    size | capacity | last | - | entry | entry | ...        entry:  before | destructor | value      or      value

What such a function keeps holds what it kept when it called itself, and so on: a type that would have itself for a part.
Here each call puts its values down in memory that all calls share, and hands over the place. The types of the values are
those of the function that keeps them (by then it has been compiled), for arguments of the types that `Kept` is given.
Entries with references are chained, so that these are let go of at the end.
"""
from llvmlite import ir
from numba.core import cgutils, imputils, types
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, lower_cast, models, register_model, type_callable, typeof_impl

from tangent.numba.machine.tape import TapeModel, new_function
from tangent.runtime import tape

SIZE, CAPACITY, LAST = range(3)
HEADER = 32
FIRST = 4064                # bytes of the first allocation
OF_TWO_TYPES = 'A recursive function with arguments of two types in one derivative: {} keeps {} and {}; give it one type'


class KeptType(types.Type):
    """The type of the memory, for one derivative and the types of its arguments."""

    mutable = True

    def __init__(self, of):
        self.of = tuple(map(types.unliteral, of))
        super().__init__(f'Kept{self.of}')


register_model(KeptType)(TapeModel)
_kinds: dict = {}           # (KeptType, dispatcher of the function that keeps) -> the type of what it keeps


@infer_global(tape.Kept)
class TypeKept(AbstractTemplate):
    key = tape.Kept

    def generic(self, args, keywords):
        return signature(KeptType(args), *args)


@type_callable(tape.keep)
def _type_keep(context):
    return lambda memory, function, values: types.intp if isinstance(memory, KeptType) else None


@type_callable(tape.kept)
def _type_of_kept(context):
    return lambda memory, function, place: _kinds.get((memory, dispatcher(function)))


@lower_builtin(tape.keep, KeptType, types.Any, types.Any)
def _keep(context, builder, sig, args):
    memory, function, kind = sig.args
    key = memory, dispatcher(function)
    known = _kinds.setdefault(key, kind)
    if known != kind:
        raise TypingError(OF_TWO_TYPES.format(key[1].__name__, known, kind))
    return put(context, builder, kind, args[0], args[2])


@lower_builtin(tape.kept, KeptType, types.Any, types.Integer)
def _kept(context, builder, sig, args):
    kind = sig.return_type
    base = context.nrt.meminfo_data(builder, args[0])
    value = load(context, builder, kind, builder.gep(base, [args[2]]))
    return imputils.impl_ret_borrowed(context, builder, kind, value)


def dispatcher(function):
    """The dispatcher of a function that is given by name, in its own body too."""
    return getattr(function, 'dispatcher_type', function).dispatcher


def model_of(context, kind):
    return context.data_model_manager[kind]


def load(context, builder, kind, at):
    model = model_of(context, kind)
    return model.from_data(builder, builder.load(builder.bitcast(at, ir.PointerType(model.get_data_type()))))


def words(builder, at):
    return builder.bitcast(at, ir.PointerType(cgutils.intp_t))


def field(builder, base, place):
    return cgutils.gep_inbounds(builder, words(builder, base), place)


def put(context, builder, kind, memory, value):
    """Put a value down; the place is its distance from the beginning of the block."""
    word, model = cgutils.intp_t, model_of(context, kind)
    chained = model.contains_nrt_meminfo()
    data = model.get_data_type()
    need = (context.get_abi_sizeof(data) + 15) // 16 * 16 + 16 * chained
    base = context.nrt.meminfo_data(builder, memory)
    start = builder.load(field(builder, base, SIZE))
    end = builder.add(start, word(need))
    with builder.if_then(builder.icmp_unsigned('>', end, builder.load(field(builder, base, CAPACITY))), likely=False):
        room = builder.call(grow(builder.module), [memory, end])
        with builder.if_then(cgutils.is_null(builder, room), likely=False):
            context.call_conv.return_user_exc(builder, MemoryError, ('no memory for what is kept',))
    base = context.nrt.meminfo_data(builder, memory)
    builder.store(end, field(builder, base, SIZE))
    if chained:
        entry = builder.gep(base, [start])
        last = field(builder, base, LAST)
        builder.store(builder.load(last), field(builder, entry, 0))
        builder.store(builder.ptrtoint(freeing(context, builder.module, kind), word), field(builder, entry, 1))
        builder.store(start, last)
        start = builder.add(start, word(16))
        context.nrt.incref(builder, kind, value)
    builder.store(model.as_data(builder, value), builder.bitcast(builder.gep(base, [start]), ir.PointerType(data)))
    return start


def grow(module):
    """The function that makes room for `end` bytes, and for more to come."""
    word, pointer = cgutils.intp_t, cgutils.voidptr_t
    function, builder = new_function(module, 'tangent_kept_grow', pointer, pointer, word)
    if builder is not None:
        function.attributes.add('noinline')
        memory, end = function.args
        after = builder.shl(end, word(1))
        reallocate = cgutils.get_or_insert_function(module, ir.FunctionType(pointer, [pointer, word]),
                                                    'NRT_MemInfo_varsize_realloc')
        room = builder.call(reallocate, [memory, after])
        with builder.if_then(cgutils.is_not_null(builder, room), likely=True):
            builder.store(after, field(builder, room, CAPACITY))
        builder.ret(room)
    return function


def freeing(context, module, kind):
    """The function that lets go of the references of one entry."""
    name = context.mangler('tangent_kept_entry_free', (kind,))
    function, builder = new_function(module, name, ir.VoidType(), cgutils.voidptr_t)
    if builder is not None:
        context.nrt.decref(builder, kind, load(context, builder, kind, function.args[0]))
        builder.ret_void()
    return function


def freeing_all(module):
    """The function that lets go of the references of all entries, the last one first."""
    word, pointer = cgutils.intp_t, cgutils.voidptr_t
    function, builder = new_function(module, 'tangent_kept_free', ir.VoidType(), pointer)
    if builder is not None:
        base, = function.args
        first = builder.basic_block
        test, body, end = map(function.append_basic_block, ('test', 'body', 'end'))
        start = builder.load(field(builder, base, LAST))
        builder.branch(test)
        builder.position_at_end(test)
        at = builder.phi(word)
        at.add_incoming(start, first)
        builder.cbranch(builder.icmp_unsigned('==', at, word(0)), end, body)
        builder.position_at_end(body)
        entry = builder.gep(base, [at])
        free = builder.inttoptr(builder.load(field(builder, entry, 1)),
                                ir.PointerType(ir.FunctionType(ir.VoidType(), [pointer])))
        builder.call(free, [builder.gep(entry, [word(16)])])
        at.add_incoming(builder.load(field(builder, entry, 0)), body)
        builder.branch(test)
        builder.position_at_end(end)
        builder.ret_void()
    return function


@lower_builtin(tape.Kept, types.VarArg(types.Any))
def _make(context, builder, sig, args):
    size = context.get_constant(types.intp, HEADER + FIRST)
    free = builder.bitcast(freeing_all(builder.module), cgutils.voidptr_t)
    memory = context.nrt.meminfo_new_varsize_dtor(builder, size, free)
    base = context.nrt.meminfo_data(builder, memory)
    for place, value in (SIZE, HEADER), (CAPACITY, HEADER + FIRST), (LAST, 0):
        builder.store(cgutils.intp_t(value), field(builder, base, place))
    return imputils.impl_ret_new_ref(context, builder, sig.return_type, memory)


# Values that are not there on some path, where something is kept on all

class UnsetType(types.Type):
    """The type of `unset`: on a path where a variable has another type, this is nothing of that type."""

    def __init__(self):
        super().__init__('unset')

    def unify(self, typing, other):
        return other

    def can_convert_to(self, typing, other):
        return Conversion.safe


UNSET = UnsetType()
register_model(UnsetType)(models.OpaqueModel)


@typeof_impl.register(tape.Unset)
def _typeof_unset(value, context):
    return UNSET


@lower_constant(UnsetType)
def _unset(context, builder, kind, value):
    return context.get_dummy_value()


@lower_cast(UnsetType, types.Boolean)         # what Numba casts anything to by a rule of its own
@lower_cast(UnsetType, types.Any)
def _from_unset(context, builder, source, target, value):
    return context.get_constant_null(target)
