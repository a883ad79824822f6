"""Programs in which not all processes speak, or whose communicators are made, freed, missing or none; run as `programs`."""
import sys

import numpy as np
from mpi4py import MPI

from tests.parallel import programs
from tests.parallel.programs import comm, number, rank, size

one, two = comm.Dup(), comm.Dup()                                                         # no derivative has seen them yet
some = comm.Split(0 if rank == 0 else MPI.UNDEFINED)                                      # none on the others


def world_by_another_name(x):
    """Only two processes speak, by a name of the function's own."""
    world = MPI.COMM_WORLD
    if size == 1:
        return x
    if rank == 0:
        world.send(x * x, dest=1)
    return world.recv(source=0) * x if rank == 1 else 0.0


def give(v):
    one.send(v, dest=1)


def take():
    return one.recv(source=0)


def by_functions_that_only_two_call(x):
    if size == 1:
        return x
    if rank == 0:
        give(x * x)
    elif rank == 1:
        return take() * x
    return 0.0


def give_by(c, v):
    c.send(v, dest=1)


def take_by(c):
    return c.recv(source=0)


def by_functions_that_are_given_it(x):
    if size == 1:
        return x
    y = x
    if rank == 0:
        give_by(two, x * x)
    elif rank == 1:
        y = take_by(two)
    return two.allreduce(y)


def none_on_some(x):
    if some == MPI.COMM_NULL:
        return x
    return some.sendrecv(x * x, dest=0, source=0)


class Link:
    comm = None


def missing(x, link):
    if link is None:
        return x * x
    return link.comm.sendrecv(x, dest=0, source=0)


def made_inside(x, link):
    link.comm = MPI.COMM_SELF
    return link.comm.sendrecv(x * x, dest=0, source=0)


def freed(x):
    """The size is asked for after it is freed, in the backward pass."""
    y = x
    for _ in range(2):
        inner = comm.Dup()
        y = inner.allreduce(y * x) / inner.size
        inner.Free()
    return y


def nobody(x):
    y = comm.sendrecv(x * x, dest=MPI.PROC_NULL, source=MPI.PROC_NULL)
    comm.send(x, dest=MPI.PROC_NULL)
    return x if y is None else y


class Speaker:
    """Its methods send, and are called as statements."""

    def __init__(self, comm):
        self.comm = comm

    def tell(self, v):
        self.comm.send(v, dest=(rank + 1) % size)

    def hear(self):
        return self.comm.recv(source=(rank - 1) % size)


speaker = Speaker(comm)


def by_methods(x, other):
    speaker.tell(x * x)
    y = speaker.hear()
    other.tell(y * x)
    return other.hear() * y


class Mesh:
    """A class of the user's with names that communicators have."""
    size = 3

    def gather(self, v):
        return v[[2, 0, 1]]


def no_communicator(x, mesh):
    return np.sum(mesh.gather(x * np.arange(3.0)) ** 2) / mesh.size


class Parallel:
    def __init__(self, comm):
        self.comm = comm

    def bcast(self, v):
        return self.comm.bcast(v, root=0)

    def allreduce(self, v):
        return self.comm.allreduce(v) / self.comm.size


def around_a_communicator(x, parallel):
    return parallel.bcast(x) * parallel.allreduce(x * x)


PROGRAMS = {f.__name__: (f, number, *rest) for f, *rest in [
    (world_by_another_name,), (by_functions_that_only_two_call,), (by_functions_that_are_given_it,), (none_on_some,),
    (by_methods, Speaker(comm)), (missing, None), (made_inside, Link()), (freed,), (nobody,), (no_communicator, Mesh()),
    (around_a_communicator, Parallel(comm))]}


def main(names):
    programs.main(names, PROGRAMS)


if __name__ == '__main__':
    main(sys.argv[1:])
