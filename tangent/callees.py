"""Effects of callees: into which of its arguments may a user function write?

Read off its source, and the sources of what it calls. A function whose source cannot be read is taken to write nothing,
except for those of NumPy and the standard library that are known to.
"""
from __future__ import annotations

import dataclasses
import inspect
import types

import gast

from tangent import rules, substitutes, tree
from tangent.alias import Aliases
from tangent.desugar.imports import imported
from tangent.errors import TangentError
from tangent.inner import Nested
from tangent.resolve import UNKNOWN, Resolver, local_names
from tangent.scopes import inside
from tangent.source import original, read

FIRST = frozenset('''copyto put place putmask fill_diagonal put_along_axis shuffle at setattr setitem heapify heappush
    heappop insort'''.split())


class Effects:
    """Which arguments of a call are written into: asked as `effects(function, call)`."""

    def __init__(self):
        self.known = {}                        # function -> (parameters written into, parameters updated by `x += v`)
        self.kept = {}                         # function -> parameters that are held by its value, or by anything else

    def __call__(self, function, call):
        """(arguments written into, arguments updated in place if they are arrays) of a call, as trees."""
        ours = str(getattr(function, '__module__', None)).startswith('tangent.') \
            or substitutes.chosen(function, None, ())[0] is not function or function is dataclasses.replace
        if function is UNKNOWN or ours or rules.lookup(function) is not None:
            return [], []
        if not isinstance(function, (types.FunctionType, Nested)):
            return call.args[:1] if getattr(function, '__name__', '') in FIRST else [], []
        if getattr(function, '__name__', '') in FIRST and (function.__module__ or '').startswith('numpy'):
            return call.args[:1], []
        try:
            bound = signature(function).bind(*call.args, **{k.arg: k.value for k in call.keywords if k.arg})
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

    def lets_go(self, function, call, arg):
        """Whether an argument of a call is surely not kept: neither by the value nor by anything else."""
        if not isinstance(function, (types.FunctionType, Nested)) or rules.lookup(function) is not None:
            return False
        try:
            bound = signature(function).bind_partial(*call.args, **{k.arg: k.value for k in call.keywords if k.arg}).arguments
            source = source_of(function)
        except (TypeError, ValueError, TangentError):
            return False
        name = next((p for p, e in bound.items() if e is arg), None)
        called = sum(isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id == name
                     for n in inside(source.tree.body))
        return name is not None and called == sum(n == name for s in source.tree.body for n in tree.names(s, gast.Load))

    def keeps(self, function, call, arg):
        """Whether what a user function is given for an argument may be held, in whole or in part, when it is done."""
        if not self.knows(function):
            return True
        try:
            bound = signature(function).bind(*call.args, **{k.arg: k.value for k in call.keywords if k.arg}).arguments
        except (TypeError, ValueError):
            return True
        name = next((p for p, e in bound.items() if e is arg), None)
        return name is None or name in self.kept.get(function, (name,))

    def knows(self, function):
        return self.of(function) != UNREAD

    def of(self, function):
        if function not in self.known:
            self.known[function] = UNREAD      # a recursive call adds nothing new
            self.known[function] = self.read(function) if rules.lookup(function) is None else ([], [])
        return self.known[function]

    def read(self, function):
        if isinstance(getattr(function, 'source', None), str) and not hasattr(function, 'pushes'):
            return UNREAD                      # a derivative of ours takes from its tape, which nobody else reads
        try:
            source = source_of(function)
        except TangentError:
            return UNREAD
        known = {**imported(source.tree, source), **getattr(source, 'visible', {})}
        resolver = Resolver(source, local_names(source.tree), known)
        aliases = Aliases(source.tree, resolver, self)
        params = tree.names(source.tree.args, gast.Param)
        families = {p: aliases.family(p) | {p} for p in params}
        self.kept[function] = kept(source.tree, aliases, families)
        return tuple([p for p in params if any(n in families[p] for _, n in found)]
                     for found in (aliases.writes, aliases.updates))


def kept(function, aliases, families):
    """Parameters that a function hands on: those that it returns or that may be in something it writes into."""
    nodes = tree.walk(function)
    if aliases.writes or any(isinstance(n, (gast.Lambda, gast.FunctionDef, gast.Yield, gast.YieldFrom, gast.Global))
                             for s in function.body for n in tree.walk(s)):
        return set(families)
    found = set().union(*(aliases.handed_on(n.value) for n in nodes if isinstance(n, gast.Return) and n.value is not None))
    return {p for p, family in families.items() if found & family}


def signature(function):
    return function.signature if isinstance(function, Nested) else inspect.signature(function, follow_wrapped=False)


def source_of(function):
    return function.source if isinstance(function, Nested) else read(original(function))


UNREAD = ((), ())
