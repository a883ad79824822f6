"""Values at the edges: every row of the conventions is a test of its own name, through the whole library.

The gradient if it exists; else the subgradient (of a convex function) or supergradient (of a concave one) of least norm;
else by continuity, which may be infinite; else nan.
"""
import cmath
import functools
import math
import operator
import warnings

import numpy as np
import pytest

import tangent
from tangent import errors
from tests.tools.checking import differences

INF, NAN = math.inf, math.nan
f64 = np.float64


def a(*values):
    return np.array(values, float)


# name -> (function, arguments, gradients by all of them)
VALUES = {
    'abs at 0': (lambda x: np.abs(x), [f64(0)], [0]),
    'abs of a Python number at 0': (lambda x: abs(x), [0.0], [0]),
    'sign at 0': (lambda x: np.sign(x) * 1.0 + 0 * x, [f64(0)], [0]),
    'floor at a step': (lambda x: np.floor(x) + 0 * x, [f64(1)], [0]),
    'ceil at a step': (lambda x: np.ceil(x) + 0 * x, [f64(1)], [0]),
    'round at a step': (lambda x: np.round(x) + 0 * x, [f64(0.5)], [0]),
    'sqrt at 0': (lambda x: np.sqrt(x), [f64(0)], [INF]),
    'log at 0': (lambda x: np.log(x), [f64(0)], [INF]),
    'cbrt at 0': (lambda x: np.cbrt(x), [f64(0)], [INF]),
    'arcsin at 1': (lambda x: np.arcsin(x), [f64(1)], [INF]),
    'arccosh at 1': (lambda x: np.arccosh(x), [f64(1)], [INF]),
    '1 / x at 0': (lambda x: 1 / x, [f64(0)], [-INF]),
    'x ** -0.5 at 0': (lambda x: x ** -0.5, [f64(0)], [-INF]),
    'maximum at a tie': (lambda x, y: np.maximum(x, y), [f64(2), f64(2)], [0.5, 0.5]),
    'minimum at a tie': (lambda x, y: np.minimum(x, y), [f64(2), f64(2)], [0.5, 0.5]),
    'fmax at a tie': (lambda x, y: np.fmax(x, y), [f64(2), f64(2)], [0.5, 0.5]),
    'fmin at a tie': (lambda x, y: np.fmin(x, y), [f64(2), f64(2)], [0.5, 0.5]),
    'max with ties': (lambda x: np.max(x), [a(3, 1, 3, 3)], [[1 / 3, 0, 1 / 3, 1 / 3]]),
    'min with ties': (lambda x: np.min(x), [a(1, 1, 3)], [[0.5, 0.5, 0]]),
    'amax with ties along an axis': (lambda x: np.sum(np.amax(x, axis=1)), [np.array([[1.0, 1], [0, 2]])], [[[0.5, 0.5], [0, 1]]]),
    'sort with ties is stable': (lambda x: np.sort(x) @ np.array([1.0, 2, 3]), [a(2, 1, 2)], [[2, 1, 3]]),
    'argsort with ties is constant': (lambda x: np.sum(np.argsort(x) * x), [a(2, 1, 2)], [[1, 0, 2]]),
    'median of an even count': (lambda x: np.median(x), [a(4, 1, 2, 9)], [[0.5, 0, 0.5, 0]]),
    'clip at the lower bound': (lambda x: np.clip(x, 0, 1), [f64(0)], [1]),
    'clip at the upper bound': (lambda x: np.clip(x, 0, 1), [f64(1)], [1]),
    'clip outside': (lambda x: np.clip(x, 0, 1), [f64(2)], [0]),
    'hypot at 0, 0': (lambda x, y: np.hypot(x, y), [f64(0), f64(0)], [0, 0]),
    'arctan2 at 0, 0': (lambda x, y: np.arctan2(x, y), [f64(0), f64(0)], [0, 0]),
    'sinc at 0': (lambda x: np.sinc(x), [f64(0)], [0]),
    'x ** 0. at 0': (lambda x: x ** 0.0, [f64(0)], [0]),
    'power(0, 0)': (lambda x, y: np.power(x, y), [f64(0), f64(0)], [0, 0]),
    'power(0, 2)': (lambda x, y: np.power(x, y), [f64(0), f64(2)], [0, 0]),
    'power(0, 1)': (lambda x, y: np.power(x, y), [f64(0), f64(1)], [1, 0]),
    'power(0, 0.5)': (lambda x, y: np.power(x, y), [f64(0), f64(0.5)], [INF, 0]),
    'power(-2, 2.)': (lambda x, y: np.power(x, y), [f64(-2), f64(2)], [-4, NAN]),
    'power(0, -1.)': (lambda x, y: np.power(x, y), [f64(0), f64(-1)], [-INF, NAN]),
    'prod with one zero': (lambda x: np.prod(x), [a(0, 2, 3)], [[6, 0, 0]]),
    'prod with two zeros': (lambda x: np.prod(x), [a(0, 0, 3)], [[0, 0, 0]]),
    'cumprod with zeros': (lambda x: np.sum(np.cumprod(x)), [a(2, 0, 3)], [[1, 8, 0]]),
    'det of a singular matrix': (lambda x: np.linalg.det(x), [np.array([[1.0, 2], [2, 4]])], [[[4, -2], [-2, 1]]]),
    'slogdet of a singular matrix': (lambda x: np.linalg.slogdet(x)[1], [np.ones((2, 2))], [np.full((2, 2), INF)]),
    'norm at 0': (lambda x: np.linalg.norm(x), [a(0, 0)], [[0, 0]]),
    'norm ord=1 with a 0': (lambda x: np.linalg.norm(x, 1), [a(0, -2)], [[0, -1]]),
    'norm ord=inf at a tie': (lambda x: np.linalg.norm(x, np.inf), [a(1, -1)], [[0.5, -0.5]]),
    'std of constants': (lambda x: np.std(x), [a(1, 1, 1)], [[0, 0, 0]]),
    'var with ddof=1 of one value': (lambda x: np.var(x, ddof=1), [a(1)], [[NAN]]),
    'sqrt of a sum of squares at 0': (lambda x: np.sqrt(np.sum(x ** 2)), [a(0, 0)], [[NAN, NAN]]),
    'where with nan in the branch not taken': (lambda x: np.where(x > 0, np.sqrt(x), 0.0), [f64(-1)], [NAN]),
    'an element named twice': (lambda x: np.sum(x[[0, 0]]), [a(1, 5)], [[2, 0]]),
    'x // y': (lambda x, y: x // y + 0 * x + 0 * y, [f64(7), f64(2)], [0, 0]),
    'mod(x, y)': (lambda x, y: np.mod(x, y), [f64(7), f64(2)], [1, -3]),
    'fmod(-5.5, 2)': (lambda x, y: np.fmod(x, y), [f64(-5.5), f64(2)], [1, 2]),
    'interp of one sample': (lambda x, y: np.interp(x, [2.0], y), [f64(0.3), a(4)], [0, [1]]),
    'interp of one sample, left of it': (lambda x, y: np.interp(x, [2], y, left=0.0), [f64(0.3), a(4)], [0, [0]]),
    'cumprod of integers': (lambda x: np.sum(np.cumprod(x)), [np.array([2, -1, 3])], [[-3, 8, -2]]),
    'nan_to_num(nan)': (lambda x: np.nan_to_num(x), [f64(NAN)], [0]),
}


@pytest.mark.parametrize('name', VALUES)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_reverse(name):
    f, args, right = VALUES[name]
    found = tangent.grad(f, wrt=tuple(range(len(args))))(*args)
    for actual, expected in zip(found if len(args) > 1 else [found], right, strict=True):
        np.testing.assert_allclose(actual, expected, 1e-12, 1e-14)


@pytest.mark.parametrize('name', [n for n in VALUES if 'branch not taken' not in n])    # it does not compute that branch
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_forward(name):
    f, args, right = VALUES[name]
    df = tangent.jvp(f, wrt=tuple(range(len(args))))
    for k, expected in enumerate(right):
        for index in np.ndindex(np.shape(args[k])):
            step = np.zeros(np.shape(args[k]))
            step[index] = 1
            tangents = [step[()] if j == k else np.zeros(np.shape(v))[()] for j, v in enumerate(args)]
            actual, wanted = df(*args, *tangents), np.asarray(expected)[index]
            # one number times a zero tangent is nan where it is infinite: only finite derivatives can be told apart
            if np.all(np.isfinite([np.ravel(r)[0] for r in right])) and np.isfinite(wanted):
                np.testing.assert_allclose(actual, wanted, 1e-12, 1e-14)
            else:
                assert np.isnan(actual) or actual == wanted


# name -> second derivatives, by the argument itself, of the sum of the gradient by it; what is not here is not finite
JUMPS = """abs at 0;abs of a Python number at 0;sign at 0;floor at a step;ceil at a step;round at a step;clip at the lower bound
    clip at the upper bound;clip outside;x ** 0. at 0;nan_to_num(nan);maximum at a tie;minimum at a tie;fmax at a tie;fmin at a tie
    hypot at 0, 0;arctan2 at 0, 0;power(0, 0);power(0, 1);x // y;mod(x, y);fmod(-5.5, 2);sort with ties is stable
    argsort with ties is constant;max with ties;min with ties;std of constants;median of an even count;norm at 0
    norm ord=1 with a 0;norm ord=inf at a tie;an element named twice;amax with ties along an axis;interp of one sample
    interp of one sample, left of it"""
SECOND = {name.strip(): [0, 0] for name in JUMPS.replace('\n', ';').split(';')} | {
    'sinc at 0': [-math.pi ** 2 / 3], 'power(0, 2)': [2, 0], 'prod with one zero': [[5, 3, 2]], 'prod with two zeros': [[3, 3, 0]],
    'cumprod with zeros': [[4, 6, 2]], 'cumprod of integers': [[3, 6, 1]],
    'det of a singular matrix': [[[1, -1], [-1, 1]]], 'power(-2, 2.)': [2, NAN],
    'power(0, 0.5)': [-INF, 0], 'power(0, -1.)': [INF, NAN],
}


@pytest.mark.parametrize('name', VALUES)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_second_order(name):
    """The derivative of the gradient in both modes: that of the smooth function, 0 where the gradient jumps, or not finite."""
    f, args, _ = VALUES[name]
    for k, x in enumerate(args):
        df = tangent.grad(f, wrt=k)
        again = tangent.elementwise_grad(df, wrt=k)(*args)
        moved = tangent.make_jvp(df, argnum=k)(*args)(np.ones(np.shape(x))[()])[1]
        if name in SECOND:
            right = np.broadcast_to(SECOND[name][k], np.shape(x))
            for found in again, moved:                # where it is infinite, a product with 0 may have made it nan
                np.testing.assert_allclose(found, np.where(np.isnan(found) & np.isinf(right), np.nan, right), 1e-9, 1e-12)
        else:
            assert not np.any(np.isfinite(again)), (k, again)


@pytest.mark.parametrize('name', VALUES)
def test_warnings(name):
    """A finite derivative warns as the function itself does, and not more; one that is not finite warns of its division."""
    f, args, right = VALUES[name]
    heard = []
    wrt = tuple(range(len(args)))
    ones = [np.ones(np.shape(v))[()] for v in args]
    for call in (f, tangent.grad(f, wrt=wrt), lambda *args: tangent.jvp(f, wrt=wrt)(*args, *ones)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            call(*args)
        heard.append({str(w.message).partition(' encountered')[0] for w in caught})
    if all(np.all(np.isfinite(r)) for r in right):
        assert heard[1] <= heard[0] and heard[2] <= heard[0]
    assert heard[1] | heard[2] <= heard[0] | {'divide by zero', 'invalid value'}


def test_every_row_of_the_conventions_is_here():
    """The rows of the page, by a word of each."""
    rows = """abs;sign;floor;ceil;round;sqrt;log;cbrt;arcsin;arccosh;1 / x;-0.5;maximum;minimum;fmax;fmin;max with;min with;amax;sort;
        argsort;median;clip;hypot;arctan2;sinc;x ** 0.;power(0, 0);power(0, 2);power(0, 1);power(0, 0.5);power(-2, 2.);power(0, -1.);
        prod;cumprod;det;slogdet;norm at 0;ord=1;ord=inf;std;var;sum of squares;where with nan;twice;//;mod;fmod;nan_to_num"""
    for word in rows.replace('\n', '').split(';'):
        assert any(word.strip() in name for name in VALUES), word


def test_xlogy_at_zero():
    special = pytest.importorskip('scipy.special')
    f = functools.partial(special.xlogy)
    with np.errstate(all='ignore'):
        dx, dy = tangent.grad(lambda x, y: special.xlogy(x, y), wrt=(0, 1))(f64(0), f64(0))
    assert f(0, 0) == 0 and dx == 0 and np.isnan(dy)


@pytest.mark.parametrize('f', [lambda x: np.sum(np.linalg.inv(x)), lambda x: np.sum(np.linalg.solve(x, np.ones(2)))])
def test_singular_matrices_raise_as_they_do_in_numpy(f):
    with pytest.raises(np.linalg.LinAlgError):
        tangent.grad(f)(np.ones((2, 2)))


def test_vectors_of_equal_eigenvalues_are_not_determined():
    assert np.all(np.isnan(tangent.grad(lambda x: np.linalg.eigh(x)[1][0, 1])(np.eye(2))[~np.eye(2, dtype=bool)]))


# Kinds of numbers

@pytest.mark.parametrize('value', [3, np.int32(3), np.array([3, 1]), np.array(3, np.uint8)])
def test_integers_have_gradients_of_float64(value):
    found = tangent.grad(lambda x: np.sum(x * x * 0.5))(value)
    np.testing.assert_allclose(found, value)
    assert np.asarray(found).dtype == np.float64


@pytest.mark.parametrize('value', [True, np.array([True, False]), np.bool_(True), np.array(['a', 'b'])])
def test_flags_and_texts_are_refused(value):
    with pytest.raises((errors.ArgumentTypeError, TypeError), match='x|str'):
        tangent.grad(lambda x: np.sum(x * 2))(value)


@pytest.mark.parametrize('dtype', ['float16', 'float32', 'float64', 'longdouble', 'complex64', 'complex128'])
def test_gradients_have_the_dtype_of_the_argument(dtype):
    x = np.array([1.0, 2.0, 0.5], dtype)
    for f in (lambda x: np.sum(np.abs(x) * 0.1), lambda z: np.sum(np.real(np.exp(z * 0.5)) / 3.0)):
        if dtype.startswith('complex') or f.__code__.co_varnames[0] == 'x':
            found = tangent.grad(f)(x)
            assert found.dtype == x.dtype and found.shape == x.shape


@pytest.mark.parametrize(('f', 'read'), [
    (lambda x: np.sum(np.linalg.eigh(x)[0] ** 2), np.tril), (lambda x: np.linalg.eigh(x, 'U')[0][0], np.triu),
    (lambda x: np.linalg.eigvalsh(x)[0], np.tril), (lambda x: np.linalg.eigvalsh(x, 'U')[0], np.triu),
    (lambda x: np.sum(np.linalg.cholesky(x)), np.tril), (lambda x: np.linalg.pinv(x, hermitian=True)[0, 1], np.tril),
    (lambda x: np.linalg.svd(x, hermitian=True)[1][0], np.tril)])
def test_of_symmetric_matrices_one_triangle_is_read(f, read):
    """The gradient is in the triangle that NumPy reads, as differences say, and in no other."""
    x = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.4], [0.1, -0.4, 1.8]])
    found = tangent.grad(f)(x)
    right = np.zeros((3, 3))
    for index in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[index] = 1e-6
        right[index] = (f(x + step) - f(x - step)) / 2e-6
    np.testing.assert_allclose(found, right, 1e-7, 1e-8)
    np.testing.assert_array_equal(found, read(found))


def test_phases_of_complex_vectors_are_not_determined():
    matrix = np.array([[2.0, 0.3 + 0.2j], [0.3 - 0.2j, 1.0]])
    free = tangent.grad(lambda z: np.abs(np.linalg.eigh(np.asarray(z, complex))[1][0, 0]) ** 2)(matrix)
    assert np.all(np.isfinite(free))
    with pytest.raises(errors.ArgumentError, match='phases of complex vectors'):
        tangent.grad(lambda z: np.imag(np.linalg.eigh(np.asarray(z, complex))[1][:, 0] @ np.array([1.0, 1j])))(matrix)


def test_sign_of_a_complex_number_turns_with_it():
    found = tangent.grad(lambda z: np.imag(np.sign(z)))(3 + 4j)
    np.testing.assert_allclose(found, -0.096 + 0.072j, 1e-12)


@pytest.mark.parametrize('wide', [np.float32(2.0), np.ones(3, np.float32), np.ones(3, np.longdouble)])
def test_a_python_number_has_the_gradient_of_one(wide):
    found = tangent.grad(lambda s, x: np.sum(s * x))(0.5, wide)
    assert isinstance(found, float)


def test_initial_values_of_products_have_gradients():
    found = tangent.grad(lambda x, s: np.nanprod(x, initial=s), wrt=(0, 1))(a(2, NAN, 3), f64(5))
    np.testing.assert_array_equal(found[0], [15, 0, 10])
    assert found[1] == 6


def test_gradients_of_tuples_that_are_used_twice_add_up():
    def f(x):
        y = np.linalg.eigh(x)
        return first(y) + first(y)

    def first(y):
        return y[0][0]
    np.testing.assert_allclose(tangent.grad(f)(np.diag([1.0, 2.0])), [[2, 0], [0, 0]])


def test_a_rule_that_forgets_the_shape_is_an_error():
    @tangent.primitive
    def total(x):
        return np.sum(x)
    tangent.defvjp(total, lambda ans, x: lambda g: g)
    with pytest.raises(errors.ShapeError, match='total.*argument 0'):
        tangent.grad(lambda x: total(x) * 2.0)(a(1, 2))


def collected(x, w):
    return np.sum(x) * w


@pytest.mark.parametrize('calls', [lambda x, w: collected(x, w) * 2.0, lambda x, w: [collected(x, w) for _ in range(2)][1]])
def test_a_template_that_forgets_the_shape_is_an_error(calls):
    @tangent.grads.adjoint(collected)
    def adjoint(y, x, w):
        d[x] = d[y] * w  # noqa: F821
        d[w] = unbroadcast(d[y] * np.sum(x), w)  # noqa: F821
    try:
        with pytest.raises(errors.ShapeError, match='collected.*argument 0'):
            tangent.grad(calls)(a(1, 2), 3.0)
        assert tangent.grad(calls)(f64(2), 3.0) == 3 * (2 if calls(1.0, 1.0) == 2 else 1)
        assert tangent.grad(calls, wrt=1)(a(1, 2), 3.0) == 3 * (2 if calls(1.0, 1.0) == 2 else 1)
    finally:
        tangent.grads.adjoints.pop(collected)


def test_complex_argument_and_real_result():
    assert tangent.grad(lambda z: abs(z) ** 2)(1 + 2j) == 2 + 4j


@pytest.mark.parametrize('error', ['jacobian', 'elementwise_grad', 'vjp'])
def test_a_result_that_is_no_number_names_the_way_out(error):
    with pytest.raises(TypeError, match=error):
        tangent.grad(lambda x: x * 2)(a(1, 2))


@pytest.mark.parametrize('value', [a(3.0), np.array(3.0)])
def test_results_of_one_element_are_fine(value):
    found = tangent.grad(lambda x: x * x)(value)
    np.testing.assert_allclose(found, 2 * value)
    assert np.shape(found) == np.shape(value)


def test_an_argument_that_does_not_matter_has_a_zero_gradient():
    found = tangent.grad(lambda x, y: np.sum(x), wrt=(0, 1))(a(1), np.ones((2, 3), np.float32))[1]
    assert found.dtype == np.float32 and found.shape == (2, 3) and not found.any()


FUNCTIONS = [(lambda x: math.sin(x), math.cos(0.5)), (lambda x: np.sin(x), math.cos(0.5)),
             (lambda x: cmath.exp(x).real, math.exp(0.5)), (lambda x: operator.mul(x, x), 1.0), (lambda x: abs(x), 1.0),
             (lambda x: sum([x, x]), 2.0), (lambda x: max(x, 0.1), 1.0), (lambda x: pow(x, 2), 1.0)]


@pytest.mark.parametrize(('f', 'right'), FUNCTIONS)
def test_functions_of_every_library(f, right):
    assert tangent.grad(f)(0.5) == pytest.approx(right, rel=1e-14)


# Shapes and memory

ARRAYS = {
    'zero-dimensional': np.array(1.5), 'empty': np.zeros((0, 3)), 'size 1': np.array([[1.5]]),
    'Fortran order': np.asfortranarray(np.arange(6.0).reshape(2, 3)), 'negative strides': np.arange(6.0).reshape(2, 3)[::-1, ::-1],
    'every second': np.arange(12.0).reshape(2, 6)[:, ::2],
}


@pytest.mark.parametrize('name', ARRAYS)
@pytest.mark.parametrize('f', [lambda x: np.sum(np.sin(x) * x), lambda x: np.mean(x ** 2) if x.size else np.sum(x),
                               lambda x: np.sum(np.cumsum(x, axis=-1) if x.ndim else x), lambda x: np.sum(np.sort(x, axis=None))])
def test_arrays_of_every_form(f, name):
    x = ARRAYS[name]
    x.flags.writeable = False
    found = tangent.grad(f)(x)
    assert found.shape == x.shape and found.dtype == x.dtype and (x.ndim == 0 or found.flags.writeable)
    assert not np.shares_memory(found, x)
    for index in np.ndindex(x.shape):
        ends = []
        for h in (1e-6, -1e-6):
            moved = np.array(x)
            moved[index] += h
            ends.append(f(moved))
        assert found[index] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize('shapes', [((3, 1), (1, 4)), ((1,), (2, 3)), ((), (2,)), ((2, 1, 3), (4, 1))])
def test_stretched_axes_are_summed(shapes):
    x, y = (np.random.default_rng(0).normal(size=s) for s in shapes)
    dx, dy = tangent.grad(lambda x, y: np.sum(x * y), wrt=(0, 1))(x, y)
    full = np.broadcast_shapes(*shapes)
    np.testing.assert_allclose(np.sum(dx * x), np.sum(np.broadcast_to(x, full) * y))
    assert dx.shape == x.shape and dy.shape == y.shape


@pytest.mark.parametrize('f', [lambda x: np.sum(x * 2.0), lambda x: np.max(x), lambda x: np.linalg.norm(x)])
def test_no_more_warnings_than_numpy_gives(f):
    with np.errstate(all='raise'):
        tangent.grad(f)(a(0, 0, 0))


SUBCLASSES = {'matrix': np.matrix([[1.0, 2], [3, 4]]), 'masked array': np.ma.array([[1.0, 2], [3, 4]], mask=[[0, 1], [0, 0]])}


@pytest.mark.parametrize('kind', SUBCLASSES)
@pytest.mark.parametrize('f', [lambda x: np.sum(x * x), lambda x: np.sum(x), lambda x: np.sum(np.sin(x)), lambda x: x[0, 0] ** 2,
                               lambda x: np.linalg.norm(x), lambda x: sum(np.sum(row) for row in x)])
@pytest.mark.filterwarnings('ignore::PendingDeprecationWarning')
def test_arrays_with_arithmetic_of_their_own_are_refused(f, kind):
    x = SUBCLASSES[kind]
    for call in (lambda: tangent.grad(f)(x), lambda: tangent.value_and_grad(f)(x), lambda: tangent.jvp(f)(x, np.ones((2, 2)))):
        with pytest.raises((errors.ArgumentTypeError, TypeError), match='matrix|masked|Masked'):
            call()


def test_other_subclasses_keep_their_class():
    class Named(np.ndarray):
        pass
    found = tangent.grad(lambda x: np.sum(x * x))(np.ones(3).view(Named))
    np.testing.assert_array_equal(np.asarray(found), [2, 2, 2])


@pytest.mark.parametrize('f', [lambda x: np.sum(np.ma.array(x) ** 2), lambda x: np.ma.masked_less(x, 0).sum()])
def test_masked_arrays_are_refused(f):
    with pytest.raises(errors.ReverseNotImplementedError, match='masked'):
        tangent.grad(f)(a(1, 2))
    with pytest.raises(errors.ForwardNotImplementedError, match='masked'):
        tangent.jvp(f)(a(1, 2), a(1, 0))


def characteristic(m):
    return np.sum(np.poly(m) * np.array([1.0, 2.0, 3.0, -1.5]))


@pytest.mark.parametrize('m', [np.array([[2.0, 1.0, 0.3], [0.5, 3.0, 0.1], [0.2, 0.7, 1.0]]), 2 * np.eye(3), np.zeros((3, 3))])
def test_characteristic_polynomials(m):
    """`numpy.poly` of a matrix was a raw error; it is smooth where eigenvalues meet, too."""
    wanted = differences(characteristic, (m,), (0,))[0]
    np.testing.assert_allclose(tangent.grad(characteristic)(m), wanted, atol=1e-8)
    np.testing.assert_allclose(tangent.jvp(characteristic)(m, np.ones((3, 3))), wanted.sum(), atol=1e-8)
    second = differences(lambda m: np.sum(tangent.grad(characteristic)(m)), (m,), (0,))[0]
    np.testing.assert_allclose(tangent.hvp(characteristic)(m, np.ones((3, 3))), second, atol=1e-6)
