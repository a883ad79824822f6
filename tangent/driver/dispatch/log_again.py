"""Forward mode at run time, in the log form: `pushforward` as a call of what it does for the arguments at hand."""
from __future__ import annotations

import types

from tangent.driver.dispatch.forward import Pushing, again, pushforward
from tangent.eventlog.shadow import iterators, methods
from tangent.runtime.tangents.yielded import drained
from tangent.runtime.zeros import exotic

METHODS = types.MethodType, types.BuiltinMethodType


def pushed(record, f, args):
    parts = again(*args, **record.keywords)
    at = len(parts.lead)
    wanted = list(record.positions())
    own = range(at) if 0 in wanted else ()
    flags = (*own, *(w + at if type(w) is int else w for w in wanted if w != 0))
    inner = type(record)(parts.base, (*parts.lead, *args), record.keywords, flags)

    def backward(grads, g):
        found = inner.found(grads, g)
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
    value = inner.run()
    record.backward, record.structured = backward, inner.structured
    return value


def taken_apart(record, f, args):
    """`drained(pairs)`: the values and the tangents that the twin of a generator yields."""
    source, = args
    pairs = list(source)
    values, tangents = [value for value, _ in pairs], [tangent for _, tangent in pairs]
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


def of_form(form, found):
    """The gradient of a callable, of those of the arguments that it brings."""
    if form is None:
        return None
    return {key: of_form(part, found) for key, part in form.items()} if isinstance(form, dict) else found.get(form)


methods.FUNCTIONS.update({pushforward: pushed, drained: taken_apart})
