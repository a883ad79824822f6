"""Compiling with loops: a function is made anew for the types of its arguments before Numba reads it."""
from __future__ import annotations

import inspect

import numba
from numba.core import compiler, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.untyped_passes import FixupArgs
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype

from tangent.compiled_errors import explaining
from tangent.compiled_tape import TapeType
from tangent.errors import AliasError
from tangent.helpers_extents import SHARED, check_disjoint, check_equal, dot_rows, ends

register_jitable(check_equal)


@overload(ends)
def _ends(low, high, size):
    first = (lambda low, size: 0) if isinstance(low, (types.NoneType, types.Omitted)) else clipped
    last = (lambda high, size: size) if isinstance(high, (types.NoneType, types.Omitted)) else clipped
    first, last = register_jitable(first), register_jitable(last)
    return lambda low, high, size: (first(low, size), last(high, size))


def clipped(bound, size):
    return min(max(bound + size if bound < 0 else bound, 0), size)


@overload(dot_rows, jit_options={'fastmath': {'reassoc', 'contract', 'nsz'}})
def _dot_rows(a, b):
    zero = as_dtype(a.dtype).type(0)

    def impl(a, b):
        if a.shape[0] != b.shape[0]:
            raise ValueError('incompatible array sizes for np.dot(a, b) (vector * vector)')
        total = zero
        for k in range(a.shape[0]):
            total += a[k] * b[k]
        return total
    return impl


@overload(check_disjoint)
def _check_disjoint(a, b):
    def impl(a, b):
        if overlap(a, b):
            raise AliasError(SHARED)
    return impl


@register_jitable
def overlap(a, b):
    """Whether the memory from the first to the last element of two arrays has something in common."""
    first, other = a.ctypes.data, b.ctypes.data
    return a.size > 0 and b.size > 0 and first + extent(a) > other - before(b) and other + extent(b) > first - before(a)


@register_jitable
def extent(a):
    """The number of bytes from the first element of an array to the end of its last."""
    total = a.itemsize
    for axis in range(a.ndim):
        total += max(a.strides[axis], 0) * (a.shape[axis] - 1)
    return total


@register_jitable
def before(a):
    """The number of bytes that elements of an array lie in front of the first."""
    total = 0
    for axis in range(a.ndim):
        total += max(-a.strides[axis], 0) * (a.shape[axis] - 1)
    return total


def described(t):
    """The type of an argument as `lowering_functions.specialised` takes it."""
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
    return ('tuple', tuple(map(described, t))) if isinstance(t, types.BaseTuple) else None


@register_pass(mutates_CFG=True, analysis_only=False)
class Named(FunctionPass):
    """Gives the function its own identity back, by which calls of itself are found."""
    _name = 'tangent_named'

    def __init__(self):
        FunctionPass.__init__(self)

    def run_pass(self, state):
        original = getattr(state.func_id.func, 'made_from', None)
        if original is not None:
            state.func_id.func = original
        return False


class Compiler(compiler.CompilerBase):
    """Numba's compiler, for a function that is made anew for the types of its arguments before it is read."""

    def compile_extra(self, func):
        names = inspect.signature(func).parameters
        made = func.loops(dict(zip(names, map(described, self.state.args))))
        if made is not None:
            made.made_from = func
        return explaining(super().compile_extra, func if made is None else made, func, self.state.args)

    def define_pipelines(self):
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(Named, FixupArgs)
        manager.finalize()
        return [manager]


def compiled(function, make, options, cache):
    """The dispatcher of a function that `make` makes anew for the types of its arguments."""
    function.loops = make
    return numba.njit(**options, cache=cache, pipeline_class=Compiler)(function)
