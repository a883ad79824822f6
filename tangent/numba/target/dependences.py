"""What the trips of a loop have to do with each other: which elements each writes, which names go from one to the next.

The text of a derivative mirrors that of the function. What the user's `prange` promises, that no trip reads or writes an
element that another one writes, holds in the adjoint for the elements that the function writes. The elements that it
only reads may be read by many trips, and there the adjoint adds up: those places are looked at here.
"""
from typing import NamedTuple

import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.ranges import forwards, number
from tangent.analysis.liveness import exposed
from tangent.frontend import tree
from tangent.templates.language import registry

ADDS = frozenset('add_at add_grad add_item add_field'.split())       # `b = add_at(b, index, v)`


class Serial(Exception):
    """Why the trips of a loop run in order."""


class Access(NamedTuple):
    """What a statement does to an array: kind is 'add', 'store', 'read' or 'whole', `at` a tuple of trees."""
    kind: str
    at: tuple = ()
    key: str = ''


class Place(NamedTuple):
    """Elements `scale * i + shift` along an axis."""
    axis: int
    scale: int
    shift: int


class Loop:
    """A loop over a range that may become parallel.

    Parameters
    ----------
    loop : gast.For
    helper : callable
        Name in the text -> name of the helper of ours that it stands for, or None.
    """

    def __init__(self, loop, helper):
        self.loop, self.helper = loop, helper
        self.body, self.var = loop.body, loop.target.id if isinstance(loop.target, gast.Name) else None
        self.first, self.last = extent(loop.iter)
        self.stored = {n for s in tree.every(self.body) for n in tree.writes(s)} | {self.var}
        self.values = {}                       # name -> the one expression it stands for in every trip
        stmts = list(tree.every(self.body))
        for s in stmts:
            name = tree.target(s)
            if name and sum(name in tree.writes(t) for t in stmts) == 1:
                self.values[name] = s.value
        self.inner: dict = {}                  # variable of an inner loop -> its header
        self.accesses: dict = {}               # array -> [Access]
        self.block(self.body)

    # What the statements do

    def block(self, stmts):
        for s in stmts:
            self.statement(s)
            before = dict(self.inner)
            if isinstance(s, gast.For) and isinstance(s.target, gast.Name):
                header = forwards(s.iter) or s.iter
                self.inner[s.target.id] = gast.dump(header)
            for _, block in tree.blocks(s):
                self.block(block)
            self.inner = before

    def statement(self, s):
        added = self.addition(s)
        if added is not None:
            name, index, parts = added
            if index is not None:
                self.note(name, 'add', index)
            for part in parts:
                self.expression(part)
            return
        for part in tree.header(s):
            self.expression(part)
        if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Subscript):
            self.note(tree.root_name(s.target) or '', 'read', s.target)       # some other operator

    def addition(self, s):
        """(name, element or None, other expressions) of a statement that adds to a name or an element; else None."""
        if isinstance(s, gast.AugAssign) and isinstance(s.op, (gast.Add, gast.Sub)):
            if isinstance(s.target, gast.Name):
                return s.target.id, None, [s.value]
            if isinstance(s.target, gast.Subscript) and isinstance(s.target.value, gast.Name):
                return s.target.value.id, s.target, [s.target.slice, s.value]
        name = tree.target(s)
        if name is None:
            return None
        value = s.value
        if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub)) \
                and isinstance(value.left, gast.Name) and value.left.id == name:
            return name, None, [value.right]
        if self.by_helper(s):
            if self.helper(value.func.id) == 'add_at':
                element = gast.Subscript(value=value.args[0], slice=value.args[1], ctx=gast.Load())
                return name, element, value.args[1:]
            return name, None, value.args[1:]
        return None

    def by_helper(self, s):
        value = getattr(s, 'value', None)
        return isinstance(value, gast.Call) and isinstance(value.func, gast.Name) \
            and self.helper(value.func.id) in ADDS and isinstance(value.args[0], gast.Name) \
            and value.args[0].id == tree.target(s)

    def expression(self, expr):
        if isinstance(expr, gast.Attribute) and registry.tells(expr.attr):
            return
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name) and self.helper(expr.func.id) == 'init_grad':
            return                             # looks at the shape alone
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name) and self.helper(expr.func.id) == 'last_at' \
                and isinstance(expr.args[0], gast.Name):
            expr = gast.Subscript(value=expr.args[0], slice=expr.args[1], ctx=gast.Load())
        if isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Name):
            self.note(expr.value.id, 'store' if isinstance(expr.ctx, gast.Store) else 'read', expr)
            self.expression(expr.slice)
            return
        if isinstance(expr, gast.Name):
            if isinstance(expr.ctx, gast.Load):
                self.accesses.setdefault(expr.id, []).append(Access('whole'))
            return
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and tree.dotted(expr.func):
            for part in tree.arguments(expr):
                self.expression(part)
            if tree.dotted(expr.func).partition('.')[0] in self.stored:
                self.expression(expr.func.value)
            return
        for part in tree.children(expr):
            self.expression(part)

    def note(self, name, kind, element):
        index = element.slice.elts if isinstance(element.slice, gast.Tuple) else [element.slice]
        index = tuple(self.settled(e) for e in index)
        key = ', '.join(gast.dump(e) + ''.join(self.inner.get(n, '') for n in tree.names(e, gast.Load)) for e in index)
        self.accesses.setdefault(name, []).append(Access(kind, index, key))

    def settled(self, expr, depth=4):
        """The expression with names of the body replaced by what they stand for."""
        found = {n: self.values[n] for n in tree.names(expr, gast.Load)
                 if n in self.values and n != self.var and not any(isinstance(c, gast.Call) for c in tree.walk(self.values[n]))}
        return self.settled(tree.substitute(expr, found), depth - 1) if found and depth else expr

    # What goes from one trip to the next

    def carried(self, live):
        """name -> whether helpers add to it, for the names that the loop only adds to; `live`: names that are read after it."""
        found = {}
        open_names = exposed(self.body) & self.stored - {self.var}
        for name in sorted(open_names | live & self.stored - {self.var}):
            makes = [s for s in tree.every(self.body) if name in tree.writes(s)]
            adds = [s for s in tree.every(self.body) if (a := self.addition(s)) is not None and a[0] == name]
            if not all(s in adds for s in makes):
                raise Serial(f'{name} goes from one trip to the next')
            reads = sum(tree.names(part, gast.Load).count(name) for s in tree.every(self.body) for part in tree.header(s))
            if reads != sum(isinstance(s, gast.Assign) or isinstance(s.target, gast.Subscript) for s in adds):
                raise Serial(f'{name} is read while trips add to it')
            found[name] = any(self.by_helper(s) for s in makes)
        return found

    # Elements

    def place(self, expr):
        """(scale, shift) if the expression is `scale * i + shift`, else None."""
        if isinstance(expr, gast.Name):
            return (1, 0) if expr.id == self.var else None
        if number(expr) is not None:
            return 0, number(expr)
        if isinstance(expr, gast.BinOp):
            left, right = self.place(expr.left), self.place(expr.right)
            if left is None or right is None:
                return None
            if isinstance(expr.op, (gast.Add, gast.Sub)):
                sign = 1 if isinstance(expr.op, gast.Add) else -1
                return left[0] + sign * right[0], left[1] + sign * right[1]
            if isinstance(expr.op, gast.Mult) and 0 in (left[0], right[0]):
                (a, b), c = (left, right[1]) if right[0] == 0 else (right, left[1])
                return a * c, b * c
        return None

    def places(self, index):
        """The Places of an index, one for each part of it that follows the variable of the loop."""
        if any(isinstance(e, gast.Constant) and not isinstance(e.value, int) for e in index):        # ... or None
            return []
        found = [(axis, self.place(e)) for axis, e in enumerate(index) if not isinstance(e, gast.Slice)]
        return [Place(axis, *p) for axis, p in found if p is not None and p[0]]

    def width(self, name):
        """How far apart trips must be so that they touch no common element of an array: 0 where any two may go together.

        None where trips may touch any element, but all only add.
        """
        found = self.accesses[name]
        if any(a.kind == 'whole' for a in found):
            raise Serial(f'{name} is read as a whole while trips write into it')
        only_adds = all(a.kind == 'add' for a in found)
        common = set.intersection(*({(p.axis, p.scale) for p in self.places(a.at)} for a in found))
        for axis, scale in sorted(common):
            shifts = [p.shift for a in found for p in self.places(a.at) if (p.axis, p.scale) == (axis, scale)]
            spread, far = max(shifts) - min(shifts), max(map(abs, shifts))
            from_start = number(self.first)
            if spread < abs(scale) and scale > 0 and (not only_adds or from_start is not None and from_start >= 0
                                                      and scale * from_start + min(shifts) >= 0):
                return 0
            if only_adds and scale > 0:
                return spread + far + 1
        if any(a.kind == 'store' for a in found) and len({a.key for a in found}) == 1:
            return 0                           # what the function writes there, it writes in one trip
        if only_adds:
            return None
        raise Serial(f'trips read elements of {name} that others write')


def extent(header):
    """(first, last) of `range(first, last)`, or of one that runs backwards."""
    header = forwards(header) or header
    if not isinstance(header, gast.Call) or header.keywords or len(header.args) not in (1, 2):
        raise Serial('its range has a step')
    return tuple(header.args) if len(header.args) == 2 else (tree.constant(0), header.args[0])


def live_after(function, loop):
    """Names that may be read once the loop has ended."""
    graph = cfg.Graph(tree.Func(function, {}, frozenset(), frozenset(), {}))
    names = {n for node in graph.nodes for n in node.reads | node.writes}
    bits = {n: 1 << k for k, n in enumerate(sorted(names))}
    _, before = cfg.liveness(graph, bits)
    inside = {id(s) for s in tree.every(loop.body)} | {id(loop)}
    found = 0
    for node in graph.nodes:
        if node.stmt is loop:
            for after in graph.succ[node.at]:
                if id(graph.nodes[after].stmt) not in inside:
                    found |= before[after]
    return {n for n, bit in bits.items() if found & bit}
