"""Products of whole matrices, which stay with BLAS, apart from the arithmetic around them.

    t = alpha * A                                part = A @ x
    y = t @ x + z                      ->        y = alpha * part + z
    by @ t                                       part2 = by @ A; alpha * part2

A matrix that a number scales is not made where nothing but its products are asked for: these are scaled, in the loops in which
they are used. Statements inside others are left as they are.
"""
import gast

from tangent.frontend import tree
from tangent.numba.loops.outer_products import is_outer
from tangent.numba.loops.prepared.memory import changed
from tangent.numba.loops.prepared.moved import written_whole
from tangent.numba.loops.prepared.rename import is_pure
from tangent.numba.loops.values import elementwise

REAL = ('float64', 'float32')


def with_outer(function, kinds):
    """The FunctionDef with products of each element of a vector with each of another where all of an array is written of them,
    `t = np.outer(x, y); A[:] += t`: vectors are spread there, the matrix is not made."""
    body = list(function.body)
    for k, s in enumerate(function.body):
        name = tree.target(s)
        if name is None or not is_outer(s.value, kinds) or kinds.bound.get(name) != 1 \
                or not all(isinstance(a, gast.Name) for a in s.value.args):
            continue
        at = next((m for m, t in enumerate(function.body) if m > k and name in tree.names(t, gast.Load)), None)
        use = function.body[at] if at is not None else None
        loads = sum(tree.names(t, gast.Load).count(name) for t in function.body)
        between = function.body[k + 1:at]
        if loads != 1 or written_whole(use, added=True) is None or not isinstance(use.value, gast.BinOp) \
                or not is_quiet(use, kinds) or changes(between, tree.names(s.value, gast.Load), kinds) \
                or any(n for t in between for n in tree.blocks(t)):
            continue
        body[body.index(s)] = None
        body[at] = tree.replace(body[at], value=tree.substitute(body[at].value, {name: s.value}))
    return tree.replace(function, body=[s for s in body if s is not None]) if None in body else function


def is_quiet(s, kinds):
    """Whether a statement calls nothing that may change anything."""
    return all(elementwise(kinds.find(n.func)) or is_pure(n, kinds) for n in tree.walk(s) if isinstance(n, gast.Call))


def changes(stmts, names, kinds):
    """Whether statements may change any of these arrays, or give another one such a name."""
    stmts = list(tree.every(stmts))
    return any(not set(names).isdisjoint(changed(s, kinds) | tree.writes(s)) for s in stmts)


def scaled(function, kinds, names):
    """(the FunctionDef, names of the products in it)."""
    found = _Scaled(function, kinds, names)
    factors = found.factors()
    body = [t for s in function.body if tree.target(s) not in factors for t in found.statement(s, factors)]
    return (tree.replace(function, body=body), found.parts) if found.parts else (function, [])


class _Scaled:
    """parts : names of products"""

    def __init__(self, function, kinds, names):
        self.body, self.kinds, self.names, self.parts = function.body, kinds, names, []
        self.before: list = []

    def is_matrix(self, expr):
        kind = self.kinds.kind(expr)
        return kind is not None and kind.parts is None and kind.rank == 2 and kind.dtype in REAL

    def is_number(self, expr):
        """Whether an expression is a number that stays the same."""
        kind = self.kinds.kind(expr)
        return kind is not None and kind.rank == 0 and kind.parts is None and kind.dtype in (*REAL, 'int64') and (
            isinstance(expr, gast.Constant) or isinstance(expr, gast.Name) and self.kinds.is_once(expr.id))

    def factors(self):
        """Name -> (number, matrix) for scaled matrices of which no more than products are asked for."""
        found = {}
        for k, s in enumerate(self.body):
            name, value = tree.target(s), getattr(s, 'value', None)
            if name is None or not isinstance(value, gast.BinOp) or not isinstance(value.op, gast.Mult) \
                    or self.kinds.bound.get(name) != 1 or not self.is_matrix(value):
                continue
            pair = (value.left, value.right) if self.is_number(value.left) else (value.right, value.left)
            if not self.is_number(pair[0]) or not isinstance(pair[1], gast.Name) or not self.is_matrix(pair[1]) \
                    or self.kinds.kind(pair[1]).dtype != self.kinds.kind(value).dtype:
                continue
            alone = all(self.is_multiplied(t, name) for t in self.body)
            if alone and not changes(self.body[k + 1:], [name, pair[1].id], self.kinds):
                found[name] = pair
        return found

    def is_multiplied(self, s, name):
        """Whether a statement asks for no more of a matrix than products with it."""
        loads = tree.names(s, gast.Load).count(name)
        if not loads:
            return True
        value = getattr(s, 'value', None)
        if not self.is_simple(s) or value is None:
            return False
        return loads == sum(root(side) == name for n in tree.walk(value) if self.is_product(n) for side in (n.left, n.right))

    def is_product(self, expr):
        """Whether an expression is a product of whole matrices and vectors of one real type."""
        if not isinstance(expr, gast.BinOp) or not isinstance(expr.op, gast.MatMult):
            return False
        kind, found = self.kinds.kind(expr), [self.kinds.kind(expr.left), self.kinds.kind(expr.right)]
        return kind is not None and kind.rank > 0 and kind.dtype in REAL and all(k is not None for k in found) \
            and all(root(side) is not None for side in (expr.left, expr.right))

    def is_simple(self, s):
        """Whether a statement does nothing but give a value a name, or write it somewhere."""
        return isinstance(s, (gast.Assign, gast.AugAssign)) and is_quiet(s, self.kinds)

    def statement(self, s, factors):
        """The statements for one."""
        if not self.is_simple(s) or not any(self.is_product(n) for n in tree.walk(s.value)):
            return [s]
        self.before = []
        if self.is_product(s.value) and tree.target(s) is not None:
            number, product = self.product(s.value, factors)
            if number is None:
                return [s]
        value = self.arithmetic(s.value, factors)
        return [*self.before, tree.replace(s, value=value)] if self.before else [s]

    def arithmetic(self, expr, factors):
        """The expression with names for its products, as far as it is arithmetic."""
        if self.is_product(expr):
            number, product = self.product(expr, factors)
            part = self.names.fresh('part')
            self.parts.append(part)
            self.before.append(gast.copy_location(tree.place(tree.assign(part, product), tree.origin(expr)), expr))
            return tree.load(part) if number is None else gast.BinOp(left=number, op=gast.Mult(), right=tree.load(part))
        if isinstance(expr, (gast.BinOp, gast.UnaryOp)) and not isinstance(getattr(expr, 'op', None), gast.MatMult) \
                or isinstance(expr, gast.Call) and len(expr.args) == 2 and self.kinds.kind(expr) is not None \
                and getattr(self.kinds.find(expr.func), '__name__', '') == 'unbroadcast':
            return tree.with_children(expr, lambda e: self.arithmetic(e, factors) if isinstance(e, gast.expr) else e)
        return expr

    @staticmethod
    def product(expr, factors):
        """(the number or None, the product without it)."""
        sides, number = [], None
        for side in (expr.left, expr.right):
            given = factors.get(root(side))
            if given is not None:
                number = given[0] if number is None else gast.BinOp(left=number, op=gast.Mult(), right=given[0])
                side = tree.substitute(side, {root(side): given[1]})
            sides.append(side)
        return number, tree.replace(expr, left=sides[0], right=sides[1])


def root(expr):
    """The name of an array, or of the one whose transpose is taken; None for all else."""
    if isinstance(expr, gast.Attribute) and expr.attr == 'T':
        expr = expr.value
    return expr.id if isinstance(expr, gast.Name) else None
