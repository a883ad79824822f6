"""Methods of arrays and functions of NumPy that write, each with its way back (see `lists`)."""
import numpy as np

from tangent import errors
from tangent.eventlog.shadow.undo import last_of
from tangent.eventlog.shadow.values import fitted, refuse_foreign, repeated_row, uncut
from tangent.runtime import facts


def array_fill(record, owner, args):
    before = owner.copy()
    owner.fill(*args)

    def backward(grads, g):
        taken = grads.take_array(owner)
        owner[...] = before
        return {0: None if taken is None else fitted(uncut(taken, owner, args[0]), args[0])}
    record.backward = backward


def array_sort(record, owner, args):
    axis = args[0] if args else record.keywords.get('axis', -1)
    order = np.argsort(owner, axis=axis, kind='stable')
    permuted(record, owner, order, axis)


def array_partition(record, owner, args):
    kth, *rest = args
    axis = rest[0] if rest else record.keywords.get('axis', -1)
    parted = np.partition(owner, kth, axis)
    order = np.empty(owner.shape, int)              # which element came where: that of the same rank
    np.put_along_axis(order, np.argsort(parted, axis=axis, kind='stable'), np.argsort(owner, axis=axis, kind='stable'), axis)
    permuted(record, owner, order, axis)


def permuted(record, owner, order, axis):
    """Bring the elements along an axis into an order."""
    before = owner.copy()
    owner[...] = np.take_along_axis(before, order, axis)

    def backward(grads, g):
        taken = grads.take_array(owner)
        owner[...] = before
        if taken is not None:
            np.put_along_axis(grads.buffer(owner), order, taken, axis)
        return {}
    record.backward = backward


def shuffle(record, f, args):
    """random.shuffle of NumPy and of its generators: rows along the first axis."""
    owner, *rest = args
    axis = rest[0] if rest else record.keywords.get('axis', 0)
    order = np.arange(owner.shape[axis])
    f(order)
    permuted(record, owner, np.broadcast_to(np.expand_dims(order, [k for k in range(owner.ndim) if k != axis % owner.ndim]),
                                            owner.shape), axis)


def copyto(record, f, args):
    target, source, *rest = args
    where = rest[1] if len(rest) > 1 else record.keywords.get('where', True)
    before = target.copy()
    f(*args, **record.keywords)

    def backward(grads, g):
        buffer = grads.buffer(target)
        found = np.where(where, buffer, 0)
        buffer[...] = np.where(where, 0, buffer)
        target[...] = before
        return {1: fitted(uncut(found, target, source), source)}
    record.backward = backward


def array_put(record, owner, args):
    """x.put(index, values)"""
    put(record, np.put, (owner, *args), -1)


def put(record, f, args, shift=0):
    target, index, values, *rest = args
    mode = rest[0] if rest else record.keywords.get('mode', 'raise')
    before = target.copy()
    f(*args, **record.keywords)
    places = np.ravel(index)
    places = places % target.size if mode == 'wrap' else np.clip(places, 0, target.size - 1) if mode == 'clip' else places

    def backward(grads, g):
        found = taken_at(grads.buffer(target), places % max(target.size, 1))
        target[...] = before
        return {2 + shift: repeated_row(uncut(found, target, values), values)}
    record.backward = backward


def put_along_axis(record, f, args):
    target, index, values = args[:3]
    axis = args[3] if len(args) > 3 else record.keywords['axis']
    before = target.copy()
    f(*args, **record.keywords)
    numbers = np.arange(target.size).reshape(target.shape)
    places = numbers.ravel()[index] if axis is None else np.take_along_axis(numbers, index, axis)

    def backward(grads, g):
        found = taken_at(grads.buffer(target), places)
        target[...] = before
        return {2: fitted(uncut(found, target, values), values)}
    record.backward = backward


def taken_at(buffer, places):
    """The gradients of values written to these places, counted row by row; of two for one place the last has it."""
    found = buffer.flat[places.ravel()].reshape(places.shape)
    found = np.where(last_of(places, buffer.size), found, 0)
    buffer.flat[places.ravel()] = 0
    return found


def fill_diagonal(record, f, args):
    target, value = args[:2]
    before = target.copy()
    f(*args, **record.keywords)
    mark = np.zeros(target.shape, bool)
    f(mark, True, *args[2:], **record.keywords)

    def backward(grads, g):
        buffer = grads.buffer(target)
        found = buffer[mark]
        buffer[mark] = 0
        target[...] = before
        return {1: repeated_row(uncut(found, target, value), value)}
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
    """The method `at` of a ufunc: places that are named twice are worked on in rounds, in each of which every place is once."""
    target, index, *values = args
    refuse_foreign(target)
    places = np.arange(target.size).reshape(target.shape)[index]
    value = np.broadcast_to(values[0], places.shape).ravel() if values else None
    before, flat = target.copy(), target.copy().ravel()
    steps = []
    for mine in rounds(places.ravel()):
        at = places.ravel()[mine]
        operands = (flat[at],) if value is None else (flat[at], value[mine])
        inner = type(record)(f.__self__, operands, {}, tuple(range(len(operands))))
        flat[at] = inner.run()
        steps.append((mine, at, inner))
    target[...] = flat.reshape(target.shape)

    def backward(grads, g):
        buffer = grads.buffer(target)
        found = np.zeros(places.size, buffer.dtype)
        for mine, at, inner in reversed(steps):
            given = inner.back(grads, buffer.flat[at])
            buffer.flat[at] = given[0]
            if value is not None:
                found[mine] = given[1]
        target[...] = before
        return {2: fitted(found.reshape(places.shape), values[0])} if values else {}
    record.backward = backward


def rounds(places):
    """Index arrays: in each there is every place once, and what comes first comes in an earlier one."""
    order = np.argsort(places, kind='stable')
    first = np.concatenate([[0], np.flatnonzero(np.diff(places[order])) + 1]) if places.size else np.zeros(0, int)
    turn = np.empty(places.size, int)
    turn[order] = np.arange(places.size) - np.repeat(first, np.diff([*first, places.size]))
    return [np.flatnonzero(turn == k) for k in range(turn.max(initial=-1) + 1)]


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
        uncut(found, target, values)
        if f is np.putmask:
            return {2: repeated_row(found, values)}
        return {2: repeated_row(found[np.asarray(mask, bool)], values)}
    record.backward = backward


def with_out(record, f, args, out):
    """A function that writes its value into an array, or several into several, as the function of the value and writes.

    A ufunc is called for those elements alone that `where` picks, so that others bring no nan.
    """
    where = record.keywords.pop('where', True) if facts.is_masked(f) else True
    several = isinstance(out, tuple)
    outs = out if several else (out,)
    shape = next(each.shape for each in outs if each is not None)
    mask = ... if where is True else np.broadcast_to(where, shape)
    picks = where is not True and isinstance(f, np.ufunc)
    picked = [np.broadcast_to(a, shape)[mask] for a in args] if picks else args
    inner = record.again(f, picked)
    value = inner.run()
    values = value if several else (value,)
    if where is not True and any(each is None for each in outs):
        raise errors.ArgumentError(f'{f.__name__}: "where" without "out" leaves elements that nobody has set; use numpy.where')
    before = [None if each is None else each.copy() for each in outs]
    for each, v in zip(outs, values):
        if each is not None:
            each[mask] = v if picks or where is True else np.broadcast_to(v, shape)[mask]

    def backward(grads, g):
        given = g if several and g is not None else [g] * len(outs)
        taken = [taken_out(grads, *each) for each in zip(outs, given, before, values)]
        found = inner.found(grads, taken if several else taken[0])
        return {k: of_picked(grads, k, part) if type(k) is int else part for k, part in found.items()} if picks else found

    def of_picked(grads, k, part):
        part = grads.take(picked[k]) if part is None else part           # a text keeps it with the array that it is given
        return part if part is None else fitted(whole(part), args[k])

    def taken_out(grads, each, g, old, value):
        if each is None:
            return g
        grads.give(each, g)                      # the value of the call is the array itself
        buffer = grads.buffer(each)
        found = buffer[mask].copy()
        buffer[mask] = 0
        each[...] = old
        return found if picks else fitted(found if where is True else whole(found), value)       # it may be spread over `each`

    def whole(part):
        """The gradient of an array of which the mask picks a part."""
        found = np.zeros(shape, part.dtype)
        found[mask] = part
        return found
    record.structured, record.backward = several, backward
    return tuple(v if each is None else each for each, v in zip(outs, values)) if several else out
