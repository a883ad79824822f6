"""Callees that write into what they are given, found in every way in which Python finds a callee.

Each gradient is right, or there is an error that says that the callee writes. What is called here has `x *= v` in it, which changes
arrays and no numbers: this is why the text alone does not tell.
"""
import functools

import numpy as np
import pytest

import tangent
from tangent.errors import AliasError
from tests.tools.checking import differences

X = np.array([0.3, -0.7, 1.1, 0.4])


def scale(a):
    a *= 3
    return a * 1.0


def wrapped(f):
    @functools.wraps(f)
    def inner(*a, **k):
        return f(*a, **k)
    return inner


def closure(f):
    return lambda a: f(a)


def through_star(*a):
    return scale(*a)


def through_keywords(**k):
    return scale(**k)


def element_of_star(*a):
    b = a[0]
    b *= 3
    return b * 1.0


def unpacked_star(*a):
    b, = a
    b *= 3
    return b * 1.0


def loop_over_star(*a):
    for b in a:
        b *= 3
    return b * 1.0


def item_of_keywords(**k):
    k['a'] *= 3
    return k['a'] * 1.0


def keyword_only(*, a):
    return scale(a)


def apply(f, a):
    return f(a)


decorated, closed, part, table = wrapped(scale), closure(scale), functools.partial(scale), {'scale': scale}

KNOWN = [
    lambda y, f: through_star(y), lambda y, f: through_keywords(a=y), lambda y, f: element_of_star(y),
    lambda y, f: unpacked_star(y), lambda y, f: loop_over_star(y), lambda y, f: item_of_keywords(a=y),
    lambda y, f: keyword_only(a=y), lambda y, f: decorated(y), lambda y, f: decorated(a=y), lambda y, f: closed(y),
    lambda y, f: scale(*(y,)), lambda y, f: scale(**{'a': y}), lambda y, f: through_star(*[y], **{}),
]
FOUND_WHEN_RUNNING = [
    lambda y, f: f(y), lambda y, f: apply(f, y), lambda y, f: apply(scale, y), lambda y, f: part(y),
    lambda y, f: functools.partial(f, y)(), lambda y, f: table['scale'](y), lambda y, f: [f][0](y),
    lambda y, f: (f or np.sin)(y), lambda y, f: (lambda *a: scale(*a))(y), lambda y, f: closure(f)(y),
    lambda y, f: wrapped(f)(y), lambda y, f: np.stack([f(y) for _ in range(2)]),
]


def summed(call):
    """A program that calls it with an array of its own, under two names, and reads that afterwards."""
    def program(x, f):
        y = x.copy()
        z = y[::-1]
        out = call(y, f)
        return np.sum(out * y) + np.sum(z)
    return program


def after_a_test(x, f):
    y = x.copy()
    if f(y).sum() > 0:
        y = y * 2
    return np.sum(y * y)


def in_a_count(x, f):
    y = x.copy()
    n = len(f(y))
    return np.sum(y * y) * n


def in_a_header(x, f):
    y = x.copy()
    for _ in range(len(f(y))):
        y = y * 1.1
    return np.sum(y * y)


def in_a_loop_test(x, f):
    y = x.copy()
    while f(y).sum() < -5:
        y = y * 2
    return np.sum(y * y)


def in_a_condition(x, f):
    y = x.copy()
    z = y if f(y).sum() > 0 else 2 * y
    return np.sum(y * z)


def in_a_mask(x, f):
    y = x.copy()
    m = f(y) > 0
    return np.sum(y[m] * y[m])


def in_an_assertion(x, f):
    y = x.copy()
    assert f(y) is not None
    return np.sum(y * y)


def in_a_text(x, f):
    y = x.copy()
    assert f'{f(y)}'
    return np.sum(y * y)


def for_its_effect(x, f):
    y = x.copy()
    f(y)
    return np.sum(y * y)


def beside_an_operation(x, f):
    y = x.copy()
    return np.sum(y * len(f(y)))


PASSIVE = [after_a_test, in_a_count, in_a_header, in_a_loop_test, in_a_condition, in_a_mask, in_an_assertion, in_a_text,
           for_its_effect, beside_an_operation]


def check(program, mode, f):
    """Right, or an error that says what is wrong with the callee."""
    given = X.copy()
    try:
        if mode == 'reverse':
            found = tangent.grad(program)(given, f)
        else:
            found = np.array([tangent.jvp(program)(given, f, e) for e in np.eye(4)])
    except AliasError as error:
        assert 'writes' in str(error)
        return False
    right, = differences(program, (X, f), (0,))
    np.testing.assert_allclose(found, right, atol=1e-6)
    np.testing.assert_array_equal(given, X)
    return True


@pytest.mark.parametrize('mode', ['reverse', 'forward'])
@pytest.mark.parametrize('k', range(len(KNOWN)))
def test_known_callees(k, mode):
    assert check(summed(KNOWN[k]), mode, scale)


@pytest.mark.parametrize('mode', ['reverse', 'forward'])
@pytest.mark.parametrize('k', range(len(FOUND_WHEN_RUNNING)))
def test_callees_found_when_running(k, mode):
    done = check(summed(FOUND_WHEN_RUNNING[k]), mode, scale)
    assert done or mode == 'reverse'


@pytest.mark.parametrize('mode', ['reverse', 'forward'])
@pytest.mark.parametrize('program', PASSIVE)
def test_calls_through_which_no_derivative_flows(program, mode):
    check(program, mode, scale)
    assert check(program, mode, np.tanh) and check(program, mode, lambda a: a * 2)      # these write nothing


def test_closures_of_one_code_object():
    """What is known of one is not taken for the others."""
    for f in np.sin, scale, np.cos:
        check(functools.partial(calls_closure, closure(f)), 'reverse', scale)


def calls_closure(inner, x, f):
    y = x.copy()
    out = inner(y)
    return np.sum(out * y)


def test_numbers_are_updated_in_place_by_nobody():
    def program(x, f):
        y = x * 1.0
        return f(y) * y

    def up(t):
        t *= 3
        return t * t

    assert np.isclose(tangent.grad(program)(2.0, up), 9 * 3 * 4.0)


def test_a_list_that_is_written_into_where_no_derivative_flows():
    def program(x, f):
        xs = [x, x * x]
        if f(xs):
            return xs[0] * xs[1]
        return x

    with pytest.raises(AliasError, match='reverses'):
        tangent.jvp(program)(2.0, reverses, 1.0)


def reverses(xs):
    xs[0] = 2 * xs[0]
    return True
