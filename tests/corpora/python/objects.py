"""Classes and objects."""
import abc
import dataclasses
import functools
import math
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import ClassVar

import numpy as np

from tests.tools.registry import program


class Scaler:
    def __init__(self, factor):
        self.factor = factor

    def apply(self, x):
        return self.factor * x ** 2

    def __call__(self, x):
        return self.factor * x

    @staticmethod
    def cube(x):
        return x ** 3

    @classmethod
    def double(cls):
        return cls(2.0)

    @property
    def half(self):
        return self.factor / 2


@program('method', make=lambda: (Scaler(1.5), 0.7))
def method_called(s, x):
    return s.apply(x) * x


@program('method', 0.7)
def method_of_global(x):
    return SCALER.apply(x) + SCALER(x)


SCALER = Scaler(3.0)


@program('object made inside', 0.7)
def object_made(x):
    s = Scaler(x)
    return s.apply(2.0) + s(x)


@program('callable object', make=lambda: (Scaler(1.5), 0.7))
def callable_object(s, x):
    return s(s(x))


@program('bound method as value', make=lambda: (Scaler(1.5), 0.7))
def bound_method_value(s, x):
    f = s.apply
    return f(x) + sum(map(s, [x, 2.0]))


@program('unbound method', make=lambda: (Scaler(1.5), 0.7))
def unbound_method(s, x):
    return Scaler.apply(s, x) * x


@program('static and class methods', 0.7)
def static_and_class(x):
    return Scaler.cube(x) + Scaler.double()(x) + SCALER.cube(x)


@program('property', make=lambda: (Scaler(1.5), 0.7))
def property_read(s, x):
    return s.half * x + s.factor


@program('attribute read', make=lambda: (SimpleNamespace(a=0.4, b=[1.2, 0.3]), 0.7))
def attributes_read(s, x):
    return s.a * x + s.b[0] * s.b[1]


@program('attribute written', make=lambda: (Scaler(1.5), 0.7), wrt=(1,))
def attribute_written(s, x):
    s = Scaler(s.factor)
    s.factor = x * x
    s.factor *= 3
    return s.factor * x


class Accumulator:
    def __init__(self):
        self.total = 0.0
        self.count = 0
        self.history = []

    def add(self, x):
        self.total += x
        self.count += 1
        self.history.append(x * x)

    @property
    def mean(self):
        return self.total / self.count


@program('state in an object', [0.3, 0.8, 1.4])
def state_in_loop(xs):
    acc = Accumulator()
    for x in xs:
        acc.add(x)
    return acc.mean * acc.history[-1] + sum(acc.history)


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __getitem__(self, k):
        return (self.x, self.y)[k]

    def __len__(self):
        return 2

    def __iter__(self):
        yield self.x
        yield self.y

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __bool__(self):
        return True

    def __contains__(self, v):
        return v in (self.x, self.y)


@program('operator methods', 0.3, 1.2)
def operators(x, y):
    a, b = Vector(x, y), Vector(y, 2.0)
    c = a + b * x - (-a)
    return c @ a


@program('operator methods', make=lambda: (Vector(0.3, 1.2), Vector(0.4, 0.6)))
def operators_on_arguments(a, b):
    c = 2.0 * a - b
    return c @ c + abs(b)


@program('operator methods', 0.3, 1.2)
def items_of_object(x, y):
    a = Vector(x, y)
    first, second = a
    return a[0] * a[1] * len(a) + first * sum(v for v in a) + second


@program('operator methods', 0.3, 1.2)
def comparison_of_objects(x, y):
    a, b = Vector(x, y), Vector(y, x * 2)
    big = b if a < b else a
    return big.x * big.y if a != b else 0.0


class InPlace:
    def __init__(self, v):
        self.v = v

    def __iadd__(self, other):
        self.v = self.v + other
        return self

    def __imul__(self, other):
        self.v *= other
        return self


@program('operator methods', 0.3)
def augmented_operators(x):
    a = InPlace(x)
    a += x * 2
    a *= x
    return a.v


class Table:
    def __init__(self):
        self.rows = {}

    def __setitem__(self, key, value):
        self.rows[key] = value * 2

    def __getitem__(self, key):
        return self.rows[key]

    def __getattr__(self, name):
        if name.startswith('row_'):
            return self.rows[name[4:]]
        raise AttributeError(name)


@program('operator methods', 0.3)
def setitem_method(x):
    t = Table()
    t['a'] = x
    t['b'] = t['a'] * x
    return t['b'] + t['a'] + t.row_a


class Shape(abc.ABC):
    scale = 2.0

    def __init__(self, size):
        self.size = size

    @abc.abstractmethod
    def area(self):
        ...

    def scaled(self):
        return self.area() * self.scale


class Square(Shape):
    def area(self):
        return self.size ** 2


class Disc(Shape):
    scale = 3.0

    def __init__(self, size, bias):
        super().__init__(size * 2)
        self.bias = bias

    def area(self):
        return math.pi * self.size ** 2

    def scaled(self):
        return super().scaled() + self.bias


@program('inheritance and super', 0.3, 1.2)
def inheritance(x, y):
    return sum(s.scaled() for s in [Square(x), Disc(y, x)])


@program('inheritance and super', make=lambda: (Disc(0.3, 0.5), 1.2))
def inherited_argument(s, y):
    return s.scaled() * y


@program('class attribute', 0.3)
def class_attribute(x):
    return Square(x).scaled() * Square.scale


@dataclass
class Spring:
    stiffness: float
    rest: float = 1.0
    kind: str = 'linear'
    count: ClassVar[int] = 0

    def energy(self, x):
        return 0.5 * self.stiffness * (x - self.rest) ** 2


@program('dataclass', Spring(2.0, 0.7), 1.5)
def dataclass_argument(spring, x):
    return spring.energy(x) * spring.stiffness


@program('dataclass', 1.5)
def dataclass_made(x):
    s = Spring(x)
    t = dataclasses.replace(s, rest=x * 0.5)
    return s.energy(2.0) + t.energy(3.0)


@dataclass(frozen=True)
class Particle:
    position: np.ndarray
    velocity: np.ndarray
    mass: float = 1.0

    def moved(self, dt):
        return dataclasses.replace(self, position=self.position + dt * self.velocity)

    @property
    def energy(self):
        return 0.5 * self.mass * np.sum(self.velocity ** 2) + np.sum(self.position ** 2)


@program('frozen dataclass', Particle(np.array([0.3, 0.8]), np.array([1.0, -0.5]), 2.0))
def frozen_dataclass(p):
    for _ in range(3):
        p = p.moved(0.1)
    return p.energy


@dataclass
class Container:
    values: list = field(default_factory=list)
    total: float = 0.0

    def __post_init__(self):
        self.total = sum(self.values)


@program('dataclass', [0.3, 0.8])
def dataclass_factory(xs):
    c = Container(list(xs))
    empty = Container()
    empty.values.append(c.total)
    return c.total * empty.values[0]


class Slotted:
    __slots__ = ('a', 'b')

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def mixed(self):
        return self.a * self.b ** 2


@program('slots', make=lambda: (Slotted(0.3, 1.2),))
def slots(s):
    return s.mixed() + s.a


@program('slots', 0.3)
def slots_written(x):
    s = Slotted(x, 2.0)
    s.a = s.a * s.b
    s.b = x
    return s.mixed()


class Node:
    def __init__(self, value, children=()):
        self.value = value
        self.children = list(children)

    def total(self):
        return self.value ** 2 + sum(0.5 * c.total() for c in self.children)


@program('objects in objects', make=lambda: (Node(0.3, [Node(0.8), Node(1.2, [Node(0.4)])]),))
def tree_of_objects(node):
    return node.total()


@program('objects in objects', [0.3, 0.8, 1.2])
def tree_made(xs):
    root = Node(xs[0])
    root.children.append(Node(xs[1], [Node(xs[2])]))
    root.children[0].value *= 2
    return root.total()


def shared_pair():
    inner = Scaler(1.5)
    return SimpleNamespace(a=inner, b=inner), 0.7


@program('shared object', make=shared_pair)
def shared_object(pair, x):
    return pair.a(x) + 3 * pair.b.apply(x)


@program('shared object', make=lambda: (Scaler(1.5),))
def object_twice(s):
    def both(a, b):
        return a.factor * b.factor ** 2
    return both(s, s)


@program('shared object', 0.7)
def shared_made(x):
    s = Scaler(x)
    pair = [s, s]
    pair[0].factor = x * 3
    return pair[1].factor * pair[0].factor


class Model:
    """As people write them."""

    def __init__(self, w, b):
        self.w = w
        self.b = b

    def forward(self, x):
        return np.tanh(np.dot(self.w, x) + self.b)

    def loss(self, x, y):
        return np.mean((self.forward(x) - y) ** 2)


def make_model():
    rng = np.random.RandomState(0)
    return Model(rng.randn(2, 3), rng.randn(2)), rng.randn(3), rng.randn(2)


@program('model class', make=make_model, wrt=(0,))
def model_loss(model, x, y):
    return model.loss(x, y)


@program('model class', make=make_model)
def model_loss_everything(model, x, y):
    return model.loss(x, y) + np.sum(model.w ** 2) * 0.01


class Layer:
    def __init__(self, w, activation):
        self.w, self.activation = w, activation

    def __call__(self, x):
        return self.activation(self.w @ x)


class Sequential:
    def __init__(self, *layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def make_sequential():
    rng = np.random.RandomState(1)
    return Sequential(Layer(rng.randn(3, 2), np.tanh), Layer(rng.randn(1, 3), lambda v: v ** 2)), rng.randn(2)


@program('model class', make=make_sequential)
def sequential(model, x):
    return np.sum(model(x))


class Momentum:
    def __init__(self, rate):
        self.rate = rate
        self.velocity = 0.0

    def step(self, x, g):
        self.velocity = 0.9 * self.velocity + g
        return x - self.rate * self.velocity


@program('state in an object', 0.1, 2.0)
def optimizer_state(rate, x):
    opt = Momentum(rate)
    for _ in range(4):
        x = opt.step(x, 2 * x)
    return x ** 2


class Cell:
    def __init__(self, w):
        self.w = w
        self.h = np.zeros(2)

    def step(self, x):
        self.h = np.tanh(self.w @ self.h + x)
        return self.h


@program('state in an object', np.array([[0.3, 0.2], [-0.4, 0.6]]), np.array([0.5, -0.1]))
def recurrent_state(w, x):
    cell = Cell(w)
    outputs = [cell.step(x * (k + 1)) for k in range(3)]
    return np.sum(outputs[-1] * outputs[0])


class Celsius:
    def __init__(self, t):
        self._t = t

    @property
    def t(self):
        return self._t

    @t.setter
    def t(self, value):
        self._t = value * 2


@program('property setter', 0.3)
def property_written(x):
    c = Celsius(x)
    c.t = c.t * x
    return c.t


class Cached:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def square(self):
        return self.x ** 2


@program('cached_property', 0.3)
def cached_property(x):
    c = Cached(x)
    return c.square * c.square + c.x


class Descriptor:
    def __get__(self, owner, kind):
        return owner.base * 2


class Described:
    doubled = Descriptor()

    def __init__(self, base):
        self.base = base


@program('descriptor', 0.3)
def descriptor(x):
    return Described(x).doubled * x


@program('getattr setattr', 0.3)
def getattr_setattr(x):
    s = SimpleNamespace(a=x)
    setattr(s, 'b', s.a * 2)  # noqa: B010
    return getattr(s, 'b') * getattr(s, 'c', 3.0) if hasattr(s, 'a') else 0.0  # noqa: B009


class Dual:
    """Forward-mode numbers by operator overloading: a library's own differentiation, differentiated."""

    def __init__(self, value, slope=0.0):
        self.value, self.slope = value, slope

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    __rmul__ = __mul__


@program('library by operators', 1.3)
def dual_numbers(x):
    d = Dual(x, 1.0)
    y = d * d * d + 2.0 * d + 1.0
    return y.slope


class Parameter:
    registry = []

    def __init__(self, data):
        self.data = data


class Module:
    def parameters(self):
        return [v for v in vars(self).values() if isinstance(v, Parameter)]


class Line(Module):
    def __init__(self, a, b):
        self.a, self.b = Parameter(a), Parameter(b)

    def __call__(self, x):
        return self.a.data * x + self.b.data


@program('vars of an object', make=lambda: (Line(0.3, 1.2), 0.7))
def regularised(line, x):
    return line(x) ** 2 + 0.1 * sum(p.data ** 2 for p in line.parameters())


class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)
        return self

    def pop(self):
        return self.items.pop()


@program('method chaining', 0.3, 0.8)
def reverse_polish(x, y):
    s = Stack().push(x).push(y).push(2.0)
    for op in '*+':
        b, a = s.pop(), s.pop()
        s.push(a * b if op == '*' else a + b)
    return s.pop() ** 2


class Countdown:
    def __init__(self, x, n):
        self.x, self.n = x, n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.x ** self.n


@program('iterator object', 0.6)
def iterator_object(x):
    return sum(v * v for v in Countdown(x, 4))


class Meta(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.extra = 2.0
        return made


class WithMeta(metaclass=Meta):
    def __init__(self, x):
        self.x = x


@program('metaclass', 0.6)
def metaclass(x):
    m = WithMeta(x)
    return m.x * m.extra * x


class Timer:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        self.x = self.x * 2
        return self

    def __exit__(self, *exc):
        self.x = self.x + 1.0
        return False


@program('context manager with state', 0.6)
def context_manager_state(x):
    timer = Timer(x)
    with timer as t:
        y = t.x * x
    return y * timer.x


@program('isinstance', make=lambda: ([Square(0.3), Disc(0.8, 0.1), 1.5],))
def dispatch_by_type(shapes):
    total = 0.0
    for s in shapes:
        if isinstance(s, Disc):
            total += s.area() * s.bias
        elif isinstance(s, Shape):
            total += s.area()
        else:
            total += s
    return total


def update(model, rate):
    model.w -= rate * model.w
    model.b = model.b * 2


@program('object changed by a function', make=make_model, wrt=(1, 2))
def object_effect(model, x, y):
    m = Model(model.w * np.sum(x), model.b)
    update(m, 0.1)
    return m.loss(x, y)
