"""Small questions about the text of parallel loops, and small changes of it."""
from __future__ import annotations

import gast

from tangent.frontend import tree
from tangent.frontend.resolve import Resolver, is_prange, local_names


def is_made(s, tapes):
    """Whether the statement makes one of the tapes."""
    return tree.target(s) in tapes and isinstance(s.value, gast.Call) and not s.value.args


def twice(expr):
    return gast.BinOp(left=tree.constant(2), op=gast.Mult(), right=expr)


def loops_of(m):
    """The outermost loops of a function that stand for the user's loops over `prange`."""
    resolver = Resolver(m.source, local_names(m.source.tree), {})
    lines = {s.lineno for s in tree.walk(m.source.tree)
             if isinstance(s, gast.For) and isinstance(s.iter, gast.Call) and is_prange(resolver(s.iter.func))}
    found = []

    def look(stmts):
        for s in stmts:
            known = tree.origin(s)
            if isinstance(s, gast.For) and known and known.line in lines and known.text.startswith('for '):
                found.append(s)
            else:
                for _, block in tree.blocks(s):
                    look(block)
    if lines:
        look(m.tree.body)
    return found


def same(s, loop):
    return isinstance(s, gast.For) and s.target is loop.target and s.iter is loop.iter


def once(name, body):
    """Whether one statement of the body, and none in its blocks, has to do with the name."""
    return sum(name in tree.names(s, gast.Load) + tree.names(s, gast.Store) for s in body) == 1 \
        and all(name not in tree.writes(t) for s in body for _, block in tree.blocks(s) for t in tree.every(block))


def emptied(loop, tape):
    """Whether each trip of a loop pops what it has pushed: both are done in the same loop."""
    return {f'{tape}.append', f'{tape}.pop'} <= {tree.dotted(n.func) for n in tree.walk(loop) if isinstance(n, gast.Call)}


def tapes_in(loop, tapes):
    return {n for s in loop.body for n in tree.names(s, gast.Load)} & tapes


def arrays_of(function):
    """Names that are arrays for sure, and gradients of such: what has a shape, or elements that are added to."""
    found = set()
    for n in tree.walk(function):
        if isinstance(n, gast.Attribute) and n.attr in ('shape', 'size', 'ndim') and isinstance(n.value, gast.Name):
            found.add(n.value.id)
        if isinstance(n, gast.Subscript) and isinstance(n.slice, gast.Tuple) and isinstance(n.value, gast.Name):
            found.add(n.value.id)
        if isinstance(n, gast.AugAssign) and isinstance(n.target, gast.Subscript) and isinstance(n.target.value, gast.Name):
            found.add(n.target.value.id)
    for s in tree.every(function.body):
        call = getattr(s, 'value', None)
        if tree.target(s) and isinstance(call, gast.Call) and len(call.args) == 1 and isinstance(call.args[0], gast.Name) \
                and call.args[0].id in found and isinstance(call.func, gast.Name) and call.func.id.startswith('init_grad'):
            found.add(tree.target(s))
    return found


def integers_of(function):
    """Names that are integers for sure: variables and bounds of ranges."""
    headers = [s for s in tree.walk(function) if isinstance(s, gast.For) and isinstance(s.iter, gast.Call)
               and tree.dotted(s.iter.func) == 'range']
    bounds = [a for s in headers for a in s.iter.args]
    bounds += [part for a in bounds if isinstance(a, gast.BinOp) for part in (a.left, a.right)]
    return {n for s in headers for n in tree.names(s.target, gast.Store)} | {a.id for a in bounds if isinstance(a, gast.Name)}


def is_integer(expr, names):
    """Whether an index is made of integers alone."""
    if isinstance(expr, gast.Tuple):
        return all(is_integer(e, names) for e in expr.elts)
    if isinstance(expr, gast.BinOp):
        return isinstance(expr.op, (gast.Add, gast.Sub, gast.Mult)) and is_integer(expr.left, names) \
            and is_integer(expr.right, names)
    return isinstance(expr, gast.Name) and expr.id in names or isinstance(expr, gast.Constant) and type(expr.value) is int


def fresh(expr):
    """Whether the value is an array of its own: a result of arithmetic, or of a function that makes one."""
    if isinstance(expr, gast.BinOp):
        return True
    last = (tree.dotted(expr.func) or '').rpartition('.')[2] if isinstance(expr, gast.Call) else ''
    return last in ('zeros', 'empty', 'ones', 'full', 'zeros_like', 'empty_like', 'copy', 'init_grad', 'array')


def augmented(s, sums):
    """`s += v` for `s = s + v` of a sum, as Numba wants it."""
    s = tree.replace(s, **{field: [augmented(t, sums) for t in block] for field, block in tree.blocks(s)})
    if tree.target(s) in sums and isinstance(s.value, gast.BinOp):
        new = gast.AugAssign(target=tree.store(tree.target(s)), op=s.value.op, value=s.value.right)
        return tree.place(gast.copy_location(new, s), tree.origin(s))
    return s


def on_part(node, tapes, part):
    """The tree that pushes on the tape of one part, and pops from it."""
    new = tree.with_children(node, lambda n: on_part(n, tapes, part))
    if isinstance(new, gast.Call) and isinstance(new.func, gast.Attribute) and new.func.attr in ('append', 'pop') \
            and isinstance(new.func.value, gast.Name) and new.func.value.id in tapes:
        new = tree.replace(new, args=[part, *new.args])
    return new


def trips(start, stop, backwards):
    if not backwards:
        return tree.call('range', tree.load(start), tree.load(stop))
    return tree.expression(f'range({stop} - 1, {start} - 1, -1)')


def for_loop(target, iterable, body, like):
    return tree.replace(like, target=tree.store(target), iter=iterable, body=body, orelse=[])


def is_zero(expr):
    return isinstance(expr, gast.Constant) and expr.value == 0
