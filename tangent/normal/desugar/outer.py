"""Variables outside that a callee binds anew are read when Python reads them, and only then.

    y = SCALE * grown(x)               k = SCALE
    return y * SCALE             ->    t = grown(x)           grown() binds the global SCALE anew: on the way back, and after
                                       y = k * t              the call, the name has another value than it had when it was read
                                       k2 = SCALE
                                       return y * k2

The reads become assignments inside expressions here; `lower` writes them out in order. So are attributes of classes and
modules, and elements of lists and dicts outside, which a callee writes into.
"""
import numbers
import types

import gast
import numpy as np

from tangent.analysis import outside
from tangent.analysis.alias import Aliases
from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.desugar.loops import SCOPES, inside

LEFT = (*SCOPES, gast.Lambda, gast.NamedExpr)
HOLDERS = list, dict
LASTING = (numbers.Number, str, bytes, tuple, type, types.NoneType, types.ModuleType, types.FunctionType,
           types.BuiltinFunctionType)                  # what only a new binding changes


def held_outer(function, source, names, resolver, effects, shared):
    """The FunctionDef with such reads as assignments inside expressions.

    What any function of the derivation writes counts: between the call of a callee and its adjoint others may be called; and
    where others run in between that are not known here, what any function of the module binds.
    """
    own = () if outside.stands_alone(source, resolver) or not effects.knows(source.function) else \
        effects.of(source.function).outside.stores
    changed = changed_by_callees(function, resolver, effects)
    shared.outer.update(own, changed)
    changed |= shared.outer.difference(own)
    if shared.settings.later:
        changed |= bound_by_others(function, resolver).difference(own)
    if not changed and not (shared.settings.later and looks_outside(function, resolver)):
        return function
    reading = outside.Reading(source, function, Aliases(function, resolver, effects), None)
    held = Held(reading, changed, names, shared.settings.later)
    return tree.replace(function, body=held.block(function.body))


def changed_by_callees(function, resolver, effects):
    """The keys (see `analysis.outside`) of what those that are called here may put something into, outside."""
    called = set()
    for call in (n for s in function.body for n in tree.walk(s) if isinstance(n, gast.Call)):
        found = resolver(call.func)
        if isinstance(found, type):
            found = getattr(found, '__init__', None)
        if found is UNKNOWN and isinstance(call.func, gast.Attribute):
            called |= {f for kind in resolver.sight if (f := methods_of(kind).get(call.func.attr))}
        elif isinstance(found, (types.FunctionType, Nested)):
            called.add(found)
    called |= {f for kind in resolver.sight for n, f in methods_of(kind).items() if n.strip('_') in effects.acting}
    return {key for f in called if effects.knows(f) for key in effects.of(f).outside.stores}


def looks_outside(function, resolver):
    """Whether a function may read an attribute or an element of what is outside."""
    return any(isinstance(n, (gast.Attribute, gast.Subscript)) and tree.root_name(n) in resolver.outer
               and not isinstance(resolver.name(tree.root_name(n)), types.ModuleType)
               for s in function.body for n in tree.walk(s))


def bound_by_others(function, resolver):
    """The keys of the variables of modules, read here, that some function of their module binds: settings, counters."""
    found = {}                                 # id of a namespace -> (the namespace, names read of it)
    for node in (n for s in function.body for n in tree.walk(s)):
        if isinstance(node, gast.Name) and node.id in resolver.outer:
            namespace, name = resolver.globals, node.id
        elif isinstance(node, gast.Attribute) and isinstance(module := resolver.value(node.value), types.ModuleType):
            namespace, name = vars(module), node.attr
        else:
            continue
        if Held.is_setting(namespace.get(name, UNKNOWN)):
            found.setdefault(id(namespace), (namespace, set()))[1].add(name)
    return {outside.Key(key, name) for key, (namespace, names) in found.items()
            for name in outside.bound_in_module(namespace, names)}


def methods_of(kind):
    return {n: f for n, f in vars(kind).items() if isinstance(f, types.FunctionType)}


class Held(gast.NodeTransformer):
    """Puts the reads under names; where `later` those of all attributes and elements of what is outside."""

    def __init__(self, reading, changed, names, later):
        self.reading, self.changed, self.names, self.later = reading, changed, names, later
        self.bound = {key[:2] for key in changed}              # variables, and attributes of modules, which are the same
        self.written = {tree.root_name(n) for s in reading.function.body for n in tree.walk(s)
                        if isinstance(n, gast.Subscript) and not isinstance(n.ctx, gast.Load)}

    def block(self, stmts):
        return [s if isinstance(s, SCOPES) else self.statement(s) for s in stmts]

    def statement(self, s):
        s = inside(s, self.block)
        blocks = {field for field, _ in tree.blocks(s)}
        fields = {k: v for k, v in s.__dict__.items() if k not in blocks and k not in ('origin', 'handlers', 'cases')}
        return tree.replace(s, **{k: self.part(v) for k, v in fields.items()})

    def part(self, value):
        if isinstance(value, list):
            return [self.part(v) for v in value]
        return self.visit(tree.clone(value)) if isinstance(value, gast.AST) else value

    def visit(self, node):
        if isinstance(node, LEFT):
            return node
        if isinstance(node, (gast.Name, gast.Attribute, gast.Subscript)) and isinstance(node.ctx, gast.Load) \
                and self.is_changed(node):
            return gast.NamedExpr(target=tree.store(self.names.fresh('k')), value=node)
        return super().visit(node)

    @staticmethod
    def is_setting(value):
        """Whether it is something that others may put another in the place of."""
        return isinstance(value, (*LASTING, np.ndarray)) and not isinstance(value, outside.DEFINED)

    def is_changed(self, node):
        """Whether an expression reads a variable that is bound anew, or what is written in its place."""
        resolver = self.reading.resolver
        if isinstance(node, gast.Name) and node.id not in resolver.cells and node.id in resolver.outer | self.reading.declared:
            return isinstance(resolver.name(node.id), (*LASTING, np.ndarray)) and not self.bound.isdisjoint(
                [(id(resolver.globals), node.id), (id(resolver.globals), None)])
        every = self.reading.keys(node)
        keys = {key for key in every if key[:2] in self.bound}
        if self.later and isinstance(node, gast.Attribute) and every and self.is_setting(resolver.value(node)):
            return True
        if isinstance(node, gast.Subscript):
            found = resolver.value(node.value)
            held = () if not isinstance(found, HOLDERS) else list(found.values()) if isinstance(found, dict) else found
            read = every if self.later and any(map(self.is_setting, held)) else keys
            return isinstance(found, HOLDERS) and tree.root_name(node) not in self.written and bool(read)
        return any(key.attribute == getattr(node, 'attr', getattr(node, 'id', None)) or key.attribute is None
                   and isinstance(node, gast.Name) and node.id in resolver.cells
                   and key.thing == id(resolver.cells[node.id]) for key in keys)
