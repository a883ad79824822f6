"""Gradients through functions that make containers: run-time functions that the rules of `templates.containers` name.

The gradient of a list is a list; so is that of an iterator, for what it has given so far. The gradients made here may share
memory with those that they are made of.
"""
import collections
import copy as _copy
import dataclasses

import numpy as np

from tangent.errors import ArgumentTypeError, ReverseNotImplementedError
from tangent.runtime.add import add_grad
from tangent.runtime.array_api import is_array
from tangent.runtime.broadcast import unbroadcast
from tangent.runtime.cast import copy
from tangent.runtime.facts import helper
from tangent.runtime.fields import CONTAINERS, fields, is_object, refuse_object
from tangent.runtime.functions.elementwise import held, refuse_spent, unarray
from tangent.runtime.objects import Record
from tangent.runtime.zeros import TupleGrad, gradient_like, init_grad, is_record, place_of_field, rebuild_tuple


def zipped(*iterables):
    return list(zip(*iterables))


@helper(pure=False, harmless=True)
def takes_items(*values):
    """Whether values are arrays that can be stored into, where a `try` asks for that; else none of them is.

    Raises
    ------
    ReverseNotImplementedError
        If some are and some are not, or where it is no array that can be stored into.
    """
    found = [hasattr(type(x), '__setitem__') for x in values]
    if not any(found):
        return False
    if not all(map(is_array, values)):
        told = ', '.join(type(x).__name__ for x in values)
        raise ReverseNotImplementedError(f'what is stored into is of type {told}, where a try asks whether it is an array: '
                                         'test for that with isinstance')
    return True


@helper(pure=False, harmless=True)
def as_many(values, owner, index):
    """The values that are put into a list, by an index that may be a slice with a name: as many as are there."""
    if isinstance(index, slice) and isinstance(values, (list, tuple)) and len(values) != len(owner[index]):
        raise ArgumentTypeError('slices with a name, under which a list gets more elements than there were, or fewer, are not '
                                'supported in differentiated code: write xs[i:j] = ...')
    return values


def numeral(text):
    """The number that a text says, which has no derivative."""
    return float(text)


def text_of_numbers(text):
    """Refuses to read a number from a text that was made of what has a derivative."""
    raise ArgumentTypeError('numbers that are read from a text made of a value with a derivative are not supported in '
                            'differentiated code: compute with the value itself')


def unstored(value, owner, index):
    """The error of `owner[index] = value` for what cannot be stored into."""
    return TypeError(f"'{type(owner).__name__}' object does not support item assignment")


def queue_of(values, maxlen):
    return collections.deque(values, maxlen)


def reversed_list(sequence):
    return list(reversed(sequence))


def enumerated(iterable, start=0):
    return list(enumerate(iterable, start))


def copied(x, memo=None):
    """The tangent of `copy.deepcopy(x)`: what stands in two places of it is one thing there, too."""
    return deeply_copied(x, {})


def deeply_copied(x, known):
    if id(x) in known:
        return known[id(x)]
    inner = lambda part: deeply_copied(part, known)  # noqa: E731
    if isinstance(x, tuple):
        return TupleGrad(map(inner, x), x._kind) if isinstance(x, TupleGrad) else rebuild_tuple(type(x), map(inner, x))
    if isinstance(x, Record):
        new = known[id(x)] = Record(x.__primal__, x.__parts__)
        new.__dict__.update({name: inner(value) for name, value in x.__dict__.items()})
    elif type(x) is list:
        new = known[id(x)] = []
        new += map(inner, x)
    elif isinstance(x, dict):
        new = known[id(x)] = _copy.copy(x)
        new.update({key: inner(value) for key, value in x.items()})
    else:
        new = known[id(x)] = copy(x)
    return new


def held_alike(x):
    """The tangent of `copy.copy(x)`: what a container or object holds is in its copy, too."""
    if isinstance(x, Record):
        found = Record(x.__primal__)
        found.__dict__.update({name: getattr(x, name) for name in [*fields(x.__primal__), *x.__dict__]})
        return found
    return _copy.copy(x) if isinstance(x, CONTAINERS) or is_record(x) else copy(x)


def unlist(d, iterable):
    """The gradient of an iterable, from that of `list(iterable)`."""
    if isinstance(iterable, tuple):
        return gradient_like(iterable, d)
    if isinstance(iterable, np.ndarray):
        return stacked(d, iterable)
    if isinstance(iterable, (dict, str, bytes, range)):
        return init_grad(iterable)                 # its keys have no derivative
    if is_object(iterable):
        refuse_object(iterable, 'iterated over')
    return queue_of(d, iterable.maxlen) if isinstance(iterable, collections.deque) else list(d)


def stacked(d, array):
    """The gradients of the rows of an array as one array."""
    out = init_grad(array)
    for row, part in enumerate(d):
        if part is not None:
            out[row] = part
    return out


def like(values, d):
    """A list of gradients in the type of what they are gradients of."""
    if isinstance(values, np.ndarray):
        return stacked(d, values)
    return gradient_like(values, d) if isinstance(values, tuple) else d


def undict(d, items):
    """The gradient of `items`, from that of `dict(items)`: of a dict, or of pairs."""
    if isinstance(items, dict):
        return d
    left = dict(d)                                 # of two pairs with one key the last one counts
    found = [TupleGrad([init_grad(key), left.pop(key, None)], tuple) for key, _ in list(items)[::-1]][::-1]
    return like(items, [rebuild_tuple(tuple, (k, init_grad(v) if g is None else g)) for (k, g), (_, v) in zip(found, items)])


def unzip(d, values, i):
    """The gradient of the i-th of the sequences that were zipped."""
    return padded([part[i] for part in d], values)


def turned(rows):
    """`list(zip(*rows))`: of a matrix that is a list of rows, the columns."""
    return list(zip(*rows))


def unturned(d, rows):
    """The gradient of rows, from that of their columns."""
    return like(rows, [padded([part[k] for part in d], row) for k, row in enumerate(rows)])


def padded(parts, values):
    """Gradients of the first of the values, with zeros for the rest."""
    if hasattr(values, '__len__'):
        parts = [*parts, *[init_grad(v) for v in list(values)[len(parts):]]]
    return like(values, parts)


def unreversed(d, values):
    """The gradient of a sequence, from that of `list(reversed(values))`."""
    return like(values, list(d)[::-1])


def unenumerate(d, values):
    return padded([part[1] for part in d], values)


def unsorted(d, values, key=None, reverse=False):
    """The gradient of a sequence, from that of `sorted(values)`; the order is stable."""
    if isinstance(values, dict):                   # its keys
        return init_grad(values)
    values = values if isinstance(values, (list, tuple, np.ndarray)) else list(values)
    at = [key(v) for v in values] if key is not None else values
    found = [None] * len(values)
    for part, k in zip(d, sorted(range(len(values)), key=at.__getitem__, reverse=reverse)):
        found[k] = part
    return like(values, found)


def push_enumerated(given):
    """The tangent of `enumerate(x)`, from that of `x`, which is gone through as it is then: of the positions there is none."""
    return ((0.0, d) for d in given)


def dict_tangent(given, items):
    """The tangent of `dict(items)`; `given` is that of `items`."""
    if isinstance(items, (list, tuple)):           # of pairs, in whose tangents the keys are none
        given = {key: d for (key, _), (_, d) in zip(items, given)}
    elif not hasattr(items, 'keys'):
        raise ArgumentTypeError(f'a dict is made of a {type(items).__name__} of values with a derivative, which can be gone '
                                'through once: make a list of it, as with dict(list(pairs))')
    return dict(given)


def push_sorted(d, values, key=None, reverse=False):
    """The tangent of `sorted(values)`."""
    refuse_spent(values)
    values, d = list(held(values)), list(d)
    at = [key(v) for v in values] if key is not None else values
    return [d[k] for k in sorted(range(len(values)), key=at.__getitem__, reverse=reverse)]


def relist(b, given, iterable):
    """The gradient of `given` in `unlist(given, iterable)`."""
    return [init_grad(v) for v in given] if isinstance(iterable, (dict, str, bytes, range)) else list(b)


def for_numpy(v):
    """What NumPy takes a number, an array or a sequence for."""
    return np.asarray(v) if isinstance(v, (list, tuple)) else v


def push_repeated(dx, dy, x, y):
    """The tangent of `x * y`, of which one may be a list that is repeated."""
    if is_array(x) or is_array(y):         # NumPy takes a sequence for an array
        dx, dy, x, y = map(for_numpy, (dx, dy, x, y))
    if isinstance(x, (list, tuple)):
        return dx * y
    return x * dy if isinstance(y, (list, tuple)) else dx * y + x * dy


def unpush_repeated(b, k, dx, dy, x, y):
    """The gradient of the argument at place k of `push_repeated(dx, dy, x, y)`."""
    given = (dx, dy, x, y)[k]
    if is_array(x) or is_array(y):
        other = np.asarray((y, x, dy, dx)[k])
        return unarray(unbroadcast(b * other, np.asarray(given)), given)
    first, second = isinstance(x, (list, tuple)), isinstance(y, (list, tuple))
    if k < 2:
        other, still = ((y, second), (x, first))[k]
        return init_grad(given) if still else unrepeated(b, given, other)
    if first or second:
        return init_grad(given)
    return unbroadcast(b * (dy, dx)[k - 2], given)


def push_repeated_again(ddx, ddy, mx, my, dx, dy, x, y):
    """The tangent of `push_repeated(dx, dy, x, y)`, along `ddx`, `ddy`, `mx` and `my`."""
    if is_array(x) or is_array(y):
        ddx, ddy, mx, my, dx, dy, x, y = map(for_numpy, (ddx, ddy, mx, my, dx, dy, x, y))
    if isinstance(x, (list, tuple)) or isinstance(y, (list, tuple)):
        return push_repeated(ddx, ddy, x, y)
    return ddx * y + x * ddy + mx * dy + dx * my


def push_product(d, dstart, values, start=1):
    """The tangent of `math.prod(values, start=start)`."""
    moved, product = dstart, start
    for v, dv in zip(values, d):
        moved, product = moved * v + product * dv, product * v
    return moved


def push_dist(dp, dq, y, p, q):
    """The tangent of `y = math.dist(p, q)`."""
    dp, dq = ((v if hasattr(v, '__len__') else [v] * len(p)) for v in (dp, dq))
    return sum((a - b) * (da - db) for a, b, da, db in zip(p, q, dp, dq)) / y if y else 0.0


def unproduct(d, values, start=1):
    """The gradient of a sequence, from that of `math.prod(values)`: for each the product of all the others."""
    values_list = list(values)
    before = [start]
    for v in values_list:
        before.append(before[-1] * v)
    after = [d] * (len(values_list) + 1)
    for k in range(len(values_list) - 1, -1, -1):
        after[k] = values_list[k] * after[k + 1]
    return like(values, [before[k] * after[k + 1] for k in range(len(values_list))])


def undist(d, y, p, q):
    """The gradient of the point `p`, from that of `y = math.dist(p, q)`; 0 where the points are one."""
    return like(p, [d * (a - b) / y if y else d * 0.0 for a, b in zip(p, q)])


def undisplaced(d, obj):
    """The gradient of an object, from that of `dataclasses.asdict(obj)` or `astuple(obj)`."""
    if dataclasses.is_dataclass(obj):
        names = [f.name for f in dataclasses.fields(obj)]
        parts = d if isinstance(d, dict) else dict(zip(names, d))
        found = Record(obj)
        for name in names:
            setattr(found, name, undisplaced(parts[name], getattr(obj, name)))
        return found
    if isinstance(obj, (list, tuple)):
        return rebuild_tuple(type(obj), map(undisplaced, d, obj)) if isinstance(obj, tuple) else list(map(undisplaced, d, obj))
    return {key: undisplaced(d[key], v) for key, v in obj.items()} if isinstance(obj, dict) else d


def push_displaced(d, obj, y):
    """The tangent of `y`, which is `dataclasses.asdict(obj)` or `astuple(obj)`, from that of the object."""
    if dataclasses.is_dataclass(obj):
        found = {}
        for k, f in enumerate(dataclasses.fields(obj)):
            found[f.name] = push_displaced(getattr(d, f.name), getattr(obj, f.name), y[f.name if isinstance(y, dict) else k])
        return found if isinstance(y, dict) else tuple(found.values())
    if isinstance(obj, (list, tuple)):
        parts = list(map(push_displaced, d, obj, y))
        return rebuild_tuple(type(obj), parts) if isinstance(obj, tuple) else parts
    return {key: push_displaced(d[key], v, y[key]) for key, v in obj.items()} if isinstance(obj, dict) else copy(d)


def without(d, obj, names):
    """The gradient of `obj`, from that of a copy in which some attributes were replaced."""
    if isinstance(obj, tuple):
        return rebuild_tuple(type(obj), [init_grad(v) if n in names else g for n, g, v in zip(obj._fields, d, obj)])
    check_plain(type(obj))
    found = Record(obj)
    for name in [f.name for f in dataclasses.fields(obj) if f.name not in names]:
        setattr(found, name, getattr(d, name))
    return found


def part_of(d, obj, name):
    """The gradient of what replaced the attribute `name` in a copy of `obj`, from that of the copy."""
    return d[place_of_field(type(obj), name)] if isinstance(obj, tuple) else getattr(d, name)


def check_plain(kind):
    """Refuse a dataclass whose making runs code of its own."""
    if not dataclasses.is_dataclass(kind) or hasattr(kind, '__post_init__') or kind.__init__.__code__.co_filename != '<string>':
        raise ArgumentTypeError(f'{kind.__name__} objects are made by code of their own: call {kind.__name__}(...) in place '
                                'of dataclasses.replace')


def joined_part(d, x, other, last):
    """The gradient of `x` in `x + other` (`last`: in `other + x`): sequences are joined, numbers and arrays are added."""
    if isinstance(x, (list, tuple)) and isinstance(other, (list, tuple)):
        size = len(x)
        part = list(d)[len(d) - size:] if last else list(d)[:size]
        return like(x, part)
    if isinstance(x, (list, tuple)):       # NumPy takes the sequence for an array
        return unarray(unbroadcast(d, np.asarray(x)), x)
    return unbroadcast(d, x)


def unrepeated(d, x, n):
    """The gradient of `x` in `x * n`: sequences are repeated, numbers and arrays multiplied."""
    if type(x) is float is type(n):
        return d * n
    if isinstance(n, (list, tuple)) and not is_array(x):
        return init_grad(x)
    if not isinstance(x, (list, tuple)):
        return unbroadcast(d * np.asarray(n) if isinstance(n, (list, tuple)) else d * n, x)
    if is_array(n):                        # NumPy takes the sequence for an array
        return unarray(unbroadcast(d * n, np.asarray(x)), x)
    total = [init_grad(v) for v in x]
    for k in range(n):
        total = list(map(add_grad, total, list(d)[k * len(x):(k + 1) * len(x)]))
    return like(x, total)


@helper(view='b', like='b', pure=False, harmless=True)
def in_place(b):
    """The gradient as one into which a callee can add: an array without axes for a number.

    >>> b = in_place(2.0)
    >>> b += 1.0
    >>> b
    array(3.)
    """
    return b if hasattr(type(b), '__iadd__') else np.array(b)
