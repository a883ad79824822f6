"""Temporaries go back into the formulas that they came from."""
import dataclasses

import gast

from tangent.analysis.dataflow.effects import effects_of, in_order
from tangent.analysis.dataflow.statements import COMPOUND, look
from tangent.frontend import tree
from tangent.optimize import rewrite

WIDTH = 84      # a line of code without its indentation
NARROW = 48      # deep inside of loops
TUPLE = 60       # a tuple that is returned
SHORT = 60       # a formula in which nobody misses the name of a gradient
MOST = 999       # a gradient of several parts
EFFECTS = 8      # calls with effects that wait to be folded, at most
SIMPLE = (gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.If, gast.For, gast.Assert)


def fold(func, wide=False):
    """Put a temporary that is used once into the formula that uses it, if nothing in between changes its value.

    wide : whether a tuple that is returned may be as long as other lines

    >>> show(fold, 't = x * 2; u = np.sin(t); y = u + 1; return y')
    return np.sin(x * 2) + 1
    >>> show(fold, 't = x[0]; x[0] = 1; return t + 1')
    t = x[0]; x[0] = 1; return t + 1
    >>> show(fold, 't = f(x); u = g(x); return u - t')
    t = f(x); return g(x) - t
    """
    return rewrite.with_body(func, _Fold(func, wide).block(func.tree.body))


@dataclasses.dataclass
class Pending:
    """A temporary that may still be folded: its statement's place in the block, its value, where it may go."""
    name: str
    block: list
    index: int
    stmt: gast.Assign
    operands: frozenset
    changes: frozenset
    pure: bool
    loop: object
    named: bool

    @property
    def value(self):
        return self.stmt.value


class _Fold:
    def __init__(self, func, wide):
        self.wide = wide
        self.effects, self.known = effects_of(func), func.known is not None
        self.pending, self.readers, self.sizes = {}, {}, {}
        self.impure, self.loop, self.indent = [], None, 0

    def block(self, block):
        out, mine = [], []
        for stmt in block:
            new = self.taking(stmt)
            pending = self.candidate(new, out)
            self.settle(new, pending)
            out.append(self.inside(new))
            if pending:
                self.add(pending)
                mine.append(pending.name)
        for name in mine:
            self.drop(name)
        return rewrite.same([stmt for stmt in out if stmt is not None], block)

    def add(self, pending):
        self.pending[pending.name] = pending
        for name in pending.operands:
            self.readers.setdefault(name, set()).add(pending.name)
        if not pending.pure:
            self.impure.append(pending.name)
            if len(self.impure) > EFFECTS:
                self.drop(self.impure[0])

    def drop(self, name):
        """Leave a value where it is; then no earlier effect may move past it either."""
        pending = self.pending.pop(name, None)
        if pending and not pending.pure:
            last = self.impure.index(name) + 1
            for earlier in self.impure[:last - 1]:
                del self.pending[earlier]
            del self.impure[:last]

    def taking(self, stmt):
        """The statement with what folds into it."""
        taken = self.taken(stmt)
        for pending in taken:
            pending.block[pending.index] = None
            del self.pending[pending.name]
            if not pending.pure:
                self.impure.remove(pending.name)
        if taken and is_copy(stmt):
            return tree.replace(taken[0].stmt, targets=stmt.targets)
        values = {p.name: tree.part_of(p.value, tree.origin(p.stmt)) for p in taken}
        new = rewrite.header(stmt, lambda part: rewrite.substitute(part, values)) if taken else stmt
        steps = [p for p in taken if tree.role(p.stmt) == 'adjoint']
        if steps and tree.role(stmt) == 'return':           # what was the last step's is that step
            tree.place(new, tree.origin(max(steps, key=lambda p: p.index).stmt))
        elif taken and tree.role(stmt) in ('return', 'seed') and not tree.origin(stmt).line:    # it runs what was on that line
            where = tree.origin(max(taken, key=lambda p: p.index).stmt)
            tree.place(new, tree.Origin(tree.role(stmt), where.line if where else 0))
        return new

    def inside(self, stmt):
        """The statement with its blocks folded. Nothing moves into a loop, no effect into any block."""
        if isinstance(stmt, (gast.FunctionDef, gast.ClassDef)) or not isinstance(stmt, COMPOUND):
            return stmt
        if self.impure:
            self.drop(self.impure[-1])
        outer, self.loop = self.loop, self.loop if isinstance(stmt, gast.If) else stmt
        self.indent += 4
        new = rewrite.with_blocks(stmt, self.block)
        self.loop, self.indent = outer, self.indent - 4
        return new

    def settle(self, stmt, pending):
        """Drop the values that may not move past the statement."""
        found = look(stmt)
        if not pending and self.impure and (
                not isinstance(stmt, SIMPLE) or not self.effects.pure(stmt) or found.mutated or found.captured):
            self.drop(self.impure[-1])
        if not pending or pending.pure:
            outside = found.attributes or any(map(self.free, found.loads))
            for name in self.impure[::-1]:
                if outside or not self.pending[name].changes.isdisjoint(found.loads):
                    self.drop(name)
                    break
        for name in found.writes | self.effects.changes(stmt):
            for reader in list(self.readers.get(name, ())):
                if not pending or reader not in self.impure:
                    self.drop(reader)
                    self.readers[name].discard(reader)
        if self.effects.unknown(stmt):
            for value in list(self.pending.values()):
                if value.pure and (look(value.value).attributes or any(map(self.free, value.operands))):
                    self.drop(value.name)

    def free(self, name):
        return name not in self.effects.count and name not in self.effects.modules

    def taken(self, stmt):
        """The pending values that fold into the statement, in the order of its text."""
        if not isinstance(stmt, SIMPLE):
            return []
        found = look(stmt)
        if found.captured or not any(name in self.pending for name in found.loads):
            return []
        inside = [self.pending[name] for name in found.loads if name in self.pending]
        inside = [p for p in inside if p.loop is self.loop and p.name not in found.mutated
                  and (not p.named or self.gives(stmt, p)) and not self.stays(stmt, p)]
        impure = self.ordered([p.name for p in inside if not p.pure], stmt)
        rooms = self.rooms(stmt)
        taken = []
        by_size = self.known and isinstance(stmt, gast.Return) and not impure
        for pending in sorted(inside, key=lambda p: (p.named, self.growth(p))) if by_size else inside:
            line = next(part for part in rooms if part is stmt or pending.name in look(part).loads)
            fits = self.growth(pending) <= rooms[line] or self.is_whole(stmt, pending)
            if fits and (pending.pure or pending.name in impure):
                rooms[line] -= self.growth(pending)
                taken.append(pending)
            elif pending.name in impure:
                return [p for p in taken if p.pure]
        return sorted(taken, key=inside.index)

    def stays(self, stmt, pending):
        """Whether it is a call of the user's that may have effects, and the statement a gradient: it runs where it stands."""
        return self.known and not pending.pure and tree.role(pending.stmt) == 'primal' and tree.role(stmt) == 'adjoint'

    def is_whole(self, stmt, pending):
        """Whether both were one statement of the user's, which may be as long as he made it."""
        return self.known and tree.role(stmt) == 'primal' and tree.origin(stmt) == tree.origin(pending.stmt)

    def growth(self, pending):
        """How much longer a formula gets with the value in it."""
        return self.size(pending.value) - len(pending.name) + 2 * isinstance(pending.value, gast.BinOp)

    def gives(self, stmt, pending):
        """Whether the statement only hands on a variable that people know: a gradient that is returned, or added to that of
        what it was an element of, a new version, a sum of parts of one gradient."""
        if isinstance(stmt, gast.Return):
            alone = isinstance(stmt.value, gast.Name)
            return tree.role(pending.stmt) == 'adjoint' or alone and tree.role(pending.stmt) in ('seed', 'zero')
        if self.known and tree.role(pending.stmt) == 'adjoint' and tree.role(stmt) == 'adjoint' and (
                is_handed_on(stmt) or self.size(stmt) + self.growth(pending) <= SHORT):
            return True
        base = self.effects.func.base
        name = tree.target(stmt)
        if name is None or base.get(name, name) != base.get(pending.name, pending.name):
            return False
        return is_copy(stmt) or self.known and tree.role(stmt) == tree.role(pending.stmt) == 'adjoint' and all(
            isinstance(part, gast.Name) and base.get(part.id, part.id) == base.get(name, name)
            for part in (*parts(stmt.value), *parts(pending.value)))

    def ordered(self, names, stmt):
        """Those of the values with effects that can be evaluated inside the statement with all effects in order."""
        if not names or not isinstance(stmt, (gast.Assign, gast.Expr, gast.Return, gast.If, gast.For)):
            return []
        found = look(stmt)
        if found.mutated or found.opaque or not all(map(in_order, tree.header(stmt))):
            return []
        for count in range(len(names), 0, -1):
            last = self.impure[-count:]
            if [n for n in names if n in last] == last and self.first(last, found):
                return last
        return []

    def first(self, names, found):
        """Whether nothing that the effects may change is evaluated before the last of them."""
        before = found.loads[:found.loads.index(names[-1])]
        calls = [call for call in found.calls if not self.effects.pure_call(call)]
        return (all(n in names or n in self.effects.modules or self.effects.stable(n) for n in before)
                and all(set(names) <= set(look(call).loads) for call in calls) and not found.attributes)

    def candidate(self, stmt, out):
        """The statement as a pending value, if it may fold."""
        name = tree.target(stmt)
        effects = self.effects
        if name is None or effects.uses.get(name) != 1 or effects.count[name] != 1 or name in effects.captured:
            return None
        impure = effects.impure(stmt)
        if impure is None or impure and effects.local(stmt) or effects.tape.pop(stmt) or effects.tape.makes(stmt):
            return None
        whole = self.is_display(stmt.value) or self.known and tree.role(stmt) == 'primal'       # of several lines anyway
        if self.size(stmt.value) > WIDTH and not whole:
            return None
        return Pending(name, out, len(out), stmt, frozenset(look(stmt.value).loads) - effects.modules,
                       frozenset(effects.changes(stmt)), not impure, self.loop, not effects.temporary(name))

    def is_display(self, value):
        """Whether it is a gradient that is written down part by part, which takes several lines wherever it stands."""
        return self.known and (
            isinstance(value, gast.Dict) or isinstance(value, gast.Call) and len(value.keywords) > 1)

    def rooms(self, stmt):
        """What stands on a line of its own -> how many more characters that line takes."""
        value = getattr(stmt, 'value', None)
        if not self.is_display(value):
            return {stmt: self.room(stmt) - self.size(stmt)}
        parts = value.values if isinstance(value, gast.Dict) else [*value.args, *value.keywords]
        return {part: max(WIDTH - self.indent, NARROW) - self.size(part) for part in parts}

    def room(self, stmt):
        if isinstance(stmt, gast.Return) and isinstance(stmt.value, gast.Name) and stmt.value.id in self.pending \
                and self.is_display(self.pending[stmt.value.id].value):
            return MOST
        if isinstance(stmt, gast.Return) and isinstance(stmt.value, gast.Tuple) and not self.wide:
            return TUPLE
        return max(WIDTH - self.indent, NARROW)

    def size(self, node):
        """About how many characters the node prints as (a compound statement: its first line)."""
        found = self.sizes.get(node)
        if found is None:
            parts = tree.header(node) if isinstance(node, gast.stmt) else tree.children(node)
            found = self.sizes[node] = sum(map(self.size, parts)) + self.own(node)
        return found

    @staticmethod
    def own(node):
        if isinstance(node, gast.Name):
            return len(node.id)
        if isinstance(node, gast.Attribute):
            return len(node.attr) + 1
        if isinstance(node, gast.Constant):
            return len(repr(node.value))
        if isinstance(node, (gast.operator, gast.cmpop, gast.boolop)):
            return 3
        if isinstance(node, gast.Call):
            return 2 * max(1, len(node.args) + len(node.keywords))
        if isinstance(node, gast.keyword):
            return len(node.arg or '**') + 1
        return 0 if isinstance(node, (gast.expr_context, gast.unaryop)) else 2


def size_of(node):
    """About how many characters the node prints as (a compound statement: its first line)."""
    inside = tree.header(node) if isinstance(node, gast.stmt) else tree.children(node)
    return sum(map(size_of, inside)) + _Fold.own(node)


def parts(expr):
    """What a sum adds up."""
    return parts(expr.left) + [expr.right] if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Add) else [expr]


def is_handed_on(stmt):
    """Whether the statement is `x += b`, `x[i] += b` or `x[i] = b, c`."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.target if isinstance(stmt, gast.AugAssign) else None
    values = stmt.value.elts if isinstance(getattr(stmt, 'value', None), gast.Tuple) else [getattr(stmt, 'value', None)]
    return (isinstance(target, gast.Subscript) or isinstance(stmt, gast.AugAssign)) and all(
        isinstance(value, gast.Name) for value in values)


def is_copy(stmt):
    """Whether the statement is `a = b`."""
    return tree.target(stmt) is not None and isinstance(stmt.value, gast.Name)
