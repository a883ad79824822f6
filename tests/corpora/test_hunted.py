"""Wrong derivatives that programs of many kinds have shown: each function here was silently wrong, or a raw error, once.

All are checked in the same way: reverse and forward mode against differences, second derivatives against differences of the
gradient.
"""
import builtins
import collections
import contextlib
import contextvars
import functools
import itertools
import operator
import sys

import numpy as np
import pytest

import tangent
from tests.corpora.hunted import (  # noqa: F401 (they register)
    hunted,
    hunted_closures,
    hunted_generators,
    hunted_handlers,
    hunted_heaps,
    hunted_keys,
    hunted_looked_up,
    hunted_operators,
    hunted_order,
    hunted_outputs,
    hunted_special,
    hunted_targets,
    hunted_tried,
    hunted_values,
)
from tests.corpora.hunted.hunting import FOUND
from tests.random.random_programs import Outcome
from tests.tools import orders
from tests.tools.checking import differences
from tests.tools.judge import judge
from tests.tools.texts import define

# Known and not mended: the text of a tangent takes for an array what `isinstance(v, list)` asks for, where that is differentiated
RAISE = {('arrays_of_lists_or_numbers', 'rf')}


@pytest.mark.parametrize('k', range(len(FOUND)), ids=[e.name for e, _ in FOUND])
def test_right(k, in_turn):
    """Every second function has a second derivative, of one mix of modes in turn; all have all of them with `--all-samples`."""
    entry, mixes = FOUND[k]
    held = orders.gradients(entry)                     # derived once, for the judge as for what follows
    assert judge(entry, in_turn([None, 'raw', None, None], k)) == Outcome('right')
    along = orders.directions(entry, 1), orders.directions(entry, 2)
    known = {}
    seconds = in_turn([way for m in mixes if len(m) == 2 for way in (m, None)], k)
    for mix in [m for m in mixes if len(m) == 1] + [m for m in seconds if m]:
        order = len(mix)
        if (entry.function.__name__, mix) in RAISE:
            with pytest.raises(TypeError):
                orders.found(entry, mix, along)
            continue
        if order not in known:
            known[order] = orders.expected(entry, 2, along, held) if order == 2 else orders.inner(entry, held(*entry.make()), along[0])
        assert orders.found(entry, mix, along) == pytest.approx(known[order], rel=orders.CLOSE[order])


def grown(xs, x):
    xs.append(x * 2)
    return len(xs)


def by_a_function_inside(x):
    xs = []

    def key(k):
        xs.append(x * k)
        return -k
    return sorted([1, 2, 3], key=key)[0] * sum(xs)


def by_a_lambda(x):
    xs = []
    return max([1, 2, 3], key=lambda k: grown(xs, x * k)) * sum(xs)


def by_sort(x):
    xs, seen = [x, 2 * x], []
    xs.sort(key=lambda v: seen.append(v) or -v)
    return sum(seen) * xs[0]


@pytest.mark.parametrize('f', [by_a_function_inside, by_a_lambda, by_sort])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_orders_that_write_are_refused(f, derivative):
    with pytest.raises(tangent.errors.TangentError, match='not supported'):
        derivative(f)(0.7, 1.0)


def updated_by_a_table(x):
    by_sign = {'+': operator.iadd, '*': operator.imul}
    a = np.array([x, 2 * x])
    b = by_sign['*'](a, x)
    b[0] += 1
    return np.sum(a * b)


def updated_by_who_is_given_it(x):
    def change(update, a, b):
        return update(a, b)
    a = np.array([x, 2 * x])
    change(operator.iadd, a, a)
    return np.sum(a)


def a_list_extended_by_a_table(x):
    by_sign = {'+': operator.iadd}
    xs = [x]
    ys = by_sign['+'](xs, [x * x])
    return sum(xs) * ys[0]


@pytest.mark.parametrize('f', [updated_by_a_table, updated_by_who_is_given_it, a_list_extended_by_a_table])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_updating_operators_as_values_are_refused(f, derivative):
    with pytest.raises(tangent.errors.TangentError, match='write x|writes into what it is given'):
        derivative(f)(0.7, 1.0)


def one_iterator_twice(x):
    it = iter([x, 2 * x, x * x, x * 3])
    return sum(a * b * b for a, b in zip(it, it))


def one_iterator_under_two_names(x):
    it = iter([x, 2 * x, x * x, x * 3])
    same, s = it, 0.0
    for a, b in zip(it, same):                        # noqa: B007 it is taken all the same
        s += b * b
    return s


def groups(x):
    s = 0.0
    for a, b in zip(*[iter([x, 2 * x, x * x, x * 3])] * 2):
        s += a * b * b
    return s


@pytest.mark.parametrize('f', [one_iterator_twice, one_iterator_under_two_names, groups])
def test_one_iterator_that_a_loop_goes_through_twice(f):
    """Each value is taken once: forward mode takes their tangents in the same order, the log form refuses it."""
    assert tangent.jvp(f)(0.7, 1.0) == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rel=1e-8)
    with pytest.raises(tangent.errors.AliasError, match='stands twice'):
        tangent.grad(f)(0.7)


def test_an_iterator_is_gone_through_again_after_nothing_was_left():
    def f(x):
        it, s = iter([x, x * x]), 0.0
        for a in it:
            s += a * a
        for a in it:
            s += 100 * a
        for a in it:
            s += 100 * a
        return s
    assert tangent.grad(f)(0.7) == pytest.approx(2 * 0.7 + 4 * 0.7 ** 3)


def behind_the_first_axes(x, k):
    lead = (slice(None),) * k
    y = x * 1.0
    y[(*lead, 0)] = x[(*lead, 1)] * 3
    return np.sum(y[(*lead, slice(1, None))] ** 2) + np.sum(y ** 3)


def test_stars_in_indices():
    x, d = np.arange(6.0).reshape(2, 3) + 0.5, np.ones((2, 3))
    slope = (behind_the_first_axes(x + 1e-6 * d, 1) - behind_the_first_axes(x - 1e-6 * d, 1)) / 2e-6
    assert np.sum(tangent.grad(behind_the_first_axes)(x, 1)) == pytest.approx(slope, rel=1e-7)
    assert tangent.jvp(behind_the_first_axes)(x, 1, d) == pytest.approx(slope, rel=1e-7)


@pytest.mark.skipif(sys.version_info < (3, 11), reason='x[*lead, 1:] is syntax of Python 3.11')
def test_stars_beside_slices():
    f = define('def f(x, lead):\n    return np.sum(x[*lead, 1:] ** 2)\n', np=np).f
    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(tangent.grad(f)(x, (slice(None),)), 2 * x * [0, 1, 1])
    assert tangent.jvp(f)(x, (slice(None),), np.ones((2, 3))) == pytest.approx(2 * np.sum(x[:, 1:]))


@pytest.mark.parametrize('function, values', [
    (hunted.of_two, [3, 5]), (hunted.of_two, [np.int64(3), np.int64(5)]),
    (hunted.of_arrays, [np.array([3, 4]), np.array([5, 6])])])
def test_integers_given_by_a_star_are_numbers(function, values):
    """Arrays of integers had no gradient behind a star, in reverse mode: SciPy's densities at integer parameters use that."""
    def f(values, call):
        return hunted.with_all(call, values)
    found = tangent.grad(f)(values, function)
    wanted = tangent.grad(f)([v * 1.0 for v in values], function)
    for a, b in zip(found, wanted):
        np.testing.assert_allclose(a, b)


def sent_nothing(x):
    steps = counted(x)
    return steps.send(None) * next(steps)


def catches(x):
    try:
        yield x
    except ValueError as error:
        yield error.args[0] * x


def thrown_into(x):
    steps = catches(x)
    first = next(steps)
    return first * steps.throw(ValueError(x * x))


@pytest.mark.parametrize('f, why', [(sent_nothing, 'write next'), (thrown_into, 'thrown into a generator')])
def test_what_is_sent_and_thrown_into_generators_is_refused(f, why):
    """AttributeErrors of ours, in reverse mode."""
    with pytest.raises(tangent.TangentError, match=why):
        tangent.grad(f)(0.7)


def keeps_a_log(f):
    log = []

    def logged(v):
        log.append(f(v))
        return log[-1]
    logged.log = log
    return logged


def of_a_function_with_a_log(x):
    f = keeps_a_log(lambda v: v * x)
    f(f(x))
    return sum(f.log)


def a_class_made_by_a_call(x):
    return type('Scaled', (), {'of': lambda self, v: v * x})().of(x)


@pytest.mark.parametrize('f, why', [(of_a_function_with_a_log, 'keep them in an object'),
                                    (a_class_made_by_a_call, 'define the class at the top level')])
def test_attributes_of_functions_and_classes_made_by_a_call_are_refused(f, why):
    """AttributeErrors and TypeErrors of ours, in forward mode."""
    with pytest.raises(tangent.TangentError, match=why):
        tangent.jvp(f)(0.7, 1.0)


class Twice(list):
    def append(self, v):
        super().append(v * 2)


class Threefold(dict):
    def get(self, key, default=0.0):
        return super().get(key, default) * 3


class Latest(collections.deque):
    def append(self, v):
        super().append(v * 2)


def appended_twice(x):
    xs = Twice()
    xs.append(x)
    return xs[0] * x


def gets_three_times(x):
    d = Threefold(a=1.0)
    d['a'] = x
    return d.get('a') * x


def latest(x):
    xs = Latest()
    xs.append(x)
    return xs[0] * x


class Loud(float):
    def __mul__(self, other):
        return float(self) * other * 2


def loud(x):
    return Loud(2.0) * x * x


def given_to_a_stack(x):
    with contextlib.ExitStack() as stack:
        y = x * stack.enter_context(contextlib.nullcontext(x))
    return y


@pytest.mark.parametrize('f, why', [
    (appended_twice, 'Twice defines append of its own'), (gets_three_times, 'Threefold defines get of its own'),
    (latest, 'Latest defines append of its own'), (loud, 'number whose operators'), (given_to_a_stack, 'one with statement for each')])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_methods_of_containers_that_classes_define_anew_are_refused(f, why, derivative):
    """What stands for the method of the list was done by that of the class, so that numbers were doubled twice."""
    with pytest.raises(tangent.TangentError, match=why):
        derivative(f)(0.7, *[1.0] * (derivative is tangent.jvp))


def test_what_an_iterator_gives_at_its_end_may_have_the_only_derivative():
    """Forward mode took something from the tangent of the iterator, which has none."""
    f, x = hunted_tried.at_its_end, 0.7
    for derivative in (tangent.jvp(f), tangent.jvp(f, optimized=False)):
        assert derivative(x, 1.0) == pytest.approx(9 * x ** 2)
    with pytest.raises(tangent.TangentError, match='iterate over it with for'):
        tangent.grad(f)(x)


def reshaped(m, v):
    r = v.reshape(3, 1) * m
    v[0] = 5.0
    return np.sum(r * r)


def raveled(m, v):
    r = np.ravel(v) * m
    v[:2] = 5.0
    return np.sum(r * r)


def multiplied_as_a_row(m, v):
    r = np.dot(v.reshape(1, 3), m)[0]
    v[2] = 7.0
    return r * r


def seven(v):
    v[0] = 7.0


def changed_by_a_callee(m, v):
    r = v.reshape(3, 1) * m
    seven(v)
    return np.sum(r * r)


def changed_in_a_loop(m, v):
    t = 0.0
    for k in range(3):
        t += np.sum((v.reshape(3, 1) * m) ** 2)
        v[k] = 2.0
    return t


@pytest.mark.parametrize('f', [reshaped, raveled, multiplied_as_a_row, changed_by_a_callee, changed_in_a_loop])
def test_views_without_a_derivative_whose_array_changes_later(f):
    """`v.reshape(3, 1)` shares the memory of `v`: the adjoint read what was written there afterwards."""
    m, v, h = np.array([0.3, 0.7, 1.1]), np.array([0.9, 1.7, 2.1]), 1e-6
    expected = [(f(m + h * e, v.copy()) - f(m - h * e, v.copy())) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(tangent.grad(f)(m, v.copy()), expected, rtol=1e-6)
    np.testing.assert_allclose(tangent.grad(f, wrt=(0, 1))(m, v.copy())[0], expected, rtol=1e-6)


class Stores:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        self.v = self.v * other.v
        return False

    def __getattr__(self, name):
        self.square = self.v * self.v
        return self.square


class Answers:
    def __init__(self, v):
        self.v = v

    def __getattribute__(self, name):
        return 3.0 * object.__getattribute__(self, 'v') if name == 'scaled' else object.__getattribute__(self, name)


def the_least(x):
    return min(Stores(x), Stores(2.0 * x)).v


def in_order(x):
    return sorted([Stores(x), Stores(2.0 * x)])[0].v


def answered(x):
    return Answers(x).scaled * x


STATE = contextvars.ContextVar('STATE', default=1.0)


def counted_from(x):
    it = itertools.count(x)
    return next(it) * next(it)


def in_the_context(x):
    STATE.set(x)
    return STATE.get() * x


def lacking(x):
    table = collections.defaultdict(lambda: x * 2)
    table['a'] += x
    return table['a']


class Squares:
    def __init__(self):
        self.values = [1.0]

    def __enter__(self):
        return self.values

    def __exit__(self, *error):
        self.values.append(self.values[-1] ** 2)


def left_with_what_it_gave(x):
    with Squares() as values:
        values.append(x)
    return values[-1]


class Squared:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.v = self.v ** 2


def left_under_a_name(x):
    s = Squared(x)
    with s:
        pass
    return s.v


def test_what_is_written_when_a_context_is_left():
    assert tangent.grad(left_under_a_name)(0.7) == pytest.approx(1.4) == tangent.jvp(left_under_a_name)(0.7, 1.0)
    assert tangent.jvp(left_with_what_it_gave)(0.7, 1.0) == pytest.approx(1.4)
    with pytest.raises(tangent.TangentError, match='when they are left'):
        tangent.grad(left_with_what_it_gave)(0.7)


@pytest.mark.parametrize('f, gradient', [(hunted_keys.keys_alone_of_a_parameter, {1.0: 5.0, 2.0: 0.0}),
                                         (hunted_keys.keys_of_a_parameter_in_generators, {1.0: 5.0, 2.0: 3.0})])
def test_a_parameter_turns_out_to_be_a_dict_with_numbers_for_keys(f, gradient):
    """It was gone through by its places: KeyError: 0."""
    derivative = tangent.grad(f)
    for _ in range(3):
        assert derivative({1.0: 0.5, 2.0: 0.7}) == pytest.approx(gradient)
    assert tangent.jvp(f)({1.0: 0.5, 2.0: 0.7}, {1.0: 1.0, 2.0: 1.0}) == pytest.approx(sum(gradient.values()))


class Carries(Exception):
    def __init__(self, v):
        self.v = v


def large_ones_are_raised(v):
    if v > 1:
        raise Carries(v * v)
    return v


class Guarded:
    def __init__(self, v):
        self.v = v

    @property
    def small(self):
        return large_ones_are_raised(self.v)


def raised_by_a_key(x):
    try:
        return sorted([1.0, 2.0 * x], key=large_ones_are_raised)[0]
    except Carries as error:
        return error.v


def raised_by_a_key_of_the_largest(x):
    try:
        return max(1.0, 2.0 * x, key=large_ones_are_raised)
    except Carries as error:
        return error.v


def raised_by_a_key_of_a_method(x):
    items = [1.0, 2.0 * x]
    try:
        items.sort(key=large_ones_are_raised)
    except Carries as error:
        return error.v
    return items[0]


def raised_by_a_property(x):
    try:
        return Guarded(2.0 * x).small
    except Carries as error:
        return error.v


def key_that_is_not_there(x):
    try:
        return {}[x]
    except KeyError as error:
        return error.args[0] * 2.0


def counts_then_returns(x):
    yield x
    return x * x


def what_a_generator_returns(x):
    steps = counts_then_returns(x)
    total = next(steps)
    try:
        next(steps)
    except StopIteration as stop:
        total = total + stop.value
    return total


@pytest.mark.parametrize('f', [raised_by_a_key, raised_by_a_key_of_the_largest, raised_by_a_key_of_a_method, raised_by_a_property,
                               key_that_is_not_there, what_a_generator_returns])
def test_values_of_errors_from_where_no_derivative_follows_are_refused(f):
    """Reverse mode took them for constants."""
    derivative = tangent.grad(f)
    with pytest.raises(tangent.TangentError, match='raised where derivatives do not follow.*return them'):
        derivative(0.7)


class Louder(np.ndarray):
    def sum(self, *args, **keywords):
        return 2.0 * np.asarray(self).sum(*args, **keywords)


def of_what_is_given(f, x):
    return f(x) * 1.0


@pytest.mark.parametrize('x', [np.array([0.5, 2.0]).view(Louder)])
def test_a_method_by_its_class_where_another_is_nearer(x):
    with pytest.raises(tangent.TangentError):
        tangent.grad(of_what_is_given, wrt=1)(np.ndarray.sum, x)


def handler_that_a_call_chooses(x):
    held = [x]
    try:
        raise KeyError
    except [ValueError, KeyError][grown(held, x) - 1]:
        return held[0] * held[1]


def array_of_a_flat_under_a_name(x):
    a = np.array([x, x * x])
    f = a.flat
    b = [np.array(f)]
    a[0] = x * 3.0
    return np.sum(b[0] * a)


def array_of_flat_with_an_axis_more(x):
    a = np.array([x, x * x])
    b = [np.array(a.flat, ndmin=2)]
    a[0] = x * 3.0
    return np.sum(b[0] * a)


@pytest.mark.parametrize('f', [array_of_a_flat_under_a_name, array_of_flat_with_an_axis_more])
def test_other_arrays_of_flat_are_refused(f):
    """They may be views, too."""
    with pytest.raises(tangent.TangentError, match=r'made of \.flat.*ravel'):
        tangent.grad(f)(0.7)


@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
@pytest.mark.parametrize('function, why', [
    (handler_that_a_call_chooses, 'handlers that are chosen by a call'),
    (lacking, 'defaultdict'), (the_least, 'comparison writes'), (in_order, 'comparison writes'),
    (answered, '__getattribute__'), (counted_from, 'count has no rule'), (in_the_context, 'kept outside of the function')])
def test_what_cannot_be_followed_is_refused(take, function, why):
    derivative = take(function) if function in (answered, counted_from) else None
    with pytest.raises(tangent.TangentError, match=why):
        derivative = derivative or take(function)
        derivative(0.7) if take is tangent.grad else derivative(0.7, 1.0)


def first_squared_of_a_map(v):
    it = iter([v[0], v[1], v[2]])
    return hunted_targets.first_squared(map(lambda e: e * 2.0, it)) * sum(it)


def dict_of_a_zip_that_leaves_some(v):
    it = iter(v)
    return len(dict(zip(it, 'a'))) * sum(it)


def list_of_a_zip_that_leaves_some(v):
    it = iter(v)
    return sum(a * b for a, b in list(zip(it, [2.0]))) * sum(it)


def iterators_in_a_list_that_a_zip_leaves(v):
    its = [iter(v), iter(v[:1])]
    t = 0.0
    for a, b in zip(its[0], its[1]):
        t += a * b
    return t * sum(its[0])


def test_iterators_in_a_list_are_gone_through_with_their_tangents():
    v = hunted_targets.V.copy()
    moved = differences(iterators_in_a_list_that_a_zip_leaves, (v,), (0,))[0]
    assert tangent.jvp(iterators_in_a_list_that_a_zip_leaves)(v, np.ones(3)) == pytest.approx(moved.sum())


def made_elsewhere(v):
    return iter(v)


def made_elsewhere_and_gone_through_twice(v):
    it = made_elsewhere(v)
    return sum(a * b for a, b in zip(it, v[:1])) * sum(it)


@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
def test_an_iterator_of_a_function_is_not_gone_through_twice(take):
    with pytest.raises(tangent.TangentError, match='gone through twice'):
        take(made_elsewhere_and_gone_through_twice)(*[hunted_targets.V.copy()] * (1 if take is tangent.grad else 2))


@pytest.mark.parametrize('f', [
    hunted_targets.an_iterator_that_is_searched_in_a_callee, hunted_targets.an_iterator_of_which_a_callee_takes_a_slice,
    hunted_targets.an_iterator_of_which_any_leaves_some, hunted_targets.an_iterator_taken_while, first_squared_of_a_map,
    hunted_targets.an_iterator_that_a_zip_of_a_callee_leaves, dict_of_a_zip_that_leaves_some])
def test_forward_mode_refuses_what_leaves_tangents_in_an_iterator(f):
    with pytest.raises(tangent.TangentError, match='of which a part is taken'):
        tangent.jvp(f)(hunted_targets.V.copy(), np.ones(3))


@pytest.mark.parametrize('f', [first_squared_of_a_map, list_of_a_zip_that_leaves_some])
def test_reverse_mode_refuses_what_leaves_some_of_an_iterator(f):
    with pytest.raises(tangent.TangentError, match='of which a part is taken'):
        tangent.grad(f)(hunted_targets.V.copy())


@pytest.mark.parametrize('f', [
    hunted_tried.read_and_written, hunted_tried.read_by_a_function_inside,
    hunted_tried.read_by_a_lambda, hunted_tried.read_by_what_is_in_a_list])
def test_what_was_read_outside_may_not_change_before_the_adjoint_reads_it(f):
    with pytest.raises(tangent.TangentError, match='outside after a call that has read it'):
        tangent.grad(f)(hunted_tried.V.copy())


def test_what_a_substitution_calls_may_write():
    with pytest.raises(tangent.TangentError, match='sub has no rule|no source that can be read'):
        tangent.grad(hunted_tried.written_by_a_substitution)(hunted_tried.V.copy())


def without_an_array(x):
    return np.sum(np.log(x, where=x > 0.5))


def drawn_into_an_array(x):
    b = x * 1.0
    np.random.default_rng(0).random(out=b)
    return np.sum(b * x)


@pytest.mark.parametrize('f, why', [(without_an_array, 'nobody has set'), (drawn_into_an_array, 'draws')])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_what_holds_no_value_is_refused(f, why, derivative):
    with pytest.raises(tangent.errors.TangentError, match=why):
        derivative(f)(np.array([0.7, 1.3]), *[np.ones(2)] * (derivative is tangent.jvp))


def hidden_in_a_dict(x):
    b = np.zeros(2)
    given = {'out': b}
    np.multiply(x, x, **given)
    return np.sum(b * x)


def test_an_output_that_a_dict_hides():
    x = np.array([0.7, 1.3])
    np.testing.assert_allclose(tangent.grad(hidden_in_a_dict)(x), 3 * x ** 2)
    with pytest.raises(tangent.errors.TangentError, match='one by one'):
        tangent.jvp(hidden_in_a_dict)(x, np.ones(2))


def counter():
    c = [0.0]

    def add(v):
        c[0] = c[0] + v

    def get():
        return c[0]
    return add, get


def two_functions_of_one_variable(x):
    add, get = counter()
    add(x[0])
    add(x[0] * x[1])
    return get() * get()


def two_functions_in_a_pair(x):
    both = counter()
    both[0](x[0])
    both[0](x[0] * x[1])
    return both[1]() * both[1]()


def test_two_functions_that_have_captured_one_variable():
    """Reverse and forward mode took the one for having nothing to do with the other: zero."""
    a, b = x = np.array([0.7, 1.3])
    wanted = 2 * (a + a * b) * np.array([1 + b, a])
    np.testing.assert_allclose(tangent.grad(two_functions_of_one_variable)(x), wanted)
    np.testing.assert_allclose(tangent.grad(two_functions_in_a_pair)(x), wanted)
    np.testing.assert_allclose(tangent.jvp(two_functions_of_one_variable)(x, np.ones(2)), wanted.sum())
    with pytest.raises(tangent.errors.TangentError, match='writes a value with a derivative into c'):
        tangent.jvp(two_functions_in_a_pair)(x, np.ones(2))


def ordered_by_a_writing_method(x):
    s = hunted_values.Sum()
    return sorted([x, 2 * x], key=s.add)[0] * s.total


def ordered_by_a_writing_method_for_nothing(x):
    s = hunted_values.Sum()
    max([x, 2 * x], key=s.add)
    return s.total


def numbered_map(x):
    s, y = hunted_values.Sum(), 0.0
    for k, v in enumerate(map(s.add, [x, 2 * x])):
        y = y + k * v * s.total
    return y


def method_called_by_name(x):
    s = hunted_values.Sum()
    operator.methodcaller('add', x)(s)
    return s.total


def in_a_list_of_methods(x):
    s = hunted_values.Sum()
    [f(x) for f in [s.add, s.large]]
    return s.total


@pytest.mark.parametrize('f', [ordered_by_a_writing_method, ordered_by_a_writing_method_for_nothing, numbered_map,
                               method_called_by_name, in_a_list_of_methods], ids=lambda f: f.__name__)
def test_functions_that_write_where_no_pass_sees_them_are_refused(f):
    """They were taken to write nothing, and the gradient was zero."""
    for derive in (lambda: tangent.grad(f)(0.7), lambda: tangent.jvp(f)(0.7, 1.0)):
        with pytest.raises(tangent.errors.TangentError, match=r'test_hunted.py:\d+: '):
            derive()


class Holder:
    def __init__(self, then):
        self.then = then

    def call(self, v):
        return self.then(v)


def append_that_an_object_holds(x):
    xs = []
    Holder(xs.append).call(x * x)
    return xs[0]


def lambda_that_an_object_holds(x):
    xs = []
    Holder(lambda v: xs.append(v * v)).call(x)
    return xs[0]


@pytest.mark.parametrize('f', [append_that_an_object_holds, lambda_that_an_object_holds])
def test_what_writes_behind_an_object(f):
    """Both modes gave zero."""
    assert tangent.grad(f)(0.7) == pytest.approx(1.4) == tangent.jvp(f)(0.7, 1.0)


def append_of_an_object_that_is_read_elsewhere(x):
    xs = []
    holders = {'k': Holder(xs.append)}
    holders['k'].call(x * x)
    return xs[0] * x


def test_builtin_methods_that_write_behind_an_object():
    """Right, or refused; forward mode gave the value times one."""
    f = append_of_an_object_that_is_read_elsewhere
    assert tangent.grad(f)(0.7) == pytest.approx(3 * 0.49)
    try:
        assert tangent.jvp(f)(0.7, 1.0) == pytest.approx(3 * 0.49)
    except tangent.errors.AliasError as error:
        assert 'writes a value with a derivative into it' in str(error)


def values_of(table):
    return table.values()


def view_of_a_helper(x):
    table = {'a': x, 'b': 2 * x}
    view = values_of(table)
    table['a'] = x * x
    return sum(view)


def view_in_a_tuple(x):
    table = {'a': x, 'b': 2 * x}
    view, n = (lambda t: (t.items(), 2))(table)
    table.update(c=x * x)
    return sum(v for _, v in view) * n


def view_that_shows_what_it_did(x):
    table = {'a': x, 'b': x * x}
    view = values_of(table)
    return sum(view) * max(view) * len(view)


@pytest.mark.parametrize('f', [view_of_a_helper, view_in_a_tuple])
def test_views_show_what_the_dict_holds(f):
    """In reverse mode a list stood in their place, which showed what the dict had held: the value was wrong, too."""
    assert tangent.jvp(f)(0.7, 1.0) == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6)
    with pytest.raises(tangent.errors.AliasError, match=r'test_hunted.py:\d+: a view of a dict .* after the dict has been changed'):
        tangent.grad(f)(0.7)


def test_views_of_what_has_not_changed():
    f = view_that_shows_what_it_did
    slope = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    assert tangent.grad(f)(0.7) == pytest.approx(slope) and tangent.jvp(f)(0.7, 1.0) == pytest.approx(slope)


def counting(f):
    f.total = 0.0

    def called(v):
        f.total = f.total + v
        return f(v) * f.total
    return called


def decorated(x):
    @counting
    def square(v):
        return v * v
    return square(x) + square(2 * x)


def attribute_of_a_lambda(x):
    f = lambda v: v                 # noqa: E731
    f.total = x * x
    return f.total * f(x)


def attribute_of_a_partial(x):
    f = functools.partial(max, x)
    f.total = x * x
    return f.total


@pytest.mark.parametrize('f', [decorated, attribute_of_a_lambda, attribute_of_a_partial])
def test_attributes_of_functions_have_no_tangents(f):
    """It was a raw AttributeError of None, or of a dict."""
    with pytest.raises(tangent.errors.TangentError, match=r'test_hunted.py:\d+: '):
        tangent.jvp(f)(0.7, 1.0)


def sent(x):
    y = x * x
    k = yield y
    yield y if k is None else y * k


def goes_through_sent(x):
    return sum(v * v for v in sent(x))


def test_what_a_generator_is_sent_is_refused():
    """Forward mode yielded pairs, and took them apart as the value that was sent: a raw error."""
    with pytest.raises(tangent.errors.TangentError, match=r'test_hunted.py:\d+: values sent into a generator'):
        tangent.jvp(goes_through_sent)(0.7, 1.0)


def kept_by_a_decorator(x):
    cache, log = {}, []

    def memo(f):
        def g(k):
            cache[k] = f(k)
            log.append(cache[k])
            return cache[k]
        return g

    @memo
    def h(k):
        return x[0] if k < 1 else h(k - 1) * x[1]
    h(1)
    return log[0] * cache[1]


def test_what_a_decorator_inside_keeps():
    x = np.array([0.7, 1.3])
    np.testing.assert_allclose(tangent.grad(kept_by_a_decorator)(x), [2 * x[0] * x[1], x[0] ** 2])


class Masks:
    def __init__(self, v):
        self.v = v

    def __and__(self, other):
        other.v = other.v * 2.0
        return Masks(self.v * other.v)

    __or__ = __and__


class MasksInPlace(Masks):
    def __iand__(self, other):
        self.v = self.v * other.v
        return self


def masked(x):
    a, b = Masks(x), MasksInPlace(2.0 * x)
    a &= b
    return a.v * b.v


def united(x):
    a, b = Masks(x), MasksInPlace(2.0 * x)
    a |= b
    return a.v * b.v


@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
def test_updates_by_operators_that_act(take):
    """Forward mode asked the module operator for `and` where another class defines __iand__: a raw error."""
    derivative, given = take(masked), (0.7,) if take is tangent.grad else (0.7, 1.0)
    assert derivative(*given) == pytest.approx(48 * 0.7 ** 2)
    with pytest.raises(tangent.errors.TangentError, match=r'updates by \|='):
        take(united)(*given)


class Growing:
    def __init__(self, v):
        self.v, self.values = v, [v * 2.0]

    def __getitem__(self, k):
        self.values[0] = self.values[0] * self.v
        return self.v

    def __len__(self):
        self.values[0] = self.values[0] * 3.0
        return 2


def compared_by_what_writes(x):
    seen = []

    def compare(a, b):
        seen.append(a * b)
        return a - b
    key = functools.cmp_to_key(compare)
    return seen[0] if key(x) < key(2 * x) else x


def ordered_by_what_writes(x):
    seen = []

    def compare(a, b):
        seen.append(a * b)
        return a - b
    return sorted([x, 2 * x], key=functools.cmp_to_key(compare))[0] * seen[0]


@pytest.mark.parametrize('f', [compared_by_what_writes, ordered_by_what_writes])
@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
def test_functions_of_two_that_write_make_no_order(take, f):
    with pytest.raises(tangent.TangentError, match=r'test_hunted.py:\d+: '):
        take(f)(0.7, *[1.0] * (take is tangent.jvp))


def summed_until(x):
    xs = [0.0, x, 2 * x]
    return sum(v * v for v in iter(xs.pop, 0.0))


def listed_until(x):
    xs = [0.0, x, 2 * x]
    return sum(list(iter(xs.pop, 0.0)))


@pytest.mark.parametrize('f', [summed_until, listed_until])
@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
def test_calls_until_something_comes_are_headers_of_loops(take, f):
    """Forward mode asked a tangent whether it can be called: a raw error."""
    with pytest.raises(tangent.TangentError, match=r'test_hunted.py:\d+: '):
        take(f)(0.7, *[1.0] * (take is tangent.jvp))


def registered_inside(x):
    @functools.singledispatch
    def g(v):
        return v * 2.0

    @g.register
    def _(v: list):
        return v[0] * 3.0
    return g(x) * g([x])


@functools.singledispatch
def by_class(v):
    return v * 2.0


@by_class.register
def _(v: list):
    return v[0] * 3.0


@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
def test_functions_by_class_are_made_outside(take):
    """Those inside lost the annotations by which they are registered: a raw error."""
    given = (0.7, *[1.0] * (take is tangent.jvp))
    with pytest.raises(tangent.TangentError, match='singledispatch.*top level'):
        take(registered_inside)(*given)
    assert take(lambda x: by_class(x) * by_class([x]))(*given) == pytest.approx(12 * 0.7)


def kept_in_a_default(x):
    def push(v, xs=[]):                 # noqa: B006
        xs.append(v)
        return len(xs)
    push(x)
    push(x * x)
    return sum(push.__defaults__[0])


@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
def test_default_values_of_functions_inside_are_not_read_from_outside(take):
    """The text for known arguments put the values elsewhere: 0 for the value, too."""
    with pytest.raises(tangent.TangentError, match='has for default values'):
        take(kept_in_a_default)(0.7, *[1.0] * (take is tangent.jvp))


class Measured:
    def __init__(self, v):
        self.v, self.asked = v, 1

    def __len__(self):
        self.asked += 1
        return 2

    def __iter__(self):
        return iter([self.v, self.v * 2.0])


def starred_object_that_is_measured(x):
    m = Measured(x)
    a, b = [*m]
    return a * b * m.asked


def list_of_an_object_that_is_measured(x):
    m = Measured(x)
    return sum(list(m)) * m.asked


def extended_by_an_object_that_is_measured(x):
    m, xs = Measured(x), [x]
    xs += m
    return sum(xs) * m.asked


def loop_over_an_object_that_could_be_measured(x):
    m, t = Measured(x), 0.0
    for v in m:
        t += v * v * len(m)
    return t * m.asked * sum(list([x]))


@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
def test_lists_of_objects_that_are_measured_are_refused(take):
    """Python asks for their length: what that wrote was lost."""
    given = (0.7,) if take is tangent.grad else (0.7, 1.0)
    for f in (starred_object_that_is_measured, list_of_an_object_that_is_measured, extended_by_an_object_that_is_measured):
        with pytest.raises(tangent.TangentError, match='whose __len__ writes'):
            take(f)(*given)
    f = loop_over_an_object_that_could_be_measured
    assert take(f)(*given) == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6)


def updated_by_an_item(x):
    s = Growing(x)
    s.values[0] += s[1]
    return s.values[0]


def updated_by_a_length(x):
    s = Growing(x)
    s.values[0] += len(s) * x
    return s.values[0]


def updated_once(x):
    s, xs = Growing(x), [x, x, x]
    xs[len(s)] += s[0]
    return s.values[0] * xs[2]


@pytest.mark.parametrize('f, expected', [(updated_by_an_item, 3), (updated_by_a_length, 4), (updated_once, 36 * 0.7 ** 2)])
def test_updates_read_what_operators_that_act_write(f, expected):
    assert tangent.grad(f)(0.7) == pytest.approx(expected) == tangent.jvp(f)(0.7, 1.0)


def of_kept_values(c, x):
    return c.square * x + c.area


def test_what_was_kept_before():
    """What an object keeps from before belongs to what it was computed of, while that is so."""
    def held(a, known):
        c = hunted_looked_up.Square(a)
        return (c.square, c)[1] if known else c

    for known in (False, True):
        gradient = tangent.grad(of_kept_values)(held(0.7, known), 1.3)
        assert gradient.a == pytest.approx(1.4 * 3.3) == tangent.jvp(of_kept_values)(
            held(0.7, known), 1.3, hunted_looked_up.Square(1.0))
    c = held(0.7, True)
    c.a = 2.0
    for derivative in (lambda: tangent.grad(of_kept_values)(c, 1.3),
                       lambda: tangent.jvp(of_kept_values)(c, 1.3, hunted_looked_up.Square(1.0))):
        with pytest.raises(tangent.errors.AliasError, match='from other values than the object has now'):
            derivative()


def sliced_while_it_writes(x):
    a = x

    def parts():
        nonlocal a
        for _ in range(5):
            yield a
            a = a * x
    return sum(itertools.islice(parts(), 2)) * a


def test_a_generator_inside_that_writes_is_not_read_ahead():
    f = sliced_while_it_writes
    assert tangent.grad(f)(0.7) == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6)
    with pytest.raises(tangent.TangentError, match=r'test_hunted.py:\d+: generators that write'):
        tangent.jvp(f)(0.7, 1.0)


def looked_up_twice(x):
    layer = hunted_looked_up.Layer(x[0])
    return layer.inner(layer.step(x[1])) + layer.inner(layer.step(x[2]))


@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_several_that_are_looked_up_in_one_statement(derivative):
    with pytest.raises(tangent.errors.TangentError, match='several calls in one statement'):
        derivative(looked_up_twice)


def bound_anew(x):
    k = x[0]

    def parts():
        for i in range(3):
            yield k * i
    t = 0.0
    for v in parts():
        k = x[1]
        t = t + v
    return t


def test_a_generator_inside_whose_variable_is_bound_anew():
    """It reads the variable whenever it goes on."""
    x = np.array([0.7, 1.3])
    np.testing.assert_allclose(tangent.grad(bound_anew)(x), [0.0, 3.0])
    np.testing.assert_allclose([tangent.jvp(bound_anew)(x, d) for d in np.eye(2)], [0.0, 3.0])


class OfItsOwnNumpy:
    def __init__(self, v):
        self.v = v

    def __array_function__(self, function, types, args, keywords):
        return self.v * 2.0


def summed_by_its_own_numpy(x):
    return np.sum(OfItsOwnNumpy(x)) * x


@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_functions_of_numpy_that_a_class_answers_itself_are_refused(derivative):
    """Forward mode handed the tangent of the object to NumPy: a raw error."""
    with pytest.raises(tangent.TangentError, match=r'test_hunted.py:\d+: An instance of OfItsOwnNumpy'):
        derivative(summed_by_its_own_numpy)(*[0.7, 1.0][:1 + (derivative is tangent.jvp)])


def left_by_an_exception(x):
    a = [x]

    @contextlib.contextmanager
    def scaled():
        a[0] = a[0] * 2
        try:
            yield a[0]
        finally:
            a[0] = a[0] * x
    try:
        with scaled() as v:
            a[0] = a[0] + v
            raise ValueError
    except ValueError:
        pass
    return a[0]


def test_forward_mode_refuses_a_generator_that_an_exception_leaves():
    with pytest.raises(tangent.TangentError, match='thrown into a generator'):
        tangent.jvp(left_by_an_exception)(0.7, 1.0)


def test_a_context_that_asks_an_exception():
    """Reverse mode is yet to know what the exception carries."""
    f, x = hunted_generators.a_context_that_asks_an_exception, np.array([0.7, 1.3, 0.4])
    np.testing.assert_allclose([tangent.jvp(f)(x, d) for d in np.eye(3)], [2.0, 2.0 + 2 * x[1], 2.0])


def test_a_pullback_that_is_called_in_another_setting():
    settings = define('''
MODE = 'plain'

def switch(name):
    global MODE
    MODE = name

def f(x):
    return x * x if MODE == 'plain' else x ** 3
''')
    for _ in range(3):
        settings.switch('plain')
        _, back = tangent.func.vjp(settings.f, 0.7)
        settings.switch('cubed')
        assert back(1.0)[0] == pytest.approx(1.4)


@pytest.mark.parametrize('f', [hunted_looked_up.given_by_a_context, hunted_looked_up.given_by_a_context_with_a_name])
def test_what_a_context_puts_outside_is_refused_where_it_has_a_derivative(f):
    for derive in (tangent.grad, tangent.jvp):
        with pytest.raises(tangent.TangentError, match='kept outside of the function'):
            derive(f)(hunted_looked_up.X.copy(), *[np.ones(3)] * (derive is tangent.jvp))


def test_what_a_defaultdict_that_is_given_makes_has_no_tangent():
    """It was what the dict makes for a key that it lacks, 1.0."""
    f, given = hunted_keys.read_from_a_defaultdict_that_is_given, {'a': 0.5}
    d = collections.defaultdict(lambda: 1.0, given)
    assert tangent.jvp(f, wrt=(0, 1))(d, 1.3, {'a': 2.0}, 1.0) == pytest.approx(2.0 * 1.3 + 0.5)


class Station:
    def __init__(self, height=1.0):
        self.height = height

    def raise_to(self, h):
        self.height = h * h


def raised(station, h):
    station.height = station.height * h


def changed_where_it_is_a_key(x):
    a, b = Station(), Station()
    for p, h in {a: x, b: 2.0}.items():
        p.height *= h
    return a.height * b.height


def changed_by_a_function_where_it_is_a_key(x):
    stations = [Station(), Station()]
    table = {s: x * (k + 1) for k, s in enumerate(stations)}
    for s in table:
        raised(s, table[s])
    return sum(s.height for s in stations)


def changed_by_a_method_where_it_is_the_first_key(x):
    stations = [Station(), Station()]
    table = {s: x * (k + 1) for k, s in enumerate(stations)}
    min(table, key=table.get).raise_to(x)
    return sum(s.height for s in stations)


def changed_in_a_set(x):
    a, b = Station(x), Station()
    for s in {a, b}:
        s.height = s.height * 3.0
    return a.height * b.height


@pytest.mark.parametrize('f', [changed_where_it_is_a_key, changed_by_a_function_where_it_is_a_key,
                               changed_by_a_method_where_it_is_the_first_key, changed_in_a_set])
@pytest.mark.parametrize('derivative', [tangent.grad, tangent.jvp])
def test_objects_that_are_changed_where_they_are_keys_are_refused(f, derivative):
    """Both modes took them for what they were under their other names: the derivative was zero."""
    with pytest.raises(tangent.TangentError, match=r'test_hunted.py:\d+: .*(keys of a dict|keys of dicts)'):
        derivative(f)(0.7, *[1.0] * (derivative is tangent.jvp))


def counted_where_it_is_a_key(x):
    a, t = Station(), 0.0
    for s, h in {a: x, Station(): 2.0}.items():
        s.height = 5
        t = t + h * h
    return t * a.height


def test_objects_that_are_keys_may_change_where_no_derivative_is():
    assert tangent.grad(counted_where_it_is_a_key)(0.7) == pytest.approx(7.0) == tangent.jvp(counted_where_it_is_a_key)(0.7, 1.0)


def counted(x):
    for _ in range(3):
        x = x * 1.5
        yield x


def goes_through_what_is_counted(x):
    return sum(counted(x))


def test_names_that_a_prompt_gives_change_no_text(monkeypatch):
    """A doctest binds `_` in the builtins: the variable of a generator had another name then."""
    before = tangent.source(tangent.grad(goes_through_what_is_counted))
    monkeypatch.setattr(builtins, '_', 1.0, raising=False)
    again = tangent.grad(lambda x: sum(counted(x)))
    assert 'for _ in range(3)' in before and 'for _ in range(3)' in tangent.source(again)


def of_what_a_partial_holds(x):
    power = functools.partial(pow, x)
    return power.args[0] * power(2.0)


@contextlib.contextmanager
def squared(x):
    yield x * x


def entered_by_a_stack(x):
    with contextlib.ExitStack() as stack:
        y = stack.enter_context(squared(x))
    return y * x


@pytest.mark.parametrize('f, why', [(of_what_a_partial_holds, r'uses of the .args of a functools.partial'),
                                    (entered_by_a_stack, 'exit stacks with callbacks or contexts')])
@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp, lambda f: tangent.grad(tangent.jvp(f), wrt=(0, 1))])
def test_what_partials_and_stacks_hold_is_refused(take, f, why):
    """Both were raw errors: a partial in all modes, a stack in the second derivative."""
    with pytest.raises(tangent.TangentError, match=why):
        take(f)(0.7, *[1.0] * (take is not tangent.grad))


def told_by_a_handler(x):
    try:
        t = x * 2
        del t
        u = t                           # noqa: F821
    except UnboundLocalError:
        u = x * x
    return u


@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
def test_names_that_are_deleted_where_a_handler_tells_are_refused(take):
    """A handler for UnboundLocalError was not one for NameError: the value was that of the block, and the derivative."""
    with pytest.raises(tangent.TangentError, match='handlers that tell whether a name was deleted'):
        take(told_by_a_handler)(0.7, *[1.0] * (take is tangent.jvp))


def test_slices_with_names_under_which_lists_get_longer():
    """The gradient was taken from where the old elements had been: wrong, or an IndexError."""
    x = np.array([0.7, 1.3, 0.4])
    f = hunted_values.under_a_name_that_is_a_number
    for _ in range(4):
        np.testing.assert_allclose(tangent.grad(f)(x), differences(f, (x,), (0,))[0], atol=1e-6)
    for derive in (tangent.grad, tangent.jvp):
        with pytest.raises(tangent.TangentError, match='slices with a name'):
            derive(hunted_values.under_a_slice_that_is_computed)(np.ones(4), *[np.ones(4)] * (derive is tangent.jvp))


def asked_of_sys(x):
    try:
        raise ValueError(x * x)
    except ValueError:
        error = sys.exc_info()[1]
    return error.args[0] * x


def shown_by_sys(x):
    try:
        raise ValueError('none')
    except ValueError:
        _, error, _ = sys.exc_info()
        if x > 5:
            print(error)
    return x * x


@pytest.mark.parametrize('take', [tangent.grad, tangent.jvp])
def test_exceptions_that_sys_gives_are_refused_where_they_carry_values(take):
    """What they carry was taken for a constant."""
    given = (0.7, *[1.0] * (take is tangent.jvp))
    with pytest.raises(tangent.TangentError, match=r'test_hunted.py:\d+: exceptions that sys gives'):
        take(asked_of_sys)(*given)
    assert take(shown_by_sys)(*given) == pytest.approx(1.4)


class ForAll:
    """Keeps the values of all objects in itself."""

    def __init__(self):
        self.values = {}

    def __get__(self, owner, kind=None):
        return self.values[id(owner)]

    def __set__(self, owner, v):
        self.values[id(owner)] = v


class InEach:
    def __set_name__(self, kind, name):
        self.name = '_' + name

    def __get__(self, owner, kind=None):
        return getattr(owner, self.name) * 2

    def __set__(self, owner, v):
        setattr(owner, self.name, v * v)


class Described:
    kept, own = ForAll(), InEach()


def kept_by_a_descriptor(x):
    d = Described()
    d.kept = x
    return d.kept * x


def kept_in_the_object(x):
    d = Described()
    d.own = x
    d.own += x
    return d.own


def test_descriptors_that_keep_values_in_themselves():
    """Forward mode lost the tangents of these: 0."""
    assert tangent.grad(kept_by_a_descriptor)(0.7) == pytest.approx(1.4)
    with pytest.raises(tangent.TangentError, match='of the descriptor kept keeps a value'):
        tangent.jvp(kept_by_a_descriptor)(0.7, 1.0)
    wanted = differences(kept_in_the_object, (0.7,), (0,))[0]
    assert tangent.grad(kept_in_the_object)(0.7) == pytest.approx(wanted) == tangent.jvp(kept_in_the_object)(0.7, 1.0)


GROUPS = '''
def carried_by_a_group(x, y):
    found = []
    try:
        raise ExceptionGroup('g', [ValueError(x, 2), ExceptionGroup('h', [KeyError(y), ValueError(x * y)])])
    except* ValueError as e:
        a, b = e.exceptions
        found.append(a.args[0] * b.exceptions[0].args[0])
    except* KeyError as e:
        found.append(e.exceptions[0].exceptions[0].args[0] * x)
    return sum(found) * found[0]

def of_a_group(x, y):
    try:
        try:
            raise ValueError(x * y)
        except ValueError as e:
            raise ExceptionGroup('a', [e, KeyError(2.0)])
    except ExceptionGroup as g:
        return g.exceptions[0].args[0] * g.exceptions[1].args[0] * y

def handlers_one_after_the_other(x, y):
    t = x
    try:
        t = t * y
        raise ExceptionGroup('g', [ValueError(1), KeyError(2)])
    except* ValueError:
        t = t * x
    except* KeyError:
        t = t + y * t
    finally:
        t = t * 1.5
    return t

def handlers_in_a_loop(x, y):
    t = x
    for k in range(3):
        try:
            t = t * y
            if k == 1:
                raise KeyError(k)
            t = t + x
        except* KeyError:
            t = t * x
            u = t
        else:
            u = y
        t = t + u
    return t
'''


@pytest.mark.skipif(sys.version_info < (3, 11), reason='except* is syntax of Python 3.11')
@pytest.mark.parametrize('name', ['carried_by_a_group', 'of_a_group', 'handlers_one_after_the_other', 'handlers_in_a_loop'])
def test_groups_of_exceptions(name):
    """Forward mode had the values of a group for tangents, or a raw error; passes took `except*` for a plain statement."""
    f, at = getattr(define(GROUPS), name), (0.7, 1.3)
    wanted = [differences(f, at, (k,))[0] for k in (0, 1)]
    for derivative in (tangent.grad(f, wrt=(0, 1)), tangent.grad(f, wrt=(0, 1), optimized=False)):
        for _ in range(4):
            assert derivative(*at) == pytest.approx(wanted, rel=1e-6)
    for derivative in (tangent.jvp(f, wrt=(0, 1)), tangent.jvp(f, wrt=(0, 1), optimized=False)):
        for _ in range(4):
            assert [derivative(*at, *d) for d in ((1.0, 0.0), (0.0, 1.0))] == pytest.approx(wanted, rel=1e-6)
