"""Gradients of functions of numbers: one of twenty operations, and a loop of two thousand steps."""
import importlib
import math

import tangent
from benchmarks.tools.timing import Row, measure

STEPS = 2000


def twenty(x):
    a = math.sin(x) * x
    b = math.exp(-a) + x
    c = a * b - 0.5 * x
    d = c / (1.0 + b * b)
    e = math.tanh(d) + a
    f = e * d - math.cos(c)
    return f * x + e / b - a


def loop(x, n):
    y = x
    for _ in range(n):
        y = math.sin(y) * x + 0.5 * y
    return y


def written_for(numpy):
    """The same two, with the functions of another library."""
    def twenty(x):
        a = numpy.sin(x) * x
        b = numpy.exp(-a) + x
        c = a * b - 0.5 * x
        d = c / (1.0 + b * b)
        e = numpy.tanh(d) + a
        f = e * d - numpy.cos(c)
        return f * x + e / b - a

    def loop(x, n):
        y = x
        for _ in range(n):
            y = numpy.sin(y) * x + 0.5 * y
        return y
    return twenty, loop


def programs(peers, steps):
    """(Programs for the function of twenty operations, programs for the loop): name -> call without arguments."""
    first, second = tangent.grad(twenty), tangent.grad(loop)
    short, long = {'tangent': lambda: first(0.7)}, {'tangent': lambda: second(0.7, steps)}
    if 'autograd' in peers:
        theirs = [peers['autograd'].grad(f) for f in written_for(importlib.import_module('autograd.numpy'))]
        short['autograd'] = lambda: theirs[0](0.7)
        long['autograd'] = lambda: theirs[1](0.7, steps)
    return short, long


def run(peers, repeats=15, steps=STEPS):
    """The report, line by line."""
    short, long = programs(peers, steps)
    for what, calls, target in (('20 scalar operations', short, 50), (f'scalar loop, {steps} steps', long, 100)):
        times = measure(calls, repeats)
        yield Row(f'{what}: tangent', times['tangent'] * 1e6, unit=' us')
        if 'autograd' in times:
            yield Row(f'{what}: autograd / tangent', times['autograd'] / times['tangent'], target, least=True)
