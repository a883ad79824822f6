"""Pools of processes in the log form: adjoints run in a pool of the same kind, as many at a time.

    future = pool.submit(f, x)         the adjoint of a task starts where the first wait for its result is undone,
    ys = list(pool.map(f, xs))         and is joined where it was submitted

A task is sent off once more for its adjoint, as it was then, and computes again what that needs. What cannot be sent is
refused before it is.
"""
from __future__ import annotations

import concurrent.futures
import functools
import multiprocessing.pool
import pickle
import weakref

from tangent import errors
from tangent.eventlog.shadow.threads import awaited, mapped, outwards, share


def packed(function, args, keywords):
    """A call as bytes."""
    return sendable(function, (function, tuple(args), keywords))


def sendable(function, call):
    """What a task is, as bytes; an error where it cannot be sent."""
    try:
        return pickle.dumps(call)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise errors.ArgumentTypeError(
            f'{getattr(function, "__qualname__", function)} or what it is given cannot be sent to another process ({error}): '
            'define it at the top level of a module, and pass it data') from None


def places(record, shift):
    """The places, in the call of a task, of the arguments with a derivative; `shift` stand before its own."""
    return tuple(k - shift if type(k) is int else k for k in record.positions() if type(k) is not int or k >= shift)


class Workers:
    """The processes for the adjoints of one pool: they are there while one is waited for."""

    def __init__(self, pool):
        if isinstance(pool, concurrent.futures.ProcessPoolExecutor):
            self.kind = pool._max_workers, pool._mp_context, pool._initializer, pool._initargs
        else:
            self.kind = pool._processes, pool._ctx, pool._initializer, pool._initargs
        self.executor, self.open = None, 0

    def submit(self, *args):
        if self.executor is None:
            self.executor = concurrent.futures.ProcessPoolExecutor(*self.kind)
        self.open += 1
        return self.executor.submit(*args)

    def join(self, future):
        try:
            return future.result()
        finally:
            self.open -= 1
            if self.open == 0:
                self.executor.shutdown()
                self.executor = None


WORKERS: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def workers_of(pool):
    if pool not in WORKERS:
        WORKERS[pool] = Workers(pool)
    return WORKERS[pool]


class Remote:
    """A task in another process; see `threads.Task`."""

    def __init__(self, record, pool, function, args, keywords, shift=1):
        self.payload, self.wanted = packed(function, args, keywords), places(record, shift)
        self.workers, self.gradients = workers_of(pool), record.in_other_process
        self.gradient, self.value, self.awaited, self.future = None, None, False, None

    def launch(self, grads):
        share(grads)
        if self.wanted:
            gradient = grads.take_whole(self.value, self.gradient)
            self.future = self.workers.submit(self.gradients, self.payload, self.wanted, gradient)

    def join(self, grads):
        if self.future is None and self.wanted:
            self.launch(grads)
        return dict(zip(self.wanted, self.workers.join(self.future))) if self.wanted else {}


def submit(record, pool, args):
    function, *rest = args
    task = Remote(record, pool, function, rest, record.keywords)
    future = pool.submit(function, *rest, **record.keywords)
    future.task = task
    record.backward = lambda grads, g: outwards(task.join(grads), 1)
    return future


def apply_async(record, pool, args):
    """pool.apply_async(f, args, kwds)"""
    given = dict(zip(('func', 'args', 'kwds', 'callback', 'error_callback'), args)) | record.keywords
    if given.get('callback') is not None:
        raise errors.ReverseNotImplementedError('callbacks of a pool have no derivative rule: use what get() returns')
    values, keywords = tuple(given.get('args', ())), given.get('kwds') or {}
    task = Remote(record, pool, given['func'], values, keywords)
    task.wanted = tuple(range(len(values))) if {1, 'args'} & {*record.positions()} else ()
    made = pool.apply_async(given['func'], values, keywords)
    made.task = task

    def backward(grads, g):
        found = task.join(grads)
        parts = [found.get(k) for k in range(len(values))]
        return {'args': parts, 1: parts}
    record.backward = backward
    return made


def applied(record, pool, args):
    """pool.apply(f, args, kwds)"""
    return result(record, apply_async(record, pool, args), (), record.backward)


def result(record, future, args, before=None):
    """future.result() and its like."""
    value = (future.result if isinstance(future, concurrent.futures.Future) else future.get)(*args)
    task = getattr(future, 'task', None)
    if task is not None:
        task.value = value
        awaited(record, task, value)
        record.structured = isinstance(value, (list, tuple, dict))
        if before is not None:
            wait = record.backward
            record.backward = lambda grads, g: wait(grads, g) and {} or before(grads, g)
    return value


def each(record, pool, function, calls, call):
    """The values of many calls, by `call`, which runs them all; their adjoints run many at a time, too."""
    calls = [tuple(each) for each in calls]
    payloads = [packed(function, each, {}) for each in calls]
    values = list(call([*calls]))
    count = max(map(len, calls), default=0)
    record.structured = True

    def backward(grads, g):
        workers, wanted = workers_of(pool), tuple(range(count))
        parts = [None] * len(calls) if g is None else g
        futures = [workers.submit(record.in_other_process, payload, wanted, part)
                   for payload, part in list(zip(payloads, parts))[::-1]][::-1]
        return [workers.join(future) for future in futures]
    record.backward = backward
    return values


def by_columns(record):
    """The gradients of iterables, each of which has one argument of every call."""
    found = record.backward
    record.backward = lambda grads, g: {k + 1: list(column) for k, column in enumerate(zip(*found(grads, g)))}


def by_rows(record):
    found = record.backward
    record.backward = lambda grads, g: {1: [list(row) for row in found(grads, g)]}


def executor_map(record, pool, args):
    function, *iterables = args
    keywords = record.keywords
    values = each(record, pool, function, zip(*iterables), lambda calls: pool.map(function, *zip(*calls), **keywords))
    by_columns(record)
    return values


def pool_map(record, pool, args, method='map'):
    if isinstance(pool, multiprocessing.pool.ThreadPool):
        return mapped(record, Threads(pool), args[:2])
    function, iterable, *rest = args
    call = getattr(pool, method)
    values = each(record, pool, function, zip(iterable),
                  lambda calls: call(function, [each for each, in calls], *rest, **record.keywords))
    by_columns(record)
    return values


class Threads:
    """A pool of threads with the names of an executor."""

    def __init__(self, pool):
        self.map, self._max_workers = pool.map, pool._processes


def starmap(record, pool, args):
    function, iterable, *rest = args
    values = each(record, pool, function, iterable, lambda calls: pool.starmap(function, calls, *rest, **record.keywords))
    by_rows(record)
    return values


def refused(record, pool, args):
    raise errors.ReverseNotImplementedError('map_async and starmap_async of a pool have no derivative rule: use map, '
                                            'starmap or apply_async')


POOL, EXECUTOR = multiprocessing.pool.Pool, concurrent.futures.ProcessPoolExecutor
METHODS = {
    EXECUTOR.submit: submit, EXECUTOR.map: executor_map, POOL.map: pool_map, POOL.starmap: starmap, POOL.apply: applied,
    POOL.apply_async: apply_async, POOL.map_async: refused, POOL.starmap_async: refused,
    POOL.imap: functools.partial(pool_map, method='imap'), POOL.imap_unordered: functools.partial(pool_map, method='imap'),
    multiprocessing.pool.ApplyResult.get: result,
}
