"""What is written where no rule knows of it: by library functions over what they are given, and outside of the function.

    m = np.median(y, overwrite_input=True)            y holds something else now, which is read on the way back
"""
import inspect
import types

import gast
import numpy as np

from tangent.analysis import outside
from tangent.frontend import subset, tree
from tangent.runtime import facts
from tangent.runtime.fields import IN_PLACE
from tangent.templates.language import registry

DRAWN = frozenset(['permutation', 'permuted', 'choice', 'choices', 'sample'])


def refuse_overwriting(aliases, stmts, flow, source):
    """Refuse such calls where a derivative flows through what they are given, and `d |= e` of dicts.

    flow : has the names that vary, and tells whether a derivative flows through an expression
    """
    for s in tree.every(stmts):              # it changes what all names for `d` hold
        if isinstance(s, gast.AugAssign) and isinstance(s.op, gast.BitOr) and (flow.flows(s.value) or flow.flows(s.target)) \
                and not is_mask(s.value, aliases):
            raise subset.unsupported(s, source, 'updates by |= through which a derivative flows', 'write d.update(e)')
    updates = {id(s.value) for s in tree.every(stmts) if is_update(s)}
    for call in (n for s in stmts for n in tree.walk(s) if isinstance(n, gast.Call) and id(n) not in updates):
        for arg, what, instead in overwritten(call, aliases):
            if any(not flow.varied.isdisjoint(aliases.family(n) | {n}) for n in aliases.handed_on(arg)):
                raise subset.unsupported(call, source, f'calls that {what} a value with a derivative', instead)


def is_mask(expr, aliases):
    """Whether an expression is an integer that is known, as names of flags are, or stands for one."""
    made = aliases.bound.get(expr.id) if isinstance(expr, gast.Name) else None
    if made:
        return all(not isinstance(e, gast.Name) and is_mask(e, aliases) for e in made)
    found = expr.value if isinstance(expr, gast.Constant) else aliases.resolver(expr) if tree.dotted(expr) else None
    return isinstance(found, int)


def refuse_kept(aliases, function, flow, source, updated=types.MappingProxyType({})):
    """Refuse to put a value with a derivative where another function, or another call of one, reads it.

    Gives what is left: key -> Store.

    updated : new name -> old name of each `x += v`, where each definition has a name
    """
    if outside.stands_alone(source, aliases.resolver):
        return {}
    reaching = lambda expr: frozenset(['it'] if expr is None or flow.flows(expr) else ())  # noqa: E731
    found = outside.of(source, function, aliases, reaching, updated)
    for key, store in found.stores.items():
        handed = store.own and not key.of_class and not any(map(key.meets, found.below))
        if store.params and not handed and (key.of_class or any(map(key.meets, found.loads))):
            raise kept(store)
    return {key: store for key, store in found.stores.items() if store.params}


def refuse_read_elsewhere(function, stores):
    """The same for a function that is found when running: who has called it is not known, and has no tangent of what it keeps.

    function, stores : the function, and where it puts values with a derivative
    """
    for key, store in stores.items():
        if key.of_class or outside.is_read_in_module(key, function):
            raise kept(store)


def refuse_kept_by(function, names, effects):
    """The same for such a function in reverse mode, by the names of its parameters with a derivative.

    Of one that the text of who calls it was seen to call, all that is read was looked at there.
    """
    if function in outside.FOLLOWED:
        return
    found = effects.of(function).outside if effects.knows(function) else outside.NOTHING
    refuse_read_elsewhere(function, {key: store for key, store in found.stores.items() if not store.params.isdisjoint(names)})


def kept(store):
    return subset.unsupported(
        store.node, store.source, 'values with a derivative that are kept outside of the function, and read again,',
        'pass what keeps them as an argument, or make it in the function')


def is_update(s):
    """Whether it is `y = operator.iadd(y, v)`, which is `y += v`, or stands for an update of the user's."""
    if not isinstance(s, gast.Assign) or not isinstance(s.value, gast.Call) or not s.value.args:
        return False
    same = gast.dump(s.targets[0]).replace('Store()', 'Load()') == gast.dump(s.value.args[0])
    return same or hasattr(s.value, 'stands_for_update')


def overwritten(call, aliases):
    """(argument, what is done to it, what to write instead) for the arguments of a call."""
    function = aliases.resolver(call.func)
    name = getattr(function, '__name__', None)
    if facts.home(function) == '_operator' and name in IN_PLACE:
        return [(arg, 'update in place', 'write x += v') for arg in call.args[:1]]
    if name in DRAWN and registry.is_random(function):
        return [(arg, 'draw at random from', 'draw the indices, and take x[indices]') for arg in call.args[:1]]
    if isinstance(getattr(function, '__self__', None), np.ufunc) and name != 'at':
        return [(k.value, 'write, by a method of a ufunc, into', 'assign the result') for k in call.keywords if k.arg == 'out']
    return by_flags(function, call)


def by_flags(function, call):
    """What SciPy and NumPy are allowed to write over: `overwrite_b=True`, `numpy.nan_to_num(x, copy=False)`."""
    found = []
    for k in call.keywords:
        name = (k.arg or '').removeprefix('overwrite_')
        if function is np.nan_to_num and k.arg == 'copy':
            name = 'x'
        elif name == k.arg or not k.arg:
            continue
        if not (isinstance(k.value, gast.Constant) and k.value.value is (k.arg == 'copy')):
            at = place_of(function, name)
            given = call.args[at:at + 1] + [other.value for other in call.keywords if other.arg == name]
            found += [(arg, f'write (by {k.arg}=) over', f'leave {k.arg} out') for arg in given]
    return found


def place_of(function, name):
    """The place of the parameter, the first where none has the name: what `overwrite_input` speaks of is `a`."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return 0
    return names.index(name) if name in names else 0
