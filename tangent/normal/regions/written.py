"""The text of regions: the `try` with its `finally`, the `with` of a context that is entered and left by plain calls.

    context = opened(path)
    fh = context.__enter__()
    with 'tried':                             with opened(path) as fh:
        y = x * x                    ->           y = x * x
    with 'left':
        context.__exit__(None, None, None)

What stands between the two parts by then was put there for the adjoint: it belongs to the first.
"""
import gast

from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.subset import region
from tangent.normal.regions.marks import LAST, LEFT, NOTHING, TRIED


def written(made, shared):
    """The function with `try` and `with` for its regions."""
    if not any(region(s) is not None for s in tree.every(made.body)):
        return made
    return tree.replace(made, body=Written(shared).block(made.body))


class Written:
    """Writes statements that stand for regions."""

    def __init__(self, shared):
        self.shared = shared

    def block(self, stmts):
        out = []
        for s in stmts:
            s = tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)})
            mark = region(s)
            if mark in (LAST, LEFT):
                out = self.ended(out, s, mark)
            else:
                out.append(s)
        return [t for s in out for t in (s.body if region(s) is not None else [s])]       # nothing is done at its end

    def ended(self, stmts, s, mark):
        """The statements with what stands for the last region in them, and that at its end."""
        at = next((k for k in range(len(stmts) - 1, -1, -1) if region(stmts[k]) == TRIED
                   and region(stmts[k]).number == mark.number), len(stmts))
        body = [t for u in stmts[at:] for t in (u.body if region(u) == TRIED else [u])]
        before = stmts[:at]
        if mark == LEFT:
            return self.context(before, body, s)
        whole = tree.instead(gast.Try(body=body, handlers=[], orelse=[], finalbody=s.body), s)
        return [*before, whole] if body else [*before, *s.body]

    def context(self, before, body, s):
        """The same for a context: its `with`, where it is entered and left by plain calls."""
        begin = next((k for k in range(len(before) - 1, -1, -1) if is_entered(before[k], s.body)), None)
        if begin is None:
            return [*before, *self.attempt(body, s)]
        first, start, expr = before[begin], begin, subject(before[begin].value)
        if begin and tree.target(before[begin - 1]) == getattr(expr, 'id', None) is not None:
            expr, start = before[begin - 1].value, begin - 1
        bound = first.targets[0] if isinstance(first, gast.Assign) else None
        item, body = gast.withitem(context_expr=expr, optional_vars=bound), [*before[begin + 1:], *body] or [gast.Pass()]
        return [*before[:start], tree.instead(gast.With(items=[item], body=body, type_comment=None), first)]

    def attempt(self, body, s):
        """The statements with what leaves a context where it was entered otherwise: by a call that keeps something."""
        if not body:
            return s.body
        call = s.body[-1].value
        name, found = 'raised', find('raised')
        while self.shared.get(name, found) is not found:
            name = f'{name}_'
        self.shared[name] = found
        errors = [tree.call(name, tree.constant(k)) for k in range(3)]
        left = tree.instead(gast.Expr(value=tree.replace(call, args=[*call.args[:-3], *errors])), s)
        handler = gast.copy_location(gast.ExceptHandler(type=tree.load('BaseException'), name=None, body=[
            left, tree.instead(gast.Raise(exc=None, cause=None), s)]), s)
        return [tree.instead(gast.Try(body=body, handlers=[handler], orelse=s.body, finalbody=[]), s)]


def is_entered(s, left):
    """Whether a statement enters the context that these leave."""
    call = s.value if isinstance(s, (gast.Assign, gast.Expr)) else None
    return isinstance(call, gast.Call) and getattr(call.func, 'attr', None) == '__enter__' \
        and gast.dump(subject(call)) == gast.dump(subject(left[-1].value))


def subject(call):
    """The context that a call of one of its methods enters or leaves."""
    return call.args[0] if len(call.args) in (1, 1 + len(NOTHING)) else call.func.value
