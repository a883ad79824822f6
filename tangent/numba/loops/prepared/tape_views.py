"""What tapes hold: whether values have memory of their own, and what innermost loops keep, as arrays.

    t = np.flip(y[:k])                          # memory of y, which a restored array would change
    old = copy(y[:k])                           # memory of its own
    _stack.append((t, old))

    for i in range(k):                          part = _stack.room(max(k, 0), 0.0)
        old = y[i]                              for i in range(k):
        _stack.append(old)           ->             old = y[i]
        y[i] = z[i]                                 part[i] = old
    ...                                             y[i] = z[i]
    for i in range(k - 1, -1, -1):              ...
        old = _stack.pop()                      part2 = _stack.part(max(k, 0))
        y[i] = old                              for i in range(k - 1, -1, -1):
                                                    old = part2[i]
                                                    y[i] = old

A loop with pushes or pops in it is made trip by trip; one over arrays may be vectorised, or become loops over rows. How many
trips there are is known before, each of them pushes or pops once, and nothing else does so in that place.
"""
import collections

import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.affine import atom
from tangent.numba.loops.prepared.rename import rebound
from tangent.numba.loops.values import FLOAT, elementwise
from tangent.runtime import facts


def owned(function, find, library=()):
    """Name of a tape -> for each value that is pushed together whether it surely has memory of its own.

    library : names by which the text calls functions of the run time
    """
    values = bound(function)
    found: dict = {}
    for n in tree.walk(function):
        if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr == 'append' \
                and isinstance(n.func.value, gast.Name) and len(n.args) == 1:
            items = n.args[0].elts if isinstance(n.args[0], gast.Tuple) else n.args
            here = [is_own(item, values, find, library) for item in items]
            before = found.get(n.func.value.id, here)
            found[n.func.value.id] = [a and b for a, b in zip(before, here)] if len(before) == len(here) else []
    return found


def bound(function):
    """Name -> what it is bound to, wherever it is; None for what is no plain assignment."""
    values: dict = {}
    for s in tree.every(function.body):
        for name in tree.writes(s):
            values.setdefault(name, []).append(s.value if tree.target(s) == name else None)
    return values


def saved(function, count, find, library=()):
    """For each of the values that a primal returns for its adjoint, whether no other one can be a part of its memory."""
    result = getattr(function.body[-1], 'value', None)
    if not isinstance(result, gast.Tuple):
        return []
    pack = result.elts[-1] if isinstance(result.elts[-1], gast.Tuple) else result
    if len(pack.elts) != count:
        return []
    values, names = bound(function), tree.names(result, gast.Load)

    def is_alone(name):
        uses = [s for s in tree.every(function.body[:-1]) for part in tree.header(s) if name in tree.names(part, gast.Load)]
        return names.count(name) == 1 and all(isinstance(s, (gast.Assign, gast.AugAssign)) and (
            is_slice(s.targets[0] if isinstance(s, gast.Assign) else s.target)
            or not isinstance(s.value, gast.Name) and is_own(s.value, values, find, library)) for s in uses)
    return [isinstance(e, gast.Name) and is_own(e, values, find, library) and is_alone(e.id) for e in pack.elts]


def alone(s, owned):
    """The names that take values of their own out of what a primal saved."""
    if not isinstance(s, gast.Assign) or not isinstance(s.value, gast.Name) or not isinstance(s.targets[0], gast.Tuple):
        return set()
    return {e.id for e, own in zip(s.targets[0].elts, owned.get(s.value.id, ())) if own}


def is_slice(target):
    """Whether what is assigned to a target is copied into an array."""
    index = target.slice if isinstance(target, gast.Subscript) else None
    return any(isinstance(p, gast.Slice) for p in (index.elts if isinstance(index, gast.Tuple) else [index]))


def is_own(expr, values, find, library):
    """Whether the value of an expression surely has memory of its own, or none."""
    if isinstance(expr, gast.Name):
        made = values.get(expr.id) or [None]
        return not any(v is None or isinstance(v, gast.Name) for v in made) \
            and all(is_own(v, values, find, library) for v in made)
    if isinstance(expr, gast.Call):
        f = find(expr.func)
        if f is None and tree.dotted(expr.func) in library:
            return facts.of(tree.dotted(expr.func)).fresh
        if f is None:
            return isinstance(expr.func, gast.Attribute) and expr.func.attr in ('copy', 'sum') and not expr.args
        return elementwise(f) and f is not np.positive or facts.of(f).fresh
    return isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant))


SHORT = 16                                      # trips for which it is not worth it
SIMPLE = (gast.Assign, gast.AugAssign, gast.Expr)


def with_parts(function, kinds, names):
    """The FunctionDef with parts of tapes; the same object where there is none to be had."""
    tapes = {name for name in kinds.tapes if is_even(kinds.kept.get(name))}
    loops = [s for s in tree.every(function.body) if isinstance(s, gast.For)] if tapes else []
    trips = {id(s): found for s in loops for found in [counted(s, kinds)] if found is not None}
    pushes, pops = collections.Counter(), collections.Counter()
    for s in loops:
        if id(s) in trips:
            pushes.update(pushed(t) for t in s.body if displayed(t, kinds))
            pops.update(popped(t) for t in s.body if displayed(t, kinds))
    loads = collections.Counter(tree.names(function, gast.Load))
    chosen = {name for name in tapes if pushes[name] == pops[name] == 1 and loads[name] == 2}
    return tree.replace(function, body=block(function.body, trips, chosen, kinds, names)) if chosen else function


def displayed(s, kinds):
    """Whether a statement names what it puts onto a tape, or takes off it, one by one: no tuple that has a name of its own."""
    tape = pushed(s) or popped(s)
    kind = kinds.kept.get(tape)
    value = s.value.args[0] if pushed(s) else s.targets[0] if popped(s) else None
    return tape is not None and (kind is None or kind.parts is None or isinstance(value, gast.Tuple))


def is_even(kind):
    """Whether a tape holds numbers, or as many of them at each place."""
    if kind is None or kind.parts is None:
        return kind == FLOAT
    return kind.dtype is None and len(kind.parts) > 1 and all(k == FLOAT for k in kind.parts)


def counted(loop, kinds):
    """(least value of the variable, number of trips, whether they run down) of a loop of simple statements, or None."""
    call, name = loop.iter, loop.target
    if not isinstance(call, gast.Call) or kinds.find(call.func) is not range or not isinstance(name, gast.Name) or loop.orelse \
            or call.keywords or not all(isinstance(s, SIMPLE) for s in loop.body):
        return None
    found = kinds.trips(call)
    least = found and found[1].constant
    if rebound(loop.body) & {name.id, *tree.names(call, gast.Load)} or least is not None and least < SHORT:
        return None
    return found


def on_tape(call, what):
    """The name of the tape that a method is called of, or None."""
    known = isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) and call.func.attr == what
    return call.func.value.id if known and isinstance(call.func.value, gast.Name) else None


def pushed(s):
    return on_tape(s.value, 'append') if isinstance(s, gast.Expr) else None


def popped(s):
    return on_tape(s.value, 'pop') if isinstance(s, gast.Assign) and len(s.targets) == 1 else None


def block(stmts, trips, chosen, kinds, names):
    out = []
    for s in stmts:
        if id(s) in trips:
            out += loop_with_parts(s, trips[id(s)], chosen, kinds, names)
        else:
            out.append(tree.replace(s, **{f: block(b, trips, chosen, kinds, names) for f, b in tree.blocks(s)}))
    return out


def loop_with_parts(loop, trips, chosen, kinds, names):
    """The loop, and what opens the parts of tapes before it."""
    first, length, down = trips
    here = atom(loop.target.id) - first                            # the place on the part, for the first to the last
    other = length - 1 - here
    count = tree.call('max', length.tree(), tree.constant(0))
    before, body = [], []
    for s in loop.body:
        tape = pushed(s) or popped(s)
        if tape not in chosen:
            body.append(s)
            continue
        kind, part = kinds.kept[tape], names.fresh('part')
        width = None if kind.parts is None else len(kind.parts)
        if pushed(s):
            zeros = [tree.constant(0.0) for _ in range(width or 1)]
            like = zeros[0] if width is None else gast.Tuple(elts=zeros, ctx=gast.Load())
            made = tree.call(f'{tape}.room', count, like)
            values = s.value.args if width is None else s.value.args[0].elts
            targets = [gast.Subscript(value=tree.load(part), slice=place, ctx=gast.Store())
                       for place in places(other if down else here, width)]
        else:
            made = tree.call(f'{tape}.part', count)
            values = [gast.Subscript(value=tree.load(part), slice=place, ctx=gast.Load())
                      for place in places(here if down else other, width)]
            targets = [s.targets[0]] if width is None else s.targets[0].elts
        before.append(gast.copy_location(tree.place(tree.assign(part, made), tree.origin(s)), s))
        body += [tree.like(s, t, v) for t, v in zip(targets, values)]
    return [*before, tree.replace(loop, body=body)]


def places(form, width):
    """The index of each number at one place of a part."""
    if width is None:
        return [form.tree()]
    return [gast.Tuple(elts=[form.tree(), tree.constant(k)], ctx=gast.Load()) for k in range(width)]
