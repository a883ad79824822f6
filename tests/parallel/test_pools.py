"""Pools of processes inside of functions that are differentiated: adjoints and tangents run in processes, too."""
import concurrent.futures
import functools
import multiprocessing.pool

import numpy as np
import pytest

import tangent
from tangent.eventlog.shadow.threads import may_write


def work(x, k=1.0):
    return np.sin(x) * k


def weighted(v, s):
    return np.sum(v * v) * s


def pair(v):
    return v * v, 2 * v


class Layer:
    def __init__(self, w):
        self.w = w

    def apply(self, x):
        return self.w ** 2 * x

    __call__ = apply


def mapped(x, pool):
    ys = list(pool.map(work, [x * i for i in range(4)]))
    return sum(ys) * ys[1]


def submitted(x, pool):
    futures = [pool.submit(work, x * i, x) for i in range(3)]
    total = 0.0
    for future in futures:
        total += future.result() ** 2
    return total


def completed(x, pool):
    total = 0.0
    for future in concurrent.futures.as_completed([pool.submit(work, x * i, k=x) for i in range(3)]):
        total += future.result() ** 2
    return total


def arrays(x, pool):
    v = x * np.arange(3.0)
    first = pool.submit(weighted, v, x).result()
    v[0] = 5.0                                         # the adjoint of the first task knows what was sent
    second = pool.submit(weighted, v * v, 1.0)
    return first * second.result()


def of_pool(x, pool):
    zs = pool.starmap(weighted, [(np.ones(2) * x, 2.0), (np.ones(2) * x * x, x)])
    total = 0.0
    for y in pool.imap(work, [x, x * x]):
        total += y
    later = pool.apply_async(work, (x * x, x))
    return sum(zs) * total * pool.apply(work, (x, x)) * later.get()


def gives_arrays(x, pool):
    """The gradient of an array, or of arrays in a tuple, that a future gives was lost."""
    v = x * np.arange(1.0, 4.0)
    y = pool.submit(work, v, 2.0).result()
    first, _ = pool.submit(pair, v).result()
    return np.sum(y) + np.sum(first) * x + pool.submit(pair, v).result()[1][0]


def held_by_functions(x, pool):
    """What a partial, a method or an object holds was taken for nothing."""
    layer = Layer(x)
    return sum(pool.map(functools.partial(work, k=x), [1.0, x])) + sum(pool.map(functools.partial(weighted, np.ones(2) * x), [x, 2.0])) \
        + pool.submit(layer.apply, x).result() * pool.submit(Layer(x * x), 1.0).result() + layer.w


def keys_of_a_dict(x, pool):
    """The futures of a dict, as the documentation of Python has them: the gradient was lost."""
    futures = {pool.submit(work, x * k, x): k for k in (1.0, 2.0)}
    total = 0.0
    for future in concurrent.futures.as_completed(futures):
        total += future.result() * futures[future]
    return total


def keywords_of_apply(x, pool):
    later = pool.apply_async(work, kwds={'x': x, 'k': x})
    later.wait()
    return pool.apply(work, (1.0,), {'k': x}) * later.get()


def with_a_context(x):
    pool = concurrent.futures.ProcessPoolExecutor(1, mp_context=FORK)
    futures = [pool.submit(work, x * k) for k in (1.0, 2.0)]
    while not all([future.done() for future in futures]):
        pass
    total = sum([future.result() for future in futures])
    pool.shutdown()
    return total


FORK = multiprocessing.get_context('fork')


def too_large(x):
    if x > 100:
        raise ValueError('too large')
    return x * x


def tasks_that_raise(x, executor, pool):
    """The adjoint of a task that has raised was run, and raised again."""
    y = 0.0
    try:
        y = executor.submit(too_large, x * 1000).result()
    except ValueError:
        y = x * 3
    later = pool.apply_async(too_large, (x * 1000,))
    try:
        z = later.get()
    except ValueError:
        z = x * x
    return y * z * executor.submit(too_large, x).result()


def own_pool(x):
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        ys = list(pool.map(work, [x, x * x]))
    return ys[0] * ys[1]


def slope(f, x, *rest):
    return (f(x + 1e-6, *rest) - f(x - 1e-6, *rest)) / 2e-6


@pytest.fixture(scope='module')
def executor():
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context('fork')) as pool:
        yield pool


@pytest.fixture(scope='module')
def pool():
    with multiprocessing.get_context('fork').Pool(2) as made:
        yield made


@pytest.mark.parametrize('f', [mapped, submitted, arrays, gives_arrays, held_by_functions])
def test_tasks_of_an_executor(f, executor):
    expected = slope(f, 0.7, executor)
    assert tangent.grad(f)(0.7, executor) == pytest.approx(expected, rel=1e-6)
    assert tangent.jvp(f)(0.7, executor, 1.0) == pytest.approx(expected, rel=1e-6)
    assert list(executor.map(work, [0.7])) == [work(0.7)]          # what the executor counts had been put back: it stood still


@pytest.mark.parametrize('f', [completed, keys_of_a_dict])
def test_tasks_as_they_are_completed(f, executor):
    assert tangent.grad(f)(0.7, executor) == pytest.approx(slope(f, 0.7, executor), rel=1e-6)
    with pytest.raises(tangent.TangentError):
        tangent.jvp(f)(0.7, executor, 1.0)


@pytest.mark.parametrize('f', [mapped, of_pool, keywords_of_apply])
def test_tasks_of_a_pool(f, pool):
    expected = slope(f, 0.7, pool)
    assert tangent.grad(f)(0.7, pool) == pytest.approx(expected, rel=1e-6)
    assert tangent.jvp(f)(0.7, pool, 1.0) == pytest.approx(expected, rel=1e-6)


def test_tasks_that_raise_what_the_caller_catches(executor, pool):
    expected = slope(tasks_that_raise, 0.7, executor, pool)
    derivative, push = tangent.grad(tasks_that_raise), tangent.jvp(tasks_that_raise)
    for _ in range(4):
        assert derivative(0.7, executor, pool) == pytest.approx(expected, rel=1e-6)
    assert push(0.7, executor, pool, 1.0) == pytest.approx(expected, rel=1e-6)


def test_a_pool_that_is_gone_when_the_backward_pass_comes():
    for f in (own_pool, with_a_context):
        assert tangent.grad(f)(0.7) == pytest.approx(slope(f, 0.7), rel=1e-6)


def test_what_cannot_be_sent_is_refused_before_it_is():
    def f(x):
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            return pool.submit(lambda y: y * y, x).result()
    with pytest.raises(tangent.TangentError, match='pool.submit.*') as caught:
        tangent.grad(f)(0.7)
    assert 'cannot be sent to another process' in str(caught.value)


def test_threads_of_a_pool_go_on_as_they_did():
    with multiprocessing.pool.ThreadPool(2) as pool:
        assert tangent.grad(mapped)(0.7, pool) == pytest.approx(slope(mapped, 0.7, pool), rel=1e-6)


def in_threads(x):
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        first = threads.submit(work, x, k=2.0)
        rest = [threads.submit(lambda v, s: weighted(v, s) * x, np.array([x, k]), x) for k in range(3)]
        return first.result() * sum([f.result() for f in rest])


def positive(x):
    if x > 1.0:
        raise ValueError(x)
    return x * x


def in_a_thread_that_raises(x):
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        good, bad = threads.submit(positive, x), threads.submit(positive, 2.0 * x)
        try:
            return good.result() * bad.result()
        except ValueError:
            return good.result() * 3.0


@pytest.mark.parametrize('f', [in_threads, in_a_thread_that_raises])
def test_tasks_in_threads_in_forward_mode(f):
    """A raw error before: None has no attribute future."""
    slope = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    assert tangent.jvp(f)(0.7, 1.0) == pytest.approx(slope, rel=1e-6) == tangent.grad(f)(0.7)


class Sum:
    def __init__(self):
        self.total = 0.0

    def add(self, v):
        self.total = self.total + v * v
        return v * self.total


def one_after_the_other(x):
    s = Sum()
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        futures = [threads.submit(s.add, x * k) for k in range(1, 4)]
        return (futures[0].result() + futures[2].result()) * s.total


def asked_in_another_order(x):
    product = 1.0

    def times(v):
        nonlocal product
        product = product * v * v
        return product
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        futures = [threads.submit(times, x * k) for k in range(1, 4)]
        return (futures[2].result() + futures[0].result()) * product


@pytest.mark.parametrize('f', [one_after_the_other, asked_in_another_order])
def test_tasks_that_write_go_back_in_the_order_in_which_they_ran(f):
    """Those whose results were asked for went back first: a wrong gradient."""
    slope = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    for _ in range(3):
        assert tangent.grad(f)(0.7) == pytest.approx(slope, rel=1e-6)


def test_closures_of_one_text_need_not_write_alike():
    """What was known of one passed for the other, whose tasks then went back in any order."""
    def task_of(function):
        return lambda v: function(v)
    assert not may_write(task_of(abs))
    assert not may_write(task_of(lambda v: v * v))
    assert may_write(task_of(lambda v: v.append(1.0)))
