"""Deques made of lists, keys that depend on the dict they are put into, keys taken apart: all were wrong, or no result."""
import collections

import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])


def deque_of_a_list(x):
    q = collections.deque([x[0], x[1]])
    q.append(q[0] * 2)
    return q[0] + q[2] * 3


def deque_that_is_full(x):
    q = collections.deque([x[0], x[1]], maxlen=2)
    q.append(q[0] * 2)
    return q[0] + q[1] * 3


def key_is_the_length(x):
    m = {}
    m[len(m)] = x[0]
    m[len(m)] = x[1]
    return m[0] * m[1]


def keys_are_the_length_in_a_loop(x):
    m = {}
    for v in x:
        m[len(m)] = v * v
    return m[0] + m[2] * m[1]


def pairs_as_keys(x):
    d = {(0, 1): x[0], (1, 2): x[1]}
    s = 0.0
    for (a, b), v in d.items():
        s += v * (a + b)
    return s


def pairs_as_keys_in_the_log_form(x):
    d = {(0, 1): x[0], (1, 2): x[1]}
    d[0, 1] *= x[2]
    e, s = d, 0.0
    for (a, b), v in e.items():
        try:
            s += v * (a + b)
        except ValueError:
            s = x[0]
    return s


@pytest.mark.parametrize('f', [deque_of_a_list, deque_that_is_full, key_is_the_length, keys_are_the_length_in_a_loop,
                               pairs_as_keys, pairs_as_keys_in_the_log_form])
def test_right(f):
    np.testing.assert_allclose(tangent.grad(f)(X), differences(f, (X,), (0,))[0], atol=1e-6)
