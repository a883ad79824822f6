"""Parts of a tape as arrays, inside Numba-compiled code.

`tape.room(count, like)` pushes `count` items at once and gives the array in which they lie, to be written; `tape.part(count)`
pops them and gives the array in which they lay. It holds until something else is pushed, and keeps the tape from being given
back. Items are numbers, like `like`, or tuples of them: then the array has a second axis.
"""
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate, bound_function, infer_getattr, signature
from numba.extending import lower_builtin
from numba.np.arrayobj import populate_array

from tangent.numba.machine.tape import CAPACITY, SIZE, LocalTapeType, TapeType, block, grow


@infer_getattr
class TapeParts(AttributeTemplate):
    key = TapeType

    @bound_function('tape.room')
    def resolve_room(self, tape, args, keywords):
        _, like = args
        dtype = self.context.unify_pairs(tape.dtype, types.unliteral(like))
        held = None if dtype is None else array_of(dtype)
        return None if held is None else signature(held, types.intp, dtype, recvr=type(tape)(dtype))

    @bound_function('tape.part')
    def resolve_part(self, tape, args, keywords):
        held = array_of(tape.dtype) if tape.is_precise() and len(args) == 1 else None
        return None if held is None else signature(held, types.intp, recvr=tape)


def array_of(dtype):
    """The type of the array that items of a type lie in, or None."""
    dtype = types.unliteral(dtype)
    if isinstance(dtype, types.UniTuple) and isinstance(dtype.dtype, types.Float):
        return types.Array(dtype.dtype, 2, 'C')
    return types.Array(dtype, 1, 'C') if isinstance(dtype, types.Float) else None


def array_at(now, t, first, count, tape):
    """The array of the items from one place on; it owns a reference to the `tape`, which may not be named again."""
    context, builder = now.context, now.builder
    each = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(t.dtype)))
    shape, strides = [count], [each]
    if t.ndim == 2:
        width = context.get_constant(types.intp, now.t.dtype.count)
        shape, strides = [count, width], [builder.mul(width, each), each]
    array = context.make_array(t)(context, builder)
    data = builder.bitcast(now.at(first), context.get_data_type(t.dtype).as_pointer())
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=each, meminfo=owner_of(now, tape))
    made = array._getvalue()
    context.nrt.incref(builder, t, made)
    return made


def owner_of(now, tape):
    """What counts the references to a tape."""
    local = isinstance(now.t, LocalTapeType)
    return cgutils.create_struct_proxy(now.t)(now.context, now.builder, tape).owner if local else tape


@lower_builtin('tape.room', TapeType, types.Any, types.Any)
def _room(context, builder, sig, args):
    now, count = block(context, builder, sig.args[0], args[0]), args[1]
    size = now.load(SIZE)
    wanted = builder.add(size, count)
    test, more, there = (builder.append_basic_block(f'room.{name}') for name in ('test', 'more', 'there'))
    builder.branch(test)
    builder.position_at_end(test)
    builder.cbranch(builder.icmp_unsigned('<', now.load(CAPACITY), wanted), more, there)
    builder.position_at_end(more)
    each = cgutils.intp_t(context.get_abi_sizeof(now.item))
    with builder.if_then(builder.not_(builder.call(grow(builder.module), [now.header, each])), likely=False):
        context.call_conv.return_user_exc(builder, MemoryError, ('no memory for the tape',))
    builder.branch(test)
    builder.position_at_end(there)
    now.store(SIZE, wanted)
    return array_at(now, sig.return_type, size, count, args[0])


@lower_builtin('tape.part', TapeType, types.Any)
def _part(context, builder, sig, args):
    now, count = block(context, builder, sig.args[0], args[0]), args[1]
    size = now.load(SIZE)
    if context.enable_boundscheck:
        with builder.if_then(builder.icmp_unsigned('<', size, count), likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ('pop from an empty tape',))
    last = builder.sub(size, count)
    now.store(SIZE, last)
    return array_at(now, sig.return_type, last, count, args[0])
