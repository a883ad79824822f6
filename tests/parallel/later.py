"""Programs whose messages are posted here and waited for there; run as those of `programs`."""
import sys

import numpy as np
from mpi4py import MPI

import tangent
from tests.parallel import programs
from tests.parallel.programs import comm, left, number, rank, right, size, total

SEVERAL = MPI.ANY_SOURCE


def stored_in_a_list(x):
    v, requests = np.zeros(1), [None] * 2
    requests[0] = comm.Irecv(v, source=left)
    requests[1] = comm.Isend(np.array([x * x]), dest=right)
    MPI.Request.Waitall(requests)
    return v[0] * x


def stored_in_a_dict(x):
    found = {}
    found['sent'] = comm.isend(x * x, dest=right)
    found['text'] = comm.bcast('text')
    found['number'] = comm.recv(source=left)
    found['sent'].wait()
    return found['number'] * x * len(found['text'])


def last_first(x):
    """The message that was posted last is waited for first."""
    q, r = comm.irecv(source=left), comm.irecv(source=left)
    comm.send(2 * x, dest=right)
    comm.send(x * x, dest=right)
    b = r.wait()
    a = q.wait()
    return a + 10 * b


def last_first_of_arrays(x):
    a, b, c = np.zeros(1), np.zeros(2), np.zeros(1)
    q = comm.Irecv(a, source=left)
    r = comm.Irecv(b, source=SEVERAL if size == 1 else left)
    comm.Send(np.array([2 * x]), dest=right)
    comm.Send(np.array([x * x, x]), dest=right)
    s = comm.Isend(np.array([x * x * x]), dest=right)
    comm.Recv(c, source=left)                    # after both, and known before them
    r.Wait()
    q.Wait()
    s.Wait()
    return a[0] + 10 * b[0] * b[1] + 100 * c[0]


def two_places(x):
    """Two places post in turn, and all is waited for at once."""
    a, b, requests = np.zeros(2), np.zeros(2), []
    for i in range(2):
        requests.append(comm.Irecv(a[i:i + 1], source=left))
        requests.append(comm.Irecv(b[i:i + 1], source=left))
    for k in range(4):
        comm.Send(np.array([x ** (k + 1)]), dest=right)
    MPI.Request.Waitall(requests)
    return a[0] + 10 * b[0] + 100 * a[1] + 1000 * b[1]


def names_that_are_exchanged(x):
    """The buffer is the one that was posted, whatever has its name later."""
    a, b, k, v = np.zeros(1), np.zeros(1), 0, np.zeros(2)
    q, r = comm.Irecv(b, source=left, tag=1), comm.Irecv(v[k:k + 1], source=left, tag=2)
    comm.Send(np.array([x]), dest=right, tag=1)
    comm.Send(np.array([x * x]), dest=right, tag=2)
    a, b, k = b, a, 1
    q.Wait()
    r.Wait()
    return a[0] + 10 * b[0] + 100 * v[0] + 1000 * v[1]


def two_buffers_in_turn(x):
    a, b, value = np.zeros(2), np.zeros(2), 0.0
    sends = [comm.Isend(np.array([x * (k + 1), x * x]), dest=right) for k in range(3)]
    request = comm.Irecv(a, source=left)
    for k in range(3):
        request.Wait()
        if k < 2:
            request = comm.Irecv(b, source=left)
        value += a[0] * a[1] * x * (k + 1)
        a, b = b, a
    MPI.Request.Waitall(sends)
    return value


def posted_ahead(x):
    buffers, value = np.zeros((3, 2)), 0.0
    sends = [comm.Isend(np.array([x * (k + 1), x * x]), dest=right) for k in range(3)]
    request = comm.Irecv(buffers[0], source=left)
    for k in range(3):
        following = None
        if k < 2:
            following = comm.Irecv(buffers[k + 1], source=left)
        request.Wait()
        value += buffers[k, 0] * buffers[k, 1] * (k + 1) * x
        request = following
    MPI.Request.Waitall(sends)
    return value


def buffers_that_are_taken(x):
    """Each call takes a buffer from a list, once."""
    rows = np.zeros((3, 1))
    free = [rows[0], rows[1], rows[2]]
    q = comm.Irecv(free.pop(), source=left, tag=1)
    s = comm.Isend(np.array([x * x]), dest=right, tag=1)
    comm.Sendrecv(np.array([x]), dest=right, recvbuf=free.pop(), source=left, recvtag=0)
    q.Wait()
    s.Wait()
    return rows[0, 0] + 10 * rows[1, 0] + 100 * rows[2, 0] + len(free) * x


def statuses(x):
    a, b, found, one = np.zeros(1), np.zeros(1), [], MPI.Status()
    q = [comm.Irecv(a, source=SEVERAL, tag=MPI.ANY_TAG)]
    s = comm.Isend(np.array([x]), dest=right, tag=5)
    MPI.Request.Waitall(q, found)
    s.Wait()
    r = comm.Irecv(b, source=SEVERAL, tag=MPI.ANY_TAG)
    s = comm.Isend(np.array([x * x]), dest=right, tag=3)
    r.Wait(one)
    s.Wait(status=MPI.Status())
    p = comm.irecv(source=left)
    comm.send(x, dest=right, tag=2)
    y = p.wait(status=one)
    return a[0] * found[0].Get_tag() + b[0] * one.Get_tag() + y * one.Get_tag()


def between_all_by_wait(x):
    v = np.zeros(1)
    q = comm.Iallreduce(np.array([x * x]), v)
    q.wait()
    return v[0]


# Second derivatives

def object_later(x):
    q = comm.irecv(source=left)
    comm.send(x * x, dest=right)
    y = q.wait()
    return y * y


def buffer_later(x):
    v = np.zeros(2)
    q = comm.Irecv(v, source=left)
    comm.Send(np.array([x * x, x]), dest=right)
    q.Wait()
    return v[0] * v[0] * v[1]


def reductions(x):
    total, product = comm.allreduce(x * x, op=MPI.SUM), comm.allreduce(x * x, op=MPI.PROD)
    largest = comm.reduce(np.sin(x) * x, op=MPI.MAX, root=0)
    return total * total + product * x + (largest * x if rank == 0 else 0.0)


def one_way(x):
    """What goes back to what is received again has a shape alone: None was added to a number."""
    if size == 1:
        return x
    comm.send(x * x, dest=right)
    return comm.recv(source=left) * x


def in_a_closure(x):
    """Its derivative has the log form, whose check was made by each process alone."""
    if rank % 2 == 0:
        def sums(v):
            return comm.allreduce(v * 2)
    else:
        def sums(v):
            return comm.allreduce(v * v)
    return sums(x) * x


def bends(f, x):
    """What is wrong with the second derivative of a program, whose second differences say what it is."""
    v, h = np.random.default_rng(rank).normal(size=np.shape(x)), 1e-5
    expected = (total(np.sum(tangent.grad(f)(x + h * v) * v)) - total(np.sum(tangent.grad(f)(x - h * v) * v))) / (2 * h)
    found = total(np.sum(tangent.hvp(f)(x, v) * v))
    wrong = '' if abs(found - expected) < 1e-5 * (1 + abs(expected)) else f'second: {found}, not {expected}'
    if f in AGAIN:
        expected = (total(tangent.grad(f)(x + h)) - total(tangent.grad(f)(x - h))) / (2 * h)
        for found in [total(tangent.grad(tangent.grad(f))(x)) for _ in range(2)]:
            wrong += '' if abs(found - expected) < 1e-5 * (1 + abs(expected)) else f' again: {found}, not {expected}'
    return wrong


NUMBERS = (stored_in_a_list, stored_in_a_dict, last_first, last_first_of_arrays, two_places, names_that_are_exchanged,
           two_buffers_in_turn, posted_ahead, buffers_that_are_taken, statuses, between_all_by_wait, object_later, buffer_later, reductions)
PROGRAMS = {f.__name__: (f, number) for f in NUMBERS}
SECOND = object_later, buffer_later, reductions, last_first, two_places, one_way, in_a_closure
AGAIN = reductions, one_way, in_a_closure                                                  # gradients of gradients


def main(names):
    programs.main(names, PROGRAMS)
    for f in SECOND:
        wrong = bends(f, number)
        if rank == 0:
            print(f'second derivative of {f.__name__}: {wrong or "right"}', flush=True)


if __name__ == '__main__':
    main(sys.argv[1:])
