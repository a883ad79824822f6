"""Values that cost next to nothing are written where they are used."""
import functools

import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.analysis.kinds.values import Array, Number, Parts
from tangent.frontend import tree
from tangent.optimize import rewrite

CONDITION = (gast.Compare, gast.BoolOp, gast.UnaryOp, gast.Name, gast.Constant, gast.Subscript, gast.Attribute, gast.cmpop,
             gast.boolop, gast.unaryop, gast.expr_context)
VIEWS = frozenset(('T', 'shape', 'size', 'ndim', 'dtype', 'real', 'imag'))
USES = 3
NODES = 12
TWICE = 2        # how often a person would rather write one operation of numbers than think of a name for it
SHORT = 2        # operations of numbers that a person would write twice
ATOMS = (gast.Name, gast.Constant, gast.UnaryOp, gast.Attribute, gast.Subscript)
ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div)


def cheap(func):
    """Write a condition into the branches of both passes, an element into the formulas, if they never change. Where kinds
    are known, one operation of two numbers as well.

    >>> show(cheap, 'c = x > 0\\nif c:\\n y = 1\\nif c:\\n z = 2', params=['x'])
    if x > 0:
        y = 1
    if x > 0:
        z = 2
    >>> show(cheap, 'c = y > 0\\nif c:\\n y = 1\\nif c:\\n z = 2', params=['y'])
    c = y > 0
    if c:
        y = 1
    if c:
        z = 2
    >>> show(cheap, 't = x[0]; y = t * w; bw = by * t; return y, bw')
    y = x[0] * w; bw = by * x[0]; return (y, bw)
    >>> show(cheap, 't = x[0]; x[0] = 1; y = t * w; bw = by * t; return y, bw')
    t = x[0]; x[0] = 1; y = t * w; bw = by * t; return (y, bw)
    """
    return rewrite.with_body(func, _Cheap(func).block(func.tree.body))


class _Cheap:
    def __init__(self, func):
        self.func, self.known = func, func.known
        self.effects, self.places = effects_of(func), cfg.places(func)
        self.rank, self.bound, self.readers = {}, {}, {}
        for k, stmt in enumerate(self.places):
            self.rank[stmt] = k
            for name in look(stmt).writes:
                self.bound.setdefault(name, []).append(stmt)
            for name in look(stmt).loads:
                self.readers.setdefault(name, []).append(stmt)
        self.wild = any(self.effects.unknown(stmt) for stmt in self.places)
        self.values, self.steps = {}, {}
        for stmt in self.places:
            if self.folds(stmt):
                if self.known is not None and tree.role(stmt) == 'adjoint':
                    self.steps[tree.target(stmt)] = tree.origin(stmt)
                value = rewrite.substitute(stmt.value, self.values)
                self.values[tree.target(stmt)] = tree.part_of(value, tree.origin(stmt)) if self.known is not None else value

    def folds(self, stmt):
        """Whether the statement gives a cheap value that is the same in all the statements that read it."""
        name, effects = tree.target(stmt), self.effects
        readers = self.readers.get(name, ())
        if name is None or not effects.stable(name) or not (effects.temporary(name) or self.ends(stmt, readers)):
            return False
        most = TWICE if isinstance(stmt.value, gast.BinOp) else USES
        number = self.known is not None and effects.uses.get(name, 0) <= most and self.number(stmt.value) \
            or self.is_sign(stmt.value) and all(self.absorbs(reader, name) for reader in readers)
        fewest = 1 if self.known is not None and condition(stmt.value) else 2
        written = tree.names(rewrite.substitute(stmt.value, self.values), gast.Load)
        if not number and not fewest <= len(readers) <= USES or not all(self.lasts(n, stmt) for n in written):
            return False
        if any(self.places[reader].loops != self.places[stmt].loops for reader in readers):
            return False
        part = number and isinstance(stmt.value, gast.Subscript)
        if self.wild and (part or look(stmt.value).attributes) and not self.of_array(stmt.value):
            return False
        if number or element(stmt.value, self.places[stmt].loops, self.is_number(name)) and not self.gathers(stmt.value):
            return True
        return condition(stmt.value) and all(isinstance(reader, gast.If) for reader in readers)

    def is_sign(self, expr):
        """Whether it is `-x` for an array."""
        return self.known is not None and isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub) \
            and isinstance(expr.operand, gast.Name) and isinstance(self.kinds.of(expr), Array)

    def absorbs(self, node, name, taken=False):
        """Whether no array is computed for the sign of what has that name, wherever it is read.

        taken : whether what is around the expression takes up its sign
        """
        if isinstance(node, gast.Name):
            return node.id != name or taken
        if isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub)):
            return self.absorbs(node.target, name) and self.absorbs(node.value, name, True)
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
            return self.absorbs(node.left, name, taken) and self.absorbs(node.right, name, taken)
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
            return self.absorbs(node.left, name, isinstance(node.op, gast.Add)) and self.absorbs(node.right, name, True)
        inside = isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
            or isinstance(node, gast.Call) and tree.dotted(node.func) == f'{self.known.library("numpy")}.sum'
        return all(self.absorbs(child, name, inside) for child in tree.children(node))

    def gathers(self, expr):
        """Whether it is `x[rows]`, which makes a new array."""
        return self.known is not None and isinstance(expr, gast.Subscript) and any(
            isinstance(self.kinds.of(part), Array) for part in tree.walk(expr.slice))

    def ends(self, stmt, readers):
        """Whether the statement makes a gradient of which nothing but the last line speaks, of what others speak of as well."""
        twice = self.effects.uses.get(tree.target(stmt), 0) > 1
        if twice and (operations(rewrite.substitute(stmt.value, self.values)) > 1 or any(
                self.effects.temporary(name) and self.effects.uses.get(name) == 1 for name in look(stmt.value).loads)):
            return False
        return self.known is not None and tree.role(stmt) == 'adjoint' and all(
            isinstance(s, gast.Return) for reader in readers for s in self.readers.get(tree.target(reader), [reader]))

    @functools.cached_property
    def kinds(self):
        return self.known.infer(self.func.tree)

    def of_array(self, expr):
        """Whether it is an attribute of an array, which nobody binds anew."""
        return self.known is not None and isinstance(expr, gast.Attribute) and isinstance(self.kinds.of(expr.value), Array)

    def number(self, expr):
        """Whether the expression is an operation of numbers or two, or a field of an object that holds a number or an array."""
        parts = [expr.left, expr.right] if is_operation(expr) else \
            [expr.operand] if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub) else ()
        if not parts:
            field = isinstance(expr, gast.Attribute)
            field = field or isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Constant)
            if not field or not isinstance(expr.value, gast.Name):
                return False
            return isinstance(self.kinds.of(expr.value), Parts) and isinstance(self.kinds.of(expr), (Number, Array))
        written = [rewrite.substitute(part, self.values) for part in parts]
        return 1 + sum(map(operations, written)) <= SHORT and all(isinstance(self.kinds.of(part), Number) for part in parts)

    def lasts(self, name, stmt):
        """Whether the name keeps the value it has at the statement."""
        effects = self.effects
        if name in effects.captured or name in effects.mutated and not self.is_number(name) and not self.rests(name, stmt):
            return False
        if name not in effects.count:
            return name in effects.modules or not self.wild
        return effects.count[name] == 1 or not self.places[stmt].loops and (
            self.rank[self.bound[name][-1]] < self.rank[stmt]) or self.waits(name, stmt)

    def waits(self, name, stmt):
        """Whether all that reads the value of the statement stands before what binds the name next, or is that."""
        readers = self.readers[tree.target(stmt)]
        first, last = self.rank[stmt], max(readers, key=self.rank.get)
        binders = [s for s in self.bound.get(name, ()) if first < self.rank[s] < self.rank[last]
                   or s is last and not isinstance(s, gast.Assign)]
        return self.known is not None and not binders and all(
            first < self.rank[s] and not isinstance(s, gast.While) for s in readers)

    def rests(self, name, stmt):
        """Whether nothing changes what the name holds where the value of the statement is read: in the loop around both, or
        from there to the last that reads it."""
        if self.known is None or self.wild:
            return False
        loops, last = self.places[stmt].loops, max(self.rank[s] for s in self.readers[tree.target(stmt)])
        return not any(name in self.effects.changes(s) for s in self.places if self.places[s].loops[:len(loops)] == loops and (
            loops or self.rank[stmt] <= self.rank[s] <= last))

    def is_number(self, name):
        """Whether it is known to hold numbers alone, which nobody writes into."""
        return self.known is not None and isinstance(self.kinds.names.get(name), Number)

    def block(self, block):
        out = []
        for stmt in block:
            name = tree.target(stmt)
            if name is not None and name in self.values:
                continue
            if any(name in self.values for name in look(stmt).loads):
                steps = [origin for name, origin in self.steps.items() if name in look(stmt).loads]
                stmt = rewrite.header(stmt, lambda part: rewrite.substitute(part, self.values))
                if steps and tree.role(stmt) == 'return':       # what was the last step's is that step
                    tree.place(stmt, steps[-1])
            out.append(rewrite.with_blocks(stmt, lambda inner: self.block(inner) or inner and [gast.Pass()]))
        return rewrite.same(out, block)


def is_operation(expr):
    """Whether it is an operation that costs little: a power is one multiplication or two."""
    small = isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Pow) and getattr(expr.right, 'value', None) in (2, 3)
    return small or isinstance(expr, gast.BinOp) and isinstance(expr.op, ARITHMETIC)


def operations(expr):
    """How many operations of numbers an expression has; more than enough if there is anything else in it."""
    if is_operation(expr):
        return 1 + operations(expr.left) + operations(expr.right)
    return 0 if isinstance(expr, ATOMS) else SHORT


def condition(expr):
    """Whether the expression is a short test."""
    if not isinstance(expr, CONDITION):
        return False
    nodes = list(gast.walk(expr))
    return len(nodes) <= NODES and all(isinstance(node, CONDITION) for node in nodes)


def element(expr, loops, numbers):
    """Whether the expression is `x[i]` or `x.T`; in a loop no slice, which makes a new view on each trip.

    numbers : whether it is known to be a number, so that `x[i - 1]` is one, too
    """
    if isinstance(expr, gast.Attribute):
        return isinstance(expr.value, gast.Name) and expr.attr in VIEWS
    if not isinstance(expr, gast.Subscript) or not isinstance(expr.value, gast.Name):
        return False
    index = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
    parts = [p for i in index for p in ([i.lower, i.upper, i.step] if isinstance(i, gast.Slice) and not loops else [i])]
    return all(part is None or tree.is_atom(part) or numbers and is_beside(part) for part in parts)


def is_beside(expr):
    """Whether it is `i + 1` or `i - 1`."""
    return isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)) and tree.is_atom(
        expr.left) and isinstance(expr.right, gast.Constant)
