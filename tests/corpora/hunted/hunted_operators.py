"""Functions for `tests/corpora/test_hunted.py` where a class with operators is in sight: `+` and sum are looked at when running."""
import heapq

import numpy as np

from tests.corpora.hunted.hunting import found


class Shape:
    def __init__(self, size):
        self.size = size

    def __add__(self, other):
        return Shape(self.size + other.size)


def multiples(x, n):
    for k in range(1, n):
        yield x * k


@found(0.7, mixes=())
def sum_of_a_generator_where_classes_have_operators(x):
    y = sum(multiples(x, 4))
    return y * y if y > 0 else x


@found(0.7, mixes=())
def generator_given_to_a_function_under_another_name(x):
    total = [np.sin, sum][1]
    return total(multiples(x, 4)) * x


class Fails:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self.x

    def __exit__(self, *error):
        raise KeyError


@found(0.7, mixes=())
def error_when_a_context_is_left(x):
    try:
        with Fails(x) as y:
            return y * x
    except KeyError:
        return x * 5


@found([0.9, 0.3, 0.6, 0.1], mixes=())
def call_in_an_update_is_made_once(xs):
    heap, k = [], 1
    for x in xs:
        heapq.heappush(heap, x)
    total = 1.0
    while heap:
        total += k * heapq.heappop(heap)
        k += 1
    return total


@found(0.7, mixes=('f',))
def variable_bound_anew_by_what_is_added_to_it_with_operators(x):
    t = x

    def bump():
        nonlocal t
        t = t * 3
        return t
    t += bump()
    return t
