"""Arguments that have no gradient are named in an error, whatever the result is made of; gradients of integers; axes that are not there."""
import numpy as np
import pytest

import tangent

NO_NUMBERS = {'bool': True, 'numpy.bool': np.True_, 'array of bools': np.array([True, False]), 'str_': np.str_('a'),
              'date': np.datetime64('2020-01-01'), 'span': np.timedelta64(3, 's'), 'spans': np.array([3, 4], 'm8[s]'),
              'record': np.zeros((), [('a', float)])[()], 'records': np.zeros(2, [('a', float)]), 'strings': np.array(['a', 'b'])}
OF_ANYTHING = [lambda x: np.sum(np.sin(x)), lambda x: np.var(x), lambda x: np.sum(x * x), lambda x: np.mean(x), lambda x: 3.0,
               lambda x: np.linalg.norm(x), lambda x: np.sum(x) * 2, lambda x: np.sum(np.abs(x))]


@pytest.mark.parametrize('kind', NO_NUMBERS)
@pytest.mark.parametrize('k', range(len(OF_ANYTHING)))
def test_what_has_no_gradient_is_named(k, kind):
    f, x = OF_ANYTHING[k], NO_NUMBERS[kind]
    for derive in (lambda: tangent.grad(f)(x), lambda: tangent.vjp(f)(x, 1.0)):
        with pytest.raises(TypeError) as error:
            derive()
        assert not isinstance(error.value, tangent.errors.TangentError) or 'gradient of x, which is' in str(error.value)
        assert isinstance(error.value, tangent.errors.TangentError) or kind not in ('bool', 'numpy.bool', 'array of bools')
    if k != 4:
        with pytest.raises(TypeError):
            tangent.jvp(f)(x, 1.0)


def test_a_bool_that_makes_floats_is_refused():
    for f in (lambda x: np.sin(x) * x, lambda x: np.float64(2.0) * x, lambda x: x * np.array([1.0, 2.0])[0]):
        with pytest.raises(tangent.errors.ArgumentTypeError, match='gradient of x, which is a bool'):
            tangent.grad(f)(True)


def test_names_that_are_bound_to_flags_later_are_no_arguments():
    def f(x):
        s = np.sum(x * x)
        x = s > 1
        return s if x else 2 * s

    def g(x):
        y = np.sin(x) * x
        x = 'done'
        return y
    assert list(tangent.grad(f)(np.array([1.0, 2.0]))) == [2, 4] and list(tangent.grad(f)(np.array([0.5, 0.0]))) == [2, 0]
    assert tangent.grad(g)(np.float64(0.5)) == pytest.approx(np.sin(0.5) + 0.5 * np.cos(0.5))


@pytest.mark.parametrize('kind', [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64])
@pytest.mark.parametrize('f', [lambda x: np.sum(np.sin(x) * x), lambda x: np.sum(np.sqrt(x)), lambda x: np.mean(np.exp(x) / 3),
                               lambda x: np.linalg.norm(np.tanh(x))])
def test_gradients_of_integers(f, kind):
    for x in (np.array([1, 2, 3], kind), kind(2), np.array(3, kind)):
        found = tangent.grad(f)(x)
        whole = np.sin(x).dtype == float               # of 8 and 16 bits NumPy makes half and single precision
        assert np.asarray(found).dtype == float or not whole and np.asarray(found).dtype.kind == 'f'
        np.testing.assert_allclose(found, tangent.grad(f)(np.asarray(x, float)[()]), 1e-12 if whole else 2e-2)


@pytest.mark.parametrize('kind', [np.float16, np.float32, np.longdouble])
def test_an_array_without_axes_has_a_gradient_of_its_precision(kind):
    for f in (lambda x: x, lambda x: x * x, lambda x: np.sin(x), lambda x: np.sum(x)):
        assert np.asarray(tangent.grad(f)(np.array(1.5, kind))).dtype == kind == np.asarray(tangent.grad(f)(kind(1.5))).dtype


@pytest.mark.parametrize('f, right', [
    (lambda x: np.prod(x, axis=0), 1), (lambda x: np.prod(x, axis=-1, keepdims=True), 1), (lambda x: np.nanprod(x, axis=0), 1),
    (lambda x: np.multiply.reduce(x), 1), (lambda x: np.cumprod(x, axis=0)[0], 1), (lambda x: np.trapezoid(np.ravel(x)), 0),
])
def test_reductions_of_a_number_over_an_axis(f, right):
    """NumPy takes the axes 0 and -1 of what has none."""
    x = np.array(0.7)
    assert tangent.grad(f)(x) == right == tangent.jvp(f)(x, 1.0)


@pytest.mark.parametrize('f', [
    np.median, lambda x: np.median(x, axis=0), np.nanmedian, np.trapezoid, lambda x: np.sum(np.diff(x)),
    lambda x: np.sum(np.ediff1d(x)), np.std, np.var, np.nanvar, lambda x: np.median(x, axis=0, keepdims=True)[0],
])
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_gradients_of_empty_arrays_are_empty(f):
    found = tangent.grad(lambda x: f(x) * 1.0)(np.zeros(0))
    assert found.shape == (0,) and found.dtype == float


def test_second_differences_of_a_single_number_depend_on_nothing():
    assert list(tangent.grad(lambda x: np.sum(np.diff(x, 2)))(np.array([3.0]))) == [0]


@pytest.mark.parametrize('f', [np.exp2, np.log2, np.log10, lambda x: 2 ** x, lambda x: 10 ** x, np.nanmedian,
                               lambda x: np.percentile(x, 30), lambda x: max(x)])
def test_tangents_have_the_precision_of_the_value(f):
    for kind in (np.float16, np.float32):
        x = np.array([0.3, 0.9, 0.5], kind)
        assert np.asarray(tangent.jvp(f)(x, np.ones(3, kind))).dtype == np.asarray(f(x)).dtype == kind
