"""Pools of processes inside of functions that are differentiated: adjoints and tangents run in processes, too."""
import concurrent.futures
import multiprocessing

import numpy as np
import pytest

import tangent


def work(x, k=1.0):
    return np.sin(x) * k


def weighted(v, s):
    return np.sum(v * v) * s



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


@pytest.mark.parametrize('f', [mapped, submitted, arrays])
def test_tasks_of_an_executor(f, executor):
    expected = slope(f, 0.7, executor)
    assert tangent.grad(f)(0.7, executor) == pytest.approx(expected, rel=1e-6)
    assert tangent.jvp(f)(0.7, executor, 1.0) == pytest.approx(expected, rel=1e-6)


def test_tasks_as_they_are_completed(executor):
    assert tangent.grad(completed)(0.7, executor) == pytest.approx(slope(completed, 0.7, executor), rel=1e-6)


@pytest.mark.parametrize('f', [mapped, of_pool])
def test_tasks_of_a_pool(f, pool):
    expected = slope(f, 0.7, pool)
    assert tangent.grad(f)(0.7, pool) == pytest.approx(expected, rel=1e-6)
    assert tangent.jvp(f)(0.7, pool, 1.0) == pytest.approx(expected, rel=1e-6)


def test_a_pool_that_is_gone_when_the_backward_pass_comes():
    assert tangent.grad(own_pool)(0.7) == pytest.approx(slope(own_pool, 0.7), rel=1e-6)


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
