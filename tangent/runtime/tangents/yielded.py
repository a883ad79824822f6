"""What a generator yields in forward mode: its values and their tangents, each taken from it when it is asked for.

    ys, dys = drained(pairs)
    for y, dy in zip(ys, dys):        # what the loop writes is there when the generator goes on
        ...

Whoever asks for more than the next one, for how many there are or the last of them, gets a list of all. Neither keeps the
other alive: a generator that nobody goes on with ends where Python ends it.
"""
import weakref

from tangent.errors import ForwardNotImplementedError
from tangent.runtime.facts import helper
from tangent.runtime.tangents.zeros import zero_tangent

AGAIN = 'a generator with a derivative is gone through again: make a list of it first, list(...)'


class Yielded(list):
    """The values of pairs, or their tangents: a list that grows while it is gone through."""

    __hash__ = None       # type: ignore[assignment]

    def __init__(self, pairs, both):
        super().__init__()
        self.pairs, self.both, self.place, self.ended = pairs, both, 0, False
        both.append(weakref.ref(self))

    def grow(self):
        """Take one more pair; False where there is none."""
        for pair in self.pairs:
            for held, part in zip(self.both, pair):
                if held() is not None:
                    list.append(held(), part)
            return True
        return False

    def whole(self):
        while self.grow():
            pass
        return self

    def __iter__(self):
        if self.ended:
            raise ForwardNotImplementedError(AGAIN)
        while self.place < list.__len__(self) or self.grow():
            self.place += 1
            yield list.__getitem__(self, self.place - 1)
        self.ended = True

    def __next__(self):
        if self.place == list.__len__(self) and not self.grow():
            raise StopIteration
        self.place += 1
        return list.__getitem__(self, self.place - 1)


    def throw(self, *error):
        """What a context made of a generator does where an exception leaves its block."""
        raise ForwardNotImplementedError('an exception is thrown into a generator, of which forward mode has the values with '
                                         'their tangents: write the context as a class with __enter__ and __exit__')


def filled(name):
    """A method of lists, for when all is there."""
    def method(self, *args):
        return getattr(list, name)(self.whole(), *args)
    return method


for _name in '__len__ __getitem__ __reversed__ __contains__ __eq__ __add__ __mul__ __rmul__ index count copy'.split():
    setattr(Yielded, _name, filled(_name))


def pairs_apart(pairs):
    """(the values, the tangents) that are left of what a generator's twin yields."""
    found = list(pairs)
    return [value for value, _ in found], [tangent for _, tangent in found]


@helper(pure=False, directions=True)
def all_given(values):
    """What an iterator has not given yet, which is at its end then."""
    return list(values)


def with_zeros(iterator):
    """(a value, its tangent) for each value that an iterator without a derivative gives from now on."""
    return ((value, zero_tangent(value)) for value in iterator)


def drained(pairs):
    """(the values, the tangents) that a generator's twin yields."""
    pairs, both = iter(pairs), []
    return Yielded(pairs, both), Yielded(pairs, both)
