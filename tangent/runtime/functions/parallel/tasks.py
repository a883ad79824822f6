"""Dask's tasks (`dask.delayed`, futures of a cluster): what is owed to their values, and what stands for their calls.

The adjoint of a task is a task: it takes the arguments of the first and the gradient of its value, computes the function again
and goes back through it. Nothing but arguments is kept, so that a worker that dies takes nothing along that Dask could not make
again. What is owed to a value is an :class:`Owed`: a sum of values and tasks, added up by a tree where somebody needs it.

A pair of functions here stands for each of Dask's: `pull_...(engine, wanted, *args, **keywords)` gives the value and the way
back, from its gradient to those of the arguments by place; `push_...(engine, args, tangents, keywords, dkeywords)` gives value
and tangent.
"""
import asyncio
import contextlib
import copy as copying
import functools
import inspect
import io
import linecache
import marshal
import operator
import sys
import types
import weakref

import cloudpickle
import dask
import numpy as np
from dask.base import tokenize
from dask.delayed import Delayed

from tangent.errors import ArgumentTypeError, ForwardNotImplementedError
from tangent.runtime import captures
from tangent.runtime.add import add_at, add_grad
from tangent.runtime.array_api import LATER, chunks, is_chunked
from tangent.runtime.broadcast import SHAPE_FUNCTIONS, UNBROADCASTERS, UNREDUCERS, unbroadcast, unreduce, unreduce_like
from tangent.runtime.cast import astype
from tangent.runtime.fields import SCALAR_KINDS, fields, is_object, put_attribute
from tangent.runtime.functions.parallel.opened import Opened
from tangent.runtime.objects import attributes, new_gradient
from tangent.runtime.zeros import INITIALIZERS, ONES, ZeroGrad, init_grad, rebuild_tuple

LARGE = 2 ** 16            # bytes: arguments that are larger are sent once for all tasks


class Runner:
    """Where tasks run: on the cluster of a client, at once; without one as `dask.delayed`, when somebody asks."""

    def __init__(self, client=None, place=None):
        self.client, self.place = client, place

    def __call__(self, function, *args):
        if self.client is None:
            return dask.delayed(function, pure=False)(*map(as_delayed, args))
        where = {'workers': [self.place], 'allow_other_workers': True} if self.place else {}
        return self.client.submit(function, *args, pure=False, **where)

    def whole(self, value):
        """An argument of several tasks: a large array as a task of its own, which each worker gets once."""
        if self.client is None or getattr(value, 'nbytes', 0) < LARGE or is_task(value):
            return value
        return self.client.submit(same, value, key=f'argument-{tokenize(value)}')


def as_delayed(x):
    """A number of a data frame's as a task like others, which `dask.delayed` takes it for only then."""
    if isinstance(x, (list, tuple)) and any(type(v).__name__ == 'Scalar' for v in x):
        return [as_delayed(v) for v in x]
    return x.to_delayed() if type(x).__name__ == 'Scalar' and is_task(x) else x


def same(value):
    return value


COPIES: dict = {}           # id of an array -> (weak reference to it, what it held)


def as_they_are(x, known=None):
    """What a value holds now, for a task that runs when the backward pass has undone what was written into it."""
    known = {} if known is None else known
    if type(x) is np.ndarray:
        return as_it_is(x)
    if isinstance(x, tuple):
        return rebuild_tuple(type(x), [as_they_are(v, known) for v in x])
    if isinstance(x, types.MethodType):
        return types.MethodType(x.__func__, as_they_are(x.__self__, known))
    if id(x) in known or type(x) not in (list, dict, types.FunctionType, functools.partial) and not is_object(x):
        return known.get(id(x), x)
    if type(x) is types.FunctionType:
        return as_it_captures(x, known)
    if type(x) is functools.partial:
        return functools.partial(*(as_they_are(v, known) for v in (x.func, *x.args)), **as_they_are(x.keywords, known))
    found = known[id(x)] = copying.copy(x)
    if type(x) is list:
        found[:] = [as_they_are(v, known) for v in x]
    elif type(x) is dict:
        found.update((k, as_they_are(v, known)) for k, v in x.items())
    else:
        for name, value in fields(x).items():
            put_attribute(found, name, as_they_are(value, known))
    return found


def as_it_captures(f, known):
    """The function with what it has captured as that is now."""
    if not any(map(captures.differentiable, map(captures.content, f.__closure__ or ()))):
        return f
    cells = tuple(types.CellType() for _ in f.__closure__)
    found = known[id(f)] = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, cells)
    found.__kwdefaults__, found.__qualname__, found.__module__ = f.__kwdefaults__, f.__qualname__, f.__module__
    found.__dict__.update(f.__dict__)
    for cell, old in zip(cells, f.__closure__):
        cell.cell_contents = as_they_are(captures.content(old), known)
    return found


def as_it_is(x):
    """A copy of an array; one for all tasks that are given the same."""
    known, held = COPIES.get(id(x), (None, None))
    if known is None or known() is not x or held.dtype != x.dtype or not np.array_equal(held, x):
        held = x.copy()
        COPIES[id(x)] = weakref.ref(x, functools.partial(forgotten, COPIES.pop, id(x))), held
    return held


def forgotten(pop, key, _):
    pop(key, None)


TASKS = {('distributed.client', 'Future'), ('dask.bag.core', 'Item'), ('dask.dataframe.dask_expr._collection', 'Scalar')}


class Marked:
    """Things that are known by identity, for as long as somebody has them."""

    def __init__(self):
        self.references = {}

    def __contains__(self, x):
        found = self.references.get(id(x))
        return found is not None and found() is x

    def mark(self, x):
        with contextlib.suppress(TypeError):               # a number
            self.references[id(x)] = weakref.ref(x, functools.partial(self.forget, id(x)))
        return x

    def forget(self, key, _):
        del self.references[key]


LIFTED: dict = {}           # class of collections -> None, or (x, gradient of what was computed of it) -> what is owed to it
MOVED = Marked()            # collections that may have a derivative: others have none
DATA = Marked()             # lazy values that have none: parts of such collections


def is_task(x):
    return isinstance(x, Delayed) or (type(x).__module__, type(x).__name__) in TASKS


def is_zero(g):
    """Whether nothing is owed."""
    return g is None or type(g) is ZeroGrad or type(g) is float and g == 0 or hasattr(type(g), 'settled') and not g.terms


class Owed:
    """What is owed to a value that tasks compute or are given: a sum of values and tasks.

    terms : pairs of a value or task, and the worker where it will be, None where that is not known
    client : whose cluster the tasks are on; None for `dask.delayed`
    lazy : whether the user gets it as it is, not yet computed
    like : the value itself, where elements of it are given gradients
    origin : for what was owed to an element, (to what that was owed, the index, how many terms it was): what is added is more
    """

    __slots__ = 'terms', 'client', 'lazy', 'like', 'origin', '__weakref__'
    __array_ufunc__ = None          # an array on the left leaves `array + owed` to us

    def __init__(self, terms=(), client=None, lazy=True, like=None, origin=None):
        self.terms, self.client, self.lazy, self.like, self.origin = list(terms), client, lazy, like, origin

    def __repr__(self):
        return f'Owed({len(self.terms)} terms)'

    def __array_function__(self, function, types, args, keywords):
        return self.then(function, *args, **keywords)

    # Sums

    def __add__(self, other):
        if is_zero(other):
            return self
        more = other if isinstance(other, Owed) else Owed([(other, None)])
        return Owed(self.terms + more.terms, self.client or more.client, self.lazy and more.lazy,
                    more.like if self.like is None else self.like, self.origin)

    __radd__ = __add__

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def total(self):
        """One value or task: those on one worker are added there, and then what is left by a tree."""
        runner, groups = Runner(self.client), {}
        for term, place in self.terms:
            groups.setdefault(place, []).append(term)
        left = [*groups.pop(None, ())]
        for place, terms in groups.items():
            left.append(Runner(self.client, place)(sum_of, terms) if len(terms) > 1 else terms[0])
        while len(left) > 1:
            pairs = [left[k:k + 2] for k in range(0, len(left), 2)]
            left = [pair[0] if len(pair) == 1 else sum_of(pair) if not any(map(is_task, pair)) else runner(sum_of, pair)
                    for pair in pairs]
        return left[0] if left else 0.0

    # Everything else is a task more

    def then(self, function, *args, **keywords):
        """What a function makes of it, as a task."""
        args = [a.total() if isinstance(a, Owed) else a for a in args]
        found = Runner(self.client)(call_with, function, args, keywords)
        return Owed([(found, None)], self.client, self.lazy)

    def __neg__(self):
        return self.then(operator.neg, self)

    def __getitem__(self, index):
        found = self.then(operator.getitem, self, index) if self.terms else Owed()
        found.origin = self, index, len(found.terms)
        return found

    def __setitem__(self, index, value):
        """`b[index] += v` in three steps: what was read there before is not added once more."""
        owner, place, known = getattr(value, 'origin', None) or (None, None, 0)
        self.add_at(index, Owed(value.terms[known:], value.client, value.lazy) if owner is self and place is index else value)

    def add_at(self, index, value):
        """Add to the element of the value that stands at the index."""
        if not is_zero(value):
            found = (value if isinstance(value, Owed) else Owed([(value, None)])).placed(index, self.like)
            self.client, self.lazy = self.client or found.client, self.lazy and found.lazy
            self.terms += found.terms

    def spread(self, x, axis, keepdims):
        """What is owed to `x`, where this is owed to a sum of it."""
        if type(x) in LIFTED:
            refuse_met(x)
        return self.then(unreduce_like, self, x, axis=axis, keepdims=keepdims)

    def placed(self, index, x):
        """What is owed to `x`, where this is owed to `x[index]`."""
        return self.then(in_element, x, index, self)

    # What the user gets

    def settled(self, x):
        """The gradient of `x` in its form: computed where the function computed its value, else as lazy as the value is."""
        total = self.total()
        if is_task(x) or self.lazy and is_task(total):
            return Runner(self.client)(astype, total, x) if is_task(total) else dask.delayed(total)
        if not is_task(total):
            return astype(total, x)
        return astype(total.compute() if self.client is None else waited(total), x)


PATIENCE = 3               # seconds after which somebody looks for tasks that wait for a worker which is gone


def waited(future):
    """The value of a future of the backward pass."""
    while True:
        try:
            return future.result(timeout=PATIENCE)
        except asyncio.TimeoutError:                   # noqa: UP041 (another class in Python 3.10)
            if future.done():
                return future.result()
            future.client.run_on_scheduler(let_go)


def let_go(dask_scheduler):
    """Let tasks run anywhere that are bound to workers which are gone: Dask forgets those for which no other was there then."""
    stuck = [ts for ts in dask_scheduler.unrunnable if ts.loose_restrictions and ts.worker_restrictions
             and not any(address in dask_scheduler.workers for address in ts.worker_restrictions)]
    for ts in stuck:
        ts.worker_restrictions = set()
    if stuck and dask_scheduler.workers:
        dask_scheduler.transitions({ts.key: 'processing' for ts in stuck}, 'let-go')


let_go.__module__ = '__main__'              # it is sent with its code: a scheduler need not have this package


def refuse_met(x):
    raise ArgumentTypeError(f'a {type(x).__name__} that has met something with a derivative, as in frame * w, has no '
                            'derivative: compute it in a function that is given to map_partitions')


def call_with(function, args, keywords):
    return function(*args, **keywords)


def sum_of(terms):
    """The sum of gradients, on one worker."""
    found = terms[0]
    for term in terms[1:]:
        found = add_grad(found, term)
    return found


def in_element(x, index, g):
    """The gradient of `x`, from that of `x[index]`."""
    found = init_grad(x)
    return add_at(found, index, g)


def arithmetic(name, reflected):
    function = getattr(operator, name)

    def operation(self, other):
        return self.then(function, other, self) if reflected else self.then(function, self, other)
    return operation


for _name in 'mul truediv pow matmul'.split():
    setattr(Owed, f'__{_name}__', arithmetic(_name, False))
    setattr(Owed, f'__r{_name}__', arithmetic(_name, True))
UNBROADCASTERS[Owed] = lambda b, x: b if isinstance(x, Owed) or not b.terms else b.then(unbroadcast, b, x)
UNREDUCERS[Owed] = lambda b, *how: b.then(unreduce, b, *how)
INITIALIZERS[Owed] = (lambda x: 0.0, False)
SCALAR_KINDS.add(Owed)
LATER[Owed] = lambda function, *args: next(a for a in args if isinstance(a, Owed)).then(function, *args)


def register(kind):
    """Make values of a class of Dask's known: numbers to derivatives, of which nothing can be asked."""
    SCALAR_KINDS.add(kind)
    SHAPE_FUNCTIONS[kind] = lambda x: ()
    LATER[kind] = Runner()
    ONES[kind] = lambda x: 1.0
    INITIALIZERS[kind] = (lambda x: Owed(like=x), False)


# Functions on their way to a worker

class Shipped:
    """A function as bytes, by which workers know it again.

    here : whether it is the function itself in this process, for tasks before which nothing that it holds will change
    """

    def __init__(self, function, here=False):
        file = io.BytesIO()
        Pickler(file).dump(function)
        self.text, self.function = file.getvalue(), function if here else None

    def __getstate__(self):
        return {'text': self.text, 'function': None}

    def __dask_tokenize__(self):
        return self.text


class Pickler(cloudpickle.Pickler):
    """As cloudpickle; what it sends of functions that a worker cannot import comes with the text of their file."""

    def reducer_override(self, thing):
        if isinstance(thing, types.CodeType):
            return restored, (marshal.dumps(thing, 2), thing.co_filename, linecache.getlines(thing.co_filename))
        return super().reducer_override(thing)


CODES: dict = {}           # code -> itself: one object for all that are equal, by which derivatives are known


def restored(text, filename, lines):
    """The code that was sent, whose lines can be read here, too."""
    linecache.cache.setdefault(filename, (sum(map(len, lines)), None, lines, filename))
    code = marshal.loads(text)
    return CODES.setdefault(code, code)


# The adjoint of one call

def gone_back(engine, runner, call, wanted, g):
    """Place -> what is owed to the arguments of a call `(f, args, keywords)`; 'f' stands for itself among the `wanted`."""
    if is_zero(g):
        return {}
    call = Opened(*call, wanted)
    f, args, keywords, wanted = call.function, call.args, call.keywords, call.wanted
    lazy = g.lazy if isinstance(g, Owed) else runner.client is None
    places = tuple(k for k in wanted if k != 'f')
    total = g.total() if isinstance(g, Owed) else g
    given = [runner.whole(a) for a in args], {k: runner.whole(v) for k, v in keywords.items()}
    given = as_they_are(given) if runner.client is None else given
    shipped = f if is_task(f) else Shipped(f)
    found = runner(engine.adjoint, shipped, places, 'f' in wanted, *given, total)

    def owed(path, value):
        value = value.__self__ if isinstance(value, types.MethodType) else value
        if is_object(value):
            return of_object(value, {name: owed((*path, Attribute(name)), v) for name, v in moving(value).items()})
        value = captures.environment(value) if callable(value) and not is_task(value) else value
        if isinstance(value, dict):
            return {k: owed((*path, k), v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [owed((*path, k), v) for k, v in enumerate(value)]
        return Owed([(runner(part_of, found, path), runner.place)], runner.client, lazy)
    first = {'f': owed((0,), captures.environment(f))} if 'f' in wanted else {}
    values = {k: args[k] if isinstance(k, int) else keywords[k] for k in places}
    return call.closed({**first, **{k: owed((n + len(first),), values[k]) for n, k in enumerate(places)}})


class Attribute(str):
    """The name of an attribute, in the path of a part of a gradient."""


def part_of(found, path):
    for key in path:
        found = getattr(found, key, None) if isinstance(key, Attribute) else found[key]
    return found


def moving(x):
    """Name -> value for what an object holds that may have a gradient."""
    return {name: value for name, value in attributes(x).items() if captures.differentiable(value)}


def of_object(x, parts):
    """The gradient of an object, of those of what it holds."""
    found = new_gradient(x)
    for name, part in parts.items():
        object.__setattr__(found, name, part)
    return found


def place_of(future):
    """The worker that has the value of a future, None where that is not known."""
    places = future.client.who_has([future]).get(future.key) if future.status == 'finished' else ()
    return min(places) if places else None


# Tasks of a cluster

def own_options(function, keywords):
    """(keywords for the function that is submitted, those for `submit` itself)."""
    own = inspect.signature(function).parameters
    return {k: v for k, v in keywords.items() if k not in own}, {k: v for k, v in keywords.items() if k in own}


def refuse_clients(f):
    """Refuse a task that makes tasks itself: its adjoint would wait for those in a place that they need."""
    code = getattr(inspect.unwrap(getattr(f, '__func__', f)), '__code__', None)
    found = [f.__globals__.get(n) for n in code.co_names] if code is not None and hasattr(f, '__globals__') else ()
    if any(thing is sys.modules['distributed'].worker_client for thing in found):
        raise ArgumentTypeError(f'{f.__qualname__} asks for a client of its own (worker_client), of which there is no '
                                'derivative: submit its tasks outside, and give it their futures')


def shifted(wanted, by):
    """The places of a call inside another one: `f` stands right before its arguments."""
    return [k - by if isinstance(k, int) and k >= by else 'f' if k == by - 1 else k for k in wanted
            if not isinstance(k, int) or k >= by - 1]


def outwards(found, by):
    return {by - 1 if k == 'f' else k + by if isinstance(k, int) else k: g for k, g in found.items()}


def pull_submit(engine, wanted, client, f, *args, **keywords):
    refuse_clients(f)
    given, _ = own_options(type(client).submit, keywords)
    inner = engine.asked(f, shifted(wanted, 2), args, given)
    future = client.submit(f, *args, **keywords)

    def back(g):
        runner = Runner(client, None if is_zero(g) else place_of(future))
        return outwards(gone_back(engine, runner, (f, args, given), inner, g), 2)
    return future, back


def among(dkeywords, given):
    """The tangents of keywords that are given to the function itself."""
    return {k: v for k, v in dkeywords.items() if k in given}


def push_submit(engine, args, tangents, keywords, dkeywords):
    client, f, *args = args
    refuse_clients(f)
    given, own = own_options(type(client).submit, keywords)
    own.pop('key', None)
    along = plain((tangents[2:], among(dkeywords, given), tangents[1]))
    pair = client.submit(engine.tangent, Shipped(f, True), (args, given), along, **own)
    return client.submit(operator.getitem, pair, 0), client.submit(operator.getitem, pair, 1)


def pull_map(engine, wanted, client, f, *iterables, **keywords):
    refuse_clients(f)
    given, _ = own_options(type(client).map, keywords)
    rows = list(zip(*iterables))
    inner = engine.asked(f, shifted(wanted, 2), rows[0], given) if rows else []
    futures = client.map(f, *map(list, zip(*rows)), **keywords) if rows else []

    def back(g):
        if is_zero(g):
            return {}
        places = client.who_has(futures)
        runners = [Runner(client, min(places.get(u.key) or [None])) for u in futures]
        found = [outwards(gone_back(engine, runner, (f, row, given), inner, part), 2)
                 for runner, row, part in zip(runners, rows, g)]
        each = {k + 2: [part.get(k + 2) for part in found] for k in range(len(iterables))}
        shared = {k: add_all([part[k] for part in found if k in part]) for k in (1, *given)}
        return {**each, **shared}
    return futures, back


def push_map(engine, args, tangents, keywords, dkeywords):
    client, f, *iterables = args
    refuse_clients(f)
    given, own = own_options(type(client).map, keywords)
    shipped, values, moved = Shipped(f, True), [], []
    for k, row in enumerate(zip(*iterables)):
        along = [None if t is None else t[k] for t in tangents[2:]]
        pair = client.submit(engine.tangent, shipped, (row, given), plain((along, among(dkeywords, given), tangents[1])))
        values.append(client.submit(operator.getitem, pair, 0))
        moved.append(client.submit(operator.getitem, pair, 1))
    return values, moved


def add_all(parts):
    found = None
    for part in parts:
        found = part if found is None else add_grad(found, part)
    return found


def pull_result(engine, wanted, future, *args, **keywords):
    return own(future.result(*args, **keywords)), lambda g: {0: lifted(future, g)}


def push_result(engine, args, tangents, keywords, dkeywords):
    return args[0].result(*args[1:], **keywords), tangents[0].result()


def lifted(x, g, client=None):
    """What is owed to something lazy, from the gradient of what was computed of it: in the structure of `x`."""
    if is_zero(g):
        return None
    if isinstance(x, (list, tuple)):
        return [lifted(v, part, client) for v, part in zip(x, g)]
    if isinstance(x, dict):
        return {k: lifted(v, g.get(k), client) for k, v in x.items()}
    if is_chunked(x):
        return chunks().as_chunks(in_chunks(g, x) if isinstance(g, Owed) else g, x)
    if isinstance(g, Owed):
        return g
    if type(x) in LIFTED:
        return LIFTED[type(x)](x, g) if x in MOVED else None
    if not is_task(x):
        return g
    return Owed([(g, None)], client or (None if isinstance(x, Delayed) else getattr(x, 'client', None)), False)


def in_chunks(g, x):
    """What is owed to the value of a lazy array, as one."""
    total = g.total()
    if not is_task(total):
        return total
    import dask.array as da
    return da.from_delayed(total, x.shape, x.dtype) if isinstance(total, Delayed) else waited(total)


def pull_gather(engine, wanted, client, futures, *args, **keywords):
    futures = list(futures) if not isinstance(futures, (list, tuple, dict)) and not is_task(futures) else futures
    return own(client.gather(futures, *args, **keywords)), lambda g: {1: lifted(futures, g, client)}


def own(value):
    """The value, with arrays in memory of their own: those that have come by the network are views of bytes."""
    if isinstance(value, np.ndarray):
        return value.copy() if value.base is not None else value
    if type(value) in (list, tuple):
        return type(value)(map(own, value))
    return {k: own(v) for k, v in value.items()} if type(value) is dict else value


def push_gather(engine, args, tangents, keywords, dkeywords):
    client, futures, *rest = args
    return client.gather(futures, *rest, **keywords), client.gather(plain(tangents[1]))


def plain(dt):
    """Tangents in dicts and lists of Python's own, as Dask looks into those."""
    if isinstance(dt, dict):
        return {k: plain(v) for k, v in dt.items()}
    return list(map(plain, dt)) if isinstance(dt, (list, tuple)) else dt


def pull_scatter(engine, wanted, client, data, *args, **keywords):
    return client.scatter(data, *args, **keywords), lambda g: {1: g}


def push_scatter(engine, args, tangents, keywords, dkeywords):
    client, data, *rest = args
    return client.scatter(data, *rest, **keywords), client.scatter(tangents[1], *rest, **keywords)


class Completed(list):
    """What `as_completed` gives in a derivative: all futures, in the order in which they have finished."""

    def refused(self, *args, **keywords):
        raise ArgumentTypeError('as_completed(...).batches, add and the like have no derivative: go through it by `for`, '
                                'all futures given at once')

    batches = add = update = has_ready = next_batch = is_empty = clear = count = refused      # type: ignore[assignment]


def completed(kind, futures, keywords):
    """(what `as_completed` gives, as a list; the place of each among the futures)."""
    futures = list(futures)
    places = {future.key: k for k, future in enumerate(futures)}
    pairs = keywords.get('with_results', False)
    found = Completed((each[0], own(each[1])) if pairs else each for each in kind(futures, **keywords))
    return found, [places[(each[0] if pairs else each).key] for each in found], futures


def pull_completed(engine, wanted, kind, futures, **keywords):
    values, order, futures = completed(kind, futures, keywords)

    def back(g):
        found = [None] * len(futures)
        for place, part in zip(order, g or ()):
            if keywords.get('with_results', False) and part is not None:
                part = add_all([v for v in (part[0], lifted(futures[place], part[1])) if not is_zero(v)])
            found[place] = part if found[place] is None else add_grad(found[place], part)
        return {1: found}
    return values, back


def push_completed(engine, args, tangents, keywords, dkeywords):
    kind, futures = args
    values, order, _ = completed(kind, futures, keywords)
    moved = [tangents[1][place] for place in order]
    return values, [(None, m.result()) for m in moved] if keywords.get('with_results', False) else moved


# Values that are not computed yet

def pull_call(engine, wanted, delayed, *args, **keywords):
    """The call of a delayed function."""
    given = {k: v for k, v in keywords.items() if k not in ('dask_key_name', 'pure')}
    f = getattr(delayed, '_obj', delayed) if type(delayed).__name__ == 'DelayedLeaf' else delayed
    inner = [k for k in shifted(wanted, 1) if not isinstance(k, int) or args[k] not in DATA]
    inner = engine.asked(f, inner, args, given) if f is not delayed else inner

    def back(g):
        return outwards(gone_back(engine, Runner(), (f, args, given), inner, g), 1)
    return delayed(*map(as_they_are, args), **as_they_are(keywords)), back


def push_call(engine, args, tangents, keywords, dkeywords):
    delayed, *args = args
    f = delayed._obj if type(delayed).__name__ == 'DelayedLeaf' else delayed
    given = {k: v for k, v in keywords.items() if k not in ('dask_key_name', 'pure')}
    along = plain((tangents[1:], among(dkeywords, given), tangents[0]))
    pair = Runner()(engine.tangent, f if f is delayed else Shipped(f, True), (args, given), along)
    part = dask.delayed(operator.getitem, pure=False, nout=getattr(delayed, '_nout', None))
    return part(pair, 0), part(pair, 1)


def pull_method(engine, wanted, method, *args, **keywords):
    """The call of a method of a value that is not computed yet: `x.sum()`."""
    owner = method._obj
    inner = [k for k in wanted if k != 0]

    def back(g):
        return gone_back(engine, Runner(), (called, (owner, *args), given), [0, *inner], g)
    called, given = of_method(engine, method._attr, args, keywords)
    return method(*map(as_they_are, args), **as_they_are(keywords)), back


def of_method(engine, name, args, keywords):
    """(the function that calls the method, the keywords that are its own)."""
    given = {k: v for k, v in keywords.items() if k not in ('dask_key_name', 'pure')}
    return engine.caller(name, len(args), tuple(given)), given


def push_method(engine, args, tangents, keywords, dkeywords):
    method, *rest = args
    called, given = of_method(engine, method._attr, rest, keywords)
    along = plain((tangents, among(dkeywords, given), None))
    pair = Runner()(engine.tangent, Shipped(called), ((method._obj, *rest), given), along)
    return Runner()(operator.getitem, pair, 0), Runner()(operator.getitem, pair, 1)


def pull_delayed(engine, wanted, obj, *args, **keywords):
    def back(g):
        return {0: g if is_zero(g) else unpacked(g, obj)}
    return dask.delayed(as_they_are(obj), *args, **keywords), back


def unpacked(g, obj):
    """What is owed to the parts of a list, dict or object that was made delayed as a whole."""
    if is_object(obj) and isinstance(g, Owed):
        return of_object(obj, {n: unpacked(g.then(part_of, g, (Attribute(n),)), v) for n, v in moving(obj).items()})
    if not isinstance(obj, (list, tuple, dict)):
        return g
    items = obj.items() if isinstance(obj, dict) else enumerate(obj)
    found = {k: g[k] for k, _ in items}
    return found if isinstance(obj, dict) else list(found.values())


def push_delayed(engine, args, tangents, keywords, dkeywords):
    return dask.delayed(*args, **keywords), dask.delayed(tangents[0])


def pull_computed(engine, wanted, x, **keywords):
    if x in MOVED and LIFTED[type(x)] is None:
        raise ArgumentTypeError(f'a {type(x).__name__} that is computed as a whole has no derivative: add it up before, '
                                '.sum().compute()')
    return own(x.compute(**keywords)), lambda g: {0: lifted(x, g)}


def push_computed(engine, args, tangents, keywords, dkeywords):
    x, moved = dask.compute(args[0], plain(tangents[0]), **keywords)
    return x, moved


def pull_compute(engine, wanted, *args, **keywords):
    found = own(dask.compute(*args, **keywords))
    return found, lambda g: {k: lifted(x, part) for k, (x, part) in enumerate(zip(args, g or ()))}


def push_compute(engine, args, tangents, keywords, dkeywords):
    values, moved = dask.compute(args, plain(tangents), **keywords)
    return values, moved


def pull_persist(engine, wanted, x, **keywords):
    value = x.persist(**keywords)
    return MOVED.mark(value) if x in MOVED else value, lambda g: {0: g}


def push_persist(engine, args, tangents, keywords, dkeywords):
    return args[0].persist(**keywords), tangents[0].persist(**keywords)


def pull_persist_all(engine, wanted, *args, **keywords):
    """`dask.persist` gives what it is given, computed."""
    values = dask.persist(*args, **keywords)
    return tuple(MOVED.mark(v) if x in MOVED else v for v, x in zip(values, args)), \
        lambda g: {} if g is None else dict(enumerate(g))


def push_persist_all(engine, args, tangents, keywords, dkeywords):
    moved = [k for k, t in enumerate(tangents) if t is not None]
    found = dask.persist(*args, *(tangents[k] for k in moved), **keywords)
    along = dict(zip(moved, found[len(args):]))
    return found[:len(args)], tuple(along.get(k) for k in range(len(args)))


def pull_client_persist(engine, wanted, client, x, *args, **keywords):
    value = client.persist(x, *args, **keywords)
    return MOVED.mark(value) if not isinstance(x, (list, tuple)) and x in MOVED else value, lambda g: {1: g}


def push_client_persist(engine, args, tangents, keywords, dkeywords):
    client, x, *rest = args
    return client.persist(x, *rest, **keywords), client.persist(plain(tangents[1]), *rest, **keywords)


class Waited:
    """What `distributed.wait` gives: nothing that a derivative knows."""

    def __getattr__(self, name):
        raise ArgumentTypeError('what distributed.wait gives has no derivative: go through the futures themselves')

    def __iter__(self):
        return self.done


def pull_wait(engine, wanted, futures, *args, **keywords):
    sys.modules['distributed'].wait(futures, *args, **keywords)
    return Waited(), lambda g: {}


def push_wait(engine, args, tangents, keywords, dkeywords):
    sys.modules['distributed'].wait(*args, **keywords)
    return Waited(), None


def pull_release(engine, wanted, future):
    """What is let go of early is still needed by its adjoint: it is let go of with the last who holds it."""
    return None, lambda g: {}


def push_release(engine, args, tangents, keywords, dkeywords):
    for future in (args[0], tangents[0]):
        if hasattr(future, 'release'):
            future.release()
    return None, None


def pull_client_compute(engine, wanted, client, x, *args, **keywords):
    value = client.compute(x, *args, **keywords)
    return value, lambda g: {1: lifted(x, g, client)}


def push_client_compute(engine, args, tangents, keywords, dkeywords):
    client, x, *rest = args
    return client.compute(x, *rest, **keywords), client.compute(tangents[1], *rest, **keywords)


def pull_from_delayed(engine, wanted, value, *args, **keywords):
    import dask.array as da

    def back(g):
        return {} if is_zero(g) else {0: Owed([(g.rechunk(-1).to_delayed().ravel()[0], None)])}
    return da.from_delayed(value, *args, **keywords), back


def push_from_delayed(engine, args, tangents, keywords, dkeywords):
    import dask.array as da
    return da.from_delayed(*args, **keywords), da.from_delayed(tangents[0], *args[1:], **keywords)


def refused(name):
    """What stands for a function of Dask's through which no derivative is known to flow."""
    def pull(engine, wanted, *args, **keywords):
        raise ArgumentTypeError(f'{name} has no derivative: submit functions with client.submit or client.map, or wrap them in '
                                'dask.delayed, and compute with dask.array or in those functions (docs/scale.md)')

    def push(engine, args, tangents, keywords, dkeywords):
        raise ForwardNotImplementedError(f'{name} has no rule for forward mode')
    return pull, push
