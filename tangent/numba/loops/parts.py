"""What innermost loops keep on a tape, written to its part of the tape as to an array.

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
from __future__ import annotations

import collections

import gast

from tangent.frontend import tree
from tangent.numba.loops.affine import Form, atom
from tangent.numba.loops.values import FLOAT

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
    forms = [kinds.form(a) for a in call.args]
    forms = [Form(0), *forms] if len(forms) == 1 else forms
    if None in forms or len(forms) == 3 and forms[2].constant not in (1, -1):
        return None
    down = len(forms) == 3 and forms[2].constant == -1
    first, length = (forms[1] + 1, forms[0] - forms[1]) if down else (forms[0], forms[1] - forms[0])
    changed = {n for s in loop.body for n in tree.writes(s)} | {
        s.target.id for s in loop.body if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)}
    if changed & {name.id, *tree.names(call, gast.Load)} or length.constant is not None and length.constant < SHORT:
        return None
    return first, length, down


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
        body += [tree.place(gast.copy_location(gast.Assign(targets=[t], value=v, type_comment=None), s), tree.origin(s))
                 for t, v in zip(targets, values)]
    return [*before, tree.replace(loop, body=body)]


def places(form, width):
    """The index of each number at one place of a part."""
    if width is None:
        return [form.tree()]
    return [gast.Tuple(elts=[form.tree(), tree.constant(k)], ctx=gast.Load()) for k in range(width)]
