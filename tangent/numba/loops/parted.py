"""Numbers that each step of a loop around nests makes first: in a loop of their own, kept in a row, so that it can be turned.

    for c in range(m):                             row = np.empty(m)
        b = 2.0 * y[c]                             for c in range(m):
        s[c] += b                      ->              b = 2.0 * y[c]; s[c] += b; row[c] = b
        for k in range(n):                         for c in range(m):
            w[k, c] += b * x[k]                        for k in range(n):
                                                           w[k, c] += row[c] * x[k]
"""
import gast

from tangent.frontend import tree
from tangent.numba.loops.affine import atom
from tangent.numba.loops.interchange import is_better
from tangent.numba.loops.values import FLOAT


def parted(loop, nests, lowering, scope, apart):
    """(statements, the loop with nests alone); None where that is not right, or not better.

    apart : whether the arrays of two names share no memory
    """
    count = next((k for k, nest in enumerate(nests) if nest is not None), 0)
    first, rest, inside = loop.body[:count], loop.body[count:], [s for nest in nests[count:] if nest for s in nest.statements]
    trips = lowering.kinds.trips(loop.iter) if lowering.is_range(loop.iter) else None
    if not count or None in nests[count:] or trips is None or not isinstance(loop.target, gast.Name) or loop.orelse \
            or not is_better(loop.target.id, inside):
        return None
    kinds, made = lowering.kinds, [tree.target(s) for s in first if tree.target(s)]
    added = [s.target.value.id for s in first if is_sum(s, lowering)]
    touched = {m for s in inside for r in (s.target, *s.refs.values()) for m in kinds.family(r.name)}
    written = {m for n in [*added, *(s.target.name for s in inside)] for m in kinds.family(n)}
    if len(made) + len(added) != count or any(kinds.bound.get(n) != 1 or kinds.of.get(n) != FLOAT for n in made) \
            or not touched.isdisjoint(added) or any(kinds.family(n) != {n} for n in added) \
            or any(not written.isdisjoint(read(s)) for s in first) \
            or any(isinstance(n, gast.Call) for s in first for n in tree.walk(s)):
        return None
    arrays = {n for s in first for n in read(s) if kinds.of.get(n) is None or kinds.of[n].rank}
    if not all(apart(n, m) for n in arrays for m in written) or not all(apart(n, m) for n in added for m in touched):
        return None
    inner = sum(tree.names(s, gast.Load).count(n) for s in loop.body for n in made)
    if inner != sum(tree.names(lowering.function, gast.Load).count(n) for n in made):
        return None
    least, length = trips[0], scope.facts.settled(trips[1])
    rows = {n: lowering.names.fresh(f'{n}_row') for n in made if any(n in tree.names(s, gast.Load) for s in rest)}
    at = (atom(loop.target.id) - least).tree()
    size = length.tree() if scope.facts.at_least(length) else tree.call('max', length.tree(), tree.constant(0))
    before = [tree.assign(row, tree.call(f'{lowering.numpy()}.empty', size)) for row in rows.values()]
    elements = {n: gast.Subscript(value=tree.load(row), slice=at, ctx=gast.Load()) for n, row in rows.items()}
    kept = [gast.Assign(targets=[tree.replace(e, ctx=gast.Store())], value=tree.load(n), type_comment=None)
            for n, e in elements.items()]
    before = [gast.copy_location(tree.place(s, tree.origin(loop)), loop) for s in before]
    kept = [gast.copy_location(tree.place(s, tree.origin(loop)), loop) for s in kept]
    inner = [substituted(s, elements) for s in rest]
    return [*before, tree.replace(loop, body=[*first, *kept])], tree.replace(loop, body=inner)


def read(s):
    """The names that a statement of numbers reads, but for the array that it adds to."""
    names = tree.names(s.value, gast.Load)
    return {*names, *tree.names(s.target.slice, gast.Load)} if isinstance(s, gast.AugAssign) else set(names)


def substituted(s, elements):
    """The statement with elements of rows for numbers."""
    fields = {f: [substituted(t, elements) for t in block] for f, block in tree.blocks(s)}
    return tree.replace(s, **fields) if fields else tree.replace(s, value=tree.substitute(s.value, elements))


def is_sum(s, lowering):
    """Whether a statement adds a number to an element of an array."""
    return isinstance(s, gast.AugAssign) and isinstance(s.op, (gast.Add, gast.Sub)) and isinstance(s.target, gast.Subscript) \
        and isinstance(s.target.value, gast.Name) and lowering.kinds.kind(s.target) == FLOAT
