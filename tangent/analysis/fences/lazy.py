"""Iterators that Python goes through step by step, and a derivative at once.

    map(f, y), itertools.chain(y, z), ...            their tangents, or they themselves, are lists
    zip(y, z), enumerate(y), d.values()              the header of a loop reads them as Python does
    numbered(y), a generator function's              the same; the log form goes through it as Python does elsewhere, too

Those of the second line have a list in their place in reverse mode alone, those of the third in forward mode alone.
"""
from __future__ import annotations

import collections
import itertools
import types

import gast

from tangent.analysis.mutated_lists import VIEWS
from tangent.frontend import tree
from tangent.frontend.nested import Nested, generates
from tangent.frontend.resolve import UNKNOWN, pushed
from tangent.frontend.scopes import COMPREHENSIONS
from tangent.runtime import facts
from tangent.runtime.references.itertools import TABLE

WHOLE = frozenset([itertools.product, itertools.combinations, itertools.combinations_with_replacement, itertools.permutations,
                   itertools.repeat])              # they take all there is when they are made
ITERATORS = frozenset([map, filter, itertools.starmap, itertools.accumulate, *TABLE]) - WHOLE
HEADERS = frozenset([zip, enumerate, reversed, iter])
ONCE = frozenset([zip, enumerate, reversed])
QUESTIONS = frozenset([isinstance, type, callable, print, id, hasattr])
PARTLY = frozenset([zip, any, all, itertools.islice, itertools.takewhile])          # they need not come to the end
LEAVING = gast.Break, gast.Return
LATER = gast.Lambda, gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef


class Lazy:
    """Asked as `lazy(expr)`: whether an expression is such an iterator.

    forward : whether it is for forward mode
    steps : the calls (their `id`) of generators that are gone through step by step all the same
    """

    def __init__(self, resolver, effects, forward=False, steps=frozenset()):
        self.resolver, self.effects, self.forward, self.steps = resolver, effects, forward, steps

    def __call__(self, expr):
        return isinstance(expr, gast.GeneratorExp) or self.is_made_at_once(expr) or self.in_loops(expr)

    def is_made_at_once(self, expr):
        function = self.resolver(expr.func) if isinstance(expr, gast.Call) else UNKNOWN
        return among(function, ITERATORS) or isinstance(function, types.FunctionType) and self.effects.gives_iterator(function)

    def in_loops(self, expr):
        """Whether it has a list in its place unless the header of a loop goes through it."""
        function = self.resolver(expr.func) if isinstance(expr, gast.Call) else UNKNOWN
        if self.forward:
            return generates(function) and id(expr) not in self.steps
        return among(function, ONCE) or self.is_view(expr)

    def is_view(self, expr):
        """Whether it is `d.values()` and the like."""
        return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr in VIEWS \
            and not expr.args and self.resolver(expr.func) is UNKNOWN


    def is_pushed(self, expr):
        """Whether it is such a view beside that of the tangents, under names: `pushforward(d.values, (), ())`."""
        inside = pushed(expr, self.resolver) if isinstance(expr, gast.Call) else None
        return isinstance(inside, gast.Attribute) and inside.attr in VIEWS and not getattr(expr.args[1], 'elts', True)


def among(function, table):
    """Whether a function is in a table; what cannot be hashed is in none."""
    try:
        return function in table
    except TypeError:
        return False


def parts(expr):
    """The expressions that an iterator is made of."""
    if isinstance(expr, gast.GeneratorExp):
        return [expr.generators[0].iter]
    owner = [expr.func.value] if isinstance(expr.func, gast.Attribute) else []
    return [*owner, *tree.arguments(expr)]


class Through:
    """How often one run of a function may go through what a name holds, at the most: 2 stands for more than once.

    An iterator that is gone through again gives what the first has left of it, or nothing, where a list gives all once more.

    wholly : whether to leave some of it counts as much
    """

    def __init__(self, resolver, effects, wholly=False):
        self.resolver, self.effects, self.wholly = resolver, effects, wholly

    def block(self, stmts):
        for k, s in enumerate(stmts):
            if isinstance(s, gast.If):
                ways = [self.block(s.body), self.block(s.orelse)]
                rest = self.block(stmts[k + 1:])
                ways = [way if ends(b) else way + rest for way, b in zip(ways, (s.body, s.orelse))]
                return self.block(stmts[:k]) + self.of(s.test) + (ways[0] | ways[1])
        return sum(map(self.statement, stmts), collections.Counter())

    def statement(self, s):
        if isinstance(s, LATER):
            return twice(self.loads(s))
        found = sum(map(self.of, tree.header(s)), collections.Counter())
        if self.wholly and isinstance(s, gast.For) and any(isinstance(n, LEAVING) for n in tree.walk_scope(s.body)):
            found += self.of(s.iter)
        for _, block in tree.blocks(s):
            each = self.block(block)
            found += twice(each) if isinstance(s, (gast.For, gast.While)) else each
        return found

    def of(self, node):
        """The same of an expression."""
        if isinstance(node, gast.Name):
            return collections.Counter([node.id] if isinstance(node.ctx, gast.Load) else [])
        if isinstance(node, gast.IfExp):
            return self.of(node.test) + (self.of(node.body) | self.of(node.orelse))
        if isinstance(node, COMPREHENSIONS):
            first, *_ = node.generators
            return self.of(first.iter) + twice(self.loads(node) - self.loads(first.iter))
        if isinstance(node, LATER):
            return twice(self.loads(node))
        parts = [e for e in tree.children(node) if not (isinstance(node, gast.Compare) and isinstance(e, gast.Name))]
        if self.wholly and isinstance(node, gast.Call) and among(self.resolver(node.func), PARTLY):
            return twice(sum(map(self.of, parts), collections.Counter()))
        if isinstance(node, gast.Call):
            again, asked = self.again(node), among(self.resolver(node.func), QUESTIONS)
            parts = [e for e in parts if not (asked and isinstance(e, gast.Name))]
            return sum((twice(self.of(e)) if e in again else self.of(e) for e in parts), collections.Counter())
        return sum(map(self.of, parts), collections.Counter())

    def again(self, call):
        """The arguments of a call that the callee goes through more than once, or takes one value from."""
        function = self.resolver(call.func)
        if function is next:
            return call.args[:1]
        library = not isinstance(function, (types.FunctionType, Nested)) or facts.in_library(function)
        again = () if library else self.effects.again(function, self.wholly)
        return [e for p, given in self.effects.bound(function, call).items() if p in again for e in given] if again else []

    def loads(self, node):
        return collections.Counter(tree.names(node, gast.Load))


def ends(block):
    return bool(block) and isinstance(block[-1], (gast.Return, gast.Raise))


def twice(counts):
    return counts + counts


def gone_through_again(function, resolver, effects, wholly=False):
    """Parameters that a function may go through more than once, or take one value from: not those that have a length.

    wholly : those of which it may leave some, too
    """
    found = Through(resolver, effects, wholly).block(function.body)
    asked = {n.args[0].id for s in function.body for part in tree.header(s) for n in tree.walk(part)
             if isinstance(n, gast.Call) and len(n.args) == 1 and isinstance(n.args[0], gast.Name) and resolver(n.func) is len}
    return frozenset(p for p in tree.names(function.args, gast.Param) if found[p] > 1 and p not in asked)
