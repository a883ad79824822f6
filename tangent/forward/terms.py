"""Trees of tangents: sums as a person writes them, and whether a tangent surely has the shape of its value."""
import gast

from tangent.analysis.liveness import twice
from tangent.analysis.shapes import NUMBER
from tangent.frontend import quote, tree
from tangent.runtime import facts
from tangent.templates.python import mutations

RESULT = '$result'               # stands for the result of an operation until it is known which name that has


def one_sum(expr):
    """The sum of terms with a minus where a term has one, and two equal terms made one."""
    terms = summands(expr)
    if len(terms) == 2 and quote.same(*terms):
        return twice(terms[0])
    result = terms[0]
    for term in terms[1:]:
        positive = negated(term)
        op, right = (gast.Add(), term) if positive is None else (gast.Sub(), positive)
        result = gast.BinOp(left=result, op=op, right=right)
    return result


def summands(expr):
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Add):
        return summands(expr.left) + [expr.right]
    return [expr]


def negated(expr):
    """`a * b` for `-a * b`; None where the expression does not begin with a minus."""
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        return expr.operand
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Mult, gast.Div)):
        left = negated(expr.left)
        return None if left is None else tree.replace(expr, left=left)
    return None


def is_shared(expr):
    """Whether the value of the expression may share memory with a name in it."""
    if isinstance(expr, gast.Call):
        name = expr.func.attr if isinstance(expr.func, gast.Attribute) else getattr(expr.func, 'id', '')
        known = facts.of(name)
        return bool(known.view) or known.fresh_of > len(expr.args) or name in ('broadcast_like', 'grown_like', 'overwrite') \
            or mutations.of(name).gives == 'element'
    return not isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Constant, gast.Compare))


class Covers:
    """Whether a tangent made element by element has the shape of the result, given the shapes known at a statement."""

    def __init__(self, shapes, result_shape, primal_of):
        self.shapes, self.result_shape, self.primal_of = shapes, result_shape, primal_of

    def __call__(self, value, given, rule):
        if self.result_shape == NUMBER:
            return True
        parts = self.parts(value)
        if RESULT in parts:
            return True
        if 'size' in given and 'size' not in rule.differentiable and not tree.is_none(given['size']):
            return False                 # random numbers
        operands = [e for p, e in given.items() for e in (e.elts if p == rule.vararg else [e])]
        if all(isinstance(e, gast.Constant) or self.shape(e) == NUMBER or key(e) in parts for e in operands):
            return True
        found = frozenset().union(*(self.shapes.get(n, frozenset()) for n in parts))
        return self.result_shape is not None and self.result_shape <= found

    def shape(self, expr):
        if isinstance(expr, gast.UnaryOp):
            return self.shape(expr.operand)
        return NUMBER if isinstance(expr, gast.Constant) else self.shapes.get(key(expr))

    def parts(self, expr):
        """What the value is made from element by element, by name or by text."""
        if isinstance(expr, gast.Name):
            return {self.primal_of.get(expr.id, expr.id)}
        if isinstance(expr, (gast.Subscript, gast.Attribute)):
            return {key(expr)}
        if isinstance(expr, gast.UnaryOp):
            return self.parts(expr.operand)
        if isinstance(expr, gast.Compare):
            return self.parts(expr.left).union(*map(self.parts, expr.comparators))
        if isinstance(expr, gast.BinOp) and not isinstance(expr.op, gast.MatMult):
            return self.parts(expr.left) | self.parts(expr.right)
        if isinstance(expr, gast.Call) and facts.of(last(expr)).elementwise and not expr.keywords:
            return set().union(*map(self.parts, expr.args))
        return set()


def key(expr):
    return expr.id if isinstance(expr, gast.Name) else gast.dump(expr)


def last(expr):
    """'tanh' for a call of `np.tanh`."""
    return expr.func.attr if isinstance(expr.func, gast.Attribute) else getattr(expr.func, 'id', '')


def product_update(op, target, value, dv):
    """(before, after): what is done to the tangent of x at `x *= v` and `x /= v`; None for any other operator.

    Each is a list of (operator, tree); `dv` is None where v has no tangent.
    """
    if not isinstance(op, (gast.Mult, gast.Div)) or key(target) == key(value):
        return None
    product = [] if dv is None else [gast.BinOp(left=target, op=gast.Mult(), right=dv)]
    if isinstance(op, gast.Mult):
        return [(gast.Mult(), value)] + [(gast.Add(), p) for p in product], []
    return [], [(gast.Sub(), p) for p in product] + [(gast.Div(), value)]


def moved_update(op, target, value, dv, held):
    """(what `held` is to be, (before, after)) where x and v may share memory: all is read before it changes."""
    change = gast.BinOp(left=target, op=gast.Mult(), right=dv)
    if isinstance(op, gast.Mult):
        return change, ([(gast.Mult(), value), (gast.Add(), held)], [])
    change.left = gast.BinOp(left=target, op=gast.Div(), right=value)
    return change, ([(gast.Sub(), held), (gast.Div(), value)], [])
