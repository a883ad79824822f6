"""Run-time functions that the rule tables name in their texts, where no plain NumPy expression is always right.

They know arrays and numbers, never trees. Gradients come out in the dtype of what they are gradients of, and in memory
of their own, so that more can be added to them in place.
"""
import collections
import math

import numpy as np

from tangent.errors import AliasError, ArgumentError, ArgumentTypeError
from tangent.runtime.array_api import (
    LATER,
    add_into,
    as_array,
    beside,
    chunks,
    counted,
    is_array,
    is_chunked,
    is_sparse,
    open_grid,
    peer,
    size_of,
)
from tangent.runtime.broadcast import cast, gradient_dtype, unbroadcast, unreduce_like
from tangent.runtime.facts import helper
from tangent.runtime.fields import is_object_type
from tangent.runtime.functions.numbers import logarithm
from tangent.runtime.functions.real import refuse_complex
from tangent.runtime.functions.scipy.sparse import sparse_undiagonal
from tangent.runtime.zeros import exotic, gradient_like, init_grad, own_number


def own(b, d):
    """`b`, copied where it may be `d` or a part of it."""
    return b.copy() if is_array(b) and is_array(d) and not is_chunked(b) and np.may_share_memory(b, d) else b


# Values at edges

def safe_divide(x, y):
    """`x / y`, and 0 where `y` is 0."""
    refuse_complex(x, 'A value whose norm or angle is taken')
    if isinstance(y, (float, int)):
        return x / y if y else x * 0.0
    zero = np.equal(y, 0)
    return np.where(zero, 0, x / np.where(zero, 1, y))[()]


@helper(elementwise=True, numba=lambda x, y: np.divide(x, y))
def quotient(x, y):
    """`x / y` for a number `y`; where that is 0 what NumPy gives, inf or nan."""
    return x / y if y else np.divide(x, y)


def dpower_dx(x, y):
    """The derivative of `x ** y` by `x`; 0 where `y` is 0, also at `x = 0`."""
    if isinstance(x, int):
        x = float(x)
    if isinstance(y, (int, float)):
        return y * np.power(x, y - 1 if y else 0)
    if exotic(x) is not None or exotic(y) is not None:
        return y * x ** (y - 1)
    y = np.asarray(y) if isinstance(y, (list, tuple, range)) else y
    return y * np.power(x, np.where(np.equal(y, 0), 0, y - 1))


def null_times(y, v):
    """`y * v`, and 0 where `y` is 0, whatever `v` is there."""
    if type(v) in LATER:
        return LATER[type(v)](null_times, y, v)
    if isinstance(y, (int, float)):
        return y * v if y else v * 0.0 if np.all(np.isfinite(v)) else np.zeros_like(v)[()]
    return np.where(np.equal(y, 0), 0, y * v)[()]


def dpower_dy(x, y, z):
    """The derivative of `z = x ** y` by `y`: `z * log(x)`; at `x = 0` it is 0 for `y >= 0` and nan below."""
    if exotic(x) is not None or exotic(y) is not None:
        return z * logarithm(x)
    number = type(x) in (int, float)
    x = x + 0j if isinstance(y, complex) or getattr(y, 'dtype', np.dtype(float)).kind == 'c' else x
    with np.errstate(invalid='ignore'):                    # below 0 there is none
        found = np.log(np.where(np.equal(x, 0), 1, x))[()]
    return z * (found.item() if number else found)


def ties(a, y, axis=None, keepdims=False, initial=None, where=True):
    """1 / k at each of the k elements of `a` that equal the extremum `y` taken over `axis`, 0 elsewhere."""
    if axis is not None and not keepdims:
        y = np.expand_dims(y, axis)
    equal = np.equal(a, y)
    if where is not True:
        equal = equal & where
    count = np.sum(equal, axis=axis, keepdims=True)
    if initial is not None:
        count = count + np.equal(y, initial)
    one = exotic(a)
    return cast(equal / count, a) if one is None else own_number(one, 1) * equal / count


def share(x, y, values):
    """1 / k where `x` is one of the k `values` that equal their extremum `y`, else 0."""
    count = sum(v == y for v in values)
    one = exotic(x)
    if isinstance(x, np.generic) and one is None:
        return float(x == y) / int(count) if count else np.nan           # of the precision of what it is multiplied by
    return np.nan if not count else (x == y) / count if one is None else own_number(one, int(x == y)) / count


def each_share(values, y):
    """`share` for each of the values, whose ties are counted once where all are numbers of Python's."""
    if type(y) is not float or {*map(type, values)} != {float}:
        return [share(v, y, values) for v in values]
    count = sum(v == y for v in values)
    return [(v == y) / count if count else np.nan for v in values]


def digamma(x):
    """The derivative of `log(gamma(x))`, for a number."""
    if x <= 0 and x == math.floor(x):
        return math.nan
    x, total = float(x), 0.0
    if x < 0:
        x, total = 1 - x, -math.pi / math.tan(math.pi * x)
    while x < 10:
        total -= 1 / x
        x += 1
    u = 1 / (x * x)
    series = u * (1 / 12 - u * (1 / 120 - u * (1 / 252 - u * (1 / 240 - u * (1 / 132 - u * 691 / 32760)))))
    return total + math.log(x) - 0.5 / x - series


def product_of_others(a, axis=None, initial=1, where=True):
    """For each element the product of all the others along `axis` and of `initial`; exact where some are 0."""
    if where is not True:
        return np.where(where, product_of_others(np.where(where, a, 1), axis, initial), 0)
    if type(initial) is not int or initial != 1:
        return initial * product_of_others(a, axis)
    a = as_array(a)
    if axis is None:
        return _others(np.ravel(a)).reshape(a.shape)
    if a.ndim == 0:
        return np.ones_like(a)
    axes = (axis,) if np.ndim(axis) == 0 else tuple(axis)
    back = list(range(-len(axes), 0))
    moved = np.moveaxis(a, axes, back)
    others = _others(moved.reshape(moved.shape[:-len(axes)] + (-1,)) if a.size else moved)
    return np.moveaxis(others.reshape(moved.shape), back, axes)


def _others(a):
    one = np.ones_like(a[..., :1])
    before = np.cumprod(np.concatenate([one, a[..., :-1]], axis=-1), axis=-1)[..., :a.shape[-1]]
    after = np.cumprod(np.concatenate([one, a[..., :0:-1]], axis=-1), axis=-1)[..., ::-1][..., :a.shape[-1]]
    return before * after


# Running sums and products, orders

def uncumsum(d, a, axis=None):
    """The gradient of `a`, from that of `numpy.cumsum(a, axis)`."""
    at = 0 if axis is None else axis
    return cast(np.reshape(np.flip(np.cumsum(np.flip(d, at), at), at), np.shape(a)), a)


def uncumprod(d, a, y, axis=None):
    """The gradient of `a`, from that of `y = numpy.cumprod(a, axis)`; exact where elements are 0."""
    if is_chunked(a):
        return chunks().uncumprod(d, a, y, axis)
    at = 0 if axis is None else axis
    flat = np.ravel(a) if axis is None or np.ndim(a) == 0 else as_array(a)
    if np.all(flat):
        return cast(np.reshape(uncumsum(d * y, flat, at) / flat, np.shape(a)), a)
    d, y, flat = (np.moveaxis(v, at, 0) for v in (as_array(d), y, flat))
    out = np.empty_like(flat, dtype=gradient_dtype(flat))
    owed = np.zeros_like(out[0])
    for k in range(len(flat) - 1, -1, -1):
        owed = owed + d[k]
        out[k] = owed * y[k - 1] if k else owed
        owed = owed * flat[k]
    return np.reshape(np.moveaxis(out, 0, at), np.shape(a))


def sort_order(a, axis=-1):
    """The stable permutation that sorts `a`, for `take_along_axis`."""
    return np.argsort(a, axis=axis, kind='stable')


def unsort(d, a, axis=-1):
    """The gradient of `a`, from that of `numpy.sort(a, axis)`."""
    if axis is None:
        return np.reshape(unsort(d, np.ravel(a), 0), np.shape(a))
    out = np.empty_like(a, dtype=gradient_dtype(a))
    np.put_along_axis(out, sort_order(a, axis), d, axis)
    return out


def middle(a, axis=None):
    """The weights with which the elements of `a` make its median: 1 in the middle, 0.5 each for the middle two."""
    a = as_array(a)
    if is_chunked(a):
        return chunks().middle(a, axis)
    axes = tuple(range(a.ndim)) if axis is None else (axis,) if np.ndim(axis) == 0 else tuple(axis)
    back = list(range(-len(axes), 0))
    moved = np.moveaxis(a, axes, back)
    if not moved.size:
        return np.zeros_like(a, dtype=gradient_dtype(a))
    rows = moved.reshape(moved.shape[:moved.ndim - len(axes)] + (-1,))
    weights = np.zeros(rows.shape[-1], like=peer(rows))
    n = rows.shape[-1]
    weights[(n - 1) // 2] += 0.5
    weights[n // 2] += 0.5
    return np.moveaxis(unsort(np.broadcast_to(weights, rows.shape), rows).reshape(moved.shape), back, axes)


# Joining, nesting, moving

def unconcatenate(d, arrays, axis=0):
    """The gradients of the arrays that were joined along `axis`; each gets its own shape back."""
    if is_chunked(d):
        return chunks().unconcatenate(d, arrays, axis)
    d = np.ravel(d) if axis is None else as_array(d)
    axis = 0 if axis is None else axis
    others = d.size // d.shape[axis] if d.size else 1
    sizes = [np.size(a) // others for a in arrays] if d.size else [0 for _ in arrays]
    pieces = np.split(d, np.cumsum(sizes)[:-1], axis=axis)
    return [own(cast(np.reshape(p, np.shape(a)) if d.size else np.zeros(np.shape(a), like=peer(d)), a), d)
            for p, a in zip(pieces, arrays)]


def unhstack(d, arrays):
    """The gradients of the arrays of `numpy.hstack(arrays)`."""
    return unconcatenate(d, arrays, min(1, np.ndim(d) - 1))


def unstack(d, arrays, axis=0):
    """The gradients of the arrays that were stacked along a new `axis`."""
    return [own(cast(piece, a), d) for piece, a in zip(np.moveaxis(as_array(d), axis, 0), arrays)]


def unarray(d, x, dtype=None):
    """The gradient of `x`, from that of `numpy.array(x, dtype)`: nested as `x` is; 0 through integers."""
    if isinstance(x, (list, tuple)):
        return gradient_like(x, [unarray(d[k], x[k], dtype) for k in range(len(x))])
    refuse_flat(x)
    if dtype is not None and np.dtype(dtype).kind != 'c':
        refuse_complex(x, 'An array that is made real')
    return own(cast(d if dtype is None or np.dtype(dtype).kind in 'fcO' else np.zeros_like(d), x), d)


def refuse_flat(x):
    """Raise if it is what `a.flat` gives: an array that is made of it is a view of `a` where NumPy can make one."""
    if isinstance(x, np.flatiter):
        raise AliasError('an array that is made of .flat may be a view: write a.ravel() or a.flatten()')


def float_array(dx, dtype=None, ndmin=0, copy=True, order='K'):
    """The tangent of `numpy.array(x, dtype)`; 0 through integers, and for what has no tangent, as True among numbers."""
    if dtype is None or np.dtype(dtype).kind in 'fcO':
        if getattr(copy, 'value', copy) != 1:                  # it may be the array itself, written into under two names
            return np.asarray(zero_for_none(dx), dtype=dtype)[(None,) * (ndmin - np.ndim(dx)) or ...]
        return np.array(zero_for_none(dx), dtype=dtype, ndmin=ndmin, order=order, like=peer(dx))
    return np.zeros_like(np.array(dx, ndmin=ndmin, like=peer(dx)))


def zero_for_none(dx):
    """A tangent of a list, or of lists in it, in which 0 stands for None; others as they are."""
    if isinstance(dx, (list, tuple)) and any(d is None or isinstance(d, (list, tuple)) for d in dx):
        return [0.0 if d is None else zero_for_none(d) for d in dx]
    return dx


def unsum(d, values):
    """The gradients of what `sum(values)` added up."""
    if isinstance(values, (list, tuple, collections.deque)):
        return gradient_like(values, [own(unbroadcast(d, v), d) for v in values])
    if isinstance(values, (set, frozenset)):
        raise ArgumentTypeError('a set has no gradient, as its elements have no places: pass a list or a tuple')
    if isinstance(values, dict):                   # its keys
        return init_grad(values)
    return unreduce_like(d, values, axis=0)


def unextreme(d, y, values):
    """The gradients of the values of which `y` is the largest (or the smallest)."""
    if is_one_of(y) and isinstance(values, (list, tuple)):
        return gradient_like(values, [d if k == place(values, y) else init_grad(v) for k, v in enumerate(values)])
    if isinstance(values, (list, tuple)):
        return gradient_like(values, [d * part for part in each_share(values, y)])
    return init_grad(values) if isinstance(values, dict) else d * ties(values, y)


def place(values, y):
    """Where the list, tuple or object stands that is the largest, or the smallest, of the values."""
    return next(k for k, v in enumerate(values) if v is y)


def is_one_of(y):
    """Whether the largest of some values is one of them, and no number or array that may be as large as others."""
    return isinstance(y, (list, tuple)) or is_object_type(type(y))


def held(values):
    """What a function has gone through once, to be looked at again: a list that a generator fills is gone through once."""
    return values.copy() if isinstance(values, list) else values


def refuse_spent(values):
    """Refuse an iterator that a function has gone through already, whose values are asked for once more.

    Raises
    ------
    ArgumentTypeError
    """
    if hasattr(values, '__next__') and not isinstance(values, list):
        raise ArgumentTypeError(f'the values of a {type(values).__name__} with a derivative are needed twice: make a list of '
                                'it first, list(...)')


def push_extreme(y, values, tangents):
    """The tangent of `y`, the largest or smallest of `values`."""
    if len(values) == 1:
        values, tangents = held(values[0]), tangents[0]
    refuse_spent(values)
    if isinstance(values, dict):                   # its keys
        return 0.0
    if is_one_of(y):
        return tangents[place(values, y)]
    return sum(t * share(v, y, values) for v, t in zip(values, tangents))


def untranspose(d, axes):
    """The gradient of `x`, from that of `numpy.transpose(x, axes)`; `axes` may be nested once: `x.transpose(*axes)`."""
    if axes is None or len(axes) == 0 or axes[0] is None:
        return np.transpose(d).copy()
    axes = axes[0] if np.ndim(axes[0]) else axes
    return np.transpose(d, np.argsort([axis % len(axes) for axis in axes]).tolist()).copy()


def retranspose(d, axes):
    """The gradient of `d` in `untranspose(d, axes)`."""
    if axes is None or len(axes) == 0 or axes[0] is None:
        return np.transpose(d).copy()
    return np.transpose(d, axes[0] if np.ndim(axes[0]) else axes).copy()


def unrollaxis(d, axis, start=0):
    """The gradient of `x`, from that of `numpy.rollaxis(x, axis, start)`."""
    rank = np.ndim(d)
    axis, start = axis % rank, start + rank if start < 0 else start
    return np.moveaxis(d, start - 1 if axis < start else start, axis).copy()


def unrepeat(d, a, repeats, axis=None):
    """The gradient of `a`, from that of `numpy.repeat(a, repeats, axis)`."""
    if is_chunked(a, d):
        return chunks().unrepeat(d, a, repeats, axis)
    at = 0 if axis is None else axis
    flat = np.ravel(a) if axis is None else as_array(a)
    counts = np.broadcast_to(repeats, flat.shape[at]).tolist()
    owner = np.repeat(counted(flat.shape[at], flat), counts)
    out = np.zeros_like(np.moveaxis(flat, at, 0), dtype=gradient_dtype(flat))
    add_into(out, owner, np.moveaxis(d, at, 0))
    return np.reshape(np.moveaxis(out, 0, at), np.shape(a))


def untile(d, a, reps):
    """The gradient of `a`, from that of `numpy.tile(a, reps)`."""
    reps = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    rank = max(len(reps), np.ndim(a))
    reps = (1,) * (rank - len(reps)) + reps
    shape = (1,) * (rank - np.ndim(a)) + np.shape(a)
    pairs = np.reshape(d, [n for pair in zip(reps, shape) for n in pair])
    return cast(np.reshape(np.sum(pairs, axis=tuple(range(0, 2 * rank, 2))), np.shape(a)), a)


def unpad(d, a, pad_width, mode='constant'):
    """The gradient of `a`, from that of `numpy.pad(a, pad_width, mode)`."""
    if mode == 'constant':
        widths = np.broadcast_to(pad_width, (np.ndim(a), 2))
        return own(cast(d[tuple(slice(before, before + n) for (before, _), n in zip(widths, np.shape(a)))], a), d)
    if mode not in ('edge', 'reflect', 'symmetric', 'wrap'):
        raise ArgumentError(f'numpy.pad: mode {mode!r} has no derivative rule')
    if is_chunked(a, d):
        return chunks().unpad(d, a, pad_width, mode)
    owner = np.pad(counted(np.size(a), d).reshape(np.shape(a)), pad_width, mode)
    out = np.zeros(np.size(a), np.result_type(d), like=peer(d))
    add_into(out, np.ravel(owner), np.ravel(d))
    return cast(out.reshape(np.shape(a)), a)


def untake(d, a, indices, axis=None):
    """The gradient of `a`, from that of `numpy.take(a, indices, axis)`."""
    if is_chunked(a, d):
        return chunks().untake(d, a, indices, axis)
    flat = np.ravel(a) if axis is None else as_array(a)
    at = 0 if axis is None else axis % flat.ndim
    out = np.zeros_like(flat, dtype=gradient_dtype(flat))
    add_into(out, (slice(None),) * at + (beside(as_array(indices), flat),), d)
    return np.reshape(out, np.shape(a))


def untake_along_axis(d, a, indices, axis=-1):
    """The gradient of `a`, from that of `numpy.take_along_axis(a, indices, axis)`."""
    flat = np.ravel(a) if axis is None else as_array(a)
    at = 0 if axis is None else axis % flat.ndim
    grid = open_grid(flat.shape, flat)
    grid[at] = indices
    out = np.zeros_like(flat, dtype=gradient_dtype(flat))
    add_into(out, tuple(grid), d)
    return np.reshape(out, np.shape(a))


def undiag(d, v, k=0):
    """The gradient of `v`, from that of `numpy.diag(v, k)`."""
    if np.ndim(v) == 1:
        return cast(np.diagonal(d, k).copy(), v)
    return undiagonal(d, v, k)


def undiagonal(d, a, offset=0, axis1=0, axis2=1):
    """The gradient of `a`, from that of `numpy.diagonal(a, offset, axis1, axis2)`."""
    if is_sparse(a):
        return sparse_undiagonal(d, a, offset)
    if is_chunked(a, d):
        return chunks().undiagonal(d, a, offset, axis1, axis2)
    out = np.zeros_like(a, dtype=gradient_dtype(a))
    moved = np.moveaxis(out, (axis1, axis2), (-2, -1))
    along = counted(min(moved.shape[-2] - max(-offset, 0), moved.shape[-1] - max(offset, 0)), out)
    moved[..., along + max(-offset, 0), along + max(offset, 0)] = d
    return out


def untrace(d, a, offset=0, axis1=0, axis2=1):
    """The gradient of `a`, from that of `numpy.trace(a, offset, axis1, axis2)`."""
    return undiagonal(np.expand_dims(d, -1), a, offset, axis1, axis2)


def unitem(d, a, args):
    """The gradient of `a`, from that of `a.item(*args)`."""
    out = np.zeros_like(a, dtype=gradient_dtype(a))
    index = args[0] if len(args) == 1 else args
    out[index if isinstance(index, tuple) else np.unravel_index(index, np.shape(a))] = d
    return out


def item_of(g, args):
    """The element of `g` that `g.item(*args)` is, and `g` itself where that is a number."""
    return g.item(*args) if hasattr(g, 'item') else g


def undiff(d, a, n=1, axis=-1):
    """The gradient of `a`, from that of `numpy.diff(a, n, axis)`."""
    owed = d
    if not size_of(d):
        return own(np.zeros(np.shape(a), dtype=gradient_dtype(a), like=peer(d)), d)
    edge = np.zeros_like(d[(slice(None),) * (axis % np.ndim(d)) + (slice(1),)])
    for _ in range(n):
        owed = np.concatenate([edge, owed], axis) - np.concatenate([owed, edge], axis)
    return own(cast(owed, a), d)


def unselect(d, conditions, choices, *default):
    """The gradients of the choices, from that of `numpy.select(conditions, choices)`: the first condition that holds. And that
    of the default, if one is given."""
    found, free = [], True
    for condition, choice in zip(conditions, choices):
        holds = beside(as_array(condition), d)
        found.append(unbroadcast(np.where(free & holds, d, 0), choice))
        free = free & ~holds
    for value in default:
        found.append(unbroadcast(np.where(free, d, 0), value))  # noqa: PERF401 (this is differentiated again)
    return found


def unmeshgrid(d, x, k, indexing='xy'):
    """The gradient of `x`, argument number `k`, from that of its part of `numpy.meshgrid`."""
    axis = 1 - k if indexing == 'xy' and k < 2 and np.ndim(d) > 1 else k
    return cast(np.reshape(np.sum(d, axis=tuple(j for j in range(np.ndim(d)) if j != axis)), np.shape(x)), x)


def unouter(d, a):
    """The gradient of `a`, from that of an outer operation of `a` and something that does not scale it."""
    return cast(np.sum(d, axis=tuple(range(np.ndim(a), np.ndim(d)))), a)


def check_numpy(namespace):
    """Refuse an array namespace (`xp = array_namespace(x)`) that is not NumPy or CuPy, for which the rules stand.

    Raises
    ------
    ArgumentTypeError
        If it is another.
    """
    if namespace.__name__.rpartition('.')[2] not in ('numpy', 'cupy'):
        raise ArgumentTypeError(f'the array namespace is {namespace.__name__}: its functions have no derivative rules here, '
                                'pass NumPy arrays')
