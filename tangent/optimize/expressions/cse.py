"""Common subexpressions: the backward pass reads what is already there."""
import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import COMPOUND, OPAQUE, look
from tangent.frontend import tree
from tangent.optimize import rewrite

COMMUTE = (gast.Add, gast.Mult)


def cse(func):
    """In the backward pass, read the name that already holds a value instead of computing it again.

    >>> show(cse, 'y = np.tanh(x); t = np.tanh(x); bx = by * t; return y, bx')
    y = np.tanh(x); t = y; bx = by * t; return (y, bx)
    >>> show(cse, 'y = x * 2; x = 1; bx = by * (x * 2); return y, bx')
    y = x * 2; x = 1; bx = by * (x * 2); return (y, bx)
    """
    values = _Values(func)
    return rewrite.with_body(func, values.block(func.tree.body))


class _Values:
    """Numbers for values: names and expressions with the same number hold the same value at this point."""

    def __init__(self, func):
        self.effects = effects_of(func)
        self.table, self.number, self.holders = {}, {}, {}
        self.next, self.epoch = 0, 0
        self.touched = {}

    def fresh(self):
        self.next += 1
        return self.next

    def key(self, *parts):
        found = self.table.get(parts)
        if found is None:
            found = self.table[parts] = self.fresh()
        return found

    def of(self, node):
        """The number of the value of an expression."""
        if isinstance(node, gast.Name):
            if node.id in self.effects.count:
                if node.id not in self.number:
                    self.number[node.id] = self.fresh()
                return self.number[node.id]
            return self.key('free', node.id, self.epoch)
        if isinstance(node, gast.Constant):
            return self.key('constant', type(node.value), repr(node.value))
        if isinstance(node, gast.Call) and (not self.effects.pure_call(node) or self.makes_object(node)) or isinstance(
                node, OPAQUE):
            return self.fresh()
        if isinstance(node, gast.BinOp):
            sides = self.of(node.left), self.of(node.right)
            return self.key(type(node.op), *(sorted(sides) if isinstance(node.op, COMMUTE) else sides))
        if isinstance(node, gast.Call):
            name = tree.dotted(node.func)
            return self.key(name if name in self.effects.func.pure else self.of(node.func), *map(self.of, node.args),
                            *[(k.arg, self.of(k.value)) for k in node.keywords])
        parts = [self.epoch if isinstance(node, gast.Attribute) else 0]
        for field in node._fields:
            value = getattr(node, field, None)
            for item in value if isinstance(value, list) else [value]:
                parts.append(type(item) if isinstance(item, (gast.operator, gast.unaryop, gast.cmpop, gast.boolop))
                             else None if isinstance(item, gast.expr_context)
                             else self.of(item) if isinstance(item, gast.AST) else item)
            parts.append(field)
        return self.key(type(node), *parts)

    def makes_object(self, call):
        """Whether it makes an object, of which there is to be one for each that people get."""
        known = self.effects.func.known
        name = tree.dotted(call.func)
        if known is None or name is None:
            return False
        maker = known.library.objects.get(name) or known.resolver.name(name)
        return isinstance(maker, type) and maker not in (float, int, complex, bool)

    def block(self, block):
        return rewrite.same([self.statement(stmt) for stmt in block], block)

    def statement(self, stmt):
        if isinstance(stmt, (gast.FunctionDef, gast.ClassDef)):
            self.forget(look(stmt).writes)
            return stmt
        compound = isinstance(stmt, COMPOUND)
        if compound and not isinstance(stmt, gast.If):
            self.forget(self.touches(stmt))
        new = self.reuse(stmt)
        name = tree.target(new)
        number = self.of(new.value) if name else None
        changes = self.effects.changes(stmt)
        self.forget(look(stmt).writes | changes)
        if self.effects.unknown(stmt):
            self.epoch += 1
        if name and not changes:
            self.number[name] = number
            if not tree.is_atom(new.value):
                self.holders.setdefault(number, []).append(name)
        if compound:
            new = rewrite.with_blocks(new, self.inner)
            self.forget(self.touches(stmt))
        return new

    def inner(self, block):
        before = dict(self.number)
        new = self.block(block)
        self.number = before
        return new

    def forget(self, names):
        for name in names:
            self.number.pop(name, None)
        if any(map(self.effects.is_free, names)):
            self.epoch += 1

    def touches(self, stmt):
        """All names bound or changed in a statement and in its blocks."""
        if stmt not in self.touched:
            self.touched[stmt] = (look(stmt).writes | self.effects.changes(stmt)).union(
                *(self.touches(inner) for _, block in tree.blocks(stmt) for inner in block))
        return self.touched[stmt]

    def reuse(self, stmt):
        """The statement with names for the values that are there already, if it belongs to the backward pass."""
        name, role = tree.target(stmt), tree.role(stmt)
        if role not in ('adjoint', 'seed') and not (name and self.effects.temporary(name)):
            return stmt
        if name and name not in self.effects.mutated:
            return tree.with_children(stmt, self.replaced, skip=('targets',))
        if isinstance(stmt, gast.AugAssign):
            return tree.with_children(stmt, self.replaced, skip=('target',))
        return stmt

    def replaced(self, node):
        if isinstance(node, gast.Name) or isinstance(node, gast.Constant):
            return node
        if isinstance(node, (gast.BinOp, gast.Call, gast.Compare, gast.UnaryOp)):
            name = self.holder(self.of(node), isinstance(node, gast.Call))
            if name:
                return tree.load(name)
        if isinstance(node, gast.Call):
            return tree.with_children(node, self.replaced, skip=('func',))
        return tree.with_children(node, self.replaced)

    def holder(self, number, dear):
        """A name that holds the value now; cheap values are read only from names that will stay anyway."""
        effects = self.effects
        for name in self.holders.get(number, ()):
            if (self.number.get(name) == number and name not in effects.mutated and name not in effects.captured
                    and (dear or not effects.temporary(name) or effects.uses.get(name, 0) > 1)):
                return name
        return None
