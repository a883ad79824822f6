"""The derivative at a point as a linear map: forward along tangents, backward from gradients, as often as one likes.

`pushing(f, wrt)(args, keywords, tangents)` and `pulling(f, wrt)(args, keywords)` are what the interfaces of other
libraries, Jacobians and checks are made of. What is by several arguments comes as a tuple, and by one too.
"""
import copy
import functools
import inspect
import types

import numpy as np

from tangent import errors
from tangent.driver import questions, ruled_functions, variants
from tangent.driver.options import Options
from tangent.driver.ruled_functions import as_function
from tangent.frontend.source import original, unwrap
from tangent.runtime.functions.complex import conjugated
from tangent.runtime.pytree import leaves, mapped
from tangent.runtime.seeds import check_dims, why_no_gradient
from tangent.runtime.tangents.zeros import zero_tangent

NOT_FORWARD = (errors.ForwardNotImplementedError, errors.TangentParseError)


class Wanted:
    """What is asked for: parameters by name, and the elements of `*args` among them.

    names : the parameters
    picks : for each thing asked for (which parameter, which element of it or None)
    starred : whether seeds and tangents are given by keyword, as nothing else can stand behind `*args`
    """

    def __init__(self, func, wrt):
        plain, instance = unwrap(original(as_function(func)))
        names, picks = questions.wanted(plain, wrt, instance is not None)
        self.names, self.picks = names, picks or [(k, None) for k in range(len(names))]
        self.starred = bool(plain.__code__.co_flags & inspect.CO_VARARGS)

    def picked(self, found):
        """What was asked for, of the gradients of the parameters."""
        return tuple(found[k] if key is None else found[k][key] for k, key in self.picks)

    def whole(self, tangents, values, zero=zero_tangent):
        """The tangents of the parameters, of those of what was asked for; `values` are those of the parameters."""
        made = [None] * len(self.names)
        for (k, key), tangent in zip(self.picks, tangents):
            if key is None:
                made[k] = tangent
            else:
                parts = made[k] or [zero(v) for v in values[k]]
                made[k] = parts[:key] + [tangent] + parts[key + 1:]
        return [tuple(t) if isinstance(values[k], tuple) and isinstance(t, list) else t for k, t in enumerate(made)]

    def call(self, function, args, more, keywords):
        """`function(*args, *more)`, where `more` are its last parameters."""
        if not self.starred:
            return function(*args, *more, **keywords)
        code = getattr(function, '__func__', function).__code__
        last = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount][-len(more):]
        return function(*args, **keywords, **dict(zip(last, more)))


def pulling(func, wrt):
    """A function `(args, keywords) -> (value, pull)`, where `pull(gradient of the value)` gives a tuple of gradients."""
    func = unfilled(func)
    make = functools.cache(lambda in_complex: _pulling(func, wrt, in_complex))
    if not ruled_functions.is_ruled(func):
        make(False)                     # what cannot be derived is refused at once

    def pullable(args, keywords):
        if ruled_functions.is_ruled(func):
            return pulling(ruled_functions.fixed(func, len(args), keywords), wrt)(args, {})
        in_complex = has_complex((args, keywords))
        for name, value in zip(names_of(func, wrt), selected(func, wrt, args, keywords)):
            why = why_no_gradient(value, name)
            if why is not None:
                raise errors.ArgumentTypeError(why)
            if isinstance(value, (bool, np.bool_, str, bytes)) or getattr(value, 'dtype', None) == np.dtype(bool):
                raise errors.ArgumentTypeError(f'wrt asks for the gradient of {name}, which is a {type(value).__name__}: only '
                                               'numbers, arrays and containers of them have one')
        try:
            value, pull = make(in_complex)(args, keywords)
        except errors.ComplexNotImplementedError:
            if in_complex:
                raise
            return make(True)(args, keywords)
        return make(True)(args, keywords) if has_complex(value) and not in_complex else (value, pull)
    return pullable


def unfilled(func):
    """A function in place of a `functools.partial`: one with the parameters that are left; all else as it is."""
    return as_function(func) if isinstance(func, functools.partial) else func


def is_starred(func):
    """Whether the function takes any number of arguments."""
    plain, _ = unwrap(original(as_function(func)))
    return bool(plain.__code__.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS))


def has_complex(value):
    return any(map(np.iscomplexobj, leaves(value)))


def _pulling(func, wrt, in_complex):
    wanted = Wanted(func, wrt)
    options = Options(motion='split', scalar=False, first=False, default=None, check_dims=False, bare=False,
                      in_complex=in_complex)
    guard = variants.derivative(func, wanted.names, options)

    @errors.telling
    def pullable(args, keywords):
        driver = variants.for_arguments(guard, (*args, *keywords.values()))
        if not hasattr(driver, 'parts'):
            return pulling_whole(func, driver, wanted, args, keywords)
        checked = conjugated if getattr(driver, 'in_complex', in_complex) else check_dims
        primal, adjoint = driver.parts
        if isinstance(driver, types.MethodType):
            primal = functools.partial(primal, driver.__self__)
        value, saved = primal(*args, **keywords)
        state, written = [saved], None          # whether the way back writes into arrays that were saved, once it is known

        @errors.telling
        def pull(seed, last=False):
            """Go back; `last` says that it is not asked for again, so that nothing need be kept for that."""
            nonlocal written
            if not state:                       # what was saved cannot be read twice: go forward again
                state.append(primal(*args, **keywords)[1])
            kept = None if last or written else forked(state[0])
            before = contents(kept) if kept is not None and written is None else None
            found = adjoint(checked(value, seed), state.pop())
            if before is not None:
                written = contents(kept) != before
            if kept is not None and not written:
                state.append(kept)
            return wanted.picked((found,) if len(wanted.names) == 1 else found)
        return value, pull
    return pullable


def pulling_whole(func, driver, wanted, args, keywords):
    """The same for a derivative that undoes on its way back what the function wrote: it goes forward again each time."""
    value = func(*copy.deepcopy(args), **keywords)
    complete = completing(func)

    def pull(seed, last=False):
        found = wanted.call(driver, complete(args, keywords), [check_dims(value, seed)], complete.rest(keywords))
        return wanted.picked(found)
    return value, pull


def forked(saved):
    """A copy of what was saved that can be read while the other is used up; None where that is not possible."""
    try:
        return _forked(saved)
    except _Single:
        return None


def contents(saved, seen=None):
    """What is in the arrays that were saved."""
    seen = set() if seen is None else seen
    if isinstance(saved, np.ndarray):
        return [saved.tobytes()]
    if isinstance(saved, (float, int, str)) or callable(saved) or id(saved) in seen:
        return []
    seen.add(id(saved))
    parts = saved if isinstance(saved, (tuple, list)) else saved.values() if isinstance(saved, dict) else \
        getattr(saved, '__dict__', {}).values()
    return [found for part in parts for found in contents(part, seen)]


class _Single(Exception):
    """Something that can be read once."""


def _forked(saved):
    kind = type(saved)
    if kind is tuple:
        return tuple(map(_forked, saved))
    if isinstance(saved, list) and (kind is list or kind.__module__ == 'tangent.runtime.tape'):
        return kind(map(_forked, saved))
    if kind.__module__.startswith('tangent.') \
            and kind.__module__ not in ('tangent.runtime.zeros', 'tangent.driver.rebound_names'):
        raise _Single
    return saved


def pushing(func, wrt, batched=False):
    """A function `(args, keywords, tangents) -> (value, tangent of the value)`.

    batched : the tangents have an axis of directions in front, and so has that of the value
    """
    func = unfilled(func)
    make = functools.cache(lambda in_complex: _pushing(func, wrt, in_complex, batched))
    if not ruled_functions.is_ruled(func):
        make(False)                     # what cannot be derived is refused at once

    def push(args, keywords, tangents):
        if ruled_functions.is_ruled(func):
            return pushing(ruled_functions.fixed(func, len(args), keywords), wrt, batched)(args, {}, tangents)
        in_complex = has_complex((args, keywords, tangents))
        try:
            return make(in_complex)(args, keywords, tangents)
        except errors.ComplexNotImplementedError:
            if in_complex:
                raise
            return make(True)(args, keywords, tangents)
    return push


def _pushing(func, wrt, in_complex, batched=False):
    wanted = Wanted(func, wrt)
    options = Options(mode='forward', default=None, values='before', in_complex=in_complex, batched=batched)
    pushed = variants.derivative(func, wanted.names, options)
    complete = completing(func)

    def push(args, keywords, tangents):
        args, rest = complete(args, keywords), complete.rest(keywords)
        if wanted.starred:
            zero = zero_tangent
            if batched:
                count = len(leaves(tangents)[0])
                zero = lambda v: mapped(lambda y: np.zeros((count, *np.shape(y)), np.result_type(y, 0.0)), v)  # noqa: E731
            tangents = wanted.whole(tangents, [complete.value(n, args, keywords) for n in wanted.names], zero)
        return wanted.call(pushed, args, tangents, rest)
    return push


class completing:
    """A function `(args, keywords) -> args` with all positional parameters in it, defaults too, so that more can follow."""

    def __init__(self, func):
        self.func = func
        self.begin()

    def begin(self):
        """Look at the function, as it is now."""
        self.plain, instance = unwrap(original(as_function(self.func)))
        plain, code = self.plain, self.plain.__code__
        self.now = code, plain.__defaults__, plain.__kwdefaults__
        self.name = plain.__name__
        self.names = code.co_varnames[instance is not None:code.co_argcount]
        self.starred = bool(code.co_flags & inspect.CO_VARARGS)
        stars = self.starred + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        self.all = code.co_varnames[instance is not None:code.co_argcount + code.co_kwonlyargcount + stars]
        defaults = plain.__defaults__ or ()
        self.defaults = dict(zip(self.names[len(self.names) - len(defaults):], defaults))
        self.only = plain.__kwdefaults__ or {}

    def __call__(self, args, keywords):
        if self.now != (self.plain.__code__, self.plain.__defaults__, self.plain.__kwdefaults__):
            self.begin()
        args = tuple(args)
        if len(args) > len(self.names) and not self.starred:
            raise errors.ArgumentTypeError(f'{self.name}() takes {len(self.names)} arguments by position, not {len(args)}')
        if len(args) >= len(self.names):
            return args
        rest = []
        for name in self.names[len(args):]:
            if name not in keywords and name not in self.defaults:
                raise errors.ArgumentTypeError(f'{self.name}() misses its argument {name!r}')
            rest.append(keywords[name] if name in keywords else self.defaults[name])
        return (*args, *rest)

    def value(self, name, args, keywords):
        """The value of a parameter."""
        if name not in self.all:
            raise errors.ArgumentError(f'wrt names {name!r}, but the parameters of {self.name} are '
                                       f'{", ".join(self.all) or "none"}{questions.meant(name, self.all)}')
        if name in self.names:
            return args[self.names.index(name)]
        return keywords[name] if name in keywords else self.only.get(name, args[len(self.names):])

    def defaults_of(self, names):
        """The defaults of the last of these parameters, as a tuple."""
        return tuple(self.defaults[n] for n in names if n in self.defaults) or None

    def rest(self, keywords):
        """The keywords that are no positional parameters."""
        return {key: value for key, value in keywords.items() if key not in self.names} if keywords else {}


def selected(func, wrt, args, keywords):
    """The arguments that `wrt` asks for, as a tuple."""
    complete = completing(func)
    given = complete(args, keywords)
    found = []
    for w in wrt if isinstance(wrt, (tuple, list)) else (wrt,):
        if not isinstance(w, str) and not 0 <= w < len(given):
            many = f'wrt has position {w}, and {complete.name} is called with {len(given)} arguments'        # among *args
            few = questions.no_position(complete.name, w, complete.all, len(complete.names))
            raise errors.ArgumentError(many if len(given) > len(complete.names) else few)
        found.append(complete.value(w, given, keywords) if isinstance(w, str) else given[w])
    return tuple(found)


def names_of(func, wrt):
    """The names of the arguments that `wrt` asks for."""
    names = completing(func).names
    return [w if isinstance(w, str) else names[w] if w < len(names) else f'argument {w}'
            for w in (wrt if isinstance(wrt, (tuple, list)) else (wrt,))]


def made_complex(func, wrt, args, keywords):
    """The arguments, with those that `wrt` asks for as complex numbers."""
    complete = completing(func)
    args, keywords = list(complete(args, keywords)), complete.rest(keywords)
    for w in wrt if isinstance(wrt, (tuple, list)) else (wrt,):
        if isinstance(w, str) and w not in complete.names:
            keywords[w] = mapped(as_complex, keywords[w])
        else:
            k = complete.names.index(w) if isinstance(w, str) else w
            args[k] = mapped(as_complex, args[k])
    return tuple(args), keywords


def as_complex(x):
    return x.astype(np.result_type(x, np.complex64)) if isinstance(x, np.ndarray) else complex(x)
