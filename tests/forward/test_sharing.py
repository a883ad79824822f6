"""What tangents share has to be what values share: each program here had a wrong tangent, without a word, once."""
import types

import numpy as np
import pytest

import tangent

X = np.array([0.7, 1.3, 0.4])
PROGRAMS: list = []


def found(f):
    PROGRAMS.append(f)
    return f


def differences(f):
    return np.array([(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(len(X))])


@pytest.mark.parametrize('batched', [False, True])
@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_right(f, batched):
    df = tangent.jvp(f, batched=True) if batched else lambda x, dx: [tangent.jvp(f)(x.copy(), e) for e in dx]
    np.testing.assert_allclose(df(X.copy(), np.eye(3)), differences(f), atol=1e-7)


class Box:
    def __init__(self, a):
        self.a = a


# The tangent of `x + 1` is that of x, which may not be written into


@found
def attribute_bound_anew(x):
    s = types.SimpleNamespace(a=x * 1.0)
    b = s.a
    s.a = s.a + 1
    b[2] = 7 * x[0]
    return np.sum(s.a)


@found
def item_bound_anew(x):
    s = {'a': x * 1.0}
    b = s['a']
    s['a'] = s['a'] + 1
    b[2] = 7 * x[0]
    return np.sum(s['a'])


@found
def sum_in_a_list(x):
    xs = [x + 1]
    xs[0][1] = 5 * x[0]
    return np.sum(x) + np.sum(xs[0])


@found
def sum_in_an_object(x):
    s = Box(0)
    s.a = x + 1
    s.a[1] = 5 * x[0]
    return np.sum(x) + np.sum(s.a)


@found
def sum_in_a_list_in_a_dict(x):
    d = {}
    d.setdefault('k', []).append(x + 1)
    for v in d.values():
        v[0][1] = 5 * x[0]
    return np.sum(x) + np.sum(d['k'][0])


@found
def sums_in_a_tuple(x):
    t = x + 1, x - 1
    y, z = t
    y[1] = 5 * x[0]
    return np.sum(x) + np.sum(y * z)


def sums(x):
    yield x + 1
    yield x - 1


@found
def sums_of_a_generator(x):
    s = 0.0
    for v in sums(x):
        v[1] = 5 * x[0]
        s += np.sum(v * v)
    return np.sum(x) + s
