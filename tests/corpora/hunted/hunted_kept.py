"""What a cached_property keeps when it is read first, which reverse mode computed again from what the object held later."""
import functools

import numpy as np

from tests.corpora.hunted.hunting import found

X = np.array([0.7, 1.3, 0.4])


class Square:
    def __init__(self, a):
        self.a = a

    @functools.cached_property
    def square(self):
        return self.a * self.a

    @property
    def area(self):
        return self.square * 2


@found(X)
def object_that_changes(x):
    c = Square(x[0])
    t = c.square
    c.a = x[1]
    return t + c.square * x[2]


@found(X)
def value_that_is_set(x):
    c = Square(x[0])
    c.square = x[1] * x[2]
    return c.square * c.a


@found(X, mixes=('f', 'rf', 'fr', 'ff'))
def read_by_a_property(x):
    c = Square(x[0])
    t = c.area
    c.a = x[1]
    return t * c.area * c.a


class Held:
    def __init__(self, a):
        self.a = a

    @functools.cached_property
    def items(self):
        return [self.a, self.a * 2]

    @functools.cached_property
    def array(self):
        return self.a * 2.0

    @functools.cached_property
    def child(self):
        return Square(self.a)


@found(X)
def list_that_is_kept(x):
    d = Held(x[0])
    d.items.append(x[1])
    d.items[0] = d.items[0] * x[2]
    return d.items[0] * d.items[2] + d.items[1]


@found(X)
def array_that_is_kept(x):
    e = Held(x)
    e.array[0] = e.array[1] * e.array[2]
    return np.sum(e.array * x)


@found(X)
def object_that_is_kept(x):
    h = Held(x[0])
    h.child.a = h.child.a * x[1]
    h.a = x[2]
    return h.child.square * h.child.a * h.a


class Chain:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def first(self):
        return self.x[0] * self.x[1]

    @functools.cached_property
    def second(self):
        return self.first * self.x[2]


@found(X, mixes=('f', 'rf', 'ff'))
def one_of_another(x):
    f = Chain(x * 1.0)
    s = f.second
    f.x = f.x * 2
    return s * f.first * f.x[0]
