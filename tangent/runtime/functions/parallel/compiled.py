"""Messages of `numba_mpi` as functions, which Numba compiles: each gives what the buffer holds then, and has its way back.

    y[...] = world_received(y, source, tag)            world_sent_back(by, source, tag)
    world_sent(x, dest, tag)                           bx = world_received_like(x, dest, tag)

All messages of `numba_mpi` go through one communicator. Those of derivatives have tags of their own there, behind the user's,
so that neither meets the other's; which is why a message says where it comes from, and by which tag.
"""
import numba_mpi
import numpy as np
from mpi4py import MPI

from tangent import errors
from tangent.runtime.facts import helper

NOBODY, ANYBODY, ANY_TAG = int(MPI.PROC_NULL), int(MPI.ANY_SOURCE), int(MPI.ANY_TAG)
BACK = 16384                       # every MPI has tags up to 32767
MESSAGE = {'numba': True, 'pure': False, 'harmless': True, 'fresh': True}


@helper(**MESSAGE)
def tag_of(source, tag):
    """The tag, which has to be one that the message back can have.

    Raises
    ------
    ArgumentError
        For a message from anybody, by any tag, and by one above 16,383.
    """
    if source == ANYBODY or tag == ANY_TAG:
        raise errors.ArgumentError('a message of numba_mpi in a derivative says where it comes from and by which tag')
    if tag < 0 or tag >= BACK:
        raise errors.ArgumentError('the tags of messages of numba_mpi in a derivative are 0 to 16383')
    return tag


@helper(**MESSAGE)
def world_sent(x, dest, tag=0):
    """`numba_mpi.send(x, dest, tag)`"""
    numba_mpi.send(np.ascontiguousarray(x), dest, tag_of(dest, tag))


@helper(like='buf', **MESSAGE)
def world_received(buf, source, tag):
    """What the buffer holds after `numba_mpi.recv(buf, source, tag)`."""
    found = buf.copy()
    numba_mpi.recv(found, source, tag_of(source, tag))
    return found


@helper(like='b', **MESSAGE)
def world_sent_back(b, source, tag):
    """Send the gradient of what was received to where that came from; what is left of it."""
    if source == NOBODY:
        return b.copy()
    numba_mpi.send(np.ascontiguousarray(b), source, tag_of(source, tag) + BACK)
    return np.zeros_like(b)


@helper(like='x', **MESSAGE)
def world_received_like(x, dest, tag=0):
    """The gradient of what was sent."""
    found = np.zeros_like(np.ascontiguousarray(x))
    numba_mpi.recv(found, dest, tag_of(dest, tag) + BACK)
    return found


@helper(like='buf', **MESSAGE)
def world_exchanged(x, dest, buf, source, sendtag, recvtag):
    """What the buffer holds after `numba_mpi.sendrecv(x, dest, buf, source, sendtag, recvtag)`."""
    found = buf.copy()
    numba_mpi.sendrecv(np.ascontiguousarray(x), dest, found, source, tag_of(dest, sendtag), tag_of(source, recvtag))
    return found


@helper(like='x', **MESSAGE)
def world_exchanged_back(b, x, dest, source, sendtag, recvtag):
    """The gradient of what was sent, for that of what was received."""
    found = np.zeros_like(np.ascontiguousarray(x))
    numba_mpi.sendrecv(np.ascontiguousarray(b), source, found, dest, recvtag + BACK, sendtag + BACK)
    return found


@helper(like='b', **MESSAGE)
def world_left(b, source):
    """What is left of the gradient of a buffer that a message from `source` goes into."""
    return b.copy() if source == NOBODY else np.zeros_like(b)


# Between all: the way back of each is another one of them

@helper(like='buf', **MESSAGE)
def world_bcast(buf, root):
    """What the buffer holds after `numba_mpi.bcast(buf, root)`."""
    found = buf.copy()
    numba_mpi.bcast(found, root)
    return found


@helper(like='buf', **MESSAGE)
def world_reduced(x, buf, root):
    """What the buffer holds after `numba_mpi.reduce(x, buf, numba_mpi.Operator.SUM, root)`."""
    found = buf.copy()
    numba_mpi.reduce(np.ascontiguousarray(x), found, numba_mpi.Operator.SUM, root)
    return found


@helper(like='buf', **MESSAGE)
def world_allreduced(x, buf):
    """What the buffer holds after `numba_mpi.allreduce(x, buf)`."""
    found = buf.copy()
    numba_mpi.allreduce(np.ascontiguousarray(x), found)
    return found


@helper(like='buf', **MESSAGE)
def world_gathered(x, buf, count, root):
    """What the buffer holds after `numba_mpi.gather(x, buf, count, root)`."""
    found = buf.copy()
    numba_mpi.gather(np.ascontiguousarray(x), found, count, root)
    return found


@helper(like='b', **MESSAGE)
def world_left_by(b, count, root):
    """What is left of the gradient of a buffer into which the root (-1: everybody) gathers."""
    found = b.copy()
    if root < 0 or root == numba_mpi.rank():
        found.reshape(-1)[:count * numba_mpi.size()] = 0
    return found


@helper(like='buf', **MESSAGE)
def world_scattered(x, buf, count, root):
    """What the buffer holds after `numba_mpi.scatter(x, buf, count, root)`."""
    found = buf.copy()
    numba_mpi.scatter(np.ascontiguousarray(x), found, count, root)
    return found


@helper(like='buf', **MESSAGE)
def world_allgathered(x, buf, count):
    """What the buffer holds after `numba_mpi.allgather(x, buf, count)`."""
    found = buf.copy()
    numba_mpi.allgather(np.ascontiguousarray(x), found, count)
    return found


@helper(like='x', **MESSAGE)
def world_summed_blocks(b, x, count):
    """The gradient of what everybody has gathered: the sum of what all have of it."""
    total = np.zeros_like(np.ascontiguousarray(b))
    numba_mpi.allreduce(np.ascontiguousarray(b), total)
    first = count * numba_mpi.rank()
    return total.reshape(-1)[first:first + count].copy().reshape(np.ascontiguousarray(x).shape)
