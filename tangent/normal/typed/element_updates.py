"""Updates of lists and dicts of numbers, as assignments.

    force[i] += v          force[i] = force[i] + v
    v.sort(key=f)          v = sorted(v, key=f)
    v.reverse()            v = v[::-1]
    v[:] = sorted(v)       v = sorted(v)

An array that stands there would be changed in place, and whoever has it under another name would see it; lists of numbers of
the function's own have no other name.
"""
from __future__ import annotations

import gast

from tangent.analysis.kinds.holders import holders_of_numbers
from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES


def written_out(function, known, resolver):
    """The FunctionDef with such updates written out."""
    updated = {s.target.value.id for s in tree.every(function.body) if is_update(s)}
    updated |= {s.value.func.value.id for s in tree.every(function.body) if is_call(s, 'reverse')}
    sorts = {s.value.func.value.id for s in tree.every(function.body) if is_call(s, 'sort')}
    if sorts and 'sorted' not in resolver.local and resolver.name('sorted') is sorted:
        resolver.seen['sorted'] = sorted
        updated |= sorts
    updated |= {s.targets[0].value.id for s in tree.every(function.body) if is_renewal(s)}
    found = updated & holders_of_numbers(function, known, resolver) if updated else ()
    return tree.replace(function, body=block(function.body, found)) if found else function


def is_call(s, method):
    """Whether it is `name.method(...)`, a statement."""
    return isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Attribute) \
        and s.value.func.attr == method and isinstance(s.value.func.value, gast.Name)


def is_renewal(s):
    """Whether it is `name[:] = e`."""
    target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
    return isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) and isinstance(target.slice, gast.Slice) \
        and not tree.children(target.slice)


def is_update(s):
    """Whether it is `name[k] += v`, with a key that is the same when it is looked at again."""
    return isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Subscript) and isinstance(s.target.value, gast.Name) \
        and not any(isinstance(n, (gast.Call, gast.NamedExpr, gast.Slice, *SCOPES)) for n in tree.walk(s.target.slice))


def block(stmts, found):
    out = []
    for s in stmts:
        s = tree.replace(s, **{field: block(inner, found) for field, inner in tree.blocks(s)})
        if is_update(s) and s.target.value.id in found:
            old = tree.replace(tree.clone(s.target), ctx=gast.Load())
            s = tree.like(s, s.target, gast.BinOp(left=old, op=s.op, right=s.value))
        elif is_call(s, 'reverse') and s.value.func.value.id in found:
            name, backwards = s.value.func.value.id, gast.UnaryOp(op=gast.USub(), operand=tree.constant(1))
            turned = gast.Slice(lower=None, upper=None, step=backwards)
            s = tree.like(s, tree.store(name), gast.Subscript(value=tree.load(name), slice=turned, ctx=gast.Load()))
        elif is_call(s, 'sort') and s.value.func.value.id in found:
            name = s.value.func.value.id
            call = gast.Call(func=tree.load('sorted'), args=[tree.load(name), *s.value.args], keywords=s.value.keywords)
            s = tree.like(s, tree.store(name), call)
        elif is_renewal(s) and s.targets[0].value.id in found:
            s = tree.like(s, tree.store(s.targets[0].value.id), s.value)
        out.append(s)
    return out
