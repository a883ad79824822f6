"""What `inspect` tells of functions and objects: parameters paired with arguments, which have a derivative; attributes held."""
import functools
import inspect
import types

import numpy as np
import pytest

import tangent


def checked(f):
    """As decorators of packages look at what is given."""
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        signature = inspect.signature(f)
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        several = [p.name for p in signature.parameters.values() if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        for name, value in {k: v for k, v in given.arguments.items() if k not in several}.items():
            if not isinstance(value, (float, np.ndarray, np.floating)):
                raise TypeError(name)
        return f(*args, **kwargs)
    return wrapper


@checked
def product(x, y=3.0):
    return x * x * y


@checked
def scaled(xs, *rest, power, **more):
    return np.sum(xs * xs) * power * more['c'] + sum(rest)


def twice(x):
    return product(x, y=2.0 * x) + product(x)


def of_many(x):
    return scaled(np.array([x, 2.0 * x]), x, x * x, power=x * x, c=3.0 * x)


def paired(x):
    given = inspect.signature(product).bind(x, y=x * 2.0)
    return given.arguments['x'] * given.arguments['y']


def in_parts(x):
    given = inspect.signature(product).bind_partial(y=x)
    given.arguments['x'] = x * x
    return product(**given.arguments)


def by_default(x):
    given = inspect.signature(product).bind(x)
    given.apply_defaults()
    return given.arguments['x'] * given.arguments['y'] * len(given.arguments)


def several(x):
    given = inspect.signature(lambda a, /, *rest, **more: None).bind(x, 2.0 * x, x * x, c=x, d=3.0)
    rest, more = given.arguments['rest'], given.arguments['more']
    return rest[1] * more['c'] + given.arguments['a'] * rest[0] + more['d']


def held(x):
    thing = types.SimpleNamespace(a=x * x, b=2.0)
    return inspect.getattr_static(thing, 'a') * x + inspect.getattr_static(thing, 'c', x)


def asked(x):
    return x * 2.0 if inspect.getattr_static(np.asarray(x), 'columns', None) is None else x


@pytest.mark.parametrize('f', [twice, of_many, paired, in_parts, by_default, several, held, asked])
def test_of_signatures(f):
    wanted = (f(3.0 + 1e-6) - f(3.0 - 1e-6)) / 2e-6
    df, forward = tangent.grad(f), tangent.jvp(f)
    for _ in range(4):
        assert df(3.0) == pytest.approx(wanted, rel=1e-7)
        assert forward(3.0, 1.0) == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize('call', [lambda x: inspect.signature(product).bind(x, x, x), lambda x: inspect.signature(product).bind(z=x),
                                  lambda x: inspect.signature(product).bind()])
def test_what_does_not_fit_is_said_by_python(call):
    def f(x):
        return call(x).arguments['x']
    for df in (tangent.grad(f), lambda x: tangent.jvp(f)(x, 1.0)):
        with pytest.raises(TypeError, match='argument'):
            df(3.0)


@pytest.mark.parametrize('copy', [None, False, True, np._CopyMode.ALWAYS, np._CopyMode.IF_NEEDED])
def test_arrays_that_are_copied_if_needed(copy):
    def f(x):
        return np.sum(np.array(x, dtype=float, copy=copy) ** 2)
    x = np.array([1.0, 2.0])
    assert np.array_equal(tangent.grad(f)(x), 2 * x) and tangent.jvp(f)(x, np.ones(2)) == 6.0


@pytest.mark.parametrize('weights', [None, np.array([1.0, 3.0])])
def test_averages_without_weights(weights):
    def mean(x, weights=None):
        return np.average(x * x, weights=weights, axis=0)

    def f(x):
        given = {'weights': weights, 'x': x}
        return mean(given['x'], weights=given['weights'])
    x, by = np.array([1.0, 2.0]), np.full(2, 0.5) if weights is None else weights / 4
    for _ in range(4):
        assert np.allclose(tangent.grad(f)(x), 2 * x * by)
