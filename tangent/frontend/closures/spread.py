"""A function that takes `*args` and `**more`, with a parameter for each argument that a call gives.

    def logged(*args, **more):                   def logged(args0, *, y):
        if len(args) > 1:                            return f(args0, y=y)
            print(args)                  ->
        return f(*args, **more)
    logged(x, y=2.0)                             logged(x, y=2.0)

Which branches are taken is known by how many arguments there are, and by their names.
"""
import dataclasses
import inspect
import operator
from typing import NamedTuple

import gast

from tangent.frontend import tree
from tangent.frontend.nested import Nested, NestedSource
from tangent.frontend.resolve import names_in
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS

SEVERAL = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
FRAMES = frozenset('super __class__ locals vars eval exec'.split())         # they ask for the function as it is written
COMPARED = {gast.Eq: operator.eq, gast.NotEq: operator.ne, gast.Lt: operator.lt, gast.LtE: operator.le, gast.Gt: operator.gt,
            gast.GtE: operator.ge}
READ = 'get', 'keys', 'values', 'items', 'copy'            # methods of dicts
READERS = 'len', 'sorted', 'list', 'tuple', 'set', 'dict', 'bool', 'iter', 'str', 'repr'


class Rest(NamedTuple):
    """What a call gives for `*args`, so many, and for `**more`, under these names."""
    several: int
    named: tuple


def rest_of(function, args, named):
    """The Rest that a function gets in a call with so many arguments, and with these names; None if it has neither `*args` nor
    `**more`, or Python refuses the call."""
    plain = not isinstance(function, Nested)
    if plain and not getattr(getattr(function, '__code__', None), 'co_flags', 0) & SEVERAL:
        return None
    signature = inspect.signature(function, follow_wrapped=False) if plain else function.signature
    kinds = {p.kind: p.name for p in signature.parameters.values()}
    if kinds.keys().isdisjoint([inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]):
        return None
    try:
        bound = signature.bind(*args, **dict.fromkeys(named)).arguments
    except TypeError:                                                       # said when running
        return None
    return Rest(len(bound.get(kinds.get(inspect.Parameter.VAR_POSITIONAL), ())),
                tuple(bound.get(kinds.get(inspect.Parameter.VAR_KEYWORD), ())))


def may_be_spread(definition):
    """Whether a function leaves the names of `*args` and `**more` as they are, and asks for no names."""
    asks = FRAMES - {'super', '__class__'}
    rest = [a.id for a in (definition.args.vararg, definition.args.kwarg) if a is not None]
    names = any(isinstance(n, gast.Name) and n.id in asks for n in tree.walk(definition))
    return not names and all(is_single(p, definition) for p in rest)


def is_single(name, definition):
    """Whether a parameter is bound nowhere else in a function, nor in one inside it."""
    names = [n for n in tree.walk(definition) if isinstance(n, gast.Name) and n.id == name]
    return sum(not isinstance(n.ctx, gast.Load) for n in names) == 1


def of_calls(source, rest):
    """(a Nested for a function in such calls, key of `**more` -> the parameter for it)."""
    names = tree.Names(set(names_in(source).mentioned))
    args, defaults, body, more = spread(source.tree.args, source.defaults, source.tree.body, rest, names)
    made = NestedSource.rewritten(source, tree.replace(source.tree, args=args, body=body))
    nested = Nested(source.name, ())
    nested.source = dataclasses.replace(made, values=tuple(defaults))
    return nested, more


def spread(args, defaults, body, rest, names, strict=False):
    """(parameters, values of defaults, statements, key of `**more` -> the parameter for it) of a function with others in the
    place of `*args` and `**more`, without the branches that are not taken then. Where the text does more with these than to
    read them, they are bound in front.

    names : the names that the function has, to which those of the others are added
    strict : `Refused` is raised instead
    """
    params = [a.id for a in args.posonlyargs + args.args]
    more = {n: names.fresh(n) for n in rest.named}
    several = [names.fresh(f'{args.vararg.id}{k}') for k in range(rest.several)]
    work = Arguments(getattr(args.vararg, 'id', None), several, getattr(args.kwarg, 'id', None), more)
    try:
        body = work.block([tree.clone(s) for s in body])
        body = folded(body, constants(body, params))
    except Refused:
        if strict:
            raise
        text = [s for s in body[:1] if tree.is_text(s)]
        front = [gast.copy_location(tree.assign(whole.id, work.display(tree.load(whole.id)), tree.Origin('primal')), body[0])
                 for whole in (args.vararg, args.kwarg) if whole is not None]
        body = text + front + body[len(text):]
    if several:                                                             # then all before them are given
        args, defaults = tree.replace(args, args=args.args + list(map(tree.parameter, several)), defaults=[]), ()
    args = tree.replace(args, vararg=None, kwarg=None, kwonlyargs=args.kwonlyargs + list(map(tree.parameter, more.values())),
                        kw_defaults=args.kw_defaults + [None] * len(more))
    return args, defaults, body, more


class Refused(Exception):
    """The text does more with its `*args` or `**more` than to read them."""


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
