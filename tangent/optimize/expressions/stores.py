"""What is written into arrays, said in one statement."""
import gast

from tangent.analysis.dataflow.statements import COMPOUND, look
from tangent.frontend import tree
from tangent.optimize import rewrite


def stores(func):
    """Assign what is added to a place that was just set to zero; do not copy what only goes into arithmetic.

    >>> show(stores, 'bx[i] = 0; bx[i] += t * w', arrays=['bx'])
    bx[i] = t * w
    >>> show(stores, 'bx[i] = 0; bx[j] += t * w', arrays=['bx'])
    bx[i] = 0; bx[j] += t * w
    >>> show(stores, 'bt = 2 * copy(bx[1:])')
    bt = 2 * bx[1:]
    """
    copy = func.library.get('copy', 'copy')
    return rewrite.with_body(func, _block(func.tree.body, func, copy))


def _block(block, func, copy):
    out = []
    for stmt in block:
        if isinstance(stmt, COMPOUND):
            stmt = rewrite.with_blocks(stmt, lambda inner: _block(inner, func, copy))
        if copy in look(stmt).loads or any(tree.dotted(c.func) == copy for c in look(stmt).calls):
            stmt = rewrite.header(stmt, lambda part: bare(part, copy))
        if out and is_clear(out[-1], func) and adds_to(stmt, out[-1].targets[0], func):
            stmt = tree.place(gast.copy_location(
                tree.assign(out.pop().targets[0], added(stmt), tree.origin(stmt)), stmt), tree.origin(stmt))
        out.append(stmt)
    return rewrite.same(out, block)


def bare(node, copy):
    """The expression without copies of what an operator works on."""
    if isinstance(node, gast.BinOp):
        node = rewrite.with_fields(node, left=taken(node.left, copy), right=taken(node.right, copy))
    elif isinstance(node, gast.UnaryOp):
        node = rewrite.with_fields(node, operand=taken(node.operand, copy))
    return tree.with_children(node, lambda child: bare(child, copy))


def taken(expr, copy):
    return expr.args[0] if tree.is_call(expr, copy) and isinstance(expr.args[0], gast.Subscript) else expr


def is_clear(stmt, func):
    """Whether the statement is `x[i] = 0` for an array."""
    return isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Subscript) \
        and isinstance(stmt.targets[0].value, gast.Name) and stmt.targets[0].value.id in func.arrays \
        and isinstance(stmt.value, gast.Constant) and type(stmt.value.value) is int and stmt.value.value == 0


def adds_to(stmt, place, func):
    """Whether the statement adds to or subtracts from the place something that does not look at the array."""
    return isinstance(stmt, gast.AugAssign) and isinstance(stmt.op, (gast.Add, gast.Sub)) \
        and isinstance(stmt.target, gast.Subscript) and isinstance(stmt.target.value, gast.Name) \
        and stmt.target.value.id == place.value.id and gast.dump(stmt.target.slice) == gast.dump(place.slice) \
        and place.value.id not in tree.names(stmt.value, gast.Load)


def added(stmt):
    return stmt.value if isinstance(stmt.op, gast.Add) else gast.UnaryOp(op=gast.USub(), operand=stmt.value)
