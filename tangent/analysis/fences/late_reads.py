"""Iterators that read, after it has changed, what they were made of.

    g = map(f, y)                  for v in itertools.chain(y, z):           k = a
    y[0] = 3.0                         z[2] += v                             g = map(lambda v: v * k, y)
    s = sum(g)                                                               k = b

Derivatives go through `map`, those of `itertools` and the like at once, as if they made lists. That is the same unless
what they read is written into, or a name that their function captured is bound anew, before they have read it, or they are
gone through twice: a question of data flow, asked of the function as it was written.
"""
import itertools
import types
from typing import NamedTuple

import gast

from tangent.analysis.alias import COMPREHENSIONS, Aliases
from tangent.analysis.dataflow.cfg import Graph
from tangent.analysis.dataflow.solve import Analysis, solve
from tangent.analysis.fences.lazy import Through, among, in_headers, parts
from tangent.analysis.fences.places import BIND, DEEP, MOST, UPDATE, WRITE, Places, place
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import free
from tangent.runtime import facts
from tangent.templates.python import mutations

CHAINS = frozenset([itertools.chain, itertools.chain.from_iterable])           # what they count is not a place in each argument
SEVERAL = gast.Tuple, gast.List, gast.Dict, gast.ListComp, gast.DictComp, gast.Subscript
LOOPS = gast.For, gast.comprehension
KEEPERS = mutations.names(lambda m: m.keeps) - {'extend', 'extendleft', 'update'}        # which go through what they are given


class Iterator(NamedTuple):
    """An iterator, and what it has yet to read.

    node : the expression that makes it
    read : {place: how deep a write has to be to show}
    varied : whether any of that has a derivative
    once : whether that is so, and it can be gone through only once
    behind : (name of an index, name) of what has been read when the body of a loop writes `name[index]`
    """
    node: gast.AST
    read: dict
    varied: bool
    once: bool
    behind: set = set()


FRESH, BEGUN, SPOILED = range(3)


class LateReads:
    """The iterators of a function, and the facts that flow: (name that holds one, its number, what has become of it).

    mixed : names that may hold several of them
    """

    def __init__(self, function, resolver, effects, lazy, varied):
        self.function, self.resolver, self.lazy, self.varied = function, resolver, lazy, varied
        self.aliases = Aliases(function, resolver, effects)
        self.places, self.through = Places(function, self.aliases, lazy), Through(resolver, effects)
        self.functions = {tree.target(s): s.value for s in tree.every(function.body)
                          if tree.target(s) and isinstance(s.value, gast.Lambda)}
        self.made, self.numbers, self.changes, self.mixed = [], {}, {}, set()
        self.graph = Graph(types.SimpleNamespace(tree=function))
        self.heads = {n.at for n in self.graph.nodes if isinstance(n.stmt, gast.For)
                      and any(self.graph.nodes[p].stmt is n.stmt for p in self.graph.pred[n.at])}

    def first(self):
        """(the expression that makes it, whether what it reads has changed) of the first iterator that is wrong; or None."""
        before, _ = solve(Analysis(True, frozenset(), frozenset.union, self.step), self.graph)
        for node in self.graph.nodes:
            facts = before[node.at]
            for name, number, state in sorted(facts, key=lambda fact: fact[1:]):
                iterator = self.made[number]
                if self.reads(node, name) and (state == SPOILED or self.together(node, name, iterator)):
                    return iterator.node, True
                if iterator.once and self.reads(node, name) and self.goes_on(node, name, state):
                    return iterator.node, False
            for number, changes in self.inside(node.stmt):
                if any(self.shows(self.made[number], *c) for c in changes):
                    return self.made[number].node, True
            for made in (call.args[0] for call in self.nexts(node.stmt)):
                if self.lazy(made) and isinstance(made, gast.Call):
                    return made, False
            for number, _ in (found for call in self.calls(node.stmt) if self.resolver(call.func) is not next
                              for e in self.through.again(call) for found in self.held(e, facts)):
                if self.made[number].once:
                    return self.made[number].node, False
        return None

    def goes_on(self, node, name, state):
        """Whether a node goes through the iterator of a name again, or takes a single element."""
        if name in self.mixed or node.at in self.heads:
            return False
        loads = self.loads(node.stmt)
        return loads.count(name) > 1 or name in loads and state == BEGUN \
            or any(getattr(call.args[0], 'id', None) == name for call in self.nexts(node.stmt))

    def nexts(self, s):
        return [call for call in self.calls(s) if call.args and self.resolver(call.func) is next]

    def loads(self, s):
        """The names that a statement reads, but for questions about what they hold."""
        nodes = [n for part in tree.header(s) for n in tree.walk(part)]
        asked = {id(e) for n in nodes if isinstance(n, gast.Call) and facts.of(self.resolver(n.func)).tells for e in n.args}
        asked |= {id(e) for n in nodes if isinstance(n, gast.Compare) for e in [n.left, *n.comparators]}
        return [n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and id(n) not in asked]

    def inside(self, s):
        """(number, what the calls there change) for the iterators that comprehensions in a statement go through."""
        for comp in (n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, COMPREHENSIONS)):
            changes = [c for call in tree.walk(comp) if isinstance(call, gast.Call) for c in self.by_call(call)]
            if changes:
                yield from ((k, changes) for g in comp.generators for k, _ in self.held(g.iter, (), g))

    def reads(self, node, name):
        """Whether a node takes something from the iterator of a name; loops have names of their own for theirs."""
        return name == id(node.stmt) if node.at in self.heads else name in node.reads

    def together(self, node, name, iterator):
        """Whether a call is given an iterator, and writes into what this reads."""
        return any(isinstance(e, gast.Name) and e.id == name for call in self.calls(node.stmt) for e in call.args
                   if any(self.shows(iterator, *w) for w in self.by_call(call)))

    # What flows

    def step(self, node, facts):
        if node.at in self.heads:
            return frozenset(self.spoiled(node, facts))
        s, loop = node.stmt, isinstance(node.stmt, gast.For)
        facts = set(facts if loop else self.spoiled(node, facts))
        given, bound = set(), self.bound(s)
        for target, value in bound:
            name = target if loop else tree.root_name(target)
            given |= {(name, *found) for found in self.held(value, facts, s)}
            if not isinstance(target, (int, gast.Name)) or isinstance(value, SEVERAL):
                self.mixed.add(name)
        loads = self.loads(s)
        begun = {k for n, k, _ in facts if n in loads} - ({k for _, k, _ in given} if not loop else set())
        anew = {target if loop else target.id for target, _ in bound if isinstance(target, (int, gast.Name))}
        facts = {(n, k, max(state, BEGUN if k in begun else FRESH)) for n, k, state in facts if n not in anew}
        return frozenset(facts | given)

    def spoiled(self, node, facts):
        """The facts after what the node binds and writes."""
        if not facts:
            return facts
        changes = self.changes_of(node)
        return {(n, k, SPOILED if any(self.shows(self.made[k], *c) for c in changes) else state) for n, k, state in facts}

    def bound(self, s):
        """(target, value) for what a statement gives names to, or puts into what has a name; loops have their `id` as name."""
        if isinstance(s, gast.For):
            return [(id(s), s.iter)]
        if isinstance(s, (gast.Assign, gast.AnnAssign)) and s.value is not None:
            return [pair for t in (s.targets if isinstance(s, gast.Assign) else [s.target]) for pair in each(t, s.value)]
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Attribute) \
                and s.value.func.attr in KEEPERS:
            return [(gast.Attribute(value=s.value.func.value, attr='', ctx=gast.Store()), a) for a in s.value.args]
        return []

    def held(self, expr, facts, s=None):
        """(number, what has become of it) of the iterators that the value of an expression holds, and has not gone through.

        s : the statement that the expression is the whole value of, or the part of a comprehension that goes through it
        """
        if isinstance(expr, gast.Name):
            return [(k, state) for n, k, state in facts if n == expr.id]
        over = isinstance(s, LOOPS)
        if over and expr is s.iter and isinstance(expr, gast.GeneratorExp) and len(expr.generators) == 1:
            return self.held(expr.generators[0].iter, facts, expr.generators[0])         # read as Python does
        if self.lazy(expr) and not (over and self.lazy.in_loops(expr)):
            names = {n for e in parts(expr) for n in tree.names(e, gast.Load)}
            return [(self.number(expr, s), FRESH)] + [(k, state) for n, k, state in facts if n in names]
        if isinstance(expr, gast.Call) and (over or in_headers(self.resolver(expr.func))):
            return [found for e in expr.args for found in self.held(e, facts, s)] \
                if in_headers(self.resolver(expr.func)) else []
        if isinstance(expr, (gast.Tuple, gast.List, gast.Dict, gast.IfExp, gast.BoolOp, gast.Subscript)):
            return [found for e in tree.children(expr) for found in self.held(e, facts)]
        if isinstance(expr, (gast.ListComp, gast.DictComp)):            # what its own names are when it is done
            element = expr.value if isinstance(expr, gast.DictComp) else expr.elt
            own = {n for g in expr.generators for n in tree.names(g.target, gast.Store)}
            late = any(not own.isdisjoint(self.late(n)) for n in tree.walk(element) if self.lazy(n))
            return [(k, SPOILED if late else state) for k, state in self.held(element, facts)]
        return []

    # Iterators

    def number(self, expr, s):
        if id(expr) not in self.numbers:
            self.numbers[id(expr)] = len(self.made)
            self.made.append(self.iterator(expr, s))
        return self.numbers[id(expr)]

    def iterator(self, expr, s):
        starts = [(at, UPDATE) for e in eager(expr) for at in self.roots(e)]
        starts += [((n, None), BIND) for n in self.late(expr) & self.resolver.local]
        read = {}
        for at, deep in starts:
            for n, least in self.places.read(at, deep).items():
                read[n] = min(least, read.get(n, MOST))
        varied = any(n in self.varied for (n, _), _ in starts)
        return Iterator(expr, read, varied, varied and not self.lazy.is_view(expr), self.behind(expr, s))

    def behind(self, expr, s):
        """{(index, name)}: what `name[index]` writes into in the body of a loop has been read by its iterator then.

        That is so for `for i, v in enumerate(map(f, y))`, and for `for k, v in zip(d, map(f, d.values()))`.
        """
        function = self.resolver(s.iter.func) if isinstance(s, gast.For) and isinstance(s.iter, gast.Call) else None
        if not isinstance(expr, gast.Call) or among(self.resolver(expr.func), CHAINS) or self.late(expr) \
                or not (function is enumerate or function is zip) or not isinstance(s.target, gast.Tuple):
            return set()
        given = [e for e in expr.args if self.function_of(e) is None and self.resolver(e) is UNKNOWN]
        given = [e.func.value if self.lazy.is_view(e) else e for e in given]
        through = {e.id for e in given} if all(isinstance(e, gast.Name) for e in given) else set()
        if function is enumerate:
            pairs = [(s.target.elts[0], n) for n in through if len(s.iter.args) == 1]
        else:
            pairs = [(t, e.id) for t, e in zip(s.target.elts, s.iter.args) if isinstance(e, gast.Name) and e.id in through]
        anew = {n for inner in tree.every(s.body) for n in tree.writes(inner)}
        return {(t.id, n) for t, n in pairs if isinstance(t, gast.Name) and t.id not in anew}

    def roots(self, expr):
        """The places from which an iterator takes what it gives."""
        if isinstance(expr, gast.Lambda) or self.function_of(expr) is not None:
            return set()
        if self.lazy(expr) or isinstance(expr, gast.Call) and in_headers(self.resolver(expr.func)):
            return {at for e in eager(expr) for at in self.roots(e)}
        return {edge.place for edge in self.places.shared(expr)}

    def function_of(self, expr):
        """The lambda, or function inside this one, that an expression stands for."""
        if isinstance(expr, gast.Name):
            return self.functions.get(expr.id) or self.aliases.defined.get(expr.id)
        return expr if isinstance(expr, gast.Lambda) else None

    def late(self, expr):
        """Names that are read only when the iterator goes on: what its function has captured."""
        found = set()
        if isinstance(expr, gast.GeneratorExp):
            found |= free_in(expr)
        for e in parts(expr):
            function = self.function_of(e)
            found |= free(function) if function is not None else self.late(e) if self.lazy(e) else set()
        return found

    # What statements change

    def shows(self, iterator, s, at, deep):
        """Whether a write into a place shows in what an iterator has yet to read."""
        if not iterator.varied:
            return False
        target = s.targets[0] if isinstance(s, gast.Assign) else getattr(s, 'target', None)
        if isinstance(target, gast.Subscript) and (getattr(target.slice, 'id', None), at[0]) in iterator.behind:
            return False
        return any(iterator.read.get(n, MOST + 1) <= d for n, d in self.places.written(at, deep).items())

    def changes_of(self, node):
        """(statement, place, how deep) of what a node changes."""
        if node.at not in self.changes:
            s = node.stmt
            found = [(s, (n, None), BIND) for n in node.writes]
            if node.at in self.heads:
                pass
            elif isinstance(s, gast.stmt):
                for inner in [s] if any(tree.blocks(s)) else tree.every([s]):
                    found += self.by_targets(inner)
                for call in self.calls(s):
                    found += self.by_call(call)
            self.changes[node.at] = found
        return self.changes[node.at]

    def by_targets(self, s):
        targets = s.targets if isinstance(s, (gast.Assign, gast.Delete)) else \
            [s.target] if isinstance(s, (gast.AugAssign, gast.AnnAssign)) else []
        stores = gast.Store, gast.Del
        for t in (n for target in targets for n in tree.walk(target) if isinstance(getattr(n, 'ctx', None), stores)):
            if isinstance(t, gast.Name) and isinstance(s, gast.AugAssign):
                yield s, (t.id, None), UPDATE if t.id in self.aliases.numbers else WRITE         # of an array, or a list
            elif isinstance(t, (gast.Subscript, gast.Attribute)) and place(t) is not None:
                fixed = isinstance(t, gast.Attribute) or isinstance(t.slice.value, str)
                yield s, place(t), BIND if fixed and not isinstance(s, gast.AugAssign) else UPDATE
            elif isinstance(t, (gast.Subscript, gast.Attribute)) and tree.root_name(t) is not None:
                owner = place(t.value) or (tree.root_name(t), None)
                yield s, owner, WRITE if place(t.value) else DEEP

    def calls(self, s):
        return [n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)]

    def by_call(self, call):
        """What a call writes into, for all that is known; by methods of lists and arrays into the owner alone."""
        inner = self.aliases.defined.get(getattr(call.func, 'id', None))
        deep = WRITE if isinstance(call.func, gast.Attribute) and self.resolver(call.func) is UNKNOWN else DEEP
        owner = place(call.func.value) if deep is WRITE else None
        written = self.aliases.surely_written(call) | (self.aliases.written_inside(inner, []) if inner else set())
        updated = set().union(*map(self.aliases.handed_on, self.aliases.effects(self.resolver(call.func), call)[1]))
        for n in sorted(written | updated):
            yield call, owner if owner is not None and owner[0] == n else (n, None), deep


def each(target, value):
    """The pairs of an assignment; what is unpacked has been gone through."""
    if not isinstance(target, (gast.Tuple, gast.List)):
        return [(target, value)]
    if not isinstance(value, (gast.Tuple, gast.List)) or len(value.elts) != len(target.elts):
        return []
    return [pair for t, v in zip(target.elts, value.elts) for pair in each(t, v)]


def eager(expr):
    """Those that are evaluated when it is made, and read later."""
    return [e.value if isinstance(e, gast.Starred) else e for e in parts(expr)]


def free_in(generator):
    """Names that a generator expression reads as it goes on."""
    own = {n for g in generator.generators for n in tree.names(g.target, gast.Store)}
    later = [generator.elt, *generator.generators[0].ifs, *(e for g in generator.generators[1:] for e in [g.iter, *g.ifs])]
    return {n for e in later for n in tree.names(e, gast.Load)} - own
