"""What is made of a gradient that is zero on one path is made on the other path alone."""
import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.analysis.liveness import defined, exposed
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.tape.covers import jumps
from tangent.runtime import facts


def one_path(func):
    """Move what only adds multiples of a gradient into the branch in which that gradient is not zero.

    >>> show(one_path, 'for c in range(n):\\n if d[c] < w:\\n  bd = bw\\n else:\\n  bd = init_grad(w)\\n'
    ...     ' for j in range(n):\\n  t = x[j] - y[c]\\n  bt = 2 * bd * t\\n  by[c] -= bt', independent=True)
    for c in range(n):
        if d[c] < w:
            bd = bw
            for j in range(n):
                t = x[j] - y[c]
                bt = 2 * bd * t
                by[c] -= bt
    """
    if not func.independent:
        return func
    return rewrite.with_body(func, _Paths(func).block(func.tree.body, set()))


class _Paths:
    def __init__(self, func):
        self.effects = effects_of(func)

    def block(self, block, later):
        """The block; `later` are names that may be read after it, or in it on another trip."""
        out, after = list(block), set()        # `after`: what the statements behind the one at hand read of it
        for at in reversed(range(len(out))):
            s = out[at]
            if any(True for _ in tree.blocks(s)):
                rest = later | after | (exposed([s]) if isinstance(s, (gast.For, gast.While)) else set())
                out[at] = s = rewrite.with_blocks(s, lambda inner, rest=rest: self.block(inner, rest))
            if isinstance(s, gast.If) and tree.role(s) == 'adjoint':
                out[at:] = self.sunk(s, out[at + 1:], later)
            after = exposed(out[at:]) if out[at] is not s else exposed([s]) | after - defined([s])
        return rewrite.same(out, block)

    def sunk(self, branch, rest, later):
        """The branch and what follows it, as much of that in the branch as is right."""
        zeros = {tree.target(s) for s in branch.orelse}
        if not zeros or not all(map(self.is_zero, branch.orelse)) or jumps(branch.body):
            return [branch, *rest]
        known, taken = Multiples(self.effects, zeros), 0
        while taken < len(rest) and known.only_adds(rest[taken]):
            taken += 1
        while taken and not (zeros | own(rest[:taken])).isdisjoint(later | exposed(rest[taken:])):
            taken -= 1
        if not taken:
            return [branch, *rest]
        return [tree.replace(branch, body=[*branch.body, *rest[:taken]], orelse=[]), *rest[taken:]]

    def is_zero(self, s):
        value = s.value if tree.target(s) else None
        return isinstance(value, gast.Call) and self.effects.helper(tree.dotted(value.func)) == 'init_grad'


def own(stmts):
    """The names that the statements bind, but for those to which they only add."""
    return {n for s in tree.every(stmts) if not isinstance(s, gast.AugAssign) for n in look(s).writes}


class Multiples:
    """What is zero because it is a multiple of names that are zero."""

    def __init__(self, effects, zeros):
        self.effects, self.zeros = effects, set(zeros)

    def only_adds(self, s):
        """Whether the statement does nothing but to bind names, and to add zeros."""
        if not self.effects.pure(s):
            return False
        if isinstance(s, gast.AugAssign):
            return isinstance(s.op, (gast.Add, gast.Sub)) and self.is_zero(s.value)
        if tree.target(s):
            zero = self.is_zero(s.value)
            (self.zeros.add if zero else self.zeros.discard)(tree.target(s))
            return True
        if isinstance(s, gast.If):
            left = [self.within(block) for block in (s.body, s.orelse)]
            self.zeros = (left[0] or set()) & (left[1] or set())
            return None not in left
        if isinstance(s, gast.For) and not s.orelse and not jumps(s.body):
            before = self.zeros - look(s).writes
            self.zeros = before
            left = self.within(s.body)
            return left is not None and before <= left
        return False

    def within(self, block):
        """The names that are zero after a block; None if it does anything else."""
        inner = Multiples(self.effects, self.zeros)
        return inner.zeros if all(map(inner.only_adds, block)) else None

    def is_zero(self, expr):
        if isinstance(expr, gast.Name):
            return expr.id in self.zeros
        if isinstance(expr, gast.UnaryOp):
            return isinstance(expr.op, (gast.USub, gast.UAdd)) and self.is_zero(expr.operand)
        if isinstance(expr, gast.BinOp):
            sides = self.is_zero(expr.left), self.is_zero(expr.right)
            return any(sides) if isinstance(expr.op, gast.Mult) else sides[0] if isinstance(expr.op, gast.Div) \
                else isinstance(expr.op, (gast.Add, gast.Sub)) and all(sides)
        return isinstance(expr, gast.Call) and bool(expr.args) and self.is_zero(expr.args[0]) \
            and facts.of(self.effects.helper(tree.dotted(expr.func) or '')).linear
