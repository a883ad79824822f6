"""Calls that change an array, as writes into it.

    a.sort(axis=0)                 a[...] = np.sort(a, axis=0)               for an array
    np.fill_diagonal(a, s)         a[np.diag_indices(...)] = s               for a matrix and a number: see `desugar.writes`
    a[k].fill(s)                   a[k] = s                                  for an array of several axes
    np.add.at(a, index, v)         stays, and is marked (`adds`): it is an update as `a[index] += v` is, which counts what
                                   is named twice
"""
import gast
import numpy as np

from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.desugar.writes import on_diagonal

SCATTERING = {np.add: gast.Add, np.subtract: gast.Sub}


def written_out(function, kinds, resolver, library):
    """The FunctionDef with writes in place of such calls.

    kinds : name -> number of axes or 'number', for those that are known
    """
    found = {s: new for s in tree.every(function.body) if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call)
             and not tree.is_starred(s.value) and (new := written(s, s.value, kinds, resolver, library)) is not None}
    return tree.replace(function, body=block(function.body, found)) if found else function


def block(stmts, found):
    out = []
    for s in stmts:
        s = found.get(s, s)
        out.append(tree.replace(s, **{field: block(inner, found) for field, inner in tree.blocks(s)}))
    return out


def written(s, call, kinds, resolver, library):
    """The write in place of a call, or None."""
    function = resolver(call.func)
    if function is UNKNOWN:
        return by_method(s, call, kinds, library) if isinstance(call.func, gast.Attribute) else None
    first = call.args[0].id if call.args and isinstance(call.args[0], gast.Name) else None
    if function is np.fill_diagonal and len(call.args) == 2 and not call.keywords and kinds.get(first) == 2 \
            and is_number(call.args[1], kinds):
        return on_diagonal(s, call)
    if scattering(function) and len(call.args) == 3 and not call.keywords and first:
        new = tree.replace(s)
        new.adds = SCATTERING[function.__self__]()
        return new
    return None


def by_method(s, call, kinds, library):
    owner = call.func.value
    axes = kinds.get(getattr(owner, 'id', None))
    if call.func.attr == 'sort' and type(axes) is int and axes > 0 and len(call.args) < 2:
        function = gast.Attribute(value=tree.load(library('numpy')), attr='sort', ctx=gast.Load())
        library.resolver.seen[tree.dotted(function)] = np.sort
        value = gast.Call(func=function, args=[tree.load(owner.id), *call.args], keywords=call.keywords)
        return tree.like(s, part(owner.id, tree.constant(...)), value)
    if call.func.attr == 'fill' and len(call.args) == 1 and not call.keywords and isinstance(owner, gast.Subscript) \
            and isinstance(owner.value, gast.Name):
        axes = kinds.get(owner.value.id)
        parts = owner.slice.elts if isinstance(owner.slice, gast.Tuple) else [owner.slice]
        positions = [p for p in parts if not isinstance(p, gast.Slice)]
        if type(axes) is int and len(positions) < axes and all(is_position(p, kinds) for p in positions):
            return tree.like(s, part(owner.value.id, owner.slice), call.args[0])
    return None


def scattering(function):
    """Whether it is `np.add.at` or that of `np.subtract`."""
    ufunc = getattr(function, '__self__', None)
    return isinstance(ufunc, np.ufunc) and ufunc in SCATTERING and function.__name__ == 'at'


def is_position(expr, kinds):
    return isinstance(expr, gast.Constant) and type(expr.value) is int or kinds.get(getattr(expr, 'id', None)) == 'number'


def is_number(expr, kinds):
    """Whether it is a number: a name or an element, or arithmetic with such."""
    if isinstance(expr, (gast.BinOp, gast.UnaryOp)):
        return all(is_number(e, kinds) for e in tree.children(expr) if isinstance(e, gast.expr))
    if isinstance(expr, gast.Subscript):
        parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        return kinds.get(getattr(expr.value, 'id', None)) == len(parts) and all(is_position(p, kinds) for p in parts)
    return isinstance(expr, gast.Constant) and type(expr.value) in (int, float) \
        or kinds.get(getattr(expr, 'id', None)) == 'number'


def part(name, index):
    return gast.Subscript(value=tree.load(name), slice=index, ctx=gast.Store())
