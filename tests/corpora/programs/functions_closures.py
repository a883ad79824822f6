"""Programs with functions as values: each is compared with differences, twice."""
import functools
import itertools
import math
import operator
from collections import namedtuple
from dataclasses import dataclass

import numpy as np

import tangent
from tests.tools.checking import add_case

CASES = []        # first and second derivative
ONCE = []         # first derivative only
V = np.array([0.4, 0.7, 1.1])


def case(*args, wrt=None):
    def register(function):
        add_case(CASES, function, *args, wrt=wrt)
        return function
    return register


def once(*args, wrt=None):
    def register(function):
        add_case(ONCE, function, *args, wrt=wrt)
        return function
    return register


def square(x):
    return x * x


def apply(f, x, n=1):
    return f(x) * n


def compose(f, g):
    return lambda x: f(g(x))


# Functions that are known only when running

@case(1.3)
def passed_in(x):
    return apply(square, x, 2) + apply(math.sin, x, 3)


TABLE = {'a': square, 'b': math.sin, 'c': np.tanh}


@case(1.3)
def from_a_table(x):
    return TABLE['a'](x) + TABLE['b'](x) * TABLE['c'](x)


FUNCTIONS = [square, math.cos, lambda v: v * 3]


@case(0.7)
def in_a_loop(x):
    total = 0.0
    for f in FUNCTIONS:
        total = total + f(x)
    return total


@case(1.3)
def chosen(x):
    f = square if x > 0 else math.sin
    return f(x) * x


@case(1.3)
def operators(x):
    total = x
    for op in (operator.add, operator.mul, operator.sub):
        total = op(total, x * x)
    return total


@case(1.3)
def result_is_called(x):
    return compose(math.sin, square)(x) * compose(square, math.exp)(x)


@case(V)
def reductions(x):
    return sum(f(x) for f in (np.sum, np.prod, np.max))


@case(1.3)
def keywords_of_a_rule(x):
    total = np.sum
    return total(np.array([[x, x * x], [1.0, x]]), axis=0)[1]


# Closures

@case(1.3)
def called_twice(x):
    def g(y):
        return x * y * y
    return g(x) + g(2.0)


@case(1.3, 0.4)
def lambda_of_two(x, w):
    g = lambda y: x * y + math.sin(w) * y  # noqa: E731
    return g(x) * g(w)


@case(1.3)
def recursive(x):
    def power(n, value):
        if n == 0:
            return value
        return power(n - 1, value * x)
    return power(3, 1.0)


@case(1.3)
def mutually_recursive(x):
    def even(n, v):
        return v if n == 0 else odd(n - 1, v * x)

    def odd(n, v):
        return v if n == 0 else even(n - 1, v + x)
    return even(4, 1.0)


@case(1.3)
def in_a_list(x):
    total = x
    for f in [lambda v: v * x, lambda v: v + x]:
        total = f(total)
    return total


@case(1.3)
def in_a_dict(x):
    table = {'a': lambda v: v * x, 'b': math.sin}
    return table['a'](x) + table['b'](x)


@case(1.3)
def defined_by_branches(x):
    if x > 0:
        def g(y):
            return x * y
    else:
        def g(y):
            return y
    return g(x) * g(2.0)


@case(1.3)
def nested_twice(x):
    def outer(a):
        def inner(b):
            return a * b * x
        return inner
    return outer(x)(2.0) + outer(3.0)(x)


@case(1.3)
def keyword_defaults(x):
    add = lambda a, k=2.0, *, m=1.0: a * k * m + x  # noqa: E731
    return add(x) + add(x, k=3.0) * add(1.0, m=x)


@case(1.3)
def computed_default(x):
    def scale(k=x * 2):
        return k * x
    return scale() * scale(3.0)


@once(1.3)
def default_binds_a_loop_variable(x):
    functions = [lambda v, i=i: v * x * i for i in range(3)]
    return functions[1](x) + functions[2](x)


@case(1.1)
def variable_rebound_between_calls(x):
    total = 0.0
    for i in range(3):
        def body(y):
            return y * x * i  # noqa: B023
        total = total + body(x)
    return total


@case(1.1)
def captured_is_what_the_loop_carries(x):
    for _ in range(3):
        x = apply(lambda v: v * x, x)  # noqa: B023
    return x


@once(0.4)
def late_binding(x):
    functions = []
    for k in range(3):
        def f(v):
            return v * k * x  # noqa: B023
        functions.append(f)
    return functions[0](x) + functions[1](x)


@case(1.3)
def rebound_after_the_definition(x):
    w = x
    f = lambda y: y * w  # noqa: E731
    w = x * x
    return f(x)


@case(V, V + 1)
def arrays(x, w):
    def layer(v):
        return np.tanh(w * v)
    return np.sum(layer(layer(x)))


@once(1.3)
def vectorised(x):
    f = np.vectorize(lambda v: v * x)
    return f(np.array([1.0, 2.0]))[1] if x < 0 else x * x


def deco(f):
    @functools.wraps(f)
    def wrapper(*args, **keywords):
        return 2 * f(*args, **keywords)
    return wrapper


@deco
def decorated(x, y):
    return x * y


@case(1.3)
def calls_decorated(x):
    return decorated(x, y=x)


@case(1.3)
def decorates_inside(x):
    @deco
    def g(y):
        return x * y
    return g(x) + g(2.0)


@functools.lru_cache
def cached(x):
    return x * x


@case(1.3)
def calls_cached(x):
    return cached(x) * x


def exponent(x, k, factor=1.0):
    return factor * x ** k


@case(1.3, 0.4)
def partials(x, w):
    f = functools.partial(exponent, k=3, factor=w)
    g = functools.partial(functools.partial(exponent, w), 2)
    return f(x) * f(1.5, factor=x) + g() * g(factor=x)


# *args and **kwargs

def product(*args):
    return args[0] * args[1]


def with_keywords(a, b=2, **rest):
    return a * b + rest['c'] * rest.get('d', 1.0)


def forward(f, *args, **keywords):
    return f(*args, **keywords)


@case(1.3)
def starred(x):
    return product(x, 3.0, x) + product(*[x, x * x]) + np.maximum(*[x, x * x])


@once(1.3)
def double_starred(x):
    return with_keywords(x, c=x * x, d=3) + with_keywords(**{'a': x, 'c': x * x})


@case(1.3)
def forwarded(x):
    return forward(product, x, x) + forward(exponent, x, k=2, factor=x)


@case(1.3)
def many_arguments(x):
    def total(*xs):
        s = 0.0
        for v in xs:
            s = s + v * v
        return s
    return total(x, 2 * x, *[x, 3.0])


@case(1.3)
def kinds_of_parameters(x):
    def f(a, /, b, *, c=2.0):
        return a * b * c * x
    return f(x, x, c=x) + f(x, b=2.0)


@case(1.3)
def recursive_in_arguments(x):
    def times(first, *rest):
        return first if not rest else first * times(*rest)
    return times(x, 2 * x, 3 * x)


# Objects and classes

Pair = namedtuple('Pair', 'a b')


@dataclass
class Point:
    a: float
    b: float = 2.0


class Scale:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x

    def times(self, x):
        return self.w * x * x

    @staticmethod
    def cube(x):
        return x ** 3

    @classmethod
    def fourth(cls, x):
        return x ** 4


SCALE = Scale(3.0)


@case(1.3)
def methods(x):
    f = SCALE.times
    return SCALE(x) + f(x) * Scale.cube(x) + Scale.fourth(x) + Scale.times(SCALE, x)


@once(1.3)
def constructors(x):
    p, q = Pair(x, 2 * x), Point(x, b=x * x)
    return p.a * p.b * q.a * q.b


# Functions of functions

@once(1.3)
def mapped(x):
    return sum(map(lambda v: v * v * x, [x, 2 * x])) + list(map(operator.mul, [x, 2.0], [x, x]))[0]


@case(1.3)
def reduced(x):
    return functools.reduce(lambda a, b: a * b * x, [x, 2.0, x]) + functools.reduce(operator.add, [x, x * x], x)


@case(1.3)
def filtered(x):
    return sum(filter(lambda v: v > 1, [x, 0.5 * x, x * x]))


@once([0.3, 0.8, 1.4])
def by_key(xs):
    a = sorted(xs, key=lambda v: -v)
    return a[0] * 2 + a[1] * max(xs, key=lambda v: abs(v - 1)) + min(xs, key=square)


@once([0.3, 0.8, 1.4])
def accumulated(xs):
    a = list(itertools.accumulate(xs, lambda s, v: s * v))
    return a[1] + a[2] + list(itertools.starmap(operator.mul, [(xs[0], xs[1])]))[0]


@once([0.3, 0.8, 1.4])
def getters(xs):
    a, b = operator.itemgetter(0, 2)(xs)
    return a * b


# Derivatives inside

@case(1.3)
def derivative_inside(x):
    return tangent.grad(square)(x) * x


@case(1.3)
def derivative_of_a_closure(x):
    return x * tangent.grad(lambda y: x * y ** 3)(x)


@case(1.3)
def second_derivative_inside(x):
    def g(y):
        return x * y ** 3
    return x * tangent.grad(tangent.grad(g))(x)


@case(1.3)
def derivatives_nested(x):
    def inner(y):
        return tangent.grad(lambda z: x * y * z ** 3)(y)
    return tangent.grad(inner)(x) * x


@case(1.3)
def value_and_derivative(x):
    value, gradient = tangent.value_and_grad(lambda y: y ** 3 * x)(x)
    return value * gradient


@case(1.3)
def vector_product(x):
    return tangent.vjp(lambda y: y ** 3 * x)(x, x)


@case(1.3)
def derivative_of_a_loop(x):
    def g(y):
        total = 0.0
        for i in range(3):
            total = total + x * y ** i
        return total
    return tangent.grad(g)(x)


@case(V)
def hessian_vector(x):
    inner = tangent.grad(lambda y: np.sum(np.sin(y) * y))
    return np.sum(tangent.grad(lambda y: np.dot(inner(y), V))(x))


def newton_step(f, x):
    return x - f(x) / tangent.grad(f)(x)


@case(1.3)
def derivative_of_a_parameter(x):
    return newton_step(lambda y: y * y - x, newton_step(lambda y: y * y - x, x))
