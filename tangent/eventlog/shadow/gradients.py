"""Gradients of things that can be written into, kept by identity.

The log form of a derivative (see `logged`) handles programs that write into arrays, lists, dicts and objects, whatever
names these go by. A number has its gradient in a variable of the backward pass; a thing that can change has it here, in
a table keyed by the thing itself, so that two names for one list, or an array and a view of it, cannot disagree. As the
backward pass goes, it undoes the writes, so that at every step things are as they were when the step was made.
"""
import collections
import enum
import functools
import inspect
import types

import numpy as np

from tangent import errors
from tangent.eventlog.shadow.memory import Memory, is_awaited, is_imaginary, overlaps, owner_of, placed
from tangent.eventlog.shadow.persistent import ATTRIBUTES, Handles
from tangent.eventlog.shadow.undo import Undo
from tangent.eventlog.shadow.values import (
    SIMPLE,
    is_number,
    of_flat,
    refuse_foreign,
    refuse_getattribute,
    refuse_left,
    refuse_unfollowed,
)
from tangent.persistent.array import Array
from tangent.persistent.gradient import fitted
from tangent.runtime import captures
from tangent.runtime.add import add_at, add_grad
from tangent.runtime.array_api import LATER, is_chunked, of_numpy
from tangent.runtime.cast import astype
from tangent.runtime.fields import (
    field,
    fields,
    has_items_for_attributes,
    holds_constants,
    holds_itself,
    is_gradient,
    is_object,
    refuse_object,
)
from tangent.runtime.functions.complex import conjugate
from tangent.runtime.objects import attributes, every_share, holds_objects, new_gradient
from tangent.runtime.tangents.zeros import OfNumberless
from tangent.runtime.zeros import TupleGrad, exotic, init_grad, rebuild_tuple
from tangent.templates.language import registry

METHODS = types.MethodType, types.BuiltinMethodType, types.MethodWrapperType          # of an object, with the object


class Table(Memory, Undo, Handles):
    """The gradients of one backward pass, but for what calls functions: see `log_calls.Gradients`.

    buffers : id of an array that owns its memory -> (the array, the memory of its gradient)
    slots : id of a list, dict, object or closure cell -> (it, the gradients of the numbers and tuples in it)
    pending : id of such an array -> (it or a view of it, what tasks will have computed that is owed to it)
    kept : (id of an object, name of a cached_property) -> (the object, what it keeps), where that was read
    """

    def __init__(self):
        self.buffers, self.slots, self.kept, self.pending = {}, {}, {}, {}

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
        if type(value) in SIMPLE and term is not None:
            return term if b is None else b + term
        if type(value) is np.ndarray and type(term) is np.ndarray and value.base is None:
            self.add(value, term)
            return b
        if term is not None:
            of_numpy(value)
        if term is None or isinstance(value, np.ndarray):
            if term is not None and overlaps(value):
                np.add.at(*self.places(value), term)
            elif term is not None:
                self.add(value, term if not isinstance(term, (list, tuple)) else stacked(term, value))
            return b
        if is_number(value):
            term = by_places(term, value) if isinstance(term, list) and type(value) in LATER else term
            return term if b is None else add_grad(b, term) if type(value) in LATER else b + term       # of a task any form
        if isinstance(value, Array):
            self.give_handle(value, term)
            return b
        if hasattr(type(value), 'receive'):                    # a generator, all of whose values were taken together
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
        if type(value) in SIMPLE:
            found = self.slots.get(id(owner))
            parts = found[1] if found is not None else self.parts(owner)
            b = parts.get(key)
            parts[key] = term if b is None else b + term
        elif isinstance(value, tuple) or is_number(value):
            parts = self.parts(owner)
            parts[key] = self.give(value, term, parts.get(key))
        else:
            self.give(value, term)

    def give_object(self, value, term):
        refuse_foreign(value)
        if isinstance(value, types.FunctionType):
            cells = dict(zip(value.__code__.co_freevars, value.__closure__ or ()))
            for name, t in dict(term).items():
                self.give_cell(cells[name], t)
        elif isinstance(value, METHODS) and not isinstance(value.__self__, types.ModuleType):
            if isinstance(value.__self__, tuple) or is_number(value.__self__) or exotic(value.__self__) is not None:
                raise errors.AliasError(f'{value.__qualname__} is a method under a name, of something that has its gradient '
                                        'under another: call it as owner.method(...)')
            self.give(value.__self__, term)
        elif isinstance(value, functools.partial):
            self.give_partial(value, term)
        elif (is_object(value) or is_gradient(value)) and (is_gradient(term) or is_object(term)):
            for name, t in list(every_share(term)):
                self.give_part(value, name, getattr(value, name) if is_gradient(value) else field(value, name), t)
        elif is_object(value):
            refuse_object(value)
        elif holds_constants(type(value)):
            return
        elif not isinstance(value, (types.BuiltinFunctionType, types.ModuleType, type, str, bytes, set, frozenset)):
            raise errors.ArgumentTypeError(f'a {type(value).__name__} has no gradient that could be added up')

    def give_partial(self, value, term):
        """The same for a partial: of its function, arguments and keywords, or by place and name, as `captures` has it."""
        n = len(value.args)
        if isinstance(term, dict):
            term = term.get('__func__'), [term.get(k - n) for k in range(n)], {k: term.get(k) for k in value.keywords}
        func, args, keywords = term
        if func is not None:
            self.give(value.func, func)
        for key, t in [*enumerate(args), *keywords.items()]:
            self.give_part(value, key, value.args[key] if type(key) is int else value.keywords[key], t)

    def take_partial(self, value, known):
        parts, n = self.slots.pop(id(value), (None, {}))[1], len(value.args)
        found = {k - n: self.take_whole(v, parts.get(k), known) for k, v in enumerate(value.args)}
        found.update((k, self.take_whole(v, parts.get(k), known)) for k, v in value.keywords.items())
        found['__func__'] = self.take_whole(value.func, None, known)
        found = {key: g for key, g in found.items() if g is not None}
        return found or None

    def give_cell(self, cell, term):
        self.give_part(cell, 'value', cell.cell_contents, term)

    def take_cell(self, cell):
        return self.parts(cell).pop('value', None)

    def take(self, value, b=None):
        """What was given to a value that has just been made, with nothing left: a number's `b`, an array's buffer.

        None where nothing was given, and for lists, dicts and objects, whose gradients stay with them.
        """
        if type(value) in SIMPLE:
            return b
        if isinstance(value, Array):
            return self.take_handle(value)
        return self.take_array(value) if isinstance(value, np.ndarray) else b

    def take_whole(self, value, b=None, known=frozenset()):
        """The same for containers too, in their structure: what a display, or a function that knows no table, has made."""
        if isinstance(value, (np.ndarray, Array)):
            return self.take(value)
        if isinstance(value, tuple):
            b = b or [None] * len(value)
            return rebuild_whole([self.take_whole(*each, known) for each in zip(value, b)])
        if isinstance(value, (list, collections.deque)):
            parts = self.slots.pop(id(value), (None, [None] * len(value)))[1]
            return rebuild_whole([self.take_whole(*each, known) for each in zip(value, parts)])
        if isinstance(value, dict):
            parts = self.slots.pop(id(value), (None, {}))[1]
            found = {key: self.take_whole(v, parts.get(key), known) for key, v in value.items()}
            return None if all(v is None for v in found.values()) else found
        if isinstance(value, types.FunctionType):
            return self.take_function(value, known)
        if isinstance(value, functools.partial):
            return self.take_partial(value, known)
        if hasattr(type(value), 'receive'):                    # a generator is told of each gradient by itself
            return None
        return self.take_object(value, known) if is_object(value) or is_gradient(value) else b

    def parts_of(self, rest):
        """What is owed to the numbers and tuples in the dict of a call's further keywords, which nobody else holds."""
        return {} if rest is None else self.slots.pop(id(rest), (None, {}))[1]

    def take_function(self, value, known):
        """The same for a closure: the gradients of what it captured."""
        if id(value) in known:
            return None
        found = {}
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
            part = self.slots.pop(id(cell), (None, {}))[1].get('value')
            found[name] = self.take_whole(captures.content(cell), part, known | {id(value)})
        found = {name: g for name, g in found.items() if g is not None}
        return found or None

    def take_object(self, value, known):
        """The gradient of an object that a function which knows no table has made, or handed on."""
        if id(value) in known:
            return None
        parts = self.slots.pop(id(value), (None, {}))[1]
        found = {name: self.take_whole(v, parts.get(name), known | {id(value)}) for name, v in attributes(value).items()}
        found = {name: g for name, g in found.items() if g is not None}
        if not found:
            return None
        whole = init_grad(value)
        whole.__dict__.update(found)
        return whole

    def take_full(self, value, b=None):
        """The same with zeros where nothing was given; None where nothing was given at all."""
        if type(value) in SIMPLE:
            return b
        found = self.take_whole(value, b)
        return found if found is None or isinstance(value, np.ndarray) else complete(found, value)

    # Elements and attributes

    def give_item(self, owner, index, value, term, b=None):
        """`value = owner[index]` has the gradient `term`: add it to the owner's; the new gradient of a tuple."""
        if type(value) in SIMPLE and type(owner) is list and term is not None:
            parts = self.parts(owner)
            parts[index] = term if parts[index] is None else parts[index] + term
            return b
        if type(owner) is np.ndarray and type(index) is int and type(term) in REAL and owner.base is None:
            self.part(owner)[index] += term
            return b
        if hasattr(type(owner), 'receive'):                    # a generator: its adjoint goes on even where there is no term
            owner.receive(self, index, term)
            return b
        if isinstance(owner, (str, bytes, range, OfNumberless)):
            return b
        if is_number(owner):                                   # `x[None]` is an array of its own
            term = self.take_array(value) if term is None and isinstance(value, np.ndarray) else term
            return b if term is None else self.give(owner, add_at(init_grad(owner), index, term), b)
        if term is None:
            return b
        if isinstance(owner, np.flatiter):
            owner, index = of_flat(owner, index)
        if isinstance(owner, np.ndarray):
            term = stacked(term, value) if isinstance(term, (list, tuple)) else term
            if is_awaited(term):
                self.add(owner, placed(term, index, owner))
                return b
            add_at(self.part(owner), index, -term if is_imaginary(owner) else term)
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
        elif isinstance(owner, Array):
            self.give_piece(owner, index, stacked(term, value) if isinstance(term, (list, tuple)) else term)
        else:
            kind = type(owner).__name__
            raise errors.AliasError(f'values that a {kind} gives have no gradient: make a list of it, list({kind}(...))')
        return b

    def take_from(self, value, b, owner=None):
        """The gradient of an element or attribute under a name of its own; None for a view, whose gradient is the array's."""
        if not isinstance(value, np.ndarray):
            return b
        if isinstance(owner, (Array, np.flatiter)) or is_number(owner):      # a piece of it is a copy
            return self.take_array(value)
        return None if not isinstance(owner, np.ndarray) or owner_of(value) is owner_of(owner) else self.take_array(value)

    def take_computed(self, value, b, owner, name):
        """The same for what an attribute gives: whole, where code of the object's class has made it."""
        made = not holds_itself(type(owner), name) and getter_of(owner, name) is not None
        return self.take_whole(value, b) if made else self.take_from(value, b)

    def take_slice(self, value, b, owner):
        """The same for `owner[i:j]`: a view of an array, but of a list a list of its own."""
        return self.take_whole(value, b) if isinstance(value, list) else self.take_from(value, b, owner)

    def take_piece(self, value, b, owner, index):
        """The same for `owner[index]`, where the index may be a slice that has a name."""
        return self.take_slice(value, b, owner) if type(index) is slice else self.take_from(value, b, owner)

    def give_attribute(self, owner, name, value, term, b=None):
        """`value = owner.name` has the gradient `term`: add it to the owner's; the new gradient of a number or tuple."""
        if term is None:
            return b
        if isinstance(owner, BaseException):
            refuse_unfollowed(owner, term)
        if isinstance(owner, enum.Enum):                                    # of the class, once for all
            return b
        if holds_itself(type(owner), name):
            self.give_part(owner, name, value, term)
            return b
        if isinstance(owner, np.ndarray):
            if registry.tells(name) or name == 'flat':
                return b
            if name in ('T', 'mT', 'real', 'imag'):
                if np.shares_memory(owner, value):
                    self.give(value, term)
                return b
            raise errors.AliasError(f'the attribute .{name} of an array has no gradient')
        if isinstance(owner, Array):
            return self.give(owner, ATTRIBUTES[name](term, owner), b)
        if isinstance(owner, tuple) and name in getattr(owner, '_fields', ()):
            return self.give_item(owner, type(owner)._fields.index(name), value, term, b)
        if is_number(owner):
            if is_chunked(owner) and (registry.tells(name) or name in OF_CHUNKS):
                return b
            if name not in PARTS:
                raise errors.AliasError(f'the attribute .{name} of a {type(owner).__name__} has no gradient')
            return self.give(owner, PARTS[name](term, owner), b)
        getter = getter_of(owner, name)
        if getter is None:
            self.give_part(owner, name, value, term)
            return b
        return self.give_computed(getter, owner, name, value, term, b)

    def give_computed(self, getter, owner, name, value, term, b=None):
        """The same for what Python code computes, which is run once more: things are as they were then."""
        record = self.record(getter, owner)                # type: ignore[attr-defined]
        again = record.run()
        if not alike(again, value):
            raise errors.AliasError(f'{type(owner).__name__}.{name} was computed from other values than the object has now')
        given = self.take_whole(again, self.give(again, term)) if isinstance(again, np.ndarray) else term
        return self.give(owner, record.back(self, given)[0], b)

    def give_kept(self, owner, name, value, term):
        """The same for what a cached_property keeps: the object holds it."""
        self.kept[id(owner), name] = owner, value
        self.give_part(owner, name, value, term)
        return {}

    def take_kept(self, owner, name):
        """The gradient of what a cached_property keeps, which has been read first: it keeps nothing before that."""
        self.kept.pop((id(owner), name), None)
        vars(owner).pop(name)
        return self.parts(owner).pop(name, None)

    def settle(self):
        """What is owed to what cached properties have kept from before the program goes to what they were made of."""
        refuse_left(self.slots)
        while self.kept:
            (_, name), (owner, value) = self.kept.popitem()
            term = self.take_whole(value, self.parts(owner).pop(name, None))
            try:
                if term is not None:
                    self.give_computed(inspect.getattr_static(type(owner), name).func, owner, name, value, term)
            except AttributeError:                                  # the program made the object
                raise errors.AliasError(f'{type(owner).__name__}.{name} keeps what was computed where no derivative saw it: '
                                        'write it as a method') from None

    # What the user gets

    def result(self, value, b=None):
        """The gradient of an argument, in its structure and dtype; one object for one object."""
        self.settle()
        return self.whole(value, b, {})

    def result_in_complex(self, value, b=None):
        """The same for a derivative in complex form, where gradients are kept conjugated."""
        self.settle()
        return conjugate(self.whole(value, b, {}), value)

    def taken(self, value, b=None):
        """The gradient of an argument for a caller that knows no table.

        What stands in two places, of one argument or of two, has its gradient at the first alone: the caller adds them up.
        """
        self.settle()
        found = complete(self.take_whole(value, b), value)
        return found if holds_objects(value) else astype(found, value)

    def whole(self, value, b, known):
        if id(value) in known:
            return known[id(value)]
        if isinstance(value, np.ndarray):
            found, owner = self.buffers.get(id(owner_of(value))), owner_of(value)
            array, term = self.pending.get(id(owner), (None, None))
            if array is value and not found[1].any():              # as lazy as the value of the function is
                del self.pending[id(owner)]
                grad = astype(term, value)
            else:
                grad = astype(self.read(value) if found else init_grad(value), value)
        elif isinstance(value, Array):
            grad = fitted(self.gradient_of(value), value)
        elif isinstance(value, tuple):
            return rebuild_tuple(type(value), [self.whole(*each, known) for each in zip(value, b or [None] * len(value))])
        elif isinstance(value, list):
            grad = known[id(value)] = []
            grad += [self.whole(*each, known) for each in zip(value, self.parts(value))]
        elif isinstance(value, dict):
            parts = self.parts(value)
            grad = known[id(value)] = {}
            grad.update((key, self.whole(v, parts.get(key), known)) for key, v in value.items())
        elif is_object(value) or is_gradient(value):
            grad = known[id(value)] = new_gradient(value)
            parts = self.parts(value)
            for name, v in attributes(value).items():
                object.__setattr__(grad, name, self.whole(v, parts.get(name), known))
        else:
            return astype(b, value) if b is not None else init_grad(value)
        known[id(value)] = grad
        return grad


def alike(a, b):
    """Whether two values are the same for all that numbers and arrays tell."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[k], b[k]) for k in a)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    return a == b if is_number(a) and is_number(b) else type(a) is type(b)


def getter_of(owner, name):
    """The Python code that computes an attribute, as a function of the object; None for one that the object holds."""
    refuse_getattribute(owner, name)
    found = inspect.getattr_static(type(owner), name, None)
    if found is None and has_items_for_attributes(owner):
        return None
    if isinstance(found, property):
        return found.fget
    if isinstance(found, functools.cached_property):
        return found.func
    if isinstance(getattr(type(found), '__get__', None), types.FunctionType):
        return lambda thing: type(found).__get__(found, thing, type(thing))
    fallback = getattr(type(owner), '__getattr__', None)
    if found is None and name not in fields(owner) and isinstance(fallback, types.FunctionType):
        return lambda thing: type(thing).__getattr__(thing, name)
    return None


def same_length(term, value):
    if len(term) != len(value):
        raise errors.ArgumentTypeError(f'a gradient of {len(term)} parts for a {type(value).__name__} of {len(value)}: '
                                       'lists and tuples with a derivative are joined and repeated by displays only')
    return term


def by_places(terms, value):
    """What is owed to a value that is not computed yet, from what is owed to its elements: a star has gone through it."""
    found = init_grad(value)
    for k, term in enumerate(terms):
        if term is not None:
            found = add_at(found, k, term)
    return found


def stacked(term, value):
    """The gradients of the rows of an array as one array."""
    return np.stack([np.zeros(np.shape(v)) if t is None else np.broadcast_to(t, np.shape(v)) for t, v in zip(term, value)])


def rebuild_whole(parts):
    return None if all(p is None for p in parts) else parts


def complete(g, value):
    """A gradient in which parts are missing (None), with zeros for them."""
    if g is None:
        return init_grad(value)
    if is_awaited(g):
        return g
    if isinstance(value, tuple):
        return TupleGrad(map(complete, g, value), type(value))
    if isinstance(value, list):
        return list(map(complete, g, value))
    if isinstance(value, dict):
        return {key: complete(g.get(key), v) for key, v in value.items()}
    if is_gradient(g):
        g.__dict__.update([(name, complete(part, field(value, name))) for name, part in g.__dict__.items()])
    return g


REAL = frozenset([float, int, np.float64])
OF_CHUNKS = frozenset(['chunks', 'chunksize', 'numblocks', 'npartitions', 'name', 'key', 'dask'])      # of Dask's
PARTS = {'real': lambda g, x: g.real, 'imag': lambda g, x: -1j * g.real if np.iscomplexobj(x) else 0 * g,
         'T': lambda g, x: g.T if is_chunked(x) else g}
