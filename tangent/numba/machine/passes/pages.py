"""Large arrays of emitted functions are on large pages, see `overloads.pages`.

    t = np.empty((n, m))        ->        t = np.empty((n, m)); on_large_pages(t)
    t = np.zeros((n, m))        ->        t = np.empty((n, m)); cleared(t)
    t = np.zeros_like(x)        ->        t = np.empty_like(x); cleared(t)

The array is made in the function itself as before, so that LLVM sees its lengths.
"""
import numpy as np
from numba.core import ir, ir_utils
from numba.core.compiler_machinery import register_pass

from tangent.numba.machine.passes.assignments import Assignments
from tangent.numba.overloads.pages import cleared, on_large_pages

AFTER = {'empty': on_large_pages, 'zeros': cleared, 'empty_like': on_large_pages, 'zeros_like': cleared}


@register_pass(mutates_CFG=False, analysis_only=False)
class LargePages(Assignments):
    """Asks for large pages behind each array that is made."""
    _name = 'tangent_large_pages'

    def finder(self, function):
        def instead(label, scope, s):
            maker = made_by(function, s.value)
            return asked(scope, s, maker) if maker is not None else None
        return instead


def made_by(function, value):
    """The attribute of NumPy in `AFTER` that an expression calls; or None."""
    if not isinstance(value, ir.Expr) or value.op != 'call' or value.kws or value.vararg is not None or len(value.args) > 2:
        return None
    found = ir_utils.guard(ir_utils.get_definition, function, value.func)
    if not isinstance(found, ir.Expr) or found.op != 'getattr' or found.attr not in AFTER:
        return None
    known = ir_utils.guard(ir_utils.get_definition, function, found.value)
    return found if isinstance(known, (ir.Global, ir.FreeVar)) and known.value is np else None


def asked(scope, s, maker):
    """The statements that make the array and ask for the pages."""
    helper, nothing, empty = (scope.redefine(name, s.loc) for name in ('$large', '$nothing', '$empty'))
    function = AFTER[maker.attr]
    made = ir.Assign(ir.Expr.call(empty, s.value.args, (), s.loc), s.target, s.loc)
    return [ir.Assign(ir.Expr.getattr(maker.value, maker.attr.replace('zeros', 'empty'), s.loc), empty, s.loc), made,
            ir.Assign(ir.Global(function.__name__, function, s.loc), helper, s.loc),
            ir.Assign(ir.Expr.call(helper, (s.target,), (), s.loc), nothing, s.loc)]
