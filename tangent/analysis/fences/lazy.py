"""Iterators that Python goes through step by step, and a derivative at once.

    map(f, y), itertools.chain(y, z), ...            their tangents, or they themselves, are lists
    zip(y, z), enumerate(y), d.values()              the header of a loop reads them as Python does
    numbered(y), a generator function's              the same; the log form goes through it as Python does elsewhere, too

Those of the second line have a list in their place in reverse mode alone, those of the third in forward mode alone.
"""
from __future__ import annotations

import itertools
import types

import gast

from tangent.analysis.mutated_lists import VIEWS
from tangent.frontend import tree
from tangent.frontend.nested import generates
from tangent.frontend.resolve import UNKNOWN, pushed
from tangent.runtime.references.itertools import TABLE

WHOLE = frozenset([itertools.product, itertools.combinations, itertools.combinations_with_replacement, itertools.permutations,
                   itertools.repeat])              # they take all there is when they are made
ITERATORS = frozenset([map, filter, itertools.starmap, itertools.accumulate, *TABLE]) - WHOLE
HEADERS = frozenset([zip, enumerate, reversed, iter])
ONCE = frozenset([zip, enumerate, reversed])


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
