"""`try` statements that ask whether something is an array: what is none cannot be stored into.

    try:                                               if takes_items(y):
        y[y < 0.0] = 0.0                                   y[y < 0.0] = 0.0
    except TypeError:                                  else:
        if y < 0.0:                        ->              failed = f_attempt(y)
            y = 0.0                                        if failed == 1:
                                                               if y < 0.0:
                                                                   y = 0.0

                                                       def f_attempt(y):
                                                           raise unstored(0.0, y, y < 0.0)

Of what can be stored into, it is no attempt: it writes halfway, and no handler could take that back. Of what cannot, it writes
nothing, and is an attempt like any other, see `attempts`.
"""
import collections

import gast

from tangent.analysis.array_accesses import is_mask
from tangent.frontend import tree
from tangent.normal.outlined.loops import at

ASKED = TypeError, AttributeError                      # what is raised where a number stands in place of an array


def asked_for(s, resolver, local, function):
    """The names of what a `try` stores into by masks alone, where its handler is for what is no array; else none."""
    handler = s.handlers[0] if len(s.handlers) == 1 else None
    if handler is None or handler.name is not None or handler.type is None or s.orelse or s.finalbody:
        return []
    kinds = [resolver(e) for e in (handler.type.elts if isinstance(handler.type, gast.Tuple) else [handler.type])]
    places = [t for t in tree.walk_scope(s.body) if isinstance(t, (gast.Subscript, gast.Attribute)) and not is_read(t)]
    if TypeError not in kinds or not all(kind in ASKED for kind in kinds) or not all(map(is_store, tree.every(s.body))):
        return []
    made = made_in(function)
    by_masks = all(isinstance(t, gast.Subscript) and is_mask(t.slice, made) for t in places)
    names = list(dict.fromkeys(getattr(t.value, 'id', None) for t in places))
    return names if by_masks and local.issuperset(names) else []


def is_read(place):
    return isinstance(place.ctx, gast.Load)


def is_store(s):
    """Whether a statement that stores into something does so in one place."""
    targets = s.targets if isinstance(s, gast.Assign) else [getattr(s, 'target', None)]
    places = [n for t in targets if t is not None for n in tree.walk(t) if isinstance(n, (gast.Subscript, gast.Attribute))
              and not is_read(n)]
    return not places or isinstance(s, (gast.Assign, gast.AugAssign)) and len(targets) == 1 and places[0] is targets[0]


def made_in(function):
    """Name -> what a function binds it to, for those that are bound by assignments alone."""
    made: dict = {}
    for s in tree.every(function.body):
        if tree.target(s):
            made.setdefault(tree.target(s), []).append(s.value)
    names = [n for n in tree.walk(function) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)]
    stores = collections.Counter(n.id for n in names)
    return {n: values for n, values in made.items() if stores[n] == len(values)}


def of_others(s, error):
    """The `try` beside what cannot be stored into: `error` names what makes the error that is raised in place of a store."""
    return tree.replace(s, body=failing(s.body, error))


def failing(stmts, error):
    out = []
    for s in stmts:
        place = s.targets[0] if isinstance(s, gast.Assign) else getattr(s, 'target', None)
        if isinstance(place, gast.Subscript):
            read = tree.as_read(place)
            value = gast.BinOp(left=read, op=s.op, right=s.value) if isinstance(s, gast.AugAssign) else s.value
            return [*out, at(gast.Raise(exc=tree.call(error, value, read.value, read.slice), cause=None), s)]
        out.append(tree.replace(s, **{field: failing(block, error) for field, block in tree.blocks(s)}))
    return out
