"""What the log form knows of builtin containers, objects and functions that write: tables of what runs in their place."""
import bisect
import collections
import concurrent.futures
import enum
import functools
import inspect
import itertools
import operator
import types

import numpy as np

from tangent import errors
from tangent.eventlog.shadow import arrays, iterators, lists, processes
from tangent.eventlog.shadow.arrays import with_out  # noqa: F401 (for others)
from tangent.eventlog.shadow.iterators import Generated, drain  # noqa: F401 (for others)
from tangent.eventlog.shadow.lists import reordered, snapshot
from tangent.eventlog.shadow.values import OWN, before, before_attribute, coded, refuse_getattribute
from tangent.persistent.array import Array
from tangent.runtime import facts
from tangent.runtime.fields import fields
from tangent.runtime.zeros import FieldsGrad, Keyless


def get_attribute(record, f, args):
    owner, name, *default = args
    if default and coded(owner, 'getattribute') is None and code_of(owner, name) is not None:
        return or_default(record, code_of(owner, name), default[0])
    if default and not hasattr(owner, name):
        record.backward = lambda grads, g: {2: g}
        return default[0]
    code = code_of(owner, name)
    if code is not None:
        return by_method(record, *code, {0: 0})
    found = inspect.getattr_static(type(owner), name, None)
    if isinstance(found, functools.cached_property):
        return kept(record, found.func, owner, name)
    value = getattr(owner, name)
    record.backward = lambda grads, g: {0: grads.give_attribute(owner, name, value, g)}
    return value


def or_default(record, code, default):
    """What a getter gives, which is run once, or the default where it raises AttributeError."""
    try:
        return by_method(record, *code, {0: 0}, record.left)
    except AttributeError:
        ran = record.backward                          # what it did before is gone back through
        record.backward = lambda grads, g: {**ran(grads, None), 2: g}
        return default


def kept(record, function, owner, name):
    """A cached_property: what it keeps when it is read first has its gradient with the object, as an attribute has."""
    if name in vars(owner):
        value = vars(owner)[name]
        record.backward = lambda grads, g: grads.give_kept(owner, name, value, g)
        return value
    inner = type(record)(function, (owner,), {}, (0,))

    def backward(grads, g):
        if inner.done:
            grads.give_part(owner, name, inner.value, g)
            g, _ = inner.take(grads, grads.take_kept(owner, name))
        return {0: inner.back(grads, g)[0]}
    record.backward = backward
    vars(owner)[name] = value = inner.run()
    return value


def code_of(owner, name):
    """(the function of the user's that gives an attribute, its arguments), or None."""
    refuse_getattribute(owner, name)
    if isinstance(owner, enum.Enum) and name in ('value', 'name'):                 # a constant, by a getter of Python's
        return None
    found = inspect.getattr_static(type(owner), name, None)
    if isinstance(getattr(found, 'fget', None), types.FunctionType):
        return found.fget, (owner,)
    if found is None and name not in fields(owner) and coded(owner, 'getattr') is not None:
        return type(owner).__getattr__, (owner, name)
    return None


def set_attribute(record, f, args):
    owner, name, value = args
    if f is setattr and coded(owner, 'setattr') is not None:
        return by_method(record, owner.__setattr__, (name, value), {0: OWN, 2: 1})
    descriptor = inspect.getattr_static(type(owner), name, None)
    if isinstance(getattr(descriptor, 'fset', None), types.FunctionType):
        return by_method(record, types.MethodType(descriptor.fset, owner), (value,), {0: OWN, 2: 0})
    if coded(descriptor, 'set') is not None:
        return by_method(record, descriptor.__set__, (owner, value), {0: 0, 2: 1})
    old = before_attribute(owner, name)
    f(owner, name, value)
    record.backward = lambda grads, g: {2: grads.undo_attribute(owner, name, old, value)}


def set_item(record, f, args):
    """operator.setitem, which may run Python code of a class."""
    owner, index, value = args
    method = getattr(type(owner), '__setitem__', None)
    if isinstance(method, types.FunctionType) and not isinstance(owner, Array):
        return by_method(record, types.MethodType(method, owner), (index, value), {0: OWN, 1: 0, 2: 1})
    old = before(owner, index)
    owner[index] = value
    record.backward = lambda grads, g: {2: grads.undo_item(owner, index, old, value)}


def by_method(record, method, args, places, kind=None):
    """Make the call of a method in place of a function's; `places`: flag of the function -> flag of the method."""
    own = [*record.positions()]
    inner = (kind or type(record))(method, args, record.keywords, tuple(places[k] for k in own if k in places))

    def backward(grads, g):
        found = inner.found(grads, g)
        return {k: found.get(place) for k, place in places.items()}
    record.backward = backward
    value = inner.run()                                # it may raise, and has to be gone back through then, too
    record.structured = inner.structured
    return value


def namespace(record, f, args):
    """types.SimpleNamespace(a=x)."""
    made = f(*args, **record.keywords)

    def backward(grads, g):
        parts = grads.parts(made)
        return {name: parts.pop(name, None) for name in record.keywords}
    record.backward = backward
    return made


def plain(name):
    def method(record, owner, args):
        return getattr(owner, name)(*args, **record.keywords)
    return method


def no_effect(record, f, args):
    return f(*args, **record.keywords)


def delitem(record, f, args):
    owner, key = args
    if coded(owner, 'delitem') is not None:
        by_method(record, owner.__delitem__, (key,), {0: OWN, 1: 0})
        return
    if isinstance(owner, dict):
        snapshot(record, owner, lambda grads, g: None)
        del owner[key]
        return
    order = list(range(len(owner)))
    del order[key]
    reordered(record, owner, order)


def item_set(record, owner, args):
    """`x.__setitem__(index, value)`"""
    set_item(record, operator.setitem, (owner, *args))
    back = record.backward
    record.backward = lambda grads, g: {1: back(grads, g)[2]}


def item_got(record, owner, args):
    value = owner[args[0]]
    record.backward = lambda grads, g: {OWN: grads.give_item(owner, args[0], value, g)}
    return value


def by_position(record, f, args):
    """The arguments of a call, with those that are given by the names of parameters in their places; so are the flags then."""
    names = parameters(f)[len(args):] if record.keywords else ()
    named = [*itertools.takewhile(record.keywords.__contains__, names)]
    if not named:
        return args
    if '**' in record.flags:
        raise errors.ReverseNotImplementedError(
            f'{f.__name__} writes, and is given {", ".join(named)} by **: give the arguments one by one')
    places = {name: len(args) + k for k, name in enumerate(named)}
    args = (*args, *(record.keywords[name] for name in named))
    record.keywords = {name: value for name, value in record.keywords.items() if name not in places}
    record.flags = tuple([places.get(flag, flag) for flag in record.flags])
    return args


def parameters(f):
    """Names of the parameters of a function that is given them by position, too."""
    if isinstance(f, type):
        return ()
    if f.__name__ == 'pop' and isinstance(f.__self__, collections.OrderedDict):
        return 'key', 'default'
    try:
        found = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):                    # one written in C that does not tell
        return facts.of(f).parameters
    return tuple([p.name for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)])


def methods(kind, names, **others):
    """Method name -> function for the methods of a container; those that only read run as they are."""
    found = {name: getattr(lists, f'{kind}_{name}') for name in names.split()}
    return {**found, **others}


ITEMS = {'__setitem__': item_set, '__getitem__': item_got}
METHODS = {
    list: methods('list', 'append extend insert pop remove sort reverse clear copy', index=plain('index'),
                  count=plain('count'), **ITEMS),
    dict: methods('dict', 'update pop popitem get setdefault clear values items copy', keys=plain('keys'), **ITEMS),
    set: {name: plain(name) for name in ('add', 'discard', 'remove', 'clear', 'update', 'union', 'copy')},
    collections.deque: methods('deque', '''append appendleft pop popleft extend extendleft insert remove rotate reverse clear
                               copy''', index=plain('index'), count=plain('count')),
    np.ndarray: {'fill': arrays.array_fill, 'sort': arrays.array_sort, 'partition': arrays.array_partition,
                 'put': arrays.array_put, **ITEMS},
    **dict.fromkeys([np.random.Generator, np.random.RandomState],
                    {'shuffle': lambda record, owner, args: arrays.shuffle(record, owner.shuffle, args)}),
}
METHODS[collections.defaultdict] = METHODS[Keyless] = METHODS[dict]
METHODS[FieldsGrad] = METHODS[list]
METHODS[types.MappingProxyType] = {'get': lists.view_get}
METHODS[collections.OrderedDict] = {**METHODS[dict], 'move_to_end': lists.ordered_move}

PROTOCOL = frozenset('__getitem__ __setitem__ __delitem__ __iter__ __len__ __contains__ __eq__ __missing__ keys items'.split())


@functools.lru_cache(maxsize=1024)
def of_class(kind):
    """Method name -> function for a container, or a class made of one whose items are what it holds."""
    for above in kind.__mro__:
        if above in METHODS:
            return METHODS[above]
        if not PROTOCOL.isdisjoint(vars(above)):
            return {}
    return {}


def of_container(method):
    """The function for a method of a list, dict, set or deque that is of no other class, or None."""
    table = EXACT.get(type(method.__self__))
    return table and table.get(method.__name__)


EXACT = {kind: METHODS[kind] for kind in (list, dict, set, collections.deque)}
CONTAINERS = (list, tuple, dict, collections.defaultdict, collections.OrderedDict)
READERS = (bisect.bisect, bisect.bisect_left, bisect.bisect_right, isinstance, issubclass, callable, hasattr, id, hash, repr,
           type, print)
FUNCTIONS: dict = {
    np.copyto: arrays.copyto, np.put: arrays.put, np.put_along_axis: arrays.put_along_axis,
    np.fill_diagonal: arrays.fill_diagonal, np.place: arrays.place, np.putmask: arrays.place,
    np.add.at: arrays.add_at(1), np.subtract.at: arrays.add_at(-1),
    operator.delitem: delitem, operator.setitem: set_item, drain: drain, iter: iterators.iterate, next: iterators.following,
    itertools.islice: iterators.sliced,
    getattr: get_attribute, setattr: set_attribute, object.__setattr__: set_attribute,
    types.SimpleNamespace: namespace,
    **dict.fromkeys(CONTAINERS, lists.container),
    **dict.fromkeys(READERS, no_effect), concurrent.futures.as_completed: lambda record, f, args: list(f(*args)),
    **dict.fromkeys((concurrent.futures.ProcessPoolExecutor, concurrent.futures.ThreadPoolExecutor), processes.made),
}
