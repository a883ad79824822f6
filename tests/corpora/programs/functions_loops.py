# ruff: noqa: B007, B008, E731, F841 - a corpus of programs as people write them
"""Programs of the kinds that reverse mode must take: loops of every sort.
"""
import functools
import math

import numpy as np

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)


def loop(x, n):
    y = x
    for i in range(n):
        y = y * x
    return y


case(loop, 1.3, 4)
case(loop, 1.3, 0)


def loop_of_sums(x):
    y = 0.0
    for i in range(5):
        y = y + x * i
    return y


case(loop_of_sums, 1.3)


def loop_steps(x):
    y = 1.0
    for i in range(10, 0, -3):
        y = y + math.sin(x * i) * y
    for i in range(2, 9, 2):
        y += x / i
    return y


case(loop_steps, 1.3)


def nested_loops(x):
    y = 0.0
    for i in range(3):
        z = x
        for j in range(i):
            z = z * x
            y = y + z * j
    return y


case(nested_loops, 1.3)


def loop_overwrites(x):
    for i in range(4):
        x = math.sin(x) + x
    return x


case(loop_overwrites, 0.3)


def loop_with_branch(x):
    y = x
    for i in range(6):
        if i % 2 == 0:
            y = y * x
        else:
            y = math.sin(y)
    return y


case(loop_with_branch, 1.1)


def data_dependent_branch_in_loop(x):
    y = x
    for i in range(6):
        if y > 1.5:
            y = y / 2.0
        else:
            y = y * y + 0.3
    return y


case(data_dependent_branch_in_loop, 1.1)


def while_loop(x):
    y = x
    while y < 10:
        y = y * x
    return y


case(while_loop, 1.7)
case(while_loop, 11.0)


def while_counter(x, n):
    i = 0
    y = 1.0
    while i < n:
        y = y * x + i
        i += 1
    return y


case(while_counter, 1.7, 3)
case(while_counter, 1.7, 0)


def nested_while(x):
    i = 0
    s = 0.0
    while i < 3:
        j = 0
        while j <= i:
            s = s + x ** j
            j = j + 1
        i = i + 1
    return s


case(nested_while, 1.7)


def breaks(x):
    y = 1.0
    for i in range(10):
        y = y * x
        if y > 5:
            break
        y = y + 0.1
    return y


case(breaks, 1.7)
case(breaks, 0.7)


def continues(x):
    y = 1.0
    for i in range(7):
        if i % 3 == 0:
            continue
        y = y * x + i
    return y


case(continues, 1.2)


def break_and_continue(x):
    s = 0.0
    i = 0
    while True:
        i += 1
        if i == 2:
            continue
        s = s + x ** i
        if s > 20 or i > 8:
            break
        s = s * 1.1
    return s


case(break_and_continue, 1.2)


def breaks_nested(x):
    s = x
    for i in range(4):
        for j in range(4):
            if j > i:
                break
            if (i + j) % 2:
                continue
            s = s * x + j
        if s > 40:
            break
    return s


case(breaks_nested, 1.05)
case(breaks_nested, 2.05)


def return_in_loop(x):
    y = x
    for i in range(10):
        y = y * x
        if y > 3:
            return y * 2
    return y


case(return_in_loop, 1.5)
case(return_in_loop, 0.5)


def return_in_nested_loop(x):
    y = x
    for i in range(5):
        for j in range(3):
            y = y * x + 0.01 * j
            if y > 3:
                return y * i
    return y + 1


case(return_in_nested_loop, 1.3)
case(return_in_nested_loop, 0.3)


def loop_over_array(xs):
    s = 0.0
    for x in xs:
        s = s + x * x
    return s


case(loop_over_array, np.array([1.0, 2.0, 3.0]))


def loop_over_rows(a):
    s = np.zeros(2)
    for row in a:
        s = s + np.sin(row) * row
    return np.sum(s)


case(loop_over_rows, np.array([[1.0, 2.0], [3.0, 0.5], [0.1, 0.2]]))


def loop_over_list(x, y):
    s = 1.0
    for v in [x, y, x * y]:
        s = s * v + v
    return s


case(loop_over_list, 1.2, 0.3)


def loop_enumerate(xs):
    s = 0.0
    for i, x in enumerate(xs):
        s += i * x * x
    return s


case(loop_enumerate, np.array([1.0, 2.0, 3.0]))
case(loop_enumerate, [1.0, 2.0, 3.0])


def loop_zip(xs, ys):
    s = 0.0
    for x, y in zip(xs, ys):
        s = s + x * y
    return s


case(loop_zip, np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.2, 0.1]))
case(loop_zip, [1.0, 2.0], (3.0, 4.0))


def loop_index(xs):
    s = 0.0
    for i in range(len(xs) - 1):
        s += xs[i] * xs[i + 1]
    return s


case(loop_index, np.array([1.0, 2.0, 3.0, 4.0]))


def loop_carried_pair(x):
    a, b = x, 1.0
    for _ in range(5):
        a, b = b, a * b + x
    return a * b


case(loop_carried_pair, 0.8)


def loop_variable_used_after(x):
    for i in range(4):
        y = x * i
    return y + i * x


case(loop_variable_used_after, 0.8)


def loop_with_inactive_state(x):
    s, seen = 0.0, 0
    for i in range(8):
        if i % 3 == 1:
            seen += 1
            s = s + x * seen
    return s / seen


case(loop_with_inactive_state, 0.8)
