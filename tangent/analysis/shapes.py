"""Shapes: where can an operation have broadcast?

The shape of a value is known as the set of things it was broadcast from: the empty set is a plain number, `{x}` the shape
of the parameter `x`, `{x, w}` what `x + w` has. Broadcasting is the union, so equal sets mean equal shapes, and a gradient
needs `unbroadcast` only where the sets of operand and result differ. What a reduction or a slice leaves is told by what it
was made from: `x[1:]` and `x[:-1]` are equally long, and `x - mean(x, keepdims=True)` has the shape of `x`.

A result that is checked to be a number (or an array of one element) says more: everything that reaches it element by
element is one too (`scalar`).
"""
import collections
import types

import gast

from tangent.analysis.dataflow.regions import End, end_of
from tangent.analysis.dataflow.solve import closure
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime import facts
from tangent.templates.language import registry

NUMBER: frozenset = frozenset()
INT_CALLS = (len, range, int)


class Shapes:
    """Shapes (`of`: name -> set) and integers (`ints`: names that hold Python integers) of a split function."""

    def __init__(self, function, ops, resolver, ranks=types.MappingProxyType({}), numbers=(), kinds=types.MappingProxyType({})):
        self.ops, self.resolver, self.ranks = ops, resolver, ranks
        self.of, self.ints, self.marks = {}, set(), {}
        self.received = set()              # names of what a buffer holds once a message has come, which are written into that
        self.vectors = {n for n, kind in kinds.items() if kind == 1}        # names that surely hold arrays of one axis
        self.numbers = {n for n, kind in kinds.items() if kind in ('int', 'number')}
        for name in tree.names(function.args, gast.Param):
            self.of[name] = NUMBER if name in numbers or name in self.numbers else frozenset([name])
        params = set(tree.names(function.args, gast.Param))
        self.ints = {n for n in counted(function.body, resolver) if n in params}
        self.ints |= {n for n, kind in kinds.items() if kind == 'int'}
        self.fixed = set(self.of) | {tree.target(s) for s in function.body if tree.target(s)}    # names outside of loops
        self.block(function.body)
        if self.received:
            read = collections.Counter(n.id for s in function.body for n in gast.walk(s)
                                       if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load))
            self.received = {n for n in self.received if read[n] == 1}         # and nowhere else

    def block(self, stmts):
        for s in stmts:
            if isinstance(s, gast.If):
                before = dict(self.of)
                self.block(s.body)
                left, self.of = self.of, before
                self.block(s.orelse)
                for name in left:
                    if self.of.setdefault(name, left[name]) != left[name]:
                        self.of[name] = self.mark(s, name)
            elif isinstance(s, (gast.For, gast.While)):
                self.loop(s)
            elif isinstance(s, gast.Assign):
                self.assignment(s)
            else:
                for _, block in tree.blocks(s):
                    self.block(block)

    def loop(self, s):
        """A carried name whose shape changes in the body has a shape of its own; the target has that of an item where the body
        begins, whatever else the body binds it to."""
        targets = set(tree.names(s.target, gast.Store)) if isinstance(s, gast.For) else set()
        while True:
            if isinstance(s, gast.For):
                self.loop_target(s)
            before = dict(self.of)
            self.block(s.body)
            changed = [n for n in before if self.of[n] != before[n] and before[n] != self.mark(s, n)]
            if targets.issuperset(changed):
                self.of.update({n: self.mark(s, n) if n in changed else before[n] for n in before})
                return
            self.of.update(before)
            for n in changed:
                self.of[n] = self.mark(s, n)
                self.ints.discard(n)

    def loop_target(self, s):
        function = self.resolver(s.iter.func) if isinstance(s.iter, gast.Call) else None
        for name in tree.names(s.target, gast.Store):
            self.of[name] = NUMBER if function is range else self.mark(s, name)
        if function is range:
            self.ints.add(s.target.id)
        elif function is enumerate and isinstance(s.target, gast.Tuple) and isinstance(s.target.elts[0], gast.Name):
            self.ints.add(s.target.elts[0].id)
            self.of[s.target.elts[0].id] = NUMBER

    def mark(self, s, name):
        """A shape of which nothing is known but where it was made."""
        if name in self.numbers:
            return NUMBER
        return self.marks.setdefault((s, name), frozenset([f'{name}@{len(self.marks)}']))

    def assignment(self, s):
        target, = s.targets
        if not isinstance(target, gast.Name):
            lengths = isinstance(s.value, gast.Attribute) and s.value.attr == 'shape'
            for name in tree.names(target, gast.Store):
                self.of[name] = NUMBER if lengths else self.mark(s, name)
                if lengths:
                    self.ints.add(name)
            return
        op = self.ops.get(s)
        if op is not None and op.kind == 'rule' and op.what.always and 'buf' in op.what.parameters:
            self.received.add(target.id)
        found = self.rule(s, op) if op is not None and op.kind == 'rule' else self.expression(s.value)
        self.of[target.id] = self.mark(s, target.id) if found is None or target.id in self.numbers else found
        if self.is_vector(s.value):
            self.vectors.add(target.id)
        if self.is_int(s.value):
            self.ints.add(target.id)

    def rule(self, s, op):
        rule, bound = op.what, op.args
        if rule.shape == 'elementwise':
            return self.union([bound[p] for p in rule.parameters if p in bound])
        if rule.shape == 'scalar':
            return NUMBER
        if rule.shape == 'reduction':
            return self.reduced(bound[rule.parameters[0]], bound.get('axis'), bound.get('keepdims'))
        if rule.shape in rule.parameters:
            return self.expression(bound[rule.shape])
        return None

    def union(self, exprs):
        found = [self.expression(e) for e in exprs]
        if None in found:
            return None
        whole = frozenset().union(*found)
        return frozenset(part for part in whole if not fits_in(part, whole))

    def reduced(self, array, axis, keepdims):
        axes, kept = axis is None or is_literal(axis, None) or literal_axes(axis), is_literal(keepdims, True)
        whole = self.expression(array)
        if axes is True and not kept and (keepdims is None or is_literal(keepdims, False)):
            return NUMBER
        if whole is None or not axes or not kept and not is_literal(keepdims, False):
            return None
        return frozenset([('reduced', whole, axes, kept)])

    def cut(self, array, index):
        """The shape of a slice that leaves a number of elements out on both sides, at one position of some axes."""
        whole = self.expression(array)
        several = isinstance(index, gast.Tuple)              # of a list, elements may have any shape
        counts = ['at' if several and self.is_int(i) else self.extent(i) for i in (index.elts if several else [index])]
        if not whole or None in counts:
            return None
        if several and self.ranks.get(getattr(array, 'id', None)) == len(counts) and all(map(is_length, counts)):
            return frozenset([('sized', *(c for c in counts if c != 'at'))])
        while counts and counts[-1] == 0:
            counts.pop()
        return frozenset([('cut', whole, *counts)]) if counts else whole

    def extent(self, index):
        """How many elements a slice leaves out of its axis, or how many it takes, `n - 2` of `1:n - 1`; None if not known."""
        ends = [end_of(e) for e in (index.lower, index.upper)] if isinstance(index, gast.Slice) and index.step is None \
            and index.upper is not None else [None, None]
        low = End(None, 0) if isinstance(index, gast.Slice) and index.lower is None else ends[0]
        high = ends[1]
        if low is None or high is None or high.name not in self.fixed or low.name is not None:
            return left_out(index)
        return high.name, high.number - low.number

    def expression(self, expr):
        """The shape of an expression, or None."""
        if isinstance(expr, gast.Constant):
            return NUMBER
        if isinstance(expr, gast.Name):
            return self.of.get(expr.id, frozenset([expr.id]))
        if isinstance(expr, gast.BinOp) and not isinstance(expr.op, gast.MatMult):
            return self.union([expr.left, expr.right])
        if isinstance(expr, gast.UnaryOp):
            return self.expression(expr.operand)
        if isinstance(expr, gast.Compare):
            return self.union([expr.left] + expr.comparators)
        if self.is_int(expr):
            return NUMBER
        if isinstance(expr, gast.Call) and expr.args and facts.of(facts.shared_name(self.resolver(expr.func))).alike:
            return self.expression(expr.args[0])
        if isinstance(expr, gast.Subscript) and self.is_element(expr.value, expr.slice):
            return NUMBER
        if isinstance(expr, gast.Subscript):
            return self.cut(expr.value, expr.slice)
        if isinstance(expr, gast.Attribute) and tree.dotted(expr) is not None:
            value = self.resolver(expr)
            return NUMBER if isinstance(value, (int, float, complex)) else None
        return None

    def is_int(self, expr):
        """Whether the expression is surely a Python integer."""
        if isinstance(expr, gast.Constant):
            return isinstance(expr.value, int)
        if isinstance(expr, gast.Name):
            return expr.id in self.ints
        if isinstance(expr, gast.UnaryOp):
            return isinstance(expr.op, (gast.USub, gast.UAdd)) and self.is_int(expr.operand)
        if isinstance(expr, gast.BinOp):
            return isinstance(expr.op, (gast.Add, gast.Sub, gast.Mult, gast.FloorDiv, gast.Mod)) \
                and self.is_int(expr.left) and self.is_int(expr.right)
        if isinstance(expr, gast.Attribute):
            return expr.attr in ('size', 'ndim')
        if isinstance(expr, gast.Subscript):
            return isinstance(expr.value, gast.Attribute) and expr.value.attr == 'shape'
        if isinstance(expr, gast.Call):
            found = self.resolver(expr.func)
            return found is not UNKNOWN and found in INT_CALLS and found is not range
        return False

    def is_element(self, array, index):
        """Whether `array[index]` surely is one element of an array."""
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        return isinstance(array, gast.Name) and self.ranks.get(array.id) == len(parts) and all(map(self.is_int, parts))

    def is_vector(self, expr):
        """Whether an expression is surely a row or column, `A[i, :j]`, of an array whose number of axes is known."""
        if not isinstance(expr, gast.Subscript) or not isinstance(expr.value, gast.Name):
            return False
        parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        slices = [p for p in parts if isinstance(p, gast.Slice)]
        return self.ranks.get(expr.value.id) == len(parts) and len(slices) == 1 \
            and all(self.is_int(p) for p in parts if p not in slices)

    def is_basic(self, index):
        """Whether an index surely selects by integers and slices, so that it cannot select an element twice."""
        if isinstance(index, gast.Tuple):
            return all(map(self.is_basic, index.elts))
        if isinstance(index, gast.Slice):
            return True
        if isinstance(index, gast.Constant):
            return index.value is None or index.value is Ellipsis or isinstance(index.value, (int, str))
        return self.is_int(index)


def counted(stmts, resolver):
    """Names that a `range` takes, whatever way the function goes: they hold integers."""
    loops = [s for s in stmts if isinstance(s, gast.For) and isinstance(s.iter, gast.Call) and resolver(s.iter.func) is range]
    return {n for s in loops for n in tree.names(s.iter, gast.Load)}


def is_length(count):
    return count == 'at' or isinstance(count, tuple)


def is_literal(expr, value):
    return isinstance(expr, gast.Constant) and expr.value is value


def literal_axes(expr):
    """The axis or axes that a tree names, as text; None if it is not literal."""
    return gast.dump(expr) if expr is not None and registry.literal(expr) else None


def fits_in(part, whole):
    """Whether a part of a shape is a reduction, its axes kept, of something else that is broadcast into the whole."""
    return part[0] == 'reduced' and part[3] and part[1] <= whole - {part}


def left_out(index):
    """How many elements of its axis a slice such as `1:-1` leaves out, or None."""
    if not isinstance(index, gast.Slice) or index.step is not None:
        return None
    lower, upper = (registry.literal(end) if end is not None else [0] for end in (index.lower, index.upper))
    if not lower or not upper or type(lower[0]) is not int or type(upper[0]) is not int or lower[0] < 0:
        return None
    if index.upper is not None and upper[0] >= 0:
        return None
    return lower[0] - upper[0]


def scalar(function, ops, shapes, result=True, elements=True):
    """Names that must hold one number: operand by operand they reach the result if that does, or an element of an array.

    What reaches it in one branch alone says nothing of what is bound outside, and may be summed up where that is not taken.
    What is returned behind a loop says nothing of what it was before.
    """
    returned = function.body[-1].value
    stored = [s for s, op in ops.items() if op.kind in ('write', 'update') and isinstance(op.args[2], gast.Name)
              and elements and shapes.is_element(tree.load(op.args[0]), op.args[1])]
    starts = {ops[s].args[2].id for s in stored} | ({returned.id} if isinstance(returned, gast.Name) and result else set())
    if not starts:
        return starts
    sources, reaches = {}, {}
    for s in stored:
        reaches.setdefault(ops[s].args[2].id, []).append((s, None))
    if isinstance(returned, gast.Name) and result:
        reaches.setdefault(returned.id, []).append((function.body[-1], None))
    paths, bound, read = blocks_of(function, ops)
    for s in paths:
        op = ops.get(s)
        if tree.target(s) is not None:
            by_rule = op is not None and op.kind == 'rule' and op.what.shape == 'elementwise'
            made_of = op.args.values() if by_rule else [s.value] if op is None or op.kind in ('copy', 'insertion') else ()
            for e in made_of:
                if isinstance(e, gast.Name):
                    sources.setdefault(tree.target(s), []).append(e.id)
                    reaches.setdefault(e.id, []).append((s, tree.target(s)))

    def reached(name):
        """Whether each way on which something reads it says that it is one, or one that is taken whenever it is bound; what a
        loop binds anew is another value when it has ended."""
        ways = [paths[s] for s, target in reaches[name] if target is None or target in found]
        places, within = bound.get(name, [()]), lambda w, p: p[:len(w)] == w
        carried = {p for p in places if any(within(q, p) and q != p for q in places)}
        if any(not any(within(p, w) and within(w, r) for w in ways) for p in carried for r in read[name] if within(p, r)):
            return False
        return any(all(within(w, p) for p in places) for w in ways) or all(any(within(w, p) for w in ways) for p in read[name])

    found = closure(starts, sources)
    while surplus := {n for n in found if not reached(n)}:
        found -= surplus
    return found


def blocks_of(function, ops):
    """(statement -> blocks around it, name -> those around what binds it, name -> those around what reads it, but tests)."""
    paths, bound, read, pending = {}, {}, {}, [(function.body, ())]
    while pending:
        stmts, path = pending.pop()
        for s in stmts:
            paths[s] = path
            for name in tree.writes(s):
                bound.setdefault(name, []).append(path)
            if s in ops or isinstance(getattr(s, 'value', None), gast.Name) or isinstance(s, (gast.For, gast.Return)):
                for name in tree.reads(s):
                    read.setdefault(name, []).append(path)
            pending += [(block, (*path, (id(s), field))) for field, block in tree.blocks(s)]
    return paths, bound, read
