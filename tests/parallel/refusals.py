"""What is refused of messages, and with which words: printed by one process, each in a line."""
import numpy as np
from mpi4py import MPI

import tangent

comm = MPI.COMM_WORLD


def asked(x):
    request = comm.irecv(source=0)
    comm.send(x * x, dest=0)
    done, y = request.test()
    return y if done else x


def finish(requests):
    MPI.Request.Waitall(requests)


def by_another(x):
    v = np.zeros(1)
    request = comm.Irecv(v, source=0)
    other = comm.Isend(np.array([x]), dest=0)
    finish([request])
    other.Wait()
    return v[0]


def in_a_lambda(x):
    comm.send(x, dest=0)
    return max([0], key=lambda source: comm.recv(source=source)) * x


REFUSED = asked, by_another, in_a_lambda
if __name__ == '__main__':
    for f in REFUSED:
        try:
            print(f'{f.__name__}: made, and {tangent.grad(f)(0.5)}')
        except tangent.TangentError as error:
            print(f'{f.__name__}: ' + ' | '.join(str(error).splitlines()[:2]))
