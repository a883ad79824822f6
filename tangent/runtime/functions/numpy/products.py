"""Adjoints of products of arrays, right for operands of every rank: the run-time functions of `templates.algebra`."""
import functools
import importlib

import numpy as np

from tangent.runtime.array_api import LATER, as_array, at_least_1d, beside, chunks, filled, is_chunked, is_sparse, peer
from tangent.runtime.broadcast import cast, unbroadcast
from tangent.runtime.fields import is_object, refuse_object
from tangent.runtime.functions.elementwise import own, product_of_others
from tangent.runtime.functions.numpy.statistics import dual


def _matrices(a, b):
    if type(a) is np.ndarray is type(b):
        return a.ndim == 2 == b.ndim
    for x in (a, b):
        if is_object(x):
            refuse_object(x, 'taken for an array')
    return False


def _as(b, x):
    """The array `b` in the dtype of the array `x`."""
    return b if b.dtype is x.dtype else cast(b, x)


def matrix_product(a, b):
    """`a @ b` for arrays and for the sparse matrices of SciPy's, which NumPy's own functions do not know."""
    return a @ b if is_sparse(a) or is_sparse(b) else np.matmul(a, b)


def sparse_part(name, d, a, b):
    """The gradient `name` of a product in which a sparse matrix takes part."""
    return getattr(importlib.import_module('tangent.runtime.functions.scipy.sparse'), name)(d, a, b)


def dot_left(d, a, b):
    """The gradient of `a`, from that of `numpy.dot(a, b)`."""
    if _matrices(a, b):
        return _as(d.dot(b.T), a)
    if is_sparse(a) or is_sparse(b):
        return sparse_part('sparse_left', d, a, b)
    if np.ndim(a) == 0:
        return cast(np.sum(d * b), a)
    if np.ndim(b) < 2:
        return cast(np.multiply.outer(d, b), a)
    contracted = [axis for axis in range(np.ndim(b)) if axis != np.ndim(b) - 2]
    return cast(np.tensordot(d, b, (tuple(range(np.ndim(d) - len(contracted), np.ndim(d))), tuple(contracted))), a)


def dot_right(d, a, b):
    """The gradient of `b`, from that of `numpy.dot(a, b)`."""
    if _matrices(a, b):
        return _as(a.T.dot(d), b)
    if is_sparse(a) or is_sparse(b):
        return sparse_part('sparse_right', d, a, b)
    if np.ndim(b) == 0:
        return cast(np.sum(d * a), b)
    if np.ndim(a) == 0:
        return cast(np.multiply(d, a), b)
    lead = tuple(range(np.ndim(a) - 1))
    moved = np.tensordot(a, d, (lead, lead))
    return cast(moved if np.ndim(b) == 1 else np.moveaxis(moved, 0, -2), b)


def matmul_left(d, a, b):
    """The gradient of `a`, from that of `a @ b`."""
    if _matrices(a, b):
        return _as(d.dot(b.T), a)
    if type(d) in LATER:
        return LATER[type(d)](matmul_left, d, a, b)
    if is_sparse(a) or is_sparse(b):
        return sparse_part('sparse_left', d, a, b)
    if np.ndim(b) == 1:
        return cast(np.multiply.outer(d, b), a)
    if np.ndim(a) == 1:
        return unbroadcast(np.matmul(np.expand_dims(d, -2), np.swapaxes(b, -1, -2))[..., 0, :], a)
    return unbroadcast(np.matmul(d, np.swapaxes(b, -1, -2)), a)


def matmul_right(d, a, b):
    """The gradient of `b`, from that of `a @ b`."""
    if _matrices(a, b):
        return _as(a.T.dot(d), b)
    if type(d) in LATER:
        return LATER[type(d)](matmul_right, d, a, b)
    if is_sparse(a) or is_sparse(b):
        return sparse_part('sparse_right', d, a, b)
    if np.ndim(a) == 1 == np.ndim(b):
        return cast(np.multiply(d, a), b)
    if np.ndim(a) == 1:
        return cast(np.expand_dims(a, -1) * np.expand_dims(d, -2), b)
    if np.ndim(b) == 1:
        if np.ndim(a) == 2:
            return cast(np.dot(d, a), b)
        lead = tuple(range(np.ndim(d)))
        return cast(np.tensordot(d, a, (lead, lead)), b)
    return unbroadcast(np.matmul(np.swapaxes(a, -1, -2), d), b)


def _contracted(a, b, axes):
    """The axes of `a` and of `b` that `numpy.tensordot(a, b, axes)` contracts, as two lists of positive numbers."""
    if np.ndim(axes) == 0 and not isinstance(axes, (list, tuple)):
        return list(range(np.ndim(a) - axes, np.ndim(a))), list(range(axes))
    return tuple([axis % np.ndim(x) for axis in np.atleast_1d(part)] for part, x in zip(axes, (a, b)))


def tensordot_left(d, a, b, axes=2):
    """The gradient of `a`, from that of `numpy.tensordot(a, b, axes)`."""
    left, right = _contracted(a, b, axes)
    kept_a = [k for k in range(np.ndim(a)) if k not in left]
    kept_b = [k for k in range(np.ndim(b)) if k not in right]
    moved = np.tensordot(d, b, (tuple(range(len(kept_a), np.ndim(d))), tuple(kept_b)))
    order = kept_a + [left[right.index(k)] for k in sorted(right)]
    return cast(np.transpose(moved, np.argsort(order).tolist()), a)


def tensordot_right(d, a, b, axes=2):
    """The gradient of `b`, from that of `numpy.tensordot(a, b, axes)`."""
    left, right = _contracted(a, b, axes)
    kept_a = [k for k in range(np.ndim(a)) if k not in left]
    kept_b = [k for k in range(np.ndim(b)) if k not in right]
    moved = np.tensordot(a, d, (tuple(kept_a), tuple(range(len(kept_a)))))
    order = [right[left.index(k)] for k in sorted(left)] + kept_b
    return cast(np.transpose(moved, np.argsort(order).tolist()), b)


def inner_left(d, a, b):
    """The gradient of `a`, from that of `numpy.inner(a, b)`."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return dot_left(d, a, b)
    return tensordot_left(d, a, b, (-1, -1))


def inner_right(d, a, b):
    """The gradient of `b`, from that of `numpy.inner(a, b)`."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return dot_right(d, a, b)
    return tensordot_right(d, a, b, (-1, -1))


def unkron(d, a, b, which):
    """The gradient of `a` (`which` 0) or `b` (`which` 1), from that of `numpy.kron(a, b)`."""
    rank = max(np.ndim(a), np.ndim(b))
    shapes = [(1,) * (rank - np.ndim(x)) + np.shape(x) for x in (a, b)]
    pairs = np.reshape(d, [n for pair in zip(*shapes) for n in pair])
    factor = np.reshape((b, a)[which], [n if k % 2 != which else 1 for k, n in enumerate(np.shape(pairs))])
    found = np.sum(pairs * factor, axis=tuple(range(1 - which, 2 * rank, 2)))
    return cast(np.reshape(found, np.shape((a, b)[which])), (a, b)[which])


def uneinsum(d, subscripts, operands, which):
    """The gradient of operand number `which`, from that of `numpy.einsum(subscripts, *operands)`."""
    inputs, output = _einsum_terms(subscripts, operands)
    mine, x = inputs[which], as_array(operands[which])
    rest = [(term, v) for k, (term, v) in enumerate(zip(inputs, operands)) if k != which]
    unique = ''.join(sorted(set(mine), key=mine.index))
    sizes = dict(zip(mine, x.shape))
    known = set(output).union(*(set(term) for term, _ in rest))
    missing = [c for c in unique if c not in known]
    lazy = is_chunked(x)
    rest += [(c, chunks().ones_along(x, mine.index(c)) if lazy else filled(sizes[c], 1.0, like=peer(d))) for c in missing]
    text = ','.join([output] + [term for term, _ in rest]) + '->' + unique
    found = np.einsum(text, d, *[v for _, v in rest])
    if unique == mine:
        return own(unbroadcast(found, x), d)
    if is_chunked(found):
        return cast(chunks().diagonals(found, mine, unique), x)
    full = np.zeros([sizes[c] for c in mine], dtype=found.dtype, like=peer(found))
    np.einsum(mine + '->' + unique, full)[...] = found
    return cast(full, x)


def _einsum_terms(subscripts, operands):
    """The letters of each operand and of the result, an ellipsis spelt out in letters not otherwise used."""
    subscripts = subscripts.replace(' ', '')
    left, arrow, output = subscripts.partition('->')
    inputs = left.split(',')
    spare = [c for c in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' if c not in subscripts]
    ranks = [np.ndim(x) - len(term.replace('...', '')) if '...' in term else 0 for term, x in zip(inputs, operands)]
    dots = ''.join(spare[:max(ranks)])
    if not arrow:
        letters = left.replace('...', '').replace(',', '')
        output = ('...' if '...' in left else '') + ''.join(sorted(c for c in set(letters) if letters.count(c) == 1))
    inputs = [term.replace('...', dots[len(dots) - rank:]) for term, rank in zip(inputs, ranks)]
    return inputs, output.replace('...', dots)


def cofactors(a):
    """The derivative of `numpy.linalg.det(a)` by each element of `a`; right for singular matrices too."""
    known = np.all(np.isfinite(a), axis=(-2, -1), keepdims=True)
    u, s, v = np.linalg.svd(np.where(known, a, 0))
    others = np.ones_like(s)
    for k in range(s.shape[-1]):
        others[..., k] = np.prod(np.delete(s, k, axis=-1), axis=-1)
    sign = np.linalg.det(u) * np.linalg.det(v)
    return np.where(known, np.expand_dims(sign, (-2, -1)) * (dual(u) * others[..., None, :]) @ dual(v), np.nan)


def push_cofactors(a, da):
    """The tangent of `cofactors(a)`, which is its adjoint, too; right where singular values are zero, or equal, where singular
    vectors have no derivative.

    The cofactors of `u @ x @ v` are `det(u) * u @ cofactors(x) @ v * det(v)` for orthogonal `u` and `v`: it is enough to know
    the tangent of those of the diagonal matrix of the singular values.
    """
    known = np.all(np.isfinite(a), axis=(-2, -1), keepdims=True)
    u, s, v = np.linalg.svd(np.where(known, a, 0))
    moved = np.swapaxes(dual(u), -1, -2) @ np.where(known, da, 0) @ np.swapaxes(dual(v), -1, -2)
    along, found = np.diagonal(moved, axis1=-2, axis2=-1), np.empty_like(moved)
    for k in range(s.shape[-1]):
        rest = np.where(np.arange(s.shape[-1]) == k, 1, s)
        pairs = np.where(np.arange(s.shape[-1]) == k, 0, product_of_others(rest, axis=-1))        # the product of all but two
        found[..., k, :] = -moved[..., :, k] * pairs
        found[..., k, k] = np.sum(along * pairs, axis=-1)
    sign = np.linalg.det(u) * np.linalg.det(v)
    return np.where(known, np.expand_dims(sign, (-2, -1)) * dual(u) @ found @ dual(v), np.nan)


def undet(d, a):
    """The gradient of `a`, from that of `numpy.linalg.det(a)`."""
    return cast(np.expand_dims(d, (-1, -2)) * cofactors(a), a)


def unsolve(d, a, b, x):
    """The gradients of `a` and `b`, from that of `x = numpy.linalg.solve(a, b)`."""
    vector = np.ndim(b) == 1
    column, solution = (np.expand_dims(d, -1), np.expand_dims(x, -1)) if vector else (d, x)
    owed = np.linalg.solve(np.swapaxes(a, -1, -2), column)
    return (unbroadcast(-owed @ np.swapaxes(solution, -1, -2), a),
            unbroadcast(owed[..., 0] if vector else owed, b))


def unconvolve(d, a, v, mode='full'):
    """The gradient of `a`, from that of `numpy.convolve(a, v, mode)`."""
    a, v, d = beside(at_least_1d(a), v, d), beside(at_least_1d(v), a, d), as_array(d)
    size = len(a) + len(v) - 1
    before = {'full': 0, 'same': (min(len(a), len(v)) - 1) // 2, 'valid': min(len(a), len(v)) - 1}[mode]
    full = np.zeros(size, d.dtype, like=peer(d))
    full[before:before + len(d)] = d
    return cast(np.correlate(full, np.conj(v), 'valid') if len(full) >= len(v) else np.zeros(len(a), like=peer(a)), a)


def uncross(d, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The gradients of `a` and `b`, from that of `numpy.cross(a, b, axisa, axisb, axisc, axis)`."""
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis,) * 3
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    d = d if a.shape[-1] == b.shape[-1] == 2 else np.moveaxis(d, axisc, -1)
    return np.moveaxis(cross_left(d, a, b), -1, axisa).copy(), np.moveaxis(cross_right(d, a, b), -1, axisb).copy()


def cross_left(d, a, b):
    """The gradient of `a`, from that of `numpy.cross(a, b)`."""
    shape = np.shape(a)
    if shape[-1] == 3 == np.shape(b)[-1]:
        return unbroadcast(np.cross(b, d), a)
    d = _third(d) if shape[-1] == np.shape(b)[-1] else d
    return unbroadcast(np.cross(_in_space(b), d)[..., :shape[-1]], a)


def cross_right(d, a, b):
    """The gradient of `b`, from that of `numpy.cross(a, b)`."""
    return -cross_left(d, b, a)


def _third(d):
    """Vectors in space whose third components these are: the products of vectors in the plane."""
    return np.stack([0 * d, 0 * d, d], axis=-1)


def _in_space(v):
    """Vectors in space, for such or for vectors in the plane."""
    v = as_array(v)
    return v if v.shape[-1] == 3 else np.concatenate([v, 0 * v[..., :1]], axis=-1)


def uncorrelate(d, a, v, mode='valid'):
    """The gradients of `a` and `v`, from that of `numpy.correlate(a, v, mode)`: the convolution with `v` turned round."""
    a, v, d = as_array(a), as_array(v), as_array(d)
    turned = len(v) > len(a)                        # NumPy slides the shorter one, and turns the result round
    long, short, d = (np.conj(v), np.conj(a), d[::-1]) if turned else (a, v, d)
    back = np.conj(short[::-1])
    blong, bshort = unconvolve(d, long, back, mode), np.conj(unconvolve(d, back, long, mode)[::-1])
    return (np.conj(bshort), np.conj(blong)) if turned else (blong, bshort)


def unmatrix_power(d, a, n):
    """The gradient of `a`, from that of `numpy.linalg.matrix_power(a, n)`."""
    return cast(push_matrix_power(d, turned(a), n), a)


def push_matrix_power(da, a, n):
    """The tangent of `numpy.linalg.matrix_power(a, n)`."""
    if n < 0:
        inverse = in_rows(np.linalg.inv(a))
        return push_power(-(inverse @ in_rows(da) @ inverse), inverse, -n)
    return push_power(in_rows(da), in_rows(a), n)


def push_power(da, a, n):
    """The sum of `a**k @ da @ a**(n - 1 - k)`."""
    found, power = (da, a) if n else (np.zeros_like(da), a)
    for _ in range(n - 1):
        found = found @ a + power @ da
        power = power @ a
    return found


def turned(m):
    """The transposes of the matrices `m`."""
    return np.swapaxes(m, -1, -2)


def in_rows(m):
    """The matrices `m`, for Numba in an order that BLAS takes."""
    return as_array(m)


# Products of several

def unmulti_dot(d, arrays):
    """The gradients of the arrays of `numpy.linalg.multi_dot(arrays)`."""
    first, last = np.ndim(arrays[0]) == 1, np.ndim(arrays[-1]) == 1
    whole = [as_array(arrays[0])[None, :] if first else as_array(arrays[0]), *[as_array(a) for a in arrays[1:-1]],
             as_array(arrays[-1])[:, None] if last else as_array(arrays[-1])]
    owed = np.reshape(d, (whole[0].shape[0], whole[-1].shape[1]))
    found = []
    for k, a in enumerate(arrays):
        left = functools.reduce(np.matmul, whole[:k], beside(np.eye(whole[0].shape[0]), owed))
        right = functools.reduce(np.matmul, whole[k + 1:], beside(np.eye(whole[k].shape[1]), owed))
        found.append(cast(np.reshape(left.T @ owed @ right.T, np.shape(a)), a))
    return found


def push_multi_dot(tangents, arrays):
    """The tangent of `numpy.linalg.multi_dot(arrays)`."""
    arrays = list(arrays)
    return sum(np.linalg.multi_dot(arrays[:k] + [t] + arrays[k + 1:]) for k, t in enumerate(tangents))


def unmatvec(d, x1, x2):
    """The gradients of the matrices and the vectors, from that of `numpy.matvec(x1, x2)`."""
    return (unbroadcast(np.einsum('...m,...n->...mn', d, x2), x1), unbroadcast(np.einsum('...m,...mn->...n', d, x1), x2))


def unvecmat(d, x1, x2):
    """The gradients of the vectors and the matrices, from that of `numpy.vecmat(x1, x2)`, which conjugates the vectors."""
    return (unbroadcast(dual(np.einsum('...n,...mn->...m', d, x2)), x1),
            unbroadcast(np.einsum('...m,...n->...mn', dual(as_array(x1)), d), x2))
