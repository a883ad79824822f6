"""Headers of loops that count: `range(a, b)` and what runs through the same numbers backwards."""
import gast

from tangent.frontend import tree


def forwards(header):
    """`range(a, b)` for `range(b - 1, a - 1, -1)`; None for other loops."""
    if not isinstance(header, gast.Call) or tree.dotted(header.func) != 'range' or len(header.args) != 3:
        return None
    last, end, step = header.args
    if number(step) != -1:
        return None
    start, stop = plus_one(end), plus_one(last)
    return tree.replace(header, args=[stop] if number(start) == 0 else [start, stop])


def number(expr):
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub) and isinstance(expr.operand, gast.Constant):
        return -expr.operand.value
    return expr.value if isinstance(expr, gast.Constant) and type(expr.value) is int else None


def plus_one(expr):
    """The expression and one, as people write it."""
    known = number(expr)
    if known is not None:
        return tree.constant(known + 1)
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)) and number(expr.right) is not None:
        more = number(expr.right) * (1 if isinstance(expr.op, gast.Add) else -1) + 1
        if more == 0:
            return expr.left
        op = gast.Add() if more > 0 else gast.Sub()
        return gast.BinOp(left=expr.left, op=op, right=tree.constant(abs(more)))
    return gast.BinOp(left=expr, op=gast.Add(), right=tree.constant(1))


def span(header):
    """The text of (first, end) of a range that is run through one by one, in either direction; None for other loops."""
    if not isinstance(header, gast.Call) or tree.dotted(header.func) != 'range' or header.keywords:
        return None
    header = forwards(header) or header
    args = header.args
    if len(args) == 3 and number(args[2]) == 1:
        args = args[:2]
    if len(args) > 2:
        return None
    first = args[0] if len(args) == 2 else tree.constant(0)
    return gast.dump(first), gast.dump(args[-1])
