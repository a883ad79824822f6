"""Where kinds are known, gradients need no fitting and seeds no look."""
import dataclasses

import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.analysis.kinds.infer import indexed
from tangent.analysis.kinds.values import (
    FLOAT,
    INT,
    PLAIN,
    UNSET,
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

        check_floats(x)                             (nothing: it is an array of floats)
        bx = unarray(by, x) + bz                    bx = by + bz
        by = check_scalar(by)                       (x, by are numbers)
        bt = unbroadcast(by * x, t)                 bt = by * x
        bx = add_at(bx, 0, bt)                      bx[0] += bt
        bx = add_at(bx, rows, bt)                   np.add.at(bx, rows, bt)
        return astype(add_grad(bx, bz), x)          return bx + bz
        bt = unsolve(by, a, b, y)                   bt = np.linalg.solve(a.T, by)
        ba = bt[0]                                  ba = -np.outer(bt, y)
        bb = bt[1]                                  bb = bt
    """
    if func.known is None:
        return func
    finder = _Known(func)
    new, before = {}, {}
    for stmt in tree.every(func.tree.body):
        changed = rewrite.header(stmt, finder.change)
        if finder.is_idle_check(stmt):
            new[stmt] = None
            continue
        update = finder.update(changed)
        if update is not None:
            before[stmt] = [update]
            changed = tree.replace(changed, value=changed.value.args[0])
        if changed is not stmt:
            new[stmt] = None if is_idle(changed) else changed
    if finder.said:
        func = dataclasses.replace(func, pure=func.pure | finder.said)
    if not new:
        return func
    func = rewrite.with_body(func, rewrite.with_statements(func.tree.body, new, before))
    return known(func) if finder.checks else func                  # of what is known to be a float no more is asked


def is_idle(stmt):
    """Whether it is `x = x`."""
    return tree.target(stmt) is not None and isinstance(stmt.value, gast.Name) and stmt.value.id == tree.target(stmt)


class _Known:
    def __init__(self, func):
        self.kinds, self.added, self.gathered = func.known.infer(func.tree), set(), set()
        self.library, self.numpy, self.checks = func.known.library, func.known.library('numpy'), func.known.checks
        self.float = self.library('float') if self.checks else None
        self.names, self.slice = {new: name for name, new in func.library.items()}, func.library.get('slice')
        given = func.known.given
        params = tree.names(func.tree.args, gast.Param)
        self.plain = all(getattr(given.get(p), 'dtype', None) == 'bool' or is_plain(given.get(p)) for p in params)
        self.said, self.solved = set(), self.systems(func)
        self.apart = {tree.target(s) for s in tree.every(func.tree.body) if tree.target(s) and self.is_part(s.value, 1)}

    def is_idle_check(self, stmt):
        """Whether it is `check_floats(x)` for an array of floats."""
        call = stmt.value if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) else None
        if call is None or self.names.get(tree.dotted(call.func)) != 'check_floats':
            return False
        kind = self.kinds.of(call.args[0])
        return isinstance(kind, Array) and kind.dtype in ('float64', 'complex128', 'float32', 'complex64')

    def update(self, stmt):
        """The statement `x[i] += v` for `y = add_at(x, i, v)`, or None."""
        value = stmt.value if tree.target(stmt) else None
        if not isinstance(value, gast.Call) or value not in self.added | self.gathered:
            return None
        owner, index, v = value.args
        if value in self.added:
            target = gast.Subscript(value=owner, slice=self.index(index), ctx=gast.Store())
            found = gast.AugAssign(target=target, op=gast.Add(), value=v)
        else:
            found = gast.Expr(value=tree.call(f'{self.numpy}.add.at', *value.args))
        return gast.copy_location(tree.place(found, tree.origin(stmt)), stmt)

    def index(self, expr):
        return tree.as_index(expr, self.slice)

    def systems(self, func):
        """Name -> the call of `unsolve` that it is bound to, if the text asks for its parts alone: where they are known to be
        of one matrix, NumPy says what they are."""
        every = list(tree.every(func.tree.body))
        made = {tree.target(s): s.value for s in every if tree.target(s) and self.is_system(s.value, effects_of(func))}
        if not made:
            return made
        nodes = [n for s in every for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Subscript)]
        parts = [tree.dotted(n.value) for n in nodes if getattr(n.slice, 'value', None) in (0, 1)]
        loads = [name for s in every for name in look(s).loads]
        return {name: call for name, call in made.items() if loads.count(name) == parts.count(name)}

    def is_system(self, value, effects):
        """Whether it is `unsolve(d, a, b, y)` for one matrix, of an equation that nobody has changed since."""
        if not isinstance(value, gast.Call) or self.names.get(tree.dotted(value.func)) != 'unsolve' or len(value.args) != 4:
            return False
        d, a, b, y = map(self.kinds.of, value.args)
        whole = all(isinstance(kind, Array) and kind.dtype == 'float64' and None not in kind.axes for kind in (d, a, b, y))
        return whole and len(a.axes) == 2 and len(b.axes) in (1, 2) and alike(d, b) and alike(y, b) \
            and all(isinstance(n, gast.Name) and effects.stable(n.id) for n in value.args[1:])

    def is_part(self, node, at):
        return isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id in self.solved \
            and node.slice.value == at

    def numpys(self, name, *args):
        self.said.add(f'{self.numpy}.{name}')
        return tree.call(f'{self.numpy}.{name}', *args)

    def part(self, owed, call):
        """The gradient of the matrix: that of the right side by the solution."""
        y = call.args[3]
        if len(self.kinds.of(y).axes) == 1:
            return gast.UnaryOp(op=gast.USub(), operand=self.numpys('outer', owed, y))
        turned = gast.Attribute(value=y, attr='T', ctx=gast.Load())
        return gast.BinOp(left=gast.UnaryOp(op=gast.USub(), operand=owed), op=gast.MatMult(), right=turned)

    def change(self, node):
        """The expression without calls that give what they are given."""
        if not isinstance(node, gast.AST) or isinstance(node, (gast.Name, gast.Constant)):
            return node
        if self.is_part(node, 1):
            return node.value
        if self.is_part(node, 0):
            return self.part(node.value, self.solved[node.value.id])
        if node in self.solved.values():
            turned = gast.Attribute(value=node.args[1], attr='T', ctx=gast.Load())
            return self.numpys('linalg.solve', turned, self.change(node.args[0]))
        if self.checks and isinstance(node, gast.Call) and tree.dotted(node.func) == self.float and len(node.args) == 1:
            asked, power = node.args[0], isinstance(node.args[0], gast.BinOp) and isinstance(node.args[0].op, gast.Pow)
            if self.kinds.of(asked) == FLOAT:
                return self.change(asked)
            return tree.with_children(node, lambda part: tree.with_children(part, self.change) if power else self.change(part))
        new = tree.with_children(node, self.operand if isinstance(node, gast.BinOp) else self.change)
        if self.checks and (asked := self.asked(node, new)) is not None:
            return asked
        if isinstance(node, gast.Subscript) and (name := self.field(node)) is not None:
            return gast.Attribute(value=new.value, attr=name, ctx=node.ctx)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and not node.keywords:
            name, kinds = self.names.get(node.func.id), [self.kinds.of(a) for a in node.args]
            kept = IDLE.get(name)
            at = kept(self, node, kinds) if kept else None
            if at is not None:
                return new.args[at]
            if name == 'unarray' and self.made_of_array(node, kinds):
                return new.args[0] if isinstance(new.args[0], (gast.BinOp, gast.UnaryOp)) else tree.method(new.args[0], 'copy')
            if name == 'part_of' and isinstance(kinds[0], Parts) and kinds[0].own and kinds[0].form is not dict:
                return gast.Attribute(value=new.args[0], attr=node.args[2].value, ctx=gast.Load())
            if name == 'add_grad' and is_sum(*kinds):
                return gast.BinOp(left=new.args[0], op=gast.Add(), right=new.args[1])
            if name == 'add_at' and isinstance(kinds[0], Array) and isinstance(node.args[0], gast.Name):
                way = self.addition(node, kinds)
                if way is not None:
                    way.add(new)
        return new

    def asked(self, node, new):
        """A power of floats that may be complex, asked whether it is a float, and what it is of its derivatives."""
        called = tree.dotted(node.func) if isinstance(node, gast.Call) and not node.keywords else None
        power = isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow) and self.kinds.of(node) is None
        slope = self.names.get(called) if called else None
        if not power and called != f'{self.numpy}.power' and slope not in ('dpower_dx', 'dpower_dy'):
            return None
        old, parts = ([n.left, n.right] if power else n.args for n in (node, new))
        kinds = set(map(self.kinds.of, old))
        if FLOAT not in kinds or kinds - {FLOAT, INT} or slope == 'dpower_dy' and kinds != {FLOAT}:
            return None
        if slope == 'dpower_dy':
            logarithm = f'{self.library("math")}.log'
            self.said.add(logarithm)
            return self.times(parts[2], tree.call(logarithm, parts[0]))
        if slope == 'dpower_dx':
            x, y = parts
            return self.times(y, self.power(x, gast.BinOp(left=y, op=gast.Sub(), right=tree.constant(1))))
        return self.power(*parts)

    def power(self, x, y):
        self.said.add(self.float)
        return tree.call(self.float, gast.BinOp(left=x, op=gast.Pow(), right=y))

    @staticmethod
    def times(x, y):
        return gast.BinOp(left=x, op=gast.Mult(), right=y)

    def operand(self, node):
        """The same of an operand, which makes something new of it in any case."""
        unmade = isinstance(node, gast.Call) and self.names.get(tree.dotted(node.func)) == 'unarray'
        new = self.change(node)
        return new.func.value if unmade and tree.is_copy(new) else new

    def field(self, node):
        """The name of the field that `bs[1]` is of the gradient of a namedtuple, or None."""
        kind, at = self.kinds.of(node.value), getattr(node.slice, 'value', None)
        named = isinstance(kind, Parts) and kind.own and issubclass(kind.form, tuple) and isinstance(node.ctx, gast.Load)
        return kind.keys[at] if named and type(at) is int and 0 <= at < len(kind.keys) else None

    def addition(self, node, kinds):
        """Where `add_at(x, i, v)` is noted if it is `x[i] += v`, each element being named once, or `np.add.at(x, i, v)`."""
        owner, index, v = kinds
        at = self.index(node.args[1])
        part = indexed(self.kinds, owner, at)
        if owner.dtype != 'float64' or not (isinstance(part, Number) and is_float(v) or alike(part, v)):
            return None
        parts = at.elts if isinstance(at, gast.Tuple) else [at]
        basic = all(isinstance(p, (gast.Slice, gast.Constant)) or is_integer(self.kinds.of(p)) for p in parts)
        return self.added if basic else self.gathered if all(isinstance(self.kinds.of(p), Array) for p in parts) else None

    def made_of_array(self, node, kinds):
        """`unarray(b, x)` for an array `x`: whether it is a copy of `b`."""
        b, x = kinds
        return len(node.args) == 2 and isinstance(x, Array) and alike(b, gradient_kind(x))

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

    def handed_out(self, node, kinds):
        """`copy(astype(bb, b))` of what no other gradient holds."""
        inner = node.args[0]
        while isinstance(inner, gast.Call) and self.names.get(tree.dotted(inner.func)) == 'astype':
            inner = inner.args[0]
        return 0 if getattr(inner, 'id', None) in self.apart else None

    def scalar_seed(self, node, kinds):
        """`check_scalar(by)`."""
        return 0 if self.plain and is_float(kinds[0]) else None

    def seed(self, node, kinds):
        """`check_dims(y, by, ...)`."""
        y, by = kinds[:2]
        number = is_float(y) or isinstance(y, Number) and y.dtype in (UNSET, 'real')
        return 1 if self.plain and number and is_float(by) else None


IDLE = {'unarray': _Known.listed, 'copy': _Known.handed_out, 'unbroadcast': _Known.fitting, 'astype': _Known.fitting,
        'check_scalar': _Known.scalar_seed, 'check_dims': _Known.seed, 'check_number': _Known.seed}


def has_tuples(kind):
    """Whether it is a container whose gradients have another form while they are summed."""
    return isinstance(kind, Parts) and (kind.form not in (list, dict) or any(map(has_tuples, kind.kinds)))
