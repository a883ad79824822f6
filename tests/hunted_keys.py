"""Functions for `test_hunted` that use the keys of dicts as numbers: keys have no derivative."""
from tests.hunting import found


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
