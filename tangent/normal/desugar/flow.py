"""Where may a derivative flow? A first guess, before names are told apart: one fact for each name of the function."""
from __future__ import annotations

import gast

from tangent.analysis.activity import Sources, closure, stored
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN

SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


class Flow:
    """Names that may carry a derivative from the names asked for (`varied`), and to a result (`useful`).

    Without names asked for, every name may.
    """

    def __init__(self, function, resolver, wrt=None):
        self.sources, self.resolver = Sources(resolver), resolver
        self.everything = wrt is None
        if self.everything:
            return
        forward, backward = {}, {}
        results = set()
        for name, found in self.edges(function):
            if name is None:
                results |= found
                continue
            backward.setdefault(name, set()).update(found)
            for source in found:
                forward.setdefault(source, set()).add(name)
        self.varied = closure(wrt, forward)
        self.useful = closure(results, backward)

    def __call__(self, expr):
        """Whether a derivative may flow through the expression."""
        return self.everything or not self.varied.isdisjoint(self.sources(expr))

    def matters(self, names):
        """Whether what the names hold may reach a result."""
        return self.everything or not self.useful.isdisjoint(names)

    def edges(self, function):
        """(name, names it may depend on) for all that binds a name or may write into what it holds; (None, names) for
        what the function gives back."""
        for s in function.body:
            for node in tree.walk(s):
                yield from self.of(node)

    def of(self, node):
        if isinstance(node, gast.Assign):
            found = self.sources(node.value)
            return [(n, found) for t in node.targets for n in stored(t)]
        if isinstance(node, (gast.AugAssign, gast.AnnAssign, gast.NamedExpr)):
            found = self.sources(node.value) if node.value is not None else ()
            return [(n, found) for n in stored(node.target)]
        if isinstance(node, (gast.For, gast.comprehension)):
            found = self.sources(node.iter)
            return [(n, found) for n in stored(node.target)]
        if isinstance(node, gast.withitem) and node.optional_vars is not None:
            found = self.sources(node.context_expr)
            return [(n, found) for n in stored(node.optional_vars)]
        if isinstance(node, SCOPES):
            found = set(tree.names(node, gast.Load))
            return [(None, found)] if isinstance(node, gast.Lambda) else [(node.name, found), (None, found)]
        if isinstance(node, (gast.Return, gast.Yield, gast.YieldFrom)):
            return [(None, self.sources(node.value))] if node.value is not None else []
        if isinstance(node, gast.Call):
            return self.written(node)
        return []

    def written(self, call):
        """What a call may write into: the owner of a method, and what an unknown function is given."""
        function = self.resolver(call.func)
        args = list(call.args) + [k.value for k in call.keywords]
        if function is not UNKNOWN:
            return []
        found = self.sources.union(args)
        owners = [call.func.value] if isinstance(call.func, gast.Attribute) else []
        return [(n, found) for e in owners for n in stored(e)]
