"""`nan_safe=True`: what takes no part contributes zero; every other value is what it is without the option."""
import copy

import numpy as np
import pytest

import tangent
from tests.forward import test_forward
from tests.tools.checking import numbers, random_like

X = np.array([0.0, 1.0, 2.0])


def logarithm(x):
    return np.sum(np.where(x > 0, np.log(x), 0.0))


def quotient(x):
    return np.sum(np.where(x > 0, np.sqrt(x) * np.log(x) / x, x * x))


def two_masks(x):
    t = np.log(x)
    return np.sum(np.where(x > 0, t, 0.0) + np.where(x > 1, 2 * t, x))


def nested(x):
    a = np.log(x)
    b = np.where(x > 0, a, 0.0)
    return np.sum(np.where(x < 2, b * b, a))


def inner(t):
    return np.log(t) * t


def in_call(x):
    return np.sum(np.where(x > 0, inner(x), 0.0))


def in_loop(x):
    s = 0.0
    for i in range(len(x)):
        t = np.sqrt(x[i])
        s = s + np.where(x[i] > 0, t * t * t, 0.0)
    return s


def by_mask(x):
    t = np.log(x)
    return np.sum(t[x > 0])


def stored(x):
    y = np.zeros_like(x)
    m = x > 0
    t = np.sqrt(x) / x
    y[m] = t[m]
    return np.sum(y * y)


def larger(x):
    return np.sum(np.maximum(np.sqrt(x), 1.0))


def clipped(x):
    return np.sum(np.clip(np.log(x), -5.0, 5.0))


def selected(x):
    return np.sum(np.select([x > 1, x > 0], [np.log(x), np.sqrt(x) / x], x))


def product(x):
    return np.sum(np.where(x > 0, 1.0, 0.0) @ np.where(x[:, None] > 0, np.log(x)[:, None], 0.0))


# function -> its gradient and the diagonal of its Hessian at X, by hand
CASES = [
    (logarithm, [0, 1, 1 / 2], [0, -1, -1 / 4]),
    (quotient, [0, 1, (1 - np.log(2) / 2) / 2 ** 1.5], [2, -2, (0.75 * np.log(2) - 2) / 2 ** 2.5]),
    (two_masks, [1, 2, 3 / 2], [0, -1, -3 / 4]),
    (nested, [0, 0, 1 / 2], [0, 2, -1 / 4]),
    (in_call, [0, 1, 1 + np.log(2)], [0, 1, 1 / 2]),
    (in_loop, [0, 1.5, 1.5 * 2 ** 0.5], [0, 0.75, 0.75 / 2 ** 0.5]),
    (by_mask, [0, 1, 1 / 2], [0, -1, -1 / 4]),
    (stored, [0, -1, -1 / 4], [0, 2, 1 / 4]),
    (clipped, [0, 1, 1 / 2], [0, -1, -1 / 4]),
    (selected, [1, -1 / 2, 1 / 2], [0, 3 / 4, -1 / 4]),
    (product, [0, 1, 1 / 2], [0, -1, -1 / 4]),
]
ALL = pytest.mark.parametrize('f, gradient, curvature', CASES, ids=lambda c: getattr(c, '__name__', ''))
quiet = pytest.mark.filterwarnings('ignore::RuntimeWarning')


@quiet
@ALL
def test_the_gradient_is_the_safe_one(f, gradient, curvature):
    assert np.isnan(tangent.grad(f)(X)[0])
    found = tangent.grad(f, nan_safe=True)(X)
    assert type(found) is np.ndarray and found.dtype == float
    np.testing.assert_allclose(found, gradient, rtol=1e-13)
    value, found = tangent.value_and_grad(f, nan_safe=True)(X)
    np.testing.assert_array_equal(value, f(X))
    np.testing.assert_allclose(found, gradient, rtol=1e-13)
    assert 'where_taken' not in tangent.source(tangent.grad(f))


@quiet
@ALL
def test_forward_mode_gives_the_same(f, gradient, curvature):
    push = tangent.jvp(f, nan_safe=True)
    for direction in [np.ones(3), np.array([0.3, -1.2, 0.5]), *np.eye(3)]:
        np.testing.assert_allclose(push(X, direction), np.dot(gradient, direction), rtol=1e-13)


@quiet
@ALL
@pytest.mark.parametrize('outer', ['forward', 'forward, safe', 'reverse'])
def test_second_derivatives(f, gradient, curvature, outer):
    inner_one = tangent.grad(f, nan_safe=True)
    direction = np.array([0.3, -1.2, 0.5])
    if outer == 'reverse':
        found = tangent.vjp(inner_one, nan_safe=True)(X, 1.0, direction)
    else:
        found = tangent.jvp(inner_one, nan_safe='safe' in outer)(X, 1.0, direction)
    np.testing.assert_allclose(found, np.multiply(curvature, direction), rtol=1e-13, atol=1e-15)


@quiet
def test_nothing_but_what_is_known_to_take_no_part_is_touched():
    assert np.isnan(tangent.grad(lambda x: np.sum(np.sqrt(x) ** 2), nan_safe=True)(X)[0])          # it is 1, not 0 * inf
    assert np.isnan(tangent.grad(lambda x: np.sqrt(np.sum(x ** 2)), nan_safe=True)(np.zeros(2))).all()
    assert tangent.grad(lambda x: np.sum(np.sqrt(x)), nan_safe=True)(X)[0] == np.inf
    assert np.isnan(tangent.grad(lambda x: np.sum(np.where(x > 0, 0.0, np.log(x) * x)), nan_safe=True)(X)[0])
    assert np.isnan(tangent.grad(lambda x: np.sum(np.where(x > 0, np.nan * x, 1.0)), nan_safe=True)(X)[1])
    assert np.isnan(tangent.jvp(lambda x: np.sqrt(x) ** 2, nan_safe=True)(X, np.ones(3))[0])


@quiet
def test_elements_with_a_seed_or_a_tangent_of_zero():
    x, zero_first = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    for make in (tangent.vjp, tangent.jvp):
        assert np.isnan(make(np.sqrt)(x, zero_first)[0]) if make is tangent.jvp else True
        np.testing.assert_array_equal(make(lambda x: np.sqrt(x), nan_safe=True)(x, zero_first), [0.0, 0.5])
    root = tangent.autodiff(lambda x: np.sqrt(x), mode='forward', nan_safe=True)
    np.testing.assert_array_equal(root(x, zero_first), [0.0, 0.5])


@quiet
def test_known_zeros_lose_nothing_that_is_written_over_them():
    def f(x):
        t = np.log(x)
        u = t * 1.0
        u[1:] = u[1:] * 2 + t[:-1] * np.where(x[:-1] > 0, 1.0, 0.0)
        return np.sum(u[[1, 1, 2]])
    x = np.array([0.5, 1.5, 2.5])
    np.testing.assert_allclose(tangent.grad(f, nan_safe=True)(x), tangent.grad(f)(x), rtol=1e-14)


@quiet
@pytest.mark.parametrize('x', [0.0, np.float64(0.0), np.float32(0.0), np.array(0.0), np.zeros(1), np.zeros((2, 1), np.float32)],
                         ids=lambda x: type(x).__name__ + str(np.shape(x)))
def test_kinds_of_numbers(x):
    found = tangent.elementwise_grad(lambda x: np.where(x > 0, np.sqrt(x) * x, 0.0), nan_safe=True)(x)
    plain = tangent.elementwise_grad(lambda x: x * 2.0)(x)
    assert type(found) is type(plain) or {type(found), type(plain)} == {float, np.float64}
    assert np.shape(found) == np.shape(x) and getattr(found, 'dtype', None) == getattr(plain, 'dtype', None)
    np.testing.assert_array_equal(found, 0.0)


@quiet
def test_containers():
    def f(p):
        return np.where(p['a'] > 0, np.log(p['a']), 0.0) * p['b'][0]
    found = tangent.grad(f, nan_safe=True)({'a': np.float64(0.0), 'b': [2.0]})
    assert found == {'a': 0.0, 'b': [0.0]}


def by_views(x):
    u = np.zeros((4, 4))
    u[0] = x
    inner, column, flat, back = u[1:-1, 1:-1], u.T, u.reshape(-1), np.flip(u, 0)
    inner[:] = u[:-2, 1:-1] * x[1]
    column[2] += x * x
    flat[5:9] *= 2
    back[0, 1] = x[0] * column[1, 2]
    return np.sum(u ** 2)


def out_of_views(x):
    u = np.zeros((2, 4))
    a, b = u
    a[:] = x
    b[1:] = a[1:] * a[:-1]
    np.multiply(b, a, out=u[0])
    np.add(a, b, out=b)
    return np.sum(np.where(u > 0, np.exp(u), u * u))


@quiet
@pytest.mark.parametrize('f', [by_views, out_of_views])
def test_writes_by_way_of_views(f):
    """A part of an array of known zeros is a view of it, as that of any other array."""
    x, dx = np.array([0.7, 1.3, 0.4, -0.9]), np.array([1.0, 0.0, 2.0, 0.5])
    np.testing.assert_allclose(tangent.grad(f, nan_safe=True)(x), tangent.grad(f)(x), rtol=1e-13)
    for d in (dx, np.ones(4)):
        np.testing.assert_allclose(tangent.jvp(f, nan_safe=True)(x, d), tangent.jvp(f)(x, d), rtol=1e-13)


@pytest.mark.filterwarnings('ignore')
@pytest.mark.parametrize('case', test_forward.CASES[::3], ids=lambda c: c.label)
def test_elsewhere_nothing_changes(case):
    """The corpus, to the last digits but for the order of sums, in both modes."""
    def args():
        return copy.deepcopy(case.args)
    seed = random_like(case.function(*args()), seed=3)
    found = []
    for safe in (False, True):
        pull = tangent.vjp(case.function, wrt=case.wrt, nan_safe=safe)
        last = pull.__code__.co_varnames[pull.__code__.co_argcount - 1]
        push = tangent.jvp(case.function, wrt=case.wrt, nan_safe=safe)
        names = push.__code__.co_varnames[push.__code__.co_argcount - len(case.wrt):push.__code__.co_argcount]
        tangents = {n: random_like(case.args[p], seed=p + 1) for n, p in zip(names, case.wrt)}
        found.append([numbers(pull(*args(), **{last: copy.deepcopy(seed)})), numbers(push(*args(), **tangents))])
    for plain, safe in zip(*found):
        np.testing.assert_allclose(safe, plain, rtol=1e-13, atol=1e-14)


def test_what_excludes_it():
    with pytest.raises(tangent.errors.ArgumentError, match='exclude each other'):
        tangent.jvp(logarithm, batched=True, nan_safe=True)
    with pytest.raises(tangent.errors.ArgumentError, match='derivatives that Python runs'):
        tangent.grad(logarithm, jit=True, nan_safe=True)
