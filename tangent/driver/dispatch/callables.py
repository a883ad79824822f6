"""Kinds of callables, each seen as one function with its first arguments.

    a closure            its function with what it captured in front
    a bound method       its function with the object in front
    a partial            its function with the arguments of the partial
    an object            the method `__call__`
    a way back           its adjoint with what was saved
"""
from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from tangent.analysis.effects import Effects
from tangent.analysis.kinds.participants import RUNNING, of_call
from tangent.driver import rebound_names as twins
from tangent.frontend.callees import kept_fields
from tangent.frontend.source import assumed, original
from tangent.runtime import captures
from tangent.runtime.references.table import standing_in
from tangent.runtime.zeros import init_grad, register_init_grad
from tangent.templates.language import registry


class Back:
    """What goes back from the value of one call: takes the gradient of the value, gives those of what was wanted."""

    __slots__ = ('adjoint', 'saved')

    def __init__(self, adjoint, saved):
        self.adjoint, self.saved = adjoint, saved

    def __call__(self, gradient):
        return self.adjoint(gradient, self.saved)


register_init_grad(Back, lambda back: init_grad(back.saved))


def same_defaults(defaults, others):
    """Whether default values are the same objects, or equal numbers and texts: a function that is made anew has its own."""
    if defaults is others or defaults is None or others is None:
        return defaults is others
    if type(defaults) is dict:
        return [*defaults] == [*others] and same_defaults((*defaults.values(),), (*others.values(),))
    plain = (int, float, bool, str)
    return len(defaults) == len(others) and all([a is b or type(a) is type(b) and type(a) in plain and repr(a) == repr(b)
                                                 for a, b in zip(defaults, others)])


class Twins:
    """The twins of one code object: called like the function, they give the value and a `Back`.

    picks : for a function of `*args` or `**kwargs`, for each gradient wanted its number and the key in it; else None
    count : how many gradients the adjoint gives
    logged : whether they run a log form of their own
    packed : text -> the adjoint that gives its gradients in that form
    """

    __slots__ = ('code', 'namespace', 'defaults', 'kwdefaults', 'primal', 'adjoint', 'notes', 'version', 'picks',
                 'count', 'packed', 'logged')

    def __init__(self, function, primal, adjoint, notes, picks, count, logged=False):
        self.code, self.namespace = function.__code__, function.__globals__
        self.defaults, self.kwdefaults = function.__defaults__, function.__kwdefaults__
        self.primal, self.adjoint, self.notes, self.picks, self.count = primal, adjoint, notes, picks, count
        self.version, self.packed, self.logged = registry.version(), {}, logged

    def fit(self, function):
        """Whether they are those of this function, which has the same code, and all it calls is what it was."""
        if self.version != registry.Registry.changes or self.namespace is not function.__globals__ \
                or not same_defaults(self.defaults, function.__defaults__) \
                or not same_defaults(self.kwdefaults, function.__kwdefaults__):
            return False
        return not self.notes.moved()

    def __call__(self, /, *args, **keywords):
        value, saved = self.primal(*args, **keywords)
        return value, Back(self.adjoint, saved)


class Remake(NamedTuple):
    """What a call was made of: a Spread, the places of its arguments that are wanted, whether what it has captured is, too."""
    parts: Spread
    wrt: tuple
    captured: bool
    resolve: Callable


class Call:
    """Twins with their first arguments, and an adjoint that gives the gradients as they were asked for.

    remake : the Remake for which it was made: it is made anew where an argument hides a keyword of a partial
    """

    __slots__ = ('primal', 'adjoint', 'lead', 'keywords', 'remake', 'logged', 'twins')

    def __init__(self, primal, adjoint, lead=(), keywords=types.MappingProxyType({}), remake=None, logged=False, twins=None):
        self.primal, self.adjoint, self.lead, self.keywords = primal, adjoint, lead, keywords
        self.remake, self.logged, self.twins = remake, logged, twins

    def __call__(self, /, *args, **keywords):
        if self.keywords:
            if keywords and not keywords.keys().isdisjoint(self.keywords):
                parts, wrt, captured, resolve = self.remake
                parts = without(parts._replace(lead=self.lead, keywords=self.keywords), keywords)
                return resolve(parts, wrt, captured)(*args, **keywords)
            keywords = {**self.keywords, **keywords}
        value, saved = self.primal(*self.lead, *args, **keywords)
        return value, Back(self.adjoint, saved)


class Without:
    """A function of whose call nothing is wanted.

    back : the way back
    """

    __slots__ = ('function', 'back')

    def __init__(self, function, back=None):
        self.function, self.back = function, back or nothing

    def __call__(self, /, *args, **keywords):
        return self.function(*args, **keywords), self.back


def nothing(gradient):
    """The way back from a call of which nothing was wanted."""
    return None


def of_counts(gradient):
    """That from a call of a partial which holds but integers: see `captures.captured`."""
    return {}


def of_keys(f, args):
    """Whether it is a method of a set that is given keys, which are no numbers with a derivative."""
    return is_of_set(f) and all(map(is_key, args))


def is_of_set(f):
    return isinstance(f, types.BuiltinMethodType) and isinstance(f.__self__, set)


def is_key(x):
    return all(map(is_key, x)) if type(x) is tuple else isinstance(x, (int, np.integer, str, bytes)) or x is None


class OfKeys:
    """The call of such a method: nothing flows back to the set, and zeros to the keys."""

    __slots__ = 'captured', 'function', 'wrt'

    def __init__(self, function, wrt, captured):
        self.function, self.wrt, self.captured = function, wrt, captured

    def __call__(self, /, *args):
        zeros = [None] * self.captured + [init_grad(args[k]) for k in self.wrt]
        return self.function(*args), lambda gradient: zeros[0] if len(zeros) == 1 else tuple(zeros)


class Late:
    """A call whose twins depend on the arguments: `resolve` gives what to call."""

    __slots__ = ('resolve',)

    def __init__(self, resolve):
        self.resolve = resolve

    def __call__(self, /, *args, **keywords):
        return self.resolve(args, keywords)(*args, **keywords)


class Again:
    """The call of twins, differentiated: what they save is made a way back, as they do."""

    __slots__ = ('call', 'remade')

    def __init__(self, call, remade):
        self.call, self.remade = call, remade

    def __call__(self, /, *args, **keywords):
        value, back = self.call(*args, **keywords)
        return self.remade(value), back


def with_back(adjoint, pair):
    value, saved = pair
    return value, Back(adjoint, saved)


def with_nothing(value):
    return value, nothing


def in_first(remade, pair):
    value, back = pair
    return remade(value), back


class First:
    """The way back from a pair whose second part has no gradient."""

    def __init__(self, back):
        self.back = back

    def __call__(self, gradient):
        return self.back(gradient[0])


# Kinds

class Spread(NamedTuple):
    """A callable as one function with its first arguments.

    base : the function
    names : names of its free variables that it takes as arguments in front
    lead : the values of these and of further positional arguments
    keywords : keyword arguments
    own : what of these the gradient of the callable is made of: None, a position, a keyword, or a dict
    fixed : what it captured that its twins are made for: modules, classes, functions with rules
    """
    base: object
    names: tuple = ()
    lead: tuple = ()
    keywords: Mapping = types.MappingProxyType({})
    own: object = None
    fixed: tuple = ()


def without(parts, names):
    """The parts less the keywords that the call itself brings."""
    own = parts.own
    if isinstance(own, dict):                    # what it holds under these names has no part in the call
        own = {key: None if isinstance(place, str) and place in names else place for key, place in own.items()}
    return parts._replace(keywords={k: v for k, v in parts.keywords.items() if k not in names}, own=own)


def spread(f):
    f = standing_in(f)
    kind = KINDS.get(type(f))
    if kind is not None:
        return kind(f)
    custom = registry.custom(f)
    if custom is not None:
        return spread(custom.function) if is_computed_again(custom) and writes(custom.function) else Spread(f)
    for name in ('py_func', '__wrapped__'):            # dispatchers of Numba, lru_cache
        inner = getattr(f, name, None)
        if isinstance(inner, types.FunctionType) and not isinstance(f, type) and registry.lookup(f) is None:
            return spread(inner)
    call = type(f).__call__
    if isinstance(call, types.FunctionType) and not isinstance(f, type) and registry.lookup(f) is None:
        return spread(types.MethodType(call, f))
    return Spread(f)


def is_computed_again(custom):
    return custom.forward is None and custom.write is None


def writes(function):
    """Whether a function writes into what it is given: then nothing is computed again in the backward pass."""
    effects = Effects(sight=of_call(function)) if isinstance(function, types.FunctionType) else None
    return effects is not None and any(effects.written(function))


def of_builtin_method(f):
    """`d.get` of a dict is a Python function of the dict; others are what they are."""
    if f.__name__ == 'get' and isinstance(f.__self__, dict):
        return spread(functools.partial(item_or, f.__self__))
    return Spread(f)


def item_or(mapping, key, default=None):
    """`mapping.get(key, default)`."""
    return mapping[key] if key in mapping else default


def of_function(f):
    f = original(assumed(f, RUNNING.classes))
    if f.__closure__ is None or registry.lookup(f) is not None:
        return Spread(f)
    library = getattr(getattr(f, 'source', None), 'library', ())
    found = [(name, captures.content(cell)) for name, cell in zip(f.__code__.co_freevars, f.__closure__)
             if name not in library]
    fixed = tuple(value for _, value in found if is_fixed(value, f))
    found = [(name, value) for name, value in found if not is_fixed(value, f)]
    own = {name: k for k, (name, value) in enumerate(found) if captures.differentiable(value)}
    return Spread(f, tuple(name for name, _ in found), tuple(value for _, value in found), {}, own or None, fixed)


def is_fixed(value, f):
    """Whether a captured value is taken for what it is when the twins are made, as a global is."""
    return isinstance(value, (type, types.ModuleType, twins.Twin)) \
        or callable(value) and registry.lookup(value) is not None


def of_method(f):
    if registry.lookup(f) is not None and registry.lookup(f.__func__) is None:         # `scipy.stats.norm.pdf`: of this object
        return Spread(f)
    inner = spread(f.__func__)
    return inner._replace(lead=(*inner.lead, f.__self__), own=len(inner.lead))


def of_partial(f):
    inner = spread(f.func)
    at = len(inner.lead)
    of_class = isinstance(inner.own, int) and isinstance(inner.lead[inner.own], type)
    own = {} if inner.own is None or inner.own == {} or of_class else {'__func__': inner.own}
    for place, value in [*enumerate(f.args), *f.keywords.items()]:
        if captures.carries(f.func, place, value):
            own[place if isinstance(place, str) else place - len(f.args)] = place if isinstance(place, str) else at + place
    if not own and not any(map(captures.holds_counts, (*f.args, *f.keywords.values()))):
        own = None
    return inner._replace(lead=inner.lead + f.args, keywords={**inner.keywords, **f.keywords}, own=own)


def of_back(f):
    name = f.adjoint.__code__.co_varnames[1]
    return Spread(f.adjoint, keywords={name: f.saved}, own=name)


KINDS = {
    types.FunctionType: of_function,
    types.MethodType: of_method,
    types.BuiltinMethodType: of_builtin_method,
    functools.partial: of_partial,
    Back: of_back,
    Twins: lambda f: Spread(f.primal),
    twins.Primal: lambda f: spread(f.current()),
    Call: lambda f: Spread(f.primal, (), f.lead, f.keywords, f.remake and f.remake[0].own),
}


# Classes

class Constructor:
    """A class whose arguments become fields: a namedtuple, a dataclass."""

    def __init__(self, kind, wrt):
        self.kind = kind
        kept = kept_fields(kind)
        self.fields = kind._fields if issubclass(kind, tuple) else \
            [f.name for f in dataclasses.fields(kind) if f.init] if kept is None else list(kept.values())
        self.names = [(kept or {}).get(w, w) if isinstance(w, str) else self.fields[w] for w in wrt]

    def __call__(self, /, *args, **keywords):
        return self.kind(*args, **keywords), self.back

    def back(self, gradient):
        if gradient is None:
            found = (None,) * len(self.names)
        elif isinstance(gradient, (tuple, list)):
            found = tuple(gradient[self.fields.index(n)] for n in self.names)
        else:
            found = tuple(getattr(gradient, n) for n in self.names)
        return found if len(found) > 1 else found[0]


def is_record_class(f):
    return isinstance(f, type) and (issubclass(f, tuple) and hasattr(f, '_fields') or dataclasses.is_dataclass(f)
                                    and '__init__' in vars(f) and f.__init__.__qualname__.endswith('__init__')
                                    and not hasattr(f, '__post_init__') or kept_fields(f) is not None)
