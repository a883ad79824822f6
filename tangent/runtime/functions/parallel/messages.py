"""Messages from one process to another as functions, each the adjoint of the other: what is sent has its gradient sent back.

    sent(x, comm, dest)                    bx = received_like(x, adjoint_comm(comm), dest)
    y = received(comm, source)             sent(by, adjoint_comm(comm), source)

With capital letters arrays without pickles: `Received` gives what the buffer holds then. Messages of derivatives never wait
for their receiver, so that nothing can stand still that goes on in the program itself.
"""
import numpy as np
from mpi4py import MPI

from tangent import errors
from tangent.runtime.cast import astype
from tangent.runtime.functions.parallel.buffers import contiguous, floating, message, places, spread, summed_up, taken
from tangent.runtime.functions.parallel.links import adjoint_comm, is_back, put_aside  # noqa: F401 (adjoint_comm: for texts)
from tangent.runtime.functions.parallel.order import envelope, has_come, only_in_order, send_in_turn, tangent_of  # noqa: F401 (envelope)
from tangent.runtime.zeros import ZeroGrad, init_grad

# Objects

def sent(x, comm, dest, tag=0):
    """`comm.send(x, dest, tag)`"""
    if dest == MPI.PROC_NULL:
        return
    if is_back(comm):
        put_aside(comm.isend(plain(x), dest=dest, tag=tag), x)
    else:
        comm.send(x, dest=dest, tag=tag)


def sent_aside(x, comm, dest, tag=0):
    """The same without waiting for the receiver."""
    put_aside(comm.isend(x, dest=dest, tag=tag), x)


def received(comm, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, at=None, status=None):
    """`comm.recv(source=source, tag=tag)`; `at` is told where it came from."""
    if is_back(comm):
        return tangent_of(at, comm)
    status = MPI.Status() if status is None else status
    value = comm.recv(source=source, tag=tag, status=status)
    at.note(status)
    has_come(at, comm)
    return value


def sent_back(b, comm, at):
    """The adjoint of `received`: the gradient of the object goes to its sender."""
    if at.source != MPI.PROC_NULL:
        send_in_turn(at, comm, lambda: sent(b, comm, at.source, at.tag))


def received_again(d, comm, at):
    """The adjoint of `sent_back`: what was sent has its own gradient sent back."""
    only_in_order(at)
    return received_like(d, comm, at.source, at.tag)


def received_like(x, comm, source, tag=0):
    """The gradient of what was sent."""
    found = comm.recv(source=source, tag=tag)
    return init_grad(x) if found is None else found


def plain(gradient):
    """A gradient as it travels: what is zero without anything said is None."""
    return None if type(gradient) is ZeroGrad else gradient


# Arrays

def Sent(x, comm, dest, tag=0, part=()):
    """`comm.Send(x, dest, tag)`; `part` is what else stands beside the array in a list: counts and a datatype."""
    if is_back(comm):
        x = np.array(x, floating(np.asarray(x).dtype), order='C')
        put_aside(comm.Isend(message(x, part), dest=dest, tag=tag), x)
    else:
        comm.Send(message(x, part), dest=dest, tag=tag)


def Sent_aside(x, comm, dest, tag=0, part=()):
    """The same without waiting for the receiver, and for a change of the array."""
    x = np.array(contiguous(x))
    put_aside(comm.Isend(message(x, part), dest=dest, tag=tag), x)


def Received(buf, comm, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, at=None, status=None, part=()):
    """What a buffer holds after `comm.Recv(buf, source, tag)`."""
    found = np.array(contiguous(buf))
    if is_back(comm):
        return with_message(found, tangent_of(at, comm), part)
    status = MPI.Status() if status is None else status
    comm.Recv(message(found, part), source=source, tag=tag, status=status)
    at.note(status, found.dtype, found.size if not part else len(places(found, part)))
    has_come(at, comm)
    check_whole(status, found, part)
    return found


def with_message(buf, values, part):
    """A buffer with what a message has brought into it, in one row; None is nothing."""
    return buf if values is None else values.reshape(buf.shape) if not part else spread(buf, part, values)


def check_whole(status, found, part):
    """Refuse a message that is shorter than its buffer: what it leaves there is not what the sender means."""
    if status.source == MPI.PROC_NULL:
        return
    size = (found.size if not part else len(places(found, part))) * found.itemsize
    if status.Get_count(MPI.BYTE) != size:
        raise errors.ArgumentError(
            f'rank {MPI.COMM_WORLD.rank}: a message of {status.Get_count(MPI.BYTE)} bytes came from rank {status.source} into '
            f'a buffer of {size}: receive into a part of the buffer that has the length of the message')


def Sent_back(b, comm, at, part=()):
    """The adjoint of `Received`: the gradient of the message goes to its sender; what is left is that of the buffer before."""
    if at.source == MPI.PROC_NULL:
        return b
    values, back = astype_of(taken(b, part), at.dtype), adjoint_comm(comm)
    send_in_turn(at, back, lambda: Sent(values, back, at.source, at.tag))
    return np.zeros_like(b) if not part else spread(b, part, 0)


def Received_again(d, b, comm, at, part=()):
    """The adjoint of `Sent_back`: what was sent has its own gradient sent back."""
    if at.source == MPI.PROC_NULL:
        return d
    only_in_order(at)
    found = Received_like(b, adjoint_comm(comm), at.source, at.tag, part)
    return found if not part else found + spread(d, part, 0)


def astype_of(b, dtype):
    return np.asarray(b, dtype=floating(dtype))


def Received_like(x, comm, source, tag=0, part=()):
    """The gradient of an array that was sent, in its shape."""
    found = np.zeros(np.shape(x) if not part else len(places(x, part)), floating(np.asarray(x).dtype))
    if source != MPI.PROC_NULL:
        comm.Recv(found, source=source, tag=tag)
    return astype(found, x) if not part else summed_up(x, part, found)
