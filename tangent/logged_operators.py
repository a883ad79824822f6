"""Operators that may run code of a class, for the log form: they become calls, which are looked at when running.

    a + b    ->    operator.add(a, b)            a += b    ->    if operates('add', a, b): a = operator.add(a, b)
    a[i]     ->    operator.getitem(a, i)                        else: a += b
"""
from __future__ import annotations

import operator

import gast

from tangent import tree
from tangent.classes import CALLS, OPERATORS
from tangent.resolve import UNKNOWN

BUILTINS = (abs, float, complex, sum, pow)


class Operators(gast.NodeTransformer):
    """Rewrites a function; `functions` are those that have to be looked at when running."""

    def __init__(self, classes, library, resolver, names):
        self.classes, self.library, self.resolver, self.names = classes, library, resolver, names
        self.functions = {f for f in BUILTINS if classes.define(*CALLS[f.__name__])}

    def rewrite(self, function):
        if not self.classes.methods:
            return function
        return tree.replace(function, body=[self.visit(tree.clone(s)) for s in function.body])

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
        if numbers or not self.classes.define(name, 'r' + name):
            return node
        return self.call(name, node, node.left, node.right)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op), '')
        if isinstance(node.operand, gast.Constant) or not self.classes.define(name):
            return node
        return self.call(name, node, node.operand)

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if not isinstance(node.ctx, gast.Load) or not self.classes.define('getitem') or self.resolver(node.value) is not UNKNOWN:
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

    def visit_AugAssign(self, node):
        node.value = self.visit(node.value)
        name = OPERATORS.get(type(node.op), '')
        if not isinstance(node.target, gast.Name) or not self.classes.define(name, 'r' + name, 'i' + name):
            return node
        own = tree.load(node.target.id)
        value = self.call(name, node, own, node.value)
        test = gast.Call(func=tree.load(self.library('operates')), args=[tree.constant(name), own, node.value], keywords=[])
        assign = gast.copy_location(tree.assign(node.target.id, value, tree.origin(node)), node)
        found = gast.copy_location(gast.If(test=test, body=[assign], orelse=[node]), node)
        return tree.place(found, tree.origin(node))
