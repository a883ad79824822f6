"""Derivatives of derivatives through what is known only when running: functions as values, methods, objects, effects."""
import collections
import dataclasses
import heapq
import itertools
import types

import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close, differences


class Accumulator:
    def __init__(self, total):
        self.total = total

    def add(self, x):
        self.total = self.total + x * self.total
        return self.total


def apply(f, x):
    return f(x) * x


def closures(x):
    w = x * x
    return apply(lambda y: y * y * w, x) + apply(np.sin, x)


def objects(x):
    acc = Accumulator(x * 2)
    y = acc.add(x)
    return y * acc.total * x


def functions_in_a_list(x):
    for f in [np.sin, np.exp]:
        x = f(x) * x
    return x


def starred(x):
    g = [lambda *a, k=1.0: a[0] * a[1] * k]
    xs = [x, x * x]
    return g[0](*xs) + g[0](x, 2.0, k=x)


def scale(a, x):
    a[0] = x * a[1]
    a[1:] += x * x


def effects(x):
    a = np.ones(3) * x
    scale(a, x)
    scale(a, a[1])
    return a[0] * a[2]


def method_as_value(x):
    acc = Accumulator(x)
    add = acc.add
    return apply(add, x * x) + acc.total


FUNCTIONS = [closures, objects, functions_in_a_list, starred, effects]


def derivative(f, mode):
    if mode == 'G':
        return tangent.grad(f)
    return tangent.autodiff(f, mode='forward', input_derivative=tangent.INPUT_DERIVATIVE.DefaultOne)


@pytest.mark.parametrize('modes', ['JG', 'JJ', 'JJG'])
@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_over_forward_mode(f, modes):
    for mode in modes:
        before, f = f, derivative(f, mode)
    np.testing.assert_allclose(f(1.3), (before(1.3 + 1e-5) - before(1.3 - 1e-5)) / 2e-5, rtol=1e-6)


# Arrays that are taken out of lists, dicts and queues in the log form: their gradients are known by identity

def popped(x):
    items = [x * 1.0, x * 2.0, (x * 3.0, 2.0)]
    pair, first = items.pop(), items.pop(0)
    try:
        return np.sum(first) * 2 + np.sum(items[0] * pair[0])
    finally:
        pass


def popped_from_a_deque(x):
    items = collections.deque([x * 1.0, x * 2.0, x * 3.0])
    last, first = items.pop(), items.popleft()
    try:
        return np.sum(last) * 2 + np.sum(items[0]) + first[0]
    finally:
        pass


def popped_from_a_dict(x):
    items = {'a': x * 1.0, 'b': x * 2.0}
    a = items.pop('a')
    _, b = items.popitem()
    try:
        return np.sum(a * b)
    finally:
        pass


def popped_from_a_heap(x):
    items = [(x[k], x * k) for k in range(2)]
    heapq.heapify(items)
    try:
        return np.sum(heapq.heappop(items)[1] * heapq.heappop(items)[1]) + x[0] * x[1]
    finally:
        pass


@pytest.mark.parametrize('f', [popped, popped_from_a_deque, popped_from_a_dict, popped_from_a_heap],
                         ids=lambda f: f.__name__)
def test_arrays_taken_out(f):
    x = np.array([1.5, 2.0])
    assert_close(tangent.grad(f)(x), differences(f, (x,), (0,))[0])


def stacked(x):
    return np.sum(np.array([x * k for k in range(1, 4)]) ** 2)


def tuples_joined(t):
    u = t + (2.0,) + t[:1]
    return u[0] * u[1] * u[3]


def test_gradients_of_lists_are_differentiated():
    """`bu[:n] += v` makes a list longer."""
    pull = tangent.vjp(tangent.grad(stacked))
    np.testing.assert_allclose(pull(np.array([0.3, 0.8]), 1.0, np.array([1.0, 2.0])), [28.0, 56.0])
    assert tangent.vjp(tangent.grad(tuples_joined))((0.3, 1.2), 1.0, (1.0, 0.5)) == pytest.approx((2.7, 0.6))


def forward_gradient(f):
    return tangent.jacobian(f, mode='forward')


@pytest.mark.parametrize('outer', [tangent.grad, forward_gradient])
@pytest.mark.parametrize('inner', [tangent.grad, forward_gradient])
def test_a_derivative_taken_by_a_function_that_is_handed_in(outer, inner):
    def slope(take, x):
        return take(lambda y: y ** 3 * x)(x)                   # 3 x ** 3

    assert outer(lambda x: slope(inner, x))(2.0) == pytest.approx(36.0)


# Two names for one list, through a function that only hands on what another makes

def made(part):
    held = types.SimpleNamespace()
    held.a = part
    return held.a, part


def handed_on(part):
    return made(part)


def two_names(x):
    part = [1.0]
    m, n = handed_on(part)
    m[0] = x * x
    return part[0] * n[0]


@dataclasses.dataclass
class Spring:
    stiffness: float
    rest: float = 1.0

    def energy(self, x):
        return self.stiffness * (x - self.rest) ** 2


def by_keyword(x):
    s, t = Spring(x), Spring(rest=x, stiffness=2.0)
    return s.energy(2.0) + t.energy(3.0)


def new(x):
    return x + 0.0


def written_after_a_call(x):
    y = new(x)
    y = [y]
    y[0] *= x
    return y[0] + x


@pytest.mark.parametrize('modes', ['r', 'f', 'rr', 'rf', 'fr', 'ff', 'rrf', 'fff'])
@pytest.mark.parametrize('f', [two_names, by_keyword, written_after_a_call], ids=lambda f: f.__name__)
def test_any_order(f, modes):
    for mode in reversed(modes):
        before, f = f, derivative(f, 'G' if mode == 'r' else 'J')
    np.testing.assert_allclose(f(1.3), (before(1.3 + 1e-5) - before(1.3 - 1e-5)) / 2e-5, rtol=1e-6, atol=1e-6)


def test_the_tangent_of_a_new_array_is_new():
    def f(x):
        y = new(x)
        y[0] = 5.0
        return np.sum(y) + np.sum(x)
    assert tangent.jvp(f)(np.ones(3), np.ones(3)) == 5.0


# What a function in the log form makes where it returns: a list has its gradient by identity

def undone(xs):
    try:
        xs[0] = xs[0] * 1.0
    finally:
        pass


def as_list(x, xs):
    undone(xs)
    return list(xs)


def as_display(x, xs):
    undone(xs)
    return [x * x, x]


def as_sum(x, xs):
    undone(xs)
    return xs + [x * x]


def as_sorted(x, xs):
    undone(xs)
    return sorted(xs)


def as_repeated(x, xs):
    undone(xs)
    return xs * 2


def as_slice(x, xs):
    undone(xs)
    return xs[:1]


def as_values(x, xs):
    undone(xs)
    return {'a': x * x, 'b': xs[0]}


def repeated_twice(x):
    ys = [x] * 3 + 2 * [x * x]
    return ys[0] * ys[1] * ys[3] * ys[4]


def repeated_and_joined(x):
    t, u = [x], [x * x]
    try:
        ys = t + 2 * u
    finally:
        pass
    return ys[0] * ys[2]


def itertools_twice(x):
    return sum(a * b for a, b in itertools.combinations([x, x * x, x * 2.0], 2))


@pytest.mark.parametrize('modes', ['r', 'rr', 'rf', 'ff'])
@pytest.mark.parametrize('f', [repeated_twice, repeated_and_joined, itertools_twice], ids=lambda f: f.__name__)
def test_lists_twice(f, modes):
    test_any_order(f, modes)


@pytest.mark.parametrize('modes', ['r', 'rr', 'rf'])
@pytest.mark.parametrize('make', [as_list, as_display, as_sum, as_sorted, as_repeated, as_slice, as_values],
                         ids=lambda f: f.__name__)
def test_containers_that_are_returned(make, modes):
    def f(x):
        xs = [x * x, x * 2.0]
        result = make(x, xs)
        first, last = ('a', 'b') if isinstance(result, dict) else (0, -1)
        xs.append(result[first] * result[last] + result[last] * x)
        return xs[-1]
    test_any_order(f, modes)


def test_functions_of_ours_with_the_same_text_are_told_apart():
    """Reverse over forward mode: what ran before, with the same operators in its text, has nothing to do with it."""
    class Table:
        def __init__(self):
            self.rows = {}

        def __setitem__(self, key, value):
            self.rows[key] = value * 2

        def __getitem__(self, key):
            return self.rows[key]

    class Dual:
        def __init__(self, value, slope=0.0):
            self.value, self.slope = value, slope

        def __mul__(self, other):
            return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    def first(x):
        t = Table()
        t['a'] = x
        t['b'] = t['a'] * x
        return t['b'] + t['a']

    def second(x):
        d = Dual(x, 1.0)
        return (d * d * d).slope

    def reverse_over_forward(f, x):
        return tangent.grad(lambda x: tangent.jvp(f)(x, 1.0))(x)

    assert reverse_over_forward(first, 0.3) == pytest.approx(8.0)
    assert reverse_over_forward(second, 1.3) == pytest.approx(6.0)
