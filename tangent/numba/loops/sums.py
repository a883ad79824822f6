"""Products of two vectors as loops that add up, in the place where they are needed.

    s -= dot_rows(A[i, :j], A[j, :j])          ->          total = empty_sum(0.0)
                                                           for k in range(j):
                                                               total += A[i, k] * A[j, k]
                                                           s -= total

To make the two parts of arrays takes longer than to multiply them, where they are short. That is for compiled code, in which
such a sum is made in any order (`compiled_sums`).
"""
from __future__ import annotations

import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.accesses import ArrayStmt, Reader
from tangent.numba.loops.fuse import Writer
from tangent.numba.loops.refs import NotLowered, Ref
from tangent.numba.loops.scatter_to_gather import Loop
from tangent.numba.loops.scopes import Room
from tangent.numba.loops.values import Kind, elementwise

ODD = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.NamedExpr)


def summed(s, lowering, scope):
    """The statements for one in which vectors are multiplied; None where there is no such product, or it stays."""
    if lowering.helpers.get('empty_sum') is None:
        return None
    simple = isinstance(s, (gast.Assign, gast.AugAssign, gast.Return))
    calls = [n for n in tree.walk(s) if isinstance(n, gast.Call)] if simple else []
    found = [n for n in calls if is_product(n, lowering)]
    if not found or not all(n in found or is_pure(n, lowering) for n in calls) or any(isinstance(n, ODD) for n in tree.walk(s)):
        return None
    name = tree.target(s) if found == [s.value] else None
    alone = name is not None and lowering.kinds.bound.get(name) == 1
    out, names = [], {}
    for call in found:
        if not alone:
            name = lowering.names.fresh('total')
            lowering.kinds.of[name] = Kind(0, lowering.kinds.kind(call.args[0]).dtype)
            lowering.kinds.bound[name] = 1
        try:
            out += adding(name, call, s, lowering, scope)
        except NotLowered:
            continue
        names[id(call)] = tree.load(name)
    if not names:
        return None
    return out if alone else [*out, replaced(s, names)]


def has_products(s, lowering):
    """Whether there are products of two vectors in a simple statement."""
    simple = isinstance(s, (gast.Assign, gast.AugAssign, gast.Return))
    return simple and any(isinstance(n, gast.Call) and is_product(n, lowering) for n in tree.walk(s))


def is_product(call, lowering):
    found = lowering.kinds.find(call.func)
    return found is lowering.helpers['dot_rows'] and len(call.args) == 2


def is_pure(call, lowering):
    """Whether a call changes nothing."""
    found = lowering.kinds.find(call.func)
    ours = str(getattr(found, '__module__', '')).startswith('tangent') and found.__name__ in ('copy', 'unbroadcast')
    return ours or elementwise(found) or found is np.flip or getattr(found, '__module__', '') == 'math'


def adding(name, call, s, lowering, scope):
    """The statements after which the name stands for the product; raises NotLowered."""
    kind, room = lowering.kinds.kind(call.args[0]), Room(lowering, scope)
    if kind is None or kind.dtype not in ('float64', 'float32'):
        raise NotLowered
    reader = Reader(lowering.kinds, room)
    lengths = reader.together(call.args)
    value = gast.BinOp(left=call.args[0], op=gast.Mult(), right=call.args[1])
    one = ArrayStmt(Ref(name, ()), gast.Add(), value, reader.refs, lengths, down=(False,), stmt=s)
    if len(lengths) != 1 or any(not r.spans for r in one.refs.values()):
        raise NotLowered
    start = '0.0' if kind.dtype == 'float64' else f'{lowering.numpy()}.float32(0)'
    begin = tree.place(tree.assign(name, tree.call(lowering.helper('empty_sum'), tree.expression(start))), tree.origin(s))
    made = Writer(room, lowering.kinds, lowering, [one], lowering.divide()).nest(Loop(0, [one]))
    room.commit()
    return [*scope.taken(), gast.copy_location(begin, s), *made]


def replaced(node, names):
    """The tree with names in place of calls."""
    if id(node) in names:
        return names[id(node)]
    return tree.with_children(node, lambda child: replaced(child, names))
