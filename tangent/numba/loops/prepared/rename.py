"""Names made easy for loops: one name for each array, and no names for parts of others.

    t = 2 * x[1:]; y[1:] = t                      t = 2 * x[1:]; y[1:] = t
    t = 3 * x[1:]; z[1:] = t          ->          t2 = 3 * x[1:]; z[1:] = t2

    v = y[i, :]; z[:] = v + v         ->          z[:] = y[i, :] + y[i, :]

    bv = 2 * v; bx = bv; bx[0] = 0    ->          bv = 2 * v; bv[0] = 0

    return 2 * np.outer(d[0], x)      ->          part = d[0]; made = 2 * np.outer(part, x); return made
"""
import gast
import numpy as np

from tangent.frontend import tree
from tangent.runtime import facts
from tangent.runtime.functions import extents as lengths


def versions(function, wanted, names):
    """The function with names of their own for the arrays of the names `wanted`, where each is read in its block alone."""
    found = {name: Extents(name) for name in wanted if name not in tree.names(function.args, gast.Param)}
    for name, extents in list(found.items()):
        extents.block(function.body)
        if extents.odd or len(extents.starts) < 2:
            del found[name]
    if not found:
        return function
    mapping = {id(s): {} for e in found.values() for s in e.starts}
    for name, extents in found.items():
        for k, s in enumerate(extents.starts):
            mapping[id(s)][name] = names.fresh(name) if k else name
    return tree.replace(function, body=_renamed(function.body, mapping, {}))


class Extents:
    """Where a name is bound, and whether each value is read in the rest of its block alone.

    starts : the statements that bind it
    odd : whether it is bound or read in another way
    """

    def __init__(self, name):
        self.name, self.starts, self.odd = name, [], False

    def block(self, stmts, known=False):
        for s in stmts:
            here = tree.target(s) == self.name
            loads = [n for part in tree.header(s) for n in tree.names(part, gast.Load)]
            if self.name in loads and not known or not here and self.name in tree.writes(s) \
                    or isinstance(s, (gast.FunctionDef, gast.ClassDef, gast.Global, gast.Nonlocal)):
                self.odd = True
            if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) and s.target.id == self.name and not known:
                self.odd = True
            before = len(self.starts)
            for _, block in tree.blocks(s):
                self.block(block, known)
            if known and len(self.starts) > before:         # bound again inside: what is read after it may be either
                self.odd = True
            if here:
                self.starts.append(s)
                known = True


def _renamed(stmts, mapping, now):
    out = []
    now = dict(now)
    for s in stmts:
        fields = {f: _renamed(block, mapping, now) for f, block in tree.blocks(s)}
        if id(s) in mapping:
            value = tree.rename(s.value, now)
            now.update(mapping[id(s)])
            out.append(tree.replace(s, targets=[tree.rename(s.targets[0], now)], value=value))
        elif fields:
            heads = {f: tree.rename(v, now) for f, v in s.__dict__.items() if isinstance(v, gast.AST) and f not in fields}
            out.append(tree.replace(s, **heads, **fields))
        else:
            out.append(tree.rename(s, now))
    return out


def without_copies(function, kinds):
    """The function with one name for what has two of them, each of which stands for nothing else."""
    bound, mapping = set(tree.names(function.args, gast.Param)), {}
    for s in function.body:
        name, other = tree.target(s), getattr(s.value, 'id', None) if isinstance(s, gast.Assign) else None
        if name is not None and other in bound and kinds.of.get(other) is not None and all(map(kinds.is_once, (name, other))):
            mapping[name] = mapping.get(other, other)
        bound |= tree.writes(s)
    if not mapping:
        return function
    body = [tree.rename(s, mapping) for s in function.body if tree.target(s) not in mapping]
    return tree.replace(function, body=body)


def without_views(function, kinds):
    """The function with parts of arrays, `v = y[i, :]`, read where they are used."""
    counts: dict = {}
    for n in tree.walk(function):
        if isinstance(n, gast.Name):
            counts[n.id] = counts.get(n.id, 0) + 1
    return tree.replace(function, body=_viewless(function.body, kinds, counts))


def _viewless(stmts, kinds, counts):
    stmts, out, empty = list(stmts), [], not stmts
    while stmts:
        s = stmts.pop(0)
        name = tree.target(s)
        if name is not None and is_view(s.value, kinds) and kinds.is_once(name) and is_plain(name, s, stmts, counts):
            stmts = [_substituted(t, {name: s.value}) for t in stmts]
            continue
        out.append(tree.replace(s, **{f: _viewless(block, kinds, counts) for f, block in tree.blocks(s)}))
    return out if out or empty else [tree.place(gast.Pass(), None)]


def is_view(expr, kinds):
    """Whether an expression is a part of an array, by slices and positions."""
    kind = kinds.kind(expr) if isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Name) else None
    return kind is not None and kind.rank > 0 and not any(
        isinstance(n, (gast.Call, gast.NamedExpr)) for n in tree.walk(expr.slice))


def is_plain(name, s, rest, counts):
    """Whether a part of an array is read as a whole, in the rest of its block, where it is the same part all the time."""
    made_of = set(tree.names(s.value, gast.Load))
    nodes = [n for t in rest for n in tree.walk(t)]
    inner = [n.value for n in nodes if isinstance(n, (gast.Subscript, gast.Attribute)) and isinstance(n.value, gast.Name)]
    uses = sum(isinstance(n, gast.Name) and n.id == name for n in nodes)
    return uses == counts[name] - 1 and not any(n.id == name for n in inner) \
        and not any(changes(t, made_of, name) for t in tree.every(rest))


def changes(s, made_of, name):
    """Whether a statement makes the part another one, or hands it on."""
    if made_of & tree.writes(s):
        return True
    if isinstance(s, gast.AugAssign):
        return isinstance(s.target, gast.Name) and s.target.id in made_of | {name}
    handed = isinstance(s, (gast.Return, gast.FunctionDef, gast.Delete)) or isinstance(s, gast.Assign) and isinstance(
        s.value, (gast.Name, gast.Tuple, gast.List))
    return handed and name in tree.names(s, gast.Load)


def with_results(function, kinds, names):
    """(the function with names for the arrays that it calculates where it returns them, or has them reduced; these names)."""
    namer = _Results(kinds, names)
    body = [t for s in function.body for t in namer.statement(s)]
    return (tree.replace(function, body=body), namer.made) if len(body) > len(function.body) else (function, [])


class _Results:
    """made : names of arrays that are calculated; parts : text -> name, for arrays that tuples and lists hold."""

    def __init__(self, kinds, names):
        self.kinds, self.names, self.made, self.parts, self.before = kinds, names, [], {}, []

    def statement(self, s):
        """The statements for one."""
        if not isinstance(s, gast.Return) and tree.target(s) is None or s.value is None:
            return [s]
        self.before, self.parts, value = [], {}, s.value
        elements = value.elts if isinstance(value, gast.Tuple) else [value]
        new = []
        for k, e in enumerate(elements):
            if not all(is_pure(n, self.kinds) for n in tree.walk(e) if isinstance(n, gast.Call)):
                new += elements[k:]                       # may write into what others read
                break
            new.append(self.result(e, isinstance(s, gast.Return)))
        if not self.before:
            return [s]
        whole = tree.replace(value, elts=new) if isinstance(value, gast.Tuple) else new[0]
        before = [gast.copy_location(tree.place(t, tree.origin(s)), s) for t in self.before]
        return [*before, tree.replace(s, value=whole)]

    def result(self, expr, returned):
        """The expression, or the name of what it calculates."""
        if is_calculated(expr, self.kinds):
            if returned:
                return self.named(expr)
            return self.with_parts(expr) if has_products(expr, self.kinds) else expr
        found = self.kinds.find(expr.func) if isinstance(expr, gast.Call) else None
        if facts.is_helper(found, 'unbroadcast', 'astype') and len(expr.args) == 2 and has_products(expr.args[0], self.kinds) \
                and is_calculated(expr.args[0], self.kinds) and getattr(expr.args[1], 'id', None) in self.kinds.handed:
            return tree.replace(expr, args=[self.named(expr.args[0]), expr.args[1]])
        return expr

    def named(self, expr):
        self.made.append(self.names.fresh('made'))
        self.before.append(tree.assign(self.made[-1], self.with_parts(expr)))
        return tree.load(self.made[-1])

    def with_parts(self, expr):
        """The expression with names for arrays that tuples and lists hold."""
        if isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Name) and isinstance(expr.slice, gast.Constant) \
                and self.kinds.is_once(expr.value.id):
            kind, whole = self.kinds.kind(expr), self.kinds.of.get(expr.value.id)
            holds = whole is not None and whole.parts is not None and whole.dtype in (None, 'list')
            if holds and kind is not None and kind.rank:
                text = gast.unparse(expr)
                if text not in self.parts:
                    self.parts[text] = self.names.fresh('part')
                    self.before.append(tree.assign(self.parts[text], expr))
                return tree.load(self.parts[text])
        return tree.with_children(expr, lambda e: self.with_parts(e) if isinstance(e, gast.expr) else e)


def has_products(expr, kinds):
    """Whether an expression has products of each element of a vector with each of another."""
    return any(isinstance(n, gast.Call) and kinds.find(n.func) is np.outer for n in tree.walk(expr))


def is_calculated(expr, kinds):
    """Whether an expression is arithmetic on whole arrays of real numbers."""
    kind = kinds.kind(expr)
    return kind is not None and kind.parts is None and kind.rank > 0 and kind.dtype in ('float64', 'float32') and (
        isinstance(expr, gast.UnaryOp) or isinstance(expr, gast.BinOp) and not isinstance(expr.op, gast.MatMult))


def is_pure(call, kinds):
    """Whether a call surely changes nothing."""
    found = kinds.find(call.func)
    known = facts.of(found) if found is not None else facts.NOTHING
    if getattr(found, '__module__', None) == lengths.__name__:
        return True
    return known is not facts.NOTHING and known.pure and not known.writes and not any(k.arg == 'out' for k in call.keywords)


def is_told(call, kinds):
    """Whether a call may be told into which array it writes what it gives."""
    place = facts.place_of_output(kinds.find(call.func))
    return place is not None and len(call.args) > place or any(k.arg in ('out', None) for k in call.keywords) or any(
        isinstance(a, gast.Starred) for a in call.args)


def _substituted(s, mapping):
    fields = {f: [_substituted(t, mapping) for t in block] for f, block in tree.blocks(s)}
    heads = {}
    for f, v in s.__dict__.items():
        if isinstance(v, gast.AST) and f not in fields:
            heads[f] = tree.substitute(v, mapping)
    return tree.replace(s, **heads, **fields)


def rebound(stmts):
    """The names that some statements give another value, by `+=` and its like too."""
    return {n for s in stmts for n in tree.writes(s)} | {
        s.target.id for s in stmts if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)}


def handed(function):
    """Names of what was kept elsewhere: those bound by `a, b, c = saved`."""
    return {n for s in tree.every(function.body) if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Tuple)
            and isinstance(s.value, gast.Name) for n in tree.names(s.targets[0], gast.Store)}
