"""Loops over things with a derivative go by index: a part of `split`.

    for x, y in zip(xs, ys):           for i in range(min(len(xs), len(ys))):
        ...                                x = xs[i]
                                           y = ys[i]
                                           ...
"""
from __future__ import annotations

import itertools

import gast

from tangent.analysis.activity import stored
from tangent.analysis.ops import bind, difference, subscript
from tangent.frontend import subset, tree
from tangent.frontend.quote import total
from tangent.frontend.resolve import UNKNOWN
from tangent.templates.language.registry import literal


class Iteration:
    """How the elements of what a loop runs over are read by index."""

    def by_index(self, s):
        length, at = self.view(s.iter, s)
        if length is None:
            raise subset.unsupported(s, self.source, 'loops without an end over values with a derivative',
                                    'write while True, or zip it with something finite')
        i = self.counter(s) or tree.store(self.names.fresh('i'))
        iterator = self.builtin('range', length)
        first = []
        bind(s.target, at(tree.load(i.id)), first, s)
        first = [t for t in first if not (tree.target(t) == i.id and isinstance(t.value, gast.Name))]
        for t in first:
            if not self.flows(t.value):          # the counter of an enumerate
                self.active -= set(stored(t.targets[0]))
                self.varied -= set(stored(t.targets[0]))
        return tree.replace(s, target=i, iter=iterator, body=first + s.body)

    def counter(self, s):
        """The name for the index of the elements in `for i, x in enumerate(xs)`, if it is the user's."""
        counts = isinstance(s.iter, gast.Call) and len(s.iter.args) == 1 and not s.iter.keywords \
            and self.sources.resolver(s.iter.func) is enumerate
        target = s.target.elts[0] if counts and isinstance(s.target, gast.Tuple) else None
        if isinstance(target, gast.Name):
            self.active.discard(target.id)
            self.varied.discard(target.id)
            return target
        return None

    def view(self, expr, s):
        """(length, index -> element) of something iterated over; the length of what has no end is None."""
        function = self.sources.resolver(expr.func) if isinstance(expr, gast.Call) else None
        if function is zip:
            return self.side_by_side(expr, s)
        if function is enumerate:
            length, at = self.view(expr.args[0], s)
            start = [self.constant(e, s) for e in expr.args[1:] + [k.value for k in expr.keywords]]
            return length, lambda i: gast.Tuple(elts=[total(start + [i]), at(i)], ctx=gast.Load())
        if function is reversed:
            length, at = self.view(expr.args[0], s)
            length = length if tree.is_atom(length) else self.held(length, s, 'n')
            return length, lambda i: at(difference(difference(length, tree.constant(1)), i))
        if isinstance(function, type) and function in ENDLESS and not expr.keywords and len(expr.args) <= ENDLESS[function]:
            return self.endless(function, expr.args, s)
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and not expr.args \
                and expr.func.attr in ('items', 'values') and function is UNKNOWN:
            return self.dictionary(expr, s)
        if self.flows(expr):
            sequence = self.owner(expr, s)
        else:
            held = isinstance(expr, gast.Name)
            sequence = expr if held else self.held(self.builtin('list', expr), s)
        return self.length(sequence, s), lambda i: subscript(sequence, i)

    def length(self, sequence, s):
        length = self.builtin('len', sequence)
        return self.held(length, s, 'n') if self.builders.unsettled(sequence.id, s) else length

    def side_by_side(self, expr, s):
        """`zip(...)`: as long as the shortest of its arguments."""
        strict = [literal(k.value) for k in expr.keywords]
        if [] in strict:
            raise subset.unsupported(expr, self.source, 'zip whose strict is no literal, over values with a derivative',
                                    'write strict=True or leave it out')
        views = [self.view(a, s) for a in expr.args]
        lengths = list({gast.dump(n): n for n, _ in views if n is not None}.values())
        length = lengths[0] if len(lengths) == 1 else \
            self.builtin('same_length' if strict and strict[0][0] else 'min', *lengths) if lengths else None
        return length, lambda i: gast.Tuple(elts=[at(i) for _, at in views], ctx=gast.Load())

    def endless(self, function, args, s):
        """`itertools.count`, `cycle` and `repeat`, of which somebody else says when to stop."""
        if function is itertools.count:
            start = [self.constant(e, s) for e in args] or [tree.constant(0)]
            step = start[1:]
            return None, lambda i: total(start[:1] + [gast.BinOp(left=i, op=gast.Mult(), right=step[0]) if step else i])
        if function is itertools.repeat:
            value = self.atom(args[0], s)
            return None, lambda i: value
        length, at = self.view(args[0], s)
        return None, lambda i: at(gast.BinOp(left=i, op=gast.Mod(), right=length))

    def dictionary(self, expr, s):
        owner = self.owner(expr.func.value, s)
        keys = self.held(self.builtin('list', owner), s, 'keys')
        length = self.builtin('len', keys)
        if expr.func.attr == 'values':
            return length, lambda i: subscript(owner, subscript(keys, i))
        return length, lambda i: gast.Tuple(elts=[subscript(keys, i), subscript(owner, subscript(keys, i))],
                                            ctx=gast.Load())


ENDLESS = {itertools.count: 2, itertools.cycle: 1, itertools.repeat: 1}     # the most arguments with which it has no end
