"""Activity: which names carry a derivative from the inputs asked for to the result.

A name is *varied* if an input reaches it through differentiable operations, *useful* if it reaches the result.
Active is both. Comparisons, shapes, lengths, arg-maxima and the like break the chain; everything that is not active
passes through the library untouched.
"""
import builtins
import functools
import types
from typing import NamedTuple

import gast
import numpy as np

from tangent.analysis.alias import WRITERS, Effect, insertion, outputs, outputs_of_method
from tangent.analysis.dataflow.solve import closure
from tangent.analysis.kinds import classes, special
from tangent.analysis.messages.communication import WORLD, among_others, communicates, hands_on
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, pushes
from tangent.frontend.scopes import DEFINITIONS, free, inside
from tangent.runtime import facts
from tangent.templates.language import registry

WITHOUT = type, types.ModuleType, types.BuiltinFunctionType         # what has no derivative


def is_passive(attribute):
    """Whether what an attribute of this name gives has no derivative, whatever has it but an object of the user's."""
    return registry.tells(attribute) or attribute in ('__class__', '__name__', '__qualname__', '__module__')


class Sources:
    """The names on which the value of an expression depends differentiably."""

    def __init__(self, resolver, is_object=lambda expr: False):
        self.resolver, self.is_object = resolver, is_object

    @functools.cached_property
    def users(self):
        """Names of methods and attributes of the user's classes, arrays may have the same: `policy.argmax()`, `box.size`."""
        return classes.users(self.resolver)

    @functools.cached_property
    def computed(self):
        """Names of properties of the user's classes that compute something, where what arrays have by these names are facts."""
        return classes.computing(self.resolver, is_passive)

    def rule_of(self, expr):
        """The rule of an attribute or method that arrays have; None where its owner is an object."""
        if not isinstance(expr, gast.Call):
            return None if self.is_users(expr) else registry.attribute(expr.attr)
        rule = None if self.is_object(expr.func.value) else registry.method(expr.func.attr)
        return None if rule is not None and self.may_be_users(expr.func, rule) else rule

    def is_users(self, expr):
        """Whether an attribute is one of an object: of what a function of the user's gives, if a class of his has such."""
        made = self.resolver(expr.value.func) if isinstance(expr.value, gast.Call) else None
        made_by_users = isinstance(made, types.FunctionType) and not facts.in_library(made)
        return self.is_object(expr.value) or expr.attr in self.computed or made_by_users and expr.attr in self.users[1]

    def may_be_users(self, method, rule):
        """Whether a method with a rule may be one of the user's. Only those without a derivative are asked about: of others
        the log form finds out when running whose they are."""
        return rule.kind == 'constant' and method.attr in self.users[0]

    def __call__(self, expr):
        method = getattr(self, type(expr).__name__, None)
        if method is not None:
            return method(expr)
        return self.union(tree.children(expr))

    def union(self, exprs):
        return frozenset().union(*map(self, exprs))

    def Name(self, expr):
        return frozenset([expr.id])

    def nothing(self, expr):
        return frozenset()

    Constant = JoinedStr = Slice = nothing

    @functools.cached_property
    def answering(self):
        """Special methods of the user's classes that may give something with a derivative."""
        return classes.answering(self.resolver.sight)

    def Compare(self, expr):
        """Of what a class answers: Python makes a bool of it for `in`, and what is said to a text has no derivative."""
        if not any(type(op) in special.COMPARED for op in expr.ops) or any(map(is_text, [expr.left, *expr.comparators])):
            return frozenset()
        return self.union(special.given(expr, self.answering))

    def UnaryOp(self, expr):
        fact = isinstance(expr.op, gast.Not) or isinstance(expr.op, gast.Invert) and not special.given(expr, self.answering)
        return frozenset() if fact else self(expr.operand)

    def BinOp(self, expr):
        if isinstance(expr.op, gast.Mod) and isinstance(getattr(expr.left, 'value', None), str):           # '%05d' % n
            return frozenset()
        rule = registry.operator(type(expr.op))
        if rule is not None and rule.kind == 'constant' and not isinstance(expr.op, gast.BitOr) \
                and not special.given(expr, self.answering):
            return frozenset()
        return self(expr.left) | self(expr.right)

    def IfExp(self, expr):
        return self(expr.body) | self(expr.orelse)

    @functools.cached_property
    def gives_items(self):
        """Whether a class of the user's says in Python what an object has under an index."""
        return any(classes.defined(kind, 'getitem') is not None for kind in self.resolver.sight or ())

    def Subscript(self, expr):
        owner = self.resolver(expr.value)
        if facts.home(type(owner)) == 'numpy' and not isinstance(owner, np.ndarray):       # np.r_[x, 1.0] is a call in disguise
            return self.union(gast.walk(expr.slice))
        if self.gives_items if owner is UNKNOWN else classes.defined(type(owner), 'getitem'):           # it may be a curve
            return self(expr.value) | self(expr.slice)
        return self(expr.value)

    def Attribute(self, expr):
        passive = is_passive(expr.attr) and not self.is_users(expr)
        if passive or self.resolver(expr) is not UNKNOWN:
            return frozenset()
        return self(expr.value)

    def comprehension_value(self, expr):
        own = {n.id for g in expr.generators for n in tree.walk(g.target) if isinstance(n, gast.Name)}
        found = self.union(self.held(expr.key, expr.value) if isinstance(expr, gast.DictComp) else [expr.elt])
        if found.isdisjoint(own):
            return found
        first, *rest = [g.iter for g in expr.generators]      # the first is no part of the comprehension's own scope
        return (found | self.union(rest)) - own | self(first)

    ListComp = SetComp = GeneratorExp = DictComp = comprehension_value

    def Lambda(self, expr):
        own = {n.id for n in gast.walk(expr.args) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Param)}
        defaults = [d for d in expr.args.defaults + expr.args.kw_defaults if d is not None]
        return self(expr.body) - own - {WORLD} | self.union(defaults)             # nothing is sent until it is called

    def Dict(self, expr):
        return self.union(e for pair in zip(expr.keys, expr.values) for e in self.held(*pair))

    def held(self, key, value):
        """The parts of an item of a dict through which a derivative may flow: a key may be a future of `concurrent.futures`,
        which is known by what it is and not by where it stands."""
        return [key, value] if key is not None and self.resolver.runs_tasks else [value]

    def Call(self, expr):
        if self.gives_names(expr):
            return frozenset()
        args = tree.arguments(expr)
        function = self.resolver(expr.func)
        if function is not UNKNOWN:
            held, shape = list(map(self, args)), registry.shaped_by(function)
            if shape is not None and not any(isinstance(a, gast.Starred) for a in expr.args[:1]):
                shapes = [*(k == 0 for k in range(len(expr.args))), *(k.arg == shape for k in expr.keywords)]
                held = [each & {WORLD} if only else each for each, only in zip(held, shapes)]
            found = frozenset().union(*held) | self.world(function)
            found = found | {WORLD} if hands_on(expr, self.resolver) else found
            return found & {WORLD} if registry.is_constant(function) else found
        if isinstance(expr.func, gast.Attribute):
            rule = self.rule_of(expr)
            if rule is not None and rule.kind == 'constant' or is_text(expr.func.value):                 # '{}'.format(x)
                return frozenset()
            return self.union(args + [expr.func.value])
        return self.union(args + [expr.func])

    def gives_names(self, expr):
        """Whether an expression gives the names of keywords, which are texts: `set(kw.keys())` of `**kw`."""
        if not isinstance(expr, gast.Call) or expr.keywords:
            return False
        if isinstance(expr.func, gast.Attribute):
            return expr.func.attr == 'keys' and getattr(expr.func.value, 'id', None) in self.resolver.keywords
        return len(expr.args) == 1 and any(self.resolver(expr.func) is f for f in (set, frozenset, list, tuple, sorted)) and (
            getattr(expr.args[0], 'id', None) in self.resolver.keywords or self.gives_names(expr.args[0]))

    def world(self, function):
        """The name of all other processes, where a function sends or receives messages."""
        sends = communicates(function) or pushes(function) and among_others(self.resolver)
        return frozenset([WORLD]) if sends else frozenset()


class Activity(NamedTuple):
    """Where a derivative may flow in a function.

    sources : what the value of an expression depends on
    varied : names that an input reaches
    useful : names that reach a result, varied or not
    """
    sources: Sources
    varied: set
    useful: set

    @property
    def active(self):
        return self.varied & self.useful

    def flows(self, expr):
        """Whether a derivative may flow through the expression."""
        return expr is not None and not self.varied.isdisjoint(self.sources(expr))

    def matters(self, names):
        """Whether what the names hold may reach a result."""
        return not self.useful.isdisjoint(names)

    def with_names(self, mapping):
        """The same, and other names that hold what names hold: old -> new."""
        varied, useful = ({mapping[n] for n in mapping if not names.isdisjoint([n])} for names in (self.varied, self.useful))
        return self._replace(varied=self.varied | varied, useful=self.useful | useful)


class Everything(frozenset):
    """Stands for the set of all names."""

    def isdisjoint(self, other):
        return False

    def __or__(self, other):
        return self


def by_name(function, resolver, wrt=None, effects=None):
    """A first guess, before names are told apart: one fact for each name. Without names asked for, every name counts.

    effects : tells what functions of the user's write into; None where that is no matter
    """
    if wrt is None:
        return Activity(Sources(resolver), Everything(), Everything())
    params = tree.names(function.args, gast.Param)                # what is written into these is read by the caller
    return activity(function, wrt, Links(Sources(resolver), ByName(resolver, effects), each, inner=True), params)


def by_mention(stmts, wrt, aliases=None):
    """The varied names by the roughest guess, before names are understood: what a statement reads goes into all that it
    binds, changes or calls. Without aliases a call may write into all that it reads.

    stmts : the statements, those in blocks and in functions inside among them
    """
    graph = {}
    for s in stmts:
        if isinstance(s, DEFINITIONS):
            read, bound = free(s), {s.name}
        elif isinstance(s, (gast.If, gast.While)):
            continue
        else:
            header = list(tree.header(s))
            calls = [n for part in header for n in tree.walk(part) if isinstance(n, gast.Call)]
            read = {n for part in header for n in tree.names(part, gast.Load)}
            bound = tree.mutates(s).union(*(tree.names(part, gast.Store) for part in header), *(
                tree.names(c, gast.Load) if aliases is None else aliases.touched(c, isinstance(s, gast.Expr)) for c in calls))
        for n in read:
            graph.setdefault(n, set()).update(bound)
    for n in aliases.parent if aliases is not None else ():
        if aliases.is_mutated(n):
            graph.setdefault(n, set()).update(aliases.family(n))
    return closure(wrt, graph)


def activity(function, wrt, links, outputs=(), shared=False, pairs=None):
    """The Activity of a function with respect to the names `wrt`.

    outputs : names of what is the caller's and counts as a result, too
    shared : what is useful under one name is so under all names that hold the same, where it is written into
    pairs : what the links give for its body, where that is known
    """
    results = links.results(function)
    forward, backward, world = linked(function, links, results, pairs)
    varied = closure({*wrt, *world}, forward)
    useful = closure({*results, *outputs, *world}, backward)
    if shared:
        aliases = links.aliases
        useful |= set().union(*(aliases.family(n) for n in varied & useful if aliases.is_mutated(n)))
    return Activity(links.sources, varied, useful)


def linked(function, links, results, pairs=None):
    """(source -> the names that depend on it, name -> its sources, WORLD in a set where there are other processes)."""
    forward, backward, texts = {}, {}, tree.bound_to(function, is_text)
    for name, found in links(function.body) if pairs is None else pairs:
        if name in texts:                                      # whatever else is said to share with it
            continue
        backward.setdefault(name, set()).update(found)
        for source in found:
            forward.setdefault(source, set()).add(name)
    return forward, backward, {WORLD} & {*forward, *backward, *results}


def is_text(expr):
    return isinstance(expr, gast.Constant) and isinstance(expr.value, (str, bytes))


def reach(function, names, links):
    """For each of the names those that it reaches: {name: names}."""
    forward, _, world = linked(function, links, links.results(function))
    return {n: closure({n, *world}, forward) for n in names}


class Links:
    """What depends on what in a function: (name, names on which its value may depend differentiably), pair by pair.

    A statement that writes into an object links all names that may hold this.

    heads : loop -> pairs of a target and what it is bound to an element of
    inner : names that are bound inside expressions count, too, and what a function inside captures is a result
    """

    def __init__(self, sources, aliases, heads=None, inner=False):
        self.sources, self.aliases, self.heads, self.inner = sources, aliases, heads or whole, inner

    def __call__(self, stmts):
        for s in stmts:
            change = self.change(s)
            if change is not None and change.value is not None:
                held = self.sources.held(change.key, change.value) if change.kind == 'store' else [change.value]
                yield change.name, self.sources.union(held)
                for node in tree.walk(change.value):             # a call in it may write into something else
                    yield from self.inside(node, s)
            elif isinstance(s, DEFINITIONS):
                yield from self.definition(s)
            else:
                yield from self.bound(s)
                for node in (n for part in tree.header(s) for n in tree.walk(part)):
                    yield from self.inside(node, s)
                if insertion(s) is None:                 # whose block waits for the backward pass
                    for _, block in tree.blocks(s):
                        yield from self(block)

    def change(self, s):
        """The change of a list or dict of the function's own that a statement is: nothing else holds that."""
        return self.aliases.builders.changes.get(s)

    def definition(self, s):
        """The links of a function inside: it holds what it captures, and may write into that when it is called."""
        captured = list(filter(self.is_own, free(s)))
        yield s.name, captured
        yield from ((m, {s.name}) for n in captured for m in self.sharing(n))

    def bound(self, s):
        """The links of what the statement itself binds or assigns to."""
        pairs = []
        if isinstance(s, (gast.Assign, gast.AugAssign, gast.AnnAssign)):
            pairs = [(t, s.value) for t in (s.targets if isinstance(s, gast.Assign) else [s.target]) if s.value is not None]
        elif isinstance(s, gast.For):
            pairs = self.heads(s)
        elif insertion(s) is not None:
            before, after = insertion(s)
            pairs = [(after, before)]
        elif isinstance(s, gast.With):
            pairs = [(i.optional_vars, i.context_expr) for i in s.items if i.optional_vars is not None]
            yield from self.thrown(s)
        for target, value in pairs:
            found = self.sources(value)
            if isinstance(target, gast.Subscript):
                found = self.sources.union(self.sources.held(target.slice, value))
            names = self.sharing(target.id) if isinstance(s, gast.AugAssign) and isinstance(target, gast.Name) \
                else self.written(target)                             # an array may have other names
            yield from ((n, found) for n in names)
            if isinstance(s, gast.AugAssign) and isinstance(target, gast.Attribute):                      # and so it may there
                owners = self.aliases.handed_on(target)
                yield from ((m, {*found, *owners}) for n in self.aliases.held_under(target) for m in self.sharing(n))
            if WORLD in found:                                            # it is done whatever becomes of its value
                yield WORLD, {*found, *names}
            through = self.aliases.written_through(s)
            yield from ((m, self.written(target)) for n in through for m in self.sharing(n))

    def thrown(self, s):
        """The links of what is thrown in the block of a `with` statement, which its contexts may keep."""
        nodes = [n for inner in s.body for n in tree.walk(inner)]
        found = self.sources.union([n.exc for n in nodes if isinstance(n, gast.Raise) and n.exc is not None])
        calls = [n for n in nodes if isinstance(n, gast.Call) and self.aliases.throws(n)]
        found = found.union(*map(self.given, calls))
        owners = {n for i in s.items for n in tree.names(i.context_expr, gast.Load)} if found else ()
        yield from ((m, found) for n in owners for m in self.sharing(n))

    def inside(self, node, s):
        """The links of a part of an expression in a statement."""
        if isinstance(node, gast.Call):
            flowing = self.aliases.flowing(node)
            for names, parts in flowing or ():        # what a function is given to change gets what it puts there, and no more
                yield from ((m, self.sources.union(parts)) for n in names for m in self.sharing(n))
            touched = self.touched(node, s) if flowing is None else self.aliases.touched_else(node)
            found = self.given(node) if touched else ()
            if touched and (world := self.sources.world(self.sources.resolver(node.func))):
                found |= world
                yield WORLD, found.union(touched)
            yield from ((m, found) for n in touched for m in self.sharing(n))
            if called := self.perhaps_sends(node):
                yield WORLD, called
                yield from ((n, {WORLD}) for n in called)
            owners, parts = self.aliases.put(node) if touched or flowing else ((), ())
            yield from ((m, owners) for n in parts for m in self.sharing(n))
        elif isinstance(node, gast.Lambda):           # what it writes into is made of what it is given, where it is called
            held = {n for part in tree.header(s) for n in tree.names(part, gast.Load)} | set(tree.writes(s))
            written = filter(self.is_own, self.aliases.written_inside(node, []))
            yield from ((m, held) for n in written for m in self.sharing(n))
        elif isinstance(node, gast.comprehension) or self.inner and isinstance(node, gast.NamedExpr):
            found = self.sources(node.value if isinstance(node, gast.NamedExpr) else node.iter)
            yield from ((n, found) for n in stored(node.target))

    def perhaps_sends(self, call):
        """Names of what a call calls, where that is known only when running and may send messages."""
        if isinstance(call.func, gast.Attribute) or self.sources.resolver(call.func) is not UNKNOWN \
                or not among_others(self.sources.resolver):
            return set()
        return {n for n in tree.names(call.func, gast.Load) if self.is_own(n) and not hasattr(builtins, n)}

    def touched(self, call, s):
        """Names of what a call in a statement may write into."""
        return self.aliases.effect(call, s).names

    def given(self, call):
        """The sources of what a call may put into what it writes to."""
        method, unknown = isinstance(call.func, gast.Attribute), self.sources.resolver(call.func) is UNKNOWN
        owner = [] if not unknown or method and call.func.attr in WRITERS else [call.func.value if method else call.func]
        return self.sources.union([*owner, *tree.arguments(call)])

    def written(self, target):
        """Names that an assignment binds; for `x[i] = v` every name that may hold the object."""
        if isinstance(target, (gast.Tuple, gast.List)):
            return [n for e in target.elts for n in self.written(e)]
        if isinstance(target, gast.Starred):
            return self.written(target.value)
        if isinstance(target, gast.Name):
            return [] if target.id in self.sources.resolver.namespaces else [target.id]    # `xp = array_namespace(x)`
        return [m for n in self.aliases.handed_on(target) for m in self.sharing(n)]

    def sharing(self, name):
        """The names that may hold what a name holds, those of types and modules left out."""
        family = self.aliases.family(name) | {name}
        return [n for n in family if self.is_own(n) or not isinstance(self.sources.resolver(tree.load(n)), WITHOUT)]

    def is_own(self, name):
        """Whether it is a variable of the function's."""
        return self.sources.resolver(tree.load(name)) is UNKNOWN

    def results(self, function):
        """The sources of what the function gives back."""
        kinds = gast.Return, gast.Yield, gast.YieldFrom
        nodes = [n for s in function.body for n in tree.walk(s)]
        held = [n for n in nodes if isinstance(n, (*DEFINITIONS, gast.Lambda))]
        own = inside(function.body) if held else nodes
        found = self.sources.union(n.value for n in own if isinstance(n, kinds) and n.value is not None)
        if self.inner:
            found |= {m for n in held for m in tree.names(n, gast.Load)}
        return found


class ByName:
    """Stands for `Aliases` before these are known: each name holds an object of its own."""

    def __init__(self, resolver, effects=None):
        self.resolver, self.effects, self.builders = resolver, effects, types.SimpleNamespace(changes={})

    def handed_on(self, expr):
        return set(stored(expr))

    def written_through(self, s):
        return set()

    def held_under(self, place):
        return set()

    def throws(self, call):
        """Whether a call is of a function of the user's, which may throw."""
        found = self.resolver(call.func)
        return isinstance(found, types.FunctionType) and registry.lookup(found) is None

    def family(self, name):
        return {name}

    def put(self, call):
        return (), ()

    def flowing(self, call):
        return None

    def written_inside(self, function, seen):
        """Names of what the code of a lambda may write into: owners of methods."""
        calls = [n for n in tree.walk(function) if isinstance(n, gast.Call)]
        return {n for call in calls for found in self.effect(call, None) for n in found}

    def effect(self, call, s):
        """The owner of a method of something that is known only when running may be written into, and what is `out=`."""
        found = self.resolver(call.func)
        method = isinstance(call.func, gast.Attribute) and found is UNKNOWN
        out = outputs_of_method(call, self.resolver) if method else outputs(found, call)
        if self.effects is not None and found is not UNKNOWN:
            out = [*out, *(e for written in self.effects(found, call) for e in written), *self.effects.unsure_of(found, call)]
        return Effect([], [], [*(stored(call.func.value) if method else []), *(n for e in out for n in stored(e))], [])


def each(loop):
    """What a loop binds its target to, whatever it goes through."""
    return [(loop.target, loop.iter)]


def whole(loop):
    """What a loop binds its target to: an element of what it goes through, but for the keys of a dict."""
    return [] if over_keys(loop) else [(loop.target, loop.iter)]


def over_keys(loop):
    """Whether `for k in table` goes through the keys of a dict, as `table[k]` in its body tells."""
    return isinstance(loop.iter, gast.Name) and isinstance(loop.target, gast.Name) and any(
        isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name) and n.value.id == loop.iter.id
        and isinstance(n.slice, gast.Name) and n.slice.id == loop.target.id for s in loop.body for n in tree.walk(s))


def stored(target):
    """Names that a target binds, or whose object it writes into."""
    if isinstance(target, (gast.Subscript, gast.Attribute, gast.Starred)):
        return stored(target.value)
    if isinstance(target, (gast.Tuple, gast.List)):
        return [n for e in target.elts for n in stored(e)]
    return [target.id] if isinstance(target, gast.Name) else []
