# ruff: noqa: B007, B008, E731, F841 - a corpus of programs as people write them
"""Constructs that a later version may take; until then each is refused with an error of our own, and never wrong."""
import functools

import numpy as np

from tests.corpora.programs.functions_calls import square, two_results
from tests.tools.checking import add_case

LATER = []
later = functools.partial(add_case, LATER)


def breaks_in_nest(x):
    s = x
    for i in range(4):
        for j in range(4):
            if j > i:
                break
            if (i + j) % 2:
                continue
            s = s * x + j
        else:
            s = s * 2.0
        if s > 40:
            break
    return s


later(breaks_in_nest, 1.05)


def starred(x, y):
    first, *rest = [x, y, x * y]
    return first * rest[0] + rest[1]


later(starred, 0.7, 0.9)


def walrus(x):
    if (y := x * x) > 1:
        return y * x
    return y


later(walrus, 1.7)
later(walrus, 0.7)


def comprehension(xs):
    return sum([x * x for x in xs])


later(comprehension, [1.0, 2.0, 3.0])


def generator(xs):
    return sum(x * x for x in xs)


later(generator, np.array([1.0, 2.0, 3.0]))


def writes_entry(x):
    y = np.zeros(3)
    y[0] = x * x
    y[1] = y[0] * x
    return np.sum(y)


later(writes_entry, 1.3)


def augments_entry(x):
    y = np.ones(3) * x
    for i in range(1, 3):
        y[i] += y[i - 1] * x
    return y[2] + y[0]


later(augments_entry, 1.3)


def writes_argument(x):
    x[0] = x[1] * 2.0
    x[1:] = x[:-1] * 3.0
    return np.sum(x * x)


later(writes_argument, np.array([1.0, 2.0, 3.0]))


def aliased_write(x):
    y = x * 1.0
    z = y
    z[0] = 5.0
    return np.sum(y * y)


later(aliased_write, np.array([1.0, 2.0, 3.0]))


def view_written(x):
    y = x * 1.0
    v = y[1:]
    v[0] = 3.0
    return np.sum(y * y)


later(view_written, np.array([1.0, 2.0, 3.0]))


def appends(x):
    values = []
    for i in range(3):
        values.append(x ** i)
    return sum(values)


later(appends, 1.3)


def closure(x):
    def inner(y):
        return x * y
    return inner(x) + inner(2.0)


later(closure, 1.3)


def calls_lambda(x):
    g = lambda y: y * x
    return g(x) * 3


later(calls_lambda, 1.3)


def catches(x):
    try:
        y = x * x
    except ValueError:
        y = x
    return y


later(catches, 1.3)


def varargs(*xs):
    return xs[0] * xs[1]


later(varargs, 1.3, 0.4)


def spread_call(x, y):
    args = (x, y)
    return two_results(*args)[0]


later(spread_call, 1.3, 0.4)


def dict_written(x):
    d = {'a': x}
    d['b'] = x * x
    d['a'] = d['b'] * d['a']
    return d['a']


later(dict_written, 1.3)


def higher_order(x):
    return apply_twice(square, x)


def apply_twice(f, x):
    return f(f(x))


later(higher_order, 1.3)


def loop_else(x):
    for i in range(3):
        x = x * x
        if x > 100:
            break
    else:
        x = x + 1.0
    return x


later(loop_else, 1.3)


def augmented_alias(x):
    y = x * 1.0
    z = y
    z *= 3.0
    return np.sum(y)


later(augmented_alias, np.array([1.0, 2.0, 3.0]))


def augmented_argument(x):
    x *= 2.0
    return np.sum(x * x)


later(augmented_argument, np.array([1.0, 2.0, 3.0]))


def deletes(x):
    y = x * x
    del x
    return y


later(deletes, 1.3)


def global_write(x):
    global GLOBAL
    GLOBAL = 1.7
    return x * GLOBAL


later(global_write, 1.3)


def map_call(xs):
    return sum(map(square, xs))


later(map_call, [1.0, 2.0])


def loop_over_items(p):
    y = 1.0
    for k, v in p.items():
        y = y * v + len(k)
    return y


later(loop_over_items, {'a': 0.7, 'bc': 1.1})


def loop_over_values(p):
    y = 1.0
    for v in p.values():
        y = y * v + 1.0
    return y


later(loop_over_values, {'a': 0.7, 'bc': 1.1})


def tuple_grown(x):
    values = (x,)
    for i in range(3):
        values = (*values, values[-1] * x) if i > 5 else values + (values[i] * x,)
    return values[3] * values[1]


later(tuple_grown, 0.7)
