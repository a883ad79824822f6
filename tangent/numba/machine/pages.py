"""Emitted functions make their arrays with `overloads.pages`: large ones on large pages.

    t = np.empty((n, m))        ->        t = empty((n, m))
"""
from __future__ import annotations

import numpy as np
from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from tangent.numba.overloads.pages import empty, zeros

HERE = {'empty': empty, 'zeros': zeros}


@register_pass(mutates_CFG=False, analysis_only=False)
class LargePages(FunctionPass):
    """Puts `empty` and `zeros` in the place of NumPy's."""
    _name = 'tangent_large_pages'

    def __init__(self):
        FunctionPass.__init__(self)

    def run_pass(self, state):
        function, changed = state.func_ir, False
        if state.flags.auto_parallel.enabled:
            return False
        for block in function.blocks.values():
            calls = {s.value.func.name for s in block.find_insts(ir.Assign)
                     if isinstance(s.value, ir.Expr) and s.value.op == 'call' and not s.value.kws and len(s.value.args) <= 2
                     and s.value.vararg is None}
            for s in block.find_insts(ir.Assign):
                here = HERE.get(s.value.attr) if is_attribute(s.value) else None
                if here is not None and s.target.name in calls and is_numpy(function, s.value.value):
                    s.value = ir.Global(s.value.attr, here, s.loc)
                    changed = True
        if changed:
            function._definitions = ir_utils.build_definitions(function.blocks)
        return changed


def is_attribute(value):
    return isinstance(value, ir.Expr) and value.op == 'getattr'


def is_numpy(function, var):
    """Whether a variable stands for NumPy."""
    try:
        known = function.get_definition(var)
    except KeyError:
        return False
    return isinstance(known, (ir.Global, ir.FreeVar)) and known.value is np
