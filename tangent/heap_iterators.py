"""Generators and iterators in the log form: they hand values on, and take back their gradients."""
from __future__ import annotations

import numpy as np

from tangent import errors


class Generated:
    """A generator of the user's in a differentiated program: hands its values on, takes back their gradients.

    The adjoint is a generator, too: it stops where the gradient of a yielded value is wanted, the last one first.
    """

    def __init__(self, generator, adjoint, log):
        self.generator, self.adjoint, self.log = generator, adjoint, log
        self.count, self.backward, self.result = 0, None, None

    def __iter__(self):
        return self

    def __next__(self):
        value = next(self.generator)
        self.count += 1
        return value

    def close(self):
        self.generator.close()

    def receive(self, grads, index, term):
        """The gradient of the value number `index`; those after it have none."""
        self.begin(grads)
        while self.count > index + 1:
            self.send(None)
        self.send(term)

    def begin(self, grads):
        if self.backward is None:
            self.backward = self.adjoint(grads, self.log, None)
            self.advance(next)

    def send(self, term):
        self.count -= 1
        self.advance(lambda backward: backward.send(term))

    def advance(self, step):
        try:
            step(self.backward)
        except StopIteration as stop:
            self.result = stop.value

    def finish(self, grads):
        self.begin(grads)
        while self.count:
            self.send(None)
        return self.result


def drain(record, f, args):
    """All values of a generator as a list, for functions that take the whole of it; anything else as it is."""
    source, = args
    record.structured = True
    if not isinstance(source, Generated):
        record.backward = lambda grads, g: {0: g}
        return source
    items = list(source)
    record.backward = lambda grads, g: {0: None if g is None else given_back(grads, source, items, g)}
    return items


class Iterated:
    """An iterator over a list, tuple or array, from `iter(x)`: hands the gradients of its values on to the thing."""

    def __init__(self, owner):
        self.owner, self.iterator, self.count = owner, iter(owner), 0

    def __iter__(self):
        return self

    def __next__(self):
        value = next(self.iterator)
        self.count += 1
        return value

    def receive(self, grads, index, term):
        if term is not None:
            grads.give_item(self.owner, index, self.owner[index], term)


def iterate(record, f, args):
    source, *rest = args
    if rest or not isinstance(source, (list, np.ndarray)):
        return f(*args)
    return Iterated(source)


def following(record, f, args):
    """next(iterator), with or without a default."""
    source, *default = args
    if not hasattr(source, 'receive'):
        raise errors.AliasError(f'next() of a {type(source).__name__} with a derivative: iterate over it with for')
    index = source.count
    value = f(*args)
    if source.count == index:                     # the default
        record.backward = lambda grads, g: {1: g}
    else:
        def backward(grads, g):
            source.receive(grads, index, g)
            return {}
        record.backward = backward
    return value


def given_back(grads, source, items, found):
    """The gradients of the items that an iterable gave, as one for the iterable."""
    if hasattr(source, 'receive'):
        for k in range(len(items) - 1, -1, -1):
            source.receive(grads, k, found[k])
        return None
    if isinstance(source, (list, tuple, np.ndarray)):
        return None if all(g is None for g in found) else found
    if any(g is not None for g in found):
        raise errors.AliasError(f'items of a {type(source).__name__} with a derivative: make a list of it first')
    return None
