"""What a function may run although no call in its text says so: values that hold functions, and methods of classes in sight.

    TABLE = {'note': note}               TABLE['note'](x)          obs.append(key)          a + b, box.area, with box: ...

Which of them runs is known while running alone; here each is taken to run, with whatever the function has at hand.
"""
import collections
import functools
import inspect
import sys
import types
from typing import NamedTuple

import gast

from tangent.analysis.kinds import classes
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime.fields import own_dict
from tangent.templates.language import registry

CONTAINERS = list, tuple, set, frozenset, collections.deque
MOST = 200                       # values that are looked into
BY_NAME = frozenset(['__init__', '__init_subclass__', '__set_name__'])      # run where a class is called by its name, or made
CONTEXT = '__enter__', '__exit__'


class Run(NamedTuple):
    """A function that may run, and the object outside that it is bound to (None: it is known nowhere, or there is none)."""
    function: object
    owner: object = None


def may_run(nodes, resolver):
    """Each Run of a function with these nodes, and the node that says so."""
    yield from by_values(nodes, resolver)
    yield from by_classes(nodes, resolver)
    yield from by_contexts(nodes, resolver)


def by_values(nodes, resolver):
    """Those that names and attributes denote or hold, where these are not called directly."""
    called = {id(n.func) for n in nodes if isinstance(n, gast.Call)}
    inner = {id(n.value) for n in nodes if isinstance(n, (gast.Attribute, gast.Subscript))}
    for node in nodes:
        if isinstance(node, (gast.Name, gast.Attribute)) and isinstance(node.ctx, gast.Load):
            found = resolver.value(node)
            if found is UNKNOWN:
                continue
            direct = id(node) in called and isinstance(found, types.FunctionType)            # its call says so
            rule = registry.lookup(found) or registry.dispatched(found)
            ruled = id(node) in called and rule is not None                                 # so does its rule
            if not (direct or ruled or id(node) in inner and isinstance(found, types.ModuleType)):
                yield from ((run, node) for run in held(found))


def held(value):
    """The functions that a value is or holds, to any depth, each as a Run."""
    found, seen, pending = [], set(), [value]
    while pending and len(seen) < MOST:
        thing = pending.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        kind = type(thing)
        if kind is types.FunctionType:
            found.append(Run(thing))
        elif kind is types.MethodType:
            found.append(Run(thing.__func__, thing.__self__))
        elif kind in (types.BuiltinMethodType, types.MethodWrapperType):
            found.append(Run(thing, thing.__self__))
        elif kind is functools.partial:
            pending += [thing.func, *thing.args, *thing.keywords.values()]
        elif isinstance(thing, dict):
            pending += thing.values()
        elif isinstance(thing, CONTAINERS):
            pending += thing
        elif classes.is_users(kind) and not classes.is_foundation(classes.path_of(module_of(kind))):
            pending += own_dict(thing).values()
            call = classes.defined(kind, 'call')
            found += [] if call is None else [Run(call, thing)]
    return found


def module_of(kind):
    return sys.modules.get(kind.__module__)


def by_classes(nodes, resolver):
    """What classes in sight have under the names of attributes, and their special methods, which no name calls."""
    named = {}
    for n in nodes:
        name = n.attr if isinstance(n, gast.Attribute) else n.value if isinstance(n, gast.Constant) else None
        if isinstance(name, str) and not (name in CONTEXT and resolver(n) is not UNKNOWN):      # which is called by its class
            named.setdefault(name, n)
    first, known = next(iter(nodes), None), methods(resolver.sight)
    seen = BY_NAME if 'enter_context' in named else BY_NAME.union(CONTEXT)
    for name in [n for n in known if n in named or n.startswith('__') and n not in seen]:
        yield from ((run, named.get(name, first)) for run in known[name])


def by_contexts(nodes, resolver):
    """How contexts are entered and left: of an object made in the header that of its class, with what it is made of."""
    known = methods(resolver.sight)
    for item in (i for n in nodes if isinstance(n, gast.With) for i in n.items):
        call = item.context_expr
        made = resolver(call.func) if isinstance(call, gast.Call) else UNKNOWN
        for name in CONTEXT:
            own = [Run(f) for f in parts_of(inspect.getattr_static(made, name, None))] if isinstance(made, type) else []
            yield from ((run, item if own else call) for run in own or known.get(name, ()))


@functools.lru_cache(maxsize=4096)
def methods(kinds):
    """Name -> each Run of what classes have from the user under it: methods, and what properties run."""
    found = {}
    for kind in sorted(kinds, key=lambda kind: kind.__qualname__):
        for name, f in ((name, f) for k in kind.__mro__ for name, thing in vars(k).items() for f in parts_of(thing)):
            if not classes.is_foundation(f.__code__.co_filename) and Run(f) not in found.get(name, ()):
                found.setdefault(name, []).append(Run(f))
    return found


def parts_of(thing):
    """The functions of what stands in a class."""
    if isinstance(thing, property):
        parts = thing.fget, thing.fset, thing.fdel
    elif isinstance(thing, (classmethod, staticmethod)):
        parts = (thing.__func__,)
    else:
        parts = thing, getattr(thing, 'func', None)
    return [f for f in parts if isinstance(f, types.FunctionType)]
