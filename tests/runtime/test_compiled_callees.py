"""Functions that Numba compiles, called from functions that CPython runs: their derivatives are compiled, and right in all modes."""
import numpy as np
import pytest

import tangent

numba = pytest.importorskip('numba')
from tangent.driver.dispatch.compiled import adjoint_of, is_compiled  # noqa: E402

pytestmark = pytest.mark.filterwarnings('ignore::numba.core.errors.NumbaPerformanceWarning')


@numba.njit
def kepler(mean, e):
    found = mean
    for _ in range(20):
        found = found - (found - e * np.sin(found) - mean) / (1 - e * np.cos(found))
    return found


@numba.njit
def product(a, b):
    return a @ b


@numba.njit
def scaled(a, k):
    return a * k


@numba.njit
def whole(a):
    return a


@numba.njit
def tail(a):
    return a[1:]


@numba.njit
def noisy(x):
    return x * np.random.normal()


@numba.njit
def printed(x):
    print(x)
    return x * x


@numba.njit
def doubled_in_place(a):
    a[0] = a[0] * 2
    return a.sum()


@numba.njit
def pair(x, y):
    return x * y, x + y


@numba.njit
def calls_noisy(x):
    return x * noisy(x)


@numba.njit
def first(a, n):
    total = 0.0
    for i in range(n):
        total += a[i] ** 2
    return total


@numba.njit
def power(x, k=3.0):
    return x ** k


@numba.njit
def root(x):
    if x < 0:
        raise ValueError('negative')
    return np.sqrt(x)


@numba.njit
def differences(a):
    return np.sum(np.diff(a, 2) ** 3)


def polynomial(n):
    @numba.njit
    def of_factory(x):
        total = 0.0
        for i in range(n):
            total += x ** i
        return total
    return of_factory


QUARTIC = polynomial(5)


class Model:
    def __init__(self, v=0.0):
        self.v, self.power, self.product, self.pair = v, power, product, pair

    def step(self):
        self.v = kepler(self.v, 0.3)

    def dot(self, a):
        return product(a * self.v, a)


MODEL, TABLE = Model(), [power, product]


def overwritten(v):
    w = v.copy()
    y = product(w, w)
    w[0] = 100.0
    return y + w.sum()


def the_same_array(v):
    y = whole(v * 1.0)
    y[0] = y[1] * 3
    return (y * y).sum()


def a_view(v):
    w = v * 2.0
    y = tail(w)
    y[0] = w[0] * 5
    return (w ** 2).sum() + y[1]


def updated(v):
    w = v * 1.0
    y = scaled(w, 2.0)
    w *= 3
    return product(y, w)


def two_values(v):
    a, b = pair(v[0], v[1])
    return a * b * pair(v[1], v[2])[0] + v[2]


def defaults_and_keywords(v):
    return first(v, 3) + power(v[0]) + power(v[1], k=2.0)


def in_a_loop(v):
    s = 0.0
    for i in range(4):
        s = s + kepler(v[i], 0.2) * QUARTIC(s + 0.1)
    return s


def written(v):
    return doubled_in_place(v * 1.0) + v[1]


def raised(v):
    try:
        return root(-v[0] * v[0])
    except ValueError:
        return v[0] ** 3


def nested(v):
    return product(scaled(v, v[0]), v)


def of_an_attribute(v):
    return MODEL.power(v[0]) * v[1] + TABLE[0](v[1]) + TABLE[1](v, v) + TABLE[0](v[2], k=2.5)


def apply(g, *args):
    return g(*args)


def handed_on(v):
    return apply(power, v[0], 2.0) * apply(product, v, v)


def overwritten_later(v):
    w = v * 1.0
    y = MODEL.product(w, w)
    w[0] = 10.0
    return y + w.sum()


def in_containers(v):
    state = {'v': v[0], 'all': [v[1]]}
    for _ in range(3):
        state['v'] = MODEL.power(state['v'] + 1.0, 0.5)
        state['all'].append(MODEL.product(v, v) * state['v'])
    return sum(state['all'])


def in_objects(v):
    model = Model(v[0])
    for _ in range(3):
        model.step()
    return model.dot(v)


def elements_of_attributes(v):
    model = Model(v * 2.0)
    model.v[0] = power(model.v[1])
    model.v[2] = product(model.v, model.v)
    return product(model.v, v)


def not_compiled(v):
    return differences(np.outer(v, v).reshape(2, 2, 4)) * v[0]


PROGRAMS = [overwritten, the_same_array, a_view, updated, two_values, defaults_and_keywords, in_a_loop, written, raised, nested,
            of_an_attribute, handed_on, overwritten_later, in_containers, in_objects, elements_of_attributes, not_compiled]
V, D = np.array([0.3, 0.7, 1.1, 0.2]), np.array([0.1, -0.2, 0.5, 0.3])


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_all_modes(f):
    slope = (f(V + 1e-6 * D) - f(V - 1e-6 * D)) / 2e-6
    value, gradient = tangent.value_and_grad(f)(V)
    assert value == f(V)
    for found in (gradient @ D, tangent.grad(f, optimized=False)(V) @ D, tangent.jvp(f)(V, D)):
        np.testing.assert_allclose(found, slope, 1e-6, 1e-8)
    change = (tangent.grad(f)(V + 1e-6 * D) - tangent.grad(f)(V - 1e-6 * D)) @ D / 2e-6
    for found in (tangent.grad(lambda z: np.sum(tangent.grad(f)(z) * D))(V) @ D, tangent.hvp(f)(V, D) @ D,
                  tangent.grad(lambda z: tangent.jvp(f)(z, D))(V) @ D):
        np.testing.assert_allclose(found, change, 1e-5, 1e-6)


def test_which_are_compiled():
    assert all(map(is_compiled, [kepler, product, scaled, whole, pair, first, power, root, QUARTIC]))
    assert not any(map(is_compiled, [noisy, printed, doubled_in_place, calls_noisy, kepler.py_func, np.sin, 3]))


def orbit(mean, e):
    return 2 * np.sin(kepler(mean, e))


def test_the_text_calls_the_compiled_adjoint():
    df = tangent.grad(orbit)
    assert 'for ' not in df.source and 'kepler_adjoint(mean, e, ' in df.source and 't = kepler(mean, e)' in df.source
    df(0.7, 0.3)
    adjoint = adjoint_of(kepler, ('mean',))
    assert adjoint.compiled.signatures and not adjoint.left


def test_by_text_where_that_is_asked_for():
    df = tangent.grad(orbit, jit=False)
    assert 'for ' in df.source
    np.testing.assert_allclose(df(0.7, 0.3), tangent.grad(orbit)(0.7, 0.3), 1e-12)


def test_what_numba_does_not_compile_is_run_by_cpython():
    df = tangent.grad(lambda a: differences(a))
    assert is_compiled(differences)
    a = np.arange(24.0).reshape(2, 3, 4) ** 2
    np.testing.assert_allclose(df(a), tangent.grad(differences.py_func)(a))
    assert adjoint_of(differences, ('a',)).left
    np.testing.assert_allclose(df(a), tangent.grad(differences.py_func)(a))


def test_draws_are_not_repeated():
    @numba.njit
    def seeded(n):
        np.random.seed(n)
    f = lambda x: noisy(x) * x  # noqa: E731
    seeded(3)
    value = f(2.0)
    seeded(3)
    found, gradient = tangent.value_and_grad(f)(2.0)
    assert np.isfinite(gradient) and np.isfinite(found) and np.isfinite(value)
    np.testing.assert_allclose(gradient, found, 1e-12)        # f = x * x * r: its gradient is 2 x r, which is f for x = 2


def test_exported(tmp_path):
    for made, more in ((tangent.grad(orbit), ()), (tangent.jvp(orbit), (1.0,))):
        space = {}
        exec(compile(tangent.export_source(made), 'exported', 'exec'), space)
        np.testing.assert_allclose(space[made.__name__](0.7, 0.3, *more), made(0.7, 0.3, *more), 1e-12)
