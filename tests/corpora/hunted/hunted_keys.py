"""Functions for `tests/corpora/test_hunted.py` that use the keys of dicts as numbers: keys have no derivative."""
import numpy as np

from tests.corpora.hunted.hunting import found


@found({3: 0.7, 1: 0.4}, 0.9, mixes=('f', 'rf'))
def polynomial_with_its_coefficients_in_a_dict(table, x):
    y = 0.0
    for n in table:
        y = y + table[n] * x ** n
    return y


@found({3: 0.7, 1: 0.4}, mixes=('f', 'ff'))
def keys_in_order(table):
    t = 0.0
    for k in sorted(table):
        t = t * 3 + k * table[k]
    for n, k in enumerate(table):
        t = t * 3 + k * table[k] + n
    return (t + sum([k * table[k] for k in table])) ** 2


@found(0.7, mixes=('f',))
def keys_of_a_dict_made_here(x):
    table = {3: x * 2.0, 1: x * x}
    a, b = table
    first = list(table)[0]
    return min(table) * x + max(table) * table[min(table)] + sum(table) * x + a * table[b] + first * x


@found(0.7, mixes=('f',))
def items_taken_off_a_dict(x):
    table = {3: x * 2.0, 1: x * x}
    k, v = table.popitem()
    return k * v * table.pop(3)


def powers(x):
    return {1.0: x, 2.0: x * x}


def grown(x):
    table = {}
    for i in range(3):
        table[i * 1.5] = x * i
    return table


def with_one_more(table, k):
    table[k] = table[1.0] * 2
    return table


@found(0.7, mixes=('f', 'rf', 'ff'))
def keys_of_what_a_callee_returns(x):
    table = powers(x)
    times = [k * x for k in list(table)]
    first, *others = [*table]
    return (times[0] + times[1] + sum(list(table)) * x + table[2.0] * first + sum(others) * x) ** 2


@found({1.0: 0.5, 2.0: 0.7}, mixes=('f',))
def keys_of_a_parameter(table):
    t = sum(map(lambda k: k * k, table)) * table[1.0] + sum([*table]) * table[2.0]
    for k in list(table):
        t = t + k * table[k]
    return t


@found(0.7, mixes=('f', 'rr', 'rf'))
def extreme_keys_of_what_callees_return(x):
    return max(grown(x)) * x * x + sum(powers(x)) * x + sorted(powers(x))[1] * powers(x)[2.0]


@found(0.7, mixes=('f', 'rf'))
def keys_of_a_dict_that_a_callee_adds_to(x):
    table = {1.0: x}
    with_one_more(table, 2.0)
    return table[2.0] * x + sum(with_one_more(table, 4.0)) * x * x


# What `enumerate` counts, and what goes along in `zip`, is no key of the other

W = np.array([0.3, 0.5, 0.2])


@found(W, mixes=('f',))
def elements_beside_their_numbers(v):
    for i, e in enumerate(v):
        v[i] = v[i] * e
    s = 0.0
    for i, e in zip(range(3), v):
        s = s + v[i] * e
    return s + sum([v[i] * e for i, e in enumerate(v)])


@found(W, mixes=('f',))
def elements_taken_off_their_own_places(v):
    for i, e in enumerate(v):
        v[i] -= e * v[0]
    return np.sum(v)


@found(0.7, 1.3, 0, mixes=('f', 'rf'))
def keys_of_a_display_that_are_equal(x, y, k):
    table = {0: x, k: y * x, k + 1: x * x}
    return table[0] * y + {k: x, len(table): y, 2: x * y}[2] * table[1]
