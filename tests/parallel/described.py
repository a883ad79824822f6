"""Programs whose buffers say what they send: counts, displacements, datatypes; run as those of `programs`."""
import sys

import numpy as np
from mpi4py import MPI

from tests.parallel import programs
from tests.parallel.programs import comm, left, rank, right, size

array = np.array([0.4, 0.7, 1.1]) + 0.3 * rank
SHIFTED = MPI.DOUBLE.Create_indexed([1, 1], [1, 2]).Commit()                              # elements 1 and 2
OVERLAPPING = MPI.DOUBLE.Create_hvector(2, 2, 8).Commit()                                 # elements 0, 1, 1 and 2
COLUMN = MPI.DOUBLE.Create_vector(3, 1, 3).Create_resized(0, 8).Commit()                  # the next column begins 8 bytes on
EVERY_OTHER = MPI.DOUBLE.Create_vector(2, 1, 2).Commit()


def bcast_of_a_count(u):
    v = u * u
    comm.Bcast([v, 2, MPI.DOUBLE], root=0)
    return np.sum(v * u)


def bcast_behind_the_first(u):
    v = u * u
    comm.Bcast([v, (1, 1), 'd'], root=0)
    return np.sum(v * u)


def allreduce_of_counts(u):
    s = u * 1.0
    comm.Allreduce([u * u, 2, MPI.DOUBLE], [s, 2, MPI.DOUBLE])
    return np.sum(s * u)


def allreduce_in_place_of_a_count(u):
    s = u * u
    comm.Allreduce(MPI.IN_PLACE, [s, 2, MPI.DOUBLE])
    return np.sum(s * u)


def reduce_of_a_part(u):
    s = u * 1.0
    comm.Reduce([u * u, 2], [s, (2, 1), MPI.DOUBLE], op=MPI.PROD, root=0)
    return np.sum(s * u)


def scan_of_counts(u):
    s = np.zeros(3)
    comm.Scan([u * u, 2, MPI.DOUBLE], [s, 2, MPI.DOUBLE])
    comm.Exscan([u, 1, MPI.DOUBLE], [s, (1, 2), MPI.DOUBLE])
    return np.sum(s * u)


def gather_of_counts(u):
    s = np.zeros(4 * size) if rank == 0 else None
    comm.Gather([u * u, (2, 1), MPI.DOUBLE], [s, 2, MPI.DOUBLE], root=0)
    if rank == 0:
        return np.sum(s * s)
    return 0.0


def scatter_of_counts(u):
    r = u * 1.0
    comm.Scatter([np.arange(3.0 * size) * u[0] * u[1], 2, MPI.DOUBLE], [r, (2, 1), MPI.DOUBLE], root=0)
    return np.sum(r * u)


def allgather_of_types(u):
    r = np.zeros(4 * size)
    comm.Allgather([u * u, 1, SHIFTED], [r, 1, EVERY_OTHER])
    return np.sum(r * np.arange(r.size) * u[0])


def alltoall_of_counts(u):
    r = np.zeros(3 * size)
    comm.Alltoall([np.arange(3.0 * size) * u[0] * u[1], 2, MPI.DOUBLE], [r, 2, MPI.DOUBLE])
    return np.sum(r * r * u[2])


def reduce_scatter_of_counts(u):
    r = np.zeros(3)
    comm.Reduce_scatter_block([np.arange(3.0 * size) * u[0] * u[1], 2, MPI.DOUBLE], [r, 2, MPI.DOUBLE])
    return np.sum(r * u)


def gatherv_of_a_part(u):
    s = np.zeros(3 * size)
    comm.Gatherv([u * u, (2, 1), MPI.DOUBLE], [s, [2] * size, [3 * k for k in range(size)], MPI.DOUBLE], root=0)
    return np.sum(s * np.arange(s.size) * u[0])


def blocks_that_overlap(u):
    v, r, q = np.arange(1.0, 2.0 + size) * u[0], np.empty(2), np.empty(2 * size)
    comm.Scatterv([v, [2] * size, list(range(size)), MPI.DOUBLE], r, root=0)
    comm.Alltoallv([v * u[1], ([2] * size, list(range(size)))], [q, [2] * size])
    return np.sum(r * r) + np.sum(q * q * u[2])


def nothing_where_nothing_is_dealt(u):
    r = np.empty(2)
    if rank == 0:
        comm.Scatterv([np.arange(2.0 * size) * u[0] * u[1], [2] * size], r, root=0)
        g = np.empty(3 * size)
        comm.Gatherv(u * u, [g, [3] * size], root=0)
        return np.sum(g * g) + np.sum(r)
    comm.Scatterv(None, r, root=0)
    comm.Gatherv(u * u, None, root=0)
    return np.sum(r * u[0])


def datatypes(u):
    """One that does not begin at its start, one that overlaps itself, and columns of a matrix."""
    v, w, z = np.zeros(2), np.zeros(4), np.zeros((3, 3))
    comm.Sendrecv([u * u, 1, SHIFTED], dest=right, recvbuf=v, source=left)
    comm.Sendrecv([u * u, 1, OVERLAPPING], dest=right, recvbuf=w, source=left)
    comm.Sendrecv([np.outer(u, u * u), 3, COLUMN], dest=right, recvbuf=z, source=left)
    return v[0] + 10 * v[1] + np.sum(w * w) + np.sum(z * np.arange(9.0).reshape(3, 3) * u)


def type_codes(u):
    v = np.zeros(3)
    comm.Sendrecv([u * u, 'd'], dest=right, recvbuf=[v, 3, 'd'], source=left)
    return np.sum(v * u)


def parts_in_a_list(u):
    w = np.zeros(4)
    parts = np.split(w, 2)
    comm.Sendrecv(u[:2] * u[1:], dest=right, recvbuf=parts[1], source=left)
    return np.sum(w * np.arange(4.0))


def complex_product(u):
    """A product of complex numbers, of all processes, by a gradient of real ones."""
    z, s = u[:2] + 1j * u[1:], np.zeros(2, complex)
    comm.Allreduce(z, s, op=MPI.PROD)
    return np.sum((s * z).real) + (comm.allreduce(z[0] * u[2], op=MPI.PROD) * z[1]).imag


def sizes_first(u):
    n = np.zeros(1, dtype=int)
    comm.Sendrecv(np.array([u.size]), dest=right, recvbuf=n, source=left)
    v = np.zeros(n[0])
    comm.Sendrecv(u * u, dest=right, recvbuf=v, source=left)
    return np.sum(v * u) / n[0]


def counts_of_all(u):
    n, counts = np.zeros(1, dtype=int), np.empty(size, dtype='i')
    comm.Allreduce(np.array([u.size]), n)
    comm.Allgather(np.array([u.size], dtype='i'), counts)
    v = np.zeros(int(counts.sum()))
    comm.Allgatherv(u * u, [v, counts])
    comm.Bcast(n, root=0)
    return np.sum(v * np.arange(v.size) * u[0]) / n[0]


def flags(u):
    """Counts and flags have no derivative, and are received as they are."""
    ok, all_ok = np.array([u[0] > 0]), np.zeros(1, bool)
    comm.Allreduce(ok, all_ok, op=MPI.LAND)
    c = comm.allreduce(bool(u[1] > 0), op=MPI.LOR)
    q = np.zeros(1, int)
    r = comm.Irecv(q, source=left)
    comm.Send(np.array([rank]), dest=right)
    r.Wait()
    if all_ok[0] and c:
        return comm.allreduce(np.sum(u * u)) * (q[0] + 1)
    return np.sum(u)


def list_with_a_name(u):
    counts = [3] * size
    g = np.zeros(3 * size)
    recvbuf = [g, counts, None, MPI.DOUBLE] if rank == 0 else None
    comm.Gatherv(u * u, recvbuf, root=0)
    part = [u * 1.0, 2, MPI.DOUBLE]
    v = np.zeros(2)
    comm.Sendrecv(part, dest=right, recvbuf=v, source=left)
    return np.sum(g * np.arange(g.size)) + np.sum(v * v * u[0])


def list_in_the_call(u):
    g, r = np.zeros(3 * size), np.zeros(2)
    comm.Gatherv(u * u, [g, [3] * size] if rank == 0 else None, root=0)
    comm.Scatterv([u[0] * np.arange(2.0 * size), [2] * size] if rank == 0 else None, r, root=0)
    return np.sum(g * g) + np.sum(r * u[1:])


def gather_if_root(u):
    g = np.zeros(3 * size)
    comm.Gather(u * u, g if rank == 0 else None, root=0)
    return np.sum(g * g)


def in_place_at_the_root(u):
    s = u * u
    comm.Reduce(MPI.IN_PLACE if rank == 0 else s, s, root=0)
    w = u * 2
    comm.Reduce(MPI.IN_PLACE if rank == 0 else w, w if rank == 0 else None, op=MPI.PROD, root=0)
    return np.sum(s * u * w)


PROGRAMS = {name: (f, array) for name, f in list(globals().items()) if getattr(f, '__code__', None)}


def main(names):
    programs.main(names, PROGRAMS)


if __name__ == '__main__':
    main(sys.argv[1:])
