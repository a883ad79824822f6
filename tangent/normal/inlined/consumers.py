"""Who takes all that a generator gives is a loop that goes through it, so that the generator can stand there (see `yields`).

    y = sum(v * v for v in orbit(x))             total = 0
                                                 for v in orbit(x):
                                         ->          total = total + v * v
                                                 y = total
"""
import builtins
import dataclasses
import types

import gast
import numpy as np

from tangent.analysis.kinds.special import gone_through, iterated
from tangent.analysis.kinds.values import Parts
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.desugar.loops import SCOPES
from tangent.normal.inlined.leaving import made
from tangent.normal.inlined.yields import DEPTH, Streams, Writer, endless, nested
from tangent.normal.objects import forms
from tangent.runtime import facts

SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Return, gast.Expr)
COMPUTED = (gast.Call, gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Compare, gast.Attribute, gast.JoinedStr)


def for_kinds(source, known):
    """The Source with them written out, where kinds of parameters may be known: (parameter -> kind, the Program)."""
    if not known:
        return written_out(source)
    classes = {p: kind.form for p, kind in known[0].items() if isinstance(kind, Parts) and forms.is_plain(kind.form)}
    return written_out(source, classes, known[1].assumed)


def written_out(source, classes=types.MappingProxyType({}), assumed=None):
    """The Source with generators of the user's in the place of the loops that go through them.

    classes : variable -> the class of the object that it holds
    assumed : gets what classes have, where that is taken for granted
    """
    if not any(isinstance(n, (gast.For, gast.comprehension, gast.Starred)) or isinstance(n, gast.Call) and n.args
               for n in source.nodes):
        return source
    work = Consumers(source, classes, assumed)
    body = work.block(list(map(work.through, source.tree.body)) if classes or work.streams.classes else source.tree.body)
    if not work.done:
        return source
    read = {n.id for s in body if getattr(s, 'name', None) not in work.streams.inner for n in tree.walk(s)
            if isinstance(n, gast.Name)}
    body = [s for s in body if not (isinstance(s, gast.FunctionDef) and s.name in work.streams.inner and s.name not in read)]
    return dataclasses.replace(source, tree=tree.replace(source.tree, body=body))


class Consumers:
    def __init__(self, source, classes, assumed):
        self.streams, self.done = Streams(source, classes, assumed), 0
        self.writer, self.names, self.resolver = Writer(self.streams, self.block), self.streams.names, self.streams.resolver
        self.loads, self.ready = tree.names(source.tree, gast.Load), {}

    def through(self, node):
        """A node with what objects hold where they themselves are gone through, see `Streams.gone_through`."""
        if isinstance(node, gast.Call):
            name = getattr(node.func, 'id', 'dict')                                    # which asks for keys first
            known = name != 'dict' and self.resolver(node.func) is getattr(builtins, name, None)
            taken = iterated(node) if known else []
        else:
            taken = [e for e in [gone_through(node)] if e is not None]
        others = {id(e): other for e in taken if (other := self.streams.gone_through(e)) is not None}
        self.done += len(others)
        return tree.with_children(node, lambda child: gast.copy_location(others[id(child)], child) if id(child) in others
                                  else self.through(child))

    def block(self, stmts):
        out = []
        for k, s in enumerate(stmts):
            if id(s) in self.ready:
                out += self.ready.pop(id(s))
            elif isinstance(s, SCOPES):
                out.append(s)
            elif (held := self.held(s, stmts, k)) is not None:
                out += held
            else:
                out += self.one(s)
        return out

    def one(self, s):
        """The statements for one."""
        if isinstance(s, gast.For) and self.streams.of(s.iter) is not None:
            s = tree.replace(s, body=self.block(s.body), orelse=self.block(s.orelse))
            found = self.writer.loop(s)
            self.done += found is not None
            return [s] if found is None else found
        before, s = self.taken_apart(s)
        if before and isinstance(s, gast.Assign) and getattr(s.value, 'id', s) == tree.target(s):
            return before
        blocks = {field: self.block(block) for field, block in tree.blocks(s)}
        return [*before, tree.replace(s, **blocks) if blocks else s]

    def held(self, s, stmts, k):
        """The statements that bind what a generator is given, where its name is read once, in a statement of the same block."""
        name = tree.target(s)
        once = name and self.streams.bound[name] == 1 and self.loads.count(name) == 1
        stream = self.streams.later(s.value) if once and not isinstance(s.value, gast.Name) else None
        if stream is None or stream.kind not in ('made', 'each'):
            return None
        for t in stmts[k + 1:]:
            part = t.iter if isinstance(t, gast.For) else t if isinstance(t, SIMPLE) else None
            if part is not None and name in tree.names(part, gast.Load):
                first, call = self.writer.bound_call(stream.call, name)
                call = tree.exchange(s.value, {id(stream.call): call})
                new = tree.substitute(t if part is t else tree.replace(t, body=[], orelse=[]), {name: call})
                new = new if part is t else tree.replace(new, body=t.body, orelse=t.orelse)
                done, out = self.done, self.one(new)
                if self.done == done:
                    return None
                self.ready[id(t)] = out
                return first
        return None

    def taken_apart(self, s):
        """(statements with what is taken from generators, the statement that is left)."""
        field = 'value' if isinstance(s, SIMPLE) else 'test' if isinstance(s, gast.If) else \
            'iter' if isinstance(s, gast.For) else None
        part_of = isinstance(s, gast.AugAssign) and not isinstance(s.target, gast.Name)        # it is read before the value
        if field is None or getattr(s, field) is None or part_of:
            return [], s
        out = []
        while True:
            search = Search(self)
            found = search(getattr(s, field)) if not self.is_display(s) else s.value
            taken = self.taken(found, s) if found is not None and not self.rebinds(found, s) else None
            if taken is None:
                return out, s
            changed = {id(found): taken[1]}
            for part in search.at_stake(found):
                changed[id(part)] = tree.load(self.names.fresh('value'))
                out.append(made(tree.assign(changed[id(part)].id, part), s))
            out += taken[0]
            s = tree.replace(s, **{field: tree.exchange(getattr(s, field), changed)})
            self.done += 1

    def rebinds(self, found, s):
        """Whether a generator binds a name anew that the statement reads beside it."""
        inside = tree.walk_scope(self.stream_of(found).function.body)
        outer = {n for t in inside if isinstance(t, gast.Nonlocal) for n in t.names}
        names = tree.names(s, gast.Load) + [getattr(s.target, 'id', None) if isinstance(s, gast.AugAssign) else None]
        return any(names.count(n) > tree.names(found, gast.Load).count(n) for n in outer)

    def stream_of(self, found):
        """The Stream of which all is taken."""
        source = found.args[0] if self.takes(found) and isinstance(found, gast.Call) else \
            found.value if isinstance(found, gast.Starred) else found
        parts = getattr(source, 'generators', None)
        return self.streams.of(source) or self.streams.of(parts[0].iter)

    def is_display(self, s):
        """Whether a stream is taken apart: `a, b = pairs(x)`."""
        return isinstance(s, gast.Assign) and all(isinstance(t, (gast.Tuple, gast.List)) for t in s.targets) \
            and self.stream(s.value) is not None

    def stream(self, expr):
        """The Stream that an expression makes, if it may have an end."""
        stream = self.streams.of(expr)
        return stream if stream is not None and not endless(stream) else None

    def generators(self, node):
        """The generators of a comprehension that goes through a stream, or None."""
        if not isinstance(node, (gast.ListComp, gast.GeneratorExp)) or self.stream(node.generators[0].iter) is None:
            return None
        inner = any(isinstance(n, (gast.Lambda, gast.NamedExpr, gast.Await)) for n in tree.walk(node))
        return None if inner or any(g.is_async for g in node.generators) else node.generators

    def takes(self, node):
        """Whether an expression takes all that a stream has."""
        if isinstance(node, gast.ListComp):
            return self.generators(node) is not None
        if isinstance(node, gast.Starred):
            return self.stream(node.value) is not None
        if not isinstance(node, gast.Call) or not node.args or not facts.of(self.resolver(node.func)).takes_all:
            return False
        function = self.resolver(node.func)
        if function in (max, min) and len(node.args) > 1:                 # of these, not of what the first one holds
            return False
        kinds = (gast.GeneratorExp, gast.ListComp) if function is sum else gast.GeneratorExp
        return self.stream(node.args[0]) is not None or \
            isinstance(node.args[0], kinds) and self.generators(node.args[0]) is not None

    def own(self, node, s):
        """The name that a statement binds to what is taken, where nobody reads it on the way."""
        name = tree.target(s)
        if name is None or s.value is not node or name in tree.names(node, gast.Load):
            return None
        nodes = self.streams.nodes
        inner = [n for n in nodes[1:] if isinstance(n, (*SCOPES, gast.Lambda))]
        caught = any(isinstance(n, (*tree.TRIES, gast.With, gast.Global, gast.Nonlocal)) for n in nodes)
        return None if caught or any(getattr(n, 'id', None) == name for f in inner for n in tree.walk(f)) else name

    def taken(self, node, s):
        """(the statements for an expression that takes all, what it is behind them), or None."""
        call = node if isinstance(node, gast.Call) and self.takes(node) else None
        source = call.args[0] if call is not None else node.value if isinstance(node, gast.Starred) else node
        function = self.resolver(call.func) if call is not None else None
        if isinstance(source, (gast.ListComp, gast.GeneratorExp)):
            apart = self.streams.apart(source)
            loops, element = apart.generators, apart.elt
        else:
            item = self.names.fresh('item')
            loops, element = [gast.comprehension(target=tree.store(item), iter=source, ifs=[], is_async=0)], tree.load(item)
        own = self.own(node, s)
        if function is sum and len(call.args) < 3 and all(map(tree.is_atom, call.args[1:])) and not call.keywords:
            name = own or self.names.fresh('total')
            start = call.args[1] if call.args[1:] else tree.constant(0)
            body = tree.assign(name, gast.BinOp(left=tree.load(name), op=gast.Add(), right=element))
        else:
            name = (own if function in (None, list) else None) or self.names.fresh('values')
            start = gast.List(elts=[], ctx=gast.Load())
            body = gast.Expr(value=tree.method(tree.load(name), 'append', element))
        loop, = nested(loops, [made(body, s)], s)
        done = self.writer.loop(tree.replace(loop, body=self.block(loop.body)))
        if done is None:
            return None
        value = tree.load(name)
        if isinstance(node, gast.Starred):
            value = tree.replace(node, value=value)
        elif call is not None and function is not list and function is not sum:
            value = tree.replace(call, args=[value, *call.args[1:]])
        return [made(tree.assign(name, start), s), *done], value


def parts(node):
    """The expressions that a node evaluates: itself, if it is one that may have a name."""
    whole = isinstance(node, gast.expr) and not isinstance(node, (gast.Starred, gast.Slice, gast.FormattedValue))
    return [node] if whole else [part for child in tree.children(node) for part in parts(child)]


class Search:
    """Finds, in the order in which Python evaluates an expression, what takes all that a stream has.

    before : what is computed before that, part by part
    """

    def __init__(self, consumers):
        self.consumers, self.resolver, self.before = consumers, consumers.resolver, []

    def __call__(self, e):
        if self.consumers.takes(e):
            return e
        for child in self.first(e):
            count = len(self.before)
            found = self(child)
            if found is not None:
                return found
            self.before[count:] = [part for part in parts(child) if any(
                isinstance(n, COMPUTED) and self.resolver(n) is UNKNOWN for n in tree.walk(part))]
        return None

    def at_stake(self, e):
        """What was computed before it and might be another thing behind it, or do something there."""
        quiet = not self.before or self.is_quiet(e)
        return [part for part in self.before if not quiet or any(
            isinstance(n, gast.NamedExpr) or isinstance(n, gast.Call) and not self.is_pure(n) for n in tree.walk(part))]

    @staticmethod
    def first(e):
        """What is surely evaluated in an expression, in order."""
        if isinstance(e, gast.BoolOp):
            return e.values[:1]
        if isinstance(e, gast.IfExp):
            return [e.test]
        if isinstance(e, (gast.Lambda, gast.NamedExpr)):
            return []
        if isinstance(e, (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
            return [e.generators[0].iter]
        if isinstance(e, gast.Compare):
            return [e.left, e.comparators[0]]
        if isinstance(e, gast.Dict):
            return [part for pair in zip(e.keys, e.values) for part in pair if part is not None]
        return tree.children(e)

    def is_pure(self, call):
        """Whether a call does nothing but give a value, at once."""
        found = self.resolver(call.func)
        if isinstance(found, np.ufunc):
            return not call.keywords and len(call.args) == found.nin
        known = isinstance(found, types.BuiltinFunctionType | type) and facts.of(found).reads and facts.of(found).pure
        return known or found is range or facts.home(found) in ('math', 'cmath')

    def is_quiet(self, e):
        """Whether what takes from a stream changes nothing that was computed before."""
        stream = self.consumers.stream_of(e)
        parts = [n for n in tree.walk(e) if isinstance(n, (gast.ListComp, gast.GeneratorExp))]
        return all(self.changes_nothing(part, stream) for part in [*stream.function.body, *parts])

    def changes_nothing(self, part, stream, depth=DEPTH):
        nodes = tree.walk(part)
        calls = [n for n in nodes if isinstance(n, gast.Call) and n is not stream.call]
        inner = {id(n): found for n in calls if (found := self.consumers.streams.of(n)) is not None
                 and found.function is not stream.function}
        return not any(isinstance(n, (gast.AugAssign, gast.Nonlocal, gast.Global, *SCOPES)) for n in nodes) \
            and not any(isinstance(n, (gast.Subscript, gast.Attribute)) and not isinstance(n.ctx, gast.Load) for n in nodes) \
            and all(id(n) in inner or self.is_pure(n) for n in calls) \
            and depth > 0 \
            and all(self.changes_nothing(s, found, depth - 1) for found in inner.values() for s in found.function.body)
