"""Contexts that a generator function of the user's makes are written out, where it catches what is raised or has a derivative.

    @contextmanager
    def translating(name):
        try:
            yield                                               name = 'ratio'
        except ZeroDivisionError as error:                      try:
            raise Singular(name) from error       ->                y = a / b
                                                                except ZeroDivisionError as error:
    with translating('ratio'):                                      raise Singular(name) from error
        y = a / b

What it does around its `yield` stands around the block, under names of its own; others stay contexts (see `contexts`). So it is
for a function of the same file, with one `yield` that is reached once, and a block that goes on to its end or ends with
`return`.
"""
import dataclasses
import inspect
import types

import gast

from tangent.analysis.activity import by_mention
from tangent.frontend import tree
from tangent.frontend.resolve import Resolver, local_names, names_in
from tangent.frontend.scopes import DEFINITIONS, free
from tangent.frontend.source import is_derivative, is_manager
from tangent.normal.regions.contexts import at, goes_on, lets_through, text_of
from tangent.normal.structure import leaves

REFUSED = (*DEFINITIONS, gast.Lambda, gast.ClassDef, gast.Return, gast.YieldFrom, gast.Global, gast.Nonlocal, gast.Delete)


def written_out(source, known, wrt):
    """The Source with such contexts written out."""
    if is_derivative(source.function) or not any(isinstance(n, gast.With) for n in source.nodes):
        return source
    local = local_names(source.tree)
    taken = set(names_in(source).mentioned) | local | set(source.globals) | set(known)
    own = {*local, *known, *source.closure}
    work = Generators(source, Resolver(source, local, known), tree.Names(taken), wrt, own)
    body = work.block(source.tree.body)
    return dataclasses.replace(source, tree=tree.replace(source.tree, body=body)) if work.made else source


class Generators:
    """Writes out the contexts of one function; `own` are names that mean something else in it than in the module."""

    def __init__(self, source, resolver, names, wrt, own):
        self.source, self.resolver, self.names, self.own, self.made = source, resolver, names, own, 0
        stmts = [s for s in source.nodes if isinstance(s, gast.stmt) and s is not source.tree]
        self.varied = by_mention(stmts, wrt)

    def block(self, stmts):
        out = []
        for s in stmts:
            if not isinstance(s, DEFINITIONS):
                s = tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)})
            out += self.one(s) if isinstance(s, gast.With) else [s]
        return out

    def one(self, s):
        """The statements for a `with` statement: from its last item that is written out."""
        for k in reversed(range(len(s.items))):
            body, last = (s.body[:-1], s.body[-1:]) if isinstance(s.body[-1], gast.Return) else (s.body, [])
            if not goes_on(body) or (made := self.around(s.items[k], s)) is None:
                continue
            self.made += 1
            before, (first, after) = s.items[:k], made
            if last:
                value = self.names.fresh('value')
                body = [*body, at(tree.assign(value, last[0].value or tree.constant(None)), last[0])]
                last = [tree.replace(last[0], value=tree.load(value))]
            inner = [tree.replace(s, items=s.items[k + 1:], body=body)] if s.items[k + 1:] else body
            stmts = [*first, *after(inner), *last]
            return self.one(tree.replace(s, items=before, body=stmts)) if before else stmts
        return [s]

    def around(self, item, s):
        """(what binds the parameters, what makes of the block the statements for it), or None."""
        call = item.context_expr
        kind = self.resolver(call.func) if isinstance(call, gast.Call) else None
        if not isinstance(kind, types.FunctionType) or not is_manager(kind):
            return None
        text, varied = text_of(kind.__wrapped__), not self.varied.isdisjoint(tree.names(call, gast.Load))
        if text is None or lets_through(call, self.resolver) and not varied or not self.is_plain(text, kind.__wrapped__):
            return None
        try:
            signature = inspect.signature(kind.__wrapped__)
            bound = signature.bind(*call.args, **{k.arg: k.value for k in call.keywords})
        except (TypeError, ValueError):
            return None
        given = [n for n in signature.parameters if n in bound.arguments]
        if given != list(signature.parameters) or tree.starred(call.args) or [
                    bound.arguments[n] for n in given] != tree.arguments(call):
            return None                                          # defaults, or arguments in another order
        self.names.taken |= free(text.tree)
        new = {n: self.names.fresh(n) for n in sorted(local_names(text.tree))}
        first = [at(tree.assign(new[n], bound.arguments[n]), s) for n in given]
        stmts = [tree.rename(t, new) for t in text.tree.body
                 if not isinstance(t, gast.Expr) or not isinstance(t.value, gast.Constant)]
        return first, lambda body: placed(stmts, item, body)

    def is_plain(self, text, function):
        """Whether what a generator function does can stand in the function."""
        nodes = list(tree.walk_scope(text.tree.body))
        own = function.__globals__ is self.source.globals and text.filename == self.source.filename
        kinds = {p.kind for p in inspect.signature(function).parameters.values()}
        return own and self.own.isdisjoint(free(text.tree)) and not function.__code__.co_freevars \
            and not any(isinstance(n, REFUSED) for n in nodes) and kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD} \
            and sum(isinstance(n, gast.Yield) for n in nodes) == 1 and reaches(text.tree.body)


def reaches(stmts):
    """Whether the `yield` stands on the way of the statements, in no loop or branch, and they go on behind it."""
    for s in stmts:
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Yield):
            return not any(map(leaves, stmts))
        if isinstance(s, (*tree.TRIES, gast.With)) and reaches(s.body):
            return True
    return False


def placed(stmts, item, body):
    """The statements with the block in the place of their `yield`."""
    out = []
    for t in stmts:
        if isinstance(t, gast.Expr) and isinstance(t.value, gast.Yield):
            value = t.value.value or tree.constant(None)
            if item.optional_vars is not None:
                out.append(at(gast.Assign(targets=[item.optional_vars], value=value, type_comment=None), t))
            elif not tree.is_atom(value):
                out.append(at(gast.Expr(value=value), t))
            out += body
        else:
            blocks = {field: placed(block, item, body) for field, block in tree.blocks(t)}
            out.append(tree.replace(t, **blocks) if blocks else t)
    return out
