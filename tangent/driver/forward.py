"""The corridor of forward mode: from a function to one that computes its value and tangent side by side.

    source -> fence -> forward_split -> forward -> optimize -> emit -> build

A user function that is called with active arguments gives one twin, `g_tangent(x, dx) -> (value, dvalue)`.
"""
import collections
import copy
import dataclasses
import functools
import inspect
import types
from collections.abc import Mapping
from typing import NamedTuple

import gast

from tangent import errors
from tangent.analysis import complexity
from tangent.analysis.activity import Links, activity, by_mention, by_name
from tangent.analysis.alias import Aliases, writes_no_array
from tangent.analysis.attributes import Objects
from tangent.analysis.dataflow.solve import closure
from tangent.analysis.effects import Effects, carried, writing
from tangent.analysis.fences.aliased_updates import refuse_dicts, refuse_shared, refuse_unseen
from tangent.analysis.fences.as_written import refuse_as_written, refuse_generators
from tangent.analysis.fences.lazy import refuse_parts
from tangent.analysis.fences.overwritten import refuse_kept, refuse_overwriting
from tangent.analysis.generators import stepped
from tangent.analysis.kinds import methods
from tangent.analysis.kinds.classes import Classes
from tangent.analysis.kinds.participants import Others, taking_part
from tangent.analysis.outside import read_by
from tangent.analysis.shapes import Shapes
from tangent.driver import rebound_names, restarts
from tangent.driver.derivation import Derivation, looked_at, source_of
from tangent.driver.dispatch import compiled
from tangent.driver.made import Made, with_lists
from tangent.emit import naming
from tangent.emit.library import Library
from tangent.emit.signature import params, part_of, with_tangents
from tangent.forward import batched
from tangent.forward.contexts import Contexts, managers
from tangent.forward.dict_keys import without_keys
from tangent.forward.effects import hoisted
from tangent.forward.forward import Forward
from tangent.forward.objects import ObjectSources, looks_at_objects
from tangent.forward.statements import changed_by_helpers, heads, never_ends, plain_statements, without_contexts
from tangent.forward.three_address import ForwardSplit
from tangent.frontend import subset, tree
from tangent.frontend.closures import cells
from tangent.frontend.dependencies import stays
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, Resolver
from tangent.frontend.scopes import caught, inside
from tangent.frontend.source import original, read
from tangent.normal import nest_levels
from tangent.normal.class_operators import Supers
from tangent.normal.desugar import desugar, handed
from tangent.normal.entry import apart
from tangent.normal.inlined import consumers, factories
from tangent.normal.normalise import namespaces, placed, pure_calls
from tangent.normal.ops import subscript
from tangent.normal.outlined import loops
from tangent.normal.watched_calls import watched
from tangent.optimize import optimize
from tangent.reverse import again
from tangent.runtime import facts
from tangent.runtime.references.table import is_substitute
from tangent.templates.language import registry

JUMPS = (gast.Break, gast.Continue, *tree.TRIES)
# what gives no number, although no derivative flows through it
NO_NUMBERS = 'zero_tangent', 'dict_keys', 'signature_of', 'places_of', 'defaults_of', 'of_class', 'fields_of'


class ForwardTwin(NamedTuple):
    """The emitted twin of a callee.

    positional : how many arguments a call must give by position for its tangents to be given so too
    parameters : names of the parameters that take the tangents
    lost : names of the parameters without tangents into which it may write values that have some
    kept : key (see `analysis.outside`) -> Store for the places outside of all functions into which it puts some
    """
    name: str
    parameters: tuple
    positional: int
    lookup: object = None
    lost: tuple = ()
    kept: Mapping = types.MappingProxyType({})

    @property
    def names(self):
        return self[:1]


class ShapesThere(Shapes):
    """Shapes where each statement stands: (those of the names it reads, that of its result)."""

    def __init__(self, function, ops, resolver):
        self.there = {}
        jumps = any(isinstance(n, JUMPS) for n in tree.walk_scope(function.body))
        count = collections.Counter(tree.names(function, gast.Store))
        self.doubtful = {n for n, k in count.items() if k > 1} if jumps else set()
        super().__init__(function, ops, resolver)

    def assignment(self, s):
        before = {n: self.of[n] for n in tree.names(s.value, gast.Load) if n in self.of}
        super().assignment(s)
        name = tree.target(s)
        if name in self.doubtful:
            self.of[name] = self.mark(s, name)
        self.there[s] = before, self.of.get(name)

    def block(self, stmts):
        for s in stmts:
            if isinstance(s, gast.AugAssign):
                self.update(s)
            else:
                super().block([s])

    def update(self, s):
        before = {n: self.of[n] for n in tree.reads(s) if n in self.of}
        if isinstance(s.target, gast.Name):
            found = self.union([tree.load(s.target.id), s.value])
            self.of[s.target.id] = self.mark(s, s.target.id) if found is None or s.target.id in self.doubtful else found
        self.there[s] = before, None


@dataclasses.dataclass
class ForwardNormal:
    """A function split for forward mode, and what is known of it."""
    source: object
    tree: gast.FunctionDef
    names: tree.Names
    library: Library
    resolver: Resolver
    aliases: Aliases
    ops: dict
    active: set
    temps: set
    sequences: set
    written: list
    methods: frozenset
    is_object: object
    kept: Mapping
    carries: bool
    shapes: ShapesThere | None = None
    held: Aliases | None = None
    once: frozenset = frozenset()
    together: frozenset = frozenset()
    inner: bool = False

    def giving(self, function):
        """The same of a function that is called by others."""
        return dataclasses.replace(self, together=given_together(function, self.held), inner=True)

    @property
    def generates(self):
        return any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in inside(self.source.tree.body))

    def shapes_at(self, s):
        return self.shapes.there.get(s, ({}, None))

    def shape_of(self, expr, s):
        if isinstance(expr, gast.Name):
            return self.shapes_at(s)[0].get(expr.id)
        return self.shapes.expression(expr) if isinstance(expr, gast.Constant) or self.shapes.is_int(expr) else None

    def changes(self, names):
        """Whether something is written into what one of the names holds, which others may have given under another one, too."""
        given = set(params(self.tree)) if self.inner and self.written else set()
        return any(self.aliases.is_mutated(n) or not given.isdisjoint(self.aliases.family(n)) for n in names)

    def is_lent(self, names):
        """The same, and whether it is put into something through which an array is written into, here or by who is given it."""
        return self.changes(names) or any(self.held.is_mutated(n) or n in self.together for n in names)

    def is_number(self, expr):
        """Whether the value is surely a number or an array."""
        if isinstance(expr, gast.BinOp):
            if isinstance(expr.op, gast.Mult) and {type(expr.left), type(expr.right)} & {gast.List, gast.ListComp}:
                return False                                        # [row] * 2 is one row twice
            return not isinstance(expr.op, (gast.Add, gast.Mult)) or self.is_number(expr.left) or self.is_number(expr.right)
        if isinstance(expr, gast.Call):
            found = self.resolver(expr.func)
            rule = registry.lookup(found) if found is not UNKNOWN else None
            return rule is not None and ('.' in rule.name or rule.kind == 'constant') and 'split' not in rule.name \
                and not rule.name.startswith(NO_NUMBERS)
        if isinstance(expr, gast.Constant):
            return type(expr.value) in (int, float, complex)
        return isinstance(expr, (gast.UnaryOp, gast.Compare))

    def bind(self, callee, args, keywords, s):
        """Parameter -> atom for a call of a Python function."""
        try:
            signature = callee.signature if isinstance(callee, Nested) \
                else inspect.signature(getattr(callee, 'py_func', getattr(callee, '_implementation', original(callee))),
                                       follow_wrapped=False)
        except ValueError as error:              # it is not written in Python
            raise ForwardDerivation.without_rule(callee, s, self.source, f'cannot be read ({error})') from None
        try:
            return dict(signature.bind(*args, **keywords).arguments)
        except TypeError as error:
            raise errors.ArgumentTypeError(subset.locate(s, self.source, f'{callee.__name__}() {error}')) from None

    def pure(self, function):
        """Dotted names of the calls in the emitted function that have no effect."""
        for node in tree.walk(function):
            if isinstance(node, gast.Call):
                self.resolver(node.func)
        return frozenset(pure_calls(self.resolver, self.source) | self.library.pure())


def split(source, wrt, shared, inner, carries=False):
    """The ForwardNormal of a function to be differentiated with respect to the parameters `wrt`.

    carries : whether who calls it asks exceptions for values
    """
    complexity.look(source, shared)
    effects = Effects(sight=shared.settings.classes)
    source = methods.resolved(consumers.written_out(factories.written_out(source)), shared.settings.classes, shared)
    source = handed.called(source, effects, wrt)
    refuse_as_written(source, wrt, effects, forward=True)
    source, nested = cells.converted(source, wrt, shared, effects, by_mention, forward=True)
    refuse_generators(source, nested, wrt, effects)
    source, nested = loops.apart(source, nested, None, shared, effects)
    subset.check(source, forward=True)
    function, names, resolver, temps = desugar(source, placed(source), shared, effects, wrt, nested)
    library = Library(names, resolver, shared)
    function = tree.replace(function, body=plain_statements(function.body, names, source, temps))
    function = tree.replace(function, body=nest_levels.deeper(namespaces(function.body, resolver, library), resolver))
    if 'super' in resolver.mentioned:
        function = Supers(source, params(function), library, resolver).visit(tree.clone(function))
    known, in_sight = by_name(function, resolver, wrt, effects), Classes(resolver, effects.acting)
    refuse_dicts(function, known.flows, source)
    refuse_shared(function, known.flows, resolver, source)
    contexts = Contexts(known.flows, in_sight.methods, names, library, resolver, temps, effects)
    function = tree.replace(function, body=plain_statements(contexts.block(function.body), names, source, temps))
    seen, looked_at, is_sure = looks_at_objects(function, in_sight, library, resolver, names, source)
    if seen is not function:                  # `s.area[0] = v` is now `getattr(s, 'area')[0] = v`
        function = tree.replace(seen, body=plain_statements(seen.body, names, source, temps))
    function, view, aliases = with_calls_in_front(function, names, resolver, library, effects, wrt, temps, source)
    sources = ObjectSources(resolver, Objects(view, resolver, in_sight.fields), is_sure)
    arguments = tree.names(function.args, gast.Param)
    own = frozenset() if inner else frozenset(p for p in arguments if aliases.family(p) <= {p})
    roots = {aliases.find(n) for s, n in aliases.writes + aliases.updates
             if not (n in own and isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name))}
    written = [p for p in arguments if aliases.find(p) in roots]
    captured = written_by_values(view, resolver, effects)
    refuse_captured(captured, aliases, view, [p for p in arguments if p not in wrt], source)
    refuse_derived(captured, view, resolver, source)
    inputs = {*wrt, *caught(view), *captured}
    links, results = Links(sources, aliases, heads(resolver)), set(written if inner else ())
    flow, carries = flows(view, inputs, links, results, carries or contexts.found)
    refuse_unseen(aliases, view.body, flow.varied, source)
    refuse_overwriting(aliases, view.body, flow, source)
    kept = refuse_kept(aliases, view, flow, source)
    work = ForwardSplit(source, names, library, flow, aliases)
    work.own, work.methods = own, frozenset(in_sight.methods)
    work.looked_at = looked_at | managers(function, resolver) | shared.settings.late
    work.throws = lambda call: carries and may_throw(call, resolver, effects)         # noqa: E731
    work.iterating = refuse_parts(function, resolver, effects, source, work.flows, forward=True)
    work.carries, work.stepped = carries, paired(function, resolver, work)
    work.temps |= temps
    function = tree.replace(function, body=watched(work.block(function.body), work))
    view = tree.replace(function, body=without_contexts(function.body))
    facts = ForwardNormal(source, function, names, library, resolver, known_aliases(view, resolver, effects), work.ops,
                          work.active, work.temps, work.sequences, written, work.methods, sources.is_object, kept, carries)
    facts.shapes, facts.held = ShapesThere(view, work.ops, resolver), with_holders(facts.aliases, view)
    facts.once = frozenset(work.iterating) | (effects.again(source.function) if inner else frozenset())
    return facts.giving(view) if inner else facts


def given_together(function, held):
    """Names that hold what others, who call a function, may reach by two ways: one tangent stands for it there, too.

        a = np.zeros(3) + x
        return a, a[1:]                 who writes into one of them writes into the other
        self.u = a                      as well as who gets this twice

    held : the Aliases in which also what is put into something counts as held by that
    """
    given = [s.value for s in tree.every(function.body) if isinstance(s, gast.Return) and s.value is not None]
    given += [n.value for s in function.body for n in tree.walk(s) if isinstance(n, gast.Yield) and n.value is not None]
    parts = [e for value in given for e in (value.elts if isinstance(value, (gast.Tuple, gast.List)) else [value])]
    families = [set().union(*(held.family(n) | {n} for n in held.held_by(e))) for e in parts]
    counts = collections.Counter(n for family in families for n in family)
    kept = set().union(*(held.family(n) | {n} for s in tree.every(function.body) for e in kept_by(s, held)
                         for n in held.handed_on(e)))
    several = {n for family in families if len(family) > 1 for n in family}
    return frozenset(kept | several | {n for n, count in counts.items() if count > 1})


def kept_by(s, aliases):
    """What a statement puts into an object, a dict or a list."""
    if isinstance(s, gast.AugAssign):
        made = aliases.bound.get(getattr(s.value, 'id', None), [s.value])
        return [s.value] if any(isinstance(e, (gast.List, gast.Tuple, gast.ListComp)) for e in made) else []
    if not isinstance(s, (gast.Assign, gast.Expr)) or not writes_no_array(s, aliases.resolver):
        return []
    return [s.value] if isinstance(s, gast.Assign) else tree.arguments(s.value)


def paired(function, resolver, work):
    """Names under which there are pairs of values and tangents in the place of a generator."""
    return frozenset(n for n, made in stepped(function, resolver).items() if n in work.active and all(
        any(map(work.flows, tree.arguments(call))) for call in made))


def written_by_values(function, resolver, effects):
    """Name -> partial, for the variables that function values write into: whatever they hold there may get a derivative."""
    found = {}
    for call in (n for s in function.body for n in tree.walk(s) if isinstance(n, gast.Call)):
        callee = resolver(call.args[0]) if call.args and resolver(call.func) is functools.partial else None
        if isinstance(callee, Nested):
            written = set().union(*effects.written(callee))
            found.update((n, call) for k in call.keywords if k.arg in written for n in tree.names(k.value, gast.Load))
    return found


def refuse_captured(captured, aliases, function, passive, source):
    """Refuse function values that write into a parameter whose tangent nobody has given."""
    made_of = {}
    for s in tree.every(function.body) if captured else ():
        if isinstance(s, (gast.Assign, gast.For)):
            for n in tree.names(s.targets[0] if isinstance(s, gast.Assign) else s.target, gast.Store):
                made_of.setdefault(n, set()).update(aliases.handed_on(s.value if isinstance(s, gast.Assign) else s.iter))
    for name, call in captured.items():
        if not closure({name}, made_of).isdisjoint(passive):
            raise subset.unsupported(call, source, 'function values that write into variables of the function around them',
                                     'write the function at the top level and pass it what it needs as arguments')


def refuse_derived(captured, function, resolver, source):
    """Refuse derivatives of function values that write: what these write has no tangent there."""
    values = [call for name, call in captured.items() if stores(resolver(call.args[0]).source.tree, name)]
    names = {tree.target(s) for s in tree.every(function.body) if isinstance(s, gast.Assign) and s.value in values}
    for call in (n for s in function.body for n in tree.walk(s) if values and isinstance(n, gast.Call)):
        given = [a for a in tree.arguments(call) if a in values or isinstance(a, gast.Name) and a.id in names]
        if given and facts.in_library(resolver(call.func)):
            raise subset.unsupported(call, source, 'function values that write into variables of the function around them, '
                                     'given to a derivative,', 'let the function return what it writes')


def stores(function, name):
    """Whether a function puts anything but constants and what was there into a variable that it has captured."""
    made = [s for s in inside(function.body) if isinstance(s, (gast.Assign, gast.AugAssign, gast.Expr))]
    return any(name in (read := set(tree.names(s, gast.Load))) and read - {name} for s in made)


def with_calls_in_front(function, names, resolver, library, effects, wrt, temps, source):
    """(the function with the calls in front that write, see `hoisted`; how analyses see it; its Aliases)."""
    view = tree.replace(function, body=without_contexts(function.body))
    aliases = Aliases(view, resolver, effects)
    new = hoisted(function, names, resolver, library, aliases, wrt, temps, source)
    if new is not function:
        view = tree.replace(new, body=without_contexts(new.body))
        return new, view, known_aliases(view, resolver, effects)
    aliases.mutated |= {aliases.find(n) for n in changed_by_helpers(view)}
    return function, view, aliases


def known_aliases(function, resolver, effects):
    aliases = Aliases(function, resolver, effects)
    aliases.mutated |= {aliases.find(n) for n in changed_by_helpers(function)}
    return aliases


def with_holders(aliases, function):
    """The Aliases in which what is put into something shares with it: `s.a = y` and `xs.append(y)`; written are arrays."""
    found = copy.copy(aliases)
    found.parent = dict(aliases.parent)
    for s in tree.every(function.body):
        if isinstance(s, gast.Assign):
            owners, given = [tree.root(t) for t in s.targets if isinstance(t, (gast.Subscript, gast.Attribute))], [s.value]
        elif isinstance(s, gast.Expr) and isinstance(s.value, gast.Call):
            owners, given = [tree.root(s.value.func)], tree.arguments(s.value)
        else:
            continue
        names = sorted(set().union(*map(aliases.handed_on, [*owners, *given])))
        for one, other in zip(names, names[1:]) if owners else ():
            found.share([one], [other])
    found.mutated = {found.find(n) for s, n in found.writes + found.updates
                     if not writes_no_array(s, found.resolver)}
    return found


def flows(function, inputs, links, results, carries):
    """(the activity of a function, whether exceptions are asked for values): what they carry, and what is given to function
    values, which may write it into what they have captured, are results, too."""
    aliases = links.aliases
    flow = activity(function, inputs, links, results, shared=True)
    carries = carries or not flow.active.isdisjoint(caught(function))
    if carries and (thrown := names_thrown(function, aliases.resolver, aliases.effects)):
        results |= thrown
        flow = activity(function, inputs, links, results, shared=True)
    values = {n for n in tree.names_called(function) & flow.varied if not flow.active.isdisjoint(aliases.family(n))}
    if values:
        flow = activity(function, inputs, links, results | values | given_to(function, values), shared=True)
    return flow, carries


def names_thrown(function, resolver, effects):
    """Names of what exceptions carry that are raised, here or by a call that is made for nothing else."""
    nodes = tree.walk(function)
    thrown = [s.exc for s in nodes if isinstance(s, gast.Raise) and s.exc is not None]
    thrown = [e for e in thrown if not isinstance(e, gast.Call) or carried(e)]
    thrown += [s.value for s in nodes if isinstance(s, gast.Expr) and may_throw(s.value, resolver, effects)]
    thrown += [tree.load(h.name.id) for h in nodes if isinstance(h, gast.ExceptHandler) and h.name is not None and any(
        isinstance(s, gast.Raise) and s.exc is None for s in tree.every(h.body))]                # who has written into it
    return {n for e in thrown for n in tree.names(e, gast.Load)}


def may_throw(expr, resolver, effects):
    """Whether it is a call that may raise what carries values."""
    found = resolver(expr.func) if isinstance(expr, gast.Call) else None
    return found is UNKNOWN or effects.knows(found) and effects.of(found).raises


def given_to(function, names):
    """Names in the arguments of the calls of these names."""
    calls = [n for n in tree.walk(function) if isinstance(n, gast.Call) and getattr(n.func, 'id', None) in names]
    return {n for call in calls for e in tree.arguments(call) for n in tree.names(e, gast.Load)}


class ForwardDerivation(Derivation):
    """The tangent of one function, with all the twins it needs."""

    mode, door, without = 'forward', 'tangents.tangent_', errors.ForwardNotImplementedError
    stand_ins, remarked = staticmethod(rebound_names.stand_in), False
    refused = None                        # the function of a package in which the last attempt has come to its end

    def begin(self, settings):
        super().begin(settings)
        self.brought = set()              # names of twins that functions brought with them
        self.attempting = False           # whether one of the functions so far may see what others raise
        self.carries = False              # whether any function so far asks exceptions for values

    def derived(self, function, wrt):
        source = with_lists(source_of(function, wrt), self.options.kinds)
        if not naming.returns(source):
            raise errors.ArgumentError(f'{source.name} ({source.filename}:{source.first}) returns nothing: let it return '
                                       'what is to be differentiated')
        def make():
            name = self.function_name(naming.derivative(source, wrt), source)
            self.made.append(self.whole(source, wrt, name))
            return name
        name = restarts.where_called(self, make)
        return self.build(name)[name]

    def whole(self, source, wrt, name):
        """The function that people get: it checks the tangents it is given."""
        facts = split(source, wrt, self.shared, inner=False)
        forward = self.forward(facts, self.outermost, wrt)
        given = [forward.tangent(p) for p in wrt]
        forward.given = set(given) - {forward.tangent(p) for p in wrt if p in facts.written}
        body = []
        if self.options.batched:
            parts = [gast.Tuple(elts=list(map(tree.load, names)), ctx=gast.Load()) for names in (wrt, given)]
            body.append(tree.assign(forward.count, forward.call('count_directions', *parts), tree.Origin('seed')))
            for p, t in zip(wrt, given):
                checked = forward.call('to_directions', tree.load(p), tree.load(t), tree.load(forward.count))
                body.append(tree.assign(t, checked, tree.Origin('seed')))
        elif self.options.check_dims:
            for p, t in zip(wrt, given):
                body.append(tree.assign(t, forward.call('check_tangent', tree.load(p), tree.load(t)), tree.Origin('seed')))
        if self.options.nan_safe:
            body += [tree.assign(t, forward.call('zeros_known', tree.load(t)), tree.Origin('seed')) for t in given]
        alike = not self.options.target                        # what Numba compiles is given no containers that share parts
        if alike:
            effects = Effects(sight=self.shared.settings.classes)
            effect = effects.of(source.function)
            outside = read_by(facts.tree, effect, facts.resolver, effects, facts.names.taken)
            body += apart(facts.tree, effect, outside, frozenset(), facts.resolver, forward.call)
        for p in facts.written:
            if p in wrt:
                t = forward.tangent(p)
                copied = forward.call('copy_along', tree.load(t), tree.load(p)) if alike else forward.call('copy', tree.load(t))
                body.append(tree.assign(t, copied, tree.Origin('primal')))
            body.append(tree.assign(p, forward.call('copy_alike' if alike else 'copy', tree.load(p)), tree.Origin('primal')))
        return self.finished(facts, forward, wrt, given, body, name, self.options.default)

    def finished(self, facts, forward, wrt, given, body, name, default):
        source = facts.source
        outside = sorted(n for n in facts.active if n not in facts.resolver.local and n in facts.resolver.mentioned)
        for p in params(source.tree) + outside:
            if p in facts.active and p not in wrt:
                body.append(tree.assign(forward.tangent(p), forward.zeros(tree.load(p)), tree.Origin('zero')))
        self.show('split', facts.tree, source)
        thin = None
        while thin != forward.thin:              # until it is known whose tangents are broadcast late
            thin = set(forward.thin)
            done = forward.block(facts.tree.body)
        if Others in self.shared.settings.classes:
            done = looked_at(done, facts.active, forward.call, wrt)
        body += without_keys(done, facts, forward, forward.finish != self.outermost)
        body += self.end(forward, facts.tree.body)
        args = with_tangents(source.tree.args, given, default)
        function = tree.replace(source.tree, name=name, args=args, body=body, decorator_list=[], returns=None)
        function = self.optimized(function, facts, forward, given)
        if source.tree.args.vararg:          # behind `*args` tangents are given by name
            part = part_of(name, source)
            keywords = {**source.kwdefaults, **({} if default is None else dict.fromkeys(given, default))}
            return Made(function, source, part._replace(kwdefaults=keywords or None), facts.source.methods)
        return Made(function, source, part_of(name, source, len(given), default), facts.source.methods)

    def end(self, forward, stmts):
        """What a function returns that comes to its end without a return."""
        if forward.facts.generates or never_ends(stmts):
            return []
        none = tree.constant(None)
        return [tree.place(gast.Return(value=forward.finish(forward, none, none)), tree.Origin('return'))]

    def outermost(self, forward, value, tangent, made_of=()):
        """What the function that people get returns."""
        if isinstance(tangent, gast.Tuple):
            tangent = tree.replace(tangent, elts=[self.mine(forward, e) for e in tangent.elts])
        else:
            tangent = self.mine(forward, tangent)
        if self.options.nan_safe:
            tangent = forward.call('zeros_forgotten', tangent)
        if self.options.batched:
            tangent = forward.call('from_directions', tangent, tree.load(forward.count))
        if self.options.aux:
            return self.with_aux(forward, value, tangent)
        if self.options.values == 'none':
            return tangent
        pair = [tangent, value] if self.options.values == 'after' else [value, tangent]
        return gast.Tuple(elts=pair, ctx=gast.Load())

    @staticmethod
    def with_aux(forward, value, tangent):
        """The tangent of the first of a pair, and the second."""
        if not isinstance(value, gast.Tuple) or len(value.elts) != 2:
            tangent = forward.call('check_pair', tangent)           # of the structure of the value, and read first
        parts = [whole.elts[k] if isinstance(whole, gast.Tuple) and len(whole.elts) == 2 else
                 subscript(whole, tree.constant(k)) for k, whole in enumerate((tangent, value))]
        return gast.Tuple(elts=parts, ctx=gast.Load())

    @staticmethod
    def mine(forward, tangent):
        """The tangent, copied if it may be one that the caller gave."""
        return forward.call('copy', tangent) if forward.shares(tangent, forward.given) else tangent

    @staticmethod
    def value_first(forward, value, tangent, made_of=()):
        return gast.Tuple(elts=[value, forward.apart(tangent, made_of)], ctx=gast.Load())

    def forward(self, facts, finish, given):
        self.remember(facts)
        self.carries = self.carries or facts.carries
        self.attempting |= any(isinstance(n, (*tree.TRIES, gast.With)) for n in tree.walk(facts.source.tree))
        self.takes(facts.names)
        listed = lambda s: facts.ops[s].listed if s in facts.ops else ()  # noqa: E731
        twin = lambda callee, wanted, s: self.twin_apart(callee, (wanted, listed(s)), s, facts.source, facts)  # noqa: E731
        made = Forward(facts, twin, finish, given)
        if self.options.batched:
            made.count, made.typed = made.fresh('count'), self.options.target is not None
        return made

    def optimized(self, function, facts, forward, given):
        self.show('forward', function, facts.source)
        if not self.options.optimized:
            return self.spread(function, forward, given)
        base = {t: t for t in forward.of.values()}
        once = facts.once | {tree.target(s) for s, op in facts.ops.items() if op.kind == 'pairs'}
        once |= {forward.of[name] for name in once & forward.of.keys()}
        func = tree.Func(function, base, frozenset(forward.temps), facts.pure(function), dict(facts.library.given),
                         writing=writing(facts.resolver.classes), generators=once,
                         tried=self.attempting and forward.finish != self.outermost,
                         alike=(forward.parameters, set(given)) if facts.inner else ())
        log = (lambda name, f: self.show(name, f.tree, facts.source)) if self.options.verbose >= 2 else None
        done = self.spread(optimize(func, log).tree, forward, given)
        users = {n.id for n in tree.walk(facts.source.tree) if isinstance(n, gast.Name)}
        fixed = users | set(params(function)) | set(facts.library.given.values()) | self.names | set(self.shared)
        return naming.renumber(done, fixed, {}, {t: n for n, t in forward.of.items()}, 'd')

    def spread(self, function, forward, given):
        """The function for several directions, where those are asked for."""
        if not self.options.batched:
            return function
        emitted = {t.name for t in self.twins.values()} | self.names - self.brought
        return batched.in_directions(function, forward, given, self.shared, emitted, self.brought)

    # Twins

    def twin(self, callee, demands, s, caller, resolver):
        """The ForwardTwin for calls of a user function; `demands`: the parameters that have tangents, those that get lists."""
        wanted = demands[0]
        if hasattr(callee, 'pushed'):          # it brings a function for this
            function, parameters, count = callee.pushed(wanted)
            name = self.function_name(function.__name__, caller)
            self.shared[name] = function
            self.brought.add(name)
            return ForwardTwin(name, parameters, count)
        lookup = resolver.lookup(s.value.func) if not isinstance(callee, Nested) and not is_substitute(callee) else None
        key = callee, demands, lookup
        if key not in self.twins:
            source = self.callee_source(callee, s, caller)
            takes_all = self.calls_compiled(callee) and not again.defaults(source)
            call = compiled.made(compiled.Pushed, callee, wanted) if takes_all else None
            if call is None:
                self.called_twin(source, key, lookup, caller)
            else:
                name = self.function_name(call.__name__, source)
                self.shared[name], self.twins[key] = call, ForwardTwin(name, call.given, call.count, lookup)
        return self.twins[key]

    def called_twin(self, source, key, lookup, caller):
        """The twin for a call; a function of a package that is refused, called by another, is noted for `where_called`."""
        try:
            self.one_of(source, key, lookup)
        except errors.TangentError:
            plain = isinstance(key[0], types.FunctionType)
            if self.refused is None and plain and stays(caller.filename) and stays(source.filename):
                self.refused = key[0]
            raise

    def one_of(self, source, key, lookup):
        wanted, listed = key[1]
        source = dataclasses.replace(source, listed=frozenset(listed)) if listed else source
        name = self.function_name(f'{naming.title(source.name)}_tangent', source)
        facts = split(source, wanted, self.shared, inner=True, carries=self.carries)
        forward = self.forward(facts, self.value_first, wanted)
        given = tuple(forward.tangent(p) for p in wanted)
        args = source.tree.args
        count = 1_000_000 if args.vararg else len(args.posonlyargs + args.args)
        lost = tuple(p for p in facts.written if p in facts.active and p not in wanted)
        self.twins[key] = ForwardTwin(name, given, count, lookup, lost, facts.kept)
        count = [] if forward.count is None else [
            tree.assign(forward.count, forward.call('directions', *map(tree.load, given)), tree.Origin('seed'))]
        self.made.append(self.finished(facts, forward, wanted, given, count, name, None))
        return self.twins[key]

    def build(self, name):
        """Functions marked as what they are: their effects are read off their text, as they have no tape."""
        functions = super().build(name)
        twins = {twin.name for twin in self.twins.values()}
        for name, function in functions.items():
            function.by_text, function.lent = True, name in twins
        for (_, (_, listed), _), twin in self.twins.items():
            if listed and twin.name in functions:
                functions[twin.name].lists_given = frozenset(listed)
        return functions

    def remake(self, demands, before, callee):
        """The twin of another callee, which the name of the one before denotes by now."""
        classes = taking_part([callee], self.shared.settings.classes)
        anew = ForwardDerivation(dataclasses.replace(self.options, classes=classes))
        source = read(original(callee))
        places = functools.partial(rebound_names.in_their_place, before=read(original(before)).tree.args, source=source)
        twin = anew.one_of(source, (callee, tuple(map(places, demands)), None), None)
        return anew.build(twin.name)[twin.name]
