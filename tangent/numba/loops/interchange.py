"""Loops around nests, turned inside out where that makes the innermost steps neighbours in memory.

    for j in range(1, m):                      for i in range(n):
        for i in range(n):             ->          for j in range(1, m):
            y[i, j] = x[i, j - 1]                      y[i, j] = x[i, j - 1]

That is right where all that is read and written of an array that changes lies at the same position `i`: then the steps of
`i` have nothing to do with each other. It is not better where a step of `j` needs what the one before it made: then each
would wait for the other, which many `i` in between hide.
"""
import gast

from tangent.frontend import tree
from tangent.numba.loops.affine import At, Span


def turned(loop, nests, lowering, apart):
    """A loop whose body is made of nests, with their loops outside; None where that is not right, or not better.

    nests : the `fuse.Loop` of each statement of the body
    apart : whether the arrays of two names share no memory
    """
    inside = [s for nest in nests for s in nest.statements]
    if not isinstance(loop.target, gast.Name) or not lowering.is_range(loop.iter) or loop.orelse \
            or not is_better(loop.target.id, inside) or waits(inside) or escapes(loop, lowering.function):
        return None
    headers, body = [], loop.body
    while all(isinstance(s, gast.For) for s in body) and len({gast.dump(s.iter) + s.target.id for s in body}) == 1:
        axis = len(headers)
        if not is_free(axis, inside, lowering, apart) or loop.target.id in tree.names(body[0].iter, gast.Load):
            break
        headers.append(body[0])
        body = [t for s in body for t in s.body]
    if not headers or any(isinstance(s, gast.For) for s in body):
        return None
    block = added_up(tree.replace(loop, body=body), lowering)
    for header in headers[::-1]:
        block = [tree.place(tree.replace(loop, target=header.target, iter=header.iter, body=block), tree.origin(loop))]
    return block[0]


def added_up(loop, lowering):
    """The loop, with what all its steps add to one element of an array added up before, in any order."""
    before, after = [], []
    for s in [s for s in loop.body if isinstance(s, gast.AugAssign)] if lowering.helpers.get('empty_sum') is not None else ():
        parts = added_up_of(s, loop, lowering)
        if parts is not None:
            begin, loop, end = parts
            before.append(begin)
            after.append(end)
    return [*before, loop, *after]


def added_up_of(s, loop, lowering):
    """(the statement with which a sum begins, the loop, the statement that adds it) for one statement; None where another
    step may need what has been added."""
    if not isinstance(s.op, (gast.Add, gast.Sub)):
        return None
    changing = {loop.target.id} | {n for other in loop.body for n in tree.writes(other)}
    kind = lowering.kinds.of.get(s.target.value.id) if isinstance(s.target, gast.Subscript) else None
    reads = [n for other in loop.body for n in tree.names(other, gast.Load)]
    if kind is None or kind.dtype != 'float64' or changing & set(tree.names(s.target.slice, gast.Load)) \
            or reads.count(s.target.value.id) != 1:
        return None
    total = lowering.names.fresh('total')
    begin = lowering.begin(total, 'float64', s, tree.Origin('primal', s.lineno))
    inside = [tree.replace(other, target=tree.store(total)) if other is s else other for other in loop.body]
    end = tree.replace(s, op=gast.Add(), value=tree.load(total))
    return begin, tree.replace(loop, body=inside), end


def is_better(name, inside):
    """Whether the variable of the loop around moves along the last axis of most arrays, or of one that is added to."""
    refs = [r for s in inside for r in (s.target, *s.refs.values()) if r.parts and not s.fresh or r is not s.target and r.spans]
    along = sum(isinstance(r.parts[-1], At) and name in tree.names(r.parts[-1].expr, gast.Load) for r in refs)
    if along > sum(isinstance(r.parts[-1], Span) and len(r.parts) > 1 for r in refs):
        return True
    stays = all(name not in tree.names(p.expr, gast.Load) for r in refs for p in r.parts[:-1] if isinstance(p, At))
    targets = [s.target.parts[-1] for s in inside if s.adds and s.target.spans and not s.fresh]
    return stays and any(isinstance(p, At) and name in tree.names(p.expr, gast.Load) for p in targets)


def waits(inside):
    """Whether an array is written at other positions than those at which it is used."""
    places: dict = {}
    for s in inside:
        for r in (s.target, *s.refs.values()):
            forms = [p.form for p in r.parts if isinstance(p, At)]
            places.setdefault(r.name, []).append(forms)
    written = {s.target.name for s in inside if not s.fresh}
    return any(None in forms or forms != places[n][0] for n in written for forms in places[n])


def is_free(axis, inside, lowering, apart):
    """Whether the steps of the loops over an axis have nothing to do with each other."""
    written: dict = {}
    for s in inside:
        if axis >= len(s.lengths):
            return False
        if not s.fresh:
            written.setdefault(s.target.name, position(s.target, s, axis))
    summed = {n for n in written if all(s.adds for s in inside if s.target.name == n)
              and not any(r.name == n for s in inside for r in s.refs.values())}
    names = {r.name for s in inside for r in (s.target, *s.refs.values())}
    fresh = {s.target.name for s in inside if s.fresh}
    if any(m in lowering.kinds.family(n) or not apart(n, m) for n in written for m in names - fresh - {n}):
        return False
    for s in inside:
        for r in (s.target, *s.refs.values()):
            if r.name in written.keys() - summed and (written[r.name] is None or position(r, s, axis) != written[r.name]):
                return False
    return True


def position(ref, s, axis):
    """(axis of the array, where the loop over `axis` begins on it), or None."""
    at = axis - len(s.lengths) + len(ref.spans) + ref.inside
    spans = [(k, p) for k, p in enumerate(ref.parts) if isinstance(p, Span)]
    return (spans[at][0], spans[at][1].start, spans[at][1].step) if 0 <= at < len(spans) else None


def escapes(loop, function):
    """Whether the variable of a loop is read where no loop over it is around."""
    def loads(stmts, name):
        total = 0
        for s in stmts:
            total += sum(n == name for part in tree.header(s) for n in tree.names(part, gast.Load))
            for field, block in tree.blocks(s):
                if not (isinstance(s, gast.For) and field == 'body' and tree.names(s.target, gast.Store) == [name]):
                    total += loads(block, name)
        return total
    return loads(function.body, loop.target.id) > 0
