"""Functions that are given to functions, and variables that hold one of several: what is called is written out for Numba.

    def twice(f, x):                             def twice_of_square(x):
        return f(f(x))                               return square(square(x))
                                       ->
    def g(x):                                    def g(x):
        return twice(square, x)                      return twice_of_square(x)

    f = square if n > 2 else cube                f = 0 if n > 2 else 1
    y = f(x)                           ->        y = square(x) if f == 0 else cube(x)

CPython finds the derivative of such calls when running. Numba has to know it before: a function is compiled for each function
that it is given, and so it is differentiated.
"""
from __future__ import annotations

import dataclasses
import inspect
import types

import gast

from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.nested import Nested, NestedSource
from tangent.frontend.resolve import UNKNOWN, Resolver, local_names
from tangent.frontend.scopes import DEFINITIONS, inside
from tangent.frontend.source import Source, original, read, uncompiled
from tangent.runtime import facts
from tangent.templates.language import registry


def written_out(source, known, shared, kinds):
    """(the Source, name -> Nested or other object that it can read) with all functions that are known called by name.

    kinds : name -> what it holds, a function of the user's among others (see `numba.machine.types_of`)
    """
    function = chosen(source.tree, Resolver(source, local_names(source.tree), known))
    rewrite = Given(source, known, shared)
    params = [p for p in tree.names(function.args, gast.Param) if callable(kinds.get(p))]
    if params:
        named = {p: rewrite.named(kinds[p]) for p in params}
        renamed = Renamed({p: name for p, (name, _) in named.items()})
        function = tree.replace(function, body=[renamed.visit(tree.clone(s)) for s in function.body])
        rewrite.known.update(named.values())
    rewrite.resolver = Resolver(source, local_names(function), {**known, **rewrite.known})
    if rewrite.applies(function):
        function = rewrite.visit(tree.clone(function))
    if function is source.tree:
        return source, known
    return dataclasses.replace(source, tree=function), {**known, **rewrite.known}


def function_of(expr, resolver):
    """The function that an expression denotes, if it is one that has a derivative or a source; else None."""
    found = resolver(expr) if isinstance(expr, (gast.Name, gast.Attribute)) else UNKNOWN
    if found is UNKNOWN or isinstance(found, type):
        return None
    known = isinstance(uncompiled(found), (types.FunctionType, Nested)) \
        or callable(found) and registry.lookup(found) is not None
    return found if known and not (isinstance(found, Nested) and found.captured) else None


class Given(gast.NodeTransformer):
    """Calls that hand functions over become calls of functions made for these."""

    def __init__(self, source, visible, shared):
        self.source, self.visible, self.shared, self.known = source, visible, shared, {}
        self.resolver = None

    def applies(self, function):
        return any(isinstance(n, gast.Call) and self.functions(n)[1] for n in inside(function.body))

    def visit_Call(self, node):
        node = self.generic_visit(node)
        callee, given = self.functions(node)
        if not given:
            return node
        nested = self.made_for(callee, given)
        params = list(parameters(callee))
        left = [a for p, a in zip(params, node.args) if p not in given]
        keywords = [k for k in node.keywords if k.arg not in given]
        self.known[nested.__name__] = nested
        return tree.replace(node, func=gast.copy_location(tree.load(nested.__name__), node.func), args=left, keywords=keywords)

    def functions(self, call):
        """(the function called, parameter -> function that it is given)."""
        callee = uncompiled(self.resolver(call.func))
        if not isinstance(callee, (types.FunctionType, Nested)) or isinstance(callee, Nested) and callee.captured \
                or registry.lookup(callee) is not None or facts.in_library(callee):
            return callee, {}
        if any(isinstance(a, gast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            return callee, {}
        given = {p: f for p, a in [*zip(parameters(callee), call.args), *((k.arg, k.value) for k in call.keywords)]
                 if (f := function_of(a, self.resolver)) is not None}
        if not given:
            return callee, {}
        try:
            definition = source_of(callee).tree
        except TangentError:
            return callee, {}
        bound = {n.id for n in tree.walk(definition) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
        return callee, {p: f for p, f in given.items() if p in tree.names(definition.args, gast.Param) and p not in bound}

    def made_for(self, callee, given):
        key = 'given', id(callee), tuple((p, id(uncompiled(f))) for p, f in sorted(given.items()))
        if key not in self.shared.converted:
            self.shared.converted[key] = self.register(callee.__name__), callee, given        # the ids stay theirs
            self.finish(self.shared.converted[key][0], callee, given)
        return self.shared.converted[key][0]

    def register(self, wish):
        nested = Nested(tree.Names(set(self.shared) | set(self.source.globals) | local_names(self.source.tree)).fresh(wish), ())
        self.shared[nested.__name__] = nested
        self.shared.nested.append(nested)
        return nested

    def named(self, function):
        """(name, object) by which a function is called in the text of others."""
        plain = uncompiled(function)
        if isinstance(plain, Nested):
            return plain.__name__, plain
        key = 'named', id(plain)
        if key not in self.shared.converted:
            if registry.lookup(plain) is not None or not isinstance(plain, types.FunctionType):
                name = tree.Names(set(self.shared) | set(self.source.globals) | local_names(self.source.tree)).fresh(
                    getattr(plain, '__name__', 'function'))
                self.shared[name] = plain
                self.shared.converted[key] = (name, plain), plain
            else:
                nested = self.register(plain.__name__)
                self.shared.converted[key] = (nested.__name__, nested), plain
                self.finish(nested, plain, {})
        return self.shared.converted[key][0]

    def finish(self, nested, callee, given):
        """Give the function its source: that of the callee, less the parameters that are known."""
        source = source_of(callee)
        args, values = less(source, given)
        names = {p: self.named(f) for p, f in given.items()}
        body = [Renamed({p: name for p, (name, _) in names.items()}).visit(tree.clone(s)) for s in source.tree.body]
        definition = tree.replace(source.tree, name=nested.__name__, args=args, body=body, decorator_list=[], returns=None)
        visible = {**getattr(source, 'visible', {}), **dict(names.values())}
        fields = {f.name: getattr(source, f.name) for f in dataclasses.fields(Source)}
        nested.source = NestedSource(**{**fields, 'tree': definition}, values=values, keyword_values=dict(source.kwdefaults),
                                     visible=visible)


class Renamed(gast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        return tree.replace(node, id=self.names.get(node.id, node.id))


def source_of(function):
    return function.source if isinstance(function, Nested) else read(original(function))


def parameters(function):
    return function.signature.parameters if isinstance(function, Nested) \
        else inspect.signature(function, follow_wrapped=False).parameters


def less(source, given):
    """(parameters, values of defaults) of a function without those that are known."""
    args, values = source.tree.args, source.defaults
    plain = args.posonlyargs + args.args
    first = len(plain) - len(args.defaults)
    kept = [k for k, a in enumerate(plain) if a.id not in given]
    bare = [tree.replace(plain[k], annotation=None) for k in kept]
    count = len(args.posonlyargs)
    only = [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults) if a.id not in given]
    return tree.replace(args, posonlyargs=[a for k, a in zip(kept, bare) if k < count],
                        args=[a for k, a in zip(kept, bare) if k >= count],
                        defaults=[args.defaults[k - first] for k in kept if k >= first],
                        kwonlyargs=[a for a, _ in only], kw_defaults=[d for _, d in only]), \
        tuple(values[k - first] for k in kept if k >= first)


# Variables that hold one of several functions

def chosen(function, resolver):
    """The FunctionDef with calls by name of what variables hold that only ever hold functions that are known."""
    stores: dict = {}
    for s in inside(function.body):
        if isinstance(s, gast.Assign) and tree.target(s):
            stores.setdefault(tree.target(s), []).append(choices(s.value, resolver))
    counts = [n.id for n in inside(function.body) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)]
    calls = [n.func.id for n in inside(function.body) if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)]
    loads = [n.id for n in inside(function.body) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)]
    given = set(tree.names(function.args, gast.Param)) | {n.name for n in inside(function.body) if isinstance(n, DEFINITIONS)}
    tables = {}
    for name, found in stores.items():
        if all(found) and len(found) == counts.count(name) and loads.count(name) == calls.count(name) > 0 and name not in given:
            tables[name] = list(dict.fromkeys(tree.dotted(e) for part in found for e in part))
    return Chosen(tables).visit(tree.clone(function)) if tables else function


def choices(expr, resolver):
    """The expressions of which one is the value, if all are functions that are known."""
    if isinstance(expr, gast.IfExp):
        one, other = choices(expr.body, resolver), choices(expr.orelse, resolver)
        return one and other and one + other
    return [expr] if function_of(expr, resolver) is not None else []


class Chosen(gast.NodeTransformer):
    """Numbers in place of functions, and a test of these where they are called."""

    def __init__(self, tables):
        self.tables = tables

    def visit_Assign(self, node):
        name = tree.target(node)
        if name not in self.tables:
            return self.generic_visit(node)
        return tree.replace(node, value=self.numbered(node.value, self.tables[name]))

    def numbered(self, expr, table):
        if isinstance(expr, gast.IfExp):
            return tree.replace(expr, body=self.numbered(expr.body, table), orelse=self.numbered(expr.orelse, table))
        return gast.copy_location(tree.constant(table.index(tree.dotted(expr))), expr)

    def visit_Call(self, node):
        node = self.generic_visit(node)
        table = self.tables.get(getattr(node.func, 'id', None))
        if table is None:
            return node
        *before, last = range(len(table))
        found = self.called(node, table[last])
        for k in reversed(before):
            test = gast.Compare(left=tree.load(node.func.id), ops=[gast.Eq()], comparators=[tree.constant(k)])
            found = gast.IfExp(test=test, body=self.called(node, table[k]), orelse=found)
        return gast.copy_location(found, node)

    @staticmethod
    def called(node, path):
        call = tree.clone(node)
        return tree.replace(call, func=gast.copy_location(tree.expression(path), node.func))
