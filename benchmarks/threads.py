"""Gradients of loops over `prange`, on one thread and on all, beside those of the same loops over `range`.

The clock is that of the wall: measure on a machine that has nothing else to do.
"""
import time

import numba
import numpy as np
from numba import prange

import tangent
from benchmarks.tools.timing import Row, measure

SIZES = {'densities': 100_000, 'smoothing': 600, 'forces': 400, 'neighbours': 200_000}


def densities(x, mu, sigma):
    """A sum over independent points."""
    total = 0.0
    for i in prange(len(x)):
        z = (x[i] - mu) / sigma
        total += np.log(np.exp(-0.5 * z * z) + np.exp(-np.abs(z)))
    return total


def smoothing(a, steps):
    """A stencil: what is read by neighbours is written by one."""
    n = len(a)
    for _ in range(steps):
        b = np.empty_like(a)
        for i in prange(n):
            for j in range(n):
                up, down = a[max(i - 1, 0), j], a[min(i + 1, n - 1), j]
                b[i, j] = np.tanh(0.25 * (up + down + a[i, max(j - 1, 0)] + a[i, min(j + 1, n - 1)]))
        a = b
    return np.sum(a * a)


def forces(x):
    """Pairs: every trip reads everything."""
    total = 0.0
    for i in prange(len(x)):
        for j in range(len(x)):
            d = x[i] - x[j]
            total += 1.0 / np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01)
    return total


def neighbours(x, index):
    """A gather, whose gradient is a scatter."""
    y = np.empty_like(x)
    for i in prange(len(x)):
        y[i] = np.sin(x[index[i, 0]]) * x[index[i, 1]] + x[i]
    return np.sum(y * y)


def arguments(name, n):
    rng = np.random.default_rng(0)
    if name == 'densities':
        return rng.normal(size=n), 0.1, 1.3
    if name == 'smoothing':
        return rng.normal(size=(n, n)), 4
    if name == 'forces':
        return rng.normal(size=(n, 3)),
    return rng.normal(size=n), rng.integers(0, n, (n, 2))


def programs(function, args, threads):
    """name -> call without arguments; each is checked against the loop in order."""
    serial, parallel = numba.njit(function), numba.njit(parallel=True)(function)
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int) and np.asarray(a).dtype.kind == 'f')
    gradients = {'in order': tangent.grad(serial, wrt), 'parallel': tangent.grad(parallel, wrt)}

    def on(count, call):
        def run():
            numba.set_num_threads(count)
            return call(*args)
        return run
    found = {'loop in order': on(1, serial), 'gradient in order': on(1, gradients['in order'])}
    for count in sorted({1, threads}):
        found[f'loop, {count}'] = on(count, parallel)
        found[f'gradient, {count}'] = on(count, gradients['parallel'])
        for ours, known in zip(found[f'gradient, {count}'](), found['gradient in order']()):
            np.testing.assert_allclose(ours, known, rtol=1e-9, atol=1e-9)
    return found


def run(_, repeats=9, sizes=None):
    """The report, line by line."""
    threads = numba.config.NUMBA_NUM_THREADS
    for name, n in (sizes or SIZES).items():
        seconds = measure(programs(globals()[name], arguments(name, n), threads), repeats, batch=0.05, clock=time.perf_counter)
        one, all_of_them = seconds['gradient, 1'], seconds[f'gradient, {threads}']
        yield Row(f'{name}: gradient, parallel on 1 thread / in order', one / seconds['gradient in order'])
        yield Row(f'{name}: loop, 1 thread / {threads} threads', seconds['loop, 1'] / seconds[f'loop, {threads}'])
        yield Row(f'{name}: gradient, 1 thread / {threads} threads', one / all_of_them)
        yield Row(f'{name}: gradient / loop, {threads} threads', all_of_them / seconds[f'loop, {threads}'])
