"""Sums of whole arrays in the midst of arithmetic, each in a statement of its own, which can be a loop.

    y[i] = np.sum(x * w) + b[i]        ->        total = np.sum(x * w)
                                                 y[i] = total + b[i]
"""
from __future__ import annotations

import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.prepared.rename import is_pure

ODD = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.NamedExpr,
       gast.Await, gast.Yield, gast.YieldFrom)


def with_totals(function, kinds, names):
    """The FunctionDef with names for such sums; the same object where there are none."""
    found = _Totals(kinds, names)
    body = found.block(function.body)
    return tree.replace(function, body=body) if found.some else function


class _Totals:
    def __init__(self, kinds, names):
        self.kinds, self.names, self.some, self.before = kinds, names, False, []

    def block(self, stmts):
        out = []
        for s in stmts:
            fields = {f: self.block(inner) for f, inner in tree.blocks(s)}
            if fields:
                out.append(tree.replace(s, **fields))
                continue
            out += self.statement(s)
        return out

    def statement(self, s):
        """The statements for one."""
        value = s.value if isinstance(s, (gast.Assign, gast.AugAssign)) else None
        known = value is not None and not (self.is_total(value) and tree.target(s) is not None)
        nodes = list(tree.walk(s))
        if not known or not any(map(self.is_total, nodes)) or any(isinstance(n, ODD) for n in nodes) or not all(
                is_pure(n, self.kinds) for n in nodes if isinstance(n, gast.Call)):
            return [s]
        self.before, self.some = [], True
        new = tree.replace(s, value=self.expression(value))
        return [*(gast.copy_location(tree.place(t, tree.origin(s)), s) for t in self.before), new]

    def is_total(self, expr):
        """Whether an expression is the sum of all of a real array that is calculated, or has a name."""
        if not isinstance(expr, gast.Call) or self.kinds.find(expr.func) is not np.sum or len(expr.args) != 1 or expr.keywords:
            return False
        kind = self.kinds.kind(expr.args[0])
        return kind is not None and kind.parts is None and kind.rank > 0 and kind.dtype == 'float64'

    def expression(self, expr):
        expr = tree.with_children(expr, lambda e: self.expression(e) if isinstance(e, gast.expr) else e)
        if not self.is_total(expr):
            return expr
        name = self.names.fresh('total')
        self.before.append(tree.assign(name, expr))
        return tree.load(name)
