"""Functions that are given to functions, and variables that hold one of several: what is called is written out.

    def twice(f, x):                             def twice_of_scaled(x, *, w):
        return f(f(x))                               return scaled(scaled(x, w=w), w=w)
                                       ->
    def g(x, w):                                 def g(x, w):
        return twice(partial(scaled, w=w), x)        return twice_of_scaled(x, w=w)

    f = square if n > 2 else cube                f = 0 if n > 2 else 1
    y = f(x)                           ->        y = square(x) if f == 0 else cube(x)

    def logged(*args, **more):                   def logged(args0, *, y):
        return f(*args, **more)        ->            return f(args0, y=y)
    logged(x, y=2.0)                             logged(x, y=2.0)

CPython finds the derivative of what is called when running, in a text for whatever it is given. Numba has to know it before:
a function is compiled for each function that it is given, and so it is differentiated. So it is in a text that is made for what
the arguments are, for the functions that are given in it.
"""
import dataclasses
import functools
import inspect
import types
from typing import NamedTuple

import gast

from tangent.analysis.activity import by_mention
from tangent.analysis.effects import signature, source_of
from tangent.analysis.kinds.program import is_followed
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.closures.lambda_lifting import as_return
from tangent.frontend.closures.spread import is_single, may_be_spread, rest_of, spread
from tangent.frontend.nested import Nested, NestedSource
from tangent.frontend.resolve import UNKNOWN, Resolver, local_names, names_in
from tangent.frontend.scopes import DEFINITIONS, free, inside
from tangent.frontend.source import uncompiled
from tangent.runtime import facts
from tangent.templates.language import registry


def written_out(source, known, shared, kinds):
    """(the Source, name -> Nested or other object that it can read) with all functions that are known called by name.

    kinds : name -> what it holds, a function of the user's among others (see `numba.machine.types_of`)
    """
    function = chosen(source.tree, Resolver(source, None, known))
    rewrite = Given(source, known, shared)
    params = [p for p in tree.names(function.args, gast.Param) if callable(kinds.get(p))]
    if params:
        named = {p: rewrite.named(kinds[p]) for p in params}
        renamed = Renamed({p: Value(found, tree.load(name)) for p, (name, found) in named.items()})
        function = tree.replace(function, body=[renamed.visit(tree.clone(s)) for s in function.body])
        rewrite.known.update(named.values())
    rewrite.resolver = Resolver(source, local_names(function), {**known, **rewrite.known})
    if rewrite.applies(function):
        function = rewrite.visit(tree.clone(function))
    if function is source.tree:
        return source, known
    return dataclasses.replace(source, tree=function), {**known, **rewrite.known}


def in_calls(source, known, shared, wrt, program):
    """The same for what is given in calls through which a derivative may flow, in text that is made for known kinds.

    program : the `kinds.program.Program`, which is told what names were taken for
    """
    rewrite = Given(source, known, shared, program)
    rewrite.resolver = Resolver(source, None, known)
    rewrite.held = held(source.tree, rewrite.resolver)
    rewrite.varied = by_mention([s for s in inside(source.tree.body) if isinstance(s, gast.stmt)], wrt)
    if not rewrite.applies(source.tree):
        return source, known
    function = rewrite.visit(tree.clone(source.tree))
    return dataclasses.replace(source, tree=function), {**known, **rewrite.known}


def function_of(expr, resolver):
    """The function that an expression denotes, if it is one that has a derivative or a source; else None."""
    found = resolver(expr) if isinstance(expr, (gast.Name, gast.Attribute)) else UNKNOWN
    if found is UNKNOWN or isinstance(found, type):
        return None
    known = isinstance(uncompiled(found), (types.FunctionType, Nested)) \
        or callable(found) and registry.lookup(found) is not None
    return found if known and not (isinstance(found, Nested) and found.captured) else None


class Value(NamedTuple):
    """A function as a value: `partial(function, name=expression, ...)`, or the function alone.

    path : the expression that denotes the function where it is given
    """
    function: object
    path: gast.AST
    captured: tuple = ()


def value_of(expr, resolver):
    """The Value of an expression, or None."""
    if not isinstance(expr, gast.Call) or resolver(expr.func) is not functools.partial:
        function = function_of(expr, resolver)
        ours = isinstance(function, types.FunctionType) and facts.in_library(function) and registry.lookup(function) is None
        return Value(function, expr) if function is not None and not ours else None
    first = expr.args[0] if len(expr.args) == 1 else None
    function = resolver(first) if isinstance(first, gast.Name) else UNKNOWN
    if not isinstance(function, (types.FunctionType, Nested)) or facts.in_library(function) \
            or any(k.arg is None or calls(k.value) for k in expr.keywords):
        return None
    return Value(function, first, tuple((k.arg, k.value) for k in expr.keywords))


def calls(expr):
    return any(isinstance(n, (gast.Call, gast.NamedExpr, gast.Lambda)) for n in tree.walk(expr))


def held(function, resolver):
    """Variable -> the Value that it has wherever it is read: bound once, and nothing that it captured is bound after it."""
    stores = [n.id for n in inside(function.body) if isinstance(n, gast.Name) and isinstance(n.ctx, (gast.Store, gast.Del))]
    stores += [n.name for n in inside(function.body) if isinstance(n, DEFINITIONS)]
    found = {}
    for k, s in enumerate(function.body):
        name = tree.target(s)
        value = value_of(s.value, resolver) if name and stores.count(name) == 1 else None
        if value is None or name in tree.names(function.args, gast.Param):
            continue
        later = {n.id for n in inside(function.body[k + 1:]) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        if all(isinstance(e, gast.Name) and e.id not in later for _, e in value.captured):
            found[name] = value
    return found


class Given(gast.NodeTransformer):
    """Calls that hand functions over become calls of functions made for these.

    held : variable -> the Value that it has
    varied : names to which a derivative may flow: calls that read none of them are left alone; None for all calls
    lambdas : text and place of one that captures nothing -> the Nested made of it
    """

    def __init__(self, source, visible, shared, program=None):
        self.source, self.visible, self.shared, self.program, self.known = source, visible, shared, program, {}
        self.resolver, self.held, self.varied, self.lambdas = None, {}, None, {}

    def applies(self, function):
        return any(isinstance(n, gast.Call) and any(self.functions(n)[1:]) for n in inside(function.body))

    def visit_Call(self, node):
        node = self.generic_visit(node)
        callee, given, rest = self.functions(node)
        made = self.made_for(callee, given, rest) if given or rest else None
        if made is None:
            return node
        nested, captured, renamed = made
        params = positional(callee)
        left = [a for p, a in zip(params, node.args) if p not in given] + node.args[len(params):]
        keywords = [tree.replace(k, arg=renamed.get(k.arg, k.arg)) for k in node.keywords if k.arg not in given]
        keywords += [gast.keyword(arg=name, value=e) for p, names in captured for name, (_, e) in zip(names, given[p].captured)]
        self.known[nested.__name__] = nested
        if self.program is not None:
            for path, found in [(node.func, self.resolver(node.func)), *((v.path, v.function) for v in given.values())]:
                if not isinstance(found, Nested):
                    self.program.assume(self.resolver, tree.dotted(path), found)
        return tree.replace(node, func=gast.copy_location(tree.load(nested.__name__), node.func), args=left, keywords=keywords)

    def functions(self, call):
        """(the function called, parameter -> Value of the function that it is given, the Rest that it is given or None)."""
        callee = uncompiled(self.resolver(call.func))
        nothing = callee, {}, None
        if not is_users(callee) or inspect.isgeneratorfunction(callee) \
                or isinstance(callee, Nested) and callee.captured and self.program is None:
            return nothing
        if tree.is_starred(call):
            return nothing
        if self.varied is not None and self.varied.isdisjoint(tree.names(call, gast.Load)):
            return nothing
        given = {p: v for p, a in [*zip(positional(callee), call.args), *((k.arg, k.value) for k in call.keywords)]
                 if (v := self.value(a)) is not None}
        rest = rest_of(callee, call.args, [k.arg for k in call.keywords]) \
            if self.program is not None and is_followed(callee) else None
        if not given and rest is None:
            return nothing
        try:
            definition = source_of(callee).tree
        except TangentError:
            return nothing
        own = {a.id for a in definition.args.posonlyargs + definition.args.args + definition.args.kwonlyargs}
        given = {p: v for p, v in given.items() if p in own and is_single(p, definition)}
        if self.program is not None:
            given = {p: v for p, v in given.items() if self.only_calls(callee, p, set())}
        return callee, given, rest if rest is not None and may_be_spread(definition) else None

    def only_calls(self, callee, parameter, seen):
        """Whether all that a function does with what it is given is to call it, so that nothing tells which object that is."""
        if (callee, parameter) in seen:
            return True
        seen.add((callee, parameter))
        try:
            source = source_of(callee)
        except TangentError:
            return False
        resolver = Resolver(source, None, getattr(source, 'visible', {}))
        reads = tree.names(source.tree, gast.Load).count(parameter)
        for call in (n for n in source.inner if isinstance(n, gast.Call)):
            reads -= getattr(call.func, 'id', None) == parameter
            handed = [k for k, a in enumerate(call.args) if getattr(a, 'id', None) == parameter]
            named = [k.arg for k in call.keywords if getattr(k.value, 'id', None) == parameter]
            if not handed and not named:
                continue
            to = uncompiled(resolver(call.func))
            if not is_users(to) or tree.starred(call.args):
                return False
            places = positional(to)
            named += [places[k] if k < len(places) else None for k in handed]
            if not all(isinstance(n, str) and self.only_calls(to, n, seen) for n in named):
                return False
            reads -= len(named)
        return reads == 0

    def value(self, expr):
        if self.program is None:
            function = function_of(expr, self.resolver)
            return Value(function, expr) if function is not None else None
        if isinstance(expr, gast.Lambda):
            return self.made_of(expr)
        return self.held.get(getattr(expr, 'id', None)) or value_of(expr, self.resolver)

    def made_of(self, node):
        """The Value of a lambda that captures nothing, which was left where it stands, or None."""
        if free(node) & self.resolver.local or node.args.defaults or node.args.kw_defaults \
                or any(isinstance(n, gast.Lambda) for n in tree.walk(node.body)):
            return None
        key = gast.dump(node), node.lineno, node.col_offset
        if key not in self.lambdas:
            nested = self.lambdas[key] = self.register('fn')
            definition = tree.definition(nested.__name__, node.args, [as_return(node.body)], node)
            nested.source = NestedSource.of(self.source, definition, visible=dict(self.visible))
        return Value(self.lambdas[key], tree.load(self.lambdas[key].__name__))

    def made_for(self, callee, given, rest):
        """(the Nested, ((parameter, names of the parameters for what its value has captured), ...), key of `**more` -> the
        parameter for it); None if there are many."""
        many = sum(key[:2] == ('given', id(callee)) for key in self.shared.converted)
        key = 'given', id(callee), rest, tuple((p, id(uncompiled(v.function)), *(n for n, _ in v.captured))
                                               for p, v in sorted(given.items(), key=lambda item: item[0]))
        if key not in self.shared.converted:
            if self.program is not None and many >= MOST:
                return None
            source = source_of(callee)
            known = tree.Names(set(names_in(source).mentioned))
            captured = tuple((p, tuple(known.fresh(n) for n, _ in v.captured)) for p, v in given.items())
            wish = of(callee, given) if given and self.program is not None else title(callee)
            nested = self.register(wish, names_in(source).mentioned)
            more = self.finish(nested, callee, given, dict(captured), rest, known)
            self.shared.converted[key] = nested, captured, more, callee, given                      # the ids stay theirs
        return self.shared.converted[key][:3]

    def register(self, wish, mentioned=()):
        """A function beside this one, whose text has these names; its source is to come."""
        taken = {*mentioned, *names_in(self.source).mentioned} | local_names(self.source.tree)
        return self.shared.nest(self.source, taken, wish)

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
                nested = self.register(title(plain))
                self.shared.converted[key] = (nested.__name__, nested), plain
                self.finish(nested, plain, {}, {})
        return self.shared.converted[key][0]

    def finish(self, nested, callee, given, captured, rest=None, names=None):
        """Give the function its source, that of the callee less what is known; key of `**more` -> the parameter for it.

        captured : parameter -> names of the parameters for what its value has captured
        rest, names : what parameters of their own are made for, and the names there are, see `spread`; None where none are
        """
        source = source_of(callee)
        resolver = Resolver(source, {n.id for n in source.nodes if isinstance(n, gast.Name)
                                     and not isinstance(n.ctx, gast.Load)}, getattr(source, 'visible', {}))
        visible, values = dict(getattr(source, 'visible', {})), {}
        for p, v in given.items():
            path = v.path
            if self.program is None or not self.denotes(path, v.function, resolver):
                name, found = self.named(v.function)
                path, visible[name] = tree.load(name), found
            values[p] = Value(v.function, path, tuple(zip([n for n, _ in v.captured], map(tree.load, captured[p]))))
        others = {name for name, found in resolver.globals.items() if found is not functools}
        partial = tree.Names(resolver.local | others).fresh('functools')
        if any(v.captured for v in values.values()):
            visible[partial] = self.shared[partial] = functools
        args, defaults = less(source, given)
        only = [tree.parameter(n) for names in captured.values() for n in names]
        body, more = source.tree.body, {}
        if rest is not None:
            args, defaults, body, more = spread(args, defaults, body, rest, names)
        args = tree.replace(args, kwonlyargs=args.kwonlyargs + only, kw_defaults=args.kw_defaults + [None] * len(only))
        body = [Renamed(values, partial).visit(tree.clone(s)) for s in body]
        definition = tree.replace(source.tree, name=nested.__name__, args=args, body=body, decorator_list=[], returns=None)
        nested.source = NestedSource.of(source, definition, values=defaults, keyword_values=dict(source.kwdefaults),
                                        visible=visible)
        return more

    @staticmethod
    def denotes(path, function, resolver):
        """Whether a path denotes the function in another's namespace, too."""
        first, *rest = tree.dotted(path).split('.')
        return not isinstance(function, Nested) and first not in resolver.local \
            and functools.reduce(lambda found, name: getattr(found, name, UNKNOWN), rest, resolver.name(first)) is function


def is_users(function):
    """Whether it is a function of the user's that has no rule of its own."""
    return isinstance(function, (types.FunctionType, Nested)) and registry.lookup(function) is None \
        and not facts.in_library(function)


MOST = 8                    # so many texts of one function for the functions that it is given


def of(callee, given):
    """The name of a function that is made for what it is given: `twice_of_square`."""
    return '_'.join([title(callee), 'of', *(title(v.function).strip('_') for v in given.values())])[:40].rstrip('_')


def title(function):
    return function.__name__ if function.__name__.isidentifier() else 'fn'


class Renamed(gast.NodeTransformer):
    """Puts functions in the place of parameters.

    functools : the name of that module
    """

    def __init__(self, values, functools='functools'):
        self.values, self.functools = values, functools

    def visit_Name(self, node):
        value = self.values.get(node.id)
        if value is None:
            return node
        found = tree.clone(value.path)
        if value.captured:
            keywords = [gast.keyword(arg=n, value=e) for n, e in value.captured]
            found = gast.Call(func=tree.expression(f'{self.functools}.partial'), args=[found], keywords=keywords)
        return gast.copy_location(found, node)

    def visit_Call(self, node):
        value = self.values.get(getattr(node.func, 'id', None))
        own = {k.arg for k in node.keywords}
        node = self.generic_visit(node)
        if value is None or not own.isdisjoint([None, *(n for n, _ in value.captured)]):
            return node
        keywords = [gast.keyword(arg=n, value=e) for n, e in value.captured]
        return tree.replace(node, func=gast.copy_location(tree.clone(value.path), node.func), keywords=node.keywords + keywords)


def positional(function):
    return [p.name for p in signature(function).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


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
