"""Where kinds are known, a gradient says in NumPy's own words what functions of the run time find out."""
import dataclasses

import gast

from tangent.analysis.kinds.values import Array, Number, broadcast, gradient_kind, has_elements, is_exact, is_float
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.templates.language import registry

PLAIN = 'bool', 'int64', 'float64'


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
    for stmt in tree.every(func.tree.body):
        changed = rewrite.header(stmt, finder.change)
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
        self.said = set()                   # functions of NumPy's that the text calls now

    def numpy(self, name, *args, **keywords):
        path = f'{self.library("numpy")}.{name}'
        self.said.add(path)
        return gast.Call(func=gast.Attribute(value=tree.load(self.library('numpy')), attr=name, ctx=gast.Load()),
                         args=list(args), keywords=[gast.keyword(arg=k, value=v) for k, v in keywords.items()])

    def change(self, node):
        if not isinstance(node, gast.AST) or isinstance(node, (gast.Name, gast.Constant)):
            return node
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub, gast.Mult, gast.Div)):
            node = self.operands(node)
        new = tree.with_children(node, self.change)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            said = SAID.get(self.names.get(node.func.id))
            kinds = [self.kinds.of(a) for a in node.args]
            if said and None not in kinds and not any(isinstance(a, gast.Starred) for a in node.args):
                return said(self, new, kinds, {k.arg: k.value for k in new.keywords}) or new
        return new

    # What is broadcast by itself

    def operands(self, node):
        """An operation without `unreduce_like` around what is broadcast to the shape of the other operand."""
        sides = [('left', 'right'), ('right', 'left')][:1 if isinstance(node.op, gast.Div) else 2]
        for one, other in sides:
            kind = self.kinds.of(getattr(node, other))
            if is_exact(kind) and kind.dtype == 'float64':
                node = rewrite.with_fields(node, **{one: self.leaner(getattr(node, one), kind.axes)})
        return node

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
        if isinstance(node, gast.Call) and self.names.get(tree.dotted(node.func)) == 'unreduce_like':
            kinds = [self.kinds.of(a) for a in node.args]
            if isinstance(kinds[1], Array) and kinds[1].axes == axes:
                return self.lean(node, kinds) or node
        return node

    def filling(self, node, axes):
        """The number of which an array is full that is broadcast to these axes, if it is one."""
        kind = self.kinds.of(node)
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Tuple):
            node = node.value
        full = isinstance(node, gast.Call) and tree.dotted(node.func) == f'{self.library("numpy")}.full'
        fits = full and is_exact(kind) and kind.dtype == 'float64' and len(node.args) == 2
        return node.args[1] if fits and broadcast([kind.axes, axes]) == axes else None

    def lean(self, node, kinds):
        """`b` of `unreduce_like(b, x, ...)` with the axes that were summed, so that it is broadcast to the shape of `x`."""
        b, x = kinds[:2]
        axis, keepdims = reduction_of(node)
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

    # Calls

    def unbroadcast(self, node, kinds, keywords):
        """Sums over the axes that broadcasting has added or stretched."""
        (b, x), tree_of = kinds, node.args
        if not isinstance(b, Array) or b.dtype != 'float64' or not b.axes:
            return None
        if isinstance(x, Number) and x.dtype in PLAIN:
            return self.numpy('sum', tree_of[0])
        if not is_exact(b) or gradient_kind(x) is None or gradient_kind(x).dtype != 'float64' or len(x.axes) > len(b.axes):
            return None
        added = len(b.axes) - len(x.axes)
        stretched = [k for k, (have, want) in enumerate(zip(b.axes[added:], x.axes)) if have != want]
        if any(x.axes[k] != 1 or not isinstance(b.axes[added + k], (int, str)) for k in stretched) or added and stretched:
            return None
        axes = stretched or list(range(added))
        axis = tree.constant(axes[0]) if len(axes) == 1 else gast.Tuple(elts=[tree.constant(k) for k in axes], ctx=gast.Load())
        return self.numpy('sum', tree_of[0], axis=axis, **({'keepdims': tree.constant(True)} if stretched else {}))

    def unreduce_like(self, node, kinds, keywords):
        """The gradient of each element of a sum over all."""
        b, x = kinds[:2]
        if is_float(b) and len(node.args) == 2 and 'where' not in keywords and isinstance(x, Array) and x.dtype == 'float64':
            return self.numpy('full', shape(node.args[1]), node.args[0]) if x.axes else None
        return None

    def array_size(self, node, kinds, keywords):
        """How many elements a mean is over."""
        if len(node.args) != 1 or not has_elements(kinds[0]):
            return None
        if not keywords:
            return gast.Attribute(value=node.args[0], attr='size', ctx=gast.Load())
        axis = registry.literal(keywords['axis']) if keywords.keys() == {'axis'} else None
        if not axis or type(axis[0]) is not int:
            return None
        return gast.Subscript(value=shape(node.args[0]), slice=tree.constant(axis[0]), ctx=gast.Load())

    def init_grad(self, node, kinds, keywords):
        """Zero."""
        x, = kinds
        if isinstance(x, Number) and x.dtype in PLAIN:
            return tree.constant(0.0)
        if isinstance(x, Array) and x.axes and x.dtype in PLAIN:
            return self.numpy('zeros', shape(node.args[0]))
        return None

    def product_left(self, node, kinds, keywords):
        """The gradient of `a` from that of `a @ b`."""
        d, _, b = node.args
        ranks = ranks_of(kinds)
        if ranks == (2, 2, 2):
            return product(d, gast.Attribute(value=b, attr='T', ctx=gast.Load()))
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
            return product(gast.Attribute(value=a, attr='T', ctx=gast.Load()), d)
        if ranks == (1, 2, 1):
            return product(d, a)
        if ranks == (0, 1, 1):
            return gast.BinOp(left=d, op=gast.Mult(), right=a)
        return self.numpy('outer', a, d) if ranks == (1, 1, 2) else None


SAID = {'unbroadcast': _Words.unbroadcast, 'unreduce_like': _Words.unreduce_like, 'array_size': _Words.array_size,
        'init_grad': _Words.init_grad, 'matmul_left': _Words.product_left, 'dot_left': _Words.product_left,
        'matmul_right': _Words.product_right, 'dot_right': _Words.product_right}


def shape(expr):
    return gast.Attribute(value=expr, attr='shape', ctx=gast.Load())


def product(left, right):
    return gast.BinOp(left=left, op=gast.MatMult(), right=right)


def ranks_of(kinds):
    """The number of axes of each, where all are of double precision; numbers have none."""
    if any(kind.dtype != 'float64' for kind in kinds):
        return None
    return tuple([len(kind.axes) if isinstance(kind, Array) else 0 for kind in kinds])


def reduction_of(call):
    """The literal (axis, keepdims) of `unreduce_like`; NotImplemented where one is not literal."""
    given = {'axis': None, 'keepdims': False}
    for name, value in [*zip(given, call.args[2:]), *((k.arg, k.value) for k in call.keywords)]:
        known = registry.literal(value)
        given[name] = known[0] if known and name in given else NotImplemented
    return (NotImplemented,) * 2 if len(given) > 2 or len(call.args) > 4 else (given['axis'], given['keepdims'])
