"""A copy of what nobody else holds is not needed."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite


def owned(func):
    """Take an array instead of copying it, if no other name holds it and it is never read again.

    >>> show(owned, 'bx = init_grad(x); bx += by; bz = copy(bx); bz += 1; return bz')
    bx = init_grad(x); bx += by; bz = bx; bz += 1; return bz
    >>> show(owned, 'bx = by; bz = copy(bx); bz += 1; return bz')
    bx = by; bz = copy(bx); bz += 1; return bz
    """
    name = func.library.get('copy', 'copy')
    found = [stmt for stmt in cfg.statements(func) if copied(stmt, name)]
    if not found:
        return func
    effects, graph = effects_of(func), cfg.Graph(func)
    bits = {copied(stmt, name): 0 for stmt in found}
    bits = {name: 1 << k for k, name in enumerate(sorted(bits))}
    live, _ = cfg.liveness(graph, bits)
    after = {node.stmt: live[node.at] for node in graph.nodes}
    new = {}
    for stmt in found:
        source = copied(stmt, name)
        alone = not effects.alias.get(source, frozenset()) - {source} and source not in effects.params
        if alone and source in effects.count and source not in effects.captured and not after[stmt] & bits[source]:
            new[stmt] = tree.replace(stmt, value=tree.load(source))
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new)) if new else func


def copied(stmt, name):
    """The name whose object `target = copy(name)` copies, else None."""
    if tree.target(stmt) and isinstance(stmt.value, gast.Call) and tree.dotted(stmt.value.func) == name:
        if len(stmt.value.args) == 1 and isinstance(stmt.value.args[0], gast.Name) and not look(stmt).captured:
            return stmt.value.args[0].id
    return None
