"""Functions that hand calls to others to run: how they are followed where they are called, and the tasks that go back.

`registry.DISPATCHED` says what stands for such a function; here both modes, and the log form, call that in its place.
"""
import builtins
import contextlib
import functools
import inspect
import pickle
import threading

import numpy as np

from tangent.analysis.kinds.participants import RUNNING, Others, taking_part
from tangent.driver.dispatch.forward import TO_OTHERS, pushforward
from tangent.driver.dispatch.reverse import HANDED_ON, pullback
from tangent.emit.build import Part, build
from tangent.errors import AliasError, ReverseNotImplementedError
from tangent.eventlog.shadow.gradients import complete
from tangent.eventlog.shadow.values import OWN
from tangent.runtime.array_api import LATER
from tangent.runtime.cast import astype
from tangent.runtime.facts import Later, Lazy
from tangent.runtime.functions.parallel.opened import Opened, holds
from tangent.templates.language import registry

PLAIN = float, int, complex, np.generic, np.ndarray
LOCK = threading.Lock()         # one derivative at a time is made in a process


@functools.lru_cache(maxsize=256)
def unpacked(text):
    """The function of these bytes; the same one for the same bytes, so that its derivative is made once on each worker."""
    return pickle.loads(text)


def arrived(shipped):
    """The function that was sent; what a task has computed is one already."""
    return shipped if callable(shipped) else shipped.function or unpacked(shipped.text)


@contextlib.contextmanager
def among(things):
    """Derivatives that are made here are for a task that is given these things, whatever runs in the same thread."""
    before, RUNNING.classes = RUNNING.classes, taking_part(things) - {Later, Lazy, Others}
    try:
        yield
    finally:
        RUNNING.classes = before


def adjoint(shipped, wanted, captured, args, keywords, g):
    """The task that goes back through a call: the gradients of what is wanted, computed from the arguments anew."""
    f = arrived(shipped)
    with among([f, args, keywords]):
        with LOCK:
            call = pullback(f, wanted, captured)
        value, back = call(*args, **keywords)
        found = back(astype(g, value) if isinstance(value, PLAIN) else complete(g, value))
    found = (found,) if len(wanted) + captured == 1 else found
    given = ([f] if captured else []) + [args[k] if isinstance(k, int) else keywords[k] for k in wanted]
    return [astype(part, value) for part, value in zip(found, given)]


def tangent(shipped, call, tangents):
    """The task that computes a call and its tangent."""
    (args, keywords), (along, dkeywords, df), f = call, tangents, arrived(shipped)
    with among([f, args, keywords]):
        return pushforward(f, tuple(args), tuple(along), keywords, dkeywords, df)


@functools.lru_cache(maxsize=1024)
def caller(name, count, keywords):
    """A function that calls the method of its first argument, with so many arguments and these keywords more."""
    more = [f'x{k}' for k in range(count)]
    given = ', '.join([*more, *(f'{k}={k}' for k in keywords)])
    head = ', '.join(['x', *more, *(['*'] if keywords else []), *keywords])
    text = f'def {name}({head}):\n    return x.{name}({given})\n'
    return build(text, [Part(name, {'__name__': __name__, '__builtins__': builtins})], {}, name)[name]


def block_adjoint(shipped, wanted, keywords, count, *blocks):
    """The gradients for one chunk, as the one element of an array."""
    args, g = blocks[:count], blocks[count]
    found = adjoint(shipped, tuple(k for k in wanted if k != 'f'), 'f' in wanted, args, keywords, g)
    out = np.empty((1,) * np.ndim(g), object)
    out[(0,) * np.ndim(g)] = found
    return out


def block_tangent(*blocks, shipped, moved, given, more, df):
    """The tangent of one chunk."""
    args, along = blocks[:len(blocks) - len(moved)], dict(zip(moved, blocks[len(blocks) - len(moved):]))
    tangents = [along.get(k) for k in range(len(args))]
    return tangent(shipped, (args, given), (tangents, {k[2:]: v for k, v in more.items()}, df))[1]


class Engine:
    """What those who stand for functions of other libraries need of this one."""

    adjoint, tangent, caller = staticmethod(adjoint), staticmethod(tangent), staticmethod(caller)
    block_adjoint, block_tangent = staticmethod(block_adjoint), staticmethod(block_tangent)

    @staticmethod
    def asked(f, wanted, args, keywords):
        """The places of a call that have gradients; a function with no derivative is refused before any task starts."""
        found = [k for k in wanted if isinstance(k, int) or k in keywords or k == 'f' and holds(f)]
        call = Opened(f, args, keywords, found)
        places = tuple(k for k in call.wanted if k != 'f')
        if found and callable(call.function):
            try:
                with among([call.function, call.args, call.keywords]), LOCK:
                    pullback(call.function, places, 'f' in call.wanted)
            except AliasError:
                if not any(type(a) in LATER for a in (*call.args, *call.keywords.values())):
                    raise                              # else what is not computed yet may be an object: the task will see
        return found


def stand_in(f):
    """((pull, push), what stands before the arguments of the call) for such a function, or None."""
    found = registry.dispatched(f)
    if found is None:
        return None
    if inspect.ismethod(f):
        return found, (f.__self__,)
    return found, (f,) if isinstance(f, type) or type(f).__name__.startswith('Delayed') else ()


def pulled(f, wanted, args, keywords):
    """The value of a call and the way back from its gradient to those `wanted`: places, keywords, OWN for what it is of."""
    (pull, _), lead = stand_in(f)
    shift = len(lead)
    value, back = pull(Engine, [0 if k is OWN else k + shift if isinstance(k, int) else k for k in wanted], *lead, *args,
                       **keywords)

    def found(g):
        return {OWN if lead and k == 0 else k - shift if isinstance(k, int) else k: part for k, part in back(g).items()}
    return value, found


def pushed(f, args, tangents, keywords, dkeywords, df):
    """The value of a call and its tangent."""
    (_, push), lead = stand_in(f)
    return push(Engine, [*lead, *args], [*([df] * len(lead)), *tangents], keywords, dkeywords)


class Pulled:
    """What is called in the place of such a function where `pullback` is asked for it."""

    def __init__(self, f, wrt, captured):
        self.f, self.wrt, self.captured = f, wrt, captured

    def __call__(self, /, *args, **keywords):
        places = [list(spelt(w, args, keywords)) for w in self.wrt]
        wanted = [*([OWN] if self.captured else []), *(k for group in places for k in group)]
        value, back = pulled(self.f, wanted, args, keywords)

        def gradients(g):
            found = back(g)
            parts = [found.get(OWN)] if self.captured else []
            for w, group in zip(self.wrt, places):
                several = [found.get(k) for k in group]
                parts.append(dict(zip(group, several)) if w == '**' else several if group != [w] else several[0])
            return tuple(parts) if len(parts) > 1 else parts[0]
        return value, gradients

    def pulled_back(self, wrt, captured):
        raise ReverseNotImplementedError(f'{getattr(self.f, "__qualname__", self.f)} hands calls to others to run, of which '
                                         'there are first derivatives only')


def spelt(w, args, keywords):
    """The places that one of `wrt` stands for."""
    if w == '**':
        return keywords
    return range(int(w[:-1]), len(args)) if isinstance(w, str) and w.endswith(':') else [w]


HANDED_ON.append(Pulled)
TO_OTHERS.append(pushed)
