"""Builders that are lent: lists and dicts that a function is given, changes, and lets go of.

    def push(xs, v):           def push_adjoint(saved, bxs):             for i in range(n):
        xs.append(v * v)           bv = bxs.pop()                            push(xs, i * x)
                                   return bv * 2 * saved

The gradient of such a list goes with it: the adjoint of what it is lent to changes it in place, as its statements would
where the list was made. So nothing but the text of the two may see the list: it has one name there, and one here.
"""
from __future__ import annotations

import collections
import types
from collections.abc import Mapping
from typing import NamedTuple

import gast

from tangent.analysis.generators import is_generator_call
from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, Resolver, local_names
from tangent.frontend.source import uncompiled
from tangent.runtime import facts
from tangent.templates.language import registry
from tangent.templates.python import mutations

METHODS = frozenset(n for kind in (list, dict, collections.deque) for n in dir(kind) if n[0] != '_')
METHODS -= {*mutations.VIEWS, 'copy'}
OPERATIONS = gast.Compare, gast.BinOp, gast.UnaryOp
TESTS = gast.If, gast.While, gast.IfExp, gast.Assert


class Done(NamedTuple):
    """What a function does that is lent builders.

    put : parameters that it may put into them
    written : parameters into which it writes, but for what it does to these by their own names
    flows : parameter into which it writes, these among them -> the parameters on which depends what it writes there
    """
    put: frozenset = frozenset()
    written: frozenset = frozenset()
    flows: Mapping = types.MappingProxyType({})


class Lending:
    """To which functions a builder may be lent.

    source_of : gives the source of a function
    """

    def __init__(self, effects, source_of):
        self.effects, self.source_of = effects, source_of
        self.known: dict = {}                 # (function, parameter) -> whether it lets go of that
        self.asked: list = []                 # those that are looked at
        self.settled: dict = {}               # (function, parameters that are lent) -> Done
        self.estimates: dict = {}             # the same, as far as is known while one is looked at
        self.visited = None                   # those that were looked at in this round, while one is going on

    def lent(self, call, resolver, names):
        """Those of the names, of builders, of which a function that is called changes what they hold: it is given each once,
        and lets go of it."""
        given = [e.id for e in tree.arguments(call) if isinstance(e, gast.Name) and e.id in names]
        function = uncompiled(resolver(call.func)) if given else None
        if not isinstance(function, (types.FunctionType, Nested)) or registry.lookup(function) is not None \
                or registry.custom(function) is not None or tree.is_starred(call) or is_generator_call(call, resolver) \
                or not self.effects.knows(function):
            return []
        written, updated = ({n for e in found for n in tree.names(e, gast.Load)} for found in self.effects(function, call))
        bound = {e.id: p for p, found in self.effects.bound(function, call).items() for e in found if isinstance(e, gast.Name)}
        return [n for n in given if n in written - updated and given.count(n) == 1 and n in bound
                and self.lets_go(function, bound[n]) and bound[n] not in self.done(function, (bound[n],)).written]

    def others(self, call, resolver, lent):
        """(arguments of a call that the function may put into builders which it is lent, arguments into which it writes, those
        of which it writes into what they hold), of all but these."""
        function, bound, params = self.bound(call, resolver, lent)
        done, deep = self.done(function, params), self.effects.of(function).deep
        return tuple([e for p in names if p not in params for e in bound.get(p, ())] for names in (
            done.put, done.written, done.written.intersection(deep)))

    def effects_of(self, names, resolver, function, call):
        """What the Effects say of a call, where lists and dicts of these names may be lent."""
        lent = self.lent(call, resolver, names)
        return ([*map(tree.load, lent), *self.others(call, resolver, lent)[1]], []) if lent else self.effects(function, call)

    def flowing(self, call, resolver, lent):
        """(an argument that the function writes into, arguments on which it depends what it writes there) for each."""
        function, bound, params = self.bound(call, resolver, lent)
        flows = self.done(function, params).flows
        return [(e, [a for q in found for a in bound.get(q, ())]) for p, found in flows.items() for e in bound.get(p, ())]

    def bound(self, call, resolver, lent):
        """(the function that is called, its parameters -> arguments, those that are lent)."""
        function = uncompiled(resolver(call.func))
        bound = self.effects.bound(function, call)
        return function, bound, tuple(p for p, found in bound.items() if any(getattr(e, 'id', None) in lent for e in found))

    def done(self, function, params):
        """The Done of a function that is lent these parameters."""
        key = function, params
        if key in self.settled:
            return self.settled[key]
        if self.visited is not None:                                   # called by one that is looked at
            if key not in self.visited:
                self.visited.add(key)
                found = Done(*self.effects.beside(function, params, self))
                self.grown |= found != self.estimates.get(key)
                self.estimates[key] = found
            return self.estimates.get(key, Done())
        self.estimates, self.grown = {}, True
        while self.grown:                                              # what is said of those that call themselves only grows
            self.visited, self.grown = set(), False
            self.done(function, params)
        self.visited = None
        self.settled.update(self.estimates)
        return self.settled[key]

    def lets_go(self, function, parameter):
        """Whether a function does no more with a parameter than change what it holds, and read its elements."""
        key = function, parameter
        if key not in self.known:
            self.known[key] = True                                     # of one that calls itself, where nothing else is said
            before = len(self.asked)
            self.asked.append(key)
            self.known[key] = self.is_let_go(function, parameter)
            if not self.known[key]:                                    # what was found of others in the belief that it does
                for other in self.asked[before + 1:]:
                    self.known.pop(other, None)
            if before == 0 or not self.known[key]:
                del self.asked[before:]
        return self.known[key]

    def is_let_go(self, function, parameter):
        found, source = self.effects.of(function), self.source_of(function)
        tree_of, starred = source.tree, (source.tree.args.vararg, source.tree.args.kwarg)
        if found.raises or parameter in (*found.deep, *found.aliased, *found.unsure) or any(starred) \
                or any(getattr(source, what, None) for what in ('tried', 'is_loop', 'passive')):
            return False
        resolver = Resolver(source, local_names(tree_of), getattr(source, 'visible', {}))
        used = sum(getattr(n, 'id', None) == parameter for s in tree_of.body for n in tree.walk(s))
        return used == len([*self.uses(tree_of.body, parameter, resolver)])

    def uses(self, body, name, resolver):
        """The places in which a name is used so that nothing holds on to what it holds."""
        for node in (n for s in body for n in tree.walk(s)):
            if isinstance(node, gast.Subscript):
                found = [node.value]
            elif isinstance(node, gast.Attribute):
                found = [node.value] if node.attr in METHODS else []
            elif isinstance(node, OPERATIONS):
                found = [*tree.children(node)]
            elif isinstance(node, TESTS):
                found = tested(node.test)
            elif isinstance(node, (gast.For, gast.comprehension)):
                found = self.iterated(node.iter, resolver)
            elif isinstance(node, gast.Call):
                found = self.handed(node, name, resolver)
            else:
                found = ()
            yield from [e for e in found if getattr(e, 'id', None) == name]

    def iterated(self, expr, resolver):
        """What a loop goes through."""
        if isinstance(expr, gast.Call) and resolver(expr.func) in (enumerate, zip, reversed):
            return [e for a in expr.args for e in self.iterated(a, resolver)]
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr in mutations.VIEWS:
            return [expr.func.value]
        return [expr]

    def handed(self, call, name, resolver):
        """Arguments of a call that the function only reads, or to which it is lent in turn."""
        function = uncompiled(resolver(call.func))
        users = isinstance(function, (types.FunctionType, Nested)) and registry.lookup(function) is None
        if users and self.effects.knows(function):
            bound = self.effects.bound(function, call)
            return [e for p, found in bound.items() for e in found if getattr(e, 'id', None) == name
                    and self.lets_go(function, p)]
        reads = function is len or facts.of(function).takes == 'now' or registry.lookup(function) is not None
        return call.args if reads and function is not UNKNOWN and facts.of(function).takes != 'later' else []


def tested(expr):
    """The parts of a test of which is asked whether there is anything in them."""
    return [e for part in expr.values for e in tested(part)] if isinstance(expr, gast.BoolOp) else [expr]
