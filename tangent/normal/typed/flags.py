"""Calls that say by flags what is to be done: the callee is written out for them, with the branches that are taken alone.

    def g(r):                                        def area_of_disc(r, kind='disc', scale=None):
        return area(r) + area(2 * r)                     scale = 1.0
                                           ->            return math.pi * r ** 2 * scale

                                                     def g(r):
                                                         return area_of_disc(r) + area_of_disc(2 * r)

That is done in texts for known kinds, for calls through which a derivative may flow. What branches that are not taken would do,
or could not be differentiated for, is no matter then.
"""
import dataclasses
import functools
import inspect

import gast

from tangent.analysis.activity import by_mention
from tangent.analysis.effects import signature, source_of
from tangent.analysis.kinds.decided import FIXED, Decided, Fixed, either, fact_of_kind, integer, integers_asked
from tangent.analysis.kinds.infer import Inference
from tangent.analysis.kinds.values import PYTHON
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.dependencies import is_foundation
from tangent.frontend.nested import Nested, NestedSource
from tangent.frontend.resolve import UNKNOWN, Resolver, local_names
from tangent.frontend.scopes import Bound, inside
from tangent.frontend.source import uncompiled
from tangent.normal.typed.monomorphise import is_users, title
from tangent.normal.typed.tried import Tried
from tangent.runtime.references.table import written_out
from tangent.templates.language import registry

DEEP = 8                    # calls in calls that are written out
MOST = 8                    # so many texts of one function


def decided(source, given, shared, program, wrt):
    """The Source of a function with what its arguments, which are of known kinds, decide in it and in what it calls.

    given : parameter -> kind
    """
    facts = {p: fact for p, kind in given.items() if (fact := fact_of_kind(kind)) is not None}
    flags = Flags(source, shared, program, 0)
    kinds = functools.cache(lambda: Inference(source.tree, dict(given), flags.resolver, program))
    flags.varied = by_mention([s for s in inside(source.tree.body) if isinstance(s, gast.stmt)], wrt)
    return flags.source_for(facts, lambda expr: kinds().of(expr))


class Flags:
    """Writes out what one function calls.

    depth : in how many others it was found
    varied : names to which a derivative may flow; None where that is not known
    """

    def __init__(self, source, shared, program, depth):
        self.source, self.shared, self.program, self.depth, self.varied = source, shared, program, depth, None
        self.visible = getattr(source, 'visible', {})
        self.resolver = Resolver(source, None, self.visible)
        self.made = {}

    def source_for(self, facts, kind_of=lambda expr: None):
        work = Decided(self.resolver, kind_of, self.called, Tried)
        function = work.function(self.source.tree, facts)
        returns = sum(isinstance(n, gast.Return) for n in inside(function.body))
        self.result = either(work.returned) if returns == len(work.returned) and not Bound(function.body).goes_on else None
        if function is self.source.tree:
            return self.source
        key, visible = tuple(sorted(facts.items(), key=lambda item: item[0])), {**self.visible, **self.made}
        written = self.source.written if isinstance(self.source, NestedSource) else self.source.tree
        return NestedSource.rewritten(self.source, function, visible=visible, decided=key, written=written)

    def called(self, call, new, fact):
        """(what stands for a call, None where the callee stays as it is; what is known of its value, or None)."""
        callee = self.resolver(call.func)
        if self.depth >= DEEP or not self.may_be_written(callee):
            return None, None
        if self.varied is not None and self.varied.isdisjoint(tree.names(call, gast.Load)):
            return None, None
        facts = self.facts(callee, call, fact)
        nested, result = self.nested(callee, facts) if facts else (None, None)
        if nested is None and result is None:
            return None, None
        if not isinstance(callee, Nested):
            self.program.assume(self.resolver, tree.dotted(call.func), callee)
        if nested is None:
            return None, result
        self.made[nested.__name__] = nested
        return tree.replace(new, func=gast.copy_location(tree.load(nested.__name__), call.func)), result

    def is_outside(self, expr):
        """Whether an expression is a name, or an attribute of a module, that stands outside of the function."""
        first = tree.root_name(expr) if isinstance(expr, (gast.Name, gast.Attribute)) else None
        return first is not None and first not in self.resolver.local and self.resolver.value(expr) is not UNKNOWN

    @staticmethod
    def may_be_written(callee):
        if not is_users(callee) or uncompiled(callee) is not callee or written_out(callee) is not callee \
                or registry.custom(callee) is not None:
            return False
        if isinstance(callee, Nested) and callee.source.decided:                     # it is written out by itself
            return False
        code = getattr(callee, '__code__', None)
        return code is None or not code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE) \
            and not is_foundation(code.co_filename) and not hasattr(callee, '__wrapped__')

    def facts(self, callee, call, fact):
        """Parameter -> what is known of it in a call; empty where nothing is, or the call cannot be read."""
        if tree.is_starred(call):
            return {}
        known = signature(callee).parameters
        if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in known.values()):
            return {}
        try:
            bound = inspect.Signature(list(known.values())).bind(*call.args, **{k.arg: k.value for k in call.keywords})
        except TypeError:
            return {}
        asked = self.asked(callee)
        found = {p: of_integer(fact(e), e, p in asked) for p, e in bound.arguments.items()}
        for name, p in known.items():
            if name not in bound.arguments and type(p.default) in (*FIXED, *PYTHON):
                flag = isinstance(p.default, FIXED) or type(p.default) is int and name in asked
                found[name] = Fixed(p.default) if flag else fact_of_kind(PYTHON[type(p.default)])
        return {p: f for p, f in found.items() if f is not None}

    def asked(self, callee):
        """Parameters of a callee whose value, an integer, its tests ask for."""
        key = 'asked', id(callee)
        if key not in self.shared.converted:
            try:
                names = integers_asked(source_of(callee).tree.body)
            except TangentError:
                names = set()
            self.shared.converted[key] = names, callee
        return self.shared.converted[key][0]

    def nested(self, callee, facts):
        """(the callee for these facts, None where they decide nothing in it, or where it calls itself; what is known of its
        value, or None)."""
        many = sum(key[:2] == ('decided', id(callee)) for key in self.shared.converted)
        key = 'decided', id(callee), tuple(sorted(facts.items(), key=lambda item: item[0]))
        if key in self.shared.converted:
            return self.shared.converted[key][0]
        if many >= MOST:
            return None, None
        try:
            source = source_of(callee)
        except TangentError:
            return None, None
        wish = tree.Names(set(self.shared) | set(self.source.globals) | local_names(self.source.tree)).fresh(title(callee))
        nested = Nested(wish, tuple(getattr(callee, 'captured', ())))
        self.shared[wish] = nested
        self.shared.converted[key] = (None, None), callee                            # whose id stays its own
        flags = Flags(source, self.shared, self.program, self.depth + 1)
        outer = Inference(tree.replace(source.tree, body=[]), {}, flags.resolver, self.program)
        found = flags.source_for(facts, lambda expr: outer.of(expr) if flags.is_outside(expr) else None)
        if found is source:
            del self.shared[wish]
            self.shared.converted[key] = (None, flags.result), callee
            return None, flags.result
        definition = tree.replace(found.tree, name=wish, decorator_list=[], returns=None)
        nested.source = dataclasses.replace(found, tree=definition, written=None)
        self.shared.nested.append(nested)
        self.shared.converted[key] = (nested, flags.result), callee
        return nested, flags.result


def of_integer(fact, expr, asked):
    """What is known of an argument: of an integer its value if the callee's tests ask for it, else that it is one."""
    if (value := integer(expr)) is not None:
        return Fixed(value) if asked else fact
    if isinstance(fact, Fixed) and type(fact.value) is int and not asked:
        return fact_of_kind(PYTHON[int])
    return fact
