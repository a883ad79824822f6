"""Functions and methods that write into an array or a dict, as assignments to its elements, and `y = d.pop(key)`.

    np.copyto(a, b); a.fill(v)        a[...] = b; a[...] = v
    np.copyto(a[1:], b)               a[1:] = b
    np.copyto(a[0], b)                a[0][...] = b: in a list that is not a[0] = b
    np.copyto(a, b, where=m)          a[...] = np.where(m, b, a)
    np.fill_diagonal(a, 1.0)          a[np.diag_indices(min(a.shape), a.ndim)] = 1.0
    a[0], a[-1] = b[0], b[-1]         t = b[0]; t2 = b[-1]; a[0] = t; a[-1] = t2
    a[0, :], a[-1, :] = b[1, :], c    a[0, :] = b[1, :]; a[-1, :] = c, where a part of an array is seen when it is assigned
    d.update(a=x, b=y)                d['a'] = x; d['b'] = y
    y = d.setdefault('a', x)          if 'a' not in d: d['a'] = x;  y = d['a']
    d.setdefault('a', []).append(x)   if 'a' not in d: d['a'] = [];  d['a'].append(x)
    y = d.pop('a', x)                 if 'a' in d: y = d.pop('a')   else: y = x
    d = e.copy()                      d = {**e}, where `e` is a dict as well
    def f(**options):                 options = {**options}, where it is changed: Python makes one for each call
"""
import collections
import copy

import gast
import numpy as np

from tangent.analysis.kinds.holders import is_counter
from tangent.analysis.kinds.infer import has_slice
from tangent.analysis.mutated_lists import kind_of
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import DEFINITIONS
from tangent.normal.desugar.loops import inside
from tangent.runtime import facts

CHANGING = 'update', 'setdefault', 'pop', 'popitem', 'clear', '__setitem__', '__delitem__'


def written_out(stmts, resolver, names):
    """The statements with these calls and unpackings written out."""
    out = []
    for s in stmts:
        s = tree.replace(s, **{field: written_out(block, resolver, names) for field, block in tree.blocks(s)})
        out += one(s, resolver, names)
    return out


def one(s, resolver, names):
    if isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], (gast.Tuple, gast.List)):
        return unpacked(s, names, resolver)
    call = s.value if isinstance(s, gast.Expr) or tree.target(s) else None
    if not isinstance(call, gast.Call):
        return [s]
    function = resolver(call.func)
    if function is UNKNOWN:
        filled = isinstance(s, gast.Expr) and isinstance(call.func, gast.Attribute) and call.func.attr == 'fill' \
            and isinstance(call.func.value, gast.Name) and len(call.args) == 1 and not call.keywords
        return [into(s, call.func.value, call.args[0])] if filled else [s]
    if getattr(function, '__name__', '') == 'copyto' and facts.is_numpy(function):
        simple = isinstance(s, gast.Expr) and len(call.args) == 2 and is_place(call.args[0])
        return [into(s, *call.args)] if simple and not call.keywords else [where(s, call)] if simple else [s]
    if function is np.fill_diagonal and isinstance(s, gast.Expr) and len(call.args) == 2 and not call.keywords \
            and isinstance(call.args[0], gast.Name) and is_number(call.args[1], resolver):
        return [on_diagonal(s, call)]
    return [s]


def is_number(expr, resolver):
    """Whether an expression is a number that stands in the text, `np.inf` among them."""
    expr = expr.operand if isinstance(expr, gast.UnaryOp) else expr
    return isinstance(expr, gast.Constant) or isinstance(resolver(expr), (int, float))


def on_diagonal(s, call):
    """`a[np.diag_indices(min(a.shape), a.ndim)] = v`."""
    place, value = call.args
    shape, rank = (gast.Attribute(value=tree.load(place.id), attr=name, ctx=gast.Load()) for name in ('shape', 'ndim'))
    function = gast.Attribute(value=call.func.value, attr='diag_indices', ctx=gast.Load()) \
        if isinstance(call.func, gast.Attribute) else None
    if function is None:
        return s
    index = gast.Call(func=function, args=[tree.call('min', shape), rank], keywords=[])
    return tree.like(s, gast.Subscript(value=tree.load(place.id), slice=index, ctx=gast.Store()), value)


def where(s, call):
    """`a[...] = np.where(m, v, a)`."""
    place, value = call.args
    mask = call.keywords[0]
    called = any(isinstance(n, gast.Call) for n in tree.walk(place))
    if mask.arg != 'where' or len(call.keywords) > 1 or called or not isinstance(call.func, gast.Attribute):
        return s
    function = gast.Attribute(value=call.func.value, attr='where', ctx=gast.Load())
    return into(s, place, gast.Call(func=function, args=[mask.value, value, tree.clone(place)], keywords=[]))


def is_place(expr):
    return isinstance(expr, gast.Name) or isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Name)


def into(s, place, value):
    """`place[...] = value`."""
    within = isinstance(place, gast.Subscript) and has_slice(place.slice)
    index, owner = (place.slice, place.value) if within else (tree.constant(...), tree.replace(place, ctx=gast.Load()))
    target = gast.Subscript(value=owner, slice=index, ctx=gast.Store())
    return tree.like(s, target, value)


def unpacked(s, names, resolver):
    """One assignment for each element, where some of the targets are elements of arrays."""
    target, value = s.targets[0], s.value
    if not isinstance(value, (gast.Tuple, gast.List)) or len(value.elts) != len(target.elts) \
            or not all(isinstance(t, (gast.Name, gast.Subscript)) for t in target.elts) \
            or not any(isinstance(t, gast.Subscript) for t in target.elts) \
            or tree.starred(value.elts):
        return [s]
    held, stores = [], []
    for t, v in zip(target.elts, value.elts):
        if not isinstance(v, gast.Constant) and not is_view(v, resolver):
            name = names.fresh('t')
            held.append(tree.like(s, tree.store(name), v))
            v = tree.load(name)
        stores.append(tree.like(s, t, v))
    return held + stores


def is_view(expr, resolver):
    """Whether it surely is a part of an array, `a[0, :]`, which shows what is written there meanwhile."""
    index = expr.slice if isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Name) else None
    if not isinstance(index, gast.Tuple) or not any(isinstance(e, gast.Slice) for e in index.elts) \
            or any(hasattr(kind, '__getitem__') for kind in resolver.classes):
        return False
    return all(type(n) in (gast.Tuple, gast.Slice, gast.Load, gast.UnaryOp, gast.USub)
               or isinstance(n, gast.Constant) and type(n.value) is int for n in tree.walk(index))


def with_stores(function, names, resolver, lent):
    """The function with such statements."""
    whole, options = [function, *tree.walk(function)], getattr(function.args.kwarg, 'id', None)
    if any(isinstance(n, (gast.Global, gast.Nonlocal)) for n in whole):
        return function
    work = Dicts(function, names, resolver, lent)
    body = work.block(function.body)
    if options in work.dicts and options in changed(body):
        first = gast.Dict(keys=[None], values=[tree.load(options)])
        s = next((s for s in body if not tree.is_text(s)), body[0])
        made = tree.place(gast.copy_location(tree.assign(options, first), s), tree.Origin('primal', getattr(s, 'lineno', 0)))
        at = body.index(s)
        body = [*body[:at], made, *body[at:]]
    return tree.replace(function, body=body)


def changed(stmts):
    """Names of what statements store into, or change by a method of dicts."""
    found = set()
    for s in stmts:
        for n in tree.walk(s):
            if isinstance(n, gast.Subscript) and not isinstance(n.ctx, gast.Load) and isinstance(n.value, gast.Name):
                found.add(n.value.id)
            elif isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr in CHANGING:
                found.add(getattr(n.func.value, 'id', None))
    return found


def dicts_of(function, resolver):
    """Names that hold nothing but dicts: bound to new ones or to copies of such; that of the arguments by name among them."""
    made = [(tree.target(s), s.value) for s in tree.every(function.body) if isinstance(s, gast.Assign) and tree.target(s)]
    stored = collections.Counter(n for s in function.body for n in tree.names(s, gast.Store))
    params = tree.names(function.args, gast.Param)
    sources: dict = {}                  # name -> for each value that it is bound to the dict that this copies, or itself
    for name, value in made:
        new = kind_of(value, resolver) == 'dict' and not (isinstance(value, gast.Call) and is_counter(value, resolver))
        sources.setdefault(name, []).append(name if new else copied(value, resolver))
    found = {n for n, each in sources.items() if len(each) == stored[n] and n not in params}
    options = getattr(function.args.kwarg, 'id', None)
    found |= {options} if len(sources.get(options, ())) == stored[options] and options is not None else set()
    size = -1
    while size != len(found):
        size = len(found)
        found = {n for n in found if found.issuperset(sources.get(n, ()))}
    return found


def copied(expr, resolver):
    """The name of what `e.copy()` and `copy.copy(e)` copy, or None."""
    if not isinstance(expr, gast.Call) or expr.keywords:
        return None
    if isinstance(expr.func, gast.Attribute) and expr.func.attr == 'copy' and not expr.args:
        return getattr(expr.func.value, 'id', None)
    return getattr(expr.args[0], 'id', None) if len(expr.args) == 1 and resolver(expr.func) is copy.copy else None


class Dicts:
    """Rewrites the statements of one function; dicts : names that hold nothing but dicts; lent : parameters that do."""

    def __init__(self, function, names, resolver, lent):
        self.names, self.resolver, self.dicts = names, resolver, dicts_of(function, resolver) | lent
        self.uses = collections.Counter(n.id for n in tree.walk(function) if isinstance(n, gast.Name)) if self.dicts else {}

    def block(self, stmts):
        out: list = []
        rest = [*stmts]
        while rest:
            s = rest.pop(0)
            if rest and self.makes_row(s, rest[0]):
                out += self.row(s, rest.pop(0))
            else:
                out += [s] if isinstance(s, DEFINITIONS) else self.statement(inside(s, self.block))
        return out

    def statement(self, s):
        """The statements in place of one."""
        call = s.value if tree.target(s) or isinstance(s, gast.Expr) else None
        if not isinstance(call, gast.Call):
            return [s]
        source = copied(call, self.resolver)
        if source in self.dicts and tree.target(s):
            return [tree.replace(s, value=gast.Dict(keys=[None], values=[tree.load(source)]))]
        owned = isinstance(call.func, gast.Attribute) and getattr(call.func.value, 'id', None) in self.dicts
        method = call.func.attr if owned else None
        if tree.is_starred(call):
            return [s]
        if method == 'update' and isinstance(s, gast.Expr):
            return self.updated(s, call)
        if method == 'pop' and len(call.args) == 2 or method == 'setdefault' and len(call.args) in (1, 2):
            return self.looked_for(s, call)
        return [s]

    def makes_row(self, s, after):
        """Whether it is `t = d.setdefault(k, [])` of one of the dicts, and then `t.append(v)` alone: one expression."""
        call = s.value if tree.target(s) else None
        method = after.value.func if isinstance(after, gast.Expr) and isinstance(after.value, gast.Call) else None
        return isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) and call.func.attr == 'setdefault' \
            and getattr(call.func.value, 'id', None) in self.dicts and len(tree.arguments(call)) == len(call.args) == 2 \
            and isinstance(call.args[1], gast.List) and not call.args[1].elts and isinstance(method, gast.Attribute) \
            and getattr(method.value, 'id', None) == tree.target(s) and self.uses[tree.target(s)] == 2

    def row(self, s, after):
        """`if k not in d: d[k] = []`, then `d[k].append(v)`."""
        owner, (key, new) = s.value.func.value.id, s.value.args
        front, (key,) = self.held([key], s)
        row = gast.Subscript(value=tree.load(owner), slice=tree.clone(key), ctx=gast.Load())
        call = tree.replace(after.value, func=tree.replace(after.value.func, value=row))
        return [*front, put_once(owner, key, new, s), tree.replace(after, value=call)]

    def held(self, exprs, s):
        """(statements that give the values names, in order, atoms for them)."""
        front, atoms = [], []
        for e in exprs:
            if not tree.is_atom(e):
                name = self.names.fresh('value')
                front.append(placed(tree.assign(name, e), s))
                e = tree.load(name)
            atoms.append(e)
        return front, atoms

    def updated(self, s, call):
        given = call.args[0] if len(call.args) == 1 else None
        pairs = [(tree.constant(k.arg), k.value) for k in call.keywords]
        if given is not None and (not isinstance(given, gast.Dict) or None in given.keys) or len(call.args) > 1:
            return [s]
        if given is not None:
            pairs = [*zip(given.keys, given.values), *pairs]
        front, atoms = self.held([e for pair in pairs for e in pair], s)
        owner = call.func.value.id
        return front + [store(owner, key, value, s) for key, value in zip(atoms[::2], atoms[1::2])]

    def looked_for(self, s, call):
        """`d.setdefault(key, default)` and `d.pop(key, default)`."""
        front, (key, default, *_) = self.held([*call.args, tree.constant(None)], s)
        owner, name = call.func.value.id, tree.target(s)
        pops = call.func.attr == 'pop'
        if pops:
            test = gast.Compare(left=key, ops=[gast.In()], comparators=[tree.load(owner)])
            there = tree.method(tree.load(owner), 'pop', key)
            body = [tree.assign(name, there) if name else gast.Expr(value=there)]
            branch = gast.If(test=test, body=body, orelse=[tree.assign(name, default)] if name else [])
            return front + [placed(branch, s)]
        value = gast.Subscript(value=tree.load(owner), slice=key, ctx=gast.Load())
        return [*front, put_once(owner, key, default, s), *([placed(tree.assign(name, value), s)] if name else [])]


def store(owner, key, value, s):
    target = gast.Subscript(value=tree.load(owner), slice=key, ctx=gast.Store())
    return placed(gast.Assign(targets=[target], value=value, type_comment=None), s)


def put_once(owner, key, value, s):
    """`if k not in d: d[k] = v`."""
    test = gast.Compare(left=key, ops=[gast.NotIn()], comparators=[tree.load(owner)])
    return placed(gast.If(test=test, body=[store(owner, key, value, s)], orelse=[]), s)


def placed(stmt, s):
    """A statement of ours, and what is in it, in the place of one of the user's."""
    for t in tree.every([stmt]):
        tree.instead(t, s)
    return stmt
