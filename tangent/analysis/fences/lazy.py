"""Iterators that Python goes through step by step, and a derivative at once.

    map(f, y), itertools.chain(y, z), ...            their tangents, or they themselves, are lists
    zip(y, z), enumerate(y), d.values()              the header of a loop reads them as Python does
    numbered(y), a generator function's              the same; the log form goes through it as Python does elsewhere, too

Those of the second line have a list in their place in reverse mode alone, those of the third in forward mode alone.
"""
import collections
import itertools
import types

import gast

from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested, generates
from tangent.frontend.resolve import UNKNOWN, pushed
from tangent.frontend.scopes import COMPREHENSIONS
from tangent.runtime import facts
from tangent.runtime.references.itertools import TABLE
from tangent.templates.python import mutations

WHOLE = frozenset([itertools.product, itertools.combinations, itertools.combinations_with_replacement, itertools.permutations,
                   itertools.repeat])              # they take all there is when they are made
ITERATORS = frozenset([map, filter, itertools.starmap, itertools.accumulate, *TABLE]) - WHOLE
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
        return is_once(function) or self.is_view(expr)

    def is_view(self, expr):
        """Whether it is `d.values()` and the like."""
        return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr in mutations.VIEWS \
            and not expr.args and self.resolver(expr.func) is UNKNOWN


    def is_pushed(self, expr):
        """Whether it is such a view beside that of the tangents, under names: `pushforward(d.values, (), ())`."""
        inside = pushed(expr, self.resolver) if isinstance(expr, gast.Call) else None
        return isinstance(inside, gast.Attribute) and inside.attr in mutations.VIEWS and not getattr(expr.args[1], 'elts', True)


def among(function, table):
    """Whether a function is in a table; what cannot be hashed is in none."""
    try:
        return function in table
    except TypeError:
        return False


def in_headers(function):
    """Whether it is `zip` and the like, an iterator over the elements of what it is given."""
    return facts.of(function).takes == 'later' and facts.of(function).calls is None


def is_once(function):
    """Whether it is such an iterator with a list in its place in derivatives."""
    return in_headers(function) and function is not iter


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
        return total(map(self.statement, stmts))

    def statement(self, s):
        if isinstance(s, LATER):
            return twice(self.loads(s))
        found = total(map(self.of, tree.header(s)))
        if self.wholly and isinstance(s, gast.For) and any(isinstance(n, LEAVING) for n in tree.walk_scope(s.body)):
            found += self.of(s.iter)
        for _, block in tree.blocks(s):
            each = self.block(block)
            found += twice(each) if isinstance(s, (gast.For, gast.While)) else each
        return found

    def of(self, node):
        """The same of an expression."""
        if isinstance(node, gast.Name):
            return collections.Counter({node.id: 1} if isinstance(node.ctx, gast.Load) else {})
        if isinstance(node, gast.IfExp):
            return self.of(node.test) + (self.of(node.body) | self.of(node.orelse))
        if isinstance(node, COMPREHENSIONS):
            first, *_ = node.generators
            return self.of(first.iter) + twice(self.loads(node) - self.loads(first.iter))
        if isinstance(node, LATER):
            return twice(self.loads(node))
        looked_at = isinstance(node, gast.Compare) and not searches(node)
        parts = [e for e in tree.children(node) if not (looked_at and isinstance(e, gast.Name))]
        if self.wholly and isinstance(node, gast.Compare) and searches(node):
            return twice(total(map(self.of, parts)))
        if self.wholly and isinstance(node, gast.Call) and facts.of(self.resolver(node.func)).leaves:
            return twice(total(map(self.of, parts)))
        if isinstance(node, gast.Call):
            again, asked = self.again(node), facts.of(self.resolver(node.func)).tells
            parts = [e for e in parts if not (asked and isinstance(e, gast.Name))]
            return total(twice(self.of(e)) if e in again else self.of(e) for e in parts)
        return total(map(self.of, parts))

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


def searches(node):
    """Whether it is `v in xs`, which goes through the values as far as it has to."""
    return isinstance(node, gast.Compare) and any(isinstance(op, (gast.In, gast.NotIn)) for op in node.ops)


class Parted:
    """Finds the nodes where a derivative would take another part of an iterator with a name than Python does.

    names : {name of an iterator: how often it is read}
    """

    def __init__(self, function, names, resolver, effects):
        self.names, self.resolver, self.effects = names, resolver, effects
        self.nodes = [n for s in function.body for n in tree.walk(s)]
        self.calls = [n for n in self.nodes if isinstance(n, gast.Call)]
        self.whole = {id(e) for n in self.calls if facts.of(resolver(n.func)).takes_all for e in n.args}
        self.loops = {id(n.iter): n for n in self.nodes if isinstance(n, (gast.For, gast.comprehension))}
        inner = [e for n in self.calls if id(n) in self.loops and is_once(resolver(n.func)) for e in n.args]
        self.headers = self.loops.keys() | {id(e) for e in inner}
        self.named = {id(n.value) for n in self.nodes if isinstance(n, gast.Assign)}
        self.in_step = self.whole | self.named | self.headers

    def by_values(self):
        """Where values are taken, and not the tangents: forward mode takes these in loops, and by `next`, `list` and `sum`."""
        return [n for n in self.nodes if any(map(self.is_named, self.taken(n)))]

    def names_left(self, derivative):
        """The names of these; in a derivative, values and their tangents are zipped, which end together."""
        zipped = [e for n in self.calls if id(n) in self.headers and not derivative for e in self.one_further(n)]
        return frozenset(e.id for e in [*zipped, *(e for n in self.nodes for e in self.taken(n))] if self.is_named(e))

    def one_further(self, call):
        """The arguments of a zip of which it may take one value more than it gives: the next of them ends there."""
        function = self.resolver(call.func)
        return call.args[:-1] if function is zip or facts.is_helper(function, 'zipped') else []

    def taken(self, node):
        """What a node may take a part of."""
        if searches(node):
            return node.comparators
        if not isinstance(node, gast.Call):
            return []
        function = self.resolver(node.func)
        given = [e.generators[0].iter if isinstance(e, gast.GeneratorExp) else e for e in node.args]
        if facts.home(function) == 'itertools' or function is any or function is all:
            return given
        if function is map or function is filter:
            return [] if id(node) in self.whole else given
        if is_once(function) and id(node) in self.whole:
            return self.one_further(node) if self.again(given) and not all(map(self.is_named, given)) else []
        if is_once(function):
            return [] if id(node) in self.in_step else given
        return self.given(node, self.effects.parted(function))

    def at_once(self):
        """Where `map(f, it)` and the like, a list in reverse mode, may be left before its end, or `it` is read between."""
        in_part = {id(e) for n in self.calls for e in self.left(n)}
        return [n for n in self.calls if any(map(self.is_named, n.args))
                and (is_once(f := self.resolver(n.func)) or among(f, ITERATORS)) and (id(n) in in_part or self.is_between(n))
                or id(n) not in self.headers and self.one_further(n) and self.again(n.args)]

    def left(self, call):
        """The arguments of which a call may leave some."""
        function = self.resolver(call.func)
        if function is next or function is any or function is all:
            return call.args[:1]
        plain = isinstance(function, (types.FunctionType, Nested)) and not facts.in_library(function)
        return self.given(call, self.effects.again(function, True)) if plain else []

    def is_between(self, call):
        again = self.again(call.args)
        loop = self.loops.get(id(call))
        if isinstance(loop, gast.For) and among(self.resolver(call.func), ITERATORS):
            inside = list(tree.walk_scope(loop.body))
            return bool(again) and any(isinstance(n, LEAVING) or isinstance(n, gast.Name) and n.id in again for n in inside)
        return bool(again) and id(call) in self.named

    def again(self, exprs):
        """The names of iterators among expressions that are read elsewhere, too."""
        return [e.id for e in exprs if self.is_named(e) and self.names[e.id] > 1]

    def given(self, call, params):
        """The arguments of a call that these parameters stand for."""
        bound = self.effects.bound(self.resolver(call.func), call).items() if params else ()
        return [e for p, es in bound if p in params for e in es]

    def is_named(self, expr):
        return isinstance(expr, gast.Name) and expr.id in self.names


def iterators(function, resolver):
    """Name of an iterator, which can be gone through once -> how often it is read.

    Where lists, dicts or objects hold iterators, what is read of these may be one.
    """
    names, displays = set(), {}
    for s in (s for s in tree.every(function.body) if isinstance(s, gast.Assign)):
        displays[tree.target(s)] = s.value
        whole = displays.get(getattr(s.value, 'id', None), s.value)             # `t = i, j; a, b = t`
        for target, value in (pair for t in s.targets for v in (s.value, whole) for pair in tree.side_by_side(t, v)):
            made = is_iterator(value, resolver)
            if isinstance(target, gast.Name) and (made or isinstance(value, gast.Name) and value.id in names):
                names.add(target.id)
    nodes = [n for s in function.body for n in tree.walk(s)]
    assigned = [n for n in nodes if isinstance(n, gast.Assign)]
    held = [e for n in nodes if isinstance(n, (gast.List, gast.Dict)) for e in tree.children(n)]
    held += [n.value for n in assigned if any(isinstance(t, (gast.Attribute, gast.Subscript)) for t in n.targets)]
    if any(is_iterator(e, resolver) or getattr(e, 'id', None) in names for e in held):
        names |= {tree.target(n) for n in assigned if isinstance(n.value, (gast.Attribute, gast.Subscript))} - {None}
    read = collections.Counter(n.id for n in tree.walk(function) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load))
    return {n: read[n] for n in names}


def is_iterator(expr, resolver):
    """Whether it is a call of `iter`, `zip` and the like."""
    return isinstance(expr, gast.Call) and facts.of(resolver(expr.func)).takes == 'later'


def refuse_parts(function, resolver, effects, source, flows, forward=False):
    """Refuse to take a part of an iterator with a derivative where the derivative would take another; the `iterators`."""
    names = iterators(function, resolver)
    parted = Parted(function, {n: count for n, count in names.items() if flows(tree.load(n))}, resolver, effects)
    for node in parted.by_values() if forward else parted.at_once():
        raise subset.unsupported(node, source, 'iterators with a derivative of which a part is taken',
                                 'make a list of it first: list(...)')
    return names


def ends(block):
    return bool(block) and isinstance(block[-1], (gast.Return, gast.Raise))


def total(counts):
    """The sum of these; most of them are empty."""
    found = None
    for each in filter(None, counts):
        found = each if found is None else found + each
    return collections.Counter() if found is None else found


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
