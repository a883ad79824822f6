"""Updates of lists and dicts of numbers, as assignments.

    force[i] += v          force[i] = force[i] + v
    bins[f(x)] += v        k = f(x); bins[k] = bins[k] + v
    v.sort(key=f)          v = sorted(v, key=f)
    v.reverse()            v = v[::-1]
    v[:] = sorted(v)       v = sorted(v)
    v[1:3] = w             v = v[:1] + list(w) + v[3:]
    v.insert(1, x)         v = v[:1] + [x] + v[1:]

An array that stands there would be changed in place, and whoever has it under another name would see it; lists of numbers of
the function's own have no other name.
"""
from __future__ import annotations

import gast

from tangent.analysis.kinds.holders import holders_of_numbers
from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES


def written_out(function, known, resolver, library):
    """The FunctionDef with such updates written out."""
    every = list(tree.every(function.body))
    updated = {s.target.value.id for s in every if is_update(s)}
    gone_through = {n for s in every for e in looped(s) for n in tree.names(e, gast.Load)}        # which see a change
    renewed = {s.targets[0].value.id for s in every if is_renewal(s)}
    renewed |= {s.targets[0].value.id for s in every if is_part(s)}
    renewed |= {s.value.func.value.id for s in every if is_insertion(s)}
    renewed |= {s.value.func.value.id for s in every if is_call(s, 'reverse')}
    sorts = {s.value.func.value.id for s in every if is_call(s, 'sort')}
    if sorts and 'sorted' not in resolver.local and resolver.name('sorted') is sorted:
        resolver.seen['sorted'] = sorted
        renewed |= sorts
    renewed -= gone_through
    holders = holders_of_numbers(function, known, resolver) if updated | renewed else frozenset()
    found = updated & holders, renewed & holders
    return tree.replace(function, body=block(function.body, *found, library)) if any(found) else function


def looped(s):
    """What loops, comprehensions and iterators in a statement go through."""
    nodes = [n for part in tree.header(s) for n in tree.walk(part)]
    calls = [n for n in nodes if isinstance(n, gast.Call) and getattr(n.func, 'id', None) in ('zip', 'enumerate', 'reversed')]
    loops = [n.iter for n in [s, *nodes] if isinstance(n, (gast.For, gast.comprehension))]
    return loops + [e for c in calls for e in c.args]


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
        and not any(isinstance(n, (gast.NamedExpr, gast.Slice, *SCOPES)) for n in tree.walk(s.target.slice))


def is_part(s):
    """Whether it is `name[a:b] = e`, with literals from the beginning on."""
    target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
    part = target.slice if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) else None
    if not isinstance(part, gast.Slice) or part.step is not None or not tree.children(part):
        return False
    ends = [e.value if isinstance(e, gast.Constant) else e for e in (part.lower, part.upper) if e is not None]
    return all(type(e) is int and e >= 0 for e in ends) and ends == sorted(ends)


def is_insertion(s):
    """Whether it is `name.insert(k, e)`, with a literal from the beginning on."""
    at = s.value.args[0] if is_call(s, 'insert') and len(s.value.args) == 2 and not s.value.keywords else None
    return isinstance(at, gast.Constant) and type(at.value) is int and at.value >= 0


def with_part(s, name, lower, upper, part):
    """`name = name[:lower] + part + name[upper:]`."""
    def rest(lower, upper):
        ends = gast.Slice(lower=lower, upper=upper, step=None)
        return [] if lower is upper is None else [gast.Subscript(value=tree.load(name), slice=ends, ctx=gast.Load())]
    parts = [*(rest(None, lower) if lower is not None else []), part, *(rest(upper, None) if upper is not None else [])]
    value = parts[0]
    for more in parts[1:]:
        value = gast.BinOp(left=value, op=gast.Add(), right=more)
    return tree.like(s, tree.store(name), value)


def block(stmts, updated, renewed, library):
    out = []
    for s in stmts:
        s = tree.replace(s, **{field: block(inner, updated, renewed, library) for field, inner in tree.blocks(s)})
        if is_update(s) and s.target.value.id in updated:
            if any(isinstance(n, gast.Call) for n in tree.walk(s.target.slice)):
                key = library.names.fresh('k')
                out.append(tree.like(s, tree.store(key), s.target.slice))
                s = tree.replace(s, target=tree.replace(s.target, slice=tree.load(key)))
            old = tree.replace(tree.clone(s.target), ctx=gast.Load())
            s = tree.like(s, s.target, gast.BinOp(left=old, op=s.op, right=s.value))
        elif is_insertion(s) and s.value.func.value.id in renewed:
            at, value = s.value.args
            s = with_part(s, s.value.func.value.id, at, at, gast.List(elts=[value], ctx=gast.Load()))
        elif is_part(s) and s.targets[0].value.id in renewed:
            target, part = s.targets[0], tree.call(library.known('list'), s.value)
            s = with_part(s, target.value.id, target.slice.lower, target.slice.upper, part)
        elif is_call(s, 'reverse') and s.value.func.value.id in renewed:
            name, backwards = s.value.func.value.id, gast.UnaryOp(op=gast.USub(), operand=tree.constant(1))
            turned = gast.Slice(lower=None, upper=None, step=backwards)
            s = tree.like(s, tree.store(name), gast.Subscript(value=tree.load(name), slice=turned, ctx=gast.Load()))
        elif is_call(s, 'sort') and s.value.func.value.id in renewed:
            name = s.value.func.value.id
            call = gast.Call(func=tree.load('sorted'), args=[tree.load(name), *s.value.args], keywords=s.value.keywords)
            s = tree.like(s, tree.store(name), call)
        elif is_renewal(s) and s.targets[0].value.id in renewed:
            s = tree.like(s, tree.store(s.targets[0].value.id), s.value)
        out.append(s)
    return out
