"""What a function leaves in the lists, dicts and objects of its caller, which the backward pass takes back on its way.

    kept = Kept((log, counter), (x,))      before the function runs: which arrays are the caller's
    ...                                    the forward pass
    kept.look()                            what the function has left
    ...                                    the backward pass undoes every write
    kept.leave()                           and here it is again

A counter, a list used as a log, a running mean: they were written once, and stay written. Arrays of the caller stay as
they were, and so does all that is within reach of an argument whose gradient is asked for.
"""
from __future__ import annotations

import collections
import operator

import numpy as np

from tangent.errors import AliasError
from tangent.runtime.fields import fields, is_object
from tangent.templates.language import registry

SEQUENCES = (list, collections.deque)


class Kept:
    """Contents of what is within reach of some values, but not of others.

    states : id -> (a list, dict or object, what it holds)
    contents : (an array that the function has made, a copy of it)
    """

    def __init__(self, things, asked):
        self.things, self.asked = things, asked
        self.before = within(things)

    def look(self):
        mine = within(self.asked)
        found = {key: thing for key, thing in within(self.things).items() if key not in mine}
        self.states = [(thing, held(thing)) for thing in found.values() if not isinstance(thing, np.ndarray)]
        self.contents = [(thing, thing.copy()) for key, thing in found.items()
                         if isinstance(thing, np.ndarray) and key not in self.before and thing.flags.writeable]

    def leave(self):
        for thing, before in self.states:
            put_back(thing, before)
        for array, before in self.contents:
            array[...] = before


def only_reads(function):
    """The function, watched: no derivative flows through the call, so it must not write into what it is given.

    Raises
    ------
    AliasError
        If it has changed an array, list, dict or object within reach of its arguments.

    Examples
    --------
    >>> only_reads(len)([1.0, 2.0])
    2
    """
    if registry.lookup(function) is not None:
        return function

    def watched(*args, **keywords):
        before = [(thing, contents(thing)) for thing in within((*args, *keywords.values())).values()]
        value = function(*args, **keywords)
        if not all(is_as_before(thing, found) for thing, found in before):
            raise AliasError(f'{described(function)} writes into what it is given, in a call through which no derivative '
                             'flows: give it a copy, or let it return the value, and assign it in the caller')
        return value
    return watched


def described(function):
    code = getattr(function, '__code__', None)
    name = getattr(function, '__qualname__', None) or type(function).__name__
    return name if code is None else f'{name} ({code.co_filename}:{code.co_firstlineno})'


def contents(thing):
    return (thing.shape, thing.tobytes()) if isinstance(thing, np.ndarray) else held(thing)


def is_as_before(thing, before):
    """Whether an array, list, dict or object holds what it did."""
    now = contents(thing)
    if isinstance(thing, np.ndarray):
        return now == before
    if isinstance(now, dict):
        now, before = [*now, *now.values()], [*before, *before.values()]
    return len(now) == len(before) and all(map(operator.is_, now, before))


def within(things):
    """id -> thing for the lists, dicts, objects and arrays within reach."""
    found, pending = {}, list(things)
    while pending:
        thing = pending.pop()
        if isinstance(thing, tuple):
            pending += thing
        elif id(thing) not in found and (isinstance(thing, (np.ndarray, dict, *SEQUENCES)) or is_object(thing)):
            found[id(thing)] = thing
            pending += parts(thing)
    return found


def parts(thing):
    if isinstance(thing, np.ndarray):
        return thing.ravel().tolist() if thing.dtype == object else []
    if isinstance(thing, SEQUENCES):
        return thing
    return (thing if isinstance(thing, dict) else fields(thing)).values()


def held(thing):
    return list(thing) if isinstance(thing, SEQUENCES) else dict(thing) if isinstance(thing, dict) else fields(thing)


def put_back(thing, before):
    if isinstance(thing, list):
        thing[:] = before
    elif isinstance(thing, (dict, collections.deque)):
        thing.clear()
        (thing.update if isinstance(thing, dict) else thing.extend)(before)
    else:
        for name in fields(thing).keys() - before.keys():
            object.__delattr__(thing, name)
        for name, value in before.items():
            object.__setattr__(thing, name, value)
