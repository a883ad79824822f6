"""Compiling a function that is derived anew for the types of its arguments before Numba reads it."""
from __future__ import annotations

import inspect

import numba
from numba.core import compiler
from numba.core.untyped_passes import FixupArgs

from tangent.compiled_errors import explaining
from tangent.compiled_lowering import Named, described


class Compiler(compiler.CompilerBase):
    """Numba's compiler, for a function that is derived anew for the types of its arguments before it is read."""

    def compile_extra(self, func):
        made = made_for(func, self.state.args)
        made.made_from = func
        return explaining(super().compile_extra, made, func, self.state.args)

    def define_pipelines(self):
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(Named, FixupArgs)
        manager.finalize()
        return [manager]


def made_for(function, args):
    """The function that is compiled for these types of arguments, with loops in place of arithmetic on slices."""
    made = function.derived(args)
    loops = getattr(made, 'loops', None)
    names = inspect.signature(function).parameters
    return loops and loops(dict(zip(names, map(described, args)))) or made


def compiled(function, derive, options):
    """The dispatcher of a function that `derive` makes for the types of its arguments."""
    function.derived = derive
    return numba.njit(**options, pipeline_class=Compiler)(function)
