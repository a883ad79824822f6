"""Classes whose calls are displays, as far as derivatives go: namedtuples and dataclasses that run no code of their own, and
classes that do nothing but keep what they are given:

    class Vec:
        def __init__(self, x, y):
            self.x, self.y = x, y
"""
import dataclasses
import inspect
import types

import gast

from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.dependencies import remembered
from tangent.frontend.source import read
from tangent.runtime.objects import definition

HEAP = 1 << 9               # flag of classes that are written in Python
OWN = '__new__', '__setattr__', '__getattribute__'


def parts_of(kind, call):
    """Name of the part -> argument, of a call that makes a namedtuple or dataclass; None where code of its own runs."""
    if not isinstance(kind, type) or tree.is_starred(call):
        return None
    if not is_plain_tuple(kind) and not is_plain_record(kind):
        return None
    try:
        bound = inspect.signature(kind).bind(*call.args, **{k.arg: k.value for k in call.keywords})
    except (TypeError, ValueError):
        return None
    return dict(bound.arguments)


def is_plain_tuple(kind):
    """Whether a class is a namedtuple that adds nothing to how it is made."""
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, '_fields') \
        and is_generated(kind.__new__) and kind.__init__ is object.__init__


def is_plain_record(kind):
    """Whether a class is a dataclass whose instances hold what they are made with, and nothing else happens."""
    return dataclasses.is_dataclass(kind) and is_generated(kind.__init__) and kind.__new__ is object.__new__ \
        and not hasattr(kind, '__post_init__') and (kind.__setattr__ is object.__setattr__
                                                    or kind.__dataclass_params__.frozen)


def is_generated(function):
    """Whether a function was written by the standard library: it stands in no file."""
    return isinstance(function, types.FunctionType) and function.__code__.co_filename.startswith('<')


def kept_by(kind, call):
    """Name of the attribute -> argument, of a call of a class that does nothing but keep its arguments; None for any other."""
    names = attributes_of(kind) if isinstance(kind, type) else None
    if names is None or tree.is_starred(call):
        return None
    try:
        bound = inspect.signature(kind).bind(*call.args, **{k.arg: k.value for k in call.keywords})
    except (TypeError, ValueError):
        return None
    return {names[p]: arg for p, arg in bound.arguments.items()} if bound.arguments else None


@remembered
def attributes_of(kind):
    """Parameter -> the attribute in which `__init__` keeps it, where nothing else happens when an object is made; or None."""
    init = kind.__init__
    if type(kind) is not type or any(getattr(kind, n) is not getattr(object, n) for n in OWN) or hasattr(kind, '__getattr__') \
            or not all(k.__flags__ & HEAP and '__slots__' not in vars(k) for k in kind.__mro__[:-1]):
        return None
    if not isinstance(init, types.FunctionType) or is_generated(init) or hasattr(init, '__wrapped__'):
        return None
    try:
        function = read(init).tree
    except TangentError:
        return None
    params = tree.names(function.args, gast.Param)
    if function.decorator_list or function.args.vararg or function.args.kwarg or not params:
        return None
    found: dict = {}
    for s in function.body:
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant):
            continue
        pairs = bindings(s)
        if pairs is None or not all(is_attribute(target, params[0], kind) for target, _ in pairs):
            return None
        for target, value in pairs:
            if isinstance(value, gast.Name) and value.id in params[1:] and value.id not in found:
                found[value.id] = target.attr
            elif not isinstance(value, gast.Constant):
                return None
    every = [target.attr for s in function.body for target, _ in bindings(s) or ()]
    return found if set(found) == set(params[1:]) and len(set(every)) == len(every) else None


def bindings(s):
    """The (target, value) of `a, b = x, y`; None for any other statement."""
    if not isinstance(s, gast.Assign) or len(s.targets) > 1:
        return None
    target, value = s.targets[0], s.value
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts))
    return [(target, value)]


def is_attribute(target, own, kind):
    """Whether it is `self.x`, of which the class does not say what it is."""
    if not isinstance(target, gast.Attribute) or tree.dotted(target.value) != own:
        return False
    owner = definition(kind, target.attr)
    return owner is None or not hasattr(type(vars(owner)[target.attr]), '__get__')
