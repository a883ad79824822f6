"""Pools of processes in the log form: adjoints run in the same pool, or in one of its kind where that is closed by then.

    future = pool.submit(f, x)         the adjoint of a task starts where the first wait for its result is undone,
    ys = list(pool.map(f, xs))         and is joined where it was submitted

A task is sent off once more for its adjoint, as it was then, and computes again what that needs. What cannot be sent is
refused before it is.
"""
import concurrent.futures
import functools
import multiprocessing.context
import multiprocessing.pool
import pickle
import weakref

from tangent import errors
from tangent.eventlog.shadow.threads import awaited, mapped, outwards, share
from tangent.eventlog.shadow.values import is_number
from tangent.runtime.functions.parallel.opened import Opened


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


class Call(Opened):
    """The call of a task, with what its function holds among its arguments where that has a derivative: `holds`."""

    def __init__(self, function, args, keywords, wanted, holds):
        super().__init__(function, args, keywords, ('f', *wanted) if holds else wanted, plain=True)

    def owed(self, grads, found):
        """(what is owed to the function, the gradients of the arguments of the call itself), of those of all."""
        inside = None
        for f, n, named in self.layers[::-1]:
            own = {k: g for k, g in found.items() if k in named or type(k) is int and k < n}
            found = {k - n if type(k) is int else k: g for k, g in found.items() if k not in own}
            if isinstance(f, functools.partial):
                parts = [settled(grads, v, own.get(k)) for k, v in enumerate(f.args)]
                inside = inside, parts, {k: settled(grads, f.keywords[k], own[k]) for k in named if k in own}
            else:
                grads.give(getattr(f, '__self__', f), own.get(0))
        return inside, found


def settled(grads, value, g):
    """What is left to be handed on of the gradient of a value: that of an array or an object is in the table then."""
    return g if g is None or isinstance(value, tuple) or is_number(value) else grads.give(value, g)


class Workers:
    """The processes for the adjoints of one pool: its own while it is open, else others of its kind while one is waited for."""

    def __init__(self, pool):
        self.pool = weakref.ref(pool)
        if isinstance(pool, concurrent.futures.ProcessPoolExecutor):
            self.kind = pool._max_workers, pool._mp_context, pool._initializer, pool._initargs
        else:
            self.kind = pool._processes, pool._ctx, pool._initializer, pool._initargs
        self.executor, self.running = None, set()

    def submit(self, *call):
        """What has the value of a call, in time."""
        pool = self.pool()
        if isinstance(pool, concurrent.futures.ProcessPoolExecutor) and not (pool._shutdown_thread or pool._broken):
            return pool.submit(*call)
        if isinstance(pool, multiprocessing.pool.Pool) and pool._state == multiprocessing.pool.RUN:
            return pool.apply_async(call[0], call[1:])
        if self.executor is None:
            self.executor = concurrent.futures.ProcessPoolExecutor(*self.kind)
        later = self.executor.submit(*call)
        self.running.add(later)
        return later

    def join(self, later):
        """The value; the last of our own processes end with the last task."""
        try:
            return later.get() if isinstance(later, LATER) else later.result()
        finally:
            self.running.discard(later)
            if self.executor is not None and not self.running:
                self.executor.shutdown()
                self.executor = None


WORKERS: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def workers_of(pool):
    if pool not in WORKERS:
        WORKERS[pool] = Workers(pool)
    return WORKERS[pool]


class Remote:
    """A task in another process; see `threads.Task`."""

    apart, among = True, ()

    def __init__(self, record, pool, call):
        self.call, self.wanted = call, call.wanted
        self.payload = packed(call.function, call.args, call.keywords)
        self.workers, self.gradients = workers_of(pool), record.in_other_process
        self.gradient, self.value, self.awaited, self.future = None, None, False, None
        self.made = None                     # what the call of the user's has given: a future

    def failed(self):
        """Whether the task has raised an exception, or was not run: nobody has its value."""
        if isinstance(self.made, LATER):
            return self.made.ready() and not self.made.successful()
        return self.made is not None and self.made.done() and (self.made.cancelled() or self.made.exception() is not None)

    def launch(self, grads):
        share(grads)
        if self.wanted:
            gradient = grads.take_whole(self.value, self.gradient)
            self.future = self.workers.submit(self.gradients, self.payload, self.wanted, gradient)

    def join(self, grads):
        """(what is owed to the function, the gradients of the arguments)."""
        if self.failed():
            return None, {}
        if self.future is None and self.wanted:
            self.launch(grads)
        return self.call.owed(grads, dict(zip(self.wanted, self.workers.join(self.future)))) if self.wanted else (None, {})


def submit(record, pool, args):
    function, *rest = args
    task = Remote(record, pool, Call(function, rest, record.keywords, places(record, 1), 0 in record.positions()))
    future = pool.submit(function, *rest, **record.keywords)
    future.task, task.made = task, future

    def backward(grads, g):
        inside, found = task.join(grads)
        return {0: inside, **outwards(found, 1)}
    record.backward = backward
    return future


def apply_async(record, pool, args):
    """pool.apply_async(f, args, kwds)"""
    given = dict(zip(('func', 'args', 'kwds', 'callback', 'error_callback'), args)) | record.keywords
    if given.get('callback') is not None:
        raise errors.ReverseNotImplementedError('callbacks of a pool have no derivative rule: use what get() returns')
    values, keywords = tuple(given.get('args', ())), given.get('kwds') or {}
    asked = {*record.positions()}
    wanted = (*range(len(values) if {1, 'args'} & asked else 0), *(keywords if {2, 'kwds'} & asked else ()))
    task = Remote(record, pool, Call(given['func'], values, keywords, wanted, bool({0, 'func'} & asked)))
    made = pool.apply_async(given['func'], values, keywords)
    made.task, task.made = task, made

    def backward(grads, g):
        inside, found = task.join(grads)
        parts, named = [found.get(k) for k in range(len(values))], {k: found[k] for k in keywords if k in found}
        return {'func': inside, 0: inside, 'args': parts, 1: parts, 'kwds': named, 2: named}
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
        awaited(record, task, value)
        if before is not None:
            wait = record.backward
            record.backward = lambda grads, g: wait(grads, g) and {} or before(grads, g)
    return value


def each(record, pool, function, calls, call):
    """The values of many calls, by `call`, which runs them all; their adjoints run many at a time, too."""
    calls = [tuple(each) for each in calls]
    holds, wanted = 0 in record.positions(), tuple(range(max(map(len, calls), default=0)))
    opened = [Call(function, each, {}, wanted, holds) for each in calls]
    payloads = [packed(each.function, each.args, each.keywords) for each in opened]
    values = list(call([*calls]))
    record.structured = True

    def backward(grads, g):
        workers = workers_of(pool)
        parts = [None] * len(calls) if g is None else g
        futures = [workers.submit(record.in_other_process, payload, each.wanted, part)
                   for each, payload, part in list(zip(opened, payloads, parts))[::-1]][::-1]
        rows = []
        for each, future in zip(opened, futures):
            inside, found = each.owed(grads, dict(zip(each.wanted, workers.join(future))))
            if inside is not None:
                grads.give(function, inside)
            rows.append([found[k] for k in wanted])
        return rows
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


def told(record, owner, args, name):
    """What says how far tasks have come, or waits, or ends: no value goes through it."""
    return getattr(owner, name)(*args, **record.keywords)


def made(record, kind, args):
    """A pool, for which what has a derivative may not be set up beside the tasks."""
    if {'initializer', 'initargs', 2, 3} & {*record.positions()}:
        raise errors.ReverseNotImplementedError('what a pool is set up with has no derivative: give it to the tasks')
    return kind(*args, **record.keywords)


POOL, EXECUTOR = multiprocessing.pool.Pool, concurrent.futures.ProcessPoolExecutor
FUTURE, LATER = concurrent.futures.Future, multiprocessing.pool.AsyncResult
TOLD = [(EXECUTOR, 'shutdown'), (concurrent.futures.ThreadPoolExecutor, 'shutdown'),
        *((POOL, name) for name in ('close', 'join', 'terminate')),
        *((FUTURE, name) for name in ('done', 'running', 'cancel', 'cancelled')),
        *((LATER, name) for name in ('wait', 'ready', 'successful'))]
METHODS = {
    EXECUTOR.submit: submit, EXECUTOR.map: executor_map, POOL.map: pool_map, POOL.starmap: starmap, POOL.apply: applied,
    POOL.apply_async: apply_async, POOL.map_async: refused, POOL.starmap_async: refused,
    POOL.imap: functools.partial(pool_map, method='imap'), POOL.imap_unordered: functools.partial(pool_map, method='imap'),
    LATER.get: result, **{getattr(kind, name): functools.partial(told, name=name) for kind, name in TOLD},
    multiprocessing.context.BaseContext.Pool: lambda record, owner, args: made(record, owner.Pool, args),
}
