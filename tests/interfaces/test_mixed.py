"""Pieces of a reverse pass that are differentiated by forward mode."""
import tracemalloc

import numpy as np
import pytest

import tangent
from tangent import errors


@tangent.forward_inside
def settled(a, n, b=0.0):
    x = 1.0
    for _ in range(n):
        x = 0.5 * (x + a / x) + b
    return x


@tangent.forward_inside
def containers(params, v):
    return {'s': params['p'] * v, 't': (np.sin(params['p']), [params['q'] * v[0]])}


def alone(a):
    return settled(a * a, 20) ** 2


def by_keyword(a):
    return settled(a * a, 20, b=a * 0.01) ** 2


def by_star(a):
    given = (a, 7)
    return settled(*given, **{'b': a * 0.1})


def in_a_loop(a):
    t = a
    for _ in range(3):
        t = settled(t * a, 5) + t
    return t


def of_a_closure(a):
    f = tangent.forward_inside(lambda v: np.sin(v * a) * v)
    return f(a) ** 2


def as_a_decorator(a):
    @tangent.forward_inside
    def f(v, w=1.0):
        return np.sin(v * a) * v * w
    return f(a, w=a) ** 2


def of_containers(a):
    r = containers({'p': a, 'q': a * a}, np.array([1.0, 2.0]) * a)
    return np.sum(r['s']) + r['t'][0] * r['t'][1][0]


def beside_reverse_mode(a):
    x = np.array([1.0, 2.0, 3.0]) * a
    return np.sum(np.tanh(x) * settled(x[1], 9)) + settled(a, 3)


FUNCTIONS = [alone, by_keyword, by_star, in_a_loop, of_a_closure, as_a_decorator, of_containers, beside_reverse_mode]


@pytest.mark.parametrize('f', FUNCTIONS)
def test_first_derivatives(f):
    h = 1e-5
    expected = (f(1.3 + h) - f(1.3 - h)) / (2 * h)
    assert tangent.grad(f)(1.3) == pytest.approx(expected, rel=1e-8)
    assert tangent.jvp(f)(1.3, 1.0) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize('f', [alone, by_star, of_a_closure, as_a_decorator])
def test_second_derivatives(f):
    df, h = tangent.grad(f), 1e-5
    expected = (df(1.3 + h) - df(1.3 - h)) / (2 * h)
    assert tangent.vjp(df)(1.3, 1.0, 1.0) == pytest.approx(expected, rel=1e-7)
    assert tangent.hvp(f)(1.3, 1.0) == pytest.approx(expected, rel=1e-7)


def test_the_source_says_so():
    assert 't, settled_back = pullback(settled, (0,))(a * a, 20)' in tangent.source(tangent.grad(alone))


def test_it_is_the_function_itself():
    assert settled(4.0, 20) == pytest.approx(2.0)
    assert settled.__name__ == 'settled'


def test_nothing_is_kept():
    def f(a):
        return settled(a, 20_000)

    def plain(a):
        return settled.function(a, 20_000)

    def peak(df):
        for _ in range(2):            # for numbers it is made when they come again
            df(2.0)
        tracemalloc.start()
        df(2.0)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found
    assert peak(tangent.grad(f)) < 20_000 < 400_000 < peak(tangent.grad(plain))


def test_forward_passes_are_made_for_what_is_wanted_alone():
    runs = []

    @tangent.forward_inside
    def f(x, data):
        runs.append(0)
        return np.sum(x * data)
    big = np.ones(1000)
    np.testing.assert_array_equal(tangent.grad(lambda x: f(x, big))(np.array([3.0])), [1000.0])
    assert len(runs) == 2


def test_complex_numbers_are_refused():
    f = tangent.forward_inside(lambda z: z * z)
    with pytest.raises(errors.ComplexNotImplementedError, match='leave it to reverse mode'):
        tangent.grad(lambda x: abs(f(x * 1j)))(2.0)
