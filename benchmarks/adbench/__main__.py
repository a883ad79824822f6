"""`python -m benchmarks.adbench [names] [--repeats N]`: the programs of ADBench, plain and compiled, beside other libraries.

Ratios, measured in one run on one thread; the programs take turns. Every derivative is compared with the others first.
"""
import argparse
import functools
import time

import numpy as np

import tangent
from benchmarks.adbench import by_hand, data, loops, loops_hand, nested, peers, programs
from benchmarks.tools import tables
from benchmarks.tools.tables import check, ratio
from benchmarks.tools.timing import measure

WORK = {                                           # name -> (arguments, what the gradient is by)
    'llsq': (lambda: data.llsq(4096), 0),
    'lse': (lambda: data.lse(80000), 0),
    'kmeans': (lambda: data.kmeans(100, 1000, 8), 0),
    'ode': (lambda: data.ode(400, 100), 0),
    'det': (lambda: data.det(7), 0),
    'gmm, d=2, k=5': (lambda: data.gmm('gmm/1k/gmm_d2_K5.txt'), (0, 1, 2, 3)),
    'gmm, d=10, k=25': (lambda: data.gmm('gmm/1k/gmm_d10_K25.txt'), (0, 1, 2, 3)),
    'lstm': (data.lstm, (0, 1)),
}
HEAD = ['program', 'NumPy, ms', 'gradient / NumPy', 'compiled, ms', 'gradient / compiled', 'gradient / C',
        'gradient / C with pushes and pops', 'gradient / JAX', 'gradient / PyTorch', 'NumPy gradient / autograd']


def row(name, others, repeats):
    """A line of the table: times and ratios of one program."""
    make, wrt = WORK[name]
    args, what = make(), name.partition(',')[0]
    plain, compiled = getattr(programs, what), getattr(loops, what)
    calls = {'plain': plain, 'gradient': tangent.grad(plain, wrt), 'compiled': compiled,
             'compiled gradient': tangent.grad(compiled, wrt)}
    calls.update((peer, found[what]) for peer, found in others.items() if what in found)
    expected = calls['gradient'](*args)
    for key, call in calls.items():
        if key not in ('plain', 'gradient', 'compiled'):
            check(f'{key}: {name}', expected, call(*args))
    times = measure({key: functools.partial(call, *args) for key, call in calls.items()}, repeats)
    cells = [name, f'{times["plain"] * 1e3:.3g}', ratio(times, 'gradient', 'plain'), f'{times["compiled"] * 1e3:.3g}',
             ratio(times, 'compiled gradient', 'compiled')]
    return cells + [ratio(times, 'compiled gradient', peer) for peer in ('C', 'push and pop', 'JAX', 'PyTorch')] \
        + [ratio(times, 'gradient', 'autograd')]


def jacobians(others, repeats):
    """The lines of the programs whose derivative is a matrix."""
    args = data.ba()
    calls = {'primal': loops.ba, 'jacobian': loops.ba_jacobian}
    if others['C']:
        calls['C'] = others['C']['ba']
        for one, other in zip(calls['C'](*args), loops.ba_jacobian(*args)):
            check('ba', one, other)
    times = measure({key: functools.partial(call, *args) for key, call in calls.items()}, repeats)
    yield ['ba, 31843 observations', '-', '-', f'{times["primal"] * 1e3:.3g}', ratio(times, 'jacobian', 'primal'),
           ratio(times, 'jacobian', 'C'), *['-'] * 4]
    for kind in 'simple', 'complicated':
        args = data.hand(kind)
        given = loops_hand.arguments(*args)
        calls = {'primal': functools.partial(programs.hand, *args), 'compiled': functools.partial(loops_hand.hand, *given),
                 'jacobian': functools.partial(tangent.jacobian(programs.hand), *args),
                 'compiled jacobian': functools.partial(loops_hand.hand_jacobian, *given)}
        if others['C']:
            calls['C'] = functools.partial(others['C']['hand'], *given)
            check(f'hand, {kind}', calls['C'](), calls['compiled jacobian']())
        times = measure(calls, repeats)
        yield [f'hand, {kind}, 100 points', f'{times["primal"] * 1e3:.3g}', ratio(times, 'jacobian', 'primal'),
               f'{times["compiled"] * 1e3:.3g}', ratio(times, 'compiled jacobian', 'compiled'),
               ratio(times, 'compiled jacobian', 'C'), '-', '-', '-', '-']


def mixes():
    """Seconds for saddle and particle, in the four mixes of the modes, derivation and all."""
    for name, start in ('saddle', np.ones(2)), ('particle', 0.0):
        found = []
        for modes in 'ff', 'fr', 'rf', 'rr':
            before = time.perf_counter()
            getattr(nested, name)(start, modes)
            found.append(f'{modes} {time.perf_counter() - before:.2f} s')
        yield f'{name}: {", ".join(found)}'


def table(names, repeats):
    others = {'C': by_hand.functions(), 'push and pop': by_hand.push_pop(), **peers.gradients()}
    yield from tables.lines(HEAD, (row(name, others, repeats) for name in names or WORK))
    if not names:
        for cells in jacobians(others, repeats):
            yield tables.line(cells)
        yield ''
        yield from mixes()


def main():
    parser = argparse.ArgumentParser(prog='python -m benchmarks.adbench', description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='*', metavar='name', help=f'which ones: {", ".join(WORK)} (all)')
    parser.add_argument('--repeats', type=int, default=7, help='how many turns each program gets')
    options = parser.parse_args()
    for line in table(options.names, options.repeats):
        print(line, flush=True)


if __name__ == '__main__':
    main()
