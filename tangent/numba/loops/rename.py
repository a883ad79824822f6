"""Names made easy for loops: one name for each array, and no names for parts of others.

    t = 2 * x[1:]; y[1:] = t                      t = 2 * x[1:]; y[1:] = t
    t = 3 * x[1:]; z[1:] = t          ->          t2 = 3 * x[1:]; z[1:] = t2

    v = y[i, :]; z[:] = v + v         ->          z[:] = y[i, :] + y[i, :]
"""
from __future__ import annotations

import gast

from tangent.frontend import tree


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
