"""Shapes are asked of what is there, and only where they are needed."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.runtime import facts


def spread(func):
    """Leave out `unreduce_like` where the product has the shape anyway. `b` has no dtype that the array does not have.

    >>> show(spread, 't = x * x; bx = 2 * unreduce_like(by, t) * x; return bx', seed='by')
    t = x * x; bx = 2 * by * x; return bx
    >>> show(spread, 't = x * w; bx = unreduce_like(by, t) * w; return bx', seed='by')
    t = x * w; bx = unreduce_like(by, t) * w; return bx
    >>> show(spread, 't = np.exp(x); bx = unreduce_like(by, t) * x; return bx', seed='by')
    t = np.exp(x); bx = unreduce_like(by, t) * x; return bx
    >>> show(spread, 't = np.exp(x); bx = unreduce_like(by, t, axis=1, keepdims=True) * t; return bx', seed='by')
    t = np.exp(x); bx = by * t; return bx
    >>> show(spread, 't = np.exp(-x); bt = unreduce_like(by, t, axis=0); return bt', seed='by')
    t = np.exp(-x); bt = unreduce_like(by, x, axis=0); return bt
    """
    name, size = (func.library.get(n, n) for n in ('unreduce_like', 'array_size'))
    found = [stmt for stmt in cfg.statements(func) if isinstance(stmt, (gast.Assign, gast.AugAssign, gast.Return))
             and any(tree.dotted(call.func) in (name, size) for call in look(stmt).calls)]
    if not found:
        return func
    finder = _Spread(func, name, size)
    new = {stmt: rewrite.header(stmt, lambda part: finder.likes(finder.products(part))) for stmt in found}
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new))


def calls(expr, name):
    """Whether the expression is `unreduce_like(b, x)` over all axes, or with its axes kept: `b` broadcasts by itself."""
    if not (isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name) and expr.func.id == name and len(expr.args) == 2):
        return False
    return not expr.keywords or any(k.arg == 'keepdims' and isinstance(k.value, gast.Constant) and k.value.value is True
                                    for k in expr.keywords)


class _Spread:
    def __init__(self, func, name, size):
        self.effects, self.name, self.size = effects_of(func), name, size
        places = cfg.places(func)
        self.made = {tree.target(s): s.value for s, place in places.items() if tree.target(s) and not place.loops
                     and self.effects.stable(tree.target(s)) and self.effects.pure(s)}
        seeds = {n for s in places if tree.role(s) == 'seed' for n in look(s).writes}
        self.seeds = seeds | {a.id for a in func.tree.args.args[-1:]}
        self.shapes, self.origins, self.sure = {}, {}, {}
        for name, value in self.made.items():
            shape, lasts = self.shape(value), self.lasts(value)
            self.shapes[name] = shape if shape is not None and lasts else frozenset([name])
            self.origins[name] = self.origin(value) if lasts and self.effects.temporary(name) else None
            self.sure[name] = self.arithmetic(value)

    def products(self, node):
        """The expression with numbers in place of arrays in each of its products."""
        if not isinstance(node, gast.AST) or isinstance(node, (gast.Name, gast.Constant)):
            return node
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
            call = self.factor(node.left) or isinstance(node.op, gast.Mult) and self.factor(node.right)
            if call:
                other = node.right if self.factor(node.left) else node.left
                if self.fits(call, other):
                    return self.products(replaced(node, call))
        return tree.with_children(node, self.products)

    def likes(self, node):
        """The expression with shapes asked of the names that arrays were computed from, element by element."""
        if not isinstance(node, gast.AST) or isinstance(node, (gast.Name, gast.Constant)):
            return node
        node = tree.with_children(node, self.likes)
        at = {self.name: 1, self.size: 0}.get(tree.dotted(node.func)) if isinstance(node, gast.Call) else None
        if at is None or len(node.args) <= at:
            return node
        like = self.origin(node.args[at])
        if like is None or not self.arithmetic(like, node.args[at]):
            return node
        return tree.replace(node, args=[*node.args[:at], like, *node.args[at + 1:]])

    def origin(self, expr):
        """The name that has the shape and dtype of the value, which is computed from it alone; None if there is none."""
        if isinstance(expr, gast.Name):
            return self.origins.get(expr.id) or expr
        if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
            return self.origin(expr.operand)
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow)):
            parts = [e for e in (expr.left, expr.right) if not isinstance(e, gast.Constant) or type(e.value) is complex]
        elif self.is_elementwise(expr) and len(expr.args) == 1 and last(expr).gives in ('float', 'same'):
            parts = expr.args
        else:
            return None
        found = [self.origin(part) for part in parts]
        same = found and all(f is not None and f.id == getattr(found[0], 'id', None) for f in found)
        return found[0] if same else None

    def factor(self, node):
        """The call of `unreduce_like` that is a factor of the expression, if it only multiplies on the way to it."""
        if calls(node, self.name):
            return node
        if isinstance(node, gast.UnaryOp):
            return self.factor(node.operand)
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult):
            return self.factor(node.left) or self.factor(node.right)
        return None

    def fits(self, call, other):
        number, array = call.args
        shape = self.shape(array)
        if shape is None or not shape or self.shape(other) != shape or not self.arithmetic(other, array):
            return False
        return self.sources(number) <= self.sources(array) | self.sources(other)

    def shape(self, expr):
        """The names and elements that the value is made from element by element; None for anything else."""
        if isinstance(expr, gast.Constant):
            return frozenset()
        if isinstance(expr, gast.Name):
            return self.shapes.get(expr.id, frozenset([expr.id]))
        if isinstance(expr, gast.Subscript):
            return frozenset([gast.dump(expr)]) if self.lasts(expr) and self.effects.pure(expr) else None
        if isinstance(expr, gast.UnaryOp):
            return self.shape(expr.operand)
        if isinstance(expr, gast.BinOp) and not isinstance(expr.op, gast.MatMult):
            parts = [expr.left, expr.right]
        elif self.is_elementwise(expr):
            parts = expr.args
        else:
            return None
        found = [self.shape(part) for part in parts]
        return None if None in found else frozenset().union(*found)

    def is_elementwise(self, expr):
        """Whether a call makes its value element by element of its arguments (`where` of one argument gives places)."""
        return isinstance(expr, gast.Call) and not expr.keywords and last(expr).elementwise and self.effects.pure(expr) \
            and not tree.is_pure_method(expr.func, tree.dotted(expr.func), self.effects.modules) \
            and (len(expr.args) > 1 or not (tree.dotted(expr.func) or '').endswith('where'))

    def lasts(self, expr):
        """Whether all names in the expression keep their values."""
        return all(self.effects.stable(n) or n in self.effects.modules for n in look(expr).loads)

    def sources(self, expr):
        """The names that the dtype of the value may come from, the seed excepted."""
        todo, seen, found = list(look(expr).loads), self.effects.modules | self.seeds, set()
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            if name in self.made:
                todo += look(self.made[name]).loads
            elif name in self.effects.count:
                found.add(name)
        return found

    def arithmetic(self, expr, array=None):
        """Whether the value, from which the array was computed, is surely a number or an array, not a list."""
        if isinstance(expr, gast.Name) and expr.id in self.sure:
            return self.sure[expr.id]
        if isinstance(expr, (gast.Name, gast.Subscript)):
            made = self.made.get(array.id, array) if isinstance(array, gast.Name) else array
            return made is not None and any(alone(node, gast.dump(expr)) for node in gast.walk(made))
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Mult)):
            return alone(expr, gast.dump(expr.left)) or self.arithmetic(expr.left, array) or self.arithmetic(expr.right, array)
        return isinstance(expr, (gast.Call, gast.UnaryOp, gast.BinOp))


def alone(node, text):
    """Whether the operation takes nothing but numbers and the thing with this text, and a list would not do for it."""
    if isinstance(node, gast.UnaryOp):
        return gast.dump(node.operand) == text
    if not isinstance(node, gast.BinOp):
        return False
    things = [side for side in (node.left, node.right) if not isinstance(side, gast.Constant)]
    if not things or any(gast.dump(side) != text for side in things):
        return False
    return isinstance(node.op, (gast.Sub, gast.Div, gast.Pow)) or len(things) == 2 and isinstance(node.op, gast.Mult)


def replaced(node, call):
    """The expression with the number in place of the call."""
    return call.args[0] if node is call else tree.with_children(node, lambda child: replaced(child, call))


def last(expr):
    """The facts of the function that is called."""
    return facts.of(tree.dotted(expr.func))
