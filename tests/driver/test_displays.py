"""Gradients of containers and objects that are written down at once, in texts for known kinds: what the text for all gives, of the
same types, in memory of its own."""
import collections
import dataclasses
import types
import typing

import numpy as np
import pytest

import tangent
from tests.driver.object_programs import Cached, cached


@dataclasses.dataclass
class Plain:
    w: np.ndarray
    b: float = 0.5


@dataclasses.dataclass(frozen=True)
class Frozen:
    w: np.ndarray
    b: float = 0.5


@dataclasses.dataclass
class Initialised:
    w: np.ndarray
    b: float = 0.5

    def __post_init__(self):
        self.w = self.w * 2.0


@dataclasses.dataclass
class Shifted:
    """Its `__init__` takes something else than its fields."""
    w: np.ndarray
    b: dataclasses.InitVar[float] = 0.5

    def __post_init__(self, b):
        self.b = b + 1.0


@dataclasses.dataclass(frozen=True)
class Named:
    w: np.ndarray
    b: float = 0.5
    name: str = 'named'
    other: object = None
    flag: bool = True


class Pair(typing.NamedTuple):
    w: np.ndarray
    b: float


Old = collections.namedtuple('Old', 'w b')


class Checked(collections.namedtuple('Checked', 'w b')):
    """A namedtuple that looks at what it is made of."""

    def __new__(cls, w, b):
        assert b > 0
        return super().__new__(cls, w, b)


class Own:
    scale = 2.0

    def __init__(self, w, b=0.5):
        self.w, self.b, self.name = w, b, 'own'

    def value(self, x):
        return np.sum(self.w * x) * self.b

    def twice(self, x):
        return self.value(x) * self.value(x + 1.0)


class Odd:
    """Attributes with the names of what makes gradients."""

    def __init__(self, w, b):
        self.of, self.w, self.b = b, w, b


class Slotted:
    __slots__ = ('w', 'b')

    def __init__(self, w, b):
        self.w, self.b = w, b


class Layers:
    def __init__(self, *layers):
        self.layers = list(layers)


def parts(m, x):
    return np.sum(m.w * x) * m.b


def one_field(m, x):
    return np.sum(m.w * m.w)


def squares(m, x):
    return m.b ** 2


def with_argument(m, x):
    """The gradients of `m.w` and `x` are one array until they are handed out."""
    return np.sum((m.w + x) ** 2)


def twice(m, x):
    return np.sum(m.w * x) + parts(m, x) * parts(m, 2 * x)


def branches(m, x):
    s = m.b
    if s > 0:
        s = s + np.sum(m.w)
    else:
        s = s * m.b
    return s * x[0]


def loop(m, x):
    s = 0.0
    for v in x:
        s = s + v * m.b * m.w[0]
    return s


def state(m, x):
    for v in x:
        m = dataclasses.replace(m, b=m.b * v) if dataclasses.is_dataclass(m) else m
    return m.b + np.sum(m.w)


def recursive(m, x, depth=3):
    return m.b * x[0] if depth == 0 else recursive(m, x, depth - 1) * m.b + m.w[0]


def at(m, v):
    return m.b * v + np.sum(m.w * v) * m.w[1]


def summed(m, x):
    s = 0.0
    for v in x:
        s = s + at(m, v) * at(m, s)
    return s


def summed_in_loops(m, x):
    s = m.b
    for v in x:
        for u in x:
            s = s + at(m, v * u)
        s = s * at(m, v)
    for v in x:
        s = s + at(m, v * s)
    return s


def summed_here_and_there(m, x):
    s = np.sum(m.w) * m.b
    for v in x:
        if v > 0:
            s = s + at(m, v)
        else:
            s = s * m.b
    return s + at(m, s)


def summed_of_names(m, x):
    n = m
    s = 0.0
    for v in x:
        s = s + at(m, v) * at(n, v)
        n = m
    return s * n.b


def summed_while_carried(m, x):
    before, s = x[0], 0.0
    for v in x:
        s = s + at(m, before) * v
        before = v * m.b
    return s


def replaced(m, x):
    if not dataclasses.is_dataclass(m) or hasattr(m, '__post_init__'):
        return m.b * np.sum(m.w) * x[0]
    n = dataclasses.replace(m, b=m.b * x[0])
    n = dataclasses.replace(n, w=m.w * n.b)
    return np.sum(n.w * m.w * n.b) * parts(n, x) + parts(m, x)


PROGRAMS = [parts, one_field, squares, with_argument, twice, branches, loop, recursive, summed, summed_in_loops,
            summed_here_and_there, summed_of_names, summed_while_carried, replaced]
MAKERS = [Plain, Frozen, Named, Initialised, Shifted, Pair, Old, Checked, Own, Odd, Slotted, lambda w, b: {'w': w, 'b': b},
          lambda w, b: types.SimpleNamespace(w=w, b=b)]


def leaves(value):
    """(path, number or array) for all that a gradient holds."""
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    elif isinstance(value, (float, np.ndarray, np.generic, str, type(None))):
        return [('', value)]
    else:
        names = list(getattr(value, '__dict__', {})) + [n for n in getattr(type(value), '__slots__', ()) if n[:2] != '__']
        items = [(n, getattr(value, n)) for n in names if hasattr(value, n)]
    return [(f'{key}.{path}', leaf) for key, part in items for path, leaf in leaves(part)]


def types_of(value):
    if isinstance(value, (list, tuple)):
        return type(value), [types_of(v) for v in value]
    if isinstance(value, dict):
        return {k: types_of(v) for k, v in value.items()}
    return type(value), {k: types_of(v) for k, v in getattr(value, '__dict__', {}).items()}


def check_alike(f, *args, wrt=(0, 1), **options):
    """That the text for kinds gives what the text for all gives, for arguments that come again."""
    df = tangent.grad(f, wrt=wrt, **options)
    first = df(*args)
    for _ in range(2):
        again = df(*args)
    assert types_of(again) == types_of(first)
    for (path, one), (same, other) in zip(leaves(first), leaves(again), strict=True):
        assert path == same
        np.testing.assert_allclose(other, one, rtol=1e-12, err_msg=path) if one is not None else None
    arrays = [leaf for _, leaf in leaves(again) if isinstance(leaf, np.ndarray)]
    given = [leaf for _, leaf in leaves(list(args)) if isinstance(leaf, np.ndarray)]
    for k, array in enumerate(arrays):
        assert not any(np.shares_memory(array, other) for other in arrays[k + 1:] + given)
    return again


@pytest.mark.share(3)             # each program with some of the makers, and the other way round
@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize('make', MAKERS, ids=lambda m: getattr(m, '__name__', 'made'))
def test_alike(f, make):
    f = by_key(f) if make is MAKERS[-2] else f
    check_alike(f, make(np.array([0.7, 1.3, 0.4]), 0.6), np.array([1.2, -0.5, 0.8]))


def by_key(f):
    """The program for a dict."""
    return {parts: parts_of_dict, twice: twice_of_dict}.get(f, one_key)


def parts_of_dict(m, x):
    return np.sum(m['w'] * x) * m['b']


def twice_of_dict(m, x):
    return np.sum(m['w'] * x) + parts_of_dict(m, x) * parts_of_dict(m, 2 * x)


def one_key(m, x):
    return np.sum(m['w'] ** 2) * x[0]


def test_methods_that_call_each_other():
    def f(m, x):
        return m.twice(x) + m.value(x)
    check_alike(f, Own(np.array([0.7, 1.3, 0.4]), 0.6), np.array([1.2, -0.5, 0.8]))


def test_seeds_are_not_handed_out():
    def f(m, x):
        return m.w

    def g(m, x):
        return {'w': m.w + x, 'again': m.w}
    m, x, seed = Own(np.array([0.7, 1.3, 0.4])), np.ones(3), np.array([1.0, 2.0, 3.0])
    df, dg = tangent.vjp(f, wrt=(0, 1)), tangent.vjp(g, wrt=(0, 1))
    for _ in range(3):
        bm, bx = df(m, x, seed)
        assert not np.shares_memory(bm.w, seed) and bm.w.tolist() == [1.0, 2.0, 3.0] and bx.tolist() == [0.0, 0.0, 0.0]
        bm, bx = dg(m, x, {'w': seed, 'again': seed})
        assert not np.shares_memory(bm.w, seed) and not np.shares_memory(bx, bm.w)
        assert bm.w.tolist() == [2.0, 4.0, 6.0] and bx.tolist() == [1.0, 2.0, 3.0]


# What a loop hands to its next trip

class Body(typing.NamedTuple):
    x: float
    v: float


def moved(s, k):
    return Body(s.x + 0.1 * s.v, s.v - 0.1 * k * s.x)


def steps(s, k, n=4):
    for _ in range(n):
        a = -k * s.x
        s = Body(s.x + 0.1 * s.v, s.v + 0.1 * a * s.x)
    return s.x * s.v


def steps_of_callee(s, k, n=4):
    for _ in range(n):
        s = moved(s, k)
        s = moved(s, s.x)
    return s.x * s.v


def steps_in_branches(s, k, n=4):
    for i in range(n):
        if i % 2:
            s = Body(s.v * k, s.x)
        elif s.x > 0:
            s = Body(x=s.x, v=k * s.x)
        t = s
        s = Body(t.v, t.x + s.x)
    return s.x - s.v * k


def steps_read_late(s, k, n=4):
    x, v, total = s.x, s.v, 0.0
    for _ in range(n):
        x = s.x * k
        s = Body(v * x, s.v)
        total = total + x * s.x + s.v
        v = s.x
    return total + s.x


def steps_of_two(s, k, n=4):
    r = Body(s.v, s.x)
    for _ in range(n):
        r, s = Body(s.x * k, r.v), Body(r.x, s.v * r.v)
    return r.x * s.x + s.v


def steps_while(s, k):
    while s.x < 3.0:
        t = s.x + 0.5
        s = Body(t * k, s.v + s.x)
    return s.v * s.x


def steps_replaced(s, k, n=4):
    for _ in range(n):
        s = s._replace(x=s.x + 0.1 * s.v)
        s = s._replace(v=s[1] - 0.1 * k * s.x)._replace()
    return s.x * s.v


@pytest.mark.parametrize('f', [steps, steps_of_callee, steps_in_branches, steps_read_late, steps_of_two, steps_while,
                               steps_replaced], ids=lambda f: f.__name__)
@pytest.mark.parametrize('one', [1.3, np.float64(1.3), 2])
def test_states(f, one):
    tangent.check_grads(lambda x, v, k: f(Body(x, v), k), (0.7, 0.4, 1.3), order=1)
    check_alike(f, Body(one, 0.4), 1.3)
    check_alike(f, Body(0.7, one), one)


# Lists of objects

def each(net, x):
    for layer in net.layers:
        x = np.tanh(x * layer.w + layer.b)
    return np.sum(x)


def most(net, x):
    for k, layer in enumerate(net.layers):
        if k == 1:
            continue
        x = np.tanh(x * layer.w + layer.b)
    return np.sum(x)


def until(net, x):
    for layer in net.layers:
        x = x * layer.w
        if x[0] > 100.0 or layer.b > 0.75:
            break
    return np.sum(x)


def there_and_back(net, x):
    for layer in net.layers:
        x = x * layer.w + layer.b
    for layer in reversed(net.layers):
        x = x * layer.w
    return np.sum(x)


def neighbours(net, x):
    for k in range(1, len(net.layers)):
        x = x * net.layers[k].w + net.layers[k - 1].b
    return np.sum(x)


def by_index(net, x):
    for k in range(len(net.layers)):
        x = x * net.layers[k].w + net.layers[0].b
    return np.sum(x)


def nested_loops(net, x):
    for layer in net.layers:
        for other in net.layers:
            x = x * layer.w + other.b
    return np.sum(x)


def one_of_them(net, x):
    return np.sum(net.layers[1].w * x)


def penalty(net, x):
    total = 0.0
    for layer in net.layers:
        total += np.sum(layer.w ** 2)
    return total * x[0]


def rebound(net, x):
    layers = net.layers
    for layer in layers:
        x = x * layer.w
    layers = [layers[0], layers[0]]
    for layer in layers:
        x = x + layer.w
    return np.sum(x)


@pytest.mark.parametrize('make', [Plain, Frozen, Pair, Own], ids=lambda m: m.__name__)
@pytest.mark.parametrize('f', [each, most, until, there_and_back, neighbours, by_index, nested_loops, one_of_them, penalty, rebound],
                         ids=lambda f: f.__name__)
def test_lists_of_objects(f, make):
    rng = np.random.default_rng(0)
    check_alike(f, Layers(*[make(rng.random(3), 0.5 + 0.1 * k) for k in range(4)]), rng.random(3))


def tuples(params, x):
    for w, b in params:
        x = np.tanh(x @ w + b)
    return np.sum(x)


def test_lists_of_tuples():
    rng = np.random.default_rng(0)
    x = rng.random((5, 3))
    check_alike(tuples, [(rng.random((3, 3)), rng.random(3)) for _ in range(3)], x)
    check_alike(tuples, ((rng.random((3, 6)), rng.random(6)), (rng.random((6, 2)), rng.random(2))), x)
    check_alike(tuples, [[rng.random((3, 6)), rng.random(6)], [rng.random((6, 2)), rng.random(2)]], x)


def test_what_stands_in_two_places_has_one_gradient():
    w = np.array([0.7, 1.3, 0.4])
    layer, x = Own(w, 0.6), np.ones(3)
    df = tangent.grad(each)
    apart = Layers(Own(w.copy(), 0.6), Own(w.copy(), 0.6))
    for net in (apart, apart, Layers(layer, layer), Layers(Own(w, 0.6), Own(w, 0.6)), apart):
        for _ in range(3):
            one, two = df(net, x).layers
            assert (one is two) == (net.layers[0] is net.layers[1])
            assert (one.w is two.w) == (net.layers[0].w is net.layers[1].w)


class Spring:
    def __init__(self, k, rest):
        self.k, self.rest = k, rest

    def energy(self, x):
        return 0.5 * self.k * (x - self.rest) ** 2


def energies(springs, xs):
    total = 0.0
    for s, x in zip(springs, xs):
        total += s.energy(x)
    return total


def test_a_list_of_objects_beside_another_list():
    """Each gradient is put into its place once, where both lists are of one length; what is twice in the list has one gradient,
    and what the other list has nothing for has zeros, whatever was met before."""
    one, two, three, xs = Spring(1.5, 0.2), Spring(2.0, -0.3), Spring(0.5, 0.1), [0.3, 0.9, 1.4]
    df = tangent.grad(energies)
    text = tangent.source(df, [one, two, three], xs)
    assert 'bsprings = [None] * len(springs)' in text and 'return bsprings' in text and '_stack' not in text
    part = lambda s, x: (0.5 * (x - s.rest) ** 2, -s.k * (x - s.rest))  # noqa: E731
    for springs, points in (([one, two, three], xs), ([one, two, one], xs), ([one, two, three], xs[:2]), ([one, two], xs),
                            ([three, three, three], xs), ([one, two, three], xs)):
        wanted = {id(s): np.sum([part(t, x) for t, x in zip(springs, points) if t is s] or [(0.0, 0.0)], axis=0) for s in springs}
        for _ in range(4):
            found = df(springs, points)
            for s, b in zip(springs, found):
                np.testing.assert_allclose((b.k, b.rest), wanted[id(s)])
            assert len({*map(id, found)}) == len({*map(id, springs)})


def test_text():
    """What is written for an object, and for one whose class is a dataclass."""
    def f(m, x):
        return np.sum(m.w * x) * m.b
    m, x = Own(np.array([0.7, 1.3, 0.4])), np.ones(3)
    df = tangent.grad(f)
    assert 'ObjectGrad("Own", w=' in tangent.source(df, m, x)
    assert 'return Plain(w=' in tangent.source(df, Plain(m.w), x)
    assert 'Frozen(w=' in tangent.source(df, Frozen(m.w), x)
    assert 'Pair(w=' in tangent.source(df, Pair(m.w, 0.5), x)
    assert 'Shifted(' not in tangent.source(df, Shifted(m.w), x)


def test_text_of_sums():
    """What a callee gives is added part by part, in place where the gradient is nobody else's and can be written into."""
    x = np.ones(3)
    for made, said in ((Plain(x), 'bm.w += bm2.w'), (Own(x), 'bm.b += bm2.b'),
                       (Frozen(x), 'bm = Frozen(w=bm.w + bm2.w, b=bm.b + bm2.b)')):
        text = tangent.source(tangent.grad(summed_once), made, x)
        assert said in text and 'add_grad' not in text and 'astype' not in text


def summed_once(m, x):
    s = 0.0
    for v in x:
        s = s + at(m, v)
    return s


def test_text_of_states():
    text = tangent.source(tangent.grad(steps), Body(0.7, 0.4), 1.3)
    assert 'init_grad' not in text and 'a = -k * s.x' in text and 's = Body(s.x + 0.1 * s.v, s.v + 0.1 * a * s.x)' in text


def pairs(bodies):
    e = 0.0
    for i in range(len(bodies)):
        for j in range(i):
            a, b = bodies[i], bodies[j]
            e += a.k * b.k * (a.rest - b.rest) ** 2
    return e


def again_and_again(layers, x):
    for _ in range(3):
        for layer in layers:
            x = np.tanh(x * layer.w + layer.b)
    return np.sum(x)


def test_lists_of_objects_to_whose_gradients_is_added_again_and_again():
    """In place, each in its own; where an object stands twice in the list it has one gradient, and frozen ones are not changed."""
    one, two, three = Spring(1.5, 0.2), Spring(2.0, -0.3), Spring(0.5, 0.1)
    df = tangent.grad(pairs)
    text = tangent.source(df, [one, two, three])
    assert 'add_at' not in text and 'astype' not in text and 'bbodies[j].rest' in text
    def slope(bodies, which, name):
        moved = lambda h: pairs([Spring(**{**vars(s), name: vars(s)[name] + h * (s is which)}) for s in bodies])  # noqa: E731
        return pytest.approx((moved(1e-6) - moved(-1e-6)) / 2e-6, abs=1e-8)
    for bodies in ([one, two, three], [one, two, three], [one, two, one], [one, two], [one, two, three]):
        before = [(s.k, s.rest) for s in bodies]
        for _ in range(4):
            found = df(bodies)
            for s, b in zip(bodies, found):
                assert (b.k, b.rest) == (slope(bodies, s, 'k'), slope(bodies, s, 'rest'))
            assert len({*map(id, found)}) == len({*map(id, bodies)})
        assert before == [(s.k, s.rest) for s in bodies]
    w, x = np.array([0.7, 1.3, 0.4]), np.ones(3)
    for kind in (Plain, Frozen, Own):
        layers, df = [kind(w, 0.1), kind(w * 2.0, 0.3)], tangent.grad(again_and_again)
        plain = tangent.grad(again_and_again, optimized=False)(layers, x)
        for _ in range(4):
            for have, want in zip(df(layers, x), plain):
                np.testing.assert_allclose(have.w, want.w)
                assert have.b == pytest.approx(want.b)
        assert layers[0].w is w and not np.shares_memory(df(layers, x)[0].w, df(layers, x)[1].w)


class Dense:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return x * self.w


class Rectified:
    def __call__(self, x):
        return np.maximum(x, 0.1)


def through(layers, x):
    for layer in layers:
        x = layer(x)
    return np.sum(x ** 2)


def test_objects_without_fields_are_known_when_they_come_again():
    """Those with other fields, and one that stands in two places, are not taken for them."""
    df, one, x = tangent.grad(through), Rectified(), np.array([0.7, -1.3, 0.4])
    layers = [Dense(0.5), one, Dense(1.5)]
    for _ in range(4):
        found = df(layers, x)
        assert repr(found[1]) == 'Rectified()' and found[0].w == pytest.approx(2 * 0.5 * 1.5 ** 2 * (0.7 ** 2 + 0.4 ** 2))
    assert len(df.texts) == 1
    for other in ([Dense(0.5), one, one], [one, Dense(0.5), Dense(1.5)], [one], []):
        for _ in range(4):
            found = df(other, x)
            assert [getattr(b, '__of__', None) for b in found] == [type(layer).__name__ for layer in other]
            assert len({*map(id, found)}) == len({*map(id, other)})
    one.w = 2.0
    assert df(layers, x)[1].w == 0.0


def test_fields_without_a_gradient_are_none_in_what_is_written_down():
    df = tangent.grad(cached, wrt=(0, 1))
    assert 'astype' not in tangent.source(df, Cached(0.3), 0.7)
    for _ in range(4):
        c, x = df(Cached(0.3), 0.7)
        assert np.allclose((c.a, x), (2 * 0.3 * 0.7 + 4 * 0.3 ** 3, 0.09)) and c.kept is None
