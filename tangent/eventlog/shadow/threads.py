"""Tasks, threads and queues in the log form: their adjoints run in threads, too, in the reverse order.

The adjoint of a task starts where the first wait for its result is undone, and is joined where the submission is; that of
a `get` hands the gradient of an item to the adjoint of its `put`, which waits for it. Tasks that write into something, and
ran one after the other, go back one after the other: what comes too early starts where it is joined.
"""
import concurrent.futures
import functools
import itertools
import queue
import threading
import types
import weakref

from tangent.analysis.effects import Effects, writes
from tangent.eventlog.shadow.values import OWN

LOCKED = '''give take take_whole take_full take_from take_slice take_piece take_array give_item give_attribute give_part
    give_cell take_cell undo_append undo_item undo_update undo_item_update undo_attribute'''.split()


class Locked:
    """A table that several backward passes fill at once: one operation at a time."""


def locked(name):
    def method(self, *args):
        with self.lock:
            return getattr(super(Locked, self), name)(*args)
    return method


for _name in LOCKED:
    setattr(Locked, _name, locked(_name))


@functools.cache
def shared(kind):
    return type(f'Shared{kind.__name__}', (Locked, kind), {})


def share(grads):
    if not isinstance(grads, Locked):
        grads.lock = threading.RLock()
        grads.__class__ = shared(type(grads))


TICKS = itertools.count()
WRITES: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()      # function -> whether it may write into what others see


def may_write(function):
    function = getattr(function, '__func__', function)
    if not isinstance(function, types.FunctionType):
        return True
    if function not in WRITES:
        done = Effects().of(function)
        WRITES[function] = writes(done) or not done.read
    return WRITES[function]


class Task:
    """A call in a thread of its own: the forward one, and later the backward one.

    apart : whether its value is not that of the call itself, but one like it that has come from another process
    among : the tasks of the same pool that write into something, of which it is one
    begun, ended, over : when it ran, and whether its adjoint has
    """

    apart, among, begun, ended, over = False, (), None, None, False

    def __init__(self, record):
        self.record, self.gradient, self.awaited = record, None, False
        self.thread, self.found, self.error = None, {}, None

    def run(self):
        self.begun = next(TICKS)
        try:
            return self.record.run()
        finally:
            self.ended = next(TICKS)

    def is_followed(self):
        """Whether another one that writes ran after it, and is yet to go back."""
        return any(each.begun is not None and each.begun > self.ended and not each.over for each in list(self.among))

    def launch(self, grads):
        share(grads)
        self.thread = threading.Thread(target=self.back, args=(grads,))
        self.thread.start()

    def back(self, grads):
        try:
            g, _ = self.record.take(grads, self.gradient)
            self.found = self.record.found(grads, g)
        except BaseException as error:
            self.error = error
        finally:
            self.over = True

    def join(self, grads):
        """The gradients of the arguments of the call."""
        if self.thread is None:
            self.launch(grads)
        self.thread.join()
        if self.error is not None:
            raise self.error
        return self.found


def inner(record, function, args, keywords, shift):
    """The record of the call that a task makes; `shift` arguments of the submission stand before its own."""
    flags = tuple(OWN if k == shift - 1 else k - shift if type(k) is int else k for k in record.positions()
                  if type(k) is not int or k >= shift - 1)
    return record.left(function, args, keywords, flags)      # whoever waits for it may go on where it raises


def outwards(found, shift):
    return {shift - 1 if k == OWN else k + shift if type(k) is int else k: g for k, g in found.items()}


def submit(record, pool, args):
    function, *rest = args
    task = Task(inner(record, function, tuple(rest), record.keywords, 1))
    if may_write(function):
        task.among = vars(pool).setdefault('_writing', weakref.WeakSet())
        task.among.add(task)
    future = pool.submit(task.run)
    future.task = task
    record.backward = lambda grads, g: outwards(task.join(grads), 1)
    return future


def result(record, future, args):
    value = future.result(*args, **record.keywords)
    task = getattr(future, 'task', None)
    if task is not None:
        awaited(record, task, value)
    return value


def awaited(record, task, value):
    """The first wait for a task is the last to be undone: then its adjoint starts."""
    first, task.awaited = not task.awaited, True
    task.value = value
    record.structured = task.apart and isinstance(value, (list, tuple, dict))

    def backward(grads, g):
        if g is not None:
            task.gradient = grads.give(value, g, task.gradient)
        if first and not (task.among and task.is_followed()):
            task.launch(grads)
        return {}
    record.backward = backward


def mapped(record, pool, args):
    function, *iterables = args
    records = [inner(record, function, items, {}, 1) for items in zip(*iterables)]
    values = list(pool.map(lambda each: each.run(), records))
    record.structured = True

    def backward(grads, g):
        share(grads)
        with concurrent.futures.ThreadPoolExecutor(pool._max_workers) as workers:
            parts = [None] * len(records) if g is None else g
            found = list(workers.map(lambda pair: pair[0].found(grads, pair[1]), list(zip(records, parts))[::-1]))[::-1]
        for each in found:
            grads.give(function, each.get(OWN))
        return {k + 1: [each.get(k) for each in found] for k in range(len(iterables))}
    record.backward = backward
    return values


def thread(record, kind, args):
    """threading.Thread(target=f, args=(x,))."""
    given = dict(zip(('group', 'target', 'name', 'args', 'kwargs'), args)) | record.keywords
    values = tuple(given.get('args', ()))
    own = [*record.positions()]
    flags = (OWN,) * ('target' in own or 1 in own) + tuple(range(len(values))) * ('args' in own or 3 in own)
    task = Task(record.left(given['target'], values, given.get('kwargs') or {}, flags))
    made = kind(target=task.record.run, daemon=given.get('daemon'), name=given.get('name'))
    made.task = task

    def backward(grads, g):
        found = task.join(grads)
        parts = [found.get(k) for k in range(len(values))]
        return {'target': found.get(OWN), 1: found.get(OWN), 'args': parts, 3: parts}
    record.backward = backward
    return made


def started(record, made, args):
    made.start()
    if hasattr(made, 'task'):
        record.backward = lambda grads, g: made.task.join(grads) and {}


def joined(record, made, args):
    made.join(*args, **record.keywords)
    if hasattr(made, 'task'):
        awaited(record, made.task, None)


class Sent:
    """An item on its way through a queue."""

    def __init__(self, value):
        self.value, self.gradient, self.arrived = value, None, threading.Event()
        self.taken = False

    def __lt__(self, other):
        """In queues that sort."""
        return self.value < other.value


def put(record, channel, args):
    sent = Sent(args[0])
    channel.put(sent, *args[1:], **record.keywords)

    def backward(grads, g):
        if sent.taken:
            sent.arrived.wait()
        return {0: sent.gradient}
    record.backward = backward


def get(record, channel, args):
    sent = channel.get(*args, **record.keywords)
    if not isinstance(sent, Sent):
        return sent
    sent.taken = True

    def backward(grads, g):
        sent.gradient = grads.give(sent.value, g)
        sent.arrived.set()
        return {}
    record.backward = backward
    return sent.value


def told(name):
    """What a queue tells, or does to nothing that is in it."""
    return lambda record, channel, args: getattr(channel, name)(*args, **record.keywords)


METHODS = {
    concurrent.futures.ThreadPoolExecutor.submit: submit, concurrent.futures.Executor.map: mapped,
    concurrent.futures.Future.result: result, queue.Queue.put: put, queue.Queue.get: get,
    threading.Thread.start: started, threading.Thread.join: joined,
}
METHODS[concurrent.futures.ThreadPoolExecutor.map] = mapped
METHODS |= {getattr(queue.Queue, name): told(name) for name in 'empty full qsize task_done join'.split()}
METHODS[queue.Queue.put_nowait] = lambda record, channel, args: put(record, channel, (*args, False))
METHODS[queue.Queue.get_nowait] = lambda record, channel, args: get(record, channel, (False,))
