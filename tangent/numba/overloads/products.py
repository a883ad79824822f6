"""The gradients of products and linear algebra inside Numba-compiled code, for vectors and matrices."""
import functools

import numpy as np
from numba.core import types
from numba.np.numpy_support import as_dtype

from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import absent, as_written, gradient_dtype, is_array, ranks, stands_for
from tangent.numba.overloads.optional import overload
from tangent.runtime.add import last_at
from tangent.runtime.api import unbroadcast
from tangent.runtime.functions import elementwise
from tangent.runtime.functions.numpy import products

# Products of vectors and matrices, by the ranks of the operands: `d` the gradient of the product, `o` the other operand

LEFT = {(1, 1): '(d * o)', (2, 1): 'np.outer(d, o)', (1, 2): 'np.dot(o, d)', (2, 2): 'np.dot(d, o.T)'}
RIGHT = {(1, 1): '(d * o)', (2, 1): 'np.dot(o.T, d)', (1, 2): 'np.outer(o, d)', (2, 2): 'np.dot(o.T, d)'}
INNER_LEFT = {**LEFT, (1, 2): 'np.dot(d, o)', (2, 2): 'np.dot(d, o)'}
INNER_RIGHT = {**RIGHT, (1, 2): 'np.outer(d, o)', (2, 2): 'np.dot(d.T, o)'}


def overload_product(function, formulas, mine, other):
    """Overload the gradient of operand `mine` ('a' or 'b') in a product of `a` and `b`."""
    @overload(function)
    def choose(d, a, b):
        target, operand = (a, b) if mine == 'a' else (b, a)
        formula = f'unbroadcast(d * o, {mine})' if 0 in ranks(a, b) else formulas.get(ranks(a, b))
        if formula is None:
            return None
        dtype = np.result_type(gradient_dtype(d), gradient_dtype(operand))
        text = f"""def impl(d, a, b):
    o = {as_dtype_of(other, operand, dtype)}
    d = {as_dtype_of('d', d, dtype)}
    return {formula}"""
        if 0 not in ranks(a, b) and gradient_dtype(target) != dtype:
            text += '.real.astype(wanted)' if dtype.kind == 'c' and gradient_dtype(target).kind == 'f' else '.astype(wanted)'
        return loops.build(text, unbroadcast=unbroadcast, dtype=dtype, wanted=gradient_dtype(target))
    return choose


def as_dtype_of(name, t, dtype):
    """`name` in `dtype`, as a text: `numpy.dot` wants both operands in one float type."""
    return f'{name}.astype(dtype)' if is_array(t) and as_dtype(t.dtype) != dtype else name


overload_product(products.dot_left, LEFT, 'a', 'b')
overload_product(products.dot_right, RIGHT, 'b', 'a')
overload_product(products.matmul_left, LEFT, 'a', 'b')
overload_product(products.matmul_right, RIGHT, 'b', 'a')
overload_product(products.inner_left, INNER_LEFT, 'a', 'b')
overload_product(products.inner_right, INNER_RIGHT, 'b', 'a')


# Linear algebra

@overload(products.unsolve)
def _unsolve(d, a, b, x):
    if ranks(a, b) == (2, 1):
        def impl(d, a, b, x):
            owed = np.linalg.solve(a.T, d)
            return unbroadcast(-np.outer(owed, x), a), unbroadcast(owed, b)
        return impl

    def impl_matrix(d, a, b, x):
        owed = np.linalg.solve(a.T, d)
        return unbroadcast(-np.dot(owed, x.T), a), unbroadcast(owed, b)
    return impl_matrix if ranks(a, b) == (2, 2) else None


stands_for(products.undet, lambda d, a: d * products.cofactors(a), complex_too=True, when=lambda d, a: ranks(a) == (2,))


@functools.partial(stands_for, products.cofactors, complex_too=True, when=lambda a: ranks(a) == (2,))
def _cofactors(a):
    u, s, v = np.linalg.svd(a)
    sign = np.linalg.det(u) * np.linalg.det(v)
    for k in range(s.size):
        others = sign
        for j in range(s.size):
            if j != k:
                others *= s[j]
        u[:, k] *= others
    return np.dot(u, v)


@functools.partial(stands_for, products.push_cofactors, complex_too=True, when=lambda a, da: ranks(a, da) == (2, 2))
def _push_cofactors(a, da):
    u, s, v = np.linalg.svd(a)
    moved = np.dot(np.dot(u.T, da), v.T)
    found = np.zeros_like(moved)
    for k in range(s.size):
        for j in range(s.size):
            others = np.linalg.det(u) * np.linalg.det(v)
            for n in range(s.size):
                if n != k and n != j:
                    others *= s[n]
            if j != k:
                found[k, j] = -moved[j, k] * others
                found[k, k] += moved[j, j] * others
    return np.dot(np.dot(u, found), v)


as_written(products.unmatrix_power, products.push_matrix_power, products.push_power)
stands_for(products.turned, lambda m: m.T.copy())
stands_for(products.in_rows, lambda m: np.ascontiguousarray(m))


stands_for(products.uncross, lambda d, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None: (np.cross(b, d), np.cross(d, a)),
           complex_too=True, when=lambda d, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None: ranks(
               d, a, b) == (1, 1, 1) and absent(axis))
stands_for(products.cross_left, lambda d, a, b: unbroadcast(np.cross(b, d), a), complex_too=True)
stands_for(products.cross_right, lambda d, a, b: unbroadcast(np.cross(d, a), b), complex_too=True)


@overload(products.unkron, prefer_literal=True)
def _unkron(d, a, b, which):
    number = gradient_dtype(a).type
    which = getattr(which, 'literal_value', which)
    if ranks(a, b) != (2, 2) or which not in (0, 1):
        return None
    first = which == 0

    def impl(d, a, b, which):
        out = np.zeros_like(a if first else b)
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                for k in range(b.shape[0]):
                    for m in range(b.shape[1]):
                        owed = number(d[i * b.shape[0] + k, j * b.shape[1] + m])
                        if first:
                            out[i, j] += owed * b[k, m]
                        else:
                            out[k, m] += owed * a[i, j]
        return out
    return impl


stands_for(elementwise.unouter, lambda d, a: unbroadcast(d.sum(axis=1), a), complex_too=True,
           when=lambda d, a: ranks(d, a) == (2, 1))
stands_for(elementwise.untile, lambda d, a, reps: unbroadcast(d.reshape((d.size // a.size, a.size)).sum(axis=0), a),
           complex_too=True, when=lambda d, a, reps: ranks(d, a) == (1, 1))


@overload(last_at)
def _last_at(b, index):
    kinds = index.types if isinstance(index, types.BaseTuple) else (index,)
    arrays = [k for k in kinds if is_array(k)]
    if arrays:
        if isinstance(arrays[0].dtype, types.Boolean):
            return lambda b, index: b[index]
        return None if arrays[0].ndim != 1 else last_of_rows if is_array(index) else last_of_places
    if sum(isinstance(k, types.Integer) for k in kinds) == b.ndim:
        return lambda b, index: b[index]
    return lambda b, index: b[index].copy()


def last_of_places(b, index):
    """The same for an index of which one part is an array of positions."""
    found = b[index]
    order = np.arange(found.size).reshape(found.shape)
    last = np.empty(b.shape, np.intp)
    last[index] = order
    kept, there = found.reshape(found.size), last[index].reshape(found.size)
    for k in range(found.size):
        if there[k] != k:
            kept[k] = 0
    return kept.reshape(found.shape)


def last_of_rows(b, index):
    """Where an index names a row twice, the second one holds what was written."""
    found = b[index]
    last = np.empty(b.shape[0], np.intp)
    for k in range(index.size):
        last[index[k]] = k
    for k in range(index.size):
        if last[index[k]] != k:
            found[k] = 0
    return found
