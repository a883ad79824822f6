"""What a generator yields in pairs, where forward mode is differentiated: lists, if something goes through the whole of it.

    t, dt = pushforward(o.steps, ...)            t, dt = pushforward(o.steps, ...)
    ...                                 ->       ...
    y = max(t)                                   t = drain(t)
    dy = push_extreme(y, (t,), (dt,))            dt = drain(dt)
                                                 y = max(t)

What loops go through, or take something from, stays what it is: others may write between its values.
"""
import types

import gast

from tangent.emit.library import find
from tangent.frontend import tree
from tangent.runtime import facts
from tangent.runtime.references.table import is_substitute


def with_lists(function, resolver, library):
    pairs = [tree.names(s.targets[0], gast.Store) for s in tree.every(function.body)
             if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Tuple) and isinstance(s.value, gast.Call)
             and facts.is_helper(resolver(s.value.func), 'drained', 'pushforward')]

    def taken(s):
        calls = [n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)]
        return {n for call in calls if goes_through(resolver(call.func)) for e in call.args for n in given(e)}

    if not any(not taken(s).isdisjoint(pair) for s in tree.every(function.body) for pair in pairs):
        return function
    drain = library('drain')
    resolver.seen[drain] = find('drain')

    def block(stmts):
        out = []
        for s in stmts:                      # when it is gone through, not before: others may read what it writes until then
            names = taken(s)
            out += [tree.like(s, tree.store(n), tree.call(drain, tree.load(n)))
                    for pair in pairs if not names.isdisjoint(pair) for n in pair]
            out.append(tree.replace(s, **{field: block(inner) for field, inner in tree.blocks(s)}))
        return out
    return tree.replace(function, body=block(function.body))


def goes_through(function):
    """Whether a function goes through all that it is given, maybe more than once."""
    if isinstance(function, types.FunctionType):
        return function.__name__.startswith('push_') or is_substitute(function)
    return facts.of(function).takes == 'now'


def given(expr):
    return [n for e in expr.elts for n in given(e)] if isinstance(expr, (gast.Tuple, gast.List)) else [
        expr.id] if isinstance(expr, gast.Name) else []
