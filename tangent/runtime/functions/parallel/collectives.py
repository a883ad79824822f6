"""Collective messages of objects as functions; each is the adjoint of another, or of itself.

    y = allreduced(x, comm)                bx = allreduced(by, adjoint_comm(comm))
    y = bcast(x, comm, root)               bx = summed_at(by, x, adjoint_comm(comm), root)
    y = collected(x, comm, root)            bx = dealt(by, x, adjoint_comm(comm), root)

All processes take part in each of them, whatever they know of the gradient: what is nothing is None.
"""
import numpy as np
from mpi4py import MPI

from tangent import errors
from tangent.runtime.add import add_grad
from tangent.runtime.broadcast import unbroadcast
from tangent.runtime.functions.parallel.links import is_back
from tangent.runtime.functions.parallel.messages import plain
from tangent.runtime.zeros import ZeroGrad, init_grad


def known(b, x):
    """The gradient, zeros like `x` where it is nothing."""
    return init_grad(x) if b is None or type(b) is ZeroGrad else b


def parts(b, size):
    """The gradients of the elements of a list, of which nothing may be known."""
    return [None] * size if b is None or type(b) is ZeroGrad else [plain(part) for part in b]


def bcast(x, comm, root=0):
    """`comm.bcast(x, root)`"""
    return comm.bcast(plain(x), root=root)


def summed_at(b, x, comm, root=0):
    """The sum of the gradients at the root; zeros elsewhere."""
    return known(comm.reduce(plain(b), op=add_grad, root=root), x)


def summed(x, comm, root=0):
    """`comm.reduce(x, root=root)`, a sum."""
    return comm.reduce(checked(x), root=root)


def allreduced(x, comm):
    """`comm.allreduce(x)`, a sum: its own adjoint."""
    if not is_back(comm):
        return comm.allreduce(checked(x))
    return comm.allreduce(plain(x), op=add_grad)


def checked(x):
    if isinstance(x, (list, tuple, str)):
        raise errors.ArgumentTypeError(f'a reduction of values of type {type(x).__name__} joins them: use gather or allgather')
    return x


def collected(x, comm, root=0):
    """`comm.gather(x, root)`"""
    return comm.gather(plain(x), root=root)


def dealt(b, x, comm, root=0):
    """The part of each process of the gradients of what was gathered."""
    return known(comm.scatter(parts(b, comm.size) if comm.rank == root else None, root=root), x)


def scattered(x, comm, root=0):
    """`comm.scatter(x, root)`"""
    return comm.scatter(x, root=root)


def gathered_at(b, x, comm, root=0):
    """The gradients of what was dealt, as a list at the root; zeros of what there is elsewhere."""
    found = comm.gather(plain(b), root=root)
    return init_grad(x) if found is None else joined(found, x)


def joined(found, x):
    """The gradients of the elements of a list, a tuple or an array."""
    each = [known(b, e) for b, e in zip(found, x)]
    return np.array(each) if isinstance(x, np.ndarray) else type(x)(each) if type(x) in (list, tuple) else each


def allgathered(x, comm):
    """`comm.allgather(x)`"""
    return comm.allgather(x)


def allsummed(b, x, comm):
    """The sum of what all know of the gradient of the part of each process."""
    found = None
    for part in comm.alltoall(parts(b, comm.size)):
        found = add_grad(found, part)
    return known(found, x)


def alltoall(x, comm):
    """`comm.alltoall(x)`"""
    return comm.alltoall(x)


def alltoall_back(b, x, comm):
    return joined(comm.alltoall(parts(b, comm.size)), x)


def scanned(x, comm):
    """`comm.scan(x)`, a sum."""
    return comm.scan(checked(x))


def exscanned(x, comm):
    """`comm.exscan(x)`, a sum; None on the first process."""
    return comm.exscan(checked(x))


def scanned_back(b, x, comm):
    """The sum of the gradients from this process on."""
    return later(plain(b), x, comm, 0)


def exscanned_back(b, x, comm):
    return later(plain(b) if comm.rank else None, x, comm, 1)


def later(b, x, comm, first):
    every = comm.allgather(b)
    found = None
    for part in every[comm.rank + first:]:
        found = add_grad(found, part if part is None else unbroadcast(part, x))
    return known(found, x)


# Other reductions

def reduced_by(x, comm, op, root=0):
    """`comm.reduce(x, op, root)`: the largest, the smallest or the product."""
    return comm.reduce(checked(x), op=differentiable(op, x), root=root)


def allreduced_by(x, comm, op):
    """`comm.allreduce(x, op)`: the largest, the smallest or the product."""
    return comm.allreduce(checked(x), op=differentiable(op, x))


def scanned_by(x, comm, op):
    return comm.scan(checked(x), op=only_sum(op, 'scan'))


def exscanned_by(x, comm, op):
    return comm.exscan(checked(x), op=only_sum(op, 'exscan'))


def differentiable(op, x):
    """The operation, if it has a derivative, or is one of flags and counts, which have none."""
    if not has_derivative(op) and not is_count(x):
        raise errors.ReverseNotImplementedError(
            f'{name_of(op)} has no derivative rule as an operation between processes; known are MPI.SUM, MPI.MAX, MPI.MIN and '
            'MPI.PROD: gather the values and combine them in Python')
    return op


def is_sum(op):
    """Whether it is a sum: of gradients, for derivatives of derivatives."""
    return op is add_grad or op == MPI.SUM


def has_derivative(op):
    return is_sum(op) or op in (MPI.MAX, MPI.MIN, MPI.PROD)


def is_count(x):
    """Whether something is of integers or flags."""
    return isinstance(x, (bool, int)) or isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in 'iub'


def only_sum(op, method):
    if op != MPI.SUM:
        raise errors.ReverseNotImplementedError(f'{method} with {name_of(op)} has no derivative rule: gather the values and '
                                                'combine them in Python')
    return op


def name_of(op):
    names = [name for name, thing in vars(MPI).items() if isinstance(thing, MPI.Op) and isinstance(op, MPI.Op) and thing == op]
    return f'MPI.{names[0]}' if names else repr(op)


def reduced_by_back(b, y, x, comm, op, root=0):
    if not has_derivative(op):
        return init_grad(x)
    b, y = comm.bcast((plain(b), y) if comm.rank == root else None, root=root)
    return shares(b, y, x, comm, op)


def allreduced_by_back(b, y, x, comm, op):
    if not has_derivative(op):
        return init_grad(x)
    return shares(comm.allreduce(plain(b), op=add_grad), y, x, comm, op)


def shares(b, y, x, comm, op):
    """The gradient of what one process has given to a reduction with the result `y`, whose whole gradient all know."""
    if is_sum(op):
        return known(b, x)
    if op != MPI.PROD:
        mine = np.equal(x, y)
        return mine * known(b, x) / comm.allreduce(mine + 0)
    return unbroadcast(known(b, x) * others(y, x, comm), x)


def others(y, x, comm):
    """The product of what the other processes have given, exact where there are zeros."""
    if np.all(np.not_equal(y, 0)):
        return y / x
    zero = np.equal(x, 0)
    count = comm.allreduce(zero + 0)
    product = comm.allreduce(np.where(zero, 1, x), op=MPI.PROD)
    found = np.where(count == zero, product / np.where(zero, 1, x), 0)
    return found if np.ndim(found) else found[()]


def push_by(y, x, dx, comm, op):
    """The tangent of a reduction by `op` with the result `y`, which all know."""
    if not has_derivative(op):
        return init_grad(x)
    if is_sum(op):
        return comm.allreduce(dx)
    if op != MPI.PROD:
        mine = np.equal(x, y)
        count, total = comm.allreduce(mine + 0), comm.allreduce(mine * dx)
        return total / count
    return comm.allreduce(others(y, x, comm) * dx)


def push_reduced_by(y, x, dx, comm, op, root=0):
    """The same for a result that the root alone knows, as the tangent has to be."""
    if not has_derivative(op):
        return init_grad(x)
    found = push_by(comm.bcast(y, root=root), x, dx, comm, op)
    return found if comm.rank == root else None
