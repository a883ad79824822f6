"""The normal form: one operation a statement, structured control flow, one exit, one name per definition.

    stmt := v = atom | v = op(atom, ...) | v = f(atom, ..., k=atom) | (v, ...) = atom
          | if atom: block else: block | for v in iter: block | while test: block | with insert_grad_of(v) as v: block
          | if atom: break      (at the end of a loop body)
          | return atom
          | any statement of the user's through which no derivative flows, as it stands

An atom is a name, a literal, or a passive expression that can be evaluated again at no cost (`n - 1`, `x.shape[0]`).
`check` verifies this grammar.
"""
import dataclasses
import functools
import importlib
import inspect
import types
from typing import NamedTuple

import gast

from tangent import errors
from tangent.analysis.activity import Links, Sources, activity, by_mention
from tangent.analysis.alias import Aliases, Escaping, outputs, writes_no_array
from tangent.analysis.attributes import Objects, combines_objects
from tangent.analysis.dataflow import bystanders
from tangent.analysis.dataflow.later import Later
from tangent.analysis.dataflow.lending import Lending
from tangent.analysis.effects import Effects, bound_anew, holds_twice, source_of
from tangent.analysis.fences.aliased_updates import HeldTwice, refuse_dicts, refuse_unseen
from tangent.analysis.fences.as_written import refuse_as_written, refuse_updated
from tangent.analysis.fences.outside_late import refuse_kept_by_others, refuse_written_late
from tangent.analysis.fences.overwritten import refuse_kept, refuse_overwriting
from tangent.analysis.kinds import classes, methods
from tangent.analysis.kinds.infer import Inference, axes_of_names
from tangent.analysis.kinds.values import Parts, has_number_keys, holds_no_object
from tangent.analysis.mutated_arrays import Buffers
from tangent.analysis.numeric import accumulators, doubled, indexed, joined, numbers, numbers_unset, returned
from tangent.analysis.shapes import Shapes
from tangent.emit.library import Library
from tangent.emit.printer import expression_text, statement_text
from tangent.frontend import subset, tree
from tangent.frontend.closures import cells, lambda_lifting
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, Resolver, names_in
from tangent.frontend.scopes import inside
from tangent.frontend.source import is_derivative, takes_from_tape
from tangent.normal import nest_levels, own_lists, own_tapes, unbound
from tangent.normal.desugar import Given, desugar, handed
from tangent.normal.entry import in_place, with_copies, without_axes
from tangent.normal.inlined import consumers, factories, procedures, unrolled
from tangent.normal.objects.dicts import own_dicts
from tangent.normal.ops import is_simple
from tangent.normal.outlined import attempts, loops
from tangent.normal.regions import contexts, generators, marks
from tangent.normal.ssa import assigned, single_names
from tangent.normal.structure import structure
from tangent.normal.three_address import Split
from tangent.normal.typed import (
    array_changes,
    by_number,
    each_in_turn,
    element_updates,
    flags,
    in_step,
    monomorphise,
    numba_names,
    own_arrays,
    powers,
    views,
)
from tangent.normal.watched_calls import watched
from tangent.runtime import facts
from tangent.templates.language import registry

DEEP = 6                                                  # calls inside calls that are asked what they return
# kinds of Op that change a builder or a buffer
CHANGES = ('append', 'appendleft', 'pop', 'popleft', 'insert', 'take', 'store', 'remove', 'write', 'update')


@dataclasses.dataclass(frozen=True)
class Normal:
    """A function in normal form and what is known of it.

    tree : the FunctionDef
    ops : statement -> Op, for the active statements
    active : names through which a derivative flows
    numbers : names that surely hold numbers or arrays, so that `+` adds their gradients
    tuples : names made by a display or by a call, whose gradient may be a tuple
    displays : those that surely hold tuples or lists
    copied : parameters whose arrays the function writes into
    emitted : it is a derivative of ours that is differentiated again
    escaping : what of the caller's a value with a derivative is written into, an Escaping
    builders : name of a list, dict or deque of the function's own, or lent to it, that it changes -> 'list', 'dict' or 'deque'
    tables : those of which it changes lists that they hold
    lent : parameters that are lent by the caller
    buffers : the Buffers, arrays that it writes into
    effects : statement -> the buffers whose gradients the function called there changes
    own : function -> its parameters that it alone reads from there on, wherever it is called here
    twice : whether two parts of what it returns may be, or hold, one thing
    listed : names that are known to hold lists or tuples
    lists : names that may hold one of them
    is_object : whether an expression is surely an object with attributes of its own
    indexed : names read by a single index, which may be tuples
    reached : what objects of classes in sight reach, a `bystanders.Reached`; None where they may be anything
    accumulators : result of an elementwise update -> the carried name it updates, which no other statement reads
    """
    source: object
    tree: gast.FunctionDef
    names: tree.Names
    library: Library
    resolver: Resolver
    base: dict
    temps: set
    ops: dict
    active: set
    shapes: Shapes
    numbers: set
    tuples: set
    displays: set
    accumulators: dict
    indexed: set
    copied: list
    escaping: Escaping
    emitted: bool
    builders: dict
    doubled: set
    tables: frozenset
    lent: frozenset
    lists: set
    is_object: object
    buffers: Buffers
    effects: dict
    own: dict
    twice: bool
    listed: set
    reached: object = None

    def is_untouched(self, expr):
        """Whether an expression surely holds no object of a class in sight."""
        return self.reached is not None and not self.reached.holds(expr)

    def brings(self, callee, call):
        """Whether a call of a function may give it such an object."""
        return self.resolver(call.func) is not callee or not all(map(self.is_untouched, tree.arguments(call)))

    def changes(self, s):
        """Names of the builders and buffers from outside that the statement changes, or one in its blocks."""
        found = self.changed(s)
        inside = assigned([s]) if found else ()
        return [n for n in found if n not in inside]

    def changed(self, s):
        """The same with those that are made inside the statement, which may be seen after it under another name."""
        found = {}
        if not self.builders and not self.buffers.names:
            return found
        for t in tree.every([s]):
            op = self.ops.get(t)
            found.update(dict.fromkeys(self.effects.get(t, ())))
            if op is not None and op.kind in CHANGES:
                found[op.args[0]] = None
        return found

    def touches(self, s):
        """Whether the statement, or one in its blocks, computes or overwrites something with a derivative."""
        return s in self.ops or isinstance(s, gast.Assign) and tree.target(s) in self.active \
            or any(self.touches(t) for _, block in tree.blocks(s) for t in block)

    def read_from_outside(self, s):
        """Active names that the operations in a loop read and that the loop does not define, in order."""
        inside = set(assigned([s]))
        found = {}
        for t in tree.every(s.body):
            if t in self.ops:
                found.update((n, None) for n in tree.names(t, gast.Load) if n in self.active and n not in inside)
        return list(found)

    def leaves(self, scalars):
        """The active names from which a result is made element by element, where their shapes may differ from its own.

        None if one of them cannot be read at the end of the function: it stands in a loop or branch.
        """
        result = self.tree.body[-1].value
        made = {tree.target(s): s for s in tree.every(self.tree.body) if tree.target(s)}
        outermost = {tree.target(s) for s in self.tree.body} | set(tree.names(self.tree.args, gast.Param))
        found = []
        for name in sorted(scalars & self.active):
            op = self.ops.get(made.get(name))
            inner = op is not None and (op.kind in ('copy', 'insertion') or op.kind == 'rule'
                                        and op.what.shape == 'elementwise')
            if not inner and self.shapes.of.get(name) != self.shapes.of.get(result.id):
                found.append(name)
        return found if outermost.issuperset(found) else None

    def is_set_outside(self, name, s):
        inside = set(map(id, tree.every([s])))
        return any(tree.target(t) == name and id(t) not in inside for t in tree.every(self.tree.body))

    @staticmethod
    def bound(s):
        return assigned([s])

    @staticmethod
    def bound_by(s):
        return tree.names(s.target, gast.Store) if isinstance(s, gast.For) else []

    @staticmethod
    def stored(stmts):
        return assigned(stmts)

    def bind(self, callee, args, keywords, s):
        """Parameter -> atom for a call of a Python function."""
        signature = callee.signature if isinstance(callee, Nested) else inspect.signature(callee, follow_wrapped=False)
        try:
            return dict(signature.bind(*args, **keywords).arguments)
        except TypeError as error:
            raise errors.ArgumentTypeError(subset.locate(s, self.source, f'{callee.__name__}() {error}')) from None

    def pure(self):
        """Dotted names of the calls that have no effect."""
        return frozenset(pure_calls(self.resolver, self.source) | self.library.pure())


def pure_calls(resolver, source):
    """Dotted names of what a function calls without effect: where it says nowhere into which array the value goes."""
    found = {path for path, thing in resolver.seen.items() if registry.is_pure(thing)}
    for call in source.nodes:
        if isinstance(call, gast.Call) and tree.dotted(call.func) and outputs(resolver.seen.get(tree.dotted(call.func)), call):
            found = found - {tree.dotted(call.func)} | {tree.dotted(call.func) + ' without output'}
    return found


def pure_of_rules(function, library):
    """The same for what rules have put into a text: functions of modules that the library has given names to."""
    modules = {new: library.denoted(new) for name, new in library.given.items() if name in registry.MODULES}
    names = {tree.dotted(n.func) for n in tree.walk(function) if isinstance(n, gast.Call)} - {None}
    return {name for name in names if name.partition('.')[0] in modules and registry.is_pure(functools.reduce(
        lambda found, part: getattr(found, part, None), name.split('.')[1:], modules[name.partition('.')[0]]))}


class Straight(NamedTuple):
    """A function with structured control flow and one name per definition, and what is known of it by then.

    base, updated : as `single_names` tells them
    temps : names that stand in for expressions
    kinds : name -> its type, in text that is made for the types that Numba infers
    kept : as `single_names` is told
    listed : names that are known to hold lists or tuples
    lending : the Lending, or None for Numba
    """
    source: object
    tree: gast.FunctionDef
    names: tree.Names
    library: Library
    resolver: Resolver
    base: dict
    temps: set
    updated: dict
    effects: Effects
    kinds: dict
    kept: dict
    listed: set
    lending: object


def straight(source, wrt, shared, inner, arrays, known=None, lent=types.MappingProxyType({})):
    """The function with structured control flow and one name per definition; `lent` : see `desugar.Given`."""
    settings = shared.settings
    source = source if settings.typed else own_dicts(source, known[0] if known else {})
    if known and not settings.typed:
        source = powers.asked(flags.decided(source, known[0], shared, known[1], wrt), *known)
    if not settings.typed:
        source = unrolled.written_out(factories.written_out(source), known[1] if known else None)
    source = consumers.for_kinds(source, known)
    source = methods.resolved(source, settings.classes, shared, known)
    effects = Effects(settings.facts, settings.classes)
    lending = None if settings.typed else Lending(effects, source_of)
    program = known[1] if known else None
    dicts = frozenset(p for p, kind in known[0].items() if isinstance(kind, Parts) and has_number_keys(kind.form, kind.keys)) \
        if known else frozenset()
    if not settings.typed:
        source = own_lists.spelled(source, known[0] if known else {}, lent, effects)
    source = procedures.written_out(source, known, effects) if known and not settings.typed else source
    known, ints, held = axes_of_names(source, known)
    known = settings.facts.get(source.function.__code__) or known
    ints |= {n for n, kind in known.items() if kind == 'int'}
    source = handed.called(source, effects, () if settings.typed else wrt)
    refuse_as_written(source, wrt, effects)
    refuse_updated(source)
    source, nested = (lambda_lifting if settings.typed else cells).converted(source, wrt, shared, effects, by_mention)
    source = numba_names.plain(source, nested, shared.settings.typed)
    if shared.settings.typed:
        numba_names.refuse(source, nested)
        source, nested = monomorphise.written_out(source, nested, shared, known)
    elif program is not None:
        source, nested = monomorphise.in_calls(source, nested, shared, wrt, program)
    source, nested = loops.apart(source, nested, wrt, shared, effects, inner)
    source = source if settings.typed else generators.written_out(source, nested, wrt)
    source, nested = attempts.apart(source, nested, wrt, shared, effects)
    source, kept = (source, {}) if settings.typed else contexts.called(source, nested)
    subset.check(source)
    function, names, resolver, temps = desugar(source, placed(source), shared, effects, wrt, nested,
                                                given=Given(dicts, lent))
    function, anew = bound_anew(marks.in_a_row(structure(unbound.told(function), names)), names.fresh)
    known = {**known, **{n: known[p] for n, p in anew.items() if p in known}}
    library = Library(names, resolver, shared)
    function, known, copied = with_places(function, known, ints, held, effects, resolver, library, inner)
    function = own_arrays.copied(function, known, inner, effects, resolver, shared.settings.typed)
    flat = () if settings.typed else without_axes(function, known, resolver)
    function = in_place(function, {*flat, *(arrays if inner else ())})
    if not inner:
        function = with_copies(function, source, resolver, library, effects, known, lending, copied)
    made = frozenset(assigned(function.body)) - set(names_in(source).mentioned) - set(anew)
    function, base, updated = single_names(function, names, made, anew, kept)
    function = tree.replace(function, body=nest_levels.deeper(namespaces(function.body, resolver, library), resolver))
    kinds = {n.id: known[base.get(n.id, n.id)] for n in tree.walk(function)
             if isinstance(n, gast.Name) and base.get(n.id, n.id) in known}
    listed = {n.id for n in tree.walk(function) if isinstance(n, gast.Name) and base.get(n.id, n.id) in held.listed}
    return Straight(source, function, names, library, resolver, base, temps, updated, effects, kinds, kept, listed, lending)


def with_places(function, known, ints, held, effects, resolver, library, inner):
    """(the function in which what is written has a place: a part of an array, an element of a list; the kinds with those of new
    names; the parameters that hold arrays of which the function has copies by now)."""
    function, copied = array_changes.written_out(function, known, resolver, library), ()
    if known or held.of_arrays:
        function = each_in_turn.written_out(function, known, held.of_arrays, resolver, library.names)
        function, ints = by_number.written_out(function, known, ints, held, resolver, library)
        function, known = views.written_out(function, known, ints, effects, resolver, library)
    function = in_step.kept(function, known, ints, effects, resolver, library) if known else function
    if any(held):
        function, copied = element_updates.written_out(function, known, held, resolver, effects, library, inner)
    return function, known, copied


def normalise(source, wrt, shared, inner=False, arrays=(), known=None, own=(), brought=True):
    """The normal form of a function, ready to be differentiated with respect to the parameters `wrt`.

    inner : it is called by another function of ours, which may hold what it is given
    arrays : (parameter, number of axes or None) of arrays of the caller's into which it writes for him; in the place of that
        'list', 'dict' or 'deque' for builders of the caller's that it changes
    known : (parameter -> kind, the `kinds.program.Program`), where kinds are known
    own : parameters that hold what nobody else reads from here on, of a function that is called by another
    brought : whether what it is given may be an object of a class in sight, or hold one
    """
    lent, arrays = kinds_apart(arrays)
    given, plain = known, straight(source, wrt, shared, inner, arrays, known, lent)
    source, function, names, library, resolver, base, temps, _, effects, kinds, kept, listed, lending = plain
    in_sight = classes.Classes(resolver, effects.acting)
    sources = Sources(resolver, Objects(function, resolver, in_sight.fields))
    aliases = Aliases(function, resolver, effects, kinds, given=lent, lending=lending)
    flow = activity(function, wrt, Links(sources, aliases), {**arrays, **lent})
    buffers = Buffers(function, resolver, aliases, flow.active, arrays, kinds, shared.settings.typed)
    refuse_unsound(plain, aliases, flow, buffers)
    exact = Aliases(function, resolver, effects, kinds, True, lent, lending) if aliases.updates or plain.updated else aliases
    held_twice = HeldTwice(plain, flow, exact, own if inner else None, buffers)
    held_twice.refuse(function.body, shared.settings.typed)
    shared.guards.extend(held_twice.guards)
    later = Later(function, aliases)
    refuse_written_late(source, function, aliases, flow.flows, later)
    function = tree.replace(function, body=held_twice.guarded(function.body, library, resolver))
    twice = any(holds_twice(s.value, aliases, effects) for s in tree.every(function.body) if isinstance(s, gast.Return))
    split = Split(source, names, library, flow, aliases, buffers, later)
    split.temps |= temps
    function = tree.replace(function, body=split.block(function.body))
    if not shared.settings.typed:
        function = tree.replace(function, body=watched(function.body, split))
    ops, active = split.ops, split.active
    marks.refuse(function, ops, active, kept, source)
    shaped = kinds if shared.settings.typed else {n: kind for n, kind in kinds.items() if kind != 'number'}
    shapes = Shapes(function, ops, resolver, buffers.ranks, getattr(source, 'numbers', ()), shaped)
    listed = joined(listed, ops)
    sequences = indexed(ops) | listed
    known = numbers(function, ops, active, shapes, sequences, buffers, sources.is_object, listed)
    function = tree.replace(function, body=numbers_unset(function.body, known & active))
    emitted = is_derivative(source.function)
    among = taken(source.function) if takes_from_tape(source.function) else None
    in_sight.anything |= combines_objects(source.tree, sources.is_object)
    normal = Normal(
        source, function, names, library, resolver, base, split.temps, ops, active, shapes, known,
        tuples=tuples(source, function, ops, emitted), displays=displays(source, function, ops, emitted),
        accumulators=accumulators(function.body, ops), indexed=sequences, copied=copied(function, aliases, buffers),
        escaping=escaping(aliases, function, flow.varied, resolver, among), emitted=emitted,
        builders=aliases.builders.kinds, doubled=doubled(ops) & returned(function) - known if inner else set(),
        tables=frozenset(aliases.builders.tables), lent=frozenset(lent),
        lists={n for b in aliases.builders.kinds for n in aliases.family(b)} - known,
        is_object=sources.is_object, buffers=buffers, effects=split.effects, own=held_twice.handed_over(plain.tree, resolver),
        twice=twice, listed=listed)
    if (in_sight.methods or in_sight.computed) and not in_sight.anything:
        normal = dataclasses.replace(normal, reached=bystanders.reached(function, resolver, source, brought))
    classes.refuse(normal, in_sight, lambda: surely_plain(normal, given))
    return normal


def refuse_unsound(plain, aliases, flow, buffers):
    """Refuse what is written where this form would not see it."""
    source, function = plain.source, plain.tree
    refuse_writes(aliases, flow.active, source, buffers)
    refuse_unseen(aliases, function.body, flow.active, source)
    refuse_kept_by_others(source, function, aliases, flow.varied)
    refuse_dicts(function, flow.flows, source)
    refuse_overwriting(aliases, function.body, flow, source)
    refuse_kept(aliases, function, flow, source, plain.updated)


def kinds_apart(written):
    """({parameter: kind} of builders, {parameter: number of axes or None} of arrays) of what a function writes into for its
    caller."""
    lent = {p: kind for p, kind in written if isinstance(kind, str)}
    return lent, {p: axes for p, axes in written if p not in lent}


def surely_plain(normal, given):
    """The names and paths of what is no object, and holds none, in a normal form, where kinds of parameters are given."""
    if not given:
        return frozenset()
    found = Inference(normal.tree, given[0], normal.resolver, given[1])
    plain: dict = {name: holds_no_object(kind) for name, kind in found.names.items()}
    for n in tree.walk(normal.tree):
        if isinstance(n, gast.Attribute) and tree.dotted(n):
            plain[tree.dotted(n)] = holds_no_object(found.of(n)) and plain.get(tree.dotted(n), True)
    return frozenset([path for path, is_plain in plain.items() if is_plain])


def tuples(source, function, ops, emitted):
    """Names that may hold tuples."""
    found = {tree.target(s) for s, op in ops.items() if op.kind in ('display', 'call', 'dispatch', 'join')
             and not (op.kind == 'call' and gives_array(op.what))}
    return found | given_tuples(source, function, emitted)


def displays(source, function, ops, emitted):
    """Names that surely hold tuples or lists; what is known when a derivative runs gives it a pair."""
    sure = 'display', 'join', *['dispatch'] * emitted
    found = {tree.target(s) for s, op in ops.items() if op.kind in sure or op.kind == 'call' and gives_display(op.what)}
    return found | given_tuples(source, function, emitted)


def given_tuples(source, function, emitted):
    """The parameters that hold tuples."""
    found = {n.id for n in (function.args.vararg,) if n}
    if emitted and '_adjoint' in source.name:
        found |= set(tree.names(function.args, gast.Param)[1:])       # what was saved
    return found


def gives_display(callee, above=()):
    """Whether a function returns what surely is a tuple or a list, for its text and that of what it calls."""
    return all_returned(callee, is_display, above, all)


def gives_array(callee, above=()):
    """Whether a function returns what surely is no tuple, for its text and that of what it calls."""
    return all_returned(callee, is_array_of, above, any)


def all_returned(callee, is_such, above, each):
    """Whether what a function returns is such, at each place or at any."""
    try:
        source = source_of(callee)
    except errors.TangentError:
        return False
    if source.tree.name in above or len(above) > DEEP:
        return False
    resolver = Resolver(source)
    returned = [n.value for n in inside(source.tree.body) if isinstance(n, gast.Return)]
    return bool(returned) and each(is_such(e, resolver, source.tree, (*above, source.tree.name)) for e in returned)


def bound_to_such(name, function, is_such):
    """Whether all that binds a name of a function is such."""
    parts = list(inside(function.body))
    made = [s.value for s in parts if tree.target(s) == name]
    stored = [n for n in parts if isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Store)]
    known = name not in tree.names(function.args, gast.Param) or name in map(tree.target, function.body)
    return known and 0 < len(made) == len(stored) and all(map(is_such, made))


def is_display(expr, resolver, function, above):
    """Whether what an expression of a function gives is surely a tuple or a list."""
    if isinstance(expr, gast.Name):
        return (expr.id,) not in above and bound_to_such(
            expr.id, function, lambda e: is_display(e, resolver, function, (*above, (expr.id,))))
    if isinstance(expr, gast.IfExp):
        return all(is_display(e, resolver, function, above) for e in (expr.body, expr.orelse))
    if isinstance(expr, gast.Call):
        called = resolver(expr.func)
        return called in (tuple, list) or isinstance(called, types.FunctionType) and registry.lookup(called) is None \
            and gives_display(called, above)
    return isinstance(expr, (gast.Tuple, gast.List, gast.ListComp))


def is_array_of(expr, resolver, function, above):
    """Whether what an expression of a function gives is surely no tuple."""
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Mult)):
        return any(is_array_of(e, resolver, function, above) for e in (expr.left, expr.right))
    if isinstance(expr, gast.Name):
        if (expr.id,) in above:                                # `x = x + 1`: as what else it was made of
            return True
        return bound_to_such(expr.id, function, lambda e: is_array_of(e, resolver, function, (*above, (expr.id,))))
    if not isinstance(expr, gast.Call):
        return isinstance(expr, (gast.BinOp, gast.UnaryOp)) or isinstance(expr, gast.Constant) and isinstance(expr.value, float)
    called = resolver(expr.func)
    if called is UNKNOWN:
        return False
    rule = registry.lookup(called)
    if rule is None:
        return isinstance(called, types.FunctionType) and gives_array(called, above)
    whole = facts.of(rule.name).numeric or rule.kind in ('elementwise', 'bilinear', 'reduction')
    return whole and rule.name.startswith('numpy.')


def copied(function, aliases, buffers):
    """Parameters whose arrays the function writes into: the caller's own are left alone."""
    written = {aliases.find(n) for s, n in aliases.writes + aliases.updates if not (
        isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) or writes_no_array(s, aliases.resolver)
        or s in buffers.writes or n in buffers.names)}
    return [p for p in tree.names(function.args, gast.Param) if aliases.find(p) in written]


NAMESPACE_GETTERS = ('array_namespace', 'get_namespace', 'get_array_module')


def namespaces(stmts, resolver, library):
    """The statements with `xp = array_namespace(x)` taken for `xp = numpy`, and a check that says so when running."""
    out = []
    for s in stmts:
        out.append(s)
        if tree.target(s) and isinstance(s.value, gast.Call) \
                and getattr(resolver(s.value.func), '__name__', None) in NAMESPACE_GETTERS:
            resolver.namespaces[tree.target(s)] = importlib.import_module('numpy')
            check = tree.call(library('check_numpy'), tree.load(tree.target(s)))
            out.append(tree.place(gast.Expr(value=check), tree.Origin('guard', s.lineno)))
    return out


def refuse_writes(aliases, active, source, buffers):
    """Refuse statements that write into an object through which a derivative flows, under whatever name."""
    for s, name in aliases.writes:
        if s not in buffers.writes and name not in buffers.calls.get(s, ()) and not active.isdisjoint(aliases.family(name)):
            raise subset.unsupported(s, source, 'statements that write into an array, list or object through which a '
                                    'derivative flows', 'build the new value from its parts (numpy.where, '
                                    'numpy.concatenate, numpy.stack, a list display) and assign it to a name', undecided=True)


def escaping(aliases, function, varied, resolver, among=None):
    """What of the caller's (no variable made here) a value with a derivative goes into, as Escaping says.

    among : the names that count, where others are those of what only our own functions see
    """
    written = None
    for _, name in aliases.writes:
        family = aliases.family(name)
        found = [n for n in sorted(family) if n in resolver.given or n not in resolver.local]
        found = [n for n in found if among is None or n in among]
        if found and not varied.isdisjoint(family):
            written = found[0]
            break
    return Escaping.of(aliases, function, varied if among is None else frozenset(), written)


def taken(derivative):
    """The variables of the user's that a derivative has captured, as its function has."""
    return set(derivative.__code__.co_freevars) - set(derivative.source.library)


def placed(source):
    """The function's tree with an origin on every statement, decorators and the docstring put aside.

    Of emitted text the parts that stand for other lines have one, too.
    """
    function, known = source.tree, errors.PLACES.get(source.filename, {})
    if any(place.folded for place in known.values()):
        function = tree.clone(function)
    def visit(stmts):
        out = []
        for s in stmts:
            compound = any(tree.blocks(s)) or isinstance(s, gast.Match)
            text = header_text(source, s) if compound else source.one_line(s)
            s = tree.replace(s, **{field: visit(block) for field, block in tree.blocks(s)})
            if isinstance(s, gast.Match):
                s = tree.replace(s, cases=[tree.replace(c, body=visit(c.body)) for c in s.cases])
            out.append(tree.place(s, tree.Origin('primal', s.lineno, text)))
            if s.lineno in known and known[s.lineno].folded:
                mark_parts(s, known[s.lineno].folded)
        return out
    function = tree.replace(function, body=visit(function.body), decorator_list=[])
    return own_tapes.handed_over(own_tapes.as_lists(function, source), source)


def mark_parts(s, folded):
    """Give the parts of an emitted statement that stand for lines of their own an origin."""
    for node in (n for part in tree.header(s) for n in tree.walk(part)):
        if isinstance(node, gast.expr) and not isinstance(node, (gast.Name, gast.Constant, gast.Starred, gast.Slice)) \
                and not any(isinstance(e, gast.Slice) for e in getattr(node, 'elts', ())):
            part = folded.key(expression_text(node))
            if part is not None:
                node.origin = s.origin._replace(part=part)


def header_text(source, s):
    """The header of a compound statement on one line: `for i in range(n):`."""
    text = source.line(s.lineno).strip()
    comment = source.comments.get(s.lineno)
    if comment:
        text = text.removesuffix(comment[0]).strip()
    return text if text.endswith(':') else statement_text(s)


def check(function, ops):
    """Verify the grammar of the normal form; an AssertionError here is a bug of the library's."""
    for s in tree.every(function.body):
        op = ops.get(s)
        if op is None or op.kind in CHANGES:
            continue
        assert isinstance(s, gast.Assign) and len(s.targets) == 1, gast.dump(s)
        if op.kind == 'rule':
            assert all(e is None or tree.is_atom(e) or is_simple(e) or isinstance(e, (gast.Tuple, gast.List))
                       for e in op.args.values()), gast.dump(s)
    assert isinstance(function.body[-1], gast.Return) and not tree.is_guard(function.body[-1])
