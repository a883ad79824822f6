"""Tangents in several directions inside Numba-compiled code: one vector of the processor for each number.

In memory such a vector is so many numbers one behind the other, so an array of them is an array with an axis of directions
behind; all that Numba does with arrays, whatever they hold, it does with these. A plain number is the same in all directions.

    dy = dx * w        ->        %dy = fmul <8 x double> %dx, %w8
"""
import operator

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, register_model, type_callable

from tangent.runtime.tangents.blocks import EIGHT as WIDTH

PLAIN = types.Float, types.Integer, types.Boolean


class Simd(types.Type):
    """The type of the tangents of one real number.

    Parameters
    ----------
    dtype : numba.types.Float
    """

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f'Simd({dtype})')

    def can_convert_from(self, typingctx, other):
        if isinstance(other, Simd):
            return Conversion.promote if other.dtype.bitwidth < self.dtype.bitwidth else None
        return Conversion.safe if isinstance(other, PLAIN) else None

    def unify(self, typingctx, other):
        return joined(self, other)

    def cast_python_value(self, value):
        return float(value)


def has_simd(t):
    """Whether a type is that of tangents in several directions, or of something that holds such."""
    if isinstance(t, types.BaseTuple):
        return any(map(has_simd, t))
    return isinstance(t, Simd) or isinstance(getattr(t, 'dtype', None), Simd)


def joined(*kinds):
    """The type of what is made of numbers of these types, of which one at least has directions; None for others."""
    dtypes = [t.dtype if isinstance(t, Simd) else types.unliteral(t) for t in kinds]
    if not all(isinstance(t, PLAIN) for t in dtypes):
        return None
    return Simd(types.float32 if all(t is types.float32 for t in dtypes) else types.float64)


@register_model(Simd)
class SimdModel(models.PrimitiveModel):
    """A vector; in memory an array of numbers, which may begin anywhere that a number may."""

    def __init__(self, manager, t):
        self.number = manager[t.dtype].get_value_type()
        super().__init__(manager, t, ir.VectorType(self.number, WIDTH))

    def get_data_type(self):
        return ir.ArrayType(self.number, WIDTH)

    def as_data(self, builder, value):
        return cgutils.pack_array(builder, [builder.extract_element(value, place(k)) for k in range(WIDTH)])

    def from_data(self, builder, value):
        return packed(builder, self.get_value_type(), cgutils.unpack_tuple(builder, value, WIDTH))

    def load_from_data_pointer(self, builder, ptr, align=None):
        return builder.load(self.as_vector(builder, ptr), align=align or self.fe_type.dtype.bitwidth // 8)

    def store(self, builder, value, ptr):
        builder.store(value, self.as_vector(builder, ptr), align=self.fe_type.dtype.bitwidth // 8)

    def as_vector(self, builder, ptr):
        return builder.bitcast(ptr, self.get_value_type().as_pointer())


def place(k):
    return ir.Constant(ir.IntType(32), k)


def packed(builder, vector, numbers):
    value = ir.Constant(vector, ir.Undefined)
    for k, number in enumerate(numbers):
        value = builder.insert_element(value, number, place(k))
    return value


# Plain numbers as vectors

def spread(context, builder, plain, vector, value):
    """A plain number, the same in all directions."""
    number = context.cast(builder, value, plain, vector.dtype)
    nothing = ir.Constant(context.get_value_type(vector), ir.Undefined)
    first = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), None)
    return builder.shuffle_vector(builder.insert_element(nothing, number, place(0)), nothing, first)


for kind in PLAIN:
    @lower_cast(kind, Simd)
    def _spread(context, builder, plain, vector, value):
        return spread(context, builder, types.unliteral(plain), vector, value)


@lower_cast(Simd, Simd)
def _wider(context, builder, narrow, wide, value):
    return builder.fpext(value, context.get_value_type(wide))


@type_callable(float)
def _float(context):
    return lambda x: x if isinstance(x, Simd) and x.dtype is types.float64 else None


@lower_builtin(float, Simd)
def _float_as_it_is(context, builder, sig, args):
    return args[0]


# Arithmetic: tangents are added to each other, and multiplied and divided by plain numbers

def linear(kinds, op):
    """The type of `a op b` for a sum, a product or a quotient that is linear in what has directions; else None."""
    if not any(isinstance(t, Simd) for t in kinds):
        return None
    if op == 'mul' and all(isinstance(t, Simd) for t in kinds) or op == 'truediv' and isinstance(kinds[1], Simd):
        return None
    return joined(*kinds)


FORMS = {'add': (operator.add, operator.iadd, np.add), 'sub': (operator.sub, operator.isub, np.subtract),
         'mul': (operator.mul, operator.imul, np.multiply), 'truediv': (operator.truediv, operator.itruediv, np.divide)}


def register(name, function):
    @infer_global(function)
    class Operation(AbstractTemplate):
        def generic(self, args, keywords):
            found = linear(args, name) if len(args) == 2 and not keywords else None
            return found and signature(found, *args)           # those of arrays are in `simd_arrays`

    def code(context, builder, sig, args):
        kind = sig.return_type
        a, b = (context.cast(builder, v, t, kind) for v, t in zip(args, sig.args))
        if name == 'truediv' and function is not np.divide:
            divisor = context.cast(builder, args[1], types.unliteral(sig.args[1]), types.float64)
            with cgutils.if_zero(builder, divisor):
                context.error_model.fp_zero_division(builder, ('division by zero',))
        return {'add': builder.fadd, 'sub': builder.fsub, 'mul': builder.fmul, 'truediv': builder.fdiv}[name](a, b)

    for kinds in (Simd, Simd), *((Simd, p) for p in PLAIN), *((p, Simd) for p in PLAIN):
        lower_builtin(function, *kinds)(code)


for name, functions in FORMS.items():
    for function in functions:
        register(name, function)


for sign in operator.neg, operator.pos, np.negative, np.positive:
    @infer_global(sign)
    class Signed(AbstractTemplate):
        def generic(self, args, keywords):
            return signature(args[0], *args) if len(args) == 1 and isinstance(args[0], Simd) else None

    @lower_builtin(sign, Simd)
    def _signed(context, builder, sig, args, sign=sign):
        return builder.fneg(args[0]) if sign in (operator.neg, np.negative) else args[0]


@intrinsic
def spread_over(typing_context, value, kind):
    """A plain number as tangents that are the same in all directions; tangents as tangents of this kind."""
    vector = kind.instance_type
    return vector(value, kind), lambda context, builder, sig, args: context.cast(builder, args[0], value, vector)


@intrinsic
def lane(typing_context, value, k):
    """The tangent in one direction."""
    def codegen(context, builder, sig, args):
        return builder.extract_element(args[0], args[1])
    return value.dtype(value, types.intp), codegen


@intrinsic
def with_lane(typing_context, value, k, number):
    """The tangents with another one in one direction."""
    def codegen(context, builder, sig, args):
        return builder.insert_element(args[0], args[2], args[1])
    return value(value, types.intp, value.dtype), codegen
