"""Messages that are waited for later: requests that know what their adjoint needs.

    request = comm.Irecv(v[-1:], source)        request = posted(v[-1:], comm, source)
    ...                                         ...
    request.Wait()                              request.Wait()
                                                v[-1:] = delivered(v[-1:], request)

What arrives is given to the buffer behind the wait: there its gradient is sent back, and where a message was sent off, its
gradient is awaited. So derivatives go on as the program does, whatever was posted first.
"""
import numpy as np
from mpi4py import MPI

from tangent import errors
from tangent.runtime.functions.parallel.buffers import contiguous, message, places
from tangent.runtime.functions.parallel.links import adjoint_comm
from tangent.runtime.functions.parallel.messages import (
    Received_again,
    Sent_back,
    check_whole,
    received_again,
    sent_back,
    with_message,
)
from tangent.runtime.functions.parallel.order import Envelope, has_come, now_open, tangent_of


class Posted(MPI.Request):
    """A request with the message that it waits for.

    comm, at : the communicator, and where the message came from
    data, part : what is received into, and which part of it; None for an object
    taken : whether the message has been given to its buffer
    """
    comm, at, data, part, taken = None, None, None, (), False

    def test(self, status=None):
        raise errors.ReverseNotImplementedError('requests of differentiated code are not tested or cancelled: wait for them')

    Test = Cancel = test


def isent(x, comm, dest, tag=0):
    """`comm.isend(x, dest, tag)`"""
    return comm.isend(x, dest=dest, tag=tag)


def Isent(x, comm, dest, tag=0, part=()):
    """`comm.Isend(x, dest, tag)`"""
    return comm.Isend(message(x, part), dest=dest, tag=tag)


def posted(buf, comm, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, part=()):
    """`comm.Irecv(buf, source, tag)`, into an array of its own."""
    data = np.array(contiguous(buf))
    return noted(comm.Irecv(message(data, part), source=source, tag=tag), comm, source, tag, data, part)


def noted(request, comm, source, tag, data=None, part=()):
    made = Posted(request)
    made.comm, made.at, made.data, made.part = comm, Envelope(), data, part
    made.at.source, made.at.tag = source, tag
    if data is not None:
        made.at.dtype, made.at.count = data.dtype, data.size if not part else len(places(data, part))
    now_open(made)
    return made


def wait_for(request, status=None):
    """`request.Wait(status)`, which tells the request where its message came from."""
    if isinstance(request, MPI.Request):
        wait_for_all([request], [MPI.Status() if status is None else status])
    else:
        request.Wait(*[] if status is None else [status])


def wait_for_all(requests, statuses=None):
    """`MPI.Request.Waitall(requests, statuses)`"""
    all_delivered()
    requests, found = list(requests), [] if statuses is None else statuses
    pending = [request != MPI.REQUEST_NULL for request in requests]
    MPI.Request.Waitall(requests, found)
    for request, status, was in zip(requests, found, pending):
        if isinstance(request, Posted) and was:
            request.at.note(status, request.at.dtype, request.at.count)
            check_whole(status, request.data, request.part)
    WAITED[:] = [request for request in requests if brings_array(request) and not request.taken]


WAITED: list = []              # requests whose message has come and is to be given to its buffer at once


def all_delivered():
    """Refuse to go on where a message was not given to a buffer: it was posted elsewhere, or several times."""
    lost = [request for request in WAITED if not request.taken]
    WAITED.clear()
    if lost:
        raise errors.ReverseNotImplementedError(ELSEWHERE)


ELSEWHERE = ('a message of an array was waited for that is posted in another function, or again before it is waited for: '
             'wait for each message in the function that posts it')


def brings_array(request):
    """Whether the request is one for an array that is received."""
    return isinstance(request, Posted) and request.data is not None


def wait_for_sends(request, status=None):
    """`request.Wait(status)` in a function that posts no receive of an array."""
    if brings_array(request):
        raise errors.ReverseNotImplementedError(ELSEWHERE)
    wait_for(request, status)


def wait_for_all_sends(requests, statuses=None):
    """`MPI.Request.Waitall(requests, statuses)` in such a function."""
    if any(map(brings_array, requests)):
        raise errors.ReverseNotImplementedError(ELSEWHERE)
    wait_for_all(requests, statuses)


def null_request():
    """The request of a message that is through: those between all are, where they are posted."""
    return Posted(MPI.REQUEST_NULL)


class Delivery:
    """Whether a message was given to its buffer at one place, and which."""
    request = None


def delivery():
    return Delivery()


def delivered(buf, request, this):
    """What the buffer holds once the message of a request has come; what it did where that is not so, or has been before."""
    if request is None or request.taken or request != MPI.REQUEST_NULL:
        return np.array(buf)
    request.taken, this.request = True, request
    has_come(request.at, request.comm)
    if request.at.source == MPI.PROC_NULL:
        return np.array(buf)
    return with_message(np.array(buf), request.data.reshape(-1)[places(request.data, request.part)], request.part) \
        if request.part else request.data


def delivered_back(b, this):
    """The adjoint of `delivered`: the gradient of the message goes to its sender."""
    if this.request is None:
        return b
    return Sent_back(b, this.request.comm, this.request.at, this.request.part)


def delivered_again(d, b, this):
    """The adjoint of `delivered_back`."""
    request = this.request
    return d if request is None else Received_again(d, b, request.comm, request.at, request.part)


def push_delivered(dbuf, this):
    """The tangent of `delivered`."""
    request = this.request
    if request is None:
        return dbuf
    return with_message(np.array(dbuf), tangent_of(request.at, adjoint_comm(request.comm)), request.part)


def among(requests, request):
    """The request, noted in a list."""
    requests.append(request)
    return request


def all_taken(requests):
    """Whether nothing is waited for any more."""
    return all(request.taken for request in requests)


# Objects

def promised(comm, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG):
    """`comm.irecv(source, tag)`"""
    return noted(comm.irecv(source=source, tag=tag), comm, source, tag)


def awaited(request, status=None):
    """`request.wait(status)`: the object that a message brings, None for one that was sent."""
    if not isinstance(request, Posted):
        return request.wait(*[] if status is None else [status])
    if request.comm is None or request.data is not None:               # arrays are given to their buffers behind the wait
        return wait_for(request, status)
    status = MPI.Status() if status is None else status
    value = request.wait(status)
    request.at.note(status)
    has_come(request.at, request.comm)
    return value


def brings_object(request):
    """Whether the request was one for an object, which its wait has brought."""
    return isinstance(request, Posted) and request.comm is not None and request.data is None


def returned(b, request):
    """The gradient of an object goes back to where that came from."""
    if brings_object(request):
        sent_back(b, adjoint_comm(request.comm), request.at)


def returned_again(b, request):
    """The adjoint of `returned`."""
    return received_again(b, adjoint_comm(request.comm), request.at) if brings_object(request) else b


def push_awaited(request):
    """The tangent of what a message has brought."""
    return tangent_of(request.at, adjoint_comm(request.comm)) if brings_object(request) else None


def awaited_all(requests, statuses=None):
    """`MPI.Request.waitall(requests, statuses)`"""
    if statuses is None:
        return [awaited(request) for request in requests]
    statuses += [MPI.Status() for _ in range(len(requests) - len(statuses))]
    return [awaited(request, status) for request, status in zip(requests, statuses)]


def returned_all(b, requests):
    for k in range(len(requests))[::-1]:
        returned(None if b is None else b[k], requests[k])


def returned_all_again(b, requests):
    return [returned_again(None if b is None else part, request) for part, request in zip(b or requests, requests)]


def push_awaited_all(requests):
    return [push_awaited(request) for request in requests]
