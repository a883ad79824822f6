"""Closures, lambdas, functions as values."""
import functools
import math
import operator
from functools import partial, reduce

import numpy as np

import tangent
from tests.tools.registry import program

SCALE = 1.7


@program('lambda', 1.3)
def lambda_called(x):
    square = lambda v: v * v  # noqa: E731
    return square(x) + square(2 * x)


@program('lambda', 0.7, 1.2)
def lambda_captures(x, y):
    f = lambda v: v * y + x  # noqa: E731
    return f(x) * f(3.0)


@program('lambda with default', 0.7)
def lambda_default(x):
    f = lambda v, k=2.5: k * v ** 2  # noqa: E731
    return f(x) + f(x, k=x)


@program('lambda in place', 0.4)
def lambda_in_place(x):
    return (lambda a, b: a * b + math.sin(a))(x, x ** 2)


@program('nested def', 1.1)
def nested_def(x):
    def inner(v):
        return math.sin(v) * v
    return inner(x) + inner(x * 2)


@program('nested def', 1.1, 0.3)
def nested_captures_active(x, y):
    def inner(v):
        return v * y + x
    return inner(x) * inner(y)


@program('nested def', 1.1)
def nested_captures_later_value(x):
    scale = 2.0

    def inner(v):
        return v * scale
    a = inner(x)
    scale = x            # closures see names, not values
    return a + inner(x)


@program('nested def', 0.9)
def nested_two_deep(x):
    def outer(a):
        def inner(b):
            return a * b * x
        return inner(a + 1.0)
    return outer(x * x)


@program('nested def', 0.9)
def nested_shadows(x):
    def inner(x):
        return x * 3.0
    y = inner(x)
    return y * x


@program('nested def', np.array([0.3, 1.2, 0.5]))
def nested_over_array(x):
    def energy(v):
        return np.sum(v ** 2) + v[0]
    return energy(x) * energy(np.sin(x))


@program('nested recursion', 1.2)
def nested_recursive(x):
    def power(n):
        if n == 0:
            return 1.0
        return x * power(n - 1)
    return power(5)


@program('nested recursion', 0.8)
def nested_mutual(x):
    def even(n, v):
        return v if n == 0 else odd(n - 1, v * x)

    def odd(n, v):
        return even(n - 1, v + x)
    return even(4, 1.0)


@program('nonlocal', 1.4)
def nonlocal_total(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v
    add(x)
    add(x * x)
    return total


@program('nonlocal', 1.4)
def nonlocal_counter(x):
    count = 0

    def step(v):
        nonlocal count
        count += 1
        return v * count
    y = step(x)
    y = step(y)
    return step(y)


@program('nonlocal', 0.6)
def nonlocal_in_loop(x):
    state = 1.0

    def advance():
        nonlocal state
        state = state * x + 0.5
        return state
    total = 0.0
    for _ in range(4):
        total += advance()
    return total


@program('nonlocal', 0.6, 2.0)
def nonlocal_overwritten(x, y):
    value = x

    def reset():
        nonlocal value
        value = y
    before = value * 2
    reset()
    return before * value


def make_counter(start):
    count = start

    def increment(by):
        nonlocal count
        count = count + by
        return count
    return increment


@program('nonlocal', 0.7)
def counter_returned(x):
    counter = make_counter(x)
    counter(x)
    return counter(x * x) * counter(1.0)


def make_adder(n):
    def add(v):
        return v + n
    return add


@program('closure returned', 1.5)
def closure_returned(x):
    add = make_adder(x)
    return add(2.0) * add(x)


@program('closure returned', 1.5, 0.4)
def two_closures(x, y):
    f, g = make_adder(x), make_adder(y)
    return f(g(1.0)) * g(f(2.0))


def compose(f, g):
    return lambda v: f(g(v))


@program('higher order', 0.8)
def composed(x):
    h = compose(math.sin, lambda v: v * v)
    return h(x) + h(2 * x)


def twice(f, v):
    return f(f(v))


@program('higher order', 0.8)
def function_passed_in(x):
    return twice(math.cos, x) + twice(lambda v: v * x, 2.0)


def iterate(f, v, n):
    for _ in range(n):
        v = f(v)
    return v


@program('higher order', 0.8)
def iterated(x):
    return iterate(lambda v: math.sin(v) + x, x, 5)


@program('higher order', 1.1)
def church_numerals(x):
    two = lambda f: lambda v: f(f(v))  # noqa: E731
    three = lambda f: lambda v: f(f(f(v)))  # noqa: E731
    return two(three(lambda v: v * x))(1.0)


@program('higher order', 0.5)
def curried(x):
    add = lambda a: lambda b: lambda c: a * b + c  # noqa: E731
    return add(x)(2.0)(x * x)


@program('functions in a list', 0.5)
def functions_in_list(x):
    layers = [math.sin, math.exp, lambda v: v * v]
    for layer in layers:
        x = layer(x)
    return x


ACTIVATIONS = {'tanh': np.tanh, 'square': lambda v: v ** 2, 'relu': lambda v: np.maximum(v, 0.0)}


@program('functions in a dict', np.array([0.4, -0.3, 1.0]), 'tanh', wrt=(0,))
def function_by_name(x, name):
    f = ACTIVATIONS[name]
    return np.sum(f(x) * ACTIVATIONS['square'](x))


@program('functions in a dict', 0.6)
def dispatch_table(x):
    table = {'add': lambda a, b: a + b, 'mul': lambda a, b: a * b}
    total = x
    for op in ['add', 'mul', 'mul']:
        total = table[op](total, x)
    return total


@program('function chosen at run time', 0.6, True, wrt=(0,))
def chosen_function(x, flag):
    f = math.sin if flag else math.cos
    return f(x) * x


@program('function as argument', 0.6, make=lambda: (math.atan, 0.6), wrt=(1,))
def function_argument(f, x):
    return f(x) * f(2 * x)


@program('function as argument', make=lambda: (lambda a, b: a ** b, 1.6), wrt=(1,))
def lambda_argument(f, x):
    return f(x, 3) + f(2.0, x)


@program('functools.partial', 1.3)
def partial_positional(x):
    f = partial(math.pow, x)
    return f(2.0) + f(3.0)


def affine(v, scale=1.0, shift=0.0):
    return scale * v + shift


@program('functools.partial', 1.3)
def partial_keywords(x):
    f = partial(affine, scale=x, shift=2.0)
    return f(x) * f(1.0, shift=x)


triple = partial(affine, scale=3.0)


@program('functools.partial', 1.3)
def partial_global(x):
    return triple(x) ** 2


@program('functools.partial', np.array([0.2, 0.4]), np.array([1.0, 2.0]))
def partial_of_partial(x, w):
    f = functools.partial(functools.partial(affine, scale=w), shift=x)
    return np.sum(f(x * 2))


@program('map', [0.3, 0.8, 1.4])
def mapped(xs):
    return sum(map(math.sin, xs))


@program('map', [0.3, 0.8, 1.4], 0.5)
def mapped_closure(xs, w):
    return sum(map(lambda v: w * v ** 2, xs))


@program('map', [0.3, 0.8, 1.4], [1.0, 2.0, 3.0])
def mapped_two(xs, ys):
    return sum(map(operator.mul, xs, ys))


@program('map', [0.3, 0.8, 1.4])
def list_of_map(xs):
    squares = list(map(lambda v: v * v, xs))
    return squares[0] * squares[-1]


@program('filter', [0.3, -0.8, 1.4])
def filtered(xs):
    return sum(filter(lambda v: v > 0, xs))


@program('filter', [0.3, -0.8, 1.4])
def filter_and_map(xs):
    total = 0.0
    for v in map(math.exp, filter(lambda v: v > 0, xs)):
        total += v * v
    return total


@program('reduce', [0.3, 0.8, 1.4])
def reduced(xs):
    return reduce(lambda a, b: a * b, xs)


@program('reduce', [0.3, 0.8, 1.4], 0.6)
def horner(coefficients, x):
    return reduce(lambda acc, c: acc * x + c, coefficients, 0.0)


@program('reduce', 0.7)
def composed_by_reduce(x):
    functions = [math.sin, math.cos, math.exp]
    f = functools.reduce(lambda f, g: lambda v: g(f(v)), functions)
    return f(x)


@program('sorted with key', [0.3, -0.8, 1.4])
def sorted_by_key(xs):
    ordered = sorted(xs, key=lambda v: -abs(v))
    return ordered[0] * 3 + ordered[1] * 2 + ordered[2]


@program('sorted with key', [(0.3, 'b'), (0.8, 'a')])
def sorted_pairs(pairs):
    ordered = sorted(pairs, key=lambda p: p[1], reverse=True)
    return ordered[0][0] ** 2 + ordered[1][0]


@program('max with key', [0.3, -1.8, 1.4])
def largest_by_key(xs):
    return max(xs, key=abs) ** 2 + min(xs, key=lambda v: v * v)


@program('decorator', 0.9)
def uses_decorated(x):
    return decorated_square(x) + decorated_square(2 * x)


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        return result * 2.0
    return wrapper


@logged
def decorated_square(v):
    return v * v


def repeat(times):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(v):
            for _ in range(times):
                v = function(v)
            return v
        return wrapper
    return decorate


@repeat(3)
def halved_sine(v):
    return math.sin(v) / 2 + v


@program('decorator with arguments', 0.9)
def uses_repeated(x):
    return halved_sine(x) * x


@functools.lru_cache(maxsize=None)
def cached_cube(v):
    return v * v * v


@program('lru_cache', 0.9)
def uses_cache(x):
    return cached_cube(x) + cached_cube(x) * cached_cube(2 * x)


@functools.lru_cache
def binomial(n, k):
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)


@program('lru_cache', 0.9)
def bernstein(x):
    return sum(binomial(4, k) * x ** k * (1 - x) ** (4 - k) * k ** 2 for k in range(5))


@program('grad inside', 1.3)
def grad_inside(x):
    return tangent.grad(lambda y: y ** 3)(x) * x


@program('grad inside', 1.3)
def grad_of_closure_inside(x):
    return tangent.grad(lambda y: x * y ** 2)(x)


@program('grad inside', 1.0)
def perturbation_confusion(x):
    return x * tangent.grad(lambda y: x + y)(1.0)


@program('grad inside', 4.0)
def perturbation_confusion_product(x):
    return x * tangent.grad(lambda y: x * y)(1.0)


@program('grad inside', 0.6)
def perturbation_captured(x):
    def outer(y):
        captured = x * y
        return captured * y
    return tangent.grad(outer)(2.0) * x


def cubic(v):
    return v ** 3 - 2 * v


@program('grad inside', 1.6)
def newton_step(x):
    return x - cubic(x) / tangent.grad(cubic)(x)


@program('grad inside', 1.6)
def newton_loop(x):
    y = x
    for _ in range(2):
        value, slope = tangent.value_and_grad(cubic)(y)
        y = y - 0.5 * value / slope
    return y


@program('grad inside', np.array([0.5, -0.3]))
def gradient_penalty(x):
    def potential(v):
        return np.sum(np.sin(v) * v)
    g = tangent.grad(potential)(x)
    return potential(x) + 0.1 * np.sum(g ** 2)


@program('grad inside', np.array([0.5, -0.3]), np.array([[1.0, 0.2], [0.3, 0.8]]))
def vjp_inside(x, w):
    def layer(v):
        return np.tanh(np.dot(w, v))
    return np.sum(tangent.vjp(layer)(x, np.array([1.0, 2.0])) ** 2)


@program('grad inside', 0.4)
def second_derivative(x):
    first = tangent.grad(math.sin)
    return tangent.grad(lambda v: first(v) * v)(x)


@program('grad of a function that takes a function', make=lambda: (cubic, 0.4), wrt=(1,))
def derivative_of_argument(f, x):
    return tangent.grad(f)(x) * f(x)


@program('operator', 0.4, 1.2)
def operator_functions(x, y):
    pairs = [operator.add, operator.sub, operator.mul, operator.truediv]
    return sum(op(x, y) for op in pairs)


@program('operator', [0.4, 1.2, 2.0])
def itemgetter(xs):
    pick = operator.itemgetter(0, 2)
    a, b = pick(xs)
    return a * b


@program('closure in loop', 0.4)
def closures_made_in_loop(x):
    functions = []
    for k in range(3):
        functions.append(lambda v, k=k: v ** k * x)
    return sum(f(x) for f in functions)


@program('closure in loop', 0.4)
def late_binding(x):
    functions = []
    for k in range(3):
        def f(v):
            return v * k * x
        functions.append(f)
    return sum(f(x) for f in functions)


@program('globals', 0.4)
def global_in_closure(x):
    def f(v):
        return v * SCALE
    return f(x) * f(f(x))


@program('closure object', 0.4, 1.3)
def point_as_closure(x, y):
    """A closure as an object: messages to a function (the Zygote paper's example)."""
    def point(message):
        if message == 'x':
            return x
        if message == 'y':
            return y
        return math.sqrt(x * x + y * y)
    return point('x') * point('norm') + point('y')


@program('cons cells', 0.4, 1.3)
def cons_cells(x, y):
    def cons(a, b):
        return lambda pick: pick(a, b)

    def car(pair):
        return pair(lambda a, b: a)

    def cdr(pair):
        return pair(lambda a, b: b)
    cell = cons(x, cons(y, x * y))
    return car(cell) * car(cdr(cell)) + cdr(cdr(cell))


@program('y combinator', 0.9)
def y_combinator(x):
    fix = lambda f: (lambda g: g(g))(lambda g: f(lambda n: g(g)(n)))  # noqa: E731
    power = fix(lambda self: lambda n: 1.0 if n == 0 else x * self(n - 1))
    return power(4)


@program('continuation passing', 0.9)
def continuations(x):
    def add(a, b, k):
        return k(a + b)

    def square(a, k):
        return k(a * a)
    return square(x, lambda x2: add(x2, x, lambda s: square(s, lambda r: r * 0.5)))


@program('order of evaluation', 1.3)
def read_before_the_call(x):
    k = x

    def grow(a, b):
        nonlocal k
        k = k * 1.5
        return a * b + k
    return k * grow(k, 2.0) + grow(k, grow(k, k)) * k


class Meter:
    def __init__(self):
        self.n, self.seen = 1, []

    def read(self, x):
        self.n += 1
        self.seen.append(x)
        return x * self.n


@program('order of evaluation', 1.3)
def attribute_read_before_the_call(x):
    m = Meter()
    return m.n * m.read(x) + m.n * (m.n + m.read(x)) * len(m.seen)


def counting_down(x):
    def rec(n):
        return x * 1.0 if n == 0 else x * rec(n - 1)
    return rec


def even_or_odd(x):
    def even(n):
        return x * 1.0 if n == 0 else x * odd(n - 1)

    def odd(n):
        return x * 3.0 if n == 0 else even(n - 1)
    return even


@program('closures among exceptions', 1.3)
def closures_returned_in_try(x):
    try:
        table = {'adder': make_adder(x)}
        return table['adder'](3.0) * counting_down(x)(3) + even_or_odd(x)(2) * twice(make_adder(x), x)
    except KeyError:
        return 0.0


@program('closures among exceptions', 1.3, np.array([0.3, 0.8]))
def partials_in_try(x, v):
    try:
        f = partial(affine, scale=x)
        g = partial(f, shift=v)
        return sum(map(f, [x, 2.0])) * np.sum(g(v)) + partial(pow, x)(2)
    except KeyError:
        return 0.0


@program('decorators imported inside', 0.7)
def kept_by_a_cache_imported_inside(x):
    from functools import lru_cache

    @lru_cache(None)
    def term(n):
        return x if n < 2 else term(n - 1) * term(n - 2) + x
    return term(6)
