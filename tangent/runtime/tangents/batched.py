"""Several directions at once: a tangent that holds one array for all of them, with an axis of directions in front.

Emitted forward code does the same to every tangent, so one pass serves any number of directions. What is done element by
element is done for all directions in one operation of NumPy, with ranks aligned behind the axis of directions; so are the
functions in `directions_numpy`. Every other function is called once for each direction, and what it gives is put together
again. A tangent that is a plain number or array is the same in all directions.
"""
import operator

import numpy as np

from tangent.errors import ShapeError
from tangent.runtime.broadcast import UNBROADCASTERS, cast, gradient_dtype, shape_of
from tangent.runtime.cast import COPIERS
from tangent.runtime.tangents.parts import WAY_OUT, Base, DirectionsError, each_direction, each_pushed, one_by_one, part
from tangent.runtime.zeros import INITIALIZERS

__all__ = ['Directions', 'each_direction', 'each_pushed']

NUMBERS = (float, int, complex, np.float64)


class Directions(Base):
    """The tangents of one number or array in several directions.

    d : array of the directions, each of the shape of the value
    """

    __slots__ = ()
    __hash__ = None                                       # type: ignore[assignment]

    def __repr__(self):
        return f'{type(self).__name__}({self.d!r})'

    # As an array

    @property
    def shape(self):
        return self.d.shape[1:]

    @shape.setter
    def shape(self, value):
        self.d.shape = len(self.d), *(value if isinstance(value, tuple) else (value,))

    ndim = property(lambda self: self.d.ndim - 1)
    size = property(lambda self: int(np.prod(self.d.shape[1:])))
    dtype = property(lambda self: self.d.dtype)
    T = property(lambda self: each_direction(np.transpose, self))

    @property
    def real(self):
        return Directions(self.d.real)

    @real.setter
    def real(self, value):
        self.real[...] = value

    @property
    def imag(self):
        return Directions(self.d.imag)

    @imag.setter
    def imag(self, value):
        self.imag[...] = value

    @property
    def flat(self):
        raise DirectionsError(f'x.flat is not known in several directions: {WAY_OUT}')

    @flat.setter
    def flat(self, value):
        for k, row in enumerate(self.d):
            row.flat = part(value, k)

    def __len__(self):
        if self.d.ndim == 1:
            raise TypeError('the tangent of a number has no length')
        return self.d.shape[1]

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def __getitem__(self, index):
        key = behind(index)
        if key is None:
            return one_by_one(operator.getitem, (self, index))
        return viewed(self.d[key], index)

    def __setitem__(self, index, value):
        key = behind(index)
        if key is None or index_of_directions(index):
            for k, row in enumerate(self.d):
                row[part(index, k)] = part(value, k)
            return
        if isinstance(value, Directions):
            into = self.d[key]
            value = aligned(value, max(into.ndim - 1, value.ndim))
        self.d[key] = value

    def copy(self, order='C'):
        return type(self)(self.d.copy())

    def astype(self, dtype):
        return type(self)(self.d.astype(dtype))

    def __getattr__(self, name):
        method = METHODS.get(name)
        if method is None:
            if name.startswith('__') or not hasattr(np.ndarray, name):
                raise AttributeError(f'a tangent in several directions has no attribute {name}: {WAY_OUT}')
            if not callable(getattr(np.ndarray, name)):
                return one_by_one(operator.attrgetter(name), (self,))
            return lambda *args, **keywords: one_by_one(lambda x, *more, **named: getattr(x, name)(*more, **named),
                                                        (self, *args), keywords)
        if name in ('reshape', 'transpose'):
            return lambda *args, **more: each_direction(method, self, args[0] if len(args) == 1 else args or None, **more)
        return lambda *args, **keywords: each_direction(method, self, *args, **keywords)

    def __neg__(self):
        return Directions(-self.d)

    def __pos__(self):
        return Directions(+self.d)

    def __abs__(self):
        return Directions(abs(self.d))

    def __matmul__(self, other):
        return each_direction(np.matmul, self, other)

    def __rmatmul__(self, other):
        return each_direction(np.matmul, other, self)

    # What there is only for one direction

    def __array__(self, dtype=None, copy=None):
        raise DirectionsError('tangents in several directions were given to a function that takes plain arrays: ' + WAY_OUT)

    def __bool__(self):
        raise DirectionsError(f'whether a tangent is zero depends on the direction: {WAY_OUT}')

    def __float__(self):
        raise DirectionsError(f'a tangent in several directions is no single number: {WAY_OUT}')

    __complex__ = __index__ = __int__ = __float__

    # NumPy

    def __array_ufunc__(self, ufunc, method, *args, out=None, **keywords):
        if ufunc is np.matmul or ufunc.signature is not None or method not in ('__call__', 'reduce', 'at'):
            found = each_direction(ufunc if method == '__call__' else getattr(ufunc, method), *args, **keywords)
        elif method == 'at':
            return added_at(ufunc, *args)
        elif method == 'reduce':
            found = reduced(ufunc, *args, **keywords)
        else:
            found = elementwise(ufunc, args, keywords)
        if out is None:
            return found
        into, = out
        if not isinstance(into, Directions):
            raise DirectionsError(f'tangents in several directions are written into a plain array: {WAY_OUT}')
        into.d[...] = aligned(found, into.ndim)
        return into

    def __array_function__(self, function, kinds, args, keywords):
        return each_direction(function, *args, **keywords)


class Held(Directions):
    """The same for an array without axes, which can be written into."""

    __slots__ = ()
    held = True


def binary(op, ufunc):
    """The operators of one symbol: as they are where ranks agree, else by way of `elementwise`."""
    def left(self, other):
        kind = type(other)
        if kind in NUMBERS:
            return Directions(op(self.d, other))
        if kind is Directions and other.d.ndim == self.d.ndim or kind is np.ndarray and other.ndim < self.d.ndim:
            return Directions(op(self.d, other.d if kind is Directions else other))
        return elementwise(ufunc, (self, other), {})

    def right(self, other):
        return Directions(op(other, self.d)) if type(other) in NUMBERS else elementwise(ufunc, (other, self), {})

    def in_place(self, other):
        if self.d.ndim == 1 and not self.held:
            return NotImplemented                          # numbers are never changed: other names may hold them
        ufunc(self.d, aligned(other, max(self.ndim, np.ndim(other))), out=self.d)
        return self
    return left, right, in_place


for name, symbol, function in [('add', operator.add, np.add), ('sub', operator.sub, np.subtract),
                               ('mul', operator.mul, np.multiply), ('truediv', operator.truediv, np.divide),
                               ('pow', operator.pow, np.power), ('mod', operator.mod, np.remainder),
                               ('floordiv', operator.floordiv, np.floor_divide)]:
    for prefix, made in zip(('__', '__r', '__i'), binary(symbol, function)):
        setattr(Directions, f'{prefix}{name}__', made)
for name, function in [('lt', np.less), ('le', np.less_equal), ('gt', np.greater), ('ge', np.greater_equal),
                       ('eq', np.equal), ('ne', np.not_equal)]:
    setattr(Directions, f'__{name}__', lambda self, other, function=function: elementwise(function, (self, other), {}))
METHODS = {name: getattr(np, name) for name in '''reshape transpose sum mean ravel dot take cumsum swapaxes squeeze repeat trace
    diagonal prod max min cumprod std var clip conj argsort'''.split()}


# Alignment

def aligned(x, rank):
    """The array of `x` for an operation on values of so many axes."""
    if not isinstance(x, Directions):
        return x
    d = x.d
    return d if d.ndim > rank else d.reshape(len(d), *[1] * (rank + 1 - d.ndim), *d.shape[1:])


def elementwise(ufunc, args, keywords):
    """A function that works element by element, for all directions."""
    rank = max(np.ndim(a) for a in args)
    if keywords:
        keywords = {key: aligned(a, rank) for key, a in keywords.items()}
    found = ufunc(*[aligned(a, rank) for a in args], **keywords)
    return tuple(map(Directions, found)) if isinstance(found, tuple) else Directions(found)


def axes_behind(axis, rank):
    """The axes of a value, counted behind that of the directions."""
    if axis is None:
        return tuple(range(1, rank + 1))
    if isinstance(axis, (tuple, list)):
        return tuple(axes_behind(a, rank) for a in axis)
    return axis + 1 if axis >= 0 else axis


def reduced(ufunc, x, axis=0, dtype=None, out=None, keepdims=False, **more):
    if more or out is not None or not isinstance(x, Directions):
        return one_by_one(ufunc.reduce, (x, axis, dtype, out, keepdims), more)
    return Directions(ufunc.reduce(x.d, axis=axes_behind(axis, x.ndim), dtype=dtype, keepdims=keepdims))


def behind(index):
    """The index behind the axis of directions; None where NumPy would put axes elsewhere, or the index moves itself."""
    items = index if isinstance(index, tuple) else (index,)
    wide, places = False, []
    for k, item in enumerate(items):
        if isinstance(item, (slice, type(None), type(Ellipsis))):
            continue
        if isinstance(item, (bool, np.bool_, Directions)):
            return None
        wide = wide or isinstance(item, (list, np.ndarray))
        places.append(k)
    if wide and places != list(range(places[0], places[-1] + 1)):
        return None
    return slice(None), *items


def index_of_directions(index):
    return any(isinstance(i, Directions) for i in (index if isinstance(index, tuple) else (index,)))


def viewed(d, index):
    """What an index gives: a number is a number of its own, not a view of where it stood."""
    if d.ndim > 1:
        return Directions(d)
    whole = index is Ellipsis or isinstance(index, tuple) and Ellipsis in [i for i in index if i is Ellipsis]
    return Held(d) if whole else Directions(d.copy())


def added_at(ufunc, x, index, *values):
    if not isinstance(x, Directions):
        raise DirectionsError(f'tangents in several directions are written into a plain array: {WAY_OUT}')
    for k, row in enumerate(x.d):
        ufunc.at(row, part(index, k), *(part(v, k) for v in values))


def _unbroadcast(b, x):
    """`unbroadcast` for all directions."""
    shape, full = shape_of(x), b.shape
    d = b.d
    if shape != full:
        rank = max(len(full), len(shape))
        have, want = (1,) * (rank - len(full)) + full, (1,) * (rank - len(shape)) + shape
        if any(n != m and n != 1 and m != 1 for n, m in zip(have, want)):
            raise ShapeError(f'Shape mismatch: a tangent of shape {full} for a value of shape {shape}')
        d = d.reshape(len(d), *have)
        axes = tuple(k + 1 for k in range(rank) if want[k] == 1 != have[k])
        d = d.sum(axis=axes, keepdims=True) if axes else d
        d = d.reshape(len(d), *d.shape[1 + rank - len(shape):])
        d = d if d.shape[1:] == shape else np.broadcast_to(d, (len(d), *shape)).copy()
    elif d.dtype == gradient_dtype(x):
        return b
    return (Held if isinstance(x, np.ndarray) and not shape else Directions)(cast(d, x))


for kind in Base.kinds:
    UNBROADCASTERS[kind] = _unbroadcast
    COPIERS[kind] = Directions.copy
    INITIALIZERS[kind] = (lambda x: type(x)(np.zeros_like(x.d)), False)
