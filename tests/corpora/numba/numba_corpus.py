# ruff: noqa: B007, B008, E731, F841 - a corpus of programs as people write them
"""Numeric functions whose derivative compiles: `numba.njit(tangent.grad(f))` agrees with CPython.

Scalars, loops, branches, array expressions, indexing. The functions are plain Python that Numba itself compiles.
"""
import functools
import math

import numpy as np

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)

V = np.array([0.3, 1.2, -0.7, 0.9])
W = np.array([1.1, 0.4, 0.95, 0.2])
M = np.array([[0.3, 1.2, -0.7, 0.1], [0.5, -0.4, 0.9, 0.3], [0.2, 0.6, -0.1, 0.8]])


def polynomial(x):
    return x ** 3 - 2.0 * x ** 2 + x / 3 - 1.0


case(polynomial, 1.3)


def scalar_math(x, y):
    return math.sin(x) * math.exp(-y) + math.sqrt(x * x + y * y) / math.log(2.0 + x)


case(scalar_math, 0.7, 0.4)


def numpy_scalars(x, y):
    return np.sin(x) * np.tanh(y) + np.exp(x * y) - np.log(1.0 + x * x)


case(numpy_scalars, 0.7, 0.4)


def pendulum_energy(q, p):
    return 0.5 * p * p + 1.0 - math.cos(q)


case(pendulum_energy, 0.7, 0.4)


def branch(x):
    if x > 0.5:
        y = x * x
    else:
        y = math.sin(x)
    return y * 2.0


case(branch, 1.3)
case(branch, 0.2)


def conditional(x, y):
    return x * y if x > y else x - y


case(conditional, 1.3, 0.4)
case(conditional, 0.1, 0.4)


def early_return(x):
    if x > 1.0:
        return x * x * x
    y = x * 2.0
    if y > 1.0:
        return y * x
    return y


case(early_return, 1.3)
case(early_return, 0.7)
case(early_return, 0.2)


def loop_power(x, n):
    y = 1.0
    for i in range(n):
        y = y * x
    return y


case(loop_power, 1.3, 5)


def loop_sines(x, n):
    y = x
    for i in range(n):
        y = math.sin(y) + x * y / (i + 1)
    return y


case(loop_sines, 0.6, 6)


def nested_loops(x):
    s = 0.0
    for i in range(3):
        z = x
        for j in range(i + 1):
            z = z * x + j
        s = s + z * z
    return s


case(nested_loops, 0.6)


def branch_in_loop(x, n):
    y = x
    for i in range(n):
        if y > 1.5:
            y = y * 0.5
        else:
            y = y * y + 0.4
    return y


case(branch_in_loop, 0.9, 8)


def while_newton(x):
    r = 1.0
    n = 0
    while abs(r * r - x) > 1e-12 and n < 30:
        r = 0.5 * (r + x / r)
        n = n + 1
    return r


case(while_newton, 3.0)


def break_loop(x):
    y = 1.0
    for i in range(20):
        y = y * x
        if y > 6.0:
            break
    return y


case(break_loop, 1.7)


def continue_loop(x):
    y = 1.0
    for i in range(9):
        if i % 3 == 0:
            continue
        y = y * x + 0.1 * i
    return y


case(continue_loop, 1.1)


def sum_of_squares(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s


case(sum_of_squares, V)


def neighbours(x):
    s = 0.0
    for i in range(x.shape[0] - 1):
        s = s + (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return s


case(neighbours, V)


def dot_by_hand(x, y):
    s = 0.0
    for i in range(x.size):
        s += x[i] * y[i]
    return s


case(dot_by_hand, V, W)


def matrix_entries(a, x):
    s = 0.0
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(a.shape[1]):
            t += a[i, j] * x[j]
        s += math.tanh(t)
    return s


case(matrix_entries, M, V)


def loop_over_entries(x):
    s = 1.0
    for v in x:
        s = s * (1.0 + v * v)
    return s


case(loop_over_entries, V)


def array_expression(x, y):
    return np.sum(np.sin(x) * y + x * x / (1.0 + y * y))


case(array_expression, V, W)


def broadcast_scalar(x, c):
    return np.sum(np.exp(-c * x) + c)


case(broadcast_scalar, V, 0.6)


def mean_and_norm(x):
    return np.mean(x * x) + np.sqrt(np.sum(x * x))


case(mean_and_norm, V)


def dots(x, y):
    return np.dot(x, y) ** 2 + np.dot(x, x)


case(dots, V, W)


def matrix_vector(a, x):
    return np.sum(np.tanh(np.dot(a, x)))


case(matrix_vector, M, V)


def perceptron(w, b, x):
    h = np.tanh(np.dot(w, x) + b)
    return np.sum(h * h)


case(perceptron, M, W[:3].copy(), V)


def slices(x):
    return np.sum(x[1:] * x[:-1]) + x[0] * x[-1]


case(slices, V)


def array_state(x, n):
    h = x
    for i in range(n):
        h = np.tanh(h * x)
    return np.sum(h)


case(array_state, V, 4)


def logistic_loss(w, x, t):
    z = np.dot(x, w)
    return np.sum(np.log(1.0 + np.exp(-t * z)))


case(logistic_loss, V, M, np.array([1.0, -1.0, 1.0]))


def unused_argument(x, y):
    return x * 2.0


case(unused_argument, 0.7, 0.4)
case(unused_argument, 0.7, V)


def fibonacci(x, n):
    a, b = 0.0, x
    for i in range(n):
        a, b = b, a + b * x
    return a


case(fibonacci, 0.7, 6)


def chosen(x, y):
    return np.sum(np.where(x > 0.5, x * y, y * y))


case(chosen, V, W)


def return_in_loop(x, n):
    y = x
    for i in range(n):
        y = y * x
        if y > 3.0:
            return y * i
    return y


case(return_in_loop, 1.5, 6)
case(return_in_loop, 0.5, 6)


def absolute_values(x, y):
    return abs(x) * np.abs(y) + math.fabs(x) - abs(y * x)


case(absolute_values, -0.7, 0.4)


def soft_thresholds(x):
    s = 0.0
    for i in range(len(x)):
        if abs(x[i]) > 0.5:
            s += x[i] * np.sign(x[i]) - 0.5
    return s + np.sum(np.abs(x)) + np.max(x)


case(soft_thresholds, V)


def smaller_and_larger(x, y):
    return max(x, y) * min(x, y) + np.maximum(x, 0.1) * np.minimum(y, 2.0)


case(smaller_and_larger, 0.7, 0.4)
