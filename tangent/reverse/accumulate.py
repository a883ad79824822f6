"""Gather, then write once: what is owed to each name's gradient while the adjoint is generated.

On a straight line the terms of a gradient are collected and their sum is written in one place; no zero is ever made. A
zero (`init_grad`) and `+=` appear only where control flow or indexing needs an accumulator. An accumulator is written in
place only if it is *owned*: made here and held by nobody else.
"""
import dataclasses

import gast

from tangent.analysis import attributes
from tangent.frontend import tree
from tangent.runtime import facts

LONGEST = 4              # terms in one sum


@dataclasses.dataclass(frozen=True)
class Term:
    """One contribution to a gradient.

    value : tree
    origin : Origin of the statement whose adjoint it is
    number : it is surely a number or an array, so that `+` adds it (lists and dicts need `add_grad`)
    index : where the value belongs to an element or slice of the gradient; None for the whole of it
    basic : the index selects nothing twice
    """
    value: object
    origin: object
    number: bool = True
    index: object = None
    basic: bool = True


def is_fresh(expr):
    """Whether evaluating the expression makes a new array that nobody else holds."""
    if isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Constant)):
        return True
    if not isinstance(expr, gast.Call):
        return False
    name = expr.func.attr if isinstance(expr.func, gast.Attribute) else getattr(expr.func, 'id', '')
    if name.rstrip('0123456789_') == 'unbroadcast' or name == 'astype':
        return is_fresh(expr.args[0])
    return not facts.of(name).view


class Gather:
    """The gradients owed in one block, and the statements that settle them (written into `out`).

    told : whether gradients may be of a class for which somebody has registered how they are added
    """
    told = False

    def __init__(self):
        self.owed = {}                   # name -> terms
        self.out = []
        self.open = {}                   # names outside the loops being reversed -> [accumulator], once one is needed
        self.unshared = set()            # gradients that nothing else holds
        self.lent = {}                   # those of lists and dicts that are the caller's, which stay the same objects -> kind

    def give(self, name, term):
        """Owe a term to a name; a sum that grows long is written down so far."""
        self.shared_out(term)
        terms = self.owed.setdefault(name, [])
        terms.append(term)
        if len(terms) > LONGEST and all(t.index is None for t in terms):
            target = self.gradient(name)
            self.settle(target, name, terms)
            self.owed[name] = [Term(tree.load(target), terms[-1].origin, all(t.number for t in terms))]

    def shared_out(self, term):
        """An accumulator from which two terms are made belongs to neither: the one must not be written into for the other."""
        own = self.unshared.intersection(tree.names(term.value, gast.Load)) if self.unshared else ()
        if own and any(not own.isdisjoint(tree.names(t.value, gast.Load)) for terms in self.owed.values() for t in terms):
            self.unshared -= own

    def put(self, target, value, origin):
        self.out.append(tree.assign(target, value, origin))

    def take(self, name):
        """The gradient of a name as a Name (or literal), settled; None where nothing is owed."""
        terms = self.owed.pop(name, None)
        if not terms:
            return None
        if len(terms) == 1 and terms[0].index is None and isinstance(terms[0].value, gast.Name):
            return terms[0].value
        target = self.gradient(name)
        self.settle(target, name, terms)
        return tree.load(target)

    def settle(self, target, name, terms):
        """Statements that bind `target` to the sum of the terms."""
        parts = [t for t in terms if t.index is not None]
        whole = [t for t in terms if t.index is None]
        if not parts:
            self.put(target, self.sum(whole), whole[-1].origin)
            return
        start = [t for t in whole if self.adds(t)] or [t for t in whole if self.is_own(t.value)][:1]
        rest = [t for t in whole if not self.adds(t) and t not in start]
        origin = parts[0].origin
        if start:
            value = self.sum(start)
            origin = start[-1].origin
            self.put(target, value if is_fresh(value) or self.is_own(value) else self.call('copy', value), origin)
        else:
            self.put(target, self.call('init_grad', tree.load(name)), origin)
        self.accumulate(target, parts + rest, owned=True)

    def adds(self, term):
        """Whether `+` adds a term: it is surely a number or an array, and nobody has said how such gradients are added."""
        return term.number and not self.told

    def is_own(self, value):
        """Whether the value is an accumulator that was made here and is given away."""
        return isinstance(value, gast.Name) and value.id in self.unshared

    def accumulate(self, target, terms, owned):
        """Add terms to an accumulator that exists already."""
        whole = [t for t in terms if t.index is None]
        numbers = [t for t in whole if self.adds(t)]
        if numbers:
            value = self.sum(numbers)
            if owned:
                self.add_in_place(tree.store(target), value, numbers[-1].origin)
            else:
                self.put(target, add(tree.load(target), value), numbers[-1].origin)
        for t in whole:
            if not self.adds(t):
                self.add_whole(target, t)
        for group in same_elements(terms):
            t = group[0]
            if t.basic:
                self.add_in_place(attributes.of(t.index, target), self.sum(group), t.origin)
            else:
                self.add_by_helper(target, t)

    def add_whole(self, target, t):
        """Add a term for all of what is no number; a list or dict that is lent stays the same object."""
        total, place = self.call('add_grad', tree.load(target), t.value), tree.load(target)
        kind = self.lent.get(target)
        if kind is None:
            self.put(target, total, t.origin)
        elif kind == 'list':
            whole = gast.Slice(lower=None, upper=None, step=None)
            self.put(gast.Subscript(value=place, slice=whole, ctx=gast.Store()), total, t.origin)
        elif kind == 'dict':
            self.out.append(tree.place(gast.Expr(value=tree.method(place, 'update', total)), t.origin))
        else:
            found = self.gradient(self.gradient_of[target])
            self.put(found, total, t.origin)
            for method, *args in (('clear',), ('extend', tree.load(found))):
                self.out.append(tree.place(gast.Expr(value=tree.method(place, method, *args)), t.origin))

    def add_by_helper(self, target, t):
        """Add a term to a part of which it is not known whether `+=` works on it."""
        place = attributes.of(t.index, target)
        if isinstance(place, gast.Attribute):
            self.put(place, self.call('add_grad', tree.as_read(place), t.value), t.origin)
        else:
            owner, index = place.value, tree.as_value(place.slice, self.library)
            self.put(tree.replace(owner, ctx=gast.Store()), self.call('add_at', owner, index, t.value), t.origin)

    def add_in_place(self, place, value, origin):
        if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
            op, value = gast.Sub(), value.operand
        else:
            op = gast.Add()
        self.out.append(tree.place(gast.AugAssign(target=place, op=op, value=value), origin))

    def sum(self, terms):
        """One tree for the sum of whole terms."""
        values = [tree.part_of(t.value, t.origin) for t in terms] if len(terms) > 1 else [terms[0].value]
        result = values[0]
        for t, value in zip(terms[1:], values[1:]):
            result = add(result, value) if self.adds(t) and self.adds(terms[0]) else self.call('add_grad', result, value)
        return result

    def accumulator(self, name):
        if not self.open[name]:
            self.open[name].append(self.gradient(name))
        return self.open[name][0]

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


def same_elements(terms):
    """The terms with an index in lists: those of one statement for the same elements together."""
    groups = {}
    for k, t in enumerate(terms):
        if t.index is not None:
            groups.setdefault((t.origin, gast.dump(t.index)) if t.basic else k, []).append(t)
    return [group[i:i + LONGEST] for group in groups.values() for i in range(0, len(group), LONGEST)]


def add(left, right):
    """`left + right`, written as a person would."""
    if isinstance(right, gast.UnaryOp) and isinstance(right.op, gast.USub):
        return gast.BinOp(left=left, op=gast.Sub(), right=right.operand)
    return gast.BinOp(left=left, op=gast.Add(), right=right)
