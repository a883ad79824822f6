"""Signatures, calls, recursion, methods as functions."""
import functools
import itertools
import math

import numpy as np

from tests.tools.registry import program


def total_of(*args):
    result = 0.0
    for a in args:
        result += a * a
    return result


@program('*args', 0.5, 1.5)
def star_args(x, y):
    return total_of(x, y, x * y) + total_of()


@program('*args', [0.5, 1.5, 2.0])
def star_call(xs):
    return total_of(*xs) * total_of(1.0, *xs)


@program('*args of the function itself', 0.5, 1.5, 2.5, wrt=(0,))
def own_star_args(first, *rest):
    return first * sum(rest) * first


def scaled(v, **options):
    return v * options['scale'] + options.get('shift', 0.0)


@program('**kwargs', 0.5, 1.5)
def keyword_args(x, y):
    return scaled(x, scale=y) + scaled(y, scale=2.0, shift=x)


@program('**kwargs', {'scale': 0.5, 'shift': 1.5}, 0.7)
def double_star_call(options, x):
    return scaled(x, **options)


def forwarding(*args, **kwargs):
    return affine(*args, **kwargs)


def affine(v, /, scale=1.0, *, shift=0.0):
    return v * scale + shift


@program('*args and **kwargs', 0.5, 1.5)
def forwarded(x, y):
    return forwarding(x, y, shift=x) * forwarding(y)


@program('keyword-only', 0.5, 1.5)
def keyword_only_call(x, y):
    return affine(x, shift=y) * affine(2.0, scale=x)


@program('defaults', 0.5)
def default_parameters(x, scale=2.0, *, shift=0.5):
    return x * scale + shift * x ** 2


def optional(v, extra=None):
    if extra is None:
        extra = v
    return v * extra


@program('defaults', 0.5)
def default_none(x):
    return optional(x) + optional(x, 3.0) + optional(2.0, extra=x)


def factorial_like(x, n):
    return 1.0 if n == 0 else x * n * factorial_like(x, n - 1)


@program('recursion', 1.2)
def recursive_call(x):
    return factorial_like(x, 4)


def fib(n, a, b):
    if n < 2:
        return b if n else a
    return fib(n - 1, a, b) + fib(n - 2, a, b) * 0.5


@program('recursion', 1.2, 0.4)
def recursive_twice(a, b):
    return fib(6, a, b)


@program('recursion', 1.2, 3, wrt=(0,))
def recursive_self(x, n):
    if n <= 0:
        return math.sin(x)
    return x * recursive_self(x * 0.5, n - 1)


def is_even(v, n):
    return v * 2.0 if n == 0 else is_odd(v * v, n - 1)


def is_odd(v, n):
    return -v if n == 0 else is_even(v + 1.0, n - 1)


@program('mutual recursion', 0.6)
def mutual(x):
    return is_even(x, 3) + is_odd(x, 1)


def tree_sum(node):
    if isinstance(node, tuple):
        left, right = node
        return math.tanh(tree_sum(left) + 0.5 * tree_sum(right))
    return node * node


@program('recursion over a tree', ((0.3, (0.4, 0.9)), 1.2))
def tree_recursion(node):
    return tree_sum(node)


@program('recursion over a list', [0.3, 0.9, 1.4])
def list_recursion(xs):
    def go(rest):
        if not rest:
            return 0.0
        return math.sin(rest[0]) + 0.5 * go(rest[1:])
    return go(xs)


def quicksort(xs):
    if len(xs) <= 1:
        return xs
    pivot = xs[0]
    lower = [x for x in xs[1:] if x < pivot]
    upper = [x for x in xs[1:] if x >= pivot]
    return quicksort(lower) + [pivot] + quicksort(upper)


@program('recursion', [0.9, 0.2, 1.4, 0.5])
def sorts_recursively(xs):
    return sum((k + 1) * x for k, x in enumerate(quicksort(xs)))


def adaptive_simpson(f, a, b, depth):
    m = (a + b) / 2
    whole = (b - a) / 6 * (f(a) + 4 * f(m) + f(b))
    if depth == 0:
        return whole
    return adaptive_simpson(f, a, m, depth - 1) + adaptive_simpson(f, m, b, depth - 1)


@program('recursion with a function', 0.8)
def integral(x):
    return adaptive_simpson(lambda t: math.exp(-x * t * t), 0.0, x, 2)


def divided(a, b):
    return a / b, a % b


@program('several results', 5.5, 2.0)
def several_results(x, y):
    quotient, remainder = divided(x, y)
    return quotient * remainder


def statistics_of(xs):
    mean = np.mean(xs)
    return {'mean': mean, 'var': np.mean((xs - mean) ** 2), 'n': len(xs)}


@program('dict result', np.array([0.3, 1.4, 2.2]))
def dict_result(xs):
    s = statistics_of(xs)
    return s['mean'] * s['var'] / s['n']


@program('helper without return', [0.3, 0.8])
def helper_for_effect(xs):
    out = []

    def emit(v):
        out.append(v * 2)
    for x in xs:
        emit(x)
    return out[0] * out[1]


@program('function attribute', 0.6)
def function_attribute(x):
    return scaling(x) * scaling.factor


def scaling(v):
    return v * scaling.factor


scaling.factor = 1.5


def dispatching(v):
    return dispatch(v)


@functools.singledispatch
def dispatch(v):
    return v * 2.0


@dispatch.register(list)
def _(v):
    return sum(v) * 3.0


@program('singledispatch', 0.6)
def single_dispatch(x):
    return dispatching(x) * dispatching([x, 1.0])


@program('itertools', [0.3, 0.8, 1.1])
def accumulate(xs):
    return sum(itertools.accumulate(xs)) + list(itertools.accumulate(xs, lambda a, b: a * b))[-1]


@program('itertools', [0.3, 0.8], [1.1, 0.4])
def chained(xs, ys):
    total = 0.0
    for v in itertools.chain(xs, ys):
        total = total * 0.5 + v
    return total


@program('itertools', [0.3, 0.8, 1.1])
def combinations(xs):
    return sum(a * b for a, b in itertools.combinations(xs, 2))


@program('itertools', [0.3, 0.8, 1.1])
def products(xs):
    total = 0.0
    for a, b in itertools.product(xs, repeat=2):
        total += a * b ** 2
    return total


@program('itertools', [0.3, 0.8, 1.1, 2.0])
def islice_and_pairs(xs):
    total = 0.0
    for a, b in zip(itertools.islice(xs, 2), itertools.islice(xs, 2, None)):
        total += a * b
    return total


@program('itertools', [0.3, 0.8, 1.1, 2.0])
def starmap(xs):
    return sum(itertools.starmap(lambda a, b: a ** b, zip(xs, xs[1:])))


@program('itertools', [0.3, 0.8, 1.1])
def take_while(xs):
    return sum(itertools.takewhile(lambda v: v < 1.0, xs)) * sum(itertools.dropwhile(lambda v: v < 1.0, xs))


@program('itertools', [0.3, 0.8, 1.1])
def zip_longest(xs):
    return sum(a * b for a, b in itertools.zip_longest(xs, [2.0], fillvalue=0.5))


@program('itertools', [0.3, 0.8, 1.1, 0.4])
def group_by(xs):
    total = 0.0
    for large, group in itertools.groupby(xs, key=lambda v: v > 0.5):
        part = sum(group)
        total += part ** 2 if large else part
    return total


@program('any and all', [0.3, 0.8, 1.1])
def any_all(xs):
    if any(x > 1 for x in xs) and all(x > 0 for x in xs):
        return xs[0] * xs[1]
    return xs[2]


@program('sum with start', [0.3, 0.8, 1.1], 0.5)
def sum_with_start(xs, start):
    return sum(xs, start) * sum([], start)


@program('math.prod and fsum', [0.3, 0.8, 1.1])
def math_prod(xs):
    return math.prod(xs) + math.fsum(xs) ** 2


@program('next and iter', [0.3, 0.8, 1.1])
def next_of_iterator(xs):
    it = iter(xs)
    first = next(it)
    total = first
    for v in it:
        total = total * first + v
    return total + next(it, 2.0)


@program('pow with three, divmod, round', 7.3)
def number_builtins(x):
    q, r = divmod(x, 2.0)
    return q * r + pow(x, 2) + abs(-x) + round(x) * x


@program('exec', 0.6)
def calls_generated(x):
    return generated(x) ** 2


exec(compile('def generated(v):\n    return v * 3.0\n', '<generated>', 'exec'), globals())   # no source: refused


@program('conditional import', 0.6)
def imports_inside(x):
    import math as m
    from math import cos
    return m.sin(x) * cos(x)


@program('assert and print', 0.6)
def asserts(x):
    assert x > 0, f'x is {x}'
    y = x * x
    assert isinstance(y, float)
    return y * x


@program('star in the middle', [0.3, 0.8, 1.1, 2.0])
def star_in_middle(xs):
    first, *middle, last = xs
    return first * last + sum(middle) ** 2


@program('annotations', 0.6)
def annotated(x: float) -> float:
    y: float = x * x
    z: 'list[float]' = [y, x]
    return z[0] * z[1]


@program('chained comparison and assignment', 0.6)
def chained_assignment(x):
    a = b = x * 2
    if 0 < a < 2:
        b = a * b
    return a + b


@program('ternary chains', -0.6)
def ternary_chain(x):
    return x * x if x > 0 else -x if x > -0.5 else x * 3 + x ** 2


@program('boolean values', 0.6)
def boolean_values(x):
    y = x or 2.0
    z = x and y * 3
    return y * z + (0.0 or x)


@program('swap', 0.6, 1.4)
def swapped(x, y):
    x, y = y, x * y
    x, y = y + x, x
    return x * x + y
