"""Functions that Python looks up before their arguments bind them anew, and special methods that write, within one statement."""
import numpy as np

from tests.corpora.hunted.hunting import found

X = np.array([0.7, 1.3, 0.4])


class Model:
    def __init__(self, act):
        self.act = act


def square(v):
    return v * v


def cube(v):
    return v * v * v


def swapped(o, v):
    o.act = cube
    return v


@found(X)
def looked_up_before_a_callee(x):
    o = Model(square)
    return o.act(swapped(o, x[0])) * x[1]


@found(X)
def looked_up_before_a_function_inside(x):
    o = Model(square)

    def swap():
        o.act = cube
        return x[0]
    y = o.act(swap())
    return y + o.act(x[1])


@found(X)
def looked_up_before_a_keyword(x):
    o = Model(square)
    return o.act(v=swapped(o, x[0]))


@found(X)
def looked_up_in_a_comprehension(x):
    o = Model(square)
    t = [o.act(swapped(o, v)) for v in x]
    return t[0] + t[1] * t[2]


class Scale:
    def __init__(self, k):
        self.k = k

    def __call__(self, v):
        return v * self.k


class Layer:
    def __init__(self, k):
        self.inner = Scale(k)

    def step(self, v):
        self.inner = Scale(v)
        return v

    def run(self, v):
        return self.inner(self.step(v))


@found(X)
def objects_that_are_called(x):
    layer = Layer(x[0])
    return layer.run(x[1]) + layer.run(x[2])


class Counts:
    def __init__(self, x):
        self.x, self.s = x, 1.0

    def __len__(self):
        self.s = self.s * self.x[0]
        return 3

    def __getitem__(self, i):
        self.s = self.s * self.x[i]
        return self.x[i] * self.s


@found(X)
def index_that_counts(x):
    c, xs = Counts(x), [0.0] * 4
    xs[len(c)] = c.s
    return xs[3] * c.s


@found(X)
def index_of_an_update_that_counts(x):
    c, v = Counts(x), [1.0, 2.0, 3.0, x[0]]
    v[len(c)] += c.s
    return v[3] * x[1]


class Doubles:
    def __init__(self, v):
        self.v = v

    def __mul__(self, other):
        self.v = self.v * self.v
        return self.v * other


@found(X)
def update_by_a_product_that_writes(x):
    t = Doubles(x[0])
    y = x[1] * t.v
    y += t.v * (t * x[2])
    return y


@found(X)
def attribute_updated_by_its_object(x):
    t = Doubles(x[0])
    t.v += t * x[2]
    return t.v
