"""Whatever a name is of, its method is the one that is called: right, or refused with the user's line; never that of another
class, of a module or of what was there before."""
import functools
import importlib
import math
import operator
import types

import numpy as np
import pytest

import tangent
from tangent.driver.dispatch import forward, reverse
from tests.tools import checking

X = 1.3


class A:
    def __init__(self, w):
        self.w = w

    def f(self, x):
        return self.w * x ** 2


class B:
    def __init__(self, w):
        self.w = w

    def f(self, x):
        return self.w * x ** 3


class Layer:
    table, inner = [1.0, 2.0], B(2.0)
    Inner, arrays = B, np.array([1.0, 2.0])

    def erf(self, x):
        return np.exp(x) * 2

    def exp(self, x):
        return x ** 3

    def shared(self, x):
        return self.inner.f(x) + sum(self.table) * x

    def made(self, x):
        return self.Inner(x).f(x)


def module_in_a_variable(x):
    xp = np if x > 0 else math
    return xp.exp(x) * Layer().exp(x)


def own_module_in_a_variable(x):
    here = types.SimpleNamespace(f=lambda v: v ** 5)
    return here.f(x) + A(2.0).f(x)


def of_the_class(x):
    return Layer().shared(x) + A(2.0).f(x)


def inner_class(x):
    return Layer().made(x) + A(x).f(x)


def helper(x, o=B(2.0)):                                         # noqa: B008
    return o.f(x)


def default_of_a_helper(x):
    return helper(x) + A(2.0).f(x)


def iterator(x):
    return sum(o.f(x) for o in iter([A(2.0), B(x)]))


class Run:
    def __init__(self, w):
        self.w = w

    def g(self, x):
        return self.w * x

    def run(self, x):
        return self.g(x) * x


class Other(Run):
    def g(self, x):
        return self.w * x ** 3

    def run(self, x):
        return Run.run(self, x) + x


def method_of_the_base(x):
    return Other(2.0).run(x)


class Left(Run):
    def g(self, x):
        return 2 * super().g(x)


class Right(Run):
    def g(self, x):
        return x * x * super().g(x)


class Bottom(Left, Right):
    def g(self, x):
        return super().g(x) + 1


def siblings(x):
    return Bottom(1.0).g(x)


class Value:
    def __init__(self, v):
        self.v = v

    def val(self):
        return self.v

    def of(self, other):
        self = other                                             # noqa: PLW0642
        return self.val()

    def inside(self, x):
        def val(self):
            return self.val()
        return val(Power(x)) + val(self)


class Power(Value):
    def val(self):
        return self.v ** 4


def rebound_self(x):
    return Value(x).of(Power(x * x))


def borrowed(x):
    return Value.of(Power(x), Value(x)) + Value.inside(Power(x), x)


class Base:
    def opt(self, x):
        pass


class Given(Base):
    def opt(self, x):
        return x ** 2


def method_that_gives_nothing(x):
    s = 0.0
    for o in [Base(), Given()]:
        r = o.opt(x)
        s += x if r is None else r * x
    return s


def function_put_on_an_object(x):
    o = A(2.0)
    o.f = lambda v: v ** 4
    return o.f(x)


def method_put_on_another(x):
    o, p = A(x), B(x * x)
    o.f = p.f
    return o.f(x)


class Swapped:
    def __init__(self, a, b):
        self.b, self.a = a, b

    def total(self):
        return self.a ** 2 * self.b


def by_keywords(x):
    return Swapped(b=x, a=2.0).total() + Renamed(width=x, height=2.0).area()


class Renamed:
    def __init__(self, width, height):
        self.w = width
        self.h = height

    def area(self):
        return self.w * self.h


class Meta(type):
    def __call__(cls, v):
        return super().__call__(v * v)


class OfMeta(metaclass=Meta):
    def __init__(self, v):
        self.v = v

    def triple(self):
        return 3 * self.v


def metaclass(x):
    return OfMeta(x).triple()


class Keywords:
    rate = 3.0

    def scaled(self, x0, class0=2.0, type=1.0):
        return x0 * class0 * type

    def several(self, x):
        yield x
        yield x * x

    @classmethod
    def rated(cls, x):
        return x * cls.rate


def names_of_arguments(x):
    return Keywords().scaled(x0=x, class0=x, type=x)


def generator_method(x):
    return sum(Keywords().several(x))


def class_method(x):
    return Keywords().rated(x)


def class_in_a_variable(x):
    o = A(x)
    return type(o).f(o, x) + o.__class__.f(o, x)


FUNCTIONS = [f for name, f in list(vars().items()) if isinstance(f, types.FunctionType) and f.__code__.co_varnames[:1] == ('x',)
             and f is not helper]


@pytest.mark.parametrize('mode', ['reverse', 'forward'])
@pytest.mark.parametrize('function', FUNCTIONS, ids=lambda f: f.__name__)
def test_right_or_refused(function, mode):
    try:
        found = tangent.grad(function)(X) if mode == 'reverse' else tangent.jvp(function)(X, 1.0)
    except tangent.TangentError as error:
        assert 'test_called.py:' in str(error)
    else:
        assert found == pytest.approx((function(X + 1e-6) - function(X - 1e-6)) / 2e-6, 1e-6)


def test_most_of_them_are_right():
    refused = 'metaclass',
    for function in FUNCTIONS:
        if function.__name__ not in refused:
            assert tangent.grad(function)(X) == pytest.approx((function(X + 1e-6) - function(X - 1e-6)) / 2e-6, 1e-6)


def used(o, x):
    return o.g(x)


def test_a_method_that_a_subclass_gets_later():
    class Later(Run):
        pass
    df = tangent.grad(used, wrt=1)
    assert df(Later(2.0), X) == 2.0
    Later.g = lambda self, x: x ** 2
    assert df(Later(2.0), X) == pytest.approx(2 * X)


def with_a_default_for_a_name(x):
    def f(x, *args, scale=1.5, **kw):
        return scale * x * sum(args) + kw.get('off', 0.0) * x
    return f(x, *[2.0, x], *[x], **{'off': x})


@pytest.mark.parametrize('mode', ['grad', 'jvp'])
def test_a_function_that_is_made_anew_with_equal_defaults_is_derived_once(mode, monkeypatch):
    """Each call derived it again, where a default stood behind `*args`."""
    module = reverse if mode == 'grad' else forward
    made, original = [], module._made
    monkeypatch.setattr(module, '_made', lambda function, *rest: made.append(function) or original(function, *rest))
    derivative = getattr(tangent, mode)(with_a_default_for_a_name)
    given = (X,) if mode == 'grad' else (X, 1.0)
    wanted = checking.differences(with_a_default_for_a_name, (X,), (0,))[0]
    assert [derivative(*given) for _ in range(2)] == [pytest.approx(wanted)] * 2
    before = len(made)
    assert [derivative(*given) for _ in range(3)] == [pytest.approx(wanted)] * 3
    assert len(made) - before <= 1                               # of the text for the kinds of the arguments


def maker_with_a_list():
    def inner(u, seen=[]):                                # noqa: B006
        seen.append(u * u)
        return sum(seen)
    return inner


def maker_with_an_array():
    def inner(u, *, seen=np.ones(2)):                     # noqa: B008
        seen[0] *= u
        return seen[0] + seen[1]
    return inner


def made_twice(make, x):
    a, b = make(), make()
    return a(x) * b(2 * x) + a(x * x) * b(x)


@pytest.mark.parametrize('make', [maker_with_a_list, maker_with_an_array])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_default_values_that_are_written_into_are_refused(make, derivative):
    """Forward mode lost what they kept."""
    with pytest.raises(tangent.errors.AliasError, match=r'test_called.py:\d+: .*writes a value with a derivative into seen'):
        derivative(made_twice, wrt=1)(make, 0.7, *[1.0] * (derivative is tangent.jvp))


def held_in_front(x):
    return functools.partial(operator.mul, x)(2.0)


def held_by_name(x):
    return calls(functools.partial(lambda u, k: u * k[1], k=[x, x]), 2.0)


def calls(f, x):
    return f(x)


@pytest.mark.parametrize('f', [held_in_front, held_by_name])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_integers_that_a_partial_holds_are_no_constants(f, derivative):
    """The derivative was zero."""
    with pytest.raises(tangent.TangentError, match=r'test_called.py:\d+: .*made of integers, .*make it of floats'):
        derivative(f)(3, *[1.0] * (derivative is tangent.jvp))


def held_in_a_partial_of_a_partial(x):
    return functools.reduce(lambda a, b: a * x + b, [1, 2, 3]) + functools.partial(calls, lambda t: t * x)(3.0)


def test_integers_that_a_function_inside_has_captured():
    """They were taken for counts where a partial holds that function."""
    for _ in range(4):
        assert tangent.grad(held_in_a_partial_of_a_partial)(2) == 2 * 2 + 2 + 3
    assert tangent.jvp(held_in_a_partial_of_a_partial)(2, 1.0) == 9


def composed_of_closures(x):
    f = functools.reduce(lambda f, g: lambda v: g(f(v)), [lambda v: v * x, np.sin, lambda v: v + x])
    return f(x)


def test_integers_that_closures_of_closures_have_captured():
    """The derivative of the first was lost."""
    df = tangent.grad(composed_of_closures)
    for _ in range(4):
        assert df(2) == pytest.approx(4 * np.cos(4) + 1)
    assert df(0.5) == pytest.approx(np.cos(0.25) + 1)


def test_counts_that_a_partial_holds():
    def f(x, n):
        return functools.partial(lambda u, k, w: u[:k].sum() * w, k=n, w=x[0])(x)
    x = np.array([0.5, 2.0, 3.0])
    np.testing.assert_allclose(tangent.grad(f)(x, 2), [3.0, 0.5, 0.0])
    assert tangent.jvp(f)(x, 2, np.ones(3)) == pytest.approx(3.5)


def test_function_made_here_is_not_a_global_of_another_module(tmp_path, monkeypatch):
    """The name that a lambda got was taken for that of a function in the module of another callee: a wrong number."""
    (tmp_path / 'others_fn.py').write_text('def fn(v):\n    return v * v\n\n\ndef h(x):\n    t = fn(x)\n    return t * t\n')
    (tmp_path / 'calls_fn.py').write_text(
        'from others_fn import h\n\n\ndef apply(g, x):\n    y = g(x)\n    return y * y\n\n\n'
        'def f(x):\n    return apply(lambda v: v * v * 3.0, x) + h(x)\n')
    monkeypatch.syspath_prepend(tmp_path)
    df = tangent.grad(importlib.import_module('calls_fn').f)
    assert [df(2.0) for _ in range(4)] == [36 * 2.0 ** 3 + 4 * 2.0 ** 3] * 4


def named_like_the_library(push, pop, add_grad, unbroadcast, pullback, numpy, init_grad):
    def f(x):
        def inner(v, m):
            for _ in range(m):
                v = np.sin(v) * v if v[0] > 0.3 else v * v
            return v
        return np.sum(inner(x, 3) * x) * push + pop * x[0] * add_grad * unbroadcast + pullback * numpy * x[1] * init_grad
    return f


def test_captured_names_of_the_library():
    """A function inside another has all cells of that: one called `push` stood in the place of the tape's (`TypeError`)."""
    f, x = named_like_the_library(*np.linspace(1.0, 2.0, 7)), np.array([0.5, 0.8])
    df, push = tangent.grad(f), tangent.jvp(f)
    expected, = checking.differences(f, (x,), (0,))
    for _ in range(4):
        checking.assert_close(df(x), expected)
        checking.assert_close(push(x, np.array([1.0, 0.5])), expected @ [1.0, 0.5])
