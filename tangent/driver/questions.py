"""One derivative for one question: `(function, parameters, options)`. What was made is given again while it is right."""
import contextlib
import dataclasses
import difflib
import functools
import gc
import inspect
import re
import types
import weakref

from tangent import errors
from tangent.driver import closure_cache, restarts, second_order
from tangent.driver.derivation import Derivation, report
from tangent.driver.dispatch import compiled
from tangent.driver.forward import ForwardDerivation
from tangent.driver.interpreter import deriving
from tangent.driver.ruled_functions import as_function
from tangent.frontend import dependencies
from tangent.frontend.source import assumed, original, unwrap
from tangent.numba.target import typed_stub
from tangent.runtime import facts
from tangent.runtime.seeds import remember
from tangent.templates.language import registry

_known: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()   # function -> {(wrt, options): (derivative, Notes, version)}


def question_of(derivative):
    """(function, wrt, options) for which a derivative was made, or None."""
    derivative = assumed(getattr(derivative, '__func__', derivative))
    for func, entries in list(_known.items()):
        for (wrt, options), (made, *_) in list(entries.items()):
            if made == derivative:
                return func, wrt, options
    return getattr(derivative, 'question', None)


def derivative(func, wrt, options):
    """The derivative of `func`, made anew only if what it depends on, or a rule, has changed since it was made last."""
    if isinstance(func, functools.partial):
        return closure_cache.of_partial(derivative, func, wrt, options)
    try:
        entry = _known[func].get((wrt, options))
    except (KeyError, TypeError):
        entry = None
    if entry is not None and options.verbose < 2 and entry[2] == registry.version() and not entry[1].moved():
        made = entry[0]
        dependencies.note_all(entry[1])
    else:
        made = make(func, wrt, options)
    if options.verbose == 1:
        print(made.source)
    return made


def forget(func, wrt, options):
    """Let go of a derivative."""
    _known.get(func, {}).pop((wrt, options), None)


def for_numba(func, wrt, options, flags):
    """The dispatcher of the derivative, which Numba compiles."""
    there = dataclasses.replace(options, target=flags, classes=frozenset())
    made = derivative(func, wrt, there)
    made.question = getattr(func, 'py_func', func), wrt, there          # for `question_of`, when the dispatcher is gone
    if not hasattr(made, 'written_out'):
        plain = dataclasses.replace(options, verbose=0, in_python=True)
        made.written_out = lambda: derivative(func, wrt, plain)      # what is differentiated again
        made.primal = func, unwrap(original(as_function(func)))[0].__code__.co_argcount
    return made.compiled


def make(func, wrt, options):
    """The derivative of `func`, made now."""
    dependencies.begun()
    with collector_at_rest(), dependencies.noting() as notes:
        dependencies.note(func)
        made = made_now(func, wrt, options, notes)
    plain = getattr(made, '__func__', made)
    if isinstance(plain, types.FunctionType):
        plain.notes = notes
    try:
        _known.setdefault(func, {})[wrt, options] = made, notes, registry.version()
    except TypeError:                      # a list as wrt
        pass
    return made


@contextlib.contextmanager
def collector_at_rest():
    """Trees are many, and hold no cycles: to look for these among them again and again takes a sixth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def made_now(func, wrt, options, notes):
    plain, instance = unwrap(original(as_function(func)))
    dependencies.note(plain)
    names, picks = wanted(plain, wrt, instance is not None)
    reused = options.verbose < 2 and options.target is None
    known = closure_cache.find(plain, (names, picks), options) if reused else None
    derivation = begun(options, picks)
    for_types = options.target and typed_stub.maker(func, plain, options, functools.partial(derived, names, picks, options))

    def once():
        with deriving():
            made = known or derivation.derive(plain, names)
        if not for_types:
            return made
        made.retyped = for_types                   # where Numba cannot compile it
        return typed_stub.stub(made, options.target, for_types) if derivation.shared.guards else made
    written = lambda: derivative(func, wrt, dataclasses.replace(options, target=None, verbose=0, in_python=True))  # noqa: E731
    made = restarts.when_types_are_known(func, plain, once, written, options.target, for_types)
    if known is None and hasattr(derivation, 'functions') and options.target is None:
        closure_cache.keep(plain, (names, picks), options, made, derivation, notes)
    dispatches = facts.is_helper(derivation.shared.get('pullback'))
    if derivation.logged_because is not None or derivation.logged or derivation.writes or dispatches \
            or hasattr(known, 'written_out') or options.batched:
        second_order.attach(made, plain, names, picks, options, derivative)
    if isinstance(made, types.FunctionType):
        remember(made.__code__, [name for name in names if name in inspect.signature(made).parameters])
    if hasattr(plain, 'captures'):
        made.captures, made.variables = plain.captures, plain.variables
    if options.verbose >= 2:
        report('optimized' if options.optimized else 'raw', made.source)
    return made if instance is None else types.MethodType(made, instance)


compiled.ASK.update(compiled=for_numba, plain=derivative)


def begun(options, picks, facts=types.MappingProxyType({})):
    """The derivation of one function, before anything is made."""
    derivation = ForwardDerivation(options) if options.mode == 'forward' else Derivation(options, facts)
    derivation.picks = picks
    return derivation


def derived(names, picks, options, function, facts):
    """The derivative for variables of which it is known what they hold; see `typed_stub`."""
    with deriving():
        return begun(options, picks, facts).derive(function, names)


def wanted(function, wrt, bound=False):
    """(names of the parameters that `wrt` asks for, (which of them, which element of it) for each gradient or None)."""
    code = function.__code__
    count = code.co_argcount - bound
    stars = bool(code.co_flags & inspect.CO_VARARGS), bool(code.co_flags & inspect.CO_VARKEYWORDS)
    only = code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames[bound:only + sum(stars)]
    vararg = code.co_varnames[only] if stars[0] else None
    asked = wrt if isinstance(wrt, (tuple, list)) else (wrt,)
    if not asked:
        raise errors.ArgumentError(f'wrt is empty: name at least one parameter of {function.__name__}')
    picks = []
    for w in asked:
        key = None
        is_array = hasattr(w, 'ndim') and hasattr(w, 'dtype') and (w.ndim > 0 or w.dtype.kind not in 'iu')
        if isinstance(w, bool) or is_array or not (isinstance(w, str) or hasattr(w, '__index__')):
            raise errors.ArgumentTypeError(f'wrt has {w!r}: it takes positions and names of parameters of '
                                           f'{function.__name__}')
        if isinstance(w, str):
            if w not in names:
                raise errors.ArgumentError(f'wrt names {w!r}, but the parameters of {function.__name__} are '
                                           f'{", ".join(names) or "none"}{meant(w, names)}')
        else:
            position = w.__index__()
            if position >= count and vararg is not None:
                w, key = vararg, position - count
            elif not 0 <= position < count:
                raise errors.ArgumentError(no_position(function.__name__, position, names, count))
            else:
                w = names[position]
        if (w, key) in picks:
            raise errors.ArgumentError(f'wrt names {w!r} twice')
        picks.append((w, key))
    names = tuple(dict.fromkeys(w for w, _ in picks))
    plain = all(key is None for _, key in picks)
    return names, None if plain else tuple((names.index(w), key) for w, key in picks)


def meant(name, names):
    """What was probably meant by a name that no parameter has."""
    several = [part for part in re.split(r'[\s,;]+', name) if part]
    if len(several) > 1 and set(several) <= set(names):
        return f': several go into a tuple, wrt={tuple(several)!r}'
    close = difflib.get_close_matches(name, names, 1, 0.5)
    return f': did you mean {close[0]!r}?' if close else ''


def no_position(function, position, names, count):
    """What is said where there is no parameter at a position; behind the first `count` names are those that go by name."""
    if not names:
        return f'{function} takes no arguments: there is nothing to differentiate by; make a parameter of what varies'
    said = f'{function} has no position {position}: it has {count} positional parameter{"s" * (count != 1)}, counted from 0'
    if -count <= position < 0:
        return f'{said}: write wrt={names[position - len(names) + count]!r}, or argnums={position}'
    return said if len(names) == count else f'{said}; others go by name: wrt={names[count]!r}'
