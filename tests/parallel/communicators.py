"""Programs in which not all processes speak, whose communicators are made, freed, missing or none, or which speak by functions
that are known only when running; run as `programs`, those of the last kind four times each."""
import functools
import sys

import numpy as np
from mpi4py import MPI

import tangent
from tests.parallel import programs
from tests.parallel.programs import array, comm, left, matvec, number, rank, right, size

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


def freed_behind_a_checkpointed_loop(u):
    """Its steps are run again in the backward pass."""
    ring = comm.Create_cart([size], periods=[True])
    before, behind = ring.Shift(0, 1)
    v, edge = u * u, np.empty(3)
    for _ in tangent.checkpointed(range(5), 2):
        ring.Sendrecv(v, dest=behind, recvbuf=edge, source=before)
        v = np.sin(v) + 0.1 * edge * u
    ring.Free()
    return np.sum(v)


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


# Functions that are known only when running: what they receive was not answered, and the others waited

def put(v, to):
    comm.send(v, dest=to)


def get(source):
    return comm.recv(source=source)


def exchange(v, k):
    return comm.sendrecv(v * k, dest=right, source=left)


def apply(f, *args):
    return f(*args)


def by_a_parameter(x, f):
    put(x * x, right)
    return f(left) * x


def by_tables(x, fs):
    found, total = {'get': get}, 0.0
    put(x * x, right)
    for k, f in enumerate(fs):
        total += f(x, k) * x + f(2.0, k)
    return total + found['get'](left) * x


def by_a_partial(x):
    put(x * x, right)
    put(x, right)
    first = functools.partial(get, left)()
    for scale, y in zip([x], map(get, [left])):
        first = first * scale + y
    return first


def through_a_helper(x):
    """Nobody needs what the first one gives."""
    apply(put, x * x, right)
    return apply(get, left) * x


def in_a_try(x, f):
    put(x * x, right)
    try:
        y = f(left)
    except ValueError:
        y = 0.0
    return y * x


def dot(a, b):
    return comm.allreduce(np.dot(a, b))


def solved(product, b, steps, dot):
    x, r = np.zeros_like(b), b.copy()
    p, old = r.copy(), dot(r, r)
    for _ in range(steps):
        q = product(p)
        alpha = old / dot(p, q)
        x, r = x + alpha * p, r - alpha * q
        new = dot(r, r)
        p, old = r + new / old * p, new
    return x


def solved_by_functions(u):
    return np.sum(solved(lambda p: matvec(p, 1.3), u, 3, dot) ** 2)


# Values of any form

def lists_of_messages(x):
    """Two gradients of a list were joined."""
    ys, zs = comm.bcast([x, x * x], root=0), comm.allgather(x * x)
    return sum(ys) * x + max(ys) + sum(zs) * x + sum(zs)


def numbers_here_arrays_there(u):
    """The gradient of a number was an array, and counted for each of its elements."""
    y = comm.allreduce(np.sum(u) if rank == 0 else u)
    z = comm.reduce(np.sum(u) if rank == 0 else u * u, root=size - 1)
    w = comm.scan(np.sum(u) if rank == 0 else u)
    return np.sum(y * u) + np.sum(w * u) + (np.sum(z * z) if rank == size - 1 else 0.0)


def in_indices_and_texts(u):
    """Through an index no derivative flows, but the message is answered."""
    comm.send(1, dest=right)
    comm.send(u * u, dest=right)
    v = u[comm.recv(source=left):]
    text = f'{comm.recv(source=left)}'
    return np.sum(v * v) * bool(text)


INDIRECT = {f.__name__: (f, x, *rest) for f, x, *rest in [
    (freed_behind_a_checkpointed_loop, array), (by_a_parameter, number, get),
    (by_tables, number, [exchange, exchange]), (by_a_partial, number), (through_a_helper, number),
    (in_a_try, number, get), (solved_by_functions, array), (lists_of_messages, number), (numbers_here_arrays_there, array),
    (in_indices_and_texts, array)]}
PROGRAMS = {f.__name__: (f, number, *rest) for f, *rest in [
    (world_by_another_name,), (by_functions_that_only_two_call,), (by_functions_that_are_given_it,), (none_on_some,),
    (by_methods, Speaker(comm)), (missing, None), (made_inside, Link()), (freed,), (nobody,), (no_communicator, Mesh()),
    (around_a_communicator, Parallel(comm))]}


def main(names):
    programs.main([n for n in names if n in PROGRAMS] if names else [], PROGRAMS)
    programs.main([n for n in names if n in INDIRECT] if names else [], INDIRECT, times=4)


if __name__ == '__main__':
    main(sys.argv[1:])
