"""What does not change in a loop is computed before it."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite


def hoist(func):
    """Move products and sums of the backward pass that do not change in a loop out of the loop.

    >>> show(hoist, 'for i in range(n):\\n t = by * 2\\n bx[i] += t * x[i]')
    t = by * 2
    for i in range(n):
        bx[i] += t * x[i]
    >>> show(hoist, 'for i in range(n):\\n t = i * 2\\n bx[i] += t * x[i]')
    for i in range(n):
        t = i * 2
        bx[i] += t * x[i]
    """
    effects, found = effects_of(func), cfg.places(func)
    inside, moved, gone = {}, {}, {}
    for stmt, place in found.items():
        for loop in place.loops + (stmt,):
            inside.setdefault(loop, set()).update(look(stmt).writes)
    for stmt, place in found.items():
        if not place.loops or place.parent is not place.loops[-1] or not simple(stmt, effects):
            continue
        loops = list(place.loops)
        free = set(look(stmt.value).loads)
        to = None
        while loops and free.isdisjoint(inside[loops[-1]]):
            to = loops.pop()
        if to is not None:
            moved.setdefault(to, []).append(tree.place(tree.replace(stmt), tree.origin(to)))
            gone[stmt] = None
            for loop in place.loops[len(loops):]:
                inside[loop].discard(tree.target(stmt))
    if not moved:
        return func
    return rewrite.with_body(func, before(func.tree.body, moved, gone))


def simple(stmt, effects):
    """Whether the statement is `t = a op b` that cannot fail and means the same on every trip."""
    name = tree.target(stmt)
    return (name is not None and tree.role(stmt) == 'adjoint' and effects.temporary(name)
            and effects.stable(name) and isinstance(stmt.value, gast.BinOp)
            and isinstance(stmt.value.op, (gast.Add, gast.Sub, gast.Mult))
            and tree.is_atom(stmt.value.left) and tree.is_atom(stmt.value.right)
            and all(n in effects.count and n not in effects.mutated and n not in effects.captured
                    for n in look(stmt.value).loads))


def before(block, moved, gone):
    """The block with statements moved to where their loop begins."""
    out = []
    for stmt in block:
        if stmt in gone:
            continue
        out += moved.get(stmt, [])
        out.append(rewrite.with_blocks(stmt, lambda inner: before(inner, moved, gone) or inner and [gast.Pass()]))
    return rewrite.same(out, block)
