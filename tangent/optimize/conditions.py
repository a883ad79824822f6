"""Conditions go back into the tests of the branches that they decide."""
import gast

from tangent import tree
from tangent.optimize import cfg, rewrite
from tangent.optimize.effects import Effects
from tangent.optimize.look import look

CHEAP = (gast.Compare, gast.BoolOp, gast.UnaryOp, gast.Name, gast.Constant, gast.Subscript, gast.Attribute, gast.cmpop,
         gast.boolop, gast.unaryop, gast.expr_context)
USES = 3
NODES = 12


def conditions(func):
    """Write a condition into the branches of both passes, if what it is made of never changes.

    >>> show(conditions, 'c = x > 0\\nif c:\\n y = 1\\nif c:\\n z = 2', params=['y'])
    if x > 0:
        y = 1
    if x > 0:
        z = 2
    >>> show(conditions, 'c = y > 0\\nif c:\\n y = 1\\nif c:\\n z = 2', params=['y'])
    c = y > 0
    if c:
        y = 1
    if c:
        z = 2
    """
    return rewrite.with_body(func, _Conditions(func).block(func.tree.body))


class _Conditions:
    def __init__(self, func):
        self.effects, self.places = Effects(func), cfg.places(func)
        self.rank, self.bound, self.tests = {}, {}, {}
        for k, stmt in enumerate(self.places):
            self.rank[stmt] = k
            for name in look(stmt).writes:
                self.bound[name] = stmt
            if isinstance(stmt, gast.If):
                for name in look(stmt).loads:
                    self.tests.setdefault(name, []).append(stmt)
        self.wild = any(self.effects.unknown(stmt) for stmt in self.places)
        self.values = {}
        for stmt in self.places:
            if self.folds(stmt):
                self.values[tree.target(stmt)] = rewrite.substitute(stmt.value, self.values)

    def folds(self, stmt):
        """Whether the statement is a condition that means the same in all the tests that read it."""
        name, effects = tree.target(stmt), self.effects
        if name is None or not effects.temporary(name) or not effects.stable(name):
            return False
        tests = self.tests.get(name, ())
        if not 1 < len(tests) <= USES or len(tests) != effects.uses.get(name):
            return False
        nodes = list(gast.walk(stmt.value))
        return (len(nodes) <= NODES and all(isinstance(n, CHEAP) for n in nodes)
                and all(self.places[test].loops == self.places[stmt].loops for test in tests)
                and all(self.lasts(n, stmt) for n in look(stmt.value).loads)
                and not (self.wild and look(stmt.value).attributes))

    def lasts(self, name, stmt):
        """Whether the name keeps the value it has at the statement."""
        effects = self.effects
        if name in effects.mutated or name in effects.captured:
            return False
        if name not in effects.count:
            return name in effects.modules or not self.wild
        return effects.count[name] == 1 or not self.places[stmt].loops and (
            self.rank[self.bound[name]] < self.rank[stmt])

    def block(self, block):
        out = []
        for stmt in block:
            if tree.target(stmt) in self.values and tree.target(stmt) is not None:
                continue
            if isinstance(stmt, gast.If) and any(name in self.values for name in look(stmt).loads):
                stmt = tree.replace(stmt, test=rewrite.substitute(stmt.test, self.values))
            out.append(rewrite.with_blocks(stmt, self.block))
        return rewrite.same(out, block)
