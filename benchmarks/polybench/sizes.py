"""The kernels as Numba takes them, with arguments of several sizes, for `kernels`."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.polybench import arrays, compiled, dominant, positive, signals, stencils
from benchmarks.polybench import linear_algebra as la


class Work(NamedTuple):
    """A kernel: its function, what makes its arguments of a size, the names of its results, and the sizes.

    carried : whether its loops carry a dependence from step to step
    """
    function: Callable
    make: Callable
    results: tuple
    sizes: tuple
    carried: bool = False

    @property
    def name(self):
        return self.function.__name__

    def arguments(self, size):
        return self.make(size)(np.random.RandomState(7))

    def wrt(self, args):
        """Positions of the arguments with a gradient."""
        return tuple(k for k, v in enumerate(args.values()) if isinstance(v, np.ndarray) and v.dtype.kind == 'f')


def rows(n):
    """A sparse matrix with eight entries a row, as the three arrays of the format, and a vector."""
    return arrays(A_row=lambda r: np.arange(0, 8 * n + 1, 8), A_col=lambda r: r.randint(0, n, 8 * n), A_val=(8 * n,), x=(n,))



WORK = [
    Work(la.gemm, lambda n: arrays(alpha=1.5, beta=1.2, C=(n, n), A=(n, n), B=(n, n)), ('C',), (20, 100, 300)),
    Work(la.gemver, lambda n: arrays(alpha=0.5, beta=0.2, A=(n, n), **{k: (n,) for k in 'u1 v1 u2 v2 w x y z'.split()}),
         ('A', 'x', 'w'), (40, 200, 800)),
    Work(la.gesummv, lambda n: arrays(alpha=0.5, beta=0.2, A=(n, n), B=(n, n), x=(n,)), ('value',), (40, 200, 800)),
    Work(la.symm, lambda n: arrays(alpha=0.5, beta=1.2, C=(n, n), A=(n, n), B=(n, n)), ('C',), (20, 60, 200)),
    Work(la.syr2k, lambda n: arrays(alpha=0.5, beta=1.2, C=(n, n), A=(n, n), B=(n, n)), ('C',), (20, 60, 200)),
    Work(la.syrk, lambda n: arrays(alpha=0.5, beta=1.2, C=(n, n), A=(n, n)), ('C',), (20, 60, 200)),
    Work(la.trmm, lambda n: arrays(alpha=0.5, A=(n, n), B=(n, n)), ('B',), (20, 60, 200)),
    Work(la.k2mm, lambda n: arrays(alpha=0.5, beta=1.2, A=(n, n), B=(n, n), C=(n, n), D=(n, n)), ('D',), (20, 100, 300)),
    Work(la.k3mm, lambda n: arrays(A=(n, n), B=(n, n), C=(n, n), D=(n, n)), ('value',), (20, 100, 300)),
    Work(la.atax, lambda n: arrays(A=(n, n), x=(n,)), ('value',), (40, 200, 800)),
    Work(la.bicg, lambda n: arrays(A=(n, n), p=(n,), r=(n,)), ('value[0]', 'value[1]'), (40, 200, 800)),
    Work(compiled.doitgen, lambda n: arrays(NR=n, NQ=n, NP=n, A=(n, n, n), C4=(n, n)), ('A',), (8, 24, 60)),
    Work(la.mvt, lambda n: arrays(x1=(n,), x2=(n,), y_1=(n,), y_2=(n,), A=(n, n)), ('x1', 'x2'), (40, 200, 800)),
    Work(la.cholesky, lambda n: arrays(A=lambda r: positive(r, n)), ('A',), (20, 60, 200), True),
    Work(la.durbin, lambda n: arrays(r=lambda r: r.uniform(0.0, 0.3 / n, n)), ('value',), (40, 120, 400), True),
    Work(la.gramschmidt, lambda n: arrays(A=lambda r: dominant(r, n)), ('value[0]', 'value[1]', 'A'), (20, 60, 150), True),
    Work(la.lu, lambda n: arrays(A=lambda r: positive(r, n)), ('A',), (20, 60, 200), True),
    Work(la.ludcmp, lambda n: arrays(A=lambda r: positive(r, n), b=(n,)), ('A', 'value[0]', 'value[1]'), (20, 60, 200), True),
    Work(la.trisolv, lambda n: arrays(L=lambda r: positive(r, n), x=(n,), b=(n,)), ('x',), (40, 200, 800), True),
    Work(compiled.correlation, lambda n: arrays(M=n, float_n=n + 2.0, data=(n + 2, n)), ('value', 'data'), (20, 60, 200)),
    Work(compiled.covariance, lambda n: arrays(M=n, float_n=n + 2.0, data=(n + 2, n)), ('value', 'data'), (20, 60, 200)),
    Work(signals.floyd_warshall_loops, lambda n: arrays(path=(n, n)), ('path',), (20, 60, 150)),
    Work(signals.nussinov, lambda n: arrays(N=n, score=(n, n)), ('value',), (20, 50, 100)),
    Work(stencils.adi, lambda n: arrays(TSTEPS=10, N=n, u=(n, n)), ('u',), (20, 60, 200), True),
    Work(stencils.deriche, lambda n: arrays(alpha=0.25, imgIn=(n, n)), ('value',), (20, 100, 400), True),
    Work(stencils.fdtd_2d, lambda n: arrays(TMAX=20, ex=(n, n + 2), ey=(n, n + 2), hz=(n, n + 2), _fict_=(20,)),
         ('ex', 'ey', 'hz'), (20, 80, 300)),
    Work(stencils.heat_3d, lambda n: arrays(TSTEPS=10, A=(n, n, n), B=(n, n, n)), ('A', 'B'), (8, 20, 60)),
    Work(stencils.jacobi_1d, lambda n: arrays(TSTEPS=100, A=(n,), B=(n,)), ('A', 'B'), (60, 400, 4000)),
    Work(stencils.jacobi_2d, lambda n: arrays(TSTEPS=20, A=(n, n), B=(n, n)), ('A', 'B'), (20, 80, 300)),
    Work(stencils.seidel_2d, lambda n: arrays(TSTEPS=10, N=n, A=(n, n)), ('A',), (20, 60, 150), True),
    Work(stencils.hdiff, lambda n: arrays(in_field=(n + 4, n + 4, 24), out_field=(n, n, 24), coeff=(n, n, 24)),
         ('out_field',), (8, 24, 60)),
    Work(stencils.vadv, lambda n: arrays(**{k: (n, n, 24) for k in ('utens_stage', 'u_stage')}, wcon=(n + 1, n, 24),
                                         u_pos=(n, n, 24), utens=(n, n, 24), dtr_stage=3.0 / 20.0),
         ('utens_stage',), (8, 24, 60)),
    Work(compiled.nbody, lambda n: arrays(mass=(n,), pos=lambda r: r.uniform(-1, 1, (n, 3)), vel=(n, 3), steps=10, dt=0.01,
                                          G=1.0, softening=0.1), ('pos', 'vel'), (5, 20, 60), True),
    Work(signals.spmv, rows, ('value',), (40, 400, 4000), True),
]
TABLE = {work.name: work for work in WORK}
