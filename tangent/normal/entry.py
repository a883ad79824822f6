"""Where a function begins: what becomes of the arrays that it is given and writes into.

    def f(u):                   def f(u):
        u = u.copy()       ->       u2 = u.copy()           written into is an array of its own, not what was given
        u[0] = 1.0                  u2[0] = 1.0
"""
from __future__ import annotations

import gast
import numpy as np

from tangent.analysis.array_accesses import axes_of, write_of, written_params
from tangent.analysis.outside import read_by
from tangent.emit.library import find
from tangent.frontend import tree


def in_place(function, arrays):
    """The function with `x[...] += v` for `x += v` on these parameters, which are arrays."""
    if not arrays:
        return function

    def visit(stmts):
        out = []
        for s in stmts:
            s = tree.replace(s, **{field: visit(block) for field, block in tree.blocks(s)})
            if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) and s.target.id in arrays:
                whole = gast.Subscript(value=tree.load(s.target.id), slice=tree.constant(...), ctx=gast.Store())
                s = tree.replace(s, target=whole)
            out.append(s)
        return out
    return tree.replace(function, body=visit(function.body))


def with_copies(function, resolver, library, effects, kinds, typed):
    """The function with copies, on entry, of the arrays given to it into whose elements it writes.

    kinds : parameter -> how many axes it has, or 'number', for those that are known to be arrays or numbers
    typed : whether it is for Numba, to which arrays outside are constants
    """
    axes = {p: kind for p, kind in kinds.items() if type(kind) is int}
    written = [p for p in written_params(function, resolver, effects, axes) if kinds.get(p) not in ('int', 'number')]
    copied = [(p, s) for p in written for s in function.body[:1]]
    body = []
    for p, s in copied:
        helper = library('array_copy')
        resolver.seen[helper] = find('array_copy')
        count = axes.get(p, axes_known(function, p, resolver, effects))
        call = tree.call(helper, tree.load(p), *([] if count is None else [tree.constant(count)]))
        copy = gast.copy_location(tree.assign(p, call, tree.Origin('primal')), s)
        body.append(copy)
    if not body:
        return function
    outside = {} if typed else read_by(function, resolver, effects, library.names.taken)
    outside = [n for n, thing in outside.items() if isinstance(thing, np.ndarray)]
    guard = apart(function, [p for p, _ in copied], outside, resolver, library)
    return tree.replace(function, body=guard + body + function.body)


def apart(function, written, outside, resolver, library):
    """A check that no array which is written into shares memory with another that is given or read, if there are several."""
    counts = trip_counts(function, resolver)
    others = [p for p in tree.names(function.args, gast.Param) if p not in counts and p not in written] + outside
    if len(written) + len(others) < 2:
        return []
    lines = {w.name: s.lineno for s in reversed(list(tree.every(function.body))) if (w := write_of(s)) is not None}
    told = ', '.join(f'{p} (line {lines[p]})' if p in lines else p for p in written)
    helper = library('check_apart')
    resolver.seen[helper] = find('check_apart')
    return [gast.copy_location(checked(lambda _, *args: tree.call(helper, *args), told, [*written], others), function.body[0])]


def each_apart_outside(function, written, resolver, effects, taken, call):
    """Checks that nothing of what is given and written into, each for itself, is what the function reads outside: the copy that
    is made of it is another thing. `call` makes a call of a helper."""
    others = [*read_by(function, resolver, effects, taken)] if written else []
    return [checked(call, p, [p], others) for p in written] if others else []


def checked(call, told, written, others):
    names = tree.constant(f'{told} | {", ".join(others)}' if others else told)
    check = gast.Expr(value=call('check_apart', names, *map(tree.load, [*written, *others])))
    return tree.place(check, tree.Origin('guard'))


def trip_counts(function, resolver):
    """Names that say how often a loop runs, and hold no array."""
    return {n for call in tree.walk(function) if isinstance(call, gast.Call) and resolver(call.func) is range
            for n in tree.names(call, gast.Load)}


def axes_known(function, p, resolver, effects):
    """The number of axes that the text of the function, or of those that it hands the parameter to, says."""
    found = {axes_of(function, p)}
    for call in tree.walk(function):
        callee = resolver(call.func) if isinstance(call, gast.Call) else None
        if callee is not None and effects.knows(callee):
            found |= {effects.of(callee).axes.get(q) for q, given in effects.bound(callee, call).items()
                      if any(isinstance(e, gast.Name) and e.id == p for e in given)}
    found.discard(None)
    return found.pop() if len(found) == 1 else None
