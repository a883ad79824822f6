"""Objects that a function is given and writes into: gradients, what is left of the objects, and who else may see them."""
import copy
import math
import types

import numpy as np
import pytest

import tangent
from tests.corpora.changed import layers

LAST = None
ALL = []


class Body:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def step(self, dt):
        self.v = self.v - dt * self.x
        self.x = self.x + dt * self.v

    @property
    def energy(self):
        return self.x ** 2 + self.v ** 2


class Disk:
    """Its area is computed when it is first asked for."""
    def __init__(self, r):
        self.r, self._area = r, None

    @property
    def area(self):
        if self._area is None:
            self._area = math.pi * self.r ** 2
        return self._area


class Filter:
    def __init__(self, f, x, p):
        self.f, self.x, self.p = f, x, p

    def update(self, z):
        self.x = self.f @ self.x
        self.p = self.f @ self.p @ self.f.T
        k = self.p / (1.0 + np.sum(self.p ** 2))
        self.x = self.x + k @ (z - self.x)
        return np.sum((z - self.x) ** 2)


class Held:
    last, named = None, 0.5

    def __init__(self, x):
        self.x = x


class Box:
    def __init__(self, body):
        self.body = body


def steps(body, n):
    for _ in range(n):
        body.step(0.1)
    return body.energy


def branches(body, x):
    if x > 0.5:
        body.x = body.x * x
    else:
        body.v = body.v ** 2 * x
    return body.x * body.v


def another(body, x):
    body.x = body.x * x
    body = Body(body.x * x, body.v)
    body.step(0.2)
    return body.energy


def two(one, other):
    one.x = one.x * other.v
    other.x = other.x + one.x ** 2
    return one.x * other.x


def volume(disk, height):
    return disk.area * height + disk.area ** 2


def filtered(kf, zs):
    total = 0.0
    for z in zs:
        total += kf.update(z)
    return total


def inner(box, x):
    box.body.x = box.body.x * x
    return box.body.energy


def elements(body, x):
    body.x[0] = body.x[0] * x
    body.v = body.v + body.x
    return np.sum(body.v * body.x)


def other_names(body, x):
    other = body
    other.x = other.x * x
    return body.x ** 2


def seen_by_last(body, x):
    body.x = body.x * x
    return (LAST.x if LAST is not None else 1.0) * body.x


def seen_by_all(body, x):
    body.x = body.x * x
    return sum(b.x for b in ALL) + body.x ** 2


def seen_by_class(held, x):
    held.x = held.x * x
    return (Held.last.x if Held.last is not None else Held.named) * held.x


def among(bodies, body):
    body.x = body.x * 2.0
    return sum(b.x ** 2 for b in bodies) * body.x


def vector(*numbers):
    return np.array(numbers)


class Rod:
    """Its methods write into its arrays, and note what they were."""
    def __init__(self, u, v, k):
        self.u, self.v, self.k = u, v, k
        self.history, self.cache = [], {}

    def step(self):
        self.v[1:-1] += self.k * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2])
        self.u += 0.1 * self.v
        self.u[0] = self.u[-1] = 0.0
        self.history.append(self.u.copy())
        self.cache['last'] = self.k * self.u[1]


class Chain:
    def __init__(self, bodies):
        self.bodies, self.t = bodies, 0.0

    def step(self, dt):
        for body in self.bodies:
            body.x = body.x + dt * body.v
        self.t += dt


def waves(rod, x):
    for _ in range(3):
        rod.step()
    return np.sum(rod.history[1] * x) + np.sum(rod.u ** 2) + rod.cache['last']


def pushed(rod, x):
    for _ in range(3):
        rod.u[0] += rod.v[1] * x
        rod.u *= rod.k
    return np.sum(rod.u * rod.v)


def in_a_row(chain, dt):
    chain.step(dt)
    chain.step(dt)
    return sum(body.x ** 2 for body in chain.bodies) * chain.t


def each_of(bodies, dt):
    for body in bodies:
        body.step(dt)
    return sum(body.energy for body in bodies)


def trained(net, x):
    for _ in range(2):
        y = net.forward(x)
        net.backward(2 * y / y.size)
        net.update(0.1)
    return np.mean(net.forward(x) ** 2)


def rod():
    return Rod(vector(0.7, 1.3, 0.4, 0.9, 0.1), vector(0.2, 0.4, 0.3, 0.6, 0.5), 0.8)


TAKEN = [(steps, Body(0.7, 1.3), 5), (branches, Body(0.7, 1.3), 0.6), (branches, Body(0.7, 1.3), 0.4),
         (another, Body(0.7, 1.3), 0.6), (inner, Box(Body(0.7, 1.3)), 0.6), (waves, rod(), 0.6), (pushed, rod(), 0.6),
         (elements, Body(vector(0.7, 1.3), vector(0.2, 0.4)), 0.6), (in_a_row, Chain([Body(0.7, 1.3), Body(0.2, 0.4)]), 0.6),
         (trained, copy.deepcopy(layers.build(layers.W, layers.B)), layers.X), (each_of, [Body(0.7, 1.3), Body(0.2, 0.4)], 0.6), (two, Body(0.7, 1.3), Body(0.2, 0.4)), (volume, Disk(1.2), 2.0),
         (filtered, Filter(vector([1.0, 0.1], [0.0, 1.0]), vector(0.3, 0.2), np.eye(2)), [vector(0.4, 0.1), vector(0.2, 0.6)])]
LEFT = [(other_names, Body(0.7, 1.3), 0.6), (seen_by_all, Body(0.7, 1.3), 0.6)]


def places(thing, path=()):
    """(path, value) of the numbers and arrays in an object or list."""
    if isinstance(thing, (float, np.ndarray)):
        yield path, thing
    parts = enumerate(thing) if isinstance(thing, list) else vars(thing).items() if hasattr(thing, '__dict__') else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def at(thing, path):
    for key in path:
        thing = thing[key] if isinstance(thing, list) else getattr(thing, key)
    return thing


def slopes(f, args):
    """path -> the derivative by what stands there, by differences."""
    def moved(path, index, h):
        new = copy.deepcopy(args)
        owner, value = at(new, path[:-1]), np.array(at(new, path))
        value[index] += h
        value = float(value) if value.shape == () else value
        if isinstance(owner, list):
            owner[path[-1]] = value
        else:
            setattr(owner, path[-1], value)
        return f(*new)
    return {path: np.array([(moved(path, k, 1e-6) - moved(path, k, -1e-6)) / 2e-6 for k in np.ndindex(np.shape(value))])
            for path, value in places(args)}


@pytest.mark.parametrize('f, body, x', TAKEN + LEFT, ids=lambda a: getattr(a, '__name__', ''))
def test_right(f, body, x):
    """In every text, and what was given is as it was."""
    args = [body, x]
    wrt = (0, 1) if list(places([x])) else (0,)
    wanted, before = slopes(f, args), [copy.deepcopy(value) for _, value in places(args)]
    df = tangent.grad(f, wrt=wrt)
    for _ in range(5):
        found = [*df(*args)] if len(wrt) > 1 else [df(*args)]
        for path, right in wanted.items():
            np.testing.assert_allclose(np.ravel(at(found, path)), right, rtol=1e-5, atol=1e-7)
        for (_, value), old in zip(places(args), before):
            np.testing.assert_array_equal(value, old)


@pytest.mark.parametrize('f, body, x', TAKEN, ids=lambda a: getattr(a, '__name__', ''))
def test_text(f, body, x):
    wrt = (0, 1) if list(places([x])) else (0,)
    assert '_grads' not in tangent.source(tangent.grad(f, wrt=wrt), body, x)


@pytest.mark.parametrize('f, body, x', LEFT, ids=lambda a: getattr(a, '__name__', ''))
def test_what_others_may_see_stays_whole(f, body, x):
    assert '_grads' in tangent.source(tangent.grad(f), body, x)


def test_what_the_gradient_is_not_by_keeps_what_is_written_into_it():
    def f(body, x):
        body.x = body.x * x
        return body.energy
    body, df = Body(1.0, 1.3), tangent.grad(f, wrt=1)
    for k in range(1, 6):
        assert df(body, 0.5) == pytest.approx(2 * 0.5 ** (2 * k - 1))
        assert body.x == 0.5 ** k


def test_one_object_in_two_places():
    """It is seen by its other name, whatever was met before."""
    def all_of(f, make, df):
        """The derivative by x of the one object, and what the gradients say."""
        slope = (f(*make(1e-6)) - f(*make(-1e-6))) / 2e-6
        args = make(0.0)
        body = args[1]
        found = df(*args)
        parts = [*zip(args[0], found[0])] if isinstance(args[0], list) else [(args[0], found[0])]
        return slope, [g.x for b, g in [*parts, (body, found[1])] if b is body]
    def apart(h):
        return Body(0.7, 1.3), Body(0.2 + h, 0.4)
    def once(h):
        return (body := Body(0.7 + h, 1.3)), body
    def besides(h):
        return [Body(0.5, 0.1), Body(0.2, 0.1)], Body(0.7 + h, 1.3)
    def inside(h):
        return [Body(0.5, 0.1), body := Body(0.7 + h, 1.3)], body
    for f, one, other in (two, apart, once), (among, besides, inside):
        df = tangent.grad(f, wrt=(0, 1))
        for make in [one] * 4 + [other] * 4 + [one] * 2:
            slope, found = all_of(f, make, df)
            assert found == [pytest.approx(slope)] * len(found)


@pytest.mark.parametrize('f, owner, name', [(seen_by_last, None, 'LAST'), (seen_by_class, Held, 'last')])
def test_what_sees_it_later(f, owner, name, monkeypatch):
    """A name that denotes no object when the text is made may denote the one that is given, later."""
    given = Held(0.7) if owner else Body(0.7, 1.3)
    df = tangent.value_and_grad(f, wrt=(0, 1))
    for _ in range(4):
        df(given, 0.6)
    if owner:
        monkeypatch.setattr(owner, name, given)
    else:
        monkeypatch.setitem(globals(), name, given)
    for _ in range(4):                                   # a gradient would lack what is seen by the other name
        with pytest.raises(tangent.errors.AliasError, match='and Held.last' if owner else 'body and LAST'):
            df(given, 0.6)


def test_arrays_that_share_memory():
    """They show what is written into each other, whatever was met before."""
    buffer = vector(0.7, 1.3, 0.4, 0.9)
    def made(h):
        moved = buffer + h
        return Body(moved[:3], moved[1:]), 0.6
    df = tangent.grad(elements)
    for make in [lambda _: (Body(buffer[:3].copy(), buffer[1:].copy()), 0.6)] * 4 + [made] * 4:
        found = df(*make(0.0))
        if make is made:
            wanted = [(elements(*made(h)) - elements(*made(-h))) / 2e-6 for h in 1e-6 * np.eye(4)]
            np.testing.assert_allclose(found.x, wanted[:3], rtol=1e-6)
            np.testing.assert_allclose(found.v, wanted[1:], rtol=1e-6)


def test_arrays_that_share_memory_and_are_read():
    """They have one gradient, whichever text it is from."""
    net = layers.build(layers.W, layers.B)
    df = tangent.grad(trained)
    first = df(net, layers.X).layers[0].w
    for _ in range(4):
        np.testing.assert_allclose(df(net, layers.X).layers[0].w, first)
        df(copy.deepcopy(net), layers.X)


def outside(body, x):
    body.x[0] = body.x[0] * x
    return np.sum(body.x * ARRAY) * x


def test_an_array_outside_that_is_written_into():
    df = tangent.grad(outside, wrt=(0, 1))
    for _ in range(4):
        np.testing.assert_allclose(df(Body(np.ones(2), 1.0), 0.5)[1], 2.5 + 0.5)
    with pytest.raises(tangent.errors.AliasError, match='body and its parts and ARRAY share memory'):
        df(Body(ARRAY, 1.0), 0.5)


APART = types.SimpleNamespace(held=Held(3.0), table={'a': Held(2.0)}, array=np.array([1.0, 2.0]), numbers=[1.0, 2.0])
HELD, TABLE, ARRAY, NUMBERS = vars(APART).values()


def by_name(h, x):
    h.x = h.x * x
    return HELD.x * x


def by_a_container(h, x):
    h.x = h.x * x
    return TABLE['a'].x * x


def by_a_namespace(h, x):
    h.x = h.x * x
    return APART.held.x * x


def by_a_function(h, x):
    h.x = h.x * x
    return by_name(Held(1.0), 1.0) * x


def in_a_list(hs, x):
    hs[0].x = hs[0].x * x
    return HELD.x * x


def numbers_by_name(a, x):
    a[0] = a[0] * x
    return NUMBERS[0] * x


def written_outside(h, x):
    HELD.x = HELD.x * x
    return h.x * x


def written_in_a_table(h, x):
    TABLE['a'].x = TABLE['a'].x * x
    return h.x * x


def array_written_outside(a, x):
    ARRAY[0] = ARRAY[0] * x
    return a[0] * x


def list_written_outside(a, x):
    NUMBERS[0] = NUMBERS[0] * x
    return a[0] * x


def by_another_parameter(h, k, x):
    h.x = h.x * x
    return k.x * x


def in_another_parameter(a, bs, x):
    a[0] = a[0] * x
    return bs[0][0] * x


@pytest.mark.parametrize('f, given, apart', [
    (by_name, lambda: (HELD,), lambda: (Held(3.0),)), (by_a_container, lambda: (TABLE['a'],), lambda: (Held(3.0),)),
    (by_a_namespace, lambda: (HELD,), lambda: (Held(3.0),)), (by_a_function, lambda: (HELD,), lambda: (Held(3.0),)),
    (in_a_list, lambda: ([HELD],), lambda: ([Held(3.0)],)), (numbers_by_name, lambda: (NUMBERS,), lambda: ([1.0, 2.0],)),
    (written_outside, lambda: (HELD,), lambda: (Held(3.0),)), (written_in_a_table, lambda: (TABLE['a'],), lambda: (Held(3.0),)),
    (array_written_outside, lambda: (ARRAY,), lambda: (np.ones(2),)), (list_written_outside, lambda: (NUMBERS,), lambda: ([1.0],)),
    (by_another_parameter, lambda: (HELD, HELD), lambda: (Held(3.0), Held(2.0))),
    (in_another_parameter, lambda: (ARRAY, [ARRAY]), lambda: (np.ones(2), [np.ones(2)]))])
def test_what_is_written_and_seen_by_another_way(f, given, apart):
    """What is given and written into, and is seen by the name of something else, too, is refused: from the first call on."""
    def kept():
        HELD.x, TABLE['a'].x, ARRAY[:], NUMBERS[:] = 3.0, 2.0, (1.0, 2.0), (1.0, 2.0)
    def slope(x, h=1e-6):
        ends = []
        for moved in x + h, x - h:
            kept()
            ends.append(f(*apart(), moved))
        return (ends[0] - ends[1]) / (2 * h)
    for first in given, apart:
        of = len(given())
        for make, more in (tangent.grad, ()), (tangent.jvp, (1.0,)):
            df = make(f, wrt=of)
            for arguments in first, given, apart, given, apart:
                kept()
                if arguments is apart:
                    assert df(*apart(), 1.5, *more) == pytest.approx(slope(1.5))
                else:
                    with pytest.raises(tangent.errors.AliasError, match='share memory'):
                        df(*given(), 1.5, *more)
    kept()


class OfOne:
    def __init__(self, u):
        self.u = u

    def put(self, w):
        self.u[:] = w

    def step(self):
        self.u[1:] += 0.5 * self.u[:-1]


def put_and_read(held, w):
    held.put(w)
    held.step()
    return np.sum(held.u * w)


def test_an_array_that_is_an_argument_beside_the_object_that_holds_it_is_one_array():
    """What the guard compares at sight did not see it from the third call on: the value was wrong."""
    df = tangent.grad(put_and_read, wrt=(0, 1), preserve_result=True)
    for k in range(8):
        w, v = np.array([0.3, 0.8, 1.4]), np.array([0.3, 0.8, 1.4])
        other = w if k > 3 else w * 1.0
        assert df(OfOne(w), other)[2] == pytest.approx(put_and_read(OfOne(v), v if k > 3 else v * 1.0))
