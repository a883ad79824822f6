"""Derivatives compiled by Numba, against the function itself, adjoints written by hand in C, and JAX.

`python -m benchmarks.kernels [names] [--sizes small medium large] [--repeats N] [--write docs]` prints tables of ratios, all
measured in one run on one thread: the programs take turns. With `--write` the tables and a plot go to that folder.
"""
import argparse
import datetime
import functools
import pathlib

import numba
import numpy as np

import tangent
from benchmarks.kernels import in_c, plot, programs
from benchmarks.polybench import loss_of, positive, sizes
from benchmarks.tools import pages, tables
from benchmarks.tools.tables import ratio, timed
from benchmarks.tools.timing import measure

PLAIN = dict(vars(programs))
for _name in 'sigmoid', 'branching':              # functions that others, or they themselves, call
    setattr(programs, _name, numba.njit(PLAIN[_name]))
SIZES = ('small', 'medium', 'large')


def random(seed=0):
    return np.random.RandomState(seed)


def definite(n):
    return positive(random(), n)


def mixture(d, k, n):
    r = np.random.default_rng(31337)
    x = r.normal(size=(n, d))
    return r.normal(size=k), r.uniform(size=(k, d)), r.normal(size=(k, d)), r.normal(size=(k, d * (d - 1) // 2)), x, 1.0, 0


def network(layers, bits, characters):
    r = random()
    return (r.rand(2 * layers, 4 * bits) - 0.5, r.rand(3, bits) - 0.5, r.rand(2 * layers, bits),
            (r.rand(characters, bits) > 0.5) * 1.0)


PROGRAMS = {                                       # programs on numbers: name -> (arguments, wrt)
    'cheap': (lambda: (0.5, 10 ** 6), 0),
    'sines': (lambda: (0.5, 10 ** 6), 0),
    'newton': (lambda: (0.5, 10 ** 5), 0),
    'branching': (lambda: (0.7, 14), 0),
    'cholesky, loops': (lambda: (definite(100),), 0),
    'lu, loops': (lambda: (definite(100),), 0),
    'trisolv, loops': (lambda: (definite(400), random().rand(400)), (0, 1)),
    'durbin, loops': (lambda: (random().rand(400) * 0.1,), 0),
    'seidel_2d, loops': (lambda: (random().rand(100, 100), 20), 0),
    'jacobi_2d, loops': (lambda: (random().rand(150, 150), 20), 0),
    'gemm, loops': (lambda: (random().rand(100, 100), random(1).rand(100, 100)), (0, 1)),
    'gmm': (lambda: mixture(10, 25, 1000), (0, 1, 2, 3)),
    'lstm': (lambda: network(2, 14, 1000), (0, 1)),
}


class Line:
    """What was measured of one program at one size."""

    def __init__(self, name, size, times, compiling, carried=False):
        self.name, self.size, self.times, self.compiling, self.carried = name, size, times, compiling, carried

    def cells(self):
        of = [ratio(self.times, 'gradient', other) for other in ('primal', 'C', 'JAX', 'JAX, whole')]
        return [self.name, self.size, f'{self.times["primal"] * 1e3:.3g}', *of, f'{self.compiling[1] / self.compiling[0]:.1f}']


HEAD = ['program', 'size', 'primal, ms', 'gradient / primal', 'gradient / C', 'gradient / JAX', 'gradient / JAX, whole',
        'compile time ratio']


def copies(args):
    """Arguments that may be written into."""
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


def compare(name, calls, args, others):
    """The calls with those of other libraries, which have to find the same derivative."""
    expected = calls['gradient']()
    for peer, other in others.items():
        tables.check(f'{peer}: {name}', expected, other(*args), least=1e-3)
        calls[peer] = functools.partial(other, *args)


def plain(gradient):
    """A gradient of JAX's that gives arrays of NumPy, so that it is done when it returns."""
    return lambda *args: [np.asarray(g) for g in gradient(*args)]


def program(name, by_hand, jax, repeats):
    """The line of a program on numbers."""
    make, wrt = PROGRAMS[name]
    args = make()
    primal = programs.branching if name == 'branching' else numba.njit(PLAIN[name.partition(',')[0]])
    first, _ = timed(lambda: primal(*args))
    gradient = tangent.grad(primal, wrt)
    second, _ = timed(lambda: gradient(*args))
    calls = {'primal': lambda: primal(*args), 'gradient': lambda: gradient(*args)}
    others = {peer: found[name] for peer, found in (('C', by_hand), ('JAX', jax.gradients() if jax else {})) if name in found}
    compare(name, calls, args, others)
    yield Line(name, '-', measure(calls, repeats), (first, second))


def kernel(name, by_hand, jax, repeats, wanted):
    """The lines of a kernel, one for each size; each of its programs is compiled once."""
    work = sizes.TABLE[name]
    found = [work.arguments(work.sizes[SIZES.index(size)]) for size in wanted]
    args, wrt = list(found[0].values()), work.wrt(found[0])
    primal = loss_of(work.function, tuple(found[0]), work.results, 'np.sum({0} * {0})', numba.njit)
    first, _ = timed(lambda: primal(*copies(args)))
    gradient = tangent.grad(primal, argnums=wrt)
    second, _ = timed(lambda: gradient(*args))
    made = {'JAX': jax.polybench(name), 'JAX, whole': jax.polybench(name, True)} if jax else {}
    others = {'C': by_hand[name]} if name in by_hand else {}
    others.update((peer, plain(one[1](args, wrt))) for peer, one in made.items() if one)
    for size, given in zip(wanted, found):
        args = list(given.values())
        calls = {'primal': lambda args=args: primal(*copies(args)), 'gradient': functools.partial(gradient, *args)}
        compare(f'{name}, {size}', calls, args, others)
        yield Line(name, size, measure(calls, repeats), (first, second), work.carried)


def measured(names, repeats, wanted=SIZES):
    """A Line for each program and size."""
    try:
        from benchmarks.kernels import in_jax as jax
    except ImportError:
        jax = None
    numba.njit(lambda x: x)(1.0)                     # what Numba does once
    tangent.grad(numba.njit(PLAIN['small']))(0.3, 0.7)
    for name in names or [*PROGRAMS, *sizes.TABLE]:
        if name in PROGRAMS:
            yield from program(name, in_c.functions(), jax, repeats)
        else:
            yield from kernel(name, in_c.kernels(), jax, repeats, wanted)


def summary(found, repeats):
    """Means over all lines, and what a call costs."""
    def ratios(other, chosen=found):
        return [line.times['gradient'] / line.times[other] for line in chosen if other in line.times]
    carried = [line for line in found if line.carried]
    yield f'* gradient / primal, geometric mean: {tables.mean(ratios("primal")):.2f}'
    if ratios('JAX'):
        yield f'* JAX / gradient, geometric mean: {1 / tables.mean(ratios("JAX")):.1f}; slowest {1 / max(ratios("JAX")):.2f}'
    if ratios('JAX', carried):
        yield '* JAX / gradient, geometric mean over the kernels whose loops carry a dependence: ' \
            f'{1 / tables.mean(ratios("JAX", carried)):.1f}'
    if ratios('C'):
        yield f'* gradient / C, geometric mean: {tables.mean(ratios("C")):.2f}; slowest {max(ratios("C")):.2f}'
    compiling = {line.name: line.compiling[1] / line.compiling[0] for line in found}
    yield f'* compile time of the gradient / of the function, geometric mean: {tables.mean(list(compiling.values())):.1f}'
    primal = numba.njit(PLAIN['small'])
    gradient = tangent.grad(primal, (0, 1))
    times = measure({'primal': lambda: primal(0.3, 0.7), 'gradient': lambda: gradient(0.3, 0.7)}, repeats)
    yield '* a call of a small gradient of two numbers takes {:.2f} us, of the function {:.2f} us'.format(
        times['gradient'] * 1e6, times['primal'] * 1e6)


def main():
    known = [*PROGRAMS, *sizes.TABLE]
    parser = argparse.ArgumentParser(prog='python -m benchmarks.kernels', description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='*', metavar='name', help=f'which ones: {", ".join(known)} (all)')
    parser.add_argument('--sizes', nargs='+', default=SIZES, choices=SIZES)
    parser.add_argument('--repeats', type=int, default=7, help='how many turns each program gets')
    parser.add_argument('--write', type=pathlib.Path, help='a folder for the table and the plot')
    options = parser.parse_args()
    found, text = [], []

    def say(line):
        print(line, flush=True)
        text.append(line)
    say(tables.line(HEAD))
    say('|' + '---|' * len(HEAD))
    for line in measured(options.names, options.repeats, options.sizes):
        found.append(line)
        say(tables.line(line.cells()))
    say('')
    for line in summary(found, options.repeats):
        say(line)
    if options.write:
        pages.write(options.write, 'kernels', 'python -m benchmarks.kernels --write docs', text, datetime.date.today())
        plot.plot(options.write / 'kernels.svg', found)


if __name__ == '__main__':
    main()
