"""What another process or thread computes for a derivative: gradients of one call, and its tangent."""
import concurrent.futures
import multiprocessing.pool
import pickle

from tangent import errors
from tangent.driver.dispatch.reverse import pullback
from tangent.eventlog.shadow.processes import TOLD, sendable
from tangent.runtime.cast import astype
from tangent.runtime.zeros import init_grad


def gradients_of(payload, wanted, gradient):
    """The gradients of the arguments `wanted` of a call, which came as bytes, for that of its value."""
    function, args, keywords = pickle.loads(payload)
    value, back = pullback(function, wanted)(*args, **keywords)
    found = back(init_grad(value) if gradient is None else astype(gradient, value))
    return found if len(wanted) > 1 else (found,)


# Forward mode: a task computes its value and the tangent of that

def pushed(payload):
    """(value, tangent) of one call, which came as bytes."""
    push, *call = pickle.loads(payload)
    return push(*call)


def packed(push, function, args, moved, keywords, dkeywords, df):
    return sendable(function, (push, function, tuple(args), tuple(moved), dict(keywords), dict(dkeywords), df))


def submit(push, pool, args, tangents, keywords, dkeywords):
    future = pool.submit(pushed, packed(push, args[0], args[1:], tangents[1:], keywords, dkeywords, tangents[0]))
    future.pushed = True
    return future, future


def submit_to_thread(push, pool, args, tangents, keywords, dkeywords):
    future = pool.submit(push, args[0], tuple(args[1:]), tuple(tangents[1:]), dict(keywords), dict(dkeywords), tangents[0])
    future.pushed = True
    return future, future


PARAMETERS = 'func', 'args', 'kwds', 'callback', 'error_callback'


def apply_async(push, pool, args, tangents, keywords, dkeywords):
    given, moved = dict(zip(PARAMETERS, args)) | keywords, dict(zip(PARAMETERS, tangents)) | dkeywords
    if given.get('callback') is not None:
        raise errors.ForwardNotImplementedError('callbacks of a pool have no derivative rule: use what get() returns')
    values = tuple(given.get('args', ()))
    along = [None] * len(values) if moved.get('args') is None else moved['args']
    named, dnamed = given.get('kwds') or {}, moved.get('kwds') or {}
    dnamed = {k: dnamed[k] for k in named if dnamed.get(k) is not None}
    future = pool.apply_async(pushed, (packed(push, given['func'], values, along, named, dnamed, moved.get('func')),))
    return Part(future, 0), Part(future, 1)


class Part:
    """What `apply_async` gives, for the value or for the tangent."""

    def __init__(self, future, place):
        self.future, self.place = future, place
        self.wait, self.ready, self.successful = future.wait, future.ready, future.successful

    def get(self, timeout=None):
        return self.future.get(timeout)[self.place]


def apply(push, pool, args, tangents, keywords, dkeywords):
    return tuple(part.get() for part in apply_async(push, pool, args, tangents, keywords, dkeywords))


def each(push, call, function, df, calls, moved):
    pairs = list(call(pushed, [packed(push, function, values, d, {}, {}, df) for values, d in zip(calls, moved)]))
    return [value for value, _ in pairs], [d for _, d in pairs]


def mapped(method):
    def run(push, pool, args, tangents, keywords, dkeywords):
        calls = list(zip(*args[1:]))
        columns = [[None] * len(calls) if d is None else d for d in tangents[1:len(args)]]
        return each(push, getattr(pool, method), args[0], tangents[0], calls, zip(*columns))
    return run


def starmap(push, pool, args, tangents, keywords, dkeywords):
    calls = [tuple(row) for row in args[1]]
    moved = [(None,) * len(row) for row in calls] if tangents[1] is None else [tuple(row) for row in tangents[1]]
    return each(push, pool.map, args[0], tangents[0], calls, moved)


def result(push, future, args, tangents, keywords, dkeywords):
    found = future.result(*args, **keywords)
    return found if hasattr(future, 'pushed') else (found, None)


def told(name):
    return lambda push, owner, args, tangents, keywords, dkeywords: (getattr(owner, name)(*args, **keywords), None)


POOL, EXECUTOR = multiprocessing.pool.Pool, concurrent.futures.ProcessPoolExecutor
PUSHED = {
    concurrent.futures.ThreadPoolExecutor.submit: submit_to_thread,
    EXECUTOR.submit: submit, EXECUTOR.map: mapped('map'), POOL.map: mapped('map'), POOL.imap: mapped('map'),
    POOL.imap_unordered: mapped('map'), POOL.starmap: starmap, POOL.apply_async: apply_async, POOL.apply: apply,
    concurrent.futures.Future.result: result, **{getattr(kind, name): told(name) for kind, name in TOLD}}
