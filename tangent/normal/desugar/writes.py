"""Functions and methods that write into an array, as assignments to its elements.

    np.multiply(a, b, out=c)          c[...] = np.multiply(a, b)
    y = np.dot(a, b, c)               c[...] = np.dot(a, b); y = c
    np.copyto(a, b); a.fill(v)        a[...] = b; a[...] = v
    a[0], a[-1] = b[0], b[-1]         t = b[0]; t2 = b[-1]; a[0] = t; a[-1] = t2
"""
from __future__ import annotations

import gast

from tangent.analysis.alias import outputs
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
    return with_output(s, call, function)


def with_output(s, call, function):
    """The statements for a call whose value NumPy writes into an array that it is given."""
    found = outputs(function, call) if facts.is_numpy(function) else []
    if len(found) != 1 or not is_place(found[0]) or any(isinstance(a, gast.Starred) for a in call.args) \
            or any(k.arg in ('where', None, 'casting', 'mode') for k in call.keywords):
        return [s]
    bare = tree.replace(call, args=[a for a in call.args if a is not found[0]],
                        keywords=[k for k in call.keywords if k.value is not found[0]])
    if len(bare.args) + len(bare.keywords) != len(call.args) + len(call.keywords) - 1:
        return [s]
    first = into(s, found[0], bare)
    return [first] if isinstance(s, gast.Expr) else [first, tree.replace(s, value=found[0])]


def is_place(expr):
    return isinstance(expr, gast.Name) or isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Name)


def into(s, place, value):
    """`place[...] = value`."""
    index = place.slice if isinstance(place, gast.Subscript) else tree.constant(...)
    owner = place.value if isinstance(place, gast.Subscript) else place
    target = gast.Subscript(value=owner, slice=index, ctx=gast.Store())
    stmt = gast.Assign(targets=[target], value=value, type_comment=None)
    return tree.place(gast.copy_location(stmt, s), tree.origin(s))


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
            held.append(assignment(s, tree.store(name), v))
            v = tree.load(name)
        stores.append(assignment(s, t, v))
    return held + stores


def assignment(s, target, value):
    stmt = gast.Assign(targets=[target], value=value, type_comment=None)
    return tree.place(gast.copy_location(stmt, s), tree.origin(s))
