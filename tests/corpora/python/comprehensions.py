"""Comprehensions and generators."""
import math

import numpy as np

from tests.tools.registry import program


@program('list comprehension', [0.3, 0.8, 1.1])
def squares(xs):
    ys = [x * x for x in xs]
    return ys[0] * ys[1] + ys[2]


@program('list comprehension', [0.3, 0.8, 1.1], 0.5)
def conditional(xs, w):
    return sum([w * x for x in xs if x > 0.5])


@program('list comprehension', [[0.3, 0.8], [1.1, 0.2]])
def flattened(rows):
    flat = [v for row in rows for v in row if v > 0.25]
    return sum(k * v * v for k, v in enumerate(flat))


@program('list comprehension', [[0.3, 0.8], [1.1, 0.2]])
def nested(rows):
    table = [[math.sin(v) for v in row] for row in rows]
    return table[0][1] * table[1][0]


@program('list comprehension', np.array([0.3, 0.8, 1.1]))
def stacked(x):
    return np.sum(np.array([x * k for k in range(1, 4)]) ** 2)


@program('list comprehension', [0.3, 0.8, 1.1])
def with_else(xs):
    return sum([x if x > 0.5 else -2 * x for x in xs])


@program('list comprehension', [0.3, 0.8, 1.1])
def shadowing(xs):
    x = xs[0]
    ys = [x * 2 for x in xs]
    return x * sum(ys)


@program('list comprehension', [0.3, 0.8, 1.1])
def unpacking(xs):
    return sum([a * b - k for k, (a, b) in enumerate(zip(xs, xs[1:]))])


@program('list comprehension', [[1.0, 2.0], [3.0, 4.0]], [[0.5, 0.1], [0.2, 0.3]])
def matrix_product(a, b):
    c = [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]
    return c[0][0] * c[1][1] - c[0][1] * c[1][0]


@program('dict comprehension', {'a': 0.3, 'b': 0.8})
def dict_comprehension(d):
    squared = {key: value ** 2 for key, value in d.items()}
    return squared['a'] + 3 * squared['b']


@program('dict comprehension', [0.3, 0.8])
def dict_from_pairs(xs):
    table = {k: x for k, x in enumerate(xs) if k}
    return table[1] * sum(table.values())


@program('set comprehension', [0.3, 0.8])
def set_of_keys(xs):
    kinds = {k % 2 for k in range(5)}
    return sum(x * len(kinds) for x in xs)


@program('generator expression', [0.3, 0.8, 1.1])
def summed(xs):
    return sum(x ** 2 for x in xs) * max(x for x in xs)


@program('generator expression', [0.3, 0.8, 1.1])
def over_generator(xs):
    ys = (x * 2 for x in xs)
    total = 1.0
    for y in ys:
        total *= y
    return total


@program('generator expression', [0.3, 0.8, 1.1])
def chain_of_generators(xs):
    doubled = (2 * x for x in xs)
    shifted = (d + 1 for d in doubled)
    return sum(s * s for s in shifted)


@program('generator expression', [0.3, 0.8, 1.1])
def tuple_of_generator(xs):
    a, b, c = (x * x for x in xs)
    t = tuple(x + 1 for x in xs)
    return a * b + c * t[0]


def countdown(x, n):
    while n > 0:
        yield x * n
        n -= 1


@program('generator', 0.7)
def user_generator(x):
    return sum(countdown(x, 3)) * x


@program('generator', 0.7)
def generator_in_for(x):
    total = 0.0
    for v in countdown(x, 4):
        if v < 1.0:
            break
        total += v * v
    return total


def pairs(xs):
    for k in range(len(xs) - 1):
        yield xs[k], xs[k + 1]


@program('generator', [0.3, 0.8, 1.1])
def generator_of_pairs(xs):
    return sum(a * b for a, b in pairs(xs))


def flatten(node):
    if isinstance(node, list):
        for child in node:
            yield from flatten(child)
    else:
        yield node


@program('yield from', [0.3, [0.8, [1.1]]])
def recursive_generator(node):
    product = 1.0
    for v in flatten(node):
        product *= v
    return product


def running(xs):
    total = 0.0
    for x in xs:
        total += x
        yield total


@program('generator', np.array([0.3, 0.8, 1.1]))
def generator_with_state(xs):
    return max(running(xs)) + sum(v ** 2 for v in running(xs))


@program('generator', [0.3, 0.8, 1.1])
def generator_by_hand(xs):
    g = running(xs)
    first = next(g)
    second = next(g)
    return first * second + sum(g)


@program('generator', [0.3, 0.8, 1.1])
def local_generator(xs):
    def scaled(factor):
        for x in xs:
            yield x * factor
    return sum(scaled(2.0)) * max(scaled(xs[0]))


@program('generator', [0.3, 0.8, 1.1])
def list_of_generator(xs):
    values = list(running(xs))
    return values[-1] * values[0]


@program('join and format', [0.3, 0.8])
def strings_beside(xs):
    label = ', '.join(f'{x:.2f}' for x in xs)
    return sum(xs) * len(label)


@program('comprehension with a closure', [0.3, 0.8], 1.2)
def calls_closure(xs, w):
    def weigh(v):
        return w * v ** 2
    return sum([weigh(x) for x in xs])


@program('comprehension over a matrix', np.array([[0.3, 0.8], [1.1, 0.2]]))
def norms_of_rows(a):
    norms = [np.sqrt(np.sum(row ** 2)) for row in a]
    return norms[0] * norms[1]


@program('nested comprehension indices', np.array([0.3, 0.8, 1.1]))
def pairwise(x):
    return sum((x[i] - x[j]) ** 2 for i in range(3) for j in range(i))


@program('zip star', [[0.3, 0.8], [1.1, 0.2], [0.5, 0.6]])
def columns(points):
    xs, ys = zip(*points)
    return sum(xs) * sum(ys)


@program('min max of generator', [0.3, 0.8], [1.4, 0.1])
def distance_to_nearest(xs, ys):
    return sum(min((x - y) ** 2 for y in ys) for x in xs)


@program('softmax in pure Python', [0.3, 0.8, -0.5])
def softmax(xs):
    top = max(xs)
    exps = [math.exp(x - top) for x in xs]
    total = sum(exps)
    probabilities = [e / total for e in exps]
    return -math.log(probabilities[1])


@program('iterator advanced by hand', [0.3, 0.8, 1.1, 1.4, 0.6, 0.9, 0.7])
def iterator_in_two_loops(xs):
    it = iter(xs)
    total = next(it)
    for x in it:
        total = total * x
        if x > 1.0:
            break
    for x in it:
        total = total + x * next(it)
    return total + next(it, 2.0)


@program('iterator advanced by hand', [0.3, 0.8, 1.1])
def generator_after_next(xs):
    g = running(xs)
    total = next(g)
    for v in g:
        total = total * v + next(g, 1.0)
    return total
