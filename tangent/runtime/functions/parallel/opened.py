"""Callables that hold what has a derivative, opened: a call of the function inside, with what they hold among its arguments.

    client.submit(model.loss, x)            Model.loss(model, x)
    x.map_blocks(partial(model.loss, w))    Model.loss(model, w, x)
"""
import functools
import types

import numpy as np

from tangent.runtime import captures


def inside(f):
    """What is called where partials are: the function itself."""
    while isinstance(f, functools.partial):
        f = f.func
    return f


def owner_of(f):
    """(what stands for a callable that is no plain function, the object that it takes in front), or None."""
    if isinstance(f, types.MethodType):
        return None if isinstance(f.__self__, (type, types.ModuleType)) else (f.__func__, f.__self__)
    if isinstance(f, types.BuiltinMethodType):
        return (getattr(type(f.__self__), f.__name__), f.__self__) if isinstance(f.__self__, (np.ndarray, list)) else None
    plain = isinstance(f, (types.FunctionType, type)) or not isinstance(type(f).__call__, types.FunctionType)
    return None if plain else (type(f).__call__, f)


def holds(f):
    """Whether a derivative may flow through what a callable holds."""
    found = owner_of(inside(f))
    return bool(captures.environment(f)) or found is not None and captures.differentiable(found[1])


class Opened:
    """A call of a callable that holds what has a derivative.

    function, args, keywords, wanted : the call that stands for it, and the places of it that have gradients
    plain : whether partials of plain functions are opened, too, which have gradients as they are
    """

    def __init__(self, f, args, keywords, wanted, plain=False):
        self.function, self.args, self.keywords, self.wanted = f, tuple(args), dict(keywords), tuple(wanted)
        self.layers, found = [], owner_of(inside(f)) if 'f' in wanted else None
        if found is None and not (plain and 'f' in wanted):
            return
        while isinstance(self.function, functools.partial):
            outer = self.function
            self.put(outer.func, outer.args, {k: v for k, v in outer.keywords.items() if k not in self.keywords})
        if found is not None:
            self.put(found[0], found[1:], {})
        self.wanted = tuple(k for k in self.wanted if k != 'f')

    def put(self, function, own, named):
        """Call this function, with these arguments in front and these keywords more."""
        n = len(own)
        self.layers.append((self.function, n, tuple(named)))
        moving = [k for k, v in (*enumerate(own), *named.items()) if captures.differentiable(v)]
        self.wanted = (*moving, *(k + n if isinstance(k, int) else k for k in self.wanted))
        self.function, self.args, self.keywords = function, (*own, *self.args), {**named, **self.keywords}

    def closed(self, found):
        """Place -> gradient for the call itself, 'f' for the callable, from those of the call that stands for it."""
        inner = None
        for f, n, named in self.layers[::-1]:
            own = {k: g for k, g in found.items() if k in named or isinstance(k, int) and k < n}
            found = {k - n if isinstance(k, int) else k: g for k, g in found.items() if k not in own}
            if isinstance(f, functools.partial):
                inner = {**{k - n if isinstance(k, int) else k: g for k, g in own.items()}, '__func__': inner}
            else:
                inner = own.get(0)
        return {**found, 'f': inner} if self.layers else found
