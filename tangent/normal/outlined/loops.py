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
import dataclasses
from functools import partial

import gast

from tangent import errors
from tangent.analysis.activity import by_mention
from tangent.analysis.alias import Aliases
from tangent.emit.library import find
from tangent.emit.signature import params, plain_arguments
from tangent.frontend import subset, tree
from tangent.frontend.nested import NestedSource
from tangent.frontend.resolve import Resolver, local_names, names_in
from tangent.frontend.scopes import DEFINITIONS, Bound, inside
from tangent.normal.desugar.loops import LOOPS, flagged, without_else
from tangent.normal.outlined.facts import Facts, assigned, outermost, read_on_error
from tangent.runtime import facts

OPTIONS = ('budget', 'storage', 'tape')
WAY_OUT = 'write for i in tangent.checkpointed(...): or while tangent.checkpointed(...):'


def apart(source, known, wrt, shared, effects, inner=True):
    """(the Source with its checkpointed loops as calls, name -> object that it can read then).

    known : what it can read already: functions that were found inside
    wrt : parameters from which derivatives flow; None in forward mode, where a loop is what it would be without
    inner : it is called by a function of ours, which may hold what it is given
    """
    resolver = Resolver(source, None, known)
    marks = {id(n): n for n in source.nodes if isinstance(n, gast.Call) and is_mark(n, resolver)}
    every = wrt is not None and shared.settings.every_loop
    if not marks and not (every and any(isinstance(n, LOOPS) for n in source.nodes)):
        return source, known
    if wrt is None:
        work = Forward(source, marks, known)
    else:
        work = Reverse(source, marks, known, wrt, shared, effects, resolver, inner)
    function = tree.replace(work.function, body=work.first + work.block(work.function.body, ()))
    if marks:
        raise subset.unsupported(next(iter(marks.values())), source, 'calls of checkpointed that are not the header of a loop',
                                WAY_OUT)
    return work.done(function), work.known


def is_mark(call, resolver):
    return facts.is_helper(resolver(call.func), 'checkpointed')


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
            done = self.attempted(s, head, around) if isinstance(s, LOOPS) else None
            if done is not None:
                out += done
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

    def attempted(self, s, head, around):
        """The statements that stand for a loop that is not marked, or None where it stays."""
        return None

    def replaced(self, s, head, call, around):
        return [tree.replace(s, **{head: call.args[0], 'body': self.block(s.body, around)})]


class Reverse(Forward):
    """Makes functions of marked loops."""

    def __init__(self, source, marks, known, wrt, shared, effects, resolver, inner):
        super().__init__(source, marks, dict(known))
        self.shared, self.resolver, self.effects, self.inner = shared, resolver, effects, inner
        self.names = tree.Names(set(names_in(source).mentioned)
                                | local_names(source.tree) | set(known) | set(shared))
        self.function = tree.replace(source.tree, body=without_else(source.tree.body, self.names))
        self.local = local_names(self.function)
        self.aliases = Aliases(self.function, resolver, effects)
        stmts = [s for s in tree.walk(self.function) if isinstance(s, gast.stmt) and s is not self.function]
        self.varied = by_mention(stmts, wrt, self.aliases)
        self.bound = Bound(self.function.body, params(self.function))
        self.outermost = outermost(self.function.body)

    def done(self, function):
        """The Source, which can read what is known."""
        return NestedSource.rewritten(self.source, function, visible=self.known)

    # One loop

    def replaced(self, s, head, call, around):
        settings = {k.arg: k.value for k in call.keywords}
        settings.update(zip(OPTIONS, call.args[1:]))
        if not call.args or len(call.args) > 4 or not settings.keys() <= set(OPTIONS) \
                or tree.starred(call.args):
            raise subset.unsupported(call, self.source, 'calls of checkpointed with other arguments',
                                    'write checkpointed(iterable, budget=k)')
        found = self.taken_out(s, call.args[0], settings, around)
        if found is None:
            return [tree.replace(s, **{head: call.args[0], 'body': self.block(s.body, around)})]
        return found

    def attempted(self, s, head, around):
        if not self.shared.settings.every_loop or not around and getattr(self.source, 'is_loop', False):
            return None
        try:
            loops = [t for t in self.outermost if t is s or t.lineno > s.lineno]
            part = max(len(loops), 1) * (2 if around or self.inner else 1)
            return self.taken_out(s, getattr(s, head), {'memory': tree.constant(part)}, around)
        except errors.TangentParseError:
            return None

    def taken_out(self, s, over, settings, around):
        """The statements that stand for a loop; None where no derivative flows through it."""
        loop = self.counted(s, over)
        facts = Facts(self, s, loop, around)
        if not facts.wanted:
            return None
        for n in tree.walk(s):
            self.marks.pop(id(n), None)                      # the function made of this loop has them
        self.refuse(s, facts, around)
        name = self.steps(s, facts)
        return self.call(s, name, facts, settings)

    def counted(self, s, head):
        """The loop as a `for`: `while c` is one without an end, which begins with `if not c: break`."""
        if isinstance(s, gast.For):
            return tree.replace(s, iter=head)
        leave = gast.If(test=tree.negation(head), body=[at(gast.Break(), s)], orelse=[])
        step = self.names.fresh('step')
        return at(gast.For(target=tree.store(step), iter=None, body=[at(leave, s), *s.body], orelse=[], type_comment=None), s)

    def refuse(self, s, facts, around):
        for n in inside(s.body):
            what = REFUSED.get(type(n))
            if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store):
                what = 'assignments to attributes in a checkpointed loop', 'use a variable, and assign it behind the loop'
            if what is not None:
                raise subset.unsupported(n, self.source, *what)
            if isinstance(n, (*DEFINITIONS, gast.Lambda)) or isinstance(n, gast.Call) and self.resolver(n.func) is partial:
                raise subset.unsupported(n, self.source, 'functions made in a checkpointed loop', 'make them before the loop')
        bound = {*facts.carried, *facts.outputs, *assigned(facts.loop)}
        for t in self.tries:
            if not bound.isdisjoint(read_on_error(t, self.function, around)):
                raise subset.unsupported(s, self.source, 'checkpointed loops in a try statement whose variables are read '
                                        'after an exception', 'put the loop into a function of its own')

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
        nested = self.shared.nest(self.source, self.local, f'{self.source.name}_loop')
        definition = tree.definition(nested.__name__, plain_arguments([*leading, *given.values(), *facts.reads]), body, s)
        nested.source = NestedSource.of(self.source, definition, visible=dict(self.known), is_loop=True)
        nested.carried, nested.wanted = tuple(given.values()), facts.wanted
        self.known[nested.__name__] = nested
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
        first = [tree.call(self.library('check_sized'), *map(tree.load, facts.sized))] if facts.sized else []
        first = [tree.place(gast.Expr(value=c), tree.Origin('guard', s.lineno)) for c in first]
        return [at(t, s) for t in [*first, tree.assign(left, value), *(tree.statements(b)[0] for b in back)]]

    def library(self, name):
        """A name for something of the library's."""
        found = find(name)
        if self.resolver.name(name) is found:
            return name
        given = next((n for n, thing in self.known.items() if thing is found), None)
        if given is None:
            given = self.names.fresh(name)
            while given in self.source.globals:              # `import copy`: the text of the loop would find the module
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


def literal(value):
    if isinstance(value, tuple):
        return gast.Tuple(elts=[literal(v) for v in value], ctx=gast.Load())
    return tree.constant(value)


def at(stmt, s):
    """A statement of ours in the place of the header of the loop."""
    stmt = gast.copy_location(stmt, s)
    stmt.end_lineno, stmt.end_col_offset = s.lineno, getattr(s, 'col_offset', 0)
    return stmt
