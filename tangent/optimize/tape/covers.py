"""Arrays that each trip of a loop fills before it reads them, or leaves as zeros again.

    v = np.empty(d)
    for i in range(n):
        for j in range(d):
            v[j] = x[i, j] - mu[j]        # whatever was there before: nobody has read it
        ...
"""
import collections

import gast

from tangent.analysis.dataflow.ranges import number, span
from tangent.analysis.dataflow.shape_only import value_reads
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.runtime import facts


class Covers:
    """What loops do to whole arrays in one function.

    made : name -> the value of the one statement that binds it
    lengths : names of numbers that are lengths of axes
    silent : statements that only keep an old element, or put it back
    """

    def __init__(self, effects, places):
        self.effects = effects
        binds = [n for s in places if not isinstance(s, gast.AugAssign) for n in look(s).writes]
        once = {n for n, count in collections.Counter(binds).items() if count == 1} - effects.params
        self.made = {tree.target(s): s.value for s in places if tree.target(s) in once}
        self.lengths = {n for s in places for n in look(s).writes & once if is_length(s)} - effects.captured
        self.silent: frozenset = frozenset()

    def last(self, call):
        return self.effects.helper(tree.dotted(call.func) or '').rpartition('.')[2]

    def shape(self, name, depth=4):
        """What stands for the lengths of the axes of an array made here, as texts; None if that is not known."""
        made = self.made.get(name)
        if not isinstance(made, gast.Call) or not made.args or not depth or not self.effects.pure(made):
            return None
        known, first = facts.of(self.effects.helper(tree.dotted(made.func) or '')), made.args[0]
        if known.alike and not known.copies:
            return self.shape(first.id, depth - 1) if isinstance(first, gast.Name) and len(made.args) == 1 else None
        if not known.fills or '.' not in (tree.dotted(made.func) or ''):
            return None
        axes = first.elts if isinstance(first, gast.Tuple) else [first]
        lasting = all(self.lasts(n) for axis in axes for n in look(axis).loads)
        return [gast.dump(axis) for axis in axes] if lasting and all(map(tree.is_atom, axes)) else None

    def lasts(self, name):
        """Whether the name is bound once, to what nobody changes in place."""
        return self.effects.stable(name) or name in self.lengths

    def axis(self, loop, name, axis, shape):
        """Whether the loop runs over the whole of an axis of the array."""
        if not isinstance(loop, gast.For) or loop.orelse or not isinstance(loop.target, gast.Name):
            return False
        found = span(loop.iter)
        return shape is not None and axis < len(shape) and found == (gast.dump(tree.constant(0)), shape[axis])

    def stores(self, loop, name, zero=False):
        """Whether the loop gives every element of the array a value (sets it to 0 last, if `zero`), and has nothing to do with
        any other element meanwhile; what stands in an element before is not read, unless it is set to 0."""
        index, block = [], [loop]
        for axis in range(len(self.shape(name) or ())):
            found = [s for s in block if self.mentions(s, name)]
            if len(found) != 1 or not self.axis(found[0], name, axis, self.shape(name)) or jumps(found[0].body) \
                    or any(found[0].target.id in look(s).writes for s in tree.every(found[0].body)):
                return False
            index.append(found[0].target.id)
            block = found[0].body
        found = [s for s in block if self.mentions(s, name)]
        if not index or not found or not self.is_store(found[-1] if zero else found[0], name, index, zero):
            return False
        return all(self.is_at(n, index) for s in found for inner in tree.every([s]) if inner not in self.silent
                   for part in tree.header(inner) for n in self.elements(part, name))

    def elements(self, node, name):
        """The trees in which the name stands: `name[...]`, or the name alone."""
        if isinstance(node, gast.Name):
            return [node] if node.id == name else []
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == name:
            return [node, *self.elements(node.slice, name)]
        return [n for child in tree.children(node) for n in self.elements(child, name)]

    @staticmethod
    def is_at(node, index):
        """Whether it is `name[i, j]` for these variables."""
        if not isinstance(node, gast.Subscript):
            return False
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        return [p.id if isinstance(p, gast.Name) else None for p in parts] == index

    def is_store(self, s, name, index, zero):
        """Whether it is `name[i, j] = value`, for the value 0 if `zero`."""
        if not isinstance(s, gast.Assign) or len(s.targets) != 1 or not isinstance(s.targets[0], gast.Subscript):
            return False
        target = s.targets[0]
        if not isinstance(target.value, gast.Name) or target.value.id != name or not self.is_at(target, index):
            return False
        return number(s.value) == 0 if zero else name not in look(s.value).loads

    def mentions(self, s, name):
        """Whether a statement, blocks and all, has to do with the elements of the array."""
        return any(n == name for inner in tree.every([s]) if inner not in self.silent
                   for n in {*look(inner).mutated, *(n for n, _ in value_reads(inner, self.effects.helper))})

    def filled(self, name, block):
        """Whether no statement of the block reads an element of the array that the block has not stored before."""
        for s in block:
            if not self.mentions(s, name):
                continue
            if self.stores(s, name):
                return True
            if isinstance(s, gast.For):
                if name in look(s).loads or not self.filled(name, s.body):
                    return False
            elif not self.only_stored(s, name):
                return False
        return True

    def only_stored(self, s, name):
        """Whether the statement writes elements of the array and reads none."""
        return isinstance(s, gast.Assign) and all(n != name for n, _ in value_reads(s, self.effects.helper))

    def zero_again(self, name, block):
        """Whether the block leaves the array as zeros where it was zeros before."""
        for s in reversed(block):
            if not self.mentions(s, name):
                continue
            if self.stores(s, name, zero=True):
                return True
            if not isinstance(s, gast.For) or name in look(s).loads or not self.zero_again(name, s.body):
                return False
        return True


def is_length(s):
    """Whether it is `n = x.shape[0]` or `n, m = x.shape`."""
    value = s.value if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
    if isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Constant) and tree.target(s):
        value = value.value
    elif not isinstance(value, gast.Attribute) or not isinstance(s.targets[0], gast.Tuple):
        return False
    return isinstance(value, gast.Attribute) and value.attr == 'shape' and isinstance(value.value, gast.Name)


def jumps(block, inside=False):
    """Whether control may leave the block otherwise than at its end; `inside`: it is the body of a loop of its own."""
    for s in block:
        if isinstance(s, (gast.Return, gast.Raise, *tree.TRIES, gast.With)) or look(s).opaque:
            return True
        if isinstance(s, (gast.Break, gast.Continue)) and not inside:
            return True
        if any(jumps(inner, inside or isinstance(s, (gast.For, gast.While))) for _, inner in tree.blocks(s)):
            return True
    return False
