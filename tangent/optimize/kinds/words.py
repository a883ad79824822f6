"""Where kinds are known, a gradient says in NumPy's own words what functions of the run time find out."""
import collections
import dataclasses

import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.kinds.infer import indexed
from tangent.analysis.kinds.values import (
    PLAIN,
    Array,
    Items,
    Number,
    alike,
    gradient_kind,
    has_elements,
    is_exact,
    is_float,
    is_list_of_floats,
    is_several,
    is_whole,
    same_axes,
)
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.constants import folded
from tangent.templates.language import registry


def words(func):
    """NumPy's functions and operators in place of those of the run time that look at what they are given.

        bb = unbroadcast(bt, b)             bb = np.sum(bt, axis=0)
        bx = matmul_left(bt, x, w)          bx = bt @ w.T
        bx = init_grad(x)                   bx = 0.0
        2 * unreduce_like(by, t, axis=1) * t        2 * by[:, None] * t
    """
    if func.known is None:
        return func
    finder = _Words(func)
    new = {}
    lean = finder.lean_names(func.tree.body)
    for stmt in tree.every(func.tree.body):
        leaner = rewrite.with_fields(stmt, value=lean[stmt]) if stmt in lean else finder.part(stmt)
        changed = rewrite.header(leaner, finder.change)
        if changed is not stmt:
            new[stmt] = changed
    if not new:
        return func
    func = dataclasses.replace(func, pure=func.pure | finder.said)
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new))


class _Words:
    def __init__(self, func):
        self.kinds, self.library = func.known.infer(func.tree), func.known.library
        self.names = {new: name for name, new in func.library.items()}
        self.effects = effects_of(func)
        self.values = {tree.target(s): s.value for s in tree.every(func.tree.body) if tree.target(s)
                       and self.effects.stable(tree.target(s))}
        self.made = {name: value for name, value in self.values.items() if self.effects.temporary(name)}
        self.spread: set = set()            # names of what is one number, or one for each row
        self.said = set()                   # functions of NumPy's that the text calls now

    def numpy(self, name, *args, **keywords):
        """A call of one of NumPy's functions."""
        path = f'{self.library("numpy")}.{name}'
        self.said.add(path)
        return tree.call(path, *args, **keywords)

    def repeated(self, value, like):
        """A list of one number, as long as another."""
        one = gast.List(elts=[value], ctx=gast.Load())
        return gast.BinOp(left=one, op=gast.Mult(), right=tree.call(self.library('len'), like))

    def change(self, node):
        if not isinstance(node, gast.AST) or isinstance(node, (gast.Name, gast.Constant)):
            return node
        double = is_double(self.kinds.of(node))
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub, gast.Mult, gast.Div)):
            node = self.operands(node)
        elif isinstance(node, gast.Call) and tree.dotted(node.func) == f'{self.library("numpy")}.where' and len(node.args) == 3:
            node = self.choice(node)
        new = tree.with_children(node, self.change)
        if isinstance(new, gast.Subscript) and isinstance(new.value, gast.Tuple):
            return part_of_tuple(new)
        if isinstance(new, gast.BinOp) and isinstance(new.op, gast.Mult) and double:
            return folded(new)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            said = SAID.get(self.names.get(node.func.id))
            kinds = [self.kinds.of(a) for a in node.args]
            if said and None not in kinds and not tree.starred(node.args):
                return said(self, new, kinds, {k.arg: k.value for k in new.keywords}) or new
        return new

    # What is broadcast by itself

    def operands(self, node):
        """An operation without `unreduce_like` around what is broadcast to the shape of the other operand."""
        sides = [('left', 'right'), ('right', 'left')][:1 if isinstance(node.op, gast.Div) else 2]
        for one, other in sides:
            axes = self.wide(getattr(node, other))
            if axes is not None:
                node = rewrite.with_fields(node, **{one: self.leaner(getattr(node, one), axes)})
        return node

    def choice(self, node):
        """`np.where` without `full` around what it chooses: the test has that shape."""
        axes = self.wide(node.args[0], 'bool')
        found = [self.filling(a, axes) for a in node.args[1:]] if axes is not None else [None]
        if found.count(None) == len(found):
            return node
        return tree.replace(node, args=[node.args[0], *(a if new is None else new for new, a in zip(found, node.args[1:]))])

    def wide(self, node, dtype='float64'):
        """The axes of an operand that has them whatever else is broadcast by itself, or None."""
        kind = self.kinds.of(node)
        return kind.axes if is_whole(kind) and kind.dtype == dtype and self.stays(node) else None

    def stays(self, node):
        """Whether an expression has its shape by something that is not left to be broadcast."""
        if isinstance(node, gast.Name):
            return node.id not in self.spread and isinstance(self.kinds.of(node), Array)
        if isinstance(node, gast.BinOp) and not isinstance(node.op, gast.MatMult):
            whole = self.kinds.of(node)
            return any(self.stays(side) and has_axes_of(self.kinds.of(side), whole) for side in (node.left, node.right))
        if isinstance(node, gast.Compare) and len(node.ops) == 1:
            whole = self.kinds.of(node)
            return any(self.stays(side) and has_axes_of(self.kinds.of(side), whole) for side in (node.left, *node.comparators))
        if isinstance(node, gast.UnaryOp):
            return self.stays(node.operand)
        if isinstance(node, gast.Subscript):
            return self.stays(node.value)
        return not self.is_spread(node)

    def is_spread(self, node):
        """Whether an expression is one number, or one for each row, all over an array."""
        return self.is_unreduced(node) or self.is_full(node)

    def is_unreduced(self, node):
        return isinstance(node, gast.Call) and self.names.get(tree.dotted(node.func)) == 'unreduce_like'

    def is_full(self, node):
        """Whether it is an array in the dtype of the number of which it is full."""
        return isinstance(node, gast.Call) and tree.dotted(node.func) == f'{self.library("numpy")}.full' \
            and len(node.args) == 2 and not node.keywords

    def number(self, node):
        """The number of which an array is full that is broadcast by itself, or the array."""
        made = self.values.get(node.id) if isinstance(node, gast.Name) and self.effects.uses[node.id] == 1 else node
        if made is None or not self.is_full(made) or not all(map(self.effects.stable, tree.names(made.args[1], gast.Load))):
            return node
        return made.args[1]

    def part(self, stmt):
        """The statement without `unreduce_like` or `full` around what is added to a part of an array of that shape."""
        call = stmt.value if isinstance(stmt, gast.Expr) and tree.role(stmt) == 'adjoint' else None
        if isinstance(call, gast.Call) and tree.dotted(call.func) == f'{self.library("numpy")}.add.at':
            number = self.number(call.args[2])
            added = tree.replace(call, args=[*call.args[:2], number])
            return stmt if number is call.args[2] else tree.replace(stmt, value=added)
        target = stmt.target if isinstance(stmt, gast.AugAssign) else None
        if isinstance(target, gast.Name) and isinstance(stmt.op, (gast.Add, gast.Sub)):
            kind = self.kinds.names.get(target.id)
            whole = is_whole(kind) and kind.dtype == 'float64' and kind.axes and target.id not in self.spread
            return rewrite.with_fields(stmt, value=self.leaner(stmt.value, kind.axes)) if whole else stmt
        if not isinstance(target, gast.Subscript) or not isinstance(stmt.op, (gast.Add, gast.Sub)):
            return stmt
        owner = self.kinds.of(target.value)
        part = indexed(self.kinds, owner, target.slice) if isinstance(owner, Array) else None
        known = is_whole(part) and part.dtype == 'float64'
        return rewrite.with_fields(stmt, value=self.leaner(stmt.value, part.axes)) if known else stmt

    def leaner(self, node, axes):
        """An operand of what has these axes, or what multiplies on the way to that."""
        if isinstance(node, gast.UnaryOp):
            return rewrite.with_fields(node, operand=self.leaner(node.operand, axes))
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
            right = self.leaner(node.right, axes) if isinstance(node.op, gast.Mult) else node.right
            return rewrite.with_fields(node, left=self.leaner(node.left, axes), right=right)
        inner = self.filling(node, axes)
        if inner is not None:
            return inner
        if self.is_unreduced(node):
            kinds = [self.kinds.of(a) for a in node.args]
            if isinstance(kinds[1], Array) and same_axes(kinds[1].axes, axes):
                return self.lean(node, kinds) or node
        return node

    def filling(self, node, axes):
        """The number of which an array is full that is broadcast to these axes, if it is one."""
        kind = self.kinds.of(node)
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Tuple):
            node = node.value
        made = self.made.get(node.id) if isinstance(node, gast.Name) else None
        if made is not None and self.is_full(made) and tree.is_atom(made.args[1]):
            node = made
        elif isinstance(node, gast.Name) and self.number(node) is not node:
            node = self.values[node.id]
        fits = self.is_full(node) and is_whole(kind) and kind.dtype == 'float64'
        return node.args[1] if fits and is_within(kind.axes, axes) else None

    def lean(self, node, kinds):
        """`b` of `unreduce_like(b, x, ...)` with the axes that were summed, so that it is broadcast to the shape of `x`."""
        b, x = kinds[:2]
        axis, keepdims = reduction_of(node)
        if NotImplemented in (axis, keepdims):
            return None
        if is_float(b) or isinstance(b, Array) and keepdims is True:
            return node.args[0]
        if not isinstance(b, Array) or type(axis) is not int or len(b.axes) != len(x.axes) - 1 or keepdims is not False:
            return None
        if axis % len(x.axes) == 0:
            return node.args[0]
        if axis % len(x.axes) != len(x.axes) - 1:
            return None
        colon = gast.Slice(lower=None, upper=None, step=None) if len(x.axes) == 2 else tree.constant(...)
        index = gast.Tuple(elts=[colon, tree.constant(None)], ctx=gast.Load())
        return gast.Subscript(value=node.args[0], slice=index, ctx=gast.Load())

    def lean_names(self, stmts):
        """Assignment -> `b` in place of `unreduce_like(b, x, ...)`, where all uses of the name broadcast it to that shape."""
        uses: dict = {}
        self.spread = {tree.target(s) for s in tree.every(stmts) if tree.target(s) and self.is_spread(s.value)}
        for stmt in tree.every(stmts):
            for part in tree.header(stmt):
                self.uses(part, None, uses)
        bound = collections.Counter(tree.target(s) for s in tree.every(stmts))
        found = {}
        for stmt in tree.every(stmts):
            name = tree.target(stmt)
            if name in self.spread and name in uses and bound[name] == 1 and self.is_unreduced(stmt.value):
                kinds = [self.kinds.of(a) for a in stmt.value.args]
                lean = self.lean(stmt.value, kinds) if isinstance(kinds[1], Array) else None
                if lean is not None and all(axes is not None and same_axes(axes, kinds[1].axes) for axes in uses[name]):
                    found[stmt] = lean
        return found

    def uses(self, node, axes, found):
        """Note for each name what it is broadcast to wherever it is read, None where it may be to nothing."""
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, gast.Load):
                found.setdefault(node.id, set()).add(axes)
        elif isinstance(node, gast.UnaryOp):
            self.uses(node.operand, axes, found)
        elif isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub, gast.Mult, gast.Div)):
            left, right = self.wide(node.left), self.wide(node.right)
            self.uses(node.left, right or axes, found)
            self.uses(node.right, None if isinstance(node.op, gast.Div) else left or axes, found)
        else:
            for child in tree.children(node):
                self.uses(child, None, found)

    # Calls

    def unbroadcast(self, node, kinds, keywords):
        """Sums over the axes that broadcasting has added or stretched."""
        (b, x), tree_of = kinds, node.args
        if not isinstance(b, Array) or b.dtype != 'float64' or not b.axes:
            return None
        if isinstance(x, Number) and x.dtype in PLAIN:
            return self.numpy('sum', tree_of[0])
        like = gradient_kind(x)
        if not isinstance(like, Array) or like.dtype != 'float64' or len(x.axes) > len(b.axes):
            return None
        added = len(b.axes) - len(x.axes)
        pairs = [*enumerate(zip(b.axes[added:], x.axes))]
        stretched = [k for k, (have, want) in pairs if want == 1 and is_several(have)]
        rest = [pair for k, pair in pairs if k not in stretched]
        if added and stretched or not same_axes([have for have, _ in rest], [want for _, want in rest]):
            return None
        axes = stretched or list(range(added))
        axis = tree.constant(axes[0]) if len(axes) == 1 else gast.Tuple(elts=[tree.constant(k) for k in axes], ctx=gast.Load())
        return self.numpy('sum', tree_of[0], axis=axis, **({'keepdims': tree.constant(True)} if stretched else {}))

    def unreduce_like(self, node, kinds, keywords):
        """The gradient of each element of a sum over all."""
        b, x = kinds[:2]
        if is_float(b) and is_float(x) and len(node.args) == 2 and not keywords:
            return node.args[0]
        if is_float(b) and len(node.args) == 2 and 'where' not in keywords and isinstance(x, Array) and x.dtype == 'float64':
            return self.numpy('full', shape(self.of_one_shape(node.args[1], x)), node.args[0]) if x.axes else None
        return None

    def array_size(self, node, kinds, keywords):
        """How many elements a mean is over."""
        if len(node.args) != 1 or not has_elements(kinds[0]):
            return None
        if not keywords:
            return gast.Attribute(value=self.of_one_size(node.args[0], kinds[0]), attr='size', ctx=gast.Load())
        axis = registry.literal(keywords['axis']) if keywords.keys() == {'axis'} else None
        if not axis or type(axis[0]) is not int:
            return None
        return gast.Subscript(value=shape(node.args[0]), slice=tree.constant(axis[0]), ctx=gast.Load())

    def of_one_size(self, expr, kind):
        """An argument of as many elements, of those from which this part of a formula is computed."""
        value = self.made.get(expr.id, expr) if isinstance(expr, gast.Name) else expr
        sides = (value.right, value.left) if isinstance(value, gast.BinOp) and not isinstance(value.op, gast.MatMult) else ()
        for part in sides:
            if isinstance(part, gast.Name) and self.effects.stable(part.id) and alike(self.kinds.of(part), kind) \
                    and is_exact(kind) and part.id in self.effects.params:
                return part
        found = self.of_one_shape(value, kind, self.effects.params) if isinstance(value, gast.Subscript) else value
        found = found if isinstance(found, gast.Name) else self.of_one_shape(value, kind)
        return found if isinstance(found, gast.Name) else expr

    def of_one_shape(self, expr, kind, among=None):
        """A variable of the shape that an expression has, of those from which it is computed; itself if none is. For what the
        library has made, a parameter that has it."""
        if not is_exact(kind):
            return expr
        if isinstance(expr, gast.Name) and expr.id in self.made:
            same = [p for p in self.effects.func.known.given if p in self.effects.params and self.effects.stable(p)
                    and getattr(self.kinds.names.get(p), 'axes', None) == kind.axes]
            return tree.load(same[0]) if same else expr
        if isinstance(expr, gast.Name):
            return expr
        for n in tree.walk(expr):
            if isinstance(n, gast.Name) and self.effects.stable(n.id) and (among is None or n.id in among) \
                    and getattr(self.kinds.names.get(n.id), 'axes', None) == kind.axes:
                return n
        return expr

    def init_grad(self, node, kinds, keywords):
        """Zero."""
        x, = kinds
        if isinstance(x, Number) and x.dtype in PLAIN:
            return tree.constant(0.0)
        if isinstance(x, Array) and x.axes and x.dtype in PLAIN:
            return self.numpy('zeros', shape(self.of_one_shape(node.args[0], x)))
        return self.repeated(tree.constant(0.0), node.args[0]) if is_list_of_floats(x) else None

    def unsum(self, node, kinds, keywords):
        """The gradient of each number of a list that was summed."""
        b, x = kinds
        return self.repeated(*node.args) if is_float(b) and is_list_of_floats(x) else None

    def sign(self, node, kinds, keywords):
        """The sign of real numbers."""
        x, = kinds
        return self.numpy('sign', node.args[0]) if isinstance(x, Array) and x.axes and x.dtype == 'float64' else None

    def unarray(self, node, kinds, keywords):
        """The gradients of the numbers of a list of which an array was made."""
        b, x = kinds
        vector = isinstance(b, Array) and b.dtype == 'float64' and len(b.axes) == 1 and len(node.args) == 2
        of_numbers = vector and isinstance(x, Items) and is_float(x.element)
        return tree.call(self.library('list'), node.args[0]) if of_numbers else None

    def copy(self, node, kinds, keywords):
        """A copy of what may be written into."""
        x = kinds[0]
        if isinstance(x, Number):
            return node.args[0]
        return tree.method(node.args[0], 'copy') if isinstance(x, Array) else None

    def product_left(self, node, kinds, keywords):
        """The gradient of `a` from that of `a @ b`."""
        d, _, b = node.args
        ranks = ranks_of(kinds)
        if ranks == (2, 2, 2):
            return product(d, transposed(b))
        if ranks == (1, 2, 1):
            return self.numpy('outer', d, b)
        if ranks == (0, 1, 1):
            return gast.BinOp(left=d, op=gast.Mult(), right=b)
        return product(b, d) if ranks == (1, 1, 2) else None

    def product_right(self, node, kinds, keywords):
        """The gradient of `b` from that of `a @ b`."""
        d, a, _ = node.args
        ranks = ranks_of(kinds)
        if ranks == (2, 2, 2):
            return product(transposed(a), d)
        if ranks == (1, 2, 1):
            return product(d, a)
        if ranks == (0, 1, 1):
            return gast.BinOp(left=d, op=gast.Mult(), right=a)
        return self.numpy('outer', a, d) if ranks == (1, 1, 2) else None


SAID = {'unbroadcast': _Words.unbroadcast, 'unreduce_like': _Words.unreduce_like, 'array_size': _Words.array_size,
        'init_grad': _Words.init_grad, 'unsum': _Words.unsum, 'unarray': _Words.unarray,
        'copy': _Words.copy, 'copy_alike': _Words.copy, 'copy_along': _Words.copy, 'sign': _Words.sign,
        'matmul_left': _Words.product_left, 'dot_left': _Words.product_left, 'matmul_right': _Words.product_right,
        'dot_right': _Words.product_right}


def is_within(small, axes):
    """Whether what has these axes is broadcast to those, and these are not broadcast."""
    return len(small) == len(axes) and all(a == 1 or same_axes((a,), (b,)) for a, b in zip(small, axes))


def has_axes_of(kind, whole):
    """Whether an operand has the shape of the result."""
    return isinstance(kind, Array) and isinstance(whole, Array) and same_axes(kind.axes, whole.axes)


def is_double(kind):
    return is_float(kind) or isinstance(kind, Array) and kind.dtype == 'float64'


def part_of_tuple(node):
    """`by` for `(0.0, by)[1]`."""
    at, parts = registry.literal(node.slice), node.value.elts
    plain = all(map(tree.is_atom, parts)) and at and type(at[0]) is int and -len(parts) <= at[0] < len(parts)
    return parts[at[0]] if plain else node


def shape(expr):
    return gast.Attribute(value=expr, attr='shape', ctx=gast.Load())


def transposed(expr):
    twice = isinstance(expr, gast.Attribute) and expr.attr == 'T'
    return expr.value if twice else gast.Attribute(value=expr, attr='T', ctx=gast.Load())


def product(left, right):
    return gast.BinOp(left=left, op=gast.MatMult(), right=right)


def ranks_of(kinds):
    """The number of axes of each, where all are of double precision; numbers have none."""
    if not all(map(is_double, kinds)):
        return None
    return tuple([len(kind.axes) if isinstance(kind, Array) else 0 for kind in kinds])


def reduction_of(call):
    """The literal (axis, keepdims) of `unreduce_like`; NotImplemented where one is not literal."""
    given = {'axis': None, 'keepdims': False}
    for name, value in [*zip(given, call.args[2:]), *((k.arg, k.value) for k in call.keywords)]:
        known = registry.literal(value)
        given[name] = known[0] if known and name in given else NotImplemented
    return (NotImplemented,) * 2 if len(given) > 2 or len(call.args) > 4 else (given['axis'], given['keepdims'])
