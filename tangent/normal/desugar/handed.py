"""Functions that are handed to `map` and its like are called where everyone sees it.

    sum(map(f, x))                          sum(f(item) for item in x)
    for v in map(lambda u: u * k, x):       for v in (u * k for u in x):
    any(filter(a.is_new, x))        ->      any(item for item in x if a.is_new(item))
    (lambda v: xs.append(v))(y)             function = lambda v: xs.append(v); function(y)
    fs = [lambda u, k=k: u * k for k in x]  fs = []; for k in x: fs.append(lambda u, k=k: u * k)

So a derivative is that of a loop. What `map` makes is gone through at once there; where it is not, or where nothing has a
derivative, `map` stays, and has another function in its place, unless the function may write, or is not known: methods of
arrays, `map(w.dot, x)`, have their gradient in no attribute.
"""
import collections
import dataclasses
import functools
import itertools

import gast

from tangent.analysis.activity import by_mention
from tangent.analysis.alias import Aliases
from tangent.analysis.kinds import classes
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, local_names, resolver_of
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS, inside
from tangent.runtime import facts
from tangent.templates.language import registry

CALLERS = map, filter, itertools.starmap


def called(source, effects, wrt=()):
    """The Source with such functions called by its own text.

    wrt : the parameters that have a derivative
    """
    source = with_loops(source)
    nodes = [n for n in source.inner if isinstance(n, gast.Call)]
    resolver = resolver_of(source)
    if not any(isinstance(n.func, gast.Lambda) or is_caller(n, resolver) for n in nodes):
        return source
    work = Called(Aliases(source.tree, resolver, effects), source.tree, wrt)
    return dataclasses.replace(source, tree=tree.replace(source.tree, body=work.block(source.tree.body)))


def with_loops(source):
    """The Source with loops for lists of lambdas that have default values, by comprehensions with names of their own."""
    comps = [s.value for s in tree.every(source.tree.body) if makes_lambdas(s)]
    if not comps:
        return source
    apart = {id(n) for comp in comps for n in gast.walk(comp)}
    taken = {n.id for n in gast.walk(source.tree) if isinstance(n, gast.Name) and id(n) not in apart}

    def block(stmts):
        out = []
        for s in stmts:
            if not isinstance(s, DEFINITIONS):
                s = tree.replace(s, **{field: block(part) for field, part in tree.blocks(s)})
            out += as_loops(s) if makes_lambdas(s) and taken.isdisjoint(tree.names(s.value, gast.Store)) else [s]
        return out
    return dataclasses.replace(source, tree=tree.replace(source.tree, body=block(source.tree.body)))


def makes_lambdas(s):
    """Whether a statement binds a name to a comprehension of such lambdas, which does not read it; their bodies read nothing
    that it binds, which would be bound again."""
    comp = s.value if isinstance(s, gast.Assign) and tree.target(s) else None
    if not isinstance(comp, gast.ListComp) or not isinstance(comp.elt, gast.Lambda):
        return False
    args = comp.elt.args
    late = set(tree.names(comp.elt.body, gast.Load)).difference(tree.names(args, gast.Param))
    return any(d is not None for d in [*args.defaults, *args.kw_defaults]) and late.isdisjoint(tree.names(comp, gast.Store)) \
        and tree.target(s) not in tree.names(comp, gast.Load)


def as_loops(s):
    name, comp = tree.target(s), s.value
    made = gast.Expr(value=tree.method(tree.load(name), 'append', comp.elt))
    for generator in reversed(comp.generators):
        for test in reversed(generator.ifs):
            made = gast.If(test=test, body=[gast.copy_location(made, s)], orelse=[])
        made = gast.For(target=generator.target, iter=generator.iter, body=[gast.copy_location(made, s)], orelse=[],
                        type_comment=None)
    return [tree.replace(s, value=gast.List(elts=[], ctx=gast.Load())), gast.copy_location(made, s)]


def is_caller(call, resolver):
    function = resolver(call.func)
    return any(function is one for one in CALLERS) and len(call.args) > 1 and not call.keywords \
        and not any(isinstance(a, (gast.Starred, gast.Constant)) for a in call.args)


class Called(gast.NodeTransformer):
    """Rewrites the blocks of one function; `front` gets what comes in front of the statement at hand.

    at_once : ids of the expressions whose values are gone through where they stand
    """

    def __init__(self, aliases, function, wrt):
        self.aliases, self.resolver, self.front, self.inside = aliases, aliases.resolver, [], 0
        self.function, self.wrt, self.at_once = function, wrt, set()
        self.own = classes.users(self.resolver)[0]
        self.names = tree.Names({n.id for n in gast.walk(function) if isinstance(n, gast.Name)} | local_names(function))
        self.given = {n.attr for n in tree.walk(function) if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store)}
        self.bound = collections.Counter(tree.names(function, gast.Store))

    @functools.cached_property
    def varied(self):
        """Names that may have a derivative."""
        return by_mention([s for s in inside(self.function.body) if isinstance(s, gast.stmt)], self.wrt)

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
                fields[field] = [self.expression(v, s) for v in value]
            elif field not in fields:
                fields[field] = self.expression(value, s, field == 'iter' or unpacks(s))
        changed = (n is not o for f, new in fields.items()
                   for n, o in (zip(new, getattr(s, f)) if isinstance(new, list) else [(new, getattr(s, f))]))
        longer = any(isinstance(new, list) and len(new) != len(getattr(s, f)) for f, new in fields.items())
        return tree.replace(s, **fields) if longer or any(changed) else s

    def expression(self, part, s, at_once=False):
        """A part of a statement: the very same where nothing in it concerns."""
        if not isinstance(part, gast.AST):
            return part
        self.at_once = {id(n) for n in self.through(part, at_once, s)}
        if not any(map(self.concerns, tree.walk(part))):
            return part
        part = tree.clone(part)
        self.at_once = {id(n) for n in self.through(part, at_once, s)}
        return self.visit(part)

    def through(self, part, at_once, s):
        """The expressions in a part of a statement whose values are gone through at once."""
        found = [part] if at_once else []
        for n in tree.walk(part):
            if isinstance(n, COMPREHENSIONS):
                found += [g.iter for g in n.generators]
            elif isinstance(n, gast.Starred):
                found.append(n.value)
            elif isinstance(n, gast.Call) and n.args and facts.of(self.resolver(n.func)).takes == 'now':
                found.append(n.args[0])
            elif isinstance(n, gast.Call) and self.resolver(n.func) is functools.reduce:
                found += n.args[1:2]
        for n in found if not (isinstance(s, gast.For) and changes(s.body)) else ():       # for k, v in enumerate(map(f, x))
            if isinstance(n, gast.Call) and any(self.resolver(n.func) is f for f in (zip, enumerate)):
                found += n.args
        return found

    def concerns(self, node):
        if not isinstance(node, gast.Call):
            return False
        function = node.func if isinstance(node.func, gast.Lambda) else node.args[0] if is_caller(node, self.resolver) else None
        return function is not None and (self.aliases.may_write(function) or self.is_of_array(function)
                                         or function is not node.func and id(node) in self.at_once and self.varies(node))

    def varies(self, call):
        """Whether a derivative may flow through a call."""
        return bool(self.wrt) and not self.varied.isdisjoint(n for e in call.args for n in tree.names(e, gast.Load))

    def is_of_array(self, function):
        """Whether it may be `w.dot` of an array: its gradient is that of `w`, and in no attribute."""
        return isinstance(function, gast.Attribute) and registry.method(function.attr) is not None \
            and self.is_simple(function) and self.resolver(function) is UNKNOWN and function.attr not in self.own

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
        made, items = self.resolver(node.func), given[0]
        if len(given) > 1 and self.resolver.name('zip') is not zip:
            return node
        if len(given) > 1:
            items = gast.Call(func=tree.load('zip'), args=given, keywords=[])
        if is_plain(function, len(given)) and made is not itertools.starmap:
            names, value = [a.id for a in function.args.args], function.body
        else:
            if not self.is_simple(function):
                if self.inside:
                    return node
                function = self.held(function)
            names = [self.names.fresh('item') for _ in given]
            elements = [tree.load(n) for n in names]
            if made is itertools.starmap:
                elements = [gast.Starred(value=elements[0], ctx=gast.Load())]
            value = gast.Call(func=function, args=elements, keywords=[])
        value = tree.located(value, node)
        each = gast.comprehension(target=tree.targets(*names) if len(names) > 1 else tree.store(names[0]),
                                  iter=tree.located(items, node), ifs=[value] if made is filter else [], is_async=0)
        return tree.located(gast.GeneratorExp(elt=tree.load(names[0]) if made is filter else value, generators=[each]), node)

    def is_simple(self, function):
        """Whether it is the same function whenever it is evaluated."""
        return isinstance(function, gast.Name) and self.bound[function.id] < 2 or isinstance(function, gast.Attribute) \
            and isinstance(function.value, gast.Name) and function.attr not in self.given

    def held(self, function):
        """A name that is bound to the function in front of the statement."""
        name = self.names.fresh('function')
        self.front.append(tree.located(gast.Assign(targets=[tree.store(name)], value=function, type_comment=None), function))
        return tree.load(name)


def changes(stmts):
    """Whether statements change an object, or may let others change one."""
    return any(tree.mutates(s) or isinstance(s, gast.Expr) for s in tree.every(stmts))


def unpacks(s):
    """Whether a statement is `a, b = ...`."""
    return isinstance(s, gast.Assign) and all(isinstance(t, (gast.Tuple, gast.List)) for t in s.targets)


def is_plain(function, count):
    """Whether it is a lambda of so many arguments, and its body an expression that may stand elsewhere: what reads an argument
    later (`map(lambda k: lambda v: k * v, ks)`) has one of its own, where a loop has one for all."""
    if not isinstance(function, gast.Lambda):
        return False
    args, parts = function.args, list(gast.walk(function.body))
    given = {id(a) for n in parts if isinstance(n, gast.Call) for a in n.args}
    late = any(isinstance(n, gast.Lambda) or isinstance(n, gast.GeneratorExp) and id(n) not in given for n in parts)
    return len(args.args) == count and not (args.posonlyargs or args.defaults or args.kwonlyargs or args.vararg or args.kwarg) \
        and not late and not any(isinstance(n, (gast.NamedExpr, gast.Yield, gast.YieldFrom)) for n in parts)
