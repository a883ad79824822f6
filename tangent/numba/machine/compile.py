"""Numba's compiler for emitted functions, each made anew for the types of its arguments before Numba reads it.

An emitted function carries what makes it anew: `loops` puts loops in place of arithmetic on slices, `derived` derives the
function with what its variables hold. Numba's own pipeline follows, with the passes of `ranges` and `sums` in it. What Numba
says of a function that it does not compile is told in the user's words (`errors`).

A second attempt
----------------
Most derivatives are the same for arguments of all types, and are derived before any type is known. Whether Numba compiles
one, only Numba's compiler can say: its typing is what is asked. So a function that can be derived for types too (`retyped`)
is compiled as it is first, and anew for the types where that fails: `again` is the one place in which a caught error leads
to another attempt. It is made at most once for a set of types, and where it fails too the first error is told.
"""
import contextlib
import inspect

import numba
from numba.core import compiler, ir, types
from numba.core import errors as numba_errors
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.untyped_passes import FixupArgs
from numba.np.numpy_support import as_dtype

from tangent.errors import PLACES, TangentError
from tangent.numba.machine import types_of
from tangent.numba.machine.errors import FAILURES, explained, refuse_arguments
from tangent.numba.machine.passes import ranges
from tangent.numba.machine.tape import TapeType


class Compiler(compiler.CompilerBase):
    """Numba's compiler, for an emitted function."""

    def compile_extra(self, func):
        refuse_arguments(func, self.state.args)
        made = made_for(func, self.state.args)
        try:
            return self.compile_made(made, func)
        except FAILURES as error:
            if hasattr(func, 'retyped') and not isinstance(error, numba_errors.ForceLiteralArg):
                with contextlib.suppress(*FAILURES, TangentError):
                    return again(self.state, func)
            better = explained(func, self.state.args, error)
            if better is error:
                raise
            raise better from None

    def compile_made(self, made, func):
        """Compile what was made of a function."""
        if made is not func:
            made.made_from = func
        return super().compile_extra(made)

    def define_pipelines(self):
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(Named, FixupArgs)
        ranges.tell(manager)
        return [manager]


@register_pass(mutates_CFG=True, analysis_only=False)
class Named(FunctionPass):
    """Gives the function its own identity back, by which calls of itself are found, and what it raises the user's lines, which
    compiled code shows in tracebacks."""
    _name = 'tangent_named'

    def __init__(self):
        FunctionPass.__init__(self)

    def run_pass(self, state):
        original = getattr(state.func_id.func, 'made_from', None)
        if original is not None:
            state.func_id.func = original
        for raises in (s for block in state.func_ir.blocks.values() for s in block.body if isinstance(s, ir.Raise)):
            place = PLACES.get(raises.loc.filename, {}).get(raises.loc.line)
            if place is not None:
                raises.loc = ir.Loc(place.file, place.line)
        return False


def made_for(function, args, derive=None):
    """The function that is compiled for these types of arguments.

    derive : derives it for them; None for what it carries itself, if anything
    """
    derive = derive or getattr(function, 'derived', None)
    made = function if derive is None else derive(args)
    loops = getattr(made, 'loops', None)
    names = inspect.signature(function).parameters
    return loops and loops(dict(zip(names, map(described, args)))) or made


def again(state, function):
    """What Numba makes of a derivative for types, where it did not compile the one that was made without them."""
    anew = Compiler(state.typingctx, state.targetctx, state.library, state.args, state.return_type, state.flags, state.locals)
    return anew.compile_made(made_for(function, state.args, function.retyped), function)


def described(t):
    """The type of an argument as `loops.functions.specialised` takes it."""
    if isinstance(t, types.Optional):
        return None
    if isinstance(t, types.Omitted):
        return described(numba.typeof(t.value))
    if isinstance(t, types.Array):
        return ('array', t.ndim, as_dtype(t.dtype).name) if isinstance(t.dtype, (types.Number, types.Boolean)) else None
    if isinstance(types.unliteral(t), (types.Number, types.Boolean)):
        return 'number', as_dtype(types.unliteral(t)).name
    if isinstance(t, TapeType):
        return 'tape', described(t.dtype)
    if isinstance(t, (types.List, types.ListType)):
        return 'list', described(t.dtype)
    return ('tuple', tuple(map(described, t))) if isinstance(t, types.BaseTuple) else None


def compiled(function, options, cache=False, loops=None, derive=None):
    """The dispatcher of an emitted function.

    loops : makes the function with loops for the types of its arguments
    derive : derives the function for the types of its arguments
    """
    if loops is not None:
        function.loops = loops
    if derive is not None:
        function.derived = derive
    return numba.njit(**options, cache=cache, pipeline_class=Compiler)(function)


def derived(function, args):
    """What is compiled for a call, with these arguments, of what `derive` makes."""
    return made_for(function, types_of.of_values(function, args))
