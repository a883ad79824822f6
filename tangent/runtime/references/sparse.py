"""SciPy's sparse matrices made of numbers and places, as functions of the numbers."""
import importlib

import numpy as np

from tangent.errors import ArgumentError


def sparse_of(kind, arg1, shape):
    """A sparse matrix of what the classes of SciPy's take: numbers and places, numbers in rows, or a matrix."""
    if isinstance(arg1, tuple) and len(arg1) == 2:
        values, places = arg1
        row, column = places
        return built(kind, values, row, column, shape)
    if isinstance(arg1, tuple):
        values, indices, pointers = arg1
        row, column = places_of(kind, indices, pointers)
        return built(kind, values, row, column, shape)
    check_dense(arg1)
    row, column = every_place(np.shape(arg1))         # of zeros, too, which have a derivative
    return built(kind, arg1[row, column], row, column, np.shape(arg1))


def every_place(shape):
    return [np.ravel(k) for k in np.indices(shape)]


def places_of(kind, indices, pointers):
    """(row, column) of numbers that are given row by row, or column by column."""
    along = np.repeat(np.arange(len(pointers) - 1), np.diff(pointers))
    return (np.asarray(indices), along) if kind.startswith('csc') else (along, np.asarray(indices))


def check_dense(x):
    if hasattr(x, 'tocsr') or np.ndim(x) != 2:
        raise ArgumentError('a sparse matrix made of another one has no derivative rule; use its methods tocsr() and tocsc()')


def built(kind, values, row, column, shape=None):
    return importlib.import_module('tangent.runtime.functions.scipy.sparse').built(kind, values, row, column, shape)


def csr_matrix(arg1, shape=None, dtype=None, copy=False):
    return sparse_of('csr_matrix', arg1, shape)


def csr_array(arg1, shape=None, dtype=None, copy=False):
    return sparse_of('csr_array', arg1, shape)


def csc_matrix(arg1, shape=None, dtype=None, copy=False):
    return sparse_of('csc_matrix', arg1, shape)


def csc_array(arg1, shape=None, dtype=None, copy=False):
    return sparse_of('csc_array', arg1, shape)


def coo_matrix(arg1, shape=None, dtype=None, copy=False):
    return sparse_of('coo_matrix', arg1, shape)


def coo_array(arg1, shape=None, dtype=None, copy=False):
    return sparse_of('coo_array', arg1, shape)


def diags(diagonals, offsets=0, shape=None, format=None, dtype=None):
    return of_diagonals('csr_matrix', diagonals, offsets, shape)


def diags_array(diagonals, offsets=0, shape=None, format=None, dtype=None):
    return of_diagonals('csr_array', diagonals, offsets, shape)


def of_diagonals(kind, diagonals, offsets, shape):
    if np.ndim(offsets) == 0:
        rows, places = [diagonals if np.ndim(diagonals) == 1 and not np.ndim(diagonals[0]) else diagonals[0]], [offsets]
    else:
        rows, places = list(diagonals), list(offsets)
    row, column, full = diagonal_places([len(r) for r in rows], places, shape)
    return built(kind, np.concatenate(rows), row, column, full)


def diagonal_places(lengths, offsets, shape):
    """(rows, columns, shape) of the numbers of diagonals, one after the other."""
    size = max(n + abs(int(o)) for n, o in zip(lengths, offsets))
    full = (size, size) if shape is None else tuple(shape)
    for n, o in zip(lengths, offsets):
        if n != min(full[0] + min(o, 0), full[1] - max(o, 0)):
            raise ArgumentError('diags: a diagonal that is repeated or cut has no derivative rule; give each in its length')
    row = np.concatenate([np.arange(n) - min(o, 0) for n, o in zip(lengths, offsets)])
    column = np.concatenate([np.arange(n) + max(o, 0) for n, o in zip(lengths, offsets)])
    return row, column, full


KINDS = csr_matrix, csr_array, csc_matrix, csc_array, coo_matrix, coo_array
