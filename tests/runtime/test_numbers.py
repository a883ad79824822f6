"""Any kind of number: derivatives in the arithmetic of the arguments, exact where that is; lazy and sparse arrays of others."""
import decimal
import operator
from decimal import Decimal
from fractions import Fraction
from functools import reduce

import numpy as np
import pytest

import tangent

mpmath = pytest.importorskip('mpmath', reason='mpmath is not installed')


# Programs, each with arguments for numbers n(1), n(2)...

def polynomial(x):
    return 3 * x ** 3 - x / 7 + 2


def ratio(x, y):
    return (x * y - 1) / (x + y * y)


def loop(x):
    total, p = 0, x
    for k in range(4):
        total = total + p / (k + 1)
        p = p * x
    return total


def branch(x):
    return x * x if x > 1 else x / 3


def newton(a):
    y = a
    for _ in range(4):
        y = (y + a / y) / 2
    return y


def while_(x):
    while x < 10:
        x = x * x + 1
    return x


def containers(x):
    v = [x, 2 * x, x * x]
    d = {'a': v[0] * v[1], 'b': v[2]}
    return d['a'] + d['b'] * v[1]


def appended(x):
    out = []
    for k in range(3):
        out.append(x * k + x * x)
    return sum(out)


def cubes(v):
    total = 0
    for a in v:
        total += a * a * a
    return total


def written(v):
    v[0] = v[0] * v[1]
    v[1] *= v[0]
    return v[0] + v[1]


def product(v):
    return reduce(operator.mul, v)


def extremes(x, y):
    return max(x * x, y) * min(x, y)


def tie(x):
    return max(x, x) * x


def magnitude(x):
    return abs(x) * x


def whole(v):
    return np.sum(v * v * v) / 3


def means(v):
    return np.mean(v * v) * v[0]


def dots(v, w):
    return np.dot(v, w) * v[0]


def forms(a, v):
    return (a @ v) @ v


def chosen(v):
    return np.sum(np.where(v > 1, v * v, v)) + np.max(v) + np.prod(v)


def powers(x):
    return x ** -2 + x ** 5


KINDS = {'Fraction': lambda a: Fraction(a, 3), 'Decimal': lambda a: Decimal(a) / 4, 'mpf': lambda a: mpmath.mpf(a) / 3}
ONE = [polynomial, loop, branch, newton, while_, containers, appended, tie, magnitude, powers]


def numbers(n):
    """(function, arguments) for one kind of number."""
    def array(*v):
        return np.array([n(a) for a in v], dtype=object)
    for f in ONE:
        yield f, (n(5),)
    yield ratio, (n(2), n(5))
    yield extremes, (n(2), n(5))
    for f in (cubes, product, written):
        yield f, ([n(2), n(1)],)
    for f in (whole, means, chosen):
        yield f, (array(1, 2, 4),)
    yield dots, (array(1, 2, 4), array(2, 2, 1))
    yield forms, (array(1, 2, 4, 5).reshape(2, 2), array(2, 1))


def leaves(value):
    return [p for v in value for p in leaves(v)] if isinstance(value, (list, tuple, np.ndarray)) else [value]


def floated(value):
    if isinstance(value, list):
        return [floated(v) for v in value]
    return value.astype(float) if isinstance(value, np.ndarray) else float(value)


def copied(value):
    return value.copy() if isinstance(value, (list, np.ndarray)) else value


def ones(value):
    return [1 for _ in value] if isinstance(value, list) else value * 0 + 1


@pytest.mark.parametrize('kind', KINDS)
def test_derivatives_in_their_own_arithmetic(kind):
    n = KINDS[kind]
    for f, args in numbers(n):
        with np.errstate(all='ignore'):
            expected = tangent.grad(f)(*floated(list(args)))
        found = [tangent.grad(f)(*map(copied, args)), tangent.value_and_grad(f)(*map(copied, args))[1]]
        for g in found:
            assert {type(p) for p in leaves(g)} == {type(n(1))}, (f, g)
            np.testing.assert_allclose(np.array(leaves(g), float), leaves(expected), 1e-9)
        moved = tangent.jvp(f)(*map(copied, args), ones(args[0]))
        total = sum(leaves(found[0]), n(0))
        assert type(moved) is type(n(1)), f
        assert moved == total if kind == 'Fraction' else abs(moved - total) <= abs(total) / 10 ** 12, f


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('f', ONE, ids=lambda f: f.__name__)
def test_second_derivatives(f, kind):
    x = KINDS[kind](5)
    expected = tangent.grad(tangent.grad(f))(float(x))
    for second in (tangent.grad(tangent.grad(f))(x), tangent.jvp(tangent.grad(f))(x, 1, 1), tangent.jvp(tangent.jvp(f), wrt=0)(x, 1, 1)):
        assert type(second) is type(x) and float(second) == pytest.approx(expected, 1e-9, 1e-12)


def test_fractions_are_exact():
    assert tangent.grad(polynomial)(Fraction(2, 3)) == 9 * Fraction(2, 3) ** 2 - Fraction(1, 7)
    assert list(tangent.grad(whole)(np.array([Fraction(1, 3), Fraction(2, 7)]))) == [Fraction(1, 9), Fraction(4, 49)]
    x = Fraction(10 ** 30 + 1, 10 ** 30)
    assert tangent.grad(lambda x: x * x)(x) == 2 * x                         # which no float can tell from 2


def test_big_integers_are_constants():
    big = 10 ** 40 + 1
    assert tangent.grad(lambda x, k: k * x * x)(Fraction(1, 2), big) == big


def test_seeds_are_put_into_the_arithmetic_of_the_arguments():
    """Also where the text of the derivative checks nothing but that the seed is a number."""
    df = tangent.grad(whole)
    assert 'bwhole = check_scalar(bwhole)' in df.source
    v = np.array([Fraction(1, 3), Fraction(2)])
    assert [type(p) for p in df(v)] == [Fraction, Fraction] and df(np.array([0.5, 2.0])).dtype == float
    assert list(df(v, bwhole=Fraction(1, 3))) == [p / 3 for p in df(v)]


# Decimal's methods

def methods(x):
    return x.sqrt() * x.exp() + x.ln() + x.log10()


class Held:
    def __init__(self, a):
        self.a = a

    def value(self):
        return self.a.ln() * self.a


def held(x):
    return Held(x).value()


@pytest.mark.parametrize('f', [methods, held, lambda x: x ** Decimal('1.5'), lambda x: sum([(x * k).sqrt() for k in range(1, 4)])])
def test_methods_of_decimals_to_fifty_digits(f):
    with decimal.localcontext() as context:
        context.prec = 50
        x, h = Decimal('0.3'), Decimal('1e-12')
        first, second = tangent.grad(f)(x), tangent.grad(tangent.grad(f))(x)
        assert abs(first - (f(x + h) - f(x - h)) / (2 * h)) < Decimal('1e-20')
        assert abs(second - (f(x + h) - 2 * f(x) + f(x - h)) / (h * h)) < Decimal('1e-18')
        assert abs(tangent.jvp(f)(x, 1) - first) < Decimal('1e-45') > abs(tangent.jvp(tangent.grad(f))(x, 1, 1) - second)


def test_functions_of_floats_on_decimals_are_pythons_error():
    import math
    with pytest.raises(TypeError):
        tangent.grad(lambda x: math.sin(x) * x)(Decimal('0.3'))


# mpmath

ONE_ARGUMENT = '''sin cos tan sec csc cot asin acos atan sinh cosh tanh asinh atanh exp expm1 ln log1p sqrt cbrt erf erfc erfi digamma log10
    gamma factorial rgamma loggamma lambertw zeta fabs ellipk ellipe ei e1 si ci log'''.split()


@pytest.mark.parametrize('name', [n for n in ONE_ARGUMENT if hasattr(mpmath, n)])
def test_functions_of_mpmath_to_thirty_digits(name):
    function = getattr(mpmath, name)

    def f(x):
        return function(x) * x
    with mpmath.workdps(40):
        x = mpmath.mpf('0.37')
        right, second = mpmath.diff(f, x), mpmath.diff(f, x, 2)
        assert abs(tangent.grad(f)(x) - right) < 1e-30 * (1 + abs(right)) > abs(tangent.jvp(f)(x, 1) - right)
        assert abs(tangent.grad(tangent.grad(f))(x) - second) < 1e-28 * (1 + abs(second))


def several(x, y):
    return mpmath.atan2(x, y) + mpmath.power(x, y) + mpmath.log(x, 3) + mpmath.hypot(x, y) + mpmath.beta(x, y) + mpmath.psi(1, x) \
        + mpmath.besselj(1, x) + mpmath.bessely(2, x) + mpmath.besseli(0, x) + mpmath.besselk(1, x) + mpmath.fsum([x, x * y]) \
        + mpmath.acosh(x + 1) + x ** y


def test_functions_of_mpmath_of_several_arguments():
    with mpmath.workdps(30):
        x, y = mpmath.mpf('0.7'), mpmath.mpf('1.3')
        for k, found in enumerate(tangent.grad(several, wrt=(0, 1))(x, y)):
            assert abs(found - mpmath.diff(several, (x, y), (1 - k, k))) < 1e-20


def test_complex_numbers_of_mpmath_are_those_of_holomorphic_functions():
    def f(z):
        return mpmath.exp(z) * z ** 3
    z = mpmath.mpc('0.3', '0.7')
    assert abs(tangent.grad(f)(z) - mpmath.diff(f, z)) < 1e-12


# Symbols

sympy = pytest.importorskip('sympy', reason='sympy is not installed')
x, y = sympy.symbols('x y', positive=True)


def formula(x, y):
    total = 0
    for k in range(3):
        total = total + sympy.sin(k * x) * y ** k + sympy.log(x)
    return total * sympy.exp(x * y) + sympy.sqrt(x) + sympy.atan2(y, x) + sympy.gamma(x) * sympy.erf(y) + x ** y


def test_the_derivative_of_a_program_is_a_formula():
    right = [sympy.diff(formula(x, y), v) for v in (x, y)]
    for found in (tangent.grad(formula, wrt=(0, 1))(x, y), [tangent.jvp(formula)(x, y, 1), tangent.jvp(formula, wrt=1)(x, y, 1)]):
        assert [sympy.simplify(a - b) for a, b in zip(found, right)] == [0, 0]
        assert not any(a.atoms(sympy.Float) for a in found)
    assert sympy.simplify(tangent.grad(tangent.grad(formula))(x, y) - sympy.diff(formula(x, y), x, 2)) == 0


@pytest.mark.parametrize('f', [polynomial, loop, newton, containers, appended, powers], ids=lambda f: f.__name__)
def test_programs_with_symbols(f):
    assert sympy.simplify(tangent.grad(f)(x) - sympy.diff(f(x), x)) == 0
    assert sympy.simplify(tangent.jvp(f)(x, 1) - sympy.diff(f(x), x)) == 0
    assert not tangent.grad(f)(x).atoms(sympy.Float)


def test_arrays_of_symbols():
    v = np.array([x, y])
    assert list(tangent.grad(whole)(v)) == [x ** 2, y ** 2]
    assert [sympy.expand(g) for g in tangent.grad(dots)(v, v)] == [2 * x ** 2 + y ** 2, x * y]
    assert tangent.grad(lambda x, y: sympy.Max(x, y) * x)(x, y).subs({x: 2, y: 1}) == 4


def test_branches_on_symbols_are_the_error_of_sympy():
    with pytest.raises(TypeError, match='truth value'):
        tangent.grad(branch)(x)


# Numbers of one's own

class Modulo:
    """Integers modulo 7, a number class of the user's."""

    def __init__(self, n):
        self.n = (n.n if isinstance(n, Modulo) else n) % 7

    def __eq__(self, other):
        return self.n == Modulo(other).n

    def __hash__(self):
        return hash(self.n)

    def __lt__(self, other):
        return self.n < Modulo(other).n

    def __add__(self, other):
        return Modulo(self.n + Modulo(other).n)

    def __sub__(self, other):
        return Modulo(self.n - Modulo(other).n)

    def __rsub__(self, other):
        return Modulo(other) - self

    def __mul__(self, other):
        return Modulo(self.n * Modulo(other).n)

    def __truediv__(self, other):
        return self * pow(Modulo(other).n, -1, 7)

    def __rtruediv__(self, other):
        return Modulo(other) / self

    def __pow__(self, k):
        return Modulo(pow(self.n, k, 7))

    def __rpow__(self, other):
        return NotImplemented

    def __neg__(self):
        return Modulo(-self.n)

    def __abs__(self):
        return self

    __radd__, __rmul__ = __add__, __mul__


def cubic(x, y):
    return (x * x * x + 2 * y) / (x + y * y)


def test_numbers_of_a_class_of_the_users():
    """Formal derivatives modulo 7: those of the formula, reduced."""
    at = {x: 2, y: 1}
    symbolic = cubic(x, y)

    def reduced(formula):
        value = sympy.Rational(formula.subs(at))
        return Modulo(int(value.p)) / Modulo(int(value.q))
    a, b = Modulo(2), Modulo(1)
    assert tangent.grad(cubic, wrt=(0, 1))(a, b) == (reduced(sympy.diff(symbolic, x)), reduced(sympy.diff(symbolic, y)))
    assert tangent.jvp(cubic)(a, b, 1) == reduced(sympy.diff(symbolic, x))
    assert tangent.grad(tangent.grad(cubic))(a, b) == reduced(sympy.diff(symbolic, x, 2))
    assert list(tangent.grad(lambda v: np.sum(v * v * v))(np.array([a, b]))) == [Modulo(12), Modulo(3)]
    assert tangent.grad(cubes)([a, b]) == [Modulo(12), Modulo(3)] and tangent.jvp(cubes)([a, b], [1, 0]) == Modulo(12)


# Uncertainties

def test_uncertainties_follow_the_derivative():
    uncertainties = pytest.importorskip('uncertainties', reason='uncertainties is not installed')
    from uncertainties import umath

    def f(u):
        return umath.sin(u) * umath.exp(u) + u ** 2
    u = uncertainties.ufloat(0.5, 0.1)
    found, along, second = tangent.grad(f)(u), tangent.jvp(f)(u, 1), tangent.grad(tangent.grad(f))(u)
    expected = tangent.grad(lambda t: np.sin(t) * np.exp(t) + t ** 2)
    assert found.n == pytest.approx(expected(0.5)) == along.n
    assert found.s == pytest.approx(abs(tangent.grad(expected)(0.5)) * 0.1) and second.n == pytest.approx(tangent.grad(expected)(0.5))
    for g, args in numbers(lambda a: uncertainties.ufloat(a / 3, 0.01)):
        if g not in (chosen, while_):
            nominal = [p.n if hasattr(p, 'n') else p for p in leaves(tangent.grad(g)(*map(copied, args)))]
            plain = [np.array([p.n for p in a.flat]).reshape(a.shape) if isinstance(a, np.ndarray) else
                     [p.n for p in a] if isinstance(a, list) else a.n for a in args]
            np.testing.assert_allclose(nominal, leaves(tangent.grad(g)(*plain)), 1e-9)


# Types that are registered

class Jet:
    """a + b e with e * e = 0: it has no order and no absolute value, so nobody takes it for a number."""

    def __init__(self, a, b=0.0):
        self.a, self.b = a, b

    def __add__(self, other):
        other = other if isinstance(other, Jet) else Jet(other)
        return Jet(self.a + other.a, self.b + other.b)

    def __mul__(self, other):
        other = other if isinstance(other, Jet) else Jet(other)
        return Jet(self.a * other.a, self.a * other.b + self.b * other.a)

    __radd__, __rmul__ = __add__, __mul__


tangent.register_grad_type(Jet, zero=lambda x: Jet(0.0), one=lambda x: Jet(1.0))


def in_loop(x):
    total = x
    for k in range(3):
        total = total * x + k
    return total


def test_types_that_are_registered():
    at = Jet(3.0, 1.0)

    def parts(jet):
        return jet.a, jet.b
    assert parts(tangent.grad(in_loop)(at)) == (4 * 27 + 1, 12 * 9) == parts(tangent.jvp(in_loop)(at, Jet(1.0)))
    assert parts(tangent.grad(tangent.grad(in_loop))(at)) == (12 * 9, 24 * 3)
    assert [parts(g) for g in tangent.grad(lambda v: v[0] * v[1] + v[0])([at, Jet(2.0)])] == [(3, 0), (3, 1)]
    with pytest.raises(tangent.errors.RegistrationError):
        tangent.register_grad_type(Jet, zero=lambda x: Jet(0.0))


# Arrays of other libraries

RNG = np.random.default_rng(0)
V, W = RNG.normal(size=6), RNG.normal(size=(4, 6))


def layer(w, v):
    h = np.tanh(w @ v)
    return np.sum(h * h)


def slices(v):
    return np.mean(v[1:] * v[:-1] + np.exp(v[1:]))


def test_gradients_of_dask_arrays_are_lazy():
    da = pytest.importorskip('dask.array', reason='dask is not installed')
    computed = []

    def source(block):
        computed.append(block)
        return block
    w, v = (da.from_array(a, chunks=3).map_blocks(source, dtype=float, meta=np.array([])) for a in (W, V))
    gradients = tangent.grad(layer, wrt=(0, 1))(w, v)
    along, second = tangent.jvp(layer, wrt=1)(w, v, v), tangent.jvp(tangent.grad(slices))(v, 1.0, v)
    value, of_slices = tangent.value_and_grad(slices)(v)
    assert not computed
    for found, right in zip(gradients, tangent.grad(layer, wrt=(0, 1))(W, V), strict=True):
        assert isinstance(found, da.Array) and found.shape == right.shape
        np.testing.assert_allclose(found.compute(), right, 1e-12)
    assert float(along) == pytest.approx(tangent.jvp(layer, wrt=1)(W, V, V), 1e-12) and computed
    np.testing.assert_allclose(second.compute(), tangent.jvp(tangent.grad(slices))(V, 1.0, V), 1e-12)
    np.testing.assert_allclose(of_slices.compute(), tangent.grad(slices)(V), 1e-12)


def test_sparse_arrays_of_pydata():
    sparse = pytest.importorskip('sparse', reason='sparse is not installed')
    dense = np.where(W > 0, W, 0.0)
    w = sparse.COO.from_numpy(dense)
    gradient, of_v = tangent.grad(layer, wrt=(0, 1))(w, V)
    right = tangent.grad(layer, wrt=(0, 1))(dense, V)
    np.testing.assert_allclose(gradient.todense(), right[0], 1e-12)
    np.testing.assert_allclose(of_v, right[1], 1e-12)
    assert float(tangent.jvp(layer, wrt=1)(w, V, V)) == pytest.approx(tangent.jvp(layer, wrt=1)(dense, V, V), 1e-12)


def test_object_arrays_that_are_written_into_are_refused():
    with pytest.raises(tangent.errors.ArgumentTypeError, match='dtype object'):
        tangent.grad(written)(np.array([Fraction(1, 2), Fraction(2)]))
