"""Gradients of things that can be written into, kept by identity.

The log form of a derivative (see `logged`) handles programs that write into arrays, lists, dicts and objects, whatever
names these go by. A number has its gradient in a variable of the backward pass; a thing that can change has it here, in
a table keyed by the thing itself, so that two names for one list, or an array and a view of it, cannot disagree. As the
backward pass goes, it undoes the writes, so that at every step things are as they were when the step was made.
"""
from __future__ import annotations

import collections
import functools
import inspect
import numbers
import types

import numpy as np

from tangent import errors
from tangent.accumulate import add_at, add_grad
from tangent.broadcasting import unbroadcast
from tangent.fields import field, fields, is_gradient, is_object, refuse_object
from tangent.fit import astype
from tangent.records import every_share, new_gradient
from tangent.zero import TupleGrad, init_grad, real_dtype, rebuild_tuple

SIMPLE = frozenset([float, int, complex, bool, str, bytes, type(None), np.float64, np.float32, np.complex128, np.int64])
MISSING = type('Missing', (), {'__repr__': lambda self: 'MISSING'})()


def is_number(value):
    return type(value) in SIMPLE or isinstance(value, (numbers.Number, np.generic))


class Gradients:
    """The gradients of one backward pass.

    buffers : id of an array that owns its memory -> (the array, the memory of its gradient)
    slots : id of a list, dict, object or closure cell -> (it, the gradients of the numbers and tuples in it)
    """

    record = None                # (function, its argument) -> a Record of the call: set by `heap_calls`

    def __init__(self):
        self.buffers, self.slots = {}, {}

    # Arrays

    def memory(self, owner):
        """(gradient memory as a flat array, address that its first element stands for, bytes of an element / theirs)."""
        found = self.buffers.get(id(owner))
        if found is None:
            dtype = real_dtype(owner.dtype)
            if dtype is None or dtype.kind == 'O':
                raise errors.ArgumentTypeError(f'an array of dtype {owner.dtype} is written into or read where a derivative '
                                               'flows: use arrays of numbers')
            low, high = bounds(owner)
            flat = np.zeros((high - low) // owner.itemsize, dtype)
            found = self.buffers[id(owner)] = owner, flat, low, dtype.itemsize / owner.itemsize
        return found

    def buffer(self, array):
        """The gradient of an array or view, as an array that can be written into."""
        owner = owner_of(array)
        _, flat, low, ratio = self.memory(owner)
        dtype = flat.dtype if array.itemsize == owner.itemsize else real_dtype(array.dtype)
        if ratio != 1 and array.itemsize != owner.itemsize:
            raise errors.AliasError(f'a view of dtype {array.dtype} of an array of dtype {owner.dtype} has a gradient: '
                                    'make the array one of floating-point numbers')
        offset = array.__array_interface__['data'][0] - low
        return np.ndarray(array.shape, dtype, flat, int(offset * ratio), tuple(int(s * ratio) for s in array.strides))

    def places(self, view):
        """(gradient memory as a flat array, where in it the elements of a view are)."""
        _, flat, low, _ = self.memory(owner_of(view))
        start = (view.__array_interface__['data'][0] - low) // view.itemsize
        strides = tuple(s // view.itemsize * 8 for s in view.strides)
        steps = np.arange(flat.size)[start:]
        return flat, np.lib.stride_tricks.as_strided(steps, view.shape, strides)

    def take_array(self, array):
        """The gradient of an array, which is zero afterwards; None where there is none."""
        owner = owner_of(array)
        if id(owner) not in self.buffers:
            return None
        if overlaps(array):
            flat, places = self.places(array)
            found = np.zeros(array.shape, flat.dtype)
            distinct, first = np.unique(places, return_index=True)
            found.reshape(-1)[first] = flat[distinct]           # each element's once: the view is linear in the array
            flat[distinct] = 0
            return found
        found = self.buffer(array)
        if owner is array:
            del self.buffers[id(owner)]
            return found
        taken = found.copy()
        found[...] = 0
        return taken

    # Containers and objects

    def parts(self, thing):
        """The gradients of the numbers in a list (a list) or in a dict, object or cell (a dict)."""
        found = self.slots.get(id(thing))
        if found is None:
            found = self.slots[id(thing)] = thing, [None] * len(thing) if isinstance(thing, (list, collections.deque)) else {}
        return found[1]

    def has_parts(self, thing):
        return id(thing) in self.slots

    # Any value

    def give(self, value, term, b=None):
        """Add a term to the gradient of a value; the new gradient of a number or tuple that had the gradient `b`."""
        if term is None or isinstance(value, np.ndarray):
            if term is not None and overlaps(value):
                np.add.at(*self.places(value), term)
            elif term is not None:
                buffer = self.buffer(value)
                buffer += term if not isinstance(term, (list, tuple)) else stacked(term, value)
            return b
        if is_number(value):
            return term if b is None else b + term
        if hasattr(value, 'receive'):                    # a generator, all of whose values were taken together
            for k in range(len(term) - 1, -1, -1):
                value.receive(self, k, term[k])
            return b
        if isinstance(value, tuple):
            b = [None] * len(value) if b is None else list(b)
            return [self.give(*each) for each in zip(value, same_length(term, value), b)]
        if isinstance(value, (list, collections.deque)):
            parts = self.parts(value)
            for k, (v, t) in enumerate(zip(value, same_length(term, value))):
                parts[k] = self.give(v, t, parts[k])
        elif isinstance(value, dict):
            for key, t in term.items():
                self.give_part(value, key, value.get(key), t)
        else:
            self.give_object(value, term)
        return b

    def give_part(self, owner, key, value, term):
        """Add a term to the gradient of what an object, dict or cell holds under a key."""
        if term is None:
            return
        if isinstance(value, tuple) or is_number(value):
            parts = self.parts(owner)
            parts[key] = self.give(value, term, parts.get(key))
        else:
            self.give(value, term)

    def give_object(self, value, term):
        if isinstance(value, types.FunctionType):
            cells = dict(zip(value.__code__.co_freevars, value.__closure__ or ()))
            for name, t in dict(term).items():
                self.give_cell(cells[name], t)
        elif isinstance(value, types.MethodType):
            self.give(value.__self__, term)
        elif isinstance(value, functools.partial):
            for part, t in zip((value.func, value.args, value.keywords), term):
                self.give(part, t)
        elif is_object(value) and (is_gradient(term) or is_object(term)):
            for name, t in list(every_share(term)):
                self.give_part(value, name, field(value, name), t)
        elif is_object(value):
            refuse_object(value)
        elif not isinstance(value, (types.BuiltinFunctionType, types.ModuleType, type, str, bytes, set, frozenset)):
            raise errors.ArgumentTypeError(f'a {type(value).__name__} has no gradient that could be added up')

    def give_cell(self, cell, term):
        self.give_part(cell, 'value', cell.cell_contents, term)

    def take_cell(self, cell):
        return self.parts(cell).pop('value', None)

    def take(self, value, b=None):
        """What was given to a value that has just been made, with nothing left: a number's `b`, an array's buffer.

        None where nothing was given, and for lists, dicts and objects, whose gradients stay with them.
        """
        return self.take_array(value) if isinstance(value, np.ndarray) else b

    def take_whole(self, value, b=None, known=frozenset()):
        """The same for containers too, in their structure: what a display, or a function that knows no table, has made."""
        if isinstance(value, np.ndarray):
            return self.take_array(value)
        if isinstance(value, tuple):
            b = b or [None] * len(value)
            return rebuild_whole([self.take_whole(*each, known) for each in zip(value, b)])
        if isinstance(value, list):
            parts = self.slots.pop(id(value), (None, [None] * len(value)))[1]
            return rebuild_whole([self.take_whole(*each, known) for each in zip(value, parts)])
        if isinstance(value, dict):
            parts = self.slots.pop(id(value), (None, {}))[1]
            found = {key: self.take_whole(v, parts.get(key), known) for key, v in value.items()}
            return None if all(v is None for v in found.values()) else found
        return self.take_object(value, known) if is_object(value) else b

    def take_object(self, value, known):
        """The gradient of an object that a function which knows no table has made, or handed on."""
        if id(value) in known:
            return None
        parts = self.slots.pop(id(value), (None, {}))[1]
        found = {name: self.take_whole(v, parts.get(name), known | {id(value)}) for name, v in fields(value).items()}
        found = {name: g for name, g in found.items() if g is not None}
        if not found:
            return None
        whole = init_grad(value)
        whole.__dict__.update(found)
        return whole

    def take_full(self, value, b=None):
        """The same with zeros where nothing was given; None where nothing was given at all."""
        found = self.take_whole(value, b)
        return found if found is None or isinstance(value, np.ndarray) else complete(found, value)

    # Elements and attributes

    def give_item(self, owner, index, value, term, b=None):
        """`value = owner[index]` has the gradient `term`: add it to the owner's; the new gradient of a tuple."""
        if hasattr(owner, 'receive'):                    # a generator: its adjoint goes on even where there is no term
            owner.receive(self, index, term)
            return b
        if term is None or isinstance(owner, (str, bytes, range)):
            return b
        if isinstance(owner, np.ndarray):
            add_at(self.buffer(owner), index, stacked(term, value) if isinstance(term, (list, tuple)) else term)
        elif isinstance(owner, (list, tuple, collections.deque)):
            parts = self.parts(owner) if not isinstance(owner, tuple) else [None] * len(owner) if b is None else list(b)
            if isinstance(index, slice):
                for k, v, t in zip(range(*index.indices(len(owner))), value, term):
                    parts[k] = self.give(v, t, parts[k])
            else:
                parts[index] = self.give(value, term, parts[index])
            return parts if isinstance(owner, tuple) else b
        elif isinstance(owner, dict):
            self.give_part(owner, index, value, term)
        else:
            raise errors.AliasError(f'elements of a {type(owner).__name__} have no gradient')
        return b

    def take_from(self, value, b, owner=None):
        """The gradient of an element or attribute under a name of its own; None for a view, whose gradient is the array's."""
        if not isinstance(value, np.ndarray):
            return b
        return None if not isinstance(owner, np.ndarray) or owner_of(value) is owner_of(owner) else self.take_array(value)

    def take_slice(self, value, b, owner):
        """The same for `owner[i:j]`: a view of an array, but of a list a list of its own."""
        return self.take_whole(value, b) if isinstance(value, list) else self.take_from(value, b, owner)

    def give_attribute(self, owner, name, value, term, b=None):
        """`value = owner.name` has the gradient `term`: add it to the owner's; the new gradient of a number or tuple."""
        if term is None:
            return b
        if isinstance(owner, np.ndarray):
            if name in ('T', 'mT', 'real', 'imag', 'flat'):
                if np.shares_memory(owner, value):
                    self.give(value, term)
                return b
            raise errors.AliasError(f'the attribute .{name} of an array has no gradient')
        if isinstance(owner, tuple):
            return self.give_item(owner, type(owner)._fields.index(name), value, term, b)
        if is_number(owner):
            return self.give(owner, PARTS[name](term, owner), b)
        getter = getter_of(owner, name)
        if getter is None:
            self.give_part(owner, name, value, term)
        else:
            self.give_computed(getter, owner, name, value, term)
        return b

    def give_computed(self, getter, owner, name, value, term):
        """The same for what Python code computes, which is run once more: things are as they were then."""
        record = self.record(getter, owner)
        again = record.run()
        if is_number(value) and again != value:
            raise errors.AliasError(f'{type(owner).__name__}.{name} was computed from other values than the object has now')
        given = term if is_number(again) else self.take_whole(again, self.give(again, term))
        self.give(owner, record.back(self, given)[0])

    def take_item(self, owner, index, value):
        """What `owner[index] = value` gives to the value; nothing is left in the owner's place."""
        if isinstance(owner, np.ndarray):
            if id(owner_of(owner)) not in self.buffers:
                return None
            buffer = self.buffer(owner)
            found = np.array(buffer[index])
            buffer[index] = 0
            return fitted(last_writes(found, owner, index), value)
        if not self.has_parts(owner):
            return None
        parts = self.parts(owner)
        if isinstance(owner, list):
            found, parts[index] = parts[index], None
            return found
        return parts.pop(index, None)

    def undo_item(self, owner, index, old, value):
        """Undo `owner[index] = value`; the gradient of the value."""
        if isinstance(index, slice) and isinstance(owner, list):
            return self.undo_slice(owner, index, old, value)
        found = self.take_item(owner, index, value)
        if isinstance(value, np.ndarray) and not isinstance(owner, np.ndarray):
            found = self.take_array(value)
        if old is MISSING:
            del owner[index]
        else:
            owner[index] = old
        return found

    def undo_slice(self, owner, index, old, value):
        before, = old
        size = len(owner) - len(before) + len(range(*index.indices(len(before))))
        start = index.indices(len(before))[0]
        where = slice(start, start + size) if index.step in (None, 1) else index
        parts = self.parts(owner)
        found = parts[where]
        rest = [None] * len(range(*index.indices(len(before))))
        parts[where] = rest
        owner[:] = before
        return found

    def undo_attribute(self, owner, name, old, value):
        """Undo `owner.name = value`; the gradient of the value."""
        found = self.take_array(value) if isinstance(value, np.ndarray) else self.parts(owner).pop(name, None)
        if old is MISSING:
            object.__delattr__(owner, name)
        else:
            object.__setattr__(owner, name, old)
        return found

    def undo_update(self, sign, new, old, kept, value, b):
        """Undo `x += value` (or another sign), which made `new` of `old`; (gradient of old, gradient of value)."""
        if isinstance(old, list):
            parts = self.parts(old)
            found = parts[len(kept):]
            del parts[len(kept):], old[len(kept):]
            return None, found
        g = self.take(new, b)
        if new is old and overlap(value, old):               # a part of the array: it is read as it was
            new = new.copy()
            old[...] = kept
        if g is None:
            left = right = None
        elif isinstance(old, tuple):
            left, right = g[:len(old)], g[len(old):]
        else:
            left, right = UPDATES[sign](g, kept, value, new)
        if new is old and isinstance(old, np.ndarray):
            old[...] = kept
        return self.give(old, None if left is None else fitted(left, kept)), None if right is None else fitted(right, value)

    def undo_item_update(self, sign, owner, index, old, value):
        """Undo `owner[index] += value` (or another sign); the gradient of the value."""
        new = owner[index]
        if not isinstance(owner, np.ndarray) and isinstance(new, (np.ndarray, list)):         # updated in place itself
            return self.undo_update(sign, new, new, old, value, None)[1]
        if not isinstance(owner, np.ndarray):
            part = self.undo_item(owner, index, old, value)
            left, right = UPDATES[sign](part, old, value, new) if part is not None else (None, None)
            self.give_item(owner, index, old, left)
            return None if right is None else fitted(right, value)
        if id(owner_of(owner)) not in self.buffers:
            owner[index] = old
            return None
        g = self.take_item(owner, index, new)
        if overlap(value, owner):                            # a part of the array: it is read as it was
            new = np.array(new)
            owner[index] = old
        left, right = UPDATES[sign](g, old, value, new)
        owner[index] = old
        self.give_item(owner, index, old, left)
        return None if right is None else fitted(right, value)

    # What the user gets

    def result(self, value, b=None):
        """The gradient of an argument, in its structure and dtype; one object for one object."""
        return self.whole(value, b, {})

    def taken(self, value, b=None):
        """The gradient of an argument for a caller that knows no table; what two arguments share goes to the first."""
        return astype(complete(self.take_whole(value, b), value), value)

    def whole(self, value, b, known):
        if id(value) in known:
            return known[id(value)]
        if isinstance(value, np.ndarray):
            found = self.buffers.get(id(owner_of(value)))
            grad = astype(self.buffer(value).copy() if found else init_grad(value), value)
        elif isinstance(value, tuple):
            return rebuild_tuple(type(value), [self.whole(*each, known) for each in zip(value, b or [None] * len(value))])
        elif isinstance(value, list):
            grad = known[id(value)] = []
            grad += [self.whole(*each, known) for each in zip(value, self.parts(value))]
        elif isinstance(value, dict):
            parts = self.parts(value)
            grad = known[id(value)] = {}
            grad.update((key, self.whole(v, parts.get(key), known)) for key, v in value.items())
        elif is_object(value):
            grad = known[id(value)] = new_gradient(value)
            parts = self.parts(value)
            for name, v in fields(value).items():
                object.__setattr__(grad, name, self.whole(v, parts.get(name), known))
        else:
            return astype(b, value) if b is not None else init_grad(value)
        known[id(value)] = grad
        return grad


def getter_of(owner, name):
    """The Python code that computes an attribute, as a function of the object; None for one that the object holds."""
    found = inspect.getattr_static(type(owner), name, None)
    if isinstance(found, property):
        return found.fget
    if isinstance(found, functools.cached_property):
        return found.func
    if isinstance(getattr(type(found), '__get__', None), types.FunctionType):
        return lambda thing: type(found).__get__(found, thing, type(thing))
    if found is None and name not in fields(owner) and isinstance(getattr(type(owner), '__getattr__', None), types.FunctionType):
        return lambda thing: type(thing).__getattr__(thing, name)
    return None


def owner_of(array):
    """The array whose memory a view is a view of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def overlaps(array):
    """Whether a view holds an element more than once: a broadcast, sliding windows."""
    return array.base is not None and (any(s == 0 < n - 1 for s, n in zip(array.strides, array.shape))
                                       or array.size > owner_of(array).size)


def bounds(array):
    """The addresses of the first byte of an array and of the byte behind its last."""
    low = high = array.__array_interface__['data'][0]
    for size, stride in zip(array.shape, array.strides):
        if stride < 0:
            low += (size - 1) * stride
        else:
            high += (size - 1) * stride
    return low, (high + array.itemsize if array.size else low)


def same_length(term, value):
    if len(term) != len(value):
        raise errors.ArgumentTypeError(f'a gradient of {len(term)} parts for a {type(value).__name__} of {len(value)}: '
                                       'lists and tuples with a derivative are joined and repeated by displays only')
    return term


def stacked(term, value):
    """The gradients of the rows of an array as one array."""
    return np.stack([np.zeros(np.shape(v)) if t is None else np.broadcast_to(t, np.shape(v)) for t, v in zip(term, value)])


def rebuild_whole(parts):
    return None if all(p is None for p in parts) else parts


def complete(g, value):
    """A gradient in which parts are missing (None), with zeros for them."""
    if g is None:
        return init_grad(value)
    if isinstance(value, tuple):
        return TupleGrad(map(complete, g, value), type(value))
    if isinstance(value, list):
        return list(map(complete, g, value))
    if isinstance(value, dict):
        return {key: complete(g.get(key), v) for key, v in value.items()}
    return g


def fitted(g, value):
    """A gradient summed and spread to the shape of a number or array that was broadcast."""
    return unbroadcast(g, value) if isinstance(value, np.ndarray) or is_number(value) else g


def last_writes(g, owner, index):
    """The gradient of the values written to an index: of those written to one place, only the last has one."""
    parts = index if isinstance(index, tuple) else (index,)
    if all(isinstance(p, (int, slice, np.integer)) or p is None or p is Ellipsis for p in parts):
        return g
    order = np.full(owner.shape, -1)
    count = np.arange(g.size).reshape(g.shape)
    order[index] = count
    return np.where(order[index] == count, g, 0)


def power_left(g, x, y, z):
    with np.errstate(divide='ignore', invalid='ignore'):
        return g * np.where(np.equal(y, 0), 0.0, y * np.power(x, np.where(np.equal(y, 0), 1.0, y - 1.0)))


def power_right(g, x, y, z):
    return g * np.where(np.equal(x, 0), 0.0, np.log(np.where(np.equal(x, 0), 1.0, x)) * z)


PARTS = {'real': lambda g, x: g, 'imag': lambda g, x: 1j * g if isinstance(x, complex) else 0 * g, 'T': lambda g, x: g}

UPDATES = {
    '+': lambda g, x, v, z: (g, g),
    '-': lambda g, x, v, z: (g, -g),
    '*': lambda g, x, v, z: (g * v, g * x),
    '/': lambda g, x, v, z: (g / v, -g * z / v),
    '//': lambda g, x, v, z: (None, None),
    '%': lambda g, x, v, z: (g, -g * np.floor(x / v)),
    '**': lambda g, x, v, z: (power_left(g, x, v, z), power_right(g, x, v, z) if np.ndim(v) or type(v) is not int else None),
    '@': lambda g, x, v, z: (g @ np.swapaxes(v, -1, -2), np.swapaxes(x, -1, -2) @ g),
    '&': lambda g, x, v, z: (None, None), '|': lambda g, x, v, z: (None, None), '^': lambda g, x, v, z: (None, None),
    '<<': lambda g, x, v, z: (None, None), '>>': lambda g, x, v, z: (None, None),
}


# What the forward pass calls

def overlap(value, owner):
    return isinstance(value, np.ndarray) and isinstance(owner, np.ndarray) and np.may_share_memory(value, owner)


def kept(x):
    """What undoing `x += v` will need of the old value of x: a copy of an array, the elements of a list."""
    return x.copy() if isinstance(x, np.ndarray) else list(x) if isinstance(x, list) else x


def before(owner, index):
    """What undoing `owner[index] = v` will need: a copy of what is there now, MISSING if there is nothing."""
    if isinstance(owner, np.ndarray):
        return np.array(owner[index])
    if isinstance(owner, list):
        return [list(owner)] if isinstance(index, slice) else owner[index]
    if isinstance(owner, dict):
        return owner.get(index, MISSING)
    raise errors.AliasError(f'item assignment to a {type(owner).__name__}: its class has to be visible in the module of '
                            'the differentiated function')


def before_update(owner, index):
    """What undoing `owner[index] += v` will need: a copy of what is there now."""
    return kept(owner[index]) if not isinstance(owner, np.ndarray) else np.array(owner[index])


def before_attribute(owner, name):
    """What undoing `owner.name = v` will need."""
    found = getattr(type(owner), name, None)
    if hasattr(found, '__set__') and not isinstance(found, (types.MemberDescriptorType, types.GetSetDescriptorType)):
        raise errors.AliasError(f'{type(owner).__name__}.{name} is a property: its class has to be visible in the module '
                                'of the differentiated function')
    return getattr(owner, name, MISSING) if not hasattr(owner, '__dict__') else owner.__dict__.get(
        name, getattr(owner, name, MISSING) if isinstance(found, types.MemberDescriptorType) else MISSING)


def cell_of(function):
    """The closure cell of the one variable that a function captures: `cell_of(lambda: w)`."""
    return function.__closure__[0]


def unjoin(g, left, right):
    """The gradients of both operands of `left + right`, numbers or sequences."""
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return g[:len(left)], g[len(left):]
    return unbroadcast(g, left), unbroadcast(g, right)


def add_parts(b, term):
    """The sum of two gradients of one number or tuple, either of which may be None."""
    return add_grad(b, term) if b is not None and term is not None else term if b is None else b


def cost(result):
    """What is differentiated of a result: the first element of a tuple."""
    return result[0] if isinstance(result, tuple) else result


def first_seed(result, seed):
    """The gradient of a result of whose elements the first has this gradient."""
    return [seed] + [None] * (len(result) - 1) if isinstance(result, tuple) else seed
