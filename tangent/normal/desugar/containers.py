"""Lists and arrays that are written as displays with stars, or with `np.r_` and `np.c_`; lists that grow by several elements.

    [*xs, y]                list(xs) + [y]
    np.r_[x, 1.0]           np.concatenate([np.atleast_1d(x), np.atleast_1d(1.0)])
    xs += [a, b]            xs.append(a); xs.append(b)             for a list of the function's own
    xs.extend(ys)           for y in ys: xs.append(y)
    f(xs.pop())             x = xs.pop(); f(x)
    table.get(k, 0.0)       table[k] if k in table else 0.0        for a dict of the function's own
"""
from __future__ import annotations

import gast
import numpy

from tangent.analysis.mutated_lists import kind_of
from tangent.analysis.ops import is_simple
from tangent.frontend import tree
from tangent.normal.desugar.loops import made
from tangent.normal.loop_headers import taken

COMPREHENSIONS = (gast.ListComp, gast.GeneratorExp)


def own(kind, function, resolver):
    """Names that the function binds to nothing but new lists (or dicts)."""
    made, others = set(), set(tree.names(function.args, gast.Param))
    for node in tree.walk(function):
        if isinstance(node, gast.Assign) and tree.target(node) and kind_of(node.value, resolver) == kind:
            made.add(node.targets[0].id)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            continue
        elif isinstance(node, (gast.Assign, gast.For, gast.NamedExpr, gast.withitem, gast.comprehension, gast.AnnAssign)):
            others |= {n for part in bound_by(node) for n in tree.names(part, gast.Store)}
    return made - others


def bound_by(node):
    if isinstance(node, gast.Assign):
        return node.targets
    if isinstance(node, gast.withitem):
        return [node.optional_vars] if node.optional_vars is not None else []
    return [node.target]


class Containers:
    """The part of `Lower` that knows them."""

    def is_joined(self, expr):
        """Whether the expression is a display with stars, or `np.r_[...]`."""
        if isinstance(expr, (gast.List, gast.Tuple)):
            return isinstance(expr.ctx, gast.Load) and any(isinstance(e, gast.Starred) for e in expr.elts)
        return isinstance(expr, gast.Subscript) and self.concatenator(expr) is not None

    def concatenator(self, expr):
        found = self.resolver(expr.value)
        return found if any(found is one for one in (numpy.r_, numpy.c_)) else None

    def joined(self, expr):
        """The same made of calls and sums."""
        if isinstance(expr, gast.Subscript):
            return self.concatenated(expr)
        kind = 'list' if isinstance(expr, gast.List) else 'tuple'
        groups = []
        for e in expr.elts:
            if isinstance(e, gast.Starred):
                groups.append(self.call(kind, e.value))
            elif groups and isinstance(groups[-1], type(expr)):
                groups[-1].elts.append(e)
            else:
                groups.append(tree.replace(expr, elts=[e]))
        value = groups[0]
        for part in groups[1:]:
            value = gast.BinOp(left=value, op=gast.Add(), right=part)
        return value

    def concatenated(self, expr):
        parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        if self.concatenator(expr) is numpy.c_:
            return self.call('columns', *parts)
        module = expr.value.value if isinstance(expr.value, gast.Attribute) else tree.load(self.library('numpy'))
        parts = [tree.replace(expr, slice=p) if isinstance(p, gast.Slice) else method(module, 'atleast_1d', p) for p in parts]
        return method(module, 'concatenate', gast.List(elts=parts, ctx=gast.Load()))

    def is_pop(self, expr):
        """Whether the expression takes the last element off a list of the function's own that matters."""
        return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr == 'pop' \
            and isinstance(expr.func.value, gast.Name) and expr.func.value.id in self.lists and not expr.args \
            and not expr.keywords and self.flow.flows(expr.func.value)

    def is_get(self, expr):
        """Whether the expression looks up a key in a dict of the function's own, with another value if it is not there."""
        return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr == 'get' \
            and isinstance(expr.func.value, gast.Name) and expr.func.value.id in self.dicts and len(expr.args) == 2 \
            and not expr.keywords and is_simple(expr.args[0]) and is_simple(expr.args[1])

    def looked_up(self, expr):
        table, (key, default) = expr.func.value, expr.args
        test = gast.Compare(left=key, ops=[gast.In()], comparators=[table])
        return gast.IfExp(test=test, body=gast.Subscript(value=table, slice=key, ctx=gast.Load()), orelse=default)

    # For the log form

    def takes_rest(self, s):
        """Whether the statement is an assignment such as `a, *b = xs` that the log form needs in simpler words."""
        return self.logged and isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(
            s.targets[0], (gast.Tuple, gast.List)) and self.flow.flows(s.value) \
            and any(isinstance(n, gast.Starred) for n in tree.walk(s.targets[0]))

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

    def is_merge(self, expr):
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
        name = self.names.fresh('table')
        self.assign(name, gast.Dict(keys=[], values=[]))
        for key, value in zip(expr.keys, expr.values):
            if key is None:
                self.put(gast.Expr(value=method(tree.load(name), 'update', self.value(value, True))))
            else:
                key, value = self.sequence([key, value], True)
                place = gast.Subscript(value=tree.load(name), slice=key, ctx=gast.Store())
                self.put(gast.Assign(targets=[place], value=value, type_comment=None))
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
        if name in tree.names(value, gast.Load):                 # what is read of the list is read before it grows
            value = self.apart(value)
        if isinstance(value, (gast.List, gast.Tuple)) and not self.is_joined(value):
            for e in value.elts if len(value.elts) < 2 else self.sequence(value.elts, True):
                self.append(name, e)
        elif isinstance(value, COMPREHENSIONS):
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


def method(owner, name, *args):
    return gast.Call(func=gast.Attribute(value=owner, attr=name, ctx=gast.Load()), args=list(args), keywords=[])
