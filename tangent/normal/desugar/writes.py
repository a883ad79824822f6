"""Functions and methods that write into an array, as assignments to its elements.

    np.copyto(a, b); a.fill(v)        a[...] = b; a[...] = v
    np.fill_diagonal(a, 1.0)          a[np.diag_indices(min(a.shape), a.ndim)] = 1.0
    a[0], a[-1] = b[0], b[-1]         t = b[0]; t2 = b[-1]; a[0] = t; a[-1] = t2
"""
from __future__ import annotations

import gast
import numpy as np

from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime import facts


def written_out(stmts, resolver, names):
    """The statements with these calls and unpackings written out."""
    out = []
    for s in stmts:
        s = tree.replace(s, **{field: written_out(block, resolver, names) for field, block in tree.blocks(s)})
        out += one(s, resolver, names)
    return out


def one(s, resolver, names):
    if isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], (gast.Tuple, gast.List)):
        return unpacked(s, names)
    call = s.value if isinstance(s, gast.Expr) or tree.target(s) else None
    if not isinstance(call, gast.Call):
        return [s]
    function = resolver(call.func)
    if function is UNKNOWN:
        filled = isinstance(s, gast.Expr) and isinstance(call.func, gast.Attribute) and call.func.attr == 'fill' \
            and isinstance(call.func.value, gast.Name) and len(call.args) == 1 and not call.keywords
        return [into(s, call.func.value, call.args[0])] if filled else [s]
    if getattr(function, '__name__', '') == 'copyto' and facts.is_numpy(function):
        simple = isinstance(s, gast.Expr) and len(call.args) == 2 and not call.keywords and is_place(call.args[0])
        return [into(s, *call.args)] if simple else [s]
    if function is np.fill_diagonal and isinstance(s, gast.Expr) and len(call.args) == 2 and not call.keywords \
            and isinstance(call.args[0], gast.Name) and is_number(call.args[1], resolver):
        return [on_diagonal(s, call)]
    return [s]


def is_number(expr, resolver):
    """Whether an expression is a number that stands in the text, `np.inf` among them."""
    expr = expr.operand if isinstance(expr, gast.UnaryOp) else expr
    return isinstance(expr, gast.Constant) or isinstance(resolver(expr), (int, float))


def on_diagonal(s, call):
    """`a[np.diag_indices(min(a.shape), a.ndim)] = v`."""
    place, value = call.args
    shape, rank = (gast.Attribute(value=tree.load(place.id), attr=name, ctx=gast.Load()) for name in ('shape', 'ndim'))
    function = gast.Attribute(value=call.func.value, attr='diag_indices', ctx=gast.Load()) \
        if isinstance(call.func, gast.Attribute) else None
    if function is None:
        return s
    index = gast.Call(func=function, args=[tree.call('min', shape), rank], keywords=[])
    return tree.like(s, gast.Subscript(value=tree.load(place.id), slice=index, ctx=gast.Store()), value)


def is_place(expr):
    return isinstance(expr, gast.Name) or isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Name)


def into(s, place, value):
    """`place[...] = value`."""
    index = place.slice if isinstance(place, gast.Subscript) else tree.constant(...)
    owner = place.value if isinstance(place, gast.Subscript) else place
    target = gast.Subscript(value=owner, slice=index, ctx=gast.Store())
    return tree.like(s, target, value)


def unpacked(s, names):
    """One assignment for each element, where some of the targets are elements of arrays."""
    target, value = s.targets[0], s.value
    if not isinstance(value, (gast.Tuple, gast.List)) or len(value.elts) != len(target.elts) \
            or not all(isinstance(t, (gast.Name, gast.Subscript)) for t in target.elts) \
            or not any(isinstance(t, gast.Subscript) for t in target.elts) \
            or any(isinstance(e, gast.Starred) for e in value.elts):
        return [s]
    held, stores = [], []
    for t, v in zip(target.elts, value.elts):
        if not isinstance(v, gast.Constant):
            name = names.fresh('t')
            held.append(tree.like(s, tree.store(name), v))
            v = tree.load(name)
        stores.append(tree.like(s, t, v))
    return held + stores
