"""Classes that are defined inside a differentiated function."""
import dataclasses
import enum

import numpy as np
import pytest

import tangent

X = np.array([0.7, 1.9, -1.3])


def exceptions(x):
    class Stop(Exception):
        pass

    def find(v):
        if v > 1:
            raise Stop(v * v)
        return v
    t = 0.0
    for v in x:
        try:
            t += find(v)
        except Stop as e:
            t += e.args[0] * 2
    return t * x[0]


def slots(x):
    class Pair:
        __slots__ = ('a', 'b')

        def __init__(self, a):
            self.a = a
            self.b = a * a

        def swapped(self):
            self.a, self.b = self.b, self.a
            return self
    p = Pair(x[0]).swapped()
    p.a += x[1]
    return p.a * p.b


def inherited(x):
    class Base:
        def __init__(self, v):
            self.v = v

        def energy(self):
            return self.v * self.factor()

        def factor(self):
            return 1.0

    class Scaled(Base):
        def __init__(self, v, w):
            super().__init__(v * w)
            self.w = w

        def factor(self):
            return super().factor() + self.w

    class Both(Scaled):
        def factor(self):
            return Base.factor(self) * 3 + super().factor() * self.v
    return sum(o.energy() for o in (Base(x[0]), Scaled(x[1], x[2]), Both(x[0], x[1])))


def records(x):
    @dataclasses.dataclass
    class State:
        p: float
        v: float = 2.0

        @property
        def energy(self):
            return self.p * self.p + self.v

        def __add__(self, other):
            return State(self.p + other.p, self.v * other.v)

    class Kind(enum.Enum):
        FAST = 1
        SLOW = 2
    s = State(x[0], x[1]) + State(x[2])
    return s.energy * x[Kind.FAST.value] + (3.0 if Kind(2) is Kind.SLOW else 0.0) * x[0]


def methods(x):
    class Power:
        scale = 2.0

        def __init__(self, v):
            self.v = v

        def of(self, n):
            return self.scale * self.v ** n

        @classmethod
        def product(cls, a, b):
            return cls(a * b)
    return Power.product(x[0], x[1]).of(3) + getattr(Power(x[2]), 'of')(2)  # noqa: B009


def by_factor(k):
    def inside(x):
        class Scale:
            def __call__(self, v):
                return v * v * k
        return Scale()(x[0]) * x[1]
    return inside


RIGHT = [exceptions, slots, inherited, records, methods, by_factor(3.0)]


@pytest.mark.parametrize('function', RIGHT, ids=lambda f: f.__name__)
def test_right(function):
    expected = [(function(X + e) - function(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    derivative, pushed = tangent.grad(function), tangent.jvp(function)
    for _ in range(4):
        np.testing.assert_allclose(derivative(X), expected, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(pushed(X, np.ones(3)), np.sum(expected), rtol=1e-6)
    np.testing.assert_allclose(tangent.value_and_grad(function)(X)[0], function(X))


def counting(x):
    class Counter:
        total = 0.0

        def __init__(self, v):
            type(self).total = type(self).total + v
    for v in x:
        Counter(v)
    return Counter.total * x[0]


def collecting(x):
    class Log:
        seen = []

        def note(self, v):
            self.seen.append(v)
    Log().note(x[0])
    return x[1] * len(Log.seen)


def keeping(x):
    class Log:
        def note(self, v, seen=[]):  # noqa: B006
            seen.append(v)
            return len(seen)
    return x[1] * Log().note(1)


SEEN = []


def noted(kind):
    SEEN.append(kind)
    return kind


class Noting:
    def __init_subclass__(cls):
        SEEN.append(cls)


def registered(x):
    @noted
    class Plugin:
        factor = 2.0
    return x[0] * Plugin.factor * len(SEEN)


def inherits_noting(x):
    class Plugin(Noting):
        factor = 2.0
    return x[0] * Plugin.factor * len(SEEN)


def capturing(x):
    class Times:
        def __call__(self, v):
            return v * x[1]
    return Times()(x[0])


def conditional(x):
    if x[0] > 0:
        class Double:
            k = 2.0
    else:
        class Double:
            k = 3.0
    return Double.k * x[0]


@pytest.mark.parametrize('function', [counting, collecting, keeping, registered, inherits_noting, capturing, conditional], ids=lambda f: f.__name__)
def test_refused_where_a_class_is_another_at_each_call(function):
    with pytest.raises(tangent.TangentError, match='classes defined inside the function'):
        tangent.grad(function)(X)


@pytest.mark.parametrize('function', [exceptions, slots, records, methods], ids=lambda f: f.__name__)
def test_exported(function, tmp_path):
    path = tmp_path / 'exported.py'
    path.write_text(tangent.export_source(tangent.grad(function)))
    space = {'__name__': 'exported'}
    exec(compile(path.read_text(), str(path), 'exec'), space)
    np.testing.assert_allclose(space[f'd{function.__name__}dx'](X), tangent.grad(function)(X))
