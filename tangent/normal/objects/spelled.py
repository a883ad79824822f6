"""Functions that take `*args` and `**kwargs`, and class methods, written out for one way of calling them.

    class Point:                                        Point(x, y):
        def __init__(self, *args, **kwargs):                def __init__(self, args_0, args_1):
            if len(args) == 2:                                  self.x, self.y = args_0, args_1
                self.x, self.y = args              ->
            elif 'polar' in kwargs:
                r, t = kwargs['polar']
                self.x, self.y = r * cos(t), r * sin(t)

        @classmethod                                        Point.middle(p, q):
        def middle(cls, p, q):                                  def middle(p, q):
            return cls((p.x + q.x) / 2, ...)                        return Point((p.x + q.x) / 2, ...)

Which branches are taken is known by how many arguments there are, and by their names.
"""
from __future__ import annotations

import dataclasses
import operator
import types

import gast

from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.resolve import local_names, names_in
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS
from tangent.frontend.source import read
from tangent.templates.language import registry

COMPARED = {gast.Eq: operator.eq, gast.NotEq: operator.ne, gast.Lt: operator.lt, gast.LtE: operator.le, gast.Gt: operator.gt,
            gast.GtE: operator.ge}
READ = 'get', 'keys', 'values', 'items', 'copy'            # methods of dicts
READERS = 'len', 'sorted', 'list', 'tuple', 'set', 'dict', 'bool', 'iter', 'str', 'repr'


class Spelled:
    """A function as it is called in one way.

    function : what the user has written
    source : its text for calls like this
    """

    def __init__(self, function, source):
        self.function, self.source = function, source
        self.__name__, self.__globals__ = function.__name__, function.__globals__


def source_of(function):
    return function.source if isinstance(function, Spelled) else read(function)


def written(function):
    """The function as the user has written it."""
    return function.function if isinstance(function, Spelled) else function


FRAMES = frozenset('super __class__ locals vars eval exec'.split())         # they ask for the function as it is written
MOST = 8                                                                    # ways of calling one function


class Refused(Exception):
    """The text does more with its `*args` or `**kwargs` than to read them."""


def of_class(function, kind):
    """The class method of a class, its first parameter left out; None where the text does not name the class."""
    source = read(function)
    args, name = source.tree.args, kind.__name__
    first = next((a.id for a in args.posonlyargs + args.args), None)
    nodes = source.inner
    hidden = any(isinstance(n, (*DEFINITIONS, gast.ClassDef, gast.Global, gast.Nonlocal)) or getattr(n, 'id', None) in FRAMES
                 for n in nodes)
    stored = any(getattr(n, 'id', None) == first and not isinstance(n.ctx, gast.Load) for n in nodes)
    if first is None or hidden or stored or name in local_names(source.tree) or function.__globals__.get(name) is not kind:
        return None
    body = [tree.rename(s, {first: name}) for s in source.tree.body]
    rest = {'posonlyargs': args.posonlyargs[1:], 'args': args.args[1:] if not args.posonlyargs else args.args}
    made = tree.replace(source.tree, args=tree.replace(args, **rest), body=body)
    return Spelled(function, dataclasses.replace(source, tree=made))


def of_call(function, count, names):
    """(the function for calls with so many arguments and these keywords, keyword -> its name there); None where the text
    does more with `*args` and `**kwargs` than to read them."""
    source = source_of(function)
    args = source.tree.args
    params = [a.id for a in args.posonlyargs + args.args]
    known = {*params[len(args.posonlyargs):], *(a.id for a in args.kwonlyargs)}
    extra, others = max(0, count - len(params)), [n for n in names if n not in known]
    names_frames = any(getattr(n, 'id', None) in FRAMES - {'super', '__class__'} for n in source.nodes)
    if extra and not args.vararg or others and not args.kwarg or names_frames:
        return None
    taken = tree.Names(set(names_in(source).mentioned) | set(source.globals))
    given = [taken.fresh(f'{args.vararg.id}_{k}') for k in range(extra)]
    keys = {n: taken.fresh(n) for n in others}
    work = Arguments(args.vararg and args.vararg.id, given, args.kwarg and args.kwarg.id, keys)
    try:
        body = work.block([tree.clone(s) for s in source.tree.body])
    except Refused:
        return None
    body = folded(body, constants(body, params))
    new = tree.replace(args, args=[*args.args, *map(parameter, given)], vararg=None, kwarg=None,
                       kwonlyargs=[*args.kwonlyargs, *map(parameter, keys.values())],
                       kw_defaults=[*args.kw_defaults, *[None] * len(keys)])
    if extra and args.defaults:
        new.defaults = []                                        # all that have one are given
    return Spelled(function, dataclasses.replace(source, tree=tree.replace(source.tree, args=new, body=body))), keys


def parameter(name):
    return gast.Name(id=name, ctx=gast.Param(), annotation=None, type_comment=None)


class Arguments:
    """Puts parameters in place of the parts of `star`, a tuple, and of `keys`, a dict."""

    def __init__(self, star, given, stars, keys):
        self.star, self.given, self.stars, self.keys = star, given, stars, keys

    def block(self, stmts):
        return [self.visit(s) for s in stmts]

    def visit(self, node):
        if isinstance(node, (*DEFINITIONS, gast.Lambda, gast.ClassDef)):
            if any(self.is_ours(n) for n in tree.walk(node)):
                raise Refused
            return node
        new = self.of_call(node) if isinstance(node, gast.Call) else self.of_subscript(node) \
            if isinstance(node, gast.Subscript) else self.of_test(node) if isinstance(node, gast.Compare) else None
        if new is not None:
            return gast.copy_location(new, node)
        if isinstance(node, (gast.If, gast.IfExp, gast.While)) and self.is_ours(node.test):
            node = tree.replace(node, test=gast.copy_location(tree.constant(bool(self.whole(node.test))), node.test))
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not) and self.is_ours(node.operand):
            return gast.copy_location(tree.constant(not self.whole(node.operand)), node)
        if isinstance(node, (gast.For, gast.comprehension)) and self.is_ours(node.iter):
            node = tree.replace(node, iter=self.display(node.iter))
        if self.is_ours(node):
            if node.id == self.stars:                             # which others might change
                raise Refused
            return self.display(node)
        return tree.with_children(node, self.visit)

    def is_ours(self, node):
        return isinstance(node, gast.Name) and node.id in (self.star, self.stars)

    def whole(self, name):
        return self.given if name.id == self.star else self.keys

    def display(self, node):
        if not isinstance(node.ctx, gast.Load):
            raise Refused
        if node.id == self.star:
            return gast.copy_location(gast.Tuple(elts=list(map(tree.load, self.given)), ctx=gast.Load()), node)
        values = list(map(tree.load, self.keys.values()))
        return gast.copy_location(gast.Dict(keys=[tree.constant(n) for n in self.keys], values=values), node)

    def of_call(self, node):
        """`len(args)`, `kwargs.get('x', 0.0)`, `f(*args, **kwargs)`."""
        func, owner = node.func, getattr(node.func, 'value', None)
        if getattr(func, 'id', None) == 'len' and len(node.args) == 1 and self.is_ours(node.args[0]):
            return tree.constant(len(self.whole(node.args[0])))
        if isinstance(func, gast.Attribute) and self.is_ours(owner):
            if owner.id == self.stars and func.attr not in READ:
                raise Refused
            if owner.id == self.stars and func.attr == 'get' and node.args and isinstance(node.args[0], gast.Constant):
                if node.keywords or len(node.args) > 1 and not is_quiet(node.args[1]):
                    raise Refused
                found = self.keys.get(node.args[0].value)
                return tree.load(found) if found else node.args[1] if len(node.args) > 1 else tree.constant(None)
            func = tree.replace(func, value=self.display(owner))
        args, keywords, reads = [], [], getattr(func, 'id', None) in READERS
        for a in node.args:
            if reads and self.is_ours(a):
                args.append(self.display(a))
                continue
            own = isinstance(a, gast.Starred) and getattr(a.value, 'id', None) == self.star and self.star
            args += map(tree.load, self.given) if own else [self.visit(a)]
        for k in node.keywords:
            own = k.arg is None and getattr(k.value, 'id', None) == self.stars and self.stars
            keywords += [gast.keyword(arg=n, value=tree.load(v)) for n, v in self.keys.items()] if own else [self.visit(k)]
        return tree.replace(node, func=self.visit(func), args=args, keywords=keywords)

    def of_subscript(self, node):
        """`args[0]`, `kwargs['x']`."""
        if not self.is_ours(node.value):
            return None
        if not isinstance(node.ctx, gast.Load):
            raise Refused
        at = node.slice.value if isinstance(node.slice, gast.Constant) else None
        if node.value.id == self.stars:
            whole = tree.replace(node, value=self.display(node.value), slice=self.visit(node.slice))
            return tree.load(self.keys[at]) if at in self.keys else whole
        return tree.load(self.given[at]) if type(at) is int and at < len(self.given) else None

    def of_test(self, node):
        """`'x' in kwargs`."""
        ours = len(node.ops) == 1 and isinstance(node.ops[0], (gast.In, gast.NotIn)) and isinstance(node.left, gast.Constant) \
            and getattr(node.comparators[0], 'id', None) == self.stars and self.stars
        return tree.constant((node.left.value in self.keys) == isinstance(node.ops[0], gast.In)) if ours else None


def is_quiet(expr):
    """Whether nothing is done where an expression is evaluated, or not."""
    inner = expr.elts if isinstance(expr, (gast.List, gast.Tuple)) else None
    return isinstance(expr, (gast.Constant, gast.Name)) or inner is not None and all(map(is_quiet, inner))


# What is known by then

def constants(stmts, params):
    """Name -> the number that is all it is bound to."""
    made, stores = {}, list(params)
    others = (*DEFINITIONS, gast.Lambda, gast.ClassDef, gast.Global, gast.Nonlocal, gast.Import, gast.ImportFrom)
    if any(isinstance(n, others) for s in stmts for n in tree.walk(s)):
        return {}
    for s in tree.every(stmts):
        if tree.target(s) and isinstance(s.value, gast.Constant) and type(s.value.value) in (int, bool):
            made[tree.target(s)] = s.value.value
    for s in stmts:
        stores += [n.id for n in tree.walk(s) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)]
    return {n: value for n, value in made.items() if stores.count(n) == 1}          # and no parameter


def folded(stmts, known):
    """The statements with the branches alone that are taken."""
    out = []
    for s in stmts:
        if isinstance(s, DEFINITIONS):
            out.append(s)
            continue
        if isinstance(s, gast.If) and (truth := value_of(s.test, known)) is not None:
            out += folded(s.body if truth.value else s.orelse, known)
            continue
        s = tree.replace(s, **{field: folded(block, known) or [gast.copy_location(gast.Pass(), s)] if block else block
                               for field, block in tree.blocks(s)})
        parts = {f: getattr(s, f, None) for f in ('value', 'test', 'exc', 'iter')}
        out.append(tree.replace(s, **{f: shortened(part, known) for f, part in parts.items() if isinstance(part, gast.AST)}))
    return out


def value_of(expr, known):
    """The constant that an expression is, or None."""
    if isinstance(expr, gast.Constant):
        return expr
    if isinstance(expr, gast.Name) and expr.id in known:
        return tree.constant(known[expr.id])
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.Not):
        inner = value_of(expr.operand, known)
        return None if inner is None else tree.constant(not inner.value)
    if isinstance(expr, gast.Compare) and len(expr.ops) == 1 and type(expr.ops[0]) in COMPARED:
        left, right = value_of(expr.left, known), value_of(expr.comparators[0], known)
        numbers = all(e is not None and type(e.value) in (int, bool) for e in (left, right))
        return tree.constant(COMPARED[type(expr.ops[0])](left.value, right.value)) if numbers else None
    if isinstance(expr, gast.BoolOp):
        ends = isinstance(expr.op, gast.Or)
        for e in expr.values:
            found = value_of(e, known)
            if found is None or bool(found.value) == ends:
                return found
        return found
    return None


def shortened(expr, known):
    """`None or x` in short."""
    if isinstance(expr, (gast.Lambda, *COMPREHENSIONS)):
        return expr
    expr = tree.with_children(expr, lambda e: shortened(e, known))
    if not isinstance(expr, gast.BoolOp):
        return expr
    ends, values = isinstance(expr.op, gast.Or), list(expr.values)
    while len(values) > 1 and isinstance(values[0], gast.Constant) and bool(values[0].value) != ends:
        values.pop(0)
    return values[0] if len(values) == 1 else tree.replace(expr, values=values)


def class_method(thing):
    """(the function, the class) of a class method as the text names it; None for another thing."""
    if type(thing) is not types.MethodType or registry.lookup(thing) is not None:
        return None
    owner, function = thing.__self__, thing.__func__
    if not isinstance(owner, type) or not isinstance(function, types.FunctionType):
        return None
    try:
        read(function)
    except TangentError:
        return None
    return function, owner
