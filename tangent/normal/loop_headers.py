"""Loop headers, backwards: how the reverse loop runs over the iterations that were made.

    for i in range(n):           for i in range(n - 1, -1, -1):
    for i in range(a, b):        for i in range(b - 1, a - 1, -1):
    while c: ...                 for _ in range(count):         (the forward loop counts)
"""
import gast

from tangent.frontend import tree
from tangent.templates.language import registry

TAPE = tree.Origin('tape')


def backwards(loop, names, resolver, range_name):
    """(statements that the forward body needs, statements before the forward loop, the reverse `for` without a body)."""
    counted = isinstance(loop, gast.While) or bool(loop.body) and tree.is_guard(loop.body[-1])
    args = range_args(loop, resolver)
    if args is not None and not counted:
        return [], [], header(loop.target, reverse_range(range_name, *args))
    count = names.fresh('count')
    before = [tree.assign(count, tree.constant(0), TAPE)]
    step = gast.AugAssign(target=tree.store(count), op=gast.Add(), value=tree.constant(1))
    inside = [tree.place(step, TAPE)]
    if args is not None and literal(args[2]) == 1:
        stop = plus(args[0], tree.load(count))
        return inside, before, header(loop.target, reverse_range(range_name, args[0], stop, args[2]))
    return inside, before, header(tree.store('_'), tree.call(range_name, tree.load(count)))


def header(target, iterator):
    return gast.For(target=target, iter=iterator, body=[], orelse=[], type_comment=None)


def range_args(loop, resolver):
    """(start, stop, step) of a loop over a range with one name as target, else None."""
    if not (isinstance(loop, gast.For) and isinstance(loop.target, gast.Name) and isinstance(loop.iter, gast.Call)
            and resolver(loop.iter.func) is range):
        return None
    args = loop.iter.args
    if len(args) == 1:
        return tree.constant(0), args[0], tree.constant(1)
    return tuple(args) if len(args) == 3 else (*args, tree.constant(1))


def literal(expr):
    found = registry.literal(expr)
    return found[0] if found and isinstance(found[0], int) else None


def plus(left, right):
    """`left + right` with literals put together."""
    if literal(left) is not None and literal(right) is not None:
        return registry.number(literal(left) + literal(right))
    if literal(left) == 0:
        return right
    if literal(right) == 0:
        return left
    if literal(right) is not None:
        if isinstance(left, gast.BinOp) and isinstance(left.op, gast.Add) and literal(left.left) is not None:
            return plus(left.right, registry.number(literal(left.left) + literal(right)))
        if isinstance(left, gast.BinOp) and isinstance(left.op, (gast.Add, gast.Sub)) and literal(left.right) is not None:
            sign = 1 if isinstance(left.op, gast.Add) else -1
            return plus(left.left, registry.number(sign * literal(left.right) + literal(right)))
        if literal(right) < 0:
            return gast.BinOp(left=left, op=gast.Sub(), right=tree.constant(-literal(right)))
    return gast.BinOp(left=left, op=gast.Add(), right=right)


def reverse_range(name, start, stop, step):
    """The tree of the range that yields the same numbers from the last to the first."""
    by = literal(step)
    if by == 1:
        return tree.call(name, plus(stop, minus_one()), plus(start, minus_one()), minus_one())
    if by == -1:
        return tree.call(name, plus(stop, tree.constant(1)), plus(start, tree.constant(1)))
    whole = tree.call(name, start, stop, step)
    backward = gast.Slice(lower=None, upper=None, step=minus_one())
    if by is None or by == 0:
        return gast.Subscript(value=whole, slice=backward, ctx=gast.Load())
    one = registry.number(-1 if by > 0 else 1)
    span = plus(gast.BinOp(left=stop, op=gast.Sub(), right=start) if literal(start) != 0 else stop, one)
    steps = gast.BinOp(left=gast.BinOp(left=span, op=gast.FloorDiv(), right=step), op=gast.Mult(), right=step)
    return tree.call(name, plus(start, steps), plus(start, one), registry.number(-by))


def minus_one():
    return gast.UnaryOp(op=gast.USub(), operand=tree.constant(1))


def taken(k, count, star):
    """The index of what the k-th of `count` targets of an unpacking takes; the one at `star` takes a list."""
    if star is None or k < star:
        return tree.constant(k)
    if k > star:
        return registry.number(k - count)
    last = registry.number(star + 1 - count) if star + 1 < count else None
    return gast.Slice(lower=tree.constant(star) if star else None, upper=last, step=None)
