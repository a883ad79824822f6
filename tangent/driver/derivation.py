"""The corridor: walks a function through the rooms and brings back its derivative.

    source -> fence -> normal form -> reverse -> optimize -> emit -> build

The function asked for gives one emitted function; every user function that it calls with active arguments gives two, a
primal and an adjoint twin, made once for each set of active arguments. What the adjoint needs of the primal's values is
handed over as `saved`.
"""
from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import types

import gast

from tangent import errors
from tangent.analysis import complexity
from tangent.analysis.array_accesses import is_element
from tangent.analysis.liveness import copies, start_tape
from tangent.analysis.shapes import NUMBER, scalar
from tangent.driver import rebound_names
from tangent.driver.callees import CalleeCorridor, Twin, refuse_log
from tangent.driver.eventlog import LoggedCorridor
from tangent.driver.jacobian_rows import Rows
from tangent.driver.results import Results, arrays_read
from tangent.emit import naming
from tangent.emit.build import Part, build
from tangent.emit.library import find
from tangent.emit.printer import emit
from tangent.emit.signature import params, part_of, with_seed
from tangent.frontend import nested as inner
from tangent.frontend import subset, tree
from tangent.frontend.nested import Shared
from tangent.frontend.resolve import local_names
from tangent.frontend.source import read
from tangent.normal import sparse_products
from tangent.normal.normalise import check, normalise
from tangent.numba.target import lower
from tangent.optimize import optimize
from tangent.reverse import arrays, aux_output, kernel_fusion, split
from tangent.reverse.accumulate import Term
from tangent.reverse.reverse import Reverse
from tangent.runtime.array_api import ELEMENTS

SEED = tree.Origin('seed')
TAPE = tree.Origin('tape')


@dataclasses.dataclass(frozen=True)
class Options:
    """What is asked for; the meaning of each is that of the arguments of `tangent.grad`.

    first : the first element of a returned tuple is what is differentiated
    scalar : the result has to be a number
    default : value of the seed when none is given; None where it is required
    ones : a seed that is a number is spread over the shape of the result
    values : 'none', 'after' (gradients, then the value, flat) or 'before' (value, then the gradients as one item)
    aux : the result is a pair, of which the second is handed on beside the gradients
    bare : a single gradient comes without a tuple around it
    in_complex : in complex form, whatever the text of the function shows
    memory : loops keep no more than a budget that is set when running
    batched : tangents have an axis of directions in front
    nan_safe : what is known not to take part contributes zero, whatever it is multiplied by
    fuse : chains of elementwise operations in the adjoint become kernels of CuPy's
    target : what compiles the functions, see `targets`; None for CPython
    rows : all rows of the Jacobian, 'made' or written into arrays that are 'given'; see `derive_rows`
    """
    optimized: bool = True
    motion: str = 'joint'
    mode: str = 'reverse'
    check_dims: bool = True
    scalar: bool = True
    first: bool = True
    default: object = 1.0
    ones: bool = False
    values: str = 'none'
    aux: bool = False
    bare: bool = True
    in_complex: bool = False
    memory: bool = False
    fuse: bool = False
    batched: bool = False
    nan_safe: bool = False
    verbose: int = 0
    target: object = None
    rows: object = None


@dataclasses.dataclass
class Made:
    """One emitted function on its way."""
    tree: gast.FunctionDef
    source: object
    part: Part


class Derivation(LoggedCorridor, CalleeCorridor, Results, Rows):
    """The derivative of one function, with all the twins it needs."""

    def __init__(self, options, facts=types.MappingProxyType({})):
        self.options, self.facts = options, facts
        self.picks = None                 # for each gradient asked for its parameter and which element of that
        self.logged_because = None        # the error for which the function asked for needs the log form
        self.begin()

    def begin(self):
        before = getattr(self, 'shared', None)
        self.shared = Shared()            # library name -> object
        self.shared.hints, self.shared.in_complex = getattr(before, 'hints', False), getattr(before, 'in_complex', False)
        self.shared.nan_safe = self.options.nan_safe
        self.shared.every_loop, self.shared.typed = self.options.memory, self.options.target is not None
        self.shared.facts = self.facts
        self.made = []
        self.twins = {}                   # (callee, active parameters) -> Twin
        self.lent = {}                    # adjoint twin -> for each gradient whether it may share the seed's memory
        self.resolvers = []
        self.functions = {}               # name -> emitted function
        self.callees = []                 # (resolver, dotted name, object) for each callable that was resolved
        self.names = set()                # names of the emitted functions
        self.reads = {}                   # adjoint twin -> arrays whose elements it reads; None: not known
        self.escaping = {}                # tree of a function -> see Normal
        self.forms = {}                   # name of an emitted forward pass in the log form -> its Logged
        self.simple = []                  # for each function, whether complex numbers pass it as they are
        self.logged = set()               # names of primal twins that run a log form
        self.remarks = {}                 # id of a statement -> comments of ours over it
        self.elements = False             # whether single elements of such arrays are taken for numbers
        self.writes = False               # whether a function writes into arrays through which a derivative flows

    made_of, find, stand_ins = Made, staticmethod(find), staticmethod(rebound_names.stand_ins)

    # The whole

    def derive(self, function, wrt):
        """The derivative with respect to the parameters `wrt`, in complex form if a function met on the way needs it."""
        return sparse_products.noted(self.hinted(lambda: self.derived(function, wrt)), function, wrt)

    def hinted(self, make):
        """What is made, in complex form if a function met on the way needs it."""
        self.shared.hints, self.shared.in_complex = True, self.options.in_complex
        try:
            return make()
        except complexity.Hint:
            self.begin()
            self.shared.in_complex = True
            return make()

    def derived(self, function, wrt):
        source = read(function)
        name = self.function_name(naming.derivative(source, wrt), source)
        try:
            if self.options.motion == 'split':
                self.driver(source, wrt, name)
            elif self.options.rows:
                self.made.append(self.rows(source, wrt, name))
            else:
                self.made.append(self.joint(source, wrt, name))
        except errors.TangentParseError as why:
            if inspect.isgeneratorfunction(source.function):
                place = next(n for n in tree.walk(source.tree) if isinstance(n, (gast.Yield, gast.YieldFrom)))
                raise subset.unsupported(place, source, 'generators (yield)', 'return the values together') from None
            lower.refuse_log(self.options.target, why)
            self.logged_because = why
            self.begin()                  # what was made for the pretty form is of no use
            name = self.function_name(naming.derivative(source, wrt), source)
            self.made.append(self.logged_joint(source, wrt, name))
        if self.simple and all(self.simple):
            complexity.without_conjugation(self.shared)
        functions = self.build(name)
        if self.options.motion == 'split' and self.logged_because is None:      # for those who go back more than once
            functions[name].parts = tuple(functions[n] for n in self.parts)
            functions[name].in_complex = self.shared.in_complex
        return functions[name]

    def build(self, name):
        """Text, then functions, of all that was made."""
        self.made = self.in_use(name)
        self.made = inner.called(self.made, self.shared, self.plain) + self.made
        if self.options.fuse:
            self.made = kernel_fusion.fused(self)
        if self.options.target is not None:
            self.made = lower.lowered(self, name)
        starts = [{n.lineno for n in tree.walk(m.source.tree) if isinstance(n, gast.stmt)} for m in self.made]
        text = emit([m.tree for m in self.made], [m.source.comments for m in self.made], self.notes(), starts)
        stand_ins = kernel_fusion.stand_ins(self)
        for (callee, wanted, _), twin in self.twins.items():
            if twin.lookup is not None:
                remake = functools.partial(self.remake, wanted)
                stand_ins.update(zip(twin[:2], self.stand_ins(twin.lookup, callee, remake)))
        if self.options.target is not None:
            functions = self.functions = lower.built(self, text, name)
        else:
            parts = [m.part._replace(own=self.globals_of(m.source)) for m in self.made]
            functions = self.functions = build(text, parts, self.shared, name, stand_ins)
        inner.mark(functions, self.shared)
        if self.elements:
            ELEMENTS.add(functions[name].__code__)
        for twin in [t for (_, demands, _), t in self.twins.items() if isinstance(t, Twin) and demands[1]]:
            for part in functions.keys() & set(twin[:2]):
                functions[part].in_place = True        # its effects are read off its text, when it is differentiated again
        return functions

    def globals_of(self, source):
        """Names that a function reads as its own globals, and that are something else of the library's."""
        read = (set(tree.names(source.tree, gast.Load)) - local_names(source.tree)) & set(self.shared) & set(source.globals)
        return frozenset(n for n in read if source.globals[n] is not self.shared[n])

    def in_use(self, name):
        """What was made, without twins that nothing calls: another one took their place, which puts back what it overwrites."""
        twins = [t for t in self.twins.values() if isinstance(t, Twin) and name not in t[:2]]
        made = self.made
        while True:
            called = {n for m in made for s in m.tree.body for n in tree.names(s, gast.Load)}
            idle = {n for t in twins if called.isdisjoint(t[:2]) for n in t[:2]}
            kept = [m for m in made if m.tree.name not in idle]
            if len(kept) == len(made):
                return made
            made = kept

    def function_name(self, name, source):
        new = tree.Names(self.names | set(self.shared) | set(source.globals) & {name}).fresh(name)
        self.names.add(new)
        return new

    def notes(self):
        """Comments of ours over single statements."""
        found = dict(self.remarks)
        for m in self.made:
            previous = None
            for s in m.tree.body:
                role = s.origin.role if tree.origin(s) else None
                kept = role == 'tape' and tree.target(s) and not (isinstance(s.value, gast.Constant) and s.value.value is None)
                if kept and previous != 'tape':
                    found[id(s)] = ['Initialize the tape']
                if role == 'seed' and previous != 'seed' and not self.options.optimized:
                    found[id(s)] = ['Beginning of backward pass']
                previous = role if kept or role != 'tape' else None
            if not self.options.optimized:
                first = next((s for s in m.tree.body if not isinstance(s, gast.Expr)), None)
                if first is not None:
                    found[id(first)] = ['Beginning of forward pass'] + found.get(id(first), [])
        return found

    # One function

    def reverse(self, source, wrt, scalar_result, first, seed_name, inner=False, written=(), restored=False):
        """(Reverse, forward statements, adjoint statements, seed name, result tree, Normal)."""
        refuse_log(source)
        complexity.look(source, self.shared)
        normal = normalise(source, wrt, self.shared, inner, written)
        check(normal.tree, normal.ops)
        self.simple.append(not self.shared.in_complex and complexity.is_simple(normal))
        self.escaping[source.tree] = normal.escaping
        self.remember(normal)
        self.writes = self.writes or bool(normal.buffers.names)
        self.elements = self.elements or any(isinstance(n, gast.Subscript) and is_element(n, normal.buffers.ranks)
                                             for n in tree.walk(normal.tree))
        self.show('normal', normal.tree, source)
        result = normal.tree.body[-1].value
        if not naming.returns(source) and not written:
            raise errors.ArgumentError(f'{source.name} ({source.filename}:{source.first}) returns nothing: let it return '
                                       'what is to be differentiated')
        scalars = scalar(normal.tree, normal.ops, normal.shapes, scalar_result)
        reverse = Reverse(normal, normal.library,
                          lambda callee, wanted, s, *demands: self.twin(callee, wanted, s, source, normal.resolver, *demands),
                          lambda callee, s: self.readable(callee, s, source), scalars,
                          lambda twin: self.reads.get(twin.adjoint) != set())
        seed = normal.names.fresh(seed_name)
        reverse.base.setdefault(seed, seed_name)
        target = self.cost(normal, result) if first else result
        if isinstance(target, gast.Name) and target.id in normal.active:
            pair = first and self.options.aux and target is result
            given = aux_output.seed_of_pair(reverse, seed, result) if pair else tree.load(seed)
            reverse.owed[target.id] = [Term(given, tree.Origin('adjoint'), target.id in normal.numbers)]
        reverse.restored, reverse.inner = restored, inner
        for p, _ in written:
            arrays.given(reverse, p)
        forward, adjoint = reverse.block(normal.tree.body[:-1])
        return reverse, forward, adjoint, seed, result, target

    def cost(self, normal, result):
        """The tree of what is differentiated: the first element of a tuple that is returned as such."""
        for s in normal.tree.body:
            op = normal.ops.get(s)
            if op is not None and op.kind == 'display' and isinstance(result, gast.Name) \
                    and tree.target(s) == result.id and isinstance(s.value, gast.Tuple):
                return op.args[0]
        if isinstance(result, gast.Tuple):
            return result.elts[0]
        return result

    def joint(self, source, wrt, name):
        options = self.options
        reverse, forward, adjoint, seed, result, target = self.reverse(
            source, wrt, options.scalar and options.check_dims, options.first, naming.seed(source))
        normal, library = reverse.normal, reverse.library
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
            middle = self.seed_check(reverse, target, seed)
        if options.nan_safe and not options.scalar:
            middle = middle + [tree.assign(seed, reverse.call('zeros_known', tree.load(seed)), SEED)]
        reverse.out = adjoint
        gradients = self.fitted(reverse, wrt, *self.results(reverse, wrt, forward + adjoint))
        body = copies(reverse) + start_tape(forward, library) + middle + adjoint
        body.append(tree.place(gast.Return(value=self.returned(gradients, result, aux)), tree.Origin('return')))
        function = tree.replace(source.tree, name=name, args=with_seed(source.tree.args, seed, options.default),
                                body=body, decorator_list=[], returns=None)
        function = self.finish(function, reverse)
        return Made(function, source, part_of(name, source, True, options.default, seed))

    def seed_check(self, reverse, target, seed):
        """The check of the seed against the result; a result known to be a number need not be computed for it."""
        if reverse.library.in_complex and not self.options.ones:
            helper = 'check_real' if self.options.scalar else 'conjugated'
            return [tree.assign(seed, reverse.call(helper, target, tree.load(seed)), SEED)]
        if isinstance(target, gast.Name) and reverse.shapes.of.get(target.id) == NUMBER:
            return [tree.assign(seed, reverse.call('check_scalar', tree.load(seed)), SEED)]
        if self.options.ones:
            return [tree.assign(seed, reverse.call('check_ones', target, tree.load(seed)), SEED)]
        normal = reverse.normal
        leaves = normal.leaves(scalar(normal.tree, normal.ops, normal.shapes, self.options.scalar, elements=False))
        if leaves is None:
            check = reverse.call('check_number', target, tree.load(seed))
            if getattr(self.options.target, 'independent', False):
                reverse.library('check_scalar')        # the pass of that name may need it
        else:
            check = reverse.call('check_dims', target, tree.load(seed), *map(tree.load, leaves))
        return [tree.assign(seed, check, SEED)]

    def finish(self, function, reverse):
        self.show('reverse', function, reverse.normal.source)
        if not self.options.optimized:
            return function
        func = tree.Func(function, reverse.base, frozenset(reverse.temps), reverse.normal.pure(),
                         dict(reverse.library.given), reverse.arrays, getattr(self.options.target, 'cheap', tree.Func.cheap),
                         getattr(self.options.target, 'independent', tree.Func.independent))
        log = (lambda name, f: self.show(name, f.tree, reverse.normal.source)) if self.options.verbose >= 2 else None
        done = optimize(func, log)
        users = {n.id for n in tree.walk(reverse.normal.source.tree) if isinstance(n, gast.Name)}
        fixed = users | set(params(function)) | set(reverse.library.given.values()) | self.names | set(self.shared)
        return naming.renumber(done.tree, fixed, reverse.base, reverse.gradient_of)

    # Twins

    def pair(self, source, wrt, twin, final=False, written=(), restored=False):
        """The primal and the adjoint; whether they are about the first element of the result.

        written : (parameter, number of axes or None) of arrays into which it writes; the adjoint takes their gradients and
            changes them in place
        restored : whether the adjoint puts back what these arrays held before
        """
        reverse, forward, adjoint, seed, result, cost = self.reverse(
            source, wrt, False, final and self.options.first, naming.seed(source), not final, written, restored)
        reverse.out = adjoint
        gradients, facts = self.results(reverse, wrt, forward + adjoint, inner=not final)
        if final:
            gradients = self.fitted(reverse, wrt, gradients, facts)
        self.lent[twin.adjoint] = self.shared_memory(gradients, facts) if not final else None
        marker = tree.place(gast.Expr(value=tree.call(split.SPLIT, *([result] if twin.seeded else []))), SEED)
        body = (copies(reverse) if final else []) + start_tape(forward, reverse.library) + [marker] + adjoint
        if gradients:
            value = gradients[0] if len(gradients) == 1 else gast.Tuple(elts=gradients, ctx=gast.Load())
            body.append(tree.place(gast.Return(value=value), tree.Origin('return')))
        own = [reverse.open[p][0] for p, _ in written]
        args = with_seed(source.tree.args, seed, 1.0)
        for name in own:
            args = with_seed(args, name, 1.0)
        function = tree.replace(source.tree, name=twin.primal, args=args, body=body, decorator_list=[], returns=None)
        function = self.finish(function, reverse)
        primal, adjoint = split.cut(function, source, seed if twin.seeded else None, twin, reverse, own)
        self.reads[twin.adjoint] = arrays_read(adjoint, reverse, params(source.tree)) if written else None
        return [Made(primal, source, part_of(twin.primal, source)),
                Made(adjoint, source, Part(twin.adjoint, source.globals, source.closure))], cost is not result

    def driver(self, source, wrt, name):
        """Split motion: a function that calls the primal, then the adjoint, with the seed as keyword `init_grad`."""
        names = [self.function_name(f'{source.name}_{kind}', source) for kind in ('primal', 'adjoint')]
        self.parts = names
        functions, first = self.pair(source, wrt, Twin(*names), final=True)
        self.made += functions
        helper = 'check_ones' if self.options.ones else 'conjugated' if self.shared.in_complex else 'check_dims'
        check = library_name(self.shared, helper, set(source.globals)) if self.options.check_dims else None
        function = split.driver(source, len(wrt), names, check, first, self.options)
        self.made.append(Made(tree.replace(function, name=name), source,
                              part_of(name, source, True, self.options.default, params(function)[-1])))

    # What was seen on the way

    def remember(self, normal):
        self.resolvers.append(normal.resolver)
        for path, thing in normal.resolver.seen.items():
            if callable(thing) and path not in self.shared:
                self.callees.append((normal.resolver, path, thing))

    def show(self, room, function, source):
        if self.options.verbose >= 2:
            report(room, emit([copy.copy(function)], source.comments))


def report(room, text):
    """What `verbose` prints: a function as a room has left it."""
    print(f'# --- {room}\n{text}')


def library_name(shared, helper, taken):
    """A name for a helper in functions of ours that have no names of the user's but these."""
    name = tree.Names(taken).fresh(helper)
    shared[name] = find(helper, shared.in_complex)
    return name
