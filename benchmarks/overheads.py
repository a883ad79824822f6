"""`python -m benchmarks.overheads [--repeats N] [--write docs]`: what derivatives cost beside their arithmetic.

Deriving and compiling, calling, tapes; and how these grow with the length of a program and with the trips of its loops.
Processor time on one thread; with `--write` the tables and a picture go to that folder.
"""
import argparse
import datetime
import functools
import os
import pathlib
import statistics
import tempfile

for _name in 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMBA_NUM_THREADS':
    os.environ.setdefault(_name, '1')

import numba  # noqa: E402
import numpy as np  # noqa: E402

import tangent  # noqa: E402
from benchmarks import deriving, scalars  # noqa: E402
from benchmarks.kernels import programs as kernels_programs  # noqa: E402
from benchmarks.lattice import exponent  # noqa: E402
from benchmarks.tools import pages, tables  # noqa: E402
from benchmarks.tools.tables import timed  # noqa: E402
from benchmarks.tools.timing import measure  # noqa: E402

SQUARE = np.random.RandomState(0).rand(20, 20)
COMPILED = {                                       # name -> (function, arguments)
    'two numbers': (kernels_programs.small, (0.3, 0.7)),
    'loop': (kernels_programs.sines, (0.5, 10)),
    'loop in a loop': (kernels_programs.newton, (0.5, 10)),
    'cholesky': (kernels_programs.cholesky, (SQUARE @ SQUARE.T + 20 * np.eye(20),)),
    'jacobi_2d': (kernels_programs.jacobi_2d, (SQUARE, 3)),
    'lu': (kernels_programs.lu, (SQUARE @ SQUARE.T + 20 * np.eye(20),)),
}
LINES = (25, 50, 100, 200, 400)
TRIPS = (100, 1000, 10_000, 100_000, 1_000_000)
LOOPS = {'cheap': kernels_programs.cheap, 'sines': kernels_programs.sines, 'newton': kernels_programs.newton}
NUMBERS = '''\
    y = math.tanh(y * w) + x
    z = z + y / (1.0 + y * y)
    for i in range(3):
        z = z * w + math.sin(y) * i
    if w > 0.5:
        y = y * z - x
    else:
        y = y + z
    t = math.exp(-y * w)
    z = z * t + 0.5 * t
'''


def number(x):
    return f'{x:.3g}'


def once():
    """What happens once in a process."""
    numba.njit(lambda x: x)(1.0)
    tangent.grad(numba.njit(kernels_programs.small))(0.3, 0.7)


def compiling(repeats):
    """Rows: milliseconds to derive, seconds to compile the function and its gradient, medians."""
    for name, (function, args) in COMPILED.items():
        found = []
        for _ in range(repeats):
            primal = numba.njit(function)
            first, _ = timed(lambda primal=primal, args=args: primal(*args))
            derive, gradient = timed(lambda primal=primal: tangent.grad(primal))
            second, _ = timed(lambda gradient=gradient, args=args: gradient(*args))
            found.append((derive * 1e3, first, second, second / first))
        yield [name, *(number(statistics.median(column)) for column in zip(*found))]


def calls(repeats):
    """Rows: microseconds of a call of a function and of its gradient, compiled and as Python."""
    small, twenty = kernels_programs.small, scalars.twenty
    fast = numba.njit(small), numba.njit(twenty)
    vector = numba.njit(lambda x: x[0] * x[1])
    programs = {'two numbers': (fast[0], small, (0.3, 0.7), (0, 1)), 'twenty operations': (fast[1], twenty, (0.7,), 0),
                'an array of two': (vector, vector.py_func, (np.ones(2),), 0)}
    for name, (compiled, plain, args, wrt) in programs.items():
        four = compiled, tangent.grad(compiled, wrt), plain, tangent.grad(plain, wrt)
        times = measure({str(k): lambda f=f, args=args: f(*args) for k, f in enumerate(four)}, repeats)
        yield [name, *(number(t * 1e6) for t in times.values())]


def source(lines):
    """The function of numbers of so many lines, of a module of its own."""
    return deriving.text(NUMBERS, lines).replace('np.sum(z * y)', 'z * y').replace('import numpy as np', 'import math')


def lengths(repeats, sizes=LINES):
    """Lines -> seconds to derive, to compile the function, to compile its gradient: medians of processor time."""
    found = {'derive': {}, 'compile function': {}, 'compile gradient': {}}
    with tempfile.TemporaryDirectory() as folder:
        for lines in sizes:
            taken = []
            for copy in range(repeats):
                function = deriving.load(folder, None, lines, copy, source(lines))
                primal = numba.njit(function)
                first, _ = timed(lambda primal=primal: primal(0.3, 0.7))
                derive, gradient = timed(lambda primal=primal: tangent.grad(primal))
                second, _ = timed(lambda gradient=gradient: gradient(0.3, 0.7))
                taken.append((derive, first, second))
            for what, column in zip(found, zip(*taken)):
                found[what][lines] = statistics.median(column)
    return found


def trips(repeats, sizes=TRIPS):
    """Loop -> trips -> (seconds of the function, of its gradient, bytes of the tape)."""
    found = {}
    for name, plain in LOOPS.items():
        primal = numba.njit(plain)
        gradient = tangent.grad(primal)
        for n in sizes:
            times = measure({str(k): functools.partial(f, 0.5, n) for k, f in enumerate((primal, gradient))}, repeats)
            few = min(n, 10_000)                   # the report runs Python
            found.setdefault(name, {})[n] = *times.values(), tangent.tape_report(gradient, 0.5, few).peak * n / few
    return found


def sections(repeats):
    """(lines of the tables, what the picture shows)."""
    once()
    lines = ['Milliseconds to derive, seconds to compile:', '']
    lines += tables.lines(['program', 'derive, ms', 'compile function, s', 'compile gradient, s', 'gradient / function'],
                          compiling(max(1, repeats // 3)))
    lines += ['', 'Microseconds of a call:', '']
    lines += tables.lines(['program', 'compiled', 'its gradient', 'Python', 'its gradient'], calls(repeats))
    grown = lengths(max(1, repeats // 3))
    lines += ['', 'Seconds over the lines of a function of numbers with loops and branches, and the exponent:', '']
    lines += tables.lines(['', *map(str, LINES), 'grows as lines^'],
                          [[what, *map(number, taken.values()), f'{exponent(taken):.2f}'] for what, taken in grown.items()])
    loops = trips(repeats)
    lines += ['', 'Nanoseconds a trip of the compiled function, and of its gradient; bytes of the tape a trip:', '']
    lines += tables.lines(['loop', '', *map(str, TRIPS)], [row for name, of in loops.items() for row in (
        [name, 'function', *(number(t[0] / n * 1e9) for n, t in of.items())],
        ['', 'gradient', *(number(t[1] / n * 1e9) for n, t in of.items())],
        ['', 'tape, bytes', *(number(t[2] / n) for n, t in of.items())])])
    return lines, (grown, loops)


def plot(path, found):
    grown, loops = found
    figure, (left, right) = pages.axes_of('overheads', (9, 3.6), 2)
    for what, taken in grown.items():
        left.loglog(list(taken), list(taken.values()), 'o-', label=f'{what}: lines^{exponent(taken):.1f}')
    left.set(xlabel='lines', ylabel='seconds', title='a longer program')
    for name, of in loops.items():
        right.loglog(list(of), [t[1] / t[0] for t in of.values()], 'o-', label=name)
    right.set(xlabel='trips', ylabel='gradient / function', title='a longer loop')
    right.set_yticks([1, 2, 3, 4, 5], ['1', '2', '3', '4', '5'])
    for axes in left, right:
        axes.grid(True, which='both', alpha=0.3)
        axes.legend(fontsize=7)
    pages.save(figure, path)


def main():
    parser = argparse.ArgumentParser(prog='python -m benchmarks.overheads', description=__doc__.splitlines()[0])
    parser.add_argument('--repeats', type=int, default=9, help='how many turns each program gets')
    parser.add_argument('--write', type=pathlib.Path, help='a folder for the tables and the plot')
    options = parser.parse_args()
    lines, found = sections(options.repeats)
    print('\n'.join(lines))
    if options.write:
        pages.write(options.write, 'overheads', 'python -m benchmarks.overheads --write docs', lines, datetime.date.today())
        plot(options.write / 'overheads.svg', found)


if __name__ == '__main__':
    main()
