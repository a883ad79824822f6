"""Methods of builtin containers and arrays that write, and functions of NumPy that do: each with its way back.

Each entry takes the record of the call, the owner and the arguments; it does what Python does and sets
`record.backward`, which undoes that and gives the gradients of the arguments.
"""
from __future__ import annotations

import bisect
import collections
import dataclasses
import heapq
import operator
import types

import numpy as np

from tangent import errors
from tangent.heap import before_attribute, fitted


class Generated:
    """A generator of the user's in a differentiated program: hands its values on, takes back their gradients.

    The adjoint is a generator, too: it stops where the gradient of a yielded value is wanted, the last one first.
    """

    def __init__(self, generator, adjoint, log):
        self.generator, self.adjoint, self.log = generator, adjoint, log
        self.count, self.backward, self.result = 0, None, None

    def __iter__(self):
        return self

    def __next__(self):
        value = next(self.generator)
        self.count += 1
        return value

    def close(self):
        self.generator.close()

    def receive(self, grads, index, term):
        """The gradient of the value number `index`; those after it have none."""
        self.begin(grads)
        while self.count > index + 1:
            self.send(None)
        self.send(term)

    def begin(self, grads):
        if self.backward is None:
            self.backward = self.adjoint(grads, self.log, None)
            self.advance(next)

    def send(self, term):
        self.count -= 1
        self.advance(lambda backward: backward.send(term))

    def advance(self, step):
        try:
            step(self.backward)
        except StopIteration as stop:
            self.result = stop.value

    def finish(self, grads):
        self.begin(grads)
        while self.count:
            self.send(None)
        return self.result


def drain(record, f, args):
    """All values of a generator as a list, for functions that take the whole of it; anything else as it is."""
    source, = args
    record.structured = True
    if not isinstance(source, Generated):
        record.backward = lambda grads, g: {0: g}
        return source
    items = list(source)
    record.backward = lambda grads, g: {0: None if g is None else given_back(grads, source, items, g)}
    return items


class Iterated:
    """An iterator over a list, tuple or array, from `iter(x)`: hands the gradients of its values on to the thing."""

    def __init__(self, owner):
        self.owner, self.iterator, self.count = owner, iter(owner), 0

    def __iter__(self):
        return self

    def __next__(self):
        value = next(self.iterator)
        self.count += 1
        return value

    def receive(self, grads, index, term):
        if term is not None:
            grads.give_item(self.owner, index, self.owner[index], term)


def iterate(record, f, args):
    source, *rest = args
    if rest or not isinstance(source, (list, np.ndarray)):
        return f(*args)
    return Iterated(source)


def following(record, f, args):
    """next(iterator), with or without a default."""
    source, *default = args
    if not hasattr(source, 'receive'):
        raise errors.AliasError(f'next() of a {type(source).__name__} with a derivative: iterate over it with for')
    index = source.count
    value = f(*args)
    if source.count == index:                     # the default
        record.backward = lambda grads, g: {1: g}
    else:
        def backward(grads, g):
            source.receive(grads, index, g)
            return {}
        record.backward = backward
    return value


def get_attribute(record, f, args):
    owner, name, *default = args
    if default and not hasattr(owner, name):
        record.backward = lambda grads, g: {2: g}
        return default[0]
    value = getattr(owner, name)
    record.backward = lambda grads, g: {0: grads.give_attribute(owner, name, value, g)}
    return value


def set_attribute(record, f, args):
    owner, name, value = args
    old = before_attribute(owner, name)
    f(owner, name, value)
    record.backward = lambda grads, g: {2: grads.undo_attribute(owner, name, old, value)}


def namespace(record, f, args):
    """types.SimpleNamespace(a=x)."""
    made = f(*args, **record.keywords)

    def backward(grads, g):
        parts = grads.parts(made)
        return {name: parts.pop(name, None) for name in record.keywords}
    record.backward = backward
    return made


def replaced(record, f, args):
    """dataclasses.replace(thing, a=x)."""
    thing, = args
    made = f(thing, **record.keywords)

    def backward(grads, g):
        parts = grads.parts(made)
        for field in dataclasses.fields(made):
            if field.name not in record.keywords:
                grads.give_part(thing, field.name, getattr(thing, field.name), parts.pop(field.name, None))
        return {name: parts.pop(name, None) for name in record.keywords}
    record.backward = backward
    return made


def ordered_move(record, owner, args):
    before = dict(owner)
    owner.move_to_end(*args, **record.keywords)

    def backward(grads, g):
        owner.clear()
        owner.update(before)
        return {}
    record.backward = backward


# Containers that are made of others

def container(record, f, args):
    """list(x), tuple(x), deque(x), dict(x), defaultdict(kind, x), OrderedDict(x)."""
    record.structured = True
    if issubclass(f, dict):
        lead = 1 if f is collections.defaultdict else 0
        source = args[lead] if len(args) > lead else {}
        value = f(*args, **record.keywords)
        record.backward = lambda grads, g: {} if g is None else {
            lead: {k: g.get(k) for k in source} if isinstance(source, dict) else [(None, g.get(k)) for k in value],
            **{k: g.get(k) for k in record.keywords}}
        return value
    if not args:
        return f(**record.keywords)
    source, *rest = args
    items = list(source)
    value = f(items, *rest, **record.keywords)
    if len(value) < len(items):
        raise errors.AliasError('a deque shorter than what it is made of: append the elements one by one')
    record.backward = lambda grads, g: {0: None if g is None else given_back(grads, source, items, list(g))}
    return value


class Token:
    """An element of a heap, compared by its value, that knows where it was."""

    __slots__ = ('value', 'place')

    def __init__(self, value, place):
        self.value, self.place = value, place

    def __lt__(self, other):
        return self.value < other.value


def heap_function(record, f, args):
    """heapq.heappush, heappop, heapify, heappushpop and heapreplace."""
    owner, *new = args
    tokens = [Token(v, k) for k, v in enumerate(owner)]
    before = list(owner)
    added = [Token(v, None) for v in new]
    popped = f(tokens, *added)
    owner[:] = [t.value for t in tokens]

    def backward(grads, g):
        parts = grads.parts(owner)
        now, given = [None] * len(before), None
        for t, part in [*zip(tokens, parts), *([(popped, g)] if popped is not None else [])]:
            if t.place is None:
                given = part
            else:
                now[t.place] = part
        owner[:], parts[:] = before, now
        return {1: given}
    record.backward = backward
    return popped and popped.value


# Lists

def list_append(record, owner, args):
    owner.append(*args)

    def backward(grads, g):
        parts = grads.parts(owner)
        owner.pop()
        return {0: parts.pop()}
    record.backward = backward


def list_extend(record, owner, args):
    source, = args
    items = list(source)
    size = len(owner)
    owner.extend(items)

    def backward(grads, g):
        parts = grads.parts(owner)
        found = parts[size:]
        del owner[size:], parts[size:]
        return {0: given_back(grads, source, items, found)}
    record.backward = backward


def given_back(grads, source, items, found):
    """The gradients of the items that an iterable gave, as one for the iterable."""
    if hasattr(source, 'receive'):
        for k in range(len(items) - 1, -1, -1):
            source.receive(grads, k, found[k])
        return None
    if isinstance(source, (list, tuple, np.ndarray)):
        return None if all(g is None for g in found) else found
    if any(g is not None for g in found):
        raise errors.AliasError(f'items of a {type(source).__name__} with a derivative: make a list of it first')
    return None


def list_insert(record, owner, args):
    index, value = args
    size = len(owner)
    owner.insert(index, value)
    at = min(index, size) if index >= 0 else max(0, size + index)

    def backward(grads, g):
        parts = grads.parts(owner)
        del owner[at]
        return {1: parts.pop(at)}
    record.backward = backward


def list_pop(record, owner, args):
    index = operator.index(args[0]) if args else -1
    at = index if index >= 0 else index + len(owner)
    value = owner.pop(index)

    def backward(grads, g):
        parts = grads.parts(owner)
        owner.insert(at, value)
        parts.insert(at, g)
        return {}
    record.backward = backward
    return value


def list_remove(record, owner, args):
    at = owner.index(*args)
    value = owner.pop(at)

    def backward(grads, g):
        parts = grads.parts(owner)
        owner.insert(at, value)
        parts.insert(at, None)
        return {}
    record.backward = backward


def reordered(record, owner, order):
    """Bring a list into the order `[owner[k] for k in order]`."""
    before = list(owner)
    owner[:] = [before[k] for k in order]

    def backward(grads, g):
        parts = grads.parts(owner)
        now = [None] * len(before)
        for k, part in zip(order, parts):
            now[k] = part
        owner[:], parts[:] = before, now
        return {}
    record.backward = backward


def list_sort(record, owner, args):
    key, reverse = record.keywords.get('key'), record.keywords.get('reverse', False)
    values = list(owner) if key is None else [key(v) for v in owner]
    reordered(record, owner, sorted(range(len(owner)), key=values.__getitem__, reverse=reverse))


def list_reverse(record, owner, args):
    reordered(record, owner, range(len(owner) - 1, -1, -1))


def list_clear(record, owner, args):
    reordered(record, owner, ())


def list_copy(record, owner, args):
    record.structured = True
    record.backward = lambda grads, g: {'self': g}
    return owner.copy()


# Dicts

def snapshot(record, owner, gradients):
    """Undo by putting back all items; `gradients(parts, g)` takes what belongs to the arguments first."""
    before = dict(owner)

    def backward(grads, g):
        found = gradients(grads, g) or {}
        owner.clear()
        owner.update(before)
        return found
    record.backward = backward
    return before


def dict_update(record, owner, args):
    other = dict(*args)
    items = {**other, **record.keywords}

    def gradients(grads, g):
        parts = grads.parts(owner)
        found = {key: parts.pop(key, None) for key in items}
        names = {key: found.pop(key) for key in record.keywords}
        return {0: found if args and isinstance(args[0], dict) else [(None, v) for v in found.values()], **names}
    snapshot(record, owner, gradients)
    owner.update(items)


def dict_pop(record, owner, args):
    key = args[0]
    known = key in owner

    def gradients(grads, g):
        if known:
            grads.parts(owner)[key] = g
            return {}
        return {1: g}
    snapshot(record, owner, gradients)
    return owner.pop(*args)


def dict_popitem(record, owner, args):
    snapshot(record, owner, lambda grads, g: grads.parts(owner).update({key: g and g[1]}))
    key, value = owner.popitem()
    return key, value


def dict_get(record, owner, args):
    key, default = args[0], args[1] if len(args) > 1 else None
    value = owner.get(key, default)

    def backward(grads, g):
        if key in owner:
            grads.give_part(owner, key, value, g)
            return {}
        return {1: g}
    record.backward = backward
    return value


def dict_setdefault(record, owner, args):
    key = args[0]
    if key in owner:
        return dict_get(record, owner, args)

    def gradients(grads, g):
        inside = grads.parts(owner).pop(key, None)
        value = args[1] if len(args) > 1 else None
        return {1: grads.give(value, g, inside) if g is not None else inside}
    snapshot(record, owner, gradients)
    return owner.setdefault(*args)


def dict_clear(record, owner, args):
    snapshot(record, owner, lambda grads, g: None)
    owner.clear()


def dict_values(record, owner, args):
    record.structured = True
    record.backward = lambda grads, g: {'self': g and dict(zip(owner, g))}
    return list(owner.values())


def dict_items(record, owner, args):
    record.structured = True
    record.backward = lambda grads, g: {'self': g and {key: part and part[1] for key, part in zip(owner, g)}}
    return list(owner.items())


def dict_copy(record, owner, args):
    record.structured = True
    record.backward = lambda grads, g: {'self': g}
    return owner.copy()


def plain(name):
    def method(record, owner, args):
        return getattr(owner, name)(*args, **record.keywords)
    return method


# Double-ended queues: as lists

def deque_appendleft(record, owner, args):
    full = owner.maxlen is not None and len(owner) == owner.maxlen
    lost = owner[-1] if full and owner else None
    owner.appendleft(*args)

    def backward(grads, g):
        parts = grads.parts(owner)
        owner.popleft()
        found = parts.pop(0)
        if full:
            owner.append(lost)
            parts.append(None)
        return {0: found}
    record.backward = backward


def deque_append(record, owner, args):
    full = owner.maxlen is not None and len(owner) == owner.maxlen
    lost = owner[0] if full and owner else None
    owner.append(*args)

    def backward(grads, g):
        parts = grads.parts(owner)
        owner.pop()
        found = parts.pop()
        if full:
            owner.appendleft(lost)
            parts.insert(0, None)
        return {0: found}
    record.backward = backward


def deque_pop(record, owner, args):
    value = owner.pop()

    def backward(grads, g):
        parts = grads.parts(owner)
        owner.append(value)
        parts.append(g)
        return {}
    record.backward = backward
    return value


def deque_popleft(record, owner, args):
    value = owner.popleft()

    def backward(grads, g):
        parts = grads.parts(owner)
        owner.appendleft(value)
        parts.insert(0, g)
        return {}
    record.backward = backward
    return value


# Arrays

def array_fill(record, owner, args):
    before = owner.copy()
    owner.fill(*args)

    def backward(grads, g):
        taken = grads.take_array(owner)
        owner[...] = before
        return {0: None if taken is None else fitted(taken, args[0])}
    record.backward = backward


def array_sort(record, owner, args):
    axis = args[0] if args else record.keywords.get('axis', -1)
    order = np.argsort(owner, axis=axis, kind='stable')
    before = owner.copy()
    owner[...] = np.take_along_axis(before, order, axis)

    def backward(grads, g):
        taken = grads.take_array(owner)
        owner[...] = before
        if taken is not None:
            np.put_along_axis(grads.buffer(owner), order, taken, axis)
        return {}
    record.backward = backward


def copyto(record, f, args):
    target, source, *rest = args
    where = record.keywords.get('where', True)
    before = target.copy()
    f(*args, **record.keywords)

    def backward(grads, g):
        buffer = grads.buffer(target)
        found = np.where(where, buffer, 0)
        buffer[...] = np.where(where, 0, buffer)
        target[...] = before
        return {1: fitted(found, source)}
    record.backward = backward


def put(record, f, args):
    target, index, values = args
    before = target.copy()
    f(*args, **record.keywords)

    def backward(grads, g):
        buffer = grads.buffer(target)
        flat = buffer.reshape(-1)
        positions = np.asarray(index).ravel()
        found = flat[positions]
        last = np.full(flat.shape, -1)
        last[positions] = np.arange(positions.size)
        found = np.where(last[positions] == np.arange(positions.size), found, 0)
        flat[positions] = 0
        buffer[...] = flat.reshape(buffer.shape)
        target[...] = before
        shape = np.shape(values)
        if np.size(values) == 1:
            return {2: fitted(found.sum(), values)}
        return {2: found.reshape(shape)}
    record.backward = backward


def put_along_axis(record, f, args):
    target, index, values = args[:3]
    axis = args[3] if len(args) > 3 else record.keywords['axis']
    before = target.copy()
    f(*args, **record.keywords)

    def backward(grads, g):
        buffer = grads.buffer(target)
        found = np.take_along_axis(buffer, index, axis)
        np.put_along_axis(buffer, index, 0, axis)
        target[...] = before
        return {2: fitted(found, values)}
    record.backward = backward


def fill_diagonal(record, f, args):
    target, value = args[:2]
    before = target.copy()
    f(*args, **record.keywords)

    def backward(grads, g):
        buffer = grads.buffer(target)
        found = np.diagonal(buffer).copy()
        np.fill_diagonal(buffer, 0)
        target[...] = before
        return {1: fitted(found, value)}
    record.backward = backward


def add_at(sign):
    def run(record, f, args):
        target, index, value = args
        before = target.copy()
        f(*args)

        def backward(grads, g):
            found = grads.buffer(target)[index]
            target[...] = before
            return {2: fitted(sign * found, value)}
        record.backward = backward
    return run


def scatter(record, f, args):
    raise errors.ReverseNotImplementedError(f'{f.__self__.__name__}.at has no rule for reverse mode: use numpy.add.at, or '
                                            'x[index] = ... with an index that names no element twice')


def place(record, f, args):
    """numpy.place and numpy.putmask."""
    target, mask, values = args
    before = target.copy()
    f(*args)

    def backward(grads, g):
        buffer = grads.buffer(target)
        found = np.where(mask, buffer, 0)
        buffer[...] = np.where(mask, 0, buffer)
        target[...] = before
        if np.size(values) == 1:
            return {2: fitted(found.sum(), values)}
        if f is np.putmask and np.shape(values) == target.shape:
            return {2: found}
        given = np.zeros(np.size(values))
        mine = found[np.asarray(mask, bool)]
        np.add.at(given, np.arange(mine.size) % given.size, mine)
        return {2: given.reshape(np.shape(values))}
    record.backward = backward


def no_effect(record, f, args):
    return f(*args, **record.keywords)


def with_out(record, f, args, out):
    """A function that writes its value into an array, as the function of the value and a write."""
    where = record.keywords.pop('where', True)
    before = out.copy()
    inner = record.again(f, args)
    value = inner.run()
    out[...] = value if where is True else np.where(where, value, before)

    def backward(grads, g):
        grads.give(out, g)                       # the value of the call is the array itself
        buffer = grads.buffer(out)
        found = np.where(where, buffer, 0)
        buffer[...] = np.where(where, 0, buffer)
        out[...] = before
        return inner.found(grads, found)
    record.backward = backward
    return out


def delitem(record, f, args):
    owner, key = args
    if isinstance(owner, dict):
        snapshot(record, owner, lambda grads, g: None)
        del owner[key]
        return
    order = list(range(len(owner)))
    del order[key]
    reordered(record, owner, order)


METHODS = {
    list: dict(append=list_append, extend=list_extend, insert=list_insert, pop=list_pop, remove=list_remove, sort=list_sort,
               reverse=list_reverse, clear=list_clear, copy=list_copy, index=plain('index'), count=plain('count')),
    dict: dict(update=dict_update, pop=dict_pop, popitem=dict_popitem, get=dict_get, setdefault=dict_setdefault,
               clear=dict_clear, values=dict_values, items=dict_items, copy=dict_copy, keys=plain('keys')),
    set: {name: plain(name) for name in ('add', 'discard', 'remove', 'clear', 'update', 'union', 'copy')},
    collections.deque: dict(append=deque_append, appendleft=deque_appendleft, pop=deque_pop, popleft=deque_popleft),
    np.ndarray: dict(fill=array_fill, sort=array_sort),
}
METHODS[collections.defaultdict] = METHODS[dict]
METHODS[collections.OrderedDict] = {**METHODS[dict], 'move_to_end': ordered_move}

FUNCTIONS = {
    np.copyto: copyto, np.put: put, np.put_along_axis: put_along_axis, np.fill_diagonal: fill_diagonal,
    np.add.at: add_at(1), np.subtract.at: add_at(-1), operator.delitem: delitem, np.place: place, np.putmask: place,
    np.multiply.at: scatter, np.divide.at: scatter, np.maximum.at: scatter, np.minimum.at: scatter, print: no_effect, drain: drain,
    iter: iterate, next: following, getattr: get_attribute, setattr: set_attribute, object.__setattr__: set_attribute,
    types.SimpleNamespace: namespace, dataclasses.replace: replaced,
}
FUNCTIONS.update(dict.fromkeys((list, tuple, dict, collections.deque, collections.defaultdict, collections.OrderedDict),
                               container))
FUNCTIONS.update(dict.fromkeys((heapq.heappush, heapq.heappop, heapq.heapify, heapq.heappushpop, heapq.heapreplace),
                               heap_function))
FUNCTIONS.update(dict.fromkeys((bisect.bisect, bisect.bisect_left, bisect.bisect_right, isinstance, issubclass, callable, hasattr,
                                id, hash, repr, len, type), no_effect))
