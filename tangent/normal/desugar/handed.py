"""Functions that are handed to `map` and its like, and may write, are called where everyone sees it.

    list(map(a.add, x))                     list(a.add(item) for item in x)
    any(filter(a.is_new, x))        ->      any(item for item in x if a.is_new(item))
    (lambda v: xs.append(v))(y)             function = lambda v: xs.append(v); function(y)

A derivative goes through `map` by another function in its place, or, where it does not need the value, not at all. That is
right for functions that write nothing, which stay where they are; of those that are not known it is not.
"""
from __future__ import annotations

import dataclasses
import itertools

import gast

from tangent.analysis.alias import Aliases
from tangent.frontend import tree
from tangent.frontend.resolve import local_names, resolver_of
from tangent.frontend.scopes import DEFINITIONS

CALLERS = map, filter, itertools.starmap


def called(source, effects):
    """The Source with such functions called by its own text."""
    nodes = [n for s in source.tree.body for n in tree.walk(s) if isinstance(n, gast.Call)]
    resolver = resolver_of(source)
    if not any(isinstance(n.func, gast.Lambda) or is_caller(n, resolver) for n in nodes):
        return source
    work = Called(Aliases(source.tree, resolver, effects), source.tree)
    return dataclasses.replace(source, tree=tree.replace(source.tree, body=work.block(source.tree.body)))


def is_caller(call, resolver):
    function = resolver(call.func)
    return any(function is one for one in CALLERS) and len(call.args) > 1 and not call.keywords \
        and not any(isinstance(a, gast.Starred) for a in call.args)


class Called(gast.NodeTransformer):
    """Rewrites the blocks of one function; `front` gets what comes in front of the statement at hand."""

    def __init__(self, aliases, function):
        self.aliases, self.resolver, self.front, self.inside = aliases, aliases.resolver, [], 0
        self.names = tree.Names({n.id for n in gast.walk(function) if isinstance(n, gast.Name)} | local_names(function))
        self.given = {n.attr for n in tree.walk(function) if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store)}

    def block(self, stmts):
        """The statements; the very list where nothing is changed."""
        out = []
        for s in stmts:
            new = self.statement(s)
            out += [*self.front, new]
            self.front = []
        return out if len(out) != len(stmts) or any(a is not b for a, b in zip(out, stmts)) else stmts

    def statement(self, s):
        if isinstance(s, DEFINITIONS):
            return s
        outer, self.front = self.front, []
        fields = {field: self.block(block) for field, block in tree.blocks(s)}
        if isinstance(s, gast.Match):
            fields['cases'] = [tree.replace(c, body=self.block(c.body)) for c in s.cases]
        self.front = outer
        for field, value in gast.iter_fields(s):
            if field not in fields and isinstance(value, list):
                fields[field] = [self.expression(v) for v in value]
            elif field not in fields:
                fields[field] = self.expression(value)
        changed = (n is not o for f, new in fields.items()
                   for n, o in (zip(new, getattr(s, f)) if isinstance(new, list) else [(new, getattr(s, f))]))
        longer = any(isinstance(new, list) and len(new) != len(getattr(s, f)) for f, new in fields.items())
        return tree.replace(s, **fields) if longer or any(changed) else s

    def expression(self, part):
        """A part of a statement: the very same where nothing in it concerns."""
        concerns = isinstance(part, gast.AST) and any(map(self.concerns, tree.walk(part)))
        return self.visit(tree.clone(part)) if concerns else part

    def concerns(self, node):
        if not isinstance(node, gast.Call):
            return False
        function = node.func if isinstance(node.func, gast.Lambda) else node.args[0] if is_caller(node, self.resolver) else None
        return function is not None and self.aliases.may_write(function)

    def visit_Lambda(self, node):
        return node                               # its own function

    def visit_comprehension_(self, node):
        self.inside += 1
        node = self.generic_visit(node)
        self.inside -= 1
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehension_

    def visit_Call(self, node):
        concerns = self.concerns(node)
        node = self.generic_visit(node)
        if not concerns:
            return node
        if isinstance(node.func, gast.Lambda):
            return node if self.inside else tree.replace(node, func=self.held(node.func))
        function, *given = node.args
        if not self.is_simple(function):
            if self.inside:
                return node
            function = self.held(function)
        name = self.names.fresh('item')
        targets, items, elements = tree.store(name), given[0], [tree.load(name)]
        if len(given) > 1 and self.resolver.name('zip') is not zip:
            return node
        if len(given) > 1:
            names = [name, *(self.names.fresh('item') for _ in given[1:])]
            targets, items = tree.targets(*names), gast.Call(func=tree.load('zip'), args=given, keywords=[])
            elements = [tree.load(n) for n in names]
        made = self.resolver(node.func)
        if made is itertools.starmap:
            elements = [gast.Starred(value=elements[0], ctx=gast.Load())]
        value = placed(gast.Call(func=function, args=elements, keywords=[]), node)
        tests = [value] if made is filter else []
        each = gast.comprehension(target=targets, iter=placed(items, node), ifs=tests, is_async=0)
        return placed(gast.GeneratorExp(elt=elements[0] if made is filter else value, generators=[each]), node)

    def is_simple(self, function):
        """Whether it is the same function whenever it is evaluated."""
        return isinstance(function, gast.Name) or isinstance(function, gast.Attribute) \
            and isinstance(function.value, gast.Name) and function.attr not in self.given

    def held(self, function):
        """A name that is bound to the function in front of the statement."""
        name = self.names.fresh('function')
        self.front.append(placed(gast.Assign(targets=[tree.store(name)], value=function, type_comment=None), function))
        return tree.load(name)


def placed(new, old):
    """The tree where the old one stands, as far as its parts have no places of their own."""
    for node in tree.walk(new):
        if not getattr(node, 'lineno', None):
            gast.copy_location(node, old)
    return new
