"""Programs from the wild that write into arrays, unmodified, and one table that says how to call each.

    for kernel in KERNELS:
        loss, wrt = kernel.loss(), kernel.wrt        # a function with source, and the names of its float arguments
        loss(**kernel.arguments())

`results` names what a kernel computes: arguments that it writes into, 'value' for what it returns, 'value[1]' for an
element of that. `loss` calls the kernel and sums the sine of all results, so that one gradient asks for all of them.
"""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.polybench import arrays, dominant, loss_of, physics, positive, signals, stencils
from benchmarks.polybench import linear_algebra as la

POLYBENCH = ('gemm gemver gesummv symm syr2k syrk trmm k2mm k3mm atax bicg doitgen mvt cholesky durbin gramschmidt lu ludcmp '
             'trisolv correlation covariance deriche floyd_warshall nussinov adi fdtd_2d heat_3d jacobi_1d jacobi_2d '
             'seidel_2d').split()


class Kernel(NamedTuple):
    """One program: its function, what makes its arguments of a random state, the names of its results.

    analytic : whether the complex step can be used
    """
    function: Callable
    make: Callable
    results: tuple
    analytic: bool = True

    @property
    def name(self):
        return self.function.__name__

    def arguments(self, dtype=float):
        """A dict of new arguments, the same on every call."""
        return {k: cast(v, dtype) for k, v in self.make(np.random.RandomState(7)).items()}

    @property
    def wrt(self):
        """Names of the arguments with a gradient: floats and arrays of floats."""
        return tuple(k for k, v in self.arguments().items()
                     if isinstance(v, float) or isinstance(v, np.ndarray) and v.dtype.kind in 'fc')

    def loss(self):
        """A function of the arguments of the kernel that sums the sine of each result."""
        return loss_of(self.function, tuple(self.arguments()), self.results)


def cast(value, dtype):
    if isinstance(value, np.ndarray) and value.dtype.kind == 'f':
        return value.astype(dtype)
    if isinstance(value, np.ndarray) and value.dtype.kind == 'c':
        return value.astype(np.result_type(dtype, np.complex64))
    return value


def graph(r):
    path = r.uniform(0.5, 3.0, (5, 5))
    np.fill_diagonal(path, 0.1)
    return path


FLOW = dict(dt=0.3, dx=0.8, dy=0.7, p=(5, 6), rho=1.1, nu=0.1)

LINEAR_ALGEBRA = [
    Kernel(la.gemm, arrays(alpha=1.5, beta=1.2, C=(3, 4), A=(3, 2), B=(2, 4)), ('C',)),
    Kernel(la.gemver, arrays(alpha=0.5, beta=0.2, A=(4, 4), u1=(4,), v1=(4,), u2=(4,), v2=(4,), w=(4,), x=(4,), y=(4,),
                             z=(4,)), ('A', 'x', 'w')),
    Kernel(la.gesummv, arrays(alpha=0.5, beta=0.2, A=(3, 3), B=(3, 3), x=(3,)), ('value',)),
    Kernel(la.symm, arrays(alpha=0.5, beta=1.2, C=(3, 4), A=(3, 3), B=(3, 4)), ('C',)),
    Kernel(la.syr2k, arrays(alpha=0.5, beta=1.2, C=(4, 4), A=(4, 3), B=(4, 3)), ('C',)),
    Kernel(la.syrk, arrays(alpha=0.5, beta=1.2, C=(4, 4), A=(4, 3)), ('C',)),
    Kernel(la.trmm, arrays(alpha=0.5, A=(4, 4), B=(4, 3)), ('B',)),
    Kernel(la.k2mm, arrays(alpha=0.5, beta=1.2, A=(2, 3), B=(3, 2), C=(2, 4), D=(2, 4)), ('D',)),
    Kernel(la.k3mm, arrays(A=(2, 3), B=(3, 2), C=(2, 4), D=(4, 3)), ('value',)),
    Kernel(la.atax, arrays(A=(3, 4), x=(4,)), ('value',)),
    Kernel(la.bicg, arrays(A=(3, 4), p=(4,), r=(3,)), ('value[0]', 'value[1]')),
    Kernel(la.doitgen, arrays(NR=2, NQ=3, NP=4, A=(2, 3, 4), C4=(4, 4)), ('A',)),
    Kernel(la.doitgen_loops, arrays(A=(2, 2, 3), C4=(3, 3)), ('A',), False),
    Kernel(la.mvt, arrays(x1=(4,), x2=(4,), y_1=(4,), y_2=(4,), A=(4, 4)), ('x1', 'x2')),
    Kernel(la.cholesky, arrays(A=lambda r: positive(r, 5)), ('A',)),
    Kernel(la.durbin, arrays(r=lambda r: r.uniform(0.0, 0.3, 6)), ('value',)),
    Kernel(la.gramschmidt, arrays(A=lambda r: dominant(r, 4)[:, :3].copy()), ('value[0]', 'value[1]', 'A')),
    Kernel(la.lu, arrays(A=lambda r: dominant(r, 5)), ('A',)),
    Kernel(la.ludcmp, arrays(A=lambda r: dominant(r, 4), b=(4,)), ('A', 'value[0]', 'value[1]')),
    Kernel(la.trisolv, arrays(L=lambda r: dominant(r, 5), x=(5,), b=(5,)), ('x',)),
    Kernel(la.correlation, arrays(M=3, float_n=5.0, data=(5, 3)), ('value', 'data'), False),
    Kernel(la.covariance, arrays(M=3, float_n=5.0, data=(5, 3)), ('value', 'data')),
]

STENCILS = [
    Kernel(stencils.adi, arrays(TSTEPS=2, N=5, u=(5, 5)), ('u',)),
    Kernel(stencils.fdtd_2d, arrays(TMAX=3, ex=(4, 5), ey=(4, 5), hz=(4, 5), _fict_=(3,)), ('ex', 'ey', 'hz')),
    Kernel(stencils.heat_3d, arrays(TSTEPS=3, A=(4, 4, 4), B=(4, 4, 4)), ('A', 'B')),
    Kernel(stencils.jacobi_1d, arrays(TSTEPS=4, A=(7,), B=(7,)), ('A', 'B')),
    Kernel(stencils.jacobi_2d, arrays(TSTEPS=3, A=(5, 5), B=(5, 5)), ('A', 'B')),
    Kernel(stencils.seidel_2d, arrays(TSTEPS=3, N=5, A=(5, 5)), ('A',)),
    Kernel(stencils.deriche, arrays(alpha=0.25, imgIn=(5, 4)), ('value',)),
    Kernel(stencils.hdiff, arrays(in_field=(7, 7, 2), out_field=(3, 3, 2), coeff=(3, 3, 2)), ('out_field',), False),
    Kernel(stencils.vadv, arrays(utens_stage=(2, 3, 4), u_stage=(2, 3, 4), wcon=(3, 3, 4), u_pos=(2, 3, 4), utens=(2, 3, 4),
                                 dtr_stage=3.0 / 20.0), ('utens_stage',)),
]

PHYSICS = [
    Kernel(physics.cavity_flow, arrays(nx=6, ny=5, nt=2, nit=2, u=(5, 6), v=(5, 6), **FLOW), ('u', 'v', 'p'), False),
    Kernel(physics.channel_flow, arrays(nit=2, u=(5, 6), v=(5, 6), **FLOW, F=1.0, steps=2), ('u', 'v', 'p'), False),
    Kernel(physics.shallow_water, arrays(steps=3, h=(4, 5), u=(5, 5), v=(4, 6), dt=0.05, dx=0.5, g=1.0), ('h', 'u', 'v')),
    Kernel(physics.wave, arrays(u=(6,), v=(6,), c=(6,), steps=4), ('value',)),
    Kernel(physics.nbody, arrays(mass=(3, 1), pos=lambda r: r.uniform(-1, 1, (3, 3)), vel=(3, 3), Nt=2, dt=0.05, G=1.0,
                                 softening=0.3), ('value[0]', 'value[1]', 'pos', 'vel'), False),
    Kernel(physics.nbody_pairs, arrays(pos=lambda r: r.uniform(-1, 1, (3, 2)), vel=(3, 2), mass=(3,), steps=2, dt=0.05),
           ('pos', 'vel')),
    Kernel(physics.verlet_object, arrays(pos=(4,), vel=(4,), steps=3, dt=0.1), ('value', 'pos')),
    Kernel(physics.lorenz_rk4, arrays(y=(3,), steps=2, dt=0.05, sigma=10.0, rho=28.0, beta=2.5), ('value', 'y'), False),
]

SIGNALS = [
    Kernel(signals.thomas, arrays(a=(4,), b=lambda r: r.uniform(2, 3, 5), c=(4,), d=(5,)), ('d',)),
    Kernel(signals.stockham_fft, arrays(N=8, R=2, K=3, x=lambda r: r.randn(8) + 1j * r.randn(8),
                                        y=lambda r: np.zeros(8, complex)), ('y.real', 'y.imag'), False),
    Kernel(signals.stockham_radix2, arrays(x=(8,)), ('value',), False),
    Kernel(signals.floyd_warshall, arrays(path=graph), ('path',)),
    Kernel(signals.floyd_warshall_loops, arrays(path=graph), ('path',)),
    Kernel(signals.nussinov, arrays(N=5, score=(5, 5)), ('value',)),
    Kernel(signals.histogram, arrays(index=lambda r: r.randint(0, 4, 9), weights=(9,), bins=4), ('value',), False),
    Kernel(signals.scatter_pairs, arrays(index=lambda r: np.array([[0, 1, 2, 0], [1, 2, 3, 2]]), x=(4,), force=(4,)),
           ('force',)),
    Kernel(signals.kalman, arrays(A=lambda r: dominant(r, 2) * 0.5, H=(2, 2), Q=lambda r: positive(r, 2),
                                  R=lambda r: positive(r, 2), x=(2,), P=lambda r: positive(r, 2), zs=(3, 2)),
           ('value[0]', 'value[1]', 'P'), False),
    Kernel(signals.lstm, arrays(W=(8, 3), U=(8, 2), b=(8,), xs=(3, 3), h=(2,), c=(2,)), ('value', 'h', 'c'), False),
    Kernel(signals.conv2d, arrays(input=(2, 4, 5, 2), weights=(3, 3, 2, 2)), ('value',)),
    Kernel(signals.conv2d_bias, arrays(input=(1, 4, 4, 1), weights=(2, 2, 1, 2), bias=(2,)), ('value',)),
    Kernel(signals.maxpool2d, arrays(x=(2, 4, 4, 2)), ('value',)),
    Kernel(signals.softmax, arrays(x=(2, 3, 4)), ('value',)),
    Kernel(signals.softmax_in_place, arrays(x=(3, 4)), ('value',)),
    Kernel(signals.spmv, arrays(A_row=lambda r: np.array([0, 2, 3, 5]), A_col=lambda r: np.array([0, 2, 1, 0, 3]),
                                A_val=(5,), x=(4,)), ('value',)),
    Kernel(signals.azimint, arrays(data=(20,), radius=lambda r: np.linspace(0.03, 1.0, 20), npt=4), ('value',), False),
    Kernel(signals.go_fast, arrays(a=(4, 4)), ('value',)),
    Kernel(signals.gauss_jordan, arrays(A=(4, 4), b=(4,)), ('b', 'A'), False),
    Kernel(signals.bubble_sort, arrays(x=(6,)), ('x * np.arange(6)',)),
    Kernel(signals.power_iteration, arrays(A=(3, 3), v=(3,), steps=3), ('value',), False),
    Kernel(signals.conjugate_gradients, arrays(A=lambda r: positive(r, 4), b=(4,), x=(4,), steps=3), ('x',)),
    Kernel(signals.game_of_waves, arrays(grid=(4, 5), steps=3), ('value',)),
]

KERNELS = LINEAR_ALGEBRA + STENCILS + PHYSICS + SIGNALS
