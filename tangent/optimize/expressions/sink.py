"""A new version of a gradient is computed when the old one is read no more."""
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import COMPOUND, look
from tangent.frontend import tree
from tangent.optimize import rewrite

FAR = 8      # statements that one may pass


def sink(func):
    """Move `b2 = ... b ...` below the statements that read `b` still, so that both versions can be one name.

    >>> show(sink, 'by2 = by * x; bx += by * y; bz = by2', base={'by2': 'by'})
    bx += by * y; by2 = by * x; bz = by2
    """
    return rewrite.with_body(func, _Sink(effects_of(func)).block(func.tree.body))


class _Sink:
    def __init__(self, effects):
        self.effects, self.base = effects, effects.func.base

    def block(self, block):
        out = [rewrite.with_blocks(stmt, self.block) for stmt in block]
        for index in range(len(out) - 2, -1, -1):
            if self.version(out[index]):
                to = self.after(out, index)
                out.insert(to, out.pop(index)) if to > index else None
        return rewrite.same(out, block)

    def version(self, stmt):
        """The older version of its own target that the statement reads, if it can move."""
        name = tree.target(stmt)
        if name is None or tree.role(stmt) != 'adjoint' or not self.effects.pure(stmt):
            return None
        base = self.base.get(name, name)
        return next((n for n in look(stmt).loads if n != name and self.base.get(n, n) == base), None)

    def after(self, block, index):
        """The index of the last statement that reads the old version and may run before this one."""
        stmt, found = block[index], index
        old, name, reads = self.version(stmt), tree.target(stmt), frozenset(look(stmt).loads)
        for later in range(index + 1, min(index + 1 + FAR, len(block))):
            passed = block[later]
            loads = look(passed).loads
            if (name in loads or name in look(passed).writes or isinstance(passed, COMPOUND)
                    or not reads.isdisjoint(look(passed).writes | self.effects.changes(passed))
                    or self.effects.unknown(passed) or not hasattr(passed, 'value')):
                break
            if old in loads and self.version(passed) != old:
                found = later
        return found
