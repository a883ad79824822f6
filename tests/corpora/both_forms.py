"""Programs that `test_both_forms` differentiates in both forms of reverse mode, and in forward mode."""
# ruff: noqa: B905
import collections
import itertools

import numpy as np
import scipy.stats

Pair = collections.namedtuple('Pair', 'a b')


# A list or tuple beside an array

def array_and_list(x):
    y = x * 2.0
    z = y + [x[0], x[1], x[2]]
    return np.sum(z * z)


def list_and_array(x):
    y = x * 2.0
    z = [x[0], x[1], x[2]] + y
    return np.sum(z * z)


def array_and_list_in_place(x):
    y = np.sin(x)
    y += [x[0], x[1], x[2]]
    return np.sum(y ** 2)


def array_and_tuple(x):
    return np.sum(x + (x[1], 2.0, x[0]))


def joined_again(x):
    z = (x + [x[0], x[1], x[2]]) + [x[1], x[1], x[1]]
    return np.sum(z ** 3)


# Elements of several kinds

def none_among_numbers(x):
    s = 0.0
    for p in (x[0], None, x[1]):
        if p is not None:
            s = s + p * p
    return s


def dict_or_number(x):
    s = 0.0
    for p in [{'k': x[0]}, x[1]]:
        s += p['k'] if isinstance(p, dict) else p * p
    return s


def list_or_number(x):
    s = 0.0
    for p in [[x[0]], x[1]]:
        if isinstance(p, list):
            s += p[0]
        else:
            s += p * p
    return s


def list_or_array(x):
    s = 0.0
    for k in range(2):
        p = [[x[0], x[1]], x][k]
        s += p[0] * p[1] if k == 0 else np.sum(p ** 3)
    return s


def first_two(ps):
    s = 0.0
    for k in range(2):
        p = ps[k]
        s += p[0] * p[1] if k == 0 else np.sum(p ** 3)
    return s


def list_or_array_in_a_function(x):
    return first_two([[x[0], x[1]], x])


def sums_of_exponentials(ps):
    s = 0.0
    for p in ps:
        s += np.sum(np.exp(p))
    return s


def tuples_taken_for_arrays(x):
    return sums_of_exponentials([[x[0], x[1]], x[1], (x[2], x[0]), ((x[0], x[1]), (x[2], x[2]))])


# Keys that are taken apart

def pairs_as_keys(x):
    d = {(i, j): x[i] * x[j] for i in range(3) for j in range(i)}
    return sum(v for (i, j), v in d.items() if i != 2)


def pairs_as_keys_in_a_loop(x):
    d = {(i, 1): x[i] for i in range(3)}
    s = 0.0
    for (i, j), v in d.items():
        s += v * (i + j)
    return s


# Parts of what has no name

def part_of_a_part(x):
    y = {'w': x.copy(), 'n': [x[0]]}
    y['w'][0] = 0.5
    return np.sum(y['w'] ** 2) + y['n'][0] * x[0]


# Calls of the library's

def dict_of_pairs_and_more(x):
    d = dict(zip('ab', x), c=x[0])
    return d['a'] * d['b'] + d['c'] ** 3


def dict_of_a_dict_and_more(x):
    e = {'q': x[1] * x[2]}
    d = dict({'a': x[0]}, c=x[0], **e)
    return d['a'] * d['q'] + d['c'] ** 3


def sum_of_a_namedtuple(x):
    return sum(Pair(x[0] * 2, x[1] ** 2))


def largest_of_a_namedtuple(x):
    return max(Pair(x[0] * 2, x[1] ** 2)) + np.sum(np.array(Pair(x[0] * 2, x[1] ** 2)) ** 2)


def cross_in_the_plane(x):
    return np.cross(x[:2], x[1:]) * 2.0


def cross_of_stacks_in_the_plane(x):
    a = np.stack([x[:2], x[1:]])
    return np.sum(np.cross(a, x[:2]) ** 2)


def cross_of_plane_and_space(x):
    return np.sum(np.cross(x[:2], x) ** 2) + np.sum(np.cross(np.outer(x, x), x[:2], axisa=0) ** 2 * x)


def one_value_for_all_keys(x):
    d = dict.fromkeys('abc', x[0])
    d['b'] = x[1]
    return sum(d.values()) ** 2


def vectorized(x):
    k = x[1]
    f = np.vectorize(lambda v: v * k, otypes=[float])
    return np.sum(f(x))


def vectorized_without_a_capture(x):
    f = np.vectorize(lambda a, b: a * b if a > b else a + b)
    return np.sum(f(np.outer(x, x), x[::-1]))


@np.vectorize
def choice(a, b):
    return a * b if a > b else a + np.sin(b)


def vectorized_at_the_top(x):
    return np.sum(choice(x, x[::-1]) ** 2)


def sorted_along_an_axis(x):
    a = np.array([x, x * 2])
    a.sort(axis=1)
    return a[0] @ a[1] + a.max()


def trimmed_mean(x):
    return scipy.stats.trim_mean(np.outer(x, x), 0.34, axis=1)[0] + scipy.stats.trim_mean(np.outer(x, x), 0.3, axis=None)


def parts_into_two_arrays(x):
    a, b = np.zeros(3), np.zeros(3)
    np.modf(x * 3, out=(a, b))
    a *= 2
    return np.sum(a * x * b)


def quotients_into_two_arrays(x):
    a, b = np.zeros(3), np.zeros(3)
    _, r = np.divmod(x, 0.3, out=(a, b))
    return np.sum(b * x) + np.sum(r ** 2)


def element_set_by_its_method(x):
    y = x * 1.0
    y.__setitem__(0, x[1])
    return np.sum(y * y)


def one_value_again_and_again(x):
    s = 0.0
    for (a, (i, b)) in zip(itertools.repeat((x[0], x[1])), enumerate(x)):
        s += a[0] * b + i * a[1]
    return s


ONLY_REVERSE = [parts_into_two_arrays, quotients_into_two_arrays, element_set_by_its_method, one_value_again_and_again]


def array_of_records(x):
    y = np.zeros(3, dtype=[('a', float)])
    y['a'] = x
    return np.sum(y['a'] ** 2)


def alias_of_an_enumerate(x):
    s = 0.0
    for pairs in [enumerate(x)]:
        for i, v in pairs:
            s += i * v
    return s


def gradient_by_places(x):
    return np.sum(np.gradient(x ** 2, x))


def heights(x):
    return np.sum(np.histogram(x, bins=2, weights=x)[0] ** 2)


def polynomial_as_an_object(x):
    p = np.poly1d(x)
    return p(2.0)


REFUSED = {gradient_by_places: 'no derivative rule for argument', heights: 'no derivative rule for argument',
           polynomial_as_an_object: '__dict__', array_of_records: 'array',
           alias_of_an_enumerate: 'make a list of it, list('}
