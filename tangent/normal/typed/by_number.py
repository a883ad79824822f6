"""Loops over the rows of arrays that change, by the numbers of the rows.

    for row in a:                  for i in range(len(a)):
        row[0] = v         ->          row = a[i]
                                       row[0] = v

    for u, v in zip(a, b):         for i in range(min(len(a), len(b))):
        v[:] = u ** 2      ->          u = a[i]
                                       v = b[i]
                                       v[:] = u ** 2

So that `views` knows which part of which array a name stands for. Arrays are as long at the end as they were; what else is gone
through beside them is a list that the loop does not mention.
"""
import gast

from tangent.frontend import tree
from tangent.normal.ssa import live_after
from tangent.normal.typed.views import LATE, bound, may_be_written, stores


def written_out(function, kinds, ints, listed, resolver, library):
    """(the FunctionDef with such loops, the variables that hold integers).

    kinds : name -> how many axes it has, for arrays
    ints : variables that hold integers
    listed : those that hold lists and tuples
    """
    axes = {n: kind for n, kind in kinds.items() if type(kind) is int}
    if not any(kind > 1 for kind in axes.values()) or not any(isinstance(s, gast.For) for s in tree.every(function.body)):
        return function, ints
    loops = _Loops(function, axes, listed, resolver, library)
    return tree.replace(function, body=loops.block(function.body)), ints | loops.made


class _Loops:
    """made : names of the numbers that are new
    rows : name of a row -> names of the arrays that loops by number take it from
    """

    def __init__(self, function, axes, listed, resolver, library):
        self.axes, self.listed, self.resolver, self.library = axes, listed, resolver, library
        self.made, self.rows, self.live = set(), {}, {}
        live_after(function.body, frozenset(), self.live)

    def block(self, stmts):
        out = []
        for s in stmts:
            blocks = {field: self.block(block) for field, block in tree.blocks(s)}
            new = self.counted(s) if isinstance(s, gast.For) else {}
            if new:
                blocks['body'] = [*(tree.instead(first, s) for first in new.pop('first')), *blocks['body']]
            out.append(tree.replace(s, **{**blocks, **new}) if blocks else s)
        return out

    def counted(self, s):
        """Target and iterator of a loop by number, and the `first` statements of its body; nothing for other loops."""
        index, pairs = self.gone_through(s)
        names = [getattr(t, 'id', None) for t, _ in pairs]
        over = [getattr(e, 'id', None) for _, e in pairs]
        rows = {name: array for name, array in zip(names, over) if self.axes.get(array, 0) > 1}
        if self.changed(s.body).isdisjoint({*rows, *rows.values()}) or not self.fits(s, names, over, index):
            return {}
        for name, array in rows.items():
            self.rows.setdefault(name, set()).add(array)
        if index is None:
            index = self.library.names.fresh('i')
            self.made.add(index)
        lengths = [tree.call(self.library.known('len'), tree.load(name)) for name in dict.fromkeys(over)]
        count = tree.call(self.library.known('min'), *lengths) if len(lengths) > 1 else lengths[0]
        element = lambda name: gast.Subscript(value=tree.load(name), slice=tree.load(index), ctx=gast.Load())  # noqa: E731
        return {'target': tree.store(index), 'iter': tree.call(self.library.known('range'), count),
                'first': [tree.assign(name, element(array), tree.origin(s)) for name, array in zip(names, over)]}

    def changed(self, stmts):
        """Names of what statements may write into, and of the arrays whose rows these are."""
        found = may_be_written(stmts)
        while more := {array for row in found for array in self.rows.get(row, ())} - found:
            found |= more
        return found

    def gone_through(self, s):
        """(name of the number or None, (target, what it goes through) of each) of a loop; no pairs for what is no such loop."""
        target, given, index = s.target, s.iter, None
        if self.is_call(given, enumerate) and len(given.args) == 1 and is_pair(target):
            (index, target), given = target.elts, given.args[0]
            if not isinstance(index, gast.Name):
                return None, []
        several = self.is_call(given, zip) and isinstance(target, (gast.Tuple, gast.List)) \
            and len(given.args) == len(target.elts) > 0
        return getattr(index, 'id', None), list(zip(target.elts, given.args)) if several else [(target, given)]

    def is_call(self, expr, function):
        return isinstance(expr, gast.Call) and self.resolver(expr.func) is function and not expr.keywords

    def fits(self, s, names, over, index):
        """Whether a loop can go by number: what it binds is bound by it alone and read inside it, and what it goes through
        stays as long as it is."""
        mine = {*names, index} - {None}
        nodes = [n for t in s.body for n in tree.walk(t)]
        mentioned = {n.id for n in nodes if isinstance(n, gast.Name)}
        late = {n for scope in nodes if isinstance(scope, LATE) for n in tree.all_names(scope)}
        return None not in names and len(set(names)) == len(names) and mine.isdisjoint(late) and mine.isdisjoint(over) \
            and all(self.axes.get(n) or n in self.listed and n not in mentioned for n in over) \
            and bound(s.body).isdisjoint([*over, index]) and not any(stores(s.body, n) for n in names) \
            and self.live[s].isdisjoint(names)


def is_pair(target):
    return isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == 2
