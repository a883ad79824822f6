"""Calls of functions that Numba compiles, in text that CPython runs: their derivatives are compiled, too.

    y = kepler(M, e)    ->    y = kepler(M, e)      ...      bM = kepler_adjoint(M, e, by)        reverse mode
                              y, dy = kepler_tangent(M, e, dM)                                    forward mode

The adjoint computes the values of the function again, compiled: that costs less than a tape which is handed from compiled
code to CPython and back. It is for functions that depend on their arguments alone, and leave them as they are. Where Numba does
not compile the derivative for some arguments, CPython runs it.
"""
import functools
import inspect
import types
import weakref

import gast
import numpy as np

from tangent.analysis.effects import Effects
from tangent.driver.options import Options
from tangent.emit.build import Part, build
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, Resolver
from tangent.frontend.source import read
from tangent.numba.options import flags_of, is_refusal
from tangent.runtime import facts
from tangent.templates.language import registry

# What is asked of modules that import this: of `questions` (compiled, plain), `reverse` (pullback) and `forward` (pushed)
ASK: dict = {}
PLAIN = frozenset('numpy math cmath builtins operator'.split())     # packages whose functions depend on their arguments alone
ARRAYS = frozenset(n for n in dir(np.ndarray) if not n.startswith('_'))
_repeatable: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()    # dispatcher -> what `is_repeatable` says of it


class Compiled:
    """A derivative of a function that Numba compiles, by some of its parameters.

    Parameters
    ----------
    function : dispatcher
    wrt : tuple of str
    options : Options
    """

    def __init__(self, function, wrt, options):
        self.function, self.wrt, self.options = function, wrt, options
        self.left = set()                 # types of arguments for which Numba does not compile it
        self.__name__ = f'd{function.__name__}'

    @functools.cached_property
    def compiled(self):
        """The same compiled, as far as it can be derived for that."""
        try:
            return ASK['compiled'](self.function, self.wrt, self.options, flags_of(self.function))
        except TangentError:
            return self.py_func

    @functools.cached_property
    def py_func(self):
        """The same as CPython runs it: what is differentiated again."""
        return ASK['plain'](self.function.py_func, self.wrt, self.options)

    text = property(lambda self: self.py_func, doc='What is written where the derivative is exported.')

    def __call__(self, *args):
        if isinstance(args[-1], list):             # the gradient of a tuple, element by element
            args = (*args[:-1], as_tuple(args[-1]))
        kinds = tuple(map(type, args))
        compiled = self.py_func if kinds in self.left else self.compiled
        try:
            return compiled(*args)
        except Exception as error:
            if not is_refusal(error):
                raise
        self.left.add(kinds)
        return self.py_func(*args)


def as_tuple(b):
    return tuple([as_tuple(part) for part in b]) if isinstance(b, list) else b


@functools.lru_cache(maxsize=1024)
def adjoint_of(function, wrt):
    """What gives the gradients by some parameters, of the arguments and the gradient of the value."""
    return Compiled(function, wrt, Options(check_dims=False, default=None, scalar=False, first=False))


def shares(value, args):
    """Whether a value may be, or hold, memory of one of the arguments: then what is written into one is written into the other,
    and their gradients have to be one, too."""
    if isinstance(value, (tuple, list)):
        return any(shares(part, args) for part in value)
    return isinstance(value, np.ndarray) and any(isinstance(a, np.ndarray) and np.may_share_memory(value, a) or isinstance(
        a, (tuple, list)) and shares(value, a) for a in args)


class Pushed:
    """The value of such a function and its tangent, of the arguments and the tangents of some parameters."""

    def __init__(self, function, wrt):
        self.function, self.wrt = function, wrt
        self.tangent = Compiled(function, wrt, Options(mode='forward', check_dims=False))
        own = list(inspect.signature(function.py_func).parameters)
        names = tree.Names(own)
        self.given = tuple([names.fresh(f'd{p}') for p in wrt])
        self.names, self.count = (*own, *self.given), len(own)
        self.__name__ = f'{function.__name__}_tangent'

    @functools.cached_property
    def py_func(self):
        """The same as CPython runs it, where the tangent shares the memory of tangents as the value does that of arguments."""
        return ASK['pushed'](self.function.py_func, self.names[:self.count], self.given, self.wrt)

    @functools.cached_property
    def text(self):
        """What is written where it is exported: the pair, for values that share no memory with arguments."""
        taken = tree.Names(self.names)
        value, tangent = taken.fresh(self.function.__name__), taken.fresh(self.tangent.__name__)
        names = ', '.join(self.names)
        text = f'def {self.__name__}({names}):\n    return {value}({", ".join(self.names[:self.count])}), {tangent}({names})\n'
        parts, library = [Part(self.__name__, {'__name__': '__main__'})], {value: self.function, tangent: self.tangent.py_func}
        return build(text, parts, library, self.__name__)[self.__name__]

    def __call__(self, /, *args, **keywords):
        if keywords:
            args = (*args, *(keywords[n] for n in self.names[len(args):]))
        given = args[:self.count]
        value = self.function(*given)
        return self.py_func(*args) if shares(value, given) else (value, self.tangent(*args))


class Pulled:
    """What is called in the place of such a function where `pullback` is asked for it, by some of its positions."""

    def __init__(self, function, wrt):
        self.function, self.wrt = function, wrt
        self.signature = inspect.signature(function.py_func)
        names = list(self.signature.parameters)
        self.count, self.adjoint = len(names), adjoint_of(function, tuple([names[k] for k in wrt]))

    def __call__(self, /, *args, **keywords):
        return self.apart(args, keywords) or ASK['pullback'](self.function.py_func, self.wrt)(*args, **keywords)

    def apart(self, args, keywords):
        """The value and the way back, or None where the value shares memory with arguments."""
        if keywords or len(args) != self.count:
            bound = self.signature.bind(*args, **keywords)
            bound.apply_defaults()
            args = bound.args
        value = self.function(*args)
        return None if shares(value, args) else (value, functools.partial(self.adjoint, *args))


def pulled(function, wrt):
    """The Pulled of a callable for the places wanted; None where it is no such function, or something else is wanted."""
    plain = is_compiled(function) and all(type(k) is int for k in wrt)
    return made(Pulled, function, wrt) if plain else None


def pushed(function, args, tangents):
    """The value of a call and its tangent; None where the derivative of the callable is not compiled."""
    if not is_compiled(function):
        return None
    names = inspect.signature(function.py_func).parameters
    call = made(Pushed, function, tuple([n for n, t in zip(names, tangents) if t is not None]))
    return None if call is None or len(args) != len(names) else call(*args, *(t for t in tangents if t is not None))


@functools.lru_cache(maxsize=1024)
def made(kind, function, wrt):
    """A Pulled or Pushed, the same one for the same question; None where nothing is wanted."""
    return kind(function, wrt) if wrt else None


def is_compiled(function):
    """Whether calls of a function are differentiated by a derivative that Numba compiles."""
    if flags_of(function) is None or registry.lookup(function) is not None or registry.custom(function) is not None:
        return False
    if function not in _repeatable:
        _repeatable[function] = is_repeatable(function, set())
    return _repeatable[function]


def is_repeatable(function, seen):
    """Whether a compiled function has a name for each argument, gives the same again for the same ones, and changes none."""
    if function in seen:
        return True
    seen.add(function)
    plain = function.py_func
    effect = Effects().of(plain)
    named = all(p.kind is p.POSITIONAL_OR_KEYWORD for p in inspect.signature(plain).parameters.values())
    if not named or not effect.read or effect.writes or effect.updates or effect.unsure or effect.deep or effect.raises \
            or effect.iterator or inspect.isgeneratorfunction(plain):
        return False
    source = read(plain)
    resolver = Resolver(source)
    return not any(isinstance(n, (gast.With, gast.Lambda, gast.FunctionDef, gast.Yield)) for n in source.nodes
                   if n is not source.tree) and all(
        is_repeatable_call(n, resolver, seen) for n in source.nodes if isinstance(n, gast.Call))


def is_repeatable_call(call, resolver, seen):
    found = resolver(call.func)
    if found is UNKNOWN:
        return isinstance(call.func, gast.Attribute) and call.func.attr in ARRAYS
    if flags_of(found) is not None:
        return is_repeatable(found, seen)
    owner = getattr(found, '__self__', None)               # of functions of `numpy.random` their common generator
    return facts.home(found) in PLAIN and facts.of(found).pure \
        and (owner is None or isinstance(owner, types.ModuleType))
