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


# An einsum of one array may be a view of it


@found
def view_by_einsum(x):
    a = np.outer(x, x)
    d = np.einsum('ii->i', a)
    d[0] = 5 * x[2]
    d *= a[1]
    np.einsum('ij->ji', a)[0, 1] = x[1] ** 2
    return np.sum(a * a)


# What is gone through later shows what is there by then


@found
def counted_later(x):
    xs = [x[0], x[1]]
    g, h = enumerate(xs), zip(xs, reversed(xs))
    xs[0] = x[2]
    xs.append(x[0])
    return sum(i * v for i, v in g) + sum(a * b for a, b in h)


@found
def views_of_a_dict(x):
    d = {'a': x[0], 'b': x[1]}
    values, items, keys = d.values(), d.items(), d.keys()
    d['a'] = x[2]
    d['c'] = x[0] ** 2
    return sum(values) + sum(v * v for _, v in items) + sum(d[k] ** 3 for k in keys)


@found
def dicts_of_pairs(x):
    d, pairs = {'a': x[1]}, [('a', x[0]), ('b', x[2])]
    d.update(pairs)
    d.update(zip('bc', x))
    e = dict(enumerate(x))
    f = dict(zip(range(3), x), k=x[0])
    return d['a'] * d['b'] * d['c'] + e[0] * e[2] + f[1] * f['k'] + sum(k * v for k, v in zip(range(3), x))


def test_dict_of_pairs_and_keywords():
    """The keywords were lost, in both modes."""
    def f(x):
        d = dict(((k, v * v) for k, v in zip('ab', x)), c=x[2])
        return d['a'] * d['b'] * d['c']

    tangent.check_grads(f)(X)


def test_dict_of_an_iterator_with_a_name():
    def f(x):
        pairs = zip('ab', x)
        return dict(pairs)['b'] ** 2

    with pytest.raises(tangent.errors.ArgumentTypeError, match='dict\\(list\\(pairs\\)\\)'):
        tangent.jvp(f)(X.copy(), np.ones(3))


def test_enumerated_pairs_twice():
    """The tangent of what `enumerate` gives was a list of its own, and the gradient of that wrong."""
    def f(x):
        pairs = list(enumerate(x))
        return pairs[1][1] ** 3 + sum(k * v * v for k, v in dict(enumerate(x)).items())

    def g(x):
        xs, s = [x[0] ** 2, x[1] ** 3], 0.0
        counted = enumerate(xs)
        for i, v in counted:
            s += (i + 1) * v * v
        return s

    e = np.array([1.0, 0.5, -1.0])
    for h in f, g:
        again = tangent.grad(tangent.jvp(h))(X.copy(), e)
        np.testing.assert_allclose(again, differences(lambda x: tangent.jvp(h)(x.copy(), e)), atol=1e-7)  # noqa: B023


# What was cut off, or was lost, is refused


class Whole:
    def __init__(self):
        self.n = np.arange(3)

    def put(self, v):
        self.n[0] = v


class Updated:
    def __init__(self, **given):
        self.__dict__.update(given)


def put(a, v):
    a[0] = v


def item(x):
    y = np.arange(3)
    y[0] = x[0] * 10.5
    return y[0] * x[1]


def item_in_a_list(x):
    ys = [2 * np.arange(3)]
    ys[0][1] = x[0] * 10
    return ys[0][1] * x[1]


def filled(x):
    y = np.zeros(3, dtype=bool)
    y.fill(x[0])
    return y[0] * x[1]


def copied(x):
    y = np.arange(3)
    np.copyto(y, x * 10, casting='unsafe')
    return y[0] * x[1]


def by_a_function(x):
    y = np.arange(3)
    put(y, x[0] * 10.5)
    return y[0] * x[1]


def by_a_method(x):
    b = Whole()
    b.put(x[0] * 10.5)
    return b.n[0] * x[1]


@pytest.mark.parametrize('f', [item, item_in_a_list, filled, copied, by_a_function, by_a_method], ids=lambda f: f.__name__)
def test_arrays_of_integers_are_not_written_into(f):
    with pytest.raises(tangent.errors.ArgumentTypeError, match='cuts off their fraction'):
        tangent.jvp(f)(X.copy(), np.ones(3))


def test_tangent_that_is_not_given():
    with pytest.raises(tangent.errors.ShapeError, match='behind all the arguments, those with defaults too'):
        tangent.jvp(lambda x, n=2: x ** n)(2.0, 1.0)


def test_dict_of_an_object():
    def f(x):
        d = Updated(a=x[0], c=x[1])
        return d.a * d.c

    with pytest.raises(tangent.errors.TangentParseError, match='__dict__ of an object') as error:
        tangent.jvp(f)(X.copy(), np.ones(3))
    assert 'self.__dict__.update(given)' in str(error.value)


class Shared:
    n = 0.0


def attribute_of_a_class(x):
    Shared.n = x[0]
    return Shared.n * 2


def attribute_of_the_function(x):
    attribute_of_the_function.n = x[0]
    return attribute_of_the_function.n * 2


@pytest.mark.parametrize('f', [attribute_of_a_class, attribute_of_the_function])
def test_attributes_that_all_share(f):
    with pytest.raises(tangent.errors.TangentParseError, match='writes to global variables') as error:
        tangent.jvp(f)
    assert '.n = x[0]' in str(error.value)


def test_object_with_the_arithmetic_of_an_array():
    with pytest.raises(tangent.errors.ForwardNotImplementedError, match='poly1d has the arithmetic'):
        tangent.jvp(lambda x: np.poly1d([x[0], x[1]])(2.0))(X.copy(), np.ones(3))


@found
def item_of_an_attribute_that_is_a_method_elsewhere(x):
    s = types.SimpleNamespace(put=[])
    s.put.append(x - 1)
    s.put[0][2] = x[0] ** 2
    return np.sum(s.put[0]) * np.sum(x)


def a_number_of_a_sum(x):
    y = np.zeros(()) + x
    y2 = y
    y += x * x
    return y2 * y


def a_number_moved(x):
    y = x + 1.0
    y2 = y
    y += x * x * x
    return y2 * y


def a_number_broadcast(x):
    y = np.squeeze(np.broadcast_to(x, ())) + 0
    y2 = y
    y -= x * x * x
    return y2 * y


def a_copy_of_rank_0(x):
    y = np.array(x)
    y2 = y
    y -= x * x * x
    return y2 * y


@pytest.mark.parametrize('f', [a_number_of_a_sum, a_number_moved, a_number_broadcast, a_copy_of_rank_0])
@pytest.mark.parametrize('x', [2.3, np.float64(2.3), np.array(2.3)], ids=['float', 'float64', 'array'])
@pytest.mark.parametrize('dx', [1.0, np.ones(())], ids=['number', 'array'])
def test_numbers_are_bound_anew_and_arrays_of_rank_0_written_into(f, x, dx):
    e = 1e-5
    expected = (f(np.array(x + e)) - f(np.array(x - e))) / (2 * e)
    again = (f(np.array(x + 1e-4)) - 2 * f(np.array(x)) + f(np.array(x - 1e-4))) / 1e-8
    forward = tangent.autodiff(f, mode='forward')
    np.testing.assert_allclose(forward(x, dx), expected, rtol=1e-6)
    np.testing.assert_allclose(tangent.hvp(f)(x, dx), again, rtol=1e-4)
    np.testing.assert_allclose(tangent.autodiff(forward, mode='forward')(x, dx, dx), again, rtol=1e-4)


class Kept:
    def __init__(self, x):
        self.a = np.zeros(3) + x

    def given(self):
        return self.a

    def twice(self):
        return self.a, self.a[1:]


def twice(x):
    a = np.zeros(3) + x
    return a, a


def and_a_part(x):
    a = np.zeros(3) + x
    return [a, a[1:]]


def inside(x):
    a = np.zeros(3) + x
    return a, (1.0, lambda k: a * k)


def put_twice(xs, x):
    a = np.zeros(3) + x
    xs += [a, a]


def put_by_names(d, x):
    a = np.zeros(3) + x
    d['u'] = a
    d['v'] = a


def writes_into_one_of_two(x):
    u, v = twice(x)
    u[0] = x[1] ** 2
    return np.sum(v * x)


def updates_one_of_two(x):
    u, v = twice(x)
    u *= x
    return np.sum(v * u)


def writes_into_a_part(x):
    u, v = and_a_part(x)
    v[0] = x[1] ** 2
    return np.sum(u * x)


def writes_into_what_is_captured(x):
    u, (_, g) = inside(x)
    u[0] = x[1] ** 2
    return np.sum(g(2.0) * x)


def writes_into_an_element(x):
    xs = []
    put_twice(xs, x)
    xs[0][0] = x[1] ** 2
    return np.sum(xs[1] * x)


def writes_into_an_item(x):
    d = {}
    put_by_names(d, x)
    d['u'][0] = x[1] ** 2
    return np.sum(d['v'] * x)


def writes_into_what_an_object_gives(x):
    kept = Kept(x)
    u = kept.given()
    u[1] = x[0] ** 2
    return np.sum(kept.a * x)


def writes_into_what_an_object_gives_twice(x):
    kept = Kept(x)
    u, v = kept.twice()
    v[1] = x[0] ** 2
    return np.sum(kept.a * x) + np.sum(u * x)


@pytest.mark.parametrize('f', [
    writes_into_one_of_two, updates_one_of_two, writes_into_a_part, writes_into_what_is_captured, writes_into_an_element,
    writes_into_an_item, writes_into_what_an_object_gives, writes_into_what_an_object_gives_twice])
def test_what_a_callee_gives_twice_has_one_tangent(f):
    x, dx = np.array([1.0, 2.0, 3.0]), np.array([0.3, -1.2, 0.7])
    e = 1e-6
    expected = (f(x + e * dx) - f(x - e * dx)) / (2 * e)
    np.testing.assert_allclose(tangent.jvp(f, wrt=(0,))(x, dx), expected, rtol=1e-6)
    np.testing.assert_allclose(np.sum(tangent.grad(f)(x) * dx), expected, rtol=1e-6)


# One array that stands in several places of an argument which is written into

def first_scaled(xs):
    xs[0][0] = xs[0][0] * xs[1][1]
    return xs[1][0] * xs[1][1]


def test_one_array_in_two_places_of_an_argument():
    """Each place got a copy of its own: the value was wrong, too."""
    a, d = np.array([2.0, 3.0]), np.array([1.0, 0.0])
    for tangents in ([d, d], [d, d.copy()]):
        assert tangent.jvp(first_scaled, preserve_result=True)([a, a], tangents) == (9.0, 18.0)
    np.testing.assert_array_equal(a, [2.0, 3.0])
    assert tangent.jvp(first_scaled)([a, a.copy()], [d, 2.0 * d]) == 6.0
    with pytest.raises(tangent.errors.AliasError, match='two tangents'):
        tangent.jvp(first_scaled)([a, a], [d, 2.0 * d])


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


def squared_in_one_place(p):
    p.a.a = p.a.a * p.b.a
    return p.b.a * p.a.a


def gradient_of_a_pair(x):
    part = Pair(x, 0.0)
    return tangent.grad(squared_in_one_place)(Pair(part, part)).a.a


def test_a_gradient_by_an_object_in_two_places_that_is_written_into():
    assert tangent.jvp(gradient_of_a_pair)(0.7, 1.0) == pytest.approx(12 * 0.49)
