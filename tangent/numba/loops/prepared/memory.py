"""What statements do with the memory of arrays: which they may change, and which something may keep and use later.

Which function writes into what it is given, its record says (`runtime.facts`); one that has none may do anything.
"""
import gast

from tangent.frontend import tree
from tangent.numba.loops.prepared.spread_first import lent
from tangent.runtime import facts

CHECKS = 'check_apart', 'check_equal', 'check_disjoint', 'check_floats'
CAPTURING = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.NamedExpr, gast.Yield,
             gast.YieldFrom, gast.Await, gast.Starred)
HOLDING = (gast.Tuple, gast.List, gast.Set)


def checks(s, kinds):
    """Whether a statement does no more than look at what it is given."""
    call = s.value if isinstance(s, gast.Expr) else None
    return isinstance(call, gast.Call) and facts.is_helper(kinds.find(call.func), *CHECKS)


def changed(s, kinds):
    """Names of arrays that a statement may change, as far as its header goes."""
    names = set() if checks(s, kinds) else lent(s, kinds) | tree.mutates(s)
    for n in [n for part in tree.header(s) for n in tree.walk(part)]:              # in `a[0], b = ...`, `del a[0]`, too
        if isinstance(n, (gast.Subscript, gast.Attribute)) and not isinstance(n.ctx, gast.Load):
            names |= {tree.root_name(n)} - {None}
    return {m for n in names for m in kinds.family(n)}


def kept(function, kinds):
    """Names of arrays that something may keep: functions of which that is not known, tapes, tuples, lists, objects, and names
    that stand for parts in turn. What is returned at the end is none of them."""
    names: set = set()
    for s in tree.every(function.body):
        names |= {n for part in held(s, kinds) for n in part}
    return {m for n in names for m in kinds.family(n)}


def held(s, kinds):
    """Lists of the names of which a statement gives something the memory."""
    if isinstance(s, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        yield [n.id for n in tree.walk(s) if isinstance(n, gast.Name)]
        return
    if not checks(s, kinds):
        yield lent(s, kinds)
    if isinstance(s, (gast.For, gast.AsyncFor)):
        yield kinds.views(s.iter)
    elif isinstance(s, (gast.With, gast.AsyncWith)):
        yield [n for item in s.items for n in tree.names(item.context_expr, gast.Load)]
    elif isinstance(s, gast.Assign) and any(is_place(t, kinds) for t in s.targets):
        yield kinds.views(s.value)
    for n in [n for part in tree.header(s) for n in tree.walk(part)]:
        if isinstance(n, CAPTURING):
            yield tree.names(n, gast.Load)
        elif isinstance(n, gast.Dict):
            yield [m for e in n.values for m in kinds.views(e)]
        elif isinstance(n, HOLDING) and isinstance(n.ctx if not isinstance(n, gast.Set) else gast.Load(), gast.Load) \
                and not (isinstance(s, gast.Return) and n is s.value):
            yield [m for e in n.elts for m in kinds.views(e)]


def is_place(target, kinds):
    """Whether a target is a place in something that may hold arrays; what is written into an array is copied."""
    if isinstance(target, HOLDING):
        return any(is_place(t, kinds) for t in target.elts)
    kind = kinds.kind(target.value) if isinstance(target, gast.Subscript) else None
    return isinstance(target, (gast.Attribute, gast.Subscript)) and (kind is None or kind.parts is not None or not kind.rank)
