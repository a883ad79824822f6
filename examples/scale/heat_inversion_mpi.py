"""How well does a rod conduct heat, and where? It is cut into pieces, one for each process, and seen before and after.

    mpiexec -n 4 python examples/scale/heat_inversion_mpi.py

Each process has its piece of the rod and of the unknown conductivity, and speaks to its neighbours only. Its gradient is that
of the sum over all processes: `tangent.grad` of the misfit as it is written, with the messages that go back. The loop keeps
a few states (`tangent.checkpointed`), the same on all processes. At the end the first process draws a picture.
"""
import sys

import numpy as np
from mpi4py import MPI

import tangent

comm = MPI.COMM_WORLD
above = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
below = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL


def with_neighbours(u):
    """The piece with one cell of each neighbour beside it."""
    v = np.zeros(u.size + 2)
    v[1:-1] = u
    comm.Sendrecv(v[-2:-1], dest=above, recvbuf=v[:1], source=below)
    comm.Sendrecv(v[1:2], dest=below, recvbuf=v[-1:], source=above)
    return v


def diffused(u, conductivity, steps):
    """The temperature after so many steps, with both ends of the rod at zero."""
    k = with_neighbours(conductivity)
    between = 0.5 * (k[1:] + k[:-1])
    for _ in tangent.checkpointed(range(steps), budget=8, tape=4):
        v = with_neighbours(u)
        flow = between * (v[1:] - v[:-1])
        u = u + 0.25 * (flow[1:] - flow[:-1])
    return u


def misfit(logarithm, first, last, steps):
    """What this process adds to the misfit: the sum over all is minimised, and its gradient is what `tangent.grad` gives."""
    difference = diffused(first, np.exp(logarithm), steps) - last
    bend = np.diff(with_neighbours(logarithm)[1:])
    return np.sum(difference ** 2) + 1e-5 * np.sum(bend ** 2)


def dot(a, b):
    return comm.allreduce(np.dot(a, b))


def progress(total):
    try:
        from tqdm import trange
    except ImportError:
        return range(total)
    return trange(total, desc='inversion', file=sys.stderr, disable=comm.rank > 0)


def piece(count):
    """The places of this process's cells along the rod."""
    return (comm.rank * count + np.arange(count) + 0.5) / (comm.size * count)


def main(count=40, steps=200, iterations=60):
    """The relative error of the conductivity before and after."""
    where = piece(count)
    truth = 0.2 + 0.5 * np.exp(-60 * (where - 0.35) ** 2) + 0.2 * (where > 0.7)
    first = np.sin(9 * np.pi * where) + 1.5 * np.sin(2 * np.pi * where) ** 2
    last = diffused(first, truth, steps)
    gradient, logarithm = tangent.grad(misfit), np.full(count, np.log(0.4))
    error = lambda: np.sqrt(dot(np.exp(logarithm) - truth, np.exp(logarithm) - truth) / dot(truth, truth))  # noqa: E731
    before, old, moved = error(), None, None
    for _ in progress(iterations):
        found = gradient(logarithm, first, last, steps)
        step = 0.01 / np.sqrt(dot(found, found))
        if old is not None:                                    # Barzilai and Borwein, IMA J. Numer. Anal. 8(1), 1988
            change = found - old
            step = abs(dot(moved, change)) / dot(change, change)
        old, moved = found, -min(step, 0.3 / np.sqrt(comm.allreduce(np.max(found ** 2), MPI.MAX))) * found
        logarithm = logarithm + moved
    after = error()
    pieces = [comm.gather(part, root=0) for part in (where, truth, np.exp(logarithm))]
    if comm.rank == 0:
        print(f'{comm.size} processes, {comm.size * count} cells, {steps} steps: error of the conductivity '
              f'{before:.3f} -> {after:.3f}')
        draw(*map(np.concatenate, pieces))
    return before, after


def draw(where, truth, found, path='heat_inversion.png'):
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use('Agg')
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 3))
    axes.plot(where, truth, label='conductivity')
    axes.plot(where, found, '--', label='found')
    axes.legend()
    figure.savefig(path, bbox_inches='tight')
    pyplot.close(figure)


if __name__ == '__main__':
    main()
