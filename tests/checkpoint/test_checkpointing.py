"""Loops that keep a few states: their gradients are those of plain loops, and what they keep and run again is counted."""
import functools
import itertools
import math
import os
import tracemalloc
import types

import numpy as np
import pytest

import tangent
from tangent import errors
from tangent.checkpoint.checkpointed import checkpointed
from tangent.checkpoint.memory_size import parsed, size
from tangent.checkpoint.schedules import Known, Unknown, advances, backwards, repetitions, split
from tests.tools.texts import define


def plainly(iterable, budget=None, storage=None, tape=None):
    return iterable


def unmarked(function):
    """The function with loops that tape every step."""
    namespace = {**function.__globals__, 'checkpointed': plainly}
    return types.FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)


def agrees(function, *args, wrt=(0, 1), rtol=1e-12):
    """The gradients of both, the same; those of the marked function."""
    found = tangent.grad(function, wrt=wrt)(*args)
    wanted = tangent.grad(unmarked(function), wrt=wrt)(*args)
    for g, h in zip(found if isinstance(wrt, tuple) else [found], wanted if isinstance(wrt, tuple) else [wanted]):
        np.testing.assert_allclose(g, h, rtol=rtol, atol=1e-13)
    assert function(*args) == pytest.approx(unmarked(function)(*args), rel=1e-14)
    return found


# Programs

def scalars(x, w, n):
    t = 0.0
    for i in checkpointed(range(n), budget=3):
        x = x + 0.01 * np.sin(w * x) * i
        t = t + x * x
    return t + x


def by_two(x, w, n):
    for i in checkpointed(range(3, n, 2), budget=2, tape=2):
        x = x * w + np.cos(x) / i
    return x + i


def backward_range(x, w, n):
    for i in checkpointed(range(n, 0, -1), budget=2):
        x = np.sin(x * w) + i
    return x


def continued(x, w, n):
    for i in checkpointed(range(n), budget=3):
        if i % 3 == 0:
            continue
        y = x * w
        x = np.sin(y) + i
        if x > 1e9:
            continue
        x = x - 0.5
    return x


def broken(x, w, n):
    for i in checkpointed(range(1000), budget=3, tape=1):  # noqa: B007
        x = x + w * 0.1
        if x > n:
            break
        x = x * 1.01
    return x * x + i


def with_else(x, w, n):
    for _ in checkpointed(range(n), budget=3):
        x = x * w
        if x > 1e6:
            break
    else:
        x = x + w
    return x * x


def whiled(x, w, n):
    k = 0
    while checkpointed(x < n, budget=3, tape=1):
        x = x * (1 + 0.1 * w)
        k = k + 1
    return x * k


def counted(x, w, n):
    for i in checkpointed(itertools.count(1, 2), budget=4, tape=1):
        if i > n:
            break
        x = np.sin(x * w) + i * 0.1
    return x


def inner_loop(x, w, n):
    for i in checkpointed(range(n), budget=2):
        for j in range(i):
            x = x + 0.1 * np.sin(w * x + j)
    return x


def nested(x, w, n):
    for i in checkpointed(range(n), budget=2, tape=1):
        for j in checkpointed(range(i + 1), budget=2, tape=1):
            x = x + 0.1 * np.sin(w * x + j)
            while checkpointed(x > 3.0, budget=1, tape=1):
                x = x - w
    return x


def in_a_loop(x, w, n):
    t = 0.0
    for k in range(3):
        for _ in checkpointed(range(n), budget=3):
            x = x + 0.1 * np.sin(w * x) * k
        t = t + x
        w = w * 1.1
    return t


def branches(x, w, n):
    y = w
    for i in checkpointed(range(n), budget=2):
        if i % 2:
            y = x * y
        else:
            x = np.sin(x) + 0.1 * y
        last = x * i
    return x + y + last


def later(x, w, n):
    for i in checkpointed(range(n), budget=2):
        if i == 0:
            y = x * w
        y = np.sin(y) + 0.5
    return y


def helper(x, w):
    return np.sin(x) * w


def calls(x, w, n):
    def local(a):
        return helper(a, w) + a
    for _ in checkpointed(range(n), budget=2):
        x = local(helper(x, w)) * 0.9
    return x


def augmented(x, w, n):
    t = 0.0
    for i in checkpointed(range(n), budget=3):
        x += 0.1 * np.sin(w * x)
        t += x * i
    return t


NUMBERS = [scalars, by_two, backward_range, continued, broken, with_else, whiled, counted, inner_loop, nested, in_a_loop, branches,
           later, calls, augmented]


@pytest.mark.parametrize('function', NUMBERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize('n', [1, 2, 13])
def test_loops_over_numbers(function, n):
    n = max(n, 5) if function is by_two else n
    agrees(function, 0.7, 1.2, n)


def test_no_iterations():
    assert agrees(scalars, 0.7, 1.2, 0) == (1.0, 0.0)
    assert agrees(whiled, 0.7, 1.2, 0.1) == (0.0, 0.0)


def test_finite_differences():
    eps = 1e-6
    for function in (scalars, broken, nested):
        found = tangent.grad(function)(0.7, 1.2, 9)
        assert found == pytest.approx((function(0.7 + eps, 1.2, 9) - function(0.7 - eps, 1.2, 9)) / (2 * eps), rel=1e-6)


# Arrays, and writes into them

def stencil(u, w, n):
    for _ in checkpointed(range(n), budget=3):
        u = u + 0.1 * w * (np.roll(u, 1) - 2 * u + np.roll(u, -1)) * u
    return np.sum(u * u)


def in_place(u, w, n):
    u = u * 1.0
    v = np.zeros_like(u)
    for _ in checkpointed(range(n), budget=3, tape=1):
        v[1:-1] = u[1:-1] + w * (u[2:] - 2 * u[1:-1] * u[:-2])
        u, v = v, u
    return np.sum(u * u)


def filled(u, w, n):
    y = np.zeros(n)
    x = u[0]
    for i in checkpointed(range(n), budget=3):
        x = np.sin(x * w) + u[i % 3]
        y[i] = x * x
    return np.sum(y) + y[0] * x


def of_a_parameter(u, w, n):
    for i in checkpointed(range(n), budget=3):
        u[i % 4] = np.sin(u[(i + 1) % 4] * w)
    return np.sum(u * u)


def through_a_view(u, w, n):
    u = u + 0.0
    for i in checkpointed(range(n), budget=3, tape=2):
        part = u[1:3]
        part[:] = np.sin(part) * w + i
    return np.sum(u * u)


def appended(u, w, n):
    out = []
    x = u[1]
    for i in checkpointed(range(n), budget=3):
        x = np.sin(x) * w
        out.append(x * i)
    return sum(out) + u[0]


def of_a_callee(u, w, n):
    u = u * 1.0
    step_in_place(u, w, n)
    return np.sum(u * u)


def step_in_place(a, w, n):
    for i in checkpointed(range(n), budget=2):
        a[i % 3] = a[i % 3 + 1] * np.sin(w * i)


def over_an_array(u, w, n):
    x = 1.0
    for a in checkpointed(u, budget=2, tape=1):
        x = np.sin(x * a) + w
    return x


def over_pairs(u, w, n):
    x = 1.0
    for k, a in checkpointed(enumerate(u), budget=2, tape=1):
        x = np.sin(x * a) + w * k
    return x


def over_constants(u, w, n):
    x = u[0]
    for a in checkpointed([0.5, 1.5, 2.5], budget=2, tape=1):
        x = np.sin(x * a) + w
    return x


def over_an_iterator(u, w, n):
    x = u[0]
    for a in checkpointed((k * 0.5 for k in range(n)), budget=2, tape=2):
        x = np.sin(x * a) + w
    return x


ARRAYS = [stencil, in_place, filled, of_a_parameter, through_a_view, appended, of_a_callee, over_an_array, over_pairs,
          over_constants, over_an_iterator]


@pytest.mark.parametrize('function', ARRAYS, ids=lambda f: f.__name__)
@pytest.mark.parametrize('n', [1, 2, 11])
def test_arrays(function, n):
    u = np.array([0.3, 0.5, 1.1, 0.2])
    kept = u.copy()
    found = tangent.grad(function, wrt=(0, 1))(u, 0.9, n)
    wanted = tangent.grad(unmarked(function), wrt=(0, 1))(u, 0.9, n)
    for g, h in zip(found, wanted):
        np.testing.assert_allclose(g, h, rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(u, kept)


# What is kept, and what is run again

LOG = []


def noted(x):
    LOG.append(float(x))
    return x


def chain(x, n, k, tape):
    for _ in checkpointed(range(n), budget=k, tape=tape):
        x = np.sin(noted(x)) + 0.5
    return x


def endless(x, n, k, tape):
    i = 0
    while checkpointed(i < n, budget=k, tape=tape):
        x = np.sin(noted(x)) + 0.5
        i = i + 1
    return x


def runs(function, *args):
    """(how often the steps of the loop were run in all, the report)."""
    LOG.clear()
    with tangent.watch_checkpoints() as report:
        tangent.grad(function)(*args)
    return len(LOG), report[0]


@pytest.mark.parametrize('n, k', [(1, 1), (2, 1), (10, 1), (10, 3), (30, 4), (100, 5), (50, 50), (7, 20)])
def test_steps_are_run_as_often_as_is_proven(n, k):
    count, report = runs(chain, 0.3, n, k, 1)
    r = repetitions(n, k)
    assert count == n + (r * n - math.comb(k + r, r - 1) if r else 0)
    assert report.kept <= k and report.again == count - n and report.steps == n


@pytest.mark.parametrize('n, k', [(1, 1), (10, 1), (10, 3), (30, 4), (100, 5), (7, 20)])
def test_an_unknown_number_of_steps(n, k):
    count, report = runs(endless, 0.3, n, k, 1)
    assert report.kept <= k
    assert count <= n * (repetitions(n + 1, k) + 2) + 1


def test_taping_several_steps_at_a_time_runs_fewer_again():
    counts = [runs(chain, 0.3, 100, 5, tape)[0] for tape in (1, 4, 20, 100)]
    assert counts == sorted(counts, reverse=True) and counts[0] > counts[1] > counts[2] > counts[3] == 100
    count, report = runs(chain, 0.3, 100, 5, None)
    assert count <= counts[0] and report.tape * report.tape_bytes <= max(5 * report.state_bytes, report.tape_bytes)


@functools.cache
def least(n, k):
    """The least number of steps that are run again, by trying all ways to divide them."""
    if n == 1 or k == 1:
        return n * (n - 1) // 2
    return min(m + least(n - m, k - 1) + least(m, k) for m in range(1, n))


@pytest.mark.parametrize('k', [1, 2, 3, 5])
def test_the_schedule_is_the_best_there_is(k):
    for n in range(1, 40):
        assert advances(n, k) == least(n, k)
        if n > 1 and k > 1:
            m = split(n, k)
            assert m + least(n - m, k - 1) + least(m, k) == least(n, k)


def followed(kept, n, k):
    """How many steps are run again in a way back, which is checked to be one."""
    again, held, at = 0, set(kept), n
    for a, b, keep in backwards(kept, n, k):
        assert a in held
        again += b - a
        if keep:
            held.add(b)
        else:
            at -= 1
            assert b == at
            held.discard(b)
        assert len(held) <= k
    assert at == 0
    return again


@pytest.mark.parametrize('k', [1, 2, 3, 5])
def test_ways_back_are_complete(k):
    for n in range(1, 60):
        assert n - 1 + followed(Known(n, k).kept, n - 1, k) == advances(n, k)
        marks = Unknown(k)
        for i in range(n):
            marks.reached(i)
            assert len(marks.kept) <= k and marks.kept[0] == 0
        assert followed(marks.kept, n, k) <= n * repetitions(n + 1, k)


def test_against_checkpoint_schedules():
    library = pytest.importorskip('checkpoint_schedules')
    for n, k in [(10, 3), (50, 4), (100, 5)]:
        schedule = library.Revolve(n, k)
        forward, done = 0, False
        for action in schedule:
            if isinstance(action, library.Forward):
                forward += action.n1 - action.n0
            done = done or isinstance(action, library.EndReverse)
            if done:
                break
        assert forward == advances(n, k) + n


def test_memory_from_outside():
    def gradient(budget, n=400, size=20_000):
        df = tangent.grad(heavy)
        df(np.ones(size), 2, budget)
        tracemalloc.start()
        df(np.ones(size), n, budget)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak / (8 * size)
    few, many = gradient(5), gradient(40)
    assert few < 25 and 40 < many < 75              # arrays held at a time, of 800 that a whole tape would take


def test_memory_does_not_grow_with_the_number_of_steps():
    """Diffusion of one wave, whose gradient is known: the wave, smaller by a factor for each step, there and back."""
    def diffused(u, nu, n):
        for _ in checkpointed(range(n), budget=50):
            u = u + nu * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
        return 0.5 * np.sum(u * u)
    u, peaks = np.sin(2 * np.pi * np.arange(64) / 64), []
    gradient = tangent.grad(diffused)
    for n in (100, 1000, 4000):
        nu = 0.25 / n
        tracemalloc.start()
        found = gradient(u, nu, n)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        np.testing.assert_allclose(found, (1 - 4 * nu * np.sin(np.pi / 64) ** 2) ** (2 * n) * u, rtol=1e-9, atol=1e-11)
    assert peaks[2] < 1.2 * peaks[1]


def heavy(u, n, budget):
    for _ in checkpointed(range(n), budget=budget, tape=1):
        u = np.sin(u) * 1.01
    return np.sum(u)


# Where states are kept

def on_disk(u, w, n, where):
    for _ in checkpointed(range(n), budget=4, storage=where, tape=1):
        u = np.sin(u * w)
    return np.sum(u)


@pytest.mark.parametrize('n', [1, 3, 20])
def test_states_on_disk(tmp_path, n):
    u = np.linspace(0, 1, 5)
    wanted = tangent.grad(unmarked(on_disk), wrt=(0, 1))(u, 1.1, n, '')
    for where in ('disk', tmp_path, str(tmp_path)):
        for g, h in zip(tangent.grad(on_disk, wrt=(0, 1))(u, 1.1, n, where), wanted):
            np.testing.assert_allclose(g, h, rtol=1e-13)
        assert os.listdir(tmp_path) == []


def fails_late(u, n, where, at):
    k = 0
    for _ in checkpointed(range(n), budget=4, storage=where, tape=1):
        k = k + 1
        u = failing(u, k, at)
    return u


CALLS = []


def failing(u, k, at):
    CALLS.append(k)
    if len(CALLS) == at:
        raise KeyError('in the loop')
    return np.sin(u)


@pytest.mark.parametrize('at', [1, 7, 23])            # in the first step, on the way forward, on the way back
def test_exceptions_leave_nothing_behind(tmp_path, at):
    df = tangent.grad(fails_late)
    CALLS.clear()
    with pytest.raises(KeyError, match='in the loop'):
        df(0.3, 20, tmp_path, at)
    assert len(CALLS) == at and os.listdir(tmp_path) == []
    CALLS.clear()
    assert df(0.3, 20, tmp_path, 0) == tangent.grad(unmarked(fails_late))(0.3, 20, tmp_path, 0)


def caught(x, w, n):
    for i in checkpointed(range(n), budget=2, tape=1):
        try:
            x = inverse(x - i * 0.1)
        except ZeroDivisionError:
            x = x * w + 1.0
    return x


def inverse(x):
    if x > 2.0:
        raise ZeroDivisionError
    return 1.0 / (x + 0.5)


def test_exceptions_inside():
    agrees(caught, 2.5, 1.2, 9)


def left_by_exception(x, w, n):
    y = x
    try:
        for i in checkpointed(range(n), budget=2, tape=1):
            y = inverse(y) * w + 0.3 * i
    except ZeroDivisionError:
        y = y * w * x
    return y


def replaced_after_exception(x, w, n):
    try:
        y = x
        for i in checkpointed(range(n), budget=2, tape=1):
            y = inverse(y) * w + 0.3 * i
    except ZeroDivisionError:
        y = w * x
    return y


def test_loops_left_by_exceptions():
    with pytest.raises(errors.TangentParseError, match='in a try statement'):
        tangent.grad(left_by_exception)(0.1, 1.9, 6)
    for n in (1, 2, 6):
        agrees(replaced_after_exception, 0.1, 1.9, n)


def test_gradients_more_than_once():
    backward = tangent.func.vjp(lambda u: stencil(u, 0.3, 12), np.array([0.1, 0.4, 0.2, 0.7]))[1]
    first, second = backward(1.0), backward(1.0)
    np.testing.assert_array_equal(first, second)


# Higher order, other modes

@pytest.mark.parametrize('function', [scalars, whiled, nested, augmented, counted], ids=lambda f: f.__name__)
def test_second_derivatives(function):
    plain = unmarked(function)
    args = 0.7, 1.2, 5
    assert tangent.jvp(function)(*args, 1.0) == pytest.approx(tangent.grad(plain)(*args), rel=1e-12)
    wanted = tangent.grad(tangent.grad(plain))(*args)
    assert tangent.grad(tangent.grad(function))(*args) == pytest.approx(wanted, rel=1e-10)
    assert tangent.jvp(tangent.grad(function))(*args, 1.0, 1.0) == pytest.approx(wanted, rel=1e-10)
    assert tangent.grad(tangent.jvp(function))(*args, 1.0) == pytest.approx(wanted, rel=1e-10)


def test_hessian_vector_products():
    u, v = np.array([0.1, 0.4, 0.2, 0.7]), np.array([1.0, -1.0, 0.5, 2.0])
    np.testing.assert_allclose(tangent.hvp(stencil)(u, 0.3, 6, v), tangent.hvp(unmarked(stencil))(u, 0.3, 6, v), rtol=1e-10)


def test_value_and_grad():
    assert tangent.value_and_grad(scalars)(0.7, 1.2, 8) == pytest.approx(
        (scalars(0.7, 1.2, 8), tangent.grad(scalars)(0.7, 1.2, 8)), rel=1e-14)


# What is refused, and what is noticed

def random_steps(x, n):
    for _ in checkpointed(range(n), budget=2, tape=1):
        x = x * np.random.uniform()
    return x


class Counter:
    def __init__(self):
        self.count = 0

    def next(self):
        self.count += 1
        return self.count


def hidden_state(x, counter, n):
    for _ in checkpointed(range(n), budget=2, tape=1):
        x = np.sin(x) + counter.next()
    return x


def test_steps_that_give_something_else_are_noticed():
    with pytest.raises(errors.RecomputeError, match='gave another value'):
        tangent.grad(random_steps)(0.5, 10)
    with pytest.raises(errors.AliasError, match='writes into a Counter'):
        tangent.grad(hidden_state)(0.5, Counter(), 10)


def held_twice(u, n):
    u = u * 1.0
    v = u[1:]
    for i in checkpointed(range(n), budget=2, tape=1):
        u[i] = v[i] * 2
    return np.sum(u)


def updated_alias(u, n):
    u = u * 1.0
    v = u
    for i in checkpointed(range(n), budget=2, tape=1):
        v += i
    return np.sum(u * u)


def test_arrays_with_two_names():
    with pytest.raises(errors.AliasError, match='two of its variables'):
        tangent.grad(held_twice)(np.ones(5), 3)
    with pytest.raises(errors.AliasError, match='other names'):
        tangent.grad(updated_alias)(np.ones(5), 3)


def written_outside(u, w, n):
    u = u * 1.0
    v = u[1:]
    for i in checkpointed(range(n), budget=2, tape=1):
        v[i] = v[i] * w + v[i - 1]
    return np.sum(u * u)


def test_writes_are_seen_under_other_names():
    for g, h in zip(tangent.grad(written_outside, wrt=(0, 1))(np.arange(5.0), 1.3, 3),
                    tangent.grad(unmarked(written_outside), wrt=(0, 1))(np.arange(5.0), 1.3, 3)):
        np.testing.assert_allclose(g, h)


def returns(x, n):
    for _ in checkpointed(range(n), budget=2):
        x = np.sin(x)
        if x < 0.1:
            return x
    return x


def attributes(x, counter, n):
    for _ in checkpointed(range(n), budget=2):
        x = np.sin(x)
        counter.count = x
    return x


def elsewhere(x, n):
    steps = checkpointed(range(n), budget=2)
    for _ in steps:
        x = np.sin(x)
    return x


@pytest.mark.parametrize('function, args, what', [
    (returns, (0.5, 3), 'return in a checkpointed loop'), (attributes, (0.5, Counter(), 3), 'assignments to attributes'),
    (elsewhere, (0.5, 3), 'not the header of a loop')])
def test_refused(function, args, what):
    with pytest.raises(errors.TangentParseError, match=what):
        tangent.grad(function)(*args)


@pytest.mark.parametrize('budget', [0, -1, 2.5, '3'])
def test_budgets_that_make_no_sense(budget):
    def f(x):
        for _ in checkpointed(range(10), budget=budget):
            x = np.sin(x)
        return x
    with pytest.raises(errors.ArgumentError, match='budget'):
        tangent.grad(f)(0.5)


def test_a_directory_that_is_not_there():
    with pytest.raises(errors.ArgumentError, match='storage'):
        tangent.grad(on_disk)(np.ones(3), 1.0, 5, '/there/is/none')


# A budget for a whole derivative

def simulation(u, w, n):
    e = 0.0
    for _ in range(n):
        for k in range(3):
            u = u + 0.01 * w * np.sin(u * k) * u
        e = e + np.sum(u * u)
    return e, u


def loss(u, w, n):
    e, u = simulation(u, w, n)
    k = 0
    while k < 20:
        u = np.sin(u) * w
        k += 1
    return e + np.sum(u)


@pytest.mark.parametrize('limit', ['1GB', '8MB', '3 MB', 1_000_000, '0.1MB'])
def test_a_memory_budget(limit):
    u = np.linspace(0, 1, 5000)
    df = tangent.grad(loss, wrt=(0, 1), memory=limit)
    found, wanted = df(u, 0.9, 60), tangent.grad(loss, wrt=(0, 1))(u, 0.9, 60)
    for g, h in zip(found, wanted):
        np.testing.assert_allclose(g, h, rtol=1e-12)
    choice = df.report[0]
    assert choice.function == 'simulation' and choice.steps == 60
    assert (choice.again == 0 or choice.whole) == (limit == '1GB')
    assert bool(choice.over) == (limit == '0.1MB')
    assert str(df.report).startswith('simulation, line')


def test_memory_is_kept_to():
    def peak(df):
        df(u, 0.9, 3)
        tracemalloc.start()
        df(u, 0.9, 200)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found
    u = np.linspace(0, 1, 5000)
    whole = peak(tangent.grad(loss))
    for limit in (14_000_000, 8_000_000):
        assert peak(tangent.grad(loss, memory=limit)) < 1.25 * limit < whole / 4


def with_return(x, n):
    for i in range(n):
        x = np.sin(x)
        if x < 0.3:
            return x * i
    return x


@pytest.mark.parametrize('function', [*NUMBERS, with_return], ids=lambda f: f.__name__)
def test_every_loop_within_a_budget(function):
    args = (0.7, 1.2, 7) if function is not with_return else (0.7, 30)
    plain = unmarked(function)
    for limit in (10**9, 2000):
        assert tangent.grad(plain, memory=limit)(*args) == pytest.approx(tangent.grad(plain)(*args), rel=1e-12)


def test_budgets_with_the_other_interfaces():
    value, g = tangent.value_and_grad(simple, memory='1kB')(0.5, 50)
    assert value == simple(0.5, 50) and g == pytest.approx(tangent.grad(simple)(0.5, 50))
    assert tangent.vjp(simple, memory=1000)(0.5, 50, 2.0) == pytest.approx(2 * g)
    assert tangent.grad(tangent.grad(simple, memory=1000))(0.5, 9) == pytest.approx(tangent.grad(tangent.grad(simple))(0.5, 9))


def simple(x, n):
    for _ in range(n):
        x = np.sin(x) + 0.1
    return x


@pytest.mark.parametrize('amount, count', [('200MB', 200_000_000), ('1.5 GiB', 3 * 2**29), (17, 17), ('12', 12), ('3kB', 3000)])
def test_amounts_of_memory(amount, count):
    assert parsed(amount) == count


@pytest.mark.parametrize('amount', ['much', '', 'MB', '3 XB', None])
def test_no_amounts_of_memory(amount):
    with pytest.raises(errors.ArgumentError, match='no amount of memory'):
        parsed(amount)


def test_sizes_count_what_is_shared_once():
    x = np.zeros(1000)
    alone = size(x)
    assert 8000 < alone < 8300
    assert size([x, x[1:], x.T, x]) < alone + 600
    assert size([x, x.copy()]) > 2 * 8000
    assert size([1.5, 2.5]) - size([]) == 2 * size(1.5) + 16


# What cannot be run again from its variables alone

def rows(a):
    for row in checkpointed(a, budget=2):
        row[:] = row * 2
    return np.sum(a)


def rows_updated(a):
    a = a * 1.0
    for row in checkpointed(a, budget=2):
        row *= 2
    return np.sum(a * a)


def functions_made(x):
    made = []
    for k in checkpointed(range(3), budget=2):
        made.append(lambda v, k=k: v ** k * x)
    return sum(f(x) for f in made)


def read_elsewhere(xs):
    it = iter(xs)
    total = 0.0
    for x in checkpointed(it, budget=2):
        total = total + x * next(it)
    return total


def over_keys(d, x):
    for k in checkpointed(d, budget=2, tape=1):
        x = x * d[k]
    return x


@pytest.mark.parametrize('function, arg, error', [
    (rows, np.ones((3, 2)), errors.TangentParseError), (rows_updated, np.ones((3, 2)), errors.TangentParseError),
    (functions_made, 0.5, errors.TangentParseError), (read_elsewhere, [0.5, 1.5, 2.5, 3.5], errors.TangentError)])
def test_refused_at_compile_time_or_when_running(function, arg, error):
    with pytest.raises(error):
        tangent.grad(function)(arg)


def test_a_budget_leaves_such_loops_their_tape():
    def plain_rows(a):
        for row in a:
            row *= a[0, 0]
        return np.sum(a * a)

    def with_dict(x):
        d = {'x': x}
        for _ in range(5):
            d['x'] = np.sin(d['x'])
        return d['x']
    a = np.ones((3, 2)) * 1.1
    np.testing.assert_allclose(tangent.grad(plain_rows, memory=100)(a), tangent.grad(plain_rows)(a))
    df = tangent.grad(with_dict, memory=100)
    assert df(0.5) == pytest.approx(tangent.grad(with_dict)(0.5))
    assert 'dict' in str(df.report)


def test_keys_of_a_dict():
    assert tangent.grad(over_keys, wrt=1)({'a': 2.0, 'b': 3.0}, 0.5) == 6.0
    assert tangent.grad(over_keys)({'a': 2.0, 'b': 3.0}, 0.5) == {'a': 1.5, 'b': 1.0}


class Part:
    def __init__(self, a, b):
        self.a, self.b = a, b


def parts(x):
    t = 1.0
    for item in [[x[0], x[1], x[2]], [x[2], x[1], x[0]], Part(x[:2], x[2:])]:
        match item:
            case [v, *r]:
                t += v * r[0] * r[1]
            case Part(a=p, b=v):
                t += p @ v * t
    return t


@pytest.mark.parametrize('memory', [1, 100])
def test_a_list_bound_anew_in_each_step(memory):
    """What a step gives to a list that it binds itself is not given to that of the step before, too."""
    x = np.array([0.7, 1.3, 0.4, -0.9])
    assert tangent.grad(parts, memory=memory)(x) == pytest.approx(differences(parts, x), rel=1e-6)


def pairs(x):
    q, last = (x[0], x[1]), None
    for k in checkpointed(range(4), 2):
        q = q[1], q[0] * x[2] + k * 0.1
        if last is not None:
            q = q[0] * last, q[1]
        last = q[0] * x[3]
    return q[0] * q[1] + last


def test_second_derivatives_of_what_goes_along_in_containers():
    """The bounds of a `range` have no derivative, and what is None at first goes onto the tape of the first derivative."""
    x, v = np.array([0.7, 1.3, 0.4, -0.9]), np.array([1.0, -0.5, 0.3, 0.8])
    slope = tangent.grad(pairs)
    wanted = pytest.approx((slope(x + 1e-6 * v) - slope(x - 1e-6 * v)) / 2e-6, rel=1e-6)
    assert tangent.hvp(pairs)(x, v) == wanted
    assert tangent.grad(lambda x: tangent.grad(pairs)(x) @ v)(x) == wanted


def test_a_module_that_has_the_name_of_a_helper():
    """`import copy` was found by the text of the loop, which copies what it writes into."""
    f = define('''
import copy
import numpy as np
import tangent

def f(u):
    v = np.zeros(5)
    v[1:-1] = u
    for k in tangent.checkpointed(range(6), 2):
        v[1:-1] = v[1:-1] + 0.1 * np.sin(v[2:] * v[:-2])
    return np.sum(v * v)
''').f
    u = np.array([0.4, 0.7, 1.1])
    assert tangent.grad(f)(u) == pytest.approx(differences(f, u), rel=1e-6)


def differences(f, u):
    return [(f(u + e) - f(u - e)) / 2e-6 for e in 1e-6 * np.eye(len(u))]
