"""Methods and properties as calls of the functions that they are, where only one function can be meant.

    p = model.forward(x)        ->      p = Model_forward(model, x)
    a = circle.area             ->      a = Circle_area(circle)

Which classes take part is known (see `analysis.participants`): a name that one of them alone defines means that, and of `self`
what the classes define that have the method at hand. What stands for the function follows a method that is bound anew. A name
that arrays, lists, dicts or strings have, too, or that some object has for an attribute of its own is left to what looks at
objects when running.
"""
from __future__ import annotations

import collections
import types

import gast
import numpy as np

from tangent.analysis.classes import contents
from tangent.analysis.participants import Overridden
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.templates.language import registry

OTHERS = frozenset(dir(np.ndarray)).union(*map(dir, (list, dict, str, set, tuple, float, collections.deque)))


def as_functions(function, source, resolver, names):
    """(the function with such calls, name -> Method of what they call)."""
    if not resolver.sight or Overridden in resolver.sight:
        return function, {}
    found = Methods(source, function, resolver, names)
    new = tree.replace(function, body=[found.visit(tree.clone(s)) for s in function.body])
    return (new, found.made) if found.made else (function, {})


class Methods(gast.NodeTransformer):
    """Rewrites a function; `made` are the names that stand for methods: name -> (class, name of the method, function)."""

    def __init__(self, source, function, resolver, names):
        self.sight, self.resolver, self.names, self.made = resolver.sight, resolver, names, {}
        self.fields = set().union(*(contents(k)[2] for k in self.sight))
        params = function.args.posonlyargs + function.args.args
        self.own = params[0].id if params else None
        self.owners = [k for k in self.sight if source.function in map(function_of, vars_of(k).values())]
        self.around = source.closure.get('__class__')

    def visit_Call(self, node):
        func = node.func
        if not isinstance(func, gast.Attribute) or self.resolver(func) is not UNKNOWN:
            return self.generic_visit(node)
        found = self.meant(func)
        value = self.receiver(func)
        node = tree.replace(node, args=[self.visit(a) for a in node.args],
                            keywords=[tree.replace(k, value=self.visit(k.value)) for k in node.keywords])
        if found is None or value is None:
            return tree.replace(node, func=tree.replace(func, value=self.visit(func.value)))
        kind, held = found
        first = [] if isinstance(held, staticmethod) else [value]
        if not isinstance(held, (staticmethod, types.FunctionType)):
            return tree.replace(node, func=tree.replace(func, value=value))
        return tree.replace(node, func=self.name(func, kind, held), args=first + node.args)

    def visit_Attribute(self, node):
        found = self.meant(node) if isinstance(node.ctx, gast.Load) and self.resolver(node) is UNKNOWN else None
        self.generic_visit(node)
        if found is None or not isinstance(found[1], property):
            return node
        return gast.copy_location(gast.Call(func=self.name(node, *found), args=[node.value], keywords=[]), node)

    def name(self, node, kind, held):
        """The name that stands for a method."""
        entry = kind, node.attr, function_of(held)
        known = next((n for n, e in self.made.items() if e == entry), None)
        if known is None:
            known = self.names.fresh(f'{kind.__name__}_{node.attr}')
            self.made[known] = entry
        return gast.copy_location(tree.load(known), node)

    def receiver(self, func):
        """What a method is called of: in `super().m()` the first parameter."""
        if tree.dotted(getattr(func.value, 'func', None)) == 'super':
            return tree.load(self.own) if self.own and not func.value.args else None
        return self.visit(func.value)

    def meant(self, node):
        """(class that defines it, what it defines) for an attribute of an object, if there is but one."""
        name = node.attr
        if name in OTHERS or name in self.fields or registry.method(name) is not None or registry.attribute(name) is not None:
            return None
        above = None
        kinds = self.sight
        if isinstance(node.value, gast.Call) and tree.dotted(node.value.func) == 'super':
            above, kinds = getattr(self.around, 'cell_contents', None), self.owners
            if above is None:
                return None
        elif isinstance(node.value, gast.Name) and node.value.id == self.own and self.owners:
            kinds = self.owners
        found = {definition(k, name, above) for k in kinds} - {None}
        if len(found) != 1:
            return None
        kind, = found
        held = vars(kind)[name]
        return (kind, held) if isinstance(function_of(held), types.FunctionType) else None


def definition(kind, name, above=None):
    """The class, of those that a class inherits from, that defines a name: behind `above`, if that is given."""
    order = kind.__mro__
    if above is not None:
        order = order[order.index(above) + 1:] if above in order else ()
    return next((k for k in order if name in vars(k)), None)


def function_of(held):
    """The Python function of a method or a property."""
    return held.fget if isinstance(held, property) else getattr(held, '__func__', held)


def vars_of(kind):
    return {n: held for k in reversed(kind.__mro__) for n, held in vars(k).items()}
