"""Comprehensions and assignments inside expressions become statements in front of the one that they stand in.

    y = [f(x) for x in xs if x > 0]          y = []
                                             for x in xs:
                                       ->        if x > 0:
                                                     y.append(f(x))

    if n > 0 and (m := g(n)) > 1:            c = n > 0
                                       ->    if c:
                                                 m = g(n)
                                                 c = m > 1
                                             if c:

A comprehension stays as it is where no derivative flows through it. What was evaluated before a part that moves to the
front is put under a name first, unless the order makes no difference. What a comprehension collects, and what a function
makes of it that is given one:

    sum(f(x) for x in xs)        total = 0;  for x in xs: total = total + f(x)
    [f(x) for x in xs]           items = [];  for x in xs: items.append(f(x))
    {k: f(x) for k, x in xs}     table = {};  for k, x in xs: table[k] = f(x)
    any(f(x) for x in xs)        found = False;  for x in xs: if f(x): found = True; break
    next(f(x) for x in xs)       for x in xs: first = f(x); break

The targets keep their names unless the function uses the names for something else. Displays with stars, `np.r_` and
`np.c_`, and lists that grow by several elements:

    [*xs, y]                     list(xs) + [y]
    np.r_[x, 1.0]                np.concatenate([np.atleast_1d(x), np.atleast_1d(1.0)])
    np.atleast_1d(x, y)          np.atleast_1d(x), np.atleast_1d(y)
    xs += [a, b]                 xs.append(a); xs.append(b)             for a list of the function's own
    xs.extend(ys)                for y in ys: xs.append(y)
    f(xs.pop())                  x = xs.pop(); f(x)
    table.get(k, 0.0)            table[k] if k in table else 0.0        for a dict of the function's own
"""
import builtins
import functools
import inspect
import types

import gast
import numpy

from tangent.analysis.activity import stored
from tangent.analysis.alias import Aliases
from tangent.analysis.fences.aliased_updates import unseen
from tangent.analysis.generators import gone_through, may_generate
from tangent.analysis.kinds import special
from tangent.emit.library import find
from tangent.frontend import quote, tree
from tangent.frontend.quote import total
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import parameters
from tangent.frontend.subset import inserts, unsupported
from tangent.normal.desugar.loops import SCOPES, bound, else_behind, grows, inside, made, own, written
from tangent.normal.desugar.outputs import Outputs
from tangent.normal.desugar.targets import at_start, stores
from tangent.normal.desugar.writes import dicts_of
from tangent.normal.loop_headers import taken
from tangent.normal.ops import is_simple
from tangent.runtime import facts

COMPREHENSIONS = (gast.ListComp, gast.DictComp, gast.GeneratorExp, gast.SetComp)
EACH = numpy.atleast_1d, numpy.atleast_2d, numpy.atleast_3d            # of several arrays they give what they give of each
DISPLAY = gast.Tuple if isinstance(numpy.atleast_1d(0, 0), tuple) else gast.List
LISTS = (gast.ListComp, gast.GeneratorExp)
MODULES = ('numpy', 'itertools', 'functools', 'math', 'statistics', 'collections', 'scipy', 'operator', '_functools')


class Lower:
    """Rewrites the blocks of one function; what comes in front of the statement at hand is put `out`."""

    def __init__(self, function, names, resolver, flow, library, logged, source, effects):
        self.source, self.effects = source, effects
        self.names, self.resolver, self.flow, self.library, self.logged = names, resolver, flow, library, logged
        self.function = function
        self.lists = own('list', function, resolver) | own('deque', function, resolver)
        self.dicts = own('dict', function, resolver) if logged else dicts_of(function, resolver)
        self.temps = set()
        self.out, self.at, self.following = [], None, []
        self.outputs = Outputs(self, function)

    # Statements

    def block(self, stmts):
        outer, self.out = self.out, []
        for k, s in enumerate(stmts):
            self.at, self.following = s, stmts[k + 1:]
            self.statement(s)
        done, self.out = self.out, outer
        return done

    def statement(self, s):
        if isinstance(s, SCOPES):
            self.out.append(s)
            return
        handler = getattr(self, type(s).__name__, None)
        if handler is not None and self.touches(s):
            handler(s)
        else:
            self.out.append(inside(s, self.block))

    def touches(self, s):
        """Whether anything in the statement's own header is to be written out."""
        return any(self.moves(e, True) for e in tree.header(s)) or self.extends(s) is not None or self.makes_generator(s) \
            or isinstance(s, gast.For) and isinstance(s.iter, gast.GeneratorExp) or self.takes_rest(s) \
            or self.unpacks_generator(s) or self.is_union(s)

    def put(self, stmt):
        """A statement of ours, in front of the one at hand."""
        self.out.append(made(stmt, self.at))

    def call(self, name, *args):
        """A call of a builtin or of a run-time helper."""
        known = self.library(name)
        self.resolver.seen[known] = find(name)
        return tree.call(known, *args)

    def assign(self, target, value):
        self.put(tree.assign(target, value))

    def collected(self, run, *args):
        """What is put out while `run(*args)` runs, and its result."""
        outer, self.out = self.out, []
        result = run(*args)
        done, self.out = self.out, outer
        return done, result

    def Return(self, s):
        self.out.append(tree.replace(s, value=self.value(s.value, True)))

    def Expr(self, s):
        if self.is_pop(s.value):
            self.out.append(s)
        elif self.is_into(s.value):
            self.outputs.value(self.parts(s.value, True), dropped=True)
        elif not self.extended(s):
            self.out.append(tree.replace(s, value=self.value(s.value, True)))

    def Raise(self, s):
        self.out.append(tree.replace(s, exc=self.value(s.exc, False)))

    def Assert(self, s):
        self.out.append(tree.replace(s, test=self.value(s.test, False)))

    def If(self, s):
        test = self.value(s.test, False)
        s = tree.replace(s, test=test)
        self.out.append(inside(s, self.block))

    def While(self, s):
        """`while True:` with the test in the body, where it is made of several statements."""
        before, test = self.collected(self.value, s.test, False)
        if not before:
            self.out.append(inside(tree.replace(s, test=test), self.block))
            return
        at = self.at
        test = made(gast.If(test=test, body=self.block(s.body), orelse=[made(gast.Break(), at)]), at)
        self.out.append(tree.replace(s, test=tree.constant(True), body=before + [test]))

    def For(self, s):
        matters = self.flow.matters(stored(s.target))
        if isinstance(s.iter, gast.GeneratorExp) and len(s.iter.generators) == 1 and (
                matters and self.flow.flows(s.iter) or self.acts_inside(s.iter)):
            node = self.own_names(s.iter)
            bind = made(gast.Assign(targets=[s.target], value=node.elt, type_comment=None), s)
            self.nest(node, lambda node: self.out.extend(self.block([bind] + s.body)))
            return
        s = tree.replace(s, iter=self.value(s.iter, matters))
        self.out.append(inside(s, self.block))

    def With(self, s):
        if inserts(s):
            s = tree.replace(s, items=[tree.replace(i, context_expr=self.value(i.context_expr, True)) for i in s.items])
        self.out.append(inside(s, self.block))

    def Assign(self, s):
        target = tree.target(s)
        matters = self.flow.matters([n for t in s.targets for n in stored(t)])
        if target and (self.is_pop(s.value) or self.moves(s.value, matters) and self.directly(target, s.value)):
            if self.is_pop(s.value):
                self.out.append(s)
            return
        if target and isinstance(s.value, gast.GeneratorExp) and not stores(s.value) and self.is_used_once(s) \
                and not self.acts_inside(s.value):
            self.collect(s.value, target)
            return
        if self.unpacks_generator(s):
            s = tree.replace(s, value=gast.ListComp(elt=s.value.elt, generators=s.value.generators))
        if self.takes_rest(s):
            self.unpack(s)
            return
        value = self.value(s.value, matters)
        self.out.append(tree.replace(s, targets=[self.place(t) for t in s.targets], value=value))

    def AnnAssign(self, s):
        if s.value is not None:
            s = tree.replace(s, value=self.value(s.value, self.flow.matters(stored(s.target))))
        self.out.append(s)

    def AugAssign(self, s):
        if self.extended(s):
            return
        if self.is_union(s):
            self.put(gast.Expr(value=tree.method(tree.load(s.target.id), 'update', self.value(s.value, True))))
            return
        self.out.append(tree.replace(s, value=self.value(s.value, self.flow.matters(stored(s.target)))))

    def place(self, target):
        """A target; the parts of its indices that move are evaluated in front (the value has been)."""
        if isinstance(target, gast.Name) or not self.moves(target, False):
            return target
        return self.parts(target, False)

    # Expressions

    def moves(self, expr, flows):
        """Whether a part of the expression has to become statements of its own.

        flows : whether a derivative may flow through what the expression stands in
        """
        if isinstance(expr, gast.NamedExpr):
            return True
        if isinstance(expr, (gast.Name, gast.Constant, gast.Lambda)):
            return False
        if self.is_into(expr):
            return True
        flows = flows and self.flow.flows(expr)
        if flows and (isinstance(expr, gast.Call) and self.goes_through(expr) is not None or self.is_joined(expr)
                      or self.is_get(expr) or self.is_merge(expr) or self.is_filled(expr)) or self.is_pop(expr):
            return True
        if isinstance(expr, COMPREHENSIONS):
            if stores(expr) and not isinstance(expr, gast.GeneratorExp):
                return True
            inside = any(self.moves(e, False) for e in tree.children(expr))
            return inside or flows and isinstance(expr, (gast.ListComp, gast.DictComp)) or self.acts_inside(expr)
        if isinstance(expr, gast.Call) and flows and (self.collects(expr) or self.is_beside(expr)):
            return True
        if isinstance(expr, gast.Starred) and flows and isinstance(expr.value, gast.GeneratorExp):
            return True
        return any(self.moves(e, flows) for e in tree.children(expr))

    def acts_inside(self, expr):
        """Whether a comprehension may write into something that has a derivative, or gets one from what it is given there."""
        calls = [n for n in tree.walk(expr) if isinstance(n, gast.Call)] if isinstance(expr, COMPREHENSIONS) else []
        return any(self.varies(call) and self.aliases.touched(call, False) for call in calls)

    def varies(self, call):
        """Whether a call may be given something with a derivative; names that were made here may hold anything."""
        given = [call.func.value if isinstance(call.func, gast.Attribute) else call.func, *tree.arguments(call)]
        return any(map(self.flow.flows, given)) or not self.named.issuperset(n for e in given for n in tree.names(e, gast.Load))

    @functools.cached_property
    def named(self):
        return set(tree.names(self.function, gast.Load)) | set(tree.names(self.function, gast.Store))

    @functools.cached_property
    def aliases(self):
        return Aliases(self.function, self.resolver, self.effects)

    def refuse_lazy(self, expr):
        """Refuse a generator that acts where others do something between its elements, or leave some of them out."""
        if isinstance(expr, gast.GeneratorExp) and self.acts_inside(expr):
            raise unseen(expr, self.source)

    def value(self, expr, flows):
        """The expression that has the value of the given one after what is put out."""
        if expr is None or not self.moves(expr, flows):
            return expr
        flows = flows and self.flow.flows(expr)
        if flows and self.is_joined(expr):
            return self.value(self.joined(expr), flows)
        if flows and self.is_filled(expr):
            return self.value(filled(expr), flows)
        if flows and self.is_merge(expr):
            return self.merge(expr)
        if flows and self.is_get(expr):
            return self.value(self.looked_up(expr), flows)
        if self.is_pop(expr):
            return self.hold(expr)
        if self.is_into(expr):
            return self.outputs.value(self.parts(expr, True))
        handler = getattr(self, 'of_' + type(expr).__name__, None)
        return handler(expr, flows) if handler is not None else self.parts(expr, flows)

    def is_into(self, expr):
        """Whether the expression is a call that writes its value into an array; the log form knows those itself."""
        return isinstance(expr, gast.Call) and not self.logged and bool(self.outputs.of(expr))

    def hold(self, expr):
        """The value of an expression under a name of its own."""
        name = self.names.fresh('t')
        self.temps.add(name)
        self.assign(name, expr)
        return tree.load(name)

    def parts(self, expr, flows):
        """The expression with its parts evaluated in order; of a method its owner is one."""
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute):
            owner, *rest = self.sequence([expr.func.value, *expr.args, *expr.keywords], flows)
            return tree.replace(expr, func=tree.replace(expr.func, value=owner), args=rest[:len(expr.args)],
                                keywords=rest[len(expr.args):])
        fields = [(key, k) for key, value in expr.__dict__.items() if key != 'origin'
                  for k in (range(len(value)) if type(value) is list else [None])]
        places = [(key, k) for key, k in fields if isinstance(at(expr, key, k), gast.AST)
                  and not isinstance(at(expr, key, k), (gast.expr_context, gast.operator, gast.unaryop, gast.cmpop))]
        if isinstance(expr, gast.Dict):
            places.sort(key=lambda place: place[1])
        new = self.sequence([at(expr, *p) for p in places], flows)
        changed = {key: list(value) if type(value) is list else value for key, value in expr.__dict__.items()}
        for (key, k), value in zip(places, new):
            if k is None:
                changed[key] = value
            else:
                changed[key][k] = value
        return tree.replace(expr, **changed)

    def sequence(self, exprs, flows):
        """Values of expressions that are evaluated one after the other."""
        done = []
        new = [self.collected(self.value, e, flows) for e in exprs]
        for k, (before, value) in enumerate(new):
            self.out += before
            later = [s for stmts, _ in new[k + 1:] for s in stmts]
            done.append(self.kept(value) if later and not self.may_wait(value, later) else value)
        return done

    def kept(self, expr):
        """The value of a part of an expression under a name; what is no value of its own keeps its form."""
        if isinstance(expr, (gast.Starred, gast.keyword, gast.FormattedValue)):
            return tree.replace(expr, value=self.kept(expr.value))
        if isinstance(expr, gast.Slice):
            parts = {k: getattr(expr, k) for k in ('lower', 'upper', 'step')}
            return tree.replace(expr, **{k: v if v is None or is_literal(v) else self.hold(v) for k, v in parts.items()})
        return self.hold(expr)

    def may_wait(self, expr, stmts):
        """Whether the expression has the same value after the statements, and whether they do the same before it."""
        nodes = tree.walk(expr)
        names = {n.id for n in nodes if isinstance(n, gast.Name)}
        if names & bound(stmts) or not isinstance(expr, gast.Name) and names & self.reached(stmts):
            return False
        if all(isinstance(n, (gast.Name, gast.Constant, gast.expr_context)) for n in nodes) \
                or self.resolver(expr) is not UNKNOWN:
            return True
        if self.effects.acting and any(special.given(n, self.effects.acting) for s in (expr, *stmts) for n in tree.walk(s)):
            return False
        ours = [n for n in nodes if isinstance(n, gast.Call)]
        if not all(self.is_pure(c) for c in ours) or any(isinstance(n, COMPREHENSIONS + (gast.Lambda,)) for n in nodes):
            return False
        reads = any(isinstance(n, (gast.Subscript, gast.Attribute)) for n in nodes)
        nodes = [n for s in stmts for n in tree.walk(s)]
        through = {getattr(e, 'id', None) for n in nodes for e in gone_through(n, self.resolver)}
        if reads and not self.generators.isdisjoint(through):
            return False
        theirs = [n for n in nodes if isinstance(n, gast.Call)]
        return not reads and not ours or all(self.is_pure(c) or grows(c) for c in theirs)

    @functools.cached_property
    def generators(self):
        """Names of what may run code of the user's while it is gone through."""
        return may_generate(self.function, self.resolver)

    def reached(self, stmts):
        """Names of the objects that the statements write into, under all their names: `t = bs[0]; t[...] = v` writes into b."""
        found = written(stmts)
        for s in reversed(stmts):
            if tree.target(s) in found and isinstance(s.value, (gast.Name, gast.Subscript, gast.Attribute)):
                found |= self.aliases.handed_on(s.value)
        return found.union(*map(self.aliases.family, found & self.named))

    def is_pure(self, call):
        function = self.resolver(call.func)
        return facts.is_numpy(function) or facts.home(function) == 'math' or any(function is f for f in PURE)

    def of_NamedExpr(self, expr, flows):
        self.assign(expr.target.id, self.value(expr.value, self.flow.matters([expr.target.id])))
        return tree.load(expr.target.id)

    def of_Starred(self, expr, flows):
        if isinstance(expr.value, gast.GeneratorExp):
            return tree.replace(expr, value=self.of_ListComp(expr.value, flows))
        return tree.replace(expr, value=self.value(expr.value, flows))

    def of_IfExp(self, expr, flows):
        test = self.value(expr.test, False)
        if not self.moves(expr.body, flows) and not self.moves(expr.orelse, flows):
            return tree.replace(expr, test=test)
        name = self.names.fresh('t')
        blocks = [self.branch(name, e, flows) for e in (expr.body, expr.orelse)]
        self.put(gast.If(test=test, body=blocks[0], orelse=blocks[1]))
        return tree.load(name)

    def branch(self, name, expr, flows):
        def run():
            self.assign(name, self.value(expr, flows))
        return self.collected(run)[0]

    def of_BoolOp(self, expr, flows):
        """Further operands are evaluated only if those before them do not decide."""
        first, *rest = expr.values
        if not any(self.moves(e, flows) for e in rest):
            return tree.replace(expr, values=[self.value(first, flows), *rest])
        name = self.names.fresh('c')
        self.assign(name, self.value(first, flows))
        last = rest[0] if len(rest) == 1 else tree.replace(expr, values=rest)
        test = tree.load(name)
        if isinstance(expr.op, gast.Or):
            test = tree.negation(test)
        self.put(gast.If(test=test, body=self.branch(name, last, flows), orelse=[]))
        return tree.load(name)

    def of_Compare(self, expr, flows):
        """In `a < b < c` the last operand is evaluated only if `a < b`."""
        if len(expr.ops) == 1 or not any(self.moves(e, False) for e in expr.comparators[1:]):
            first = self.sequence([expr.left, expr.comparators[0]], False)
            return tree.replace(expr, left=first[0], comparators=[first[1], *expr.comparators[1:]])
        left, middle = self.sequence([expr.left, expr.comparators[0]], False)
        middle = middle if isinstance(middle, gast.Name) else self.hold(middle)
        pair = gast.Compare(left=left, ops=expr.ops[:1], comparators=[middle])
        rest = gast.Compare(left=middle, ops=expr.ops[1:], comparators=expr.comparators[1:])
        return self.value(gast.BoolOp(op=gast.And(), values=[pair, rest]), False)

    # Comprehensions: loops

    def nest(self, node, finish):
        """The loops of a comprehension put out; `finish(node)` puts out what is done in the innermost."""
        self.level(list(node.generators), lambda: finish(node))

    def level(self, generators, finish):
        first, *rest = generators
        if isinstance(first.iter, gast.GeneratorExp) and (self.flow.flows(first.iter) or self.acts_inside(first.iter)):
            def each(node):                             # element by element
                self.put(gast.Assign(targets=[first.target], value=self.value(node.elt, True), type_comment=None))
                self.filtered(list(first.ifs), rest, finish)
            self.nest(self.own_names(first.iter), each)
            return
        iterator = self.value(first.iter, True)
        target, bound = at_start(first.target, self.at, self.names, self.temps, self.logged)
        body, _ = self.collected(self.filtered, list(first.ifs), rest, finish)
        self.put(gast.For(target=target, iter=iterator, body=self.block(bound) + body, orelse=[], type_comment=None))

    def filtered(self, tests, rest, finish):
        if not tests:
            return self.level(rest, finish) if rest else finish()
        test, *more = tests
        test = self.value(test, False)
        while more and not self.moves(more[0], False):
            values = test.values if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And) else [test]
            test = gast.BoolOp(op=gast.And(), values=[*values, more.pop(0)])
        body, _ = self.collected(self.filtered, more, rest, finish)
        return self.put(gast.If(test=test, body=body, orelse=[]))

    def own_names(self, node):
        """The comprehension with targets that the function uses for nothing else."""
        inside = {n.id for g in node.generators for n in tree.walk(g.target) if isinstance(n, gast.Name)
                  and isinstance(n.ctx, gast.Store)}
        others = self.used_elsewhere()
        new = {n: self.names.fresh(n) for n in sorted(inside) if n in others}
        if not new:
            return node
        self.flow = self.flow.with_names(new)
        first = node.generators[0]
        renamed = tree.rename(tree.replace(node, generators=[tree.replace(first, iter=tree.constant(None)),
                                                             *node.generators[1:]]), new)
        renamed.generators[0] = tree.replace(renamed.generators[0], iter=first.iter)
        return renamed

    def used_elsewhere(self):
        """Names that the function uses outside of the comprehensions that bind them."""
        if self._elsewhere is None:
            self._elsewhere = set(free(self.function.args)).union(*map(free, self.function.body))
        return self._elsewhere

    _elsewhere = None

    # What is collected

    def directly(self, target, value):
        """Put out `target = value` for a value that can be collected under the name itself; whether it can."""
        if isinstance(value, gast.Call):
            value = self.goes_through(value) or value
        if self.is_sum(value) and target not in tree.names(value, gast.Load):
            self.summed(value, target)
            return True
        if isinstance(value, gast.Call) and self.known(value) in (list, dict) and self.collects(value) \
                and not self.is_filled(value):
            comp = value.args[0]
            if self.known(value) is list:
                value = gast.ListComp(elt=comp.elt, generators=comp.generators)
            elif isinstance(comp.elt, gast.Tuple) and len(comp.elt.elts) == 2:
                value = gast.DictComp(key=comp.elt.elts[0], value=comp.elt.elts[1], generators=comp.generators)
        if not isinstance(value, (gast.ListComp, gast.DictComp)):
            return False
        if target in tree.names(value, gast.Load):
            old = self.hold(tree.load(target))
            value = tree.substitute(value, {target: old})
        self.collect(value, target)
        return True

    def collect(self, node, name):
        """Put out loops that fill a list or dict of that name."""
        node = self.own_names(node)
        if isinstance(node, gast.DictComp):
            self.assign(name, gast.Dict(keys=[], values=[]))
            self.nest(node, lambda node: self.store(name, node.key, node.value))
        else:
            self.assign(name, gast.List(elts=[], ctx=gast.Load()))
            self.nest(node, lambda node: self.append(name, node.elt))
        return tree.load(name)

    def append(self, name, elt):
        self.put(gast.Expr(value=tree.method(tree.load(name), 'append', self.value(elt, True))))

    def store(self, name, key, value):
        """`name[key] = value` of a display, where the key is evaluated first."""
        key, value = self.sequence([key, value], True)
        reads = any(isinstance(n, (gast.Attribute, gast.Subscript, gast.Call)) for n in tree.walk(key))
        if reads and any(isinstance(n, gast.Call) and not self.is_pure(n) for n in tree.walk(value)):
            key = self.hold(key)
        place = gast.Subscript(value=tree.load(name), slice=key, ctx=gast.Store())
        self.put(gast.Assign(targets=[place], value=value, type_comment=None))

    def of_ListComp(self, expr, flows):
        return self.collect(expr, self.names.fresh('items'))

    def of_GeneratorExp(self, expr, flows):
        self.refuse_lazy(expr)
        return self.of_ListComp(expr, flows)

    def of_DictComp(self, expr, flows):
        return self.collect(expr, self.names.fresh('table'))

    def of_SetComp(self, expr, flows):
        items = self.collect(gast.ListComp(elt=expr.elt, generators=expr.generators), self.names.fresh('items'))
        return self.call('set', items) if self.logged else gast.Set(elts=[gast.Starred(value=items, ctx=gast.Load())])

    def of_Set(self, expr, flows):
        if not self.logged:
            return self.parts(expr, flows)
        return self.value(self.call('set', gast.Tuple(elts=expr.elts, ctx=gast.Load())), flows)

    # What is done with it

    def goes_through(self, call):
        """For a call that goes through the values or items of a dict, or makes a dict of what is zipped: the call with a
        generator that does so; for `functools.reduce`, with a list. Else None."""
        if self.known(call) is functools.reduce:
            return self.reduced(call)
        if not call.args or not self.takes_list(call):
            return None
        inner = call.args[0]
        if self.known(call) is sum and len(call.args) == 2 and isinstance(call.args[1], gast.List) \
                and not isinstance(inner, LISTS):
            name = self.names.fresh('part')
            each = gast.comprehension(target=tree.store(name), iter=inner, ifs=[], is_async=0)
            return tree.replace(call, args=[gast.GeneratorExp(elt=tree.load(name), generators=[each]), call.args[1]])
        if len(call.args) != 1 or not isinstance(inner, gast.Call) or self.is_filled(call):
            return None
        view = isinstance(inner.func, gast.Attribute) and inner.func.attr in ('values', 'items') \
            and not inner.args and self.resolver(inner.func) is UNKNOWN
        pairs = self.known(call) is dict and self.known(inner) is zip and len(inner.args) == 2
        if not view and not pairs:
            return None
        words = ['key', 'value'] if pairs or inner.func.attr == 'items' else ['value']
        names = [self.names.fresh(n) for n in words]
        target, elt = tree.store(names[0]), tree.load(names[0])
        if len(names) == 2:
            target = gast.Tuple(elts=[tree.store(n) for n in names], ctx=gast.Store())
            elt = gast.Tuple(elts=[tree.load(n) for n in names], ctx=gast.Load())
        generator = gast.comprehension(target=target, iter=inner, ifs=[], is_async=0)
        return tree.replace(call, args=[gast.GeneratorExp(elt=elt, generators=[generator])])

    def of_Call(self, expr, flows):
        if flows:
            expr = self.goes_through(expr) or expr
        if flows and self.is_beside(expr):
            args = [gast.ListComp(elt=e.elt, generators=e.generators) if isinstance(e, gast.GeneratorExp) else e
                    for e in expr.args]
            expr = tree.replace(expr, args=args)
        if self.collects(expr):
            function = self.known(expr)
            if self.is_sum(expr):
                return self.summed(expr, self.names.fresh('total'))
            if function in (any, all):
                return self.decided(expr, function is any)
            if function is next and isinstance(expr.args[0], gast.GeneratorExp):
                return self.first(expr)
            if function is list:
                return self.of_ListComp(expr.args[0], flows)
            if function is dict and self.directly(name := self.names.fresh('table'), expr):
                return tree.load(name)
            if getattr(function, '__name__', '') == 'fromiter':
                expr = tree.replace(expr, func=tree.replace(expr.func, attr='array'), args=expr.args[:2])
            comp = expr.args[0]
            if not (facts.of(function).takes_all or facts.home(function) in ('numpy', 'math', 'statistics', 'collections')):
                self.refuse_lazy(comp)
            expr = tree.replace(expr, args=[gast.ListComp(elt=comp.elt, generators=comp.generators), *expr.args[1:]])
        return self.parts(expr, flows)

    def reduced(self, call):
        """A call of `functools.reduce` with a list for a generator, where neither writes what the other may read; else None."""
        f, comp, *start = call.args if len(call.args) > 1 else (None, None)
        if not isinstance(comp, gast.GeneratorExp) or self.acts_inside(comp) or self.aliases.may_write(f):
            return None
        return tree.replace(call, args=[f, gast.ListComp(elt=comp.elt, generators=comp.generators), *start])

    def known(self, call):
        """The builtin or library function that is called, if it is one that can be asked for by identity."""
        function = self.resolver(call.func)
        return function if isinstance(function, (type, types.BuiltinFunctionType, types.FunctionType)) else None

    def collects(self, call):
        """Whether the call is given a comprehension that moves, which the function goes through once."""
        return bool(call.args) and isinstance(call.args[0], LISTS) and self.takes_list(call) \
            and (self.flow.flows(call.args[0]) or self.moves(call.args[0], True))

    def makes_generator(self, s):
        """Whether the statement binds a name to a generator through which a derivative flows."""
        return tree.target(s) is not None and isinstance(s.value, gast.GeneratorExp) and self.flow.flows(s.value) \
            and not stores(s.value) and self.is_used_once(s) and not self.acts_inside(s.value)

    def unpacks_generator(self, s):
        """Whether the statement is `a, b = (...)` of a generator through which a derivative flows."""
        return isinstance(s, gast.Assign) and isinstance(s.value, gast.GeneratorExp) \
            and all(isinstance(t, (gast.Tuple, gast.List)) for t in s.targets) \
            and (self.flow.flows(s.value) or self.acts_inside(s.value))

    def is_used_once(self, s):
        """Whether what goes through the generator of the statement does so once, and finds what it would find now."""
        name = tree.target(s)
        uses = [n for n in tree.walk(self.function) if isinstance(n, gast.Name) and n.id == name]
        after = [k for k, t in enumerate(self.following) if name in tree.names(t, gast.Load)]
        if len(uses) != 2 or len(after) != 1:
            return False
        user = self.following[after[0]]
        if any(isinstance(n, gast.Call) and self.resolver(n.func) is next for n in tree.walk(user)):
            return False                          # a list does not know how far it has been read
        if any(tree.blocks(user)) and not (isinstance(user, gast.For) and name in tree.reads(user)):
            return False
        meanwhile = self.following[:after[0] + isinstance(user, gast.For)]
        return (bound(meanwhile) | written(meanwhile)).isdisjoint(free(s.value))

    def takes_list(self, call):
        """Whether what is called makes the same of a list as of a generator."""
        function = self.resolver(call.func)
        if function is UNKNOWN or isinstance(call.func, gast.Attribute) and self.resolver(call.func) is UNKNOWN:
            return False
        module = facts.home(function)
        own = getattr(builtins, getattr(function, '__name__', ''), None)
        return module in MODULES or module == 'builtins' and own is function

    def is_beside(self, call):
        """Whether generators with a derivative are given to `zip` or `map`, which come to the end of each that has one."""
        given = [e for e in call.args if isinstance(e, gast.GeneratorExp)]
        return bool(given) and any(self.resolver(call.func) is f for f in (zip, map)) and any(map(self.flow.flows, given)) \
            and not any(self.acts_inside(e) or self.is_endless(e.generators[0].iter) for e in given)

    def is_endless(self, expr):
        function = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        return facts.home(function) == 'itertools' or function is iter

    def is_sum(self, expr):
        return isinstance(expr, gast.Call) and self.known(expr) is sum and self.collects(expr) \
            and not any(k.arg != 'start' for k in expr.keywords) and len(expr.args) + len(expr.keywords) <= 2

    def summed(self, call, name):
        """`name = sum(...)` as a loop."""
        start = [*call.args[1:], *(k.value for k in call.keywords)]
        node = self.own_names(call.args[0])
        if start and isinstance(start[0], gast.List):
            self.assign(name, start[0])
            self.nest(node, lambda node: self.extend(name, node.elt))
            return tree.load(name)
        self.assign(name, self.value(start[0], True) if start else tree.constant(0))
        self.nest(node, lambda node: self.assign(name, gast.BinOp(left=tree.load(name), op=gast.Add(),
                                                                  right=self.value(node.elt, True))))
        return tree.load(name)

    def extend(self, name, elt):
        item = self.names.fresh('item')
        body, _ = self.collected(self.append, name, tree.load(item))
        self.put(gast.For(target=tree.store(item), iter=self.value(elt, True), body=body, orelse=[], type_comment=None))

    def decided(self, call, found):
        """`any(...)` and `all(...)`, which stop as soon as they know; a list is made to its end, whatever it calls."""
        name = self.names.fresh('found' if found else 'every')
        self.assign(name, tree.constant(not found))

        def finish(node):
            test = self.value(node.elt, False)
            test = test if found else tree.negation(test)
            stop, _ = self.collected(self.assign if whole else self.stop, name, tree.constant(found))
            self.put(gast.If(test=test, body=stop, orelse=[]))
        each = call.args[0]
        whole = not isinstance(each, gast.GeneratorExp) and any(isinstance(n, gast.Call) for n in gast.walk(each))
        if whole:
            self.nest(self.own_names(each), finish)
        else:
            self.until(each, finish, name)
        return tree.load(name)

    def first(self, call):
        """`next(...)` of a generator: the first element, or the default."""
        name = self.names.fresh('first')
        if len(call.args) > 1:
            self.assign(name, self.value(call.args[1], True))
        done = self.until(call.args[0], lambda node: self.stop(name, self.value(node.elt, True)), name)
        if len(call.args) == 1:
            error = gast.Raise(exc=self.call('StopIteration').func, cause=None)
            loop = self.out.pop()
            self.out += else_behind(tree.replace(loop, orelse=[made(error, self.at)]), self.names)
        return done

    def stop(self, name, value):
        self.assign(name, value)
        self.put(gast.Break())

    def until(self, node, finish, name):
        """Loops that `finish` leaves; those over several generators go through all they give first."""
        node = self.own_names(node)
        if len(node.generators) > 1:
            self.refuse_lazy(tree.replace(node, elt=tree.constant(None)))
            targets = gast.Tuple(elts=[n for g in node.generators for n in tree.walk(g.target)
                                       if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)], ctx=gast.Store())
            every = gast.ListComp(elt=_loaded(targets), generators=node.generators)
            items = self.collect(every, self.names.fresh('items'))
            node = tree.replace(node, generators=[gast.comprehension(target=targets, iter=items, ifs=[], is_async=0)])
        self.nest(node, finish)
        return tree.load(name)

    # Displays with stars, lists that grow, dicts that are looked up

    def is_joined(self, expr):
        """Whether the expression is a display with stars, or a call that gives a display, or `np.r_[...]`."""
        if isinstance(expr, (gast.List, gast.Tuple)):
            return isinstance(expr.ctx, gast.Load) and tree.starred(expr.elts)
        if isinstance(expr, gast.Call):
            return len(expr.args) > 1 and not tree.starred(expr.args) and any(self.resolver(expr.func) is f for f in EACH)
        return isinstance(expr, gast.Subscript) and self.concatenator(expr) is not None

    def concatenator(self, expr):
        found = self.resolver(expr.value)
        return found if any(found is one for one in (numpy.r_, numpy.c_)) else None

    def joined(self, expr):
        """The same made of calls and sums."""
        if isinstance(expr, gast.Subscript):
            return self.concatenated(expr)
        if isinstance(expr, gast.Call):
            return DISPLAY(elts=[tree.replace(expr, args=[e]) for e in expr.args], ctx=gast.Load())
        kind = 'list' if isinstance(expr, gast.List) else 'tuple'
        groups = []
        for e in expr.elts:
            if isinstance(e, gast.Starred):
                groups.append(self.call(kind, e.value))
            elif groups and isinstance(groups[-1], type(expr)):
                groups[-1].elts.append(e)
            else:
                groups.append(tree.replace(expr, elts=[e]))
        return total(groups)

    def concatenated(self, expr):
        parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        if isinstance(getattr(parts[0], 'value', None), str):
            raise unsupported(expr, self.source, "displays such as np.r_['0,2', x], which a text tells how to join,",
                              'call numpy.concatenate or numpy.stack')
        if self.concatenator(expr) is numpy.c_:
            return self.call('columns', *parts)
        module = expr.value.value if isinstance(expr.value, gast.Attribute) else tree.load(self.library('numpy'))
        parts = [tree.replace(expr, slice=p) if isinstance(p, gast.Slice) else tree.method(module, 'atleast_1d', p)
                 for p in parts]
        return tree.method(module, 'concatenate', gast.List(elts=parts, ctx=gast.Load()))

    def is_pop(self, expr):
        """Whether the expression takes an element off an end of a list of the function's own that matters, or changes such a
        dict and gives what stands there."""
        if not isinstance(expr, gast.Call) or not isinstance(expr.func, gast.Attribute) or expr.keywords \
                or not isinstance(expr.func.value, gast.Name) or not self.flow.flows(expr.func.value):
            return False
        owner, method, args = expr.func.value.id, expr.func.attr, expr.args
        keyed = owner in self.dicts and not self.logged and len(args) in (1, 2) and all(map(is_simple, args))
        placed = method == 'pop' and not self.logged and len(args) == 1 and is_simple(args[0])
        return keyed and method in ('pop', 'setdefault') or owner in self.lists and (
            method in ('pop', 'popleft') and not args or placed)

    def is_get(self, expr):
        """Whether the expression looks up a key in a dict of the function's own, with another value if it is not there."""
        return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr == 'get' \
            and isinstance(expr.func.value, gast.Name) and expr.func.value.id in self.dicts and len(expr.args) == 2 \
            and not expr.keywords and is_simple(expr.args[0]) and is_simple(expr.args[1])

    def looked_up(self, expr):
        table, (key, default) = expr.func.value, expr.args
        test = gast.Compare(left=key, ops=[gast.In()], comparators=[table])
        return gast.IfExp(test=test, body=gast.Subscript(value=table, slice=key, ctx=gast.Load()), orelse=default)

    def is_filled(self, expr):
        """Whether the expression is `dict(pairs, k=v)`."""
        return isinstance(expr, gast.Call) and len(expr.args) == 1 and bool(expr.keywords) and self.known(expr) is dict

    # For the log form

    def takes_rest(self, s):
        """Whether the statement is an assignment such as `a, *b = xs` that the log form needs in simpler words."""
        return self.logged and isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(
            s.targets[0], (gast.Tuple, gast.List)) and self.flow.flows(s.value) \
            and tree.starred(tree.walk(s.targets[0]))

    def unpack(self, s):
        """`a, *b = xs` as `t = list(xs)`, `a = t[0]`, `b = t[1:]`."""
        targets = s.targets[0].elts
        star = next((k for k, e in enumerate(targets) if isinstance(e, gast.Starred)), None)
        values = self.hold(self.value(self.call('list', s.value), True))
        right = len(targets) - (star is not None)
        wrong = gast.Compare(left=self.call('len', values), ops=[gast.NotEq() if star is None else gast.Lt()],
                             comparators=[tree.constant(right)])
        message = tree.constant(f'the number of values to unpack is not {right}{"" if star is None else " or more"}')
        error = made(gast.Raise(exc=self.call('ValueError', message), cause=None), s)
        self.put(gast.If(test=wrong, body=[error], orelse=[]))
        for k, e in enumerate(targets):
            part = gast.Subscript(value=values, slice=taken(k, len(targets), star), ctx=gast.Load())
            target = e.value if isinstance(e, gast.Starred) else e
            self.statement(made(gast.Assign(targets=[target], value=part, type_comment=None), s))

    def is_union(self, s):
        """Whether the statement is `d |= e` of a dict through which a derivative flows."""
        return isinstance(s, gast.AugAssign) and isinstance(s.op, gast.BitOr) and isinstance(s.target, gast.Name) \
            and (self.flow.flows(s.value) or self.flow.flows(tree.load(s.target.id))) and s.target.id in self.always_dicts

    @functools.cached_property
    def always_dicts(self):
        """Names that are bound to dicts alone."""
        bound, lost = {}, set(parameters(self.function.args))
        for s in tree.every(self.function.body):
            if tree.target(s):
                bound.setdefault(s.targets[0].id, []).append(s.value)
            elif isinstance(s, gast.AugAssign) and isinstance(s.op, gast.BitOr):
                pass
            else:
                lost.update(n for part in tree.header(s) for n in tree.names(part, gast.Store))
        found = bound.keys() - lost
        while True:
            kept = {n for n in found if all(self.is_dict(e, found) for e in bound[n])}
            if kept == found:
                return found
            found = kept

    def is_dict(self, expr, known):
        if isinstance(expr, gast.Call):
            return self.known(expr) is dict
        return isinstance(expr, (gast.Dict, gast.DictComp)) or isinstance(expr, gast.Name) and expr.id in known

    def is_merge(self, expr):
        if isinstance(expr, gast.Dict) and may_meet(expr.keys):
            return True
        if not self.logged:
            return False
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.BitOr):
            return any(isinstance(e, gast.Dict) or isinstance(e, gast.Name) and e.id in self.dicts
                       for e in (expr.left, expr.right))
        return isinstance(expr, gast.Dict) and None in expr.keys

    def merge(self, expr):
        """`{**a, k: v}` and `a | b` as a dict that is filled part by part."""
        if isinstance(expr, gast.BinOp):
            expr = gast.Dict(keys=[None, None], values=[expr.left, expr.right])
        values = {k.value: v for k, v in zip(expr.keys, expr.values) if isinstance(k, gast.Constant)}
        name = self.names.fresh('table')
        self.assign(name, gast.Dict(keys=[], values=[]))
        for key, value in zip(expr.keys, expr.values):
            if key is None:
                self.put(gast.Expr(value=tree.method(tree.load(name), 'update', self.value(value, True))))
            elif isinstance(key, gast.Constant) and values[key.value] is not value:
                self.hold(value)                         # `{1: a, True: b}` holds b alone
            else:
                self.store(name, key, value)
        return tree.load(name)

    def extends(self, s):
        """(name of the list, tree of what it is extended by) of a statement that extends a list of the function's own."""
        if isinstance(s, gast.AugAssign) and isinstance(s.op, gast.Add) and isinstance(s.target, gast.Name):
            name, value = s.target.id, s.value
        elif isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Attribute) \
                and s.value.func.attr == 'extend' and isinstance(s.value.func.value, gast.Name) and len(s.value.args) == 1:
            name, value = s.value.func.value.id, s.value.args[0]
        else:
            return None
        return (name, value) if name in self.lists and self.flow.flows(tree.load(name)) else None

    def extended(self, s):
        """Put out the appends that a statement stands for; whether it was one of that kind."""
        found = self.extends(s)
        if found is None:
            return False
        name, value = found
        steps = isinstance(value, gast.Call) and inspect.isgeneratorfunction(self.resolver(value.func))
        if name in tree.names(value, gast.Load) and not steps:      # what is read of the list is read before it grows
            value = self.apart(value)
        if isinstance(value, (gast.List, gast.Tuple)) and not self.is_joined(value):
            for e in value.elts if len(value.elts) < 2 else self.sequence(value.elts, True):
                self.append(name, e)
        elif isinstance(value, LISTS):
            self.nest(self.own_names(value), lambda node: self.append(name, node.elt))
        else:
            self.extend(name, value)
        return True


    def apart(self, value):
        """What a list is extended by, with all that is read of the list put under a name."""
        if isinstance(value, gast.GeneratorExp):
            first, *more = value.generators
            first = tree.replace(first, iter=self.hold(self.call('list', first.iter)))
            return tree.replace(value, generators=[first, *more])
        return self.hold(value if isinstance(value, (gast.List, gast.ListComp)) else self.call('list', value))


PURE = (len, abs, min, max, range, int, float, bool, str, round, isinstance, type)


def at(node, key, k):
    value = getattr(node, key)
    return value if k is None else value[k]


def is_literal(expr):
    return isinstance(expr, gast.Constant)


def may_meet(keys):
    """Whether two keys of a display may be equal, so that the last value is the only one."""
    known = {value for k in keys if k is not None for value in quote.literal(k)}
    return None not in keys and len(known) < len(keys) and len(keys) > 1


def filled(call):
    """`dict(pairs, k=v)` as `{**dict(pairs), 'k': v}`."""
    keys = [None if k.arg is None else tree.constant(k.arg) for k in call.keywords]
    values = [tree.replace(call, keywords=[]), *(k.value for k in call.keywords)]
    return gast.copy_location(gast.Dict(keys=[None, *keys], values=values), call)


def _loaded(target):
    return gast.Tuple(elts=[tree.load(n.id) for n in target.elts], ctx=gast.Load())


def free(node, inner=frozenset()):
    """Names in a tree, without those that a comprehension around them binds."""
    if isinstance(node, gast.Name):
        return [] if node.id in inner else [node.id]
    generators = getattr(node, 'generators', None)
    if generators is None:
        return [n for child in tree.children(node) for n in free(child, inner)]
    own = {n.id for g in generators for n in tree.walk(g.target) if isinstance(n, gast.Name)}
    parts = [p for p in tree.children(node) if p is not generators[0]]
    first = generators[0]
    found = [n for p in parts + [first.target, *first.ifs] for n in free(p, inner | own)]
    return found + free(first.iter, inner)
