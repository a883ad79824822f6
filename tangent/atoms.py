"""Atoms and the statements that make them: what `split` writes."""
from __future__ import annotations

import gast

from tangent import tree


def bind(target, value, out, s):
    """Assignments of a (nested) target to a (nested) display of the same form."""
    if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, gast.Tuple) \
            and len(target.elts) == len(value.elts):
        for t, v in zip(target.elts, value.elts):
            bind(t, v, out, s)
    else:
        out.append(like(s, target, value))


def like(s, target, value):
    """`target = value` at the place of the statement."""
    stmt = gast.Assign(targets=[target], value=value, type_comment=None)
    return tree.place(gast.copy_location(stmt, s), tree.origin(s))


def subscript(value, index):
    return gast.Subscript(value=value, slice=index, ctx=gast.Load())


def difference(left, right):
    return gast.BinOp(left=left, op=gast.Sub(), right=right)


SIMPLE = (gast.Name, gast.Constant, gast.Attribute, gast.Tuple, gast.List, gast.Slice, gast.UnaryOp, gast.BinOp,
          gast.Subscript, gast.Dict, gast.operator, gast.unaryop, gast.expr_context)


def is_simple(expr, size=24):
    """Whether a passive expression can be evaluated again at no cost worth mentioning: names, literals, indices."""
    nodes = [n for n in gast.walk(expr) if not isinstance(n, gast.cmpop)]
    return len(nodes) <= size and all(
        isinstance(n, SIMPLE) and not isinstance(n, (gast.MatMult, gast.Pow))
        or isinstance(n, gast.Call) and tree.dotted(n.func) == 'len' or isinstance(n, gast.Compare) for n in nodes)
