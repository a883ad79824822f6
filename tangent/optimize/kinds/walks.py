"""A loop that takes what it needs from the tape on each trip goes over the tape."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.coalesce import kept


def walks(func):
    """Go over a tape from its end, where each trip of one loop takes the last item, and nothing else takes any.

        while _stack:                                  for y in reversed(_stack):
            y = _stack.pop()                               by = by * y
            by = by * y

        for _ in range(steps - 1, -1, -1):             for t, y in reversed(_stack):
            t, y = _stack.pop()                            by = by * y
            by = by * y

    What is pushed is popped, so that the trips of the loop are the items of the tape.
    """
    if func.known is None:
        return func
    places = cfg.places(func)
    uses: dict = {}
    for s in places:
        for name in {*look(s).loads, *look(s).writes}:
            uses.setdefault(name, []).append(s)
    new = {loop: walked(func, loop, uses, places) for loop in func.tree.body if isinstance(loop, (gast.For, gast.While))}
    new = {loop: found for loop, found in new.items() if found is not None}
    return rewrite.with_body(func, rewrite.with_statements(func.tree.body, new)) if new else func


def walked(func, loop, uses, places):
    """The loop over the tape, or None if it is no such loop."""
    stack, targets = kept(loop.body[0], 'pop')
    if stack is None or loop.orelse or not all(isinstance(t, gast.Name) for t in targets):
        return None
    if isinstance(loop, gast.While):
        if not isinstance(loop.test, gast.Name) or loop.test.id != stack:
            return None
    elif not isinstance(loop.target, gast.Name) or len(uses[loop.target.id]) > len(binding(loop.target.id, uses)):
        return None
    others = [s for s in uses[stack] if s is not loop.body[0] and s is not loop]
    pushes = [s for s in others if kept(s, 'append')[0] == stack]
    begun = [s for s in others if tree.target(s) == stack and isinstance(s.value, gast.List) and not s.value.elts]
    if len(pushes) != 1 or len(begun) != 1 or len(others) != 2 or any(isinstance(s, gast.Break) for s in tree.every(loop.body)):
        return None
    if places[begun[0]].loops or places[pushes[0]].loops and loop in places[pushes[0]].loops:
        return None
    walk = gast.For(target=loop.body[0].targets[0], iter=tree.call(func.known.library('reversed'), tree.load(stack)),
                    body=loop.body[1:] or [gast.Pass()], orelse=[], type_comment=None)
    return tree.place(walk, tree.origin(loop))


def binding(name, uses):
    """The statements that bind a name and do not read it."""
    return [s for s in uses[name] if name not in look(s).loads]
