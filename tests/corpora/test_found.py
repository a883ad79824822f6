"""Bugs that the samples of all rules and autograd's own tests have found: each is a test of its own name, twice over."""
import collections
import functools
import importlib
import operator
import sys

import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

V = np.array([1.0, 2.0, 0.5])
check = tangent.check_grads


def test_functions_of_the_operator_module_as_they_are():
    check(operator.mul, (0, 1))(1.2, V)
    check(operator.mod, (0, 1))(3.3, 2.0)


def test_operator_getitem():
    check(lambda x: operator.getitem(x, 1) ** 2)(V)
    check(lambda x: operator.getitem(x, 'a') ** 2)({'a': 1.5, 'b': 2.0})
    check(lambda x: operator.getitem(x, slice(0, 2)) ** 2)(V)


def test_absolute_value_of_a_complex_number_twice():
    check(np.abs)(1 + 2j)


def test_item_twice():
    check(lambda v: (v * v).sum().item())(V)
    check(lambda v: (v * v).item(1))(V)


def test_math_fmod_of_numbers_of_numpy():
    import math
    for kind in np.float32, np.longdouble:
        dx, dy = tangent.grad(lambda x, y: math.fmod(x, y), (0, 1))(kind(5.5), kind(2))
        assert (dx, dy) == (1, -2)


@pytest.mark.parametrize('kind', [np.float32, np.float16, np.longdouble])
@pytest.mark.parametrize('f', [lambda x: x, lambda x: x + 1.0, lambda x: 3.0 * x, lambda x: np.sin(x) * x, abs])
def test_numbers_of_numpy_have_gradients_of_their_own_type(f, kind):
    for df in tangent.grad(f), lambda x: tangent.value_and_grad(f)(x)[1], lambda x: tangent.vjp(f)(x, 1.0):
        assert type(df(kind(2))) is kind


def test_ufunc_subtract_reduces_arrays_of_several_axes():
    check(lambda a: np.subtract.reduce(a))(np.ones((3, 2)))
    check(lambda a: np.subtract.reduce(a, axis=-1))(np.ones((2, 3, 2)))


def test_ix_twice():
    check(lambda a: np.ix_(a, a * a)[1])(V)
    check(lambda a: np.ix_([True, False, True], a * a)[1])(V)


def test_complex_results_in_tuples_three_times():
    check(np.dot, (0, 1), order=3)(1.5 + 0.5j, np.array([3j, 4, 1.0]))


DICTS = {
    'pairs': lambda x: dict([('a', x)])['a'] * x,
    'pairs and keywords': lambda x: dict([('a', x)], b=x * x)['b'],
    'dict and keywords': lambda x: dict({'b': 2.0, 'a': x}, b=x * x, c=1.0)['b'] * x,
    'keywords': lambda x: dict(a=x, b=2.0)['a'] * x,
    'names and values': lambda x: dict(zip(['a', 'b'], [x, x * x]))['b'],
    'comprehension of pairs': lambda x: dict([(k, x * x * i) for i, k in enumerate('abc')])['c'],
    'unpacked': lambda x: {**dict([('a', x)]), 'b': x}['a'] * x,
    'sorted items': lambda x: [v for k, v in sorted({'b': x, 'a': x * x}.items())][0],
    'sorted items by key': lambda x: [v for k, v in sorted({'b': x, 'a': x * x}.items(), key=lambda kv: kv[0])][0],
}


@pytest.mark.parametrize('name', DICTS)
def test_dicts_made_of(name):
    check(DICTS[name])(1.7)


def ordered(table):
    total = 0.0
    for i, (_, v) in enumerate(sorted(table.items(), key=operator.itemgetter(0))):
        total = total + np.sum(np.sin(v)) * (i + 1.0)
    return total


def paired(table):
    total = 0.0
    for pair in table.items():
        total = total + pair[1] ** 2
    return total


@pytest.mark.parametrize('f', [ordered, paired])
def test_loops_over_items(f):
    check(f)({'b': 2.0, 'a': 3.0})


@pytest.mark.parametrize('key', ['i', 'j'])
def test_get_with_a_default_that_has_a_derivative(key):
    check(lambda d, x: d.get(key, x) * x, (0, 1))({'i': 3.0}, 2.0)


def test_a_function_made_anew_with_other_captures_in_both_halves():
    def made(transform, n):
        return lambda x: transform(x, n)
    for n in 3, 7:
        value = tangent.make_vjp(made(np.fft.fft, n))(np.ones((2, 5)))[1]
        assert value.shape == (2, n)
        check(made(np.fft.fft, n))(np.random.default_rng(n).normal(size=(2, 5)))


def test_functions_with_rules_called_for_nothing():
    def f(x):
        functools.reduce(operator.add, [1, 2])
        operator.mul(x, x)
        return x * x
    check(f)(1.5)


def three(a, b, c):
    return a * b * b + c * c * c * a


def star_in_front(x, y, z):
    xs = [x * 2]
    return three(*xs, y, z)


def two_stars(x, y, z):
    def taken(*args, **keywords):
        return three(*args[:1], y, *args[1:], **keywords)
    return taken(x * 2, z)


def stars_of_numpy(x, y, z):
    xs = [x * 2]
    return np.multiply(*xs, y) * max(*xs, y, *[z])


def stars_in_a_list(x, y, z):
    log = []
    log.append(x * 2)
    whole = [*log, y, *[z, z * y], *log]
    log[0] = log[0] * y
    return whole[0] * whole[1] + whole[2] * whole[3] * whole[4] + log[0]


@pytest.mark.parametrize('f', [star_in_front, two_stars, stars_of_numpy, stars_in_a_list])
def test_arguments_behind_stars(f):
    check(f, (0, 1, 2), order=1)(0.7, 1.1, 0.4)


def test_get_of_a_dict_that_has_no_derivative():
    def f(d, x):
        return d.get('a', x) ** 2
    for d in ({'a': 3.0}, {'b': 3.0}, {}):
        assert tangent.grad(f, wrt=1)(d, 2.0) == (0 if 'a' in d else 4) == tangent.jvp(f, wrt=1)(d, 2.0, 1.0)


def test_methods_with_a_rule_as_values():
    """In the log form, too, and where the function is an argument."""
    stats = pytest.importorskip('scipy.stats')

    def by_value(density, x, m):
        return density(x, m, np.eye(2) * 2)

    def in_a_table(x, m):
        table = {'density': stats.multivariate_normal.logpdf}
        log = [x * 1.0]
        log[0] = log[0] * 2
        return table['density'](log[0], m) + stats.poisson.cdf(3, x[0])
    x, m = np.array([0.5, 0.9]), np.array([0.1, 0.2])
    check(lambda x, m: by_value(stats.multivariate_normal.pdf, x, m), (0, 1))(x, m)
    check(in_a_table, (0, 1), order=1)(x, m)


def test_powers_of_infinite_numbers_and_nan_with_exponent_zero():
    for x in (np.inf, -np.inf, np.nan, 0.0):
        assert tangent.grad(lambda x: x ** 0.0)(np.float64(x)) == 0 == tangent.grad(lambda x: np.power(x, 0.0))(np.float64(x))
        assert tangent.grad(lambda x, y: np.sum(x ** y))(np.array([x, 2.0]), np.array([0.0, 3.0])).tolist() == [0, 12]


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_bessel_function_of_large_numbers():
    g = tangent.grad(lambda x: np.i0(x))
    assert g(np.float64(1e4)) == np.inf and g(np.inf) == np.inf and np.isnan(g(np.nan))
    assert g(700.0) == pytest.approx(1.5285003902339e+302, 1e-9)


def test_none_in_a_tuple_that_is_taken_apart():
    """The gradient of None is None, to which nothing can be added."""
    def one(task):
        a, b = task
        c = b if b is not None else a * a
        return np.sum(c) * a

    def other(task, x):
        (t, y), (u, v) = task
        rows = v if y is not None else np.concatenate([[u], [x]])
        return np.sum(np.sin(rows)) * t

    def by_others(x, y=None, v=None):
        return other(((x, y), (x * x, v)), x)
    assert tangent.grad(one)((0.7, None)) == (pytest.approx(3 * 0.7 ** 2), None)
    assert tangent.grad(one)((0.7, 0.3)) == (pytest.approx(0.3), pytest.approx(0.7))
    check(by_others, (0,))(0.7)
    assert tangent.grad(by_others, (0, 2))(0.7, 1.0, 0.3) == pytest.approx((np.sin(0.3), 0.7 * np.cos(0.3)))


class Doubled(tuple):
    def __new__(cls, a, b):
        return super().__new__(cls, (a, b * 2))


class Number(float):
    pass


@pytest.mark.parametrize('kind', [Doubled, Number, operator.methodcaller])
def test_classes_whose_objects_are_made_by_code_that_is_not_followed(kind):
    """They are refused in both modes: each asked for the derivative of itself without end."""
    f = [lambda x, kind: kind(x)[0], lambda x, kind: kind(x, x)[0]][kind is Doubled]
    for derive in lambda: tangent.grad(f)(1.3, kind), lambda: tangent.jvp(f)(1.3, kind, 1.0):
        with pytest.raises(NotImplementedError, match=f'{kind.__name__} has no rule'):
            derive()


@pytest.mark.parametrize('name', ['numpy_helpers', 'scipy_helpers'])
def test_modules_whose_names_begin_as_those_of_libraries_do(name, tmp_path, monkeypatch):
    """What NumPy's functions are known for is not said of the user's: `copy` may hand on what it is given, `scale` writes."""
    (tmp_path / f'{name}.py').write_text('def scale(a):\n    a *= 3\n    return a * 1.0\n\n\ndef copy(a):\n    return a\n')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    helpers = importlib.import_module(name)

    def by_copy(x):
        y = x * 1.0
        z = helpers.copy(y)
        z *= 2
        return np.sum(y * z)

    def by_length(x):
        y = x.copy()
        n = len(helpers.scale(y))
        return np.sum(y * y) * n

    def by_star(x):
        y = x.copy()
        out = helpers.scale(*[y])
        return np.sum(out * y)

    for f in by_copy, by_length, by_star:
        check(f, order=1)(V)


def cat(a, b):
    return a + b


def cat_recursively(a):
    return a if len(a) <= 1 else cat_recursively(a[:1]) + cat_recursively(a[1:])


@pytest.mark.parametrize('f', [
    lambda x: cat([x[0]], [x[1]]), lambda x: functools.reduce(lambda a, b: a + b, [[x[0]], [x[1]]]),
    lambda x: (lambda a, b: a + b)((x[0],), (x[1],)), lambda x: cat_recursively([x[0], x[1]])])
def test_lists_that_the_text_does_not_show_to_be_lists(f):
    """They were taken for numbers, and the gradient of what was joined was summed into each; now right, or refused."""
    def program(x):
        s = f(x)
        return s[0] + 2 * s[1]

    try:
        found = tangent.grad(program)(V)
    except tangent.errors.ShapeError as error:
        assert '[*a, *b]' in str(error)
    else:
        np.testing.assert_allclose(found, [1, 2, 0])
    np.testing.assert_allclose([tangent.jvp(program)(V, e) for e in np.eye(3)], [1, 2, 0])


def element_before_the_call(x):
    y = [x[0], x[1]]

    def g():
        y[0] = x[2]
        return x[1]

    y[0] += g()
    return y[0]


def item_of_a_dict_before_the_call(x):
    d = {'a': x[0]}

    def g():
        d['a'] = x[2]
        return x[1]

    d['a'] *= g()
    return d['a']


def element_of_an_array_before_the_call(x):
    y = x * 1.0

    def g():
        y[0] = x[2]
        return x[1]

    y[0] += g()
    return y[0]


@pytest.mark.parametrize('f', [element_before_the_call, item_of_a_dict_before_the_call, element_of_an_array_before_the_call])
def test_what_is_updated_is_read_before_the_value_is_computed(f):
    check(f)(np.array([0.7, 1.3, 0.4]))


@pytest.mark.parametrize('f', [lambda x: [a * 2 for a in ([x[0]], [x[1]])][0][1],
                               lambda x: [a + b for a, b in zip([[x[0]]], [[x[1]]])][0][1],
                               lambda x: [a * 2 for a in [(x[0], x[1])]][0][3]])
def test_lists_in_a_display_are_lists(f):
    check(f)(V)


def method_under_a_name(x):
    f = x.sum
    g = x.dot
    return f() * g(x)


def method_under_a_name_of_what_is_bound_anew(x):
    y = x
    f = y.sum
    y = y * 2
    return f() * y[0]


def method_under_a_name_of_what_is_written(x):
    y = x * 1.0
    f = y.sum
    y[0] = 2 * x[1]
    return f()


@pytest.mark.parametrize('f', [method_under_a_name, method_under_a_name_of_what_is_bound_anew,
                               method_under_a_name_of_what_is_written])
def test_methods_of_arrays_under_a_name(f):
    check(f)(np.array([0.7, 1.3, 0.4]))


def copied_to_integers(x):
    y = np.zeros(3, int)
    np.copyto(y, x * 10, casting='unsafe')
    return np.sum(y * x)


def put_into_integers(x):
    y = np.zeros(3, int)
    np.put(y, [0], x[0] * 10)
    return np.sum(y * x)


def integers_in_a_list(x):
    ys = [np.zeros(3, int)]
    ys[0][0] = x[0] * 10
    return np.sum(ys[0] * x)


def updated_integers(x):
    y = np.arange(3)
    y += 1
    y[1] = x[0] * 3
    return np.sum(y * x)


@pytest.mark.parametrize('f', [copied_to_integers, put_into_integers, integers_in_a_list, updated_integers])
def test_arrays_of_integers_that_cut_off_what_is_written(f):
    for derivative in tangent.grad(f), lambda x: tangent.jvp(f)(x, x):
        with pytest.raises(tangent.errors.ArgumentTypeError, match='cuts off their fraction'):
            derivative(np.array([0.7, 1.3, 0.4]))


@pytest.mark.parametrize('f', [lambda x: max([(x[0], 1), (x[1], 2)])[0] * x[2],
                               lambda x: min([[x[0] * 2, x[1]], [x[1], x[2]]])[1] * x[2]])
def test_the_largest_of_tuples(f):
    check(f)(np.array([0.7, 1.3, 0.4]))


def test_the_larger_of_two_tuples():
    with pytest.raises(tangent.errors.ArgumentTypeError, match=r'test_found.py:\d+: .*write max\(\[a, b\]\)'):
        tangent.grad(lambda x: max((x[0], 1), (x[1], 2))[0])(V)


def lambda_that_appends(x):
    out = []
    f = lambda w: out.append(w * w)                           # noqa: E731
    for v in x:
        f(v)
    return out[1]


def lambda_that_updates(x):
    d = {}
    f = lambda k, w: d.update({k: w * w})                     # noqa: E731
    f('a', x[0])
    f('b', x[1])
    return d['a'] * d['b']


def function_that_appends_in_a_comprehension(x):
    out = []

    def g(v):
        out.append(v * v)
        return len(out)

    n = [g(v) for v in x]
    return out[1] * n[2]


@pytest.mark.parametrize('f', [lambda_that_appends, lambda_that_updates, function_that_appends_in_a_comprehension])
def test_functions_inside_that_write_into_what_they_have_captured(f):
    x = np.array([0.7, 1.3, 0.4])
    want = differences(f, (x,), (0,))[0]
    assert np.allclose(tangent.grad(f)(x), want)
    assert np.allclose([tangent.jvp(f)(x, d) for d in np.eye(3)], want)


def test_a_queue_made_by_a_class_that_is_given():
    def f(x, kind):
        return kind(x)[0] * kind(x)[1]
    x = np.array([1.3, 0.7])
    np.testing.assert_allclose(tangent.grad(f)(x, collections.deque), x[::-1])
    np.testing.assert_allclose(tangent.jvp(f)(x, collections.deque, np.array([1.0, 0.0])), 0.7)
    assert tangent.grad(f)(collections.deque([1.3, 0.7]), list) == collections.deque([0.7, 1.3])


def text_in_a_dict(x):
    d = {'name': '%.2f' % x, 'v': x * x}                     # noqa: UP031
    return d['v']


class Labelled:
    def __init__(self, n, x):
        self.v = x * x
        self.name = '%05d' % n                     # noqa: UP031
        self.both = ('%.2f' % x, x)                     # noqa: UP031


def text_of_an_object(x):
    made = Labelled(5, x)
    return made.v * made.both[1]


def label(x):
    return '%.3f' % x                     # noqa: UP031


def text_of_a_function(x):
    s = [x, label(x)]
    return s[0] * x


@pytest.mark.parametrize('f', [text_in_a_dict, text_of_an_object, text_of_a_function])
def test_numbers_put_into_texts_by_an_operator(f):
    """They were taken for remainders, and `'%.2f' // x` for a derivative: raw errors in both modes."""
    slope = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    assert tangent.grad(f)(0.7) == pytest.approx(slope) == tangent.jvp(f)(0.7, 1.0)


class Asked:
    HALF, ALL = 1, 3

    def measured(self, x, asked):
        from collections import OrderedDict
        if x > 0:
            asked |= Asked.ALL
        return self.part(OrderedDict(x=x), asked)

    def part(self, table, asked):
        self.seen = table
        return table['x'] * self.seen['x'] if asked & Asked.HALF else table['x']


@pytest.mark.parametrize('f', [lambda x: Asked().measured(x, 1)])
def test_flags_that_are_added_by_a_name_of_theirs(f):
    assert tangent.grad(f)(0.7) == pytest.approx(1.4) == tangent.jvp(f)(0.7, 1.0)
