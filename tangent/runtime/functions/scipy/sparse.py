"""Run-time functions about SciPy's sparse matrices and arrays.

The gradient of a sparse matrix is a sparse matrix of the same pattern: a number for each that is stored, as a derivative by
what is not stored would fill the matrix.
"""
import importlib

import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.array_api import is_sparse
from tangent.runtime.broadcast import cast, unbroadcast

KEEPING = frozenset(['csr', 'csc', 'coo'])             # formats that hold their numbers in a row, in an order of their own


def pattern(matrix):
    """(row, column) of each number that is stored."""
    found = matrix.tocoo()
    return found.row, found.col


def of_pattern(matrix, values):
    """A sparse matrix with the pattern of another one, and these numbers."""
    found = (matrix if matrix.format in KEEPING else matrix.tocsr()).copy()
    found.data = np.asarray(values)
    return found


def entries(matrix, row, column):
    """The numbers of a sparse or dense matrix at these places."""
    if not is_sparse(matrix):
        return np.asarray(matrix)[row, column]
    return np.asarray(matrix.tocsr()[row, column]).ravel() if len(row) else np.zeros(0, matrix.dtype)


def on_pattern(d, matrix):
    """The gradient `d`, dense or sparse, at the places that the matrix stores."""
    return of_pattern(matrix, entries(d, *pattern(matrix)))


def sparse_undiagonal(d, matrix, offset):
    """The gradient of the matrix, from that of `matrix.diagonal(offset)`; one number is that of each place."""
    row, column = pattern(matrix)
    count = len(matrix.diagonal(offset))
    places = np.clip(np.minimum(row, column), 0, count - 1)
    return of_pattern(matrix, np.where(column - row == offset, np.broadcast_to(d, (count,))[places], 0.0))


def off_pattern(d, g):
    """The gradient of `g`, from that of `on_pattern(g, matrix)`."""
    if is_sparse(g):
        return on_pattern(d, g)
    return d.toarray() if is_sparse(d) else d


def sparse_unbroadcast(d, x):
    """The gradient of `x` from that of what it was broadcast to, where one of them is sparse; see `unbroadcast`."""
    if not is_sparse(x):
        return unbroadcast(d.toarray(), x)
    if is_sparse(d) and type(d) is type(x):
        return d
    if not is_sparse(d) and np.shape(d) != x.shape:
        d = unbroadcast(d, np.zeros(x.shape, x.dtype))
    return type(x)(on_pattern(d, x))


def sparse_left(d, a, b):
    """The gradient of `a`, from that of `a @ b`, where one of them is sparse."""
    refuse_number(a, b)
    if not is_sparse(a):
        found = b @ np.swapaxes(d, -1, -2) if np.ndim(a) > 1 else b @ d
        return cast(np.swapaxes(found, -1, -2) if np.ndim(a) > 1 else found, a)
    if is_sparse(b):
        return on_pattern(d @ b.T, a)
    return outer_part(a, d, b)


def sparse_right(d, a, b):
    """The gradient of `b`, from that of `a @ b`, where one of them is sparse."""
    refuse_number(a, b)
    if not is_sparse(b):
        return cast(a.T @ d, b)
    if is_sparse(a):
        return on_pattern(a.T @ d, b)
    row, column = pattern(b)
    if np.ndim(a) == 1:
        return of_pattern(b, a[row] * d[column])
    return of_pattern(b, np.sum(a[:, row] * d[:, column], axis=0))


def refuse_number(a, b):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        raise ArgumentError('a number with a derivative times a sparse matrix of the older kind: make that a sparse array '
                            '(csr_array)')


def built(kind, values, row, column, shape=None):
    """A sparse matrix of the kind of that name, of the numbers at these places; those of one place are added up."""
    return getattr(importlib.import_module('scipy.sparse'), kind)((values, (row, column)), shape=shape)


def unbuilt(d, values, row, column):
    """The gradient of the values, from that of `built(kind, values, row, column)`."""
    if d.format == 'coo' and d.nnz == len(values):
        return cast(np.array(d.data), values)
    return cast(entries(d, row, column), values)


def sparse_rebuilt(d, g, row, column):
    """The gradient of `g`, from that of `unbuilt(g, values, row, column)`."""
    return type(g)((d, (row, column)), shape=g.shape)


def unof_pattern(d, matrix):
    """The gradient of the values, from that of `of_pattern(matrix, values)`."""
    return np.array(d.data)


def turned_solve(a, d):
    """The solution of the equations with the transposed matrix."""
    return importlib.import_module('scipy.sparse.linalg').spsolve(a.T.tocsc(), d)


def outer_part(a, left, right):
    """The outer product of two vectors (of columns, added up) at the places that the matrix stores."""
    row, column = pattern(a)
    terms = left[row] * right[column]
    return of_pattern(a, np.sum(terms, axis=1) if np.ndim(terms) > 1 else terms)


def check_right_side(b):
    if is_sparse(b):
        raise ArgumentError('spsolve: a sparse right side has no derivative rule; give b.toarray()')
    return b
