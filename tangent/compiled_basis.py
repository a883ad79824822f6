"""The run time of Jacobians inside Numba-compiled code."""
from __future__ import annotations

import numpy as np
from numba.core.errors import TypingError
from numba.extending import overload

from tangent import compiled_loops as loops
from tangent import products_basis
from tangent.compiled_overloads import gradient_dtype, is_array, is_leaf
from tangent.utils import init_grad

REFUSED = ('compiled Jacobians are those of real arrays and numbers by real arrays and numbers: for others, take the Jacobian '
           'of the function that Numba compiled, f.py_func')


def check_real(x):
    if not is_leaf(x) or gradient_dtype(x).kind == 'c':
        raise TypingError(f'{REFUSED} (here there is {x})')


@overload(products_basis.basis)
def _basis(x, k):
    check_real(x)
    if not is_array(x):
        one = gradient_dtype(x).type(1)
        return lambda x, k: one

    def unit(x, k):
        found = init_grad(x)
        found.flat[k] = 1
        return found
    return unit


@overload(products_basis.elements)
def _elements(x):
    check_real(x)
    return (lambda x: x.size) if is_array(x) else (lambda x: 1)


@overload(products_basis.matrix_of)
def _matrix_of(y, x):
    dtype, size = np.result_type(gradient_dtype(y), gradient_dtype(x)), products_basis.elements
    return lambda y, x: np.empty((size(y), size(x)), dtype)


@overload(products_basis.put_row)
def _put_row(found, i, gradient):
    return over(gradient, 'i', 'i, k')


@overload(products_basis.put_column)
def _put_column(found, j, tangent):
    return over(tangent, 'j', 'k, j', 'tangent')


def over(value, at, place, name='gradient'):
    """An implementation that writes an array, or a number, into a row or column."""
    if not is_array(value):
        return loops.build(f'def impl(found, {at}, {name}):\n    found[{place.replace("k", "0")}] = {name}')
    return loops.build(f'def impl(found, {at}, {name}):\n    k = 0\n    for v in {name}.flat:\n'
                       f'        found[{place}] = v\n        k += 1')


@overload(products_basis.shaped)
def _shaped(found, y, x):
    if not is_array(y) and not is_array(x):
        return lambda found, y, x: found[0, 0]
    shape = ' + '.join(f'{name}.shape' for name, t in (('y', y), ('x', x)) if is_array(t))
    return loops.build(f'def impl(found, y, x):\n    return found.reshape({shape})')
