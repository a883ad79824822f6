"""Arrays and tables of other libraries: data like any other, and refused where a derivative would flow through them."""
import dataclasses
import sys
import types

import numpy as np
import pytest

import tangent
from tangent.runtime.objects import is_object
from tests.tools.texts import define

REFUSED = r'(?s)takes part with a derivative.*Pass '
pandas = pytest.importorskip('pandas')
xarray = pytest.importorskip('xarray')


class Quantity(np.ndarray):
    """An array with a unit, as libraries of units have it."""
    def __array_ufunc__(self, ufunc, method, *inputs, **named):
        plain = [np.asarray(x) for x in inputs]
        return (getattr(ufunc, method)(*plain, **named) * 1.0).view(type(self))


@pytest.fixture(autouse=True, scope='module')
def installed():
    """The module that the class says it is from is an installed one."""
    sys.modules['units'] = module = types.ModuleType('units')
    module.__file__, Quantity.__module__, module.Quantity = '/usr/lib/site-packages/units.py', 'units', Quantity
    yield
    del sys.modules['units']


S = pandas.Series([1.0, 2.0, 4.0], index=list('abc'))
NAMES = {
    'np': np, 'pd': pandas, 'S': S, 'R': S[::-1] * 3, 'N': pandas.Series([1.0, np.nan, 3.0]), 'T': types.SimpleNamespace(data=S),
    'DF': pandas.DataFrame({'u': [1.0, 2.0, 4.0], 'v': [2.0, 5.0, 3.0]}), 'X': xarray.DataArray(np.ones((2, 3)), dims=('p', 'q')),
    'M': np.ma.array([1.0, 2.0, 4.0]), 'MASKED': np.ma.array([1.0, 2.0, 4.0], mask=[0, 1, 0]),
    'Q': np.array([1.0, 2.0, 4.0]).view(Quantity), 'load': lambda: S,
}
DATA = '''S.to_numpy() @ np.array([x, x * x, 1.0])
np.std(S.values * x)
S['b'] * x * x
S.iloc[1] * x + S.mean() * x * x + S.std() * x
len(S) * x + (S * R).sum() * x
sum(v * x * x for v in S)
sum(row.u * x * row.v for row in DF.itertuples())
sum(row['u'] * x for _, row in DF.iterrows())
np.sum(DF['u'].to_numpy() * x ** 2) + len(DF.columns) * x
np.sum(X.values * x) + X.sizes['q'] * x
T.data.to_numpy()[1] * x * x
np.sum(M * x ** 2) + np.mean(M * x)
np.asarray(Q)[2] * x * x'''.splitlines()
THROUGH = '''(S * x).std()
(S * x * R).sum()
(N * x).mean()
(S * x).prod()
(S * x + R).dot(S)
((DF * x).mean() ** 2).sum()
np.std(S * x)
np.exp(S * x).sum()
pd.Series([x, x * x]).std()
(S * x).rolling(2).mean().sum()
(S * x).groupby([0, 0, 1]).mean().sum()
(T.data * x).sum()
(load() * x).std()
float((X * x).std('p').sum())
(MASKED * x).sum()
np.sum(Q * x)'''.splitlines()


def function(expression):
    return define(f'def f(x):\n    return {expression}\n', **NAMES).f


def both(f):
    df, push = tangent.grad(f), tangent.jvp(f)
    return lambda: [df(0.7), df(0.7), df(0.7)], lambda: [push(0.7, 1.0)]


@pytest.mark.parametrize('expression', DATA)
def test_data(expression):
    f, h = function(expression), 1e-6
    for call in both(f):
        for found in call():
            assert found == pytest.approx((f(0.7 + h) - f(0.7 - h)) / (2 * h), rel=1e-6) and isinstance(found, float)


@pytest.mark.parametrize('expression', THROUGH)
def test_a_derivative_through_them_is_refused(expression):
    for call in both(function(expression)):
        with pytest.raises(tangent.TangentError) as error:
            call()
        assert 'takes part with a derivative' in str(error.value) or 'pd.Series' in expression or '(S * x).' in expression


ARGUMENTS = {'series': (S, 'to_numpy'), 'frame': (NAMES['DF'], 'to_numpy'), 'xarray': (NAMES['X'], 'to_numpy'),
             'masked': (NAMES['MASKED'], 'data'), 'quantity': (NAMES['Q'], 'asarray'), 'list': ([S, S], 'to_numpy')}


@pytest.mark.parametrize('kind', ARGUMENTS)
@pytest.mark.parametrize('text', ['(x * x).sum()', 'np.sum(x ** 2)', 'x.std()'])
def test_arguments_are_refused(kind, text):
    x, way = ARGUMENTS[kind]
    f = define(f'import numpy as np\ndef f(x):\n    return {text.replace("x", "x[0]") if kind == "list" else text}\n').f
    for call in (lambda: tangent.grad(f)(x), lambda: tangent.jvp(f)(x, x), lambda: tangent.grad(tangent.grad(f))(x)):
        with pytest.raises(tangent.TangentError, match=rf'{REFUSED}.*{way}|masked would have'):
            call()


def test_a_passive_argument_is_data():
    f = define('import numpy as np\ndef f(x, s):\n    return np.sum(s.to_numpy() * x) + s.std() * x\n').f
    assert tangent.grad(f)(0.7, S) == pytest.approx(S.sum() + S.std()) == tangent.jvp(f)(0.7, S, 1.0)


def test_jax_and_torch():
    jnp = pytest.importorskip('jax.numpy')
    with pytest.raises(tangent.TangentError, match=REFUSED + 'numpy.asarray'):
        tangent.grad(lambda x: (x * x).sum())(jnp.ones(3))


def test_what_is_registered_is_used():
    """A table whose gradients somebody has told: no refusal, and no `__add__` is needed where gradients meet."""
    class Table:
        def __init__(self, cells):
            self.cells = np.asarray(cells, dtype=float)

        def __array__(self, dtype=None, copy=None):
            return self.cells
    Table.__module__, sys.modules['units'].Table = 'units', Table
    tangent.utils.register_init_grad(Table, lambda x: Table(np.zeros_like(x.cells)))
    tangent.utils.register_add_grad(Table, Table, lambda a, b: Table(a.cells + b.cells))

    @tangent.grads.adjoint(total)
    def rule(y, x):
        d[x] = spread(d[y], x)                                                        # noqa: F821

    f = define('def f(x):\n    return total(x) * total(x) + total(x)\n', total=total).f
    np.testing.assert_allclose(tangent.grad(f)(Table([1.0, 2.0])).cells, [7.0, 7.0])


def total(x):
    return float(x.cells.sum())


def spread(by, x):
    return type(x)(np.full_like(x.cells, by))


class Measured:
    """A number with an error: operators alone, nothing registered."""
    def __init__(self, value, error=0.0):
        self.value, self.error = value, error

    def __add__(self, other):
        return Measured(self.value + getattr(other, 'value', other), self.error + getattr(other, 'error', 0.0))

    def __mul__(self, other):
        v, e = getattr(other, 'value', other), getattr(other, 'error', 0.0)
        return Measured(self.value * v, abs(self.value) * e + abs(v) * self.error)
    __radd__, __rmul__ = __add__, __mul__


def test_numbers_that_register_nothing():
    f = define('def f(a, x):\n    return (a * x * x + 3.0 * a).value\n').f
    df = tangent.grad(f, wrt=(0, 1))
    for _ in range(3):
        da, dx = df(Measured(2.0, 0.1), 0.5)
        assert da.value == 3.25 and dx == 2.0


@pytest.mark.parametrize('name', ['bfloat16', 'float8_e5m2'])
def test_small_floats_keep_their_type(name):
    ml_dtypes = pytest.importorskip('ml_dtypes')
    kind = getattr(ml_dtypes, name)
    f = define('import numpy as np\ndef f(x):\n    return np.sum(x * x * x)\n').f
    for x, expected in ((kind(2.0), 12.0), (np.array([1.0, 2.0], dtype=kind), [3.0, 12.0])):
        found, moved = tangent.grad(f)(x), tangent.jvp(f)(x, x)
        assert found.dtype == kind and np.array_equal(np.asarray(found, float), expected)
        assert moved.dtype == kind and float(moved) == pytest.approx(3 * float(f(x)), rel=0.2)


@pytest.mark.parametrize('x', [{1.0, 2.0}, frozenset([1.0, 2.0])])
def test_a_set_has_no_gradient(x):
    f = define('def f(x):\n    return sum(x)\n').f
    for call in (lambda: tangent.grad(f)(x), lambda: tangent.jvp(f)(x, x)):
        with pytest.raises(tangent.TangentError, match='set'):
            call()


class Handle:
    shape = property(lambda self: ())

    def __array__(self, dtype=None, copy=None):
        return np.zeros(2)


@dataclasses.dataclass
class Attributes:
    lightness: float
    chroma: float

    def __array__(self, dtype=None, copy=None):
        return np.array([self.lightness, self.chroma])


def test_a_dataclass_that_makes_an_array_is_an_object():
    assert is_object(Attributes(1.0, 2.0)) and not is_object(Handle())
