"""A loop that takes one value from the tape on each trip ends when the tape is empty."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.statements import look
from tangent.analysis.kinds.values import Array, Parts
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.coalesce import kept

JUMPS = (gast.Break, gast.Continue, gast.Return, *tree.TRIES)


def counts(func):
    """Do not count the trips of a loop where the tape knows how many they were, or what the loop goes over.

    >>> show(counts, 'count = 0\\n_s = []\\nwhile y < n:\\n _s.append(y)\\n count += 1\\n'
    ...     'for i in range(count):\\n y = _s.pop()')
    count = 0
    _s = []
    while y < n:
        _s.append(y)
        count += 1
    while _s:
        y = _s.pop()
    >>> show(counts, 'count = 0\\n_s = []\\nfor y in x:\\n if y:\\n  _s.append(y)\\n count += 1\\n'
    ...     'for i in range(count):\\n y = _s.pop()')
    count = 0
    _s = []
    for y in x:
        if y:
            _s.append(y)
        count += 1
    for i in range(count):
        y = _s.pop()
    """
    loops = [stmt for stmt in func.tree.body if isinstance(stmt, gast.For) and counted(stmt)]
    if not loops:
        return func
    found = cfg.places(func)
    uses, rank = {}, {}
    for stmt in found:
        rank[stmt] = len(rank)
        for name in [*look(stmt).loads, *look(stmt).writes]:
            uses.setdefault(name, []).append(stmt)
    new = {}
    for loop in loops:
        stack = emptied(loop, uses, rank, found)
        if stack:
            new[loop] = tree.place(gast.While(test=tree.load(stack), body=loop.body, orelse=[]), tree.origin(loop))
        elif func.known is not None and (over := gone_through(func, loop, uses, found)):
            called = func.known.library
            new[loop] = tree.replace(loop, iter=tree.call(called('range'), tree.call(called('len'), tree.load(over))))
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new)) if new else func


def counted(loop):
    """The name in `for _ in range(count)` or `for i in range(count - 1, -1, -1)`, else None."""
    if not isinstance(loop.iter, gast.Call) or tree.dotted(loop.iter.func) != 'range' or not isinstance(loop.target, gast.Name):
        return None
    names = [name for name in look(loop.iter).loads if name != 'range']
    last = len(loop.iter.args) == 3 and isinstance(loop.iter.args[0], gast.BinOp) and loop.iter.args[0].left
    first = loop.iter.args[0] if len(loop.iter.args) == 1 else last
    return names[0] if len(names) == 1 and isinstance(first, gast.Name) else None


def counting(loop, uses):
    """(where the count of the loop's trips begins, the one statement that counts), if nothing else has to do with it."""
    count = counted(loop)
    steps = {s for s in uses[count] if isinstance(s, gast.AugAssign)}
    start = [s for s in uses[count] if tree.target(s) == count and isinstance(s.value, gast.Constant) and s.value.value == 0]
    others = [s for s in uses[count] if s not in steps and s not in start and s is not loop]
    return (*start, *steps) if len(steps) == len(start) == 1 and not others else (None, None)


def emptied(loop, uses, rank, found):
    """The list from which the loop takes the values of all trips that were counted, one on each."""
    _, step = counting(loop, uses)
    late = [s for s in uses[loop.target.id] if rank[s] > rank[loop] and loop.target.id in look(s).loads]
    if step is None or late:
        return None
    if any(jumps(stmt) for stmt in loop.body) or found[step].loops != (found[step].parent,):
        return None
    for stmt in loop.body:
        stack, _ = kept(stmt, 'pop')
        if stack and all(found[s].parent in (None, loop, found[step].parent) for s in uses[stack]) and len(uses[stack]) == 3:
            push = next((s for s in uses[stack] if kept(s, 'append')[0] and found[s].parent is found[step].parent), None)
            if push and not any(map(jumps, between(push, step, found))):
                return stack
    return None


def gone_through(func, loop, uses, found):
    """The array or tuple whose elements were counted, one on each trip of a loop over it, if it is still the same; or None."""
    start, step = counting(loop, uses)
    if step is None or len(loop.iter.args) != 1 or found[start].loops:
        return None
    over = found[step].parent
    if not isinstance(over, gast.For) or not isinstance(over.iter, gast.Name) or over.orelse or found[over].loops \
            or any(isinstance(s, JUMPS) for s in tree.every(over.body)):
        return None
    kind = func.known.infer(func.tree).names.get(over.iter.id)
    lasts = isinstance(kind, Array) and kind.axes or isinstance(kind, Parts) and issubclass(kind.form, tuple)
    return over.iter.id if lasts and over.iter.id not in {n for s in found for n in look(s).writes} else None


def between(one, other, found):
    first, last = sorted((found[one].at, found[other].at))
    return found[one].block[first:last]


def jumps(stmt):
    return isinstance(stmt, JUMPS) or any(jumps(inner) for _, block in tree.blocks(stmt) for inner in block)
