"""The kernels of PolyBench and of weather models, flows, signals: programs as people write them in NumPy, unmodified.

Most write into their arguments and return nothing. `loss_of` makes a function of the same arguments that calls a kernel
and sums up what it computes, so that one gradient asks for all of it.
"""
import functools
import linecache

import numpy as np


@functools.cache
def loss_of(function, names, results, each='np.sum(np.sin({}))', wrap=None):
    """A function of the arguments `names` that calls the kernel.

    results : what the kernel computes: arguments that it writes into, 'value' for what it returns, 'value[1]' for a part
    each : what is summed up of each result
    wrap : what the kernel and the new function are wrapped in
    """
    name, given = function.__name__, ', '.join(names)
    called = f'value = {name}({given})' if any(r.startswith('value') for r in results) else f'{name}({given})'
    summed = ' + '.join(each.format(r) for r in results)
    text = f'def {name}_loss({given}):\n    {called}\n    return {summed}\n'
    path = f'<loss of {name}: {each}>'
    linecache.cache[path] = len(text), None, text.splitlines(True), path
    space = {name: function if wrap is None else wrap(function), 'np': np, '__name__': __name__}
    exec(compile(text, path, 'exec'), space)
    return space[f'{name}_loss'] if wrap is None else wrap(space[f'{name}_loss'])


def uniform(r, *shape):
    return r.uniform(0.2, 1.2, shape)


def positive(r, n):
    """A symmetric positive definite matrix."""
    a = r.uniform(-0.5, 0.5, (n, n))
    return a @ a.T + n * np.eye(n) * 0.5


def dominant(r, n):
    return r.uniform(-0.5, 0.5, (n, n)) + 2.0 * np.eye(n)


def arrays(**shapes):
    """Makes a dict of random arrays of these shapes (a tuple), numbers, or what a function of the random state gives."""
    def make(r):
        return {k: uniform(r, *s) if isinstance(s, tuple) else s(r) if callable(s) else s for k, s in shapes.items()}
    return make
