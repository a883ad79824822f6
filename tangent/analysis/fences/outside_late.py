"""What is outside, is read by a call with a derivative, and changes after that: the adjoint of the call would read it then.

    A[0] = 4.0
    y = total(x)             which reads A, as its adjoint does
    A[0] = 1.0
"""
import types

import gast
import numpy as np

from tangent.analysis.outside import Reading
from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import DEFINITIONS
from tangent.runtime import facts
from tangent.templates.language import registry


def refuse_written_late(source, function, aliases, flows, later):
    """Refuse to write into what is outside after a call with a derivative that has read it, here or in a call.

    Of variables, attributes and elements that are bound anew twins keep the values; function values keep none.
    """
    reading, effects = Reading(source, function, aliases, None), aliases.effects
    here = list(written_here(function, reading))
    stores = [*here, *written_in_calls(function, aliases, reading, False)]
    every = [*here, *written_in_calls(function, aliases, reading, True)]
    inside = read_inside(function, reading) if every else set()
    for s, call in active_calls(function, aliases.resolver, flows) if every else ():
        callee = aliases.resolver(call.func)
        known = effects.knows(callee)
        loads = set(effects.of(callee).outside.loads) if known else set(inside)         # a function value keeps no values
        given = [e for e in [call.func, *tree.arguments(call)] if isinstance(e, (gast.Name, gast.Attribute))]
        loads = loads.union(*map(reading.keys, given))
        written = stores if known and not isinstance(callee, Nested) else every
        late = next((w for w, key in written if any(map(key.meets, loads)) and later.is_behind(w, s)), None)
        if late is not None:
            raise subset.unsupported(late, source, 'writes into what is outside after a call that has read it',
                                     'pass what the call reads as an argument')


def refuse_kept_by_others(source, function, aliases, varied):
    """Refuse calls, for their effect, of functions that no analysis looks into, and that get a number with a derivative: they
    may keep it. `C.add(x)` of a class method that sets `cls.total`; `globals()['add'](x)`; `add(x)` where a call gave `add`."""
    for s in tree.every(function.body):
        call = s.value if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
        if call is None or varied.isdisjoint(tree.names(call, gast.Load)):
            continue
        callee = aliases.resolver(call.func)
        hidden = callee is UNKNOWN and not isinstance(call.func, gast.Attribute)
        if hidden or isinstance(callee, types.MethodType) and may_keep(callee.__func__, aliases.effects):
            raise subset.unsupported(
                s, source, 'values with a derivative that are kept outside of the function, and read again,',
                'pass what keeps them as an argument, or make it in the function', undecided=True)


def may_keep(function, effects):
    """Whether the function of a method may write into anything, or hand it on to what does."""
    if not isinstance(function, types.FunctionType) or facts.in_library(function):
        return False
    done = effects.of(function)
    return not effects.knows(function) or bool(done.outside.stores or done.writes or done.unsure)


def read_inside(function, reading):
    """Keys of what is read by functions inside a function, and by those that it hands on as values."""
    nodes = tree.walk(function)
    inner = [n for d in nodes if d is not function and isinstance(d, (*DEFINITIONS, gast.Lambda)) for n in tree.walk(d)]
    found = {key for n in inner if isinstance(n, (gast.Name, gast.Attribute)) and isinstance(n.ctx, gast.Load)
             for key in reading.keys(n)}
    called = {id(n.func) for n in nodes if isinstance(n, gast.Call)}
    values = [reading.resolver(n) for n in nodes if isinstance(n, gast.Name) and id(n) not in called]
    return found.union(*(reading.effects.of(f).outside.loads for f in values if reading.effects.knows(f)))


def written_here(function, reading):
    """(statement, Key) of what the text itself writes into."""
    for s in tree.every(function.body):
        for t in getattr(s, 'targets', None) or [s.target] if isinstance(s, (gast.Assign, gast.AugAssign)) else ():
            for key in reading.keys(t):
                if not isinstance(t, gast.Name) or t.id in reading.declared:
                    yield s, key


def written_in_calls(function, aliases, reading, bound):
    """(statement, Key) of variables, attributes and arrays that functions change which are called by name."""
    for s in tree.every(function.body):
        for call in (n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)):
            callee = aliases.resolver(call.func)
            given = [e for found in aliases.effects(callee, call) for e in found if isinstance(e, (gast.Name, gast.Attribute))]
            yield from ((s, key) for e in given for key in reading.keys(e))
            for key, store in aliases.effects.of(callee).outside.stores.items() if aliases.effects.knows(callee) else ():
                if not grows(store) and (bound or isinstance(target_of(store), gast.Subscript)):
                    yield s, key


def target_of(store):
    targets = getattr(store.node, 'targets', None) or [getattr(store.node, 'target', store.node)]
    return targets[0]


def grows(store):
    """Whether it is a table, or what is no place: what was read of it stays there."""
    target = target_of(store)
    if isinstance(target, gast.Subscript):
        name = tree.root_name(target)
        return not isinstance(store.source.closure.get(name, store.source.globals.get(name)), np.ndarray)
    return not isinstance(target, (gast.Name, gast.Attribute))


def active_calls(function, resolver, flows):
    """(statement, call) for the calls with a derivative that no rule is for."""
    for s in tree.every(function.body):
        for call in (n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)):
            if registry.lookup(resolver(call.func)) is None and any(map(flows, tree.parts_of(call))):
                yield s, call
