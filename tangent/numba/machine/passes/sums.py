"""Sums of gradients, in whatever order a machine adds fastest.

    total = init_grad(ba[i, k])
    for j in range(n):
        total += bc[i, j] * b[k, j]

Each addition would wait for the one before it, and numbers that are added in order cannot be added several at a time. What
begins as a sum of ours, `init_grad(...)` or `empty_sum(...)`, and is added to in a loop, needs no order: its additions are
marked for LLVM so that it may change it, and nothing else is. Results differ by rounding.
"""
from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import register_pass
from numba.extending import intrinsic, overload

from tangent.numba.machine.passes.assignments import Assignments
from tangent.runtime.tape import empty_sum
from tangent.runtime.zeros import init_grad

STARTS = (init_grad, empty_sum)
FLAGS = ('reassoc', 'nsz')


@intrinsic
def plus(typing_context, a, b):
    """a + b, of one type, in a sum of any order."""
    def codegen(context, builder, signature, args):
        return builder.fadd(*args, flags=FLAGS)
    return a(a, b), codegen


@intrinsic
def minus(typing_context, a, b):
    """a - b, of one type, in a sum of any order."""
    def codegen(context, builder, signature, args):
        return builder.fsub(*args, flags=FLAGS)
    return a(a, b), codegen


def added(total, value):
    """total += value, where the order of the additions does not matter."""
    total += value
    return total


def taken_off(total, value):
    """total -= value, where the order does not matter."""
    total -= value
    return total


@overload(added)
def _added(total, value):
    if isinstance(total, types.Float) and total == value:
        return lambda total, value: plus(total, value)
    return added


@overload(taken_off)
def _taken_off(total, value):
    if isinstance(total, types.Float) and total == value:
        return lambda total, value: minus(total, value)
    return taken_off


IN_ANY_ORDER = {'iadd': added, 'isub': taken_off}


@register_pass(mutates_CFG=False, analysis_only=False)
class InAnyOrder(Assignments):
    """Has additions to sums of ours, in loops, made in any order."""
    _name = 'tangent_in_any_order'

    def finder(self, function):
        return lambda label, scope, s: called(scope, s) if is_sum(function, s.value) else None


def called(scope, s):
    """The statements that add by a call."""
    thing = IN_ANY_ORDER[s.value.fn.__name__]
    helper = scope.redefine('$in_any_order', s.loc)
    return [ir.Assign(ir.Global(thing.__name__, thing, s.loc), helper, s.loc),
            ir.Assign(ir.Expr.call(helper, (s.value.lhs, s.value.rhs), (), s.loc), s.target, s.loc)]


def is_sum(function, expr):
    """Whether it adds, in a loop, to what began as a sum of ours and had nothing but additions since."""
    if not isinstance(expr, ir.Expr) or expr.op != 'inplace_binop' or expr.fn.__name__ not in IN_ANY_ORDER:
        return False
    found = ir_utils.guard(ir_utils.get_definition, function, expr.lhs)
    return isinstance(found, ir.Expr) and found.op == 'phi' and begins(function, expr.lhs, set())


def begins(function, var, seen):
    """Whether all that a variable may be began as a sum of ours."""
    if var.name in seen:
        return True
    seen.add(var.name)
    found = ir_utils.guard(ir_utils.get_definition, function, var)
    if isinstance(found, ir.Expr) and found.op == 'phi':
        return all(begins(function, v, seen) for v in found.incoming_values if v is not ir.UNDEFINED)
    if isinstance(found, ir.Expr) and found.op == 'inplace_binop' and found.fn.__name__ in IN_ANY_ORDER:
        return begins(function, found.lhs, seen)
    if isinstance(found, ir.Expr) and found.op == 'call':
        called = ir_utils.guard(ir_utils.get_definition, function, found.func)
        return isinstance(called, (ir.Global, ir.FreeVar)) and called.value in STARTS + tuple(IN_ANY_ORDER.values())
    return False
