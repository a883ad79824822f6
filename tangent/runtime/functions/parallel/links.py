"""Communicators of derivatives: messages of gradients and tangents travel on a duplicate of the user's communicator.

No message of a derivative can meet one of the user's there. The duplicate is made where the derivative first sees the
communicator, which all its processes do at the same place of the program; it is kept with it, and freed with it.
"""
import atexit
import linecache
import sys
import time
import traceback
import weakref

from mpi4py import MPI

from tangent import errors

PENDING: list = []             # (request, what it sends) of messages that nobody has waited for


def adjoint_comm(comm):
    """The duplicate of a communicator on which the messages of its derivative travel.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm

    Returns
    -------
    mpi4py.MPI.Comm
        The same for every call. Of a duplicate the communicator itself, so that derivatives of derivatives use it, too.
        None for no communicator: this process takes no part in it, or it is not there yet.
    """
    if comm is not None and not isinstance(comm, MPI.Comm):
        raise errors.ArgumentTypeError(f'messages are sent by communicators of mpi4py, not by a {type(comm).__name__}')
    found = getattr(comm, 'back', None)
    if found is None and (comm is None or comm == MPI.COMM_NULL):
        return None
    found = found or comm.Get_attr(keyval())
    if found is None:
        watch_exceptions()
        found = duplicate(comm)
        comm.Set_attr(keyval(), found)
    LATEST[:] = [found]
    return found


def agreed(*numbers):
    """The largest that a process has, for each of the numbers."""
    comm = LATEST[0] if LATEST and LATEST[0] != MPI.COMM_NULL else adjoint_comm(MPI.COMM_WORLD)
    return tuple(max(column) for column in zip(*comm.allgather(numbers)))


LATEST: list = []              # the duplicate that was asked for last


def duplicate(comm):
    """A new duplicate, which is its own."""
    made = linked(comm.Dup())
    made.back = made
    return made


def linked(comm):
    """The communicator as an object that can be given attributes; the handle is the same."""
    kind = type(comm)
    if kind in LINKED.values():
        return comm
    if kind not in LINKED:
        LINKED[kind] = type(f'Linked{kind.__name__}', (kind,), {'Free': free_later})
    return LINKED[kind](comm)


def free_later(comm):
    """Note that the function has freed a communicator of its own: the backward pass asks for its size, and runs the steps of
    a checkpointed loop again. It is freed with its duplicate, once nobody holds it."""
    weakref.finalize(comm, release, MPI.Comm(comm))


LINKED: dict = {}


def keyval():
    """The key under which a communicator holds its duplicate, which is freed when the communicator is."""
    if not KEYVAL:
        KEYVAL.append(MPI.Comm.Create_keyval(delete_fn=lambda comm, key, made: release(made)))
        atexit.register(complete)
    return KEYVAL[0]


KEYVAL: list = []


def created(comm):
    """A communicator that the function itself has made, with its duplicate: all its processes are here.

    The duplicate lives until nobody holds the communicator: where it was freed before the backward pass comes, that goes on.
    """
    if not isinstance(comm, MPI.Comm) or comm == MPI.COMM_NULL:
        return comm
    comm = linked(comm)
    comm.back = duplicate(comm)
    weakref.finalize(comm, release, comm.back)
    return comm


def release(made):
    """Free a duplicate, or what the function has freed."""
    if not MPI.Is_finalized() and made != MPI.COMM_NULL:
        complete()
        MPI.Comm.Free(made)


def is_back(comm):
    """Whether it is a duplicate of ours."""
    return getattr(comm, 'back', None) is comm


def put_aside(request, data):
    """Remember a message that is on its way; those that have arrived are forgotten."""
    PENDING.append((request, data))
    if len(PENDING) > 16:
        PENDING[:] = [each for each in PENDING if not each[0].Test()]


def complete():
    """Wait for all messages that are on their way."""
    if MPI.Is_finalized():
        return
    while PENDING:
        PENDING.pop()[0].Wait()


def watch_exceptions():
    """End all processes where one of them ends with an exception, as `python -m mpi4py` does: they would wait for it."""
    if sys.excepthook is not ended and MPI.COMM_WORLD.size > 1:
        OTHERS.append(sys.excepthook)
        sys.excepthook = ended


OTHERS: list = []
PASSED_ON = 0.3                  # seconds until `mpiexec` has surely passed on what was printed, which it forgets when all ends


def ended(kind, error, trace):
    """An exception that nobody has caught, on one process of several."""
    rank = MPI.COMM_WORLD.rank
    try:
        text = ''.join(traceback.format_exception(kind, error, trace))
        places = [errors.PLACES.get(frame.f_code.co_filename, {}).get(line) for frame, line in traceback.walk_tb(trace)]
        at = ''.join(f'{p.file}:{p.line}: {linecache.getline(p.file, p.line).strip()}\n' for p in filter(None, places[::-1]))
        print(f'rank {rank} of {MPI.COMM_WORLD.size} has failed, which ends all: {kind.__name__}: {error}\n{at}\n{text}',
              file=sys.stderr, flush=True)
        time.sleep(PASSED_ON)
    finally:                                                # whatever goes wrong in that: the others wait
        MPI.COMM_WORLD.Abort(1)
