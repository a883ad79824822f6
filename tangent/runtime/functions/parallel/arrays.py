"""Collective messages of arrays as functions: what the buffer holds afterwards, and the way back.

    recv[...] = Allreduced(send, recv, comm)          bsend = Allsummed(brecv, send, adjoint_comm(comm))
"""
import numpy as np
from mpi4py import MPI

from tangent import errors
from tangent.runtime.functions.parallel.buffers import check_kind, contiguous, floating
from tangent.runtime.functions.parallel.collectives import differentiable, has_derivative, only_sum, others
from tangent.runtime.functions.parallel.links import is_back


def fresh(buf, comm):
    """A copy of a buffer to receive into, one of floats for a tangent; None where this process has none."""
    return None if buf is None else np.array(contiguous(buf), floating(buf.dtype) if is_back(comm) else buf.dtype)


def given(x):
    """An array to send; None where this process sends nothing."""
    if x is None:
        return None
    if isinstance(x, type(MPI.IN_PLACE)):
        raise errors.ArgumentTypeError('MPI.IN_PLACE has a derivative where it is written in the call itself')
    return contiguous(x)


def gradient(b, like):
    """The gradient of a buffer as it travels; zeros where nothing is known."""
    if b is None or np.shape(b) != np.shape(like):
        return np.zeros(np.shape(like), floating(np.asarray(like).dtype))
    return np.ascontiguousarray(b, floating(np.asarray(like).dtype))


def empty(x):
    return np.zeros(np.shape(x), floating(np.asarray(x).dtype))


def kept_elsewhere(b, comm, root):
    """What is left of the gradient of a buffer that the root alone receives into."""
    return np.zeros_like(b) if comm.rank == root else b


def kept_first(b, comm):
    """The same where the first process alone does not."""
    return np.zeros_like(b) if comm.rank else b


def left(b, buf, comm, root, part=None):
    """The same where only the parts are received into that `part` names."""
    return left_of_all(b, comm, part) if comm.rank == root and b is not None else b


def left_of_all(b, comm, part):
    found = np.array(b)
    found.reshape(-1)[block_places(found, part or (), comm)] = 0
    return found


# One to all and all to one

def Bcast(buf, comm, root=0):
    """What the buffer holds after `comm.Bcast(buf, root)`."""
    found = fresh(buf, comm)
    comm.Bcast(found, root=root)
    return found


def Summed_at(b, comm, root=0):
    """The sum of the gradients at the root, zeros elsewhere."""
    found = np.zeros_like(b)
    comm.Reduce(np.ascontiguousarray(b), found if comm.rank == root else None, op=MPI.SUM, root=root)
    return found


def Reduced(x, buf, comm, root=0):
    """What the buffer holds after `comm.Reduce(x, buf, root=root)`."""
    return Reduced_by(x, buf, comm, MPI.SUM, root)


def Reduced_by(x, buf, comm, op, root=0):
    """What the buffer holds after `comm.Reduce(x, buf, op, root)`."""
    found = fresh(buf, comm)
    comm.Reduce(given(x), found, op=differentiable(op, x), root=root)
    return found if comm.rank == root else fresh(buf, comm)


def Told(b, x, comm, root=0):
    """The gradient of the sum, which the root tells all."""
    found = gradient(b, b).reshape(np.shape(x)) if comm.rank == root else empty(x)
    comm.Bcast(found, root=root)
    return found


def Reduced_back(b, y, x, comm, op, root=0):
    """The same for another operation, the result of which the root tells, too."""
    if not has_derivative(op):
        return empty(x)
    y = np.ascontiguousarray(y).reshape(np.shape(x)) if comm.rank == root else np.zeros_like(x)
    comm.Bcast(y, root=root)
    return Shares(Told(b, x, comm, root), y, x, comm, op)


def Allreduced(x, buf, comm):
    """What the buffer holds after `comm.Allreduce(x, buf)`."""
    return Allreduced_by(x, buf, comm, MPI.SUM)


def Allreduced_by(x, buf, comm, op):
    """What the buffer holds after `comm.Allreduce(x, buf, op)`."""
    found = fresh(buf, comm)
    comm.Allreduce(given(x), found, op=differentiable(op, x))
    return found


def Allsummed(b, x, comm):
    """The sum of the gradients of all, in the shape of what was sent."""
    found = empty(x)
    comm.Allreduce(gradient(b, b), found)
    return found


def Allreduced_back(b, y, x, comm, op):
    if not has_derivative(op):
        return empty(x)
    return Shares(Allsummed(b, x, comm), y, x, comm, op)


def Shares(b, y, x, comm, op):
    """As `collectives.shares`, for arrays."""
    if op == MPI.SUM:
        return b
    y = np.reshape(y, np.shape(x))
    if op == MPI.PROD:
        return b * others(y, x, comm)
    mine = np.equal(x, y)
    count = np.empty(np.shape(x))
    comm.Allreduce(mine.astype(float), count)
    return mine * b / count


def Push_by(x, dx, y, comm, op):
    """The tangent of `Allreduced`."""
    found, y = empty(y), np.reshape(y, np.shape(x))
    if not has_derivative(op):
        return found
    if op == MPI.SUM:
        comm.Allreduce(gradient(dx, x), found)
    elif op == MPI.PROD:
        comm.Allreduce(gradient(others(y, x, comm) * dx, x), found)
    else:
        mine, count = np.equal(x, y), np.empty(np.shape(found))
        comm.Allreduce(mine.astype(float), count)
        comm.Allreduce(gradient(mine * dx, x), found)
        found /= count
    return found


def Push_reduced(x, dx, y, dbuf, comm, op, root=0):
    """The tangent of `Reduced_by`: all have to know the result."""
    if not has_derivative(op):
        return dbuf
    y = np.array(y if comm.rank == root else np.zeros_like(x)).reshape(np.shape(x))
    comm.Bcast(y, root=root)
    found = Push_by(x, dx, y, comm, op)
    return found.reshape(np.shape(dbuf)) if comm.rank == root else dbuf


# Blocks

def blocks(b, part, comm):
    """(counts, displacements) of the blocks of the processes in a buffer."""
    *counts, kind = part if part and isinstance(part[-1], (MPI.Datatype, str)) else (*part, None)
    kind = MPI.Datatype.fromcode(kind) if isinstance(kind, str) else kind
    if kind is not None and not kind.is_predefined:
        raise errors.ArgumentTypeError('blocks of derived datatypes have no derivative rule: copy them into an array')
    check_kind(kind, np.asarray(b))
    if len(counts) == 1 and isinstance(counts[0], tuple):
        counts = counts[0]
    counts, at = (*counts, None, None)[:2]
    counts = np.broadcast_to(np.size(b) // comm.size if counts is None else counts, comm.size)
    at = np.cumsum(counts) - counts if at is None else np.broadcast_to(at, comm.size)
    return [int(n) for n in counts], [int(n) for n in at]


def block_places(b, part, comm):
    """The numbers of the elements of all blocks, one block after the other."""
    return np.concatenate([np.arange(at, at + n) for n, at in zip(*blocks(b, part, comm))])


def with_blocks(x, part):
    """What mpi4py is given for a buffer of blocks."""
    return None if x is None else [x, *part] if part else x


def in_blocks(b, part, comm):
    """What mpi4py is given for the gradients of the blocks, in one row each behind the other."""
    b = np.asarray(b)
    return [np.ascontiguousarray(b.reshape(-1)[block_places(b, part, comm)]), blocks(b, part, comm)[0]]


def in_places(x, part, values, comm):
    """The gradient of an array whose blocks were sent: where they overlap, both count."""
    found = empty(x)
    np.add.at(found.reshape(-1), block_places(x, part, comm), values)
    return found


def Gathered(x, buf, comm, root=0, part=None):
    """What the buffer holds after `comm.Gatherv(x, [buf, *part], root)`; without `part` after `comm.Gather(x, buf, root)`."""
    found = fresh(buf, comm)
    (comm.Gather if part is None else comm.Gatherv)(given(x), with_blocks(found, part), root=root)
    return found


def Dealt(b, x, comm, root=0, part=None):
    """The gradient of what this process has sent to a `Gathered`."""
    found = empty(x)
    if part is None:
        comm.Scatter(gradient(b, b) if comm.rank == root else None, found, root=root)
    else:
        comm.Scatterv(in_blocks(gradient(b, b), part, comm) if comm.rank == root else None, found, root=root)
    return found


def Scattered(x, buf, comm, root=0, part=None):
    """What the buffer holds after `comm.Scatterv([x, *part], buf, root)`; without `part` after `comm.Scatter(x, buf, root)`."""
    found = fresh(buf, comm)
    (comm.Scatter if part is None else comm.Scatterv)(with_blocks(given(x), part), found, root=root)
    return found


def Gathered_at(b, x, comm, root=0, part=None):
    """The gradient of what the root has dealt; zeros elsewhere, where nothing was sent."""
    found = empty(x) if comm.rank == root else None
    if part is None:
        comm.Gather(np.ascontiguousarray(b), found, root=root)
    elif comm.rank == root:
        counts, _ = blocks(x, part, comm)
        values = np.empty(sum(counts), found.dtype)
        comm.Gatherv(np.ascontiguousarray(b), [values, counts], root=root)
        found = in_places(x, part, values, comm)
    else:
        comm.Gatherv(np.ascontiguousarray(b), None, root=root)
    return empty(x) if found is None and x is not None else found


def Allgathered(x, buf, comm, part=None):
    """What the buffer holds after `comm.Allgatherv(x, [buf, *part])`; without `part` after `comm.Allgather(x, buf)`."""
    found = fresh(buf, comm)
    (comm.Allgather if part is None else comm.Allgatherv)(given(x), with_blocks(found, part))
    return found


def Summed_blocks(b, x, comm, part=None):
    """The sum of the gradients of this process's block: the adjoint of `Allgathered`."""
    found = empty(x)
    values, counts = in_blocks(gradient(b, b), part or (), comm)
    comm.Reduce_scatter(values, found, counts, op=MPI.SUM)
    return found


def Exchanged(x, buf, comm, xpart=None, part=None):
    """What the buffer holds after `comm.Alltoallv([x, *xpart], [buf, *part])`; without `part` after `comm.Alltoall(x, buf)`."""
    found = fresh(buf, comm)
    (comm.Alltoall if part is None else comm.Alltoallv)(with_blocks(given(x), xpart), with_blocks(found, part))
    return found


def Exchanged_back(b, x, comm, xpart=None, part=None):
    """The gradient of what was sent: blocks go back to where they came from."""
    found = empty(x)
    if part is None:
        comm.Alltoall(gradient(b, b), found)
        return found
    counts, _ = blocks(x, xpart, comm)
    values = np.empty(sum(counts), found.dtype)
    comm.Alltoallv(in_blocks(gradient(b, b), part, comm), [values, counts])
    return in_places(x, xpart, values, comm)


def Reduced_blocks(x, buf, comm, counts=None, op=MPI.SUM):
    """What the buffer holds after `comm.Reduce_scatter(x, buf, counts)`, or Reduce_scatter_block."""
    found = fresh(buf, comm)
    only_sum(op, 'Reduce_scatter')
    if counts is None:
        comm.Reduce_scatter_block(given(x), found)
    else:
        comm.Reduce_scatter(given(x), found, counts)
    return found


def Allgathered_blocks(b, x, comm):
    """The gradients of all blocks: the adjoint of `Reduced_blocks`."""
    found = empty(x)
    counts = comm.allgather(np.size(b))
    comm.Allgatherv(np.ascontiguousarray(b), [found, (counts, [sum(counts[:k]) for k in range(len(counts))])])
    return found


# Sums over the processes before

def Scanned(x, buf, comm, op=MPI.SUM):
    """What the buffer holds after `comm.Scan(x, buf)`."""
    found = fresh(buf, comm)
    comm.Scan(given(x), found, op=only_sum(op, 'Scan'))
    return found


def Exscanned(x, buf, comm, op=MPI.SUM):
    """What the buffer holds after `comm.Exscan(x, buf)`: what it did on the first process."""
    found = fresh(buf, comm)
    comm.Exscan(given(x), found, op=only_sum(op, 'Exscan'))
    return found if comm.rank else fresh(buf, comm)


def Summed_later(b, x, comm, itself=True):
    """The sum of the gradients on this process, if itself counts, and on those behind it."""
    found, mine = empty(x), gradient(b, b).reshape(np.shape(x))
    if not itself and comm.rank == 0:
        mine = np.zeros_like(mine)                     # its buffer is not received into
    reverse = comm.Split(0, -comm.rank)
    (reverse.Scan if itself else reverse.Exscan)(mine, found)
    reverse.Free()
    return found if itself or comm.rank < comm.size - 1 else np.zeros_like(found)
