"""What is written into arrays, said in one statement."""
import functools

import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import COMPOUND, look
from tangent.analysis.kinds.values import Array, Number
from tangent.frontend import quote, tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.fold import WIDTH, size_of


def stores(func):
    """Assign what is added to a place that was just set to zero; do not copy what only goes into arithmetic. Where kinds are
    known, what is added to one place of a gradient twice is added at once, and other sums may stand in between.

    >>> show(stores, 'bx[i] = 0; bx[i] += t * w', arrays=['bx'])
    bx[i] = t * w
    >>> show(stores, 'bx[i] = 0; bx[j] += t * w', arrays=['bx'])
    bx[i] = 0; bx[j] += t * w
    >>> show(stores, 'bt = 2 * copy(bx[1:])')
    bt = 2 * bx[1:]
    """
    return rewrite.with_body(func, _Stores(func).block(func.tree.body))


class _Stores:
    def __init__(self, func):
        self.func, self.effects, self.known = func, effects_of(func), func.known is not None
        self.copy, self.indent = func.library.get('copy', 'copy'), 0

    def block(self, block):
        out: list = []
        for stmt in block:
            if isinstance(stmt, COMPOUND):
                self.indent += 4
                stmt = rewrite.with_blocks(stmt, self.block)
                self.indent -= 4
            if self.copy in look(stmt).loads or any(tree.dotted(c.func) == self.copy for c in look(stmt).calls):
                stmt = rewrite.header(stmt, lambda part: bare(part, self.copy))
            if not is_sum(stmt) or not (self.cleared(out, stmt) or self.known and self.merged(out, stmt)):
                out.append(stmt)
        return rewrite.same(out, block)

    def cleared(self, out, stmt):
        """Put what the statement adds in the place of the zero from before it, if there is one."""
        at = self.before(out, stmt, lambda s: is_clear(s, self.func))
        if at is None:
            return False
        found = tree.assign(out[at].targets[0], added(stmt), tree.origin(stmt))
        out[at] = tree.instead(found, stmt)
        return True

    def merged(self, out, stmt):
        """Put what the statement adds to what was added to the same place before, if there is that and a line has room."""
        at = self.before(out, stmt, is_sum)
        if at is None or not isinstance(self.kinds.names.get(stmt.target.value.id), Array):
            return False
        first, second = out[at], stmt
        if not tree.role(first) == tree.role(second) == 'adjoint':       # the user's may be of whole numbers, or of flags
            return False
        plus = [isinstance(s.op, gast.Add) for s in (first, second)]
        one, other = (first, second) if plus[0] or not plus[1] else (second, first)
        value = gast.BinOp(left=one.value, op=gast.Add() if plus[0] == plus[1] else gast.Sub(), right=other.value)
        new = tree.replace(first, op=one.op, value=value)
        if size_of(new) > WIDTH - self.indent:
            return False
        out[at] = new
        return True

    def before(self, out, stmt, wanted):
        """The place of the last statement of a kind about the same place as the sum, past which the sum may move; or None."""
        owner = stmt.target.value.id
        reads = set(look(stmt).loads) - {owner}
        if owner in tree.names(stmt.value, gast.Load):
            return None
        for at in range(len(out) - 1, -1, -1):
            s = out[at]
            if wanted(s) and same_place(place_of(s), stmt.target):
                return at
            if not self.known or isinstance(s, COMPOUND) or self.effects.unknown(s) or not self.effects.pure(s):
                return None
            touched = self.sharing(owner) & {*look(s).loads, *look(s).writes}
            if touched and not (is_sum(s) and touched == {owner} and owner not in tree.names(s.value, gast.Load)):
                return None
            if reads & (look(s).writes | self.effects.changes(s)) - {owner}:
                return None
        return None

    def sharing(self, name):
        """The names that may hold its array, or part of it: those of numbers hold none."""
        group = self.effects.alias.get(name, frozenset([name]))
        return {n for n in group if not isinstance(self.kinds.names.get(n), Number)}

    @functools.cached_property
    def kinds(self):
        return self.func.known.infer(self.func.tree)


def is_sum(stmt):
    """Whether the statement is `x[i] += v` or `x[i] -= v`."""
    return isinstance(stmt, gast.AugAssign) and isinstance(stmt.op, (gast.Add, gast.Sub)) and isinstance(
        stmt.target, gast.Subscript) and isinstance(stmt.target.value, gast.Name)


def place_of(stmt):
    return stmt.target if isinstance(stmt, gast.AugAssign) else stmt.targets[0]


def same_place(one, other):
    return one.value.id == other.value.id and quote.same(one.slice, other.slice)


def bare(node, copy):
    """The expression without copies of what an operator works on."""
    if isinstance(node, gast.BinOp):
        node = rewrite.with_fields(node, left=taken(node.left, copy), right=taken(node.right, copy))
    elif isinstance(node, gast.UnaryOp):
        node = rewrite.with_fields(node, operand=taken(node.operand, copy))
    return tree.with_children(node, lambda child: bare(child, copy))


def taken(expr, copy):
    return expr.args[0] if tree.is_call(expr, copy) and isinstance(expr.args[0], gast.Subscript) else expr


def is_clear(stmt, func):
    """Whether the statement is `x[i] = 0` for an array."""
    return isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Subscript) \
        and isinstance(stmt.targets[0].value, gast.Name) and stmt.targets[0].value.id in func.arrays \
        and isinstance(stmt.value, gast.Constant) and type(stmt.value.value) is int and stmt.value.value == 0


def added(stmt):
    return stmt.value if isinstance(stmt.op, gast.Add) else gast.UnaryOp(op=gast.USub(), operand=stmt.value)
