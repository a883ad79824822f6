"""Exact rewrites of the arithmetic that differentiation writes down."""
import math

import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.frontend import quote, tree
from tangent.optimize import rewrite
from tangent.runtime import facts
from tangent.templates.language import registry

# (pattern, result, condition). A letter stands for any expression, the same one wherever it stands again; n and m stand
# for expressions with a minus sign in front of their product, and in the result for these without the sign; c stands for
# a literal, which people write first.
# Exact for every IEEE value, inf and nan included: `x * 0`, `x / c` and `-(a - b)` are not here.
RULES = [
    ('x * 1',                   'x',         ''),
    ('1 * x',                   'x',         ''),
    ('x * 1.0',                 'x',         'float'),
    ('1.0 * x',                 'x',         'float'),
    ('x / 1',                   'x',         'float'),
    ('x ** 1',                  'x',         ''),
    ('x - 0',                   'x',         ''),
    ('-n',                      'n',         ''),
    ('n * m',                   'n * m',     ''),
    ('n / m',                   'n / m',     ''),
    ('a + n',                   'a - n',     ''),
    ('a - n',                   'a + n',     ''),
    ('n + a',                   'a - n',     ''),
    ('x * -1',                  '-x',        ''),
    ('-1 * x',                  '-x',        ''),
    ('e + e',                   'e * 2',     ''),
    ('x * c',                   'c * x',     'literal'),
    ('-(a * b)',                '-a * b',    ''),
    ('-(a / b)',                '-a / b',    ''),
    ('c * n',                   '-c * n',    'positive'),
]
FOLDED = {gast.Add: int.__add__, gast.Sub: int.__sub__, gast.Mult: int.__mul__}
CONSUMED = (gast.BinOp, gast.UnaryOp, gast.Compare)


def constants(func):
    """Fold integer literals and simplify the arithmetic of the backward pass, exactly.

    >>> show(constants, 'bx = by * 1; bz = -by * y + bw; bv = 2 * x ** (2 - 1) * by')
    bx = by; bz = bw - by * y; bv = 2 * x * by
    >>> show(constants, 'bx = by * 3; bz = x * by * 3; bw = bw + x * by + x * by')
    bx = 3 * by; bz = x * by * 3; bw = bw + x * by + x * by
    >>> show(constants, 'bx = 0 * by; bz = by / 3; bw = -(x - y)')
    bx = 0 * by; bz = by / 3; bw = -(x - y)
    """
    rewriter = _Rewriter(effects_of(func))
    return rewrite.with_body(func, rewriter.block(func.tree.body))


def is_literal(expr):
    return tree.is_atom(expr) and not isinstance(expr, gast.Name)


def is_users(expr):
    """Whether a part of a formula was a statement of the user's own: it may be of flags, which have no sign."""
    return tree.role(expr) == 'primal'


def is_product(expr):
    return isinstance(expr, gast.BinOp) and not isinstance(expr.op, (gast.Add, gast.Sub, gast.Pow))


def is_float(expr):
    """Whether the value is certainly not an integer."""
    if isinstance(expr, gast.Constant):
        return isinstance(expr.value, float)
    if isinstance(expr, gast.UnaryOp):
        return is_float(expr.operand)
    if isinstance(expr, gast.BinOp):
        return isinstance(expr.op, gast.Div) or is_float(expr.left) or is_float(expr.right)
    known = facts.of(tree.dotted(expr.func)) if isinstance(expr, gast.Call) else facts.NOTHING
    return known.elementwise and known.gives == 'float'


def unsigned(expr):
    """The product without the minus sign in front of its first or second factor, else None."""
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        return expr.operand
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Mult, gast.Div, gast.MatMult)):
        left = unsigned(expr.left)
        if left is not None:
            return tree.replace(expr, left=left)
        right = unsigned(expr.right)
        if right is not None:
            return tree.replace(expr, right=right)
    return None


def plain(node):
    """Whether an operation on nothing but names, which no rule is about."""
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.operand, gast.Name)
    return isinstance(node.left, gast.Name) and isinstance(node.right, gast.Name) and node.left.id != node.right.id


def match(pattern, expr, found):
    """Whether the expression has the form of the pattern; fills `found` (letter -> expression)."""
    if isinstance(pattern, gast.Name) and len(pattern.id) == 1:
        if pattern.id in 'nm':
            expr = unsigned(expr)
            if expr is None:
                return False
        if pattern.id in found:
            return quote.same(found[pattern.id], expr)
        found[pattern.id] = expr
        return True
    if type(pattern) is not type(expr):
        return False
    if isinstance(pattern, gast.Constant):
        return type(pattern.value) is type(expr.value) and pattern.value == expr.value
    if type(pattern.op) is not type(expr.op):
        return False
    if isinstance(pattern, gast.UnaryOp):
        return match(pattern.operand, expr.operand, found)
    return not is_users(expr) and match(pattern.left, expr.left, found) and match(pattern.right, expr.right, found)


def compiled(rules):
    """The rules as trees, by what stands at their root."""
    table = {}
    for pattern, result, condition in rules:
        pattern = tree.expression(pattern)
        table.setdefault((type(pattern), type(pattern.op)), []).append((pattern, tree.expression(result), condition))
    return table


TABLE = compiled(RULES)


_settled: set = set()       # statements in which nothing is to be simplified


def forget():
    """Let go of the statements looked at."""
    _settled.clear()


class _Rewriter:
    def __init__(self, effects):
        self.effects, self.known = effects, effects.func.known is not None
        self.sum = f'{effects.func.known.library("numpy")}.sum' if effects.func.known is not None else NotImplemented
        self.roles = ('adjoint', 'seed', 'return') if effects.func.known is not None else ('adjoint', 'seed')

    def block(self, block):
        return rewrite.same([self.statement(stmt) for stmt in block], block)

    def statement(self, stmt):
        new = stmt
        if tree.role(stmt) in self.roles and not look(stmt).opaque:
            shared = isinstance(stmt, gast.Assign) and bool(self.effects.mutated & look(stmt).writes)
            if (stmt, shared) not in _settled:
                new = rewrite.header(stmt, lambda part: self.expression(part, shared))
            if isinstance(new, gast.AugAssign) and isinstance(new.op, (gast.Add, gast.Sub)) and unsigned(new.value) is not None:
                other = gast.Sub() if isinstance(new.op, gast.Add) else gast.Add()
                new = tree.replace(new, op=other, value=unsigned(new.value))
            if new is stmt:
                _settled.add((stmt, shared))
        if isinstance(new, (gast.FunctionDef, gast.ClassDef)):
            return new
        return rewrite.with_blocks(new, self.block)

    def expression(self, node, shared):
        """The expression simplified; where it is `shared` it stays a new object if it is one now."""
        if isinstance(node, (gast.Name, gast.Constant)) or not isinstance(node, gast.AST) or is_users(node):
            return node
        inner = shared and not isinstance(node, CONSUMED)
        node = tree.with_children(node, lambda child: self.expression(child, inner))
        summed = node.args[:1] if isinstance(node, gast.Call) and tree.dotted(node.func) == self.sum else ()
        if any(unsigned(part) is not None for part in summed):
            return gast.UnaryOp(op=gast.USub(), operand=tree.replace(node, args=[unsigned(node.args[0]), *node.args[1:]]))
        if isinstance(node, (gast.BinOp, gast.UnaryOp)):
            new = self.simpler(node)
            if new is not node and self.effects.pure(node) and not (
                    tree.root_name(new) and (shared or tree.root_name(new) in self.effects.mutated)):
                return self.expression(new, shared)
        return node

    def simpler(self, node):
        """The result of the first rule that applies, else the node."""
        if isinstance(node, gast.BinOp) and type(node.op) in FOLDED and all(
                isinstance(e, gast.Constant) and type(e.value) is int for e in (node.left, node.right)):
            value = FOLDED[type(node.op)](node.left.value, node.right.value)
            return tree.constant(value) if value >= 0 else tree.expression(repr(value))
        if plain(node):
            return node
        if self.known and isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult):
            turned = tree.replace(node, left=node.right, right=node.left)
            for product in (node, turned) if registry.literal(node.right) else (node,):
                new = folded(product) if is_float(factor_of(product.right)) else product
                if new is not product:
                    return new
        for pattern, result, condition in TABLE.get((type(node), type(node.op)), ()):
            found = {}
            if match(pattern, node, found) and self.holds(condition, found):
                return rewrite.substitute(result, found)
        return node

    def holds(self, condition, found):
        if condition == 'float':
            return is_float(found['x'])
        if condition == 'literal':
            c, x = found['c'], found['x']
            return is_literal(c) and not is_literal(x) and not is_product(x) and unsigned(x) is None
        if condition == 'positive':
            return isinstance(found['c'], gast.Constant)
        return True


def folded(product):
    """`b * x` for `2 * (0.5 * b) * x`: where one of two factors is a power of two, the product is the same."""
    inner = product.right
    first = factor_of(inner)
    factors = [registry.literal(part) for part in (product.left, first)] if first is not None else [None]
    if not all(factors) or not all(type(f) in (int, float) and f for f, in factors) \
            or not any(abs(math.frexp(f)[0]) == 0.5 for f, in factors):
        return product
    factor, rest = factors[0][0] * factors[1][0], without(inner, first)
    if abs(factor) == 1:
        return rest if factor > 0 else gast.UnaryOp(op=gast.USub(), operand=rest)
    whole = int(factor) if float(factor).is_integer() and abs(factor) < 1000 else factor
    return gast.BinOp(left=registry.number(whole), op=gast.Mult(), right=rest)


def factor_of(expr):
    """A literal by which what an expression gives is multiplied, wherever in it; None if there is none."""
    if not isinstance(expr, gast.BinOp) or not isinstance(expr.op, (gast.Mult, gast.Div)):
        return None
    if isinstance(expr.op, gast.Mult):
        for side in (expr.left, expr.right):
            if registry.literal(side):
                return side
    found = factor_of(expr.left)
    return factor_of(expr.right) if found is None and isinstance(expr.op, gast.Mult) else found


def without(product, factor):
    """A product without one of its factors."""
    if factor in (product.left, product.right):
        return product.right if product.left is factor else product.left
    inside = [side for side in (product.left, product.right) if factor_of(side) is factor]
    field = 'left' if inside[0] is product.left else 'right'
    return tree.replace(product, **{field: without(inside[0], factor)})
