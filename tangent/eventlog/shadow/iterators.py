"""Generators and iterators in the log form: they hand values on, and take back their gradients."""
import collections
import itertools

import numpy as np

from tangent import errors
from tangent.runtime import captures
from tangent.runtime.tangents.zeros import STEPPED, ZeroSteps

OF_KEYS: tuple[type, ...] = (type(iter({})), type(iter(collections.OrderedDict())))
TWICE = ('one iterator with a derivative stands twice in what a loop goes through: go through parts of a list, '
         'zip(xs[::2], xs[1::2])')
LENGTH = 'an iterator with a derivative that a function returns has no length: let it return a list, list(...)'
AGAIN = 'values of a generator with a derivative are gone through again: make a list of it first, list(...)'


class NoLength(errors.AliasError, TypeError):
    """What `len` says of an iterator: a TypeError, which those who ask for a hint do without, so that no line is looked for."""

    def __init__(self):
        self.bare = LENGTH
        Exception.__init__(self, LENGTH)


class Counted:
    """An iterator that knows which of its values each loop over it took: `next` may take some, too.

    count : how many values were taken
    loops : for each loop that took values and has not gone back yet, their numbers
    """

    def __init__(self, iterator):
        self.iterator, self.count, self.loops, self.begins = iterator, 0, [], False

    def __bool__(self):
        return True

    def __len__(self):
        raise NoLength()

    def __iter__(self):
        if self.begins:
            raise errors.AliasError(TWICE)
        self.begins = True
        return self

    def __next__(self):
        begins, self.begins = self.begins, False
        value = next(self.iterator)
        if begins:
            self.loops.append([])
        if self.loops:
            self.loops[-1].append(self.count)
        self.count += 1
        return value

    def by_hand(self):
        value = next(self.iterator)
        self.count += 1
        return value

    def go_back(self, grads, count):
        """To where so many values had been taken: only a generator does something on its way there."""

    def receive(self, grads, index, term):
        """The gradient of value number `index` of the last loop that has not gone back yet."""
        self.receive_at(grads, self.loops[-1][index], term)
        if index == 0:
            self.loops.pop()


class Generated(Counted):
    """A generator of the user's in a differentiated program: hands its values on, takes back their gradients.

    The adjoint is a generator, too: it stops where the gradient of a yielded value is wanted, the last one first.

    owed : number of a value -> the gradient that it is to be sent when it goes back past that
    """

    def __init__(self, generator, adjoint, log):
        super().__init__(generator)
        self.adjoint, self.log = adjoint, log
        self.backward, self.result, self.owed = None, None, {}

    def close(self):
        size = len(self.log)
        self.iterator.close()
        if len(self.log) > size:
            raise errors.AliasError('close() of a generator that does something with a derivative then: go through all of it')

    def send(self, value):
        raise errors.AliasError('a value is sent into a generator with a derivative: pass it as an argument; for g.send(None), '
                                'write next(g)')

    def throw(self, *error):
        raise errors.AliasError('an exception is thrown into a generator with a derivative: let the function that makes its '
                                'values return them, and handle the exception there')

    def leave(self):
        """End with the loop that goes through it."""
        self.iterator.close()

    def going_back(self):
        """A way back to here for what runs code of the generator and takes no value."""
        count = self.count

        def backward(grads, g):
            self.go_back(grads, count)
            return {}
        return backward

    def receive_at(self, grads, index, term):
        """The gradient of the value number `index`; those after it have none."""
        self.go_back(grads, index + 1)
        self.hand(term)

    def go_back(self, grads, count):
        if self.backward is None:                      # what it did after its last value comes first
            self.backward = self.adjoint(grads, self.log, None)
            self.advance(next)
        while self.count > count:
            self.hand(self.owed.pop(self.count - 1, None))

    def hand(self, term):
        """Go on back with the gradient of the value that was the last one."""
        self.count -= 1
        self.advance(lambda backward: backward.send(term))

    def advance(self, step):
        try:
            step(self.backward)
        except StopIteration as stop:
            self.result = stop.value

    def finish(self, grads):
        self.go_back(grads, 0)
        return self.result


class Halves:
    """What a generator yields in pairs, taken apart: each pair is taken when the first of two iterators asks for it.

    pairs : what has been taken
    first : for each of these, the iterator that took it: when that goes back, the generator does
    """

    def __init__(self, source):
        self.source, self.start, self.pairs, self.first = source, source.count, [], []

    def through(self, place, half):
        """The values at one place of the pairs, for one of the iterators."""
        k = 0
        while True:
            if k == len(self.pairs):
                try:
                    pair = self.source.by_hand()
                except StopIteration:
                    return
                self.pairs.append(pair)
                self.first.append(half)
            yield self.pairs[k][place]
            k += 1


class Half(Counted):
    """One of the two."""

    def __init__(self, halves, place):
        super().__init__(halves.through(place, self))
        self.halves, self.place, self.ended = halves, place, False

    def __iter__(self):
        if self.ended:
            raise errors.AliasError(AGAIN)
        return super().__iter__()

    def __next__(self):
        try:
            return super().__next__()
        except StopIteration:
            self.ended = True
            raise

    def leave(self):
        self.halves.source.iterator.close()

    def receive_at(self, grads, index, term):
        source, number = self.halves.source, self.halves.start + index
        source.owed.setdefault(number, [None, None])[self.place] = term
        if self.halves.first[index] is self:
            source.go_back(grads, number)

    def go_back(self, grads, count):
        first = self.halves.first
        while count < len(first) and first[count] is not self:
            count += 1
        self.halves.source.go_back(grads, self.halves.start + count)


def noting(log, entry, source, closes=False):
    """What a loop goes through; of a generator with an entry in the log before each step, the one that ends it among them.

    closes : nobody else has it, so that it ends with the loop
    """
    return steps(log, entry, source, iter(source), closes) if isinstance(source, (Generated, Half)) else source


def steps(log, entry, source, values, closes):
    try:
        while True:
            log.append((entry, (source, source.count)))
            try:
                value = next(values)
            except StopIteration:
                return
            yield value
    finally:
        if closes:
            log.append((entry, (source, source.count)))
            source.leave()


def drain(record, f, args):
    """All values of a generator as a list, for functions that take the whole of it; anything else as it is."""
    source, = args
    record.structured = True
    if not isinstance(source, Counted):
        record.backward = lambda grads, g: {0: g}
        return source
    items = list(source)
    record.backward = lambda grads, g: {0: given_back(grads, source, items, g)}
    return items


class Iterated(Counted):
    """An iterator over a list, tuple or array, from `iter(x)`: hands the gradients of its values on to the thing."""

    def __init__(self, owner):
        super().__init__(iter(owner))
        self.owner = owner

    def receive_at(self, grads, index, term):
        if term is not None:
            grads.give_item(self.owner, index, self.owner[index], term)


def sliced(record, f, args):
    """itertools.islice of a generator, which may have no end: what is asked for is taken at once."""
    source, *bounds = args
    if not isinstance(source, Counted):
        return record.ruled(f, args)
    asked = slice(*bounds)
    taken = list(itertools.islice(source, asked.stop))
    kept = range(len(taken))[slice(asked.start, None, asked.step)]

    def backward(grads, g):
        found = dict(zip(kept, g)) if g is not None else {}
        given_back(grads, source, taken, [found.get(k) for k in range(len(taken))])
        return {}
    record.structured, record.backward = True, backward
    return [taken[k] for k in kept]


def iterate(record, f, args):
    source, *rest = args
    if isinstance(source, Counted):
        return source
    if rest or not isinstance(source, (list, np.ndarray)):
        return f(*args)
    return Iterated(source)


def following(record, f, args):
    """next(iterator), with or without a default."""
    source, *default = args
    if not hasattr(source, 'receive'):
        if isinstance(source, (*STEPPED, *OF_KEYS)):
            found = next(*args)
            if isinstance(source, ZeroSteps) or not captures.differentiable(found):                # 1, 2, 3 ...
                return found
        raise errors.AliasError(f'next() of a {type(source).__name__} with a derivative: iterate over it with for')
    index = source.count

    def nothing_left(grads, g):
        source.go_back(grads, index)
        return {1: g} if default else {}
    record.backward = nothing_left
    try:
        value = source.by_hand()
    except StopIteration:
        if not default:
            raise
        return default[0]

    def backward(grads, g):
        source.receive_at(grads, index, g)
        return {}
    record.backward = backward
    return value


class Managed:
    """A context manager made of a generator by `contextlib.contextmanager`, in a differentiated program."""

    def __init__(self, generated):
        self.generated = generated

    def __enter__(self, record):
        return following(record, next, (self.generated,))

    def __exit__(self, record, kind, error, trace):
        record.backward = self.generated.going_back()
        return leave(self, kind, error)


def leave(manager, kind, error):
    """What `__exit__` says: whether the exception goes no further."""
    try:
        if kind is None:
            next(manager.generated.iterator)
        else:
            manager.generated.iterator.throw(error)
    except StopIteration:
        return kind is not None
    except BaseException as again:
        if again is error:
            return False
        raise
    raise RuntimeError('a generator of a context manager did not stop')


def taken_whole(args, places, keys):
    """(arguments with lists in place of generators; key -> (generator, list) for those that have a gradient)."""
    counted = [a for a in args if isinstance(a, Counted)]
    if len({id(a) for a in counted}) < len(counted):
        raise errors.AliasError(TWICE)
    items = [list(a) if isinstance(a, Counted) else a for a in args]
    return items, {key: (args[k], items[k]) for k, key in zip(places, keys) if type(k) is int and items[k] is not args[k]}


def all_given_back(backward, taken, grads, g):
    """The gradients of a call that took generators whole: those of what they gave go back to them."""
    return given_all(grads, taken, dict(backward(grads, g)))


def given_all(grads, taken, found):
    for key, (source, items) in reversed(taken.items()):
        found[key] = given_back(grads, source, items, found.get(key))
    return found


def given_back(grads, source, items, found):
    """The gradients of the items that an iterable gave, as one for the iterable; None where they have none."""
    if found is None:
        found = [None] * len(items)
    if hasattr(source, 'receive'):
        if isinstance(source, Generated):      # it went on after each: arrays and the like are what it has left them
            found = [grads.give(item, term) for item, term in zip(items, found)]
        source.go_back(grads, source.count)
        for k in range(len(items) - 1, -1, -1):
            source.receive(grads, k, found[k])
        return None
    if isinstance(source, (list, tuple, np.ndarray)):
        return None if all(g is None for g in found) else found
    if any(g is not None for g in found):
        raise errors.AliasError(f'items of a {type(source).__name__} with a derivative: make a list of it first')
    return None
