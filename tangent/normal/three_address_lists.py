"""Statements of a function that change a builder list or an array, and reads of what may still change: a part of `split`."""
from __future__ import annotations

import gast

from tangent.analysis.array_accesses import is_element
from tangent.analysis.ops import Op, like
from tangent.frontend import tree


class Changes:
    def change(self, s, change):
        """A statement that changes a builder."""
        value = change.value
        if change.kind == 'append':
            value = self.atom(value, s) if self.flows(value) else value
            new = tree.replace(s, value=tree.replace(s.value, args=[value]))
            self.ops[new] = Op('append', (change.name, value), change)
        elif change.kind == 'pop':
            new = s if tree.target(s) else like(s, self.temp(), s.value)
            self.active.add(tree.target(new))
            self.ops[new] = Op('pop', (change.name,), change)
        else:
            value = self.atom(value, s) if self.flows(value) else value
            key = self.constant(change.key, s)
            new = tree.replace(s, targets=[tree.replace(s.targets[0], slice=key)], value=value)
            self.ops[new] = Op('store', (change.name, value, key), change)
        self.out.append(new)

    def write(self, s, write):
        """A statement that writes into a buffer; what it overwrites is kept for the way back."""
        value, index, op = write.value, write.index, write.op
        if op is not None and not isinstance(op, (gast.Add, gast.Sub)):
            part = gast.Subscript(value=tree.load(write.name), slice=index, ctx=gast.Load())
            value, op = gast.copy_location(gast.BinOp(left=part, op=op, right=value), s), None
        value = self.atom(value, s) if self.flows(value) else self.constant(value, s)
        index = self.index(index, s)
        place = gast.Subscript(value=tree.load(write.name), slice=index, ctx=gast.Load())
        old = place if is_element(place, self.buffers.ranks) else self.builtin('copy', place)
        old = self.held(old, s, 'old').id
        target = tree.replace(place, ctx=gast.Store())
        new = like(s, target, value) if op is None else tree.replace(s, target=target, value=value)
        self.ops[new] = Op('write' if op is None else 'update', (write.name, index, value, old), op)
        self.out.append(new)

    def as_it_is(self, name, s):
        """The name, or a copy of the builder of that name as it is now, if it may change before it is read again."""
        if not self.builders.unsettled(name.id, s):
            return name
        copy = self.put(s, None, self.builtin(self.builders.kinds[name.id], name), Op('copy', name))
        if self.builders.kinds[name.id] == 'list':
            self.sequences.add(copy.id)
        return tree.load(copy.id)

    def owner(self, expr, s):
        """An atom for what an element is taken of."""
        return expr if isinstance(expr, gast.Name) and expr.id in self.builders else self.atom(expr, s)
