"""Where kinds are known, gradients need no fitting and seeds no look."""
import gast

from tangent.analysis.kinds.infer import indexed
from tangent.analysis.kinds.values import (
    PLAIN,
    Array,
    Number,
    Parts,
    alike,
    gradient_kind,
    is_float,
    is_integer,
    is_plain,
    is_sum,
)
from tangent.frontend import tree
from tangent.optimize import rewrite


def known(func):
    """Leave out what changes nothing of values of these kinds: `unbroadcast`, `astype`, the looks at the seed.

        by = check_scalar(by)                       (x, by are numbers)
        bt = unbroadcast(by * x, t)                 bt = by * x
        bx = add_at(bx, 0, bt)                      bx[0] += bt
        bx = add_at(bx, rows, bt)                   np.add.at(bx, rows, bt)
        return astype(add_grad(bx, bz), x)          return bx + bz
    """
    if func.known is None:
        return func
    finder = _Known(func)
    new, before = {}, {}
    for stmt in tree.every(func.tree.body):
        changed = rewrite.header(stmt, finder.change)
        update = finder.update(changed)
        if update is not None:
            before[stmt] = [update]
            changed = tree.replace(changed, value=changed.value.args[0])
        if changed is not stmt:
            new[stmt] = None if is_idle(changed) else changed
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new, before)) if new else func


def is_idle(stmt):
    """Whether it is `x = x`."""
    return tree.target(stmt) is not None and isinstance(stmt.value, gast.Name) and stmt.value.id == tree.target(stmt)


class _Known:
    def __init__(self, func):
        self.kinds, self.added, self.gathered = func.known.infer(func.tree), set(), set()
        self.numpy = func.known.library('numpy')
        self.names = {new: name for name, new in func.library.items()}
        given = func.known.given
        params = tree.names(func.tree.args, gast.Param)
        self.plain = all(getattr(given.get(p), 'dtype', None) == 'bool' or is_plain(given.get(p)) for p in params)

    def update(self, stmt):
        """The statement `x[i] += v` for `y = add_at(x, i, v)`, or None."""
        value = stmt.value if tree.target(stmt) else None
        if not isinstance(value, gast.Call) or value not in self.added | self.gathered:
            return None
        owner, index, v = value.args
        if value in self.added:
            target = gast.Subscript(value=owner, slice=index, ctx=gast.Store())
            found = gast.AugAssign(target=target, op=gast.Add(), value=v)
        else:
            found = gast.Expr(value=tree.call(f'{self.numpy}.add.at', *value.args))
        return gast.copy_location(tree.place(found, tree.origin(stmt)), stmt)

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
            if name == 'add_at' and isinstance(kinds[0], Array) and isinstance(node.args[0], gast.Name):
                way = self.addition(node, kinds)
                if way is not None:
                    way.add(new)
        return new

    def addition(self, node, kinds):
        """Where `add_at(x, i, v)` is noted if it is `x[i] += v`, each element being named once, or `np.add.at(x, i, v)`."""
        owner, index, v = kinds
        part = indexed(self.kinds, owner, node.args[1])
        if owner.dtype != 'float64' or not (isinstance(part, Number) and is_float(v) or alike(part, v)):
            return None
        parts = node.args[1].elts if isinstance(node.args[1], gast.Tuple) else [node.args[1]]
        basic = all(isinstance(p, (gast.Slice, gast.Constant)) or is_integer(self.kinds.of(p)) for p in parts)
        return self.added if basic else self.gathered if all(isinstance(self.kinds.of(p), Array) for p in parts) else None

    def listed(self, node, kinds):
        """`unarray(b, x)` for a list of numbers `x`: 0, of which single elements are asked."""
        b, x = kinds
        plain = isinstance(x, Parts) and all(map(is_float, x.kinds))
        return 0 if plain and isinstance(b, Array) and b.dtype == 'float64' and b.axes == (len(x.kinds),) else None

    def fitting(self, node, kinds):
        """`unbroadcast(b, x)`, `astype(b, x)`: 0 where `b` has the shape and dtype of `x`."""
        b, x = kinds
        if isinstance(b, Parts) and b.own and is_plain(b) and b == gradient_kind(x) and not has_tuples(b):
            return 0
        if is_float(b) and isinstance(x, Number) and x.dtype in PLAIN and (is_float(x) or b.python is False):
            return 0
        return 0 if alike(b, gradient_kind(x)) else None

    def scalar_seed(self, node, kinds):
        """`check_scalar(by)`."""
        return 0 if self.plain and is_float(kinds[0]) else None

    def seed(self, node, kinds):
        """`check_dims(y, by, ...)`."""
        y, by = kinds[:2]
        return 1 if self.plain and is_float(y) and is_float(by) else None


IDLE = {'unarray': _Known.listed, 'unbroadcast': _Known.fitting, 'astype': _Known.fitting, 'check_scalar': _Known.scalar_seed,
        'check_dims': _Known.seed, 'check_number': _Known.seed}


def has_tuples(kind):
    """Whether it is a container whose gradients have another form while they are summed."""
    return isinstance(kind, Parts) and (kind.form not in (list, dict) or any(map(has_tuples, kind.kinds)))
