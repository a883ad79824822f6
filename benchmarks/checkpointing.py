"""Loops that keep a few states: what a gradient within 1 % of the memory of its tape costs, beside one with the whole tape."""
import math
import tracemalloc

import numpy as np

import tangent
from benchmarks.tools.timing import Row, measure

STEPS = 100_000
PART = 100                     # the part of the tape that may be kept


def whole(x, w, n):
    t = 0.0
    for _ in range(n):
        x = x + 0.001 * math.sin(w * x)
        t = t + x * x
    return t + x


def few(x, w, n, budget):
    t = 0.0
    for _ in tangent.checkpointed(range(n), budget=budget):
        x = x + 0.001 * math.sin(w * x)
        t = t + x * x
    return t + x


def field(u, w, n):
    for _ in range(n):
        u = u + 0.1 * w * (np.roll(u, 1) - 2 * u + np.roll(u, -1)) * u
    return np.sum(u * u)


def peak(call):
    """The most bytes that a call has allocated at a time, once it has run."""
    call()
    tracemalloc.start()
    call()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def run(peers, repeats=5, steps=STEPS, size=10_000):
    """The report, line by line."""
    of_whole, of_few = tangent.grad(whole, wrt=(0, 1)), tangent.grad(few, wrt=(0, 1))
    tape = tangent.tape_report(of_whole, 1.0, 2.0, max(steps // 100, 1)).total * 100
    limit = max(tape // PART, 2000)
    within = tangent.grad(whole, wrt=(0, 1), memory=limit)
    budget = max(limit // 400, 1)          # states of a hundred bytes, and as much again for a part of the tape
    calls = {'whole': lambda: of_whole(1.0, 2.0, steps), 'budget': lambda: of_few(1.0, 2.0, steps, budget),
             'memory': lambda: within(1.0, 2.0, steps)}
    times, peaks = measure(calls, repeats), {name: peak(call) for name, call in calls.items()}
    what = f'scalar loop, {steps} steps'
    yield Row(f'{what}: whole tape', peaks['whole'] / 1e6, unit=' MB')
    for name, text in (('budget', f'checkpointed, budget={budget}'), ('memory', f'memory={limit}')):
        yield Row(f'{what}: {text}: memory / whole tape', peaks[name] / peaks['whole'], 0.01)
        yield Row(f'{what}: {text}: time / whole tape', times[name] / times['whole'], 4)
    u, of_field = np.linspace(0, 1, size), tangent.grad(field)
    limit = tangent.tape_report(of_field, u, 0.9, 10).total * steps // 1000 // 10
    limited = tangent.grad(field, memory=limit)
    calls = {'whole': lambda: of_field(u, 0.9, steps // 100), 'memory': lambda: limited(u, 0.9, steps // 100)}
    times, peaks = measure(calls, repeats), {name: peak(call) for name, call in calls.items()}
    what = f'array loop, {steps // 100} steps: a tenth of its tape'
    yield Row(f'{what}: memory / whole tape', peaks['memory'] / peaks['whole'])
    yield Row(f'{what}: time / whole tape', times['memory'] / times['whole'])
