"""Loops over what changes, by number: over the rows of arrays, and over lists and dicts of arrays.

    for row in a:                  for i in range(len(a)):
        row[0] = v         ->          row = a[i]
                                       row[0] = v

    for u, v in zip(a, b):         for i in range(min(len(a), len(b))):
        v[:] = u ** 2      ->          u = a[i]
                                       v = b[i]
                                       v[:] = u ** 2

    for p, g in zip(ps, gs):       for i in range(min(len(ps), len(gs))):
        p -= rate * g      ->          ps[i] -= rate * gs[i]

    for k, v in d.items():         for k in dict_keys(d):
        v -= g[k]          ->          d[k] -= g[k]

So that `views` knows which part of which array a name stands for, and `element_updates` whose element. What is gone through is
as long at the end as it was.
"""
from typing import NamedTuple

import gast

from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.ssa import live_after
from tangent.normal.typed.owned import stored_whole
from tangent.normal.typed.views import LATE, bound, may_be_written, stores


def written_out(function, kinds, ints, held, resolver, library):
    """(the FunctionDef with such loops, the variables that hold integers).

    kinds : name -> how many axes it has, for arrays
    ints : variables that hold integers
    held : the `Held` of the function
    """
    axes = {n: kind for n, kind in kinds.items() if type(kind) is int}
    if not (held.of_arrays or any(kind > 1 for kind in axes.values())) \
            or not any(isinstance(s, gast.For) for s in tree.every(function.body)):
        return function, ints
    loops = _Loops(function, axes, held, resolver, library)
    return tree.replace(function, body=loops.block(function.body)), ints | loops.made


class Course(NamedTuple):
    """What a loop goes through.

    number : name of the number, or of the key, or None
    names, over : of the variables, and of what each goes through; None for what is no name
    keyed : whether that is a dict
    """
    number: str | None
    names: list
    over: list
    keyed: bool = False


class _Loops:
    """made : names of the numbers that are new
    rows : name of a row -> names of the arrays that loops by number take it from
    """

    def __init__(self, function, axes, held, resolver, library):
        self.axes, self.held, self.resolver, self.library = axes, held, resolver, library
        self.made, self.rows, self.live = set(), {}, {}
        live_after(function.body, frozenset(), self.live)

    def block(self, stmts):
        out = []
        for s in stmts:
            blocks = {field: self.block(block) for field, block in tree.blocks(s)}
            new = tree.replace(s, **blocks) if blocks else s
            out.append(self.counted(s, new) if isinstance(s, gast.For) else new)
        return out

    def counted(self, s, new):
        """The loop `new` by number where that is called for; `s` is what it was before its body was looked at."""
        course = self.course(new)
        rows = {name: array for name, array in zip(course.names, course.over) if self.axes.get(array, 0) > 1}
        updated = updated_in_place(new.body)
        parts = {name for name, held in zip(course.names, course.over) if held in self.held.of_arrays and name in updated}
        changes = parts or not self.changed(new.body).isdisjoint({*rows, *rows.values()})
        if not changes or not self.fits(new.body, course) or not self.live[s].isdisjoint(course.names):
            return new
        for name, array in rows.items():
            self.rows.setdefault(name, set()).add(array)
        return self.by_number(new, course)

    def by_number(self, s, course):
        index = course.number
        if index is None:
            index = self.library.names.fresh('k' if course.keyed else 'i')
            self.made |= set() if course.keyed else {index}
        elements = {name: gast.Subscript(value=tree.load(of), slice=tree.load(index), ctx=gast.Load())
                    for name, of in zip(course.names, course.over)}
        lists = {name: elements[name] for name, of in zip(course.names, course.over) if of not in self.axes}
        first = [tree.instead(tree.assign(name, element, tree.origin(s)), s) for name, element in elements.items()
                 if name not in lists]
        body = first + [put_in(t, lists) for t in s.body]
        return tree.replace(s, target=tree.store(index), iter=self.numbers(course), body=body)

    def numbers(self, course):
        """What a loop by number goes through."""
        if course.keyed:
            known = self.library('dict_keys')
            self.resolver.seen[known] = find('dict_keys')
            return tree.call(known, tree.load(course.over[0]))
        lengths = [tree.call(self.library.known('len'), tree.load(name)) for name in dict.fromkeys(course.over)]
        count = tree.call(self.library.known('min'), *lengths) if len(lengths) > 1 else lengths[0]
        return tree.call(self.library.known('range'), count)

    def changed(self, stmts):
        """Names of what statements may write into, and of the arrays whose rows these are."""
        found = may_be_written(stmts)
        while more := {array for row in found for array in self.rows.get(row, ())} - found:
            found |= more
        return found

    def course(self, s):
        target, given, index = s.target, s.iter, None
        entries = given.func if isinstance(given, gast.Call) and not given.args and not given.keywords else None
        if isinstance(entries, gast.Attribute) and self.resolver(entries) is UNKNOWN:
            pair = entries.attr == 'items' and is_pair(target)
            if not pair and entries.attr != 'values' or pair and not isinstance(target.elts[0], gast.Name):
                return Course(None, [None], [None])
            index, target = target.elts if pair else (None, target)
            return Course(getattr(index, 'id', None), *names_of([target], [entries.value]), keyed=True)
        index, pairs = at_a_time(target, given, self.resolver)
        if index is not None and not isinstance(index, gast.Name):
            return Course(None, [None], [None])
        return Course(getattr(index, 'id', None), *names_of(*zip(*pairs)))

    def fits(self, body, course):
        """Whether a loop can go by number: what it binds is bound by it alone, and what it goes through stays as long as it
        is, each element where it is."""
        index, names, over, keyed = course
        mine = {*names, index} - {None}
        late = {n for s in body for scope in tree.walk(s) if isinstance(scope, LATE) for n in tree.all_names(scope)}
        return None not in names and len(set(names)) == len(names) and mine.isdisjoint(late) and mine.isdisjoint(over) \
            and all(self.axes.get(n) and not keyed or self.stays(body, n, keyed) for n in over) \
            and bound(body).isdisjoint([*over, index]) and not any(stores(body, n) for n in names)

    def stays(self, body, name, keyed):
        """Whether statements only read elements of a list or dict, or change them in place."""
        if name not in (self.held.of_arrays if keyed else self.held.listed):
            return False
        nodes = [n for s in body for n in tree.walk(s)]
        updated = {id(s.target) for s in tree.every(body) if isinstance(s, gast.AugAssign)}
        inside = [n.value for n in nodes if isinstance(n, gast.Subscript) and (isinstance(n.ctx, gast.Load) or id(n) in updated)
                  and not isinstance(n.slice, gast.Slice)]
        return sum(getattr(n, 'id', None) == name for n in nodes) == sum(getattr(e, 'id', None) == name for e in inside)


def at_a_time(target, iterated, resolver):
    """(the counter or None, (target, what it goes through) of each) of a loop: `for k, (p, g) in enumerate(zip(ps, gs))`."""
    def given(function):
        plain = isinstance(iterated, gast.Call) and not iterated.keywords
        return iterated.args if plain and resolver(iterated.func) is function else ()
    index = None
    if len(given(enumerate)) == 1 and is_pair(target):
        (index, target), iterated = target.elts, iterated.args[0]
    several = isinstance(target, (gast.Tuple, gast.List)) and len(given(zip)) == len(target.elts) > 0
    return index, list(zip(target.elts, iterated.args)) if several else [(target, iterated)]


def is_pair(target):
    return isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == 2


def names_of(*several):
    """Lists with the name that each of the expressions is, or None."""
    return [[getattr(e, 'id', None) for e in each] for each in several]


def updated_in_place(stmts):
    """Names that stand for themselves in `x += v`, and in `x[:] = x + v`."""
    found = {s.target.id for s in tree.every(stmts) if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)}
    return found | {getattr(stored_whole(s), 'id', None) for s in tree.every(stmts)} - {None}


def put_in(node, instead):
    """The tree with expressions in the place of names."""
    if isinstance(node, gast.Name):
        return tree.replace(tree.clone(instead[node.id]), ctx=node.ctx) if node.id in instead else node
    return tree.with_children(node, lambda n: put_in(n, instead)) if instead else node
