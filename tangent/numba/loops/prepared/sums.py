"""Sums of whole arrays in the midst of arithmetic, each in a statement of its own, which can be a loop.

    y[i] = np.sum(x * w) + b[i]        ->        total = np.sum(x * w)
                                                 y[i] = total + b[i]

So for what shares a gradient among the largest elements, whose number is a sum:

    bx[i] += bt * ties(x[i], t)        ->        total = np.sum(np.where(x[i] == t, 1.0, 0.0))
                                                 bx[i] += bt * (np.where(x[i] == t, 1.0, 0.0) / total)
"""
import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.prepared.rename import is_pure
from tangent.numba.loops.values import FLOAT
from tangent.runtime import facts

ODD = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.NamedExpr,
       gast.Await, gast.Yield, gast.YieldFrom)


def with_totals(function, kinds, names, numpy):
    """The FunctionDef with names for such sums; the same object where there are none.

    numpy : gives the name by which the text calls NumPy
    """
    found = _Totals(kinds, names, numpy)
    body = found.block(function.body)
    return tree.replace(function, body=body) if found.some else function


class _Totals:
    def __init__(self, kinds, names, numpy):
        self.kinds, self.names, self.numpy, self.some, self.before = kinds, names, numpy, False, []

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
        some = known and any(self.is_total(n) or self.is_share(n) for n in nodes)
        if not some or any(isinstance(n, ODD) for n in nodes) or not all(
                is_pure(n, self.kinds) for n in nodes if isinstance(n, gast.Call)):
            return [s]
        self.before, self.some = [], True
        new = tree.replace(s, value=self.expression(value))
        return [*(gast.copy_location(tree.place(t, tree.origin(s)), s) for t in self.before), new]

    def is_total(self, expr):
        """Whether an expression is the sum of all of a real array that is calculated, or has a name."""
        if not isinstance(expr, gast.Call) or self.kinds.find(expr.func) is not np.sum or len(expr.args) != 1 or expr.keywords:
            return False
        return self.is_real(expr.args[0])

    def is_real(self, expr):
        kind = self.kinds.kind(expr)
        return kind is not None and kind.parts is None and kind.rank > 0 and kind.dtype == 'float64'

    def is_share(self, expr):
        """Whether it shares a gradient among the elements of a real array that are a number, each of which has a name."""
        if not isinstance(expr, gast.Call) or not facts.is_helper(self.kinds.find(expr.func), 'ties') or len(expr.args) != 2 \
                or expr.keywords or not isinstance(expr.args[0], (gast.Name, gast.Subscript)):
            return False
        return self.is_real(expr.args[0]) and isinstance(expr.args[1], gast.Name) and self.kinds.kind(expr.args[1]) == FLOAT

    def expression(self, expr):
        expr = tree.with_children(expr, lambda e: self.expression(e) if isinstance(e, gast.expr) else e)
        if self.is_share(expr):
            test = gast.Compare(left=expr.args[0], ops=[gast.Eq()], comparators=[expr.args[1]])
            ones = tree.call(f'{self.numpy()}.where', test, tree.constant(1.0), tree.constant(0.0))
            count = self.expression(tree.call(f'{self.numpy()}.sum', ones))
            return gast.BinOp(left=tree.clone(ones), op=gast.Div(), right=count)
        if not self.is_total(expr):
            return expr
        name = self.names.fresh('total')
        self.before.append(tree.assign(name, expr))
        return tree.load(name)
