"""Operators that may run code of a class, for the log form: they become calls, which are looked at when running.

    a + b    ->    operator.add(a, b)            a += b    ->    if operates('add', a, b): a = operator.add(a, b)
    a[i]     ->    operator.getitem(a, i)                        else: a += b
"""
from __future__ import annotations

import operator

import gast

from tangent.analysis.kinds.classes import CALLS, OPERATORS
from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN

TAKE_ALL = (list, tuple, dict, sorted, sum, max, min)
LISTED = {zip: 'zipped', reversed: 'reversed_list', enumerate: 'enumerated'}
BUILTINS = (abs, float, complex, sum, pow)


class Makers(gast.NodeTransformer):
    """Writes `dict(a=x)` as a display, and iterators that a call takes the whole of as lists."""

    def __init__(self, library, resolver):
        self.library, self.resolver = library, resolver

    def rewrite(self, function):
        return tree.replace(function, body=[self.visit(tree.clone(s)) for s in function.body])

    def visit_Call(self, node):
        self.generic_visit(node)
        found = self.resolver(node.func)
        if found is dict and node.keywords and not node.args and all(k.arg for k in node.keywords):
            return gast.copy_location(gast.Dict(keys=[tree.constant(k.arg) for k in node.keywords],
                                                values=[k.value for k in node.keywords]), node)
        if any(found is f for f in TAKE_ALL):
            node.args = [self.listed(a) for a in node.args]
        return node

    def listed(self, expr):
        found = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        name = next((name for f, name in LISTED.items() if f is found), None)
        return expr if name is None else tree.replace(expr, func=tree.load(self.library(name)))


class Operators(gast.NodeTransformer):
    """Rewrites a function; `functions` are those that have to be looked at when running."""

    def __init__(self, classes, library, resolver, names):
        self.classes, self.library, self.resolver, self.names = classes, library, resolver, names
        self.made, self.rebound = set(), set()           # names bound here, and by functions inside
        self.functions = {f for f in BUILTINS if classes.define(*CALLS[f.__name__])}

    def rewrite(self, function):
        if not self.classes.methods and not self.classes.anything:
            return function
        self.rebound = {n for d in tree.walk(function) if isinstance(d, gast.Nonlocal) for n in d.names}
        new = [self.visit(tree.clone(s)) for s in function.body]
        return tree.replace(function, body=[s for found in new for s in (found if isinstance(found, list) else [found])])

    def call(self, name, node, *args):
        function = getattr(operator, name)
        self.functions.add(function)
        path = f'{self.library("operator")}.{name}'
        self.resolver.seen[path] = function
        return gast.copy_location(tree.call(path, *args), node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op), '')
        numbers = isinstance(node.left, gast.Constant) and isinstance(node.right, gast.Constant)
        if numbers or not name or not self.classes.define(name, 'r' + name):
            return node
        return self.call(name, node, node.left, node.right)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op), '')
        if isinstance(node.operand, gast.Constant) or not name or not self.classes.define(name):
            return node
        return self.call(name, node, node.operand)

    def visit_Subscript(self, node):
        self.generic_visit(node)
        known = self.resolver(node.value) is not UNKNOWN
        if known or not isinstance(node.ctx, gast.Load) or not self.classes.define('getitem'):
            return node
        return self.call('getitem', node, node.value, self.spelled(node.slice))

    def spelled(self, index):
        """An index as it is written outside of brackets."""
        if isinstance(index, gast.Tuple):
            return tree.replace(index, elts=[self.spelled(e) for e in index.elts])
        if isinstance(index, gast.Slice):
            ends = [tree.constant(None) if p is None else p for p in (index.lower, index.upper, index.step)]
            return gast.Call(func=tree.load(self.library('slice')), args=ends, keywords=[])
        return index

    def visit_Assign(self, node):
        self.generic_visit(node)
        if isinstance(node.targets[0], (gast.Tuple, gast.List)) and not isinstance(node.value, (gast.Tuple, gast.List)) \
                and self.classes.define('getitem', 'iter'):
            node.value = gast.copy_location(gast.Call(func=tree.load(self.library('elements')), args=[node.value], keywords=[]),
                                            node.value)
            self.functions.add(find('elements'))
        return node

    def visit_AugAssign(self, node):
        calls = any(isinstance(n, (gast.Call, gast.NamedExpr)) for n in gast.walk(node.value))
        node.value = self.visit(node.value)
        name = OPERATORS.get(type(node.op), '')
        if not isinstance(node.target, gast.Name) or not name or not self.classes.define(name, 'r' + name, 'i' + name):
            return node
        if calls:                                    # what is called, is called once
            value, old = self.names.fresh('t'), self.names.fresh('t')
            self.made |= {value, old}
            put = lambda target, expr: tree.place(gast.copy_location(              # noqa: E731
                tree.assign(target, expr, tree.origin(node)), node), tree.origin(node))
            name_of = node.target.id
            kept = name_of in self.rebound              # by what is called: it is what it was before
            new = tree.place(gast.copy_location(tree.replace(node, value=tree.load(value)), node), tree.origin(node))
            return [*[put(old, tree.load(name_of))] * kept, put(value, node.value), *[put(name_of, tree.load(old))] * kept,
                    self.updated(new, name)]
        return self.updated(node, name)

    def updated(self, node, name):
        own = tree.load(node.target.id)
        value = self.call('i' + name if self.classes.define('i' + name) else name, node, own, node.value)
        test = gast.Call(func=tree.load(self.library('operates')), args=[tree.constant(name), own, node.value], keywords=[])
        assign = gast.copy_location(tree.assign(node.target.id, value, tree.origin(node)), node)
        found = gast.copy_location(gast.If(test=test, body=[assign], orelse=[node]), node)
        return tree.place(found, tree.origin(node))


class Supers(gast.NodeTransformer):
    """Writes out the arguments of `super()`."""

    def __init__(self, names):
        self.names = names

    def visit_Call(self, node):
        self.generic_visit(node)
        if tree.dotted(node.func) != 'super' or node.args or not self.names:
            return node
        return tree.replace(node, args=[tree.load('__class__'), tree.load(self.names[0])])
