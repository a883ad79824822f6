"""The log form of functions that are called while another log form runs: made once for each code object."""
import dataclasses
import functools
import inspect
import types

import numpy as np

from tangent.analysis.effects import Effects
from tangent.analysis.fences.overwritten import refuse_kept_by
from tangent.analysis.kinds.participants import RUNNING, of_call
from tangent.driver.derivation import Derivation
from tangent.driver.dispatch.callables import spread
from tangent.driver.dispatch.reverse import pullback
from tangent.driver.interpreter import deriving
from tangent.driver.log_form import derive_logged
from tangent.driver.options import Options
from tangent.emit.signature import lifted
from tangent.errors import AliasError, ArgumentError, TangentParseError
from tangent.eventlog.shadow.iterators import Counted
from tangent.eventlog.shadow.values import OWN
from tangent.frontend import dependencies, scopes
from tangent.frontend.closures import lambda_lifting
from tangent.frontend.resolve import Resolver
from tangent.frontend.source import original, read
from tangent.runtime import captures, facts
from tangent.runtime.references.table import is_substitute
from tangent.templates.language import registry

# (id of the code, wanted arguments, captures, number of arguments, keywords, ...) -> (Form, or None: the pretty form; the code,
# Notes, what it has captured and was taken for what it is)
_forms: dict = {}


class Form:
    """The emitted pair for one code object.

    names : parameters whose gradients the adjoint returns
    kwarg : the dict of further keywords, if it is one of them: the forward pass is given it as it is
    """

    def __init__(self, function, primal, adjoint, names):
        self.code, self.primal, self.adjoint, self.names = function.__code__, primal, adjoint, names
        self.defaults = function.__defaults__, function.__kwdefaults__
        self.generator = inspect.isgeneratorfunction(function)
        self.kwarg = kwarg_of(self.code) if kwarg_of(self.code) in names else None

    def whole(self, args, keywords):
        """The arguments of a call with those of `*args` and `**kwargs` as one tuple and one dict, given by name."""
        code = self.code
        known = code.co_varnames[code.co_posonlyargcount:code.co_argcount + code.co_kwonlyargcount]
        given = {k: v for k, v in keywords.items() if k in known}
        given[self.kwarg] = {k: v for k, v in keywords.items() if k not in known}
        if vararg_of(code) is not None:
            given[vararg_of(code)] = args[code.co_argcount:]
        return args[:code.co_argcount], given

    def functions(self, function):
        """The pair for one closure made from the code, or for the function itself; one made anew has its own defaults."""
        defaults, kwdefaults = self.defaults
        if not function.__closure__ and defaults is function.__defaults__ and kwdefaults is function.__kwdefaults__:
            return self.primal, self.adjoint
        own = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        return with_cells(self.primal, own, function), self.adjoint

    def keys(self, shift):
        """A function that makes of the adjoint's return value a dict: position, keyword or 'self' -> gradient."""
        code = self.code
        places = code.co_varnames[:code.co_argcount]
        vararg, kwarg = vararg_of(code), kwarg_of(code)

        def spread(found):
            out = {}
            for name, g in zip(self.names, found if len(self.names) > 1 else (found,)):
                if name == vararg:
                    out.update((len(places) - shift + k, part) for k, part in enumerate(g or ()))
                elif name == kwarg:
                    out.update(g or {})
                else:
                    out[name] = g
                    if name in places:
                        at = places.index(name) - shift
                        out[at if at >= 0 else OWN] = g
            return out
        return spread


def vararg_of(code):
    """The name of `*args`, or None."""
    return code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & 4 else None


def kwarg_of(code):
    """The name of `**kwargs`, or None."""
    return code.co_varnames[code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4)] if code.co_flags & 8 else None


def with_cells(made, own, function):
    """An emitted function in the closure of another function made from the same code."""
    cells = tuple(own.get(name, cell) for name, cell in zip(made.__code__.co_freevars, made.__closure__ or ()))
    new = types.FunctionType(made.__code__, made.__globals__, made.__name__, function.__defaults__, cells)
    new.__kwdefaults__ = function.__kwdefaults__
    return new


def form_of(function, wanted, captured, args, keywords, in_complex=False, cut=True):
    """(the Form for a call of a function, or None where its pretty form will do; what that depends on).

    In complex form there is no other.
    """
    calls = is_substitute(function) and any(
        [isinstance(a, (types.FunctionType, types.MethodType, functools.partial)) for a in (*args, *keywords.values())])
    # (equal texts of ours have equal code objects, whatever they have captured)
    taken, held = (spread(function).names, environment(function)) if function.__closure__ else ((), ())
    again = drained(function, args, keywords)
    lists = any([type(a) in (list, tuple) for a in (*args, *keywords.values())])
    own = own_defaults(function, len(args), keywords) if captured and (function.__defaults__ or function.__kwdefaults__) else ()
    key = id(function.__code__), wanted, captured, len(args), tuple(keywords), in_complex, calls, taken, \
        cut, again, lists, own, RUNNING.classes, *map(id, held)
    entry = _forms.get(key)
    if entry is None or entry[2].moved():         # what is called may write, which the pretty form of `map` does not follow
        with deriving(), dependencies.noting() as notes:
            again = again or lists and joins(function)
            again = again or own or captured and facts.home(function) not in ('numpy', 'scipy') and captures_more(function)
            found = None if not (in_complex or calls or again) and pretty(function, wanted, captured, taken) else \
                make(function, (*parameters(function, wanted), *own), captured, in_complex, cut)
        entry = _forms[key] = found, function.__code__, notes.without(function), held       # these stay alive, as their ids do
    else:
        dependencies.note_all(entry[2])
    return entry[0], entry[2]


def pretty(function, wanted, captured, taken):
    if inspect.isgeneratorfunction(function) or hands_on(function, taken) or raises(function) or hands_down(function, taken):
        return False
    try:
        found = pullback(function, wanted, captured)
    except (TangentParseError, AliasError, ArgumentError):
        return False
    return not getattr(getattr(found, 'twins', found), 'logged', False)


def drained(function, args, keywords):
    """Whether a function of the user's goes through an iterator that it is given more than once, or leaves some of it: in its
    place the pretty form has a list of all, which gives all once more."""
    if not any([isinstance(a, Counted) for a in (*args, *keywords.values())]) or facts.in_library(function):
        return False
    return bool(Effects(sight=of_call(function)).again(function, True))


def joins(function):
    """Whether a function of the user's may join or repeat lists that it is given: its pretty form takes them for arrays."""
    if facts.in_library(function) or is_substitute(function):
        return False
    return bool(Effects(sight=of_call(function)).of(function).summed)


def hands_on(function, taken):
    """Whether a function gives its arguments to functions that are known only when running, and may write into them.

    taken : the variables it has captured that its pretty form takes for parameters: another closure has others in them
    """
    effects = Effects(sight=of_call(function))
    if not taken:
        return effects.knows(function) and bool(effects.of(function).unsure)
    source = read(original(function))
    return bool(effects.of_source(dataclasses.replace(source, tree=lifted(source.tree, taken))).unsure)


def hands_down(function, taken):
    """Whether function values that a function makes have captured what it has, and may read it when it is bound anew."""
    if not taken:
        return False
    source = read(original(function))
    is_let_go = lambda_lifting.lets_go(Resolver(source), Effects(sight=of_call(function)))
    return not scopes.held_inside(source.tree, is_let_go).isdisjoint(taken)


def raises(function):
    """Whether a function raises what a handler may ask for values: its log tells where these came from."""
    effects = Effects(sight=of_call(function))
    return effects.knows(function) and effects.of(function).raises


def parameters(function, wanted):
    """Names of parameters for positions and keywords of arguments, the vararg and the kwarg among them."""
    code = function.__code__
    names = code.co_varnames
    count, only = code.co_argcount, code.co_kwonlyargcount
    found = {}
    for w in wanted:
        if type(w) is int:
            found[names[w] if w < count else names[count + only]] = None
        else:
            known = w in names[code.co_posonlyargcount:count + only]
            found[w if known else names[count + only + bool(code.co_flags & 4)]] = None
    return tuple(found)


FIXED = (str, bytes, bool, type, types.ModuleType, types.BuiltinFunctionType)


def may_carry(value):
    """Whether what is captured may come to hold something with a derivative; an empty list may, and default values."""
    if isinstance(value, types.FunctionType):
        return bool(value.__closure__) or has_memory(value)
    return not isinstance(value, FIXED)


def environment(function, seen=()):
    """What a closure has captured, as far as its text depends on it: functions, and what these have captured; classes and
    modules; for other things their classes, None for what has no derivative."""
    found = []
    for value in map(captures.content, function.__closure__ or ()):
        if isinstance(value, types.FunctionType):
            found += [value.__code__, may_carry(value), *(environment(value, (*seen, function)) if value not in seen else ())]
        elif isinstance(value, (type, types.ModuleType)) or callable(value) and registry.lookup(value) is not None:
            found.append(value)
        else:
            found += [type(value) if may_carry(value) else None, captures.holds_counts(value)]
    return found


def own_defaults(function, count, keywords):
    """The parameters that have their default values in a call, and keep there what the function writes or its caller may."""
    names = function.__code__.co_varnames[:function.__code__.co_argcount]
    defaults = {**dict(zip(reversed(names), reversed(function.__defaults__ or ()))), **(function.__kwdefaults__ or {})}
    found = [name for name, value in defaults.items() if name not in names[:count] and name not in keywords and changes(value)]
    if not found or facts.in_library(function) or is_substitute(function):
        return ()
    effect = Effects(sight=of_call(function)).of(function)
    kept = {*effect.writes, *effect.deep, *effect.unsure, *(found if effect.kept is None else effect.kept)}
    return tuple([name for name in found if name in kept])


def changes(value):
    """Whether a default value may come to hold something with a derivative; a tuple holds what it holds."""
    if type(value) is tuple:
        return any(map(changes, value))
    return may_carry(value) and not isinstance(value, (int, float, complex, np.number, types.NoneType))


def has_memory(function):
    """Whether a function has default values that may come to hold something with a derivative."""
    return any(map(changes, (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())))


def captures_more(function, seen=()):
    """Whether a closure, or one that it has captured, has captured what the pretty form takes for constants: integers, and
    functions whose default values may change."""
    return any(captures.holds_counts(value) or isinstance(value, types.FunctionType) and value not in seen
               and (has_memory(value) or captures_more(value, (*seen, function)))
               for value in map(captures.content, function.__closure__ or ()))


def make(function, names, captured, in_complex, cut):
    free = ()
    if captured and function.__closure__:
        free = tuple(name for name, cell in zip(function.__code__.co_freevars, function.__closure__)
                     if may_carry(captures.content(cell)))
    refuse_kept_by(function, names, Effects(sight=of_call(function)))
    derivation = Derivation(Options(scalar=False, first=False, in_complex=in_complex, classes=of_call(function), later=True))
    with deriving():
        primal, adjoint = derive_logged(derivation, read(original(function)), names, free,
                                        kwarg_of(function.__code__) in names, cut)
    return Form(function, primal, adjoint, names)
