"""Updates of lists and dicts of numbers, as assignments.

    force[i] += v          force[i] = force[i] + v
    table[i][j] += v       table[i][j] = table[i][j] + v
    bins[f(x)] += v        k = f(x); bins[k] = bins[k] + v
    v.sort(key=f)          v = sorted(v, key=f)
    v.reverse()            v = v[::-1]
    params[k] -= v         params[k] = params[k] - v, where `params` holds arrays of its own (`owned`)
    w, b = params          w = params[0]; b = params[1], of such
    m[k][:] = 0.9 * m[k]   m[k] = 0.9 * m[k], of such
    v[:] = sorted(v)       v = sorted(v)

An array that stands there would be changed in place, and whoever has it under another name would see it; lists of numbers of
the function's own have no other name.
"""
import gast

from tangent.analysis.kinds.holders import holders_of_numbers
from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES
from tangent.normal.typed.owned import holders_of_own, stored_whole


def written_out(function, known, held, resolver, effects, library, inner=False):
    """(the FunctionDef with such updates written out, the parameters of which it has copies by now).

    held : the `Held` of the function
    inner : whether the caller sees what becomes of the lists that it handed over
    """
    copied = () if inner or not held.doubles else given_and_updated(function, known, held, resolver, effects)
    if copied:
        function, held = with_copies(function, copied, held, library, resolver)
    every = list(tree.every(function.body))
    updated = {tree.root_name(s.target) for s in every if is_update(s)}
    gone_through = {n for s in every for e in looped(s) for n in tree.names(e, gast.Load)}        # which see a change
    renewed = {s.targets[0].value.id for s in every if is_renewal(s)}
    renewed |= {s.value.func.value.id for s in every if is_call(s, 'reverse')}
    sorts = {s.value.func.value.id for s in every if is_call(s, 'sort')}
    if sorts and 'sorted' not in resolver.local and resolver.name('sorted') is sorted:
        resolver.seen['sorted'] = sorted
        renewed |= sorts
    renewed -= gone_through
    holders, alone = holders_of_numbers(function, known, held.of_numbers, resolver) if updated | renewed else (set(), set())
    rows = {tree.root_name(s.target) for s in every if is_update(s) and isinstance(s.target.value, gast.Subscript)}
    wholes = {s.target.value.id for s in every if is_update(s) and isinstance(s.target.value, gast.Name)}
    holders |= held.of_numbers - rows | held.tables - wholes
    whole = {s: target for s in every if isinstance(target := stored_whole(s), gast.Subscript)}
    updated |= {tree.root_name(target) for target in whole.values()} if held.doubles else set()
    if held.doubles and updated.difference(holders):            # where an update in place has the precision of what is there
        holders = holders | holders_of_own(function, known, held.of_arrays, resolver, effects)
    found = updated.intersection(holders), renewed.intersection(alone)
    apart = {s: elements_of(s) for s in every if is_unpacking(s) and s.value.id in found[0] & held.listed}
    apart |= {s: [tree.replace(s, targets=[tree.replace(target, ctx=gast.Store())])] for s, target in whole.items()
              if tree.root_name(target) in found[0]}
    if apart:
        function = tree.replace(function, body=put_in_place(function.body, apart))
    return (tree.replace(function, body=block(function.body, *found, library)) if any(found) else function), copied


def given_and_updated(function, known, held, resolver, effects):
    """Parameters that hold arrays which are changed in place, and would be the function's own were they copied."""
    params = held.of_arrays.intersection(tree.names(function.args, gast.Param))
    every = list(tree.every(function.body))
    updated = {s.target.value.id for s in every if is_update(s) and isinstance(s.target.value, gast.Name)}
    updated |= {tree.root_name(target) for s in every if isinstance(target := stored_whole(s), gast.Subscript)}
    return sorted(params & updated & holders_of_own(function, known, held.of_arrays, resolver, effects, params)) \
        if params & updated else []


def with_copies(function, names, held, library, resolver):
    """(the function with lists and dicts of its own in the place of parameters, the Held that knows them)."""
    first, new = [], {name: library.names.fresh(name) for name in names}
    for name in names:
        keyed, value, key = name not in held.listed, library.names.fresh('v'), library.names.fresh('k')
        copy, own = tree.method(tree.load(value), 'copy'), tree.load(new[name])
        put = gast.Assign(targets=[gast.Subscript(value=own, slice=tree.load(key), ctx=gast.Store())], value=copy,
                          type_comment=None) if keyed else gast.Expr(value=tree.method(own, 'append', copy))
        target = gast.Tuple(elts=[tree.store(key), tree.store(value)], ctx=gast.Store()) if keyed else tree.store(value)
        over = tree.method(tree.load(name), 'items') if keyed else tree.load(name)
        made = gast.Dict(keys=[], values=[]) if keyed else gast.List(elts=[], ctx=gast.Load())
        loop = gast.For(target=target, iter=over, body=[tree.instead(put, function.body[0])], orelse=[], type_comment=None)
        first += [tree.instead(s, function.body[0]) for s in (tree.assign(new[name], made, tree.Origin('primal')), loop)]
    keys = {e for s in tree.every(function.body) for n in [s, *(n for part in tree.header(s) for n in tree.walk(part))]
            if isinstance(n, (gast.For, gast.comprehension)) for e in [n.iter] if getattr(e, 'id', None) in new}
    others = {}
    if any(e.id not in held.listed for e in keys):
        known = library('dict_keys')
        resolver.seen[known] = find('dict_keys')
        others = {id(e): tree.call(known, e) for e in keys if e.id not in held.listed}
    body = [tree.rename(tree.exchange(s, others), new) for s in function.body]
    held = held._replace(listed=held.listed | {new[n] for n in names if n in held.listed},
                         of_arrays=held.of_arrays | {*new.values()})
    return tree.replace(function, body=first + body), held


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
    """Whether it is `name[k] += v` or `name[i][k] += v`, with keys that are the same when they are looked at again."""
    if not isinstance(s, gast.AugAssign) or not isinstance(s.target, gast.Subscript):
        return False
    inner = s.target.value.value if isinstance(s.target.value, gast.Subscript) else s.target.value
    return isinstance(inner, gast.Name) and not any(
        isinstance(n, (gast.NamedExpr, gast.Slice, *SCOPES)) for n in tree.walk(s.target) if n is not inner)


def is_unpacking(s):
    """Whether it is `w, b = name`."""
    return isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.value, gast.Name) \
        and isinstance(s.targets[0], gast.Tuple) and all(isinstance(t, gast.Name) for t in s.targets[0].elts)


def elements_of(s):
    """An assignment for each of the names."""
    return [tree.like(s, t, gast.Subscript(value=tree.load(s.value.id), slice=tree.constant(k), ctx=gast.Load()))
            for k, t in enumerate(s.targets[0].elts)]


def put_in_place(stmts, others):
    """The statements with others in the place of some."""
    out = []
    for s in stmts:
        blocks = {field: put_in_place(block, others) for field, block in tree.blocks(s)}
        out += others.get(s) or [tree.replace(s, **blocks) if blocks else s]
    return out


def with_keys(target, s, out, library):
    """The target with names, bound by statements put out, for keys that call something."""
    if isinstance(target.value, gast.Subscript):
        target = tree.replace(target, value=with_keys(target.value, s, out, library))
    if not any(isinstance(n, gast.Call) for n in tree.walk(target.slice)):
        return target
    key = library.names.fresh('k')
    out.append(tree.like(s, tree.store(key), target.slice))
    return tree.replace(target, slice=tree.load(key))


def block(stmts, updated, renewed, library):
    out = []
    for s in stmts:
        s = tree.replace(s, **{field: block(inner, updated, renewed, library) for field, inner in tree.blocks(s)})
        if is_update(s) and tree.root_name(s.target) in updated:
            s = tree.replace(s, target=with_keys(s.target, s, out, library))
            old = tree.replace(tree.clone(s.target), ctx=gast.Load())
            s = tree.like(s, s.target, gast.BinOp(left=old, op=s.op, right=s.value))
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
