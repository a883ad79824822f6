"""The kernels with their adjoints by hand, and arguments of NPBench's sizes S and M.

Where M does not fit into 3 GB with what derivatives make, it is left out.
"""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.hand import algebra, grids, kernels, maps, networks
from benchmarks.polybench import arrays, loss_of, positive, signals, stencils
from benchmarks.polybench import linear_algebra as la


class Work(NamedTuple):
    """A kernel, its adjoint by hand, what makes its arguments of a size, the names of its results; `small` is for tests."""
    function: Callable
    by_hand: Callable
    make: Callable
    results: tuple
    small: tuple
    sizes: dict

    @property
    def name(self):
        return self.function.__name__

    def arguments(self, size):
        return self.make(*size)(np.random.RandomState(7))

    def wrt(self, args):
        """Positions of the arguments with a gradient."""
        return tuple(k for k, v in enumerate(args.values()) if isinstance(v, np.ndarray) and v.dtype.kind == 'f')

    def loss(self, args, wrap=None):
        """The sum of squares of what the kernel computes, a function of its arguments."""
        return loss_of(self.function, tuple(args), self.results, 'np.sum({0} * {0})', wrap)


def sparse(n, entries):
    """A sparse matrix of the same number of entries in each row, as three arrays, and a vector."""
    return arrays(A_row=lambda r: np.arange(0, entries + 1, entries // n), A_col=lambda r: r.randint(0, n, entries),
                  A_val=(entries,), x=(n,))


def gemver(n):
    return arrays(alpha=0.5, beta=0.2, A=(n, n), **{k: (n,) for k in 'u1 v1 u2 v2 w x y z'.split()})


def fields(n, m, k):
    return arrays(in_field=(n + 4, m + 4, k), out_field=(n, m, k), coeff=(n, m, k))


def factor(n):
    return arrays(A=lambda r: positive(r, n))


def rings(n, npt):
    return arrays(data=(n,), radius=lambda r: r.uniform(0.0, 1.0, n), npt=npt)


def layers(n, size, *widths):
    sizes = size, *widths
    return arrays(x=(n, size), **{name: shape for k in range(3) for name, shape in (
        (f'w{k + 1}', lambda r, a=sizes[k], b=sizes[k + 1]: r.normal(size=(a, b)) / a), (f'b{k + 1}', (sizes[k + 1],)))})


def points(n):
    return arrays(**{k: (n,) for k in 'theta_1 phi_1 theta_2 phi_2'.split()})


WORK = [
    Work(la.gemm, algebra.gemm, lambda i, j, k: arrays(alpha=1.5, beta=1.2, C=(i, j), A=(i, k), B=(k, j)), ('C',),
         (5, 6, 7), {'S': (1000, 1100, 1200)}),
    Work(la.gemver, algebra.gemver, gemver, ('A', 'x', 'w'), (7,), {'S': (1000,), 'M': (3000,)}),
    Work(la.gesummv, algebra.gesummv, lambda n: arrays(alpha=0.5, beta=0.2, A=(n, n), B=(n, n), x=(n,)), ('value',),
         (7,), {'S': (2000,), 'M': (4000,)}),
    Work(la.k2mm, algebra.k2mm, lambda i, j, k, m: arrays(alpha=0.5, beta=1.2, A=(i, k), B=(k, j), C=(j, m), D=(i, m)), ('D',),
         (4, 5, 6, 7), {'S': (800, 850, 900, 950)}),
    Work(la.atax, algebra.atax, lambda m, n: arrays(A=(m, n), x=(n,)), ('value',), (6, 7), {'S': (4000, 5000)}),
    Work(la.bicg, algebra.bicg, lambda m, n: arrays(A=(n, m), p=(m,), r=(n,)), ('value[0]', 'value[1]'),
         (6, 7), {'S': (4000, 5000)}),
    Work(la.mvt, algebra.mvt, lambda n: arrays(x1=(n,), x2=(n,), y_1=(n,), y_2=(n,), A=(n, n)), ('x1', 'x2'),
         (7,), {'S': (5500,)}),
    Work(la.cholesky, algebra.cholesky, factor, ('A',), (7,), {'S': (100,), 'M': (300,)}),
    Work(kernels.cholesky2, algebra.cholesky2, factor, ('A',), (7,), {'S': (1000,)}),
    Work(la.lu, algebra.lu, factor, ('A',), (7,), {'S': (60,), 'M': (220,)}),
    Work(la.trisolv, algebra.trisolv, lambda n: arrays(L=lambda r: positive(r, n), x=(n,), b=(n,)), ('x',),
         (7,), {'S': (2000,), 'M': (5000,)}),
    Work(signals.spmv, algebra.spmv, sparse, ('value',), (8, 16), {'S': (4096, 8192), 'M': (32768, 65536)}),
    Work(stencils.adi, grids.adi, lambda t, n: arrays(TSTEPS=t, N=n, u=(n, n)), ('u',),
         (3, 8), {'S': (5, 100), 'M': (20, 200)}),
    Work(stencils.deriche, grids.deriche, lambda w, h: arrays(alpha=0.25, imgIn=(w, h)), ('value',),
         (7, 6), {'S': (400, 200), 'M': (1500, 1000)}),
    Work(stencils.jacobi_2d, grids.jacobi_2d, lambda t, n: arrays(TSTEPS=t, A=(n, n), B=(n, n)), ('A', 'B'),
         (4, 8), {'S': (50, 150), 'M': (80, 350)}),
    Work(stencils.seidel_2d, grids.seidel_2d, lambda t, n: arrays(TSTEPS=t, N=n, A=(n, n)), ('A',),
         (4, 8), {'S': (8, 50), 'M': (15, 100)}),
    Work(stencils.hdiff, grids.hdiff, fields, ('out_field',), (5, 6, 4), {'S': (64, 64, 60), 'M': (128, 128, 160)}),
    Work(kernels.azimint_naive, maps.azimint_naive, rings, ('value',),
         (100, 4), {'S': (400000, 1000)}),
    Work(kernels.go_fast, maps.go_fast, lambda n: arrays(a=(n, n)), ('value',), (6,), {'S': (2000,), 'M': (6000,)}),
    Work(kernels.arc_distance, maps.arc_distance, points, ('value',), (9,), {'S': (100000,), 'M': (1000000,)}),
    Work(kernels.compute, maps.compute, lambda m, n: arrays(array_1=(m, n), array_2=(m, n), a=1.3, b=0.7, c=0.2), ('value',),
         (6, 7), {'S': (2000, 2000), 'M': (5000, 5000)}),
    Work(kernels.softmax, maps.softmax, lambda n, h, s: arrays(x=(n, h, s, s)), ('value',),
         (2, 3, 5), {'S': (16, 16, 128), 'M': (32, 16, 256)}),
    Work(stencils.heat_3d, grids.heat_3d, lambda t, n: arrays(TSTEPS=t, A=(n, n, n), B=(n, n, n)), ('A', 'B'),
         (3, 6), {'S': (25, 25), 'M': (50, 40)}),
    Work(la.durbin, networks.durbin, lambda n: arrays(r=lambda r: r.uniform(0.0, 0.3 / n, n)), ('value',),
         (9,), {'S': (1000,), 'M': (6000,)}),
    Work(signals.floyd_warshall_loops, networks.floyd_warshall_loops, lambda n: arrays(path=(n, n)), ('path',),
         (7,), {'S': (200,), 'M': (400,)}),
    Work(kernels.mlp, networks.mlp, layers, ('value',), (3, 4, 5, 6, 2), {'S': (8, 3, 10000, 1000, 1000)}),
    Work(kernels.conv2d_bias, networks.conv2d_bias, lambda c, k, o, n, h, w: arrays(
        input=(n, h, w, c), weights=(k, k, c, o), bias=(o,)), ('value',), (2, 2, 3, 2, 5, 4), {'S': (3, 2, 16, 8, 32, 32)}),
]
TABLE = {work.name: work for work in WORK}
