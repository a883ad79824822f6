"""Regions of arrays: may one access reach what another one reached before it, in loops that count?

An index is a tuple of intervals whose ends are `variable + number`, as in `A[i, :j - 1]`. Two accesses that stand in loops
are told apart by the loop in which their iterations differ first: the variables of the loops around it are the same for
both, its own has moved on in the loop's direction, and those of the loops inside may be anything in their range.
"""
from typing import NamedTuple

import gast

from tangent.frontend import tree

DEPTH = 3         # bounds of bounds that are looked at


class End(NamedTuple):
    """`name + number`; the name None for a number alone. `later`: the variable as it is at the later access."""
    name: object
    number: int
    later: bool = False


class Interval(NamedTuple):
    """The positions from `low` up to, but not including, `high`; None where an end is unknown."""
    low: object
    high: object


class Header(NamedTuple):
    """A loop that counts: its variable, the direction, and the least and the greatest value that it takes."""
    name: str
    step: int
    least: object
    greatest: object


def end_of(expr):
    """The End that an expression denotes, or None."""
    if isinstance(expr, gast.Constant) and type(expr.value) is int:
        return End(None, expr.value)
    if isinstance(expr, gast.Name):
        return End(expr.id, 0)
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        found = end_of(expr.operand)
        return End(None, -found.number) if found is not None and found.name is None else None
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)):
        left, right = end_of(expr.left), end_of(expr.right)
        if left is None or right is None:
            return None
        if isinstance(expr.op, gast.Sub):
            return End(left.name, left.number - right.number) if right.name is None else None
        if left.name is None or right.name is None:
            return End(left.name or right.name, left.number + right.number)
    return None


def moved(end, by):
    return end if end is None else end._replace(number=end.number + by)


def intervals(index):
    """The Interval for each axis of an index."""
    return [interval(part) for part in (index.elts if isinstance(index, gast.Tuple) else [index])]


def interval(part):
    if isinstance(part, gast.Slice):
        if part.step is not None:
            return Interval(None, None)
        low = End(None, 0) if part.lower is None else positive(end_of(part.lower))
        return Interval(low, positive(end_of(part.upper)) if part.upper is not None else None)
    if isinstance(part, gast.Constant) and type(part.value) is not int:
        return None                            # `...` and new axes shift those that follow
    low = positive(end_of(part))
    return Interval(low, moved(low, 1))


def positive(end):
    """An end that counts from the front; one such as -1 counts from a length that is not known."""
    return None if end is None or end.name is None and end.number < 0 else end


def header_of(loop):
    """The Header of a loop over a range with a step of 1 or -1, or None."""
    if not isinstance(loop, gast.For) or not isinstance(loop.target, gast.Name) or not isinstance(loop.iter, gast.Call) \
            or tree.dotted(loop.iter.func) != 'range':
        return None
    args = loop.iter.args
    start, stop = (tree.constant(0), args[0]) if len(args) == 1 else args[:2]
    step = end_of(args[2]) if len(args) == 3 else End(None, 1)
    if step not in (End(None, 1), End(None, -1)):
        return None
    first, last = end_of(start), moved(end_of(stop), -step.number)
    least, greatest = (first, last) if step.number == 1 else (last, first)
    return Header(loop.target.id, step.number, least, greatest)


def may_meet(first, then, loops, follows):
    """Whether the access `then` may reach, after the access `first`, what that reached.

    Parameters
    ----------
    first, then : list of Interval
        An access each; what is not an index is None.
    loops : (list, list, list) of Header or None
        The loops around both, outer ones first; those around the first alone; those around the second alone.
    follows : bool
        Whether the second stands after the first in the text of the innermost common loop.
    """
    cases = ([None] if follows else []) + list(range(len(loops[0])))
    return not all(apart(first, then, loops, at) for at in cases)


def apart(first, then, loops, at):
    """Whether the accesses are surely apart where their iterations differ first in the common loop `at` (None: in none)."""
    if None in first or None in then:
        return False
    facts = Facts(loops, at)
    for a, b in zip(first, then):
        if not facts.from_the_front(a) or not facts.from_the_front(Interval(as_later(b.low, facts), as_later(b.high, facts))):
            continue
        if facts.at_most(as_later(b.high, facts), a.low) or facts.at_most(a.high, as_later(b.low, facts)):
            return True
    return False


def as_later(end, facts):
    if end is None or end.name not in facts.changed:
        return end
    return end._replace(later=True)


class Facts:
    """What is known of the variables of loops at two accesses."""

    def __init__(self, loops, at):
        common, mine, its = loops
        split = len(common) if at is None else at
        self.moves = common[at] if at is not None else None
        self.changed = {h.name for h in common[split:] + its if h is not None}
        self.headers = {h.name: h for h in common + mine + its if h is not None}

    def at_most(self, left, right, depth=DEPTH):
        """Whether `left <= right` for sure."""
        if left is None or right is None:
            return False
        if (left.name, left.later) == (right.name, right.later):
            return left.number <= right.number
        if left.name == right.name and self.moves is not None and left.name == self.moves.name:
            forward = self.moves.step == (1 if right.later else -1)        # the right one is further on, by 1 at least
            if forward:
                return left.number <= right.number + 1
        if depth == 0:
            return False
        greatest = self.bound(left, 'greatest')
        if greatest is not None and self.at_most(greatest, right, depth - 1):
            return True
        least = self.bound(right, 'least')
        return least is not None and self.at_most(left, least, depth - 1)

    def from_the_front(self, interval):
        """Whether the ends of an interval are surely not negative: those would count from the back."""
        return all(end is None or self.at_most(End(None, 0), end) for end in interval)

    def bound(self, end, which):
        """An end that a variable of a loop does not pass."""
        header = self.headers.get(end.name)
        found = getattr(header, which) if header is not None else None
        if found is None:
            return None
        return End(found.name, found.number + end.number, end.later and found.name in self.changed)
