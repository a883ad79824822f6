"""Twins that follow a rebound name: what stands in the closure cell of a derivative in place of an emitted twin.

A derivative calls `g_primal` and `g_adjoint` where the user's function calls `g`. If `g` has been rebound since, the user's
function would call something else, and so must its derivative: the twins are made anew, for what the name denotes now.
"""
from tangent import errors
from tangent.numba import options


class Pair:
    """The primal and adjoint twins for the calls of one name in one namespace.

    Parameters
    ----------
    lookup : resolve.Lookup
        Gives what the name denotes now.
    callee : object
        What it denoted when the twins were made.
    remake : callable
        callee -> (primal, adjoint) functions
    """

    def __init__(self, lookup, callee, remake):
        self.lookup, self.callee, self.remake = lookup, callee, remake
        self.functions = {}
        self.namespace, self.name = lookup.plain or ({}, '')

    def renew(self, callee):
        self.functions['primal'], self.functions['adjoint'] = self.remake(callee)
        self.callee = callee


class Twin:
    """One of a pair, to be called like the emitted function (`plain`)."""

    def __init__(self, pair, kind, function):
        self.pair, self.plain = pair, function
        self.__name__ = function.__name__
        self.functions = pair.functions
        self.functions[kind] = function
        options.callable_from_numba(self)

    def __repr__(self):
        return f'<twin {self.__name__}>'


class Primal(Twin):
    def __call__(self, /, *args, **keywords):
        pair = self.pair
        namespace = pair.namespace
        if namespace.get(pair.name) is not pair.callee:
            now = pair.lookup()
            if now is not pair.callee:
                pair.renew(now)
        return self.functions['primal'](*args, **keywords)

    def current(self):
        """The emitted function for what the name denotes now."""
        now = self.pair.lookup()
        if now is not self.pair.callee:
            self.pair.renew(now)
        return self.functions['primal']


class Adjoint(Twin):
    def __call__(self, /, *args):
        return self.functions['adjoint'](*args)

    def current(self):
        return self.functions['adjoint']


def stand_ins(lookup, callee, remake):
    """What makes of each of two emitted twins the object that stands for it."""
    pair = Pair(lookup, callee, remake)
    return lambda function: Primal(pair, 'primal', function), lambda function: Adjoint(pair, 'adjoint', function)


def stand_in(lookup, callee, remake):
    """The same for an emitted twin of forward mode, which stands alone."""
    pair = Pair(lookup, callee, lambda now: (remake(now), None))
    return lambda function: Primal(pair, 'primal', function),


def in_their_place(wanted, before, source):
    """The parameters of a function that stand where those wanted stood in the one that its name denoted before.

    before : the arguments of that one, as its definition has them

    Raises
    ------
    ArgumentTypeError
        Where that is not known: it has none there, or has the same one elsewhere.
    """
    old, now = places(before), places(source.tree.args)
    there = {place: name for name, place in now.items()}
    found = tuple([there.get(old[name]) for name in wanted])
    if any(new is None or new != name and name in now for name, new in zip(wanted, found)):
        raise errors.ArgumentTypeError(f'{source.name} ({source.filename}:{source.first}) has other parameters than the '
                                       'function of this name for which the derivative was made: make it again')
    return found


def places(args):
    """Name of a parameter -> where it stands in the signature; those that only have names stand under these."""
    several = [(a.id, mark) for a, mark in ((args.vararg, '*'), (args.kwarg, '**')) if a]
    return {a.id: k for k, a in enumerate(args.posonlyargs + args.args)} | {a.id: a.id for a in args.kwonlyargs} | dict(several)
