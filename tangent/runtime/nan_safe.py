"""Zeros that stay zero: what `nan_safe=True` puts in place of those that meet a derivative which is inf or nan.

    z = numpy.where(x > 0, numpy.log(x), 0.0)

At x = 0 the logarithm takes no part in z, but `0 / x`, its share of the gradient, is nan. With `nan_safe` the gradient of
what `where` has not taken is a zero that is *known* to be one, and a known zero times or over anything is a known zero.
A zero that is the result of arithmetic is not touched: `sqrt(x) ** 2` at 0 has the derivative 1, not `0 * inf`, and stays
nan.

The class is an array with a mask. Whatever does not know of the mask sees an array with zeros in it, which is what they are.
"""
import numpy as np

from tangent.runtime import zeros
from tangent.runtime.broadcast import UNBROADCASTERS, UNREDUCERS, cast, shape_of, unbroadcast, unreduce
from tangent.runtime.zeros import rebuilt

AS_FIRST = {np.divide, np.true_divide, np.floor_divide}
AS_ALL = {np.add, np.subtract}
AS_ONE = {np.negative, np.positive, np.conjugate}


class Taken(np.ndarray):
    """Gradients or tangents of which some elements are known to be zero, as nothing flows there.

    known : array of bool, where zeros are known that nothing was added to yet; None where there are none
    """

    known = None

    @classmethod
    def of(cls, values, known):
        """The values with zeros that are known; plain values where none are."""
        known = np.broadcast_to(known, np.shape(values))
        if not known.any():
            return values
        made = np.where(known, 0, values).view(cls)
        made.known = np.array(known)
        return made

    def __array_finalize__(self, parent):
        self.known = None                   # what an operation that is not listed here makes is plain

    def __array_ufunc__(self, ufunc, method, *args, out=None, **keywords):
        values = [a.view(np.ndarray) if isinstance(a, Taken) else a for a in args]
        if out is not None:
            return self.into(ufunc, method, values, args, out, keywords)
        if method == 'at' and getattr(args[0], 'known', None) is not None:
            args[0].known[args[1]] = False
        if method == 'reduce' and ufunc is np.add and not {'where', 'initial'} & keywords.keys() and self.known is not None:
            more = {key: a for key, a in keywords.items() if key != 'dtype'}
            return Taken.of(np.add.reduce(*values, **keywords), np.logical_and.reduce(zeros_of(self), *args[1:], **more))
        if method != '__call__' or keywords or ufunc not in KNOWING:
            return getattr(ufunc, method)(*values, **keywords)
        known = np.broadcast_arrays(*map(zeros_of, args))
        known = known[0] if ufunc in AS_FIRST or ufunc in AS_ONE else \
            np.logical_and.reduce(known) if ufunc in AS_ALL else np.logical_or.reduce(known)
        if not known.any():
            return ufunc(*values)
        dtype = np.result_type(*values, *[0.0] * (ufunc in AS_FIRST))
        return Taken.of(ufunc(*values, out=np.zeros(known.shape, dtype), where=~known), known)

    def into(self, ufunc, method, values, args, out, keywords):
        """The same into an array that there is."""
        target, = out
        plain = target.view(np.ndarray)
        found = self.__array_ufunc__(ufunc, method, *args, **keywords)
        plain[...] = found
        if isinstance(target, Taken):
            known = np.broadcast_to(zeros_of(found), target.shape)
            if target.known is None:
                target.known = np.array(known)
            else:
                target.known[...] = known       # what it is a view of has the same mask
        return target

    def __array_function__(self, function, kinds, args, keywords):
        if function is np.where and len(args) == 3 and not keywords:
            condition, x, y = args
            return Taken.of(np.where(condition, values_of(x), values_of(y)), np.where(condition, zeros_of(x), zeros_of(y)))
        if function in MOVING and isinstance(args[0], Taken):
            return args[0].moved(lambda a: function(a, *args[1:], **keywords))
        found = function(*each_leaf(args, values_of), **each_leaf(keywords, values_of))
        if function not in LINEAR:
            return found
        live = function(each_leaf(args[0], lambda a: 1.0 - zeros_of(a)), *args[1:], **keywords)
        return Taken.of(found, np.equal(live, 0))

    def __getitem__(self, index):
        return self.moved(lambda a: a[index])

    def __setitem__(self, index, value):
        self.view(np.ndarray)[index] = values_of(value)
        if self.known is not None:
            self.known[index] = zeros_of(value)

    def moved(self, function):
        """What a function that only moves elements makes of the values and of the mask: a view where it gives views, since
        gradients are written into by such names, too."""
        found = function(self.view(np.ndarray))
        if self.known is None:
            return found
        known = function(self.known)
        if not np.may_share_memory(found, self):
            return Taken.of(found, known & (found == 0))
        if not known.any():
            return found
        made = found.view(Taken)
        made.known = known
        return made

    def copy(self, order='C'):
        return self.moved(np.copy)

    def reshape(self, *shape, order='C'):
        return self.moved(lambda a: a.reshape(*shape, order=order))

    def ravel(self, order='C'):
        return self.moved(lambda a: a.ravel(order))

    def flatten(self, order='C'):
        return self.moved(lambda a: a.flatten(order))

    def transpose(self, *axes):
        return self.moved(lambda a: a.transpose(*axes))

    T = property(transpose)

    def astype(self, dtype, **more):
        found = self.view(np.ndarray).astype(dtype, **more)
        return found if self.known is None else Taken.of(found, zeros_of(self))

    def sum(self, axis=None, dtype=None, out=None, keepdims=False):
        return np.add.reduce(self, axis=axis, keepdims=keepdims)


KNOWING = {np.multiply} | AS_FIRST | AS_ALL | AS_ONE
MOVING = {np.reshape, np.ravel, np.transpose, np.swapaxes, np.moveaxis, np.expand_dims, np.squeeze, np.broadcast_to, np.copy,
          np.take, np.flip, np.roll, np.repeat, np.diagonal}
LINEAR = {np.sum, np.trace, np.concatenate, np.stack}


def zeros_of(x):
    """Where a value is known to be zero: at the known zeros, and a 0 that stands in the text is one."""
    if isinstance(x, Taken) and x.known is not None:
        return x.known & (x.view(np.ndarray) == 0)         # whoever writes into it need not know of the mask
    return np.broadcast_to(type(x) is int and x == 0, np.shape(x))


def values_of(x):
    return x.view(np.ndarray) if isinstance(x, Taken) else x


# For emitted code

def init_grad(obj, allow_lazy_initializer=False):
    """The zero gradient of `obj`, of which all elements are known to be zero until something is added there."""
    return each_leaf(zeros.init_grad(obj, allow_lazy_initializer), unfilled)


def unfilled(g):
    if isinstance(g, np.ndarray) and g.ndim and g.dtype.kind in 'fc':
        return Taken.of(g, True)
    return 0 if type(g) is float else g               # the 0 that stands in the text, to which `zeros_of` knows the answer


def where_taken(condition, gradient):
    """The gradient where the condition holds, and known zeros elsewhere.

    Examples
    --------
    >>> where_taken(np.array([True, False]), np.ones(2)) / np.zeros(2)
    Taken([inf,  0.])
    """
    known = ~np.asarray(condition, bool) | zeros_of(gradient)
    return Taken.of(np.broadcast_to(values_of(gradient), known.shape), known)


def where_not_taken(condition, gradient):
    """The gradient where the condition does not hold, and known zeros elsewhere."""
    return where_taken(~np.asarray(condition, bool), gradient)


def unselect_known(d, conditions, choices):
    """The gradients of the choices of `numpy.select`."""
    found, free = [], True
    for condition, choice in zip(conditions, choices):
        found.append(unbroadcast(where_taken(np.logical_and(free, condition), d), choice))
        free = np.logical_and(free, np.logical_not(condition))
    return found


def zeros_known(seed):
    """A seed or tangent whose zeros are known: what they stand before takes no part."""
    return each_leaf(seed, lambda g: Taken.of(g, np.equal(g, 0)))


def zeros_forgotten(gradient):
    """The gradient as people get it, without a mask."""
    return each_leaf(gradient, lambda g: g.view(np.ndarray)[()] if isinstance(g, Taken) else g)


def each_leaf(value, function):
    made = rebuilt(value, lambda v: each_leaf(v, function))
    if made is not None:
        return made
    return function(value) if isinstance(value, (float, complex, np.inexact, np.ndarray)) else value


def _moved(move):
    """A run-time function of gradients, for the values and for the mask."""
    def moved(b, x, *more):
        found = move(values_of(b), x, *more)
        live = move((1.0 - zeros_of(b))[()], x, *more)
        return Taken.of(found, np.asarray(live) == 0)
    return moved


UNBROADCASTERS[Taken] = _moved(lambda b, x: unbroadcast(b, x) if np.ndim(b) or shape_of(x) else cast(b[()], x))
UNREDUCERS[Taken] = _moved(unreduce)
zeros.INITIALIZERS[Taken] = (lambda g: Taken.of(np.zeros(g.shape, g.dtype), zeros_of(g)), False)
