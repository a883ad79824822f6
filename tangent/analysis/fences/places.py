"""Places: which writes into one object may be seen in another.

A place is a name, or a name with its first attribute or constant key: `y`, `o.xs`, `d['k']`. How deep a write goes is a
number: 0 binds the name or attribute anew, 1 is `y += v`, 2 writes into the object itself, 3 into what it holds. So

    z = y[1:]                      a write into z is one into y
    v = y[0]                       v += 1 is taken for one of a number; v[1] = 3 writes into y
    out = [v]; out.append(v)       out[0] = 3 leaves v alone; out[0][1] = 3 writes into it
    out = list(y)                  the same of what y holds
"""
from typing import NamedTuple

import gast

from tangent.frontend import tree
from tangent.runtime import facts

BIND, UPDATE, WRITE, DEEP = range(4)
MOST = DEEP + 2


class Edge(NamedTuple):
    """A write into a name, at least `needed` deep, is one into the place, `by` deeper; and one into the place that is at
    least `seen` deep shows in what the name holds."""
    place: tuple
    needed: int = BIND
    by: int = 0
    seen: int = UPDATE


class Places:
    """What each name of a function may share with others.

    edges : name -> its Edges
    is_lazy : whether an expression is an iterator that has yet to read what it was made of: what it gives has been read
    """

    def __init__(self, function, aliases, is_lazy):
        self.aliases, self.is_lazy, self.edges = aliases, is_lazy, {}
        for s in tree.every(function.body):
            if isinstance(s, (gast.Assign, gast.AnnAssign)) and s.value is not None:
                for t in s.targets if isinstance(s, gast.Assign) else [s.target]:
                    self.bind(t, self.shared(s.value))
            elif isinstance(s, gast.For):
                self.bind(s.target, self.elements(s.iter))
            elif isinstance(s, gast.With):
                for item in s.items:
                    self.bind(item.optional_vars, self.shared(item.context_expr))
            change = aliases.builders.changes.get(s)
            if change is not None and change.value is not None:
                self.add(change.name, held(self.shared(change.value)))
            for node in (n for part in tree.header(s) for n in tree.walk(part)):
                if isinstance(node, gast.comprehension):
                    self.bind(node.target, self.elements(node.iter))

    def bind(self, target, found):
        if isinstance(target, gast.Name):
            self.add(target.id, found)
        elif isinstance(target, (gast.Tuple, gast.List)):
            for e in target.elts:
                self.bind(e, element(found))
        elif isinstance(target, gast.Starred):
            self.bind(target.value, held(found))
        elif isinstance(target, (gast.Subscript, gast.Attribute)):
            self.add(tree.root_name(target), held(found))

    def add(self, name, found):
        self.edges.setdefault(name, set()).update(found)

    def elements(self, expr):
        """What an element of the expression may share; nothing for what such an iterator gives."""
        return set() if self.is_lazy(expr) else element(self.shared(expr))

    def shared(self, expr):
        """The Edges of a name for the value of an expression."""
        if isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute)) and place(expr) is not None:
            return {Edge(place(expr), BIND if isinstance(expr, gast.Name) else WRITE)}
        if isinstance(expr, gast.Subscript):
            found = self.shared(expr.value)
            return part(found) if isinstance(expr.slice, (gast.Slice, gast.Tuple)) else element(found)
        if isinstance(expr, (gast.Attribute, gast.Starred)):
            return part(self.shared(expr.value))
        if isinstance(expr, (gast.Tuple, gast.List, gast.Set, gast.Dict)):
            return held(self.together(expr.values if isinstance(expr, gast.Dict) else expr.elts))
        if isinstance(expr, gast.IfExp):
            return self.together([expr.body, expr.orelse])
        if isinstance(expr, gast.BoolOp):
            return self.together(expr.values)
        if isinstance(expr, (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)):
            return held(self.shared(expr.value if isinstance(expr, gast.DictComp) else expr.elt))
        if isinstance(expr, gast.Call) and not self.is_lazy(expr):
            if facts.of(self.aliases.resolver(expr.func)).takes_all:
                return {e._replace(seen=DEEP) for e in held(element(self.together(expr.args)))}
            if isinstance(self.aliases.resolver(expr.func), type):
                return held(self.together(tree.arguments(expr)))
            return part({Edge((n, None)) for n in self.aliases.by_call(expr)})
        return set()

    def together(self, exprs):
        return set().union(*map(self.shared, exprs))

    def written(self, start, deep):
        """{place: how deep} of what a write into a place may change."""
        found, pending = {}, [(start, deep)]
        while pending:
            at, deep = pending.pop()
            if found.get(at, -1) >= deep:
                continue
            found[at] = min(deep, MOST)
            root, suffix = at
            if suffix is not None:
                found[root, '*'] = max(found.get((root, '*'), -1), deep + 1)
            for edge in self.edges.get(root, ()):
                inside = deep + (suffix is not None)
                if edge.needed == edge.by and edge.place[1] is None and suffix is not None:     # another name of the root
                    pending.append(((edge.place[0], suffix), deep))
                elif inside >= max(edge.needed, UPDATE):
                    pending.append((edge.place, min(inside + edge.by, MOST)))
        return found

    def read(self, start, deep=UPDATE):
        """{place: how deep a write into it has to be to show} for what reads a place, now or later."""
        found, pending = {}, [(start, deep)]
        while pending:
            at, deep = pending.pop()
            root, suffix = at
            for other, least in [(at, deep), ((root, '*'), deep) if suffix is None else ((root, None), DEEP)]:
                found[other] = min(least, found.get(other, MOST))
            pending += [(edge.place, max(deep, edge.seen)) for edge in self.edges.get(root, ())
                        if found.get(edge.place, MOST) > max(deep, edge.seen)]
        return found


def place(expr):
    """(name, None), (name, attribute) or (name, key) of an expression that stands for a place of its own, else None."""
    if isinstance(expr, gast.Name):
        return expr.id, None
    owner = getattr(expr, 'value', None)
    if isinstance(owner, gast.Name) and isinstance(expr, gast.Attribute):
        return owner.id, expr.attr
    if isinstance(owner, gast.Name) and isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Constant) \
            and (isinstance(expr.slice.value, str) or isinstance(expr.slice.value, int) and expr.slice.value >= 0):
        return owner.id, repr(expr.slice.value)
    return None


def part(found):
    """What a part, or a view, of a value may share."""
    return {e._replace(needed=max(e.needed - 1, BIND), by=e.by + 1) for e in found}


def element(found):
    """The same of one element, which is taken for a number where it is updated by `+=`."""
    return {e._replace(needed=max(e.needed - 1, WRITE), by=e.by + 1) for e in found}


def held(found):
    """What a list may share that holds a value."""
    return {e._replace(needed=max(e.needed + 1, DEEP), by=e.by - 1, seen=max(e.seen, WRITE)) for e in found}
