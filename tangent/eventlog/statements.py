"""The log form: a derivative for any control flow and any writes.

    for y in ys:                         for _ in range(count):
        xs.append(y * y)                     y, t, record = _stack.pop()
                                             # Grad of: xs.append(y * y)
                                             ...

The forward pass runs the user's statements under the user's control flow; each statement through which a derivative may
flow has a note of the values that its adjoint reads. `reverse.frames` makes of the notes a tape and a backward pass with the
same control flow, and for what may be left in the middle a log of the notes in the order in which they were come to. Numbers
have their gradients in variables (None: nothing yet), everything that can be written into has them in a table by identity
(`gradients.Table`). Writes are undone on the way, so each adjoint sees things as they were.
"""
import contextlib
import functools
import itertools
from typing import NamedTuple

import gast

from tangent.analysis import activity as flows
from tangent.analysis.activity import Sources, activity
from tangent.analysis.alias import Aliases, Escaping
from tangent.analysis.attributes import Objects, combines_objects
from tangent.analysis.dataflow.later import Later
from tangent.analysis.effects import Effects
from tangent.analysis.fences.aliased_updates import refuse_dicts, refuse_unseen
from tangent.analysis.fences.lazy import refuse_parts
from tangent.analysis.fences.outside_late import active_calls, refuse_written_late
from tangent.analysis.fences.overwritten import refuse_kept, refuse_overwriting
from tangent.analysis.kinds.classes import Classes
from tangent.analysis.kinds.infer import Inference, reshapes
from tangent.analysis.mutated_arrays import array_like
from tangent.emit import naming
from tangent.emit.library import Library
from tangent.emit.signature import params
from tangent.eventlog.activity import Links, captured
from tangent.eventlog.entries import without_end
from tangent.eventlog.halves import with_lists
from tangent.eventlog.nothing import settled
from tangent.eventlog.steps import Steps
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN, local_names
from tangent.frontend.scopes import caught
from tangent.frontend.source import keeps_to_itself
from tangent.normal.class_operators import Makers, Operators, Supers
from tangent.normal.normalise import namespaces
from tangent.normal.structure import leaves
from tangent.runtime.facts import is_helper
from tangent.templates.python import mutations


class Logged(Steps):
    """Writes the forward pass of one function with its log, and the adjoint of each step."""

    def __init__(self, source, function, wanted, shared, names, resolver, known):
        self.called, given = known.called, known.given
        local = local_names(function) | source.captured
        self.source, self.function, self.names = source, function, names
        self.resolver = resolver
        resolver.hide(wanted)
        self.library = Library(names, self.resolver, shared)
        function = tree.replace(function, body=namespaces(function.body, resolver, self.library))
        function = with_lists(function, resolver, self.library)
        self.effects = effects = Effects(sight=resolver.sight)
        self.again = effects.again(source.function, True) if self.called else frozenset()
        self.classes = in_sight = Classes(resolver, effects.acting)
        in_sight.anything |= combines_objects(function, Objects(function, resolver, in_sight.fields))
        operators = Operators(in_sight, self.library, resolver, names, source)
        written = Supers(source, params(function), self.library, resolver).visit(tree.clone(function))
        self.function = function = operators.rewrite(Makers(self.library, resolver).rewrite(written))
        self.looked_at = operators.functions
        local |= operators.made
        self.sources = Sources(self.resolver, Objects(function, self.resolver, in_sight.fields))
        self.aliases = Aliases(function, self.resolver, effects)
        self.local, self.params = local, params(function)
        bound = {n for s in function.body for n in tree.names(s, gast.Store)}
        self.untouched = set(self.params) - set(wanted) - bound      # numbers among them have no derivative, whatever is called
        links, roots = Links(self.sources, self.aliases, local), {*wanted, *caught(function)}
        self.varied = activity(function, roots, links).varied
        later = Later(function, self.aliases)
        if late := self.read_late(later):
            self.varied = activity(function, roots | late, links).varied
        refuse_written_late(source, function, self.aliases, self.flows, later)
        self.captured = captured(function) & local
        refuse_unseen(self.aliases, function.body, self.varied, source, comprehensions=False)
        refuse_dicts(function, self.flows, source)
        refuse_parts(function, resolver, effects, source, self.flows)
        refuse_overwriting(self.aliases, function.body, self, source)
        seen = flows.Links(self.sources, self.aliases, flows.each, inner=True)      # not all that a call may write into
        refuse_kept(self.aliases, function, activity(function, {*wanted, *caught(function)}, seen), source)
        self.known = self.inferred(*given) if given and not reshapes(self.source.nodes) else None
        super().__init__()

    def inferred(self, kinds, program):
        """The kinds in the function, whose parameters are of these."""
        helpers = {new: self.library.objects.get(new, self.resolver.name(new)) for new in self.library.given.values()}
        return Inference(self.function, kinds, self.resolver, program, helpers)

    def read_late(self, later):
        """Names without a derivative that calls with one are given, and that are written into after that: the adjoints of the
        calls may read them, so the writes have to be undone."""
        found = set()
        for s, call in active_calls(self.function, self.resolver, self.flows):
            given = {n for e in tree.parts_of(call) for n in self.aliases.held_by(e)} - self.varied
            found |= {m for n in given if later(s, [n]) for m in self.aliases.family(n) | {n}}
        return found & self.local

    def flows(self, expr):
        return expr is not None and not self.varied.isdisjoint(self.sources(expr))

    def acts(self, call):
        """Whether a call is given something varied and may write: it has to be seen by the backward pass."""
        return any(map(self.flows, tree.parts_of(call))) and self.aliases.acts(call)

    def escaping(self):
        """What of the caller's the function may write into, as Escaping says."""
        if keeps_to_itself(self.source.function):
            return Escaping(None, ())          # it writes into gradients of its own
        outside = set(self.params) | self.source.captured
        written = next((n for _, n in self.aliases.writes if not outside.isdisjoint(self.aliases.family(n) | {n})), None)
        return Escaping.of(self.aliases, self.function, self.varied, written)

    def left(self, wanted):
        """Names of what is the caller's, whose gradient is not asked for, and in which the function may leave something."""
        aliases = self.aliases
        written = {n for _, n in aliases.writes + aliases.updates}
        for s in self.function.body:
            for call in tree.walk(s):
                if isinstance(call, gast.Call) and self.acts(call):
                    written |= set().union(*(aliases.handed_on(e) for e in tree.parts_of(call)))
        found = {m for n in written for m in aliases.family(n) | {n}} & self.varied
        objects = {t.value.id for s in self.function.body for t in tree.walk(s) if isinstance(t, gast.Attribute)
                   and isinstance(t.ctx, gast.Store) and isinstance(t.value, gast.Name)}
        arrays = array_like(self.function, self.resolver) - objects | set(wanted)
        outer = sorted(n for n in found - self.local if self.resolver(tree.load(n)) is not UNKNOWN)
        return [n for n in [*(p for p in self.params if p in found), *outer] if n not in arrays]

    # Statements

    def block(self, stmts):
        outer, self.out = self.out, []
        for s in stmts:
            self.s = s
            handler = getattr(self, type(s).__name__, None)
            if handler is None:
                self.passive(s)
            else:
                handler(s)
        done, self.out = self.out, outer
        return done or [tree.place(gast.Pass(), None)]        # (a block cannot be empty)

    def passive(self, s):
        """A statement as it stands, but for calls in it that the backward pass has to see."""
        fields = {}
        for field, value in gast.iter_fields(s):
            if isinstance(value, gast.expr):
                fields[field] = self.purged(value)
        s = tree.replace(s, **fields) if any(v is not getattr(s, f) for f, v in fields.items()) else s
        self.out.append(s)

    Assert = Import = ImportFrom = Pass = passive

    def Raise(self, s):
        exc = s.exc
        if exc is not None and self.flows(exc) and isinstance(exc, gast.Call):      # it may carry values to its handler
            exc = self.held(exc, 'error')
        self.passive(tree.replace(s, exc=exc))

    def Global(self, s):
        if not self.varied.isdisjoint(s.names):
            raise subset.unsupported(s, self.source, 'writes to global variables through which a derivative flows',
                                    'return the value and assign it in the caller')
        self.out.append(s)

    def FunctionDef(self, s):
        self.refuse_defaults(s)
        self.out.append(s)

    def Expr(self, s):
        if isinstance(s.value, gast.Yield):
            self.yielded(s.value)
        elif isinstance(s.value, gast.YieldFrom):
            name = self.names.fresh('t')
            each = tree.place(gast.Expr(value=gast.Yield(value=tree.load(name))), tree.origin(s))
            if self.flows(s.value.value):
                self.make(name)
            self.For(tree.place(gast.For(target=tree.store(name), iter=s.value.value, body=[each], orelse=[],
                                         type_comment=None), tree.origin(s)))
        elif isinstance(s.value, gast.Constant):
            self.out.append(s)
        else:
            value = self.purged(s.value)
            if not isinstance(value, (gast.Name, gast.Constant)):
                self.out.append(tree.replace(s, value=value))

    def yielded(self, expr):
        self.generator = True
        value = tree.constant(None) if expr.value is None else self.value(expr.value)
        self.flush_all()                                 # the consumer may write into it, and leaves its gradient with it
        self.step(gast.Yield(value=None), value)         # logged before the consumer goes on
        self.emit(tree.place(gast.Expr(value=tree.replace(expr, value=value)), tree.origin(self.s)))

    def Assign(self, s):
        if len(s.targets) > 1:
            value = self.held(s.value, 't')
            for t in s.targets:
                self.assign(t, value)
        else:
            self.assign(s.targets[0], s.value)

    def AnnAssign(self, s):
        if s.value is not None:
            self.assign(s.target, s.value)

    def assign(self, target, expr):
        if isinstance(target, gast.Name):
            self.assign_name(target.id, expr)
        elif isinstance(target, gast.Subscript):
            self.assign_item(target, expr)
        elif isinstance(target, gast.Attribute):
            self.assign_attribute(target, expr)
        elif isinstance(expr, (gast.Tuple, gast.List)) and len(expr.elts) == len(target.elts) \
                and not tree.starred(target.elts + expr.elts):
            values = [self.held(e, 't') for e in expr.elts]
            for t, v in zip(target.elts, values):
                self.assign(t, v)
        else:
            self.unpack(target, expr)

    def If(self, s):
        test = self.purged(s.test)
        self.out.append(tree.replace(s, test=test, body=self.block(s.body), orelse=self.block(s.orelse) if s.orelse else []))

    def While(self, s):
        self.depth += 1
        self.looped(s)
        self.depth -= 1

    def looped(self, s):
        outer, self.out = self.out, []
        test = self.purged(s.test)
        before, self.out = self.out, outer
        if before:
            if s.orelse:
                raise subset.unsupported(s, self.source, 'while ... else blocks whose test calls a function with a '
                                        'derivative', 'set a flag before break and test it after the loop')
            leave = gast.If(test=tree.negation(test), body=[tree.place(gast.Break(), None)], orelse=[])
            body = before + [tree.place(leave, None)] + self.block(s.body)
            self.out.append(tree.replace(s, test=tree.constant(True), body=body))
            return
        self.out.append(tree.replace(s, test=test, body=self.block(s.body), orelse=self.block(s.orelse) if s.orelse else []))

    def Try(self, s):
        if s.finalbody:
            self.unsettled |= self.changed_returns(s)
        handlers = [tree.replace(h, body=self.block(h.body)) for h in s.handlers]
        parts = {f: self.block(getattr(s, f)) if getattr(s, f) else [] for f in ('body', 'orelse', 'finalbody')}
        self.out.append(tree.replace(s, handlers=handlers, **parts))

    TryStar = Try

    def changed_returns(self, s):
        """The returns (their `id`) before a `finally` block that may write into what they give, which is in the log by then."""
        last = {id(inner) for inner in tree.every(s.finalbody)}
        written = {m for t, n in self.aliases.writes + self.aliases.updates if id(t) in last
                   for m in self.aliases.family(n) | {n}} & self.varied
        returned = [r for r in tree.every(without_end(s)) if isinstance(r, gast.Return) and r.value is not None]
        return {id(r) for r in returned if not written.isdisjoint(self.aliases.handed_on(r.value))}

    def With(self, s):
        if subset.is_insertion(s, self.source):
            raise subset.unsupported(s, self.source, 'insert_grad_of blocks in a function that needs the log form',
                                    'put the block into a function of its own')
        for item in s.items:
            stack = isinstance(item.context_expr, gast.Call) and self.resolver(item.context_expr.func) is contextlib.ExitStack
            if stack and isinstance(item.optional_vars, gast.Name) and self.flows(tree.load(item.optional_vars.id)):
                raise subset.unsupported(s, self.source, 'exit stacks with callbacks or contexts that have a derivative',
                                        'write one with statement for each, and behind it what is called back')
            if item.optional_vars is not None and not self.varied.isdisjoint(flows.stored(item.optional_vars)) \
                    and not self.flows(item.context_expr) and self.aliases.writes_when_left(item):
                raise subset.unsupported(s, self.source, 'contexts that write, when they are left, into what they give',
                                        'make the context before the with statement, under a name')
        if any(self.flows(item.context_expr) for item in s.items):
            self.entered(s)
            return
        items = [tree.replace(item, context_expr=self.purged(item.context_expr)) for item in s.items]
        bound = sorted({n for item in s.items if item.optional_vars is not None for n in flows.stored(item.optional_vars)})
        self.out.append(tree.replace(s, items=items, body=[*self.reset(bound), *self.block(s.body)]))

    def entered(self, s):
        """A context with a derivative: its methods are called as the language reference says `with` does."""
        first, *rest = s.items
        body = [tree.replace(s, items=rest)] if rest else s.body
        manager = self.held(first.context_expr, 'context')
        method = functools.partial(tree.method, manager)
        if first.optional_vars is None:
            self.call(method('__enter__'), None)
        else:
            self.assign(first.optional_vars, method('__enter__'))
        jumps, origin = any(map(leaves, body)), tree.origin(s)
        error, swallowed = self.names.fresh('error'), self.fresh()
        failed = self.names.fresh('failed') if jumps else None
        self.temps |= {error, *[failed] * jumps}
        self.varied = self.varied | {error}                     # it may carry values
        if jumps:
            self.put(failed, tree.constant(False))
        described = [tree.call(self.library('type'), tree.load(error)), tree.load(error),
                     gast.Attribute(value=tree.load(error), attr='__traceback__', ctx=gast.Load())]
        outer, self.out = self.out, []
        if jumps:
            self.put(failed, tree.constant(True))
        self.call(method('__exit__', *described), swallowed)
        again = tree.place(gast.Raise(exc=None, cause=None), origin)
        self.out.append(placed_if(tree.negation(tree.load(swallowed)), [again], origin))
        handler, self.out = self.out, []
        self.call(method('__exit__', *[tree.constant(None)] * 3), None)
        leave, self.out = self.out, outer
        caught = gast.ExceptHandler(type=tree.load(self.library('BaseException')), name=tree.store(error), body=handler)
        inner = gast.Try(body=self.block(body), handlers=[tree.place(caught, origin)], finalbody=[],
                         orelse=[] if jumps else leave)
        self.out.append(tree.place(inner, origin))
        if jumps:                                       # which leave the context, too
            final = placed_if(tree.negation(tree.load(failed)), leave, origin)
            self.out[-1] = tree.place(gast.Try(body=self.out[-1:], handlers=[], orelse=[], finalbody=[final]), origin)

    def Return(self, s):
        if s.value is None or not self.flows(s.value):
            self.overtake(len(self.notes))
            self.out.append(s if s.value is None else tree.replace(s, value=self.purged(s.value)))
            return
        value = self.value(s.value)
        if isinstance(value, gast.Name) and any(op.target == value.id and self.may_contain(op) for op in self.pending):
            self.flush(value)              # its gradient stays with it
        before = len(self.notes)
        self.step(tree.load(self.seed), value)
        self.overtake(before)
        for part in (value.elts if isinstance(value, (gast.Tuple, gast.List)) else [value]) if id(s) in self.unsettled else ():
            if isinstance(part, gast.Name):
                self.emit(gast.Expr(value=self.helper('check_settled', part)))
        self.out.append(tree.replace(s, value=value))

    def Delete(self, s):
        for t in s.targets:
            if isinstance(t, gast.Subscript) and self.flows(t.value):
                call = tree.call('operator.delitem', t.value, tree.as_value(t.slice, self.library))
                call.func = tree.load(self.library('operator'))
                call.func = gast.Attribute(value=call.func, attr='delitem', ctx=gast.Load())
                self.call(call, None)
            elif isinstance(t, gast.Attribute) and self.flows(t.value):
                raise subset.unsupported(t, self.source, 'deletions of attributes with a derivative', 'set it to None')
            else:
                self.out.append(tree.replace(s, targets=[t]))

    # Loops

    def For(self, s):
        self.depth += 1
        self.iterated(s)
        self.depth -= 1

    def iterated(self, s):
        if not self.flows(s.iter):
            iterator = self.purged(s.iter)
            body = self.reset(tree.names(s.target, gast.Store)) + self.block(s.body)
        else:
            self.elements = []
            self.bound_inside = {n for t in s.body for n in tree.names(t, gast.Store)}
            i = self.temporary('i')
            target, iterator = self.view(s.target, s.iter, tree.load(i))
            iterator = tree.call(self.library('enumerate'), iterator)
            outer, self.out = self.out, []
            for owner, index, element in self.elements:
                self.item_step(owner, index, element)
            for t, name in self.nested:
                self.assign(t, tree.load(name))
            before, self.out = self.out, outer
            s = tree.replace(s, target=gast.Tuple(elts=[tree.store(i), target], ctx=gast.Store()))
            body = before + self.block(s.body)
        self.out.append(tree.replace(s, iter=iterator, body=body, orelse=self.block(s.orelse) if s.orelse else []))

    def view(self, target, expr, i):
        """(target, iterable) that run over the same things, with the elements that have a gradient noted in `elements`."""
        self.nested = []
        return self.seen(target, expr, i)

    def seen(self, target, expr, i):
        found = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        several = isinstance(target, (gast.Tuple, gast.List))
        if found is zip and several and self.is_pushed(expr) and self.flows(expr):       # values of a generator, and tangents
            whole = self.held(expr.args[0].value, 't')
            parts = [self.held(gast.Subscript(value=whole, slice=tree.constant(k), ctx=gast.Load()), 't') for k in (0, 1)]
            expr = tree.replace(expr, args=parts)
        if found is zip and several and len(target.elts) == len(expr.args):
            pairs = [self.seen(t, e, i) for t, e in zip(target.elts, expr.args)]
            return tree.replace(target, elts=[t for t, _ in pairs]), tree.replace(expr, args=[e for _, e in pairs])
        if found is enumerate and several and len(target.elts) == 2:
            inner, iterable = self.seen(target.elts[1], expr.args[0], i)
            return tree.replace(target, elts=[target.elts[0], inner]), tree.replace(expr, args=[iterable, *expr.args[1:]])
        if found is reversed:
            whole = self.iterable(expr.args[0])
            size = gast.BinOp(left=tree.call(self.library('len'), whole), op=gast.Sub(), right=tree.constant(1))
            inner, _ = self.seen(target, whole, gast.BinOp(left=size, op=gast.Sub(), right=i))
            return inner, tree.replace(expr, args=[whole])
        if found is UNKNOWN and isinstance(expr.func, gast.Attribute) and not expr.args \
                and expr.func.attr in mutations.VIEWS:
            return self.dictionary(target, expr, several)
        if not self.flows(expr):
            return target, self.purged(expr)
        if found is itertools.repeat and len(expr.args) == 1:          # it has no end; all its values are one
            self.nested.append((target, self.held(expr.args[0], 't').id))
            return tree.store(self.names.fresh('t')), tree.replace(expr, args=[tree.constant(None)])
        owner = self.iterable(expr)
        if isinstance(target, gast.Name):
            name = target.id
        else:
            name = self.names.fresh('t')
            self.nested.append((target, name))
            self.make(name)
        self.elements.append((owner, i, name))
        return tree.store(name), self.noted(expr, owner) if self.may_act(expr) else owner

    def is_pushed(self, expr):
        """Whether it is `zip(*pushforward(...))`."""
        starred = expr.args[0] if len(expr.args) == 1 else None
        return isinstance(starred, gast.Starred) and isinstance(starred.value, gast.Call) \
            and is_helper(self.resolver(starred.value.func), 'pushforward')

    def noted(self, expr, owner):
        """What a loop goes through, where each step may run a generator that writes: with an entry for each."""
        count = self.temporary('count')
        back = tree.method(owner, 'go_back', tree.load(self.grads), tree.load(count))
        note = self.note([owner.id, count], [tree.place(gast.Expr(value=back), None)])
        closes = [tree.constant(True)] * isinstance(expr, gast.Call)        # nobody else has it when the loop is left
        call = self.helper('noting', tree.load(self.log), tree.constant(note.number), owner, *closes)
        self.notes[call] = note
        return call

    def may_act(self, expr, seen=()):
        """Whether what a loop goes through may be a generator that writes between its values."""
        if isinstance(expr, gast.Name):
            if expr.id in seen:                          # `xs = xs`
                return False
            values = [s.value for s in tree.walk(self.function) if tree.target(s) == expr.id]
            if expr.id in self.params and not values:
                return self.called
            return len(values) < self.stores[expr.id] or expr.id not in self.local \
                or any(self.may_act(value, (*seen, expr.id)) for value in values)
        if not isinstance(expr, gast.Call):
            return isinstance(expr, (gast.Attribute, gast.Subscript, gast.IfExp, gast.BoolOp))
        found = self.resolver(expr.func)
        return self.effects.acts(found) if self.effects.knows(found) else found is UNKNOWN

    def iterable(self, expr):
        """A name for what a loop runs over, which the body of the loop does not bind anew, and that an entry may bind."""
        outside = isinstance(expr, gast.Name) and expr.id not in self.local and self.may_act(expr)
        if isinstance(expr, gast.Name) and expr.id in self.rebound | self.bound_inside or outside:
            return self.held(expr, 't')
        owner = self.value(expr)
        self.flush(owner)
        return owner

    def dictionary(self, target, expr, several):
        owner = self.iterable(expr.func.value)
        key = tree.store(self.names.fresh('key'))
        self.temps.add(key.id)
        if expr.func.attr == 'keys':
            return target, owner
        value = target
        if expr.func.attr == 'items':
            if not several:
                raise subset.unsupported(expr, self.source, 'items of a dict with a derivative under one name',
                                        'write for key, value in ...')
            value = target.elts[1]
            if isinstance(target.elts[0], gast.Name):
                key = target.elts[0]
            else:
                self.nested.append((target.elts[0], key.id))
        name = value.id if isinstance(value, gast.Name) else self.names.fresh('t')
        if not isinstance(value, gast.Name):
            self.nested.append((value, name))
            self.make(name)
        self.elements.append((owner, tree.load(key.id), name))
        call = tree.replace(expr, func=tree.replace(expr.func, value=owner, attr='items'))
        return gast.Tuple(elts=[key, tree.store(name)], ctx=gast.Store()), call


class Circumstances(NamedTuple):
    """What is known of the calls of a function.

    called : another log form calls it, which may give it generators
    cut : the caller goes on where it raises, and goes back through what it did till then
    given : (parameter -> kind, the Program), where kinds are known
    """
    called: bool = False
    cut: bool = False
    given: tuple | None = None


def logged(source, made, wanted, free, shared, twin, known):
    """(Logged, primal FunctionDef, adjoint FunctionDef) of a function, of which `made` is the Desugared.

    wanted : parameters whose gradients the adjoint returns
    free : captured variables that carry a derivative, too
    twin : names of the two functions
    known : the Circumstances
    """
    function, names, resolver, _ = made
    form = Logged(source, function, (*wanted, *free), shared, names, resolver, known)
    form.log, form.grads, form.seed = names.fresh('_log'), names.fresh('_grads'), names.fresh(naming.seed(source))
    function = form.function
    body = form.cells() + form.block(function.body)
    form.tape, body, back = form.passes(body, [tree.load(form.b(p)) for p in wanted if not form.tabled(p)], known.cut)
    numbers = {form.gradients[n] for n in form.sure & form.gradients.keys() if form.plain(n)}
    back = settled(back, form.library.given.get('add_parts'), numbers, form.grads, None if known.called else form.seed)
    arguments = tree.replace(function.args, posonlyargs=[tree.parameter(form.tape), *function.args.posonlyargs] if
                             function.args.posonlyargs else [], args=function.args.args if function.args.posonlyargs else
                             [tree.parameter(form.tape), *function.args.args])
    primal = tree.replace(function, name=twin[0], args=bare(arguments), body=body, decorator_list=[], returns=None)
    adjoint = tree.replace(function, name=twin[1], decorator_list=[], returns=None, body=back, args=gast.arguments(
        posonlyargs=[], args=[tree.parameter(n) for n in (form.grads, form.tape, form.seed)], vararg=None, kwonlyargs=[],
        kw_defaults=[], kwarg=None, defaults=[]))
    return form, primal, adjoint


def placed_if(test, body, origin):
    return tree.place(gast.If(test=test, body=body, orelse=[]), origin)


def bare(arguments):
    """A signature without annotations."""
    strip = lambda a: a and tree.replace(a, annotation=None)       # noqa: E731
    return tree.replace(arguments, posonlyargs=[strip(a) for a in arguments.posonlyargs],
                        args=[strip(a) for a in arguments.args], vararg=strip(arguments.vararg),
                        kwonlyargs=[strip(a) for a in arguments.kwonlyargs],
                        kwarg=strip(arguments.kwarg))
