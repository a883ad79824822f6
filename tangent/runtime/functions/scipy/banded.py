"""Run-time functions for rules about equations with banded, Toeplitz and circulant matrices."""
import numpy as np
import scipy.linalg

from tangent.runtime.broadcast import cast, unbroadcast


def band_turned(l_and_u, ab):
    """The bands of the transposed matrix."""
    low, up = l_and_u
    return np.stack([along(ab[up - o], o) for o in range(-low, up + 1)])


def along(row, o):
    """The row without its first `o` numbers (or, for negative `o`, its last), with as many zeros at the other end."""
    if o == 0:
        return row
    zeros = np.zeros(abs(o))
    return np.concatenate([row[o:], zeros]) if o > 0 else np.concatenate([zeros, row[:o]])


def banded_product(l_and_u, ab, y):
    """The product of a matrix given by its bands and y."""
    low, up = l_and_u
    total = np.zeros_like(y)
    for o in range(-low, up + 1):
        row = np.reshape(ab[up - o], (-1,) + (1,) * (np.ndim(y) - 1)) * y
        zeros = np.zeros_like(y[:abs(o)])
        total = total + (row if o == 0 else np.concatenate([row[o:], zeros]) if o > 0 else np.concatenate([zeros, row[:o]]))
    return total


def unsolve_banded(d, l_and_u, ab, b, y):
    """The gradients of `ab` and `b`, from that of `y = scipy.linalg.solve_banded(l_and_u, ab, b)`."""
    low, up = l_and_u
    owed = scipy.linalg.solve_banded((up, low), band_turned(l_and_u, ab), d)
    n = len(y)
    rows = []
    for o in range(up, -low - 1, -1):
        cut = owed[:n - o] * y[o:] if o >= 0 else owed[-o:] * y[:n + o]
        cut = np.sum(np.reshape(cut, (n - abs(o), -1)), axis=1)
        zeros = np.zeros(abs(o))
        rows.append(-np.concatenate([zeros, cut]) if o >= 0 else -np.concatenate([cut, zeros]))
    return cast(np.stack(rows), ab), unbroadcast(owed, b)


def unsolveh_banded(d, ab, b, y, lower):
    """The gradients of `ab` and `b`, from that of `y = scipy.linalg.solveh_banded(ab, b, lower=lower)`."""
    owed = scipy.linalg.solveh_banded(ab, d, lower=lower)
    n = len(y)
    rows = []
    for o in range(len(ab)):
        both = owed[:n - o] * y[o:] + owed[o:] * y[:n - o] * (o > 0)
        cut = np.sum(np.reshape(both, (n - o, -1)), axis=1)
        zeros = np.zeros(o)
        rows.append(-np.concatenate([cut, zeros]) if lower else -np.concatenate([zeros, cut]))
    return cast(np.stack(rows if lower else rows[::-1]), ab), unbroadcast(owed, b)


def bandedh_product(ab, y, lower):
    """The product of a symmetric matrix, given by the bands of one triangle, and y."""
    total = np.zeros_like(y)
    for o in range(len(ab)):
        row = ab[o] if lower else along(ab[len(ab) - 1 - o], o)
        row = np.reshape(row, (-1,) + (1,) * (np.ndim(y) - 1))
        zeros = np.zeros_like(y[:o])
        if o == 0:
            total = total + row * y
        else:
            total = total + np.concatenate([zeros, row[:-o] * y[:-o]]) + np.concatenate([row[:-o] * y[o:], zeros])
    return total
