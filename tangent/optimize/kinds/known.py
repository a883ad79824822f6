"""Where kinds are known, gradients need no fitting and seeds no look."""
import gast

from tangent.analysis.kinds.values import Number, gradient_kind, is_exact, is_float
from tangent.frontend import tree
from tangent.optimize import rewrite

PLAIN = 'bool', 'int64', 'float64'


def known(func):
    """Leave out what changes nothing of values of these kinds: `unbroadcast`, `astype`, the looks at the seed.

        by = check_scalar(by)                       (x, by are numbers)
        bt = unbroadcast(by * x, t)                 bt = by * x
        return astype(bt, x)                        return bt
    """
    if func.known is None:
        return func
    finder = _Known(func)
    new = {}
    for stmt in tree.every(func.tree.body):
        changed = rewrite.header(stmt, finder.change)
        if changed is not stmt:
            new[stmt] = None if is_idle(changed) else changed
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new)) if new else func


def is_idle(stmt):
    """Whether a statement is `x = x`."""
    return tree.target(stmt) is not None and isinstance(stmt.value, gast.Name) and stmt.value.id == tree.target(stmt)


class _Known:
    def __init__(self, func):
        self.kinds = func.known.infer(func.tree)
        self.names = {new: name for name, new in func.library.items()}
        given = func.known.given
        params = tree.names(func.tree.args, gast.Param)
        self.plain = all(getattr(given.get(p), 'dtype', None) in PLAIN for p in params)

    def change(self, node):
        """The expression without calls that give what they are given."""
        if not isinstance(node, gast.AST) or isinstance(node, (gast.Name, gast.Constant)):
            return node
        new = tree.with_children(node, self.change)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and not node.keywords:
            kept = IDLE.get(self.names.get(node.func.id))
            at = kept(self, node, [self.kinds.of(a) for a in node.args]) if kept else None
            return new if at is None else new.args[at]
        return new

    def fitting(self, node, kinds):
        """`unbroadcast(b, x)`, `astype(b, x)`: 0 where `b` has the shape and dtype of `x`."""
        b, x = kinds
        if is_float(b) and isinstance(x, Number) and x.dtype in PLAIN and (is_float(x) or b.python is False):
            return 0
        return 0 if is_exact(b) and b == gradient_kind(x) else None

    def scalar_seed(self, node, kinds):
        """`check_scalar(by)`."""
        return 0 if self.plain and is_float(kinds[0]) else None

    def seed(self, node, kinds):
        """`check_dims(y, by, ...)`."""
        y, by = kinds[:2]
        return 1 if self.plain and is_float(y) and is_float(by) else None


IDLE = {'unbroadcast': _Known.fitting, 'astype': _Known.fitting, 'check_scalar': _Known.scalar_seed,
        'check_dims': _Known.seed, 'check_number': _Known.seed}
