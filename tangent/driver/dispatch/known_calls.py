"""Calls of what was called before in the same way: found at once, as long as nothing that was read to find them has changed.

    y, record = recorded(('self', 0), p.step, k, dt)

What `Record` asks of a callee, one thing after the other, has one answer for a function, a method or a class of the user's, the
flags of a place in an emitted text, and the types of the arguments.
"""
import types

from tangent.analysis.kinds.participants import RUNNING
from tangent.analysis.messages.communication import communicates
from tangent.driver.dispatch.log_functions import vararg_of
from tangent.driver.dispatch.reverse import pullback
from tangent.eventlog.shadow import gradients
from tangent.eventlog.shadow.iterators import Counted
from tangent.eventlog.shadow.values import OWN
from tangent.frontend.dependencies import NOTING
from tangent.runtime.objects import is_object
from tangent.runtime.references.table import is_substitute
from tangent.templates.language.registry import Registry

LIMIT = 4096
_known: dict = {}


class Known:
    """A function of the user's, and where the gradients of the flags stand among those that its adjoint gives.

    made : the class of which the function is the `__init__`, if that is what is called
    order : for each flag a place, None for one that has no gradient
    alone : whether the adjoint gives one gradient bare
    """

    def __init__(self, function, notes, made, order, alone):
        self.function, self.code, self.defaults = function, function.__code__, function.__defaults__
        self.version, self.notes, self.made, self.order, self.alone = Registry.changes, notes, made, order, alone

    def fits(self):
        function, made = self.function, self.made
        return function.__code__ is self.code and function.__defaults__ is self.defaults \
            and self.version == Registry.changes and not NOTING.all and not self.notes.moved() \
            and (made is None or made.__init__ is function and made.__new__ is object.__new__)


class Logged(Known):
    """One whose gradients are found by identity."""

    def __init__(self, function, form, notes, made, flags, shift):
        count = len(form.names)
        places = form.keys(shift)(range(count) if count != 1 else 0)
        super().__init__(function, notes, made, [places.get(flag) for flag in flags], count == 1)
        self.primal, self.adjoint = form.functions(function)

    def run(self, args, keywords):
        log: list = []
        if self.made is None:
            value = self.primal(log, *args, **keywords)
        else:
            value = object.__new__(self.made)
            self.primal(log, value, *args, **keywords)
        return value, LoggedCall(self, log, value)


class Pulled(Known):
    """One that writes into nothing: its gradients are values.

    wanted : places of arguments
    owner : where the gradient of the object of a method stands, if it is given to that, not to a name
    """

    def __init__(self, function, notes, wanted, order, owner):
        super().__init__(function, notes, None, order, len(wanted) == 1)
        self.wanted, self.owner = wanted, owner

    def run(self, args, keywords):
        value, back = pullback(self.function, self.wanted)(*args, **keywords)
        return value, PulledCall(self, back, value, args[0] if self.owner is not None else None)


class LoggedCall:
    """The record of a call that a Logged has made."""

    __slots__ = ('known', 'log', 'value')

    def __init__(self, known, log, value):
        self.known, self.log, self.value = known, log, value

    def take(self, grads, b):
        return grads.take(self.value, b), None

    def take_cell(self, grads, cell):
        return grads.take(self.value, grads.take_cell(cell))

    def back(self, grads, g=None):
        found = self.known.adjoint(grads, self.log, g)
        if self.known.alone:
            found = found,
        return [None if k is None else found[k] for k in self.known.order]


class PulledCall:
    """The record of a call that a Pulled has made."""

    __slots__ = ('known', 'way', 'value', 'owner')

    def __init__(self, known, way, value, owner):
        self.known, self.way, self.value, self.owner = known, way, value, owner

    def take(self, grads, b):
        return grads.take_whole(self.value, b), None

    def take_cell(self, grads, cell):
        return grads.take_whole(self.value, grads.take_cell(cell))

    def back(self, grads, g=None):
        known = self.known
        if g is None or not known.wanted:
            return [None for _ in known.order]
        found = self.way(gradients.complete(g, self.value))
        found = [found] if known.alone else list(found)
        if known.owner is not None:
            grads.give(self.owner, found[known.owner])
            found[known.owner] = None
        return [None if k is None else found[k] for k in known.order]


def key_of(flags, f, args, keywords):
    """(what tells such calls apart, the arguments with the object of a method in front), or two times None."""
    if type(f) is types.MethodType:
        args = f.__self__, *args
        key = id(f.__func__), True, flags, RUNNING.classes, *map(type, args)
    elif type(f) is types.FunctionType or type(f) is type:
        key = id(f), False, flags, RUNNING.classes, *map(type, args)
    else:
        return None, None
    return ((*key, *keywords, *map(type, keywords.values())) if keywords else key), args


def find(key):
    """The Known for a key, or None."""
    found = _known.get(key)
    return found if found is not None and found.fits() else None


def keep(key, record, whole):
    """Remember how a call was made, where that is so for all that are alike: not of closures, not with starred flags."""
    called, form, notes, wanted, keys = record.way
    if communicates(called):               # it is gone back through whatever becomes of its value
        return
    method, made = type(record.f) is types.MethodType, record.f if type(record.f) is type else None
    function = made.__init__ if made else record.f.__func__ if method else record.f
    flags, values = record.flags, [*whole, *record.keywords.values()]
    if called is not function or function.__closure__ or is_substitute(function) \
            or any([type(flag) is str and flag[0] == '*' for flag in flags]):
        return
    if form is not None:
        if form.generator or form.kwarg is not None or vararg_of(function.__code__) in form.names:
            return
        found = Logged(function, form, notes, made, flags, int(method or made is not None))
    elif made or not method and OWN in flags or any([isinstance(v, (types.FunctionType, Counted)) for v in values]):
        return
    else:
        owner = 0 if keys[:1] == (OWN,) and is_object(whole[0]) and not isinstance(whole[0], tuple) else None
        found = Pulled(function, notes, wanted, [keys.index(f) if f in keys else None for f in flags], owner)
    if len(_known) >= LIMIT:
        _known.clear()
    _known[key] = found
