"""Kinds of callables, each seen as one function with its first arguments; and what calls of them give.

    a closure            its function with what it captured in front
    a bound method       its function with the object in front
    a partial            its function with the arguments of the partial
    an object            the method `__call__`
"""
from __future__ import annotations

import dataclasses
import functools
import types
from typing import NamedTuple

from tangent import captures, rules, twins
from tangent.errors import ReverseNotImplementedError
from tangent.source import original
from tangent.zero import init_grad, register_init_grad

NOTHING = object()


class Back:
    """What goes back from the value of one call: takes the gradient of the value, gives those of what was wanted."""

    __slots__ = ('adjoint', 'saved', 'pack')

    def __init__(self, adjoint, saved, pack=None):
        self.adjoint, self.saved, self.pack = adjoint, saved, pack

    def __call__(self, gradient):
        found = self.adjoint(gradient, self.saved)
        return found if self.pack is None else self.pack(found)


register_init_grad(Back, lambda back: init_grad(back.saved))


class Twins:
    """The twins of one code object: called like the function, they give the value and a `Back`.

    picks : for a function of `*args` or `**kwargs`, for each gradient wanted its number and the key in it; else None
    count : how many gradients the adjoint gives
    logged : whether they run a log form of their own
    """

    __slots__ = ('code', 'namespace', 'defaults', 'kwdefaults', 'primal', 'adjoint', 'callees', 'version', 'picks',
                 'count', 'logged')

    def __init__(self, function, primal, adjoint, callees, picks, count, logged=False):
        self.logged = logged
        self.code, self.namespace = function.__code__, function.__globals__
        self.defaults, self.kwdefaults = function.__defaults__, function.__kwdefaults__
        self.primal, self.adjoint, self.callees, self.picks, self.count = primal, adjoint, callees, picks, count
        self.version = rules.version()

    def fit(self, function):
        """Whether they are those of this function, which has the same code, and all it calls is what it was."""
        if self.version != rules.Registry.changes or self.namespace is not function.__globals__ \
                or self.defaults is not function.__defaults__ or self.kwdefaults is not function.__kwdefaults__:
            return False
        for namespace, first, thing in self.callees:
            if namespace.get(first) is not thing:
                return False
        return True

    def __call__(self, *args, **keywords):
        value, saved = self.primal(*args, **keywords)
        return value, Back(self.adjoint, saved)


class Call:
    """Twins with their first arguments, and a Pack for the gradients."""

    __slots__ = ('twins', 'lead', 'keywords', 'pack')

    def __init__(self, twins, lead, keywords, pack):
        self.twins, self.lead, self.keywords, self.pack = twins, lead, keywords, pack

    def __call__(self, *args, **keywords):
        if self.keywords:
            keywords = {**self.keywords, **keywords}
        value, saved = self.twins.primal(*self.lead, *args, **keywords)
        return value, Back(self.twins.adjoint, saved, self.pack)


class Pack:
    """Turns the gradients of the arguments of a function into what was asked for: that of the function value, and others.

    form : where the gradient of the function value comes from: NOTHING where it is not wanted, None where it has none, a
        number (which of the gradients), or a dict of forms
    count : how many gradients belong to the function value
    picks : see `Twins`
    """

    def __init__(self, form, count, total, picks):
        self.form, self.count, self.total = form, count, total
        self.picks = picks or [(k, None) for k in range(total)]

    def __call__(self, found):
        found = found if self.total > 1 else (found,)
        flat = [found[k] if key is None else found[k][key] for k, key in self.picks]
        rest = flat[self.count:]
        parts = tuple(rest) if self.form is NOTHING else (filled(self.form, flat), *rest)
        return parts if len(parts) > 1 else parts[0]

    def undo(self, gradient, saved):
        """The gradient of `found` from that of what the pack made of it."""
        raise ReverseNotImplementedError('derivatives of derivatives of calls with captured values or *args')


def filled(form, flat):
    if isinstance(form, dict):
        return {key: filled(part, flat) for key, part in form.items()}
    return None if form is None else flat[form]


class Without:
    """A function of whose call nothing is wanted."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *args, **keywords):
        return self.function(*args, **keywords), lambda gradient: None


class Starred:
    """A call with `*args` or `**kwargs`: what is wanted is known when it is made."""

    def __init__(self, pullback, function, wrt, captured):
        self.pullback, self.function, self.wrt, self.captured = pullback, function, wrt, captured

    def __call__(self, *args, **keywords):
        named = {w for w in self.wrt if isinstance(w, str)}
        groups = []
        for w in self.wrt:
            if w == '**':
                groups.append([k for k in keywords if k not in named])
            elif isinstance(w, str) and w.endswith(':'):
                groups.append(range(int(w[:-1]), len(args)))
            else:
                groups.append(w)
        flat = [k for g in groups for k in (g if isinstance(g, (list, range)) else [g])]
        flat = [k for k in flat if may_be_wanted(args[k] if isinstance(k, int) else keywords.get(k))]
        value, back = self.pullback(self.function, tuple(flat), self.captured)(*args, **keywords)
        return value, functools.partial(self.regroup, back, groups, flat)

    def regroup(self, back, groups, flat, gradient):
        found = back(gradient)
        count = len(flat) + self.captured
        found = list(found) if count > 1 else [found][:count]
        own = [found.pop(0)] if self.captured else []
        by = dict(zip(flat, found))
        for g in groups:
            if isinstance(g, range):
                own.append(tuple(by.get(k) for k in g))
            else:
                own.append({k: by.get(k) for k in g} if isinstance(g, list) else by.get(g))
        return tuple(own) if len(own) > 1 else own[0]


def may_be_wanted(value):
    return isinstance(value, int) and not isinstance(value, bool) or captures.differentiable(value)


# Kinds

class Spread(NamedTuple):
    """A callable as one function with its first arguments.

    base : the function
    names : names of its free variables that it takes as arguments in front
    lead : the values of these and of further positional arguments
    keywords : keyword arguments
    own : what of these the gradient of the callable is made of: None, a position, a keyword, or a dict
    """
    base: object
    names: tuple = ()
    lead: tuple = ()
    keywords: dict = types.MappingProxyType({})
    own: object = None


def spread(f):
    kind = KINDS.get(type(f))
    if kind is not None:
        return kind(f)
    for name in ('py_func', '__wrapped__'):            # dispatchers of Numba, lru_cache
        inner = getattr(f, name, None)
        if isinstance(inner, types.FunctionType) and not isinstance(f, type) and rules.lookup(f) is None:
            return spread(inner)
    call = getattr(type(f), '__call__', None)
    if isinstance(call, types.FunctionType) and not isinstance(f, type) and rules.lookup(f) is None:
        return spread(types.MethodType(call, f))
    return Spread(f)


def of_function(f):
    f = original(f)
    if f.__closure__ is None:
        return Spread(f)
    library = getattr(getattr(f, 'source', None), 'library', ())
    found = [(name, captures.content(cell)) for name, cell in zip(f.__code__.co_freevars, f.__closure__)
             if name not in library]
    found = [(name, value) for name, value in found if not is_fixed(value, f)]
    own = {name: k for k, (name, value) in enumerate(found) if captures.differentiable(value)}
    return Spread(f, tuple(name for name, _ in found), tuple(value for _, value in found), {}, own or None)


def is_fixed(value, f):
    """Whether a captured value is taken for what it is when the twins are made, as a global is."""
    return value is f or isinstance(value, (type, types.ModuleType, twins.Twin)) \
        or callable(value) and rules.lookup(value) is not None


def of_method(f):
    inner = spread(f.__func__)
    return inner._replace(lead=(*inner.lead, f.__self__), own=len(inner.lead))


def of_partial(f):
    inner = spread(f.func)
    at = len(inner.lead)
    wanted = getattr(f.func, 'captures', None)
    own = {'__func__': inner.own} if inner.own else {}
    for place, value in [*enumerate(f.args), *f.keywords.items()]:
        if captures.differentiable(value) if wanted is None else place in wanted:
            own[place] = place if isinstance(place, str) else at + place
    return inner._replace(lead=inner.lead + f.args, keywords={**inner.keywords, **f.keywords}, own=own or None)


KINDS = {
    types.FunctionType: of_function,
    types.MethodType: of_method,
    functools.partial: of_partial,
}


# Classes

class Constructor:
    """A class whose arguments become fields: a namedtuple, a dataclass."""

    def __init__(self, kind, wrt):
        self.kind = kind
        self.fields = kind._fields if issubclass(kind, tuple) else [f.name for f in dataclasses.fields(kind) if f.init]
        self.names = [w if isinstance(w, str) else self.fields[w] for w in wrt]

    def __call__(self, *args, **keywords):
        return self.kind(*args, **keywords), self.back

    def back(self, gradient):
        if isinstance(gradient, tuple):
            found = tuple(gradient[self.fields.index(n)] for n in self.names)
        else:
            found = tuple(getattr(gradient, n) for n in self.names)
        return found if len(found) > 1 else found[0]


def is_record_class(f):
    return isinstance(f, type) and (issubclass(f, tuple) and hasattr(f, '_fields') or dataclasses.is_dataclass(f)
                                    and '__init__' in vars(f) and f.__init__.__qualname__.endswith('__init__')
                                    and not hasattr(f, '__post_init__'))
