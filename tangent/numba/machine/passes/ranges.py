"""What the optimizer of Numba's machine code does not see by itself, or sees too much of, in loops that run backwards.

An index that may be negative counts from the end, so that each access chooses between two places, and no loop with such a
choice in it is vectorised. LLVM knows that the variable of `range(n)` is not negative, but not that of `range(n - 1, -1, -1)`:
it is told so at the beginning of each trip.

Before a vectorised loop there stand tests that its arrays do not overlap. LLVM makes them once for all trips of the loop
around, where it sees how far each trip moves; and if that is backwards, it takes the loop that is not vectorised. So in loops
around others it is not shown by how much a variable goes down.
"""
from llvmlite import ir as llvm
from numba.core import analysis, ir, ir_utils, types
from numba.core.compiler_machinery import register_pass
from numba.core.untyped_passes import ReconstructSSA
from numba.extending import intrinsic

from tangent.numba.machine.passes.assignments import Assignments
from tangent.numba.machine.passes.elementary import Elementary
from tangent.numba.machine.passes.pages import LargePages
from tangent.numba.machine.passes.sums import InAnyOrder
from tangent.runtime.functions.extents import ends

DEPTH = 8                   # definitions that are followed


@intrinsic
def not_negative(typing_context, i):
    """Nothing in itself: tells LLVM that a number is not negative."""
    def codegen(context, builder, signature, args):
        if isinstance(i, types.Integer) and i.signed:
            builder.assume(builder.icmp_signed('>=', args[0], args[0].type(0)))
        return context.get_dummy_value()
    return types.none(i), codegen


@intrinsic
def unseen(typing_context, i):
    """The number itself, of which LLVM does not see where it comes from."""
    def codegen(context, builder, signature, args):
        return builder.asm(llvm.FunctionType(args[0].type, (args[0].type,)), '', '=r,0', args, False)
    return i(i), codegen


@register_pass(mutates_CFG=False, analysis_only=False)
class FromTheFront(Assignments):
    """Says of the variables of loops that they are not negative, where their ranges show it; hides how they go down."""
    _name = 'tangent_from_the_front'

    def finder(self, function):
        around = outer(function)

        def instead(label, scope, s):
            if not isinstance(s.value, ir.Var) or s.target.is_temp:
                return None                                    # a name of Numba's own is set before the end is seen
            made = hidden(scope, s) if label in around and goes_down(function, s.value) else [s]
            made += told(scope, s) if is_told(function, s.value) else []
            return made if made != [s] else None
        return instead


def outer(function):
    """The labels of the blocks in which the trips of loops around others begin."""
    loops = analysis.compute_cfg_from_blocks(function.blocks).loops()
    heads = {head for head, loop in loops.items() if any(other != head and other in loop.body for other in loops)}
    inner = {label for head, loop in loops.items() if head not in heads for label in loop.body}
    return {label for head in heads for label in loops[head].body} - inner


def goes_down(function, var):
    """Whether a variable takes the values of a range that runs backwards."""
    args = range_of(function, var)
    return args is not None and len(args) == 3 and (number(function, args[2]) or 0) < 0


def hidden(scope, s):
    """The statements that set the variable that `s` sets, to what is `unseen`."""
    helper = scope.redefine('$unseen', s.loc)
    return [ir.Assign(ir.Global('unseen', unseen, s.loc), helper, s.loc),
            ir.Assign(ir.Expr.call(helper, (s.value,), (), s.loc), s.target, s.loc)]


def told(scope, s):
    """The statements that say it of the variable that `s` sets."""
    helper, nothing = (scope.redefine(name, s.loc) for name in ('$not_negative', '$nothing'))
    return [ir.Assign(ir.Global('not_negative', not_negative, s.loc), helper, s.loc),
            ir.Assign(ir.Expr.call(helper, (s.target,), (), s.loc), nothing, s.loc)]


def definition(function, var):
    return ir_utils.guard(ir_utils.get_definition, function, var)


def range_of(function, var):
    """The arguments of the range that gives a variable its values, or None."""
    found = definition(function, var)
    for op in 'pair_first', 'iternext', 'getiter':
        if not isinstance(found, ir.Expr) or found.op != op:
            return None
        found = definition(function, found.value)
    if not isinstance(found, ir.Expr) or found.op != 'call' or found.kws or not found.args:
        return None
    called = definition(function, found.func)
    return found.args if isinstance(called, (ir.Global, ir.FreeVar)) and called.value is range else None


def number(function, var):
    """The whole number that a variable is, where that is plain to see."""
    found = ir_utils.guard(ir_utils.find_const, function, var)
    return found if type(found) is int else None


def is_told(function, var):
    """Whether a variable takes values of which LLVM does not see that they are not negative: of a range, or `ends`."""
    args = range_of(function, var)
    if args is None:
        return is_end(function, definition(function, var))
    return len(args) > 1 and number(function, args[0]) is None and counts_from_the_front(function, args)


def is_end(function, found):
    """Whether it is one of the `ends` of a slice."""
    for op in 'static_getitem', 'exhaust_iter':
        if not isinstance(found, ir.Expr) or found.op != op:
            return False
        found = definition(function, found.value)
    called = definition(function, found.func) if isinstance(found, ir.Expr) and found.op == 'call' else None
    return isinstance(called, (ir.Global, ir.FreeVar)) and called.value is ends


def counts_from_the_front(function, args, depth=DEPTH):
    """Whether no number of a range is negative."""
    step = 1 if len(args) < 3 else number(function, args[2])
    if len(args) == 1 or not step:
        return len(args) == 1
    if step > 0:
        return is_from_the_front(function, args[0], depth)
    last = number(function, args[1])
    return last >= -1 if last is not None else is_from_the_front(function, args[1], depth)


def is_from_the_front(function, var, depth):
    """Whether the value of a variable is surely not negative: a loop's variable, and such a one with a number added."""
    known = number(function, var)
    if known is not None:
        return known >= 0
    found = definition(function, var)
    if is_end(function, found):
        return True
    if isinstance(found, ir.Expr) and found.op == 'binop' and found.fn.__name__ == 'add' and depth:
        return all(is_from_the_front(function, side, depth - 1) for side in (found.lhs, found.rhs))
    args = range_of(function, var)
    return args is not None and bool(depth) and counts_from_the_front(function, args, depth - 1)


def tell(manager):
    """Put the passes into a pipeline of Numba's."""
    manager.add_pass_after(FromTheFront, ReconstructSSA)
    manager.add_pass_after(InAnyOrder, ReconstructSSA)
    manager.add_pass_after(LargePages, ReconstructSSA)
    manager.add_pass_after(Elementary, ReconstructSSA)
    manager.finalize()
