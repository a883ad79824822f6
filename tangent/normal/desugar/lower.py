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
front is put under a name first, unless the order makes no difference.
"""
from __future__ import annotations

import gast

from tangent.analysis.activity import stored
from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.desugar.comprehensions import Comprehensions
from tangent.normal.desugar.containers import Containers, own
from tangent.normal.desugar.loops import SCOPES, bound, grows, inside, made, written

COMPREHENSIONS = (gast.ListComp, gast.DictComp, gast.GeneratorExp, gast.SetComp)


class Lower(Comprehensions, Containers):
    """Rewrites the blocks of one function; what comes in front of the statement at hand is put `out`."""

    def __init__(self, function, names, resolver, flow, library, logged):
        self.names, self.resolver, self.flow, self.library, self.logged = names, resolver, flow, library, logged
        self.function = function
        self.lists, self.dicts = own('list', function, resolver), own('dict', function, resolver)
        self.temps = set()
        self.out, self.at, self.following = [], None, []

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
            or self.unpacks_generator(s)

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
        if isinstance(s.iter, gast.GeneratorExp) and len(s.iter.generators) == 1 and matters and self.flow.flows(s.iter):
            node = self.own_names(s.iter)
            bind = made(gast.Assign(targets=[s.target], value=node.elt, type_comment=None), s)
            self.nest(node, lambda node: self.out.extend(self.block([bind] + s.body)))
            return
        s = tree.replace(s, iter=self.value(s.iter, matters))
        self.out.append(inside(s, self.block))

    def With(self, s):
        items = [tree.replace(i, context_expr=self.value(i.context_expr, True)) for i in s.items]
        self.out.append(inside(tree.replace(s, items=items), self.block))

    def Assign(self, s):
        target = tree.target(s)
        matters = self.flow.matters([n for t in s.targets for n in stored(t)])
        if target and (self.is_pop(s.value) or self.moves(s.value, matters) and self.directly(target, s.value)):
            if self.is_pop(s.value):
                self.out.append(s)
            return
        if target and isinstance(s.value, gast.GeneratorExp) and self.is_used_once(s):
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
        before, value = self.collected(self.value, s.value, self.flow.matters(stored(s.target)))
        if isinstance(s.target, gast.Name) and s.target.id in bound(before):
            old = self.hold(tree.load(s.target.id))
            self.out += before
            self.assign(s.target.id, gast.BinOp(left=old, op=s.op, right=value))
            return
        self.out += before
        self.out.append(tree.replace(s, target=self.place(s.target), value=value))

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
        flows = flows and self.flow.flows(expr)
        if flows and (isinstance(expr, gast.Call) and self.goes_through(expr) is not None or self.is_joined(expr)
                      or self.is_get(expr) or self.is_merge(expr)) or self.is_pop(expr):
            return True
        if isinstance(expr, COMPREHENSIONS):
            inside = any(self.moves(e, False) for e in tree.children(expr))
            return inside or flows and isinstance(expr, (gast.ListComp, gast.DictComp))
        if isinstance(expr, gast.Call) and flows and self.collects(expr):
            return True
        return any(self.moves(e, flows) for e in tree.children(expr))

    def value(self, expr, flows):
        """The expression that has the value of the given one after what is put out."""
        if expr is None or not self.moves(expr, flows):
            return expr
        flows = flows and self.flow.flows(expr)
        if flows and self.is_joined(expr):
            return self.value(self.joined(expr), flows)
        if flows and self.is_merge(expr):
            return self.merge(expr)
        if flows and self.is_get(expr):
            return self.value(self.looked_up(expr), flows)
        if self.is_pop(expr):
            return self.hold(expr)
        handler = getattr(self, 'of_' + type(expr).__name__, None)
        return handler(expr, flows) if handler is not None else self.parts(expr, flows)

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
        if names & bound(stmts) or not isinstance(expr, gast.Name) and names & written(stmts):
            return False
        if all(isinstance(n, (gast.Name, gast.Constant, gast.expr_context)) for n in nodes) \
                or self.resolver(expr) is not UNKNOWN:
            return True
        ours = [n for n in nodes if isinstance(n, gast.Call)]
        if not all(self.is_pure(c) for c in ours) or any(isinstance(n, COMPREHENSIONS + (gast.Lambda,)) for n in nodes):
            return False
        reads = any(isinstance(n, (gast.Subscript, gast.Attribute)) for n in nodes)
        theirs = [n for s in stmts for n in tree.walk(s) if isinstance(n, gast.Call)]
        return not reads and not ours or all(self.is_pure(c) or grows(c) for c in theirs)

    def is_pure(self, call):
        function = self.resolver(call.func)
        module = (getattr(function, '__module__', None) or '').partition('.')[0]
        return module in ('numpy', 'math') or type(function).__name__ == 'ufunc' or any(function is f for f in PURE)

    def of_NamedExpr(self, expr, flows):
        self.assign(expr.target.id, self.value(expr.value, self.flow.matters([expr.target.id])))
        return tree.load(expr.target.id)

    def of_Starred(self, expr, flows):
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
            test = gast.UnaryOp(op=gast.Not(), operand=test)
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


PURE = (len, abs, min, max, range, int, float, bool, str, round, isinstance, type)


def at(node, key, k):
    value = getattr(node, key)
    return value if k is None else value[k]


def is_literal(expr):
    return isinstance(expr, gast.Constant)
