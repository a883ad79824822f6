"""A parameter that is bound anew, `u = u.copy()`, is another variable: what is written into then is not what was given."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

U = np.array([0.5, 0.7, 0.2, 1.1])


def step(u, alpha):
    u = u.copy()
    u[0] += alpha * u[1]
    return u


def updated_in_a_callee(u, alpha):
    v = step(u, alpha)
    return np.sum(v ** 2) + np.sum(u)


def upd(d, lr):
    d = d.copy()
    d['w'] -= lr * d['w']
    return d


def an_array_in_a_copied_dict(u, alpha):
    d = {'w': u * 1.5}
    e = upd(d, alpha)
    return np.sum(e['w'] ** 2) + np.sum(d['w'] ** 3)


def an_array_in_a_copied_list(u, alpha):
    l = [u * 1.5, u * u]
    e = step(l, alpha)
    return np.sum(e[0] ** 2) + np.sum(l[0] ** 3)


def upd2(d, lr):
    e = d.copy()
    e['w'] = lr * d['w']
    return e


def a_copied_dict(u, alpha):
    d = {'w': u * 1.5}
    e = upd2(d, alpha)
    return np.sum(e['w'] ** 2) + np.sum(d['w'] ** 3)


def upd3(t, lr):
    t = t.copy()
    t[0, 1] += lr
    return t


def an_array_under_a_pair(u, alpha):
    d = {(0,1): u * 1.5}
    e = upd3(d, alpha * u)
    return np.sum(e[0,1] ** 2) + np.sum(d[0,1] ** 3)


def a_copy_of_another_name(u, alpha):
    d = {(0, 1): u * 1.5}
    t = d
    t = t.copy()
    t[0, 1] += alpha * u
    return np.sum(t[0, 1] ** 2) + np.sum(d[0, 1] ** 3)


def upd4(t, lr):
    t = t.copy()
    t[0][1] = lr
    return t


def an_array_in_a_copy(u, alpha):
    d = [u * 1.5, u]
    e = upd4(d, alpha)
    return np.sum(e[0] ** 2) + np.sum(d[0] ** 3)


def upd5(t, lr):
    t = t.copy()
    w = t
    w[0] = lr * w[1]
    for x in t:
        x *= 2
    return w


def another_name_for_a_copy(u, alpha):
    d = [u * 1.5, u * 3, u * 2]
    e = upd5(d, alpha)
    return np.sum(e[0] ** 2) + np.sum(d[0] ** 3)+ np.sum(d[1] ** 3)


def upd6(t, lr):
    t = t.copy()
    t[:] *= lr
    t[1:] += t[:-1]
    return t


def slices_of_a_copy(u, alpha):
    e = upd6(u, alpha)
    return np.sum(e ** 2) + np.sum(u ** 3)


def upd7(t, lr):
    s = t.copy()
    s[0] = t
    t[1] = lr
    return s


def what_was_copied_is_held(u, alpha):
    l = [u * 1.5, alpha * 2]
    e = upd7(l, alpha)
    return np.sum(e[0][0] ** 2) * e[0][1] + np.sum(l[0] ** 3) * l[1]


def copied_twice(u, alpha):
    s = np.sum(u * u)
    u = np.array(u)
    u[0] = alpha * u[1]
    u = u * 2
    u[1] = u[0] * u[2]
    return np.sum(u ** 2) + s


def another_name_before(u, alpha):
    v = u
    u = u.copy()
    u[0] = alpha * u[1]
    return np.sum(u ** 2) * np.sum(v)


def another_name_for_it(u, alpha):
    v = u
    u = v
    u[0] = alpha * u[1]
    return np.sum(u ** 2) * np.sum(v)


def written_before(u, alpha):
    u[1] = 3.0
    u = u.copy()
    u[0] = alpha * u[1]
    return np.sum(u ** 2)


def copied_in_a_branch(u, alpha):
    if alpha > 0:
        u = u.copy()
    u = u + 0
    u[0] = alpha * u[1]
    return np.sum(u ** 2)


def captured_before(u, alpha):
    k = lambda i: u[i]
    u = u.copy()
    u[0] = alpha * u[1]
    return np.sum(u ** 2) + k(0)


PROGRAMS = [a_copy_of_another_name, updated_in_a_callee, an_array_in_a_copied_dict, an_array_in_a_copied_list, a_copied_dict, an_array_under_a_pair, an_array_in_a_copy, another_name_for_a_copy, slices_of_a_copy, what_was_copied_is_held, copied_twice, another_name_before, another_name_for_it, written_before, copied_in_a_branch, captured_before]


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_right(f):
    wanted, given = differences(f, (U.copy(), 0.3), (0, 1)), U.copy()
    gradient = tangent.grad(f, wrt=(0, 1))
    for _ in range(4):
        for have, want in zip(gradient(given, 0.3), wanted):
            np.testing.assert_allclose(have, want, atol=1e-6)
    np.testing.assert_allclose(tangent.jvp(f, wrt=(0, 1))(given, 0.3, np.ones(4), 0.5), np.sum(wanted[0]) + 0.5 * wanted[1], atol=1e-6)
    np.testing.assert_array_equal(given, U)


@pytest.mark.parametrize('f', [slices_of_a_copy, copied_twice, copied_in_a_branch], ids=lambda f: f.__name__)
def test_structured(f):
    text = tangent.source(tangent.grad(f), U, 0.3)
    assert '_grads' not in text and 'array_copy' not in text
