"""Gradients on the ranks of MPI: strong and weak scaling of two programs, a message, and what the model says.

    mpiexec -n 4 python -m benchmarks.scale_mpi

The stencil is cut into slabs, and each rank sends an edge to its neighbours at every step, there and back; the data-parallel
program adds up the losses of its rows by `allreduce`, and the gradient of the parameters, which each rank has, by another one.
"""
from __future__ import annotations

import statistics
import time

import numpy as np
from mpi4py import MPI

import tangent
from benchmarks.scale import MPI as ASSUMED
from benchmarks.scale import Program, data_parallel, domain_decomposed

comm = MPI.COMM_WORLD
above = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
below = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL


def stencil(u, steps):
    """The sum of squares after so many steps of diffusion on a slab of rows, with edges from the neighbours."""
    for _ in range(steps):
        v = np.zeros((u.shape[0] + 2, u.shape[1]))
        v[1:-1] = u
        comm.Sendrecv(v[-2], dest=above, recvbuf=v[0], source=below)
        comm.Sendrecv(v[1], dest=below, recvbuf=v[-1], source=above)
        u = u + 0.2 * (v[2:] - 2 * u + v[:-2])
    return np.sum(u * u)


def regression(w, x):
    """A loss of the rows of all ranks, on the first of them."""
    total = comm.allreduce(np.sum(np.tanh(x @ w) ** 2))
    return total if comm.rank == 0 else 0.0


def summed(w, x):
    """The gradient with respect to the parameters that all ranks share."""
    return comm.allreduce(tangent.grad(regression)(w, x))


def timed(f, *args, repeats=5):
    """The median of the seconds that the slowest rank takes."""
    f(*args)
    found = []
    for _ in range(repeats):
        comm.Barrier()
        start = time.perf_counter()
        f(*args)
        found.append(comm.allreduce(time.perf_counter() - start, MPI.MAX))
    return statistics.median(found)


def message(size, repeats=200):
    """Seconds for a message of so many bytes from the first rank to the second."""
    block = np.zeros(size // 8 or 1)
    comm.Barrier()
    start = time.perf_counter()
    for _ in range(repeats):
        if comm.rank == 0:
            comm.Send(block, dest=1)
            comm.Recv(block, source=1)
        elif comm.rank == 1:
            comm.Recv(block, source=0)
            comm.Send(block, dest=0)
    return (time.perf_counter() - start) / repeats / 2


def rows(cells=2048, steps=60, samples=200_000, columns=50):
    """(program, kind, seconds of the function, of the gradient) for this number of ranks; weak: as much for each rank."""
    for kind, share in (('strong', comm.size), ('weak', 1)):
        u = np.random.default_rng(comm.rank).normal(size=(cells // share, cells // 4))
        yield 'stencil', kind, timed(stencil, u, steps), timed(tangent.grad(stencil), u, steps)
        w, x = np.linspace(-1, 1, columns), np.random.default_rng(comm.rank).normal(size=(samples // share, columns))
        yield 'data-parallel', kind, timed(regression, w, x), timed(summed, w, x)


def main():
    for name, kind, forward, gradient in rows():
        if comm.rank == 0:
            print(f'{comm.size} ranks {name:14} {kind:7} function {forward * 1e3:8.1f} ms  gradient {gradient * 1e3:8.1f} ms')
    if comm.size > 1:
        small, large = message(8), message(2 ** 22, 20)
        if comm.rank == 0:
            machine = ASSUMED._replace(latency=small, byte=(large - small) / 2 ** 22)
            print(f'a message {small * 1e6:.1f} us, a byte {machine.byte * 1e9:.2f} ns')
            p = Program(flops=4e12, size=8e3, steps=1000)
            for name, model in (('data-parallel', data_parallel), ('domain-decomposed', domain_decomposed)):
                print(f'{name}, 4e12 operations: efficiency with 64 ranks '
                      f'{model(machine, p, 1)[0] / model(machine, p, 64)[0] / 64:.0%}')


if __name__ == '__main__':
    main()
