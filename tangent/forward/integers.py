"""Arrays that may hold integers, which cut off the fraction of what is written into them.

    y = np.arange(3)                     y = np.arange(3); dy = init_grad(y)
    y[0] = x * 10.5             ->       check_floats(y)
                                         dy[0] = dx * 10.5; y[0] = x * 10.5

An array that comes of values with a derivative holds floats as these do; all others are looked at before such a value is
written into them, unless the text says that they are of floats.
"""
import gast
import numpy as np

from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime import facts as known_facts
from tangent.templates.language import registry

FLOATS = frozenset('linspace eye identity rand randn random uniform normal standard_normal'.split())
KINDS = (float, complex, np.float64, np.float32, np.complex128)
NUMBERS = (len, int, float, complex, range, abs, round, sum)


class MayBeIntegers:
    """Whether what a name holds may be an array of integers, or hold one.

    given : names of the parameters whose tangents are given
    """

    def __init__(self, facts, given):
        self.facts, self.resolver = facts, facts.resolver
        parameters = tree.names(facts.source.tree.args, gast.Param)
        self.found = {n for n in facts.active if n in parameters and n not in given
                      or n not in parameters and n not in facts.resolver.local and n in facts.resolver.mentioned}
        self.messages, made = set(), {}
        for s in tree.every(facts.tree.body):
            if tree.target(s):
                made.setdefault(tree.target(s), []).append(s.value)
                if s not in facts.ops and self.is_doubtful(s.value):
                    self.found.add(tree.target(s))
        self.messages = {name for name, values in made.items() if all(map(self.is_message, values))}
        self.sure = {name for name, values in made.items() if name not in parameters and all(map(self.is_ours, values))}

    def __call__(self, name):
        return bool(self.found) and name not in self.sure and not self.found.isdisjoint(self.facts.aliases.family(name))

    def is_message(self, expr):
        """Whether a value has come from another process into an array of the same kind, numbers without a derivative too."""
        if isinstance(expr, gast.Name):
            return expr.id in self.messages
        return isinstance(expr, gast.Call) and registry.is_message(self.resolver(expr.func))

    def is_ours(self, expr):
        """Whether a value is a gradient, made by a function of ours, or a dict display."""
        return isinstance(expr, gast.Dict) or isinstance(expr, gast.Call) and known_facts.is_ours(self.resolver(expr.func))

    def is_doubtful(self, expr):
        """Whether a value without a derivative may be an array of integers, or hold one; names are asked for themselves."""
        if isinstance(expr, gast.Call):
            return not self.is_floating(expr)
        if isinstance(expr, gast.BinOp):
            parts = expr.left, expr.right
            return not isinstance(expr.op, (gast.Div, gast.Pow)) and not any(map(self.is_floating, parts)) \
                and any(isinstance(e, gast.Name) or self.is_doubtful(e) for e in parts)
        if isinstance(expr, (gast.List, gast.Tuple, gast.Dict, gast.UnaryOp, gast.IfExp, gast.ListComp)):
            return any(map(self.is_doubtful, tree.children(expr)))
        return False

    def is_floating(self, expr):
        """Whether the text shows a value to be of floats, or a number."""
        if isinstance(expr, gast.Constant):
            return isinstance(expr.value, (float, complex))
        if isinstance(expr, (gast.List, gast.Tuple)):
            return any(map(self.is_floating, expr.elts))
        function = self.resolver(expr.func) if isinstance(expr, gast.Call) else UNKNOWN
        name = getattr(function, '__name__', None)
        if function is UNKNOWN or not known_facts.is_numpy(function):
            return function in NUMBERS
        kinds = [k.value for k in expr.keywords if k.arg == 'dtype']
        if kinds or not expr.args:
            return any(self.resolver(k) is kind for k in kinds for kind in KINDS)
        like = known_facts.of(name).like is not None and name != 'full_like'
        given = expr.args[name in ('full', 'full_like')] if len(expr.args) > 1 or not name.startswith('full') else None
        if name in ('full', 'full_like', 'array', 'asarray') or like:
            return given is not None and (self.is_floating(given) or like and not self.facts.active.isdisjoint(
                tree.names(given, gast.Load)))
        plain = len(expr.args) == 1 or any(self.resolver(expr.args[1]) is kind for kind in KINDS)
        return name in FLOATS or bool(known_facts.of(name).fills) and plain
