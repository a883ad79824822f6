"""A copy of what nobody else holds is not needed."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite


def owned(func):
    """Take an array instead of copying it, if it is never read again, under no name that may hold it.

    >>> show(owned, 'bx = init_grad(x); bx += by; bz = copy(bx); bz += 1; return bz')
    bx = init_grad(x); bx += by; bz = bx; bz += 1; return bz
    >>> show(owned, 'bx = by; bz = copy(bx); bz += 1; return bz')
    bx = by; bz = copy(bx); bz += 1; return bz
    >>> show(owned, 'bx = init_grad(x)\\nfor k in range(n):\\n bz = copy(bx)\\n bz += 1\\n bw = bz * 2\\n bx = bw\\nreturn bx')
    bx = init_grad(x)
    for k in range(n):
        bz = bx
        bz += 1
        bw = bz * 2
        bx = bw
    return bx
    """
    name = func.library.get('copy', 'copy')
    found = [stmt for stmt in cfg.statements(func) if copied(stmt, name)]
    if not found:
        return func
    effects, graph = effects_of(func), cfg.Graph(func)
    groups = {source: effects.alias.get(source, frozenset()) | {source} for source in [copied(stmt, name) for stmt in found]}
    bits = {name: 1 << k for k, name in enumerate(sorted(set().union(*groups.values())))}
    live, _ = cfg.liveness(graph, bits)
    after = {node.stmt: live[node.at] for node in graph.nodes}
    new = {}
    for stmt in found:
        group = groups[source := copied(stmt, name)]
        seen = any(n in effects.params or n in effects.captured or n not in effects.count for n in group)     # or on the tape
        if not seen and not any(after[stmt] & bits[n] for n in group - {tree.target(stmt)}):
            new[stmt] = tree.replace(stmt, value=tree.load(source))
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new)) if new else func


def copied(stmt, name):
    """The name whose object `target = copy(name)` copies, else None."""
    if tree.target(stmt) and isinstance(stmt.value, gast.Call) and tree.dotted(stmt.value.func) == name:
        if len(stmt.value.args) == 1 and isinstance(stmt.value.args[0], gast.Name) and not look(stmt).captured:
            return stmt.value.args[0].id
    return None
