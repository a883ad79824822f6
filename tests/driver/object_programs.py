"""Programs whose objects have methods, properties and functions of their own: each with arguments, for the structured text."""
import abc
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    x: float
    v: float

    def energy(self, k):
        return 0.5 * self.v ** 2 + 0.5 * k * self.x ** 2

    def moved(self, dt, k):
        return State(self.x + dt * self.v, self.v - dt * k * self.x)


def leapfrog(state, dt, k, n):
    for _ in range(n):
        state = state.moved(dt, k)
    return state.energy(k)


class Dense:
    def __init__(self, w, b, act):
        self.w, self.b, self.act = w, b, act

    def forward(self, x):
        return self.act(x @ self.w + self.b)


class Net:
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    @property
    def penalty(self):
        return sum(np.sum(layer.w ** 2) for layer in self.layers)

    @staticmethod
    def scaled(v, k):
        return v * k

    def loss(self, x, y):
        return self.scaled(np.mean((self.forward(x) - y) ** 2), 2.0) + 0.1 * self.penalty


def network(net, x, y):
    return net.loss(x, y)


@dataclass
class Layer:
    w: np.ndarray
    b: np.ndarray

    def __call__(self, x):
        return np.maximum(x @ self.w + self.b, 0.1 * (x @ self.w + self.b))


@dataclass
class Chain:
    layers: list

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def called(chain, x, y):
    return np.mean((chain(x) - y) ** 2)


class Polynomial:
    def __init__(self, c):
        self.c = c

    def __call__(self, x):
        r = 0.0
        for c in reversed(self.c):
            r = r * x + c
        return r

    def derivative(self):
        return Polynomial([i * c for i, c in enumerate(self.c)][1:])


def polynomial(p, x):
    return p(x) + p.derivative()(x)


class Kernel(abc.ABC):
    @abc.abstractmethod
    def k(self, a, b):
        ...

    def gram(self, xs):
        return sum(self.k(a, b) for a in xs for b in xs)


class Smooth(Kernel):
    def __init__(self, length, size):
        self.length, self.size = length, size

    def k(self, a, b):
        return self.size ** 2 * math.exp(-0.5 * ((a - b) / self.length) ** 2)


class Both(Kernel):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def k(self, x, y):
        return self.a.k(x, y) + self.b.k(x, y)


def gram(kernel, xs):
    return kernel.gram(xs)


class Base:
    def __init__(self, k):
        self.k = k

    def f(self, x):
        return x * self.k

    def g(self, x):
        return self.f(x) + 1.0


class Derived(Base):
    def f(self, x):
        return super().f(x) * x


def inherited(o, x):
    return o.g(x)


class Account:
    rate = 0.05

    def __init__(self, balance):
        self.balance = balance

    def year(self):
        return Account(self.balance * (1 + self.rate))

    @classmethod
    def opened(cls, balance):
        return cls(balance * 0.99)


def grown(b, n):
    a = Account.opened(b)
    for _ in range(n):
        a = a.year()
    return a.balance


class Tree:
    def __init__(self, v, kids=()):
        self.v, self.kids = v, list(kids)

    def total(self):
        return self.v ** 2 + sum(kid.total() for kid in self.kids) * 0.5


def total(tree):
    return tree.total()


class Circle:
    def __init__(self, r):
        self.r = r

    @property
    def area(self):
        return math.pi * self.r ** 2


class Square:
    def __init__(self, a):
        self.a = a

    @property
    def area(self):
        return self.a * self.a


def areas(shapes):
    t = 0.0
    for s in shapes:
        t = t + s.area
    return t


class Affine:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def forward(self, x):
        return x @ self.w + self.b

    def __call__(self, x, scale=1.0):
        return scale * self.forward(x)

    @property
    def size(self):
        return np.sum(self.w ** 2)


class Scaled(Affine):
    def __init__(self, w, b, g):
        super().__init__(w, b)
        self.g = g

    def forward(self, x):
        return self.g * super().forward(x) + 1.0


class Factor:
    def __init__(self, s):
        self.s = s

    def forward(self, x):
        return x * self.s

    def __call__(self, x, scale=1.5):
        return x * self.s * scale

    @property
    def size(self):
        return self.s * self.s


class Rectifier:
    """It has no fields."""
    size = 0.5

    def forward(self, x):
        return np.maximum(x, 0.0)


class Residual:
    def __init__(self, inner, k):
        self.inner, self.k = inner, k

    def forward(self, x):
        return x + self.k * self.inner.forward(x)


def layers(parts, x):
    for part in parts:
        x = part.forward(x)
    return np.sum(x ** 2)


def layers_by_index(parts, x):
    for k in range(len(parts)):
        x = parts[k].forward(x) * (k + 1.0)
    return np.sum(x ** 2)


def layers_called(parts, x):
    for part in reversed(parts):
        x = part(x)
    return np.sum(x ** 2)


def sizes(parts, x):
    t = 0.0
    for part in parts:
        t = t + part.size * np.sum(x)
    return t


def asked(parts, x):
    t = 0.0
    for part in parts:
        if isinstance(part, Scaled):
            t += part.g ** 2
        elif isinstance(part, Affine):
            t += np.sum(part.w * part.w)
        elif isinstance(part, (Factor, Rectifier)) and not isinstance(part, Rectifier):
            t += np.sum(part.s ** 3)
        else:
            t += 1.0
    return t * np.sum(x)


def asked_before_another_came(parts, x):
    t = 0.0
    for part in parts:
        small = type(part) is Factor
        part = parts[0]
        if small:
            t += np.sum(part.w ** 2)
    return t * np.sum(x)


def largest(parts, x):
    best = parts[0]
    for part in parts:
        if np.sum(part.forward(x)) > np.sum(best.forward(x)):
            best = part
    return np.sum(best.forward(x) ** 2)


class Node:
    def __init__(self, op, value=0.0, left=None, right=None):
        self.op, self.value, self.left, self.right = op, value, left, right


def evaluated(node, x):
    if node is None:
        return 0.0
    if node.op == 'x':
        return node.value * x
    a = evaluated(node.left, x)
    b = evaluated(node.right, x)
    if node.op == '+':
        return a + b
    return node.value + a * b


def depth(node, x):
    if node.left is None:
        return node.value * x
    return x * depth(node.left, x) + (depth(node.right, x) if node.right is not None else 1.0)


class Cached:
    def __init__(self, a):
        self.a, self.kept = a, None

    @property
    def square(self):
        if self.kept is None:
            self.kept = self.a * self.a
        return self.kept


def cached(c, x):
    return c.square * x + c.square ** 2


class Optional:
    def __init__(self, w, bias=None, then=None):
        self.w, self.bias, self.then = w, bias, then

    def forward(self, x):
        y = x @ self.w
        b = self.bias
        if b is not None:
            y = y + b.s
        if self.then:
            y = self.then.forward(y)
        return y


def some(parts, x):
    t, last = 0.0, None
    for part in parts:
        if part is not None:
            last = part
        if last is not None:
            t = t + last.s * np.sum(x)
    return t


def on_some_paths(x, factors):
    for f in factors:
        if f > 0.5:
            s = f * x
        elif f > 2.0:
            s = np.ones(3) * f
        x = s * 2.0
    return np.sum(x * s)


def affine(seed=1):
    return Affine(values(3, 3) + seed, values(3))


def scaled():
    return Scaled(values(3, 3) - 0.5, values(3), 0.7)


class Cell:
    def __init__(self, wx, wh):
        self.wx, self.wh = wx, wh

    def step(self, h, x):
        return np.tanh(self.wx @ x + self.wh @ h)

    def run(self, xs):
        h = np.zeros(2)
        for x in xs:
            h = self.step(h, x)
        return h


def recurrent(cell, xs):
    return np.sum(cell.run(xs) ** 2)


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __getitem__(self, k):
        return self.x if k == 0 else self.y

    def dot(self, other):
        return np.sum(self.x * other.x + self.y * other.y)


class Turned(Vec):
    """It is asked first where it stands on the right."""

    def __radd__(self, other):
        return Vec(other.x * self.y, self.y)


def vectors(a, b, k):
    return (k * a + b * 2.0 - -a).dot(a - b) + a[0] * np.sum(b[1])


def differences(a, b, k):
    return (k * a + b * 2.0 - -a).dot(a - b)


def orbit(p, v, k):
    for _ in range(4):
        v = v + p * -k
        p = p + 0.1 * v
    return p.dot(v)


def turned(a, b):
    return (a + b).dot(b)


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 0.5

    def __add__(self, other):
        return Point(self.x + other.x, self.y * other.y)

    def __call__(self, k):
        return Point(self.x * k)


def points(a, b, k):
    c = a + b(k) + a
    return c.x * c.y


def values(*shape):
    return np.random.RandomState(sum(shape)).randn(*shape)


STRUCTURED = [
    (leapfrog, (State(1.0, 0.5), 0.1, 2.0, 5), (0, 1, 2)),
    (network, (Net([Dense(values(3, 4), values(4), np.tanh), Dense(values(4, 2), values(2), np.tanh)]), values(5, 3), values(5, 2)),
     (0, 1)),
    (called, (Chain([Layer(values(3, 4), values(4)), Layer(values(4, 2), values(2))]), values(5, 3), values(5, 2)), (0, 1)),
    (polynomial, (Polynomial([1.0, 2.0, 3.0]), 0.7), (0, 1)),
    (gram, (Both(Smooth(0.5, 1.2), Smooth(0.7, 0.3)), [0.1, 0.5, 0.9]), (0,)),
    (inherited, (Base(2.0), 3.0), (0, 1)),
    (inherited, (Derived(2.0), 3.0), (0, 1)),
    (grown, (100.0, 3), (0,)),
    (total, (Tree(1.0, [Tree(2.0, [Tree(0.5)]), Tree(3.0)]),), (0,)),
    (areas, ([Circle(1.0), Square(2.0), Circle(0.5)],), (0,)),
    *[(f, (parts, values(5, 3)), (0, 1)) for f in (layers, layers_by_index, asked) for parts in (
        [affine(), Rectifier(), Factor(0.6), affine(2)], [affine(), scaled(), Factor(0.3)], [affine(), Factor(values(3)), Factor(2)])],
    *[(f, ([affine(), Factor(0.6), scaled()], values(5, 3)), (0, 1)) for f in (layers_called, sizes, asked_before_another_came, largest)],
    (layers, ([Affine(values(3, 9), values(9)), Rectifier(), Factor(0.6), Affine(values(9, 7), values(7))], values(5, 3)), (0, 1)),
    (layers, ([Residual(affine(), 0.5), Residual(Rectifier(), 0.3), Factor(0.2)], values(5, 3)), (0, 1)),
    *[(f, (tree, 0.7), (0, 1)) for f in (evaluated, depth) for tree in (
        Node('+', 0.1, Node('*', 0.2, Node('x', 2.0), Node('x', 1.5)), Node('x', 0.5)), Node('x', 0.5),
        Node('+', 0.1, Node('*', 0.2, Node('+', 0.4, Node('x', 1.1)))), Node('*', 1, None, Node('+', 0.2, None, Node('x', 3))))],
    (layers, ([Optional(values(3, 3), Factor(values(3))), Optional(values(3, 3) + 1, None, Factor(0.4)), Factor(0.2)], values(5, 3)),
     (0, 1)),
    (some, ([Factor(0.3), None, Factor(1.3)], values(3)), (0, 1)),
    (some, ([None, Factor(0.3), None], values(3)), (0, 1)),
    (on_some_paths, (0.7, [0.6, 0.3, 0.9]), (0, 1)),
    (vectors, (Vec(0.7, 1.3), Vec(0.4, -0.9), 0.6), (0, 1, 2)),
    (differences, (Vec(values(3), values(3)), Vec(values(3), values(3)), 0.6), (0, 1, 2)),
    (differences, (Vec(values(2, 3), values(2, 3)), Vec(values(2, 3), values(2, 3)), 2), (0, 1)),
    (orbit, (Vec(0.7, 1.3), Vec(0.4, -0.9), 0.6), (0, 1, 2)),
    (points, (Point(0.7), Point(0.4, 0.9), 0.6), (0, 1, 2)),
    (recurrent, (Cell(values(2, 3), values(2, 2)), values(4, 3)), (0,)),
]
