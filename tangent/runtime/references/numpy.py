"""Functions of NumPy's in those of which they are made, and that call functions of the user's, in plain Python; see `table`."""
import functools
import math

import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.array_api import as_array, beside, is_array


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    moved = np.moveaxis(as_array(arr), axis, -1)
    rows = np.reshape(moved, (-1, moved.shape[-1]))
    found = []
    for k in range(len(rows)):
        found.append(func1d(rows[k], *args, **kwargs))
    whole = np.stack(found)
    inner = np.shape(whole)[1:]
    whole = np.reshape(whole, moved.shape[:-1] + inner)
    at = axis % np.ndim(arr)
    first = np.ndim(arr) - 1
    order = list(range(at)) + list(range(first, first + len(inner))) + list(range(at, first))
    return np.transpose(whole, order)


def apply_over_axes(func, a, axes):
    whole = as_array(a)
    rank = np.ndim(a)
    for axis in list(np.atleast_1d(axes)):
        found = func(whole, int(axis) % rank)
        whole = found if np.ndim(found) == rank else np.expand_dims(found, int(axis) % rank)
    return whole


def piecewise(x, condlist, funclist, *args, **kw):
    x = as_array(x)
    conditions = [np.broadcast_to(as_array(c, bool), x.shape) for c in places(condlist, x)]
    if len(funclist) == len(conditions) + 1:
        conditions = [*conditions, ~np.any(np.stack(conditions), axis=0)]
    whole = np.zeros_like(x)
    for k in range(len(conditions)):
        f = funclist[k]
        value = f(x, *args, **kw) if callable(f) else f
        whole = np.where(conditions[k], value, whole)
    return whole


def places(condlist, x):
    """The conditions of `numpy.piecewise` as a list."""
    alone = np.isscalar(condlist) or not (isinstance(condlist[0], list) or is_array(condlist[0])) and x.ndim != 0
    return [condlist] if alone else list(condlist)


def kaiser(M, beta):
    if M == 1:
        return np.ones(1)
    middle = (M - 1) / 2.0
    inside = 1 - ((np.arange(M) - middle) / middle) ** 2.0
    return np.i0(beta * np.sqrt(inside)) / np.i0(beta)


def corrcoef(x, y=None, rowvar=True):
    c = np.cov(x, y, rowvar)
    if c.ndim == 0:
        return c / c
    scale = np.sqrt(np.diag(c))
    return np.clip(c / np.outer(scale, scale), -1, 1)


def tensorsolve(a, b, axes=None):
    last = list(axes or ())
    square = np.transpose(a, [k for k in range(np.ndim(a)) if k not in last] + last)
    found = np.linalg.solve(np.reshape(square, (np.size(b), np.size(b))), np.ravel(b))
    return np.reshape(found, np.shape(square)[np.ndim(b):])


def tensorinv(a, ind=2):
    shape = np.shape(a)
    inverse = np.linalg.inv(np.reshape(a, (math.prod(shape[:ind]), -1)))
    return np.reshape(inverse, shape[ind:] + shape[:ind])


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    if full or cov or np.ndim(deg):
        raise ArgumentError('polyfit: full, cov, and several degrees have no derivative rule')
    x, y = beside(as_array(x), y), beside(as_array(y), x)
    powers = np.vander(x, deg + 1)
    if w is not None:
        w = beside(as_array(w), powers)
        powers, y = powers * w[:, None], (y.T * w).T
    sizes = column_sizes(powers)
    return (np.linalg.lstsq(powers / sizes, y, rcond)[0].T / sizes).T


def column_sizes(powers):
    """The sizes of the columns, which NumPy takes out of the system: the solution is the same."""
    return np.sqrt(np.sum(np.abs(powers) ** 2, axis=0))


def polyfit_upwards(x, y, deg, rcond=None, full=False, w=None):
    return polyfit(x, y, deg, rcond, full, w)[::-1]


def vectorize(pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
    refuse_options(excluded, signature)
    return functools.partial(over_elements, pyfunc)


def vectorized(made):
    """What stands for an object that `np.vectorize` has made."""
    refuse_options(made.excluded, made.signature)
    return functools.partial(over_elements, made.pyfunc)


def refuse_options(excluded, signature):
    if excluded or signature is not None:
        raise ArgumentError('numpy.vectorize: excluded and signature have no derivative rule; write a loop')


def over_elements(function, *args, **keywords):
    """The values of a function of numbers, element by element of arrays that are broadcast: an array, or one for each value."""
    names, count = list(keywords), len(args)
    arrays = np.broadcast_arrays(*args, *[keywords[n] for n in names])
    rows = [np.ravel(a) for a in arrays]
    found = []
    for k in range(np.size(arrays[0])):
        given = [row[k] for row in rows]
        found.append(function(*given[:count], **dict(zip(names, given[count:]))))
    if found and isinstance(found[0], tuple):
        return tuple([np.reshape(np.array([values[k] for values in found]), np.shape(arrays[0])) for k in range(len(found[0]))])
    return np.reshape(np.array(found), np.shape(arrays[0]))


def compiled_elementwise(made):
    """What stands for a function that `numba.vectorize` has made: its text, for numbers, called element by element."""
    for loop in made.types if getattr(made, '_frozen', True) else ():
        given, out = loop.split('->')
        if not FLOATS.isdisjoint(given) and not FLOATS.issuperset(out):
            raise ArgumentError(f'{made.__name__}: a signature of numba.vectorize that makes {loop} of numbers has no '
                                'derivative rule: leave the signatures out, or let them give float64')
    return functools.partial(over_numbers, made.__wrapped__)


def over_numbers(function, *args, **keywords):
    if keywords:
        raise ArgumentError(f'{function.__name__}: keywords of functions of numba.vectorize have no derivative rule: assign '
                            'what it gives')
    return over_elements(function, *args) if any([np.ndim(a) for a in args]) else function(*args)


def compiled_rows(made):
    raise ArgumentError(f'{made.__name__}: functions made by numba.guvectorize have no derivative rule: call a function '
                        'made by numba.njit, or a plain one, in a loop')


FLOATS = frozenset('efdgFDG')                  # characters of dtypes
TABLE = {np.apply_along_axis: apply_along_axis, np.apply_over_axes: apply_over_axes, np.piecewise: piecewise, np.kaiser: kaiser,
         np.corrcoef: corrcoef, np.polyfit: polyfit, np.polynomial.polynomial.polyfit: polyfit_upwards,
         np.linalg.tensorsolve: tensorsolve, np.linalg.tensorinv: tensorinv, np.vectorize: vectorize}
