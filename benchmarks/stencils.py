"""Kernels that write into their arguments, as PolyBench has them in NumPy: the gradient beside the forward run.

The stencils are linear, so nothing of them is kept for the way back: the memory does not grow with the number of steps.
"""
import tracemalloc
from functools import partial

import numpy as np

import tangent
from benchmarks.polybench import linear_algebra, loss_of, stencils
from benchmarks.tools.timing import Row, measure


def kernels(size, steps):
    """name -> (the sum of what the kernel computes, arguments, names of the arrays, target)."""
    rng = np.random.default_rng(0)
    square, small = rng.random((size, size)), rng.random((max(size // 6, 4),) * 3)
    m = rng.random((max(size // 3, 4),) * 2)
    fields = {'ex': square, 'ey': square + 1, 'hz': square + 2}
    return {k.__name__: (loss_of(k, tuple(args), results, 'np.sum({})'), tuple(args.values()), arrays, target)
            for k, args, results, arrays, target in [
        (stencils.jacobi_2d, {'TSTEPS': steps, 'A': square, 'B': square.copy()}, ('A',), ('A', 'B'), 2.5),
        (stencils.heat_3d, {'TSTEPS': steps, 'A': small, 'B': small.copy()}, ('A',), ('A', 'B'), 2.5),
        (stencils.fdtd_2d, {'TMAX': steps, **fields, '_fict_': rng.random(steps)}, ('hz',), (*fields, '_fict_'), 2.5),
        (stencils.seidel_2d, {'TSTEPS': 3, 'N': len(m), 'A': m}, ('A',), ('A',), 2.5),
        (stencils.deriche, {'alpha': 0.25, 'imgIn': square}, ('value',), ('imgIn',), 4),
        (stencils.adi, {'TSTEPS': 2, 'N': len(m), 'u': m}, ('u',), ('u',), 4),
        (linear_algebra.cholesky, {'A': m @ m.T + len(m) * np.eye(len(m))}, ('A',), ('A',), 4)]}


def forward(function, args):
    """The forward run, on copies, as the gradient makes them too."""
    return function(*(a.copy() if isinstance(a, np.ndarray) else a for a in args))


def peak(call):
    """The most memory that a call has at a time, in bytes."""
    tracemalloc.start()
    call()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def run(peers, repeats=7, size=350, steps=10):
    """The report, line by line."""
    for name, (function, args, wrt, target) in kernels(size, steps).items():
        df = tangent.grad(function, wrt=wrt)
        taken = measure({'forward': partial(forward, function, args), 'gradient': partial(df, *args)}, repeats)
        yield Row(f'{name}: gradient / forward', taken['gradient'] / taken['forward'], target)
    function, (_, *arrays), wrt, _ = kernels(size, steps)['jacobi_2d']
    df = tangent.grad(function, wrt=wrt)
    few, many = (peak(partial(df, s, *arrays)) for s in (steps, 5 * steps))
    yield Row('jacobi_2d: peak memory, five times the steps / once', many / few, 1.01)
