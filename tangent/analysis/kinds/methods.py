"""Methods and properties as calls of the functions that they are.

    p = model.forward(x)        ->      p = Model_forward(model, x)
    a = shape.area              ->      a = area(shape)          def area(self):
                                                                     if type(self) is Circle:
                                                                         return Circle_area(self)
                                                                     if type(self) is Square: ...

Which classes take part is known (see `participants`): a name that one of them alone defines means that, and of `self` what the
classes define that have the method at hand; where several may be meant, a function chooses. A name that arrays, lists, dicts or
strings have, too, or that some object has for an attribute of its own is left to what looks at objects when running.
"""
from __future__ import annotations

import collections
import dataclasses
import functools
import types
from typing import NamedTuple

import gast
import numpy as np

from tangent.analysis.kinds.classes import contents
from tangent.analysis.kinds.participants import Overridden
from tangent.emit.build import Part, build
from tangent.errors import ArgumentTypeError, SourceError
from tangent.frontend import tree
from tangent.frontend.imports import imported
from tangent.frontend.resolve import UNKNOWN, Resolver, local_names
from tangent.frontend.source import read
from tangent.runtime import facts
from tangent.templates.language import registry

OTHERS = frozenset(['_replace', '_make', '_asdict']).union(
    *map(dir, (np.ndarray, list, dict, str, set, tuple, float, collections.deque)))


def resolved(source, sight, shared=None):
    """The source with such calls, where these classes are in sight; `shared` gets what the new names denote."""
    source = dataclasses.replace(source, sight=sight)
    if not sight or Overridden in sight:
        return source
    found = Methods(source)
    new = tree.replace(source.tree, body=[found.visit(tree.clone(s)) for s in source.tree.body])
    if not found.made and not found.changed:
        return source
    if shared is not None:
        shared.update({name: method.function for name, method in found.made.items()})
        shared.methods.update(found.made)
    return dataclasses.replace(source, tree=new, methods={**source.methods, **found.made})


class Method(NamedTuple):
    """What a name stands for: what a class defines by a name; a function that chooses has no class."""
    kind: type | None
    name: str
    held: object
    function: types.FunctionType


class Methods(gast.NodeTransformer):
    """Rewrites a function; `made` are the names that stand for methods: name -> Method."""

    def __init__(self, source):
        function = source.tree
        self.sight, self.made, self.changed = source.sight, {}, False
        known = {**imported(function, source), **getattr(source, 'visible', {})}
        self.resolver = Resolver(source, local_names(function), known)
        self.names = tree.Names({n.id for n in tree.walk(function) if isinstance(n, gast.Name)} | {function.name})
        self.fields = set().union(*(contents(k)[2] for k in self.sight))
        params = function.args.posonlyargs + function.args.args
        self.own = params[0].id if params else None
        self.owners = [k for k in self.sight if source.function in map(function_of, vars_of(k).values())]
        self.around = source.closure.get('__class__')

    def visit_Call(self, node):
        func = node.func
        if not isinstance(func, gast.Attribute) or self.resolver(func) is not UNKNOWN:
            return self.generic_visit(node)
        meant, value = self.meant(func), self.receiver(func)
        node = tree.replace(node, args=[self.visit(a) for a in node.args],
                            keywords=[tree.replace(k, value=self.visit(k.value)) for k in node.keywords])
        if value is None:                                  # of `super()` with arguments
            return tree.replace(node, func=tree.replace(func, value=self.visit(func.value)))
        starred = any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
        methods = set(meant.values())
        if self.is_held(func) and not any(hasattr(k, func.attr) for k in self.sight):
            self.changed = True
            target = gast.Name(id=self.names.fresh(func.attr), ctx=gast.Store(), annotation=None, type_comment=None)
            held = gast.NamedExpr(target=gast.copy_location(target, func), value=tree.replace(func, value=value))
            return tree.replace(node, func=gast.copy_location(held, func))
        if not methods or not {type(m.held) for m in methods} <= {types.FunctionType, staticmethod} \
                or starred and len(methods) > 1:
            return tree.replace(node, func=tree.replace(func, value=value))
        method = methods.pop() if len(methods) == 1 else \
            choice(func.attr, frozenset(meant.items()), len(node.args), tuple(k.arg for k in node.keywords))
        first = [] if isinstance(method.held, staticmethod) else [value]
        return tree.replace(node, func=self.name(func, method), args=first + node.args)

    def is_held(self, func):
        """Whether it is a function that an object holds."""
        return func.attr in self.fields and func.attr not in OTHERS and registry.method(func.attr) is None

    def visit_Attribute(self, node):
        meant = self.meant(node) if isinstance(node.ctx, gast.Load) and self.resolver(node) is UNKNOWN else {}
        self.generic_visit(node)
        methods = set(meant.values())
        if not methods or not all(isinstance(m.held, property) for m in methods):
            return node
        method = methods.pop() if len(methods) == 1 else choice(node.attr, frozenset(meant.items()))
        return gast.copy_location(gast.Call(func=self.name(node, method), args=[node.value], keywords=[]), node)

    def name(self, node, method):
        """The name that stands for a method."""
        known = next((n for n, m in self.made.items() if m == method), None)
        if known is None:
            known = self.names.fresh(method.name if method.kind is None else f'{method.kind.__name__}_{method.name}')
            self.made[known] = method
        return gast.copy_location(tree.load(known), node)

    def receiver(self, func):
        """What a method is called of: in `super().m()` the first parameter."""
        if tree.dotted(getattr(func.value, 'func', None)) == 'super':
            return tree.load(self.own) if self.own and not func.value.args else None
        return self.visit(func.value)

    def meant(self, node):
        """Class -> Method for what an attribute of an object may mean; nothing where that is not known."""
        name, value = node.attr, node.value
        if name in OTHERS or name in self.fields or registry.method(name) is not None or registry.attribute(name) is not None:
            return {}
        above, kinds = None, self.sight
        if isinstance(value, gast.Call) and tree.dotted(value.func) == 'super':
            above, kinds = getattr(self.around, 'cell_contents', None), self.owners
            if above is None:
                return {}
        elif isinstance(value, gast.Name) and value.id == self.own and self.owners:
            kinds = self.owners
        found = {k: definition(k, name, above) for k in kinds}
        found = {k: Method(d, name, vars(d)[name], function_of(vars(d)[name])) for k, d in found.items() if d is not None}
        found = {k: m for k, m in found.items() if not is_abstract(m.function)}
        theirs = any(not isinstance(m.function, types.FunctionType) or facts.in_library(m.function) for m in found.values())
        return {} if theirs else found


@functools.lru_cache(maxsize=1024)
def choice(name, meant, count=None, keywords=()):
    """The Method for a function that calls what the class of its first argument has for a name.

    meant : pairs (class, Method)
    count, keywords : positional arguments, names of the others; no count for a property
    """
    meant = sorted(meant, key=lambda pair: pair[0].__qualname__)
    given = [f'x{k}' for k in range(count or 0)] + list(keywords)
    call = [*given[:count or 0], *(f'{k}={k}' for k in keywords)]
    space, lines = {'__name__': 'methods'}, [f'def {name}({", ".join(["self", *given])}):']
    for k, (kind, method) in enumerate(meant):
        function = f'{method.kind.__name__}_{name}{k}'
        space |= {f'class{k}': kind, function: method.function}
        first = [] if isinstance(method.held, staticmethod) else ['self']
        lines += [f'    if type(self) is class{k}:', f'        return {function}({", ".join(first + call)})']
    lines.append(f"    raise TypeError('an object of another class than those for which the derivative was made: {name}')")
    made = build('\n'.join(lines) + '\n', [Part(name, space)], {}, name)[name]
    made.carried = True                                       # it is no derivative
    return Method(None, name, property(made) if count is None else made, made)


class AsWritten(gast.NodeTransformer):
    """Writes calls of methods that are left in a text as the user wrote them."""

    def __init__(self, methods):
        self.methods = methods

    def visit_Call(self, node):
        self.generic_visit(node)
        method = self.methods.get(getattr(node.func, 'id', None))
        if method is None or isinstance(method.held, staticmethod) or isinstance(node.args[0], gast.Starred):
            return node
        found = gast.copy_location(gast.Attribute(value=node.args[0], attr=method.name, ctx=gast.Load()), node)
        return found if isinstance(method.held, property) else tree.replace(node, func=found, args=node.args[1:])


def as_written(function, methods):
    """A text with calls of methods as the user wrote them, where they were not taken apart."""
    if not any(isinstance(n, gast.Name) and n.id in methods for s in function.body for n in tree.walk(s)):
        return function
    return tree.replace(function, body=[AsWritten(methods).visit(tree.clone(s)) for s in function.body])


def definition(kind, name, above=None):
    """The class, of those that a class inherits from, that defines a name: behind `above`, if that is given."""
    order = kind.__mro__
    if above is not None:
        order = order[order.index(above) + 1:] if above in order else ()
    return next((k for k in order if name in vars(k)), None)


@functools.lru_cache(maxsize=4096)
def is_abstract(function):
    """Whether it does nothing but raise an error, or nothing at all: another class has to define it."""
    if getattr(function, '__isabstractmethod__', False):
        return True
    try:
        body = read(function).tree.body
    except (SourceError, ArgumentTypeError, AttributeError):
        return False
    return all(isinstance(s, (gast.Pass, gast.Raise)) or isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant)
               for s in body)


def function_of(held):
    """The Python function of a method or a property."""
    return held.fget if isinstance(held, property) else getattr(held, '__func__', held)


def vars_of(kind):
    return {n: held for k in reversed(kind.__mro__) for n, held in vars(k).items()}
