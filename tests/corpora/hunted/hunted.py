"""Functions for `tests/corpora/test_hunted.py`, as people write them, without classes in sight."""
import functools
import heapq
import itertools

import numpy as np
from numpy import floor, shape

from tests.corpora.hunted.hunting import found

# Default values

@found(0.7, mixes=('f',))
def defaults_of_lambdas_in_a_list(x):
    fs = []
    for k in range(3):
        fs.append(lambda t, y=x * k: t * y)
    return fs[1](x) + fs[2](2.0)


@found(0.7)
def default_of_a_lambda_in_a_dict(x):
    table = {'a': lambda t, y=x * x: t * y}
    return table['a'](x)


@found(0.7)
def default_by_name_of_a_lambda_that_is_called_at_once(x):
    return (lambda a, *, b=x * x: a * b)(x)


@found(0.7)
def default_of_a_lambda_given_to_map(x):
    return sum(map(lambda t, y=x * x: t * y, [x, 2.0]))


@found(0.7)
def defaults_of_lambdas_in_a_comprehension(x):
    fs = [lambda t, k=k, y=x * k: t * y + k for k in range(3)]
    return sum(f(x) for f in fs)


# Variables of comprehensions that have the name of something global

@found(0.7)
def function_values_under_the_name_of_a_constant_function(x):
    return sum([shape(x) for shape in [np.sin, np.cos]]) + len(shape(np.ones(2))) * x


@found(0.7)
def values_under_the_name_of_a_constant_function(x):
    y = floor(x)
    return sum(floor(x) for floor in [np.sin, np.cos]) * x + floor(2 * x) + y


@found(0.7)
def functions_of_a_dict_under_the_name_of_a_constant_function(x):
    d = {k: floor(x) for k, floor in {'a': np.sin, 'b': np.cos}.items()}
    return d['a'] * d['b']


# Returns that come to nothing

@found(0.7)
def return_in_finally(x):
    def h(y):
        try:
            raise ValueError
        except ValueError:
            return y * y
        finally:
            return y ** 3                                                     # noqa: B012
    return h(x)


@found(0.7)
def break_in_finally(x):
    for k in range(3):
        try:
            y = x * k
            if k == 1:
                return y ** 3
        finally:
            if k == 1:
                break                                                         # noqa: B012
    return x * x


@found(0.7)
def error_in_finally(x):
    t = 0.0
    for k in range(3):
        try:
            try:
                if k == 1:
                    return t * x
                t += x
            finally:
                t = t / (0 if k == 1 else 1)
        except ZeroDivisionError:
            t *= x
    return t * x


@found(0.7)
def write_in_finally(x):
    a = [x]

    def scaled(v):
        try:
            a[0] = a[0] * v
            if v > 1:
                raise ValueError
            return a[0]
        except ValueError:
            return a[0] * v
        finally:
            a[0] = a[0] + x
    return scaled(x) * scaled(2 * x) * a[0]


# Variables of functions two levels out

@found(0.7)
def variable_bound_anew_two_levels_in(x):
    a = x

    def f():
        b = a * 2

        def g():
            nonlocal a, b
            a = a * b
            b = a + x
            return b
        return g() + g() + b
    return f() * a


# One list in two places

@found(0.3, mixes=('f', 'rf'))
def row_that_is_in_a_list_twice(x):
    rows = [[0.0] * 2] * 2
    rows[0][0] += x
    rows[1][0] += x * x
    return rows[0][0] * x


# Generators without an end

def powers(x):
    s = x
    while True:
        s = s * x + 1
        yield s


@found(0.7, mixes=())
def part_of_a_generator_without_an_end(x):
    it = powers(x)
    a, b = itertools.islice(it, 1, 5, 2)
    return a * b + next(it) + sum(itertools.islice(powers(x), 4))


@found(0.7, mixes=('f', 'rf'))
def values_under_the_name_of_a_module(x):
    return sum(abs(np) for abs, np in [(lambda t: t * x, x), (lambda t: t, x * x)]) + np.sin(x)


# Decorators

@found(0.7, mixes=('f', 'rf'))
def a_cache_of_a_function_inside(x):
    @functools.lru_cache(None)
    def power(n):
        return x if n == 0 else x * power(n - 1)

    @functools.cache
    def times(n):
        return x * n
    return power(3) + times(4)


def twice(f):
    def changed(*args):
        return 2 * f(*args)
    return changed


@found(0.7, mixes=())
def a_decorated_function_inside_that_calls_itself(x):
    @twice
    def power(n):
        return x if n == 0 else x * power(n - 1)
    return power(3)


def with_all(f, values):
    return f(*[v * 2 for v in values]) + f(*values)


def of_two(a, b):
    return a * b * b


def of_arrays(a, b):
    return np.sum(a * b * b)


# What is left out of a derivative

@found(0.7, 1.3, mixes=('f', 'rf'))
def length_of_a_dict_that_is_not_read(x, y):
    table, marks = {}, dict()
    for k in range(3):
        table[k] = 0
    marks[0] = 1
    return x * len(table) * (y + len(marks))


# Exponents that stand where a derivative may be, and have none: the base is negative

@found(-0.9, 0.7)
def exponents_in_containers(x, y):
    total = 0.0
    for n, u in [(2, x), (3.0, x), (2.0, y)]:
        total += u ** n
    d = {'n': 3, 'x': x}
    return total + d['x'] ** d['n'] + np.power(d['x'], d['n']) + pow(d['x'], d['n']) + np.float_power(d['x'], d['n'])


@found(np.array([0.7, -1.3, 0.4, -0.9]))
def numbers_of_the_elements(v):
    total = 0.0
    for (i, j), u in np.ndenumerate(v.reshape(2, 2)):
        total += u ** (i + 1) + u * v[j]
    return total + sum(u * u * (k[0] + 1) for k, u in np.ndenumerate(np.sin(v)))


# Second derivatives through what is looked up between nodes, moved by places, made integers and turned about

@found(np.array([0.4, 1.2]), np.array([0.0, 1.0, 2.0]), np.array([0.3, 0.5, 0.1]))
def square_of_looked_up(x, nodes, values):
    return np.sum(np.interp(x, nodes, values) ** 2) * np.interp(0.3, nodes[:2], values[1:], left=values[0])


@found(np.array([0.7, 1.3, 0.4, 2.1]))
def moved_by_places(v):
    s = np.sin(v)
    return np.sum(np.take(s, [0, 5, 7], mode='wrap') * np.insert(s, 1, v[2])[2:]) + np.interp(4.0, np.arange(4), s, period=3.0) ** 2


@found(np.array([0.7, 1.3, 0.4, 2.1]))
def weighed_by_whole_parts(v):
    weights = v[0] ** 3 * v.astype(int) + v[1] ** 2 * np.array(v, dtype=int) + np.sin(v) * np.asarray(v, np.int64)
    return np.sum(weights * np.array(v, dtype=float))


@found(np.linspace(0.1, 2.4, 12).reshape(2, 3, 2))
def turned_about_as_a_tuple_says(t):
    axes = 2, 0, -2
    s = np.sin(t)
    return np.sum(s.transpose((1, 2, 0))[0] ** 2) + np.sum(s.transpose(axes)[0] ** 3) + np.sum(s.transpose(None)[1] ** 2)


# Generators that other comprehensions, `zip` and `map` go through; methods of arrays that are handed on

X = np.array([0.5, 0.9, 1.3])
ROWS = [np.array([1.0, 2.0, 0.5]), np.array([0.5, -1.0, 2.0])]


@found(X)
def sum_of_squares_of_a_generator(x):
    return sum(v * v for v in (u * 2 for u in x if u > 0.6))


@found(X)
def generator_in_a_generator(x):
    u = 3.0
    return sum([v * u for v in (u * w for u in x for w in (t * t for t in x) if w > u)])


@found(X)
def generators_side_by_side(x):
    total = 0.0
    for a, b in zip((u * u for u in x), (u + 1 for u in x)):
        if a > 1:
            break
        total += a * b
    return total


@found(X)
def dict_of_a_generator_of_pairs(x):
    table = {k: v * v for k, v in ((i, u * u) for i, u in enumerate(x))}
    return table[1] * max(v - 1.0 for v in (u * x[0] for u in x))


@found(X)
def map_over_a_generator(x):
    return sum(map(lambda v, w: v * w, (u * 2 for u in x), x)) + next(v * x[0] for v in (u * u for u in x) if v > 0.5)


def squared(v):
    return np.sum(v * v)


def weighted(v, w, k):
    return v * w * k


@found(X)
def maps_of_functions_of_every_kind(x):
    k, most = 1.5, functools.partial(weighted, k=2.0)
    total = sum(map(squared, [x, x * x])) + max(map(lambda v, w: v * w * k, x, x[1:])) + sum(map(most, x, x[::-1]))
    for i, v in enumerate(map(float, x)):
        total += i * v * v
    a, b = map(np.exp, x[:2])
    return total * a * sum([v * b for v in filter(lambda v: v > 0.6, x)])


@found(X)
def a_map_under_a_name(x):
    found = map(squared, [x, x * x])
    return sum(found) * x[0]


@found(X)
def lambdas_with_names_of_the_function(x):
    v = x[0] * 2.0
    total = sum(map(lambda x: x * v, x))
    return total * v + sum(map(lambda v: v * v, x))


@found(X)
def methods_by_their_class(x):
    half = functools.partial(np.ndarray.dot, x)
    return np.ndarray.dot(x, ROWS[0]) * np.ndarray.sum(x * x) + half(x) + sum(map(np.ndarray.sum, [x, x * x]))


@found(X)
def methods_of_an_array_for_map(x):
    return sum([v * v for v in map(x.dot, ROWS)]) + sum(map(x.take, [0, 2, 2]))


# Function values whose variables are bound anew, or change, before they are called again

def applied(f, xs):
    return [f(v) for v in xs]


@found(X)
def lambda_whose_factor_is_bound_anew(x):
    k = 2.0
    f = lambda v: v * k  # noqa: E731
    total = sum(applied(f, x))
    k = 3.0
    return total * sum(applied(f, x))


@found(X)
def map_of_a_lambda_whose_factor_is_bound_anew(x):
    k = 2.0
    f = lambda v: v * k  # noqa: E731
    total = sum(map(f, x))
    k = 3.0
    return total * sum(map(f, x))


@found(X)
def order_by_a_key_that_changes(x):
    k = [2.0]
    first = sorted(x, key=lambda v: -v * k[0])[0]
    largest = heapq.nlargest(1, x, key=lambda v: v * k[0])[0]
    k[0] = -1.0
    return first * largest * x[1]


@found(X)
def order_by_a_key_that_is_bound_anew(x):
    k = 2.0
    f = lambda v: -v * k  # noqa: E731
    first = sorted(x, key=f)[0] * max(x, key=f)
    k = -1.0
    return first * sorted(x, key=f)[0] * max(x, key=f)


@found(X)
def what_lambdas_have_captured_changes(x):
    k, table, w = [2.0], {'a': 2.0}, x[2]
    f = lambda v: v * k[0]  # noqa: E731
    total = sum(applied(f, x)) * applied(lambda v: v * table['a'], x)[0] + sum(applied(lambda v: v * w * k[0], x))
    k[0], table['a'] = 3.0, 5.0
    return total * sum(applied(f, x)) * applied(lambda v: v * table['a'], x)[1]


@found(X)
def what_lambdas_in_a_list_have_captured_changes(x):
    k = [2.0]
    total = 1.0
    for f in [lambda v: v * k[0], lambda v: v * v * k[0]]:
        total = total * f(x[0])
        k[0] = k[0] + 1.0
    return total * functools.reduce(lambda a, b: a * b * k[0], x)


# The gradient of a tuple that starts with zeros was bound together with that of an array, in one statement too short for both

def susceptible_and_ill(state, rates):
    s, i = state
    new, well = rates[0] * s * i, rates[1] * i
    return s - 0.1 * new, i + 0.1 * (new - well)


@found(X[:2])
def pair_handed_from_step_to_step(rates):
    state, total = (0.9, 0.1), 0.0
    for seen in (0.1, 0.2, 0.3):
        state = susceptible_and_ill(state, rates)
        total += (state[1] - seen) ** 2
    return total
