"""Every way to write in place: gradients against differences, and the caller's arrays as they were."""
import copy
import functools
import math
import types

import numpy as np
import pytest

import tangent
from tangent import errors
from tests.corpora.programs.functions_mutation import CASES
from tests.tools import checking
from tests.tools.judge import check_every_text


def floats(args):
    return tuple(k for k, a in enumerate(args) if checking.active(a))


def right(f, args, k):
    """The gradient by differences; of complex numbers by both their parts."""
    if not np.iscomplexobj(args[k]):
        return checking.differences(f, args, (k,), strict=True)[0]

    def split(re, im):
        return f(*copy.deepcopy(args[:k]), re + 1j * im, *copy.deepcopy(args[k + 1:]))
    re, im = checking.differences(split, (args[k].real.copy(), args[k].imag.copy()), (0, 1), strict=True)
    return re + 1j * im


@pytest.mark.parametrize('f, args', CASES, ids=[f.__name__ for f, _ in CASES])
def test_gradient(f, args):
    wrt = getattr(f, 'wrt', floats(args))
    given = copy.deepcopy(args)
    *found, value = tangent.grad(f, wrt=wrt, preserve_result=True)(*given)
    assert np.array_equal(checking.numbers(given), checking.numbers(args)), 'the arguments were changed'
    assert value == pytest.approx(f(*copy.deepcopy(args)), rel=1e-13)
    for k, actual in zip(wrt, found, strict=True):
        checking.assert_close(actual, right(f, args, k), 1e-6)
    assert not checking.share_memory([*given, *found])


class Monitor:
    """What people keep beside a computation: a counter, a running mean, a history, the last state."""

    def __init__(self):
        self.calls, self.mean, self.history, self.last = 0, 0.0, [], None
        self.buffer = np.zeros(2)

    def note(self, value):
        self.calls += 1
        self.mean = 0.9 * self.mean + 0.1 * value
        self.history.append(value)


LOG = []


def observed(x, monitor, log, table):
    y = x * x
    y[0] = 2.0 * x[1]
    monitor.note(np.sum(y))
    monitor.last = y
    monitor.buffer[0] = y[0]
    log.append(y[0])
    table['last'] = y[1]
    table['count'] = table.get('count', 0) + 1
    LOG.append(y[1])
    y[1] *= 3.0
    return np.sum(np.sin(y)) + monitor.mean + log[0] * table['other']


def test_what_a_function_leaves_in_objects_of_its_caller_stays():
    df, x = tangent.grad(observed), np.array([0.3, 0.5])
    monitor, log, table = Monitor(), [0.0], {'other': 1.0}
    plain, plain_log, plain_table = Monitor(), [0.0], {'other': 1.0}
    for k in range(2):
        del LOG[k:]
        observed(x.copy(), plain, plain_log, plain_table)
        del LOG[k:]
        df(x, monitor, log, table)
        assert (monitor.calls, monitor.history, monitor.mean) == (plain.calls, plain.history, plain.mean)
        assert (log, table, LOG) == (plain_log, plain_table, [0.25] * (k + 1))
        assert np.array_equal(monitor.last, plain.last)
        assert np.array_equal(monitor.buffer, np.zeros(2)), 'an array of the caller was changed'


def test_arguments_asked_for_stay_as_they_were():
    x, monitor, log, table = np.array([0.3, 0.5]), Monitor(), [0.5], {'other': 2.0}
    dlog, dtable = tangent.grad(observed, wrt=('log', 'table'))(x, monitor, log, table)
    assert (log, table, dlog, dtable) == ([0.5], {'other': 2.0}, [2.0], {'other': 0.5})
    assert monitor.calls == 1 and len(monitor.history) == 1


def push_all(x, stack):
    for v in x:
        stack.append(v * v)
    while len(stack) > 1:
        stack.append(np.sin(stack.pop()) + stack.pop())
    return stack[0]


def test_a_stack_of_the_caller_is_left_as_the_function_left_it():
    stack = [0.5]
    x = np.array([0.3, 0.4, 0.2])
    grad, value = tangent.grad(push_all, preserve_result=True)(x, stack)
    assert stack == [value] == [push_all(x, [0.5])]
    checking.assert_close(grad, checking.differences(push_all, (x, [0.5]), (0,))[0])


def test_second_name_for_an_argument():
    """The same array passed twice: its gradient is there once for each."""
    def f(x, y):
        x[0] = y[1] * 2.0
        return np.sum(np.sin(x) * y)
    x = np.array([0.3, 0.5, -0.2])

    def whole(x):
        return f(x, x)
    total = tangent.grad(whole)(x.copy())
    checking.assert_close(total, checking.differences(whole, (x,), (0,))[0])


def passive_notes(x, log, table, state):
    log.append(len(log))
    log.insert(0, 7)
    table['n'] = 3
    state.n = 2
    state.n += 1
    return np.sum(x * x)


def test_writes_without_a_derivative_happen_once():
    log, table, state = [5], {}, types.SimpleNamespace(n=0)
    tangent.grad(passive_notes)(np.ones(2), log, table, state)
    assert (log, table, state.n) == ([7, 5, 1], {'n': 3}, 3)


def test_a_part_of_a_copy_that_an_index_array_takes():
    """In the log form a view has no gradient of its own; the copy that it is a view of has, which goes on to the array."""
    def f(y):
        for _ in range(2):
            y += (1.0, y)[1]
        for e in y[:1]:
            e = np.tanh(sum_of(y))
            y = np.concatenate(((e - y)[:1], y[[2, 0, 0]][1:]))
        return np.sum(y)

    def sum_of(y):
        return 100.0 + np.sum(y)

    df = tangent.grad(f)
    assert '_grads' in tangent.source(df)
    np.testing.assert_allclose(df(np.array([0.3, -0.2, 0.5])), [4.0, 0.0, 0.0], atol=1e-12)


def tripled(a):
    a[0] = a[0] * 3.0
    return True


def by_list_of_map(x):
    m = [np.array([x, 1.0]), np.array([x * x, 2.0])]
    list(map(tripled, m))
    return m[0][0] + m[1][0]


def by_lambda(x):
    out = []
    tuple(map(lambda v: out.append(v * x), [1.0, 2.0]))
    return sum(out)


def by_reduce(x):
    m = [np.array([x, 1.0])]
    functools.reduce(lambda done, v: tripled(v), m, None)
    return m[0][0]


def by_generator(x):
    m = [np.array([x]), np.array([x])]
    any(tripled(v) for v in m)
    return m[0][0] + m[1][0]


def by_any_of_map(x):
    m = [np.array([x]), np.array([x])]
    any(map(tripled, m))
    return m[0][0] + m[1][0]


def by_map_alone(x):
    m = [np.array([x])]
    map(tripled, m)
    return m[0][0]


def by_loop_over_map(x):
    m = [np.array([x]), np.array([x])]
    for _ in map(tripled, m):
        break
    return m[0][0] + m[1][0]


def in_a_test(x):
    m = [np.array([x]), np.array([x])]
    if any([tripled(v) for v in m]):
        x = x * 2
    return m[0][0] + m[1][0] + x


HANDED = [by_list_of_map, by_lambda, by_reduce, by_generator, by_any_of_map, by_map_alone, by_loop_over_map, in_a_test]


@pytest.mark.parametrize('f', HANDED, ids=lambda f: f.__name__)
def test_what_map_and_comprehensions_write_is_seen_or_refused(f):
    slope = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    for derive in tangent.grad, lambda f: lambda x: tangent.jvp(f)(x, 1.0):
        try:
            found = derive(f)(0.7)
        except (errors.TangentParseError, errors.ForwardNotImplementedError):
            continue
        assert found == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize('f', [f for f in HANDED if f is not by_map_alone], ids=lambda f: f.__name__)
def test_what_map_and_comprehensions_write_is_followed(f):
    assert tangent.grad(f)(0.7) == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rel=1e-6)


class Bag:
    def __init__(self, **content):
        self.__dict__.update(content)


def into_dict(x):
    bag = Bag()
    bag.__dict__['a'] = x * 2
    return bag.a * 3


def out_of_dict(x):
    bag = Bag()
    bag.a = x * 2
    return bag.__dict__['a'] * 3


def by_keywords(x):
    return Bag(a=x * 2).a * 3


@pytest.mark.parametrize('f', [into_dict, out_of_dict, by_keywords])
def test_the_dict_of_an_object_is_no_way_around(f):
    with pytest.raises(errors.TangentParseError, match='setattr'):
        tangent.grad(f)(1.5)


def test_the_dict_of_an_object_without_a_derivative():
    assert tangent.grad(lambda x: Bag(a=2.0).a * x)(1.5) == 2.0


def wrapped(x):
    r = math.fmod(x, 360) if math.isfinite(x) else math.nan
    q = 0 if math.isnan(r) else int(round(r / 90))
    r -= 90 * q
    return math.sin(math.radians(r)) * r


def updated_constant(v):
    r = math.pi
    s = r
    r += wrapped(v[0])
    return r * s + v[1]


def array_or_constant(v):
    r = v if v[0] > 0 else math.pi
    s = r
    r *= 2.0
    return np.sum(s * s)


@pytest.mark.parametrize('f', [updated_constant, array_or_constant])
def test_constants_of_modules_have_no_other_names(f):
    def own(v):
        return f(v * 1.0)

    check_every_text(own, np.array([0.7, 1.3]))
    assert f is array_or_constant or '_grads' not in tangent.source(tangent.grad(own))


def padded(r, t):
    m = np.pad(r, ((0, 1), (0, 1)))
    m[:3, 3] = t
    m[3, 3] = 1.0
    return m


def writes_into_what_was_padded(x):
    r = np.outer(x, x)
    m = padded(r, x)
    return np.sum(m @ m) + np.sum(r * r)


def with_its_copy(n):
    p = np.eye(n)
    return p, p.copy()


def updates_one_beside_its_copy(x):
    p, before = with_its_copy(3)
    p *= x[0]
    return np.sum(p @ x) + np.sum(before * x)


@pytest.mark.parametrize('f', [writes_into_what_was_padded, updates_one_beside_its_copy])
def test_what_numpy_makes_anew_has_no_other_names(f):
    check_every_text(f, np.array([1.0, 2.0, 3.0]))
    assert '_grads' not in tangent.source(tangent.grad(f))
