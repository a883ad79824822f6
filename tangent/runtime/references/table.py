"""Functions of Python's that are differentiated through a function written in plain Python in their place.

They give lists where the originals give iterators.
"""
import collections
import functools
import inspect
import itertools
import operator
import types

import numpy as np

from tangent.runtime import facts
from tangent.runtime.functions import numbers
from tangent.runtime.functions.containers import queue_of
from tangent.runtime.references import heaps, numpy, statistics
from tangent.runtime.references import itertools as substitutes_itertools

MISSING = object()
BUILTIN = frozenset([int, float, complex, np.float64, np.ndarray, list, tuple, dict])
AS_DICT = vars(collections.namedtuple('Pair', 'a b'))['_asdict'].__code__             # which all such classes share


def reduce(function, iterable, initial=MISSING):
    values = list(iterable)
    if initial is MISSING:
        if len(values) == 0:
            raise TypeError('reduce() of empty iterable with no initial value')
        total, first = values[0], 1
    else:
        total, first = initial, 0
    for k in range(first, len(values)):
        total = function(total, values[k])
    return total


def map_(function, *iterables):
    if len(iterables) == 1:
        out = []
        for x in list(iterables[0]):
            out.append(function(x))
    elif len(iterables) == 2:
        out = []
        for x, y in zip(list(iterables[0]), list(iterables[1])):
            out.append(function(x, y))
    else:
        out = []
        for xs in list(zip(*iterables)):
            out.append(function(*xs))
    return out


def starmap(function, iterable):
    out = []
    for xs in list(iterable):
        out.append(function(*xs))
    return out


def filter_(function, iterable):
    values = list(iterable)
    out = []
    for k in range(len(values)):
        if values[k] if function is None else function(values[k]):
            out.append(values[k])
    return out


def accumulate(iterable, function=operator.add, *, initial=MISSING):
    values = list(iterable)
    out = []
    if initial is MISSING:
        total, first = values[0], 1
    else:
        total, first = initial, 0
    out.append(total)
    for k in range(first, len(values)):
        total = function(total, values[k])
        out.append(total)
    return out


def sorted_(iterable, /, *, key=None, reverse=False):
    values = list(iterable)
    keys = keys_of(key, values)
    order = sorted(range(len(values)), key=keys.__getitem__, reverse=reverse)
    out = []
    for k in order:
        out.append(values[k])
    return out


def keys_of(key, values):
    """What decides an order: no derivative flows through it."""
    return list(values) if key is None else [key(v) for v in values]


def position(values, key, default, function, name):
    """Where the extremum stands; None for the default of an empty sequence."""
    if not len(values):
        if default is MISSING:
            raise ValueError(f'{name}() arg is an empty sequence')
        return None
    keys = keys_of(key, values)
    return function(range(len(values)), key=keys.__getitem__)


def max_(*args, key=None, default=MISSING):
    values = list(args[0]) if len(args) == 1 else list(args)
    at = position(values, key, default, max, 'max')
    return default if at is None else values[at]


def min_(*args, key=None, default=MISSING):
    values = list(args[0]) if len(args) == 1 else list(args)
    at = position(values, key, default, min, 'min')
    return default if at is None else values[at]


def fromkeys(iterable, value=None):
    return {key: value for key in iterable}


def deque(iterable=(), maxlen=None):
    values = list(iterable)
    if maxlen is not None:
        values = values[max(len(values) - maxlen, 0):]
    return queue_of(values, maxlen)


def sum_(iterable, /, start=0):
    total = start
    for x in list(iterable):
        total = total + x
    return total


def ordered_dict(items=(), /, **more):
    out = collections.OrderedDict()
    values = dict(items)
    for key in values:
        out[key] = values[key]
    for key in more:
        out[key] = more[key]
    return out


def paired(signature, partly, /, *args, **kwargs):
    """`signature.bind`: Python pairs the parameters with the places of the arguments."""
    places, arguments = places_of(signature, partly, len(args), tuple(kwargs)), {}
    for name in places:
        place = places[name]
        if isinstance(place, tuple):
            arguments[name] = args[place[0]:]
        elif isinstance(place, dict):
            arguments[name] = {each: kwargs[each] for each in place}
        elif isinstance(place, int):
            arguments[name] = args[place]
        else:
            arguments[name] = kwargs[place]
    return Bound(signature, arguments)


class Bound(inspect.BoundArguments):
    """What `bind` gives, whose methods ask the signature for nothing that has a derivative."""

    def __init__(self, signature, arguments):
        self._signature, self.arguments = signature, arguments

    def apply_defaults(self):
        defaults, arguments = defaults_of(self._signature), {}
        for name in defaults:
            if name in self.arguments:
                arguments[name] = self.arguments[name]
            elif defaults[name] is not inspect.Parameter.empty:
                arguments[name] = defaults[name]
        self.arguments = arguments


def defaults_of(signature):
    """Parameter -> what it is where it is not given; `empty` where it has to be."""
    several = {inspect.Parameter.VAR_POSITIONAL: (), inspect.Parameter.VAR_KEYWORD: {}}
    return {name: several.get(p.kind, p.default) for name, p in signature.parameters.items()}


def places_of(signature, partly, count, names):
    """Parameter -> which argument it gets: a number or a name, several in a tuple or a dict."""
    bind = signature.bind_partial if partly else signature.bind
    return bind(*range(count), **dict(zip(names, names))).arguments


def as_dict(self):
    """`_asdict` of a namedtuple."""
    out = {}
    for name in fields_of(self):
        out[name] = getattr(self, name)
    return out


def fields_of(record):
    return type(record)._fields


def getattr_static(obj, attr, default=MISSING):
    """Derivatives flow through what the object itself holds, none through what its class does."""
    if is_own(obj, attr):
        return getattr(obj, attr)
    found = of_class(obj, attr)
    if found is MISSING and default is MISSING:
        raise AttributeError(attr)
    return default if found is MISSING else found


def is_own(obj, attr):
    """Whether `inspect.getattr_static` finds an attribute in what the object itself holds."""
    held = object.__getattribute__(obj, '__dict__') if hasattr(type(obj), '__dictoffset__') and type(obj).__dictoffset__ else {}
    return attr in held and inspect.getattr_static(obj, attr) is held[attr]


def of_class(obj, attr):
    return inspect.getattr_static(obj, attr, MISSING)


def nothing():
    """What `super().__init__()` does where nobody above has one."""


SUBSTITUTES: dict = {           # function -> plain Python function with the same arguments
    functools.reduce: reduce,
    map: map_,
    itertools.starmap: starmap,
    filter: filter_,
    dict.fromkeys: fromkeys,
    collections.deque: deque,
    collections.OrderedDict: ordered_dict,
    itertools.accumulate: accumulate,
    inspect.getattr_static: getattr_static,
    **substitutes_itertools.TABLE,
    **heaps.TABLE,
    **numpy.TABLE,
    **statistics.TABLE,
}
STAND_INS: dict = {             # type -> a function from its instances to callables in plain Python that do the same
    np.vectorize: numpy.vectorized,
    inspect.Signature: lambda made: types.SimpleNamespace(
        bind=functools.partial(paired, made, False), bind_partial=functools.partial(paired, made, True))}
MADE: list = []                 # names of methods of such instances, whose functions are made when they are asked for
KEYED = {sorted: sorted_, max: max_, min: min_, sum: sum_}     # where keywords are given that their rules do not know
KEYWORDS = {'key', 'default', 'reverse', 'start'}


def is_keyed(function, rule, keywords):
    """Whether a function is called with keywords that its rule does not know, or asks anew on the way back, and has a form in
    plain Python for these."""
    return any(k.arg in KEYWORDS and k.arg not in rule.parameters or k.arg == 'key' for k in keywords) and function in KEYED


def chosen(function, rule, keywords):
    """(the function to differentiate in place of one that is called with these keywords, its rule)."""
    if rule is None and isinstance(function, types.MethodType) and type(function.__self__) in STAND_INS:
        return standing_in(function), None
    table = SUBSTITUTES if rule is None else KEYED if any(k.arg in KEYWORDS for k in keywords) else {}
    try:
        found = table.get(function)
    except TypeError:                      # an object that cannot be hashed
        found = None
    return (function, rule) if found is None else (found, None)


def written_out(function):
    """The function in plain Python that has the derivative of this one; itself where there is none."""
    try:
        return SUBSTITUTES.get(function, function)
    except TypeError:                      # an object that cannot be hashed
        return function


def standing_in(thing):
    """A callable in plain Python that does what `thing` does; itself where nothing better is known."""
    if isinstance(thing, type):
        return SUBSTITUTES.get(thing, thing)
    if isinstance(thing, types.MethodType):
        if getattr(thing.__func__, '__code__', None) is AS_DICT:
            return types.MethodType(as_dict, thing.__self__)
        made = STAND_INS.get(type(thing.__self__))
        return thing if made is None else getattr(made(thing.__self__), thing.__name__, thing)
    if isinstance(thing, types.MethodWrapperType):
        if thing.__name__ in numbers.SPECIAL and type(thing.__self__) in BUILTIN:
            return types.MethodType(numbers.SPECIAL[thing.__name__], thing.__self__)
        return nothing if thing.__name__ == '__init__' and thing.__objclass__ is object else thing
    if isinstance(thing, types.BuiltinMethodType):
        method = numbers.METHODS.get((type(thing.__self__), thing.__name__))
        return thing if method is None else types.MethodType(method, thing.__self__)
    made = STAND_INS.get(type(thing))
    return facts.in_tables(thing if made is None else made(thing))


def is_substitute(function):
    return str(getattr(function, '__module__', None)).startswith(__package__)
