"""What code of classes does where no call of it stands, and derivatives do not follow: refused, with the line, once wrong."""
import copy
import operator

import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])
REGISTRY = []


class Registered:
    MADE = []

    def __init__(self, v):
        self.v = v
        REGISTRY.append(self)
        Registered.MADE.append(self)

    def __lt__(self, other):
        return False


def one_by_one(x):
    Registered(x[0] * x[1])
    return REGISTRY[-1].v * x[2]


def in_a_comprehension(x):
    made = [Registered(v) for v in x]
    return Registered.MADE[-1].v * len(made)


def by_map(x):
    made = list(map(Registered, x))
    return REGISTRY[-1].v * len(made)


def by_key(x):
    sorted([x[0], x[1]], key=Registered)
    return REGISTRY[-1].v * REGISTRY[-2].v


@pytest.mark.parametrize('f', [one_by_one, in_a_comprehension, by_map, by_key])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_what_registers_itself(f, derivative):
    with pytest.raises(tangent.errors.TangentError, match=r'test_refused_classes.py:\d+: .*(kept outside|write into)'):
        derivative(f)(X, *([np.ones(3)] if derivative is tangent.jvp else []))


class Copied:
    def __init__(self, v):
        self.v, self.n = v, 1.0

    def __copy__(self):
        self.n = self.n * self.v
        return Copied(self.v * 2.0)

    def __deepcopy__(self, memo):
        return Copied(self.v * self.v)


class Reduced:
    def __init__(self, v):
        self.v = v

    def __reduce__(self):
        return Reduced, (self.v * 2.0,)


def copied(x):
    made = Copied(x[0])
    return copy.copy(made).v * x[1] + made.n


def deeply_copied(x):
    return copy.deepcopy([Copied(x[0])])[0].v * x[1]


def reduced(x):
    return copy.copy(Reduced(x[0])).v * x[1]


def copied_by_map(x):
    return next(map(copy.copy, [Copied(x[0])])).v * x[1]


@pytest.mark.parametrize('f', [copied, deeply_copied, reduced, copied_by_map])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_copies_that_classes_make(f, derivative):
    with pytest.raises(tangent.errors.TangentError, match=r'test_refused_classes.py:\d+: copies by copy.copy'):
        derivative(f)(X, *([np.ones(3)] if derivative is tangent.jvp else []))


class Hashed:
    def __init__(self, v):
        self.v, self.n = v, 0.0

    def __hash__(self):
        self.n = self.n + self.v
        return 1

    def __eq__(self, other):
        return self is other


class Shown:
    def __init__(self, v):
        self.v, self.seen = v, []

    def __str__(self):
        self.seen.append(self.v * 2.0)
        return 'shown'


class Index:
    def __init__(self, v):
        self.v, self.n = v, 0.0

    def __index__(self):
        self.n = self.n + self.v
        return 1


def hashed(x):
    key = Hashed(x[0] * x[1])
    table = {key: 1.0}
    return key.n * x[1] * len(table)


def shown(x):
    a = Shown(x[0] * x[1])
    text = f'{a}'
    return a.seen[0] * len(text)


def indexed(x):
    k = Index(x[0] * x[1])
    return [1.0, 2.0][k] * k.n


@pytest.mark.parametrize('f', [hashed, shown, indexed])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_special_methods_that_write(f, derivative):
    with pytest.raises(tangent.errors.TangentError, match=r'test_refused_classes.py:\d+: special methods that write'):
        derivative(f)(X, *([np.ones(3)] if derivative is tangent.jvp else []))


class Kept:
    def __init__(self, v):
        self.v, self.hash, self.text = v, None, None

    def __hash__(self):
        if self.hash is None:
            self.hash = hash('kept')
        return self.hash

    def __eq__(self, other):
        return self is other

    def __repr__(self):
        parts = ['a']
        parts.append('b')
        self.text = f'{parts}'
        return self.text


def kept(x):
    a = Kept(x[0] * x[1])
    table = {a: x[2]}
    return table[a] * a.v * len(repr(a))


def test_facts_that_special_methods_keep():
    wanted = len(repr(Kept(1.0))) * np.array([X[1] * X[2], X[0] * X[2], X[0] * X[1]])
    np.testing.assert_allclose(tangent.grad(kept)(X), wanted)
    assert tangent.jvp(kept)(X, np.ones(3)) == pytest.approx(wanted.sum())


class Grown:
    def __init__(self, v):
        self.v, self.n = v, 1.0

    @property
    def grown(self):
        self.n = self.n * self.v
        return self.n


BY_NAME = operator.attrgetter('grown')


def got_by_map(x):
    a = Grown(x[0] * x[1])
    list(map(BY_NAME, [a, a]))
    return a.n * x[2]


def ordered_by_what_writes(x):
    a, b = Grown(x[0]), Grown(x[1])
    return len(sorted([a, b], key=operator.attrgetter('grown'))) * a.n * b.n


@pytest.mark.parametrize('f', [got_by_map, ordered_by_what_writes])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_getters_of_what_writes(f, derivative):
    with pytest.raises(tangent.errors.TangentError, match=r'test_refused_classes.py:\d+: '):
        derivative(f)(X, *([np.ones(3)] if derivative is tangent.jvp else []))


class Arraylike:
    def __init__(self, a):
        self.a = a

    def __array__(self, dtype=None, copy=None):
        return self.a * 2.0

    def thrice(self):
        return Arraylike(self.a * 3.0)


def through_a_method(x):
    a = Arraylike(x).thrice()
    return np.sum(a.a * a.a)


def through_numpy(x):
    return np.sum(np.sin(Arraylike(x)))


@pytest.mark.parametrize('f', [through_a_method, through_numpy])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_classes_that_tell_numpy_what_array_they_are(f, derivative):
    with pytest.raises(tangent.errors.TangentError, match=r'test_refused_classes.py:\d+: Arraylike tells NumPy'):
        derivative(f)(X, *([np.ones(3)] if derivative is tangent.jvp else []))


class GrownWhenRead:
    def __init__(self, v):
        self.v, self.n = v, 1.0

    @property
    def grown(self):
        self.n = self.n * self.v
        return self.n

    @property
    def doubled(self):
        return 2 * self.v


def asked_for(x):
    o = GrownWhenRead(x[0])
    return (3.0 if hasattr(o, 'grown') else 2.0) * o.n * x[1]


def asked_for_any(x):
    o, total = GrownWhenRead(x[0]), 0.0
    for name in ('doubled', 'grown'):
        total = total + (x[1] if hasattr(o, name) else 2.0)
    return total * o.n


def asked_for_what_writes_nothing(x):
    o = GrownWhenRead(x[0])
    return (o.doubled if hasattr(o, 'doubled') else 2.0) * x[1]


@pytest.mark.parametrize('f', [asked_for, asked_for_any])
def test_hasattr_of_properties_that_write(f):
    """They were refused; what they write is seen by now."""
    want = differences(f, (X,), (0,))[0]
    gradient, along = tangent.grad(f), tangent.jvp(f)
    for _ in range(4):
        assert gradient(X) == pytest.approx(want, abs=1e-6)
        assert [along(X, e) for e in np.eye(len(X))] == pytest.approx(want, abs=1e-6)


def test_hasattr_of_other_properties():
    assert tangent.grad(asked_for_what_writes_nothing)(X) == pytest.approx([2 * X[1], 2 * X[0], 0])
