"""Contexts, and what stands in a `finally`, are calls and statements in a row while they are worked on.

    with quiet_division(mode):                  context = quiet_division(mode)
        y = divide(x, n)             ->         quiet_division.__enter__(context)
    return y * y                                with 'tried':
                                                    y = divide(x, n)
                                                with 'left':
                                                    quiet_division.__exit__(context, None, None, None)
                                                return y * y

What they bind anew outside, the calls do, as all analyses know of calls; the adjoint of the block stands behind it, and reads
what the block has read. The text that is emitted has the `with` again (see `written`), so that the context is left where
something is raised.

So it is for a context that surely lets exceptions through: of a class that is written in Python, of Python's own and NumPy's,
of a generator function that catches nothing.
"""
import collections
import contextlib
import dataclasses
import sys
import types

import gast

from tangent.analysis.liveness import exposed
from tangent.emit.signature import params
from tangent.errors import TangentError
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN, Resolver, local_names, names_in
from tangent.frontend.scopes import DEFINITIONS, Bound, inside
from tangent.frontend.source import is_manager, original, read
from tangent.frontend.subset import Region
from tangent.normal.objects.forms import is_plain
from tangent.normal.regions.marks import LAST, LEFT, NOTHING, TRIED, around
from tangent.normal.structure import leaves
from tangent.runtime import facts

WAITING = {'asyncio', 'concurrent', 'decimal', 'multiprocessing', 'unittest'}     # what they do, or set, goes on in the block
TRANSPARENT = frozenset(sys.stdlib_module_names - WAITING - {'contextlib'} | {'numpy'})
OF_CONTEXTLIB = contextlib.nullcontext, contextlib.closing, contextlib.redirect_stdout, contextlib.redirect_stderr


def called(source, known):
    """(the Source with such calls, name -> name of the user's for what is kept for the end of a region)."""
    kinds = gast.With, gast.Try
    if not any(isinstance(n, kinds) for n in source.nodes):
        return source, {}
    local = local_names(source.tree)
    taken = set(names_in(source).mentioned) | local | set(source.globals) | set(known)
    work = Contexts(source, Resolver(source, local, known), tree.Names(taken))
    return dataclasses.replace(source, tree=tree.replace(source.tree, body=work.block(source.tree.body))), work.kept


class Contexts:
    def __init__(self, source, resolver, names):
        self.source, self.resolver, self.names, self.kept, self.regions = source, resolver, names, {}, 0
        self.bound = Bound(source.tree.body, params(source.tree)).before
        self.bindings = plain_bindings(source.tree)

    def block(self, stmts):
        out = []
        for s in stmts:
            if isinstance(s, DEFINITIONS):
                out.append(s)
                continue
            known = self.bound.get(id(s), frozenset())
            s = tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)})
            if isinstance(s, gast.With) and not subset.is_insertion(s, self.source) \
                    and not all(self.is_quiet(item, s) for item in s.items):
                out += self.entered(s)
            elif isinstance(s, gast.Try) and s.finalbody and not s.handlers and goes_on(s.finalbody):
                out += self.tried(s, known)
            else:
                out.append(s)
        return out

    def is_quiet(self, item, s):
        return subset.is_quiet(tree.replace(s, items=[item]), self.source)

    def tried(self, s, known):
        """The statements that stand for a `try` with a `finally`, which reads what names were bound to last; `known` are names
        that are bound before it."""
        kept = sorted(exposed(s.finalbody) & {n.id for t in s.body for n in tree.walk(t) if stores(n)})
        if not known.issuperset(kept) or any(map(self.is_bound_otherwise, s.body)):
            return [s]
        last = {n: self.names.fresh(n) for n in kept}
        self.kept.update((new, n) for n, new in last.items())
        before = [at(tree.assign(new, tree.load(n)), s) for n, new in last.items()]
        again = [at(tree.assign(n, tree.load(new)), s) for n, new in last.items()]
        return [*before, *self.region(keeping(s.body, last), LAST, [*again, *s.finalbody], s)]

    @staticmethod
    def is_bound_otherwise(s):
        """Whether a statement binds names by what is not a statement of its own."""
        return any(isinstance(n, (gast.NamedExpr, *tree.TRIES, gast.Delete)) for n in tree.walk(s))

    def entered(self, s):
        """The statements that stand for a `with`, or itself."""
        if not all(self.is_quiet(item, s) or self.is_called(item) for item in s.items):
            return [s]
        *body, last = s.body
        after = []
        if isinstance(last, gast.Return) and not any(map(leaves, body)):
            value = self.names.fresh('value')
            body += [at(tree.assign(value, last.value or tree.constant(None)), last)]
            after = [at(tree.replace(last, value=tree.load(value)), last)]
        else:
            body.append(last)
        for item in reversed(s.items):
            one = self.null if self.is_null(item) else self.one
            body = [tree.replace(s, items=[item], body=body)] if self.is_quiet(item, s) else one(item, body, s)
        return body + after

    def is_null(self, item):
        return isinstance(item.context_expr, gast.Call) and self.resolver(item.context_expr.func) is contextlib.nullcontext

    @staticmethod
    def null(item, body, s):
        """The statements for `nullcontext(value)`."""
        value = next(iter(tree.arguments(item.context_expr)), tree.constant(None))
        bind = gast.Expr(value=value) if item.optional_vars is None else \
            gast.Assign(targets=[item.optional_vars], value=value, type_comment=None)
        return [at(bind, s), *body] if item.optional_vars is not None or not tree.is_atom(value) else body

    def one(self, item, body, s):
        """The statements for one context."""
        context, owner = self.names.fresh('context'), self.owner(item.context_expr)
        enter, leave = (method(owner, name, tree.load(context), *args) for name, args in (
            ('__enter__', ()), ('__exit__', map(tree.constant, NOTHING))))
        given = gast.Assign(targets=[item.optional_vars], value=enter, type_comment=None) if item.optional_vars is not None \
            else gast.Expr(value=enter)
        before = [at(t, s) for t in (tree.assign(context, item.context_expr), given)]
        return [*before, *self.region(body, LEFT, [at(gast.Expr(value=leave), s)], s)]

    def region(self, body, mark, final, s):
        self.regions += 1
        return [around(Region.of(kind, self.regions), block, s) for kind, block in ((TRIED, body), (mark, final))]

    def owner(self, expr):
        """What names the class whose methods enter and leave a context, or None for those that have no text."""
        kind = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        return expr.func if isinstance(kind, type) and is_plain(kind) and not facts.is_ours(kind) else None

    def is_called(self, item):
        """Whether what an item of the statement does can be said by calls."""
        bound = item.optional_vars
        named = bound is None or all(isinstance(n, (gast.Name, gast.Tuple, gast.expr_context)) for n in gast.walk(bound))
        return named and lets_through(item.context_expr, self.resolver, self.bindings)


def stores(node):
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)


def keeping(stmts, last):
    """The statements with another name for what some names are bound to, wherever they are bound."""
    out = []
    for s in stmts:
        blocks = {field: keeping(block, last) for field, block in tree.blocks(s)}
        copies = [at(tree.assign(last[n], tree.load(n)), s) for n in sorted(last.keys() & tree.writes(s))]
        if blocks:
            out.append(tree.replace(s, **{**blocks, 'body': [*copies, *blocks['body']]}))
        else:
            out += [s, *copies]
    return out


def method(owner, name, context, *args):
    """The call of a method of a context, by the class where that is named."""
    return tree.method(context, name, *args) if owner is None else tree.method(tree.clone(owner), name, context, *args)


def at(stmt, s):
    return stmt if hasattr(stmt, 'lineno') else gast.copy_location(stmt, s)


def goes_on(stmts):
    """Whether nothing leaves the statements before their end, but for an exception."""
    return not any(map(leaves, stmts)) and not any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in tree.walk_scope(stmts))


def lets_through(expr, resolver, bindings=types.MappingProxyType({})):
    """Whether a context surely lets exceptions through, and does what it does when it is entered and left.

    bindings : name -> what a variable is bound to, for those that are bound by nothing but plain assignments
    """
    if isinstance(expr, gast.IfExp):
        return all(lets_through(e, resolver, bindings) for e in (expr.body, expr.orelse))
    if isinstance(expr, gast.Name) and expr.id in bindings:
        others = {n: values for n, values in bindings.items() if n != expr.id}
        return all(lets_through(e, resolver, others) for e in bindings[expr.id])
    made = isinstance(expr, gast.Call)
    found = resolver(expr.func) if made else resolver.value(expr)
    if found is UNKNOWN or facts.is_ours(found):
        return False
    kind = found if made else type(found)
    if isinstance(kind, types.FunctionType) and is_manager(kind):
        return catches_nothing(kind.__wrapped__)
    if (facts.home(kind) or facts.home(type(kind))) in TRANSPARENT or kind in OF_CONTEXTLIB:
        return kind not in subset.QUIET
    return isinstance(kind, type) and is_plain(kind) and isinstance(getattr(kind, '__enter__', None), types.FunctionType) \
        and stops_nothing(kind.__exit__)


def plain_bindings(function):
    """Name -> what it is bound to, for variables that are bound by nothing but plain assignments."""
    found, stored = {}, collections.Counter(n.id for n in tree.walk(function) if isinstance(n, gast.Name)
                                            and not isinstance(n.ctx, gast.Load))
    for s in tree.every(function.body):
        if tree.target(s):
            found.setdefault(tree.target(s), []).append(s.value)
    return {n: values for n, values in found.items() if len(values) == stored[n]}


def stops_nothing(method):
    """Whether an `__exit__` surely lets all exceptions through."""
    text = text_of(method)
    if text is None:
        return False
    nodes = list(inside(text.tree.body))
    returned = [n.value for n in nodes if isinstance(n, gast.Return)]
    return not text.tree.decorator_list and not any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in nodes) \
        and all(e is None or isinstance(e, gast.Constant) and not e.value for e in returned)


def catches_nothing(generator):
    """Whether a generator function surely lets go on what is thrown into it."""
    text = text_of(generator)
    if text is None:
        return False
    resolver = Resolver(text)
    around = [s for s in tree.every(text.tree.body) if isinstance(s, (gast.Try, gast.With)) and yields(s.body)]
    return all(lets_through(item.context_expr, resolver) or item.optional_vars is None and subset.is_quiet(
        tree.replace(s, items=[item]), text) for s in around if isinstance(s, gast.With) for item in s.items) \
        and not any(s.handlers or not goes_on(s.finalbody) for s in around if isinstance(s, gast.Try))


def yields(stmts):
    return any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in tree.walk_scope(stmts))


def text_of(function):
    if not isinstance(function, types.FunctionType):
        return None
    try:
        return read(original(function))
    except TangentError:
        return None
