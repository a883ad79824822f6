"""What tangents share has to be what values share: each program here had a wrong tangent, without a word, once."""
import collections
import copy
import dataclasses
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


# Copies of containers hold what these hold


@found
def copies_of_a_list(x):
    xs = [x * 1.0]
    a, b = xs.copy(), copy.copy(xs)
    a[0][0] = 9 * x[1]
    b[0][1] = x[0]
    a[0] = x
    return np.sum(xs[0])


@found
def copies_of_a_dict(x):
    xs = {'k': x * 1.0}
    a, b, c = xs.copy(), copy.copy(xs), copy.deepcopy(xs)
    a['k'][0] = 9 * x[1]
    b['k'][1] = x[0]
    c['k'][2] = x[1]
    return np.sum(xs['k']) * np.sum(c['k'])


class Held:
    def __init__(self, x):
        self.zeros, self.x = np.zeros(3), x


@found
def copies_of_an_object(x):
    b = Held(x)
    c, d = copy.copy(b), copy.deepcopy(b)
    c.zeros[0] = x[2] ** 2
    d.zeros[1] = x[1]
    c.x = x * x
    return np.sum(b.zeros * b.x) + np.sum(d.zeros)


@dataclasses.dataclass
class Record:
    u: object
    v: object = 0.0


@found
def copy_of_a_record(x):
    b = Record(x * 1.0, np.zeros(3))
    c = copy.copy(b)
    c.v[0] = x[2] ** 2
    c.u[0] = x[1]
    c.u = x
    return np.sum(b.v * b.u) + np.sum(c.u)


@found
def joined_lists(x):
    xs, ys = [x * 1.0], [x * 2.0]
    a = xs + ys
    a[1][0] = 9 * x[1]
    b = [x] + xs
    b[1][2] = x[0] ** 2
    return np.sum(xs[0] * ys[0])


@found
def repeated_lists(x):
    xs = [x * 1.0]
    a = xs * 2
    a[1][0] = 9 * x[1]
    return np.sum(xs[0])


@found
def joined_dicts(x):
    d = {'a': x * 1.0}
    e = d | {'c': x * 2}
    e['a'][0] = 9 * x[1]
    return np.sum(d['a'])


@found
def item_put_in_by_update(x):
    xs, d = [x * 1.0], {}
    d.update(k=xs[0])
    d['k'][0] = 9 * x[1]
    return np.sum(xs[0])


P = collections.namedtuple('P', 'a b')


@found
def replaced_part_of_a_namedtuple(x):
    """What is read of it by name is no constant of its class."""
    t = P(x * 1.0, x * 2)
    u = t._replace(b=x)
    u.a[0] = x[1] ** 2
    return np.sum(t.a * u.b)


@found
def rotated_deque(x):
    """By how far is no tangent."""
    q = collections.deque()
    for v in x:
        q.append(v)
        q.rotate(1)
    return q[0] + 2 * q[1] + 3 * q[2]
