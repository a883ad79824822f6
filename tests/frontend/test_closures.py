"""Functions as values: closures, calls known only when running, *args, derivatives inside differentiated code."""
import copy
import functools
import math

import numpy as np
import pytest

import tangent
from tangent.driver import derivation
from tangent.driver.dispatch.reverse import pullback
from tests.corpora.programs import functions_closures
from tests.tools.checking import assert_close, differences


@pytest.mark.parametrize('case', functions_closures.CASES + functions_closures.ONCE, ids=lambda c: c.label)
def test_gradient(case):
    df = tangent.grad(case.function, wrt=case.wrt)
    found = df(*copy.deepcopy(case.args))
    found = [found] if len(case.wrt) == 1 else list(found)
    for b, expected in zip(found, differences(case.function, case.args, case.wrt), strict=True):
        assert_close(b, expected)
    raw = tangent.grad(case.function, wrt=case.wrt, optimized=False)(*copy.deepcopy(case.args))
    for b, expected in zip([raw] if len(case.wrt) == 1 else raw, found, strict=True):
        assert_close(b, expected, 1e-12)


@pytest.mark.parametrize('case', functions_closures.CASES, ids=lambda c: c.label)
def test_second_derivative(case):
    df = tangent.grad(case.function, wrt=case.wrt[:1])

    def first(*args):
        return np.sum(df(*args))
    ddf = tangent.vjp(df, wrt=case.wrt[:1])
    position = case.wrt[0]
    seed = np.ones_like(case.args[position]) if isinstance(case.args[position], np.ndarray) else 1.0
    names = df.__code__.co_varnames[:df.__code__.co_argcount]
    seed_of_df = {names[-1]: 1.0} if len(names) > len(case.args) else {}
    found = ddf(*copy.deepcopy(case.args), *seed_of_df.values(), seed)
    assert_close(found, differences(first, case.args, [position])[0], 1e-5)


D = tangent.grad


def test_perturbations_are_not_confused():
    assert D(lambda x: x * D(lambda y: x + y)(1.0))(1.0) == 1
    assert D(lambda x: x * D(lambda y: x * y)(1.0))(4.0) == 8
    assert D(lambda x: x * D(lambda y: x + y)(1))(1) == 1
    assert D(lambda x: x * D(lambda y: x * y)(1))(4) == 8


def test_perturbations_are_not_confused_through_names():
    def f(x):
        g = lambda y: x * y  # noqa: E731
        d = D(g)
        r = d(1.0)
        return x * r

    def h(x):
        def g(y):
            return x + y
        r = D(g)(1.0)
        return x * r
    assert D(f)(4.0) == 8
    assert D(h)(1.0) == 1


@pytest.mark.parametrize('order', range(1, 5))
def test_orders(order):
    df = lambda x: x ** 6  # noqa: E731
    for _ in range(order):
        df = D(df)
    assert df(1.3) == pytest.approx(math.prod(range(7 - order, 7)) * 1.3 ** (6 - order))


def test_third_order_with_helpers():
    def layer(x):
        return x * x * x * x

    def fun(x):
        return np.sum(layer(x))

    def first(x):
        return np.sum(D(fun)(x))

    def second(x):
        return np.sum(D(first)(x))
    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(D(second)(x), 24 * x)


# Gradients of function values

def test_gradient_of_a_closure_is_that_of_its_captures():
    def make(w, b):
        return lambda x: w * x + b

    def f(g, x):
        return g(x) * g(x)
    bg, bx = tangent.grad(f, wrt=(0, 1))(make(3.0, 1.0), 2.0)
    assert bg == {'w': 2 * 7.0 * 2.0, 'b': 2 * 7.0}
    assert bx == 2 * 7.0 * 3.0


def test_gradient_of_a_closure_that_is_not_called():
    w = np.array([1.0, 2.0])
    bg = tangent.grad(lambda g, x: x, wrt=(0, 1))(lambda x: w * x, 2.0)[0]
    np.testing.assert_array_equal(bg['w'], [0.0, 0.0])


def test_closures_in_closures():
    def make(w):
        inner = lambda x: w * x  # noqa: E731
        return lambda x: inner(x) * x
    bg = tangent.grad(lambda g, x: g(x))(make(3.0), 2.0)
    assert bg == {'inner': {'w': 4.0}}


def test_gradients_of_a_list_of_closures():
    def make(w):
        return lambda x: w * x

    def chain(layers, x):
        for layer in layers:
            x = layer(x)
        return x
    found = tangent.grad(chain)([make(2.0), make(3.0), make(5.0)], 1.0)
    assert found == [{'w': 15.0}, {'w': 10.0}, {'w': 6.0}]


def test_gradient_of_a_partial():
    def f(g, x):
        return g(x)
    bg = tangent.grad(f)(functools.partial(functions_closures.exponent, k=2, factor=3.0), 2.0)
    assert bg['factor'] == 4.0


# Signatures

def test_gradients_of_args_and_kwargs():
    def f(x, *args, **keywords):
        return x * args[0] * keywords['w'] + args[1]
    df = tangent.grad(f, wrt=('x', 'args', 'keywords'))
    assert df(2.0, 3.0, 5.0, w=4.0) == (12.0, (8.0, 1.0), {'w': 6.0})
    assert tangent.grad(f, wrt=(0, 2))(2.0, 3.0, 5.0, w=4.0) == (12.0, 1.0)
    assert tangent.grad(f, wrt=1)(2.0, 3.0, 5.0, w=4.0, bf=2.0) == 16.0
    assert tangent.value_and_grad(f, wrt=1)(2.0, 3.0, 5.0, w=4.0) == (29.0, 8.0)


def test_callables_of_all_kinds():
    assert tangent.grad(functions_closures.SCALE)(2.0) == 3.0
    assert tangent.grad(functions_closures.SCALE.times)(2.0) == 12.0
    assert tangent.grad(functions_closures.cached)(2.0) == 4.0
    assert tangent.grad(functools.partial(functions_closures.exponent, k=3))(2.0) == 12.0
    assert tangent.grad(functools.partial(functions_closures.exponent, 2.0), wrt=1)(3.0, 5.0) == 8.0


# Caches

def test_closures_made_anew_are_not_derived_anew(monkeypatch):
    def make(w):
        return lambda x: w * x * x
    assert tangent.grad(make(3.0))(2.0) == 12.0
    monkeypatch.setattr(derivation.Derivation, 'derived', None)      # a derivation would fail
    assert tangent.grad(make(5.0))(2.0) == 20.0


def test_both_halves_of_a_closure_made_anew_have_its_captures_and_defaults():
    def make(w):
        def f(x, more=w, *, factor=w):
            return w * x + more * factor
        return f
    for w in 2.0, 3.0:
        pull, value = tangent.make_vjp(make(w))(5.0)
        assert (pull(1.0), value) == (w, 5 * w + w * w)
        assert tangent.autodiff(make(w), motion='split')(5.0, init_grad=1.0) == w
        assert tangent.grad(make(w), wrt='more')(5.0) == w


def test_other_kinds_of_captures_are_derived_anew():
    def make(w):
        return lambda x: np.sum(w * x)
    assert tangent.grad(make(3.0))(2.0) == 3.0
    assert tangent.grad(make(np.array([1.0, 2.0])))(2.0) == 3.0


def test_captured_functions_are_looked_at():
    def make(f):
        return lambda x: f(x) * x
    assert tangent.grad(make(math.sin))(2.0) == pytest.approx(math.cos(2.0) * 2 + math.sin(2.0))
    assert tangent.grad(make(functions_closures.square))(2.0) == pytest.approx(12.0)
    assert tangent.grad(make(math.cos))(2.0) == pytest.approx(-math.sin(2.0) * 2 + math.cos(2.0))


def test_captured_functions_are_looked_at_when_dispatched():
    def make(f):
        return lambda x: f(x) * x

    def run(g, x):
        return g(x)
    df = tangent.grad(run, wrt=1)
    assert df(make(math.sin), 2.0) == pytest.approx(math.cos(2.0) * 2 + math.sin(2.0))
    assert df(make(math.cos), 2.0) == pytest.approx(-math.sin(2.0) * 2 + math.cos(2.0))


def test_recursive_closures_when_dispatched():
    def make(w):
        def power(x, n):
            return x if n == 0 else w * x * power(x, n - 1)
        return power

    def run(g, x):
        return g(x, 3)
    df = tangent.grad(run, wrt=(0, 1))
    for w in (2.0, 3.0):
        bg, bx = df(make(w), 1.5)
        assert bg['w'] == pytest.approx(3 * w ** 2 * 1.5 ** 4)
        assert bx == pytest.approx(4 * w ** 3 * 1.5 ** 3)


def test_defaults_of_functions_made_anew():
    functions = [lambda x, k=k: x * k for k in (2.0, 3.0)]
    assert [tangent.grad(f)(1.0) for f in functions] == [2.0, 3.0]
    assert [pullback(f, (0,))(1.0)[1](1.0) for f in functions] == [2.0, 3.0]


def test_dispatch_follows_rebound_globals():
    namespace = functions_closures.__dict__
    df = tangent.grad(functions_closures.passed_in)
    before, kept = df(1.3), namespace['square']
    namespace['square'] = lambda x: x ** 3
    try:
        assert df(1.3) == pytest.approx(before - 2 * 2 * 1.3 + 2 * 3 * 1.3 ** 2)
    finally:
        namespace['square'] = kept


# Errors

def test_callee_without_rule_or_source():
    def f(g, x):
        return g(x)
    with pytest.raises(tangent.TangentError, match='hash|bytearray|no rule|source'):
        tangent.grad(f, wrt=1)(bytearray().extend, 2.0)


def test_callee_that_writes_what_its_caller_may_read():
    kept = [0.0]

    def writes(x):
        kept[0] = x
        return x * 2

    def f(g, x):
        return g(x) + kept[0]
    with pytest.raises(tangent.errors.AliasError, match='kept'):
        tangent.grad(f, wrt=1)(writes, 1.5)
