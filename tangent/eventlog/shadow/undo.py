"""Undoing writes, one after the other from the last, and what each gives to the value that was written."""
import collections
import enum
import functools

import numpy as np

from tangent.errors import AliasError
from tangent.eventlog.shadow.memory import is_imaginary, overlap, owner_of
from tangent.eventlog.shadow.values import MISSING, SIMPLE, add_parts, fitted, of_flat, repeated_row, uncut
from tangent.persistent.array import Array
from tangent.runtime.add import last_at
from tangent.runtime.captures import differentiable
from tangent.runtime.fields import has_items_for_attributes, holds_itself, put_attribute, refuse_member
from tangent.runtime.functions.numpy.products import matmul_left, matmul_right
from tangent.runtime.zeros import TupleGrad


class Undo:
    """The part of `gradients.Table` that undoes what statements wrote."""

    def take_item(self, owner, index, value):
        """What `owner[index] = value` gives to the value; nothing is left in the owner's place."""
        if isinstance(owner, np.ndarray):
            if id(owner_of(owner)) not in self.buffers:
                return None
            buffer = self.part(owner)
            found = np.asarray(last_at(buffer, index))
            buffer[index] = 0
            return fitted(np.negative(found) if is_imaginary(owner) else found, value)
        if not self.has_parts(owner):
            return None
        parts = self.parts(owner)
        if isinstance(owner, (list, collections.deque)):
            found, parts[index] = parts[index], None
            return found
        return parts.pop(index, None)

    def undo_item(self, owner, index, old, value):
        """Undo `owner[index] = value`; the gradient of the value."""
        if isinstance(owner, Array):
            return self.undo_write(owner, index, old, value)
        if isinstance(owner, np.flatiter):
            if overlap(value, owner.base):
                raise AliasError('a part of an array is written into .flat of the same array, where NumPy reads what it has '
                                 'just written: write a copy of it')
            owner, index = of_flat(owner, index)
        if isinstance(index, slice) and isinstance(owner, list):
            return self.undo_slice(owner, index, old, value)
        found = uncut(self.take_item(owner, index, value), owner, value)
        if isinstance(value, np.ndarray) and not isinstance(owner, np.ndarray):
            found = self.take_array(value)
        if old is MISSING:
            del owner[index]
        else:
            owner[index] = old
        return found

    def undo_append(self, owner, value):
        """Undo `owner.append(value)`; the gradient of the value."""
        owner.pop()
        found = self.slots.get(id(owner))
        part = found[1].pop() if found is not None else None
        return part if not isinstance(value, np.ndarray) else self.take_array(value)

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
        if isinstance(value, np.ndarray):
            given = any(part is not None for part in found)
            return np.array([np.zeros_like(v) if part is None else part for part, v in zip(found, value)]) if given else None
        return found

    def undo_attribute(self, owner, name, old, value):
        """Undo `owner.name = value`; the gradient of the value."""
        if isinstance(owner, enum.Enum) and differentiable(value):
            refuse_member(owner, name)
        if type(value) in SIMPLE and not self.kept and holds_itself(type(owner), name):
            if old is MISSING:
                del owner.__dict__[name]
            else:
                owner.__dict__[name] = old
            found = self.slots.get(id(owner))
            return None if found is None else found[1].pop(name, None)
        if isinstance(owner, np.ndarray):
            return self.undo_part(owner, name, old, value)
        if isinstance(owner, TupleGrad):                       # the gradient of a namedtuple
            return self.undo_item(owner, owner._kind._fields.index(name), old, value)
        found = self.take_array(value) if isinstance(value, np.ndarray) else self.parts(owner).pop(name, None)
        self.kept.pop((id(owner), name), None)
        if has_items_for_attributes(owner):
            owner.update({name: old}) if old is not MISSING else owner.pop(name)
        elif old is MISSING:
            put_attribute(owner, name)
        else:
            put_attribute(owner, name, old)
        return found

    def undo_part(self, owner, name, old, value):
        """The same for an array: `z.real = value`, `x.flat = value`, `x.shape = value`."""
        if name == 'flat':
            found = self.undo_item(owner.flat, slice(None), old, np.resize(value, owner.size))
            return None if found is None else repeated_row(found, value)
        if name in ('real', 'imag'):
            return self.undo_item(getattr(owner, name), Ellipsis, old, value)
        setattr(owner, name, old)
        return None

    def undo_update(self, sign, new, old, kept, value, b):
        """Undo `x += value` (or another sign), which made `new` of `old`; (gradient of old, gradient of value)."""
        if isinstance(old, list) and sign == '*':
            parts, count = self.parts(old), len(kept)
            parts[:] = gathered(parts, count)
            old[:] = kept
            return None, None
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
            left, right = of_tuple(sign, g, old)
        else:
            left, right = UPDATES[sign](g, kept, value, new)
        if new is old and isinstance(old, np.ndarray):
            old[...] = kept
        elif isinstance(old, Array):
            old.become(kept)
        return self.give(old, None if left is None else fitted(left, kept)), None if right is None else fitted(right, value)

    def undo_item_update(self, sign, owner, index, old, value):
        """Undo `owner[index] += value` (or another sign); the gradient of the value."""
        if isinstance(owner, Array):
            return self.undo_piece_update(owner, index, old, value, UPDATES[sign])
        if isinstance(owner, np.flatiter):
            owner, index = of_flat(owner, index)
        new = owner[index]
        if not isinstance(owner, np.ndarray) and all(isinstance(v, (np.ndarray, list)) for v in (old, new)):  # in place itself
            return self.undo_update(sign, new, new, old, value, None)[1]
        if not isinstance(owner, np.ndarray):
            part = self.undo_item(owner, index, old, new)
            if isinstance(old, tuple) and part is not None:
                left, right = of_tuple(sign, part, old)
                self.give_item(owner, index, old, left)
                return right
            left, right = UPDATES[sign](part, old, value, new) if part is not None else (None, None)
            self.give_item(owner, index, old, None if left is None else fitted(left, old))
            return None if right is None else fitted(right, value)
        if id(owner_of(owner)) not in self.buffers:
            owner[index] = old
            return None
        g = self.take_item(owner, index, new)
        if overlap(value, owner):                            # a part of the array: it is read as it was
            new = np.array(new)
            owner[index] = old
        left, right = UPDATES[sign](uncut(g, owner, value), old, value, new)
        owner[index] = old
        self.give_item(owner, index, old, left)
        return None if right is None else fitted(right, value)


def of_tuple(sign, g, old):
    """(gradient of `old`, gradient of what is added to it), from that of the tuple that `+` or `*` makes of it."""
    return (tuple(gathered(g, len(old))), None) if sign == '*' else (g[:len(old)], g[len(old):])


def gathered(parts, count):
    """The gradients of `count` elements, from those of a repetition of them."""
    return [functools.reduce(add_parts, parts[k::count], None) for k in range(count)]


def last_of(places, size):
    """Where, among places that are written one after the other, a place is named for the last time."""
    last, count = np.full(size, -1), np.arange(places.size).reshape(places.shape)
    last[places] = count
    return last[places] == count


def power_left(g, x, y, z):
    with np.errstate(divide='ignore', invalid='ignore'):
        return g * np.where(np.equal(y, 0), 0.0, y * np.power(x, np.where(np.equal(y, 0), 1.0, y - 1.0)))


def power_right(g, x, y, z):
    return g * np.where(np.equal(x, 0), 0.0, np.log(np.where(np.equal(x, 0), 1.0, x)) * z)


UPDATES = {
    '+': lambda g, x, v, z: (g, g),
    '-': lambda g, x, v, z: (g, -g),
    '*': lambda g, x, v, z: (g * v, g * x),
    '/': lambda g, x, v, z: (g / v, -g * z / v),
    '//': lambda g, x, v, z: (None, None),
    '%': lambda g, x, v, z: (g, -g * np.floor(x / v)),
    '**': lambda g, x, v, z: (power_left(g, x, v, z), power_right(g, x, v, z) if np.ndim(v) or type(v) is not int else None),
    '@': lambda g, x, v, z: (matmul_left(g, x, v), matmul_right(g, x, v)),
    '&': lambda g, x, v, z: (None, None), '|': lambda g, x, v, z: (None, None), '^': lambda g, x, v, z: (None, None),
    '<<': lambda g, x, v, z: (None, None), '>>': lambda g, x, v, z: (None, None),
}
