"""Forward mode of the Python that reverse mode needs its log form for, and of functions, objects and generators as values."""
import contextlib
import dataclasses
import functools
import types
from typing import NamedTuple

import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close, differences

X, DX = np.array([1.3, 0.7, 2.1]), np.array([0.3, -1.2, 0.5])


def inplace(x):
    y = np.zeros(4)
    y[0] = x[0] * 2
    y[1:3] = x[:2] * x[1]
    y[3] += x[2] * y[0]
    y *= 2.0
    y /= x[0]
    y **= 2
    v = y[1:]
    v[0] = 5.0 * x[1]
    y[2] *= y[1]
    return np.sum(y * x[0]) + v[1]


def tries(x):
    y = x * 2
    try:
        y = y / (x - x)
    except ZeroDivisionError:
        y = y * x
    finally:
        z = y * 3
    return z * y


def withs(x):
    with contextlib.suppress(ValueError):
        y = x * x
        with np.errstate(all='ignore') as _e:
            z = y * x
        raise ValueError
    return z + y


def lists(x):
    L = [x[0], x[1], 2.0]
    L[2] = L[0] * L[1]
    L.insert(1, x[2])
    a = L.pop()
    L.extend([a, a * x[0]])
    D = {'a': x[0]}
    D['b'] = D['a'] * L[1]
    D.update({'c': x[2]})
    M = L
    M.append(D['b'])
    M.reverse()
    s = 0.0
    for i, v in enumerate(L):
        s = s + v * (i + 1)
    for _k, v in D.items():
        s += v * v
    del L[0]
    return s * L[0] + D.get('c') + sum(D.values())


def kernel(A, x):
    A[0] = x[0] * A[1]
    A[1:] += x[1]


def kern(x):
    A = np.ones(3)
    kernel(A, x)
    kernel(A, x * 2)
    return A.sum() * A[0]


def args_written(x):
    x[0] = x[1] * 2
    x *= 3
    return x.sum() * x[0]


def alias2(x):
    y = x + 0.0
    z = y
    z[0] = 5.0
    y += x
    return y.sum() * y[0] + x[0]


def jumps(x):
    s = 0.0
    for i in range(10):
        if i == 3:
            continue
        s += x[0] * i
        if s > 20:
            break
    else:
        s = 100.0
    while True:
        s = s * x[0]
        if s > 100:
            return s


def comp(x):
    a = [v * v for v in x]
    b = {k: v * 2 for k, v in enumerate(a)}
    s = sum(w * x[0] for w in b.values())
    if (n := len(a)) > 2:
        s = s * n
    return s * max(v for v in a)


def nested(x):
    def g(y):
        return y * x[0]
    h = lambda z: g(z) + x[1]
    return h(x[2]) * g(x[1])


def apply(f, v):
    return f(v) * v


def hof(x):
    return apply(lambda t: t * x[0], x[1]) + apply(np.sin, x[2])


def star(x, *args, **kw):
    return x[0] * args[0] * kw['k']


def callstar(x):
    return star(x, x[1], k=x[2])


class P:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def dot(self, c):
        return self.a * c + self.b

    def __call__(self, q):
        self.b = self.b * q
        return self.b


def objs(x):
    p = P(x[0], x[1])
    p.a = p.a * 2
    r = p.dot(x[2])
    return r + p(x[1]) * p.b


def gen(x):
    for v in x:
        yield v * v


def gens(x):
    s = 0.0
    for g in gen(x):
        s += g * x[0]
    return s


def outk(x):
    y = np.empty(3)
    np.multiply(x, 2.0, out=y)
    np.copyto(y[1:], x[:2])
    np.add.at(y, [0, 0], x[1])
    return np.sum(y * y)


def sorts(x):
    L = [x[0], x[2], x[1]]
    L.sort()
    return L[0] * L[1] + sorted(L, key=lambda v: -v)[0]


ARRAYS = [inplace, lists, kern, args_written, alias2, jumps, comp, nested, hof, callstar, objs, gens, outk, sorts]


@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
@pytest.mark.parametrize('f', [*ARRAYS, tries, withs], ids=lambda f: f.__name__)
def test_derivative(f, optimized):
    x, dx = (X, DX) if f in ARRAYS else (1.3, 0.4)
    dy, y = tangent.jvp(f, optimized=optimized, preserve_result=True)(x, dx)
    assert np.array_equal(X, [1.3, 0.7, 2.1])                # the caller's own array
    np.testing.assert_allclose(y, f(x + 0.0), rtol=1e-12)
    difference = (f(x + 1e-6 * dx) - f(x - 1e-6 * dx)) / 2e-6
    np.testing.assert_allclose(dy, difference, rtol=1e-6, atol=1e-6)


def test_second_derivative_through_writes():
    """Forward over forward, where the tangents of the first pass are written into by the second."""
    push = tangent.jvp(inplace)
    twice = tangent.jvp(push, wrt=(0,))(X, DX, DX)
    difference = (push(X + 1e-5 * DX, DX) - push(X - 1e-5 * DX, DX)) / 2e-5
    np.testing.assert_allclose(twice, difference, rtol=1e-5)


def unchanged_when_it_raises(x):
    y = x
    try:
        y = y / (y - y)
    except ZeroDivisionError:
        pass
    return y * x


def test_an_exception_leaves_value_and_tangent_alone():
    assert tangent.jvp(unchanged_when_it_raises)(3.0, 1.0) == 6.0


def sends(x):
    y = yield x
    return y


def uses_sends(x):
    return sum(list(sends(x)))


def test_what_is_refused():
    with pytest.raises(tangent.TangentParseError, match='values sent into a generator'):
        tangent.jvp(uses_sends)


def only_adjoint(x):
    return x


@tangent.grads.adjoint(only_adjoint)
def adjoint_of_only_adjoint(y, x):
    d[x] = 2.0 * d[y]  # noqa: F821


def calls_only_adjoint(x):
    return only_adjoint(x) * x


def test_a_rule_for_reverse_mode_alone_is_not_passed_over():
    with pytest.raises(tangent.ForwardNotImplementedError, match='tangent_'):
        tangent.jvp(calls_only_adjoint)


def linear(x, w=2.0):
    return x * w


def test_signature_and_checks():
    df = tangent.autodiff(linear, mode='forward', input_derivative=tangent.INPUT_DERIVATIVE.DefaultOne)
    assert df(3.0) == 2.0
    assert tangent.jvp(linear, wrt=(0, 'w'), preserve_result=True)(3.0, 5.0, 1.0, 10.0) == (35.0, 15.0)
    with pytest.raises(ValueError, match='Shape mismatch'):
        tangent.jvp(linear)(X, 2.0, np.ones(2))
    with pytest.raises(TypeError, match='bool'):
        tangent.jvp(linear)(True, 2.0, 1.0)
    with pytest.raises(TypeError, match=r'tangent\.func\.jvp'):
        tangent.jvp(linear, (X,), (DX,))
    assert tangent.jvp(linear)(3, 2, 1) == 2.0 and isinstance(tangent.jvp(linear)(3, 2, 1), float)
    assert tangent.jvp(linear)(X.astype(np.float32), 2.0, DX).dtype == np.float32


def test_the_result_is_the_callers_own():
    def same(x):
        return x
    assert not np.shares_memory(tangent.jvp(same)(X, DX), DX)


def test_no_more_memory_than_the_function():
    """A million steps, no tape."""
    def steps(x, n):
        for _ in range(n):
            x = x * 0.999999 + 1e-9
        return x
    df = tangent.jvp(steps)
    assert 'append' not in tangent.source(df)
    np.testing.assert_allclose(df(1.0, 1000, 1.0), 0.999999 ** 1000)


# What Python code of a class stands behind an operator, an attribute or a method

class Vec:
    scale = 2.0

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        if isinstance(other, Vec):
            return Vec(self.x + other.x, self.y + other.y)
        return NotImplemented

    def __radd__(self, k):
        return Vec(self.x + k, self.y + k)

    def __iadd__(self, k):
        self.x = self.x * k
        return self

    def __mul__(self, k):
        return Vec(self.x * k * self.scale, self.y * k)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __getitem__(self, k):
        return (self.x, self.y)[k]

    def __setitem__(self, k, v):
        if k == 0:
            self.x = v * 2
        else:
            self.y = v

    def __iter__(self):
        yield self.x
        yield self.y

    def __float__(self):
        return self.x * self.y

    @property
    def area(self):
        return self.x * self.y

    @area.setter
    def area(self, v):
        self.y = v / self.x

    @functools.cached_property
    def squared(self):
        return self.x ** 2 + self.y ** 2

    def pushed(self, v):
        self.y = self.y * v
        return self

    def __call__(self, v):
        return self.x * v


class Deep(Vec):
    def __init__(self, x):
        super().__init__(x, x * x)

    def pushed(self, v):
        return super().pushed(v + 1.0)


class Odd:
    def __init__(self, x):
        self.values = {'a': x}

    def __getattr__(self, name):
        return self.values['a'] * len(name)


@dataclasses.dataclass
class Spring:
    stiffness: float
    rest: float = 1.0
    names: list = dataclasses.field(default_factory=list)
    total: float = dataclasses.field(init=False, default=3.0)

    def energy(self, x):
        return self.stiffness * (x - self.rest) ** 2 * self.total


@dataclasses.dataclass(frozen=True)
class Fixed:
    a: float
    b: float = 2.0

    def moved(self, h):
        return dataclasses.replace(self, a=self.a + h)


class Pair(NamedTuple):
    a: float
    b: float = 2.0


def operators(x):
    a, b = Vec(x, x * x), Vec(2.0, x)
    c = a + b * x + (-a)
    d = 1.5 + c
    d += x
    return d.x * d.y + c[0] * d[1]


def items(x):
    a = Vec(x, 2.0)
    a[0], a[1] = x * x, x
    first, second = a[0], a[1]
    return first * float(a) * a(x) + second


def properties(x):
    a = Vec(x, x * x)
    a.area = x * 5.0
    a.area += x
    s = a.squared
    return a.area * s + a.squared * a.y


def inherited(x):
    d = Deep(x).pushed(x)
    method = d.pushed
    method(2.0)
    return d.y * d.scale


def computed_names(x):
    o = Odd(x)
    setattr(o, 'extra', x * x)  # noqa: B010
    return o.abc * o.extra + getattr(o, 'abcd') * getattr(o, 'values')['a']  # noqa: B009


def records(x):
    s, q = Spring(x), Spring(rest=x, stiffness=2.0)
    s.names.append(x * 3)
    t = dataclasses.replace(s, rest=x * 0.5)
    f = Fixed(x).moved(x * x)
    p = Pair(x)
    r = p._replace(b=x * x)
    return s.energy(2.0) + q.energy(3.0) + t.energy(x) + s.names[0] * f.a * f.b + p.a * p.b * r.b


def shared_in_a_new_object(x):
    """The tangent of what is one list in two places is one list, and is made before the list is written into."""
    part = [1.0]
    held = types.SimpleNamespace(a=part, b=part)
    held.a.append(x)
    held.b[0] = x * x
    return held.a[0] * held.b[1]


def containers_as_values(x):
    xs, d = [x, 2.0], {'k': x}
    push, pop = xs.append, xs.pop
    push(x * x)
    y = pop() * xs.count(7.0) + pop(0)
    d.setdefault('more', []).append(x * y)
    return y * d['more'][0] + d.get('k') * len(d.copy())


def method_of_a_type(x):
    y = x
    for kind in (list.copy, lambda v: v):
        y = y * kind([x, 2.0])[0]
    return y


def cached_before_a_change(x):
    a = Vec(x, x * x)
    s = a.squared
    a.x = s * x
    return a.squared * a.x


def unpacked(x):
    first, second = a = Vec(x, x * x)
    for v in a:
        first = first + v * second
    return first


def test_what_a_class_lets_one_go_over():
    assert tangent.jvp(unpacked)(1.3, 1.0) == pytest.approx(1 + 3 * 1.3 ** 2 + 4 * 1.3 ** 3)
    assert tangent.jvp(method_of_a_type)(1.3, 1.0) == pytest.approx(3 * 1.3 ** 2)
    assert_close(tangent.jvp(cached_before_a_change)(1.3, 1.0), differences(cached_before_a_change, (1.3,), (0,))[0])


def rebinding(x):
    total, factor = 0.0, x

    def add(v):
        nonlocal total, factor
        total, factor = total + v * factor, factor * 2
        return total

    add(x)
    for factor in (x * x, 3.0):
        add(factor)

    def twice():
        def inner(v):
            nonlocal total
            total *= v
        inner(x)
        inner(2.0)
    twice()
    functions = []
    for k in (1.0, x):
        functions.append(lambda v: v * k)  # noqa: B023 late binding is meant
    return total * functions[0](x) + factor


@pytest.mark.share(2)
@pytest.mark.parametrize('modes', ['f', 'rf', 'ff', 'fr', 'rr'])
@pytest.mark.parametrize('f', [rebinding, operators, items, properties, inherited, computed_names, records, shared_in_a_new_object,
                               containers_as_values], ids=lambda f: f.__name__)
def test_code_of_classes(f, modes):
    for mode in reversed(modes):
        before, f = f, tangent.grad(f) if mode == 'r' else tangent.autodiff(
            f, mode='forward', input_derivative=tangent.INPUT_DERIVATIVE.DefaultOne)
    assert_close(f(1.3), (before(1.3 + 1e-5) - before(1.3 - 1e-5)) / 2e-5, 1e-7)


class Smoothed:
    def __init__(self):
        self.s = 0.0

    def __call__(self, v):
        self.s = 0.5 * self.s + v
        return self.s

    def step(self, v):
        return self(v)


class Doubled:
    """Its methods are called, of which nobody knows whether they write."""

    def __init__(self):
        self.count = 0

    def twice(self, v):
        return 2 * v

    def __call__(self, v):
        self.count += 1
        return self.twice(v)


def hand(f, v):
    return f(v)


def smoothed(x):
    m = Smoothed()
    m(x[0])
    return m(x[1])


def smoothed_by_a_method(x):
    m = Smoothed()
    hand(m.step, x[0])
    return m.s * x[1]


def smoothed_by_a_closure(x):
    m = kept_outside()
    m(x[0])
    return m(x[1])


def kept_outside():
    kept = [0.0]

    def add(v):
        kept[0] = 0.5 * kept[0] + v
        return kept[0]
    return add


def smoothed_by_one_of_them(x):
    makers = [kept_outside]
    m = makers[0]()
    m(x[0])
    return m(x[1])


@pytest.mark.parametrize('f', [smoothed, smoothed_by_a_method, smoothed_by_a_closure], ids=lambda f: f.__name__)
def test_what_a_callable_keeps_of_its_own(f):
    """It was lost: the second call took it for passive."""
    gradient, = differences(f, (X,), (0,))
    assert_close(tangent.jvp(f)(X, DX), gradient @ DX, 1e-6)
    assert_close(tangent.jvp(f, batched=True)(X, np.eye(3)), gradient, 1e-6)


@pytest.mark.parametrize('batched', [False, True])
def test_what_a_closure_keeps_of_its_own_is_refused(batched):
    with pytest.raises(tangent.errors.AliasError, match=r'test_python.py:\d+: .*writes a value with a derivative into kept'):
        tangent.jvp(smoothed_by_one_of_them, batched=batched)(X, np.eye(3) if batched else DX)


def test_a_callable_that_keeps_no_derivative():
    def f(x):
        m = Doubled()
        return m(x[0]) * m(x[1]) * m.count

    assert_close(tangent.jvp(f)(X, DX), differences(f, (X,), (0,))[0] @ DX, 1e-6)


def echo(a):
    total = a
    while True:
        q = yield total
        total = np.tanh(total + q * a)


def sent_later(x):
    y = echo(1.25)
    next(y)
    return y.send(x[0]) * x[1]


def test_a_generator_that_is_sent_a_derivative_later():
    """`'NoneType' object is not an iterator`: where it is made, nothing has a derivative."""
    with pytest.raises(tangent.TangentParseError, match=r'next\(\) of a generator with a derivative'):
        tangent.jvp(sent_later)(np.array([0.5, 0.7]), np.ones(2))


def numbers_of(x):
    return [x[0], x[1] * x[2]]


def filled(x):
    t = []
    for k in range(2):
        t.append(x[k] * x[2])
    return t


LISTS = [lambda x: np.add([x[0], 2.0], [x[1], x[0]])[0], lambda x: np.multiply([x[0], 2.0], [x[1], x[0]])[1],
         lambda x: np.subtract((x[0], 2.0), [x[1], x[0]])[0], lambda x: np.add(numbers_of(x), numbers_of(x * 2.0))[1],
         lambda x: np.negative(filled(x))[1] + np.multiply(filled(x), 3.0)[0], lambda x: np.divide([x[0], x[1]], 3.0)[1],
         lambda x: np.add(numbers_of(x), 1.0 * x[0])[1] + np.positive(filled(x))[0]]


@pytest.mark.parametrize('f', LISTS, ids=range(len(LISTS)))
def test_arithmetic_of_lists_by_numpy(f):
    """`np.add(xs, ys)` of lists is no `xs + ys`: the tangent was that of other elements, or a TypeError."""
    assert_close(tangent.jvp(f)(X, DX), differences(f, (X,), (0,))[0] @ DX, 1e-6)
