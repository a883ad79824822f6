"""Activity for the log form: which names may carry a derivative, whatever the order of the statements.

A name is varied if an input reaches what it holds, by an assignment, by a write into it under this or another name, or by
a call that is given something varied and may write into its other arguments. What is useful is not asked: what a function
leaves in an object or a list may be read by its caller.
"""
from __future__ import annotations

import types

import gast

from tangent.analysis.alias import READERS, outputs
from tangent.analysis.effects import FIRST
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, pushes
from tangent.normal.ssa import ordered_params
from tangent.templates.language import registry


class Varied:
    """The varied names of a function, found by going over it until nothing new turns up.

    names : the names
    captured : names that nested functions capture, varied or not
    """

    def __init__(self, function, wanted, local, sources, aliases, effects):
        self.local = local
        self.sources, self.aliases, self.effects, self.resolver = sources, aliases, effects, sources.resolver
        self.names = set(wanted)
        nested = [n for s in function.body for n in gast.walk(s) if isinstance(n, (gast.FunctionDef, gast.Lambda))]
        self.nested = [(f, captures(f)) for f in nested]
        self.names |= {h.name.id for s in function.body for h in gast.walk(s) if isinstance(h, gast.ExceptHandler) and h.name}
        self.captured = {n for _, found in self.nested for n in found} & local
        size = -1
        while size != len(self.names):
            size = len(self.names)
            for s in function.body:
                self.statement(s)

    def flows(self, expr):
        return not self.names.isdisjoint(self.sources(expr))

    def add(self, names):
        for n in names:
            self.names |= {m for m in self.aliases.family(n) | {n} if m in self.local or self.may_hold(m)}

    def may_hold(self, name):
        """Whether a name that is not the function's own may come to hold something with a derivative: no type, no module."""
        found = self.resolver(tree.load(name))
        return not isinstance(found, (type, types.ModuleType, types.BuiltinFunctionType))

    def statement(self, s):
        if isinstance(s, gast.FunctionDef):
            found = captures(s) & self.local
            if s.name in self.names:
                self.add(found)
            elif not self.names.isdisjoint(found):
                self.names.add(s.name)
            return
        if isinstance(s, (gast.Assign, gast.AnnAssign, gast.AugAssign)) and s.value is not None and self.flows(s.value):
            for t in s.targets if isinstance(s, gast.Assign) else [s.target]:
                self.bound(t)
            if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
                self.add([s.target.id])                # an array that has other names is changed for these, too
        elif isinstance(s, gast.For) and self.flows(s.iter):
            self.bound(s.target)
        elif isinstance(s, gast.With):
            for item in s.items:
                if item.optional_vars is not None and self.flows(item.context_expr):
                    self.bound(item.optional_vars)
        for part in tree.header(s):
            for node in tree.walk(part):
                if isinstance(node, gast.Call) and self.acts(node):
                    self.add(n for e in parts_of(node) for n in self.aliases.handed_on(e)
                             if n in self.local or e is not node.func)
        for _, block in tree.blocks(s):
            for t in block:
                self.statement(t)

    def bound(self, target):
        if isinstance(target, gast.Name):
            if target.id not in self.resolver.namespaces:          # `xp = array_namespace(x)` is a module
                self.names.add(target.id)
        elif isinstance(target, (gast.Subscript, gast.Attribute)):
            self.add(self.aliases.handed_on(target))
        else:
            for e in target.elts if not isinstance(target, gast.Starred) else [target.value]:
                self.bound(e)

    def acts(self, call):
        """Whether a call is given something varied and may write: it has to be seen by the backward pass."""
        found = self.resolver(call.func)
        if not any(self.flows(e) for e in parts_of(call)):
            return False
        if found is UNKNOWN and any(k.arg == 'out' for k in call.keywords):
            return True
        if found is UNKNOWN:
            method = isinstance(call.func, gast.Attribute)
            return not (method and (call.func.attr in READERS or self.aliases.is_outside(call.func)))
        if writes_out(found, call) or self.aliases.by_handed(call):
            return True
        if registry.lookup(found) is not None or isinstance(found, type) and found.__module__ == 'builtins':
            return False
        if isinstance(found, types.FunctionType) and not pushes(found):
            return not self.effects.readable(found) or any(self.effects.of(found)) or bool(self.effects.unsure_of(found, call))
        return True


def writes_out(found, call):
    """Whether a function of NumPy is given an array to write into."""
    if outputs(found, call):
        return True
    return getattr(found, '__name__', '') in FIRST and (getattr(found, '__module__', None) or 'numpy').startswith('numpy')


def parts_of(call):
    """What a call is given: arguments, keywords, and the owner of a method or the function value itself."""
    owner = call.func.value if isinstance(call.func, gast.Attribute) else call.func
    return [owner, *call.args, *(k.value for k in call.keywords)]


def captures(function):
    """Names that a nested function reads, or declares nonlocal, and does not bind itself."""
    own = {a.id for a in ordered_params(function.args)}
    declared = {n for d in gast.walk(function) if isinstance(d, gast.Nonlocal) for n in d.names}
    body = function.body if isinstance(function.body, list) else [function.body]
    nodes = [n for s in body for n in gast.walk(s)]
    own |= {n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)} - declared
    own |= {n.name for n in nodes if isinstance(n, gast.FunctionDef)}
    return ({n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)} | declared) - own
