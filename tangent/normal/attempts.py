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

A statement stays, and is refused by `subset`, where what is tried may have done something by the time it fails that is seen
later: written into something, or bound a name that is read.
"""
from __future__ import annotations

import dataclasses

import gast

from tangent.analysis.alias import Aliases
from tangent.analysis.effects import carried, thrown
from tangent.analysis.liveness import exposed
from tangent.emit.signature import params, plain_arguments
from tangent.frontend import tree
from tangent.frontend.definite_assignment import Bound
from tangent.frontend.nested import Nested, NestedSource
from tangent.frontend.resolve import Resolver, local_names
from tangent.frontend.scopes import DEFINITIONS
from tangent.normal.outlined_loops import at

SEED = tree.Origin('seed')
REFUSED = (*DEFINITIONS, gast.Lambda, gast.ClassDef, gast.Yield, gast.YieldFrom, gast.Await, gast.Global, gast.Nonlocal,
           gast.Delete, gast.NamedExpr, gast.Import, gast.ImportFrom, gast.Match)
LOOPS = gast.For, gast.While


def apart(source, known, shared, effects):
    """(the Source with such calls, name -> object that it can read then)."""
    if shared.settings.typed or not any(isinstance(n, gast.Try) for n in tree.walk(source.tree)):
        return source, known
    work = Attempts(source, known, shared, effects)
    function = tree.replace(source.tree, body=work.block(source.tree.body))
    if not work.made:
        return source, known
    if isinstance(source, NestedSource):
        return dataclasses.replace(source, tree=function, visible=work.known), work.known
    return NestedSource.of(source, function, values=tuple(source.defaults), keyword_values=dict(source.kwdefaults),
                           visible=work.known), work.known


class Attempts:
    """Makes functions of what a function tries."""

    def __init__(self, source, known, shared, effects):
        self.source, self.known, self.shared, self.effects, self.made = source, dict(known), shared, effects, 0
        self.resolver = Resolver(source, local_names(source.tree), known)
        self.local = local_names(source.tree)
        self.names = tree.Names({n.id for n in tree.walk(source.tree) if isinstance(n, gast.Name)}
                                | self.local | set(known) | set(shared))
        self.bound = Bound(source.tree.body, params(source.tree))

    def block(self, stmts):
        out = []
        for s in stmts:
            if isinstance(s, DEFINITIONS):
                out.append(s)
            elif isinstance(s, gast.Try):
                called = self.last_apart(s)
                known = self.bound.before.get(id(s), frozenset())
                out += self.call(called) if self.can_be_called(called, known) else [s]
            else:
                blocks = {field: self.block(block) for field, block in tree.blocks(s)}
                out.append(tree.replace(s, **blocks) if blocks else s)
        return out

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
        place = put_last(last)
        if place is not None:
            value = self.names.fresh('value')
            self.local.add(value)
            after = [place(tree.load(value)), *after]
            last = at(tree.assign(value, last_value(last)), last)
        return tree.replace(s, body=[*body, last], orelse=after + s.orelse) if after else s

    def can_be_called(self, s, known):
        """Whether nobody can tell how far a try that failed has come; `known` are names that are bound before it."""
        if not self.is_plain(s) or not self.same_kinds(s):
            return False
        read = exposed(s.body) & self.local
        if not read <= known:
            return False
        halfway = bound(s.body) - ({tree.target(s.body[-1])} - bound(s.body[:-1]))
        return self.is_unread(halfway, s) and not self.is_seen(s, read)

    @staticmethod
    def is_plain(s):
        """Whether a statement has handlers, no end of its own, and nothing inside that a function beside could not do."""
        ends = returns(s.body)
        if ends is None or ends and s.orelse or leaves(s.body):
            return False
        inside = any(isinstance(n, REFUSED) for n in tree.walk_scope(s.body))
        return bool(s.handlers) and not inside and all(isinstance(e, gast.Pass) for e in s.finalbody)

    def same_kinds(self, s):
        """Whether the errors that handlers name are no variables of the function, and carry nothing with a derivative."""
        types = [n for h in s.handlers if h.type is not None for n in tree.names(h.type, gast.Load)]
        if not self.local.isdisjoint(types):
            return False
        if not any(h.name is not None or asks_again(h.body) for h in s.handlers):
            return True
        calls = [self.resolver(n.func) for n in tree.walk_scope(s.body) if isinstance(n, gast.Call)]
        return not any(carried(thrown(n, self.resolver)) for n in tree.walk_scope(s.body)) \
            and not any(self.effects.knows(f) and self.effects.of(f).raises for f in calls)

    def is_unread(self, halfway, s):
        """Whether what is bound before the last step is read by no handler, nor after one, before it is bound again."""
        if not halfway:
            return True
        loops = [n for n in tree.walk(self.source.tree) if isinstance(n, LOOPS)]
        again = any(inner is s for loop in loops for inner in tree.walk(loop))
        later = self.read_outside([*s.body, *s.orelse]) | (exposed(s.body) if again else set())
        for h in s.handlers:
            anew = Bound(h.body)
            if not halfway.isdisjoint(exposed(h.body)) or anew.goes_on and not later & halfway <= anew.always:
                return False
        return True

    def read_outside(self, stmts):
        """Names that are read elsewhere in the function."""
        own = {id(n) for n in tree.walk_scope(stmts)}
        return {n.id for n in tree.walk(self.source.tree) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)
                and id(n) not in own}

    def is_seen(self, s, read):
        """Whether what is tried may write into something that is there before."""
        function = self.function('attempt', sorted(read), s.body, s)
        aliases = Aliases(function, self.resolver, self.effects)
        changed = {n for _, n in aliases.writes + aliases.updates}
        changed |= {s.target.id for s in tree.every(s.body) if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)
                    and s.target.id in read}
        stored = bound(s.body)
        return any(n not in stored or not (aliases.family(n) | {n}).isdisjoint(read) for n in changed)

    def function(self, name, given, body, s):
        definition = gast.FunctionDef(name=name, args=plain_arguments(given), body=body, decorator_list=[], returns=None,
                                      type_comment=None, type_params=[])
        return gast.copy_location(definition, s)

    def call(self, s):
        """The statements that stand for a try."""
        self.made += 1
        ends, given = returns(s.body), sorted(exposed(s.body) & self.local)
        read = self.read_outside(s.body).union(given, *(tree.names(part, gast.Load) for part in s.orelse))
        results = [] if ends else sorted(bound(s.body) & read)
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
        taken = set(self.shared) | set(self.source.globals) | self.local
        nested = Nested(tree.Names(taken).fresh(f'{self.source.name}_attempt'), ())
        definition = self.function(nested.__name__, given, body, s)
        nested.source = NestedSource.of(self.source, definition, visible=dict(self.known),
                                        tried=Tried(s.handlers, asks, len(results) + bool(returns(s.body))))
        self.shared[nested.__name__] = self.known[nested.__name__] = nested
        self.shared.nested.append(nested)
        return nested.__name__


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
            marks = [tree.constant(k), *([tree.load(error)] if self.asks else []), *[tree.constant(None)] * self.results]
            value = gast.Tuple(elts=marks, ctx=gast.Load()) if len(marks) > 1 else marks[0]
            out = tree.place(gast.copy_location(gast.Return(value=failing(value)), h), tree.Origin('return'))
            handlers.append(gast.copy_location(gast.ExceptHandler(
                type=h.type, name=tree.store(error) if self.asks else None, body=[out]), h))
        return tree.place(gast.copy_location(gast.Try(body=stmts, handlers=handlers, orelse=[], finalbody=[]), s),
                          tree.Origin('primal', s.lineno))


def pair(left, right):
    return gast.Tuple(elts=[left, right], ctx=gast.Load())


def put_last(s):
    """Makes of a value the statement that does with it what this one does with its own, if it does so last of all."""
    if isinstance(s, gast.AugAssign) and isinstance(s.op, (gast.Add, gast.Sub, gast.Mult)) \
            or isinstance(s, gast.Assign) and not any(isinstance(t, (gast.Name, gast.Tuple, gast.List)) for t in s.targets):
        return lambda value: tree.replace(s, value=value)
    call = s.value if isinstance(s, gast.Expr) else None
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) and call.func.attr == 'append' \
            and isinstance(call.func.value, gast.Name) and len(call.args) == 1 and not call.keywords:
        return lambda value: tree.replace(s, value=tree.replace(call, args=[value]))
    return None


def last_value(s):
    return s.value.args[0] if isinstance(s, gast.Expr) else s.value


def returns(stmts):
    """Whether statements return a value wherever they end; None where they do so in places."""
    found = any(isinstance(n, gast.Return) for n in tree.walk_scope(stmts))
    return None if found and Bound(stmts).goes_on else found


def leaves(stmts):
    """Whether statements leave, or begin again, a loop around them."""
    return any(isinstance(s, (gast.Break, gast.Continue)) or not isinstance(s, LOOPS) and any(
        leaves(block) for _, block in tree.blocks(s)) or isinstance(s, LOOPS) and leaves(s.orelse) for s in stmts)


def bound(stmts):
    """Names that statements bind."""
    return {n for s in tree.every(stmts) for n in tree.writes(s)}


def asks_again(stmts):
    """Whether `raise` stands there alone."""
    return any(isinstance(n, gast.Raise) and n.exc is None for n in tree.walk_scope(stmts))


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
