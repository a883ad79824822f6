"""The corridor: walks a function through the rooms and brings back its derivative.

    source -> fence -> normal form -> reverse -> optimize -> emit -> build

The function asked for gives one emitted function; every user function that it calls with active arguments gives two, a
primal and an adjoint twin, made once for each set of active arguments. What the adjoint needs of the primal's values is
handed over as `saved`.
"""
import copy
import dataclasses
import functools
import inspect
import types

import gast

from tangent import errors
from tangent.analysis import complexity
from tangent.analysis.array_accesses import is_element
from tangent.analysis.effects import writing
from tangent.analysis.kinds.infer import Known, TwinText, made_by, result
from tangent.analysis.kinds.methods import as_written
from tangent.analysis.kinds.participants import Others, Told, taking_part
from tangent.analysis.kinds.program import Program
from tangent.analysis.kinds.values import PLAIN, gradient_kind, is_float
from tangent.analysis.liveness import entered, start_tape
from tangent.analysis.messages.communication import communicates, plainly
from tangent.analysis.shapes import scalar
from tangent.driver import jacobian_rows, log_form, rebound_names, restarts
from tangent.driver.dispatch import compiled
from tangent.driver.made import Demands, Made, Passes, Twin, with_lists
from tangent.driver.results import arrays_read, documented, fitted, gradients_of, returned, seed_check, shared_memory
from tangent.emit import naming, refusals
from tangent.emit.build import Part, build
from tangent.emit.library import find, has
from tangent.emit.printer import emit
from tangent.emit.signature import params, part_of, plain_arguments, with_seed
from tangent.frontend import nested as inner
from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested, Settings, Shared
from tangent.frontend.resolve import Resolver, local_names, names_in
from tangent.frontend.scopes import inside
from tangent.frontend.source import assumed, is_derivative, original, read
from tangent.normal import sparse_products
from tangent.normal.normalise import check, normalise, pure_of_rules
from tangent.normal.objects.given import given_objects
from tangent.normal.regions import marks, written
from tangent.normal.typed import powers
from tangent.numba.target import lower
from tangent.optimize import optimize
from tangent.reverse import again, arrays, aux_output, kernel_fusion, lists, split
from tangent.reverse.accumulate import Term
from tangent.reverse.reverse import Callees, Reverse
from tangent.runtime import facts
from tangent.runtime.array_api import ELEMENTS
from tangent.runtime.references.table import is_substitute, written_out
from tangent.templates.language import registry

SEED = tree.Origin('seed')


class Derivation:
    """The derivative of one function, with all the twins it needs."""

    mode, door = 'reverse', 'grads.adjoint'                             # where rules are registered
    without: type[errors.TangentError] = errors.ReverseNotImplementedError
    stand_ins = staticmethod(rebound_names.stand_ins)
    remarked = True                   # whether comments say where the passes begin

    def __init__(self, options, facts=types.MappingProxyType({})):
        self.options, self.facts = options, facts
        self.picks = None                 # for each gradient asked for its parameter and which element of that
        self.checks = False               # whether texts may ask powers whether they are floats
        self.apart = False                # whether objects that the function is given are taken apart
        self.logged_because = None        # the error for which the function asked for needs the log form
        typed = options.target is not None
        self.begin(Settings(every_loop=options.memory, nan_safe=options.nan_safe, typed=typed, facts=facts,
                            classes=options.classes, later=options.later or options.motion == 'split'))

    def begin(self, settings):
        """Forget what was made."""
        self.shared = Shared(settings)    # library name -> object
        self.made = []
        self.twins = {}                   # (callee, active parameters) -> Twin
        self.program = Program(result, made_by)    # what is known of the kinds in callees
        self.again = {}                   # name of an adjoint twin -> its Again, where that computes values again
        self.final = {}                   # name of a primal twin -> for each gradient whether it has the form people get
        self.floats = {}                  # name of a primal twin that asks -> the kind of what it gives
        self.inferred = {}                # code of a function -> its Normal, and the Inference of kinds in that or None
        self.shares_seed = {}             # adjoint twin -> for each gradient whether it may share the seed's memory
        self.resolvers = []
        self.functions = {}               # name -> emitted function
        self.callees = []                 # (resolver, dotted name, object) for each callable that was resolved
        self.names = set()                # names of the emitted functions
        self.variables = []               # for each function so far the Names of what is in it, which no emitted function has
        self.reads = {}                   # adjoint twin -> arrays whose elements it reads; None: not known
        self.escaping = {}                # tree of a function -> see Normal
        self.forms = {}                   # name of an emitted forward pass in the log form -> its Logged
        self.simple = []                  # for each function, whether complex numbers pass it as they are
        self.logged = set()               # names of primal twins that run a log form
        self.remarks = {}                 # id of a statement -> comments of ours over it
        self.elements = False             # whether single elements of such arrays are taken for numbers
        self.writes = False               # whether a function writes into arrays through which a derivative flows

    # The whole

    def derive(self, function, wrt):
        """The derivative with respect to the parameters `wrt`, in complex form if a function met on the way needs it."""
        classes = taking_part([function], self.options.classes)
        self.checks = self.options.presuming and powers.may_be_run_again(function)
        self.begin(dataclasses.replace(self.shared.settings, classes=classes))
        return sparse_products.noted(restarts.in_complex_form(self, lambda: self.derived(function, wrt)), function, wrt)

    def derived(self, function, wrt):
        source = with_lists(source_of(function, wrt), self.options.kinds)
        plain = lambda source: self.plain_form(source, wrt)  # noqa: E731
        afresh = functools.partial(self.afresh, self.shared.settings)
        given = functools.partial(given_objects, source, wrt, self.options.kinds)
        name = restarts.in_log_form(source, plain, lambda why: self.log_form(source, wrt, why), afresh, given)
        if self.simple and all(self.simple):
            complexity.without_conjugation(self.shared)
        functions = self.build(name)
        if self.options.motion == 'split' and self.logged_because is None:      # for those who go back more than once
            functions[name].parts = tuple(functions[n] for n in self.parts)
            functions[name].in_complex = self.shared.settings.in_complex
        functions[name].assumed, functions[name].presumes = dict(self.program.assumed), self.checks
        functions[name].apart = self.apart
        return functions[name]

    def afresh(self, settings, things=None):
        """The Shared to begin with anew; for a text that names these things alone, so that their classes take part."""
        before = self.shared
        if things is None:
            self.begin(settings)
        else:
            self.begin(dataclasses.replace(settings, classes=taking_part(things, self.options.classes)))
            self.shared.update(before)
            self.shared.nested += before.nested
        return self.shared

    def plain_form(self, source, wrt):
        """The name of the derivative, which is added to what is made."""
        name = self.function_name(naming.derivative(source, wrt), source)
        self.apart = getattr(source, 'given', False)
        if self.options.motion == 'split':
            self.driver(source, wrt, name)
        else:
            form = jacobian_rows.rows if self.options.rows else Derivation.joint
            self.made.append(form(self, source, wrt, name))
        return name

    def log_form(self, source, wrt, why):
        """The same in the log form; `why` is the error for which there is no other."""
        if inspect.isgeneratorfunction(source.function):
            place = next(n for n in source.nodes if isinstance(n, (gast.Yield, gast.YieldFrom)))
            raise subset.unsupported(place, source, 'generators (yield)', 'return the values together') from None
        lower.refuse_log(self.options.target, why)
        self.logged_because, self.apart = why, False
        self.begin(self.shared.settings)                  # what was made for the plain form is of no use
        name = self.function_name(naming.derivative(source, wrt), source)
        self.made.append(log_form.logged_joint(self, source, wrt, name))
        return name

    def build(self, name):
        """Text, then functions, of all that was made."""
        self.made = in_use(self.made, self.twins, name)
        self.made = inner.in_use(self.made, self.shared, self.plain) + self.made
        inner.told_apart(self.made, self.shared)
        if self.options.fuse:
            self.made = kernel_fusion.fused(self)
        if self.options.target is not None:
            self.made = lower.lowered(self, name)
        for made in self.made:
            made.tree = as_written(made.tree, made.methods or made.source.methods)
        for made in self.made:
            made.tree = plainly(made.tree, self.shared, made.source)
        for made in self.made if self.options.target is None else ():
            made.tree = written.written(refusals.let_through(made, self.shared, self.names), self.shared)
        starts = [{n.lineno for n in tree.walk(m.source.tree) if isinstance(n, gast.stmt)} for m in self.made]
        remarks = notes(self.made, self.remarks, self.options.optimized) if self.remarked else {}
        text = emit([m.tree for m in self.made], [m.source.comments for m in self.made], remarks, starts,
                    [m.source.filename for m in self.made])
        stand_ins = kernel_fusion.stand_ins(self)
        for (callee, wanted, _), twin in self.twins.items():
            if twin.lookup is not None and self.again.keys().isdisjoint(twin[:2]):
                remake = functools.partial(self.remake, wanted, callee)
                stand_ins.update(zip(twin[:2], self.stand_ins(twin.lookup, callee, remake)))
        if self.options.target is not None:
            functions = self.functions = lower.built(self, text, name)
        else:
            parts = [m.part._replace(own=self.globals_of(m.source), cells=self.cells_of(m)) for m in self.made]
            functions = self.functions = build(text, parts, self.shared, name, stand_ins)
        inner.note_captures(functions, self.shared)
        if self.elements:
            ELEMENTS.add(functions[name].__code__)
        self.mark_writing(functions)
        return functions

    def mark_writing(self, functions):
        """Say of twins that write into what they are given that their text tells it, and of adjoints what they are lent; of
        twins that get lists which these are."""
        for (_, demands, _), twin in self.twins.items():
            if isinstance(twin, Twin) and demands.listed:
                for part in functions.keys() & set(twin[:2]):
                    functions[part].lists_given = frozenset(demands.listed)
            if not isinstance(twin, Twin) or not demands.written:
                continue
            for part in functions.keys() & set(twin[:2]):
                functions[part].by_text = True
            if twin.adjoint in functions:
                last = inspect.getfullargspec(functions[twin.adjoint]).args[-len(demands.written):]
                lent = {n for n, (_, kind) in zip(last, demands.written) if isinstance(kind, str)}
                functions[twin.adjoint].gradients_lent = lent

    def globals_of(self, source):
        """Names that a function reads as its own globals, and that are something else of the library's."""
        names = source.globals
        others = {n for n, thing in self.shared.items() if n in names and names[n] is not thing}
        return frozenset(others.intersection(tree.names(source.tree, gast.Load)) - names_in(source).local if others else ())

    def cells_of(self, made):
        """What a function has captured; of names that are the library's, too, those alone that its own text says: one inside
        another has all cells of that."""
        said = set(tree.names(made.source.tree, gast.Load))
        return {n: cell for n, cell in made.part.cells.items() if n in said or n not in self.shared}

    def function_name(self, name, source):
        taken = {name} if name in source.globals or has(name) else set()
        taken = taken.union(self.names, self.shared, *(names.taken for names in self.variables))
        new = tree.Names(taken).fresh(name)
        self.names.add(new)
        return new

    # One function

    def passes(self, source, demands, scalar_result=False, first=False, inner=False, seed_name=None):
        """The Passes of one function.

        scalar_result : whether the result has to be a number
        first : whether the first element of a tuple is what is differentiated
        inner : whether it is a callee
        """
        refuse_log(source)
        complexity.look(source, self.shared, {p for p, kind in demands.kinds if getattr(kind, 'dtype', None) in PLAIN})
        given, tried = self.given(demands.kinds, demands.wrt), demands.tried or source.tried is not None
        self.program.checks = self.checks and not tried
        normal = normalise(source, demands.wrt, self.shared, inner, demands.written, (given, self.program) if given else None,
                           demands.own, demands.brought if inner else bool(self.options.classes))
        self.takes(normal.names)
        check(normal.tree, normal.ops)
        self.simple.append(not self.shared.settings.in_complex and complexity.is_simple(normal))
        self.escaping[source.tree] = normal.escaping
        normal = self.remember(normal)
        self.writes = self.writes or bool(normal.buffers.names)
        self.elements = self.elements or any(isinstance(n, gast.Subscript) and is_element(n, normal.buffers.ranks)
                                             for n in tree.walk(normal.tree))
        self.show('normal', normal.tree, source)
        result = normal.tree.body[-1].value
        if not naming.returns(source) and not demands.written and not (inner and communicates(source.function)):
            kind = errors.TangentParseError if inner else errors.ArgumentError               # what is called may give None
            raise kind(f'{source.name} ({source.filename}:{source.first}) returns nothing: let it return what is to be '
                       'differentiated')
        scalars = scalar(normal.tree, normal.ops, normal.shapes, scalar_result)
        known = Known(given, normal.resolver, normal.library, self.program, self.callees_of_twins, normal.temps,
                      self.final, self.program.checks) \
            if given else None
        sites = known.infer(normal.tree) if known else None
        self.inferred[source.function.__code__] = normal, sites
        twin = lambda callee, wanted, s, *more: self.twin_apart(  # noqa: E731
            callee, Demands(wanted, *more)._replace(kinds=sites.of_callee(callee, s.value) if sites else (), tried=tried,
                                                    own=tuple(sorted(normal.own.get(callee, ()))),
                                                    brought=normal.brings(callee, s.value),
                                                    listed=reverse.ops[s].listed if s in reverse.ops else ()),
            s, source, normal)
        callees = Callees(twin, lambda callee, s: self.readable(callee, s, source),
                          lambda twin: self.reads.get(twin.adjoint) != set(), lambda twin: self.again.get(twin.adjoint))
        reverse = Reverse(normal, callees, scalars, inner, demands.restored)
        reverse.tried = tried or sites is not None and sites.raises       # what nobody needs is run: it may raise
        reverse.told = Told in self.shared.settings.classes
        seed_name = seed_name or naming.seed(source)
        seed = normal.names.fresh(seed_name)
        reverse.base.setdefault(seed, seed_name)
        target = cost(normal, result) if first else result
        if isinstance(target, gast.Name) and target.id in normal.active:
            pair = first and self.options.aux and target is result
            given = aux_output.seed_of_pair(reverse, seed, result) if pair else tree.load(seed)
            reverse.owed[target.id] = [Term(given, tree.Origin('adjoint'), target.id in normal.numbers)]
        for p, _ in demands.written:
            (lists if p in normal.lent else arrays).given(reverse, p)
        forward, adjoint = reverse.block(normal.tree.body[:-1])
        if Others in self.shared.settings.classes:
            forward = looked_at(forward, normal.active, reverse.call, demands.wrt)
        if known and inner:
            known = known._replace(given={**known.given, seed: gradient_kind(sites.result)})
        return Passes(reverse, forward, adjoint, seed, result, target, known, sites)

    def takes(self, names):
        """Keep the names in a function and those of emitted ones apart, from here on."""
        names.taken |= self.names
        self.variables.append(names)

    def twin_apart(self, callee, demands, s, caller, facts):
        """The twin for a call, whose names are none of the caller's; `facts` has the names and the resolver of that."""
        found = self.twin(callee, demands, s, caller, facts.resolver)
        facts.names.taken.update(found.names)
        for name in local_names(caller.tree).intersection(found.names):       # they were made before the variable was seen
            raise errors.TangentParseError(subset.locate(
                s, caller, f'the derivative of what is called here has the name {name}, which is that of a variable: give the '
                'variable another name'))
        return found

    def given(self, kinds, wrt):
        """Parameter -> kind for those that the text may take for granted: flags have no gradient, which is to be found out."""
        if self.shared.settings.in_complex:
            return {}
        return {p: kind for p, kind in kinds if p not in wrt or getattr(kind, 'dtype', None) != 'bool'}

    def callees_of_twins(self):
        """Name of a twin -> its TwinText."""
        twins = [(*key[:2], twin) for key, twin in self.twins.items() if isinstance(twin, Twin) and twin.seeded]
        return {name: TwinText(callee, demands.wrt, name == twin.primal, twin.primal, self.again.get(twin.adjoint),
                               demands.kinds, self.floats.get(twin.primal))
                for callee, demands, twin in twins for name in twin[:2] if not demands.written}

    def joint(self, source, wrt, name):
        options = self.options
        reverse, forward, adjoint, seed, result, target, known, _ = self.passes(
            source, Demands(wrt, kinds=options.kinds), options.scalar and options.check_dims, options.first)
        normal = reverse.normal
        middle, aux = [], None
        if options.aux:
            parts, target, aux = aux_output.taken_apart(reverse, source, result, target)
            forward = forward + parts
        if options.values != 'none' and isinstance(result, gast.Name):       # the backward pass may overwrite it
            kept = normal.names.fresh(naming.result(source))
            reverse.base.setdefault(kept, reverse.base.get(result.id, result.id))
            forward = forward + [tree.assign(kept, arrays.handed_out(reverse, result), tree.Origin('primal'))]
            target = tree.load(kept) if target is result else target
            result = tree.load(kept)
        if options.check_dims and target is not None:
            middle = seed_check(reverse, target, seed, options)
        if options.nan_safe and not options.scalar:
            middle = middle + [tree.assign(seed, reverse.call('zeros_known', tree.load(seed)), SEED)]
        reverse.out = adjoint
        gradients = fitted(reverse, wrt, *gradients_of(reverse, wrt, forward + adjoint, self.shares_seed), options)
        body = entered(reverse, forward) + middle + adjoint
        body.append(tree.place(gast.Return(value=returned(gradients, result, options, self.picks, aux)), tree.Origin('return')))
        function = tree.replace(source.tree, name=name, args=with_seed(source.tree.args, seed, options.default),
                                body=body, decorator_list=[], returns=None)
        function = documented(self.finish(function, reverse, known), source, wrt, options.kinds)
        return Made(function, source, part_of(name, source, True, options.default, seed), normal.source.methods)

    def finish(self, function, reverse, known=None):
        function = marks.in_blocks(function)
        self.show('reverse', function, reverse.normal.source)
        if not self.options.optimized:
            return function
        pure = reverse.normal.pure() | reverse.without_effects
        if known is not None:
            pure |= pure_of_rules(function, reverse.library)
        func = tree.Func(function, reverse.base, frozenset(reverse.temps), pure,
                         dict(reverse.library.given), reverse.arrays, getattr(self.options.target, 'cheap', tree.Func.cheap),
                         getattr(self.options.target, 'independent', tree.Func.independent), known,
                         writing(reverse.normal.resolver.classes), quiet=True,
                         tried=reverse.tried)
        log = (lambda name, f: self.show(name, f.tree, reverse.normal.source)) if self.options.verbose >= 2 else None
        done = optimize(func, log)
        users = {n.id for n in tree.walk(reverse.normal.source.tree) if isinstance(n, gast.Name)}
        fixed = users | set(params(function)) | set(reverse.library.given.values()) | self.names | set(self.shared)
        return naming.renumber(done.tree, fixed, reverse.base, reverse.gradient_of, apart=known is not None)

    def driver(self, source, wrt, name):
        """Split motion: a function that calls the primal, then the adjoint, with the seed as keyword `init_grad`."""
        names = [self.function_name(f'{naming.title(source.name)}_{kind}', source) for kind in ('primal', 'adjoint')]
        self.parts = names
        functions, first = self.pair(source, Demands(wrt), Twin(*names), final=True)
        self.made += functions
        helper = 'check_ones' if self.options.ones else 'conjugated' if self.shared.settings.in_complex else 'check_dims'
        check = library_name(self.shared, helper, set(source.globals)) if self.options.check_dims else None
        function = split.driver(source, len(wrt), names, check, first, self.options)
        self.made.append(Made(tree.replace(function, name=name), source,
                              part_of(name, source, True, self.options.default, params(function)[-1])))

    # Twins

    def plain(self, function):
        """A function that was found inside another, as it is, for calls through which no derivative flows."""
        tried = function.source.tried
        return Made(tried.plain(function.source.tree) if tried else function.source.tree, function.source,
                    part_of(function.__name__, function.source))

    def remake(self, demands, before, callee):
        """The twins of another callee, which the name of the one before denotes by now."""
        options = dataclasses.replace(self.options, classes=taking_part([callee], self.shared.settings.classes))
        source = read(original(callee))
        places = functools.partial(rebound_names.in_their_place, before=read(original(before)).tree.args, source=source)
        written = places(tuple([p for p, _ in demands.written]))
        demands = demands._replace(wrt=places(demands.wrt), kinds=(), own=places(demands.own), listed=places(demands.listed),
                                   written=tuple([(p, axes) for p, (_, axes) in zip(written, demands.written)]))
        return type(self)(options, self.facts).pair_for(source, *demands)

    def pair_for(self, source, *demands):
        """The primal and the adjoint of one function, for calls that find them when running: they may stand in a `try`."""
        key = source.function, Demands(*demands)._replace(tried=True), None
        twin = restarts.in_complex_form(self, lambda: self.pair_of(source, *key, alone=True))
        made = self.build(twin.primal)
        return made[twin.primal], made[twin.adjoint]

    def twin(self, callee, demands, s, caller, resolver):
        """The primal and adjoint twins for calls of a user function, with respect to some of its parameters."""
        lookup = resolver.lookup(s.value.func) if not isinstance(callee, Nested) and not is_substitute(callee) else None
        key = callee, demands, lookup
        if key not in self.twins:
            try:
                self.pair_of(self.callee_source(callee, s, caller), *key)
            except errors.TangentError as error:
                if facts.home(callee) not in ('numpy', 'scipy') or 'scipy' in caller.filename:
                    raise
                raise self.without_rule(callee, s, caller, f'cannot be differentiated ({error})') from None
        return self.twins[key]

    def pair_of(self, source, callee, demands, lookup, alone=False):
        """The twins of one function, whose names are known from here on, so that it can call itself.

        alone : whether nothing that calls it is derived with it
        """
        source = dataclasses.replace(source, listed=frozenset(demands.listed)) if demands.listed else source
        source = with_lists(source, demands.kinds)
        names = [self.function_name(f'{naming.title(source.name)}_{kind}', source) for kind in ('primal', 'adjoint')]
        twin = self.twins[callee, demands, lookup] = Twin(*names, lookup, not demands.written or naming.returns(source))
        self.shares_seed[names[1]] = None
        if twin.seeded and not demands.written and self.calls_compiled(callee) and again.has_literal_defaults(source):
            self.shared[names[1]] = compiled.adjoint_of(callee, demands.wrt)
            self.again[names[1]] = again.Again(tuple(params(source.tree)), False, again.MANY, again.defaults(source))
            return twin
        def logged(why):
            lower.refuse_log(self.options.target, why)
            shares = any(isinstance(n, gast.Nonlocal) for n in source.nodes)
            if shares or demands.written or inspect.isgeneratorfunction(source.function) or getattr(source, 'passive', False) \
                    or source.tried is not None or not alone and gives_function(source):
                raise why        # only a log form can go back through generators, a block that raises, and what shares state
            return log_form.logged_twin(self, source, demands.wrt, names, demands.kinds)
        pair = lambda source: self.pair(source, demands, twin)[0]  # noqa: E731
        try:
            self.made += restarts.in_log_form(source, pair, logged, lambda things=None: self.shared)
        except errors.TangentError:
            self.forget(twin)
            raise
        return twin

    def forget(self, twin):
        """Forget a twin that could not be made, and those made meanwhile that call it: others may ask for them once more."""
        lost = {*twin[:2]}
        callers = [(t, made.tree) for t in self.twins.values() for made in self.made if t.primal == made.tree.name]
        while more := [t for t, made in callers if t.primal not in lost and not lost.isdisjoint(tree.names(made, gast.Load))]:
            lost.update(name for t in more for name in t[:2])
        self.twins = {key: t for key, t in self.twins.items() if t.primal not in lost}

    def calls_compiled(self, callee):
        """Whether a callee is differentiated by a derivative that Numba compiles, and what calls it is run by CPython."""
        return self.options.runs_plain and compiled.is_compiled(callee)

    def callee_source(self, callee, s, caller):
        if isinstance(callee, Nested):
            return callee.source
        if getattr(getattr(callee, '__code__', None), 'co_name', '') == 'axis_nan_policy_wrapper':       # of SciPy's
            raise self.without_rule(callee, s, caller, 'is not followed')
        if callee is None:                     # not imported, or not yet: the log form looks when it is called
            raise subset.unsupported(s, caller, 'calls of what is None when the derivative is made', 'import it before')
        try:
            return read(original(written_out(assumed(callee, self.shared.settings.classes))))
        except (errors.SourceError, errors.ArgumentTypeError) as error:
            raise self.without_rule(callee, s, caller, f'cannot be read ({error.bare})') from None

    def readable(self, callee, s, caller):
        """What the signature of a callee is read off."""
        return callee if isinstance(callee, Nested) else self.callee_source(callee, s, caller).function

    def pair(self, source, demands, twin, final=False):
        """The primal and the adjoint; whether they are about the first element of the result."""
        reverse, forward, adjoint, seed, result, target, known, kinds = self.passes(
            source, demands, first=final and self.options.first, inner=not final)
        reverse.out = adjoint
        if known is not None and known.checks and is_float(kinds.result):
            self.floats[twin.primal] = kinds.result
        gradients, facts = gradients_of(reverse, demands.wrt, forward + adjoint, self.shares_seed, inner=not final)
        if final:
            gradients = fitted(reverse, demands.wrt, gradients, facts, self.options)
        self.shares_seed[twin.adjoint] = shared_memory(gradients, facts) if not final else None
        tried = source.tried
        alone = not final and known is not None and twin.seeded and not demands.written and gradients and tried is None \
            and not demands.own and not gives_function(source)       # whose variables have other names in what the user's makes
        cost = again.cost(reverse.normal, kinds, reverse.again.get) if alone else None
        ending = []
        if gradients:
            value = gradients[0] if len(gradients) == 1 else gast.Tuple(elts=gradients, ctx=gast.Load())
            ending = [tree.place(gast.Return(value=value), tree.Origin('return'))]
        if cost is not None:
            function = tree.replace(source.tree, name=twin.primal, args=plain_arguments([*params(source.tree), seed]),
                                    body=forward + adjoint + ending, decorator_list=[], returns=None)
            made = self.with_arguments(self.finish(function, reverse, known), source, demands, twin, known, cost)
            if made is not None:
                return [dataclasses.replace(made, methods=reverse.normal.source.methods)], False
        marker = tree.place(gast.Expr(value=tree.call(split.SPLIT, *([result] if twin.seeded else []))), SEED)
        body = (entered(reverse, forward) if final else start_tape(forward, reverse.library)) + [marker] + adjoint + ending
        own = [reverse.open[p][0] for p, _ in demands.written]
        args = with_seed(source.tree.args, seed, 1.0)
        for name in own:
            args = with_seed(args, name, 1.0)
        function = tree.replace(source.tree, name=twin.primal, args=args, body=body, decorator_list=[], returns=None)
        function = self.finish(function, reverse, known)
        if alone and (found := again.of_arguments(function, source, seed, reverse)):
            given = tree.replace(function, args=plain_arguments([*params(source.tree), seed]), body=found[0])
            if made := self.with_arguments(given, source, demands, twin, known, again.MANY, found[1]):
                return [dataclasses.replace(made, methods=reverse.normal.source.methods)], False
        primal, adjoint = split.cut(function, source, seed if twin.seeded else None, twin, reverse, own)
        if tried is not None:
            primal, adjoint = tried.twins(primal, adjoint, demands.wrt, library_name(
                self.shared, 'init_grad', names_in(source).local | set(source.globals)))
        self.reads[twin.adjoint] = arrays_read(adjoint, reverse, params(source.tree)) if demands.written else None
        methods = reverse.normal.source.methods
        return [Made(primal, source, part_of(twin.primal, source), methods),
                Made(adjoint, source, Part(twin.adjoint, source.globals, source.closure), methods)], target is not result

    def with_arguments(self, function, source, demands, twin, known, cost, result=None):
        """The adjoint that takes those arguments that it reads, and the result if that has a name; None if it cannot be said of
        what kind its gradients are."""
        parameters, seed = again.parameters(function, source, demands.wrt, known), params(function)[-1]
        if parameters is None:
            return None
        self.again[twin.adjoint] = again.Again(parameters, result is not None, cost, again.defaults(source))
        if twin.lookup is not None:
            self.program.assumed[twin.lookup] = twin.lookup()
        names = [*parameters, *[result] * (result is not None), seed]
        function = tree.replace(function, name=twin.adjoint, args=plain_arguments(names))
        return Made(function, source, Part(twin.adjoint, source.globals, source.closure))

    # What was seen on the way

    def remember(self, normal):
        """What is known of a function; a derivation for one kind of function may know more of it."""
        self.resolvers.append(normal.resolver)
        for path, thing in normal.resolver.seen.items():
            if callable(thing) and path not in self.shared:
                self.callees.append((normal.resolver, path, thing))
        return normal

    def show(self, room, function, source):
        if self.options.verbose >= 2:
            report(room, emit([copy.copy(function)], source.comments))

    @classmethod
    def without_rule(cls, callee, s, caller, why):
        name = getattr(callee, '__name__', repr(callee))
        module = getattr(callee, '__module__', None)
        path = f'{module}.{name}' if module else name
        said = f'{path} has no rule for {cls.mode} mode and its source {why}; register a rule with @tangent.{cls.door}({name})'
        if registry.custom(callee) is not None:
            said = f"{path} is a custom_vjp, which has no rule for forward mode: use reverse mode (check_grads, modes='rev')," \
                   f' write it as a tangent.custom_jvp, which serves both, or register a rule with @tangent.{cls.door}({name})'
        return cls.without(subset.locate(s, caller, said))


def looked_at(block, active, call, given=()):
    """A block that looks at the class of all that carries a derivative: arrays of other libraries do not what the rules say.

    given : parameters that are looked at first
    """
    done = [tree.place(gast.Expr(value=call('of_numpy', tree.load(p))), tree.Origin('primal')) for p in given]
    for s in block:
        if isinstance(s, gast.Assign) and tree.target(s) in active and not isinstance(s.value, (gast.Name, gast.Constant)):
            s = tree.replace(s, value=call('of_numpy', s.value))
        parts = {field: looked_at(inner, active, call) for field in ('body', 'orelse', 'finalbody')
                 if isinstance(inner := getattr(s, field, None), list) and inner}
        done.append(tree.replace(s, **parts) if parts else s)
    return done


def source_of(function, wrt):
    """The source that is differentiated for a function: that of what stands for it, if it has these parameters."""
    found = read(written_out(function))
    return found if set(wrt) <= set(params(found.tree)) else read(function)


def in_use(made, twins, name):
    """What was made, without twins that nothing calls: another one took their place, which puts back what it overwrites."""
    twins = [t for t in twins.values() if isinstance(t, Twin) and name not in t[:2]]
    while twins:
        called = {n for m in made for s in m.tree.body for n in tree.names(s, gast.Load)}
        idle = {n for t in twins if called.isdisjoint(t[:2]) for n in t[:2]}
        kept = [m for m in made if m.tree.name not in idle]
        if len(kept) == len(made):
            break
        made = kept
    return made


def notes(made, remarks, optimized):
    """Comments of ours over single statements: `remarks`, and where a pass begins."""
    found = dict(remarks)
    for m in made:
        previous = None
        for s in m.tree.body:
            role = s.origin.role if tree.origin(s) else None
            kept = role == 'tape' and tree.target(s) and not tree.is_none(s.value)
            if kept and previous != 'tape':
                found[id(s)] = ['Initialize the tape']
            if role == 'seed' and previous != 'seed' and not optimized:
                found[id(s)] = ['Beginning of backward pass']
            previous = role if kept or role != 'tape' else None
        if not optimized:
            first = next((s for s in m.tree.body if not isinstance(s, gast.Expr)), None)
            if first is not None:
                found[id(first)] = ['Beginning of forward pass'] + found.get(id(first), [])
    return found


def refuse_log(source):
    """Refuse to differentiate a derivative in the log form: what its log holds would not be followed."""
    function = source.function
    logs = any(n.startswith(('_log', '_grads')) for n in function.__code__.co_varnames)
    if logs and is_derivative(function):
        raise errors.ReverseNotImplementedError(
            f'{source.name} is a derivative in the log form, for a function with writes, exceptions or generators through '
            'which a derivative flows, and has no derivative itself: write that function without them')


def cost(normal, result):
    """The tree of what is differentiated: the first element of a tuple that is returned as such."""
    for s in normal.tree.body:
        op = normal.ops.get(s)
        if op is not None and op.kind == 'display' and isinstance(result, gast.Name) \
                and tree.target(s) == result.id and isinstance(s.value, gast.Tuple):
            return op.args[0]
    if isinstance(result, gast.Tuple):
        return result.elts[0]
    return result


def report(room, text):
    """What `verbose` prints: a function as a room has left it."""
    print(f'# --- {room}\n{text}')


def gives_function(source):
    """Whether the value of a function may be, or hold, one that it makes: what that has captured has its gradients in a log."""
    function, resolver = source.tree, Resolver(source)
    made = {s.name for s in inside(function.body) if isinstance(s, gast.FunctionDef)}

    def gives(expr):
        if isinstance(expr, gast.Lambda) or isinstance(expr, gast.Name) and expr.id in made:
            return True
        known = isinstance(expr, gast.Call) and facts.home(resolver(expr.func)) in ('builtins', 'numpy', 'math')
        return not known and any(map(gives, tree.children(expr)))
    for s in inside(function.body):
        if isinstance(s, gast.Assign) and gives(s.value):
            made.update(tree.names(s, gast.Store))
    return any(isinstance(s, gast.Return) and s.value is not None and gives(s.value) for s in inside(function.body))


def library_name(shared, helper, taken):
    """A name for a helper in functions of ours that have no names of the user's but these."""
    name = tree.Names(taken).fresh(helper)
    shared[name] = find(helper, shared.settings.in_complex)
    return name
