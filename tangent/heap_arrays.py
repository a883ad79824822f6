"""Methods of arrays and functions of NumPy that write, each with its way back (see `heap_lists`)."""
from __future__ import annotations

import numpy as np

from tangent import errors
from tangent.heap_values import fitted


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
