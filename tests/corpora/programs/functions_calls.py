# ruff: noqa: B007, B008, E731, F841 - a corpus of programs as people write them
"""Programs of the kinds that reverse mode must take: calls, recursion, containers, every kind of argument.
"""
import functools
import math

import numpy
import numpy as np

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)


# Calls

def square(x):
    return x * x


def square_times(x, y=2.0, z=3.0):
    return square(x) * y + z


def calls(x):
    return square(x) + square(square(x))


case(calls, 1.3)


def calls_with_defaults(x, y):
    return square_times(x) + square_times(x, y) + square_times(x, z=y) + square_times(z=x, y=y, x=x * y)


case(calls_with_defaults, 1.3, 0.4)


def nested_call_arguments(x, y):
    return square_times(square(x * y), math.sin(square(y)), square_times(x))


case(nested_call_arguments, 1.3, 0.4)


def helper_with_branch(x):
    if x > 1:
        return x * x
    return math.sin(x)


def calls_helper_with_branch(x):
    return helper_with_branch(x) * helper_with_branch(x - 1.0)


case(calls_helper_with_branch, 1.3)
case(calls_helper_with_branch, 0.3)


def helper_with_loop(x, n):
    for i in range(n):
        x = math.sin(x) * x
    return x


def calls_in_loop(x):
    s = x
    for i in range(3):
        s = s + helper_with_loop(s, i + 1)
    return s


case(calls_in_loop, 1.3)


def two_results(x, y):
    return x * y, x + y


def unpacks_results(x, y):
    p, s = two_results(x, y)
    q, _ = two_results(p, s)
    return p * s + q


case(unpacks_results, 1.3, 0.4)


def uses_one_result(x, y):
    return two_results(x, y)[1] * two_results(y, x)[0]


case(uses_one_result, 1.3, 0.4)


def returns_pair(x, y):
    return x * y, x


case(returns_pair, 1.3, 0.4)


def returns_dict_helper(x):
    return {'value': x * x, 'scale': 2.0}


def uses_dict_result(x):
    d = returns_dict_helper(x)
    return d['value'] * d['scale']


case(uses_dict_result, 1.3)


def factorial_like(x, n):
    if n <= 0:
        return 1.0
    return x * factorial_like(x - 0.1, n - 1)


case(factorial_like, 2.3, 4)


def even_steps(x, n):
    return x if n == 0 else math.sin(odd_steps(x, n - 1))


def odd_steps(x, n):
    return x * x if n == 0 else 2.0 * even_steps(x, n - 1)


case(even_steps, 0.7, 3)


GLOBAL = 1.7


def reads_global(x):
    return x * GLOBAL + numpy.pi * x


case(reads_global, 0.7)


def passive_call(x):
    n = len(str(int(100.0)))
    print('at', n, end='')
    return x * n


case(passive_call, 0.7)


def asserts(x):
    assert x > 0, f'{x} is not positive'
    return x * x


case(asserts, 0.7)


def lambda_free_max(x, y):
    return max(x, y) * min(x, y)


case(lambda_free_max, 0.7, 0.9)


# Containers

def tuple_of_values(x, y):
    t = (x * y, x, y)
    a, b, c = t
    return a * b + c + t[0]


case(tuple_of_values, 0.7, 0.9)


def nested_tuples(x, y):
    (a, (b, c)), d = (x, (y, x * y)), 2.0
    return a * b * c * d


case(nested_tuples, 0.7, 0.9)


def tuple_argument(p):
    a, b = p
    return a * b + p[0]


case(tuple_argument, (0.7, 0.9))


def list_argument(p):
    return p[0] * p[1] + p[-1] ** 2


case(list_argument, [0.7, 0.9, 2.0])


def dict_argument(p):
    return p['w'] * p['x'] + p['b']


case(dict_argument, {'w': 2.0, 'x': 3.0, 'b': 1.0})


def nested_argument(p, x):
    h = np.tanh(np.dot(p['layers'][0], x) + p['bias'][0])
    return np.sum(h * p['layers'][1]) * p['scale']


case(nested_argument, {'layers': [np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([0.5, -0.6])],
                       'bias': (np.array([0.1, 0.1]),), 'scale': 1.5}, np.array([1.0, 2.0]))


def dict_of_values(x, y):
    d = {'a': x, 'b': y * y, 'n': 'name'}
    e = {'inner': d, 'k': x}
    return d['a'] * e['inner']['b'] + e['k']


case(dict_of_values, 0.7, 0.9)


def list_of_values(x, y):
    v = [x, y, x * y]
    w = [v, x]
    return v[0] * w[0][2] + w[1]


case(list_of_values, 0.7, 0.9)


def sum_of_list(x, y):
    return sum([x * x, y, x])


case(sum_of_list, 0.7, 0.9)


def sliced_list(p):
    first, rest = p[0], p[1:]
    return first * rest[0] + sum(rest)


case(sliced_list, [0.7, 0.9, 1.1])


def list_indexed_in_loop(p):
    s = 1.0
    for i in range(len(p)):
        s = s * p[i] + p[i - 1]
    return s


case(list_indexed_in_loop, [0.7, 0.9, 1.1])


def loop_over_layers(layers, x):
    for w, b in layers:
        x = np.tanh(np.dot(w, x) + b)
    return np.sum(x)


case(loop_over_layers, [(np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([0.1, 0.2])),
                        (np.array([[0.5, -0.2]]), np.array([0.3]))], np.array([1.0, -1.0]))


# Arguments

def keyword_only(x, *, scale=2.0):
    return x * x * scale


case(keyword_only, 0.7)


def positional_only(x, /, y):
    return x * y


case(positional_only, 0.7, 0.9)


def default_array(x, w=np.array([1.0, 2.0])):
    return np.sum(w * x)


case(default_array, 0.7)
case(default_array, 0.7, np.array([0.5, 0.1]))


def matches(x, kind):
    if kind in ('a', 'b') and isinstance(x, float):
        return x * x
    return x


case(matches, 1.3, 'a')
case(matches, 1.3, 'c')
