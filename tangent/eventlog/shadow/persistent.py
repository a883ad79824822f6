"""Persistent arrays in the log form: handles that are written to, whose gradients the table keeps by identity.

    a[i] = v     forward: note the version that the handle has, then write      (nothing is copied)
                 backward: v's gradient is the piece of a's, which is zero there afterwards; a is that version again

So each write costs its piece, and so does its way back.
"""
from tangent.eventlog.shadow.values import fitted
from tangent.persistent.gradient import (
    add_gradients,
    dense,
    head_rows,
    persisted,
    row_at,
    tail_rows,
    unpop,
    unset_item,
    written_item,
    zero,
)
from tangent.runtime.add import add_at

WHOLE = 'whole'                            # the key of a handle's gradient in its `parts`


class Handles:
    """The part of `gradients.Table` that knows persistent arrays."""

    def give_handle(self, handle, term):
        parts = self.parts(handle)
        found = parts.get(WHOLE)
        parts[WHOLE] = persisted(term, handle.shape).copy() if found is None else add_gradients(found, persisted(
            term, handle.shape))

    def take_handle(self, handle):
        """What was given to a handle, with nothing left; None if nothing was."""
        return self.slots.pop(id(handle), (None, {}))[1].get(WHOLE)

    def gradient_of(self, handle):
        """The gradient of a handle, to be added to in place."""
        parts = self.parts(handle)
        if parts.get(WHOLE) is None:
            parts[WHOLE] = zero(handle)
        return parts[WHOLE]

    def give_piece(self, handle, index, term):
        add_at(self.gradient_of(handle), index, term)

    def undo_write(self, handle, index, old, value):
        """Undo `handle[index] = value`; the gradient of the value."""
        handle.become(old)
        g = self.take_handle(handle)
        if g is None:
            return None
        self.parts(handle)[WHOLE] = unset_item(g, index)
        return written_item(g, index, value)

    def undo_piece_update(self, handle, index, old, value, update):
        """Undo `handle[index] op= value`; the gradient of the value. `update` gives those of both operands."""
        new = handle[index]
        g = self.undo_write(handle, index, old, new)
        if g is None:
            return None
        before = handle[index]
        left, right = update(g, before, value, new)
        if left is not None:
            self.give_piece(handle, index, fitted(left, before))
        return None if right is None else fitted(right, value)


# Methods that move the handle

def moved(back):
    """A call of a method that moves the handle; `back` gives the gradients of the version before, and of the arguments."""
    def run(record, owner, method, args):
        before = owner.copy()
        value = method(*args, **record.keywords)

        def backward(grads, g):
            owner.become(before)
            d = grads.take_handle(owner)
            if d is None and g is None:
                return {}
            rest, *found = back(d, g, owner, *args)
            grads.give_handle(owner, rest)
            return dict(enumerate(found))
        record.backward = backward
        return value
    return run


def unpop_row(d, g, owner):
    return unpop((g, d), owner),


METHODS = {
    'append': moved(lambda d, g, owner, row: (head_rows(d, owner), row_at(d, owner, row))),
    'extend': moved(lambda d, g, owner, rows: (head_rows(d, owner), tail_rows(d, owner, rows))),
    'pop': moved(unpop_row),
}
ATTRIBUTES = {'T': lambda g, x: dense(g).T, 'real': lambda g, x: dense(g),
              'imag': lambda g, x: 1j * dense(g) if x.dtype.kind == 'c' else None}
