"""Collective messages of arrays as functions: what the buffer holds afterwards, and the way back.

    recv[...] = Allreduced(send, recv, comm)          bsend = Allsummed(brecv, send, adjoint_comm(comm))
"""
from __future__ import annotations

import numpy as np
from mpi4py import MPI

from tangent import errors
from tangent.runtime.functions.parallel.buffers import contiguous, floating
from tangent.runtime.functions.parallel.collectives import differentiable, only_sum, others


def fresh(buf):
    """A copy of a buffer to receive into; None where this process has none."""
    return None if buf is None else np.array(contiguous(buf))


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
    if comm.rank != root or b is None:
        return b
    found = np.array(b)
    for block in blocks(found, part, comm):
        found.reshape(-1)[block] = 0
    return found


def left_of_all(b, comm, part):
    found = np.array(b)
    for block in blocks(found, part, comm):
        found.reshape(-1)[block] = 0
    return found


# One to all and all to one

def Bcast(buf, comm, root=0):
    """What the buffer holds after `comm.Bcast(buf, root)`."""
    found = fresh(buf)
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
    found = fresh(buf)
    comm.Reduce(given(x), found, op=differentiable(op), root=root)
    return found if comm.rank == root else fresh(buf)


def Told(b, x, comm, root=0):
    """The gradient of the sum, which the root tells all."""
    found = gradient(b, b).reshape(np.shape(x)) if comm.rank == root else empty(x)
    comm.Bcast(found, root=root)
    return found


def Reduced_back(b, y, x, comm, op, root=0):
    """The same for another operation, the result of which the root tells, too."""
    y = np.ascontiguousarray(y).reshape(np.shape(x)) if comm.rank == root else np.zeros_like(x)
    comm.Bcast(y, root=root)
    return Shares(Told(b, x, comm, root), y, x, comm, op)


def Allreduced(x, buf, comm):
    """What the buffer holds after `comm.Allreduce(x, buf)`."""
    return Allreduced_by(x, buf, comm, MPI.SUM)


def Allreduced_by(x, buf, comm, op):
    """What the buffer holds after `comm.Allreduce(x, buf, op)`."""
    found = fresh(buf)
    comm.Allreduce(given(x), found, op=differentiable(op))
    return found


def Allsummed(b, x, comm):
    """The sum of the gradients of all, in the shape of what was sent."""
    found = empty(x)
    comm.Allreduce(gradient(b, b), found)
    return found


def Allreduced_back(b, y, x, comm, op):
    return Shares(Allsummed(b, x, comm), y, x, comm, op)


def Shares(b, y, x, comm, op):
    """As `collectives.shares`, for arrays."""
    if op == MPI.SUM:
        return b
    y = np.reshape(y, np.shape(x))
    if op == MPI.PROD:
        return b * np.conj(others(y, x, comm))
    mine = np.equal(x, y)
    count = np.empty(np.shape(x))
    comm.Allreduce(mine.astype(float), count)
    return mine * b / count


def Push_by(x, dx, y, comm, op):
    """The tangent of `Allreduced`."""
    found, y = empty(y), np.reshape(y, np.shape(x))
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
    y = np.array(y if comm.rank == root else np.zeros_like(x)).reshape(np.shape(x))
    comm.Bcast(y, root=root)
    found = Push_by(x, dx, y, comm, op)
    return found.reshape(np.shape(dbuf)) if comm.rank == root else dbuf


# Blocks

def described(part, comm, size):
    """(counts, displacements) of the blocks of the processes in a buffer."""
    counts, at = None, None
    given = [p for p in part or () if not isinstance(p, MPI.Datatype)]
    kinds = [p for p in part or () if isinstance(p, MPI.Datatype)]
    if any(not kind.is_predefined for kind in kinds):
        raise errors.ArgumentTypeError('blocks of derived datatypes have no derivative rule: copy them into an array')
    if len(given) == 1 and isinstance(given[0], tuple) and len(given[0]) == 2 and not np.isscalar(given[0][0]):
        given = given[0]
    if given:
        counts = [int(n) for n in np.broadcast_to(given[0], comm.size)]
        at = given[1] if len(given) > 1 else None
    if counts is None:
        counts = [size // comm.size] * comm.size
    at = np.concatenate([[0], np.cumsum(counts)[:-1]]) if at is None else np.asarray(at)
    return counts, [int(n) for n in at]


def blocks(b, part, comm):
    return [slice(at, at + n) for n, at in zip(*described(part, comm, np.size(b)))]


def with_blocks(x, part, comm):
    """What mpi4py is given for a buffer of blocks."""
    return None if x is None else [x, *part] if part else x


def flat_blocks(b, part, comm):
    return [b, described(part, comm, np.size(b))]


def Gathered(x, buf, comm, root=0, part=None):
    """What the buffer holds after `comm.Gatherv(x, [buf, *part], root)`, or Gather."""
    found = fresh(buf)
    (comm.Gatherv if part else comm.Gather)(given(x), with_blocks(found, part, comm), root=root)
    return found


def Dealt(b, x, comm, root=0, part=None):
    """The gradient of what this process has sent to a `Gathered`."""
    found = empty(x)
    if part is None:
        comm.Scatter(gradient(b, b) if comm.rank == root else None, found, root=root)
    else:
        comm.Scatterv(flat_blocks(gradient(b, b), part, comm) if comm.rank == root else None, found, root=root)
    return found


def Scattered(x, buf, comm, root=0, part=None):
    """What the buffer holds after `comm.Scatterv([x, *part], buf, root)`, or Scatter."""
    found = fresh(buf)
    (comm.Scatterv if part else comm.Scatter)(with_blocks(given(x), part, comm), found, root=root)
    return found


def Gathered_at(b, x, comm, root=0, part=None):
    """The gradient of what the root has dealt; None elsewhere, where nothing was sent."""
    found = empty(x) if comm.rank == root else None
    if part is None:
        comm.Gather(np.ascontiguousarray(b), found, root=root)
    else:
        comm.Gatherv(np.ascontiguousarray(b), flat_blocks(found, part, comm) if comm.rank == root else None, root=root)
    if found is None and x is not None:
        return empty(x)
    return found


def Allgathered(x, buf, comm, part=None):
    """What the buffer holds after `comm.Allgatherv(x, [buf, *part])`, or Allgather."""
    found = fresh(buf)
    (comm.Allgatherv if part else comm.Allgather)(given(x), with_blocks(found, part, comm))
    return found


def Summed_blocks(b, x, comm, part=None):
    """The sum of the gradients of this process's block: the adjoint of `Allgathered`."""
    flat, found = np.ravel(gradient(b, b)), empty(x)
    order = np.concatenate([flat[block] for block in blocks(b, part, comm)])
    comm.Reduce_scatter(order, found, described(part, comm, np.size(b))[0], op=MPI.SUM)
    return found


def Exchanged(x, buf, comm, xpart=None, part=None):
    """What the buffer holds after `comm.Alltoallv([x, *xpart], [buf, *part])`, or Alltoall."""
    found = fresh(buf)
    call = comm.Alltoallv if part or xpart else comm.Alltoall
    call(with_blocks(given(x), xpart, comm), with_blocks(found, part, comm))
    return found


def Exchanged_back(b, x, comm, xpart=None, part=None):
    """The gradient of what was sent: blocks go back to where they came from."""
    found = empty(x)
    if not part and not xpart:
        comm.Alltoall(gradient(b, b), found)
    else:
        comm.Alltoallv(flat_blocks(gradient(b, b), part, comm), flat_blocks(found, xpart, comm))
    return found


def Reduced_blocks(x, buf, comm, counts=None, op=MPI.SUM):
    """What the buffer holds after `comm.Reduce_scatter(x, buf, counts)`, or Reduce_scatter_block."""
    found = fresh(buf)
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
    found = fresh(buf)
    comm.Scan(given(x), found, op=only_sum(op, 'Scan'))
    return found


def Exscanned(x, buf, comm, op=MPI.SUM):
    """What the buffer holds after `comm.Exscan(x, buf)`: what it did on the first process."""
    found = fresh(buf)
    comm.Exscan(given(x), found, op=only_sum(op, 'Exscan'))
    return found if comm.rank else fresh(buf)


def Summed_later(b, x, comm, itself=True):
    """The sum of the gradients on this process, if itself counts, and on those behind it."""
    found, mine = empty(x), gradient(b, b).reshape(np.shape(x))
    if not itself and comm.rank == 0:
        mine = np.zeros_like(mine)                     # its buffer is not received into
    reverse = comm.Split(0, -comm.rank)
    (reverse.Scan if itself else reverse.Exscan)(mine, found)
    reverse.Free()
    return found if itself or comm.rank < comm.size - 1 else np.zeros_like(found)
