"""Where kinds are known, gradients need no fitting and seeds no look."""
import gast

from tangent.analysis.kinds.infer import indexed
from tangent.analysis.kinds.values import Array, Number, Parts, gradient_kind, is_exact, is_float, is_integer, is_sum
from tangent.frontend import tree
from tangent.optimize import rewrite

PLAIN = 'bool', 'int64', 'float64'


def known(func):
    """Leave out what changes nothing of values of these kinds: `unbroadcast`, `astype`, the looks at the seed.

        by = check_scalar(by)                       (x, by are numbers)
        bt = unbroadcast(by * x, t)                 bt = by * x
        bx = add_at(bx, 0, bt)                      bx[0] += bt
        return astype(add_grad(bx, bz), x)          return bx + bz
    """
    if func.known is None:
        return func
    finder = _Known(func)
    new = {}
    for stmt in tree.every(func.tree.body):
        changed = finder.statement(rewrite.header(stmt, finder.change))
        if changed is not stmt:
            new[stmt] = changed
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new)) if new else func


class _Known:
    def __init__(self, func):
        self.kinds, self.added = func.known.infer(func.tree), set()
        self.names = {new: name for name, new in func.library.items()}
        given = func.known.given
        params = tree.names(func.tree.args, gast.Param)
        self.plain = all(getattr(given.get(p), 'dtype', None) in PLAIN for p in params)

    def statement(self, stmt):
        """The statement, None where it is `x = x`, `x[i] += v` for `x = add_at(x, i, v)`."""
        name = tree.target(stmt)
        if name is None:
            return stmt
        value = stmt.value
        if isinstance(value, gast.Name) and value.id == name:
            return None
        if isinstance(value, gast.Call) and value in self.added and value.args[0].id == name:
            owner, index, v = value.args
            target = gast.Subscript(value=owner, slice=index, ctx=gast.Store())
            update = gast.AugAssign(target=target, op=gast.Add(), value=v)
            return gast.copy_location(tree.place(update, tree.origin(stmt)), stmt)
        return stmt

    def change(self, node):
        """The expression without calls that give what they are given."""
        if not isinstance(node, gast.AST) or isinstance(node, (gast.Name, gast.Constant)):
            return node
        new = tree.with_children(node, self.change)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and not node.keywords:
            name, kinds = self.names.get(node.func.id), [self.kinds.of(a) for a in node.args]
            kept = IDLE.get(name)
            at = kept(self, node, kinds) if kept else None
            if at is not None:
                return new.args[at]
            if name == 'add_grad' and is_sum(*kinds):
                return gast.BinOp(left=new.args[0], op=gast.Add(), right=new.args[1])
            if name == 'add_at' and self.is_addition(node, kinds):
                self.added.add(new)
        return new

    def is_addition(self, node, kinds):
        """Whether `add_at(x, i, v)` is `x[i] += v`: each element is named once, and `v` has their shape or that of one."""
        owner, index, v = kinds
        part = indexed(self.kinds, owner, node.args[1]) if isinstance(owner, Array) else None
        parts = node.args[1].elts if isinstance(node.args[1], gast.Tuple) else [node.args[1]]
        basic = all(isinstance(p, (gast.Slice, gast.Constant)) or is_integer(self.kinds.of(p)) for p in parts)
        same = isinstance(part, Number) and is_float(v) or is_exact(part) and part == v
        return basic and same and isinstance(node.args[0], gast.Name) and owner.dtype == 'float64'

    def listed(self, node, kinds):
        """`unarray(b, x)` for a list of numbers `x`: 0, of which single elements are asked."""
        b, x = kinds
        plain = isinstance(x, Parts) and all(map(is_float, x.kinds))
        return 0 if plain and isinstance(b, Array) and b.dtype == 'float64' and b.axes == (len(x.kinds),) else None

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


IDLE = {'unarray': _Known.listed, 'unbroadcast': _Known.fitting, 'astype': _Known.fitting, 'check_scalar': _Known.scalar_seed,
        'check_dims': _Known.seed, 'check_number': _Known.seed}
