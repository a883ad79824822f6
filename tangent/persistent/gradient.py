"""Gradients of persistent arrays: persistent arrays too, which know where they may differ from zero.

The adjoint of `b = a.setitem(i, v)` gives `v` the piece `b's gradient[i]`, and `a` that gradient with zeros in the piece:
a new version of it, at the cost of the piece. Where versions of one array branch, their gradients meet in a sum; a gradient
that was written in few places is added at the cost of these places.
"""
import numpy as np

from tangent.errors import ShapeError
from tangent.persistent.array import Array
from tangent.persistent.versions import Tree
from tangent.runtime.add import is_basic, register_add_grad
from tangent.runtime.broadcast import register_unbroadcast, unbroadcast
from tangent.runtime.cast import register_kind
from tangent.runtime.zeros import ZeroGrad, real_dtype, register_init_grad


class Gradient(Array):
    """The gradient of a persistent array, while it is summed.

    touched : a chain (elements in it, index, chain before) of what was written since it was zero; () for zero, None if
        more was written than it has elements
    """

    __slots__ = ('touched',)

    def __init__(self, data, touched=None):
        self._tree = Tree(data)
        self._version = self._tree.first()
        self.touched = touched

    def __reduce__(self):
        return Gradient, (np.array(self[...]),)

    def _handle(self, version):
        made = super()._handle(version)
        made.touched = self.touched if version.node.length == self._version.node.length else None
        return made

    def _resize(self, change, rows=None, move=False):
        last, made = super()._resize(change, rows, move)
        made.touched = None                          # an index from the end would now name another row
        return last, made

    def _wrote(self, before, index, size):
        chain = before.touched
        if chain is not None:
            size += chain[0] if chain else 0
            chain = (size, index, chain) if size <= self.size else None
        self.touched = chain

    def add_touched(self, other):
        """Add, in place, a gradient that was written in few places."""
        chain, pieces, seen, n = other.touched, [], set(), self.shape[:1]
        plain = True
        while chain:
            _, index, chain = chain
            if type(index) is int:
                index %= n[0]
                if index in seen:
                    continue
                seen.add(index)
            else:
                plain = False
            pieces.append(index)
        if not plain:
            other = other.copy()
        values = []
        for index in pieces:
            values.append(other[index])
            if not plain:
                other[index] = 0                     # what another index names again is added once
        for index, value in zip(pieces, values):
            self[index] = self[index] + value

    def __add__(self, other):
        same = isinstance(other, (Array, np.ndarray)) and other.shape == self.shape
        return add_gradients(self, other) if same else super().__add__(other)

    __radd__ = __add__

    def __iadd__(self, other):
        if isinstance(other, Gradient) and smaller(other, self) is other:
            self.add_touched(other)
            return self
        total = self + other
        if isinstance(total, Gradient):
            self.become(total)
            self.touched = total.touched
        else:
            self[...] = total
        return self


def zero(x):
    """The zero gradient of a persistent array. The system gives out memory for it where something is written."""
    return Gradient(np.zeros(x.shape, real_dtype(x.dtype)), ())


def persisted(g, shape=None):
    """A gradient as a `Gradient`."""
    if isinstance(g, Gradient):
        return g
    if type(g) is ZeroGrad:
        g = g.materialize()
        return g if isinstance(g, Gradient) else persisted(g, shape)
    return Gradient(np.array(g if shape is None else np.broadcast_to(g, shape)))


def dense(g):
    """A gradient as an array, where it is a persistent one."""
    return np.array(g) if isinstance(g, Array) else g


def effort(g):
    """How many elements a sum with this gradient goes through."""
    return g.size if g.touched is None else g.touched[0] if g.touched else 0


def smaller(left, right):
    """The one of two gradients of one array that costs less to add to the other; None if that is no less than all of it."""
    if left.shape != right.shape:
        raise ShapeError(f'Shape mismatch: gradients of shapes {left.shape} and {right.shape} of one persistent array')
    little, big = (left, right) if effort(left) <= effort(right) else (right, left)
    return little if little.touched is not None and np.can_cast(little.dtype, big.dtype) else None


def add_gradients(left, right):
    """The sum of two gradients of a persistent array; the one that was touched less is added to the other."""
    left, right = persisted(left), persisted(right)
    little = smaller(left, right)
    if little is None:
        return Gradient(left[...] + right[...])
    total = (right if little is left else left).copy()
    total.add_touched(little)
    return total


def fitted(g, x):
    """A gradient in the form in which users get it: a persistent array of the shape and dtype of `x`, floating-point."""
    dtype = real_dtype(x.dtype)
    if isinstance(g, Array) and g.dtype == dtype and g.shape == x.shape:
        made = object.__new__(Array)
        made.become(g)
        return made
    return Array(unbroadcast(dense(g), x))


for _left in (Array, Gradient, np.ndarray):
    for _right in (Array, Gradient, np.ndarray):
        if (_left, _right) != (np.ndarray, np.ndarray):
            register_add_grad(_left, _right, add_gradients)
for _kind in (Array, Gradient):
    register_init_grad(_kind, zero, True)
    register_unbroadcast(_kind, lambda b, x: b if b.shape == np.shape(x) else unbroadcast(dense(b), x))
    register_kind(_kind, Array.copy, fitted)


def unset_item(d, index):
    """The gradient of `a`, from that of `a.setitem(index, value)`."""
    return persisted(d).setitem(index, 0)


def written_item(d, index, value):
    """The gradient of `value`, from that of `a.setitem(index, value)`: of what is written to one place, the last counts."""
    found = d[index] if isinstance(d, Array) else np.array(d[index])
    if not is_basic(index) and found.size:
        order = np.zeros(np.shape(d), int)           # (memory that nobody writes to costs nothing)
        count = np.arange(1, found.size + 1).reshape(found.shape)
        order[index] = count
        found = np.where(order[index] == count, found, 0)
    return unbroadcast(found[()] if isinstance(found, np.ndarray) else found, value)


def unwritten_item(g, d, index):
    """The gradient of `d`, from that of `written_item(d, index, value)`."""
    return zero(persisted(d)).setitem(index, g)


def push_set(da, dvalue, index, a):
    """The tangent of `a.setitem(index, value)`."""
    return persisted(da, a.shape).setitem(index, dvalue)


# Rows at the end

def head_rows(d, a):
    """The gradient of `a`, from that of `a.appended(row)` or `a.extended(rows)`."""
    found = persisted(d).copy()
    if len(found) > len(a):
        found._resize(len(a) - len(found), move=True)
    return found


def unhead_rows(g, d):
    """The gradient of `d`, from that of `head_rows(d, a)`."""
    return persisted(g).extended(np.zeros((len(d) - len(g), *d.shape[1:]), d.dtype))


def row_at(d, a, row):
    """The gradient of `row`, from that of `a.appended(row)`."""
    return unbroadcast(d[len(a)], row)


def unrow(g, d, a):
    """The gradient of `d`, from that of `row_at(d, a, row)`."""
    return zero(persisted(d)).setitem(len(a), g)


def tail_rows(d, a, rows):
    """The gradient of `rows`, from that of `a.extended(rows)`."""
    found = d[len(a):]
    return type(rows)(found) if isinstance(rows, (list, tuple)) else unbroadcast(found, rows)


def push_append(da, drow, a, row):
    """The tangent of `a.appended(row)`."""
    return persisted(da, a.shape).appended(np.broadcast_to(drow, np.shape(row)))


def push_extend(da, drows, a, rows):
    """The tangent of `a.extended(rows)`."""
    return persisted(da, a.shape).extended(drows)


def push_pop(da, a):
    """The tangent of `a.popped()`."""
    return persisted(da, a.shape).popped()


def unpop(d, a):
    """The gradient of `a`, from that of the pair `a.popped()`."""
    last, rest = d
    rest = zero(a)[:-1] if rest is None else rest
    return persisted(rest).appended(np.broadcast_to(0.0 if last is None else last, a.shape[1:]))
