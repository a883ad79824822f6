"""The order of messages that are waited for in another order than they were posted in.

Of the messages that one process sends another by the same tag, the first belongs to the receive that was posted first. Their
gradients have to go back the other way round, whatever was waited for first: one that is due too early is held until those
behind it are gone. Tangents come as the messages do: what is before the one that is wanted is kept for later.
"""
import itertools
import weakref

import numpy as np
from mpi4py import MPI

from tangent import errors
from tangent.runtime.functions.parallel.buffers import floating

NUMBERS = itertools.count()
OPEN: weakref.WeakValueDictionary = weakref.WeakValueDictionary()          # number -> request that nobody has waited for
HELD: dict = {}                # (handle of the communicator, address) -> [(envelope, what sends a gradient)]
SECOND = 'messages waited for in another order than they are posted in have no such derivative: wait for them in that order'


class Envelope:
    """Where a message came from, and of what it was made: known once it is there.

    dtype, count : of the elements of a buffer; None and 0 for an object
    number : of all that are posted or received here
    earlier, later : requests that are still open when this comes though posted before; envelopes for which this was one
    tangents, gone, kept : how many tangents have come, how many gradients are sent, tangents that are wanted later
    """
    source, tag, dtype, count = MPI.PROC_NULL, 0, None, 0
    tangents = gone = 0

    def __init__(self):
        self.number = next(NUMBERS)
        self.earlier, self.later, self.kept = [], [], []

    def note(self, status, dtype=None, count=0):
        self.source, self.tag, self.dtype, self.count = status.source, status.tag, dtype, count

    def address(self):
        return self.source, self.tag

    def waiting(self):
        """Whether gradients go before its own that are not sent yet."""
        return any(other.address() == self.address() and other.gone <= other.tangents for other in self.later)


def envelope():
    """A new Envelope for each message."""
    return Envelope()


def now_open(request):
    """Note a receive that is posted."""
    OPEN[request.at.number] = request


def has_come(at, comm):
    """Note that a message is given to the program: those that were posted before it and are still open were overtaken."""
    OPEN.pop(at.number, None)
    for number, request in list(OPEN.items()):
        if number < at.number and request.comm.handle == comm.handle:
            at.earlier.append(request)
            request.at.later.append(at)


def send_in_turn(at, comm, send):
    """Send a gradient back, once all that have to go before it are gone."""
    if not at.later and (comm.handle, at.address()) not in HELD:
        at.gone += 1
        send()
        return
    held = HELD.setdefault((comm.handle, at.address()), [])
    held.append((at, send))
    held.sort(key=lambda each: -each[0].number)
    while held and not held[0][0].waiting():
        other, send = held.pop(0)
        other.gone += 1
        send()
    if not held:
        HELD.pop((comm.handle, at.address()), None)


def tangent_of(at, comm):
    """The tangent of a message, in one row."""
    if at.source == MPI.PROC_NULL:
        return None
    before = [request.at for request in at.earlier if meets(request, at)]
    if (before or at.later) and at.tangents:
        raise errors.ReverseNotImplementedError(SECOND)
    at.tangents += 1
    for other in sorted(before, key=lambda each: each.number):
        if not other.tangents and not other.kept:
            other.kept.append(next_of(other, at, comm))
    return at.kept.pop() if at.kept else next_of(at, at, comm)


def next_of(like, at, comm):
    """The next message from there, of the kind of another."""
    if like.dtype is None:
        return comm.recv(source=at.source, tag=at.tag)
    found = np.zeros(like.count, floating(like.dtype))
    comm.Recv(found, source=at.source, tag=at.tag)
    return found


def meets(request, at):
    """Whether a request that was posted before a message of this address waits for one of the same.

    One that could have had the message has another that came before: it is there, or is on its way.
    """
    if request.at.source not in (at.source, MPI.ANY_SOURCE) or request.at.tag not in (at.tag, MPI.ANY_TAG):
        return False
    status = MPI.Status()
    while request != MPI.REQUEST_NULL and not request.Get_status(status):
        pass
    if request != MPI.REQUEST_NULL:
        request.at.source, request.at.tag = status.source, status.tag
    return request.at.address() == at.address()


def only_in_order(at):
    """Refuse what has no order of its own."""
    if at.later or at.earlier:
        raise errors.ReverseNotImplementedError(SECOND)
