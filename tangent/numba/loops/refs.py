"""Which elements of an array a step of a loop reads or writes, and how far apart those of two steps are."""
from __future__ import annotations

from typing import NamedTuple

from tangent.numba.loops.affine import Form


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
