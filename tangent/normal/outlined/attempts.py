"""`try` statements become calls: what is tried is a function beside, which says whether it came to its end.

    try:                                               def f_attempt(x, b):
        c = numpy.linalg.cholesky(x)                       c = numpy.linalg.cholesky(x)
        y = numpy.linalg.solve(c, b)                       y = numpy.linalg.solve(c, b)
    except numpy.linalg.LinAlgError:          ->           return 0, y
        y = b * 0.0
                                                       failed, y2 = f_attempt(x, b)
                                                       if failed == 0:
                                                           y = y2
                                                       elif failed == 1:
                                                           y = b * 0.0

The function is differentiated as it stands here. Only then do the handlers come around what it, or its primal twin, does: there
they give back which of them it was, and the adjoint of a call that failed gives zeros. In forward mode, and for Numba, a `try`
stays what it is.

Where what is tried may have done something by the time it fails that is seen later (written into something, or bound a name
that is read), all of the statement is a function beside, through which no derivative may flow: `try: import pandas`. One that
jumps stays, and is refused by `subset`.
"""
import contextlib
import dataclasses

import gast

from tangent.analysis.fences.halfway import Halfway, asks_again, function, returns
from tangent.emit.signature import params, plain_arguments
from tangent.frontend import tree
from tangent.frontend.nested import NestedSource
from tangent.frontend.resolve import Resolver, names_in
from tangent.frontend.scopes import DEFINITIONS, Bound
from tangent.frontend.source import is_derivative
from tangent.normal.outlined import masked
from tangent.normal.outlined.loops import at
from tangent.normal.structure import leaves
from tangent.normal.typed.tried import names_are_bound
from tangent.runtime.functions.containers import takes_items, unstored

SEED = tree.Origin('seed')
KEPT = (*DEFINITIONS, gast.Lambda, gast.ClassDef, gast.Yield, gast.YieldFrom, gast.Global, gast.Nonlocal, gast.Delete,
        gast.NamedExpr)                # what a function of their own would change
FEW = 3                                # statements of handlers that are written more than once


def apart(source, known, wrt, shared, effects):
    """(the Source with such calls, name -> object that it can read then)."""
    stay = shared.settings.typed or is_derivative(source.function)
    if stay or not any(isinstance(n, (gast.Try, gast.With)) for n in source.nodes):
        return source, known
    resolver = Resolver(source, None, known)
    source = dataclasses.replace(source, tree=tree.replace(source.tree, body=suppressing(source.tree.body, resolver)))
    source = without_names(source, known)
    work = Attempts(source, known, wrt, shared, effects)
    function = tree.replace(source.tree, body=work.block(source.tree.body))
    if not work.made:
        return source, known
    return NestedSource.rewritten(source, function, visible=work.known), work.known


class Attempts:
    """Makes functions of what a function tries."""

    def __init__(self, source, known, wrt, shared, effects):
        self.source, self.known, self.shared, self.effects, self.made = source, dict(known), shared, effects, 0
        self.resolver = Resolver(source, None, known)
        self.local = set(names_in(source).local)
        self.names = tree.Names(set(names_in(source).mentioned)
                                | self.local | set(known) | set(shared))
        self.bound = Bound(source.tree.body, params(source.tree))
        self.halfway = Halfway(source, self.resolver, effects, self.local, wrt)

    def block(self, stmts):
        out = []
        for s in stmts:
            if isinstance(s, DEFINITIONS):
                out.append(s)
            elif isinstance(s, gast.Try) and any(not isinstance(e, gast.Pass) for e in s.finalbody):
                body = self.attempt(s, tree.replace(s, finalbody=[])) if s.handlers else self.block(s.body)
                out.append(tree.replace(s, body=body, handlers=[], orelse=[], finalbody=self.block(s.finalbody)))
            elif isinstance(s, gast.Try):
                out += self.attempt(s, s)
            else:
                blocks = {field: self.block(block) for field, block in tree.blocks(s)}
                out.append(tree.replace(s, **blocks) if blocks else s)
        return out

    def attempt(self, s, plain):
        """The statements that stand for a try, less what is done at its end, or that itself."""
        called = self.last_apart(plain)
        known = self.bound.before.get(id(s), frozenset())
        if self.halfway.can_be_called(called, known):
            return self.call(called)
        return self.outlined(plain, known) or self.masked(plain, known) or self.in_parts(called) or [plain]

    def in_parts(self, s):
        """The statements for a `try` of which it is seen how far it has come, as one for each part of which it is not; or None.

            try:                                try:
                y = f(y)                            y = f(y)
                y = g(y)                        except ValueError:
            except ValueError:         ->           pass
                pass                            else:
                                                    try:
                                                        y = g(y)
                                                    except ValueError:
                                                        pass
        """
        seen, parts = self.halfway.read_outside(s.body), [[]]
        for k, t in enumerate(s.body):
            parts[-1].append(t)
            if k < len(s.body) - 1 and not seen.isdisjoint(tree.writes(t)):
                parts.append([])
        few = sum(1 for h in s.handlers for _ in tree.every(h.body)) <= FEW
        if len(parts) < 2 or not few or returns(s.body) or any(isinstance(n, KEPT) for n in tree.walk_scope(s.handlers)):
            return None
        rest, tries = s.orelse, []
        for body in reversed(parts):
            handlers = [tree.clone(h) for h in s.handlers] if tries else s.handlers
            rest = [tree.replace(s, body=body, handlers=handlers, orelse=rest)]
            tries += rest
        before = self.halfway, self.bound
        function = tree.exchange(self.source.tree, {id(s): rest[0]})
        self.halfway = Halfway(dataclasses.replace(self.source, tree=function), Resolver(self.source, self.local, self.known),
                               self.effects, self.local, self.halfway.wrt)
        self.bound = Bound(function.body, params(function))
        known = [self.bound.before.get(id(one), frozenset()) for one in tries]
        made = self.block(rest) if all(map(self.halfway.can_be_called, tries, known)) else None
        self.halfway, self.bound = before
        return made

    def masked(self, s, known):
        """The statements for a `try` that asks whether something is an array, see `masked`; None for another."""
        asked = masked.asked_for(s, self.resolver, self.local, self.source.tree)
        if not asked:
            return None
        others, before = masked.of_others(s, self.named(unstored)), self.halfway
        function = tree.exchange(self.source.tree, {id(s): others})
        resolver = Resolver(self.source, self.local, self.known)
        self.halfway = Halfway(dataclasses.replace(self.source, tree=function), resolver, self.effects, self.local, before.wrt)
        orelse = self.call(others) if self.halfway.can_be_called(others, known) else None
        self.halfway = before
        test = tree.call(self.named(takes_items), *map(tree.load, asked))
        return orelse and [at(gast.If(test=test, body=self.block(s.body), orelse=orelse), s)]

    def named(self, helper):
        """A name for a function of the library."""
        name = next((n for n, thing in self.known.items() if thing is helper), None)
        if name is None:
            name = self.names.fresh(helper.__name__)
            self.shared[name] = self.known[name] = helper
        return name

    def outlined(self, s, known):
        """The call of a function that does all that the statement does, or None: where no derivative flows through it."""
        bound = {n for t in tree.every([s]) for n in tree.writes(t)} - {h.name.id for h in s.handlers if h.name is not None}
        nodes = list(tree.walk_scope([s]))
        if getattr(self.source, 'passive', False) or leaves(s) or any(isinstance(n, KEPT) for n in nodes) \
                or not self.halfway.varied.isdisjoint(n.id for n in nodes if isinstance(n, gast.Name)):
            return None
        paths, read = Bound([s]), self.halfway.read_outside([s])
        results = sorted(bound & read if not self.halfway.is_come_to_again(s) else bound & (read | paths.first))
        given = sorted(paths.first & self.local | {n for n in results if n not in paths.always})
        if not known.issuperset(given):
            return None
        self.made += 1
        value = tree.load(results[0]) if len(results) == 1 else gast.Tuple(elts=list(map(tree.load, results)), ctx=gast.Load())
        nested = self.beside(given, [s, at(gast.Return(value=value), s)], s, passive=True)
        call = tree.call(nested.__name__, *map(tree.load, given))
        return [at(tree.assign(tree.targets(*results), call) if results else gast.Expr(value=call), s)]

    def last_apart(self, s):
        """The statement with what is done at the end of what is tried, with a value or without one, done behind it.

            try:                                try:
                total += f(x)                       value = f(x)
            except ValueError:         ->       except ValueError:
                ...                                 ...
                                                else:
                                                    total += value
        """
        *body, last = s.body
        after = []
        if isinstance(last, (gast.Break, gast.Continue)) and body:
            after, (*body, last) = [last], body
        place = self.halfway.put_last(last, s.handlers)
        if place is not None:
            value = self.names.fresh('value')
            self.local.add(value)
            after = [place(tree.load(value)), *after]
            last = at(tree.assign(value, last_value(last)), last)
        return tree.replace(s, body=[*body, last], orelse=after + s.orelse) if after else s

    def call(self, s):
        """The statements that stand for a try."""
        self.made += 1
        ends, given, results = returns(s.body), self.halfway.given(s), self.halfway.results(s)
        asks = any(h.name is not None or asks_again(h.body) for h in s.handlers)
        name = self.nested(s, given, results, asks)
        failed, error = self.names.fresh('failed'), self.names.fresh('error') if asks else None
        values = [self.names.fresh('value')] if ends else [self.names.fresh(n) for n in results]
        left = [failed, *([error] if asks else []), *values]
        call = at(tree.assign(tree.targets(*left), tree.call(name, *map(tree.load, given))), s)
        if ends:
            first = [at(gast.Return(value=tree.load(values[0])), s)]
        else:
            first = [at(tree.assign(n, tree.load(v)), s) for n, v in zip(results, values)] + self.block(s.orelse)
        rest = []
        for k, h in reversed(list(enumerate(s.handlers, 1))):
            body = self.block(with_error(h, error))
            if k == len(s.handlers):
                rest = body
            else:
                rest = [at(gast.If(test=equals(failed, k), body=body, orelse=rest), h)]
        if not first:
            first = [at(gast.Pass(), s)]
        return [call, at(gast.If(test=equals(failed, 0), body=first, orelse=rest), s)]

    def nested(self, s, given, results, asks):
        """The name of the function of what is tried."""
        marks = [tree.constant(0), *([tree.constant(None)] if asks else [])]
        body = with_marks(s.body, marks)
        if not returns(s.body):
            ends = [*marks, *map(tree.load, results)]
            value = gast.Tuple(elts=ends, ctx=gast.Load()) if len(ends) > 1 else ends[0]
            body = [*body, at(gast.Return(value=value), s.body[-1])]
        return self.beside(given, body, s, tried=Tried(s.handlers, asks, len(results) + bool(returns(s.body)))).__name__

    def beside(self, given, body, s, **facts):
        """A function of statements, with these facts of its source."""
        nested = self.shared.nest(self.source, self.local, f'{self.source.name}_attempt')
        definition = function(nested.__name__, given, body, s)
        nested.source = NestedSource.of(self.source, definition, visible=dict(self.known), **facts)
        self.known[nested.__name__] = nested
        return nested


@dataclasses.dataclass(frozen=True)
class Tried:
    """What comes around the text of such a function.

    handlers : those of the statement
    asks : whether the error is handed over, too
    results : how many values there are beside
    """
    handlers: list
    asks: bool
    results: int

    def plain(self, function):
        """The function as it is called where no derivative flows."""
        return tree.replace(function, body=[self.around(function.body, function, lambda value: value)])

    def twins(self, primal, adjoint, wrt, init_grad):
        """The primal and the adjoint, which gives zeros where the primal has failed; `init_grad` is a name for that."""
        taken = tree.Names({n.id for f in (primal, adjoint) for n in tree.walk(f) if isinstance(n, gast.Name)})
        given, kept = taken.fresh('given'), taken.fresh('kept')
        value, saved = primal.body[-1].value.elts
        end = tree.replace(primal.body[-1], value=pair(value, pair(saved, tree.constant(None))))
        arguments = gast.Tuple(elts=list(map(tree.load, wrt)), ctx=gast.Load())
        failing = lambda value: pair(value, pair(tree.constant(None), arguments))  # noqa: E731
        primal = tree.replace(primal, body=[self.around([*primal.body[:-1], end], primal, failing, taken.fresh('error'))])
        seed, name = params(adjoint)
        parts = gast.Tuple(elts=[tree.store(name), tree.store(given)], ctx=gast.Store())
        unpack = tree.place(gast.Assign(targets=[parts], value=tree.load(kept), type_comment=None), SEED)
        zeros = [tree.call(init_grad, tree.load(w)) for w in wrt]
        fields = gast.Tuple(elts=list(map(tree.store, wrt)), ctx=gast.Store())
        back = [tree.place(gast.Assign(targets=[fields], value=tree.load(given), type_comment=None), SEED),
                tree.place(gast.Return(value=zeros[0] if len(zeros) == 1 else gast.Tuple(elts=zeros, ctx=gast.Load())), SEED)]
        known = gast.Compare(left=tree.load(given), ops=[gast.IsNot()], comparators=[tree.constant(None)])
        failed = tree.place(gast.If(test=known, body=back, orelse=[]), SEED)
        return primal, tree.replace(adjoint, args=plain_arguments([seed, kept]), body=[unpack, failed, *adjoint.body])

    def around(self, stmts, s, failing, error='error'):
        """The statements in a try; `failing` makes what is returned of the value of a call that failed."""
        handlers = []
        for k, h in enumerate(self.handlers, 1):
            marks = [tree.constant(k), *([tree.load(error)] if self.asks else []), *[tree.constant(0.0)] * self.results]
            value = gast.Tuple(elts=marks, ctx=gast.Load()) if len(marks) > 1 else marks[0]
            out = tree.place(gast.copy_location(gast.Return(value=failing(value)), h), tree.Origin('return'))
            kind = tree.load('BaseException') if h.type is None and self.asks else h.type      # a bare except binds no name
            handlers.append(gast.copy_location(gast.ExceptHandler(
                type=kind, name=tree.store(error) if self.asks else None, body=[out]), h))
        return tree.place(gast.copy_location(gast.Try(body=stmts, handlers=handlers, orelse=[], finalbody=[]), s),
                          tree.Origin('primal', s.lineno))


def without_names(source, known):
    """The Source without `try` statements that are there for names that might not be bound, and are: `except NameError` behind
    `x = asarray(x)`. Where one of them is none any more, what it binds is bound for the next."""
    resolver, given = Resolver(source, None, known), params(source.tree)

    def visit(stmts, before):
        for k, s in enumerate(stmts):
            if isinstance(s, DEFINITIONS):
                continue
            if isinstance(s, gast.Try) and is_for_names(s, resolver, before.get(id(s), frozenset())):
                return [*stmts[:k], *s.body, *s.orelse, *stmts[k + 1:]]
            for field, block in tree.blocks(s):
                if (new := visit(block, before)) is not block:
                    return [*stmts[:k], tree.replace(s, **{field: new}), *stmts[k + 1:]]
        return stmts
    while (body := visit(source.tree.body, Bound(source.tree.body, given).before)) is not source.tree.body:
        source = dataclasses.replace(source, tree=tree.replace(source.tree, body=body))
    return source


def is_for_names(s, resolver, before):
    if any(not isinstance(e, gast.Pass) for e in s.finalbody):
        return False
    kinds = [resolver(h.type) if h.type is not None else BaseException for h in s.handlers]
    return all(kind in (NameError, ImportError) for kind in kinds) and names_are_bound(s, resolver, before)


def suppressing(stmts, resolver):
    """The statements with a `try` for each context that is `suppress(...)`.

        with suppress(KeyError, IndexError):               try:
            y = d[k]                              ->           y = d[k]
                                                           except (KeyError, IndexError):
                                                               pass
    """
    out = []
    for s in stmts:
        if not isinstance(s, DEFINITIONS):
            s = tree.replace(s, **{field: suppressing(block, resolver) for field, block in tree.blocks(s)})
        for k in reversed(range(len(s.items)) if isinstance(s, gast.With) else ()):
            if (kinds := suppressed(s.items[k], resolver)) is not None:
                body = [tree.replace(s, items=s.items[k + 1:])] if s.items[k + 1:] else s.body
                handler = gast.copy_location(gast.ExceptHandler(type=kinds, name=None, body=[at(gast.Pass(), s)]), s)
                made = gast.copy_location(gast.Try(body=body, handlers=[handler], orelse=[], finalbody=[]), s)
                s = tree.replace(s, items=s.items[:k], body=[made])
        out.append(s.body[0] if isinstance(s, gast.With) and not s.items else s)
    return out


def suppressed(item, resolver):
    """The errors that a context suppresses, or None."""
    call = item.context_expr
    if not isinstance(call, gast.Call) or resolver(call.func) is not contextlib.suppress or item.optional_vars is not None \
            or call.keywords or not call.args or not all(isinstance(resolver(e), type) for e in call.args):
        return None
    return call.args[0] if len(call.args) == 1 else gast.Tuple(elts=call.args, ctx=gast.Load())


def pair(left, right):
    return gast.Tuple(elts=[left, right], ctx=gast.Load())


def last_value(s):
    return s.value.args[0] if isinstance(s, gast.Expr) else s.value


def with_error(handler, error):
    """The body of a handler, in which the error is a variable."""
    if error is None:
        return handler.body
    name = tree.names(handler.name, gast.Store)[0] if handler.name is not None else error

    def visit(stmts):
        out = []
        for s in stmts:
            if asks_again([s]):
                fields = {'exc': tree.load(name)} if isinstance(s, gast.Raise) else {}
                s = tree.replace(s, **fields, **{field: visit(block) for field, block in tree.blocks(s)})
            out.append(s)
        return out
    first = [at(tree.assign(name, tree.load(error)), handler)] if name != error else []
    return first + visit(handler.body)


def with_marks(stmts, marks):
    """The statements in which `return y` is `return 0, y`."""
    out = []
    for s in stmts:
        if isinstance(s, gast.Return):
            s = tree.replace(s, value=gast.Tuple(elts=[*marks, s.value or tree.constant(None)], ctx=gast.Load()))
        blocks = {field: with_marks(block, marks) for field, block in tree.blocks(s)}
        out.append(tree.replace(s, **blocks) if blocks else s)
    return out


def equals(name, number):
    return gast.Compare(left=tree.load(name), ops=[gast.Eq()], comparators=[tree.constant(number)])
