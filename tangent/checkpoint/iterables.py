"""What checkpointed loops run over, in parts."""
import itertools
from typing import NamedTuple

import numpy as np

from tangent import errors

END = 2**62
PULLED = 2**20                 # so many values are taken from an iterator at most before a loop over them is begun


class Unending(NamedTuple):
    """What a loop without an end runs over."""
    start: int = 0
    step: int = 1

    @property
    def stop(self):
        return self.start + END * self.step


def unending(start=0, step=1):
    """What `itertools.count(start, step)` runs over, and a `while` loop."""
    return Unending(start, step)


def check_sized(*sources):
    """Refuse iterators that have names: a loop that keeps states reads ahead, so nothing else may read them."""
    for x in sources:
        if hasattr(x, '__next__'):
            raise errors.AliasError(f'a checkpointed loop runs over a {type(x).__name__} that something else may read: it is '
                                    'read ahead; make a list of it first')


class Pulled:
    """The values that were taken from an iterator so far."""

    def __init__(self, iterator):
        self.iterator, self.values = iterator, []

    def pull(self, count):
        """Take values until there are so many; how many there are."""
        self.values += itertools.islice(self.iterator, max(count - len(self.values), 0))
        return min(count, len(self.values))

    def __getitem__(self, part):
        return self.values[part]


def of_items(items):
    """(what can be cut into parts, how many items there are or None)."""
    if isinstance(items, Unending):
        return items, None
    if isinstance(items, (range, list, tuple, np.ndarray)):
        return items, len(items)
    if hasattr(items, '__len__'):
        return list(items), len(items)
    return Pulled(iter(items)), None
