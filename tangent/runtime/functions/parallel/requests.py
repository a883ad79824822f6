"""Messages that are waited for later: requests that know what their adjoint needs.

    request = comm.Irecv(v[-1:], source)        request = posted(v[-1:], comm, source)
    ...                                         ...
    request.Wait()                              request.Wait()
                                                v[-1:] = delivered(v[-1:], request)

What arrives is given to the buffer behind the wait: there its gradient is sent back, and where a message was sent off, its
gradient is awaited. So derivatives go on as the program does, whatever was posted first.
"""
from __future__ import annotations

import numpy as np
from mpi4py import MPI

from tangent import errors
from tangent.runtime.functions.parallel.buffers import contiguous, message, places
from tangent.runtime.functions.parallel.links import adjoint_comm
from tangent.runtime.functions.parallel.messages import (
    Envelope,
    Received,
    Received_again,
    Sent_back,
    check_whole,
    received,
    sent,
)


class Posted(MPI.Request):
    """A request with the message that it waits for.

    comm, at : the communicator, and where the message came from
    data, part : what is received into, and which part of it; None for an object
    taken : whether the message has been given to its buffer
    """
    comm, at, data, part, taken = None, None, None, (), False


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
        made.at.dtype = data.dtype
    return made


def wait_for(request):
    """`request.Wait()`, which tells the request where its message came from."""
    wait_for_all([request])


def wait_for_all(requests):
    """`MPI.Request.Waitall(requests)`"""
    requests = list(requests)
    found = [MPI.Status() for _ in requests]
    pending = [request != MPI.REQUEST_NULL for request in requests]
    MPI.Request.Waitall(requests, found)
    for request, status, was in zip(requests, found, pending):
        if isinstance(request, Posted) and was:
            request.at.note(status, request.at.dtype)
            check_whole(status, request.data, request.part)


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
    if request.at.source == MPI.PROC_NULL or request.part:
        found = np.array(buf)
        at = places(found, request.part) if request.part else []
        if request.at.source != MPI.PROC_NULL:
            found.reshape(-1)[at] = request.data.reshape(-1)[at]
        return found
    return request.data


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
    return Received(dbuf, adjoint_comm(request.comm), request.at.source, request.at.tag, part=request.part)


def among(requests, request):
    """The request, noted in a list."""
    requests.append(request)
    return request


def all_taken(requests):
    """Whether nothing is waited for any more."""
    return all(request.taken for request in requests)


def unfinished(requests):
    """Those of the requests that have not been waited for, at the end of the function that has posted them: an error."""
    for request in requests if isinstance(requests, list) else [requests]:
        if request is not None and not request.taken:
            raise errors.ReverseNotImplementedError('a message is posted here that another function waits for: wait for it in '
                                                    'the function that posts it')


# Objects

def promised(comm, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG):
    """`comm.irecv(source, tag)`"""
    return noted(comm.irecv(source=source, tag=tag), comm, source, tag)


def awaited(request):
    """`request.wait()`: the object that a message brings, None for one that was sent."""
    if not isinstance(request, Posted):
        return request.wait()
    status = MPI.Status()
    value = request.wait(status)
    request.at.note(status)
    return value


def returned(b, request):
    """The gradient of an object goes back to where that came from."""
    if isinstance(request, Posted) and request.at.source != MPI.PROC_NULL:
        sent(b, adjoint_comm(request.comm), request.at.source, request.at.tag)


def push_awaited(request):
    """The tangent of what a message has brought."""
    if isinstance(request, Posted):
        return received(adjoint_comm(request.comm), request.at.source, request.at.tag)
    return None


def awaited_all(requests):
    """`MPI.Request.waitall(requests)`"""
    return [awaited(request) for request in requests]


def returned_all(b, requests):
    for k in range(len(requests))[::-1]:
        returned(None if b is None else b[k], requests[k])


def push_awaited_all(requests):
    return [push_awaited(request) for request in requests]


