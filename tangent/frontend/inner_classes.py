"""Classes that are defined inside a function, for what reads that function: as if they stood around it.

    def f(x):                     `Point` is made once, of the code that Python itself makes it of at each call; `f` is read
        class Point: ...          as a function that captures it
        p = Point(x, x)

Classes that are made at each call are alike if nothing tells them apart: they capture no variable of the function, hold nothing
that may be changed, and nothing is stored in them. Others stand where they are, and are refused there.
"""
import builtins
import functools
import inspect
import sys
import types
import weakref

import gast

from tangent.errors import SourceError
from tangent.frontend import tree
from tangent.frontend.dependencies import is_foundation, path_of

MAKERS = 'property staticmethod classmethod functools dataclasses field partialmethod cached_property auto'.split()
DECORATORS = '''property setter getter deleter staticmethod classmethod cached_property abstractmethod override final
    dataclass total_ordering unique'''.split()
ALIKE = gast.Constant, gast.UnaryOp, gast.BinOp, gast.Tuple, gast.Name, gast.Attribute
_made: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()           # function -> (its code, name -> class)


def classes(function, definition=None):
    """Name -> class, of those that a function defines and that stand around it for who reads it.

    definition : its FunctionDef; without it those that were made before
    """
    code, known = _made.get(function, (None, {}))
    if code is function.__code__:
        return known
    if definition is None or not bodies(function):
        return {}
    found = {s.name: s for s in definition.body if isinstance(s, gast.ClassDef)}
    try:
        made = Maker(function, definition, alike(function, definition, found)).made
    except Exception:                           # the user's own, which the function raises when it is called
        made = {}
    _made[function] = function.__code__, made
    return made


def bodies(function):
    """Name -> code, of the classes that a function defines."""
    return {code.co_name: code for code in function.__code__.co_consts
            if isinstance(code, types.CodeType) and not code.co_flags & inspect.CO_OPTIMIZED}


def without(definition, made):
    """A definition without those of classes that stand around it."""
    kept = [s for s in definition.body if not (isinstance(s, gast.ClassDef) and s.name in made)]
    return tree.replace(definition, body=kept or [gast.copy_location(gast.Pass(), definition)]) if made else definition


def alike(function, definition, found):
    """Of class definitions those whose classes are alike at each call."""
    nodes, own = tree.walk(definition), list(tree.walk_scope(definition.body))
    bound = [n.id for n in own if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)]
    bound += [n.name for n in own if isinstance(n, (gast.FunctionDef, gast.ClassDef))]
    codes = bodies(function)
    local = {*bound, *tree.names(definition.args, gast.Param)}
    kept = {name: s for name, s in found.items() if bound.count(name) == 1 and name in codes
            and all(map(is_alike, s.body)) and all(map(decorates_alike, s.decorator_list))}
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
        return s.value is None or is_value(s.value)
    if isinstance(s, gast.FunctionDef):
        defaults = [*s.args.defaults, *filter(None, s.args.kw_defaults)]
        return all(map(is_value, defaults)) and all(map(decorates_alike, s.decorator_list))
    return isinstance(s, gast.Pass)


def is_value(expr):
    """Whether an expression makes nothing that can be changed."""
    return all(isinstance(n, ALIKE) or isinstance(n, gast.Call) and makes_alike(n) for n in tree.walk(expr))


def decorates_alike(expr):
    """Whether a decorator does nothing but make another of what it is given: none notes it, or keeps what was computed."""
    path = tree.dotted(expr.func if isinstance(expr, gast.Call) else expr)
    return path is not None and path.rpartition('.')[2] in DECORATORS


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
        codes = bodies(function)
        for name, s in found.items():
            self.made[name] = self.cells[name].cell_contents = self.defined(s, codes[name])

    def defined(self, s, code):
        closure = tuple([self.cells[n] for n in code.co_freevars])
        body = types.FunctionType(code, self.function.__globals__, s.name, None, closure or None)
        keywords, bases = {k.arg: self.value(k.value) for k in s.keywords}, list(map(self.value, s.bases))
        if 'metaclass' in keywords or any(map(notes_classes, bases)):
            raise SourceError(f'{s.name} is seen by code of the user that makes or notes classes')
        made = builtins.__build_class__(body, s.name, *bases, **keywords)
        return functools.reduce(lambda kind, decorator: decorator(kind), map(self.value, reversed(s.decorator_list)), made)

    def value(self, expr):
        cells = {n: c.cell_contents for n, c in self.cells.items() if n in self.made or n in self.function.__code__.co_freevars}
        text = gast.gast_to_ast(gast.Expression(body=expr))
        return eval(compile(text, self.function.__code__.co_filename, 'eval'), self.function.__globals__, cells)


def notes_classes(base):
    """Whether code of the user's runs when a class is made that inherits from this one."""
    above = [held.__func__ for k in getattr(base, '__mro__', ()) for held in [vars(k).get('__init_subclass__')]
             if isinstance(held, classmethod)]
    places = [f.__code__.co_filename for f in above]
    places += [path_of(sys.modules.get(type(base).__module__))] * (type(base) is not type)
    return not all(map(is_foundation, places))
