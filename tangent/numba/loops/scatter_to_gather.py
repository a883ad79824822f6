"""Loops over elements, and sums that go to neighbours turned into sums that come from neighbours.

    for j in range(1, n - 1):                      for j in range(n):
        b[i, j - 1] += t[j]                            b[i, j] += t[j + 2] + t[j + 1] + t[j]
    for j in range(1, n - 1):              ->
        b[i, j] += t[j]
    for j in range(1, n - 1):
        b[i, j + 1] += t[j]

The row `t` then has zeros on both sides.
"""
import dataclasses

import gast

from tangent.frontend import tree
from tangent.numba.loops.accesses import ArrayStmt
from tangent.numba.loops.affine import Form, Ref, Span


@dataclasses.dataclass(eq=False)
class Loop:
    """A loop over one axis: of loops over the next, or of statements."""
    axis: int
    body: list
    down: bool = False

    @property
    def statements(self):
        return [s for part in self.body for s in (part.statements if isinstance(part, Loop) else [part])]


def gathered(loop, rows, facts):
    """The loop with sums that come from neighbours; rows that need zeros on their sides are marked."""
    if not all(isinstance(part, Loop) for part in loop.body):
        return loop
    if any(isinstance(p, Loop) for part in loop.body for p in part.body):
        return dataclasses.replace(loop, body=[gathered(part, rows, facts) for part in loop.body])
    out: list = []
    run: list = []
    for part in [*split(loop.body, rows, facts), None]:
        if part is not None and is_sum(part, rows):
            run.append(part)
            continue
        out += together(run, rows, facts)
        out += [] if part is None else [part]
        run = []
    return dataclasses.replace(loop, body=out)


def split(parts, rows, facts):
    """The loops, with the last statement of each in a loop of its own if it is a sum to which more goes in the next ones."""
    out = []
    for k, part in enumerate(parts):
        last = dataclasses.replace(part, body=part.body[-1:])
        if len(part.body) > 1 and is_sum(last, rows):
            following = []
            for other in parts[k + 1:]:
                if not is_sum(other, rows):
                    break
                following.append(other)
            if any(shift(part.body[-1], other.body[0], facts) is not None for other in following):
                out += [dataclasses.replace(part, body=part.body[:-1]), last]
                continue
        out.append(part)
    return out


def is_sum(part, rows):
    """Whether a loop adds a row, as it is, to an array, and does nothing else."""
    if len(part.body) != 1 or part.down:
        return False
    s, = part.body
    if not isinstance(s.op, gast.Add) or not isinstance(s.value, gast.Name) or list(s.refs) != [id(s.value)] \
            or not s.target.parts:
        return False
    row, last = rows.get(s.value.id), s.target.parts[-1]
    is_row = row is not None and row.depth < len(s.lengths) and (row.depth or len(s.lengths) == 1)
    return is_row and isinstance(last, Span) and last.step == 1 and s.target.name not in rows


def together(run, rows, facts):
    """The loops of a run of sums, with those into the same row of the same array as one."""
    out: list = []
    while run:
        first = run.pop(0).body[0]
        group = [(0, first)]
        rest = []
        for part in run:
            gap = shift(first, part.body[0], facts)
            if gap is None or abs(gap) > 4:
                rest.append(part)
            else:
                group.append((gap, part.body[0]))
        run = rest
        out.append(Loop(len(first.lengths) - 1, [summed(sorted(group, key=lambda g: g[0]), rows) if len(group) > 1 else first]))
    return out


def shift(one, other, facts):
    """By how many elements of the last axis the second sum goes to other places than the first; None if they differ in more."""
    if one.target.name != other.target.name or not facts.equal(one.lengths[-1], other.lengths[-1]):
        return None
    for a, b in zip(one.target.parts[:-1], other.target.parts[:-1]):
        if type(a) is not type(b):
            return None
        at = (a.start, b.start) if isinstance(a, Span) else (a.form, b.form)
        if isinstance(a, Span) and a.step != b.step or None in at or not facts.equal(*at):
            return None
    return facts.settled(other.target.parts[-1].start - one.target.parts[-1].start).constant


def summed(group, rows):
    """The one statement for sums that go to places that differ by the gaps, which are in order."""
    least, most = group[0][0], group[-1][0]
    first, spread = group[0][1], most - least
    span = first.target.parts[-1]
    length = span.length + spread
    value, refs = None, {}
    for gap, s in group:
        node = tree.load(s.value.id)
        row = rows[s.value.id]
        row.pad = max(row.pad, spread)
        old = s.refs[id(s.value)]
        refs[id(node)] = Ref(old.name, (*old.parts[:-1], Span(Form(least - gap), 1, length)))
        value = node if value is None else gast.BinOp(left=value, op=gast.Add(), right=node)
    target = Ref(first.target.name, (*first.target.parts[:-1], Span(span.start, 1, length)))
    return ArrayStmt(target, first.op, value, refs, (*first.lengths[:-1], length), down=first.down, stmt=first.stmt)
