"""Contexts of the user's that do nothing to what has a derivative are entered and left by calls, while it is worked on.

    with quiet_division(mode):                  context = quiet_division(mode)
        y = divide(x, n)             ->         quiet_division.__enter__(context)
    return y * y                                y = divide(x, n)
                                                quiet_division.__exit__(context, None, None, None)
                                                return y * y

What they bind anew outside, the calls do, as all analyses know of calls; the adjoint of the block stands behind it, and reads
what the block has read. The text that is emitted has the `with` again, so that the context is left where something is raised.

So it is for a class, written in Python, whose `__exit__` stops no exception, around a block that goes on to its end or ends
with `return`.
"""
from __future__ import annotations

import dataclasses
import types

import gast

from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.resolve import Resolver, local_names
from tangent.frontend.scopes import DEFINITIONS, inside
from tangent.frontend.source import original, read
from tangent.normal.objects.forms import is_plain
from tangent.runtime import facts

NOTHING = (None, None, None)


def called(source, known):
    """The Source with such calls."""
    if not any(isinstance(n, gast.With) for n in tree.walk(source.tree)):
        return source
    local = local_names(source.tree)
    taken = {n.id for n in tree.walk(source.tree) if isinstance(n, gast.Name)} | local | set(source.globals) | set(known)
    body = Contexts(Resolver(source, local, known), tree.Names(taken)).block(source.tree.body)
    return dataclasses.replace(source, tree=tree.replace(source.tree, body=body))


class Contexts:
    def __init__(self, resolver, names):
        self.resolver, self.names = resolver, names

    def block(self, stmts):
        out = []
        for s in stmts:
            if isinstance(s, DEFINITIONS):
                out.append(s)
                continue
            s = tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)})
            out += self.calls(s) if isinstance(s, gast.With) and goes_on(s.body) and all(map(self.is_called, s.items)) else [s]
        return out

    def is_called(self, item):
        """Whether what an item of the statement does can be said by calls."""
        expr = item.context_expr
        kind = self.resolver(expr.func) if isinstance(expr, gast.Call) and tree.dotted(expr.func) else None
        named = item.optional_vars is None or isinstance(item.optional_vars, gast.Name)
        enters, leaves = getattr(kind, '__enter__', None), getattr(kind, '__exit__', None)
        return named and isinstance(kind, type) and is_plain(kind) and not facts.is_ours(kind) \
            and isinstance(enters, types.FunctionType) and stops_nothing(leaves)

    def calls(self, s):
        """The statements that stand for one."""
        before, after = [], []
        for item in s.items:
            context, kind = self.names.fresh('context'), item.context_expr.func
            before += [tree.assign(context, item.context_expr), tree.assign(item.optional_vars.id, entering(kind, context))
                       if item.optional_vars is not None else gast.Expr(value=entering(kind, context))]
            after.insert(0, gast.Expr(value=leaving(tree.clone(kind), context)))
        *body, last = s.body
        if isinstance(last, gast.Return):
            value = self.names.fresh('value')
            body += [at(tree.assign(value, last.value or tree.constant(None)), last)]
            after.append(at(tree.replace(last, value=tree.load(value)), last))
        else:
            body.append(last)
        return [*(at(t, s) for t in before), *body, *(at(t, s) for t in after)]


def entering(kind, context):
    return tree.method(kind, '__enter__', tree.load(context))


def leaving(kind, context):
    return tree.method(kind, '__exit__', tree.load(context), *map(tree.constant, NOTHING))


def at(stmt, s):
    return stmt if hasattr(stmt, 'lineno') else gast.copy_location(stmt, s)


def goes_on(stmts):
    """Whether nothing leaves the statements before their end, but for an exception of what they call."""
    *rest, last = stmts
    leaving = (gast.Return, gast.Break, gast.Continue, gast.Raise, gast.Yield, gast.YieldFrom, gast.Try)
    found = [n for n in tree.walk_scope(rest if isinstance(last, gast.Return) else stmts) if isinstance(n, leaving)]
    return not found


def stops_nothing(method):
    """Whether an `__exit__` surely lets all exceptions through."""
    if not isinstance(method, types.FunctionType):
        return False
    try:
        text = read(original(method)).tree
    except TangentError:
        return False
    nodes = list(inside(text.body))
    returned = [n.value for n in nodes if isinstance(n, gast.Return)]
    return not text.decorator_list and not any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in nodes) \
        and all(e is None or isinstance(e, gast.Constant) and not e.value for e in returned)


def entered(function):
    """The function with `with` statements where contexts are entered and left by such calls."""
    body = with_contexts(function.body)
    return function if body is function.body else tree.replace(function, body=body)


def with_contexts(stmts):
    out = []
    for s in stmts:
        blocks = {field: with_contexts(block) for field, block in tree.blocks(s)}
        changed = any(new is not old for (_, old), new in zip(tree.blocks(s), blocks.values(), strict=True))
        out.append(tree.replace(s, **blocks) if changed else s)
    while (found := innermost(out)) is not None:
        out = found
    return out if len(out) != len(stmts) or any(a is not b for a, b in zip(out, stmts)) else stmts


def innermost(stmts):
    """The statements with one more `with`, or None: the context that is left first."""
    left = next((k for k, s in enumerate(stmts) if isinstance(s, gast.Expr) and is_call(s.value, '__exit__')), None)
    if left is None:
        return None
    name = stmts[left].value.args[0].id
    begin = next((k for k in range(left) if is_call(getattr(stmts[k], 'value', None), '__enter__', name)), None)
    if begin is None:
        return None
    first, expr, start = stmts[begin], tree.load(name), begin
    if begin and tree.target(stmts[begin - 1]) == name:
        expr, start = stmts[begin - 1].value, begin - 1
    bound = first.targets[0] if isinstance(first, gast.Assign) else None
    item, body = gast.withitem(context_expr=expr, optional_vars=bound), stmts[begin + 1:left] or [gast.Pass()]
    block = gast.With(items=[item], body=body, type_comment=None)
    return [*stmts[:start], tree.place(gast.copy_location(block, first), tree.origin(first)), *stmts[left + 1:]]


def is_call(expr, method, name=None):
    """Whether it is one of these calls, for that context."""
    if not isinstance(expr, gast.Call) or not isinstance(expr.func, gast.Attribute) or expr.func.attr != method \
            or not expr.args or not isinstance(expr.args[0], gast.Name) or name not in (None, expr.args[0].id):
        return False
    rest = expr.args[1:] if method == '__exit__' else [tree.constant(None)] * 3 if len(expr.args) == 1 else []
    return not expr.keywords and len(rest) == 3 and all(isinstance(e, gast.Constant) and e.value is None for e in rest)
