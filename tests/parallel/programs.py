"""Programs for several processes, run by `mpiexec -n N python programs.py [names]`: each is checked by itself.

The gradient on each process is that of the sum over all, by its own argument. It is compared with differences of that sum
in directions of all processes at once, of the first alone and of the last alone; forward mode by the same numbers.
"""

import sys
import traceback

import numpy as np
from mpi4py import MPI

import tangent

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size
up = rank + 1 if rank + 1 < size else MPI.PROC_NULL
down = rank - 1 if rank > 0 else MPI.PROC_NULL
number = 0.4 + 0.3 * rank
array = np.array([0.4, 0.7, 1.1]) + 0.3 * rank


def total(value):
    return comm.allreduce(float(value))


def differs(f, x, rest, times=1):
    """What is wrong with the derivatives of a program: a text, empty where nothing is. The gradient is that of the last time."""
    random = np.random.default_rng(rank + 5)
    gradient, push, wrong = [tangent.grad(f)(x, *rest) for _ in range(times)][-1], tangent.jvp(f), []
    for only in dict.fromkeys([None, 0, size - 1]):
        v = random.normal(size=np.shape(x)) * (only in (None, rank))
        h = 1e-6
        expected = (total(f(x + h * v, *rest)) - total(f(x - h * v, *rest))) / (2 * h)
        found = total(np.sum(gradient * v)), total(push(x, *rest, v))
        wrong += [
            f'{mode} {only}: {got}, not {expected}'
            for mode, got in zip(('reverse', 'forward'), found)
            if not abs(got - expected) < 1e-6 * (1 + abs(expected))
        ]
    return '; '.join(wrong)


# Objects


def ar(x):
    return comm.allreduce(np.sin(x) * x) * x / size


def armax(x):
    return comm.allreduce(np.sin(x) * x, op=MPI.MAX) * x


def armin(x):
    return comm.allreduce(x * x, MPI.MIN) * x


def arprod(x):
    return comm.allreduce(x * x, op=MPI.PROD) * x


def bc(x):
    y = comm.bcast(x * x, root=size - 1)
    return y * x


def red(x):
    y = comm.reduce(x * x, root=0)
    if rank == 0:
        return y * y
    return 0.0


def redmax(x):
    y = comm.reduce(x * x, op=MPI.MAX, root=0)
    if rank == 0:
        return y * x
    return x


def ga(x):
    ys = comm.gather(x * x, root=0)
    if rank == 0:
        return sum(y * (i + 1) for i, y in enumerate(ys))
    return 0.0


def alg(x):
    ys = comm.allgather(np.cos(x))
    s = 0.0
    for i, y in enumerate(ys):
        s += y * x * (i + rank)
    return s


def sc(x):
    ys = None
    if rank == 0:
        ys = [x * (i + 1) * x for i in range(size)]
    y = comm.scatter(ys, root=0)
    return y * y * x


def a2a(x):
    ys = comm.alltoall([x * (i + 1) * x for i in range(size)])
    s = 0.0
    for i in range(size):
        s = s + ys[i] * x * (i + 2)
    return s


def scn(x):
    return comm.scan(x * x) * x


def exs(x):
    y = comm.exscan(x * x)
    if rank == 0:
        return x
    return y * x


def sr(x):
    if size == 1:
        return x
    if rank == 0:
        comm.send(x * x, dest=1, tag=7)
        return 0.0
    if rank == 1:
        y = comm.recv(source=0, tag=7)
        return y * y * x
    return 0.0


def ring(x):
    y = comm.sendrecv(x * x, dest=right, source=left)
    return y * y * x


def ring2(x):
    y = x
    for _ in range(3):
        y = comm.sendrecv(np.sin(y), dest=right, source=left) * x
    return y


def master(x):
    if size == 1:
        return x
    if rank == 0:
        s = 0.0
        for _ in range(size - 1):
            v = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG)
            s += v * v * x
        return s
    comm.send(x * np.sin(x), 0, rank)
    return 0.0


def get():
    return comm.recv(source=0)


def put(v, d):
    comm.send(v, dest=d)


def helper(x):
    if size == 1:
        return x
    if rank == 0:
        for i in range(1, size):
            put(x * x * i, i)
        return x
    y = get()
    return y * y


def unused(x):
    comm.bcast(x * x, root=0)
    n = comm.bcast(size, root=0)
    s = comm.bcast('hello' if rank == 0 else None, root=0)
    return x * n * len(s)


def scalar3(x):
    return comm.allreduce(x)


# Arrays


def heat(u, steps):
    v = np.zeros(u.size + 2)
    v[1:-1] = u
    for _ in range(steps):
        comm.Send(v[-2:-1], dest=up, tag=1)
        comm.Recv(v[:1], source=down, tag=1)
        comm.Send(v[1:2], dest=down)
        comm.Recv(v[-1:], source=up)
        v[1:-1] += 0.1 * (v[2:] - 2 * v[1:-1] + v[:-2])
    return np.sum(v[1:-1] ** 2)


def heat2(u, steps):
    v = np.zeros((u.size + 2, 2))
    v[1:-1, 0] = u
    v[1:-1, 1] = u * u
    for _ in range(steps):
        comm.Sendrecv(v[-2], up, 0, v[0], down, 0)
        comm.Sendrecv(sendbuf=v[1], dest=down, recvbuf=v[-1], source=up)
        w = v.copy()
        w[1:-1] = v[1:-1] + 0.1 * (v[2:] * v[1:-1] - 2 * v[1:-1] + v[:-2])
        v = w
    return np.sum(v[1:-1] ** 2)


def bcst(u):
    v = u * u
    comm.Bcast(v, root=0)
    return np.sum(v * u)


def bcst2(u):
    v = np.empty(u.size)
    if rank == 0:
        v[:] = u * u
    comm.Bcast([v, MPI.DOUBLE], root=0)
    return np.sum(v * v)


def allr(u):
    s = np.empty(u.size)
    comm.Allreduce(u * u, s)
    return np.sum(s * u)


def allr_inplace(u):
    s = u * u
    comm.Allreduce(MPI.IN_PLACE, s, op=MPI.SUM)
    return np.sum(s * s) / size


def allr_max(u):
    s = np.empty_like(u)
    comm.Allreduce(np.sin(u), s, op=MPI.MAX)
    return np.sum(s * u)


def allr_prod(u):
    s = np.empty_like(u)
    comm.Allreduce(u, s, MPI.PROD)
    return np.sum(s * u)


def redc(u):
    s = np.zeros(u.size)
    comm.Reduce(u * u, s, op=MPI.SUM, root=0)
    return np.sum(s * u) + np.sum(s)


def redc2(u):
    s = np.zeros(u.size) if rank == 0 else None
    comm.Reduce(u * u, s, root=0)
    if rank == 0:
        return np.sum(s * u)
    return 0.0


def redmin(u):
    s = np.zeros(u.size)
    comm.Reduce(u * u, s, op=MPI.MIN, root=0)
    return np.sum(s * u)


def gath(u):
    s = np.zeros((size, u.size))
    comm.Gather(u * u, s, root=0)
    w = np.arange(size * u.size).reshape(size, u.size)
    return np.sum(s * w)


def gath2(u):
    s = None
    if rank == 0:
        s = np.zeros((size, u.size))
    comm.Gather(u * u, s, root=0)
    if rank == 0:
        return np.sum(s * s)
    return np.sum(u)


def gathv(u):
    n = rank + 1
    counts = [i + 1 for i in range(size)]
    displs = [sum(counts[:i]) for i in range(size)]
    s = np.zeros(sum(counts))
    comm.Gatherv(u[:1].repeat(n) * u[0], [s, counts, displs, MPI.DOUBLE], root=0)
    return np.sum(s * s * np.arange(s.size))


def scat(u):
    r = np.empty(u.size)
    s = np.outer(np.arange(1.0, size + 1), u * u)
    comm.Scatter(s, r, root=0)
    return np.sum(r * r)


def scat2(u):
    r = np.empty(u.size)
    s = None
    if rank == 0:
        s = np.outer(np.arange(1.0, size + 1), u * u)
    comm.Scatter(s, r, root=0)
    return np.sum(r * r)


def scatv(u):
    counts = [i + 1 for i in range(size)]
    s = np.zeros(sum(counts))
    s[:] = u[0] * np.arange(s.size)
    r = np.empty(rank + 1)
    comm.Scatterv([s, counts], r, root=0)
    return np.sum(r * r)


def allg(u):
    r = np.empty(size * u.size)
    comm.Allgather(u * u, r)
    return np.sum(r * np.arange(r.size) * u[0])


def allgv(u):
    counts = [i + 1 for i in range(size)]
    r = np.empty(sum(counts))
    comm.Allgatherv(u[0] * np.ones(rank + 1), [r, counts])
    return np.sum(r * np.arange(r.size) * u[1])


def a2a_arrays(u):
    r = np.empty((size, u.size))
    comm.Alltoall(np.outer(np.arange(size) + 1.0, u * u), r)
    return np.sum(r * r * u)


def a2av(u):
    sc = [i + 1 for i in range(size)]
    sd = [sum(sc[:i]) for i in range(size)]
    rc = [rank + 1] * size
    rd = [i * (rank + 1) for i in range(size)]
    r = np.empty((rank + 1) * size)
    comm.Alltoallv([np.arange(sum(sc)) * u[0], (sc, sd), MPI.DOUBLE], [r, (rc, rd), MPI.DOUBLE])
    return np.sum(r * r * u[1])


def rsc(u):
    r = np.empty(u.size)
    comm.Reduce_scatter_block(np.outer(np.arange(size) + 1.0, u * u), r)
    return np.sum(r * u)


def rsc2(u):
    counts = [i + 1 for i in range(size)]
    r = np.empty(rank + 1)
    comm.Reduce_scatter(np.arange(1.0, 1 + sum(counts)) * u[0] * u[1], r, counts)
    return np.sum(r * r)


def scn_arrays(u):
    r = np.empty_like(u)
    comm.Scan(u * u, r)
    return np.sum(r * u)


def exs_arrays(u):
    r = np.zeros_like(u)
    comm.Exscan(u * u, r)
    return np.sum(r * u)


def col(u):
    t = MPI.DOUBLE.Create_vector(3, 1, 2).Commit()
    a = np.zeros((3, 2))
    a[:, 0] = u
    a[:, 1] = u * u
    if size > 1:
        comm.Send([a, 1, t], dest=right)
        comm.Recv([a, 1, t], source=left)
    return np.sum(a * a * np.arange(6).reshape(3, 2))


def split_comm(u):
    sub = comm.Split(rank % 2, rank)
    s = np.empty_like(u)
    sub.Allreduce(u * u, s)
    sub.Free()
    return np.sum(s * u)


def cart(u):
    c = comm.Create_cart([size], periods=[True])
    src, dst = c.Shift(0, 1)
    r = np.empty_like(u)
    for _ in range(2):
        c.Sendrecv(u * u, dst, recvbuf=r, source=src)
    c.Free()
    return np.sum(r * u)


def param(u, comm):
    s = np.empty_like(u)
    comm.Allreduce(u * u, s)
    return np.sum(s * u)


def repl(u):
    v = u * u
    comm.Sendrecv_replace(v, right, source=left)
    return np.sum(v * u)


def exchange(v):
    comm.Sendrecv(v[-2:-1], up, 0, v[0:1], down, 0)
    comm.Sendrecv(v[1:2], down, 0, v[-1:], up, 0)


def heat3(u):
    v = np.zeros(u.size + 2)
    v[1:-1] = u
    for _ in range(3):
        exchange(v)
        v[1:-1] = v[1:-1] + 0.1 * (v[2:] * v[1:-1] - 2 * v[1:-1] + v[:-2])
    return np.sum(v[1:-1] ** 2)


def dotp(a, b):
    return comm.allreduce(np.dot(a, b))


def matvec(p, k):
    v = np.zeros(p.size + 2)
    v[1:-1] = p
    exchange(v)
    return (2 + k * k) * p - v[:-2] - v[2:]


def cg(b, k, n):
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rs = dotp(r, r)
    for _ in range(n):
        Ap = matvec(p, k)
        alpha = rs / dotp(p, Ap)
        x = x + alpha * p
        r = r - alpha * Ap
        new = dotp(r, r)
        p = r + new / rs * p
        rs = new
    return dotp(x, x) / size


class Solver:
    def __init__(self, comm):
        self.comm = comm

    def mean(self, u):
        s = np.empty_like(u)
        self.comm.Allreduce(u, s)
        return s / self.comm.size


def meth(u, s):
    return np.sum(s.mean(u * u) * u)


# Waited for later


def low(x):
    r = comm.isend(x * x, dest=right)
    q = comm.irecv(source=left)
    y = q.wait()
    r.wait()
    return y * x


def lowall(x):
    reqs = [comm.irecv(source=left, tag=3), comm.isend(np.sin(x), right, 3)]
    ys = MPI.Request.waitall(reqs)
    return ys[0] * x


def cap(x):
    u = np.ones(4) * x
    u[1] = x * x
    r = comm.Irecv(u[:1], source=left)
    s = comm.Isend(u[1:2], dest=right)
    r.Wait()
    s.Wait()
    return np.sum(u * u)


def halo(x, steps):
    v = np.zeros(6)
    v[1:-1] = x * np.arange(4)
    for _ in range(steps):
        reqs = [
            comm.Isend(v[1:2], dest=down, tag=1),
            comm.Isend(v[-2:-1], dest=up, tag=2),
            comm.Irecv(v[-1:], source=up, tag=1),
            comm.Irecv(v[:1], source=down, tag=2),
        ]
        MPI.Request.Waitall(reqs)
        v[1:-1] = v[1:-1] + 0.1 * (v[2:] * v[1:-1] - 2 * v[1:-1] + v[:-2])
    return np.sum(v[1:-1] ** 2)


def halo2(x, steps):
    v = np.zeros(6)
    v[1:-1] = x * np.arange(4)
    for _ in range(steps):
        reqs = []
        if rank > 0:
            reqs.append(comm.Irecv(v[:1], source=rank - 1))
            reqs.append(comm.Isend(v[1:2], dest=rank - 1))
        if rank < size - 1:
            reqs.append(comm.Irecv(v[-1:], source=rank + 1))
            reqs.append(comm.Isend(v[-2:-1], dest=rank + 1))
        MPI.Request.Waitall(reqs)
        v[1:-1] += 0.1 * (v[2:] - 2 * v[1:-1] + v[:-2])
    return np.sum(v[1:-1] ** 2)


def rows_of_a_matrix(x, steps):
    """Edges are rows, by one index; the adjoint reads none of what they overwrite."""
    u = np.outer(x * np.arange(1.0, 4.0), np.arange(1.0, 3.0))
    for _ in range(steps):
        v = np.zeros((u.shape[0] + 2, u.shape[1]))
        v[1:-1] = u
        comm.Sendrecv(v[-2], dest=up, recvbuf=v[0], source=down)
        comm.Sendrecv(v[1], dest=down, recvbuf=v[-1], source=up)
        u = u + 0.2 * (v[2:] - 2 * u + v[:-2])
    return np.sum(u * u)


def rows_that_are_read(x, steps):
    v = np.zeros((5, 2))
    v[1:-1] = x * np.ones((3, 2))
    for k in range(steps):
        comm.Sendrecv(v[-2], dest=up, recvbuf=v[0], source=down)
        comm.Sendrecv(v[1], dest=down, recvbuf=v[-1], source=up)
        v[1:-1] = v[1:-1] + 0.1 * np.sin(v[2:] * v[1:-1] - v[:-2] * k)
    return np.sum(v * v)


def allnb(x):
    bufs = np.zeros((size, 2))
    out = np.ones(2) * x
    reqs = []
    for i in range(size):
        if i != rank:
            reqs.append(comm.Irecv(bufs[i], source=i))
            reqs.append(comm.Isend(out, dest=i))
    MPI.Request.Waitall(reqs)
    return np.sum(bufs * bufs * x)


def dictnb(x):
    bufs = {i: np.zeros(2) for i in range(size) if i != rank}
    out = np.ones(2) * x
    reqs = [comm.Irecv(bufs[i], source=i) for i in bufs]
    sends = [comm.Isend(out, dest=i) for i in bufs]
    for r in reqs:
        r.Wait()
    for r in sends:
        r.Wait()
    s = 0.0
    for i in bufs:
        s += np.sum(bufs[i] * x * (i + 1))
    return s


def between_all_later(x):
    totals, everything = np.zeros(2), np.zeros(2 * size)
    request = comm.Iallreduce(x * x * np.ones(2), totals)
    other = comm.Iallgather(np.ones(2) * np.sin(x), everything)
    request.Wait()
    MPI.Request.Waitall([other])
    return np.sum(totals * everything[:2]) * x


def pair(x):
    """Two processes speak to each other, and others do not: the communicator is duplicated all the same."""
    if size == 1:
        return x
    if rank == 0:
        comm.send(x * x, dest=1)
        return 0.0
    return comm.recv(source=0) * x if rank == 1 else 0.0


ARGUMENTS = {heat: (3,), heat2: (3,), heat3: (), cg: (1.3, 4), param: (comm,), meth: (Solver(comm),), halo: (2,), halo2: (2,),
             rows_of_a_matrix: (3,), rows_that_are_read: (3,)}
ARRAYS = range(globals()['heat'].__code__.co_firstlineno, low.__code__.co_firstlineno)
HELPERS = 'total differs get put exchange dotp matvec main'.split()
PROGRAMS = {name: (f, array if f.__code__.co_firstlineno in ARRAYS else number, *ARGUMENTS.get(f, ()))
            for name, f in list(globals().items()) if getattr(f, '__code__', None) and name not in HELPERS}


def main(names, programs=None, times=1):
    programs = programs or PROGRAMS
    for name in names or programs:
        f, x, *rest = programs[name]
        try:
            wrong = differs(f, x, rest, times)
        except Exception:
            print(f'{name}: {traceback.format_exc()}', flush=True)
            comm.Abort(1)
        if rank == 0:
            print(f'{name}: {wrong or "right"}', flush=True)


if __name__ == '__main__':
    main(sys.argv[1:])
