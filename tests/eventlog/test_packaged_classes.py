"""What classes of packages do that their functions are called for: `super()` for a property, ufuncs that they answer themselves,
functions in branches that are not taken, tables outside of all functions."""
import importlib
import sys

import numpy as np
import pytest
import scipy.linalg

import tangent
from tangent.driver.dispatch import log_functions
from tests.tools.texts import define

PACKAGE = """
import copy
import numpy as np
import scipy.linalg


class Plane:
    __slots__ = ('x', 'y')

    def __new__(cls, *args, **keywords):
        return super().__new__(cls)

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __array__(self, dtype=None, copy=None):
        return np.array([self.x, self.y])

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        if method == 'reduce':
            return inputs[0].x * inputs[0].y
        a, b = inputs[0], inputs[-1]
        if ufunc is np.add:
            return type(self)(a.x + b.x, a.y * b.y)
        if ufunc is np.multiply:
            a, b = (a, b) if isinstance(a, Plane) else (b, a)
            return type(self)(a.x * b, a.y / b)
        if ufunc is np.absolute:
            return np.sqrt(a.x ** 2 + a.y ** 3)
        return NotImplemented

    def __add__(self, other):
        return np.add(self, other)

    def __mul__(self, other):
        return np.multiply(self, other)

    __rmul__ = __mul__

    def __abs__(self):
        return np.absolute(self)

    @property
    def area(self):
        return self.x * self.y

    def grown(self, k):
        return self.x * k


class Further(Plane):
    kind = 'further'

    @property
    def area(self):
        return 3 * super().area + self.x

    def grown(self, k):
        method = super().grown
        return method(k) * 2


class Last(Further):
    @property
    def area(self):
        return super().area * (2 if super().kind == 'further' else 1)


class Table:
    def __init__(self, **held):
        self.held = held

    def __getitem__(self, key):
        return self.held[key.lower()]

    def __copy__(self):
        return Table(**self.held)


def square(x, power=2):
    return x ** power


TABLE = Table(square=square)


def by_name(x, name='Square', **keywords):
    keywords = copy.copy(keywords)
    keywords.pop('unknown', None)
    return TABLE[name](x, **keywords)


def never(names, x):
    return {name: x[given] for name, given in names}


def checked(x):
    return [(k, k) for k in x]


def measured(x, lib, names=()):
    if len(names) > 3:
        return never(checked(x), x)
    return x[0] * lib.pi + call(lib.sin, x[1])


def call(f, x):
    return f(x)


class Knots:
    def __init__(self, knots):
        self.knots = knots

    def __len__(self):
        return len(self.knots)


    def __iter__(self):
        return iter(self.knots)

    def __call__(self, x):
        self.knots[0] = x
        return x


def sin(*args, **keywords):
    from numpy import sin
    return sin(*args, **keywords)


class Filter:                          # the root is SciPy's, under a name of its own; slopes are given arguments, or none
    def __init__(self, n, root=None):
        self.x, self.P, self.root = np.zeros((n, 1)), np.eye(n), scipy.linalg.cholesky if root is None else root

    def points(self):
        return self.root(3.0 * self.P) + self.x.T

    def update(self, z, slope, seen, args=(), seen_args=(), residual=np.subtract):
        if not isinstance(args, tuple):
            args = (args,)
        if not isinstance(seen_args, tuple):
            seen_args = (seen_args,)
        h = slope(self.x, *args)
        gain = self.P @ h.T / (h @ self.P @ h.T + 1.0)
        self.x = self.x + gain @ residual(z, seen(self.x, *seen_args))
        self.P = self.P - gain @ h @ self.P


def alike(*knots):
    if len({len(k) for k in knots}) != 1 or len({len(knots[0]), len(knots[-1])}) != 1:
        raise ValueError('of several lengths')
    return knots[0].knots[0] * knots[-1].knots[1]
"""

PROGRAMS = {
    'added': 'c = planes.Plane(x[0], x[1]) + planes.Plane(x[1], 3.0)\n    return c.x * c.y',
    'added by NumPy': 'return np.add(planes.Plane(x[0], x[1]), planes.Further(x[1], 3.0)).area',
    'scaled': 'c = x[0] * planes.Plane(x[0], x[1]) * 2.0\n    return c.x * c.y + c.x',
    'absolute': 'return abs(planes.Plane(x[0], x[1])) + np.abs(planes.Further(x[0], x[1] * 2))',
    'by an array': 'return np.sum((planes.Plane(x[0], x[1]) * x).x)',
    'constant': 'p = planes.Plane(2.0, 3.0)\n    return x[0] * abs(p) + x[1] * (p + p).x',
    'property above': 'return planes.Last(x[0] * x[1], x[1]).area',
    'method above': 'return planes.Last(x[0] * x[1], x[1]).grown(x[0])',
    'each above': 'return sum([p.area * p.grown(x[1]) for p in (planes.Last(x[0], x[1]), planes.Plane(x[1], x[0]))])',
    'from a table': "return planes.by_name(x[0]) * x[1] + planes.by_name(x[1], name='SQUARE', power=3)",
    'branch not taken': 'return planes.measured(x, np) * x[1]',
    'import inside': 'return planes.sin(x[0]) * x[1] + planes.Knots([x[0], x[1]])(x[1])',
    'filtered': """f = planes.Filter(2)
    f.x, f.P = np.array([[x[0]], [x[1]]]), np.eye(2) * x[1]
    f.update(np.array([[x[0]]]), lambda v: np.array([[v[0, 0] * 2, 0.3]]), lambda v: np.array([[v[0, 0] ** 2]]))
    f.update(np.array([[x[1]]]), lambda v, k: v.T * k, lambda v: v[:1] * 2.0, (x[0],))
    return np.sum(f.points() ** 2) * f.P[0, 1]""",
    'lengths': 'return planes.alike(planes.Knots([x[0], x[1]]), planes.Knots([x[1], x[0] * x[1]]))',
}

REFUSED = {
    'reduced': 'return np.sum(planes.Plane(x[0], x[1]))',
    'reduced by add': 'return np.add.reduce(planes.Plane(x[0], x[1]))',
    'made an array': 'return np.asarray(planes.Plane(x[0], x[1])) @ x',
    'in a list': 'return np.sum(np.array([planes.Plane(x[0], x[1]), planes.Plane(x[1], x[0])]))',
    'in a product': 'return np.dot(planes.Plane(x[0], x[1]), x)',
}
X = np.array([1.3, 0.7])


def numeric(f, x, step=1e-6):
    return np.array([(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(len(x))])


@pytest.fixture
def planes(tmp_path, monkeypatch):
    folder = tmp_path / 'site-packages' / 'planes'
    folder.mkdir(parents=True)
    (folder / '__init__.py').write_text(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path / 'site-packages')
    yield importlib.import_module('planes')
    del sys.modules['planes']


@pytest.mark.parametrize('name', PROGRAMS)
def test_derivatives(planes, name):
    f = define(f'def f(x):\n    {PROGRAMS[name]}\n', planes=planes, np=np).f
    expected = numeric(f, X)
    df = tangent.grad(f)
    for _ in range(4):
        np.testing.assert_allclose(df(X.copy()), expected, rtol=1e-6)
    np.testing.assert_allclose(tangent.jvp(f)(X, np.array([0.3, 1.7])), expected @ [0.3, 1.7], rtol=1e-6)
    second = numeric(lambda x: df(x) @ [0.3, 1.7], X)
    np.testing.assert_allclose(tangent.hvp(f)(X, np.array([0.3, 1.7])), second, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize('name', REFUSED)
@pytest.mark.parametrize('derivative', [lambda f: tangent.grad(f)(X), lambda f: tangent.jvp(f)(X, X)])
def test_refused_arrays(planes, name, derivative):
    """NumPy asks the object for an array, or runs code of it for `add.reduce`, which is not followed."""
    f = define(f'def f(x):\n    {REFUSED[name]}\n', planes=planes, np=np).f
    with pytest.raises(tangent.errors.ArgumentTypeError, match='An instance of Plane is taken for a number'):
        derivative(f)


def test_refused_where_it_is_called(planes):
    """What forward mode refuses in a branch of a package is an error when that branch is taken."""
    f = define("def f(x):\n    return planes.measured(x, np, 'abcd')['a']\n", planes=planes, np=np).f
    with pytest.raises(tangent.errors.TangentParseError, match='keys of dicts'):
        tangent.jvp(f)(X, X)


class Curve:
    def __init__(self, a):
        self.a, self.held = a, {}

    def __getitem__(self, t):
        return self.held[t.lower()] if isinstance(t, str) else self.a * t * t

    def __setitem__(self, key, value):
        self.held[key.lower()] = value


CURVE, CURVES, KEPT = Curve(2.0), [Curve(2.0)], Curve(1.0)
KEPT['b'] = 3.0


def at(curve, t):
    return curve[t]


def item_outside(x):
    return CURVE[x[0]] * x[1]


def item_of_a_sum(x):
    t = x[0] * 2.0 + x[1]
    return CURVE[t] * x[1] + KEPT['B'] * x[0]


def item_in_a_callee(x):
    return at(CURVE, x[0]) * x[1]


def items_of_each(x):
    return sum([c[x[0]] for c in CURVES]) * x[1]


def item_that_was_kept(x):
    KEPT['A'] = x[0] * x[1]
    return KEPT['a'] * x[0]


@pytest.mark.parametrize('f', [item_outside, item_of_a_sum, item_in_a_callee, items_of_each, item_that_was_kept])
def test_items_of_objects_outside(f):
    """The gradient by the index was zero, silently, where the object had a name outside of all functions."""
    expected, df = numeric(f, X), tangent.grad(f)
    for _ in range(4):
        np.testing.assert_allclose(df(X.copy()), expected, rtol=1e-6)
    np.testing.assert_allclose(tangent.jvp(f)(X, np.array([0.3, 1.7])), expected @ [0.3, 1.7], rtol=1e-6)
    second = numeric(lambda x: df(x) @ [0.3, 1.7], X)
    np.testing.assert_allclose(tangent.hvp(f)(X, np.array([0.3, 1.7])), second, rtol=1e-5, atol=1e-8)


class Slotted:
    __slots__ = 'x', '_cube'

    def __init__(self, x):
        self.x = x

    def cube(self):
        try:
            return self._cube
        except AttributeError:
            pass
        self._cube = value = self.x ** 3
        return value


def kept_in_a_slot(x):
    o = Slotted(x)
    return np.sum(o.cube()) * np.sum(o.cube() * x)


UNKNOWN = None


def by_what_is_not_there(x, method='numpy'):
    if method == 'numpy':
        return np.sum(x * x)
    y, z = UNKNOWN(x)
    return y


@pytest.mark.parametrize('f', [kept_in_a_slot, by_what_is_not_there])
def test_slots_that_are_empty_and_functions_that_are_none(f):
    """The slot was taken for its descriptor; `None`, which could not be imported, was to have a rule."""
    expected, df = numeric(f, X), tangent.grad(f)
    for _ in range(4):
        np.testing.assert_allclose(df(X.copy()), expected, rtol=1e-6)
    np.testing.assert_allclose(tangent.jvp(f, wrt=0)(X, dx=np.array([0.3, 1.7])), expected @ [0.3, 1.7], rtol=1e-6)


def test_what_functions_of_scipy_have_captured_are_no_counts():
    """`scipy.linalg.cholesky` has a wrapper that has captured integers; held by an object, it was taken apart, and refused."""
    form, _ = log_functions.form_of(scipy.linalg.cholesky, (0,), True, (np.eye(2),), {})
    assert form is None                                       # its rule, in the form for which there is one
