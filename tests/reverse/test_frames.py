"""Programs with writes whose backward pass has the control flow of the program: loops, branches, jumps; what keeps a log of its own.

Each is compared with finite differences, and with the derivative that notes every statement in a log, as it is made for a function
that an exception may leave in the middle. What only gradients by identity follow (`insert`) has each of them take that form.
"""
import contextlib

import numpy as np
import pytest

import tangent
from tangent.driver.dispatch import log_functions
from tangent.driver.dispatch.log_calls import Gradients
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])


class Held:
    def __init__(self, v):
        self.v = v

    def add(self, t):
        self.v = self.v + t
        if self.v > 2.0:
            raise ValueError('much')


def jump_in_a_branch_of_a_branch(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    for k in range(4):
        if k > 0:
            s[0] = s[0] * x[1]
            if s[0] > 1.0:
                s[1] = s[1] * x[2]
                break
            s[1] = s[1] + s[0]
        s[0] = s[0] + x[2] * k
    return s[0] * s[1]


def loop_begun_again(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    for k in range(5):
        s[0] = s[0] + x[2]
        if k % 2:
            continue
        s[1] = s[1] * s[0]
    return s[1] * x[0]


def returned_from_two_loops(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    for k in range(3):
        s[0] = s[0] * x[1]
        for y in x:
            s[1] = s[1] + y * s[0]
            if s[1] > 4.0:
                s[1] = s[1] * y
                return s[0] * s[1]
        s[0] = s[0] + k * x[2]
    return s[1]


def two_ways_out_of_a_loop(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    while True:
        s[0] = s[0] * 1.4
        if s[0] > 3.0:
            break
        if s[1] * s[0] > 2.0:
            s[1] = s[1] * x[2]
            break
        s[1] = s[1] + s[0] * x[0]
    return s[0] * s[1]


def each_side_returns(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    s[0] = s[0] * s[1]
    if s[0] > 0.5:
        s[1] = s[1] * s[0]
        return s[1] * x[2]
    else:
        s[0] = x[0]
        return s[0]


def name_bound_again_in_a_loop(x):
    s, y = [x[0]], x[1]
    both = [s, s]
    both[0].append(both[1].pop())
    for k in range(3):
        s[0] = s[0] * y
        y = y * x[2] + k
    return s[0] * y


def size_that_changes(x):
    n, s = 2, [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    for k in range(n):
        s[k] = s[k] * x[2]
        n = n + 1
    for k in range(1, n - 2):
        s[0] = s[0] + s[k] * k
    return s[0] * s[1]


def loop_that_never_runs(x):
    s = [x[0]]
    both = [s, s]
    both[0].append(both[1].pop())
    for k in range(0):
        s[k] = s[k] * x[1]
    return s[0] * x[1]


def flag_that_is_a_list(x):
    s, todo = [x[0]], [1, 2]
    both = [s, s]
    both[0].append(both[1].pop())
    if todo:
        s[0] = s[0] * x[1]
    todo.clear()
    return s[0] * x[2]


def walrus_in_a_condition(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    if s[0] > 5.0 and (n := len(s)) > 1:
        s[0] = s[0] * n
    s[1] = s[1] * s[0]
    return s[1]


def name_that_is_deleted(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    t = s[0] * x[1]
    s[1] = s[1] * t
    del t
    s[0] = s[0] * s[1]
    return s[0]


def passive_try_in_a_loop(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    for word in ('1', 'a', '2'):
        try:
            k = int(word)
        except ValueError:
            k = 3
        s[0] = s[0] * x[1] + k * s[1]
    return s[0]


def caught_in_a_loop(x):
    o, s = Held(x[0]), [x[1]]
    for y in x:
        s[0] = s[0] * y
        try:
            o.add(s[0])
            s[0] = s[0] + o.v
        except ValueError:
            o.v = y
    return o.v * s[0]


def returned_from_a_try(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    try:
        s[0] = s[0] * s[1]
        return s[0] * s[5]
    except IndexError:
        s[1] = s[1] * x[2]
    return s[0] * s[1]


def several_handlers(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    for k in (0, 1, 'a', 7):
        try:
            s[k] = s[k] * x[2]
            s[0] = s[0] + 1.0
        except TypeError:
            s[0] = s[0] * s[1]
            continue
        except IndexError:
            s[1] = s[1] + s[0]
            break
        else:
            s[1] = s[1] * 1.1
        s[0] = s[0] * x[1]
    return s[0] * s[1]


def finally_behind_both(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    for k in (0, 5):
        try:
            s[0] = s[0] * x[2]
            s[1] = s[k] * s[1]
        except IndexError:
            s[1] = s[1] * x[0]
        finally:
            s[1] = s[1] * s[0]
            if k:
                s[0] = s[0] + s[1]
    return s[0] * s[1]


def context_that_swallows(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    with contextlib.suppress(IndexError):
        s[0] = s[0] * x[2]
        return s[0] * s[3]
    s[1] = s[1] * s[0]
    return s[1] * x[0]


class Doubled:
    def __init__(self, o):
        self.o = o

    def __enter__(self):
        self.o.v = self.o.v * 2.0
        return self.o

    def __exit__(self, kind, error, trace):
        self.o.v = self.o.v * 1.5
        return kind is ValueError


def contexts_that_write(x):
    o = Held(x[0])
    with Doubled(o) as q:
        q.v = q.v * x[1]
        y = q.v
    with Doubled(o):
        y = y * q.v
        o.add(5 * x[2])
        y = 0 * y
    return o.v * y


EXACT = [jump_in_a_branch_of_a_branch, loop_begun_again, returned_from_two_loops, two_ways_out_of_a_loop, each_side_returns,
         name_bound_again_in_a_loop, size_that_changes, loop_that_never_runs, flag_that_is_a_list, walrus_in_a_condition,
         name_that_is_deleted, passive_try_in_a_loop, caught_in_a_loop, returned_from_a_try, several_handlers,
         finally_behind_both, context_that_swallows, contexts_that_write]


def left_by_a_jump_in_a_try(x):
    s = [x[0], x[1]]
    for k in range(4):
        s[0] = s[0] * x[1]
        try:
            s[1] = s[1] + s[0]
            if k == 2:
                break
            s[k + 1] = s[1] * x[2]
        except IndexError:
            s[0] = s[0] + s[1]
    return s[0] * s[1]


def nested_tries(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    try:
        s[0] = s[0] * x[2]
        try:
            s[1] = s[1] * s[0]
            s[1] = s[1] * s[7]
        except KeyError:
            s[0] = s[0] * 3.0
        s[0] = 0.0 * s[0]
    except IndexError:
        s[0] = s[0] * s[1]
    return s[0] * s[1]


def generated(x, s):
    try:
        for y in x:
            s[0] = s[0] * y
            yield y * y
    finally:
        s[0] = s[0] * x[0]


def generator_in_a_loop(x):
    s = [x[0]]
    for y in generated(x, s):
        s[0] = s[0] * y + x[1]
    return s[0] * s[0]


def loop_in_a_try(x):
    s = [x[0], x[1]]
    both = [s, s]
    both[0].append(both[1].pop())
    try:
        s[0] = s[0] * x[2]
        for k in range(5):
            s[k] = s[k] * x[1] + s[0]
        s[1] = 0.0 * s[1]
    except IndexError:
        s[0] = s[0] * s[1]
    return s[0] * s[1]


REGIONS = [loop_in_a_try, left_by_a_jump_in_a_try, nested_tries, generator_in_a_loop]


def noted(f, x):
    """The gradient by the form that notes every statement in a log."""
    made, log, grads = log_functions.make(f, ('x',), False, False, True), [], Gradients()
    made.primal(log, x)
    return grads.result(x, made.adjoint(grads, log, 1.0))


@pytest.mark.parametrize('f', EXACT + REGIONS, ids=lambda f: f.__name__)
def test_right_in_both(f):
    right = differences(f, (X,), (0,))[0]
    np.testing.assert_allclose(tangent.grad(f)(X), right, rtol=1e-6, atol=1e-8)
    text = tangent.source(tangent.grad(f))
    assert '_grads' in text and ('_log' in text) == (f in REGIONS)
    np.testing.assert_allclose(noted(f, X.copy()), right, rtol=1e-6, atol=1e-8)
