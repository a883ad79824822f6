"""Copy propagation."""
import collections

import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import COMPOUND, look
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.coalesce import renamed


def copies(func):
    """Read the original instead of its copy, as long as both keep their values.

    >>> show(copies, 'y = x; z = y + 1')
    y = x; z = x + 1
    >>> show(copies, 'y = x; x = 2; z = y + x')
    y = x; x = 2; z = y + x
    >>> show(copies, 'if c:\\n y = x\\nelse:\\n y = x\\nz = y + 1')
    if c:
        y = x
    else:
        y = x
    z = x + 1
    """
    func = named(func) if func.known is not None else func
    return rewrite.with_body(func, _Copies(effects_of(func)).block(func.tree.body, {}))


def named(func):
    """What is made for one variable that people know is made under its name: `bt = y * 2; bu = bt` is `bu = y * 2`."""
    effects, names = effects_of(func), {}
    every = list(tree.every(func.tree.body))
    copied = collections.Counter(s.value.id for s in every if tree.target(s) and isinstance(s.value, gast.Name))

    def once(name):
        return name is not None and effects.count[name] == 1 and name not in effects.captured

    def find(block):
        made: dict = {}                    # temporary -> what is read or bound since it was made
        for stmt in block:
            for _, inner in tree.blocks(stmt):
                find(inner)
            name, source = tree.target(stmt), getattr(getattr(stmt, 'value', None), 'id', None)
            if source in made and once(name) and not effects.temporary(name) and name not in made[source]:
                names[source] = name
                del made[source]
            seen = {n for s in tree.every([stmt]) for n in (*look(s).loads, *look(s).writes)}
            for since in made.values():
                since |= seen
            if once(name) and effects.temporary(name) and copied[name] == 1 and source is None:
                made[name] = set()

    find(func.tree.body)
    return rewrite.with_body(func, renamed(func.tree.body, names)) if names else func


class _Copies:
    def __init__(self, effects):
        self.effects = effects
        self.bound, self.ever = {}, set()

    def block(self, block, originals):
        """The block with reads replaced; `originals` (name -> tree to read instead) is brought up to date."""
        return rewrite.same([self.statement(stmt, originals) for stmt in block], block)

    def statement(self, stmt, originals):
        if isinstance(stmt, (gast.FunctionDef, gast.ClassDef)):
            self.forget(originals, look(stmt).writes)
            return stmt
        if isinstance(stmt, (gast.For, gast.While, *tree.TRIES)):
            self.forget(originals, self.binds(stmt))
        use = {name: originals[name] for name in look(stmt).loads if name in originals}
        new = rewrite.header(stmt, lambda part: rewrite.substitute(part, use)) if use else stmt
        self.forget(originals, look(stmt).writes)
        if isinstance(stmt, gast.If):
            body, orelse = dict(originals), dict(originals)
            new = rewrite.with_fields(new, body=self.block(new.body, body), orelse=self.block(new.orelse, orelse))
            self.forget(originals, self.binds(stmt))
            originals.update((name, value) for name, value in body.items() if same(value, orelse.get(name)))
        elif isinstance(stmt, COMPOUND):
            new = rewrite.with_blocks(new, lambda block: self.block(block, dict(originals)))
            self.forget(originals, self.binds(stmt))
        elif tree.target(stmt) and self.worth(tree.target(new), new):
            originals[tree.target(new)] = new.value
            self.ever |= {tree.target(new), getattr(new.value, 'id', None)}
        return new

    def forget(self, originals, names):
        """Drop the copies that no longer hold once the names are bound anew."""
        if not names.isdisjoint(self.ever):
            for name in [n for n, value in originals.items()
                         if n in names or isinstance(value, gast.Name) and value.id in names]:
                del originals[name]

    def worth(self, name, stmt):
        """Whether the assignment is a copy; numbers are copied into formulas only from names that we made."""
        if name in self.effects.captured:
            return False
        if isinstance(stmt.value, gast.Name):
            return stmt.value.id != name and stmt.value.id in self.effects.count and (
                stmt.value.id not in self.effects.captured)
        return tree.is_atom(stmt.value) and self.effects.temporary(name)

    def binds(self, stmt):
        """All names bound in a statement or in its blocks."""
        if stmt not in self.bound:
            self.bound[stmt] = look(stmt).writes.union(
                *(self.binds(inner) for _, block in tree.blocks(stmt) for inner in block))
        return self.bound[stmt]


def same(a, b):
    """Whether both branches leave the same copy."""
    return a is b or isinstance(a, gast.Name) and isinstance(b, gast.Name) and a.id == b.id
