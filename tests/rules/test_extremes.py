"""Huge, tiny and saturated arguments: derivatives of elementwise functions against their closed forms in 700 digits."""
import itertools

import numpy as np
import pytest

import tangent

mp = pytest.importorskip('mpmath')
LN2, LN10 = mp.log(2), mp.log(10)
HUGE = (1e300, 1e160, -1e300, 1e150)
TINY = (1e-300, -1e-300, 1e-160, 1e-8, 0.0)
USUAL = (0.3, -1.7, 1 - 1e-12, 1 + 1e-12, 20.0, -20.0, 400.0, -400.0)

# name -> (first, second derivative)
ONE = {
    'exp': (mp.exp, mp.exp), 'exp2': (lambda x: LN2 * 2 ** x, lambda x: LN2 ** 2 * 2 ** x),
    'sin': (mp.cos, lambda x: -mp.sin(x)), 'cos': (lambda x: -mp.sin(x), lambda x: -mp.cos(x)),
    'arctan': (lambda x: 1 / (1 + x * x), lambda x: -2 * x / (1 + x * x) ** 2),
    'sinh': (mp.cosh, mp.sinh), 'cosh': (mp.sinh, mp.cosh),
    'arcsinh': (lambda x: 1 / mp.sqrt(x * x + 1), lambda x: -x / mp.sqrt(x * x + 1) ** 3),
    'arccosh': (lambda x: 1 / mp.sqrt(x * x - 1), lambda x: -x / mp.sqrt(x * x - 1) ** 3),
    'arcsin': (lambda x: 1 / mp.sqrt(1 - x * x), lambda x: x / mp.sqrt(1 - x * x) ** 3),
    'arctanh': (lambda x: 1 / (1 - x * x), lambda x: 2 * x / (1 - x * x) ** 2),
    'square': (lambda x: 2 * x, lambda x: 2), 'reciprocal': (lambda x: -1 / x ** 2, lambda x: 2 / x ** 3),
    'abs': (mp.sign, lambda x: 0), 'sqrt': (lambda x: 1 / (2 * mp.sqrt(x)), lambda x: -1 / (4 * mp.sqrt(x) ** 3)),
    'cbrt': (lambda x: 1 / (3 * mp.cbrt(abs(x)) ** 2), lambda x: -2 * mp.sign(x) / (9 * mp.cbrt(abs(x)) ** 5)),
    'log': (lambda x: 1 / x, lambda x: -1 / x ** 2), 'log2': (lambda x: 1 / x / LN2, lambda x: -1 / x ** 2 / LN2),
    'log10': (lambda x: 1 / x / LN10, lambda x: -1 / x ** 2 / LN10),
    'log1p': (lambda x: 1 / (1 + x), lambda x: -1 / (1 + x) ** 2),
    'sinc': (lambda x: mp.diff(mp.sincpi, x) if abs(x) > 1e-3 else -mp.pi ** 2 * x / 3 + mp.pi ** 4 * x ** 3 / 30,
             lambda x: mp.diff(mp.sincpi, x, 2) if abs(x) > 1e-3 else -mp.pi ** 2 / 3 + mp.pi ** 4 * x ** 2 / 10),
}
FAR = ('sin', 'cos', 'sinc')                          # at 1e300 NumPy's own argument reduction is what is compared
PERIODIC = 1e20

TWO = {
    'divide': (lambda x, y: 1 / y, lambda x, y: -x / y ** 2), 'multiply': (lambda x, y: y, lambda x, y: x),
    'hypot': (lambda x, y: x / mp.hypot(x, y), lambda x, y: y / mp.hypot(x, y)),
    'arctan2': (lambda x, y: y / (x * x + y * y), lambda x, y: -x / (x * x + y * y)),
    'logaddexp': (lambda x, y: 1 / (1 + mp.exp(y - x)), lambda x, y: 1 / (1 + mp.exp(x - y))),
    'logaddexp2': (lambda x, y: 1 / (1 + 2 ** (y - x)), lambda x, y: 1 / (1 + 2 ** (x - y))),
    'power': (lambda x, y: y * x ** (y - 1), lambda x, y: mp.log(x) * x ** y),
}


def number(exact):
    try:
        return float(exact)
    except OverflowError:
        return float('inf') if exact > 0 else -float('inf')


def close(found, exact, precision):
    """Whether a derivative is the exact one, rounded; numbers without a full mantissa are not compared."""
    right = number(exact)
    return found == right or abs(found - right) <= precision * abs(right) or max(abs(found), abs(right)) < 1e-307


def finite(f, *args):
    with np.errstate(all='ignore'):
        return np.isfinite(f(*args))


@pytest.mark.parametrize('name', ONE)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_functions_of_one_number(name):
    f = getattr(np, name)
    df, ddf = tangent.elementwise_grad(f), tangent.elementwise_grad(tangent.elementwise_grad(f))
    for x in map(np.float64, (*HUGE, *TINY, *USUAL)):
        if not finite(f, x) or not finite(df, x) or name in FAR and abs(x) > PERIODIC:
            continue
        with mp.workdps(700):
            first, second = ONE[name][0](mp.mpf(float(x))), None
            assert close(df(x), first, 1e-11), (name, x, df(x), first)
            if finite(ddf, x):
                second = ONE[name][1](mp.mpf(float(x)))
                assert close(ddf(x), second, 1e-10), (name, x, ddf(x), second)


@pytest.mark.parametrize('name', TWO)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_functions_of_two_numbers(name):
    f = getattr(np, name)
    back, forward = tangent.vjp(f, wrt=(0, 1)), tangent.jvp(f, wrt=(0, 1))
    for x, y in itertools.product(map(np.float64, (1e300, 1e-300, 1e160, 1e-160, 1.5, 3e300, 2e-300)), repeat=2):
        if not finite(f, x, y) or name not in ('divide', 'multiply', 'hypot', 'arctan2') and max(x, y) > PERIODIC:
            continue
        with mp.workdps(700):
            exact = [d(mp.mpf(float(x)), mp.mpf(float(y))) for d in TWO[name]]
        for found, right in zip(back(x, y, np.float64(1)), exact, strict=True):
            assert close(found, right, 1e-11), (name, x, y, found, right)
        ahead = forward(x, y, np.float64(1), np.float64(0)), forward(x, y, np.float64(0), np.float64(1))
        for found, right in zip(ahead, exact, strict=True):
            assert close(found, right, 1e-11) or not np.isfinite(number(exact[0]) * number(exact[1])), (name, x, y, found, right)


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_directions_of_tiny_vectors_twice():
    """The angle of a vector far below the square root of the smallest number, and its second derivatives."""
    dd = tangent.jvp(tangent.vjp(np.arctan2, wrt=(0, 1)), wrt=(0, 1))
    x, y = np.float64(3e-100), np.float64(4e-100)
    found = dd(x, y, np.float64(1), np.float64(1), np.float64(0))
    scale = 1e200
    np.testing.assert_allclose(found, [-2 * 12 / 625 * scale, (9 - 16) / 625 * scale], rtol=1e-12)


ELEMENTWISE = '''exp exp2 expm1 sin cos tan arctan sinh cosh tanh arcsinh sinc square negative positive reciprocal abs deg2rad
    cbrt log log2 log10 log1p sqrt arcsin arccos arctanh arccosh sign floor'''.split()


@pytest.mark.parametrize('name', ELEMENTWISE)
@pytest.mark.parametrize('x', [np.nan, np.inf, -np.inf])
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_arguments_that_are_not_finite(name, x):
    """nan in, nan out, unless the derivative is constant; at infinity the limit of the derivative, or nan."""
    f = getattr(np, name)
    found = tangent.elementwise_grad(f)(np.float64(x))
    constant = {'negative': -1, 'positive': 1, 'deg2rad': np.pi / 180, 'sign': 0, 'floor': 0}
    if name in constant:
        assert found == constant[name]
    elif np.isnan(x):
        assert np.isnan(found)
    else:
        limits = {'exp': (np.inf, 0), 'exp2': (np.inf, 0), 'expm1': (np.inf, 0), 'sinh': (np.inf, np.inf), 'cosh': (np.inf, -np.inf),
                  'square': (np.inf, -np.inf), 'abs': (1, -1)}
        right = limits[name][x < 0] if name in limits else 0
        assert np.isnan(found) or found == right, (found, right)
