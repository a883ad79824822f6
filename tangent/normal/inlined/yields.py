"""What a generator function does stands in the place of the loop that goes through it, with the loop's body where it yields.

    def newton(x):                         def root(x):
        g = 1.0                                g2 = 1.0
        while True:                            while True:
            yield g                                g = g2
            g = 0.5 * (g + x / g)                  if abs(g * g - x) < 1e-9:
                                       ->              break
    def root(x):                                   g2 = 0.5 * (g2 + x / g2)
        for g in newton(x):                    return g
            if abs(g * g - x) < 1e-9:
                break
        return g

So all is done in the order in which Python does it, and as often. `enumerate`, `zip` with `range`, `itertools.islice` and `map`
around a generator count, or call, where it yields.
"""
import builtins
import collections
import itertools
import types
from typing import NamedTuple

import gast

from tangent.analysis.kinds.classes import contents
from tangent.analysis.kinds.methods import assume
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import local_names, resolver_of
from tangent.frontend.scopes import DEFINITIONS, free
from tangent.frontend.source import read
from tangent.normal.desugar.loops import LOOPS, SCOPES, breaks, else_behind, inside, without_else, yielding
from tangent.normal.inlined.factories import arguments, in_one_file, mean_the_same
from tangent.normal.inlined.leaving import Jumps, Leave, Skip, has, made, marked, returned
from tangent.normal.objects import forms
from tangent.runtime.objects import definition
from tangent.runtime.references.table import written_out as as_written

REFUSED = (*DEFINITIONS, gast.Lambda, gast.ClassDef, gast.Global, gast.Await, gast.AsyncFor, gast.AsyncWith, gast.Match,
           gast.Import, gast.ImportFrom)
ENDING = 'next', 'StopIteration'   # Python makes another error of what a generator raises by these
BUILTINS = frozenset(n for n in dir(builtins) if n[0] != '_')          # `_` is what a prompt or a doctest showed last
DEPTH = 4                          # generators that go through others
SIZE = 60                          # statements that stand in more than one place, all together


class Stream(NamedTuple):
    """A call that makes a generator, or a function of the library's around one.

    kind : 'made', 'enumerate', 'islice', 'before', 'behind' (`zip` with a range before or behind it), 'map', 'each' (an
        expression for each of them)
    function : the FunctionDef of the generator function
    call : the call that makes the generator
    around : what stands beside the generator, by kind: the object whose method it is, the start, the end, the function, the
        generator expression
    inner : the Stream inside, of all but the first kind
    """
    kind: str
    function: object
    call: object
    around: object = None
    inner: object = None


class Streams:
    """Generators that can stand in one function."""

    def __init__(self, source, classes, assumed):
        self.source, self.resolver, self.given, self.assumed = source, resolver_of(source), classes, assumed
        function, self.nodes, self.at_once = source.tree, source.nodes, {}
        self.local, self.outside = local_names(function), {*source.globals, *source.closure, *BUILTINS}
        names = [n for n in self.nodes if isinstance(n, gast.Name)]
        self.bound = collections.Counter(n.id for n in names if not isinstance(n.ctx, gast.Load))
        self.counts = collections.Counter(n.id for n in names)
        self.inner = {s.name: s for s in function.body if isinstance(s, gast.FunctionDef) and not s.decorator_list
                      and self.bound[s.name] == 0 and has(s.body, (gast.Yield, gast.YieldFrom))}
        theirs = {id(n) for s in self.inner.values() for n in tree.walk(s)}
        self.names = tree.Names(self.local | {n.id for n in names if id(n) not in theirs} | self.outside)
        self.set = {n.attr for n in self.nodes if isinstance(n, gast.Attribute) and not isinstance(n.ctx, gast.Load)}
        declared = {n for s in self.nodes if isinstance(s, (gast.Global, gast.Nonlocal)) for n in s.names}
        self.bound.update(dict.fromkeys(declared, 2))                  # others may bind these anew
        self.classes = {tree.target(s): kind for s in self.nodes if isinstance(s, gast.Assign)
                        and self.bound[tree.target(s)] == 1 and (kind := self.class_made(s.value)) is not None}

    def of(self, expr):
        """The Stream that an expression makes, or None."""
        if isinstance(expr, gast.GeneratorExp) and len(expr.generators) == 1 and not has([expr], (gast.Lambda, gast.NamedExpr)):
            inner = self.of(expr.generators[0].iter)
            return inner and Stream('each', inner.function, inner.call, expr, inner)
        function = self.method(expr, '__iter__')
        if function is not None:
            return Stream('made', function, expr, expr)
        if not isinstance(expr, gast.Call) or tree.starred(expr.args):
            return None
        owner = expr.func.value if isinstance(expr.func, gast.Attribute) else None
        function = self.method(owner, expr.func.attr) if owner is not None else self.function(expr.func)
        if function is not None:
            return Stream('made', function, expr, owner)
        found, args = self.resolver(expr.func), expr.args
        if not args or expr.keywords and found is not enumerate:
            return None
        kind, k = (
            ('enumerate', 0) if found is enumerate else ('islice', 0) if found is itertools.islice and len(args) == 2
            else ('map', 1) if found is map and len(args) == 2 and self.is_one(args[0])
            else ('before', 1) if found is zip and len(args) == 2 and self.is_range(args[0])
            else ('behind', 0) if found is zip and len(args) == 2 and self.is_range(args[1]) else (None, 0))
        inner = self.of(args[k]) if kind else None
        if inner is None:
            return None
        others = [a for j, a in enumerate(args) if j != k] + [w.value for w in expr.keywords]
        around = others[0] if others else tree.constant(0)
        around = around.args[0] if kind in ('before', 'behind') else around
        in_time = id(inner.function) not in self.at_once or kind == 'map' or kind == 'enumerate' and tree.is_atom(around)
        limit = not isinstance(around, gast.Constant) or isinstance(around.value, int)
        return Stream(kind, inner.function, inner.call, around, inner) if in_time and limit and not others[1:] else None

    def later(self, expr):
        """The Stream that an expression makes, if nothing is done before it is asked for values."""
        stream = self.of(expr)
        return None if stream is not None and id(stream.function) in self.at_once else stream

    def apart(self, comprehension):
        """A comprehension with other names for those of its own that are in use outside it."""
        here = collections.Counter(n.id for n in tree.walk(comprehension) if isinstance(n, gast.Name))
        own = {n for g in comprehension.generators for n in tree.names(g.target, gast.Store)}
        renamed = {n: self.names.fresh(n) for n in sorted(own) if here[n] < self.counts[n] or n in self.outside}
        first, *rest = [tree.rename(g, renamed) for g in comprehension.generators]
        first = tree.replace(first, iter=comprehension.generators[0].iter)
        return tree.replace(comprehension, elt=tree.rename(comprehension.elt, renamed), generators=[first, *rest])

    def is_one(self, func):
        """Whether a name stands for one function all the time."""
        return tree.dotted(func) is not None and self.bound[tree.root_name(func)] < 2

    def is_range(self, expr):
        return isinstance(expr, gast.Call) and self.resolver(expr.func) is range and len(expr.args) == 1 and not expr.keywords

    def function(self, func):
        """The FunctionDef of a generator function that can stand in this one, or None."""
        if not isinstance(func, gast.Name):
            return None
        if func.id in self.inner:
            return self.inner[func.id] if is_plain(self.inner[func.id], True) else None
        return self.far(self.resolver(func))

    def far(self, thing):
        """The FunctionDef of a generator function that stands elsewhere, or None."""
        source = self.source_of(thing)
        function = self.as_generator(source) if source is not None else None
        if function is None or not has(function.body, (gast.Yield, gast.YieldFrom)) or not is_plain(function, False) \
                or not mean_the_same(free(function), source, self.resolver, self.local):
            return None
        self.resolver.outer |= free(function) - self.resolver.local                    # what it names is named here, too
        return function

    def as_generator(self, source):
        """The FunctionDef of a function; of one that makes an iterator at its end as a generator function, `at_once` where the
        first one ends."""
        function, last = source.tree, source.tree.body[-1]
        value = last.value if isinstance(last, gast.Return) else None
        if not isinstance(value, (gast.Call, gast.GeneratorExp)) or has(function.body, (gast.Yield, gast.YieldFrom)) \
                or has(function.body[:-1], gast.Return):
            return function
        if isinstance(value, gast.GeneratorExp):
            stmts = nested(value.generators, [made(gast.Expr(value=gast.Yield(value=value.elt)), last)], last)
        elif resolver_of(source)(value.func) is iter and len(value.args) == 1 and not value.keywords:
            stmts = [made(gast.Expr(value=gast.YieldFrom(value=value.args[0])), last)]
        else:
            return function
        new = tree.replace(function, body=[*function.body[:-1], *stmts])
        self.at_once[id(new)] = new
        return new

    def class_made(self, expr):
        """The class of the object that an expression makes, or None."""
        kind = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        return kind if isinstance(kind, type) and forms.is_plain(kind) else None

    def method(self, expr, name):
        """The FunctionDef of the method of an object whose class is known, which is a generator function, or None."""
        held = self.held(expr, name)
        return self.far(held) if isinstance(held, types.FunctionType) else None

    def held(self, expr, name):
        """What the class of an object has by a name, where the class is known, or None."""
        kind = self.classes.get(expr.id) if isinstance(expr, gast.Name) else self.class_made(expr)
        if kind is None and isinstance(expr, gast.Name) and self.bound[expr.id] == 1:
            kind = self.given.get(expr.id)
        known = kind is not None and name not in self.set | contents(kind)[2] and (name != '__iter__' or measures_quietly(kind))
        owner = definition(kind, name) if known else None
        if owner is not None and self.assumed is not None:
            assume(self.assumed, kind, owner, name)
        return vars(owner)[name] if owner is not None else None

    def gone_through(self, expr):
        """What is gone through in the place of an object with `def __iter__(self): return iter(self.items)`, or None."""
        held = self.held(expr, '__iter__') if isinstance(expr, gast.Name) else None
        source = self.source_of(held) if isinstance(held, types.FunctionType) else None
        last = source.tree.body[-1] if source is not None else None
        value = last.value if isinstance(last, gast.Return) else None
        if not isinstance(value, gast.Call) or value.keywords or len(value.args) != 1 or tree.dotted(value.args[0]) is None \
                or resolver_of(source)(value.func) is not iter or not all(map(tree.is_text, source.tree.body[:-1])):
            return None
        own, = tree.names(source.tree.args, gast.Param)
        return tree.rename(value.args[0], {own: expr.id}) if tree.root_name(value.args[0]) == own else None

    def source_of(self, thing):
        """The Source of a function of the same file that has captured nothing, or None."""
        if isinstance(thing, Nested):
            return None
        thing = getattr(as_written(thing), 'py_func', as_written(thing))                       # one that Numba compiles
        if not callable(thing) or getattr(thing, '__closure__', None) or not hasattr(thing, '__code__') \
                or hasattr(thing, '__wrapped__') or thing.__code__.co_flags & 0x280:
            return None
        try:
            source = read(thing)
        except TangentError:
            return None
        return source if in_one_file(source, self.source) else None


def measures_quietly(kind):
    """Whether nothing is done where Python asks an object for its length, as it does before it makes a list of it."""
    asked = [getattr(kind, name) for name in ('__len__', '__length_hint__') if hasattr(kind, name)]
    for method in asked:
        if not isinstance(method, types.FunctionType):
            return False
        try:
            *before, last = read(method).tree.body
        except TangentError:
            return False
        calls = [n for n in tree.walk(last) if isinstance(n, (gast.Call, gast.NamedExpr))]
        if not isinstance(last, gast.Return) or any(getattr(getattr(n, 'func', None), 'id', None) != 'len' for n in calls) \
                or not all(map(tree.is_text, before)):
            return False
    return True


def is_plain(function, near):
    """Whether what a generator function does can stand elsewhere; `near` : in the function that it stands in itself."""
    if function.name in free(function):                                # it calls itself
        return False
    nodes = list(tree.walk_scope(function.body))
    yields = {id(s.value) for s in nodes if isinstance(s, gast.Expr)}
    guarded = [s for s in nodes if isinstance(s, (*tree.TRIES, gast.With))]
    return not function.decorator_list and not any(isinstance(n, REFUSED) or getattr(n, 'id', None) in ENDING for n in nodes) \
        and not any(isinstance(n, gast.Nonlocal) and not near for n in nodes) \
        and all(id(n) in yields for n in nodes if isinstance(n, (gast.Yield, gast.YieldFrom))) \
        and not any(has([s], (gast.Yield, gast.YieldFrom, gast.Return)) for s in guarded) \
        and not any(isinstance(n, gast.Return) and n.value is not None and not tree.is_atom(n.value) for n in nodes)


def goes_through_once(function, name):
    """Whether a parameter is read once: by a loop that is not in another one."""
    reads = sum(n.id == name for n in tree.walk(function) if isinstance(n, gast.Name))
    loops = [s for s in function.body if isinstance(s, gast.For)]
    return reads == 2 and any(name in tree.names(s.iter, gast.Load) for s in loops)


def endless(stream):
    """Whether a stream surely has no end."""
    if stream.kind in ('islice', 'before', 'behind'):
        return False
    if stream.inner is not None:
        return endless(stream.inner)
    return any(isinstance(s, gast.While) and isinstance(s.test, gast.Constant) and s.test.value and not breaks(s.body)
               and not has(s.body, gast.Return) for s in stream.function.body)


class Writer:
    """Writes generators out in one function.

    block : what is done with the statements of a generator function before they stand there
    """

    def __init__(self, streams, block):
        self.streams, self.names, self.depth, self.written_out = streams, streams.names, 0, block

    def loop(self, s):
        """The statements for a loop that goes through a stream, or None."""
        stream = self.streams.of(s.iter)
        if stream is None or self.depth == DEPTH or any(
                isinstance(n, gast.Match) and has([n], (gast.Break, gast.Continue)) for n in tree.walk_scope(s.body)):
            return None
        out = []
        for t in else_behind(s, self.names) if s.orelse else [s]:
            done = self.plain_loop(stream, t) if isinstance(t, gast.For) and t.iter is s.iter else [t]
            if done is None:
                return None
            out += done
        return out

    def plain_loop(self, stream, s):
        body, size = marked(without_else(s.body, self.names)), sum(isinstance(n, gast.stmt) for n in tree.walk_scope(s.body))

        def yielded(value, t, is_last):
            stmts, jumps = [tree.rename(b, {}) for b in body], Jumps(self.names)
            stmts = skipped(stmts) if is_last else jumps.to_end(stmts, Skip, 'skipped')
            return [*jumps.flags, made(gast.Assign(targets=[s.target], value=value, type_comment=None), s), *stmts]

        self.depth += 1
        done = self.through(stream, yielded, size)
        self.depth -= 1
        if done is None:
            return None
        first, stmts = done
        jumps = Jumps(self.names)
        stmts = jumps.to_end(stmts, Leave, 'left')
        return [t if hasattr(t, 'lineno') else made(t, s) for t in [*first, *jumps.flags, *stmts]]

    def through(self, stream, yielded, size):
        """(what stands before it all, the statements), or None.

        yielded : value, statement that yields it, whether nothing stands behind it in a loop -> the statements for it
        size : how many these are
        """
        return getattr(self, stream.kind)(stream, yielded, size)

    def made(self, stream, yielded, size):
        """A generator function: its parameters are bound, and its statements stand there."""
        function, call, owner = stream.function, stream.call, stream.around
        given = arguments(function, call if owner is None else gast.Call(
            func=owner, args=[owner, *(() if owner is call else call.args)], keywords=[] if owner is call else call.keywords))
        if given is None:
            return None
        stored = collections.Counter(n.id for n in tree.walk(function) if isinstance(n, gast.Name)
                                     and not isinstance(n.ctx, gast.Load))
        outer = {n for s in tree.walk_scope(function.body) if isinstance(s, gast.Nonlocal) for n in s.names}
        renamed, constants, first = {}, {}, []
        for p, value in given.items():
            if stored[p] == 1 and isinstance(value, gast.Name) and self.streams.bound[value.id] == 1:
                renamed[p] = value.id
            elif stored[p] == 1 and isinstance(value, gast.Constant):
                constants[p] = value
            elif stored[p] == 1 and self.streams.later(value) is not None and goes_through_once(function, p):
                before, constants[p] = self.bound_call(value, p)
                first += before
            else:
                renamed[p] = self.fresh(p, stored)
                first.append(made(tree.assign(renamed[p], value), call))
        for n in sorted(local_names(function) - outer - {*given}):
            renamed[n] = self.fresh(n, stored)
        stmts = [tree.rename(tree.substitute(s, constants), renamed) for s in function.body if not tree.is_text(s)]
        stmts = [s for s in yielding(stmts, self.names, lambda e: True) if not isinstance(s, gast.Nonlocal)]
        stmts = returned(without_else(self.written_out(stmts), self.names))
        count = sum(isinstance(n, gast.Yield) for n in tree.walk_scope(stmts))
        return (first, placed(stmts, yielded, False)) if count == 1 or count * size <= SIZE else None

    def fresh(self, name, stored):
        """A name for one of a generator function's own, which is bound as often."""
        new = self.names.fresh(name)
        self.streams.bound[new] = stored.get(name, 1)
        return new

    def bound_call(self, call, wish):
        """(statements that bind what a generator is given, its call with the names)."""
        if not isinstance(call, gast.Call):                                   # an object that is gone through
            return [], call
        first, values = [], []
        for value in tree.arguments(call):
            if self.streams.later(value) is not None:
                before, value = self.bound_call(value, wish)
                first += before
            elif not self.stays(value):
                new = self.fresh(f'{wish}_{value.id}' if isinstance(value, gast.Name) else wish, {})
                first.append(made(tree.assign(new, value), call))
                value = tree.load(new)
            values.append(value)
        words = [tree.replace(w, value=v) for w, v in zip(call.keywords, values[len(call.args):])]
        return first, tree.replace(call, args=values[:len(call.args)], keywords=words)

    def stays(self, value):
        """Whether an argument is the same thing whenever it is evaluated."""
        return isinstance(value, gast.Constant) or isinstance(value, gast.Name) and self.streams.bound[value.id] == 1

    # What stands around a generator counts, or calls, where it yields

    def each(self, stream, yielded, size):
        apart = self.streams.apart(stream.around)
        one, element = apart.generators[0], apart.elt

        def taken(value, t, is_last):
            stmts = under(one.ifs, yielded(element, t, is_last and not one.ifs), t)
            return [made(gast.Assign(targets=[one.target], value=value, type_comment=None), t), *stmts]

        return self.through(stream.inner, taken, size + 1)

    def map(self, stream, yielded, size):
        called = lambda value: gast.Call(func=tree.clone(stream.around), args=[value], keywords=[])  # noqa: E731
        return self.through(stream.inner, lambda value, t, is_last: yielded(called(value), t, is_last), size)

    def enumerate(self, stream, yielded, size):
        count, start = self.names.fresh('count'), stream.around

        def numbered(value, t, is_last):
            return [step(count, t), *yielded(pair(tree.load(count), value), t, is_last)]

        done = self.through(stream.inner, numbered, size + 1)
        before = tree.constant(start.value - 1) if isinstance(start, gast.Constant) and isinstance(start.value, int) \
            else gast.BinOp(left=start, op=gast.Sub(), right=tree.constant(1))
        return done and ([*done[0], made(tree.assign(count, before), stream.call)], done[1])

    def islice(self, stream, yielded, size):
        return self.limited(stream, lambda value, count: value, yielded, size)

    def before(self, stream, yielded, size):
        return self.limited(stream, lambda value, count: pair(count, value), yielded, size)

    def limited(self, stream, valued, yielded, size):
        """So many of them, no more than these are taken."""
        count, (first, end) = self.names.fresh('count'), self.end(stream)

        def counted(value, t, is_last):
            enough = gast.If(test=compared(count, gast.Eq(), end), body=[made(Leave(), t)], orelse=[])
            return [*yielded(valued(value, tree.load(count)), t, False), step(count, t), made(enough, t)]

        done = self.through(stream.inner, counted, size + 2)
        if done is None:
            return None
        stmts = done[1]
        if not (isinstance(end, gast.Constant) and isinstance(end.value, int) and end.value > 0):
            stmts = [made(gast.If(test=compared(end, gast.Gt(), tree.constant(0)), body=stmts, orelse=[]), stream.call)]
        before = [*first, *done[0]] if stream.kind == 'before' else [*done[0], *first]
        return [*before, made(tree.assign(count, tree.constant(0)), stream.call)], stmts

    def behind(self, stream, yielded, size):
        """So many of them; one more is taken."""
        count, (first, end) = self.names.fresh('count'), self.end(stream)

        def counted(value, t, is_last):
            enough = gast.If(test=compared(count, gast.Eq(), end), body=[made(Leave(), t)], orelse=[])
            return [made(enough, t), *yielded(pair(value, tree.load(count)), t, False), step(count, t)]

        done = self.through(stream.inner, counted, size + 2)
        return done and ([*done[0], *first, made(tree.assign(count, tree.constant(0)), stream.call)], done[1])

    def end(self, stream):
        """(what has to be bound, the end of a range as an atom)."""
        end = stream.around
        if self.stays(end):
            return [], end
        name = self.names.fresh('end')
        return [made(tree.assign(name, end), stream.call)], tree.load(name)


def nested(generators, stmts, s):
    """The loops of a comprehension around statements."""
    for g in reversed(generators):
        loop = gast.For(target=g.target, iter=g.iter, body=under(g.ifs, stmts, s), orelse=[], type_comment=None)
        stmts = [made(loop, s)]
    return stmts


def under(tests, stmts, s):
    """The statements where all tests hold."""
    for test in reversed(tests):
        stmts = [made(gast.If(test=test, body=stmts, orelse=[]), s)]
    return stmts


def placed(stmts, yielded, is_last):
    """The statements with others in the place of each `yield`; `is_last` : nothing comes behind them in a loop."""
    out = []
    for k, t in enumerate(stmts):
        last = is_last and k == len(stmts) - 1
        if isinstance(t, gast.Expr) and isinstance(t.value, gast.Yield):
            out += yielded(t.value.value or tree.constant(None), t, last)
        elif isinstance(t, SCOPES) or not has([t], gast.Yield):
            out.append(t)
        elif isinstance(t, LOOPS):
            out.append(tree.replace(t, body=placed(t.body, yielded, True), orelse=placed(t.orelse, yielded, False)))
        else:
            out.append(inside(t, lambda block, last=last: placed(block, yielded, last)))
    return out


def skipped(stmts):
    """The statements at the end of a loop, with its `continue` for marks."""
    return [made(gast.Continue(), s) if isinstance(s, Skip) else s if isinstance(s, SCOPES) else inside(s, skipped)
            for s in stmts]


def step(count, t):
    return made(gast.AugAssign(target=tree.store(count), op=gast.Add(), value=tree.constant(1)), t)


def pair(first, second):
    return gast.Tuple(elts=[first, second], ctx=gast.Load())


def compared(left, op, right):
    return gast.Compare(left=tree.load(left) if isinstance(left, str) else left, ops=[op], comparators=[right])
