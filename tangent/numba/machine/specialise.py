"""Compiling a function that is derived anew for the types of its arguments before Numba reads it."""
from __future__ import annotations

import inspect

import numba
from numba.core import compiler
from numba.core.untyped_passes import FixupArgs

from tangent.numba.machine.compile import Named, described
from tangent.numba.machine.errors import explaining
from tangent.numba.machine.ranges import tell


class Compiler(compiler.CompilerBase):
    """Numba's compiler, for a function that is derived anew for the types of its arguments before it is read."""

    def compile_extra(self, func):
        made = made_for(func, self.state.args)
        made.made_from = func
        return explaining(super().compile_extra, made, func, self.state)

    def define_pipelines(self):
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(Named, FixupArgs)
        tell(manager)
        return [manager]


def made_for(function, args):
    """The function that is compiled for these types of arguments, with loops in place of arithmetic on slices."""
    made = (getattr(function, 'derived', None) or function.retyped)(args)
    loops = getattr(made, 'loops', None)
    names = inspect.signature(function).parameters
    return loops and loops(dict(zip(names, map(described, args)))) or made


def again(state, function):
    """What Numba makes of a derivative for types, where it did not compile the one that was made without them."""
    pipeline = Again(state.typingctx, state.targetctx, state.library, state.args, state.return_type, state.flags, state.locals)
    made = made_for(function, state.args)
    made.made_from = function
    return pipeline.compile_extra(made)


class Again(Compiler):
    def compile_extra(self, func):
        return compiler.CompilerBase.compile_extra(self, func)


def compiled(function, derive, options):
    """The dispatcher of a function that `derive` makes for the types of its arguments."""
    function.derived = derive
    return numba.njit(**options, pipeline_class=Compiler)(function)
