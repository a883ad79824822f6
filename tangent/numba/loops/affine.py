"""Positions and sizes as affine forms, and how far apart the elements are that two statements touch.

A form is a number and, for each atom (`n`, `A.shape[0]`: the text of something that is an integer), how often it counts.
`Facts` proves what it can of bounds; a `Ref` says which elements of an array a step of a loop reads or writes, and `distance`
by how many steps an element that two of them share is met later by the one than by the other.
"""
from typing import NamedTuple

import gast

from tangent.frontend import tree

DEPTH = 4                 # how many facts a proof may use


class Form:
    """`number + sum(times * atom)`; forms are values."""

    def __init__(self, number=0, atoms=()):
        self.number, self.atoms = number, {a: k for a, k in dict(atoms).items() if k}

    def __eq__(self, other):
        return isinstance(other, Form) and self.number == other.number and self.atoms == other.atoms

    def __hash__(self):
        return hash((self.number, frozenset(self.atoms.items())))

    def __add__(self, other):
        other = other if isinstance(other, Form) else Form(other)
        atoms = dict(self.atoms)
        for a, k in other.atoms.items():
            atoms[a] = atoms.get(a, 0) + k
        return Form(self.number + other.number, atoms)

    def __neg__(self):
        return self.times(-1)

    def __sub__(self, other):
        return self + (-other if isinstance(other, Form) else -other)

    def times(self, k):
        return Form(self.number * k, {a: v * k for a, v in self.atoms.items()})

    @property
    def constant(self):
        """The number that it is, or None."""
        return None if self.atoms else self.number

    def renamed(self, find):
        """The form with each atom replaced by the form that `find` gives for it."""
        made = Form(self.number)
        for a, k in self.atoms.items():
            made = made + find(a).times(k)
        return made

    def tree(self):
        """The expression, as people write it: `A.shape[0] - 1`."""
        parts = sorted(self.atoms.items(), key=lambda item: item[1] < 0)
        made = None
        for a, k in parts:
            term = tree.expression(a)
            term = term if abs(k) == 1 else gast.BinOp(left=tree.constant(abs(k)), op=gast.Mult(), right=term)
            if made is None:
                made = term if k > 0 else gast.UnaryOp(op=gast.USub(), operand=term)
            else:
                made = gast.BinOp(left=made, op=gast.Add() if k > 0 else gast.Sub(), right=term)
        if made is None:
            return tree.constant(self.number)
        if self.number:
            op = gast.Add() if self.number > 0 else gast.Sub()
            made = gast.BinOp(left=made, op=op, right=tree.constant(abs(self.number)))
        return made


def atom(text):
    return Form(0, {text: 1})


class Facts:
    """What is known of atoms: forms that are not negative, and atoms that stand for other forms."""

    def __init__(self, known=(), same=()):
        self.known, self.same = list(known), dict(same)

    def inner(self):
        return Facts(self.known, self.same)

    def forget(self, names):
        """Give up what is known of these names."""
        def speaks(*forms):
            return any(a.partition('.')[0] in names for f in forms for a in f.atoms)
        self.same = {a: f for a, f in self.same.items() if not speaks(atom(a), f)}
        self.known = [f for f in self.known if not speaks(f)]

    def settled(self, form):
        """The form, in atoms that stand for themselves."""
        while any(a in self.same for a in form.atoms):
            form = form.renamed(lambda a: self.same.get(a, atom(a)))
        return form

    def equal(self, one, other):
        return one is not None and other is not None and self.settled(one) == self.settled(other)

    def unify(self, one, other):
        """Note that two forms are equal, if one of them can be given up for the other; whether that was so."""
        gap = self.settled(one - other)
        for a, k in gap.atoms.items():
            if abs(k) == 1:
                self.same[a] = (atom(a) - gap.times(k))
                return True
        return False

    def at_least(self, form, bound=0):
        """Whether the form surely is at least the bound.

        Sizes of axes are not negative; else facts are taken off the form, as many as `DEPTH`, each for an atom that is in
        the way.
        """
        goal = self.settled(form - bound)
        return self.holds(goal) or bool(goal.atoms) and self.follows(goal, [self.settled(f) for f in self.known], DEPTH)

    @staticmethod
    def holds(goal):
        return goal.number >= 0 and all(k > 0 and '.shape[' in a for a, k in goal.atoms.items())

    def follows(self, goal, known, depth):
        if self.holds(goal):
            return True
        bad = [a for a, k in goal.atoms.items() if k < 0 or '.shape[' not in a] or list(goal.atoms)
        if not depth or not bad:
            return False
        sign = goal.atoms[bad[0]] > 0
        return any(self.follows(goal - f, known, depth - 1) for f in known
                   if bad[0] in f.atoms and (f.atoms[bad[0]] > 0) == sign)


class NotLowered(Exception):
    """The statement is none that is known to be right as loops; it stays as it is."""


class At(NamedTuple):
    """One position on an axis: its expression, and its Form if that is known."""
    expr: object
    form: object


class Through(NamedTuple):
    """The positions that an array of integers holds."""
    expr: object


class Span(NamedTuple):
    """The positions `start + step * k` for k below `length`."""
    start: Form
    step: int
    length: Form


class Inner(NamedTuple):
    """Positions of which all are read at each step; `expr` is the slice."""
    start: Form
    step: int
    length: Form
    expr: object


class Ref(NamedTuple):
    """Elements of an array: for each of its axes an At, a Span or an Inner; or a Through, on the only one.

    inside : how many loops there are inside of those over its axes
    """
    name: str
    parts: tuple
    inside: int = 0

    @property
    def spans(self):
        return tuple(p for p in self.parts if isinstance(p, Span))


def distance(x, y, facts):
    """By how many steps the one element that two refs share is met later by `y` than by `x`, on each axis of their loops.

    'apart' where they share none; None where it is not known.
    """
    if len(x.parts) != len(y.parts):
        return None
    found, kx, ky, unknown = {}, len(x.spans), len(y.spans), False
    ix, iy = -kx, -ky
    for a, b in zip(x.parts, y.parts):
        if isinstance(a, Through) or isinstance(b, Through):
            return None
        span_a, span_b = isinstance(a, Span), isinstance(b, Span)
        if isinstance(a, Inner) or isinstance(b, Inner):
            if not isinstance(a, At) and not isinstance(b, At) and separate(a, b, facts):
                return 'apart'
            unknown = True
        elif not span_a and not span_b:
            gap = facts.settled(a.form - b.form) if a.form is not None and b.form is not None else None
            if gap is None or gap.constant is None:
                unknown = True
            elif gap.constant and facts.at_least(a.form) and facts.at_least(b.form):
                return 'apart'
            elif gap.constant:
                unknown = True
        elif span_a and span_b:
            gap = facts.settled(a.start - b.start).constant
            if a.step != b.step or gap is None:
                unknown = unknown or not separate(a, b, facts)
                if separate(a, b, facts):
                    return 'apart'
            elif gap % a.step:
                return 'apart'
            elif ix != iy:
                unknown = True
            else:
                found[ix] = gap // a.step
        else:
            at, span = (b, a) if span_a else (a, b)
            if at.form is not None and span.step == 1 and facts.at_least(at.form) and (
                    facts.at_least(span.start - at.form, 1) or facts.at_least(at.form - span.start - span.length)):
                return 'apart'
            unknown = True
        ix, iy = ix + span_a, iy + span_b
    return None if unknown or kx != ky or x.inside or y.inside else tuple(found[k] for k in range(-kx, 0))


def separate(a, b, facts):
    """Whether two spans surely have no position in common."""
    return a.step == b.step == 1 and (facts.at_least(b.start - a.start - a.length)
                                      or facts.at_least(a.start - b.start - b.length))
