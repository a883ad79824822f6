# ruff: noqa: B007 - a corpus of programs as people write them
"""Programs of the kinds that reverse mode must take: names that steer a loop bound again in it, and what loops carry."""
import functools
import math

import numpy as np

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)


# Names that steer a loop and are bound again in it

def bound_rebound(x, n):
    y = 1.0
    for i in range(n):
        n = n + 3
        y = y * x + i
    return y * n


case(bound_rebound, 1.1, 3)


def loop_variable_rebound(xs):
    y = 0.0
    for i in range(2):
        y = y + xs[i] * i
        i = i + 1
        y = y * xs[i]
    return y * xs[i]


case(loop_variable_rebound, np.array([1.1, 0.3, 0.7]))


def sequence_rebound(xs):
    y = 0.0
    for x in xs:
        xs = xs * 2.0
        y = y + x * xs[0]
    return y + np.sum(xs)


case(sequence_rebound, np.array([1.1, 0.3, 0.7]))


def element_rebound(xs):
    y = 1.0
    for x in xs:
        x = x * x
        y = y * x
        x = x + y
        y = y + x
    return y * x


case(element_rebound, np.array([1.1, 0.3, 0.7]))


def start_and_step_rebound(x, a, b):
    y = x
    for i in range(a, 20, b):
        a, b = b, a
        y = math.sin(y) * x + a * i
    return y * a


case(start_and_step_rebound, 1.1, 3, 5)


def bound_from_outer(x):
    y, k = x, 1
    for i in range(3):
        for j in range(k):
            y = y * x + j
        k = k + i
    return y


case(bound_from_outer, 1.05)


def bound_from_data(x):
    y = 0.0
    for i in range(int(x * 3)):
        y = y + x ** i
    return y


case(bound_from_data, 1.45)


def index_in_while(xs):
    i, y = 0, 1.0
    while i < len(xs):
        y = y * xs[i] + i
        i = i + 2 if y > 1 else i + 1
    return y


case(index_in_while, np.array([1.1, 0.3, 0.7, 1.4]))


def index_found(xs):
    k = 0
    for i in range(1, len(xs)):
        if xs[i] > xs[k]:
            k = i
    return xs[k] ** 2 * xs[0]


case(index_found, np.array([0.3, 1.1, 0.7]))


def negative_range(xs):
    y = 0.0
    for i in range(len(xs) - 1, -1, -1):
        y = y * xs[i] + xs[-i - 1]
    return y


case(negative_range, np.array([0.3, 1.1, 0.7]))


def loop_over_dict(p):
    y = 1.0
    for k in p:
        y = y * p[k] + len(k)
    return y


case(loop_over_dict, {'a': 0.7, 'bc': 1.1})


def dict_keys_in_loop(p):
    y = 0.0
    for k in ('w', 'b', 'w'):
        y = y * p[k] + p[k]
    return y


case(dict_keys_in_loop, {'w': 0.7, 'b': 1.1})


def enumerate_from(xs):
    y = 0.0
    for i, x in enumerate(xs, 2):
        y = y + x ** i
    return y


case(enumerate_from, np.array([0.3, 1.1, 0.7]))


def zip_three(xs, ys, n):
    y = 0.0
    for i, (x, z) in enumerate(zip(xs, ys)):
        y = y + x * z * i
    for x, z, i in zip(xs, ys, range(n)):
        y = y * x + z ** i
    return y


case(zip_three, np.array([0.3, 1.1, 0.7]), np.array([0.5, 0.2, 0.4]), 2)


def reversed_loop(xs):
    y = 0.0
    for x in reversed(xs):
        y = y * x + x
    for x in xs[::-1]:
        y = y * x + x
    return y


case(reversed_loop, np.array([0.3, 1.1, 0.7]))


def loop_over_matrix_entries(a):
    y = 1.0
    for row in a:
        for v in row:
            y = y + v * v * y
    return y


case(loop_over_matrix_entries, np.array([[0.3, 0.1], [0.7, 0.4]]))


def state_in_a_tuple(x):
    state = (x, 1.0, 0)
    for _ in range(4):
        a, b, n = state
        state = (a * b, b + a, n + 1)
    return state[0] * state[1] * state[2]


case(state_in_a_tuple, 0.7)


def state_in_a_list(x):
    state = [x, 1.0]
    for _ in range(4):
        state = [state[1], state[0] * state[1] + x]
    return state[0] * state[1]


case(state_in_a_list, 0.7)


def state_in_a_dict(x):
    state = {'position': x, 'speed': 1.0}
    for _ in range(4):
        state = {'position': state['position'] + 0.1 * state['speed'], 'speed': state['speed'] - state['position']}
    return state['position'] * state['speed']


case(state_in_a_dict, 0.7)


def list_grown(xs):
    values = []
    for x in xs:
        values = values + [x * x]
    return values[0] * values[1] + sum(values)


case(list_grown, [0.3, 1.1, 0.7])


def best_so_far(xs):
    best = xs[0]
    for x in xs[1:]:
        best = x if x > best else best
    return best * best


case(best_so_far, np.array([0.3, 1.1, 0.7]))


def none_until_found(xs):
    found = None
    for x in xs:
        if found is None and x > 0.5:
            found = x
    return xs[0] if found is None else found * found


case(none_until_found, np.array([0.3, 1.1, 0.7]))
case(none_until_found, np.array([0.3, 0.1, 0.2]))


def swaps_arrays(x, y):
    for i in range(3):
        x, y = y + i, x * y
    return np.sum(x * y)


case(swaps_arrays, np.array([0.3, 1.1]), np.array([0.5, 0.2]))


def two_loops_one_name(x):
    for i in range(3):
        x = x * 1.1 + i
    for i in range(2, 0, -1):
        x = x * x / i
    return x * i


case(two_loops_one_name, 0.4)


def while_true_return(x):
    n = 0
    while True:
        x = x * 1.3
        n += 1
        if x > 3:
            return x * n


case(while_true_return, 0.7)


def while_with_else_branch(x):
    n = 5
    while n:
        n -= 1
        if n == 3:
            x = x * 2
            continue
        elif n == 1:
            break
        x = x + math.sin(x)
    return x


case(while_with_else_branch, 0.7)


def break_before_assignment(xs):
    last = 0.0
    for x in xs:
        if x > 1:
            break
        last = x
    return last * x


case(break_before_assignment, np.array([0.3, 0.7, 1.1, 0.2]))


def try_many_guards(x):
    s = 0.0
    for i in range(6):
        if i == 1:
            continue
        if i == 4:
            if s > 100:
                break
            s = s * 1.5
            continue
        for j in range(i):
            if j == 2:
                break
            s = s + x ** j
        s = s * x
    return s


case(try_many_guards, 0.7)


# A number that a loop turns into an array: its gradient is summed before it goes on

def sum_grows_from_dot(w, x):
    s = np.dot(w, w)
    for i in range(2):
        s = s + x[i]
    return np.sum(s)


case(sum_grows_from_dot, np.array([1.0, 2.0, 4.0]), np.arange(6.0).reshape(2, 3) + 1)


def product_grows_from_sum(w, x):
    s = np.sum(w * w)
    for i in range(2):
        s = s * x[i]
    return np.sum(s)


case(product_grows_from_sum, np.array([1.0, 2.0, 4.0]), np.arange(6.0).reshape(2, 3) + 1)
