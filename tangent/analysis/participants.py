"""Which classes take part in what a function does: those of the objects that it is given and of those that its text, or that of
what it calls, can name.

A class takes part if its objects mean something of their own by operators, methods or attributes that the text of a derivative
would take for those of numbers and arrays. Records, whose attributes are all there is to them, take no part: texts handle them
as they are.
"""
from __future__ import annotations

import collections
import functools
import sys
import types

import numpy as np

from tangent.analysis.classes import contents, is_filled, is_users, is_users_module
from tangent.frontend.source import original
from tangent.runtime import facts
from tangent.templates.language import registry

PLAIN = frozenset([int, float, bool, complex, str, bytes, type(None), type(...), range, slice, np.dtype, np.ndarray,
                   types.BuiltinFunctionType, types.ModuleType, np.ufunc, *np.sctypeDict.values()])
CONTAINERS = list, tuple, set, frozenset, collections.deque
SILENT = frozenset(f'__{n}__' for n in (
    'init new post_init init_subclass repr str eq ne hash del reduce reduce_ex getstate setstate getnewargs getnewargs_ex '
    'sizeof format dir copy deepcopy replace class_getitem').split())


def taking_part(things):
    """The classes that take part where these values are handled: of objects in them, and of what functions in them name."""
    found, seen, pending = set(), set(), list(things)
    while pending:
        thing = pending.pop()
        kind = type(thing)
        if kind in PLAIN and (kind is not np.ndarray or not thing.dtype.hasobject) or id(thing) in seen:
            continue
        seen.add(id(thing))
        if kind is np.ndarray:
            pending += thing.ravel().tolist() if thing.dtype.names is None else ()
        elif isinstance(thing, CONTAINERS):
            pending += () if PLAIN.issuperset(map(type, thing)) and np.ndarray not in map(type, thing) else thing
        elif isinstance(thing, dict):
            pending += [*thing, *thing.values()]
        elif isinstance(thing, type):
            found |= of_class(thing) if of_python(thing) else set()
        elif isinstance(thing, functools.partial):
            pending += [thing.func, *thing.args, *thing.keywords.values()]
        elif isinstance(thing, types.MethodType):
            pending += [thing.__func__, thing.__self__]
        elif isinstance(thing, types.FunctionType):
            pending += of_function(thing)
        elif of_python(kind):
            found |= of_class(kind)
            pending += held(thing)
    return frozenset(found)


@functools.lru_cache(maxsize=4096)
def of_python(kind):
    return is_users(kind)


@functools.lru_cache(maxsize=4096)
def takes_part(kind):
    """Whether objects of a class mean anything of their own by what is done with them."""
    methods, computed, fields = contents(kind)
    return bool(computed or methods - SILENT or any(registry.attribute(n) is not None for n in fields))


@functools.lru_cache(maxsize=4096)
def of_class(kind):
    """A class, if it takes part, and those that its methods can name."""
    own = [getattr(f, '__func__', getattr(f, 'fget', f)) for k in kind.__mro__ if of_python(k) for f in vars(k).values()]
    named = {k for f in own if isinstance(f, types.FunctionType) for k in names_of(f) if isinstance(k, type) and of_python(k)}
    return frozenset(k for k in {kind, *named} if takes_part(k))


def held(thing):
    """What the attributes of an object hold."""
    slots = [s for kind in type(thing).__mro__ for s in vars(kind).values() if isinstance(s, types.MemberDescriptorType)]
    return [*(getattr(thing, s.__name__, None) for s in slots), *getattr(thing, '__dict__', {}).values()]


def of_function(function):
    """What the text of a function can name, and what it is that the text of a wrapper is around."""
    inner = [getattr(function, n, None) for n in ('py_func', '__wrapped__')]
    function = original(function)
    if facts.in_library(function) or registry.lookup(function) is not None or registry.custom(function) is not None:
        return inner
    return inner + names_of(function)


def names_of(function):
    """What the names and attributes in the code of a function denote, those in functions inside it among them."""
    codes, names = [function.__code__], set()
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    found = [function.__globals__[n] for n in names if n in function.__globals__]
    found += [cell.cell_contents for cell in function.__closure__ or () if is_filled(cell)]
    found += [sys.modules[n] for n in names if n in sys.modules]                    # imported inside the function
    modules = [m for m in found if isinstance(m, types.ModuleType) and is_users_module(m)]
    return found + [vars(m)[n] for m in modules for n in names if n in vars(m)]
