"""Programs of `numba_mpi`, run by `mpiexec -n N python compiled_programs.py [names]`, as Python, and some by Numba (those of `names` all).

Checked as those of `programs` are, along directions of all processes at once.
"""
import sys

import numba
import numba_mpi
import numpy as np
from mpi4py import MPI

import tangent
from tests.parallel.programs import array, differs, rank, size

NOBODY = int(MPI.PROC_NULL)
NEXT, LAST = (rank + 1) % size, (rank - 1) % size
UP = rank + 1 if rank + 1 < size else NOBODY
DOWN = rank - 1 if rank else NOBODY


def heat(u, steps):
    v = np.zeros(u.size + 2)
    v[1:-1] = u
    for _ in range(steps):
        numba_mpi.send(v[-2:-1], UP, 1)
        numba_mpi.recv(v[:1], DOWN, 1)
        numba_mpi.send(v[1:2], dest=DOWN, tag=2)
        numba_mpi.recv(v[-1:], source=UP, tag=2)
        v[1:-1] += 0.1 * (v[2:] - 2 * v[1:-1] + v[:-2])
    return np.sum(v[1:-1] ** 2)


def by_rank(u, steps):
    v = u * u
    b = np.ones(3)
    for _ in range(steps):
        if numba_mpi.rank() > 0:
            numba_mpi.recv(b, numba_mpi.rank() - 1, 0)
        if numba_mpi.rank() + 1 < numba_mpi.size():
            status = numba_mpi.send(v * b, numba_mpi.rank() + 1)
            assert status == 0
        v = np.sin(v) * b
    return np.sum(v * b)


def ring(u, steps):
    v = u * u
    b = np.zeros(3)
    for _ in range(steps):
        numba_mpi.sendrecv(v, NEXT, b, LAST, 3, 3)
        v = v + b * u
    return np.sum(np.sin(v) * b)


def edges(u, steps):
    b = u * 3.0
    for _ in range(steps):
        numba_mpi.sendrecv(u * b, UP, b, DOWN, 0, 0)
    return np.sum(b * u)


def told(u, steps):
    b = u * u
    numba_mpi.bcast(b, size - 1)
    return np.sum(b * u)


def sums(u, steps):
    everything, here, number = np.zeros(3), u * u, np.zeros(1)
    numba_mpi.allreduce(u * u, everything)
    numba_mpi.reduce(np.sin(u), here, numba_mpi.Operator.SUM, 0)
    numba_mpi.allreduce(np.sum(u ** 3), number)
    return np.sum(everything * here * u) * number[0]


def gathered(u, steps):
    everything, part, all_of_it = np.ones(3 * size), np.zeros(3), np.zeros(3 * size)
    numba_mpi.gather(u * u, everything, 3, 0)
    numba_mpi.scatter(everything * np.sin(everything), part, 3, 0)
    numba_mpi.allgather(part * u, all_of_it, 3)
    return np.sum(all_of_it ** 2 * np.arange(3 * size))


def conjugate_gradients(u, steps):
    x, r = np.zeros(3), u.copy()
    p = r.copy()
    old, new, curvature = np.zeros(1), np.zeros(1), np.zeros(1)
    numba_mpi.allreduce(np.sum(r * r), old)
    weights = 1.5 + np.arange(3) + numba_mpi.rank()
    for _ in range(steps):
        q = weights * p
        numba_mpi.allreduce(np.sum(p * q), curvature)
        alpha = old[0] / curvature[0]
        x += alpha * p
        r -= alpha * q
        numba_mpi.allreduce(np.sum(r * r), new)
        p = r + (new[0] / old[0]) * p
        old[0] = new[0]
    return np.sum(x * u)


def refused(u, steps):
    b = np.zeros(3)
    status, request = numba_mpi.isend(u, NEXT, 0)
    numba_mpi.recv(b, LAST, 0)
    numba_mpi.wait(request)
    return np.sum(b)


def from_anybody(u, steps):
    b = np.zeros(3)
    numba_mpi.send(u, NEXT, 0)
    numba_mpi.recv(b, -2, 0)
    return np.sum(b * u)


PROGRAMS = [heat, by_rank, ring, edges, told, sums, gathered, conjugate_gradients]
COMPILED = [heat, ring, sums, gathered]


def main(names):
    for f in [f for f in PROGRAMS if f.__name__ in names] or PROGRAMS:
        for form in (f, *[numba.njit(f)] * (f in COMPILED or f.__name__ in names)):
            wrong = differs(form, array, (3,))
            if rank == 0:
                print(f'{f.__name__}{" compiled" * (form is not f)}: {wrong or "right"}', flush=True)
    for f in [f for f in (refused, from_anybody) if f.__name__ in names]:
        tangent.grad(numba.njit(f))(array, 3)


if __name__ == '__main__':
    main(sys.argv[1:])
