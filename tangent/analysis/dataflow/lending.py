"""Builders that are lent: lists and dicts that a function is given, changes, and lets go of.

    def push(xs, v):           def push_adjoint(saved, bxs):             for i in range(n):
        xs.append(v * v)           bv = bxs.pop()                            push(xs, i * x)
                                   return bv * 2 * saved

The gradient of such a list goes with it: the adjoint of what it is lent to changes it in place, as its statements would
where the list was made. So nothing but the text of the two may see the list: it has one name there, and one here.
"""
import collections
import types
from collections.abc import Mapping
from typing import NamedTuple

import gast

from tangent.analysis.activity import over_keys
from tangent.analysis.generators import is_generator_call
from tangent.analysis.mutated_lists import is_new_row, kind_of
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, Resolver, local_names
from tangent.frontend.scopes import DEFINITIONS, inside
from tangent.frontend.source import uncompiled
from tangent.runtime import facts
from tangent.templates.language import registry
from tangent.templates.python import mutations

METHODS = frozenset(n for kind in (list, dict, collections.deque) for n in dir(kind) if n[0] != '_')
METHODS -= {*mutations.VIEWS, 'copy'}
HANDING = 'get', 'pop', 'popleft', 'popitem', 'setdefault'
ASKING = 'get', 'keys', 'index', 'count', 'pop', 'popleft', 'popitem', 'clear'
OPERATIONS = gast.Compare, gast.BinOp, gast.UnaryOp
SCOPES = (*DEFINITIONS, gast.Lambda, gast.GeneratorExp)
OF_OTHERS = gast.List(elts=[gast.Name(id='row', ctx=gast.Load(), annotation=None, type_comment=None)], ctx=gast.Load())
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
        self.made: dict = {}                  # function -> see `makes`
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
        once = [n for n in given if n in written - updated and given.count(n) == 1 and n in bound]
        let_go = [n for n in once if any(self.lets_go(function, bound[n], rows) for rows in (False, True))]
        return [n for n in let_go if bound[n] not in self.done(function, (bound[n],)).written]

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

    def lets_go(self, function, parameter, rows=False):
        """Whether a function does no more with a parameter than change what it holds, and read its elements; with `rows`, and
        with the lists that it holds, so that these have no other name."""
        key = function, parameter, rows
        if key not in self.known:
            self.known[key] = True                                     # of one that calls itself, where nothing else is said
            before = len(self.asked)
            self.asked.append(key)
            self.known[key] = self.is_let_go(*key)
            if not self.known[key]:                                    # what was found of others in the belief that it does
                for other in self.asked[before + 1:]:
                    self.known.pop(other, None)
            if before == 0 or not self.known[key]:
                del self.asked[before:]
        return self.known[key]

    def is_let_go(self, function, parameter, rows):
        found, source = self.effects.of(function), self.source_of(function)
        tree_of, starred = source.tree, (source.tree.args.vararg, source.tree.args.kwarg)
        if found.raises or parameter in (*found.aliased, *found.unsure, *(() if rows else found.deep)) or any(starred) \
                or any(getattr(source, what, None) for what in ('tried', 'is_loop', 'passive')):
            return False
        resolver = Resolver(source, local_names(tree_of), getattr(source, 'visible', {}))
        return Uses(self, resolver, parameter, rows).all_let_go(tree_of.body)

    def writes_row(self, s, params):
        """Whether a statement is a method call for a row of a parameter that is lent: `p.setdefault(k, []).append(v)`."""
        call = s.value if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
        owner = call.func.value if call is not None and isinstance(call.func, gast.Attribute) else None
        return any(gives_row(owner, p) for p in params)

    def makes(self, call, resolver):
        """The trees by which a function that is called makes the lists that it gives back, which nobody else has: one, or for
        a tuple one for each part; None for what it does not make."""
        function = uncompiled(resolver(call.func))
        known = isinstance(function, (types.FunctionType, Nested)) and self.effects.knows(function)
        if not known or registry.lookup(function) is not None or registry.custom(function) is not None \
                or is_generator_call(call, resolver):
            return None
        if function not in self.made:
            self.made[function] = self.given_back(function)
        return self.made[function]

    def given_back(self, function):
        """See `makes`."""
        try:
            source = self.source_of(function)
        except TangentError:
            return None
        body, resolver = source.tree.body, Resolver(source, None, getattr(source, 'visible', {}))
        returns = [n for n in inside(body) if isinstance(n, gast.Return)]
        if returns != body[-1:] or any(getattr(source, what, None) for what in ('tried', 'is_loop', 'passive')):
            return None
        value, own = returns[0].value, set(tree.names(source.tree.args, gast.Param))
        parts = value.elts if isinstance(value, gast.Tuple) else [value]
        names = [getattr(e, 'id', None) for e in parts]
        alone = [e is not None and n not in own and (n is None or names.count(n) == 1) for n, e in zip(names, parts)]
        made = [self.made_here(e, body, resolver) if one else None for one, e in zip(alone, parts)]
        return made if isinstance(value, gast.Tuple) else made[0]

    def made_here(self, expr, body, resolver):
        """The tree of a new list that an expression gives back, and that nobody has but who calls the function; or None."""
        if not isinstance(expr, gast.Name):
            return expr if kind_of(expr, resolver) == 'list' else None
        bound = [s for s in tree.every(body) if expr.id in tree.writes(s)]
        nodes = [n for s in body for n in tree.walk(s)]
        hidden = any(isinstance(n, SCOPES) and expr.id in tree.names(n, gast.Load) for n in nodes)
        if len(bound) != 1 or not tree.target(bound[0]) or kind_of(bound[0].value, resolver) != 'list' or hidden:
            return None
        known = {id(expr), id(bound[0].targets[0])}
        for rows in (True, False):
            if Uses(self, resolver, expr.id, rows).all_let_go(body, known):
                return bound[0].value if rows else OF_OTHERS
        return None

    def changes_rows(self, call, resolver, name):
        """Whether a function that is called changes lists that are held by what it is lent under a name."""
        function, _, (p,) = self.bound(call, resolver, [name])
        return p in self.effects.of(function).deep

    def lets_rows_go(self, call, resolver, name):
        function, _, (p,) = self.bound(call, resolver, [name])
        return self.lets_go(function, p, rows=True)


class Uses:
    """What a function does with a parameter.

    rows : whether lists that it holds must have no other name
    """

    def __init__(self, lending, resolver, name, rows):
        self.lending, self.resolver, self.name, self.rows = lending, resolver, name, rows

    def all_let_go(self, body, known=frozenset()):
        """`known` : `id`s of those that are known to let go."""
        nodes = [n for s in body for n in tree.walk(s)]
        owners = {id(n) for n in nodes if getattr(n, 'id', None) == self.name or self.rows and gives_row(n, self.name)}
        fine = {id(e) for n in nodes for e in self.parts(n)}
        return owners <= fine | known and not (self.rows and any(map(self.puts_other, nodes)))

    def puts_other(self, node):
        """Whether something that may have another name becomes a row."""
        if isinstance(node, gast.Assign):
            stored = [t for t in node.targets if isinstance(t, gast.Subscript) and getattr(t.value, 'id', None) == self.name]
            return bool(stored) and not is_new(node.value)
        owner = node.func.value if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) else None
        return getattr(owner, 'id', None) == self.name and node.func.attr not in ASKING and not all(map(is_new, node.args[-1:]))

    def parts(self, node):
        """The parts of a statement or expression that nothing holds on to."""
        if isinstance(node, gast.Subscript):
            return [node.value]
        if isinstance(node, gast.Attribute):
            return [node.value] if node.attr in METHODS else []
        if isinstance(node, OPERATIONS):
            return tree.children(node)
        if isinstance(node, TESTS):
            return tested(node.test)
        if isinstance(node, (gast.For, gast.comprehension)):
            keys = self.rows and isinstance(node, gast.For) and over_keys(node)
            return [node.iter] if keys else self.iterated(node.iter)
        return self.handed(node) if isinstance(node, gast.Call) else ()

    def iterated(self, expr):
        """What a loop goes through."""
        if isinstance(expr, gast.Call) and self.resolver(expr.func) in (enumerate, zip, reversed):
            return [e for a in expr.args for e in self.iterated(a)]
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr in mutations.VIEWS:
            return [] if self.rows else [expr.func.value]
        return [] if self.rows and isinstance(expr, gast.Name) else [expr]

    def handed(self, call):
        """Arguments of a call that the function only reads, or to which it is lent in turn."""
        function = uncompiled(self.resolver(call.func))
        users = isinstance(function, (types.FunctionType, Nested)) and registry.lookup(function) is None
        if users and self.lending.effects.knows(function):
            bound = self.lending.effects.bound(function, call)
            return [e for p, found in bound.items() for e in found if getattr(e, 'id', None) == self.name
                    and self.lending.lets_go(function, p, self.rows)]
        reads = function is len or facts.of(function).takes == 'now' or registry.lookup(function) is not None
        found = call.args if reads and function is not UNKNOWN and facts.of(function).takes != 'later' else []
        return [e for e in found if not (self.rows and function is not len and isinstance(e, gast.Name))]


def gives_row(node, name):
    """Whether an expression gives what is held under a name: `p[k]`, `p.setdefault(k, [])`."""
    if isinstance(node, gast.Call):
        node = node.func if isinstance(node.func, gast.Attribute) and node.func.attr in HANDING else None
    elif not isinstance(node, gast.Subscript) or not isinstance(node.ctx, gast.Load):
        return False
    return getattr(getattr(node, 'value', None), 'id', None) == name


def tested(expr):
    """The parts of a test of which is asked whether there is anything in them."""
    return [e for part in expr.values for e in tested(part)] if isinstance(expr, gast.BoolOp) else [expr]


def is_new(expr):
    """Whether an expression surely makes a new list or a number."""
    return isinstance(expr, (gast.Constant, gast.BinOp)) or is_new_row(expr)
