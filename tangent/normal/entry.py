"""Where a function begins: what becomes of the arrays that it is given and writes into.

    def f(u):                   def f(u):
        u = u.copy()       ->       u2 = u.copy()           written into is an array of its own, not what was given
        u[0] = 1.0                  u2[0] = 1.0
"""
import collections
import dataclasses
import functools

import gast
import numpy as np

from tangent.analysis.alias import Aliases
from tangent.analysis.array_accesses import axes_of, needs_no_axes, write_of, written_params
from tangent.analysis.effects import Effect
from tangent.analysis.mutated_lists import builders_made
from tangent.analysis.outside import read_by
from tangent.emit.library import find
from tangent.frontend import tree
from tangent.runtime.cast import EACH
from tangent.runtime.facts import is_one
from tangent.runtime.fields import within
from tangent.runtime.functions.elementwise import float_array
from tangent.runtime.tangents.zeros import float_asarray, zero_tangent
from tangent.runtime.zeros import init_grad

ARRAYS: tuple = (np.array, np.asarray, np.asanyarray, np.copy, np.zeros, np.ones, np.empty, np.full, np.zeros_like,
                 np.ones_like, np.empty_like, np.full_like, float_asarray, float_array, init_grad, zero_tangent)


def without_axes(function, known, resolver):
    """Names of arrays made here that may have no axes, and into which the text writes: `out += v` has to leave them arrays.

    known : name -> how many axes, where that is known
    """
    made, indices, others = collections.defaultdict(list), collections.defaultdict(list), set()
    for s in tree.every(function.body):
        write = write_of(s)
        if write is not None:
            indices[write.name].append(write.index)
        alone = isinstance(s, gast.Assign) and len(s.targets) == 1
        pairs = {t.id: v for t, v in tree.side_by_side(s.targets[0], s.value) if isinstance(t, gast.Name)} if alone else {}
        for name, value in pairs.items():
            made[name].append(value)
        if not isinstance(s, gast.AugAssign):
            others |= tree.writes(s) - pairs.keys()
    return {n for n, found in indices.items() if not known.get(n) and n in made and n not in others
            and needs_no_axes(found, made)
            and all(isinstance(v, gast.Call) and is_one(resolver(v.func), ARRAYS) for v in made[n])}


def in_place(function, arrays):
    """The function with `x[...] += v` for `x += v` on these names, which are those of arrays."""
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


def with_copies(function, source, resolver, library, effects, kinds, lending, held=()):
    """The function with copies, on entry, of the arrays given to it into whose elements it writes.

    source : the Source that it is the text of
    kinds : parameter -> how many axes it has, or 'number', for those that are known to be arrays or numbers
    lending : says what callees do to lists and dicts of the function's own (`lending.Lending`); None for Numba, to which arrays
        outside are constants
    """
    def helped(helper, *args):
        name = library(helper)
        resolver.seen[name] = find(helper)
        return tree.call(name, *args)
    axes = {p: kind for p, kind in kinds.items() if type(kind) is int}
    typed = lending is None
    writes = effects if typed else functools.partial(lending.effects_of, builders_made(function, resolver, lending), resolver)
    written = [p for p in written_params(function, resolver, effects, writes, axes) if kinds.get(p) not in ('int', 'number')]
    body = []
    for p in written if function.body else ():
        count = axes.get(p, axes_known(function, p, resolver, effects))
        call = helped('array_copy', tree.load(p), *([] if count is None else [tree.constant(count)]))
        body.append(gast.copy_location(tree.assign(p, call, tree.Origin('primal')), function.body[0]))

    numbers = {p for p, kind in kinds.items() if kind in ('int', 'number')}
    effect = whole = Effect() if typed else effects.of(source.function)
    also = written_for_all(function, resolver, effects, lending) if effect.writes else ()
    others = [p for p in effect.writes if p in also and p not in held]
    effect = dataclasses.replace(effect, writes=(*written, *others, *held))
    outside = {} if typed else read_by(function, effect, resolver, effects, library.names.taken)
    guard = apart(function, effect, outside, numbers, resolver, helped, held)
    guard += apart_outside(function, whole, resolver, effects, library.names.taken, helped) if getattr(
        source, 'copies', False) else []
    return tree.replace(function, body=guard + body + function.body) if guard or body else function


def written_for_all(function, resolver, effects, lending):
    """Parameters into which a function writes, for all to see: lists of its own are lent to functions that change them."""
    aliases = Aliases(function, resolver, effects, lending=lending)
    return {p for p in tree.names(function.args, gast.Param) if aliases.is_mutated(p)}


def apart(function, effect, outside, numbers, resolver, call, held=()):
    """A check that nothing that is written into, given or outside, is given or read by another way.

    effect : what is known of the function
    outside : path -> what it denotes
    numbers : parameters that are known to be numbers
    call : makes a call of a helper
    held : parameters of which each part is written into for itself
    """
    params = tree.names(function.args, gast.Param)
    beside = numbers | trip_counts(function, resolver)
    written = [p for p in params if p in effect.writes]
    others = [p for p in params if p not in written and p not in beside]
    lines = {w.name: s.lineno for s in reversed(list(tree.every(function.body))) if (w := write_of(s)) is not None}
    at = {p: f'{p} (line {line})' for p, line in lines.items() if p not in effect.deep} | {p: p + EACH for p in held}
    told = [at.get(p) or with_parts(p, effect) for p in written]
    checks = [checked(call, told, written, others + [*outside])] if held or written and len([*written, *others, *outside]) > 1 \
        else []
    checks += stored_apart(outside, effect, [p for p in params if p not in beside], call)
    return [gast.copy_location(check, function.body[0]) for check in checks]


def apart_outside(function, effect, resolver, effects, taken, call):
    """Checks that nothing of what is given and written into, each for itself, is what the function reads outside: a copy that
    is made of it is another thing, and has a gradient of its own. For those who know what parameters share."""
    outside = read_by(function, effect, resolver, effects, taken)
    params = tree.names(function.args, gast.Param)
    written = [p for p in params if p in effect.writes] if outside else []
    checks = [checked(call, [with_parts(p, effect)], [p], [*outside]) for p in written]
    return checks + stored_apart(outside, effect, params, call)


def with_parts(p, effect):
    """How `check_apart` is told whether parts of an argument are written into."""
    return f'{p} and its parts' if p in effect.deep else p


def stored_apart(outside, effect, params, call):
    """Checks that what is outside, and gets what depends on arguments or holds something that does, is not given, nor a part
    of what is."""
    keys = {key.thing for key, store in effect.outside.stores.items() if store.params}
    stored = [path for path, thing in outside.items() if thing is not None and not keys.isdisjoint(within([thing]))]
    return [checked(call, [f'{path} and its parts'], [path], params) for path in stored if params]


def checked(call, told, written, others):
    names = tree.constant(' | '.join(filter(None, [', '.join(told), ', '.join(others)])))
    check = gast.Expr(value=call('check_apart', names, *map(tree.expression, [*written, *others])))
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
