# ruff: noqa: B007, E731, F841 - a corpus of programs as people write them
"""Functions decorated with `numba.njit`, whose derivative is compiled too: what `numba_corpus` leaves out.

Calls, recursion, tuples, complex numbers, arrays that are written into, linear algebra, parallel loops.
"""
import cmath
import functools
import math
from collections import namedtuple

import numba
import numpy as np

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)
njit = numba.njit

V = np.array([0.3, 1.2, -0.7, 0.9])
W = np.array([1.1, 0.4, 0.95, 0.2])
M = np.array([[0.3, 1.2, -0.7, 0.1], [0.5, -0.4, 0.9, 0.3], [0.2, 0.6, -0.1, 0.8]])
S = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.8]])
Pair = namedtuple('Pair', 'a b')


# Calls

@njit
def root(x):
    r = 1.0
    while abs(r * r - x) > 1e-12:
        r = 0.5 * (r + x / r)
    return r


@njit
def calls_with_loops(x, n):
    s = 0.0
    for i in range(n):
        s += root(x * (i + 1))
    return s


case(calls_with_loops, 0.7, 4)


@njit
def branching(x, n):
    if n < 2:
        return math.sin(x)
    return branching(x * 0.5 + 0.1, n - 1) * x + branching(x, n - 2)


case(branching, 0.7, 6)


@njit
def recursive_arrays(x, n):
    if n == 0:
        return x * 1.0
    return np.tanh(recursive_arrays(x * 0.5, n - 1) + x)


@njit
def sum_of_recursion(x, n):
    return np.sum(recursive_arrays(x, n))


case(sum_of_recursion, V, 5)


@njit
def even(x, n):
    if n == 0:
        return x
    return math.sin(odd(x, n - 1))


@njit
def odd(x, n):
    if n == 0:
        return x * x
    return even(x, n - 1) * x


@njit
def mutual_recursion(x, n):
    s = 0.0
    for k in range(n):
        s += even(x, k) + odd(x, k)
    return s


case(mutual_recursion, 0.7, 5)


@njit
def inner_function(x):
    a = x * x

    def scaled(y):
        return y * a
    return scaled(x) + scaled(2.0)


case(inner_function, 0.7)


# Tuples

@njit
def tuple_of_two_kinds(p):
    return p[0] * np.sum(p[1] ** 2)


case(tuple_of_two_kinds, (0.5, V))


@njit
def namedtuples(x):
    p = Pair(0.0, 1.0)
    for i in range(len(x)):
        p = Pair(p.a + x[i] * p.b, p.b * x[i])
    return p.a * p.b


case(namedtuples, V)


@njit
def namedtuple_argument(p):
    return p.a * p.b + math.sin(p.a)


case(namedtuple_argument, Pair(0.5, 0.7))


@njit
def with_varargs(x, *rest):
    return np.sum(x) * rest[0]


case(with_varargs, V, 2.0)


# Lists

@njit
def appended(x):
    squares = []
    for i in range(len(x)):
        squares.append(x[i] * x[i])
    return sum([v * v for v in squares])


case(appended, V)


# Arrays that are written into

@njit
def cholesky_by_hand(a):
    f = a.copy()
    n = f.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                f[i, j] -= f[i, k] * f[j, k]
            f[i, j] /= f[j, j]
        for k in range(i):
            f[i, i] -= f[i, k] * f[i, k]
        f[i, i] = math.sqrt(f[i, i])
    s = 0.0
    for i in range(n):
        for j in range(i + 1):
            s += f[i, j]
    return s


@njit
def filled(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = math.sin(x[i]) * x[i]
    return np.sum(y * y)


case(filled, V)


@njit
def argument_written(x, y):
    for i in range(len(x)):
        x[i] = x[i] * y[i]
    return np.sum(x)


case(argument_written, V, W)


@njit
def cross_products(x, y):
    return np.sum(np.cross(x, y) ** 2)


case(cross_products, V[:3].copy(), W[:3].copy())


# Parallel loops

@njit(parallel=True)
def parallel_rows(a, x):
    s = 0.0
    for i in numba.prange(a.shape[0]):
        t = 0.0
        for j in range(a.shape[1]):
            t += a[i, j] * x[j]
        s += math.tanh(t)
    return s


case(parallel_rows, M, V)


# Numbers of other kinds

@njit
def complex_modulus(z):
    return abs(cmath.exp(z) * z.conjugate() + 1j)


@njit
def raising(x):
    if x < 0:
        raise ValueError('negative')
    return math.sqrt(x)


case(raising, 0.5)
