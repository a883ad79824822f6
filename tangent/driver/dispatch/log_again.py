"""Forward mode at run time, in the log form: `pushforward` as a call of what it does for the arguments at hand."""
import types

from tangent.driver.dispatch.forward import (
    Pushing,
    again,
    initialize,
    of_owner,
    pushforward,
    refuse_stacked,
    throw,
    twin_of_manager,
)
from tangent.eventlog.shadow import iterators, methods
from tangent.eventlog.shadow.operators import elements
from tangent.eventlog.shadow.values import held_by_exception
from tangent.runtime.functions.operators import iterated
from tangent.runtime.tangents.thrown import tangent_of_error, thrown, with_tangent, without_tangent
from tangent.runtime.tangents.yielded import drained, pairs_apart
from tangent.runtime.zeros import exotic

METHODS = types.MethodType, types.BuiltinMethodType
STEPS = iterated, elements, next
OF_SETS = 'add', 'discard', 'remove', 'clear'                     # which give nothing, and put nothing anywhere else


def pushed(record, f, args):
    refuse_stacked(args[0], args[2])
    if isinstance(getattr(args[0], '__self__', None), iterators.Managed):
        found = args[0](record, *args[1])
        return found if args[0].__name__ == '__enter__' else (found, None)
    if any(args[0] is step for step in STEPS) and isinstance(args[1][0], iterators.Half):
        return of_halves(record, *args)
    if not isinstance(args[0], (types.FunctionType, types.MethodType, Pushing)) \
            and any([isinstance(a, iterators.Half) for a in args[1]]):
        return of_lists(record, *args)
    if isinstance(getattr(args[0], '__self__', None), set) and args[0].__name__ in OF_SETS:
        record.backward = lambda grads, g: {}
        return pushforward(args[0], *args[1:], **record.keywords)
    known = twin_of_manager(*args, **record.keywords)
    if known is not None and isinstance(known[0].own, (int, type(None))) and all(
            start is None for _, start in known[2].picks.values()):
        return managed(record, args, *known)
    parts = again(*args, **record.keywords)
    at = len(parts.lead)
    wanted = list(record.positions())
    own = range(at) if 0 in wanted else ()
    flags = (*own, *(w + at if type(w) is int else w for w in wanted if w != 0))
    method = record.keywords.get('df')                 # `dpush = dxs.append` beside `push = xs.append`
    keywords = {**record.keywords, 'df': of_owner(method)} if isinstance(method, METHODS) else record.keywords
    inner = type(record)(parts.base, (*parts.lead, *args), keywords, flags)

    def backward(grads, g):
        found = inner.found(grads, g)
        if keywords is not record.keywords:
            grads.give(method, found.pop('df', None))
        moved = {k - at if type(k) is int else k: part for k, part in found.items() if k not in own}
        if own and (whole := of_form(parts.own, found)) is not None:
            function = args[0]
            while type(function) is Pushing:
                function = function.function
            owner = getattr(function, '__self__', None) if isinstance(function, METHODS) else None
            if isinstance(owner, tuple) or exotic(owner) is not None:
                moved[0] = whole               # the gradient of what the method is of
            else:
                grads.give(function, whole)
        return moved
    record.backward = backward                         # it may raise: what it raises may hold what it was given
    value = inner.run()
    record.structured = inner.structured
    return value


def of_halves(record, f, args, tangents):
    """What goes through a generator, or takes something from it, done to its values and to their tangents."""
    both = [type(record)(f, given, {}, tuple(range(1, len(given)))) for given in (args, tangents)]
    value = both[0].run(), both[1].run()

    def backward(grads, g):
        g = g or (None, None)
        found = [None, None]
        for k in (1, 0):
            found[k] = [None, *both[k].back(grads, g[k])]
        return {1: found[0], 2: found[1]}
    record.backward, record.structured = backward, both[0].structured
    return value


def of_lists(record, f, args, tangents):
    """A call of what is not written in Python, which is given lists for generators."""
    taken = [tuple([list(a) if isinstance(a, iterators.Half) else a for a in given]) for given in (args, tangents)]
    inner = type(record)(pushforward, (f, *taken), record.keywords, tuple(record.positions()))
    value = inner.run()

    def backward(grads, g):
        found = inner.found(grads, g)
        for place, given in ((2, tangents), (1, args)):
            parts = list(found.get(place) or [None] * len(given))
            for k in range(len(given) - 1, -1, -1):
                if isinstance(given[k], iterators.Half):
                    parts[k] = iterators.given_back(grads, given[k], taken[place - 1][k], parts[k])
            found[place] = parts
        return found
    record.backward, record.structured = backward, inner.structured
    return value


def managed(record, args, parts, along, twin):
    """A context made of a generator, whose twin gives values with their tangents: it stands for both.

    parts, along, twin : what calls the generator, the tangents of what it is given, and its twin
    """
    at, wanted, given = len(parts.lead), set(record.positions()), (*parts.lead, *args[1])
    places = {k: p for k, (p, _) in twin.picks.items()}
    flags = (*(range(at) if 0 in wanted else ()), *(range(at, len(given)) if 1 in wanted else ()),
             *(p for k, p in places.items() if (2 if k >= at else 'df') in wanted))
    inner = type(record)(twin.twin, given, twin.given(given, along), flags)

    def backward(grads, g):
        found = inner.found(grads, g)
        if 0 in wanted and parts.own is not None:
            grads.give(given[parts.own], found.get(parts.own))
        of_args = [found.get(k) for k in range(at, len(given))]
        of_tangents = [found.get(places.get(k)) for k in range(at, len(given))]
        return {1: of_args, 2: of_tangents, 'df': found.get(places.get(parts.own))}
    context = iterators.Managed(inner.run())
    record.backward = backward
    return context, context


def taken_apart(record, f, args):
    """`drained(pairs)` and `pairs_apart(pairs)`: the values and the tangents that the twin of a generator yields."""
    source, = args
    if f is drained and isinstance(source, iterators.Generated):
        halves = iterators.Halves(source)
        record.backward = lambda grads, g: {}
        return iterators.Half(halves, 0), iterators.Half(halves, 1)
    pairs = list(source)
    values, tangents = pairs_apart(pairs)
    record.structured = True

    def backward(grads, g):
        if g is None:
            return {}
        given = [part if part is not None else [None] * len(pairs) for part in g]
        if isinstance(source, iterators.Generated):
            return {0: iterators.given_back(grads, source, pairs, list(zip(*given)))}
        return {0: list(zip(*given))}
    record.backward = backward
    return values, tangents


def thrown_again(record, f, args):
    """A new exception and its tangent, which hold what they are given."""
    made, tangent = f(*args, **record.keywords)
    record.backward = lambda grads, g: {1: held(grads, made, made, args[1]), 2: held(grads, made, tangent, args[1])}
    return made, tangent


def initialized_again(record, f, args):
    """The same for the `__init__` of an exception that is there."""
    init, given, *_ = args
    made, tangent = init.__self__, record.keywords.get('df')
    value = f(*args, **record.keywords)
    record.backward = lambda grads, g: {1: held(grads, made, made, given), **(
        {} if tangent is None else {2: held(grads, made, tangent, given)})}
    return value


def held(grads, error, owner, given):
    """The gradients of what an exception has been given, as a list; or of their tangents, which the owner holds."""
    found = held_by_exception(error, grads.parts(owner))
    return [found.get(k) for k in range(len(given))]


def of_form(form, found):
    """The gradient of a callable, of those of the arguments that it brings."""
    if form is None:
        return None
    return {key: of_form(part, found) for key, part in form.items()} if isinstance(form, dict) else found.get(form)


methods.FUNCTIONS.update({pushforward: pushed, drained: taken_apart, pairs_apart: taken_apart, initialize: initialized_again})
methods.FUNCTIONS.update(dict.fromkeys([throw, thrown], thrown_again))
methods.FUNCTIONS.update(dict.fromkeys([with_tangent, without_tangent, tangent_of_error], methods.no_effect))
