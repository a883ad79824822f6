"""What goes wrong on one process, and how much is sent: each is run by its name under `mpiexec`."""
import collections
import contextlib
import io
import pathlib
import sys

import numpy as np
from mpi4py import MPI

import tangent

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size


def raising(x):
    y = comm.sendrecv(x * x, dest=right, source=left)
    if rank == 1:
        y = y / (x - x)
    return comm.allreduce(y * x)


def raising_first(x):
    if rank == 1:
        x = x / (x - x)
    return comm.allreduce(x)


def short(x):
    buffer = np.zeros(3)
    if rank == 0:
        comm.Send(x * np.ones(2), dest=1)
    if rank == 1:
        comm.Recv(buffer, source=0)
    return np.sum(buffer)


def refused(x):
    return comm.allreduce(x, op=MPI.LAND) * x


class Counted(MPI.Intracomm):
    """A communicator that notes what is sent, as its duplicates do."""

    messages, sent = collections.Counter(), collections.Counter()

    def note(self, name, data):
        self.messages[name] += 1
        self.sent[name] += np.asarray(data).nbytes

    def Send(self, buf, dest, tag=0):
        self.note('to one', buf)
        super().Send(buf, dest, tag)

    def Isend(self, buf, dest, tag=0):
        self.note('to one', buf)
        return super().Isend(buf, dest, tag)

    def Sendrecv(self, sendbuf, dest, sendtag=0, recvbuf=None, source=MPI.ANY_SOURCE, recvtag=MPI.ANY_TAG, status=None):
        self.note('to one', sendbuf)
        super().Sendrecv(sendbuf, dest, sendtag, recvbuf, source, recvtag, status)

    def Allreduce(self, sendbuf, recvbuf, op=MPI.SUM):
        self.note('to all', sendbuf)
        super().Allreduce(sendbuf, recvbuf, op)


def heat(u, comm):
    v = np.zeros(u.size + 2)
    v[1:-1] = u
    for _ in range(5):
        comm.Sendrecv(v[-2:-1], dest=right, recvbuf=v[:1], source=left)
        comm.Send(v[1:2], dest=left)
        comm.Recv(v[-1:], source=right)
        v[1:-1] = v[1:-1] + 0.1 * (v[2:] * v[1:-1] - 2 * v[1:-1] + v[:-2])
    total = np.empty(1)
    comm.Allreduce(np.array([np.sum(v[1:-1] ** 2)]), total)
    return total[0] / comm.size


def traffic():
    counted, u = Counted(comm.Dup()), np.linspace(0, 1, 6) + rank
    heat(u, counted)
    once = dict(Counted.messages), dict(Counted.sent)
    Counted.messages.clear()
    Counted.sent.clear()
    tangent.grad(heat)(u, counted)
    again = dict(Counted.messages), dict(Counted.sent)
    assert again == tuple({name: 2 * count for name, count in each.items()} for each in once), f'{once} {again}'


def example():
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'examples' / 'scale'))
    import heat_inversion_mpi
    heat_inversion_mpi.draw = lambda *pieces: None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        before, after = heat_inversion_mpi.main(count=10, steps=20, iterations=12)
    assert after < 0.9 * before and (rank > 0 or 'error of the conductivity' in printed.getvalue())


def lean():
    from tests.parallel.programs import rows_of_a_matrix
    print(tangent.source(tangent.grad(rows_of_a_matrix)))


class Sheet:
    """No communicator, although it has a size: its `__class__` was taken for a message."""

    size = 3

    def __repr__(self):
        return f'<{self.__class__.__name__} {self.size}>'

    def area(self, x):
        return x * self.size * x


SHEET = Sheet()


def shown(x):
    return SHEET.area(x) + (0.0 if repr(SHEET) else x)


def main(names):
    for name in names:
        if name in ('traffic', 'example', 'lean'):
            globals()[name]()
            if rank == 0 and name != 'lean':
                print(f'{name}: right', flush=True)
        else:
            print(rank, tangent.grad(globals()[name])(0.5 + rank), flush=True)


if __name__ == '__main__':
    main(sys.argv[1:])
