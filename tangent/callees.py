"""Effects of callees: into which of its arguments may a user function write?

Read off its source, and the sources of what it calls. A function whose source cannot be read is taken to write nothing,
except for those of NumPy and the standard library that are known to.
"""
from __future__ import annotations

import inspect
import types

import gast

from tangent import rules, tree
from tangent.alias import Aliases
from tangent.errors import TangentError
from tangent.resolve import UNKNOWN, Resolver, local_names
from tangent.source import original, read

FIRST = frozenset('''copyto put place putmask fill_diagonal put_along_axis shuffle at setattr setitem heapify heappush
    heappop insort'''.split())


class Effects:
    """Which arguments of a call are written into: asked as `effects(function, call)`."""

    def __init__(self):
        self.known = {}                        # function -> (parameters written into, parameters updated by `x += v`)

    def __call__(self, function, call):
        """(arguments written into, arguments updated in place if they are arrays) of a call, as trees."""
        if function is UNKNOWN or rules.lookup(function) is not None:
            return [], []
        if not isinstance(function, types.FunctionType):
            return call.args[:1] if getattr(function, '__name__', '') in FIRST else [], []
        if getattr(function, '__name__', '') in FIRST and (function.__module__ or '').startswith('numpy'):
            return call.args[:1], []
        try:
            bound = inspect.signature(function).bind(*call.args, **{k.arg: k.value for k in call.keywords if k.arg})
        except (TypeError, ValueError):
            return [], []
        return tuple([bound.arguments[p] for p in found if isinstance(bound.arguments.get(p), gast.AST)]
                     for found in self.of(function))

    def readable(self, function):
        """Whether the source of a function can be read, so that what it writes is known."""
        try:
            read(original(function))
        except TangentError:
            return False
        return True

    def knows(self, function):
        return self.of(function) != UNREAD

    def of(self, function):
        if function not in self.known:
            self.known[function] = UNREAD      # a recursive call adds nothing new
            self.known[function] = self.read(function)
        return self.known[function]

    def read(self, function):
        try:
            source = read(original(function))
        except TangentError:
            return UNREAD
        resolver = Resolver(source, local_names(source.tree))
        aliases = Aliases(source.tree, resolver, self)
        params = tree.names(source.tree.args, gast.Param)
        families = {p: aliases.family(p) | {p} for p in params}
        return tuple([p for p in params if any(n in families[p] for _, n in found)]
                     for found in (aliases.writes, aliases.updates))


UNREAD = ((), ())
