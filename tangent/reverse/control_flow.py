"""Branches and loops, backwards: accumulators where control flow needs them, gradients of what a loop carries."""
from __future__ import annotations

import gast

from tangent.analysis.liveness import TAPE, adjoint_of, in_front_of_guard, passes, role
from tangent.frontend import tree
from tangent.normal.loop_headers import backwards
from tangent.reverse import arrays, lists
from tangent.reverse.accumulate import Term, is_fresh

ZERO = tree.Origin('zero')         # a gradient that is zero on one path


class Loops:
    """The part of `Reverse` that goes back through `if`, `for` and `while`."""

    def settle_readers(self, s):
        """Write down what is owed in terms of names that the adjoint of a loop in the statement will set back."""
        bound = arrays.memory(self, s)
        if any(isinstance(n, (gast.For, gast.While)) for n in gast.walk(s)):
            bound |= set(self.normal.bound(s))
        if not bound:
            return
        for name, terms in list(self.owed.items()):
            reads = {n for t in terms for part in (t.value, t.index) if part is not None
                     for n in tree.names(part, gast.Load)}
            if not reads.isdisjoint(bound) and name in self.open:
                self.accumulate(self.accumulator(name), self.owed.pop(name), owned=True)
            elif not reads.isdisjoint(bound):
                target = self.gradient(name)
                self.settle(target, name, self.owed.pop(name))
                self.owed[name] = [Term(tree.load(target), terms[-1].origin, name in self.normal.numbers or all(
                    t.number and t.index is None for t in terms))]

    # Branches

    def branch(self, s):
        """Each path settles what is owed into one name for both."""
        origin = adjoint_of(s)
        self.settle_readers(s)
        outer = self.owed
        joined = [n for n in self.normal.bound(s) if n in outer]
        incoming = {n: Term(self.take(n), origin, n in self.normal.numbers) for n in joined}
        forward, adjoint, left = [], [], []
        for block in (s.body, s.orelse):
            self.owed = {n: [t] for n, t in incoming.items()}
            f, a = self.block(block)
            forward.append(f)
            adjoint.append(a)
            left.append({n: t for n, t in self.owed.items() if n not in joined})
        self.owed = outer
        for name in dict.fromkeys([*left[0], *left[1]]):
            if name in self.open:
                self.pour(name, [l.pop(name, []) for l in left], adjoint)
                continue
            self.join(name, [l.get(name, []) for l in left], adjoint, origin)
        if self.region:
            for k in (0, 1):
                forward[k], adjoint[k] = self.frame(forward[k], adjoint[k], [])
        if any(adjoint):
            body, orelse = (a or [] for a in adjoint)
            self.out.append(tree.place(gast.If(test=s.test, body=body or [passes()], orelse=orelse), origin))
        return [tree.replace(s, body=forward[0], orelse=forward[1])]

    def pour(self, name, terms, blocks):
        """Add terms to the accumulator of a name from outside the loop, in the blocks where they arise."""
        for t, block in zip(terms, blocks):
            if t:
                outer, self.out = self.out, block
                self.accumulate(self.accumulator(name), t, owned=True)
                self.out = outer

    def accumulator(self, name):
        if not self.open[name]:
            self.open[name].append(self.gradient(name))
        return self.open[name][0]

    def join(self, name, terms, adjoint, origin):
        """After an `if`, the gradient of an outer name: an accumulator where it exists already, else set on both paths."""
        before = self.owed.pop(name, None)
        target = self.gradient(name)
        owned = True
        if before:
            value = self.sum_of(target, name, before)
            owned = value is None or is_fresh(value)
        if all(owned if before else not t or self.makes_own(t) for t in terms):
            self.unshared.add(target)
        for t, block in zip(terms, adjoint):
            outer, self.out = self.out, block
            if before and t:
                self.accumulate(target, t, self.own(target, t, owned))
            elif t:
                self.settle(target, name, t)
            elif not before:
                self.put(target, self.call('init_grad', tree.load(name)), ZERO)
            self.out = outer
        self.give(name, Term(tree.load(target), origin, name in self.normal.numbers
                             or all(x.number and x.index is None for t in terms for x in t)))

    def makes_own(self, terms):
        """Whether `settle` makes of the terms an array that nobody else holds."""
        return any(t.index is not None for t in terms) or is_fresh(self.sum(terms))

    def sum_of(self, target, name, terms):
        """Settle terms into an accumulator; the tree it was set to, None if it is owned for sure."""
        if any(t.index is not None for t in terms):
            self.settle(target, name, terms)
            return None
        value = self.sum(terms)
        self.put(target, value, terms[-1].origin)
        return value

    def own(self, target, terms, owned):
        """Make an accumulator owned where terms must be written into it by index."""
        if not owned and any(t.index is not None for t in terms):
            self.put(target, self.call('copy', tree.load(target)), terms[0].origin)
            return True
        return False if not owned else any(t.index is not None for t in terms)

    # Loops

    def loop(self, s):
        origin = adjoint_of(s)
        self.settle_readers(s)
        carried = [tree.target(u) for u in s.body if role(u) == 'carry' and tree.target(u) in self.normal.active]
        before, outer = self.out, self.owed
        held = {}
        for c in carried:
            held[c] = self.gradient(c)
            terms = outer.pop(c, None)
            if terms:
                self.settle(held[c], c, terms)
            else:
                self.put(held[c], self.call('init_grad', tree.load(c)), origin)
        self.owed = {c: [Term(tree.load(b), origin, c in self.normal.numbers)] for c, b in held.items()}
        around = self.open
        mine = [n for n in self.normal.read_from_outside(s) if n not in around and n not in held]
        self.open = {**around, **{n: [] for n in mine}}
        region, self.region = self.region, True
        forward, adjoint = self.block(s.body)
        left, self.owed = self.owed, outer
        self.out = adjoint
        for n in [n for n in left if n in self.open]:
            self.accumulate(self.accumulator(n), left.pop(n), owned=True)
        self.hand_back(carried, held, left, origin)
        accumulators = {n: self.open[n][0] for n in mine if self.open[n]}
        self.open = around
        self.out = before
        self.starts(accumulators, origin)
        new, prelude, header = backwards(s, self.names, self.normal.resolver, self.library('range'))
        hidden = set(tree.names(header.target, gast.Store))
        forward, adjoint = self.frame(forward, adjoint, [n for n in self.normal.bound_by(s) if n not in hidden], hidden)
        self.region = region
        if adjoint:
            self.out.append(tree.place(tree.replace(header, body=adjoint), origin))
        for n, target in accumulators.items():
            self.give(n, Term(tree.load(target), origin, n in self.normal.numbers))
        for c in carried:
            self.give(c, Term(tree.load(held[c]), origin, c in self.normal.numbers))
        if not adjoint:
            return [tree.replace(s, body=forward)]
        prelude += [tree.assign(c, tree.constant(None), TAPE) for c in carried
                    if c in self.looked_at and not self.normal.is_set_outside(c, s)]
        return prelude + [tree.replace(s, body=in_front_of_guard(forward, new))]

    def hand_back(self, carried, held, left, origin):
        """At the start of an iteration, what is owed to a carried name belongs to the iteration before."""
        found = []
        for c in carried:
            terms = left.pop(c, [])
            if len(terms) == 1 and isinstance(terms[0].value, gast.Name) and terms[0].value.id == held[c]:
                continue
            if not terms:
                like = c if c in self.normal.lists else held[c]        # lists may have another length each time
                self.looked_at.add(like)
                found.append((held[c], self.call('init_grad', tree.load(like)), ZERO))
            elif len(carried) == 1 and all(t.index is None for t in terms):
                found.append((held[c], self.sum(terms), terms[-1].origin))
            else:
                new = self.gradient(c)
                self.settle(new, c, terms)
                found.append((held[c], tree.load(new), terms[-1].origin))
        for target, value, where in found:
            self.put(target, value, where)

    def starts(self, accumulators, origin):
        """Set each accumulator before the loop; it is owned."""
        for n, target in accumulators.items():
            terms = self.owed.pop(n, None)
            if n in self.normal.builders or n in self.normal.buffers and terms:
                lists.owned(self, n, terms or [], origin, target)
            elif not terms:
                self.put(target, self.call('init_grad', tree.load(n)), origin)
                self.unshared.add(target)
            else:
                value = self.sum_of(target, n, terms)
                if value is not None and not is_fresh(value):
                    stmt = self.out.pop()
                    owned = 'own_gradient' if self.normal.emitted or n in self.normal.tuples else 'copy'
                    self.put(target, self.call(owned, value), stmt.origin)
