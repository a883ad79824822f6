"""Which `try` statements are as good as a call of a function that says whether it came to its end.

    try:
        z = x[0]                   z is bound, and u is written into, before it is known whether there is an error:
        u[0] = z                   who reads either after that sees how far it came
        y = math.sqrt(z - 1.0)
    except ValueError:
        y = u[0]
"""
import functools
import types

import gast

from tangent.analysis.activity import by_mention
from tangent.analysis.alias import Aliases
from tangent.analysis.effects import carried, gives, thrown
from tangent.analysis.liveness import exposed
from tangent.emit.signature import plain_arguments
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import DEFINITIONS, Bound, bound
from tangent.frontend.source import original, read
from tangent.runtime import facts
from tangent.templates.language import registry

REFUSED = (*DEFINITIONS, gast.Lambda, gast.ClassDef, gast.Yield, gast.YieldFrom, gast.Await, gast.Global, gast.Nonlocal,
           gast.Delete, gast.NamedExpr, gast.Import, gast.ImportFrom, gast.Match)
LOOPS = gast.For, gast.While
SEES = frozenset('exc_info exception print_exc format_exc print_last last_exc last_value'.split())
OF_PLACES = IndexError, KeyError, TypeError, ValueError, FloatingPointError, AttributeError         # what stores may raise


class Halfway:
    """What is asked of the `try` statements of one function.

    local : names that are local to it
    wrt : parameters from which derivatives flow
    """

    def __init__(self, source, resolver, effects, local, wrt):
        self.source, self.resolver, self.effects, self.local, self.wrt = source, resolver, effects, local, wrt

    def can_be_called(self, s, known):
        """Whether nobody can tell how far a try that failed has come; `known` are names that are bound before it."""
        if not is_plain(s) or not self.are_known(s.handlers) or not self.carries_nothing(s) or any(map(self.looks, s.handlers)):
            return False
        if any(isinstance(f, (types.FunctionType, Nested)) and self.effects.knows(f) and not gives(f)
               and not self.varied.isdisjoint(tree.names(n, gast.Load))
               for n in tree.walk_scope(s.body) if isinstance(n, gast.Call) for f in [self.resolver(n.func)]):
            return False                                      # which has no twins
        halfway = bound(s.body) - ({tree.target(s.body[-1])} - bound(s.body[:-1]))
        return set(self.given(s)) <= known and self.is_unread(halfway, s) and not self.is_seen(s)

    def given(self, s):
        """What is tried reads, or may leave as it is."""
        return sorted((Bound(s.body).first & self.local) | set(self.results(s)) - Bound(s.body).always)

    def results(self, s):
        """What it binds, and others read."""
        if returns(s.body):
            return []
        read = self.read_outside(s.body).union(exposed(s.body), *(tree.names(part, gast.Load) for part in s.orelse))
        return sorted(bound(s.body) & read)

    def are_known(self, handlers):
        """Whether the errors that handlers name are no variables of the function."""
        types = [n for h in handlers if h.type is not None for n in tree.names(h.type, gast.Load)]
        return self.local.isdisjoint(types)

    def carries_nothing(self, s):
        """Whether nothing with a derivative is asked of an error: handlers put it into words, or hand on one that has none."""
        asked = {self.asked(h) for h in s.handlers}
        if 'value' in asked:
            return False
        calls = [n for n in tree.walk_scope(s.body) if isinstance(n, gast.Call)]
        return 'raise' not in asked or all(map(self.is_quiet, calls)) and not any(
            carried(thrown(n, self.resolver)) or isinstance(n, gast.Raise) and not isinstance(n.exc, gast.Call)
            for n in tree.walk_scope(s.body))

    def asked(self, handler):
        """'value' where a handler looks into the error, 'raise' where it raises it again, else None."""
        nodes = list(tree.walk_scope(handler.body))
        raised = [n for n in nodes if isinstance(n, gast.Raise) and n.exc is None]
        if handler.name is None:
            return 'raise' if raised else None
        name, = tree.names(handler.name, gast.Store)
        calls = [(n, self.resolver(n.func)) for n in nodes if isinstance(n, gast.Call)]
        words = [e for n, f in calls if facts.of(f).tells for e in n.args]
        words += [n.value for n in nodes if isinstance(n, gast.FormattedValue)]
        words += [n.cause for n in nodes if isinstance(n, gast.Raise)]
        again = [n.exc for n in nodes if isinstance(n, gast.Raise) and getattr(n.exc, 'id', None) == name]
        plain = {id(e) for e in [*words, *again]}
        if any(isinstance(n, gast.Name) and n.id == name and id(n) not in plain for n in nodes):
            return 'value'
        return 'raise' if raised or again else None

    def is_quiet(self, call):
        """Whether what is called, and what it is given to call, surely raises no error that carries values."""
        found = self.resolver(call.func)
        method = found is UNKNOWN and isinstance(call.func, gast.Attribute) and registry.method(call.func.attr) is not None
        given = [f for e in tree.arguments(call) if isinstance(e, (gast.Name, gast.Attribute))
                 for f in [self.resolver(e)] if isinstance(f, (types.FunctionType, Nested))]
        if found is UNKNOWN:
            return method and not given
        own = [f for f in [found, *given] if isinstance(f, (types.FunctionType, Nested))]
        plain = own or registry.lookup(found) is not None or facts.home(found) in ('builtins', 'math', 'numpy')
        return bool(plain) and all(self.effects.knows(f) and not self.effects.of(f).raises for f in own)

    def looks(self, handler):
        """Whether a handler, or what it calls, asks Python for the error that is being handled."""
        nodes = list(tree.walk_scope(handler.body))
        called = [self.resolver(n.func) for n in nodes if isinstance(n, gast.Call)]
        return any(getattr(n, 'attr', getattr(n, 'id', None)) in SEES for n in nodes) or any(map(asks_python, called))

    def is_unread(self, halfway, s):
        """Whether what is bound before the last step is read by no handler, nor after one, before it is bound again."""
        if not halfway:
            return True
        behind = rest_behind(self.source.tree.body, s) if not self.has_inner else None
        later = exposed(behind) if behind is not None else self.read_outside([*s.body, *s.orelse])
        later |= exposed(s.body) if self.is_come_to_again(s) else set()
        for h in s.handlers:
            anew = Bound(h.body)
            if not halfway.isdisjoint(exposed(h.body)) or anew.goes_on and not later & halfway <= anew.always:
                return False
        return True

    @functools.cached_property
    def has_inner(self):
        """Whether functions that stand in the function may read its variables at any time."""
        late = (*DEFINITIONS, gast.Lambda, gast.GeneratorExp)
        return any(isinstance(n, late) for n in self.source.inner)

    def is_come_to_again(self, s):
        """Whether a try stands in a loop."""
        loops = [n for n in self.source.nodes if isinstance(n, LOOPS)]
        return any(inner is s.handlers[0] for loop in loops for inner in tree.walk(loop))

    def read_outside(self, stmts):
        """Names that are read elsewhere in the function."""
        own = {id(n) for n in tree.walk_scope(stmts)}
        return {n.id for n in self.source.nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)
                and id(n) not in own}

    def is_seen(self, s):
        """Whether what is tried may write into something that is there before, and may have a derivative."""
        given = set(self.given(s))
        aliases = Aliases(function('attempt', sorted(given), s.body, s), self.resolver, self.effects)
        changed = {n for _, n in aliases.writes + aliases.updates}
        changed |= {s.target.id for s in tree.every(s.body) if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)
                    and s.target.id in given}
        stored = bound(s.body)
        return any((n not in stored or not (aliases.family(n) | {n}).isdisjoint(given))
                   and not self.varied.isdisjoint(aliases.family(n) | {n}) for n in changed)

    @functools.cached_property
    def varied(self):
        """Names that may have a derivative, by the roughest guess."""
        stmts = [s for s in self.source.nodes if isinstance(s, gast.stmt) and s is not self.source.tree]
        return by_mention(stmts, self.wrt, Aliases(self.source.tree, self.resolver, self.effects))

    def put_last(self, s, handlers):
        """Makes of a value the statement that does with it what this one does with its own; None where it does not do so last
        of all, or where one of the handlers may be meant for what that raises."""
        stores = isinstance(s, gast.Assign) and not any(isinstance(t, (gast.Name, gast.Tuple, gast.List)) for t in s.targets)
        updates = isinstance(s, gast.AugAssign) and isinstance(s.op, (gast.Add, gast.Sub, gast.Mult))
        if updates and isinstance(s.target, gast.Name) and self.is_number(s.target.id):
            return lambda value: tree.replace(s, value=value)
        call = s.value if isinstance(s, gast.Expr) else None
        appends = isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) and call.func.attr == 'append' \
            and isinstance(call.func.value, gast.Name) and len(call.args) == 1 and not call.keywords
        places = s.targets if stores else [s.target] if updates else []
        if not stores and not updates and not appends or any(isinstance(n, gast.Call) for t in places for n in tree.walk(t)) \
                or self.may_take(handlers, (AttributeError, TypeError) if appends else OF_PLACES):
            return None
        return lambda value: tree.replace(s, value=tree.replace(call, args=[value]) if appends else value)

    def is_number(self, name):
        """Whether a variable begins as a number, and is bound to nothing but sums from there."""
        every = [s for s in tree.every(self.source.tree.body) if name in tree.writes(s)]
        made = [s.value for s in every if isinstance(s, gast.Assign) and tree.target(s)]
        return bool(made) and all(isinstance(e, gast.Constant) and type(e.value) in (int, float) for e in made) \
            and all(isinstance(s, (gast.Assign, gast.AugAssign)) for s in every)

    def may_take(self, handlers, errors):
        """Whether one of the handlers may take one of these errors."""
        kinds = [e for h in handlers for e in (h.type.elts if isinstance(h.type, gast.Tuple) else [h.type])]
        found = [BaseException if e is None else self.resolver(e) for e in kinds]
        return any(not isinstance(kind, type) or any(issubclass(e, kind) for e in errors) for kind in found)


def rest_behind(stmts, s):
    """The statements that are run when a try is done with, up to the end; None where it stands in a loop or the like, or not
    among these."""
    for k, t in enumerate(stmts):
        if isinstance(t, gast.Try) and t.handlers and t.handlers[0] is s.handlers[0]:
            return stmts[k + 1:]
        for block in (t.body, t.orelse) if isinstance(t, gast.If) else ():
            if (found := rest_behind(block, s)) is not None:
                return found + stmts[k + 1:]
    return None


def asks_python(function):
    """Whether a function of the user's asks for the error that is being handled, or raises it again."""
    if not isinstance(function, types.FunctionType) or facts.in_library(function):
        return False
    try:
        nodes = list(tree.walk_scope(read(original(function)).tree.body))
    except TangentError:
        return True
    own = {id(n) for h in nodes if isinstance(h, gast.ExceptHandler) for n in tree.walk_scope(h.body)}
    return any(getattr(n, 'attr', getattr(n, 'id', None)) in SEES or isinstance(n, gast.Raise) and n.exc is None
               and id(n) not in own for n in nodes)


def is_plain(s):
    """Whether a statement has handlers, no end of its own, and nothing inside that a function beside could not do."""
    ends = returns(s.body)
    if ends is None or ends and s.orelse or leaves(s.body):
        return False
    inside = any(isinstance(n, REFUSED) for n in tree.walk_scope(s.body))
    return bool(s.handlers) and not inside and all(isinstance(e, gast.Pass) for e in s.finalbody)


def function(name, given, body, s):
    """The definition of a function of statements, in the place of `s`."""
    return tree.definition(name, plain_arguments(given), body, s)


def returns(stmts):
    """Whether statements return a value wherever they end; None where they do so in places."""
    found = any(isinstance(n, gast.Return) for n in tree.walk_scope(stmts))
    return None if found and Bound(stmts).goes_on else found


def leaves(stmts):
    """Whether statements leave, or begin again, a loop around them."""
    return any(isinstance(s, (gast.Break, gast.Continue)) or not isinstance(s, LOOPS) and any(
        leaves(block) for _, block in tree.blocks(s)) or isinstance(s, LOOPS) and leaves(s.orelse) for s in stmts)


def asks_again(stmts):
    """Whether `raise` stands there alone."""
    return any(isinstance(n, gast.Raise) and n.exc is None for n in tree.walk_scope(stmts))
