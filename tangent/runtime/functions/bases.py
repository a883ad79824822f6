"""The run time of Jacobians that Numba compiles: the same under CPython, where they run uncompiled.

    jx = matrix_of(y, x)                               one block of rows for each number in y
    put_row(jx, k, pull(x, unit_seed(y, k)))           one reverse pass for each of these
    put_column(jx, k, push(x, unit_seed(x, k)))        one forward pass for each number in x
    blocks_of(y, (jx, jw), (x, w))                     y.shape + x.shape, as a container like y, of a tuple for several x
"""
import sys

import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.broadcast import results_like
from tangent.runtime.pytree import leaves
from tangent.runtime.zeros import init_grad

WRONG_ROWS = ('the arrays for a Jacobian have to be of shape (how many numbers the result has, *x.shape) each, for the '
              'arguments x that it is by, and share no memory with each other or with the arguments')


def unit_seed(x, k):
    """The gradient, or tangent, of `x` that has 1 for its number `k`, and 0 for the others."""
    if isinstance(x, tuple):
        starts = np.cumsum([0, *map(numbers_in, x)])
        return tuple(unit_seed(part, k - start) for part, start in zip(x, starts))
    if not isinstance(x, np.ndarray):
        return type(init_grad(x))(k == 0)
    unit = init_grad(x)
    if 0 <= k < unit.size:
        unit.flat[k] = 1
    return unit


def numbers_in(x):
    """How many numbers `x` has."""
    return sum(map(numbers_in, x)) if isinstance(x, tuple) else np.size(x)


def matrix_of(y, x):
    """Room for the derivative of each number in `y` by `x`."""
    kinds = [init_grad(part) for part in leaves(y)]
    return np.empty((numbers_in(y), *np.shape(x)), np.result_type(*kinds, init_grad(x)))


def rows_that_fit(y, found, x):
    """How many numbers `y` has; -1 if the array has no room for the derivatives of these by `x`."""
    count = numbers_in(y)
    return count if found.shape == (count, *np.shape(x)) else -1


def rows_apart(count, *arrays):
    """-1 if one of the first `count` arrays shares memory with another one or with those that follow; else a large number."""
    arrays = [x if isinstance(x, np.ndarray) else np.empty(0) for x in arrays]
    shares = any(np.may_share_memory(x, y) for k, x in enumerate(arrays[:count]) for y in arrays[k + 1:])
    return -1 if shares else sys.maxsize


def check_rows(count):
    if count < 0:
        raise ArgumentError(WRONG_ROWS)


def row_from_zero(found, k):
    """The derivative of number `k`, zero so far: where the gradient is made."""
    row = found[k]
    row[...] = 0
    return row


def put_row(found, k, gradient):
    found[k] = gradient


def put_column(found, k, tangent):
    found.reshape(len(found), -1)[:, k] = np.concatenate([np.ravel(part) for part in leaves(tangent)])


def blocks_of(y, found, xs):
    """The blocks of a Jacobian in the structure of the result."""
    if isinstance(y, tuple):
        ends = np.cumsum([0, *map(numbers_in, y)])
        parts = [blocks_of(part, tuple(j[start:stop] for j in found), xs) for part, start, stop in zip(y, ends, ends[1:])]
        return results_like(y, *parts)
    blocks = tuple(np.reshape(j, np.shape(y) + np.shape(x))[()] for j, x in zip(found, xs))
    return blocks[0] if len(blocks) == 1 else blocks
