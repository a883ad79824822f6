"""Loops that keep a few states become calls: what the loop does in some of its iterations is a function beside.

    for i in checkpointed(range(n), budget=5):         def f_loop(first, last, x, w):
        x = x + w * numpy.sin(x)                           for i in range(first, last):
    return x                                     ->            x = x + w * numpy.sin(x)
                                                           return (x,)

                                                       x, = checkpointed_loop(f_loop, (2, 3), {...}, range(n), x, w)
                                                       return x

The function takes what an iteration reads of what was there before, and gives back what the next iteration, or the code
behind the loop, reads. It runs from any state, so `checkpointing` can run it again. In forward mode the loop stays what it is.
"""
from __future__ import annotations

import dataclasses

import gast

from tangent import fence, tree
from tangent.alias import WRITERS, Aliases, outputs
from tangent.assignment import Bound, varied
from tangent.desugar.loops import LOOPS, breaks, flagged, without_else
from tangent.inner import Nested, NestedSource
from tangent.library import find
from tangent.resolve import Resolver, local_names
from tangent.scopes import DEFINITIONS, free, inside
from tangent.signature import params, plain_arguments
from tangent.source import Source

OPTIONS = ('budget', 'storage', 'tape')
WAY_OUT = 'write for i in tangent.checkpointed(...): or while tangent.checkpointed(...):'


def apart(source, known, wrt, shared, effects, inner=True):
    """(the Source with its checkpointed loops as calls, name -> object that it can read then).

    known : what it can read already: functions that were found inside
    wrt : parameters from which derivatives flow; None in forward mode, where a loop is what it would be without
    inner : it is called by a function of ours, which may hold what it is given
    """
    resolver = Resolver(source, local_names(source.tree), known)
    marks = {id(n): n for n in tree.walk(source.tree) if isinstance(n, gast.Call) and is_mark(n, resolver)}
    if not marks:
        return source, known
    if wrt is None:
        work = Forward(source, marks, known)
    else:
        work = Reverse(source, marks, known, wrt, shared, effects, resolver, inner)
    function = tree.replace(work.function, body=work.first + work.block(work.function.body, ()))
    if marks:
        raise fence.unsupported(next(iter(marks.values())), source, 'calls of checkpointed that are not the header of a loop',
                                WAY_OUT)
    return work.done(function), work.known


def is_mark(call, resolver):
    found = resolver(call.func)
    return getattr(found, '__module__', None) == 'tangent.checkpointing' and found.__name__ == 'checkpointed'


class Forward:
    """Takes the marks away."""

    def __init__(self, source, marks, known):
        self.source, self.marks, self.known = source, marks, known
        self.function, self.first, self.tries = source.tree, [], []

    def done(self, function):
        return dataclasses.replace(self.source, tree=function)

    def block(self, stmts, around):
        """The statements with each loop that is marked replaced; `around` are the loops around them."""
        out = []
        for s in stmts:
            if isinstance(s, DEFINITIONS):
                out.append(s)
                continue
            head = 'iter' if isinstance(s, gast.For) else 'test'
            call = self.marks.pop(id(getattr(s, head, None)), None) if isinstance(s, LOOPS) else None
            if call is not None:
                out += self.replaced(s, head, call, around)
                continue
            inner = (*around, s) if isinstance(s, LOOPS) else around
            blocks = {}
            for field, block in tree.blocks(s):
                tried = [s] if hasattr(s, 'handlers') and field == 'body' else []
                self.tries += tried
                blocks[field] = self.block(block, inner)
                del self.tries[len(self.tries) - len(tried):]
            if isinstance(s, gast.Match):
                blocks['cases'] = [tree.replace(c, body=self.block(c.body, inner)) for c in s.cases]
            out.append(tree.replace(s, **blocks) if blocks else s)
        return out

    def replaced(self, s, head, call, around):
        return [tree.replace(s, **{head: call.args[0], 'body': self.block(s.body, around)})]


class Reverse(Forward):
    """Makes functions of marked loops."""

    def __init__(self, source, marks, known, wrt, shared, effects, resolver, inner):
        super().__init__(source, marks, dict(known))
        self.shared, self.resolver, self.effects, self.inner = shared, resolver, effects, inner
        self.names = tree.Names({n.id for n in tree.walk(source.tree) if isinstance(n, gast.Name)}
                                | local_names(source.tree) | set(known) | set(shared))
        self.function = tree.replace(source.tree, body=without_else(source.tree.body, self.names))
        self.local = local_names(self.function)
        self.aliases = Aliases(self.function, resolver, effects)
        self.varied = varied(self.function, wrt, self.aliases)
        self.bound = Bound(self.function.body, params(self.function))

    def done(self, function):
        """The Source, which can read what is known."""
        fields = {f.name: getattr(self.source, f.name) for f in dataclasses.fields(Source)}
        return NestedSource(**{**fields, 'tree': function}, values=tuple(self.source.defaults),
                            keyword_values=dict(self.source.kwdefaults), visible=self.known)

    # One loop

    def replaced(self, s, head, call, around):
        settings = {k.arg: k.value for k in call.keywords}
        settings.update(zip(OPTIONS, call.args[1:]))
        if not call.args or len(call.args) > 4 or not settings.keys() <= set(OPTIONS) \
                or any(isinstance(a, gast.Starred) for a in call.args):
            raise fence.unsupported(call, self.source, 'calls of checkpointed with other arguments',
                                    'write checkpointed(iterable, budget=k)')
        loop = self.counted(s, call.args[0])
        facts = Facts(self, s, loop, around)
        if not facts.wanted:
            return [tree.replace(s, **{head: call.args[0], 'body': self.block(s.body, around)})]
        for n in tree.walk(s):
            self.marks.pop(id(n), None)                      # the function made of this loop has them
        self.refuse(s, facts, around)
        name = self.steps(s, facts)
        return self.call(s, name, facts, settings)

    def counted(self, s, head):
        """The loop as a `for`: `while c` is one without an end, which begins with `if not c: break`."""
        if isinstance(s, gast.For):
            return tree.replace(s, iter=head)
        leave = gast.If(test=gast.UnaryOp(op=gast.Not(), operand=head), body=[at(gast.Break(), s)], orelse=[])
        step = self.names.fresh('step')
        return at(gast.For(target=tree.store(step), iter=None, body=[at(leave, s), *s.body], orelse=[], type_comment=None), s)

    def refuse(self, s, facts, around):
        for n in inside(s.body):
            what = REFUSED.get(type(n))
            if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store):
                what = 'assignments to attributes in a checkpointed loop', 'use a variable, and assign it behind the loop'
            if what is not None:
                raise fence.unsupported(n, self.source, *what)
        bound = {*facts.carried, *facts.outputs, *assigned(facts.loop)}
        for t in self.tries:
            if not bound.isdisjoint(read_on_error(t, self.function, around)):
                raise fence.unsupported(s, self.source, 'checkpointed loops in a try statement, whose variables are read when '
                                        'they have failed,', 'put the loop into a function of its own')

    def steps(self, s, facts):
        """Make the function of some iterations; its name."""
        loop, body = facts.loop, []
        ends = [tree.load(n) for n in facts.carried + facts.outputs]
        if facts.breaks:
            done = self.names.fresh('done')
            body.append(at(tree.assign(done, tree.constant(False)), s))
            loop = tree.replace(loop, body=flagged(loop.body, done))
            ends.append(tree.load(done))
        given = {n: self.names.fresh(n) if n in facts.copied else n for n in facts.carried}
        body += [at(tree.assign(n, tree.call(self.library('copy'), tree.load(given[n]))), s) for n in facts.copied]
        if facts.ranged:
            leading = [self.names.fresh(n) for n in ('first', 'last', 'by')[:facts.ranged]]
            iterable = tree.call(self.library('range'), *map(tree.load, leading))
        else:
            leading = [self.names.fresh('items')]
            iterable = tree.load(leading[0])
        body.append(tree.replace(loop, iter=iterable))
        body.append(at(gast.Return(value=gast.Tuple(elts=ends, ctx=gast.Load())), s))
        taken = set(self.shared) | set(self.source.globals) | self.local
        nested = Nested(tree.Names(taken).fresh(f'{self.source.name}_loop'), ())
        definition = gast.FunctionDef(name=nested.__name__, args=plain_arguments([*leading, *given.values(), *facts.reads]),
                                      body=body, decorator_list=[], returns=None, type_comment=None, type_params=[])
        fields = {f.name: getattr(self.source, f.name) for f in dataclasses.fields(Source)}
        nested.source = NestedSource(**{**fields, 'tree': gast.copy_location(definition, s)}, visible=dict(self.known))
        nested.carried, nested.wanted = tuple(given.values()), facts.wanted
        self.shared[nested.__name__] = self.known[nested.__name__] = nested
        self.shared.nested.append(nested)
        return nested.__name__

    def call(self, s, name, facts, settings):
        """The statements that stand for the loop."""
        self.first += [at(tree.assign(n, tree.constant(None)), s) for n in facts.uncertain]
        new = {n: n if n in facts.rebound else self.names.fresh(n) for n in facts.carried + facts.outputs}
        plan = facts.plan(s.lineno)
        keys = [tree.constant(k) for k in [*settings, *plan]]
        values = [*settings.values(), *map(literal, plan.values())]
        inputs = [tree.constant(None) if n in facts.unset else tree.load(n) for n in facts.carried + facts.reads]
        value = tree.call(self.library('checkpointed_loop'), tree.load(name), literal(facts.wanted),
                          gast.Dict(keys=keys, values=values), facts.items, *inputs)
        left = gast.Tuple(elts=[tree.store(n) for n in new.values()], ctx=gast.Store())
        back = [f'{n}[:] = {m}' for n, m in new.items() if n != m]
        return [at(t, s) for t in [tree.assign(left, value), *(tree.statements(b)[0] for b in back)]]

    def library(self, name):
        """A name for something of the library's."""
        found = find(name)
        if self.resolver.name(name) is found:
            return name
        given = next((n for n, thing in self.known.items() if thing is found), None)
        if given is None:
            given = self.names.fresh(name)
            self.shared[given] = self.known[given] = found
        return given


RETURN = 'return in a checkpointed loop', 'set a variable and break'
YIELD = 'yield and await in a checkpointed loop', 'return the values together'
GLOBAL = 'global and nonlocal in a checkpointed loop', 'use a variable of the function'
REFUSED = {
    gast.Return: RETURN, gast.Yield: YIELD, gast.YieldFrom: YIELD, gast.Await: YIELD, gast.Global: GLOBAL,
    gast.Nonlocal: GLOBAL, gast.Delete: ('del in a checkpointed loop', 'leave it out'),
    gast.ClassDef: ('classes in a checkpointed loop', 'define them at the top level'),
}


class Facts:
    """What a loop takes and gives.

    carried : names that go from one iteration to the next, or through a loop of no iterations
    outputs : names that every iteration binds and that are read behind the loop
    reads : names of the function that iterations read
    copied : the carried names into whose arrays or lists it may write
    rebound : names that are bound to what the call gives; into the others that is written
    """

    def __init__(self, work, s, loop, around):
        self.work, self.s, self.loop = work, s, loop
        bound, inner = assigned(loop), Bound(loop.body, stored_names(loop.target))
        outside = [n for n in tree.walk(work.function) if id(n) not in set(map(id, tree.walk(s)))]
        live = live_behind(s, work.function, around, outside)
        if around:
            live |= inner.first
        before = work.bound.before.get(id(s), frozenset())
        written = self.written(loop)
        self.carried = [n for n in bound if n in inner.first or n in live and (n not in inner.always or n in before)]
        self.carried += sorted(n for n in written if n not in bound and n in work.local)
        self.outputs = [n for n in bound if n in live and n not in self.carried]
        self.reads = sorted((free(function_of(loop)) & work.local) - set(self.carried) - set(bound))
        stores = {n.id for n in outside if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        maybe = [n for n in self.carried if n not in before]
        self.uncertain = [n for n in maybe if n in stores or around]
        self.unset = {n for n in maybe if n not in self.uncertain}
        updated = {n for t, n in work.aliases.updates if id(t) in self.own}
        self.copied = [n for n in self.carried if n in written | updated]
        self.breaks = breaks(loop.body)
        self.place(written, updated, {n.id for n in outside if isinstance(n, gast.Name)})
        self.over()
        names = [*self.leading, *self.carried, *self.reads]
        self.wanted = tuple(k for k, n in enumerate(names) if n in work.varied)
        if not work.varied.isdisjoint(bound) or not work.varied.isdisjoint(written):
            return
        self.wanted = ()

    def written(self, loop):
        """Names into whose objects the loop writes, those of which an iteration takes a view included."""
        aliases = self.work.aliases
        self.own = {id(t) for t in tree.walk(loop)}
        found = {c.name for t, c in aliases.builders.changes.items() if id(t) in self.own}
        for t in tree.walk(loop):
            if isinstance(t, gast.stmt) and not isinstance(getattr(t, 'target', None), gast.Name):
                found.update(aliases.changed(t))
            elif isinstance(t, gast.Call):
                found |= writes_of(t, aliases)
        links = [(set(tree.names(t, gast.Store)), aliases.handed_on(n.value)) for n in tree.walk(loop)
                 if isinstance(n, gast.Assign) for t in n.targets if not isinstance(t, (gast.Subscript, gast.Attribute))]
        links += [(set(tree.names(n.target, gast.Store)), aliases.handed_on(n.iter)) for n in tree.walk(loop)
                  if isinstance(n, gast.For) and n.iter is not None and n is not loop]
        while True:
            more = {m for left, right in links if left & found for m in right} - found
            if not more:
                return found
            found |= more

    def place(self, written, updated, elsewhere):
        """Where the new values go: a name that alone holds an array may be bound anew; else it is written into."""
        work, own = self.work, set(assigned(self.loop))
        aliases = Aliases(without(work.function, self.s), work.resolver, work.effects)

        def alone(n):
            others = (aliases.family(n) - {n}) & elsewhere & work.local
            return not others and not (work.inner and n in params(work.function))

        self.rebound = {n for n in self.carried + self.outputs if n not in written or n in own or alone(n)}
        for n in self.carried:
            if n in written and n in own and not alone(n):
                raise fence.unsupported(self.s, work.source, f'checkpointed loops that write into {n}, which may have other '
                                        'names, and bind it anew,', 'give the loop a copy that is made before it')
        self.shared = tuple(k for k, n in enumerate(self.carried) if n in updated and not alone(n))
        self.guarded = tuple(k for k, n in enumerate(self.carried) if n in written | updated)

    def over(self):
        """What the loop runs over, and which parameters of its function say which part of it."""
        work, head = self.work, self.loop.iter
        found = work.resolver(head.func) if isinstance(head, gast.Call) and not head.keywords else None
        known = getattr(found, '__module__', None) == 'itertools' and found.__name__ == 'count'
        if head is None or known:
            args = head.args if known else []
            self.ranged, self.items = 2 if len(args) < 2 else 3, tree.call(work.library('unending'), *args)
        elif found is range:
            self.ranged, self.items = 2 if len(head.args) < 3 else 3, head
        else:
            self.ranged, self.items = 0, head
        over = not self.ranged and not work.varied.isdisjoint(tree.names(head, gast.Load))
        self.leading = [None] * self.ranged if self.ranged else [sorted(work.varied)[0] if over else None]
        if over and isinstance(head, gast.Call):
            self.items = tree.call(work.library('list'), head)

    def plan(self, line):
        given = {'carried': len(self.carried), 'outputs': len(self.outputs), 'ranged': self.ranged, 'breaks': self.breaks,
                 'written': self.guarded, 'shared': self.shared, 'line': line}
        return {key: value for key, value in given.items() if value}


def without(function, s):
    """The function less a loop."""
    def block(stmts):
        return [tree.replace(t, **{f: block(b) for f, b in tree.blocks(t)}) for t in stmts if t is not s]
    return tree.replace(function, body=block(function.body))


def function_of(loop):
    """The loop as the body of a function, less what it runs over."""
    loop = tree.replace(loop, iter=tree.constant(0))
    return gast.FunctionDef(name='', args=plain_arguments([]), body=[loop], decorator_list=[], returns=None,
                            type_comment=None, type_params=[])


def assigned(loop):
    """Names that the loop binds, in the order of the text."""
    found = local_names(function_of(loop))
    order = [n.id for n in inside([function_of(loop).body[0]]) if isinstance(n, gast.Name)]
    return list(dict.fromkeys([n for n in order if n in found] + sorted(found)))


def stored_names(target):
    return set(tree.names(target, gast.Store))


def live_behind(s, function, around, outside):
    """Names that may be read when the loop is over: behind it, in loops around it, and in functions inside."""
    end = getattr(s, 'end_lineno', None) or max(getattr(n, 'lineno', 0) or 0 for n in tree.walk(s))
    late = {id(n) for t in tree.walk(function) if isinstance(t, (*DEFINITIONS, gast.Lambda)) and t is not function
            for n in tree.walk(t)}
    late |= {id(n) for t in around for n in tree.walk(t)}
    found = set()
    for n in outside:
        if (getattr(n, 'lineno', None) or end + 1) > end or id(n) in late:
            if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load):
                found.add(n.id)
            elif isinstance(n, gast.AugAssign) and isinstance(n.target, gast.Name):
                found.add(n.target.id)
    return found


def read_on_error(t, function, around):
    """Names that may be read after an exception in the body of a try statement."""
    within = set(map(id, tree.walk(t)))
    behind = live_behind(t, function, around, [n for n in tree.walk(function) if id(n) not in within])
    found = set(Bound(t.finalbody).first)
    for h in t.handlers:
        paths = Bound(h.body)
        found |= paths.first | (behind - paths.always if paths.goes_on else set())
    return found


def writes_of(call, aliases):
    """Names of the objects that a call surely writes into; what an unknown method does is seen when it is run again."""
    function = aliases.resolver(call.func)
    targets = [*aliases.effects(function, call)[0], *outputs(function, call)]
    if isinstance(call.func, gast.Attribute) and call.func.attr in WRITERS:
        targets.append(call.func.value)
    return {n for e in targets for n in aliases.handed_on(e)}


def literal(value):
    if isinstance(value, tuple):
        return gast.Tuple(elts=[literal(v) for v in value], ctx=gast.Load())
    return tree.constant(value)


def at(stmt, s):
    """A statement of ours in the place of the header of the loop."""
    stmt = gast.copy_location(stmt, s)
    stmt.end_lineno, stmt.end_col_offset = s.lineno, getattr(s, 'col_offset', 0)
    return stmt
