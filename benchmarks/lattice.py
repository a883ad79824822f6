"""A lattice model in three ways (Listing 8 of the Tangent paper): what keeping old versions of an array costs.

A lattice of n rows of n sites; d walks that all start from it; in each, m updates of one row. A gradient needs the rows as
they were before each update, and the lattice as it was before each walk.

    immutable    each update makes a new lattice                        O(n^2 m d)
    subarrays    each walk copies the lattice, then writes into it      O(n^2 d + n m d)
    persistent   each walk branches off the lattice                     O(n m d), and n^2 once for the gradient
"""
import numpy as np

import tangent
from benchmarks.tools.timing import Row, measure
from tangent import persistent

SIZES = (100, 200, 400, 900, 1600)
LARGEST = {'immutable': 900}        # it keeps every lattice that was


def immutable(x0, w, m):
    n = len(x0)
    total = 0.0
    for k in range(len(w)):
        x = x0
        for j in range(m):
            r = (7 * j + k) % n
            row = np.tanh(w[k] * x[r] + x[(r + 1) % n])
            x = np.concatenate([x[:r], row[None], x[r + 1:]])
        total = total + np.dot(x[k % n], x[(k + 7) % n])
    return total


def subarrays(x0, w, m):
    n = len(x0)
    total = 0.0
    for k in range(len(w)):
        x = x0.copy()
        for j in range(m):
            r = (7 * j + k) % n
            x[r] = np.tanh(w[k] * x[r] + x[(r + 1) % n])
        total = total + np.dot(x[k % n], x[(k + 7) % n])
    return total


def branches(x0, w, m):
    n = len(x0)
    total = 0.0
    for k in range(len(w)):
        x = x0
        for j in range(m):
            r = (7 * j + k) % n
            x = x.setitem(r, np.tanh(w[k] * x[r] + x[(r + 1) % n]))
        total = total + np.dot(x[k % n], x[(k + 7) % n])
    return total


WAYS = {'immutable': immutable, 'subarrays': subarrays, 'persistent': branches}


def arguments(way, n, d):
    rng = np.random.default_rng(0)
    x0, w = rng.normal(size=(n, n)) / 2, rng.normal(size=d)
    return persistent.array(x0) if way == 'persistent' else x0, w


def times(sizes=SIZES, m=10, d=8, repeats=5):
    """Way -> {n: seconds for one gradient by the lattice and the couplings}."""
    found = {way: {} for way in WAYS}
    for n in sizes:
        programs = {}
        for way, function in WAYS.items():
            if n <= LARGEST.get(way, n):
                df, (x0, w) = tangent.grad(function, wrt=('x0', 'w')), arguments(way, n, d)
                programs[way] = lambda df=df, x0=x0, w=w: df(x0, w, m)
        for way, seconds in measure(programs, repeats).items():
            found[way][n] = seconds
    return found


def exponent(taken):
    """The slope of the line through (log n, log seconds), over the larger half of the sizes."""
    points = sorted(taken.items())[-3:]
    return float(np.polyfit(*np.log(np.array(points)).T, 1)[0]) if len(points) > 1 else float('nan')


def run(peers, repeats=5, sizes=SIZES):
    """The report, line by line."""
    found = times(sizes, repeats=repeats)
    for way, taken in found.items():
        for n, seconds in taken.items():
            yield Row(f'lattice, n = {n}: {way}', seconds * 1e3, unit=' ms')
    for way, taken in found.items():
        yield Row(f'lattice: {way}, time ~ n^', exponent(taken))
    n = max(found['immutable'])
    yield Row(f'lattice, n = {n}: immutable / persistent', found['immutable'][n] / found['persistent'][n],
              20 if n >= 900 else None, least=True)


def plot(path, found):
    """A picture of the times over n, as an SVG file."""
    import matplotlib
    matplotlib.use('svg')
    matplotlib.rcParams['svg.hashsalt'] = 'lattice'            # the same text for the same numbers
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6, 4))
    for way, taken in found.items():
        axes.loglog(list(taken), [1e3 * t for t in taken.values()], 'o-', label=f'{way}: n^{exponent(taken):.1f}')
    axes.set(xlabel='n (rows and columns)', ylabel='milliseconds for one gradient', title='The lattice model in three ways')
    axes.grid(True, which='both', alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={'Date': None})
    pyplot.close(figure)


if __name__ == '__main__':
    import sys
    plot(sys.argv[1], times())
