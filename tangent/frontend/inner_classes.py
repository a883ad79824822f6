"""Classes that are defined inside a function, for what reads that function: as if they stood around it.

    def f(x):                     `Point` is made once, of the code that Python itself makes it of at each call; `f` is read
        class Point: ...          as a function that captures it
        p = Point(x, x)

Classes that are made at each call are alike if nothing tells them apart: they capture no variable of the function, hold nothing
that may be changed, and nothing is stored in them. Others stand where they are, and are refused there.
"""
from __future__ import annotations

import builtins
import functools
import inspect
import types
import weakref

import gast

from tangent.frontend import tree

MAKERS = 'property staticmethod classmethod functools dataclasses field partialmethod cached_property auto'.split()
BODY = gast.FunctionDef, gast.Pass
ALIKE = gast.Constant, gast.UnaryOp, gast.BinOp, gast.Tuple, gast.Name, gast.Attribute
_made: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()           # function -> (its code, name -> class)


def classes(function, definition=None):
    """Name -> class, of those that a function defines and that stand around it for who reads it.

    definition : its FunctionDef; without it those that were made before
    """
    code, known = _made.get(function, (None, {}))
    if code is function.__code__:
        return known
    if definition is None or not any(is_body(c) for c in function.__code__.co_consts):
        return {}
    found = {s.name: s for s in definition.body if isinstance(s, gast.ClassDef)}
    try:
        made = Maker(function, definition, alike(function, definition, found)).made
    except Exception:                           # the user's own, which the function raises when it is called
        made = {}
    _made[function] = function.__code__, made
    return made


def is_body(code):
    """Whether it is the code of a class."""
    return isinstance(code, types.CodeType) and not code.co_flags & inspect.CO_OPTIMIZED


def without(definition, made):
    """A definition without those of classes that stand around it."""
    kept = [s for s in definition.body if not (isinstance(s, gast.ClassDef) and s.name in made)]
    return tree.replace(definition, body=kept or [gast.copy_location(gast.Pass(), definition)]) if made else definition


def alike(function, definition, found):
    """Of class definitions those whose classes are alike at each call."""
    nodes, own = tree.walk(definition), list(tree.walk_scope(definition.body))
    bound = [n.id for n in own if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)]
    bound += [n.name for n in own if isinstance(n, (gast.FunctionDef, gast.ClassDef))]
    codes = {c.co_name: c for c in function.__code__.co_consts if is_body(c)}
    local = {*bound, *tree.names(definition.args, gast.Param)}
    kept = {name: s for name, s in found.items() if bound.count(name) == 1 and name in codes and all(map(is_alike, s.body))}
    if any(stores_in_class(n, kept) for n in nodes):
        return {}
    size = -1
    while size != len(kept):
        size = len(kept)
        before: set = set()
        for name, s in list(kept.items()):
            outside = {*function.__code__.co_freevars, *kept}
            named = {n.id for part in headers(s) for n in tree.walk(part) if isinstance(n, gast.Name)}
            if not set(codes[name].co_freevars) <= outside or named & local - before:
                del kept[name]
            before.add(name)
    return kept


def headers(s):
    """What is evaluated where a class is defined: bases, keywords, decorators, and what its body assigns."""
    values = [t.value for t in s.body if isinstance(t, (gast.Assign, gast.AnnAssign)) and t.value is not None]
    return [*s.bases, *[k.value for k in s.keywords], *s.decorator_list, *values]


def is_alike(s):
    """Whether a statement in the body of a class gives the same at each call, and nothing that can be changed."""
    if isinstance(s, gast.Expr):
        return isinstance(s.value, gast.Constant)
    if isinstance(s, (gast.Assign, gast.AnnAssign)):
        return s.value is None or all(isinstance(n, ALIKE) or isinstance(n, gast.Call) and makes_alike(n)
                                      for n in tree.walk(s.value))
    return isinstance(s, BODY)


def makes_alike(call):
    return tree.dotted(call.func) is not None and not {*tree.dotted(call.func).split('.')}.isdisjoint(MAKERS)


def stores_in_class(node, found):
    """Whether a node stores something in a class, or in what may be one of these."""
    if isinstance(node, gast.Call) and getattr(node.func, 'id', None) in ('setattr', 'delattr'):
        return is_class(node.args[0], found) if node.args else True
    return isinstance(node, gast.Attribute) and not isinstance(node.ctx, gast.Load) and is_class(node.value, found)


def is_class(expr, found):
    return isinstance(expr, gast.Name) and expr.id in (*found, 'cls') or isinstance(expr, gast.Call) \
        or isinstance(expr, gast.Attribute) and expr.attr == '__class__'


class Maker:
    """Makes classes as Python does, of their code; `made` has them by their names."""

    def __init__(self, function, definition, found):
        self.function, self.made = function, {}
        self.cells = {**dict(zip(function.__code__.co_freevars, function.__closure__ or ())),
                      **{name: types.CellType() for name in found}}
        codes = {c.co_name: c for c in function.__code__.co_consts if is_body(c)}
        for name, s in found.items():
            self.made[name] = self.cells[name].cell_contents = self.defined(s, codes[name])

    def defined(self, s, code):
        closure = tuple([self.cells[n] for n in code.co_freevars])
        body = types.FunctionType(code, self.function.__globals__, s.name, None, closure or None)
        keywords = {k.arg: self.value(k.value) for k in s.keywords}
        made = builtins.__build_class__(body, s.name, *map(self.value, s.bases), **keywords)
        return functools.reduce(lambda kind, decorator: decorator(kind), map(self.value, reversed(s.decorator_list)), made)

    def value(self, expr):
        cells = {n: c.cell_contents for n, c in self.cells.items() if n in self.made or n in self.function.__code__.co_freevars}
        text = gast.gast_to_ast(gast.Expression(body=expr))
        return eval(compile(text, self.function.__code__.co_filename, 'eval'), self.function.__globals__, cells)
