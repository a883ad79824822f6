"""What a function leaves in the lists, dicts and objects of its caller, which the backward pass takes back on its way.

    kept = Kept((log, counter), (x,))      before the function runs: which arrays are the caller's
    ...                                    the forward pass
    kept.look()                            what the function has left
    ...                                    the backward pass undoes every write
    kept.leave()                           and here it is again

A counter, a list used as a log, a running mean: they were written once, and stay written. Arrays of the caller stay as
they were, and so does all that is within reach of an argument whose gradient is asked for.
"""
import collections

import numpy as np

from tangent.runtime.fields import fields, held, put_attribute, within


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


def put_back(thing, before):
    if isinstance(thing, list):
        thing[:] = before
    elif isinstance(thing, (dict, collections.deque)):
        thing.clear()
        (thing.update if isinstance(thing, dict) else thing.extend)(before)
    else:
        for name in fields(thing).keys() - before.keys():
            put_attribute(thing, name)
        for name, value in before.items():
            put_attribute(thing, name, value)
