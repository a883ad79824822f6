"""Compiled derivatives beside adjoints written by hand in NumPy and Numba, the kernels themselves, and JAX.

`python -m benchmarks.hand [names] [--sizes S M] [--repeats N] [--write docs]` prints, for each kernel, times and peak memory of
the gradient over those of the others, and the time of its first call beside that of the kernel's. All in one run on one thread;
the programs take turns. Memory is what the process grows by during a call, beyond the arguments, as the system counts it;
the first call is of processor time, derivation included.
"""
import argparse
import ctypes
import datetime
import functools
import gc
import pathlib

import numba
import numpy as np

import tangent
from benchmarks.hand.sizes import TABLE
from benchmarks.kernels.__main__ import copies, plain
from benchmarks.tools import pages, tables
from benchmarks.tools.tables import ratio, timed
from benchmarks.tools.timing import measure

HEAD = ['kernel', 'size', 'kernel, ms', 'gradient / kernel', 'gradient / by hand', 'gradient / JAX', 'by hand, MB',
        'memory / by hand', 'memory / JAX', 'first call, s', 'first call / kernel']
LEAST = 4.0                                        # MB: below, memory is that of pages that happen to be at hand


def status(key):
    """A line of Linux' record of this process, in MB."""
    lines = pathlib.Path('/proc/self/status').read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(key)) / 1024


def peak(call):
    """MB that the process holds more at most during a call than before, or None where the system does not tell."""
    try:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        pathlib.Path('/proc/self/clear_refs').write_text('5')
        before = status('VmRSS')
        call()
        return status('VmHWM') - before
    except (OSError, AttributeError):
        return None


class Line:
    """What was measured of one kernel at one size."""

    def __init__(self, name, size, times, memory, compiling):
        self.name, self.size, self.times, self.memory, self.compiling = name, size, times, memory, compiling

    def cells(self):
        of = [ratio(self.times, 'gradient', other) for other in ('kernel', 'hand', 'JAX')]
        held = [self.held_over(other) for other in ('hand', 'JAX')]
        return [self.name, self.size, f'{self.times["kernel"] * 1e3:.3g}', *of,
                f'{self.memory["hand"]:.0f}' if self.memory.get('hand') else '-',
                *(f'{r:.3g}' if r else '-' for r in held), f'{self.compiling[1]:.1f}',
                f'{self.compiling[1] / self.compiling[0]:.1f}']

    def held_over(self, other):
        """Peak memory of the gradient over that of another, or None where there is too little to tell."""
        if self.memory.get(other) is None or self.memory[other] < LEAST:
            return None
        return self.memory['gradient'] / self.memory[other]


def lines(work, sizes, repeats, jax):
    """The lines of a kernel, one for each size; each of its programs is compiled once."""
    warm = work.arguments(work.small)
    wrt = work.wrt(warm)
    kernel = work.loss(warm, numba.njit)
    args = list(warm.values())
    compiling = [timed(lambda: kernel(*copies(args)))[0]]
    gradient = tangent.grad(kernel, argnums=wrt)
    compiling.append(timed(lambda: gradient(*args))[0])
    for size in sizes:
        if size not in work.sizes:
            continue
        args = list(work.arguments(work.sizes[size]).values())
        calls = {'kernel': lambda args=args: kernel(*copies(args)), 'gradient': functools.partial(gradient, *args),
                 'hand': functools.partial(work.by_hand, *args)}
        if jax:
            theirs = plain(jax.gradient(work.name, args, wrt))
            calls['JAX'] = functools.partial(theirs, *args)
        expected = calls['gradient']()
        for name in calls.keys() - {'kernel', 'gradient'}:
            tables.check(f'{name}: {work.name}', expected, calls[name](), least=1e-3)
        del expected
        yield Line(work.name, size, measure(calls, repeats), {name: peak(call) for name, call in calls.items()}, compiling)


def summary(found):
    """Geometric means and the worst."""
    def say(what, ratios):
        ratios = [r for r in ratios if r]
        return f'* {what}: {tables.mean(ratios):.2f}, at most {max(ratios):.2f}' if ratios else f'* {what}: -'
    for other in 'kernel', 'hand', 'JAX':
        ratios = [n.times['gradient'] / n.times[other] for n in found if other in n.times]
        yield say(f'gradient / {other}, geometric mean', ratios)
    for other in 'hand', 'JAX':
        yield say(f'peak memory / {other}, geometric mean', [n.held_over(other) for n in found])
    once = {n.name: n.compiling[1] / n.compiling[0] for n in found}
    yield say('first call of the gradient / of the kernel, geometric mean', once.values())


def main():
    parser = argparse.ArgumentParser(prog='python -m benchmarks.hand', description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='*', metavar='name', help=f'which ones: {", ".join(TABLE)} (all)')
    parser.add_argument('--sizes', nargs='+', default=['S'], choices=['S', 'M'])
    parser.add_argument('--repeats', type=int, default=5, help='how many turns each program gets')
    parser.add_argument('--without-jax', action='store_true')
    parser.add_argument('--write', type=pathlib.Path, help='a folder for the table')
    options = parser.parse_args()
    jax = None
    if not options.without_jax:
        try:
            from benchmarks.hand import in_jax as jax
        except ImportError:
            pass
    numba.njit(lambda x: np.sum(x * x))(np.ones(2))       # what Numba does once
    tangent.grad(numba.njit(lambda x, y: x * y))(0.3, 0.7)
    found, text = [], list(tables.lines(HEAD, []))
    for row in text:
        print(row, flush=True)

    def say(row):
        print(row, flush=True)
        text.append(row)
    for name in options.names or TABLE:
        for line in lines(TABLE[name], options.sizes, options.repeats, jax):
            found.append(line)
            say(tables.line(line.cells()))
    say('')
    for row in summary(found):
        say(row)
    if options.write:
        pages.write(options.write, 'hand', 'python -m benchmarks.hand --write docs', text, datetime.date.today(), picture=False)


if __name__ == '__main__':
    main()
