"""Forward mode of calls of functions that are known only when running: their twins are found, or made, where the call is.

    y, dy = pushforward(f, (x, n), (dx, None))

As for `pullback` the tangent of a function value is a dict of the tangents of what it captured, by name; that of a bound
method is that of its object.
"""
import collections
import contextlib
import dataclasses
import functools
import inspect
import types

import gast
import numpy as np

from tangent.analysis.fences.overwritten import refuse_read_elsewhere
from tangent.analysis.kinds.participants import RUNNING, of_call
from tangent.analysis.messages.communication import communicates
from tangent.driver import restarts
from tangent.driver.dispatch import compiled
from tangent.driver.dispatch.again import Shape, in_front, owned, written
from tangent.driver.dispatch.callables import (
    Again,
    Back,
    Call,
    Late,
    Spread,
    Twins,
    Without,
    in_first,
    of_keys,
    same_defaults,
    spread,
    with_nothing,
    without,
)
from tangent.driver.dispatch.log_functions import changes
from tangent.driver.dispatch.operators import found_above, kept_before, standing
from tangent.driver.dispatch.processes import PUSHED
from tangent.driver.dispatch.reverse import AGAIN, OURS, around, goes_by_text, resolved, writes_into
from tangent.driver.forward import ForwardDerivation
from tangent.driver.interpreter import deriving
from tangent.driver.options import Options
from tangent.emit.build import Part, build
from tangent.emit.signature import lifted
from tangent.errors import AliasError, ArgumentTypeError, ForwardNotImplementedError, ReverseNotImplementedError
from tangent.eventlog.shadow.gradients import alike
from tangent.frontend import dependencies, tree
from tangent.frontend.source import is_manager, keeps_to_itself, read
from tangent.runtime import captures
from tangent.runtime.fields import IN_PLACE
from tangent.runtime.functions.operators import OPERATIONS
from tangent.runtime.objects import Record, attributes
from tangent.runtime.references.table import standing_in
from tangent.runtime.tangents.contexts import PushedContext, of_context
from tangent.runtime.tangents.conversions import directions, zero_directions
from tangent.runtime.tangents.thrown import initialized, thrown
from tangent.runtime.tangents.views import VIEWS
from tangent.runtime.tangents.yielded import drained
from tangent.runtime.tangents.zeros import OfModule, OfNumberless, OfSet, zero_tangent
from tangent.runtime.zeros import init_grad
from tangent.templates.language import registry
from tangent.templates.python import mutations

_known: dict = {}        # (id of a code object, names of wanted parameters, free variables) -> Pushed, which keeps it alive

TO_OTHERS: list = []        # `tasks.pushed`, for functions that hand calls to others to run
WRITING = frozenset(['__setitem__', '__setattr__', *(f'__{name}__' for name in IN_PLACE)])


def pushforward(f, args, tangents, keywords=types.MappingProxyType({}), dkeywords=types.MappingProxyType({}), df=None, *,
                batched=False):
    """The value of a call and its tangent.

    Parameters
    ----------
    f : callable
    args, keywords : tuple, dict
        What it is called with.
    tangents, dkeywords : tuple, dict
        The tangents of these, None for those that have none.
    df : object
        The tangent of `f` itself, None where it has none.
    batched : bool
        The tangents are `Directions`.

    Returns
    -------
    tuple
        (value, tangent)

    Examples
    --------
    >>> pushforward(lambda x, n: x * n, (3.0, 2), (1.0, None))
    (6.0, 2.0)
    """
    tangents, dkeywords, df = without_constants(tangents, dkeywords, of_owner(df))
    if (found := handed_on(f, args, tangents, keywords, dkeywords, df)) is not None:
        return found
    if type(f) is Pushing:
        keywords, dkeywords = ({**given, 'df': of_owner(given['df'])} if 'df' in given else given
                               for given in (keywords, dkeywords))
    if df is not None and isinstance(f, types.BuiltinMethodType) and isinstance(f.__self__, dict) and f.__name__ in VIEWS:
        return f(), VIEWS[f.__name__](df)                  # a view shows what the dict holds when it is looked at
    if (found := of_context(f, args)) is not None:
        return found
    if (generator := generator_of(f)) is not None and any(t is not None for t in (df, *tangents, *dkeywords.values())):
        values, _ = pushforward(generator, args, tangents, keywords, dkeywords, df, batched=batched)
        return (PushedContext(values.pairs),) * 2
    refuse_stacked(f, (*tangents, *dkeywords.values()))
    if df is None:
        refuse_written(f, args, tangents, dkeywords)
    if (compute := kept_before(f, args, tangents)) is not None:
        value, moved = pushforward(compute, args[:1], tangents[:1], batched=batched)
        if not alike(value, vars(args[0])[args[1]]):
            raise AliasError(f'{type(args[0]).__name__}.{args[1]} was computed from other values than the object has now')
        return vars(args[0])[args[1]], moved
    if isinstance(f, type) and issubclass(f, BaseException):
        return _thrown(f, args, tangents, keywords, dkeywords, batched)
    if initializes_exception(f):
        return initialized(f, args, tangents, keywords, df), None
    f, df = standing(standing_in(f), args, keywords), tangent_of_callable(f, df)
    if isinstance(f, type) and '__init__' in dir(f) and isinstance(f.__init__, types.FunctionType) \
            and registry.lookup(f) is None:
        return _constructed(f, args, tangents, keywords, dkeywords, batched)       # its `__init__` is Python code
    if hasattr(type(f), 'by_reverse'):
        f = f.by_reverse()
    if isinstance(f, WITH_BACK):
        return _with_back(f, args, tangents, keywords, dkeywords, df, batched)
    return _pushed(f, args, tangents, keywords, dkeywords, df, batched)


def without_constants(tangents, dkeywords, df):
    """The tangents, None for those of modules and texts."""
    found = [None if type(t) in (OfModule, OfNumberless) else t for t in (*tangents, df)]
    return tuple(found[:-1]), {k: t for k, t in dkeywords.items() if type(t) not in (OfModule, OfNumberless)}, found[-1]


def handed_on(f, args, tangents, keywords, dkeywords, df):
    """The value and the tangent of a call of a function that hands calls to others to run; None for other functions."""
    if type(f) is Pushing and (found := context_again(f.function, args, tangents, keywords, dkeywords, df)) is not None:
        return found
    if isinstance(f, types.MethodType) and f.__func__ in PUSHED:
        return PUSHED[f.__func__](pushforward, f.__self__, args, tangents, keywords, dkeywords)
    keys = of_keys(f, args)
    if registry.dispatched(f) is None and not keys:
        return None
    if keys or df is None and not any(t is not None for t in (*tangents, *dkeywords.values())):
        value = f(*args, **keywords)
        return value, zero_tangent(value)
    return TO_OTHERS[0](f, args, tangents, keywords, dkeywords, df)


def initializes_exception(f):
    """Whether it is the `__init__` of an exception's that is written in C: it keeps what it is given."""
    return isinstance(f, types.MethodWrapperType) and f.__name__ == '__init__' and isinstance(f.__self__, BaseException)


def generator_of(f):
    """The generator function, or method, that makes the context which a call of `f` gives; None where it gives none."""
    function = f.__func__ if isinstance(f, types.MethodType) else f
    if not isinstance(function, types.FunctionType) or not is_manager(function):
        return None
    generator = function.__wrapped__
    return types.MethodType(generator, f.__self__) if function is not f else generator


def context_again(f, args, tangents, keywords, dkeywords, df):
    """What the forward pass does, in forward mode, with a function that makes a context of a generator, or with a method of
    such a context: its generator gives (value, tangent) and the tangents of both. None for others."""
    if (found := of_context(f, args[0])) is not None:
        return found if f.__name__ == '__enter__' else (found, (None, None))
    if (known := twin_of_manager(f, *args, df=keywords.get('df'))) is None:
        return None
    parts, along, twin = known
    given = *parts.lead, *args[0]
    moved, again = (of_whole(parts, f, owner, found or [None] * len(args[0]))
                    for owner, found in ((df, tangents[0]), (dkeywords.get('df'), tangents[1])))
    values, _ = pushforward(twin.twin, given, moved, twin.given(given, along), twin.given(given, again))
    return ((PushedContext(values.pairs),) * 2,) * 2


def twin_of_manager(f, args, tangents, *more, df=None):
    """For a call of a function that makes a context of a generator: (what calls the generator, the tangents of all that this is
    given, its twin); None where none is known."""
    generator = generator_of(f)
    if generator is None or more:
        return None
    parts = spread(generator)
    along = of_whole(parts, f, df, tangents)
    return (parts, along, _twin(parts.base, *_given(along, {}), parts)) if any(t is not None for t in along) else None


def of_whole(parts, f, df, tangents):
    """The tangents of all arguments, those in front that the callable brings itself among them."""
    return *_own(f, parts, of_owner(df))[0], *tangents


def of_owner(df):
    """The tangent of what a method is of, for `dpush = dxs.append` beside `push = xs.append`; a set has none."""
    if isinstance(df, OfSet):
        return None
    return df.__self__ if isinstance(df, (types.BuiltinMethodType, types.MethodType)) else df


def _pushed(f, args, tangents, keywords, dkeywords, df, batched=False):
    if captures.of_text(f, *args, *keywords.values()):
        value = f(*args, **keywords)
        return value, zero_tangent(value)
    if not (keywords or batched) and df is None and (found := compiled.pushed(f, args, tangents)) is not None:
        return found
    parts = _parts(f, args, keywords)
    lead, more = _own(f, parts, df)
    args, tangents = (*parts.lead, *args), (*lead, *tangents)
    if parts.keywords:
        held = {name: d for name, d in more.items() if name not in keywords}        # the others have a new value
        keywords, dkeywords = {**parts.keywords, **keywords}, {**held, **dkeywords}
    given = _given(tangents, dkeywords)
    if not any(given) and not communicates(parts.base):
        value = f(*args[len(parts.lead):], **keywords) if not parts.keywords else parts.base(*args, **keywords)
        return value, zero_tangent(value)
    base = parts.base
    if not goes_by_text(base, 'forward'):
        refuse_drawn(base)
        base = around(base, len(args), tuple(keywords), 'forward')
    made = _twin(base, *given, parts, batched)
    if not batched:
        tangents, dkeywords = several_given(base, args, tangents, keywords, dkeywords)
    lost = made.lost_of(base, len(args), keywords)
    if not lost:
        return made(args, tangents, keywords, dkeywords)
    count = directions(*tangents, *dkeywords.values()) if batched else None
    watched = {k: zero_directions(keywords[k] if k in keywords else args[k], count) for k in lost}
    tangents = [watched.get(k, t) for k, t in enumerate(tangents)]
    dkeywords = {**dkeywords, **{k: d for k, d in watched.items() if k in keywords}}
    found = _twin(base, *_given(tangents, dkeywords), parts, batched)(args, tangents, keywords, dkeywords)
    for k, d in watched.items():               # tangents that are lost: who reads what was written takes it for passive
        if is_nonzero(d, set()):
            raise writes_into(lost[k], read(base))
    return found


def tangent_of_callable(f, df):
    """The tangent of what is called; a method of a signature, a text or the like has none."""
    return None if isinstance(getattr(f, '__self__', None), captures.NUMBERLESS) else df


def several_given(base, args, tangents, keywords, dkeywords):
    """The tangents, with zeros for numbers among those that `*args` and `**more` of a function hold: who reads one of these
    does not know which it is."""
    code = getattr(base, '__code__', None)
    flags = getattr(code, 'co_flags', 0)
    if flags & inspect.CO_VARARGS and any(tangent is not None for tangent in tangents[code.co_argcount:]):
        tangents = tuple([zero_tangent(x) if d is None and k >= code.co_argcount else d
                          for k, (x, d) in enumerate(zip(args, tangents))])
    if flags & inspect.CO_VARKEYWORDS and any(d is not None for d in dkeywords.values()):
        own = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
        dkeywords = {n: zero_tangent(keywords[n]) if d is None and n not in own and n in keywords else d
                     for n, d in dkeywords.items()}
    return tangents, dkeywords


def is_nonzero(tangent, seen):
    """Whether anything in a tangent is not zero."""
    if tangent is None or isinstance(tangent, (str, OfModule, OfNumberless)) or id(tangent) in seen:
        return False
    seen.add(id(tangent))
    if isinstance(tangent, (list, tuple, collections.deque)):
        return any(is_nonzero(t, seen) for t in tangent)
    if isinstance(tangent, dict):
        return any(is_nonzero(t, seen) for t in tangent.values())
    if isinstance(tangent, Record):
        return any(is_nonzero(t, seen) for t in attributes(tangent).values())
    return bool(np.any(getattr(tangent, 'd', tangent)))


def refuse_written(f, args, tangents, dkeywords):
    """Refuse methods, written in C, that write what has a tangent into something that has none, and descriptors that do."""
    refuse_kept(f, args, tangents)
    tangents = *tangents, *dkeywords.values()
    method = isinstance(f, (types.BuiltinMethodType, types.MethodWrapperType)) and not isinstance(f.__self__, types.ModuleType)
    if method and (mutations.of(f.__name__).writes or f.__name__ in WRITING) and any(is_nonzero(t, set()) for t in tangents):
        raise AliasError(f'the method {f.__name__} of a {type(f.__self__).__name__} writes a value with a derivative into it, '
                         'which its caller may read: call it where the object has a name')


def refuse_kept(f, args, tangents):
    """Refuse descriptors of the user's that keep in themselves, for all objects, what has a tangent: they have none."""
    reads = f is getattr or f is OPERATIONS['attribute']
    if not (reads or f is setattr) or not isinstance(args[1], str):
        return
    held = found_above(type(args[0]), args[1])
    method = getattr(type(held), '__get__' if reads else '__set__', None)
    if isinstance(method, types.FunctionType) and any(is_nonzero(t, set()) for t in tangents) and keeps(method):
        raise ForwardNotImplementedError(f'{method.__qualname__} of the descriptor {args[1]} keeps a value with a derivative '
                                         'in itself, which forward mode does not follow: keep it in the object that has the '
                                         'attribute')


@functools.lru_cache(maxsize=1024)
def keeps(method):
    """Whether the text of a method puts something into its object."""
    own, nodes = next(iter(inspect.signature(method).parameters), None), read(method).nodes
    calls = [n.func for n in nodes if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute)]
    changed = [n.value for n in calls if mutations.of(n.attr).writes]
    stored = [n for n in nodes if isinstance(n, (gast.Attribute, gast.Subscript)) and isinstance(n.ctx, gast.Store)]
    return any(tree.root_name(n) == own for n in (*changed, *stored))


def refuse_stacked(f, tangents):
    """Refuse what an exit stack is given that has a tangent: it calls that back when it is left."""
    if isinstance(getattr(f, '__self__', None), contextlib.ExitStack) and any(is_nonzero(t, set()) for t in tangents):
        raise ForwardNotImplementedError('exit stacks with callbacks or contexts that have a derivative are not supported in '
                                         'differentiated code: write one with statement for each, and behind it what is called '
                                         'back')


def refuse_drawn(function):
    """Refuse what draws at random by parameters with tangents: it is a constant to all who have none."""
    if registry.is_random(function) and registry.is_constant(function):
        raise ForwardNotImplementedError(drawn(function, 'forward'))


def drawn(function, mode):
    return f'{function.__qualname__} draws at random, and has no rule for {mode} mode: draw from a distribution without ' \
        'parameters and compute with that; shuffle indices'


WITH_BACK = Late, Again, Twins, Call, Without


def _with_back(f, args, tangents, keywords, dkeywords, df, batched=False):
    """The value and the way back that `pullback(f)` gives, and their tangents."""
    if isinstance(f, Late):
        return pushforward(f.resolve(args, keywords), args, tangents, keywords, dkeywords, df, batched=batched)
    if isinstance(f, Without):
        value, moved = pushforward(f.function, args, tangents, keywords, dkeywords, df, batched=batched)
        return (value, f.back), (moved, None)
    if isinstance(f, Again):
        (value, back), (moved, dback) = pushforward(f.call, args, tangents, keywords, dkeywords, df, batched=batched)
        return (f.remade(value), back), (_remade(f.remade, moved), dback)
    (value, saved), moved = _pushed(f, args, tangents, keywords, dkeywords, df, batched)
    return (value, Back(f.adjoint, saved)), moved


def _remade(remade, moved):
    """The tangent of what `remade` makes of a value with this one."""
    if remade is with_nothing:
        return moved, None
    if remade.func is in_first:
        return _remade(remade.args[0], moved[0]), moved[1]
    return moved


class Pushing:
    """`pushforward` of one callable, as a callable."""

    __slots__ = ('function',)

    def __init__(self, function):
        self.function = function

    def __call__(self, args, tangents, *more, **named):
        return pushforward(self.function, args, tangents, *more, **named)


def pushing(f):
    """The forward pass of `f`: takes what `pushforward` takes behind it."""
    return Pushing(f)


def _parts(f, args, keywords):
    if type(f) is not Pushing:
        return spread(f)
    parts = again(f.function, *args, **keywords)
    return parts._replace(lead=(*parts.lead, f.function))


def again(f, args, tangents, keywords=types.MappingProxyType({}), dkeywords=types.MappingProxyType({}), df=None):
    """What `pushforward` does with these arguments, as a function to be differentiated: a Spread."""
    tangents, dkeywords, df = without_constants(tangents, dkeywords, of_owner(df))
    if kept_before(f, args, tangents) is not None:
        raise AliasError(f'{type(args[0]).__name__}.{args[1]} keeps what it has computed before: give an object whose cached '
                         'properties nobody has read')
    if initializes_exception(f):
        return Spread(initialize, (), (), {}, None)
    f = standing(standing_in(f), args, keywords)
    if isinstance(f, type) and issubclass(f, BaseException):
        if not isinstance(f.__init__, types.FunctionType):
            return Spread(throw, (), (), {}, None)
        parts, kind = Spread(f.__init__), f
    elif isinstance(f, type) and '__init__' in dir(f) and isinstance(f.__init__, types.FunctionType) \
            and registry.lookup(f) is None:
        refuse_made(f)
        parts, kind = Spread(f.__init__), f
    else:
        refuse_builtin(f, df)
        parts, kind = _parts(f, args, keywords), None
    if communicates(parts.base) and all(t is None for t in (*tangents, *dkeywords.values())):
        raise ReverseNotImplementedError(f'messages of {parts.base.__name__}, a function that is known only when running and '
                                         'is given nothing with a derivative, have no second derivative: call it by its name')
    parts, lead = in_front(without(parts, keywords))
    own = owned(parts.own, df)
    shape = Shape(lead, own, len(args), tuple(keywords), tuple(t is not None for t in tangents),
                  tuple(k for k, t in dkeywords.items() if t is not None), (), kind is not None)
    front = lead.count(None) + (kind is not None)
    wanted = [0] * (kind is not None) + [k for k, _ in own if lead[k] is None]
    wanted += [front + k for k, on in enumerate(shape.tangents) if on]
    named = [lead[k] for k, _ in own if lead[k] is not None] + list(shape.dkeywords)
    base = parts.base
    names = [k for k in lead if k is not None] + list(keywords)
    if not goes_by_text(base, 'forward'):
        if any(shape.tangents) or shape.dkeywords:
            refuse_drawn(base)
        base = around(base, front + len(args), tuple(names), 'forward')
    if wanted or named:
        made = _twin(base, tuple(wanted), tuple(named), parts)
        if lost := made.lost_of(base, front + len(args), names):
            refuse_lost(lost, base, [*zip(lead, parts.lead)], args, keywords, kind is not None)
        shape = shape._replace(picks=tuple((place, *pick) for place, pick in made.picks.items()))
        base = written(base.__name__, shape, made.twin, base, kind)
    else:
        base = written(base.__name__, shape, None, f)
    return Spread(base, (), parts.lead, {}, parts.own)


def refuse_lost(lost, base, lead, args, keywords, makes):
    """Refuse to go on where what has a tangent is written into something that has none, but for numbers, into which nothing is.

    lead : (None or its keyword, value) of what a function brings itself
    makes : whether an object that is made stands before that
    """
    values = [None] * makes + [v for k, v in lead if k is None] + list(args)
    given = {**dict(enumerate(values)), **{k: v for k, v in lead if k is not None}, **keywords}
    for place, name in lost.items():
        if not isinstance(given.get(place), (int, float, complex, str, type(None))):
            raise writes_into(name, read(base))


def initialize(init, args, tangents, keywords=types.MappingProxyType({}), dkeywords=types.MappingProxyType({}), df=None):
    """What `pushforward` does with the `__init__` of an exception that is written in C."""
    return initialized(init, args, tangents, keywords, df), None


def throw(kind, args, tangents, keywords=types.MappingProxyType({}), dkeywords=types.MappingProxyType({}), df=None):
    """What `pushforward` does with a class of exceptions that has no `__init__` in Python."""
    return _thrown(kind, args, tangents, keywords, dkeywords)


def _pulled(wrt, captured, args, keywords):
    """What `pullback(pushforward, wrt)` calls for these arguments."""
    return resolved(again(*args, **keywords), tuple(w for w in wrt if w != 0), 0 in wrt)


AGAIN[pushforward] = _pulled


def _own(f, parts, df):
    """(the tangents of the arguments that the callable brings itself, those of its keywords) from its own tangent."""
    lead = [None] * len(parts.lead)
    refuse_builtin(f, df)
    if type(f) is functools.partial and isinstance(df, dict):
        refuse_held_counts(f, df)
    if df is None or parts.own is None or parts.own == {}:
        return lead, {}
    if isinstance(parts.own, int):
        lead[parts.own] = df
        return lead, {}
    if isinstance(parts.own, str):         # a way back: its tangent is that of what was saved
        return lead, {parts.own: df}
    if not isinstance(df, dict):
        raise ForwardNotImplementedError(f'{f!r} is a function that an object holds: its derivative by what it has captured '
                                         'is not known; call it by a name of its own')
    keywords = {}
    _fill(parts.own, df, lead, keywords)
    return lead, keywords


def refuse_held_counts(f, df):
    """Refuse a partial that holds integers which have tangents: they are taken for counts."""
    for name, value in [*enumerate(f.args, -len(f.args)), *f.keywords.items()]:
        if captures.holds_counts(value) and not captures.carries(f.func, name, value) and is_nonzero(df.get(name), set()):
            captures.refuse_counts(name, value, ForwardNotImplementedError)


def refuse_builtin(f, df):
    """Refuse methods, written in C, of something that has a derivative."""
    if df is not None and isinstance(f, (types.BuiltinMethodType, types.MethodWrapperType)) and getattr(
            f.__self__, '__name__', '') != getattr(f, '__module__', None):
        raise ForwardNotImplementedError(f'the method {f.__name__} of a {type(f.__self__).__name__} is not followed in forward '
                                         'mode: write what it does as a function')


def refuse_made(kind):
    """Refuse classes whose objects are made by code of their own."""
    if isinstance(type(kind).__call__, types.FunctionType):
        raise ForwardNotImplementedError(f'the metaclass of {kind.__qualname__} makes its objects, which forward mode does not '
                                         'follow: make the object in a function with a rule')
    if kind.__new__ is not object.__new__:
        raise ForwardNotImplementedError(f'{kind.__qualname__} has a __new__ of its own, which forward mode does not follow: '
                                         'make the object in a function with a rule')


def _fill(form, df, lead, keywords):
    empty = {key for key, d in df.items() if d is None or isinstance(d, dict) and not d}     # of what has captured nothing
    lost = [key for key in df if key not in empty and key not in form]
    if lost:
        raise ForwardNotImplementedError(f'a function has captured {lost[0]}, through which a derivative flows, but what it '
                                         'holds now has none: pass it as an argument')
    for key, place in form.items():
        if df.get(key) is None or place is None:
            continue
        if isinstance(place, dict):
            _fill(place, df[key], lead, keywords)
        elif isinstance(place, int):
            lead[place] = df[key]
        else:
            keywords[place] = df[key]


def _constructed(kind, args, tangents, keywords, dkeywords, batched=False):
    """A new object and its tangent: `__init__` fills both."""
    refuse_made(kind)
    value = object.__new__(kind)
    try:
        made = init_grad(value)
    except (AttributeError, KeyError):                # the zero of a number or an array is made by its arithmetic
        raise ForwardNotImplementedError(f'{kind.__qualname__} has the arithmetic of a number or an array, and what its '
                                         '__init__ fills has no tangent: compute with the arrays it is made of') from None
    pushforward(kind.__init__, (value, *args), (made, *tangents), keywords, dkeywords, batched=batched)
    return value, made


def _thrown(kind, args, tangents, keywords, dkeywords, batched=False):
    """A new exception and its tangent: it holds what it is given, and what its `__init__` says."""
    if isinstance(kind.__new__, types.FunctionType):
        refuse_made(kind)
    value, made = thrown(kind, args, tangents, keywords)
    if isinstance(kind.__init__, types.FunctionType):
        pushforward(kind.__init__, (value, *args), (made, *tangents), keywords, dkeywords, batched=batched)
    else:
        kind.__init__(value, *args, **keywords)
    return value, made


class Pushed:
    """The twin of one code object.

    picks : for each place wanted, the parameter of the twin that takes its tangent and the key in it, None for all of it
    lost : for each place into which it may write what has a tangent, though it has none itself, the parameter
    """

    def __init__(self, function, twin, parameters, notes, picks, lost):
        self.code, self.namespace, self.twin, self.parameters = function.__code__, function.__globals__, twin, parameters
        self.defaults, self.kwdefaults = function.__defaults__, function.__kwdefaults__
        self.notes, self.picks, self.lost, self.version = notes, picks, lost, registry.version()
        self.generates = inspect.isgeneratorfunction(function)

    def fit(self, function):
        """Whether it is that of this function, which has the same code and defaults, and all it calls is what it was."""
        same = self.namespace is function.__globals__ and same_defaults(self.defaults, function.__defaults__) \
            and same_defaults(self.kwdefaults, function.__kwdefaults__)
        return same and self.version == registry.version() and not self.notes.moved()

    def lost_of(self, base, count, keywords):
        """Of the places into which it may write, those of a call with so many arguments and these keywords; default values that
        would keep what is written, which has a derivative, are refused."""
        if keeps_to_itself(base):                             # text of ours writes where it is told to
            return {}
        self.refuse_kept(base, count, keywords)
        return {k: p for k, p in self.lost.items() if k in keywords or isinstance(k, int) and k < count}

    def refuse_kept(self, base, count, keywords):
        names = base.__code__.co_varnames[:base.__code__.co_argcount]
        kept = {**dict(zip(reversed(names), reversed(base.__defaults__ or ()))), **(base.__kwdefaults__ or {})}
        given = {*names[:count], *keywords}
        for name in self.lost.values():
            if name in kept and name not in given and changes(kept[name]):
                raise writes_into(name, read(base))

    def __call__(self, args, tangents, keywords, dkeywords):
        found = self.twin(*args, **keywords, **self.given(args, tangents, keywords, dkeywords))
        return drained(found) if self.generates else found

    def given(self, args, tangents, keywords=types.MappingProxyType({}), dkeywords=types.MappingProxyType({})):
        """Parameter of the twin -> tangent."""
        given = {}
        for place, (parameter, start) in self.picks.items():
            if start is None:
                given[parameter] = tangents[place] if isinstance(place, int) else dkeywords[place]
            elif isinstance(place, int):
                given[parameter] = tuple(zero_tangent(a) if t is None else t for a, t in zip(args[start:], tangents[start:]))
            else:
                own = [k for k in keywords if k not in self.picks or self.picks[k] == (parameter, start)]
                given[parameter] = {k: zero_tangent(keywords[k]) if dkeywords.get(k) is None else dkeywords[k] for k in own}
        return given


def _given(tangents, dkeywords):
    """(the positions, the keywords) of the arguments that have tangents."""
    return tuple(k for k, t in enumerate(tangents) if t is not None), tuple(k for k, t in dkeywords.items() if t is not None)


def pair_in_text(function, names, given, wrt):
    """The value of a function and its tangent by some parameters, in text that can be differentiated again."""
    tangents = dict(zip(wrt, given))
    taken = tree.Names((*names, *given))
    push, own = taken.fresh('pushforward'), taken.fresh(function.__name__)
    text = f'def tangent({", ".join((*names, *given))}):\n    return {push}({own}, ({"".join(f"{n}, " for n in names)}), ' \
           f'({"".join(f"{tangents.get(n)}, " for n in names)}))\n'
    return build(text, [Part('tangent', OURS)], {push: pushforward, own: function}, 'tangent')['tangent']


compiled.ASK['pushed'] = pair_in_text


def _twin(base, wanted, named, parts, batched=False):
    key = id(base.__code__), wanted, named, parts.names, batched, *map(id, parts.fixed), RUNNING.classes
    found, _ = _known.get(key, (None, ()))
    if found is None or not found.fit(base):
        found = _made(base, wanted, named, parts.names, batched)
        _known[key] = found, parts.fixed         # these stay alive, and so do their ids
    else:
        dependencies.note_all(found.notes)
    return found


def _made(function, wanted, named, names, batched=False):
    source = read(function)
    if names:
        source = dataclasses.replace(source, tree=lifted(source.tree, names))
    places = {place: _parameter(source, place) for place in (*wanted, *named)}
    parameters = tuple(dict.fromkeys(p for p, _ in places.values()))
    derivation = ForwardDerivation(Options(mode='forward', batched=batched, classes=of_call(function)))

    def make():
        derivation.carries = True             # who calls it is not known
        return derivation.one_of(source, (function, (parameters, ()), None), None)
    with deriving(), dependencies.noting() as notes:
        twin = restarts.where_called(derivation, make)
        refuse_read_elsewhere(function, twin.kept)
        made = derivation.build(twin.name)[twin.name]
    tangent_of = dict(zip(parameters, twin.parameters))
    picks = {k: (tangent_of[p], start) for k, (p, start) in places.items()}
    return Pushed(function, made, twin.parameters, notes.without(function), picks, lost_places(source, twin.lost))


def lost_places(source, names):
    """{position or keyword: parameter} of these parameters; not of `*a` and `**k`."""
    args = source.tree.args
    positional = [a.id for a in args.posonlyargs + args.args]
    found = {positional.index(p): p for p in names if p in positional}
    return {**found, **{p: p for p in names if p in positional + [a.id for a in args.kwonlyargs]}}


def _parameter(source, place):
    """(the parameter that an argument goes to, where its `*args` begin or its `**kwargs` are, None for a plain one)."""
    args = source.tree.args
    positional = [a.id for a in args.posonlyargs + args.args]
    if isinstance(place, int) and place < len(positional):
        return positional[place], None
    if isinstance(place, int) and args.vararg:
        return args.vararg.id, len(positional)
    if not isinstance(place, int) and place in positional + [a.id for a in args.kwonlyargs]:
        return place, None
    if not isinstance(place, int) and args.kwarg:
        return args.kwarg.id, 0
    raise ArgumentTypeError(f'{source.name}() ({source.filename}:{source.first}) has no argument {place!r}')
